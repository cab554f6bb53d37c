"""Rates of gin rummy on this machine, one run, one core; beside OpenSpiel's where that is installed. Prints medians; judges nothing.

Run by ``make bench``.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import simcore
from simcore.chance import SHUFFLE, below, open_stream
from simcore.compiled import kernel
from simcore.games.gin_rummy.combinations import CARDS, HAND
from simcore.games.gin_rummy.frequencies import count_all
from simcore.games.gin_rummy.splits import deadwood
from simcore.records import frames
from simcore.simulate import Table

REPEATS = 5
GAMES = 3_000
HANDS = 5_000_000
ROUNDS_THERE = 500


def median_seconds(task: Callable[[], object]) -> float:
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        task()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


@kernel
def deadwood_of_random_hands(hands: int, deck: Any, stream: Any, scratch: Any) -> int:
    """Sum of the least deadwood of hands each dealt from the top of a deck that is shuffled as far as it is dealt."""
    open_stream(stream, scratch, np.uint64(1), 0, 1, SHUFFLE)
    total = 0
    for _ in range(hands):
        hand = 0
        for i in range(HAND):
            j = i + below(stream, CARDS - i)
            card = deck[j]
            deck[j] = deck[i]
            deck[i] = card
            hand |= 1 << card
        total += deadwood(hand)
    return total


def write(table: Table, folder: Path) -> int:
    found = frames(table.play(0, GAMES), table)
    for name, frame in found.items():
        frame.write_parquet(folder / f"{name}.parquet", compression="zstd", compression_level=1)
    return found["deals"].height


def openspiel_rounds_a_second() -> float | None:
    """Random against random in OpenSpiel's own C++, every round from a clone of one initial state, which saves it a millisecond of set-up each."""
    try:
        import pyspiel
    except ImportError:
        return None
    state = pyspiel.load_game("gin_rummy").new_initial_state()
    bots = [pyspiel.make_uniform_random_bot(seat, 1 + seat) for seat in range(2)]

    def play() -> None:
        for number in range(ROUNDS_THERE):
            pyspiel.evaluate_bots(state.clone(), bots, number)

    return ROUNDS_THERE / median_seconds(play)


def main() -> None:
    def say(what: str, value: str) -> None:
        print(f"{what:60} {value}")

    rules = simcore.rules("gin_rummy")
    say(f"what (median of {REPEATS}, one core)", "value")
    rates = {}
    for name in ("random", "simple", "greedy", "patient", "defender", "counter"):
        table = Table(rules, [name], seed=1)
        games = GAMES if name != "random" else GAMES // 10
        deals = len(table.play(0, games).deals)
        rates[name] = deals / median_seconds(lambda table=table, games=games: table.play(0, games))
        say(f"{name} against {name}, tallies in memory", f"{rates[name]:,.0f} rounds/s")
    with tempfile.TemporaryDirectory() as folder:
        for name in ("random", "greedy"):
            table = Table(rules, [name], seed=1)
            deals = write(table, Path(folder))
            size = sum(file.stat().st_size for file in Path(folder).iterdir())
            seconds = median_seconds(lambda table=table: write(table, Path(folder)))
            say(f"{name} against {name}, Parquet written", f"{deals / seconds:,.0f} rounds/s, {size / deals:.1f} bytes a round")
    buffers = np.arange(CARDS), np.empty(2, np.uint64), np.empty(4, np.uint64)
    deadwood_of_random_hands(1, *buffers)
    say("least deadwood of random hands, dealt and counted", f"{HANDS / median_seconds(lambda: deadwood_of_random_hands(HANDS, *buffers)):,.0f} hands/s")
    say("exact frequencies of 8 cards", f"{median_seconds(lambda: count_all(8)):.2f} s")
    there = openspiel_rounds_a_second()
    if there is None:
        say("OpenSpiel", "not installed (pip install simcore[openspiel])")
    else:
        say("OpenSpiel, random against random", f"{there:,.0f} rounds/s")
        say("here against there, random against random, tallies in memory", f"{rates['random'] / there:,.0f} times")


if __name__ == "__main__":
    main()
