"""The built-in players of gin rummy.

All of them knock by the limit of the rules they are given and read bonuses from the point table (``rules.points``). They differ in what they take, what
they throw and how long they wait with the knock: `simple` is the yardstick of the gin rummy challenge of EAAI 2021 (Neller, "Gin Rummy EAAI Undergraduate
Research Challenge"), the others look at deadwood, at what the opponent shows, or at what may still come.

A decision is a plain function of the view, the rules, the strategy's own parameters, its work record and the move that it fills in; see
`simcore.games.gin_rummy.moves` for what moves are built with.
"""

from __future__ import annotations

from typing import Any, Final

from simcore.bits import lowest, popcount
from simcore.chance import below
from simcore.compiled import inlined, inner
from simcore.games.gin_rummy.combinations import ALL_CARDS, NO_CARD, in_runs, in_sets, whole_rank
from simcore.games.gin_rummy.legal import kept_card, may_big_gin, may_knock
from simcore.games.gin_rummy.moves import after_drawing, after_taking, best_to_knock, knock_with, leave_top, take_top, throw
from simcore.games.gin_rummy.splits import best_discard, deadwood
from simcore.games.gin_rummy.view import LAST_DISCARD
from simcore.strategy import Param, Strategy

# --- what several of them use ---------------------------------------------------------------------------------------------------------------


@inlined
def free_cards(view: Any, rules: Any) -> int:
    """The cards of the hand that may be thrown (GA2)."""
    kept = kept_card(view, rules)
    return view.hand if kept == NO_CARD else view.hand & ~(1 << kept)


@inlined
def must_take(view: Any) -> bool:
    """Whether the card on offer is the last discard, which is only offered to who can knock with it (GA4)."""
    return view.phase == LAST_DISCARD


@inlined
def unseen(view: Any) -> int:
    """The cards that may still come from the stock: neither in hand, nor in the pile, nor seen to be taken by the opponent."""
    return ALL_CARDS & ~view.hand & ~view.pile & ~view.took[1 - view.seat]


@inlined
def knock_now(best: int, view: Any, rules: Any, move: Any) -> bool:
    """Knock with the best discard, or with eleven cards where that is big gin."""
    return knock_with(best_to_knock(best, view, rules), move)


@inner
def take_if_less(view: Any, rules: Any, move: Any) -> bool:
    """Take the card of the pile where it leaves less deadwood than there is."""
    if must_take(view) or after_taking(view, rules) >> 6 < deadwood(view.hand):
        return take_top(move)
    return leave_top(move)


# --- random ---------------------------------------------------------------------------------------------------------------------------------


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
    free = free_cards(view, rules)
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


random = Strategy("Every legal choice with the same probability.", {"draw": random_draw, "discard": random_discard})


# --- simple ---------------------------------------------------------------------------------------------------------------------------------


