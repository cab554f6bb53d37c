"""The same games at several tables: the block of them is the unit of every comparison, since they share their cards."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from experiments.progress import Progress, Report
from simcore.chance import MAX_SEED
from simcore.errors import InputError

if TYPE_CHECKING:
    from simcore.simulate import Batch, Table

CHUNK: Final = 2_000
"""Games that a thread plays at once at each table; decides nothing but the memory."""

Vector = Callable[["Batch"], Any]
Reduce = Callable[[list[Any]], Sequence[Any]]


def require_seed(seed: int) -> int:
    """The seed. Raises InputError where it is out of range."""
    if not 0 <= seed <= MAX_SEED:
        raise InputError(f"the seed is a whole number from 0 to {MAX_SEED}, got {seed}")
    return seed


def threads_of(threads: int | None) -> int:
    """The number of threads that is asked for, or one a core. Raises InputError below 1."""
    if threads is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if threads < 1:
        raise InputError(f"the number of threads is at least 1, got {threads}")
    return threads


def summed(
    tables: Sequence[Table],
    games: range,
    vector: Vector,
    reduce: Reduce,
    threads: int | None = None,
    progress: Report | None = None,
) -> tuple[list[Any], float]:
    """Plays the same games at several tables and adds up what is made of each chunk of blocks.

    Args:
        tables: The tables; equal numbers of games mean equal cards where their seeds are equal.
        games: Numbers of the games.
        vector: Makes an array of a batch, with one row a game; the batch is not kept.
        reduce: Makes arrays of whole numbers of these arrays, one a table; what stands at one position is added up over all chunks.
        threads: Threads that play; without it one a core.
        progress: Called now and then, from this thread; it counts games of all tables.

    Returns:
        The sums, and the seconds that one block took, all threads working.

    Raises:
        InputError: No games, or a number out of range.
        StrategyError: A strategy does not compile or made a move that the rules forbid.
    """
    from joblib import Parallel, delayed

    if not games:
        raise InputError("the number of games must be at least 1, got 0")
    for table in tables:
        table.play(games[0], 1)  # compiles, once for all threads
    workers = threads_of(threads)
    step = min(CHUNK, -(-len(games) // workers))

    def play(first: int) -> tuple[Sequence[Any], int, int]:
        count = min(step, games[-1] + 1 - first)
        vectors, deals = [], 0
        for table in tables:
            batch = table.play(first, count)
            vectors.append(vector(batch))
            deals += len(batch.deals)
        return reduce(vectors), count, deals

    totals: list[Any] = []
    played = deals = 0
    wanted = len(games) * len(tables)
    started = time.perf_counter()
    if progress:
        progress(Progress(None, 0, wanted, 0, 0))
    jobs = (delayed(play)(first) for first in range(games[0], games[-1] + 1, step))
    for part, count, dealt in Parallel(workers, backend="threading", return_as="generator_unordered", pre_dispatch=workers + 1)(jobs):
        totals = [np.asarray(each) for each in part] if not totals else [a + b for a, b in zip(totals, part, strict=True)]
        played, deals = played + count * len(tables), deals + dealt
        if progress:
            progress(Progress(None, played, wanted, deals, played))
    return totals, (time.perf_counter() - started) / len(games)
