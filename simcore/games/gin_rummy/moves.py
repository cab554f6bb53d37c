"""What strategies build on: moves, and what a hand is worth after them."""

from __future__ import annotations

from typing import Any

from simcore.compiled import inlined
from simcore.games.gin_rummy.combinations import NO_CARD
from simcore.games.gin_rummy.legal import kept_card, may_big_gin
from simcore.games.gin_rummy.splits import best_discard


@inlined
def take_top(move: Any) -> bool:
    """Take the top card of the pile."""
    move.take = 1
    return True


@inlined
def leave_top(move: Any) -> bool:
    """Refuse the up-card, or draw from the stock."""
    move.take = 0
    return True


@inlined
def throw(card: int, move: Any) -> bool:
    """Throw a card and play on."""
    move.discard = card
    return True


@inlined
def knock_with(card: int, move: Any) -> bool:
    """Throw a card and knock; NO_CARD for big gin."""
    move.discard = card
    move.knock = 1
    return True


@inlined
def after_taking(view: Any, rules: Any) -> int:
    """The best discard after the top card of the pile was taken, as `splits.best_discard`: ``deadwood << 6 | card``."""
    return best_discard(view.hand | 1 << view.top, view.top if rules.forbid_discard_taken else NO_CARD)


@inlined
def after_drawing(view: Any, rules: Any) -> int:
    """The best discard of the eleven cards in hand, as `splits.best_discard`: ``deadwood << 6 | card``."""
    return best_discard(view.hand, kept_card(view, rules))


@inlined
def best_to_knock(best: int, view: Any, rules: Any) -> int:
    """The card to knock with, given the best discard: NO_CARD if it is big gin, which is more."""
    return NO_CARD if best >> 6 == 0 and may_big_gin(view.hand, rules) else best & 63
