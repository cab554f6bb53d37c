"""Rates of durak on this machine, one run, and who wins: draws, and what moving first is worth. Prints medians and estimates; judges nothing."""

from __future__ import annotations

import statistics
import time

import simcore
from experiments.first_move import first_move
from simcore.games.durak.names import DEAL_ENDINGS
from simcore.simulate import Table

REPEATS = 5
GAMES = 20_000
MATCHES = 1_000
LED_GAMES = 10_000
STRATEGIES = ("greedy", "counter")


def deals_per_second(table: Table, games: int) -> float:
    deals = len(table.play(0, games).deals)
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        table.play(0, games)
        times.append(time.perf_counter() - start)
    return deals / statistics.median(times)


def main() -> None:
    print(f"{'what (median of ' + str(REPEATS) + ', one core)':60} value")
    for variant, seats in (("simple", (2, 4)), ("podkidnoy", (2, 4, 6)), ("pogony", (2,))):
        for players in seats:
            for name in ("random", "greedy", "thrifty", "counter"):
                table = Table(simcore.rules("durak", variant=variant), [name], players, seed=1)
                rate = deals_per_second(table, MATCHES if variant == "pogony" else GAMES)
                print(f"{f'{variant}, {players} players, all {name}, tallies in memory':60} {rate:,.0f} deals/s")
    print(f"\nshare of drawn deals ({GAMES:,}), win share of the leader by the rules and of who moves first whatever the cards ({LED_GAMES:,})")
    for variant in ("simple", "podkidnoy"):
        rules = simcore.rules("durak", variant=variant)
        for players in range(2, 7):
            for name in STRATEGIES:
                deals = Table(rules, [name], players, seed=1).play(0, GAMES).deals
                drawn = (deals["reason"] == DEAL_ENDINGS.index("draw")).mean()
                share = first_move(rules, [[name]], LED_GAMES, players=players)["panel"][0]["share"]
                leader, first = (f"{share[key]['value']:.3f}" for key in ("natural", "first"))
                print(f"{f'{variant}, {players} players, all {name}':60} {drawn:.1%}  {leader}  {first}")


if __name__ == "__main__":
    main()
