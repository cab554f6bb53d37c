"""Which combinations hold others: whoever has the cards of the one has those of the other among them.

Every hand of every number of cards that the game counts is looked at, up to the names of the suits. So nothing is taken for granted of combinations: that four
of a suit hold three of it is found.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from math import comb
from typing import TYPE_CHECKING, Final

import numpy as np

from experiments.overview import exact_frequencies
from simcore.cards import Pack
from simcore.compiled import kernel
from simcore.exact import BLOCK, first_cards, listed_hands, suit_holdings
from simcore.game import frequencies_of
from simcore.ruleset import Ruleset, default

if TYPE_CHECKING:
    import numpy.typing as npt

MOST_HANDS: Final = 1 << 28
"""Hands of one number of cards that are looked at, at most: 12 million of them differ by more than the names of suits, which is a matter of seconds."""
AT_ONCE: Final = 1 << 16
"""Hands that are looked at together, to bound the memory."""


def containments(ruleset: Ruleset) -> Mapping[tuple[str, str], int]:
    """Pairs of priced items of which every hand that holds the first one, the whole, holds the second one as well, its part.

    A part scores by its cards alone: a hand that holds it is worth something (``points`` of the game's tables) where nothing else has a price.

    Returns:
        By (whole, part) a hand of the fewest cards that hold them, a mask: one that holds little else. Empty for a game that counts no hands, or more than
        `MOST_HANDS` of them, or that does not treat suits alike, so that the listed hands do not stand for all.
    """
    return dict(_containments(Ruleset(ruleset.schema, ruleset.options, default(ruleset.schema).points)))


@lru_cache(maxsize=16)
def _containments(ruleset: Ruleset) -> tuple[tuple[tuple[str, str], int], ...]:
    """As `containments`, which owes nothing to the prices: all tables of the same options share it."""
    tables = exact_frequencies(ruleset) or {}
    keys = [key for key in ruleset.points if tables and all(table["items"].get(key) is not None for table in tables.values())]
    counts = {cards: np.array([table["items"][key]["count"] for key in keys], np.int64) for cards, table in tables.items()}
    inside = ~np.eye(len(keys), dtype=bool)
    for count in counts.values():
        inside &= count[:, None] <= count[None, :]
    smallest: dict[str, np.ndarray] = {}
    plainest: dict[str, int] = {}
    for cards, count in counts.items():
        if not inside.any() or comb(Pack(ruleset.schema.pack, ruleset.schema.packs).size, cards) > MOST_HANDS:
            return ()
        met = np.zeros(len(keys), np.int64)
        for rows, weights in _listed(ruleset, cards):
            items = frequencies_of(ruleset.schema.key).observe(ruleset, cards, rows)["items"]
            held = np.array([items[key] for key in keys])
            met += held @ weights
            inside &= held.astype(np.float32) @ (~held).T.astype(np.float32) == 0  # no hand with the whole and without the part
            if not inside.any():
                return ()
            for key, row in zip(keys, held, strict=True):
                if key not in smallest and row.any():
                    smallest[key] = rows[row]
                    plainest[key] = int(rows["hand"][row][held[:, row].sum(axis=0).argmin()])
        if not np.array_equal(met, count):
            return ()
    scoring = [key in smallest and _scores(ruleset, key, smallest[key]) for key in keys]
    pairs = ((keys[whole], keys[part]) for whole, part in np.argwhere(inside & scoring).tolist())
    return tuple((pair, plainest[pair[0]]) for pair in pairs if pair[0] in plainest)


def _scores(ruleset: Ruleset, key: str, rows: np.ndarray) -> bool:
    """Whether each of some hands is worth something if only this item has a price."""
    price = -1 if ruleset.schema.lowest_wins else 1
    alone = Ruleset(ruleset.schema, ruleset.options, dict.fromkeys(ruleset.points, 0) | {key: price})
    points = frequencies_of(ruleset.schema.key).observe(alone, int(np.bitwise_count(rows["hand"][0])), rows)["points"]
    return bool((points != 0).all())


def _listed(ruleset: Ruleset, cards: int) -> Iterator[tuple[np.ndarray, npt.NDArray[np.int64]]]:
    """Every hand of so many cards up to the names of the suits: rows of the game's frequencies, and the number of hands that each stands for."""
    ranks = len(ruleset.schema.pack)
    rows_of = getattr(frequencies_of(ruleset.schema.key), "rows_of", first_cards)
    holdings, starts = suit_holdings(ranks)
    listed = _list(holdings, starts, cards, np.empty(0, np.int64), np.empty(0, np.int64))
    hands, weights = np.empty(listed, np.int64), np.empty(listed, np.int64)
    _list(holdings, starts, cards, hands, weights)
    for first in range(0, listed, AT_ONCE):
        some = hands[first : first + AT_ONCE]
        absent = some[:, None] >> np.arange(4 * ranks) & 1 ^ 1
        decks = np.argsort(absent.astype(np.uint8), axis=1, kind="stable")  # the cards of the hand are dealt first
        yield rows_of(decks, cards), weights[first : first + AT_ONCE]


@kernel
def _list(holdings: np.ndarray, starts: np.ndarray, cards: int, hands: np.ndarray, weights: np.ndarray) -> int:
    """How many hands `listed_hands` lists; the first of them as masks with what they stand for (both int64[n]), as many as there is room for."""
    some = np.empty(BLOCK, np.int64)
    stand_for = np.empty(BLOCK, np.int64)
    listed = 0
    for n in listed_hands(holdings, starts, cards, some, stand_for):
        for i in range(n):
            if listed + i < len(hands):
                hands[listed + i] = some[i]
                weights[listed + i] = stand_for[i]
        listed += n
    return listed
