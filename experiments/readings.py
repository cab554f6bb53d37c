"""What is each reading worth that the printed rules leave open? Every other one beside the one in force, on the same cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from experiments.blocks import summed
from experiments.compare import pair_of, rows_of
from experiments.estimates import LEVEL
from experiments.measures import Integers, Measures, products
from simcore.errors import InputError
from simcore.game import checker
from simcore.schema import written
from simcore.simulate import Table

if TYPE_CHECKING:
    from simcore.ruleset import Ruleset

MEASURES: Final = ("deals_per_game", "leader_win_share", "points_per_deal")


def others(ruleset: Ruleset) -> Iterator[tuple[str, Any, Ruleset]]:
    """Every other reading of each option that is open and has its values listed: key, value, and the ruleset that differs in it alone.

    Readings that do not go together with the other options are left out.
    """
    for key, option in ruleset.schema.options.items():
        values: Sequence[Any] = {"bool": (True, False), "choice": option.choices}.get(option.type, ()) if option.open else ()
        for value in values:
            if value == ruleset.options[key]:
                continue
            try:
                yield key, value, ruleset.with_settings([f"options.{key}={written(value)}"], checker(ruleset.schema.key))
            except InputError:
                continue


def readings(table: Table, games: int, level: float = LEVEL, threads: int | None = None) -> dict[str, Any] | None:
    """Plays the same games by every other reading.

    Args:
        table: The table of the run; its line-up plays all readings.
        games: Games by each reading, 0 to ``games - 1``.
        level: Level of the intervals; 1 - level is also the chance that any of the verdicts is wrong (Holm, over all readings and measures).
        threads: Threads; without it one a core.

    Returns:
        ``games``, ``level`` and ``readings``, one entry a reading: ``key`` (option), ``value``, ``rule``, ``changed`` (number of games in which any count,
        score or length is not the same) and ``measures``: for each of `MEASURES` what the reading does to it, ``measure``, ``share`` (whether it is one),
        ``now``, ``then``, ``difference``, ``interval``, ``verdict`` (``lower``, ``higher``, ``undecided``) and ``doubt``. None where nothing is open.

    Raises:
        StrategyError: A strategy made a move that the rules forbid.
    """
    found = list(others(table.ruleset))
    if not found:
        return None
    names = list(table.canonical_strategies)
    tables = [table, *(Table(ruleset, names, table.players, table.seed) for _, _, ruleset in found)]
    book = Measures(table)
    chosen = [each for each in book.measures if each.key in MEASURES]
    over, under = [each.x for each in chosen], [each.y for each in chosen]

    def reduce(vectors: list[Integers]) -> list[Integers]:
        base, sums = vectors[0], []
        for other in vectors[1:]:
            parts = [vector[:, columns] for vector in (base, other) for columns in (over, under, over)]
            sums += [*products(parts), np.array([(base != other).any(axis=1).sum()])]
        return sums

    sums, _ = summed(tables, range(games), book.vectors, reduce, threads, None)
    pairs = [
        pair_of(each, games, total[:, m], product[:, :, m], (0.0, 0.0))
        for total, product in zip(sums[::3], sums[1::3], strict=True)
        for m, each in enumerate(chosen)
    ]
    rows = rows_of(chosen * len(found), pairs, None, level, 0.0)
    told = []
    for place, (key, value, _) in enumerate(found):
        own = rows[place * len(chosen) : (place + 1) * len(chosen)]
        kept = ("measure", "share", "difference", "interval", "verdict", "doubt")
        measures = [{"now": row["a"], "then": row["b"]} | {name: row[name] for name in kept} for row in own]
        rule = table.ruleset.schema.options[key].rule
        told.append({"key": key, "value": value, "rule": rule, "changed": int(sums[3 * place + 2][0]), "measures": measures})
    return {"games": games, "level": level, "readings": told}
