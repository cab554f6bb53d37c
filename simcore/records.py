"""The three tables of a run: games, deals, tallies. Columns, types, and the hash that says whether two runs are the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from simcore.chance import mix
from simcore.compiled import inlined, kernel

if TYPE_CHECKING:
    import polars as pl

    from simcore.simulate import Batch, Table

TALLY: Final = np.dtype(
    [
        ("game", "i8"),
        ("deal", "i4"),  # from 1
        ("seat", "u1"),
        ("item", "u1"),  # position in the game's list of items
        ("role", "u1"),  # position in the game's list of roles
        ("count", "u2"),
        ("points", "i4"),  # of all of them together
    ]
)
"""One row per deal, seat, item and role that occurred."""


@inlined
def hash_of_kind(game: int, deal: int, seat: int, item: int, role: int) -> np.uint64:
    """The part of a row's hash that count and points have no part in."""
    what = np.uint64(seat) | np.uint64(item) << np.uint64(8) | np.uint64(role) << np.uint64(16)
    return mix(mix(np.uint64(game) + np.uint64(0x9E3779B97F4A7C15)) ^ (np.uint64(deal) | what << np.uint64(32)))


@inlined
def hash_of_row(kind: np.uint64, count: int, points: int) -> np.uint64:
    """Hash of a row of the tallies; ``kind``: see `hash_of_kind`."""
    return mix(kind ^ (np.uint64(count) << np.uint64(32) ^ np.uint64(points)))


@kernel
def _hash_rows(rows: np.ndarray) -> np.uint64:
    total = np.uint64(0)
    for i in range(len(rows)):
        row = rows[i]
        total += hash_of_row(hash_of_kind(row.game, row.deal, row.seat, row.item, row.role), row.count, row.points)
    return total


def tallies_hash(rows: np.ndarray) -> int:
    """A number below 2^64 that says what rows (TALLY) there are, whatever their order.

    It is the sum of a hash of each row modulo 2^64, so the hashes of parts of a run add up to that of the whole.
    """
    return int(_hash_rows(rows))


def points_total(rows: np.ndarray) -> int:
    """Sum of the points of all rows (TALLY)."""
    return int(rows["points"].sum(dtype=np.int64))


def frames(batch: Batch, table: Table) -> dict[str, pl.DataFrame]:
    """The tables ``games``, ``deals`` and ``tallies`` of a batch as polars frames, with names in place of numbers.

    A field by seat becomes one column a seat: ``score_0``, ``score_1``, ...
    """
    return {
        "games": _frame(batch.games, table.game.enums["games"], table.players, table.columns_left_out),
        "deals": _frame(batch.deals, table.game.enums["deals"], table.players, ()),
        "tallies": _frame(batch.tallies, {"item": table.game.items, "role": table.game.roles}, table.players, ()),
    }


def _frame(rows: np.ndarray, enums: Any, players: int, left_out: tuple[str, ...]) -> pl.DataFrame:
    import polars as pl

    columns: list[pl.Series] = []
    for name in rows.dtype.names or ():
        if name in left_out:
            continue
        values = np.ascontiguousarray(rows[name])
        if name in enums:
            columns.append(pl.Series(name, values).cat.to(pl.Enum(enums[name])))
        elif values.ndim == 2:
            columns += [pl.Series(f"{name}_{seat}", np.ascontiguousarray(values[:, seat])) for seat in range(players)]
        else:
            columns.append(pl.Series(name, values))
    return pl.DataFrame(columns)
