"""What a hand is worth: the cards that are covered, the bonuses that are held.

A card of the pack is rank * 4 + suit with the ranks 2 3 4 5 6 7 8 9 T J Q K A; a hand is a mask of at most seven cards. A *set of ranks* has one bit a rank,
at rank * 4. The rules are two tables, `REASONS` and `BONUSES`: bit i of a set of reasons or bonuses stands for line i.
"""

from __future__ import annotations

from typing import Any, Final

from simcore.bits import popcount
from simcore.compiled import inlined

CARDS: Final = 52
LONGEST_HAND: Final = 7
ONE_SUIT: Final = 0x1111111111111
ALL_CARDS: Final = (1 << CARDS) - 1

# What lowers the score (S16); keys of the point table, in its order. Loose cards are the last line of it.
BONUSES: Final = ("three_pairs", "full_house", "four_of_a_kind", "seven_run", "seven_flush")
THREE_PAIRS, FULL_HOUSE, FOUR_OF_A_KIND, SEVEN_RUN, SEVEN_FLUSH = range(len(BONUSES))
BONUS_SETS: Final = 1 << len(BONUSES)
LOOSE_CARD: Final = len(BONUSES)
PRICES: Final = len(BONUSES) + 1

# Why a card is covered (S15), so that it costs nothing; they have no price, and follow the point table among the items of the tallies.
REASONS: Final = ("run_of_four", "four_of_a_suit", "two_of_a_rank")
RUN_OF_FOUR, FOUR_OF_A_SUIT, TWO_OF_A_RANK = range(len(REASONS))

_PAIRS_OF_BITS: Final = 0x5555555555555
_NIBBLE_HALVES: Final = 0x3333333333333


@inlined
def ranks_of(cards: int) -> int:
    """The set of ranks of some cards."""
    halves = cards | cards >> 1
    return (halves | halves >> 2) & ONE_SUIT


@inlined
def counts_of(cards: int) -> int:
    """How many cards of each rank there are: 0 to 4 in the four bits of the rank."""
    halves = cards - (cards >> 1 & _PAIRS_OF_BITS)
    return (halves & _NIBBLE_HALVES) + (halves >> 2 & _NIBBLE_HALVES)


@inlined
def row_of(ranks: int, wrap: int) -> int:
    """A set of ranks laid out in the order of runs (S2, S3): bit 4 * place.

    Without ``wrap`` there are 14 places, and the ace stands at both ends: A 2 ... K A. With it there are 16, so that every run of four is in one piece:
    2 ... K A 2 3 4.
    """
    return ranks | (ranks & 0x111) << 52 if wrap else ranks << 4 | ranks >> 48


@inlined
def ranks_in(row: int, wrap: int) -> int:
    """The set of ranks that stand at some places of a row (`row_of`)."""
    if wrap:
        return (row | row >> 52) & ONE_SUIT
    return (row >> 4 | (row & 1) << 48) & ONE_SUIT


@inlined
def run_starts(ranks: int, wrap: int) -> int:
    """The places of the row (`row_of`) where runs of four begin; each run once."""
    row = row_of(ranks, wrap)
    pairs = row & row >> 4
    return pairs & pairs >> 8 & ONE_SUIT


@inlined
def ranks_from(starts: int, wrap: int) -> int:
    """The set of ranks in the runs of four that begin at ``starts`` (`run_starts`)."""
    pairs = starts | starts << 4
    return ranks_in(pairs | pairs << 8, wrap)


@inlined
def suit_of_four(cards: int) -> int:
    """The cards of the suit of which there are four or more; 0 if there is none. Seven cards hold one such suit at most."""
    for suit in range(4):
        held = cards & ONE_SUIT << suit
        if popcount(held) >= 4:
            return held
    return 0


@inlined
def covered(hand: int, wrap: int) -> int:
    """The cards of a hand that are in a run of four, four of a suit or two of a rank (S15)."""
    counts = counts_of(hand)
    ranks = (counts >> 1 | counts >> 2) & ONE_SUIT | ranks_from(run_starts(ranks_of(hand), wrap), wrap)
    return hand & ranks * 15 | suit_of_four(hand)


@inlined
def reasons(hand: int, wrap: int) -> int:
    """The set of reasons for which cards of a hand are covered (S15)."""
    run = run_starts(ranks_of(hand), wrap) != 0
    counts = counts_of(hand)
    return run << RUN_OF_FOUR | (suit_of_four(hand) != 0) << FOUR_OF_A_SUIT | ((counts >> 1 | counts >> 2) & ONE_SUIT != 0) << TWO_OF_A_RANK


@inlined
def bonuses(hand: int, wrap: int) -> int:
    """The set of bonuses that a hand of at most seven cards holds (S16).

    Pairs are of different ranks, and three of a rank are a pair too: 3 + 2 + 2 holds three pairs and a full house (SA4), 3 + 3 a full house (SA5).
    Seven cards that begin four runs of four are a run of seven: two runs of four in seven cards begin two at most.
    """
    counts = counts_of(hand)
    two = popcount((counts >> 1 | counts >> 2) & ONE_SUIT)
    three = (counts >> 1 & counts | counts >> 2) & ONE_SUIT
    held = (two >= 3) << THREE_PAIRS | (three != 0 and two >= 2) << FULL_HOUSE | (counts >> 2 & ONE_SUIT != 0) << FOUR_OF_A_KIND
    if two == 0:
        held |= (popcount(run_starts(ranks_of(hand), wrap)) == 4) << SEVEN_RUN
        held |= (popcount(suit_of_four(hand)) == LONGEST_HAND) << SEVEN_FLUSH
    return held


@inlined
def points_of(hand: int, rules: Any) -> int:
    """What a hand costs: its loose cards and the best of its bonuses (S15 to S17). ``rules`` is the record RULES; lower is better."""
    loose = popcount(hand & ~covered(hand, rules.wrap))
    return loose * rules.points[LOOSE_CARD] + rules.bonus_points[bonuses(hand, rules.wrap)]
