"""One pass over a run's records: per game a vector of numbers, of which only the first two moments are kept.

Nearly everything that a report shows is a mean over games or a ratio of two sums over games, so it follows
from Σz and Σzzᵀ, where z is the vector of a game: how many deals, how often each item in each role, points,
endings, final scores and so on. The sums of squares and products of *any* linear combination of columns (an
item over all its roles, a category, a strategy over its seats) follow from the same matrix: `Moments.sums`
and `Moments.mean`.

Columns are tuples of a name and its indices, such as ``("count", 0, "pair", "attack")``. All but win shares
and pay-outs are whole numbers, for which double precision is exact here, so that the result does not depend
on the order of work.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from experiments.estimates import LEVEL, Estimate, Sums, mean, ratio

Column = tuple[Hashable, ...]
Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

ROWS_AT_ONCE = 2_000_000
"""Tally rows read at a time: what bounds the memory."""
CELLS_AT_ONCE = 4_000_000
"""Cells of the dense table of games by columns that is built at a time."""


class Moments:
    """First and second moments of named columns over games.

    Attributes:
        n: Number of games so far.
        columns: Position of each column seen so far; a column first seen late was 0 before.
    """

    def __init__(self) -> None:
        """No games yet."""
        self.n = 0
        self.columns: dict[Column, int] = {}
        self._total: Floats = np.zeros(0)
        self._product: Floats = np.zeros((0, 0))

    def add(self, columns: Sequence[Column], values: Floats) -> None:
        """Adds games.

        Args:
            columns: Names of the columns, in any order; the same for all games of this call.
            values: float64[games, columns].
        """
        for column in columns:
            self.columns.setdefault(column, len(self.columns))
        grow = len(self.columns) - self._total.size
        if grow:
            self._total = np.pad(self._total, (0, grow))
            self._product = np.pad(self._product, ((0, grow), (0, grow)))
        place = np.array([self.columns[column] for column in columns])
        self.n += values.shape[0]
        self._total[place] += values.sum(axis=0)
        self._product[np.ix_(place, place)] += values.T @ values

    def total(self, *columns: Column) -> float:
        """Sum over all games of the sum of some columns; an unknown column was never above 0."""
        return _whole(float(self._total[self._place(columns)].sum()))

    def squares(self, column: Column) -> float:
        """Sum over all games of the square of one column."""
        place = self._place([column])
        return _whole(float(self._product[np.ix_(place, place)].sum()))

    def sums(self, x: Iterable[Column], y: Iterable[Column]) -> Sums:
        """The sums that a ratio of the columns `x`, added up, to the columns `y` is made of."""
        over, under = self._place(x), self._place(y)
        return Sums(
            self.n,
            _whole(float(self._total[over].sum())),
            _whole(float(self._total[under].sum())),
            _whole(float(self._product[np.ix_(over, over)].sum())),
            _whole(float(self._product[np.ix_(over, under)].sum())),
            _whole(float(self._product[np.ix_(under, under)].sum())),
        )

    def ratio(self, x: Iterable[Column], y: Iterable[Column], level: float = LEVEL) -> Estimate:
        """Ratio of two sums of columns, games being the clusters (see `estimates.ratio`)."""
        return ratio(self.sums(x, y), level)

    def mean(self, weights: Mapping[Column, float], level: float = LEVEL) -> Estimate:
        """Mean over games of a weighted sum of columns, with Student's interval.

        Raises:
            KeyError: A column is unknown: it was not measured, which is not the same as 0.
        """
        return mean(*self.power_sums(weights), self.n, level)

    def power_sums(self, weights: Mapping[Column, float]) -> tuple[float, float]:
        """Sums over all games of a weighted sum of columns and of its square.

        Raises:
            KeyError: A column is unknown.
        """
        place = [self.columns[column] for column in weights]
        factor = np.array(list(weights.values()))
        return float(self._total[place] @ factor), float(factor @ self._product[np.ix_(place, place)] @ factor)

    def _place(self, columns: Iterable[Column]) -> list[int]:
        """Positions of the known ones among some columns."""
        return [self.columns[column] for column in columns if column in self.columns]


def gather(
    games: pl.LazyFrame,
    deals: pl.LazyFrame,
    tallies: pl.LazyFrame,
    groups: Sequence[int],
    limits: Mapping[str, Sequence[int]],
    lowest_wins: bool = False,
    held: Callable[[pl.LazyFrame], pl.LazyFrame | None] = lambda _: None,
    pieces: Sequence[tuple[pl.LazyFrame, pl.LazyFrame, pl.LazyFrame]] = (),
) -> Moments:
    """Moments of everything, game by game, in one pass that holds a bounded number of rows.

    Columns made, where the records have what they need:
        ``("deals",)``; ``("share", seat)``, ``("score", seat)``, ``("stage", seat)``, ``("payout", seat)``;
        ``("led", seat)``, ``("led_share", seat)``, ``("unled_share", seat)``: the seat led the first deal,
        its win share if so, and if not; ``("led_margin", seat)``: if it led, by how much its final
        score is better than the mean of the others'; ``("margin",)``: how far the best final score is from
        the second best; ``("game_ending", word)``; ``("ending", word)``, ``("lead", word)``: deals with that
        ending, that lead; ``("length", column)``: sum of a measure of length over the deals;
        ``("up_to", column, value)``: deals not longer than a value; ``("count", group, item, role)``: times
        an item was used by the seats of a group; ``("points", item, role)``: points it was worth; where some
        are below 0, ``("size", item, role)``: the same without their signs.

    Args:
        games: Table of games.
        deals: Table of deals.
        tallies: Table of tallies.
        groups: Group of each seat, from 0 (seats with one strategy form a group).
        limits: For each measure of the length of a deal, the values whose distribution is wanted.
        lowest_wins: Whether a lower score is the better one.
        held: Makes of tallies the sets of items of which only the best one counts, if the game has such: one row with ``game``
            and ``held`` (a number that stands for the set) for each time; they become columns ``("held", number)``.
        pieces: The same three tables cut by games, so that not every file is looked at for every part of them.
    """
    moments = Moments()
    least = tallies.select(pl.col("points").min()).collect(engine="streaming").item()
    signed = least is not None and least < 0
    for piece in pieces or [(games, deals, tallies)]:
        for table, ids, deals_, tallies_ in _chunks(*piece, max(groups) + 1):
            parts = [
                _of_games(table, len(groups), lowest_wins),
                _of_deals(deals_, ids, limits),
                *_of_tallies(tallies_, ids, groups, signed),
            ]
            sets = held(tallies_)
            if sets is not None:
                parts.append(_of_held(sets, ids))
            moments.add(
                [name for names, _ in parts for name in names],
                np.concatenate([part for _, part in parts], axis=1),
            )
    return moments


def distribution(frame: pl.LazyFrame, column: str) -> list[tuple[int, int]]:
    """Distinct values of a whole-number column, ascending, and how often each occurs."""
    counts = frame.group_by(pl.col(column).cast(pl.Int64)).len().sort(column).collect(engine="streaming")
    return [(int(value), int(count)) for value, count in counts.iter_rows()]


def kinds(frame: pl.LazyFrame | pl.DataFrame, column: str) -> list[str]:
    """The words that a column of a table may hold, in the order of its Enum."""
    kind = frame.lazy().collect_schema()[column]
    assert isinstance(kind, pl.Enum)
    return kind.categories.to_list()


def _chunks(
    games: pl.LazyFrame, deals: pl.LazyFrame, tallies: pl.LazyFrame, groups: int
) -> Iterator[tuple[pl.DataFrame, Integers, pl.LazyFrame, pl.LazyFrame]]:
    """The tables in parts in the order of the games: games, their numbers (int64[games]), their deals and tallies."""
    rows = int(tallies.select(pl.len()).collect(engine="streaming").item())
    ids = games.select("game").collect(engine="streaming")["game"].sort().to_numpy().astype(np.int64)
    cells = len(kinds(tallies, "item")) * len(kinds(tallies, "role")) * groups
    step = max(min(CELLS_AT_ONCE // cells, ROWS_AT_ONCE * ids.size // max(rows, 1)), 1)
    for start in range(0, ids.size, step):
        part = ids[start : start + step]
        tables = [games, deals, tallies]
        if part.size < ids.size:
            tables = [table.filter(pl.col("game").is_between(int(part[0]), int(part[-1]))) for table in tables]
        yield tables[0].collect(engine="streaming").sort("game"), part, tables[1], tables[2]


def _of_games(table: pl.DataFrame, seats: int, lowest_wins: bool) -> tuple[list[Column], Floats]:
    """Columns that come from the table of games itself; float64[games, columns]."""
    names: list[Column] = [("deals",)]
    parts: list[Any] = [table["deals"].to_numpy()]

    def by_seat(name: str) -> Floats:
        return table.select(pl.col(f"{name}_{seat}").cast(pl.Float64) for seat in range(seats)).to_numpy()

    for name in ("share", "score", "stage", "payout"):
        if f"{name}_0" in table.columns:
            names += [(name, seat) for seat in range(seats)]
            parts += list(by_seat(name).T)
    share, score = by_seat("share"), by_seat("score") * (-1 if lowest_wins else 1)
    led = table["leader"].to_numpy()[:, None] == np.arange(seats)
    best = np.sort(score, axis=1)
    names += [("led", seat) for seat in range(seats)]
    parts += list(led.T)
    names += [("led_share", seat) for seat in range(seats)]
    parts += list((share * led).T)
    names += [("unled_share", seat) for seat in range(seats)]
    parts += list((share * ~led).T)
    names += [("led_margin", seat) for seat in range(seats)]
    parts += list((led * (score - (score.sum(axis=1, keepdims=True) - score) / (seats - 1))).T)
    names.append(("margin",))
    parts.append(best[:, -1] - best[:, -2])
    for word in kinds(table, "reason"):
        names.append(("game_ending", word))
        parts.append((table["reason"] == word).to_numpy())
    return names, np.column_stack(parts).astype(np.float64)


def _of_deals(deals: pl.LazyFrame, ids: Integers, limits: Mapping[str, Sequence[int]]) -> tuple[list[Column], Floats]:
    """Columns that come from the table of deals; float64[games, columns]."""
    found = [name for name in ("lead", "reason") if name in deals.collect_schema()]
    table = deals.select("game", *found, *limits).collect(engine="streaming")
    place = _positions(table["game"].to_numpy(), ids)
    names: list[Column] = []
    parts: list[Any] = []
    for column in found:
        name = "ending" if column == "reason" else column
        words = kinds(table, column)
        names += [(name, word) for word in words]
        parts.append(_cells(place * len(words) + table[column].to_physical().to_numpy(), None, ids.size, len(words)))
    for column, values in limits.items():
        length = table[column].to_numpy()
        names.append(("length", column))
        parts.append(np.bincount(place, weights=length, minlength=ids.size))
        for value in values:
            names.append(("up_to", column, value))
            parts.append(np.bincount(place, weights=length <= value, minlength=ids.size))
    return names, np.column_stack(parts).astype(np.float64)


def _of_tallies(tallies: pl.LazyFrame, ids: Integers, groups: Sequence[int], signed: bool) -> list[tuple[list[Column], Floats]]:
    """Columns of how often, and for how many points: float64[games, columns], none of them all 0."""
    items, roles = kinds(tallies, "item"), kinds(tallies, "role")
    cells = len(items) * len(roles)
    code = pl.col("item").to_physical().cast(pl.Int64) * len(roles) + pl.col("role").to_physical().cast(pl.Int64)
    table = tallies.select("game", "seat", "count", "points", code=code).collect(engine="streaming")
    place = _positions(table["game"].to_numpy(), ids)
    code_of = table["code"].to_numpy()
    points = _cells(place * cells + code_of, table["points"].to_numpy(), ids.size, cells)
    group = np.asarray(groups, np.int64)[table["seat"].to_numpy()]
    width = (max(groups) + 1) * cells
    counts = _cells(place * width + group * cells + code_of, table["count"].to_numpy(), ids.size, width)
    named = [(item, role) for item in items for role in roles]
    used = np.flatnonzero(counts.any(axis=0))
    worth = np.flatnonzero(points.any(axis=0))
    found: list[tuple[list[Column], Floats]] = [
        ([("count", int(cell // cells), *named[cell % cells]) for cell in used], counts[:, used]),
        ([("points", *named[cell]) for cell in worth], points[:, worth]),
    ]
    if signed:
        sizes = _cells(place * cells + code_of, np.abs(table["points"].to_numpy()), ids.size, cells)
        some = np.flatnonzero(sizes.any(axis=0))
        found.append(([("size", *named[cell]) for cell in some], sizes[:, some]))
    return found


def _of_held(held: pl.LazyFrame, ids: Integers) -> tuple[list[Column], Floats]:
    """Columns of how often each set of items was held; float64[games, columns]."""
    table = held.select("game", "held").collect(engine="streaming")
    numbers, column = np.unique(table["held"].to_numpy(), return_inverse=True)
    place = _positions(table["game"].to_numpy(), ids)
    return [("held", int(number)) for number in numbers], _cells(place * numbers.size + column, None, ids.size, numbers.size)


def _positions(game: Integers, ids: Integers) -> Integers:
    """Position of each game number among the ascending `ids`; int64, as long as `game`."""
    gapless = ids[-1] - ids[0] + 1 == ids.size
    places: Integers = game - ids[0] if gapless else np.searchsorted(ids, game)
    return places


def _cells(cell: Integers, weights: npt.NDArray[Any] | None, rows: int, columns: int) -> Floats:
    """Adds weights (or ones) up by cell number; float64[rows, columns]."""
    return np.bincount(cell, weights=weights, minlength=rows * columns).reshape(rows, columns).astype(np.float64, copy=False)


def _whole(value: float) -> float:
    """The same number, as an int where it is whole, so that arithmetic with it stays exact."""
    return int(value) if value.is_integer() else value
