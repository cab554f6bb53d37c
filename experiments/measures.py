"""What a game is measured by: one vector of whole numbers a game, and the ratios of two sums over games that are made of it.

Every measure is Σx/Σy over games, where x and y are columns of the vector: y is 1 for a mean over games and the number of deals for a rate per deal.
All columns are whole numbers, so sums over games are exact and do not depend on the order of work.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from simcore.errors import InputError, nearest

if TYPE_CHECKING:
    from simcore.simulate import Batch, Table

WIN: Final = 2520
"""A whole win: every share of it between up to ten winners is a whole number too."""
GAMES: Final = 0
DEALS: Final = 1
"""Columns that others are divided by."""

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Measure:
    """One number that a game is measured by, Σx/(unit·Σy).

    Attributes:
        key: Its name, such as ``deals_per_game``.
        kind: What it is: ``games_length``, ``deals_length``, ``leader_share``, ``leader_margin``, ``seat_share``, ``margin``, ``draws``, ``points``,
            ``item_count``, ``item_points``, ``game_ending`` or ``ending``.
        subject: The length, seat, item or ending that it is of; empty for the others.
        x: Column of the numerator.
        y: Column of the denominator: `GAMES` or `DEALS`.
        unit: What 1 is in the numerator's column.
        events: Column that counts the events whose points x sums up, if x is such a sum.
    """

    key: str
    kind: str
    subject: str
    x: int
    y: int
    unit: int = 1
    events: int | None = None

    @property
    def share(self) -> bool:
        """Whether it lies between 0 and 1, so that a margin in per cent means percentage points."""
        return self.kind in ("leader_share", "seat_share", "draws", "game_ending", "ending")

    @property
    def counts(self) -> bool:
        """Whether it counts events that may be rare, so that few of them need an exact interval."""
        return self.kind in ("item_count", "draws", "game_ending", "ending")


class Measures:
    """The measures of a table's games, and the vectors that they are made of.

    Attributes:
        measures: All of them, in the order in which they are told.
        width: Number of columns of a vector.
    """

    def __init__(self, table: Table) -> None:
        """The measures depend on the game and the number of players only; of the records, on the columns that the game has."""
        game, batch = table.game, table.play(0, 1)
        self.seats = table.players
        self.items = len(game.items)
        self.sign = -1 if table.ruleset.schema.lowest_wins else 1
        self.lengths = [name for name in table.ruleset.schema.words.get("length", {}) if name in (batch.deals.dtype.names or ())]
        self.leader = "leader" in (batch.games.dtype.names or ())
        self.guards = {of: self._guards(table, of) for of in ("games", "deals")}
        self.width = 2
        found: list[Measure] = []

        def add(key: str, kind: str, subject: str = "", y: int = GAMES, unit: int = 1) -> None:
            found.append(Measure(key, kind, subject, self.width, y, unit))
            self.width += 1

        found.append(Measure("deals_per_game", "games_length", "", DEALS, GAMES))
        for name in self.lengths:
            add(f"{name}_per_deal", "deals_length", name, DEALS)
        if self.leader:
            add("leader_win_share", "leader_share", unit=WIN)
            add("leader_margin", "leader_margin", unit=self.seats - 1)
        for seat in range(self.seats if self.seats > 2 else 1):
            add(f"seat_{seat}_win_share", "seat_share", str(seat), unit=WIN)
        add("margin", "margin")
        add("draw_share", "draws")
        add("points_per_deal", "points", y=DEALS)
        for item in game.items:
            add(f"{item}_per_deal", "item_count", item, DEALS)
        counted = self.width - self.items
        for place, item in enumerate(game.items):
            found.append(Measure(f"{item}_points_per_deal", "item_points", item, self.width, DEALS, events=counted + place))
            self.width += 1
        for of, kind, y in (("games", "game_ending", GAMES), ("deals", "ending", DEALS)):
            for word in self.guards[of].values():
                add(f"{word}_share", kind, word, y)
        self.measures = tuple(found)

    @staticmethod
    def _guards(table: Table, of: str) -> dict[int, str]:
        """The endings that have the name of an option, by their number: limits which stop what might go on for ever."""
        words = table.game.enums.get(of, {}).get("reason", ())
        return {number: word for number, word in enumerate(words) if word in table.ruleset.options}

    def vectors(self, batch: Batch) -> Integers:
        """The vectors of neighbouring games; int64[games, width]."""
        games, deals, tallies = batch.games, batch.deals, batch.tallies
        n, first = len(games), int(games["game"][0])
        rows = np.arange(n)
        place = deals["game"] - first
        share = np.rint(games["share"][:, : self.seats] * WIN).astype(np.int64)
        score = games["score"][:, : self.seats].astype(np.int64) * self.sign
        columns: list[npt.NDArray[Any]] = [np.ones(n, np.int64), games["deals"]]
        columns += [_sums(place, deals[name], n) for name in self.lengths]
        if self.leader:
            leader = games["leader"]
            led = score[rows, leader]
            columns += [share[rows, leader], led * self.seats - score.sum(axis=1)]
        columns += [share[:, seat] for seat in range(self.seats if self.seats > 2 else 1)]
        ordered = np.sort(score, axis=1)
        columns += [ordered[:, -1] - ordered[:, -2], share.max(axis=1) < WIN, _sums(tallies["game"] - first, tallies["points"], n)]
        cell = (tallies["game"] - first) * self.items + tallies["item"]
        for name in ("count", "points"):
            columns += list(_sums(cell, tallies[name], n * self.items).reshape(n, self.items).T)
        columns += [games["reason"] == number for number in self.guards["games"]]
        columns += [_sums(place, deals["reason"] == number, n) for number in self.guards["deals"]]
        return np.column_stack(columns).astype(np.int64)

    def chosen(self, wanted: Iterable[str]) -> list[Measure]:
        """The measures whose keys are wanted, ``*`` standing for anything; all where none is wanted.

        Raises:
            InputError: Something fits no measure.
        """
        patterns = list(wanted)
        keys = [measure.key for measure in self.measures]
        for pattern in patterns:
            if not any(fnmatchcase(key, pattern) for key in keys):
                raise InputError(f"there is no measure '{pattern}'; the first of them are: {', '.join(keys[:8])}.{nearest(pattern, keys)}")
        return [each for each in self.measures if not patterns or any(fnmatchcase(each.key, pattern) for pattern in patterns)]


def _sums(place: npt.NDArray[Any], weights: npt.NDArray[Any], size: int) -> Integers:
    """Weights added up by place; whole numbers below 2^53, so exact."""
    return np.bincount(place, weights=weights, minlength=size).astype(np.int64)


def products(parts: Sequence[Integers]) -> tuple[Integers, Integers]:
    """Sums and sums of products of columns that belong together.

    Args:
        parts: k arrays, each int64[games, measures].

    Returns:
        int64[k, measures] and int64[k, k, measures].
    """
    k = len(parts)
    total = np.array([part.sum(axis=0) for part in parts])
    product = np.zeros((k, *total.shape), np.int64)
    for i in range(k):
        for j in range(i + 1):
            product[i, j] = product[j, i] = np.einsum("gm,gm->m", parts[i], parts[j])
    return total, product
