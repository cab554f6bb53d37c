"""How a hand divides into melds and loose cards: least deadwood, the best discard, the knocker's arrangement, the opponent's lay-offs.

Where no card stands in a set and in a run, all that can be melded is melded, and bit operations say what is left. Otherwise the *contested* ranks decide,
those with a set of which a card stands in a run as well: each may give a whole set, none, or of four cards three without one that the run takes. Every way
to choose is a *code* in base 6, a digit for each contested rank; what the sets leave goes into runs. Eleven cards hold three sets at most.

A division is two masks: the cards in sets, and the cards in runs. A run is as long as it can be: to cut it up saves nothing and opens nothing.
"""

from __future__ import annotations

from typing import Final

from simcore.bits import highest, lowest, popcount
from simcore.compiled import inlined, inner
from simcore.games.gin_rummy.combinations import (
    ALL_CARDS,
    ONE_SUIT,
    card_value,
    in_runs,
    in_sets,
    value,
    whole_rank,
    whole_run,
)

NO_DIVISION: Final = -1
_NONE, _WHOLE, _WITHOUT = 0, 1, 2  # digits of a code: no set, all cards of the rank, all but the one of suit digit - 2
_DIGITS: Final = 6


@inlined
def contested(sets: int, runs: int) -> int:
    """The cards of the sets one of whose cards stands in a run as well."""
    both = sets & runs
    ranks = (both | both >> 1 | both >> 2 | both >> 3) & ONE_SUIT
    return ranks * 15 & sets


@inlined
def codes(contest: int) -> int:
    """How many codes there are for the contested cards."""
    n = 1
    rest = contest
    while rest:
        rest &= ~whole_rank(lowest(rest))
        n *= _DIGITS
    return n


@inner
def sets_of_code(contest: int, runs: int, code: int) -> int:
    """The cards that a code puts into sets, NO_DIVISION where it is none."""
    sets = 0
    rest = contest
    while rest:
        cards = rest & whole_rank(lowest(rest))
        rest &= ~cards
        digit = code % _DIGITS
        code //= _DIGITS
        if digit == _WHOLE:
            sets |= cards
        elif digit >= _WITHOUT:
            left = 1 << (lowest(cards) & ~3) + digit - _WITHOUT
            if popcount(cards) < 4 or left & runs == 0:
                return NO_DIVISION
            sets |= cards & ~left
    return sets


@inlined
def deadwood(hand: int) -> int:
    """The least points that a hand can leave loose."""
    sets, runs = in_sets(hand), in_runs(hand)
    if sets & runs == 0:
        return value(hand & ~(sets | runs))
    return _contested_deadwood(hand, sets, runs)


@inner
def _contested_deadwood(hand: int, sets: int, runs: int) -> int:
    contest = contested(sets, runs)
    best = value(hand)
    for code in range(codes(contest)):
        chosen = sets_of_code(contest, runs, code)
        if chosen >= 0:
            rest = hand & ~(chosen | sets & ~contest)
            best = min(best, value(rest & ~in_runs(rest)))
    return best


@inlined
def best_discard(hand: int, kept: int) -> int:
    """The discard that leaves least deadwood, of equal ones the highest card: ``deadwood << 6 | card``.

    hand: eleven cards; kept: a card that may not be discarded, or NO_CARD.

    With a card thrown the others divide as they could with it loose. So least is left by throwing the dearest loose card of some division; only where all
    are melded, or the one loose card must be kept, something goes out of a meld.
    """
    sets, runs = in_sets(hand), in_runs(hand)
    loose = hand & ~(sets | runs)
    free = loose & ~(1 << kept) if kept >= 0 else loose
    if sets & runs or free == 0:
        return _hard_discard(hand, kept, sets, runs)
    card = highest(free)
    return value(loose) - card_value(card) << 6 | card


@inner
def _hard_discard(hand: int, kept: int, sets: int, runs: int) -> int:
    contest = contested(sets, runs)
    best = 1 << 20
    for code in range(codes(contest)):
        chosen = sets_of_code(contest, runs, code)
        if chosen < 0:
            continue
        rest = hand & ~(chosen | sets & ~contest)
        loose = rest & ~in_runs(rest)
        free = loose & ~(1 << kept) if kept >= 0 else loose
        if free == 0:
            return _any_discard(hand, kept)
        card = highest(free)
        left = value(loose) - card_value(card)
        if left < best >> 6 or (left == best >> 6 and card > best & 63):
            best = left << 6 | card
    return best


