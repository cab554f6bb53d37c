"""A run that ends when its win shares are known well enough, with intervals that allow to look as often as one likes."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from experiments import runs
from experiments.estimates import LEVEL
from experiments.progress import Report
from experiments.run_folder import RUN_FILE, write_json
from experiments.sequences import games_for, of_share, of_strata
from simcore.errors import InputError

if TYPE_CHECKING:
    from simcore.simulate import Table

FIRST_LOOK: Final = 1_000
"""Games before the first look: enough for the variance of a win share."""
WIDEST: Final = 0.25
"""Largest variance of a number between 0 and 1."""
MOST_GROWTH: Final = 2.0
LEAST_GROWTH: Final = 1.05
"""By how much a run grows, at most and at least, from one look to the next."""


def run_until(
    table: Table,
    precision: float,
    most: int | None = None,
    out: str | os.PathLike[str] | None = None,
    threads: int | None = None,
    batch: int | None = None,
    progress: Report | None = None,
    level: float = LEVEL,
    cluster: str | None = None,
) -> runs.Run:
    """Plays until the win share of every seat and of who leads first is known to ± precision.

    Args:
        table: Rules, strategies, seed.
        precision: Half the width of the intervals that is wanted, between 0 and ½.
        most: Games at which to stop in any case; None for no limit.
        out: As for `runs.run`, and so are threads, batch and progress.
        threads: Threads.
        batch: Games in a batch.
        progress: Called now and then.
        level: Level of each interval, over all looks.
        cluster: As for `runs.run`.

    Returns:
        The run; its ``info["stopping"]`` says by which rule it was stopped: ``rule``, ``precision``, ``level``, ``best_at``, ``most``, ``looks`` (numbers of
        games), ``reached``, and ``intervals`` by measure.

    Raises:
        InputError: The precision is out of range, or as `runs.run`.
    """
    if not 0 < precision < 0.5:
        raise InputError(f"the precision of a win share is between 0 and 0.5 (50%), got {precision}")
    rule = {
        "rule": "confidence sequence",
        "precision": precision,
        "level": level,
        "best_at": games_for(precision, WIDEST, level),
        "most": most,
        "looks": [],
        "reached": False,
        "intervals": {},
    }
    started = runs.run(table, min(FIRST_LOOK, most or FIRST_LOOK), out, threads, batch, progress, cluster=cluster, rule=rule)
    return _go_on(started, threads, progress, cluster)


def resume(path: str | os.PathLike[str], threads: int | None = None, progress: Report | None = None, cluster: str | None = None) -> runs.Run:
    """Continues an interrupted run, to its precision where it has one. Arguments and errors as for `runs.resume`."""
    run = runs.resume(path, threads, progress, cluster)
    return _go_on(run, threads, progress, cluster) if "stopping" in run.info else run


def _go_on(run: runs.Run, threads: int | None, progress: Report | None, cluster: str | None) -> runs.Run:
    rule = dict(run.info["stopping"])
    while True:
        games = run.info["games"]
        widths, rule["intervals"] = _look(run, rule)
        if games not in rule["looks"]:
            rule["looks"] = [*rule["looks"], games]
        widest = max(widths)
        rule["reached"] = widest <= rule["precision"]
        run = runs.Run(run.folder, run.info | {"stopping": rule}, run.batches)
        write_json(Path(run.folder) / RUN_FILE, {key: value for key, value in run.info.items() if key != "played"})
        if rule["reached"] or (rule["most"] is not None and games >= rule["most"]):
            return run
        growth = min(MOST_GROWTH, max(LEAST_GROWTH, (widest / rule["precision"]) ** 2))
        wanted = min(int(games * growth) + 1, rule["most"] or int(games * growth) + 1)
        run = runs.extend(run.folder, wanted - games, threads, _knowing(progress, widest), keep_rule=True, cluster=cluster)


def _knowing(progress: Report | None, precision: float) -> Report | None:
    """Who hears of progress, told the precision of the last look too."""
    if progress is None:
        return None
    hear = progress
    return lambda each: hear(replace(each, precision=precision))


def _look(run: runs.Run, rule: dict[str, Any]) -> tuple[list[float], dict[str, list[float]]]:
    """Half widths and intervals of all win shares at this moment; that of first leaders is the mean over the seats that led, as a summary has it."""
    import polars as pl

    seats = range(run.info["players"])
    parts = {f"seat_{seat}": (pl.col(f"share_{seat}"), pl.lit(True)) for seat in seats}
    if "leader" in run.games.collect_schema():
        parts |= {f"led_{seat}": (pl.col(f"share_{seat}"), pl.col("leader") == seat) for seat in seats}
    sums = [
        each.alias(f"{name} {key}")
        for key, (share, where) in parts.items()
        for name, each in (
            ("total", share.filter(where).sum()),
            ("squares", (share * share).filter(where).sum()),
            ("games", share.filter(where).count()),
        )
    ]
    found = run.games.select(*sums).collect(engine="streaming").row(0, named=True)
    counted = {key: (found[f"total {key}"], found[f"squares {key}"], found[f"games {key}"]) for key in parts}
    shares = {f"seat_{seat}_win_share": of_share(*counted[f"seat_{seat}"], rule["best_at"], rule["level"]) for seat in seats}
    led = [counted[key] for key in parts if key.startswith("led") and counted[key][2]]
    if led:
        shares["leader_win_share"] = of_strata(led, rule["best_at"], rule["level"])
    widths, intervals = [], {}
    for key, share in shares.items():
        assert share.low is not None and share.high is not None
        widths.append(max(share.value - share.low, share.high - share.value))
        intervals[key] = [share.low, share.high]
    return widths, intervals
