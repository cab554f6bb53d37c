"""Batches of a run on a Dask cluster: the extra ``cluster`` (``pip install simcore[cluster]``), through joblib's own backend.

Workers write their batches straight into the folder of the run, so they must see it under the same path, and the same sources; a worker that has others
refuses. A batch is whole or not there, so a worker may die at any moment: its batches are given to another one.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any, Final

from experiments.run_folder import Totals, batch_folder, read_batch, write_batch
from experiments.run_info import source_hash, table_of
from simcore.errors import InputError
from simcore.simulate import Table

WAIT: Final = 30
"""Seconds to wait for the scheduler and its first worker."""
DECIDING: Final = ("game", "ruleset", "strategies", "players", "seed", "source_hash")
"""What of ``run.json`` decides what is played."""


def play_on_cluster(address: str, folder: Path, info: Mapping[str, Any], jobs: Sequence[tuple[int, int]]) -> Iterator[tuple[int, Totals]]:
    """Plays batches on the workers of a cluster; yields first games and totals as they come.

    Args:
        address: Of the scheduler, such as ``127.0.0.1:8786``.
        folder: The run, under a path that the workers have too.
        info: What ``run.json`` says.
        jobs: First games and numbers of games.

    Raises:
        InputError: The extra is not installed, there is no scheduler or no worker, or a worker has other sources.
    """
    try:
        from distributed import Client
    except ImportError:
        raise InputError("--cluster needs the extra 'cluster': pip install simcore[cluster]") from None
    from joblib import Parallel, delayed, parallel_config

    try:
        client = Client(address, timeout=WAIT, set_as_default=False)
    except (OSError, ValueError) as error:
        raise InputError(f"there is no Dask scheduler at '{address}': {error}") from None
    with closing(client):
        try:
            client.wait_for_workers(1, timeout=WAIT)
        except TimeoutError:
            raise InputError(f"the Dask scheduler at '{address}' has no workers") from None
        what = tuple((key, tuple(info[key]) if isinstance(info[key], list) else info[key]) for key in DECIDING)
        tasks = (delayed(_play)(str(folder.resolve()), what, first, count) for first, count in jobs)
        with parallel_config(backend="dask", client=client):
            yield from Parallel(n_jobs=-1, return_as="generator_unordered", batch_size=1)(tasks)


def _play(folder: str, what: tuple[tuple[str, Any], ...], first: int, count: int) -> tuple[int, Totals]:
    """On a worker: plays one batch, unless a worker that has died since had finished it."""
    place = Path(folder)
    if batch_folder(place, first).exists():
        return first, read_batch(place, first, check=True)
    table = _table(what)
    started = time.perf_counter()
    batch = table.play(first, count)
    return first, write_batch(place, batch, table, first, time.perf_counter() - started)


@cache
def _table(what: tuple[tuple[str, Any], ...]) -> Table:
    info = dict(what)
    table = table_of(info)
    if source_hash(table) != info["source_hash"]:
        raise InputError("a worker of the cluster has other sources or versions of the simulator or of a strategy than this machine")
    return table
