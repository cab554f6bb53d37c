"""What cards that nobody has seen do to a hand: the estimate that fast strategies choose by.

The *one-card outlook* of a hand looks at each unseen card as if it came alone, and counts how many of them would be covered on coming, and how many would cover
each loose card. For several cards to come these chances are applied once for each of them, as if they did not know of each other.
"""

from __future__ import annotations

from typing import Any, Final

from simcore.bits import popcount
from simcore.compiled import inner
from simcore.games.seven_card_combo.combinations import LOOSE_CARD, ONE_SUIT, bonuses, covered, ranks_in, ranks_of, row_of

SHIFT: Final = 10
ONE: Final = 1 << SHIFT
"""A point in the units of expected points."""

_WINDOW: Final = 0x1111  # four neighbouring places of a row
_PARTS: Final = (0, ONE, ONE // 2, ONE // 3, ONE // 4, ONE // 5, ONE // 6, ONE // 7)  # divisions are dear


@inner
def share_of(unseen: int) -> int:
    """The chance of each of some cards (a mask) to be the next one, in units of 1 / ONE²."""
    return ONE * ONE // max(popcount(unseen), 1)


@inner
def gaps_of(row: int, wrap: int) -> int:
    """Where four neighbouring places of a row (`row_of`) begin of which exactly one is empty: one card makes them a run."""
    a, b, c, d = row, row >> 4, row >> 8, row >> 12
    three = (a ^ b) & c & d | a & b & (c ^ d)
    return three & (ONE_SUIT if wrap else ONE_SUIT >> 8)


@inner
def outlook(hand: int, n: int, unseen: int, share: int, rules: Any) -> int:
    """Expected points of a hand of at most seven cards when n of the ``unseen`` ones (a mask) come to it, in units of 1 / ONE.

    ``share`` is `share_of` them. Bonuses count as far as the hand holds them already.
    """
    wrap = rules.wrap
    loose = hand & ~covered(hand, wrap)
    ranks = ranks_of(hand)
    row = row_of(ranks, wrap)
    cards = ranks * 15
    hits = popcount(unseen & ranks_of(loose) * 15)  # for each loose card, the unseen ones that cover it
    for suit in range(4):
        own = ONE_SUIT << suit
        if popcount(hand & own) >= 3:
            cards |= own
            hits += popcount(loose & own) * popcount(unseen & own)
    gaps = gaps_of(row, wrap)
    while gaps:
        window = (gaps & -gaps) * _WINDOW
        gaps &= gaps - 1
        missing = ranks_in(window & ~row, wrap) * 15
        cards |= missing
        hits += popcount(loose & ranks_in(window, wrap) * 15) * popcount(unseen & missing)
    return composed(popcount(loose), hits, popcount(unseen & ~cards), share, n, rules) + ONE * rules.bonus_points[bonuses(hand, wrap)]


@inner
def composed(loose: int, hits: int, strangers: int, share: int, n: int, rules: Any) -> int:
    """Expected points of loose cards after n cards have come, in units of 1 / ONE.

    Each of ``loose`` cards is covered by one card with the same chance, that of ``hits`` cards divided by ``loose``; a card that comes is loose with the chance
    of ``strangers`` cards. ``share`` is the chance of one card (`share_of`).
    """
    left = loose * ONE
    if loose:
        stays = max(ONE - (hits * share * _PARTS[loose] >> 2 * SHIFT), 0)
        for _ in range(n):
            left = left * stays >> SHIFT
    return (left + n * (strangers * share >> SHIFT)) * rules.points[LOOSE_CARD]
