"""What a player may do, and why a move is refused."""

from __future__ import annotations

from typing import Any, Final

from simcore.compiled import inlined, inner
from simcore.games.gin_rummy.combinations import BIG_GIN, NO_CARD
from simcore.games.gin_rummy.splits import best_discard, deadwood
from simcore.games.gin_rummy.view import LAST_DISCARD

FAULTS: Final = (
    "",
    "gave no answer (a decision must return True)",
    "neither took the card of the pile (take = 1) nor left it (take = 0)",
    "threw a card that it does not hold",
    "threw the card that it had just taken from the pile (GA2)",
    "knocked with more deadwood than knock_limit allows (G10)",
    "laid down eleven cards without knocking with all of them melded, or without big gin in the rules (GA9)",
    "took the last discard and did not knock (GA4)",
)
NO_ANSWER, BAD_TAKE, NOT_HELD, JUST_TAKEN, TOO_MUCH, NO_BIG_GIN, NOT_KNOCKED = range(1, len(FAULTS))


@inlined
def kept_card(view: Any, rules: Any) -> int:
    """The card that may not be thrown in this turn (GA2), NO_CARD where there is none."""
    return view.taken if rules.forbid_discard_taken else NO_CARD


@inner
def may_knock(hand: int, discard: int, rules: Any) -> bool:
    """Whether eleven cards may knock by throwing ``discard`` (G10); gin is no matter of the limit (G15)."""
    return deadwood(hand & ~(1 << discard)) <= rules.knock_limit


@inner
def may_big_gin(hand: int, rules: Any) -> bool:
    """Whether eleven cards are big gin (GA9)."""
    return rules.points[BIG_GIN] > 0 and deadwood(hand) == 0


@inner
def last_discard_helps(hand: int, top: int, rules: Any) -> bool:
    """Whether ten cards with the last discard could knock (GA4, `fiftieth_card`)."""
    return best_discard(hand | 1 << top, top if rules.forbid_discard_taken else NO_CARD) >> 6 <= rules.knock_limit


@inner
def check_draw(view: Any, move: Any) -> int:
    """0, or the fault of a draw (position in FAULTS)."""
    return 0 if move.take == 0 or move.take == 1 else BAD_TAKE


@inner
def check_discard(view: Any, rules: Any, move: Any) -> int:
    """0, or the fault of a discard or knock (position in FAULTS)."""
    card = move.discard
    if card == NO_CARD:
        return 0 if move.knock == 1 and may_big_gin(view.hand, rules) else NO_BIG_GIN
    if card < 0 or card > 51 or view.hand >> card & 1 == 0:
        return NOT_HELD
    if card == kept_card(view, rules):
        return JUST_TAKEN
    if move.knock:
        return 0 if may_knock(view.hand, card, rules) else TOO_MUCH
    return NOT_KNOCKED if view.phase == LAST_DISCARD else 0
