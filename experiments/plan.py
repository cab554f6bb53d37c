"""How many games, and how much time, does a question need? A short pilot tells the spread, the rest is arithmetic."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from experiments import estimates
from experiments.blocks import summed
from experiments.compare import POWER, Margin, compare
from experiments.estimates import LEVEL
from experiments.measures import WIN, Integers, Measures
from experiments.progress import Report
from experiments.sequences import games_for, variance_of_strata
from simcore.errors import InputError
from simcore.simulate import Batch, Table

if TYPE_CHECKING:
    from simcore.ruleset import Ruleset

PILOT: Final = 2_000
"""Games of a pilot."""


def plan_comparison(
    a: Ruleset,
    b: Ruleset,
    panel: Sequence[Sequence[str]],
    margin: Margin,
    pilot: int = PILOT,
    *,
    players: int | None = None,
    seed: int = 1,
    measures: Sequence[str] = (),
    level: float = LEVEL,
    threads: int | None = None,
    progress: Report | None = None,
) -> dict[str, Any]:
    """How many games a comparison needs for a verdict about a difference of the size of the margin.

    To find such a difference with the chance `compare.POWER`: N = ((z_{1-α/2} + z_{power})·σ/m)²; to show that two alike are the same within it:
    N = ((z_{1-α} + z_{(1+power)/2})·σ/m)², σ the spread of a pair in the pilot and α shared among all measures.

    Args:
        a: The first ruleset.
        b: The second one.
        panel: Line-ups, as for `compare.compare`, and so are players, seed, measures, level, threads and progress.
        margin: The difference that matters.
        pilot: Games of the pilot.
        players: Number of seats.
        seed: Seed.
        measures: Keys of measures.
        level: Level.
        threads: Threads.
        progress: Called now and then.

    Returns:
        ``a``, ``b``, ``pilot``, ``changed`` (games of the pilot that differ, as in `compare`), ``power``, ``level`` and ``measures``: for each
        ``measure``, ``kind``, ``subject``, ``margin``, ``spread``,
        ``to_find``, ``to_equate`` (games), and ``seconds`` for the greater of the two. What did not vary in the pilot has None.
    """
    found = compare(a, b, panel, pilot, players=players, seed=seed, margin=margin, measures=measures, level=level, threads=threads, progress=progress)
    family = max(1, sum(row["doubt"] is not None for row in found["measures"]))
    alpha = (1 - level) / family
    z = estimates.z_quantile
    rows = []
    for row in found["measures"]:
        to_find = to_equate = seconds = None
        if row["spread"] and row["margin"]:
            unit = row["spread"] / row["margin"]
            to_find = max(2, math.ceil(((z(1 - alpha) + z(2 * POWER - 1)) * unit) ** 2))
            to_equate = max(2, math.ceil(((z(1 - 2 * alpha) + z(POWER)) * unit) ** 2))
            seconds = max(to_find, to_equate) * found["seconds"] / pilot
        rows.append(
            {key: row[key] for key in ("measure", "kind", "subject", "margin", "spread")} | {"to_find": to_find, "to_equate": to_equate, "seconds": seconds}
        )
    return {"a": found["a"], "b": found["b"], "pilot": pilot, "changed": found["changed"], "power": POWER, "level": level, "measures": rows}


def plan_precision(
    ruleset: Ruleset,
    strategies: Sequence[str],
    precision: float,
    pilot: int = PILOT,
    *,
    players: int | None = None,
    seed: int = 1,
    level: float = LEVEL,
    threads: int | None = None,
    progress: Report | None = None,
) -> dict[str, Any]:
    """How many games it takes to know every win share to ± precision.

    Args:
        ruleset: The rules.
        strategies: One for all seats or one a seat.
        precision: Half the width of the interval, between 0 and ½.
        pilot: Games of the pilot.
        players: Number of seats.
        seed: Seed.
        level: Level of the interval.
        threads: Threads.
        progress: Called now and then.

    Returns:
        ``ruleset``, ``pilot``, ``precision``, ``level`` and ``measures``: for each win share ``measure``, ``kind``, ``subject``, ``spread``,
        ``games`` (fixed beforehand: (z·σ/precision)²), ``games_looking`` (stopped by ``run --precision``) and ``seconds`` for the latter.

    Raises:
        InputError: The precision is out of range.
    """
    if not 0 < precision < 0.5:
        raise InputError(f"the precision of a win share is between 0 and 0.5 (50%), got {precision}")
    table = Table(ruleset, strategies, players, seed)
    book = Measures(table)
    wanted = [each for each in book.measures if each.kind in ("leader_share", "seat_share")]

    def vectors(batch: Batch) -> Integers:
        shares = np.rint(batch.games["share"][:, : table.players] * WIN).astype(np.int64)
        return np.column_stack([batch.games["leader"], shares])

    def reduce(arms: list[Integers]) -> list[Integers]:
        """Games, sums and squares of each seat's share, and of the leader's in the games that each seat leads."""
        (arm,) = arms
        leader, shares = arm[:, 0], arm[:, 1:]
        led = leader[:, None] == np.arange(table.players)
        games = np.array([np.full(table.players, len(leader)), led.sum(axis=0)])
        return [games, *(np.array([power.sum(axis=0), (power * led).sum(axis=0)]) for power in (shares, shares * shares))]

    (games, total, squares), seconds = summed([table], range(pilot), vectors, reduce, threads, progress)
    parts = [[(x / WIN, xx / WIN**2, n) for x, xx, n in zip(*each, strict=True) if n] for each in zip(total, squares, games, strict=True)]
    rows = []
    for each in wanted:
        # The leader's share is the mean over the seats that lead, as a run tells it and stops by it.
        variance = variance_of_strata(parts[1] if each.kind == "leader_share" else [parts[0][int(each.subject)]])
        spread = math.sqrt(variance)
        looking = games_for(precision, variance, level)
        rows.append(
            {
                "measure": each.key,
                "kind": each.kind,
                "subject": each.subject,
                "spread": spread,
                "games": math.ceil((estimates.z_quantile(level) * spread / precision) ** 2),
                "games_looking": looking,
                "seconds": looking * seconds,
            }
        )
    return {"ruleset": ruleset.canonical, "pilot": pilot, "precision": precision, "level": level, "measures": rows}
