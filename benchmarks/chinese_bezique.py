"""Rates of Chinese bezique on this machine, one run, one core. Prints medians; judges nothing.

Run by ``make bench``.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import simcore
from simcore.games.chinese_bezique.frequencies import exact
from simcore.simulate import Table

REPEATS = 5
DEALS = {"random": 5_000, "greedy": 2_000, "builder": 500, "counter": 500}


def median_seconds(task: Callable[[], object]) -> float:
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        task()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def main() -> None:
    def say(what: str, value: str) -> None:
        print(f"{what:60} {value}")

    rules = simcore.rules("chinese_bezique")
    say(f"what (median of {REPEATS}, one core)", "value")
    for name, deals in DEALS.items():
        table = Table(rules, [name], seed=1)
        table.play(0, 1)
        seconds = median_seconds(lambda table=table, deals=deals: table.play(0, deals))
        say(f"{name} against {name}, tallies in memory", f"{deals / seconds:,.0f} deals/s, {192 * deals / seconds / 1e6:.2f} million cards/s")
    say("exact frequencies of 12 cards", f"{median_seconds(lambda: exact(rules, 12)):.2f} s")


if __name__ == "__main__":
    main()
