"""Tuning: a known table is found again from its own shares, limits are kept, and a search goes on where it was interrupted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import cli
import simcore
from experiments import tune as tuning
from experiments.tune import FRONT, tune, tune_into
from experiments.tune_file import Goal, read_task
from simcore.errors import InputError

GAMES = 400


def shares(ruleset: str, strategy: str = "random", games: int = GAMES) -> dict[str, float]:
    """Share of each item of all points in the games that are searched on."""
    tallies = simcore.play(ruleset, [strategy], games).tallies
    points = dict(tallies.group_by("item").agg(pl.col("points").sum()).iter_rows())
    return {item: worth / sum(points.values()) for item, worth in points.items()}


def written(folder: Path, base: str, goals: str, limits: str = "", head: str = "") -> Path:
    file = folder / "wanted.toml"
    file.write_text(f'[tune]\nbase = "{base}"\ngames = {GAMES}\nconfirm = 600\n{head}\n[goals]\n{goals}\n[limits]\n{limits}\n')
    return file


def tuned(folder: Path, *parts: str, **more: str) -> dict[str, Any]:
    return tune(written(folder, *parts, **more))


def test_a_known_table_is_found_again_from_its_own_shares(tmp_path: Path) -> None:
    """Three prices are spoiled. Random players read no table, so games of a fixed number of deals are the same by every table."""
    fixed = "start_score=100000, max_deals=6"
    target = shares(f"kombinator({fixed})")
    goals = "\n".join(f"{key}_points_share = {target[key]}" for key in ("pair", "small_row", "marriage", "triple"))
    found = tuned(tmp_path, f"kombinator({fixed}, pair=40, small_row=9, marriage=1)", goals, 'vary = ["pair", "small_row", "marriage", "triple"]')
    assert found["winner"] == f"kombinator({fixed})"
    assert found["tables"][0]["changes"] == {"pair": [40, 3], "small_row": [9, 3], "marriage": [1, 4]}
    assert found["tables"][0]["searched"]["pair_points_share"] == pytest.approx(target["pair"])
    assert found["front"][0]["misses"]["pair_points_share"] == pytest.approx(0)


def test_a_planted_pair_of_40_is_put_right_for_players_who_adapt(tmp_path: Path) -> None:
    target = sum(share for item, share in shares("kombinator", "greedy").items() if simcore.rules("kombinator").schema.points[item].category == "block")
    goals = f"block_points_share = {target}\ndeals_per_game = [5.5, 6.1]"
    found = tuned(tmp_path, "kombinator(pair=40)", goals, "changes = 2", head='strategies = ["greedy"]')
    assert found["tables"][0]["changes"]["pair"][1] in (2, 3, 4)
    assert found["rounds"] >= 2, "the block is played anew by the better table"


def test_limits_are_kept(tmp_path: Path) -> None:
    limits = "\n".join(
        ['fix = ["court_card"]', "ranges = { pair = [2, 4] }", "multiples = { small_row = 5, marriage = 3 }", "changes = 3", "no_inversions = true"]
    )
    found = tuned(tmp_path, "kombinator", "deals_per_game = 14\nfirst_mover_win_share = [0.48, 0.52]", limits)
    for table in found["tables"]:
        changes = {key: new for key, (_, new) in table["changes"].items()}
        assert len(changes) <= 3 and "court_card" not in changes and changes.get("pair", 3) in (2, 3, 4)
        assert changes.get("small_row", 5) % 5 == 0 and changes.get("marriage", 3) % 3 == 0
        points = simcore.rules(table["ruleset"]).points
        for kind in ("row", "queue", "optima"):
            rising = [points[f"{size}_{kind}"] for size in ("small", "medium", "large", "great", "legendary")]
            assert rising == sorted(rising)


def test_nothing_is_changed_where_the_goals_are_reached(tmp_path: Path) -> None:
    found = tuned(tmp_path, "kombinator", "deals_per_game = [5, 15]\nseat_0_win_share = [0.3, 0.7]")
    assert found["winner"] == "kombinator" and found["tables"][0]["changes"] == {}
    assert {each["verdict"] for each in found["tables"][0]["confirmed"].values()} == {"reached"}


def test_conflicting_goals_leave_a_front(tmp_path: Path) -> None:
    """Longer games and more points a deal exclude each other."""
    found = tuned(tmp_path, "kombinator", "deals_per_game = { min = 12 }\npoints_per_deal = { min = 30 }", 'vary = ["pair", "small_row"]')
    front = [(*each["misses"].values(), each["changes"]) for each in found["front"]]
    assert 3 < len(front) <= FRONT
    assert front[0][0] == 0 < front[0][1] and front[-1][1] == 0 < front[-1][0], "from one goal to the other"
    for point in front:
        assert not any(other != point and all(a <= b for a, b in zip(other, point, strict=True)) for other in front)


def test_confirmed_in_fresh_games_of_the_very_tables(tmp_path: Path) -> None:
    found = tuned(tmp_path, "kombinator", "points_per_deal = { min = 30 }", 'vary = ["pair"]')
    table = found["tables"][0]
    games = simcore.play(table["ruleset"], ["random"], GAMES + 600)
    fresh = games.tallies.filter(pl.col("game") >= GAMES)["points"].sum() / games.deals.filter(pl.col("game") >= GAMES).height
    assert table["confirmed"]["points_per_deal"]["estimate"]["value"] == pytest.approx(fresh)


def test_fewer_changes_come_first_among_tables_that_serve(tmp_path: Path) -> None:
    found = tuned(tmp_path, "kombinator", "deals_per_game = [9.5, 12]")
    assert len(found["tables"][0]["changes"]) == 1


def test_an_interrupted_search_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = written(tmp_path, "kombinator", "deals_per_game = 12", 'vary = ["pair", "small_row"]', head='strategies = ["greedy"]')
    whole = tune(file)
    calls = 0
    search = tuning._searched

    def interrupted(*arguments: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == 2:
            raise KeyboardInterrupt
        return search(*arguments)

    folder = tmp_path / "out"
    monkeypatch.setattr(tuning, "_searched", interrupted)
    with pytest.raises(KeyboardInterrupt):
        tune_into(file, folder)
    assert (folder / "state.json").exists() and not (folder / "tuned.toml").exists()
    found, compared = tune_into(file, folder)
    assert found == whole and compared is not None and compared["b"] == found["winner"]
    assert {each.name for each in folder.iterdir()} == {"tuned.toml", "tune.json", "comparison.json"}
    assert simcore.rules(str(folder / "tuned.toml")).canonical == found["winner"]
    with pytest.raises(InputError, match="not empty"):
        tune_into(file, folder)


def test_misses() -> None:
    assert Goal("a", 0.3, 0.3, 1, True).miss(0.32) == pytest.approx(2)
    assert Goal("a", 6, 9, 1, False).miss(12) == pytest.approx(3 / 0.06) and Goal("a", 6, 9, 1, False).miss(7) == 0
    assert Goal("a", 6, float("inf"), 1, False).miss(5) == pytest.approx(1 / 0.06)


@pytest.mark.parametrize(
    ("goals", "limits", "words"),
    [
        ("deals_per_gam = 6", "", "Did you mean 'deals_per_game'"),
        ("bouts_per_deal = 6", "", "nothing that prices decide"),
        ("deals_per_game = [9, 6]", "", "a range such as"),
        ("", "", "is empty"),
        ("deals_per_game = 6", 'vary = ["pare"]', "Did you mean 'pair'"),
        ("deals_per_game = 6", "ranges = { pair = 3 }", "two whole numbers"),
        ("deals_per_game = 6", "multiples = { pair = 0 }", "from 1 on"),
        ("deals_per_game = 6", 'vary = ["pair"]\nranges = { pair = [3, 3] }', "no price that may change"),
        ("deals_per_game = 6", "change = 3", "unknown key 'change'"),
        ("deals_per_game = 6", 'vary = [["pair"]]', "is no price of kombinator"),
        ("deals_per_game = 6", "ranges = { pair = [true, 5] }", "two whole numbers"),
        ("deals_per_game = 6", "ranges = { pair = [1, 1000000000] }", "between -100000 and 100000"),
        ("deals_per_game = inf", "", "a range such as"),
        ("pair_points_share = 1.7", "", "between 0 and 1"),
        ("deals_per_game = 6\n[weights]\ndeals_per_game = inf", "", "a number above 0"),
    ],
)
def test_mistakes_are_told(tmp_path: Path, goals: str, limits: str, words: str) -> None:
    with pytest.raises(InputError) as caught:
        tuned(tmp_path, "kombinator", goals, limits)
    assert words in str(caught.value)


def test_the_present_price_is_always_a_candidate(tmp_path: Path) -> None:
    task = read_task(written(tmp_path, "kombinator", "", "multiples = { pair = 2 }"))
    assert task.candidates["pair"] == (2, 3, 4, 6, 8, 10) and task.candidates["dump"] == (0, 1, 2, 3, 4, 5)


def test_what_was_spoiled_can_be_put_right_without_a_range(tmp_path: Path) -> None:
    """The game's own table pays 17 for a legendary row, and nothing for a dump."""
    for base in ("kombinator(legendary_row=1)", "kombinator(points.legendary_row=0)"):
        candidates = read_task(written(tmp_path, base, "deals_per_game = 9")).candidates
        assert set(range(1, 40)) <= set(candidates["legendary_row"]) and candidates["dump"] == tuple(range(6)) and candidates["pair"] == tuple(range(1, 12))
    candidates = read_task(written(tmp_path, "seven_card_combo(full_house=4)", "deals_per_game = 9")).candidates
    assert candidates["full_house"] == (*range(-7, 0), 4) and candidates["seven_flush"][-1] == -1


