"""Runs: the same records however they are played, killed or continued; nothing overwritten, nothing half-written."""

from __future__ import annotations

import errno
import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import simcore
from experiments import precise, runs
from experiments.overview import results
from experiments.progress import Progress
from experiments.run_info import table_of
from experiments.summary import summary
from experiments.verify import verify
from simcore.errors import InputError, StrategyError
from simcore.simulate import Table

ROOT = Path(__file__).parent.parent
GAMES = 60
TABLES = ("games", "deals", "tallies")


@pytest.fixture(scope="module")
def table() -> Table:
    return Table(simcore.rules("kombinator"), ["greedy", "random"], 2, 3)


@pytest.fixture(scope="module")
def even() -> Table:
    """A table at which nobody is better, so that win shares take many games to be known."""
    return Table(simcore.rules("kombinator"), ["greedy"], 2, 3)


@pytest.fixture
def whole(table, tmp_path) -> runs.Run:
    return runs.run(table, GAMES, tmp_path / "whole", threads=1, batch=20)


def frames(run: runs.Run) -> dict[str, pl.DataFrame]:
    return {name: getattr(run, name).collect() for name in TABLES}


def assert_same(a: runs.Run, b: runs.Run) -> None:
    for key in ("tallies_hash", "points_total", "deals", "played", "finished"):
        assert a.info[key] == b.info[key], key
    for name, frame in frames(a).items():
        assert_frame_equal(frame, frames(b)[name])


@pytest.mark.parametrize("batch", [1, 7, 1000, None])
@pytest.mark.parametrize("threads", [1, 2])
def test_batches_and_threads_change_nothing(table, whole, tmp_path, batch, threads):
    assert_same(runs.run(table, GAMES, tmp_path / "other", threads, batch), whole)


def test_a_run_has_the_rows_of_its_games(table, whole):
    games, deals, tallies = frames(whole).values()
    assert games["game"].to_list() == list(range(GAMES))
    assert games["deals"].sum() == deals.height == whole.info["deals"]
    assert tallies["points"].sum() == whole.info["points_total"]
    played = simcore.play(table.ruleset, ["greedy", "random"], games=GAMES, seed=3)
    for name, frame in frames(whole).items():
        assert_frame_equal(frame, getattr(played, name))


def test_run_json_says_how_to_play_it_again(whole):
    info = json.loads((whole.folder / "run.json").read_text("utf-8"))
    assert info["command"] == "simcore run kombinator --games 60 --seed 3 --players 2 --strategy greedy --strategy random"
    assert info["finished"] and info["games"] == GAMES and info["batch"] == 20 and info["seconds"] > 0
    assert info["strategies"] == ["greedy", "random"] and len(info["tallies_hash"]) == 16
    assert {"python", "numpy", "numba", "polars", "simcore"} == set(info["versions"])
    assert whole.ruleset.canonical == "kombinator"
    assert table_of(info).canonical_strategies == ("greedy", "random")


def test_what_is_loaded_is_what_was_played(whole):
    assert_same(runs.load_run(whole.folder), whole)


def test_results_by_seat(whole):
    rows = results(whole)
    games = whole.games.collect()
    assert [row["strategy"] for row in rows] == ["greedy", "random"]
    assert rows[0]["win_share"].value == pytest.approx(games["share_0"].mean())
    assert rows[0]["win_share"].low <= rows[0]["win_share"].value <= rows[0]["win_share"].high


def test_progress_reaches_the_end(table, tmp_path):
    told: list[Progress] = []
    runs.run(table, GAMES, tmp_path / "run", 1, 20, told.append)
    assert [each.played for each in told] == [0, 20, 40, 60]
    assert told[-1].told(2.0).startswith("60 of 60 games, ") and told[-1].told(2.0).endswith("0 s left")


def test_an_interrupted_run_goes_on(table, whole, tmp_path):
    class Enough(Exception):
        pass

    def stop(progress: Progress) -> None:
        if progress.played >= 20:
            raise Enough

    with pytest.raises(Enough):
        runs.run(table, GAMES, tmp_path / "run", 1, 20, stop)
    assert not runs.load_run(tmp_path / "run").info["finished"]
    assert_same(runs.resume(tmp_path / "run", 2), whole)


KILLS = 20


