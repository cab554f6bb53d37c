"""Rates of the simulator on this machine, one run. Prints medians; judges nothing.

Run by ``make bench``.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import simcore
from simcore.games.kombinator.frequencies import exact
from simcore.records import frames
from simcore.simulate import Table

REPEATS = 5
GAMES = 10_000


def median_seconds(task: Callable[[], object]) -> float:
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        task()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def write(table: Table, folder: Path) -> None:
    for name, frame in frames(table.play(0, GAMES), table).items():
        frame.write_parquet(folder / f"{name}.parquet", compression="zstd", compression_level=1)


def two_threads(table: Table) -> None:
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda half: table.play(half * GAMES, GAMES), range(2)))


def main() -> None:
    rules = simcore.rules("kombinator")
    print(f"{'what (median of ' + str(REPEATS) + ', one core unless said)':60} value")
    for names in (["greedy"], ["random"], ["greedy", "counter"]):
        table = Table(rules, names, seed=1)
        deals = len(table.play(0, GAMES).deals)
        seconds = median_seconds(lambda table=table: table.play(0, GAMES))
        print(f"{' against '.join((names * 2)[:2]) + ', tallies in memory':60} {deals / seconds:,.0f} deals/s")
    table = Table(rules, ["greedy"], seed=1)
    deals = len(table.play(0, GAMES).deals)
    with tempfile.TemporaryDirectory() as folder:
        seconds = median_seconds(lambda: write(table, Path(folder)))
        size = sum(file.stat().st_size for file in Path(folder).iterdir())
    print(f"{'greedy against greedy, Parquet written':60} {deals / seconds:,.0f} deals/s, {size / deals:.1f} bytes a deal")
    one = median_seconds(lambda: (table.play(0, GAMES), table.play(GAMES, GAMES)))
    print(f"{'two threads against one':60} {one / median_seconds(lambda: two_threads(table)):.2f} times")
    print(f"{'exact frequencies of 7 cards':60} {median_seconds(lambda: exact(rules, 7)):.2f} s")
    command = [sys.executable, "-m", "cli", "replay", "kombinator", "--game", "1", "--strategy", "greedy", "--format", "jsonl"]
    print(f"{'a whole second command (replay of one game)':60} {median_seconds(lambda: subprocess.run(command, check=True, capture_output=True)):.2f} s")


if __name__ == "__main__":
    main()
