"""Rates of Seven Card Combo on this machine, one run, and what each seat is worth. Prints medians and means; judges nothing."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import numpy as np

import simcore
from simcore.games.seven_card_combo.frequencies import counted, exact
from simcore.simulate import Table

REPEATS = 5
GAMES = 20_000
SEAT_GAMES = 200_000
RULES = simcore.rules("seven_card_combo")


def median_seconds(task: Callable[[], object]) -> float:
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        task()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def count_anew() -> None:
    counted.cache_clear()
    exact(RULES, 7)


def by_place(strategy: str, players: int) -> tuple[np.ndarray, np.ndarray]:
    """By place in the order of turns: mean points of a deal, and the share of deals won."""
    table = Table(RULES, [strategy], players, seed=1)
    parts = []
    for first in range(0, SEAT_GAMES, GAMES):
        deals = table.play(first, GAMES).deals
        order = (deals["leader"][:, None].astype(np.int64) + np.arange(players)) % players
        parts.append(np.take_along_axis(deals["points"], order, axis=1))
    points = np.concatenate(parts).astype(np.float64)
    best = points == points.min(axis=1, keepdims=True)
    return points.mean(axis=0), (best / best.sum(axis=1, keepdims=True)).mean(axis=0)


def main() -> None:
    print(f"{'what (median of ' + str(REPEATS) + ', one core)':60} value")
    for players in (2, 4):
        for name in ("random", "greedy", "reader", "exact"):
            table = Table(RULES, [name], players, seed=1)
            games = GAMES if name != "exact" else GAMES // 100
            deals = len(table.play(0, games).deals)
            seconds = median_seconds(lambda table=table, games=games: table.play(0, games))
            print(f"{f'{players} players, all {name}, tallies in memory':60} {deals / seconds:,.0f} deals/s")
    count_anew()
    print(f"{'exact frequencies of all 133,784,560 hands of 7 cards':60} {median_seconds(count_anew):.2f} s")
    print(f"\nmean points of a deal, and share of deals won, by place in the order of turns; {3 * SEAT_GAMES:,} deals each")
    for players in (2, 3, 4):
        for name in ("random", "greedy", "reader"):
            told = "  ".join(f"{mean:+.4f} ({share:.2%})" for mean, share in zip(*by_place(name, players), strict=True))
            print(f"{f'{players} players, all {name}':30} {told}")


if __name__ == "__main__":
    main()
