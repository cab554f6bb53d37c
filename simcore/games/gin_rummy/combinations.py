"""Melds: what they are, how they are found in a hand, and what loose cards cost (G6 to G9).

A hand is a mask of 52 bits, card = rank * 4 + suit, ranks from the ace (0) to the king (12): a rank is four neighbouring bits, and the next card of a suit
is four bits on. No run goes round the corner (G8), and no bit beyond the king's is ever set.
"""

from __future__ import annotations

from typing import Final

from simcore.bits import popcount
from simcore.compiled import inlined

RANKS: Final = 13
CARDS: Final = 52
HAND: Final = 10
"""Cards of a hand; one more between drawing and discarding."""
ALL_CARDS: Final = (1 << CARDS) - 1
ONE_SUIT: Final = 0x1111111111111
NO_CARD: Final = -1

# Items of the tallies, in the order of rules.toml: the point table, then what is counted beside it.
GIN_BONUS, UNDERCUT_BONUS, BIG_GIN, GAME_BONUS, BOX_BONUS = range(5)
KNOCK, GIN, UNDERCUT, SHUTOUT = range(5, 9)
SET_OF_THREE, SET_OF_FOUR, RUN_OF_THREE = 9, 10, 11
LONGEST_RUN: Final = 10  # longer ones, possible with eleven cards, are counted with these
LAYOFF: Final = RUN_OF_THREE + LONGEST_RUN - 2
ITEMS: Final = LAYOFF + 1
PRICED: Final = KNOCK  # the first so many items are the point table


def worth(rank: int) -> int:
    """Points of a loose card (G9): the pips, 10 for jack, queen and king, 1 for the ace."""
    return min(rank + 1, 10)


def _digit(digit: int) -> int:
    """The cards whose worth has this binary digit."""
    return sum(0xF << 4 * rank for rank in range(RANKS) if worth(rank) >> digit & 1)


_ONES: Final = _digit(0)
_TWOS: Final = _digit(1)
_FOURS: Final = _digit(2)
_EIGHTS: Final = _digit(3)


@inlined
def value(cards: int) -> int:
    """Points of some loose cards together (G9)."""
    return popcount(cards & _ONES) + 2 * popcount(cards & _TWOS) + 4 * popcount(cards & _FOURS) + 8 * popcount(cards & _EIGHTS)


@inlined
def card_value(card: int) -> int:
    """Points of one loose card (G9)."""
    return min((card >> 2) + 1, 10)


@inlined
def in_sets(hand: int) -> int:
    """The cards of a hand that have at least two others of their rank beside them (G6)."""
    both = hand & hand >> 1
    some = hand | hand >> 1
    three = (both & some >> 2 | both >> 2 & some) & ONE_SUIT
    return three * 15 & hand


@inlined
def in_runs(hand: int) -> int:
    """The cards of a hand that stand in three or more neighbours of one suit (G7)."""
    start = hand & hand >> 4 & hand >> 8
    return start | start << 4 | start << 8


@inlined
def whole_rank(card: int) -> int:
    """The four cards of the rank of a card."""
    return 15 << (card & ~3)


@inlined
def whole_run(cards: int, card: int) -> int:
    """The neighbours in a suit around ``card`` within ``cards``, of which it is one."""
    run = 1 << card
    wider = (run | run << 4 | run >> 4) & cards
    while wider != run:
        run = wider
        wider = (run | run << 4 | run >> 4) & cards
    return run
