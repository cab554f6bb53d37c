"""What hands of bezique hold: each combination, the dearest one, court cards; over all hands, or over given ones.

A combination of trumps needs a trump, which is not turned up. So what is counted are hands together with a suit that is trump, each of the four as often. In
play nothing is of trumps as long as the trump is not fixed.

Of the 192 cards those of one kind differ only by their pack, so hands are counted by how many cards they hold of each of the five ranks that combinations are
made of: first in each suit, where sequences, marriages, trump quartets and beziques forbid some numbers, then in all four, where quartets do. What a hand holds
is what it does not avoid: `hands_without` counts those that avoid some combinations, all together.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from itertools import product
from math import comb
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from simcore.compiled import kernel
from simcore.errors import InputError
from simcore.games.chinese_bezique.combinations import ACE, CARDS, HAND, JACK, KINDS, KING, PACKS, QUEEN, TEN

if TYPE_CHECKING:
    from simcore.ruleset import Ruleset

HELD: Final = np.dtype([("hand", "u1", (KINDS,)), ("trump", "i8")])

COMBINED: Final = (ACE, TEN, KING, QUEEN, JACK)
"""Ranks of which combinations are made, in the order of the scoring table."""
OF_RANK: Final = {f"four_{name}": place for place, name in enumerate(("aces", "tens", "kings", "queens", "jacks"))}
OF_TRUMPS: Final = {key.replace("four_", "four_trump_"): place for key, place in OF_RANK.items()}
BEZIQUES: Final = {"bezique": 1, "double_bezique": 2, "triple_bezique": 3, "quadruple_bezique": 4}
SEQUENCES: Final = ("trump_sequence", "sequence")
MARRIAGES: Final = ("trump_marriage", "marriage")
COUNTED: Final = (*SEQUENCES, *MARRIAGES, *OF_RANK, *OF_TRUMPS, *BEZIQUES)
LOW: Final = CARDS - 4 * len(COMBINED) * PACKS
"""Cards that are in no combination."""
COURT: Final = 4 * 3 * PACKS
"""Kings, queens and jacks."""

_TRUMP: Final = 0  # the suit that is trump, where any one may stand for the others


def sizes(ruleset: Ruleset) -> tuple[int]:
    """Hands of twelve cards are dealt, and filled up to (B4, B14)."""
    return (HAND,)


def dealt(ruleset: Ruleset) -> int:
    """Cards of a dealt hand (B4)."""
    return HAND


def rows_of(decks: np.ndarray, cards: int) -> np.ndarray:
    """Rows (HELD): the first ``cards`` cards of each deck (int64[deals, 192]), and as trump any suit, whatever these are.

    The suit is the place of the lowest number among the last four cards: which suit these are of owes something to the hand, their order does not.
    """
    rows = np.zeros(len(decks), HELD)
    np.add.at(rows["hand"], (np.arange(len(decks))[:, None], decks[:, :cards] % KINDS), 1)
    rows["trump"] = decks[:, -4:].argmin(axis=1)
    return rows


def exact(ruleset: Ruleset, cards: int) -> dict[str, Any]:
    """What all hands of so many cards hold.

    Returns a dictionary of plain numbers:

    - ``cards``; ``hands``: how many hands there are, each with every suit as trump: 4 * C(192, cards);
    - ``items``: by key ``{"count", "probability"}`` of the hands that hold a combination (four tens also where they score nothing), or are carte blanche;
    - ``points``: ``[price of the dearest combination, count]``, ascending, 0 for hands without any;
    - ``court_cards``: ``[kings, queens and jacks, count]``, ascending.

    Raises:
        InputError: A hand never has so many cards.
    """
    _check(cards)
    fixed = ruleset.options["bezique_cards"] == "fixed_QS_JD"
    # With fixed beziques the suits differ by what they are to them: the queen's, the jack's, and two others.
    trumps = ((0, 1), (1, 1), (2, 2)) if fixed else ((_TRUMP, 4),)

    def without(avoided: Collection[str]) -> int:
        return sum(times * hands_without(frozenset(avoided), cards, trump, 0, 1) for trump, times in trumps)

    hands = 4 * comb(CARDS, cards)
    items = {key: hands - without([key]) for key in COUNTED}
    court = {n: 4 * comb(COURT, n) * comb(CARDS - COURT, cards - n) for n in range(cards + 1)}
    items["carte_blanche"] = court[0]
    at_most = {price: without([key for key in COUNTED if ruleset.points[key] > price]) for price in {0, *(ruleset.points[key] for key in COUNTED)}}
    points = []
    before = 0
    for price in sorted(at_most):
        points.append([price, at_most[price] - before])
        before = at_most[price]
    return {
        "cards": cards,
        "hands": hands,
        "items": {key: {"count": count, "probability": count / hands} for key, count in items.items()},
        "points": [row for row in points if row[1]],
        "court_cards": [[n, count] for n, count in court.items() if count],
    }


def observe(ruleset: Ruleset, cards: int, rows: np.ndarray) -> dict[str, Any]:
    """The tables of `exact` over given hands, with an array in place of each number.

    Args:
        ruleset: Gives the cards of a bezique and the prices.
        cards: Number of cards of each hand.
        rows: Rows with ``hand``, numbers of cards by kind (uint8[32]), and ``trump``, the number of the trump suit, -1 where there is none.

    Raises:
        InputError: A hand never has so many cards.
    """
    _check(cards)
    held = rows["hand"].reshape(-1, KINDS // 4, 4)  # by rank and suit
    trump = rows["trump"][:, None] == np.arange(4)
    sequence, marriage = held[:, JACK:].min(axis=1) > 0, held[:, [QUEEN, KING]].min(axis=1) > 0
    items = {"trump_sequence": sequence & trump, "sequence": sequence & ~trump, "trump_marriage": marriage & trump, "marriage": marriage & ~trump}
    items = {key: found.any(axis=1) for key, found in items.items()}
    ranks = held[:, COMBINED]
    items |= {key: ranks[:, place].sum(axis=1) >= 4 for key, place in OF_RANK.items()}
    items |= {key: (ranks[:, place] * trump).max(axis=1, initial=0) >= 4 for key, place in OF_TRUMPS.items()}
    if ruleset.options["bezique_cards"] == "fixed_QS_JD":
        pairs = np.minimum(held[:, QUEEN, 0], held[:, JACK, 2])
    else:
        pairs = (np.minimum(held[:, QUEEN], held[:, JACK][:, [2, 3, 0, 1]]) * trump).max(axis=1, initial=0)
    items |= {key: pairs >= least for key, least in BEZIQUES.items()}
    court = held[:, JACK : KING + 1].sum(axis=(1, 2)).astype(np.int64)
    points = np.zeros(len(rows), np.int64)
    for key in COUNTED:
        points = np.maximum(points, np.where(items[key], ruleset.points[key], 0))
    return {"items": {key: items[key] for key in COUNTED} | {"carte_blanche": court == 0}, "points": points, "court_cards": court}


# ------------------------------------------------------------------ counting


def hands_without(avoided: frozenset[str], cards: int, trump: int, queen: int, jack: int) -> int:
    """How many hands of so many cards hold none of some combinations.

    Args:
        avoided: Keys of the combinations.
        cards: Cards of a hand, up to twelve.
        trump: Number of the trump suit.
        queen: Number of the suit of the queen of a bezique.
        jack: That of its jack, another one.
    """
    most = min((BEZIQUES[key] for key in avoided if key in BEZIQUES), default=PACKS + 1) - 1  # beziques that may be held
    if most == PACKS:
        return _combine(avoided, cards, trump, {})
    few, many = (0, most), (most + 1, PACKS)
    # Too few queens with any jacks, or enough queens with too few jacks.
    return _combine(avoided, cards, trump, {(queen, QUEEN): few}) + _combine(avoided, cards, trump, {(queen, QUEEN): many, (jack, JACK): few})


def _combine(avoided: frozenset[str], cards: int, trump: int, held: dict[tuple[int, int], tuple[int, int]]) -> int:
    """As `hands_without`, beziques apart; held: by suit and rank least and most cards."""
    vectors, left, right, both = _sums(cards)
    suits = []
    for suit in range(4):
        ways = _ways(vectors).copy()
        of_trumps = suit == trump
        if SEQUENCES[not of_trumps] in avoided:
            ways[vectors.min(axis=1) > 0] = 0
        if MARRIAGES[not of_trumps] in avoided:
            ways[vectors[:, [COMBINED.index(KING), COMBINED.index(QUEEN)]].min(axis=1) > 0] = 0
        for key, place in OF_TRUMPS.items():
            if of_trumps and key in avoided:
                ways[vectors[:, place] >= 4] = 0
        for (its_suit, rank), (least, most) in held.items():
            number = vectors[:, COMBINED.index(rank)]
            if its_suit == suit:
                ways[(number < least) | (number > most)] = 0
        suits.append(ways)
    total = suits[0]
    for ways in suits[1:]:
        summed = np.zeros_like(total)
        _convolve(total, ways, left, right, both, summed)
        total = summed
    for key, place in OF_RANK.items():
        if key in avoided:
            total = np.where(vectors[:, place] >= 4, 0, total)
    number = vectors.sum(axis=1)
    return sum(int(total[number == n].sum()) * comb(LOW, cards - n) for n in range(cards + 1))


@cache
def _sums(cards: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """All numbers of cards by rank that are up to ``cards`` together (int64[n, 5]), and of all pairs whose sums are such: the two and the sum, by position."""
    vectors = np.array([each for each in product(range(cards + 1), repeat=len(COMBINED)) if sum(each) <= cards], np.int64)
    code = vectors @ (HAND + 1) ** np.arange(len(COMBINED))
    place = np.full((HAND + 1) ** len(COMBINED), -1)
    place[code] = np.arange(len(code))
    number = vectors.sum(axis=1)
    in_a_suit = np.flatnonzero(vectors.max(axis=1) <= PACKS)
    pairs = [(at, in_a_suit[number[in_a_suit] <= cards - number[at]]) for at in range(len(vectors))]
    left = np.concatenate([np.full(len(others), at) for at, others in pairs])
    right = np.concatenate([others for _, others in pairs])
    return vectors, left, right, place[code[left] + code[right]]


def _ways(vectors: np.ndarray) -> np.ndarray:
    """How many sets of cards of one suit have such numbers by rank: int64[n]."""
    found: np.ndarray = np.array([comb(PACKS, n) for n in range(HAND + 1)], np.int64)[vectors].prod(axis=1)
    return found


@kernel
def _convolve(a: np.ndarray, b: np.ndarray, left: np.ndarray, right: np.ndarray, both: np.ndarray, out: np.ndarray) -> None:
    """Add the products of two tables of ways (int64[n]) up by the sums of their numbers: left, right, both as in `_sums`."""
    for i in range(len(left)):
        out[both[i]] += a[left[i]] * b[right[i]]


def _check(cards: int) -> None:
    if not 1 <= cards <= HAND:
        raise InputError(f"a hand has up to {HAND} cards (B4), at least 1, not {cards}")