def simple_draw(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Take the card of the pile only if it becomes part of a meld."""
    if params.never_take and not must_take(view):
        return leave_top(move)
    hand = view.hand | 1 << view.top
    return take_top(move) if must_take(view) or (in_sets(hand) | in_runs(hand)) >> view.top & 1 else leave_top(move)


def simple_discard(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Throw one of the cards that leave least deadwood, equally likely; knock as soon as possible."""
    best = after_drawing(view, rules)
    if best >> 6 <= (0 if params.never_knock else rules.knock_limit):
        return knock_now(best, view, rules, move)
    n = 0
    free = free_cards(view, rules)
    while free:
        card = lowest(free)
        free &= free - 1
        if deadwood(view.hand & ~(1 << card)) == best >> 6:
            work.choices[n] = card
            n += 1
    return throw(work.choices[below(work.stream, n)], move)


simple = Strategy(
    "The simple player of the EAAI challenge: takes the pile only to complete a meld, throws the highest loose card, knocks as soon as it can.",
    {"draw": simple_draw, "discard": simple_discard},
    {
        "never_take": Param(0, 0, 1, "1: never takes from the pile", restriction=True),
        "never_knock": Param(0, 0, 1, "1: waits for gin", restriction=True),
    },
)


# --- greedy ---------------------------------------------------------------------------------------------------------------------------------


def greedy_draw(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Take the card of the pile where it leaves less deadwood than there is."""
    return take_if_less(view, rules, move)


def greedy_discard(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Keep least deadwood; knock as soon as possible."""
    best = after_drawing(view, rules)
    return knock_now(best, view, rules, move) if best >> 6 <= rules.knock_limit else throw(best & 63, move)


greedy = Strategy("Least deadwood after each turn; knocks as soon as it can.", {"draw": greedy_draw, "discard": greedy_discard})


# --- patient --------------------------------------------------------------------------------------------------------------------------------


@inner
def openings(card: int, others: int, coming: int) -> int:
    """How many cards that may come would make a meld of ``card`` with one of the ``others`` beside it, each pair counted."""
    total = 0
    mates = whole_rank(card) & ~(1 << card)
    total += popcount(mates & others) * popcount(mates & coming)
    for near, far in ((4, 8), (4, -4), (-4, 4), (-4, -8), (8, 4), (-8, -4)):
        a, b = card + near, card + far
        if 0 <= a < 52 and 0 <= b < 52:
            total += (others >> a & 1) * (coming >> b & 1)
    return total


@inner
def cheapest_discard(view: Any, rules: Any, weight: int) -> int:
    """The discard that costs a growing hand least: eighths of a point of deadwood that it leaves, and ``weight`` for each opening that goes with it."""
    free = free_cards(view, rules)
    coming = unseen(view)
    chosen, least = NO_CARD, 1 << 40
    while free:
        card = lowest(free)
        free &= free - 1
        rest = view.hand & ~(1 << card)
        cost = 8 * deadwood(rest) + weight * openings(card, rest, coming)
        if cost <= least:
            chosen, least = card, cost
    return chosen


def patient_draw(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Take the card of the pile if it becomes part of a meld and leaves less deadwood."""
    hand = view.hand | 1 << view.top
    fits = (in_sets(hand) | in_runs(hand)) >> view.top & 1
    if must_take(view) or (fits and after_taking(view, rules) >> 6 < deadwood(view.hand)):
        return take_top(move)
    return leave_top(move)


def patient_discard(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Wait with the knock until little is left, or the stock runs out; keep what melds may grow from."""
    best = after_drawing(view, rules)
    left = best >> 6
    late = view.phase == LAST_DISCARD or view.stock_size <= 2 + params.hurry
    if left <= rules.knock_limit and (left <= params.until or late):
        return knock_now(best, view, rules, move)
    return throw(cheapest_discard(view, rules, params.hope), move)


patient = Strategy(
    "Plays for gin: keeps what melds may grow from, knocks late.",
    {"draw": patient_draw, "discard": patient_discard},
    {
        "until": Param(0, 0, 100, "most deadwood with which it knocks before the stock runs out"),
        "hurry": Param(4, 0, 29, "cards above the last two of the stock at which it knocks if it can"),
        "hope": Param(4, 0, 100, "what an opening to a meld is worth, in eighths of a point"),
    },
)


# --- defender -------------------------------------------------------------------------------------------------------------------------------


@inner
def danger(card: int, view: Any) -> int:
    """How many melds a card would make for the opponent with cards that he took, each with another that he took or may hold."""
    known = view.took[1 - view.seat]
    may = unseen(view) | known
    mates = whole_rank(card) & ~(1 << card) & may
    total = popcount(mates & known) * (popcount(mates) - 1)
    for near, far in ((4, 8), (4, -4), (-4, -8)):
        a, b = card + near, card + far
        if 0 <= a < 52 and 0 <= b < 52 and may >> a & may >> b & 1:
            total += (known >> a & 1) + (known >> b & 1)
    return total


def defender_draw(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Take the card of the pile where it leaves less deadwood than there is."""
    return take_if_less(view, rules, move)


def defender_discard(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Throw what leaves little deadwood and feeds the opponent least; later on knock only when it is hard to be undercut."""
    best = after_drawing(view, rules)
    left = best >> 6
    early = view.turn <= params.early or view.phase == LAST_DISCARD or view.stock_size <= 4
    if left <= rules.knock_limit and (early or left <= params.under):
        return knock_now(best, view, rules, move)
    free = free_cards(view, rules)
    coming = unseen(view)
    chosen, least = NO_CARD, 1 << 40
    while free:
        card = lowest(free)
        free &= free - 1
        rest = view.hand & ~(1 << card)
        cost = 8 * deadwood(rest) + params.care * danger(card, view) + params.hope * openings(card, rest, coming)
        if cost <= least:
            chosen, least = card, cost
    return throw(chosen, move)


defender = Strategy(
    "Remembers what the opponent takes and throws, avoids feeding him, and stays low to undercut his knock.",
    {"draw": defender_draw, "discard": defender_discard},
    {
        "care": Param(10, 0, 100, "weight of each meld that a discard would make for the opponent, in eighths of a point"),
        "early": Param(6, 0, 1000, "turns of both players up to which it knocks as soon as it can"),
        "hope": Param(4, 0, 100, "what an opening to a meld is worth, in eighths of a point"),
        "under": Param(2, 0, 100, "most deadwood with which it knocks after that"),
    },
)


# --- counter --------------------------------------------------------------------------------------------------------------------------------


@inner
def outlook(hand: int, coming: int) -> int:
    """Least deadwood of ten cards after each card that may come and the best discard, added up over these cards."""
    total = 0
    while coming:
        card = lowest(coming)
        coming &= coming - 1
        total += best_discard(hand | 1 << card, NO_CARD) >> 6
    return total


def counter_draw(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Take the card of the pile where it leaves no more deadwood than a card of the stock does on average."""
    coming = unseen(view)
    left = after_taking(view, rules) >> 6
    if must_take(view) or left <= rules.knock_limit or left * popcount(coming) <= outlook(view.hand, coming):
        return take_top(move)
    return leave_top(move)


def counter_discard(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Throw the card after which the next draw leaves least deadwood on average; knock as soon as possible."""
    best = after_drawing(view, rules)
    if best >> 6 <= rules.knock_limit:
        return knock_now(best, view, rules, move)
    coming = unseen(view)
    free = free_cards(view, rules)
    chosen, least = NO_CARD, 1 << 40
    while free:
        card = lowest(free)
        free &= free - 1
        total = outlook(view.hand & ~(1 << card), coming)
        if total <= least:
            chosen, least = card, total
    return throw(chosen, move)


counter = Strategy(
    "Counts the cards it has seen: compares what each draw and discard would leave on average.",
    {"draw": counter_draw, "discard": counter_discard},
)
