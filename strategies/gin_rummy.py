"""The built-in players of gin rummy."""

from __future__ import annotations

from typing import Any, Final

from simcore.bits import lowest, popcount
from simcore.chance import below
from simcore.compiled import inlined
from simcore.games.gin_rummy.combinations import NO_CARD
from simcore.games.gin_rummy.legal import kept_card, may_big_gin, may_knock
from simcore.games.gin_rummy.moves import after_drawing, after_taking, best_to_knock, knock_with, leave_top, take_top, throw
from simcore.games.gin_rummy.splits import deadwood
from simcore.games.gin_rummy.view import LAST_DISCARD
from simcore.strategy import Strategy

KNOCKING: Final = 64
"""What is added to a card among the choices of `random` where it knocks."""


@inlined
def nth(cards: int, n: int) -> int:
    """The card of a mask that has ``n`` lower ones beside it."""
    for _ in range(n):
        cards &= cards - 1
    return lowest(cards)


def random_draw(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Take the card of the pile or leave it, equally likely."""
    move.take = below(work.stream, 2)
    return True


def random_discard(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Any legal discard or knock, each equally likely."""
    kept = kept_card(view, rules)
    free = view.hand if kept == NO_CARD else view.hand & ~(1 << kept)
    if after_drawing(view, rules) >> 6 > rules.knock_limit:
        return throw(nth(free, below(work.stream, popcount(free))), move)
    n = 0
    while free:
        card = lowest(free)
        free &= free - 1
        if view.phase != LAST_DISCARD:
            work.choices[n] = card
            n += 1
        if may_knock(view.hand, card, rules):
            work.choices[n] = KNOCKING + card
            n += 1
    if may_big_gin(view.hand, rules):
        work.choices[n] = KNOCKING + NO_CARD
        n += 1
    choice = work.choices[below(work.stream, n)]
    return throw(choice, move) if choice < KNOCKING + NO_CARD else knock_with(choice - KNOCKING, move)


def greedy_draw(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Take the card of the pile where it leaves less deadwood than there is."""
    return take_top(move) if after_taking(view, rules) >> 6 < deadwood(view.hand) else leave_top(move)


def greedy_discard(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Keep least deadwood; knock as soon as possible."""
    best = after_drawing(view, rules)
    if best >> 6 <= rules.knock_limit:
        return knock_with(best_to_knock(best, view, rules), move)
    return throw(best & 63, move)


random = Strategy("Every legal choice with the same probability.", {"draw": random_draw, "discard": random_discard})
greedy = Strategy("Least deadwood after each turn; knocks as soon as it can.", {"draw": greedy_draw, "discard": greedy_discard})