def test_what_is_not_played_at_0_stays_so(tmp_path: Path) -> None:
    """GA9: whether there is big gin is a rule, what it is worth a price."""
    for base, values in (("gin_rummy", {0}), ("gin_rummy(big_gin=2)", set(range(1, 10)))):
        assert set(read_task(written(tmp_path, base, "deals_per_game = 9")).candidates["big_gin"]) == values


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(tmp_path, "gin_rummy", "deals_per_game = { max = 9 }", 'vary = ["gin_bonus", "undercut_bonus"]', head='strategies = ["simple"]')
    assert cli.main(["tune", str(file), "--out", str(tmp_path / "out"), "--lang", "ru"]) == 0
    told = capsys.readouterr().out
    assert "Лучшая: gin_rummy(" in told.splitlines()[-2] and told.splitlines()[-1].startswith("Записано: ")
    assert "достигнута" in told and "Точно изменилось: " in told and "Нужно ещё игр" not in told
    assert cli.main(["tune", str(file), "--out", str(tmp_path / "json"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["winner"] == json.loads((tmp_path / "out" / "tune.json").read_text())["winner"]
    file.write_text('base = "gin_rummy"\n')
    assert cli.main(["tune", str(file), "--out", str(tmp_path / "none")]) == 2
    assert "allowed are tune, goals, weights, limits, compensation" in capsys.readouterr().err
    file.write_text('[tune]\nbase = "gin_rummy"\n[goals]\ndeals_per_gam = 6\n')
    assert cli.main(["tune", str(file), "--out", str(tmp_path / "none")]) == 2
    assert not (tmp_path / "none").exists()
