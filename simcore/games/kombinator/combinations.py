"""The combinations of Kombinator: their numbers, what they are, and how a hand is searched for them.

A hand is a mask (int64) of card indices rank * 4 + suit, so that a rank is four neighbouring bits and a suit a stride of four.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from simcore.bits import lowest, popcount
from simcore.compiled import inlined, inner

# The 25 combinations in the order of the rulebook; the order decides between equal splits (K-23).
PAIR: Final = 0
TRIPLE: Final = 1
SMALL_FORCE: Final = 2
LARGE_FORCE: Final = 3
ABSOLUTE_FORCE: Final = 4
SMALL_ROW: Final = 5  # and the four longer ones
SMALL_QUEUE: Final = 10
SMALL_OPTIMA: Final = 15
DUMP: Final = 20
MARRIAGE: Final = 21
ASSEMBLY: Final = 22
JACKPOT: Final = 23
SUPERBLOW: Final = 24
KINDS: Final = 25
# The other values of the point table (K-92), and the marriage that has no force (K-31).
SMALL_FORCE_BEATEN: Final = 25
ASSEMBLY_BEATEN: Final = 28
COURT_CARD: Final = 29
ACE: Final = 30
WEAK_MARRIAGE: Final = 31
ITEMS: Final = 32

SIX_OF_SPADES: Final = 0
ONE_SUIT: Final = 0x111111111
QUEENS: Final = 0xF << 24
KINGS: Final = 0xF << 28
ACES: Final = 0xF << 32
COURT: Final = 0xFFF << 20
ALL_CARDS: Final = (1 << 36) - 1

LONGEST_HAND: Final = 7
MAX_FOUND: Final = 160  # a suited run of seven has 130; the test of this number looks at every hand
MAX_PARTS: Final = 3  # seven cards hold at most three combinations

# A split is valued by one sum (K-23): points first, then the fewest weak marriages and the fewest combinations, then how many there are of each
# kind, the kinds that stand earlier in the table weighing more. A plain maximum over such sums is the best split.
POINTS_SHIFT: Final = 36
WEAK_COST: Final = 1 << 34
PART_COST: Final = 1 << 32


def kind_weights() -> np.ndarray:
    """What one combination of each kind adds to the low 32 bits of a split's value: int64[ITEMS], earlier kinds higher."""
    most = np.ones(ITEMS, np.int64)  # how many of the kind seven cards can hold, which decides the width of its field
    most[[PAIR, MARRIAGE]] = 3
    most[[TRIPLE, SMALL_ROW, SMALL_QUEUE, SMALL_OPTIMA]] = 2
    most[[DUMP, JACKPOT, SUPERBLOW]] = 0
    weights = np.zeros(ITEMS, np.int64)
    shift = 0
    for kind in reversed(range(KINDS)):
        if most[kind]:
            weights[kind] = 1 << shift
            shift += 1 if most[kind] == 1 else 2
    return weights


@inlined
def points_of(value: int) -> int:
    """The points in the value of a split."""
    return (value + 15 * PART_COST) >> POINTS_SHIFT


@inlined
def block_kind(cards: int) -> int:
    """The kind of two to four cards of one rank."""
    n = popcount(cards)
    if n < 4:
        return PAIR + n - 2
    if cards & ACES:
        return ABSOLUTE_FORCE
    return LARGE_FORCE if cards & COURT else SMALL_FORCE


@inlined
def ranks_of(cards: int) -> int:
    """One bit (the lowest of four) for each rank that is present."""
    either = cards | cards >> 1
    return (either | either >> 2) & ONE_SUIT


@inner
def is_combination(kind: int, cards: int) -> bool:
    """Whether ``cards`` are just one combination of ``kind`` (the rights to play it are not looked at)."""
    n = popcount(cards)
    ranks = ranks_of(cards)
    if kind <= ABSOLUTE_FORCE:
        return 2 <= n <= 4 and popcount(ranks) == 1 and block_kind(cards) == kind
    if kind == MARRIAGE:
        return n == 2 and cards & QUEENS != 0 and cards & KINGS != 0
    if kind == ASSEMBLY:
        return n == 4 and is_assembly(cards)
    if kind >= DUMP or n != (kind - SMALL_ROW) % 5 + 3:
        return False
    one_suit = cards & ~(ONE_SUIT << (lowest(cards) & 3)) == 0
    consecutive = popcount(ranks) == n and popcount(ranks & ranks >> 4) == n - 1
    if kind < SMALL_QUEUE:
        return one_suit
    return consecutive if kind < SMALL_OPTIMA else consecutive and one_suit


@inner
def is_assembly(cards: int) -> bool:
    """Whether four cards are of four different suits (K-32)."""
    for suit in range(4):
        if popcount(cards & (ONE_SUIT << suit)) != 1:
            return False
    return True