def test_a_run_killed_at_twenty_random_moments_is_the_same_run(table, tmp_path):
    """kill -9 at random moments of playing and writing, resumed each time, until the twentieth; then to the end."""
    rng, killed = random.Random(5), tmp_path / "killed"
    games, kills = 12_000, 0
    command = f"run kombinator --strategy greedy --strategy random --seed 3 --games {games} --batch 20 --out {killed}".split()
    while kills < KILLS:
        before = len(list(killed.glob("batches/[0-9]*")))
        process = subprocess.Popen([sys.executable, "-m", "cli", *command, "--threads", "2"], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        limit = time.monotonic() + 240
        while len(list(killed.glob("batches/[0-9]*"))) == before and process.poll() is None and time.monotonic() < limit:
            time.sleep(0.002)
        time.sleep(rng.random() * 0.1)
        assert process.poll() is None, "the run ended before it could be killed: make it longer"
        process.send_signal(signal.SIGKILL)
        process.wait()
        kills += 1
        command = ["run", "--resume", str(killed)]
    (killed / "batches" / ".tmp-left").mkdir()
    part = runs.load_run(killed)
    assert not part.info["finished"] and 20 * KILLS <= part.info["played"] < games
    assert_same(runs.resume(killed), runs.run(table, games, tmp_path / "whole"))
    assert not list(killed.glob("batches/.tmp-*"))


def test_a_full_disk_ends_in_one_sentence_and_the_run_goes_on(table, whole, tmp_path, monkeypatch):
    write, written = pl.DataFrame.write_parquet, []

    def full(self, file, **options):
        written.append(file)
        if len(written) > 4:
            raise OSError(errno.ENOSPC, "No space left on device")
        write(self, file, **options)

    with monkeypatch.context() as patch, pytest.raises(InputError, match="No space left on device"):
        patch.setattr(pl.DataFrame, "write_parquet", full)
        runs.run(table, GAMES, tmp_path / "run", 1, 20)
    assert runs.load_run(tmp_path / "run").info["played"] == 20
    assert_same(runs.resume(tmp_path / "run"), whole)


# ------------------------------------------------------------------ added, joined, checked


@pytest.mark.parametrize("batch", [7, 20, None])
def test_an_extended_run_is_one_that_was_played_in_one_piece(table, whole, tmp_path, batch):
    first = runs.run(table, 25, tmp_path / "run", 2, batch)
    assert first.info["games"] == 25
    done = runs.extend(runs.extend(first.folder, 1).folder, GAMES - 26, threads=1)
    assert_same(done, whole)
    assert_same(runs.load_run(first.folder), whole)
    assert done.info["command"] == whole.info["command"]


def test_an_extension_that_was_interrupted_goes_on(table, whole, tmp_path):
    class Enough(Exception):
        pass

    def stop(progress: Progress) -> None:
        if progress.games_now:
            raise Enough

    runs.run(table, 20, tmp_path / "run", 1, 20)
    with pytest.raises(Enough):
        runs.extend(tmp_path / "run", GAMES - 20, 1, stop)
    assert not runs.load_run(tmp_path / "run").info["finished"]
    assert_same(runs.resume(tmp_path / "run"), whole)


def test_merged_halves_are_the_whole(table, whole, tmp_path):
    halves = [runs.run(table, 31, tmp_path / "a", batch=20), runs.run(table, GAMES - 31, tmp_path / "b", batch=9, first=31)]
    assert halves[1].games.collect()["game"].to_list() == list(range(31, GAMES))
    assert "--first 31" in halves[1].info["command"]
    merged = runs.merge([half.folder for half in reversed(halves)], tmp_path / "merged")
    assert_same(merged, whole)
    assert merged.info["command"] == whole.info["command"]
    assert_same(runs.resume(merged.folder), whole)
    more = runs.extend(merged.folder, 5)
    assert more.info["games"] == GAMES + 5 and more.games.collect()["game"].to_list() == list(range(GAMES + 5))


def test_an_interrupted_merger_goes_on(table, whole, tmp_path, monkeypatch):
    halves = [runs.run(table, 40, tmp_path / "a", batch=20), runs.run(table, GAMES - 40, tmp_path / "b", first=40)]
    copy, copied = runs.copy_batch, []

    def twice(*arguments):
        copied.append(arguments)
        if len(copied) > 2:
            raise KeyboardInterrupt
        copy(*arguments)

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(runs, "copy_batch", twice)
        runs.merge([half.folder for half in halves], tmp_path / "merged")
    assert_same(runs.resume(tmp_path / "merged"), whole)


def test_what_does_not_fit_together_is_not_merged(table, whole, tmp_path):
    other = runs.run(Table(simcore.rules("kombinator"), ["greedy", "random"], 2, 4), 5, tmp_path / "seed", first=GAMES)
    gap = runs.run(table, 5, tmp_path / "gap", first=GAMES + 1)
    overlap = runs.run(table, 5, tmp_path / "overlap", first=GAMES - 1)
    for wrong, told in ((other, "their seed differs, 3 and 4"), (gap, "leave a gap"), (overlap, "overlap")):
        with pytest.raises(InputError, match=told):
            runs.merge([whole.folder, wrong.folder], tmp_path / "merged")
        assert not (tmp_path / "merged").exists()
    with pytest.raises(InputError, match="at least two runs"):
        runs.merge([whole.folder])
    file = gap.folder / "run.json"
    file.write_text(json.dumps(json.loads(file.read_text("utf-8")) | {"finished": False}), "utf-8")
    with pytest.raises(InputError, match="not finished"):
        runs.merge([whole.folder, gap.folder])


def test_numbers_to_add_and_first_games_are_checked(table, whole):
    for games in (0, -1, 2**63):
        with pytest.raises(InputError, match="games to add"):
            runs.extend(whole.folder, games)
    with pytest.raises(InputError, match="the first game is"):
        runs.run(table, 5, first=-1)


def test_stored_games_are_verified(whole):
    found = verify(whole, 1000)
    assert found == {"run": str(whole.folder), "games": GAMES, "checked": GAMES, "different": [], "same_sources": True}
    assert verify(whole, 7)["checked"] == 7
    with pytest.raises(InputError, match="at least 1"):
        verify(whole, 0)


def test_a_forged_game_is_found(whole):
    part = whole.folder / "batches" / "000000000020" / "tallies.parquet"
    frame = pl.read_parquet(part)
    game = frame["game"][5]
    frame.with_columns(points=pl.when(pl.int_range(pl.len()) == 5).then(pl.col("points") + 1).otherwise(pl.col("points"))).write_parquet(part)
    assert verify(whole, GAMES)["different"] == [{"game": game, "table": "tallies"}]


def test_a_run_stops_when_its_win_shares_are_known(even, tmp_path):
    told: list[Progress] = []
    done = precise.run_until(even, 0.02, out=tmp_path / "run", progress=told.append)
    rule = done.info["stopping"]
    assert told[0].precision is None and 0.02 < told[-1].precision < 0.1 and "known to ±0.0" in told[-1].told(1.0)
    assert rule["reached"] and rule["looks"][0] == 1000 and rule["looks"][-1] == done.info["games"]
    assert set(rule["intervals"]) == {"seat_0_win_share", "seat_1_win_share", "leader_win_share"}
    assert all(high - low <= 2 * 0.02 + 1e-12 for low, high in rule["intervals"].values())
    assert_same(done, runs.run(even, done.info["games"], tmp_path / "whole"))
    assert runs.load_run(done.folder).info["stopping"] == rule


def test_the_summary_and_the_results_of_a_precise_run_have_its_own_intervals(even, tmp_path):
    """An interval for a fixed number of games would be narrower, and wrong: the run was looked at until it was narrow."""
    done = precise.run_until(even, 0.02, out=tmp_path / "run")
    plain = runs.run(even, done.info["games"], tmp_path / "plain")
    told, fixed = (summary(each.info, each.ruleset, each.games, each.deals, each.tallies) for each in (done, plain))
    for place, (row, other) in enumerate(zip(told["seats"], fixed["seats"], strict=True)):
        share = row["win_share"]
        assert share["method"] == "sequence" and other["win_share"]["method"] != "sequence"
        assert [share["low"], share["high"]] == pytest.approx(done.info["stopping"]["intervals"][f"seat_{place}_win_share"])
        assert share["value"] == pytest.approx(other["win_share"]["value"])
        assert share["high"] - share["low"] > 1.2 * (other["win_share"]["high"] - other["win_share"]["low"])
    for row, seat in zip(results(done), told["seats"], strict=True):
        assert row["win_share"].to_dict() == pytest.approx(seat["win_share"])
    leader, other = told["lead"]["leader"], fixed["lead"]["leader"]
    assert [leader["low"], leader["high"]] == pytest.approx(done.info["stopping"]["intervals"]["leader_win_share"])
    assert leader["value"] == pytest.approx(other["value"]) and (leader["method"], other["method"]) == ("sequence", "mover")
    assert leader["high"] - leader["low"] > 1.2 * (other["high"] - other["low"])
    assert [told["lead"]["others"][end] for end in ("low", "high")] == pytest.approx([1 - leader["high"], 1 - leader["low"]])
    assert {seat[name]["method"] for seat in told["lead"]["seats"] for name in ("if_led", "if_not")} == {"sequence"}
    (headline,) = (each["estimate"] for each in told["findings"] if each["key"] == "leader")
    assert headline == leader


def test_a_precise_run_that_was_interrupted_stops_at_the_same_game(even, tmp_path):
    class Enough(Exception):
        pass

    def stop(progress: Progress) -> None:
        if progress.played > 1000:
            raise Enough

    with pytest.raises(Enough):
        precise.run_until(even, 0.02, out=tmp_path / "run", batch=400, threads=1, progress=stop)
    whole = precise.run_until(even, 0.02, out=tmp_path / "whole")
    again = precise.resume(tmp_path / "run")
    assert_same(again, whole)
    assert again.info["stopping"] == whole.info["stopping"]


def test_a_limit_of_games_is_kept(table, tmp_path):
    done = precise.run_until(table, 0.001, most=1500, out=tmp_path / "run")
    assert done.info["games"] == 1500 and not done.info["stopping"]["reached"]
    with pytest.raises(InputError, match="precision of a win share"):
        precise.run_until(table, 0.5, out=tmp_path / "other")


def test_resuming_a_finished_run_plays_nothing(whole):
    before = {path: path.stat().st_mtime_ns for path in whole.folder.rglob("*")}
    assert_same(runs.resume(whole.folder), whole)
    assert before == {path: path.stat().st_mtime_ns for path in whole.folder.rglob("*")}


def test_other_sources_do_not_continue_a_run(whole):
    file = whole.folder / "run.json"
    info = json.loads(file.read_text("utf-8"))
    file.write_text(json.dumps(info | {"source_hash": "0", "finished": False}), "utf-8")
    with pytest.raises(InputError, match="begun with other sources"):
        runs.resume(whole.folder)


def test_default_folders_never_meet(table, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = [str(runs.run(table, 2, threads=1).folder) for _ in range(3)]
    assert names == ["runs/kombinator-2-s3", "runs/kombinator-2-s3-2", "runs/kombinator-2-s3-3"]


def test_a_folder_with_something_in_it_is_refused(table, tmp_path):
    (tmp_path / "mine.txt").write_text("precious")
    with pytest.raises(InputError, match="is not empty"):
        runs.run(table, 2, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
    with pytest.raises(InputError, match="is a file"):
        runs.run(table, 2, tmp_path / "mine.txt")
    with pytest.raises(InputError, match=r"cannot be written to|is a file"):
        runs.run(table, 2, tmp_path / "mine.txt" / "run")


@pytest.mark.parametrize("wrong", [{"games": 0}, {"games": -5}, {"threads": 0}, {"batch": 0}])
def test_numbers_out_of_range(table, tmp_path, wrong):
    with pytest.raises(InputError):
        runs.run(table, **({"games": 5, "out": tmp_path / "run"} | wrong))
    assert not (tmp_path / "run").exists()


def test_a_strategy_that_breaks_the_rules_leaves_nothing(tmp_path):
    bot = tmp_path / "cheat.py"
    bot.write_text(
        "from simcore import Strategy\n"
        "def attack(view, rules, params, work, move):\n    return False\n"
        "def defend(view, rules, params, work, move):\n    return False\n"
        "cheat = Strategy('Never chooses.', {'attack': attack, 'defend': defend})\n"
    )
    with pytest.raises(StrategyError, match="cheat"):
        runs.run(Table(simcore.rules("kombinator"), [f"{bot}:cheat"], 2, 1), 10, tmp_path / "deep" / "run")
    assert not (tmp_path / "deep").exists()


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("place", [0.0, 0.5, 1.0])
def test_a_corrupted_part_is_named(whole, name, place):
    part = whole.folder / "batches" / "000000000020" / f"{name}.parquet"
    data = bytearray(part.read_bytes())
    data[int(place * (len(data) - 1))] ^= 0x40
    part.write_bytes(data)
    with pytest.raises(InputError, match=f"000000000020/{name}.parquet' is corrupted"):
        runs.load_run(whole.folder)


def test_what_is_missing_or_strange_is_named(whole, tmp_path):
    with pytest.raises(InputError, match="no such folder"):
        runs.load_run(tmp_path / "nowhere")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"is not a run: it has no run\.json"):
        runs.load_run(tmp_path / "empty")
    with pytest.raises(InputError, match=rf"no run\.json; a run in it is '{whole.folder}'"):
        runs.load_run(whole.folder.parent)
    (tmp_path / "empty" / "run.json").write_text("{")
    with pytest.raises(InputError, match="it is not JSON"):
        runs.load_run(tmp_path / "empty")
    batches = whole.folder / "batches"
    (batches / "000000000020" / "deals.parquet").unlink()
    with pytest.raises(InputError, match=r"deals\.parquet' cannot be read"):
        runs.load_run(whole.folder)
    (batches / "000000000020").rename(tmp_path / "away")
    with pytest.raises(InputError, match="000000000020' is missing"):
        runs.load_run(whole.folder)
    (batches / "notes").mkdir()
    with pytest.raises(InputError, match="does not belong into the run"):
        runs.load_run(whole.folder)


def test_a_run_without_games_says_so(whole):
    for place in (whole.folder / "batches").iterdir():
        for file in place.iterdir():
            file.unlink()
        place.rmdir()
    file = whole.folder / "run.json"
    file.write_text(json.dumps(json.loads(file.read_text("utf-8")) | {"finished": False}), "utf-8")
    with pytest.raises(InputError, match="no finished games yet"):
        _ = runs.load_run(whole.folder).games
