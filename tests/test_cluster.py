"""Runs on a Dask cluster on this machine: the same records, also where a worker is killed in mid-run."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest
from test_runs import assert_same

import simcore
from experiments import runs
from experiments.progress import Progress
from simcore.errors import InputError
from simcore.simulate import Table

distributed = pytest.importorskip("distributed")
pytestmark = pytest.mark.filterwarnings("default")  # of the libraries of the cluster, which are not ours to mend

GAMES = 600


@pytest.fixture(scope="module")
def cluster() -> Iterator[object]:
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None) as made:
        yield made


@pytest.fixture
def table() -> Table:
    return Table(simcore.rules("kombinator"), ["greedy", "random"], 2, 3)


def test_two_workers_play_the_same_games(cluster, table, tmp_path) -> None:
    done = runs.run(table, GAMES, tmp_path / "there", batch=50, cluster=cluster.scheduler_address)
    assert_same(done, runs.run(table, GAMES, tmp_path / "here"))
    assert_same(runs.load_run(done.folder), done)


def test_a_worker_that_is_killed_is_replaced(cluster, table, tmp_path) -> None:
    killed = []

    def kill(progress: Progress) -> None:
        if progress.games_now and not killed:
            with distributed.Client(cluster.scheduler_address, set_as_default=False) as client:
                killed.append(next(iter(client.run(os.getpid).values())))
            os.kill(killed[0], signal.SIGKILL)

    done = runs.run(table, 4 * GAMES, tmp_path / "there", batch=20, progress=kill, cluster=cluster.scheduler_address)
    assert killed
    assert_same(done, runs.run(table, 4 * GAMES, tmp_path / "here"))


def test_a_run_that_was_begun_here_goes_on_there(cluster, table, tmp_path) -> None:
    here = runs.run(table, 100, tmp_path / "run", batch=40)
    assert_same(runs.extend(here.folder, GAMES - 100, cluster=cluster.scheduler_address), runs.run(table, GAMES, tmp_path / "here"))


def test_no_scheduler_is_one_sentence(table, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("experiments.cluster.WAIT", 1)
    with pytest.raises(InputError, match="there is no Dask scheduler at '127.0.0.1:9'"):
        runs.run(table, 5, tmp_path / "run", cluster="127.0.0.1:9")
    assert not (tmp_path / "run").exists()