@inlined
def is_force(kind: int) -> bool:
    """Whether a kind is one of the three forces."""
    return SMALL_FORCE <= kind <= ABSOLUTE_FORCE


@inlined
def _add(work: Any, n: int, hand: int, kind: int, cards: int) -> int:
    """Write combination number ``n`` down; its local mask numbers the cards by their place in the hand."""
    local = 0
    rest = cards
    while rest:
        card = rest & -rest
        local |= 1 << popcount(hand & (card - 1))
        rest ^= card
    work.found_kind[n] = kind
    work.found_cards[n] = cards
    work.found_local[n] = local
    return n + 1


@inner
def find(hand: int, assembly: bool, work: Any) -> int:
    """All combinations in a hand of at most seven cards, marriages and, if asked for, assemblies last.

    Fills ``work.found_kind``, ``found_cards`` and ``found_local``, ``work.n_plain`` (how many come before the marriages) and ``work.n_found``.
    Returns ``n_found``.
    """
    n = _find_blocks(hand, work, 0)
    n = _find_rows(hand, work, n)
    n = _find_queues(hand, work, n)
    work.n_plain = n
    n = _find_marriages(hand, work, n)
    work.n_found = n
    if assembly:
        n = _find_assemblies(hand, work, n)
    work.n_with_assemblies = n
    return work.n_found


@inlined
def _find_blocks(hand: int, work: Any, n: int) -> int:
    halves = hand - (hand >> 1 & 0x555555555)
    counts = (halves & 0x333333333) + (halves >> 2 & 0x333333333)
    several = (counts >> 1 | counts >> 2) & ONE_SUIT
    while several:
        rank = lowest(several)
        several &= several - 1
        cards = hand >> rank & 0xF
        part = cards
        while part:
            if part & (part - 1):
                n = _add(work, n, hand, block_kind(part << rank), part << rank)
            part = (part - 1) & cards
    return n


@inlined
def _find_rows(hand: int, work: Any, n: int) -> int:
    """Rows and optimas: three or more cards of one suit."""
    for suit in range(4):
        cards = hand & (ONE_SUIT << suit)
        if popcount(cards) >= 3:
            part = cards
            while part:
                length = popcount(part)
                if length >= 3:
                    n = _add(work, n, hand, SMALL_ROW + length - 3, part)
                    if popcount(part & part >> 4) == length - 1:
                        n = _add(work, n, hand, SMALL_OPTIMA + length - 3, part)
                part = (part - 1) & cards
    return n


@inlined
def _find_queues(hand: int, work: Any, n: int) -> int:
    ranks = ranks_of(hand)
    starts = ranks & ranks >> 4 & ranks >> 8
    while starts:
        rank = lowest(starts)
        starts &= starts - 1
        n = _find_queues_from(hand, rank, work, n)
    return n


@inner
def _find_queues_from(hand: int, rank: int, work: Any, n: int) -> int:
    """Queues whose lowest card has its rank at bit ``rank``: every chain is lengthened by every card of the next rank."""
    begin, end = 0, 1
    work.chain[0] = 0
    length = 0
    cards = hand & (0xF << rank)
    while cards:
        length += 1
        new = end
        for i in range(begin, end):
            rest = cards
            while rest:
                card = rest & -rest
                rest ^= card
                work.chain[new] = work.chain[i] | card
                if length >= 3:
                    n = _add(work, n, hand, SMALL_QUEUE + length - 3, work.chain[new])
                new += 1
        begin, end = end, new
        rank += 4
        cards = hand & (0xF << rank)
    return n


@inner
def _find_marriages(hand: int, work: Any, n: int) -> int:
    kings = hand & KINGS
    if kings:
        queens = hand & QUEENS
        while queens:
            queen = queens & -queens
            queens ^= queen
            rest = kings
            while rest:
                king = rest & -rest
                rest ^= king
                n = _add(work, n, hand, MARRIAGE, queen | king)
    return n


@inner
def _find_assemblies(hand: int, work: Any, n: int) -> int:
    """One card of each suit, in every way (K-32)."""
    spades = hand & ONE_SUIT
    while spades:
        a = spades & -spades
        spades ^= a
        hearts = hand & (ONE_SUIT << 1)
        while hearts:
            b = hearts & -hearts
            hearts ^= b
            diamonds = hand & (ONE_SUIT << 2)
            while diamonds:
                c = diamonds & -diamonds
                diamonds ^= c
                clubs = hand & (ONE_SUIT << 3)
                while clubs:
                    d = clubs & -clubs
                    clubs ^= d
                    n = _add(work, n, hand, ASSEMBLY, a | b | c | d)
    return n
