"""How often hands of Kombinator hold each combination: over all hands, or over hands somebody really held.

Both ways measure a hand by one compiled function, `_measure`, which in turn splits it as the game does
(K-23). A hand *holds* a combination if some of its cards are one: two kings and two eights hold a pair, and
the suited 7 8 9 holds a queue as well as an optima. Dump, jackpot and superblow depend on more than the hand
and are left out. For the best split an assembly is left out too, as it needs an order (K-32), and of two
marriages only one is worth its points (K-31).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import comb
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from simcore.bits import popcount
from simcore.compiled import inner, kernel
from simcore.errors import InputError
from simcore.exact import BLOCK, listed_hands, suit_holdings
from simcore.games.kombinator.combinations import (
    ABSOLUTE_FORCE,
    ACES,
    ALL_CARDS,
    ASSEMBLY,
    COURT,
    DUMP,
    JACKPOT,
    KINDS,
    KINGS,
    LARGE_FORCE,
    LONGEST_HAND,
    MARRIAGE,
    MAX_PARTS,
    ONE_SUIT,
    PAIR,
    QUEENS,
    SMALL_FORCE,
    SMALL_OPTIMA,
    SMALL_QUEUE,
    SMALL_ROW,
    SUPERBLOW,
    TRIPLE,
    ranks_of,
)
from simcore.games.kombinator.splits import study
from simcore.games.kombinator.view import CARDS, RULES, WORK

if TYPE_CHECKING:
    from simcore.ruleset import Ruleset

RANKS: Final = CARDS // 4
NO_MATTER_OF_A_HAND: Final = (DUMP, JACKPOT, SUPERBLOW)
NO_TRUMP: Final = -1

# Rows of a measured hand. The first three are sets of kinds (bit = number of the kind).
HELD: Final = 0
WITH_TRUMP: Final = 1  # held with at least one trump among the cards of the combination
IN_TRUMPS: Final = 2  # held with nothing but trumps
DISJOINT: Final = 3  # the most combinations that fit side by side
POINTS: Final = 4  # points of the best split
ROWS: Final = 5

# Rows of the counts that `_count_all` makes: held; with one suit as trump; and with each card outside the
# hand turned up in turn.
_TURNED: Final = 2  # what is added to WITH_TRUMP and IN_TRUMPS for the latter
_COUNT_ROWS: Final = 5

DEALT: Final = np.dtype([("hand", "i8"), ("trump", "i8")])
"""A hand and its trump suit."""


class Measured(NamedTuple):
    """What each of n hands holds: one array per question, in the order of the hands."""

    held: np.ndarray
    """int64[n]: kinds held, a set of bits by the number of the kind."""
    with_trump: np.ndarray
    """int64[n]: kinds held with at least one trump; no kind without trump."""
    in_trumps: np.ndarray
    """int64[n]: kinds held with nothing but trumps; no kind without trump."""
    disjoint: np.ndarray
    """int64[n]: the most combinations that fit side by side."""
    points: np.ndarray
    """int64[n]: points of the best split."""


# ------------------------------------------------------------------ one hand


@inner
def _longest_run(ranks: int) -> int:
    """Length of the longest run in a set of ranks (bits of one suit)."""
    length = 0
    while ranks:
        ranks &= ranks >> 4
        length += 1
    return length


@inner
def _lengths(first: int, longest: int) -> int:
    """The five kinds that begin with ``first``, from three cards up to ``longest``."""
    return ((1 << min(max(longest - 2, 0), 5)) - 1) << first


@inner
def _has_all_suits(hand: int) -> bool:
    for suit in range(4):
        if hand & ONE_SUIT << suit == 0:
            return False
    return True


@inner
def _held_with(hand: int, suit: int) -> int:
    """Kinds of which the hand holds one with at least one card of ``suit`` in it."""
    cards = hand >> suit & ONE_SUIT
    if cards == 0:
        return 0
    halves = hand - (hand >> 1 & 0x555555555)
    # How many cards of each rank there are, 0 to 4, in the four bits of the rank.
    counts = (halves & 0x333333333) + (halves >> 2 & 0x333333333)
    two = (counts >> 1 | counts >> 2) & cards
    three = (counts >> 1 & counts | counts >> 2) & cards
    four = counts >> 2 & cards
    kinds = (two != 0) << PAIR | (three != 0) << TRIPLE
    kinds |= (four & ~(COURT | ACES) != 0) << SMALL_FORCE | (four & COURT != 0) << LARGE_FORCE | (four & ACES != 0) << ABSOLUTE_FORCE
    kinds |= _lengths(SMALL_ROW, popcount(cards)) | _lengths(SMALL_OPTIMA, _longest_run(cards))
    # A run of ranks can be cut to any length about each of its ranks, so the whole run that a card of the
    # suit stands in decides.
    ranks = ranks_of(hand)
    near = cards
    wider = (near | near << 4 | near >> 4) & ranks
    while wider != near:
        near = wider
        wider = (near | near << 4 | near >> 4) & ranks
    kinds |= _lengths(SMALL_QUEUE, _longest_run(near))
    if hand & QUEENS and hand & KINGS and cards & (QUEENS | KINGS):
        kinds |= 1 << MARRIAGE
    return kinds | _has_all_suits(hand) << ASSEMBLY


@inner
def _held_in(hand: int, suit: int) -> int:
    """Kinds of which the hand holds one with nothing but cards of ``suit`` in it."""
    cards = hand >> suit & ONE_SUIT
    run = _longest_run(cards)
    kinds = _lengths(SMALL_ROW, popcount(cards)) | _lengths(SMALL_QUEUE, run) | _lengths(SMALL_OPTIMA, run)
    return kinds | (cards & QUEENS != 0 and cards & KINGS != 0) << MARRIAGE


@inner
def _best(hand: int, rules: Any, work: Any) -> int:
    """The largest sum of ``rules.value`` over disjoint combinations of the hand; 0 if none is worth more."""
    best = 0
    for i in range(study(hand, LONGEST_HAND, False, False, False, rules, work)):
        best = max(best, work.value[work.cover[i]])
    return best


@inner
def _most_disjoint(cards: int, work: Any) -> int:
    """The most combinations that fit side by side in a hand of ``cards`` cards, after `study` has found them.

    Seven cards hold at most three (MAX_PARTS). The second marriage counts here, although it is worth nothing:
    two marriages are two pairs as well, so the number is the same.
    """
    possible = min(cards // 2, MAX_PARTS)
    most = 0
    for i in range(work.n_found):
        one = work.found_local[i]
        most = max(most, 1)
        for j in range(i):
            if one & work.found_local[j] == 0:
                two = one | work.found_local[j]
                most = max(most, 2)
                if cards - popcount(two) >= 2:
                    for k in range(j):
                        if two & work.found_local[k] == 0:
                            return 3
        if most == possible:
            break
    return most


@inner
def _measure(hand: int, trump: int, rules: Any, work: Any, out: np.ndarray) -> None:
    """Measure one hand of at most seven cards into ``out`` (int64[ROWS]); ``trump`` is a suit or NO_TRUMP.

    rules: record RULES, whose ``value`` of a kind is its points; work: record WORK.
    """
    out[HELD] = 0
    for suit in range(4):
        out[HELD] |= _held_with(hand, suit)
    out[WITH_TRUMP] = _held_with(hand, trump) if trump >= 0 else 0
    out[IN_TRUMPS] = _held_in(hand, trump) if trump >= 0 else 0
    out[POINTS] = _best(hand, rules, work)
    out[DISJOINT] = _most_disjoint(popcount(hand), work)


# ------------------------------------------------------------------ many hands


@kernel
def _measure_hands(hands: np.ndarray, trumps: np.ndarray, rules: np.ndarray, work: np.ndarray, out: np.ndarray) -> None:
    """Measure each hand with its trump (both int64[n]) into a row of ``out`` (int64[n, ROWS]).

    rules, work: see `_records`.
    """
    for i in range(len(hands)):
        _measure(hands[i], trumps[i], rules[0], work[0], out[i])


@inner
def _tally(kinds: int, weight: int, counts: np.ndarray) -> None:
    for kind in range(KINDS):
        counts[kind] += weight * (kinds >> kind & 1)


@kernel
def _count_all(
    cards: int,
    holdings: np.ndarray,
    starts: np.ndarray,
    rules: np.ndarray,
    work: np.ndarray,
    sums: np.ndarray,
    counts: np.ndarray,
    by_disjoint: np.ndarray,
    by_sum: np.ndarray,
) -> None:
    """Count over all hands of ``cards`` cards, four times each in the rows that depend on the trump.

    counts: int64[_COUNT_ROWS, KINDS]; by_disjoint: int64[MAX_PARTS + 1]; sums: int64[m], ascending, all that
    the best split may be worth; by_sum: int64[m]; rules, work: see `_records`; holdings, starts: see
    `suit_holdings`.
    """
    hands = np.empty(BLOCK, np.int64)
    weights = np.empty(BLOCK, np.int64)
    out = np.empty(ROWS, np.int64)
    for n in listed_hands(holdings, starts, cards, hands, weights):
        for i in range(n):
            hand, weight = hands[i], weights[i]
            _measure(hand, NO_TRUMP, rules[0], work[0], out)
            _tally(out[HELD], weight, counts[HELD])
            by_disjoint[out[DISJOINT]] += weight
            by_sum[np.searchsorted(sums, out[POINTS])] += weight
            for suit in range(4):
                some = _held_with(hand, suit)
                whole = _held_in(hand, suit)
                turned = weight * (RANKS - popcount(hand & ONE_SUIT << suit))
                _tally(some, weight, counts[WITH_TRUMP])
                _tally(whole, weight, counts[IN_TRUMPS])
                _tally(some, turned, counts[WITH_TRUMP + _TURNED])
                _tally(whole, turned, counts[IN_TRUMPS + _TURNED])


# ------------------------------------------------------------------ what others call


def exact(ruleset: Ruleset, cards: int) -> dict[str, Any]:
    """In how many of all hands of so many cards each combination is held, and what the best splits are worth.

    Returns a dictionary of plain numbers:

    - ``cards``; ``hands``: how many hands there are, C(36, cards);
    - ``items``: by key of the 25 combinations ``{"count", "probability"}`` of the hands that hold it, None
      where it is no matter of a hand;
    - ``points``: ``[points of the best split, count]``, ascending;
    - ``disjoint``: ``[the most combinations that fit side by side, count]``, ascending;
    - ``trump``: ``fixed`` with one suit named trump beforehand, ``turned`` with each card outside the hand as
      the turned card (K-4), which leaves the hand fewer trumps. Each has ``hands`` (for ``turned``: pairs of
      a hand and a turned card) and ``items``, by key ``{"with_trump", "in_trumps"}``: held with at least one
      trump in it, and held with nothing but trumps, each ``{"count", "probability"}``.

    Raises:
        InputError: A hand of this ruleset never has so many cards.
    """
    keys = _keys(ruleset, cards)
    sums = possible_points(list(ruleset.points.values())[:KINDS], cards)
    counts = np.zeros((_COUNT_ROWS, KINDS), np.int64)
    by_disjoint = np.zeros(MAX_PARTS + 1, np.int64)
    by_sum = np.zeros(len(sums), np.int64)
    _count_all(cards, *suit_holdings(RANKS), *_records(ruleset), sums, counts, by_disjoint, by_sum)
    hands = comb(CARDS, cards)
    fixed = counts[[WITH_TRUMP, IN_TRUMPS]] // 4
    turned = counts[[WITH_TRUMP + _TURNED, IN_TRUMPS + _TURNED]]
    return {
        "cards": cards,
        "hands": hands,
        "items": _items(keys, counts[HELD], hands),
        "points": _distribution(zip(sums, by_sum, strict=True)),
        "disjoint": _distribution(enumerate(by_disjoint)),
        "trump": {
            "fixed": _trump_items(keys, fixed, hands),
            "turned": _trump_items(keys, turned, hands * (CARDS - cards)),
        },
    }


def sizes(ruleset: Ruleset) -> range:
    """The numbers of cards that a hand can have (K-6)."""
    return range(1, int(str(ruleset.options["hand_limit"])) + 1)


def dealt(ruleset: Ruleset) -> int:
    """Cards of a dealt hand (K-4)."""
    return int(str(ruleset.options["hand_size"]))


def rows_of(decks: np.ndarray, cards: int) -> np.ndarray:
    """The first ``cards`` cards of each deck (int64[deals, 36]) with the suit of its last card, which is turned up (K-4): rows (DEALT)."""
    rows = np.empty(len(decks), DEALT)
    rows["hand"] = (1 << decks[:, :cards]).sum(axis=1)
    rows["trump"] = decks[:, -1] & 3
    return rows


def observe(ruleset: Ruleset, cards: int, rows: np.ndarray) -> dict[str, Any]:
    """The tables of `exact` over given hands, with an array in place of each number.

    Args:
        ruleset: Gives the points.
        cards: Number of cards of each hand.
        rows: Rows with ``hand`` and ``trump`` (its suit, -1 without trump).

    Returns:
        As `exact`. In ``trump``, ``turned`` is over the hands with a trump, ``fixed`` is None.

    Raises:
        InputError: A hand of this ruleset never has so many cards.
        ValueError: A hand is no mask of so many cards.
    """
    keys = _keys(ruleset, cards)
    if np.any(np.bitwise_count(rows["hand"]) != cards):
        raise ValueError(f"not every hand has {cards} cards")
    found = measure(ruleset, rows["hand"], rows["trump"])
    held, some, whole = (_sets(keys, sets) for sets in (found.held, found.with_trump, found.in_trumps))
    items = {key: held[key] if held[key] is None else {"with_trump": some[key], "in_trumps": whole[key]} for key in keys}
    turned = {"hands": rows["trump"] >= 0, "items": items}
    return {"items": held, "points": found.points, "disjoint": found.disjoint, "trump": {"fixed": None, "turned": turned}}


def measure(ruleset: Ruleset, hands: np.ndarray, trumps: np.ndarray | None = None) -> Measured:
    """What each hand holds, hand by hand.

    Args:
        ruleset: Gives the points.
        hands: int64[n], masks of at most seven cards.
        trumps: int[n], suits 0 to 3 or -1; None is -1 for all.

    Raises:
        ValueError: A hand is no mask of at most seven cards, or the arrays do not go together.
    """
    hands = np.ascontiguousarray(hands, np.int64)
    suits = np.full(hands.shape, NO_TRUMP) if trumps is None else np.ascontiguousarray(trumps, np.int64)
    if hands.ndim != 1 or suits.shape != hands.shape:
        raise ValueError(f"hands and trumps must be arrays of one length, not {hands.shape} and {suits.shape}")
    if np.any(hands & ~np.int64(ALL_CARDS)) or np.any(np.bitwise_count(hands) > LONGEST_HAND):
        raise ValueError(f"every hand must be a mask of at most {LONGEST_HAND} of {CARDS} cards")
    if np.any((suits < NO_TRUMP) | (suits > 3)):
        raise ValueError("every trump must be a suit, 0 to 3, or -1")
    out = np.empty((len(hands), ROWS), np.int64)
    _measure_hands(hands, suits, *_records(ruleset), out)
    return Measured(*(np.ascontiguousarray(column) for column in out.T))


def possible_points(points: Sequence[int], cards: int) -> np.ndarray:
    """Every number of points that a best split of at most ``cards`` cards may have, and a few that none has.

    Returns int64[m], ascending from 0: the sums of kinds (``points`` by number of the kind) that have so many
    cards together. A kind worth less than nothing is never declared.
    """
    sizes = {PAIR: 2, TRIPLE: 3, SMALL_FORCE: 4, LARGE_FORCE: 4, ABSOLUTE_FORCE: 4, MARRIAGE: 2}
    sizes |= {first + i: 3 + i for first in (SMALL_ROW, SMALL_QUEUE, SMALL_OPTIMA) for i in range(5)}
    within: list[set[int]] = [{0}]
    for held in range(1, cards + 1):
        sums = set(within[-1])
        for kind, size in sizes.items():
            if size <= held and points[kind] > 0:
                sums |= {total + points[kind] for total in within[held - size]}
        within.append(sums)
    return np.array(sorted(within[-1]), np.int64)


def _keys(ruleset: Ruleset, cards: int) -> list[str]:
    """The keys of the 25 combinations, for hands of a number of cards that the ruleset allows."""
    limit = ruleset.options["hand_limit"]
    assert isinstance(limit, int)
    if not 1 <= cards <= limit:
        raise InputError(f"a hand has 1 to {limit} cards (hand_limit, K-6), not {cards}")
    return list(ruleset.points)[:KINDS]


def _records(ruleset: Ruleset) -> tuple[np.ndarray, np.ndarray]:
    """Arrays of one record RULES, whose kinds are worth their points, and of one record WORK."""
    rules = np.zeros(1, RULES)
    rules["repeat_marriage"] = ruleset.options["repeat_marriage"] == "zero"
    rules["value"][0, :KINDS] = list(ruleset.points.values())[:KINDS]
    work = np.zeros(1, WORK)
    work["top"] = -1
    return rules, work


def _sets(keys: Sequence[str], sets: np.ndarray) -> dict[str, np.ndarray | None]:
    """By key, which of some sets of kinds (int64[n]) have it (bool[n]); None where it is no matter of a hand."""
    return {key: None if kind in NO_MATTER_OF_A_HAND else (sets >> kind & 1).astype(bool) for kind, key in enumerate(keys)}


def _share(count: int, total: int) -> dict[str, Any]:
    return {"count": int(count), "probability": int(count) / total if total else None}


def _items(keys: Sequence[str], counts: np.ndarray, total: int) -> dict[str, Any]:
    return {key: None if kind in NO_MATTER_OF_A_HAND else _share(counts[kind], total) for kind, key in enumerate(keys)}


def _trump_items(keys: Sequence[str], counts: np.ndarray, total: int) -> dict[str, Any]:
    """``counts`` is int64[2, KINDS]: held with at least one trump, held with nothing but trumps."""
    some, whole = (_items(keys, row, total) for row in counts)
    items = {key: some[key] and {"with_trump": some[key], "in_trumps": whole[key]} for key in keys}
    return {"hands": total, "items": items}


def _distribution(counts: Iterable[tuple[int, int]]) -> list[list[int]]:
    return [[int(value), int(count)] for value, count in counts if count]