@inner
def _any_discard(hand: int, kept: int) -> int:
    best = 1 << 20
    rest = hand
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        if card != kept:
            left = deadwood(hand & ~(1 << card))
            if left <= best >> 6:
                best = left << 6 | card
    return best


# ------------------------------------------------------------------ laying down


@inner
def laid_sets(hand: int) -> int:
    """The cards in sets when a hand is laid down by a knocker; what they leave goes into runs.

    Of the divisions with least deadwood the one to whose melds the fewest different outside cards could be added, then the first by its sorted list of
    melds (GA14).
    """
    sets, runs = in_sets(hand), in_runs(hand)
    if sets & runs == 0:
        return sets
    contest = contested(sets, runs)
    best, least, fewest = 0, value(hand) + 1, 0
    for code in range(codes(contest)):
        chosen = sets_of_code(contest, runs, code)
        if chosen < 0:
            continue
        chosen |= sets & ~contest
        left = value(hand & ~chosen & ~in_runs(hand & ~chosen))
        open_to = popcount(addable(hand, chosen))
        if left < least or (left == least and (open_to < fewest or (open_to == fewest and _comes_before(hand, chosen, best)))):
            best, least, fewest = chosen, left, open_to
    return best


@inner
def addable(hand: int, sets: int) -> int:
    """The cards outside a hand that could be added directly to its melds: to ``sets`` and to the runs of the rest."""
    runs = in_runs(hand & ~sets)
    ranks = (sets | sets >> 1 | sets >> 2 | sets >> 3) & ONE_SUIT
    return (ranks * 15 | runs << 4 | runs >> 4) & ALL_CARDS & ~hand


@inner
def first_meld(sets: int, runs: int) -> int:
    """The meld with the lowest card; at least one of the masks is not empty."""
    card = lowest(sets | runs)
    return sets & whole_rank(card) if sets >> card & 1 else whole_run(runs, card)


@inner
def _comes_before(hand: int, a: int, b: int) -> bool:
    """Whether the sorted list of melds with the sets ``a`` stands before that with the sets ``b`` (cards by number, as lists are compared)."""
    runs_a, runs_b = in_runs(hand & ~a), in_runs(hand & ~b)
    while a | runs_a and b | runs_b:
        one, other = first_meld(a, runs_a), first_meld(b, runs_b)
        if one != other:
            first = lowest(one ^ other)
            if one >> first & 1:
                return other >> first != 0
            return one >> first == 0
        a, runs_a = a & ~one, runs_a & ~one
        b, runs_b = b & ~one, runs_b & ~one
    return a | runs_a == 0 and b | runs_b != 0


@inner
def layable(hand: int, sets: int, runs: int) -> int:
    """The cards of a hand that could be laid off on the knocker's melds, chains included (G11)."""
    ranks = (sets | sets >> 1 | sets >> 2 | sets >> 3) & ONE_SUIT
    return ranks * 15 & hand | _attached(hand, runs)


@inner
def _attached(cards: int, runs: int) -> int:
    """Those of some cards that continue the runs, one after the other."""
    reached = (runs << 4 | runs >> 4) & cards
    wider = reached | (reached << 4 | reached >> 4) & cards
    while wider != reached:
        reached = wider
        wider = reached | (reached << 4 | reached >> 4) & cards
    return reached


@inner
def best_layoffs(hand: int, sets: int, runs: int) -> int:
    """The cards that the opponent lays off on the knocker's melds so that least deadwood is left (GA13).

    hand: the opponent's; sets, runs: the knocker's melds.
    """
    could = layable(hand, sets, runs)
    best, least = 0, deadwood(hand)
    some = could
    while some:  # all sets of such cards, none empty
        if layable(some, sets, runs) == some:
            left = deadwood(hand & ~some)
            if left < least:
                best, least = some, left
        some = (some - 1) & could
    return best
