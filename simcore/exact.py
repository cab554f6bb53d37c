"""Every hand of a pack, without dealing one of them twice: for frequencies that are counts and not estimates.

Nothing but the trump tells the four suits of a pack apart. So of all hands that differ only by which suit is
called what, one is listed and weighted by how many they are (up to 24): 8,347,680 hands of 7 cards out of 36
are 383,274 listed ones.

A hand is split into its four *holdings*, the sets of ranks in each suit. With all holdings numbered, few
cards before many, the listed hand is the one whose holdings have numbers that never rise from suit to suit.

A game counts in a compiled function of its own, which lists the hands block by block::

    for n in listed_hands(holdings, starts, cards, hands, weights):
        for i in range(n):
            counts[measure(hands[i])] += weights[i]

A question about trumps is put for each of the four suits as trump in turn, and the sum divided by 4: that is
the count with one suit fixed as trump, because the hands that a listed one stands for hold each of its suits
in that place equally often.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from simcore.compiled import inner

BLOCK: Final = 1024
"""A good length of a block: it stays in the nearest cache, and the hand-over costs next to nothing."""


def suit_holdings(ranks: int) -> tuple[np.ndarray, np.ndarray]:
    """The numbered holdings of one suit, as `listed_hands` takes them.

    Args:
        ranks: Number of ranks in the pack, 1 to 15.

    Returns:
        holdings: int64[2 ** ranks]: masks of cards of suit 0 (bit rank * 4), few cards before many.
        starts: int64[ranks + 2]: the holdings of n cards are ``holdings[starts[n]:starts[n + 1]]``.

    Raises:
        ValueError: Such a pack has no masks.
    """
    if not 1 <= ranks <= 15:
        raise ValueError(f"a mask of an int64 holds 1 to 15 ranks, not {ranks}")
    sets = np.arange(1 << ranks, dtype=np.int64)
    sizes = np.bitwise_count(sets)
    order = np.argsort(sizes, kind="stable")
    holdings = np.zeros_like(sets)
    for rank in range(ranks):
        holdings |= (sets >> rank & 1) << 4 * rank
    return holdings[order], np.searchsorted(sizes[order], np.arange(ranks + 2)).astype(np.int64)


HELD: Final = np.dtype([("hand", "i8")])
"""Hands as rows: a mask each."""


def first_cards(decks: np.ndarray, cards: int) -> np.ndarray:
    """The hand of the first ``cards`` cards of each deck (int64[deals, pack]), as rows (HELD)."""
    rows = np.empty(len(decks), HELD)
    rows["hand"] = (1 << decks[:, :cards]).sum(axis=1)
    return rows


def sizes_of(hands: np.ndarray) -> np.ndarray:
    """Cards of each hand: of masks (int64[n]), or where there are several packs of numbers of cards by kind (uint8[n, kinds])."""
    found: np.ndarray = np.bitwise_count(hands) if hands.ndim == 1 else hands.sum(axis=1)
    return found


@inner
def listed_hands(holdings: np.ndarray, starts: np.ndarray, cards: int, hands: np.ndarray, weights: np.ndarray) -> Iterator[int]:
    """List every hand of ``cards`` cards once up to the names of the suits.

    A compiled generator: each turn fills the first n places of ``hands`` (masks, int64[block]) and
    ``weights`` (how many hands the listed one stands for, int64[block]) and yields n. ``holdings`` and
    ``starts`` are those of `suit_holdings`. Only the last block may be short, or empty.
    """
    ranks = len(starts) - 2
    n = 0
    # How many cards each suit holds: never more than the suit before it, and enough to place them all.
    for most in range(min(ranks, cards), (cards + 3) // 4 - 1, -1):
        for second in range(min(most, cards - most), (cards - most + 2) // 3 - 1, -1):
            two = cards - most - second
            for third in range(min(second, two), (two + 1) // 2 - 1, -1):
                least = two - third
                for a in range(starts[most], starts[most + 1]):
                    for b in range(starts[second], min(a + 1, starts[second + 1])):
                        for c in range(starts[third], min(b + 1, starts[third + 1])):
                            three = holdings[a] | holdings[b] << 1 | holdings[c] << 2
                            for d in range(starts[least], min(c + 1, starts[least + 1])):
                                hands[n] = three | holdings[d] << 3
                                weights[n] = _orders(a == b, b == c, c == d)
                                n += 1
                                if n == len(hands):
                                    yield n
                                    n = 0
    yield n


@inner
def _orders(first: bool, second: bool, third: bool) -> int:
    """In how many different orders four sorted things can stand, given which neighbours are equal."""
    equal = first + second + third
    if equal == 2 and second:
        return 4  # three alike
    if equal == 3:
        return 1
    return 24 >> equal
