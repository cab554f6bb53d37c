"""Runs: a folder of records, and what plays games into it.

A run is ``run.json`` and ``batches/<first game>/`` with ``games.parquet``, ``deals.parquet``, ``tallies.parquet`` and ``batch.json``. A batch is
written under a hidden name and then renamed, so it is whole or it is not there: a run can be killed at any moment and continued with `resume`.
The records do not depend on how games were cut into batches, on how many threads played them, nor on whether they were played in one piece,
extended, or merged from several machines.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from experiments.blocks import threads_of
from experiments.cluster import play_on_cluster
from experiments.progress import Progress, Report
from experiments.run_folder import (
    RUN_FILE,
    UNFINISHED,
    Totals,
    batch_folder,
    copy_batch,
    games_of,
    missing,
    new_folder,
    read_batches,
    read_info,
    write_batch,
    write_json,
)
from experiments.run_info import command, describe, ruleset_of, source_hash, table_of
from simcore.errors import InputError

if TYPE_CHECKING:
    import polars as pl

    from simcore.ruleset import Ruleset
    from simcore.simulate import Table

MOST_GAMES: Final = 10_000
"""Games of a batch, at most."""
MOST_DEALS: Final = 100_000
"""Deals of a batch, about: its rows are held in memory, by every thread one."""
FIRST_LOOK: Final = 16
"""Games that are played to see how many deals a game takes."""
SAVE_EVERY: Final = 1.0
"""Seconds between two writings of ``run.json``."""
ALIKE: Final = ("game", "ruleset", "strategies", "players", "seed", "source_hash")
"""What runs must have in common to be merged."""


@dataclass(frozen=True)
class Run:
    """A run on disk.

    Attributes:
        folder: Its folder.
        info: What ``run.json`` says, with the totals of the batches that are there.
        batches: First games of these batches, ascending.
    """

    folder: Path
    info: dict[str, Any]
    batches: tuple[int, ...]

    @property
    def games(self) -> pl.LazyFrame:
        """One row a game."""
        return self._scan("games")

    @property
    def deals(self) -> pl.LazyFrame:
        """One row a deal."""
        return self._scan("deals")

    @property
    def tallies(self) -> pl.LazyFrame:
        """One row per deal, seat, item and role that occurred."""
        return self._scan("tallies")

    @cached_property
    def ruleset(self) -> Ruleset:
        """The ruleset that was played by."""
        return ruleset_of(self.info)

    def _scan(self, name: str) -> pl.LazyFrame:
        import polars as pl

        if not self.batches:
            raise InputError(f"the run '{self.folder}' has no finished games yet")
        return pl.scan_parquet([batch_folder(self.folder, first) / f"{name}.parquet" for first in self.batches])


def run(
    table: Table,
    games: int,
    out: str | os.PathLike[str] | None = None,
    threads: int | None = None,
    batch: int | None = None,
    progress: Report | None = None,
    first: int = 0,
    cluster: str | None = None,
    rule: Mapping[str, Any] | None = None,
) -> Run:
    """Plays games ``first`` to ``first + games - 1`` of a table into a new folder.

    Args:
        table: Rules, strategies, seed.
        games: Number of games.
        out: The folder: new or empty. Without it ``runs/<game>-<games>-s<seed>``, with a number behind where that is taken.
        threads: Threads that play; without it one a core.
        batch: Games in a batch; without it as many as keep memory small. Decides nothing but the names of files.
        progress: Called now and then, from this thread.
        first: Number of the first game; runs of other games can be merged.
        cluster: Address of a Dask scheduler whose workers play, see `experiments.cluster`; without it this machine does.
        rule: When the run is to be stopped, for ``run.json`` to tell.

    Raises:
        InputError: A number is out of range, or the folder is not empty or cannot be written to.
        StrategyError: A strategy does not compile or made a move that the rules forbid. What was played before stays only if
            whole batches of it were.
    """
    from simcore.simulate import MAX_GAME

    if not 1 <= games <= MAX_GAME:
        raise InputError(f"the number of games is a whole number from 1 to {MAX_GAME}, got {games}")
    if not 0 <= first <= MAX_GAME - games:
        raise InputError(f"the first game is a whole number from 0 to {MAX_GAME - games}, got {first}")
    if batch is not None and batch < 1:
        raise InputError(f"a batch has at least 1 game, got {batch}")
    threads = threads_of(threads)
    wanted = range(first, first + games)
    with new_folder(out, f"{table.game.key}-{games}-s{table.seed}") as folder:
        info = describe(table, wanted, batch or _batch_size(table, wanted, threads)) | ({"stopping": rule} if rule else {})
        (folder / "batches").mkdir()  # first: a folder with a run.json is a run that can go on
        write_json(folder / RUN_FILE, info)
        return _play_missing(folder, info, table, threads, progress, {}, cluster)


def resume(path: str | os.PathLike[str], threads: int | None = None, progress: Report | None = None, cluster: str | None = None) -> Run:
    """Continues a run that was interrupted; one that is finished already is only loaded.

    Raises:
        InputError: It is no run, or was begun by other sources or versions, so that its games would not be the same ones.
        StrategyError: As `run`.
    """
    return _go_on(Path(path), 0, threads, progress, "continued", cluster=cluster)


def extend(
    path: str | os.PathLike[str],
    games: int,
    threads: int | None = None,
    progress: Report | None = None,
    keep_rule: bool = False,
    cluster: str | None = None,
) -> Run:
    """Adds games behind the last one of a run; what an interruption left out is played too.

    Args:
        path: The run.
        games: How many games to add.
        threads: Threads that play; without it one a core.
        progress: Called now and then.
        keep_rule: Whether the rule by which a run is stopped goes on; otherwise the run is one of a fixed number of games from now on.
        cluster: As for `run`.

    Raises:
        InputError: As `resume`, or the number of games is out of range.
        StrategyError: As `run`.
    """
    from simcore.simulate import MAX_GAME

    folder = Path(path)
    most = MAX_GAME - games_of(read_info(folder)).stop
    if not 1 <= games <= most:
        raise InputError(f"the number of games to add is a whole number from 1 to {most}, got {games}")
    return _go_on(folder, games, threads, progress, "extended", keep_rule, cluster)


def merge(paths: Sequence[str | os.PathLike[str]], out: str | os.PathLike[str] | None = None) -> Run:
    """Joins runs of neighbouring games, made on one machine or several, into a new run.

    Args:
        paths: The runs: alike in all but their games, which follow on each other without gap or overlap; in any order.
        out: The new folder; without it as for `run`.

    Raises:
        InputError: They do not fit together, or one of them is damaged or not finished.
    """
    if len(paths) < 2:
        raise InputError(f"at least two runs are merged, got {len(paths)}")
    runs = sorted((load_run(path) for path in paths), key=lambda each: games_of(each.info).start)
    for each in runs:
        _require_mergeable(runs[0], each)
    for one, other in zip(runs, runs[1:], strict=False):
        end, start = games_of(one.info).stop, games_of(other.info).start
        if end != start:
            between = "overlap" if start < end else "leave a gap"
            raise InputError(f"the runs '{one.folder}' (to game {end - 1}) and '{other.folder}' (from game {start}) {between}: merge neighbouring games")
    wanted = range(games_of(runs[0].info).start, games_of(runs[-1].info).stop)
    table = table_of(runs[0].info)
    info = runs[0].info | {"games": len(wanted), "finished": False, "command": command(table, wanted)}
    info["machine"] = "; ".join(dict.fromkeys(each.info["machine"] for each in runs))
    info.pop("played")
    info.pop("stopping", None)
    with new_folder(out, f"{table.game.key}-{len(wanted)}-s{table.seed}") as folder:
        (folder / "batches").mkdir()
        write_json(folder / RUN_FILE, info)
        for each in runs:
            for first in each.batches:
                copy_batch(each.folder, folder, first)
        totals = Totals.of(read_batches(folder, info).values())
        write_json(folder / RUN_FILE, info | totals.to_dict() | {"finished": True})
    return load_run(folder)


def _require_mergeable(one: Run, other: Run) -> None:
    for key in ALIKE:
        if one.info[key] != other.info[key]:
            raise InputError(
                f"the runs '{one.folder}' and '{other.folder}' cannot be merged: their {key.replace('_', ' ')} differs, "
                f"{one.info[key]!r} and {other.info[key]!r}"
            )
    if not other.info["finished"]:
        raise InputError(f"the run '{other.folder}' is not finished: first go on with it by simcore run --resume")


def load_run(path: str | os.PathLike[str]) -> Run:
    """Opens a run, finished or not, after looking at every byte of it.

    Raises:
        InputError: There is no such folder, it is no run, or a part of it is missing or damaged; the text names the file.
    """
    folder = Path(path)
    info = read_info(folder)
    batches = read_batches(folder, info, check=True)
    absent = missing(batches, games_of(info), info["batch"])
    if info["finished"] and absent:
        raise InputError(f"the run '{folder}' is damaged: '{batch_folder(folder, absent[0][0])}' is missing")
    return _run(folder, info, batches)


def _run(folder: Path, info: Mapping[str, Any], batches: Mapping[int, Totals]) -> Run:
    totals = Totals.of(batches.values())
    return Run(folder, {**info, **totals.to_dict(), "played": totals.games}, tuple(sorted(batches)))


def _go_on(
    folder: Path,
    more: int,
    threads: int | None,
    progress: Report | None,
    done: str,
    keep_rule: bool = True,
    cluster: str | None = None,
) -> Run:
    """Plays what a run has not played yet, and ``more`` games behind it."""
    threads = threads_of(threads)
    info = read_info(folder)
    batches = read_batches(folder, info, check=True)
    if info["finished"] and not more:
        return load_run(folder)
    table = table_of(info)
    if source_hash(table) != info["source_hash"]:
        raise InputError(
            f"the run '{folder}' was begun with other sources or versions of the simulator or of a strategy, so it cannot be {done}: start a new run"
        )
    if more:
        info |= {"games": info["games"] + more, "finished": False}
        info["command"] = command(table, games_of(info))
        if not keep_rule:
            info.pop("stopping", None)
        write_json(folder / RUN_FILE, info)
    for left in (folder / "batches").glob(f"{UNFINISHED}*"):
        shutil.rmtree(left)
    return _play_missing(folder, info, table, threads, progress, batches, cluster)


def _play_missing(
    folder: Path,
    info: dict[str, Any],
    table: Table,
    threads: int,
    progress: Report | None,
    batches: dict[int, Totals],
    cluster: str | None,
) -> Run:
    """Plays the batches that are not there yet, keeping ``run.json`` up to date."""
    jobs = missing(batches, games_of(info), info["batch"])
    totals = Totals.of(batches.values())
    games_before, deals_before = totals.games, totals.deals
    saved = time.monotonic()
    if progress:
        progress(Progress(folder, totals.games, info["games"], 0, 0))
    for first, part in play_on_cluster(cluster, folder, info, jobs) if cluster else _play_here(folder, table, jobs, threads):
        batches[first] = part
        totals.add(part)
        if time.monotonic() - saved >= SAVE_EVERY:
            write_json(folder / RUN_FILE, info | totals.to_dict())
            saved = time.monotonic()
        if progress:
            progress(Progress(folder, totals.games, info["games"], totals.deals - deals_before, totals.games - games_before))
    info = info | totals.to_dict() | {"finished": True}
    write_json(folder / RUN_FILE, info)
    return _run(folder, info, batches)


def _play_here(folder: Path, table: Table, jobs: Sequence[tuple[int, int]], threads: int) -> Iterable[tuple[int, Totals]]:
    """Plays batches with the threads of this machine; yields first games and totals as they come."""
    from joblib import Parallel, delayed

    workers = max(1, min(threads, len(jobs)))
    tasks = (delayed(_play_batch)(folder, table, first, count, workers) for first, count in jobs)
    played: Iterable[tuple[int, Totals]] = Parallel(workers, backend="threading", return_as="generator_unordered", pre_dispatch=workers + 1)(tasks)
    return played


def _play_batch(folder: Path, table: Table, first: int, count: int, workers: int) -> tuple[int, Totals]:
    """Plays one batch and puts it into its place; returns its first game and its totals."""
    started = time.perf_counter()
    batch = table.play(first, count)
    seconds = time.perf_counter() - started
    return first, write_batch(folder, batch, table, first, seconds / workers)


def _batch_size(table: Table, games: range, threads: int) -> int:
    """Games in a batch: few enough for memory, and batches enough for the threads to end together."""
    look = table.play(games.start, min(FIRST_LOOK, len(games)))
    most = max(1, min(MOST_GAMES, MOST_DEALS * len(look.games) // len(look.deals)))
    rounds = -(-len(games) // (most * threads))
    return max(1, -(-len(games) // (rounds * threads)))
