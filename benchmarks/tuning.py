"""How long the answers about prices take on this machine. Prints the best of several; judges nothing.

Run by ``make bench``; with a number of games as argument alone for another size than a million.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import simcore
from experiments.lint import lint
from experiments.price import price
from experiments.runs import run
from experiments.whatif import whatif
from simcore.simulate import Table

REPEATS = 3


def best(task: Callable[[], object]) -> float:
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        task()
        times.append(time.perf_counter() - start)
    return min(times)


def main(games: int) -> None:
    rules = simcore.rules("kombinator")
    with tempfile.TemporaryDirectory() as folder:
        stored = run(Table(rules, ["random"]), games, Path(folder) / "run")
        for settings in (("pair=4",), ("pair=4", "triple=7", "small_row=2"), ("legendary_row=20",)):
            seconds = best(lambda changes=settings: whatif(stored.folder, changes))
            print(f"what-if of {games:,} stored games, {stored.info['deals']:,} deals, {', '.join(settings)}: {seconds:.2f} s")
    print(f"lint, 2,000 games of each strategy: {best(lambda: lint(rules)):.2f} s")
    print(f"price, 2,000 games of each strategy: {best(lambda: price(rules)):.2f} s")


if __name__ == "__main__":
    main(int(float(sys.argv[1])) if len(sys.argv) > 1 else 1_000_000)
