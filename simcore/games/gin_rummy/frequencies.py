"""How often hands hold each meld, and how much deadwood they leave: over all hands, or over hands somebody really held.

Both ways measure a hand by one compiled function, `_measure`. A hand *holds* a meld if some of its cards are one: a run of five holds a run of three as
well. ``knock`` and ``gin`` say what could be done at once with just these cards (G10, G15).

All hands of ten cards are 15,820,024,220, of which 660 million are listed; they take some twenty seconds of a core. No option or price changes what is counted
in them, so the counts of dealt hands are kept in ``dealt_hands.toml``, which ``python -m simcore.games.gin_rummy.frequencies`` writes anew by the same
enumeration that other sizes go through at once.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from simcore.bits import lowest, popcount
from simcore.compiled import inner, kernel
from simcore.errors import InputError
from simcore.exact import BLOCK, listed_hands, suit_holdings
from simcore.games.gin_rummy.combinations import (
    CARDS,
    HAND,
    LONGEST_RUN,
    ONE_SUIT,
    RANKS,
    RUN_OF_THREE,
    SET_OF_THREE,
    in_runs,
    in_sets,
    whole_rank,
    whole_run,
)
from simcore.games.gin_rummy.names import ITEMS
from simcore.games.gin_rummy.splits import codes, contested, deadwood, sets_of_code

if TYPE_CHECKING:
    from simcore.ruleset import Ruleset

MOST: Final = 101
"""More than any hand of ten cards can leave loose."""
COUNTED: Final = Path(__file__).parent / "dealt_hands.toml"
"""The counts of all hands of ten cards."""

# What is counted of a hand.
DEADWOOD, LONGEST, SETS, SIDE_BY_SIDE = range(4)
MEASURES: Final = ("deadwood", "longest_run", "largest_set", "melds")
_MEASURES: Final = len(MEASURES)


# ------------------------------------------------------------------ one hand


@inner
def longest_run(hand: int) -> int:
    """The most neighbours of one suit in a hand."""
    length = 0
    while hand:
        hand &= hand >> 4
        length += 1
    return length


@inner
def largest_set(hand: int, sets: int) -> int:
    """Cards of the largest set in a hand, 0 without any; sets: its cards that stand in one."""
    if sets == 0:
        return 0
    return 4 if hand & hand >> 1 & hand >> 2 & hand >> 3 & ONE_SUIT else 3


@inner
def _melds_in(sets: int, runs: int) -> int:
    """How many melds can be made of cards in sets and others in runs; a run may be cut."""
    melds = 0
    while sets:
        sets &= ~whole_rank(lowest(sets))
        melds += 1
    while runs:
        run = whole_run(runs, lowest(runs))
        runs &= ~run
        melds += popcount(run) // 3
    return melds


@inner
def most_melds(hand: int, sets: int, runs: int) -> int:
    """The most melds that lie side by side in a hand; sets, runs: its cards that stand in some."""
    if sets & runs == 0:
        return _melds_in(sets, runs)
    contest = contested(sets, runs)
    best = 0
    for code in range(codes(contest)):
        chosen = sets_of_code(contest, runs, code)
        if chosen >= 0:
            chosen |= sets & ~contest
            best = max(best, _melds_in(chosen, in_runs(hand & ~chosen)))
    return best


@inner
def _measure(hand: int, out: np.ndarray) -> None:
    """Measure a hand into ``out`` (int64[measures])."""
    sets, runs = in_sets(hand), in_runs(hand)
    out[DEADWOOD] = deadwood(hand)
    out[LONGEST] = longest_run(hand) if runs else 0
    out[SETS] = largest_set(hand, sets)
    out[SIDE_BY_SIDE] = most_melds(hand, sets, runs) if sets | runs else 0


# ------------------------------------------------------------------ many hands


@kernel
def _measure_hands(hands: np.ndarray, out: np.ndarray) -> None:
    """Measure each hand (int64[n]) into a row of ``out`` (int64[n, measures])."""
    for i in range(len(hands)):
        _measure(hands[i], out[i])


@kernel
def _count_all(cards: int, holdings: np.ndarray, starts: np.ndarray, counts: np.ndarray) -> None:
    """Count over all hands of ``cards`` cards: ``counts`` is int64[measures, MOST]; holdings, starts: see `suit_holdings`."""
    hands = np.empty(BLOCK, np.int64)
    weights = np.empty(BLOCK, np.int64)
    out = np.empty(_MEASURES, np.int64)
    for n in listed_hands(holdings, starts, cards, hands, weights):
        for i in range(n):
            _measure(hands[i], out)
            for measure in range(_MEASURES):
                counts[measure, out[measure]] += weights[i]


# ------------------------------------------------------------------ what others call


def sizes(ruleset: Ruleset) -> tuple[int]:
    """The numbers of cards to count where nothing else is said: the dealt hand."""
    return (HAND,)


def dealt(ruleset: Ruleset) -> int:
    """Cards of a dealt hand (G3)."""
    return HAND


def exact(ruleset: Ruleset, cards: int) -> dict[str, Any]:
    """In how many of all hands of so many cards each meld is held, and how much deadwood they leave.

    Returns a dictionary of plain numbers:

    - ``cards``; ``hands``: how many hands there are, C(52, cards);
    - ``items``: by key ``{"count", "probability"}`` of the hands that hold a meld of each kind or could knock or be gin at once (None with other than ten
      cards);
    - ``points``: ``[least deadwood, count]``, ascending;
    - ``melds``: ``[the most melds that fit side by side, count]``, ascending.

    Raises:
        InputError: A hand never has so many cards.
    """
    _check(cards)
    counts = _dealt_counts() if cards == HAND else count_all(cards)
    hands = comb(CARDS, cards)

    def share(measure: int, low: int, high: int = MOST) -> dict[str, Any]:
        count = int(counts[measure, low:high].sum())
        return {"count": count, "probability": count / hands}

    items = {key: None if ends is None else share(*ends) for key, ends in _ranges(ruleset, cards).items()}
    return {"cards": cards, "hands": hands, "items": items} | {name: _distribution(counts[measure]) for name, measure in _TABLES.items()}


def observe(ruleset: Ruleset, cards: int, rows: np.ndarray) -> dict[str, Any]:
    """The tables of `exact` over given hands, with an array in place of each number.

    Args:
        ruleset: Gives the knock limit.
        cards: Number of cards of each hand.
        rows: Rows with ``hand``, a mask.

    Raises:
        InputError: A hand never has so many cards.
        ValueError: A hand is no mask of so many cards.
    """
    _check(cards)
    found = measure(rows["hand"])
    if np.any(np.bitwise_count(rows["hand"]) != cards):
        raise ValueError(f"not every hand has {cards} cards")
    items = {key: None if ends is None else (found[:, ends[0]] >= ends[1]) & (found[:, ends[0]] < ends[2]) for key, ends in _ranges(ruleset, cards).items()}
    return {"items": items} | {name: found[:, column] for name, column in _TABLES.items()}


def measure(hands: np.ndarray) -> np.ndarray:
    """What each hand (int64[n], masks of at most eleven cards) holds: int64[n, measures], see MEASURES. Raises ValueError where one is no such mask."""
    hands = np.ascontiguousarray(hands, np.int64)
    if hands.ndim != 1 or np.any(hands >> CARDS) or np.any(np.bitwise_count(hands) > HAND + 1):
        raise ValueError(f"every hand must be a mask of at most {HAND + 1} of {CARDS} cards")
    out = np.empty((len(hands), _MEASURES), np.int64)
    _measure_hands(hands, out)
    return out


def count_all(cards: int) -> np.ndarray:
    """How many of all hands of ``cards`` cards measure how much: int64[measures, MOST], by enumeration."""
    counts = np.zeros((_MEASURES, MOST), np.int64)
    _count_all(cards, *suit_holdings(RANKS), counts)
    return counts


_TABLES: Final[Mapping[str, int]] = {"points": DEADWOOD, "melds": SIDE_BY_SIDE}


def _check(cards: int) -> None:
    if not 1 <= cards <= HAND:
        raise InputError(f"a hand has up to {HAND} cards (G3), at least 1, not {cards}")


def _ranges(ruleset: Ruleset, cards: int) -> dict[str, tuple[int, int, int] | None]:
    """By key of an item: which measure says that a hand holds it, from where, and up to where (not included); None where it is no matter of a hand."""
    ranges: dict[str, tuple[int, int, int] | None] = {"knock": None, "gin": None}
    if cards == HAND:
        ranges["knock"] = DEADWOOD, 0, int(str(ruleset.options["knock_limit"])) + 1
        ranges["gin"] = DEADWOOD, 0, 1
    for size in (3, 4):
        ranges[ITEMS[SET_OF_THREE + size - 3]] = SETS, size, MOST
    for size in range(3, LONGEST_RUN + 1):
        ranges[ITEMS[RUN_OF_THREE + size - 3]] = LONGEST, size, MOST
    return ranges


def _distribution(counts: np.ndarray) -> list[list[int]]:
    return [[value, int(count)] for value, count in enumerate(counts) if count]


@cache
def _dealt_counts() -> np.ndarray:
    """The counts of all hands of ten cards, as `count_all` made them."""
    counts = np.zeros((_MEASURES, MOST), np.int64)
    kept = tomllib.loads(COUNTED.read_text("utf-8"))
    for row, name in enumerate(MEASURES):
        for value, count in kept[name]:
            counts[row, value] = count
    return counts


def write_dealt_counts() -> None:
    """Count all hands of ten cards and keep the counts."""
    counts = count_all(HAND)
    lines = [
        "# [value, hands] over all hands of ten cards: least deadwood, longest run, largest set, most melds side by side.",
        "# Written by python -m simcore.games.gin_rummy.frequencies, which counts every hand.",
        *(f"{name} = {_distribution(counts[row])}" for row, name in enumerate(MEASURES)),
    ]
    COUNTED.write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    write_dealt_counts()
