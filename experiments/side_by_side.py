"""Stored runs beside each other: every measure of each, and its difference from the first run.

Runs that share seed and numbers of games were dealt the same cards, so their games are paired by number. Others are paired by their order, which is no
help and no harm: the spread of the difference is estimated from the pairs as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from experiments.compare import pair_of, rows_of
from experiments.estimates import LEVEL
from experiments.measures import Integers, Measures, products
from experiments.run_info import table_of
from experiments.summary import describe
from simcore.errors import InputError
from simcore.records import TALLY
from simcore.simulate import Batch

if TYPE_CHECKING:
    import polars as pl

    from experiments.runs import Run
    from simcore.simulate import Table

MOST: Final = 100_000
"""Games of each run that are compared, at most: what bounds the memory."""


def side_by_side(runs: Sequence[Run], level: float = LEVEL) -> dict[str, Any]:
    """Compares stored runs with the first of them.

    Args:
        runs: At least two, of one game with one number of players.
        level: Level of the intervals; 1 - level is also the chance that any verdict against one run is wrong (Holm).

    Returns:
        ``level``, ``games`` (of each run that were compared), ``players``, ``runs`` (for each ``name``, ``ruleset`` as `summary.describe` has it, ``info``
        as ``run.json`` has it), ``settings`` (options and points in which they differ: ``key``, ``name`` or ``help``, ``rule``, ``values``) and
        ``against``: for each run but the first ``run`` (its position), ``same_cards`` and ``measures``, each as in `compare.compare`, with
        ``a_interval`` and ``b_interval``.

    Raises:
        InputError: Fewer than two runs, runs of different games or numbers of players, or one without enough games.
    """
    if len(runs) < 2:
        raise InputError("to be set side by side takes at least 2 runs")
    first = runs[0]
    for run in runs[1:]:
        for what, said in (("game", "game"), ("players", "number of players")):
            if run.info[what] != first.info[what]:
                raise InputError(
                    f"only runs of one {said} can be set side by side: '{first.folder}' has {first.info[what]}, '{run.folder}' has {run.info[what]}"
                )
    games = min(MOST, *(int(run.info["played"]) for run in runs))
    if games < 2:
        raise InputError("to be set side by side takes runs of at least 2 games")
    book = Measures(table_of(first.info))
    vectors = [_vectors(run, book, games) for run in runs]
    return {
        "level": level,
        "games": games,
        "players": first.info["players"],
        "runs": [{"name": run.folder.name, "ruleset": describe(run.ruleset), "info": dict(run.info)} for run in runs],
        "settings": _settings(runs),
        "against": [
            {
                "run": place,
                "same_cards": all(run.info.get(key, 0) == first.info.get(key, 0) for key in ("seed", "first")),
                "measures": _measures(book, vectors[0], vectors[place], (first, run), level),
            }
            for place, run in enumerate(runs)
            if place
        ],
    }


def _measures(book: Measures, a: Integers, b: Integers, runs: tuple[Run, Run], level: float) -> list[dict[str, Any]]:
    """Every measure of two runs, from the vectors of their games (int64[games, width])."""
    columns = [[each.x for each in book.measures], [each.y for each in book.measures]]
    columns.append([each.x if each.events is None else each.events for each in book.measures])
    total, product = products([vectors[:, chosen] for vectors in (a, b) for chosen in columns])
    pairs = [
        pair_of(each, len(a), total[:, m], product[:, :, m], tuple(float(abs(run.ruleset.points.get(each.subject, 0))) for run in runs))
        for m, each in enumerate(book.measures)
    ]
    rows = rows_of(book.measures, pairs, None, level, 0.0)
    for row, pair in zip(rows, pairs, strict=True):
        for side, place in (("a_interval", 0), ("b_interval", 1)):
            estimate = pair.arm(place, level)
            row[side] = [estimate.low, estimate.high]
    return rows


def _settings(runs: Sequence[Run]) -> list[dict[str, Any]]:
    """Options and points in which the runs' rulesets differ."""
    described = [describe(run.ruleset) for run in runs]
    return [
        {"key": row["key"], "name": row.get("name") or row["help"], "rule": row["rule"], "values": [each[kind][place]["value"] for each in described]}
        for kind in ("options", "points")
        for place, row in enumerate(described[0][kind])
        if len({str(each[kind][place]["value"]) for each in described}) > 1
    ]


def _vectors(run: Run, book: Measures, games: int) -> Integers:
    """The vectors of the first games of a run, int64[games, width]."""
    table = table_of(run.info)
    parts: list[Integers] = []
    for first in run.batches:
        if sum(len(part) for part in parts) >= games:
            break
        parts.append(book.vectors(_batch(replace(run, batches=(first,)), table)))
    return np.concatenate(parts)[:games]


def _batch(run: Run, table: Table) -> Batch:
    """The stored rows of a run of one batch, as they were played."""
    games = run.games.sort("game").collect()
    deals = run.deals.sort("game", "deal").collect()
    like = table.play(0, 1)
    return Batch(_rows(games, like.games.dtype), _rows(deals, like.deals.dtype), _rows(run.tallies.collect(), TALLY))


def _rows(frame: pl.DataFrame, kind: np.dtype[Any]) -> np.ndarray:
    """A frame as structured rows; a column that the records leave out is 0."""
    rows = np.zeros(frame.height, kind)
    for name in kind.names or ():
        seats = [column for column in frame.columns if column.rpartition("_")[0] == name and column.rpartition("_")[2].isdigit()]
        if seats:
            rows[name][:, : len(seats)] = frame.select(seats).to_numpy()
        elif name in frame.columns:
            column = frame[name]
            rows[name] = (column.to_physical() if column.dtype.base_type().__name__ == "Enum" else column).to_numpy()
    return rows
