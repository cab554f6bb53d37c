"""What-if: the last integer of a new simulation where nobody reads the table, and what is said where the records cannot know."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import cli
import simcore
from experiments.ledger import Course, Deals, Ledger, Prices, changed_games
from experiments.runs import run
from experiments.whatif import confirm, whatif
from simcore.errors import InputError
from simcore.game import get
from simcore.records import TALLY, points_total, tallies_hash
from simcore.simulate import Batch, Table

# Rulesets whose games have a fixed number of deals, so that other prices cannot end them elsewhere.
FIXED = [
    ("kombinator(start_score=100000, max_deals=4)", 2, ("pair=4", "small_force=1", "jackpot=3", "court_card=5", "marriage=9", "dump=2", "assembly_beaten=60")),
    ("kombinator(start_score=100000, max_deals=3)", 4, ("pair=0", "superblow=-3", "ace=7", "large_force_beaten=90")),
    ("kombinator(start_score=100000, max_deals=60, superblow=adds)", 2, ("small_force=13", "points.superblow=41")),
    ("seven_card_combo", 2, ("three_pairs=-2", "full_house=-5", "loose_card=3")),
    ("seven_card_combo(deals=5)", 3, ("four_of_a_kind=0", "full_house=0")),
    ("gin_rummy(target=100000, max_deals=5)", 2, ("gin_bonus=77", "undercut_bonus=5")),
]


def stored(folder: Path, ruleset: str, strategies: list[str], games: int = 600, players: int | None = None, seed: int = 3) -> Path:
    run(Table(simcore.rules(ruleset), strategies, players, seed), games, folder, batch=250)
    return folder


def played(ruleset: str, settings: tuple[str, ...], strategies: list[str], games: int = 600, players: int | None = None, seed: int = 3) -> Batch:
    return Table(simcore.rules(ruleset).with_settings(settings), strategies, players, seed).play(0, games)


@pytest.mark.parametrize(
    ("ruleset", "players", "settings", "strategy"),
    [(*fixed, strategy) for fixed in FIXED for strategy in ("simple" if fixed[0].startswith("gin") else "random", "greedy")],
)
def test_equals_a_new_simulation_to_the_last_row(tmp_path: Path, ruleset: str, players: int, settings: tuple[str, ...], strategy: str) -> None:
    """The strategies are told the stored table, if they read any."""
    found = whatif(stored(tmp_path / "run", ruleset, [strategy], players=players), settings)
    old = simcore.rules(ruleset)
    again = Table(old.with_settings(settings), [strategy], players, 3, told=old).play(0, 600)
    assert found["points_total"] == points_total(again.tallies) != found["points_before"]
    assert found["tallies_hash"] == f"{tallies_hash(again.tallies):016x}"
    for seat in range(players):
        assert found["replayed"]["win_share"][seat]["after"]["value"] == pytest.approx(again.games["share"][:, seat].mean())
    assert found["replayed"]["deals_per_game"]["after"]["value"] == again.games["deals"].mean()
    assert found["replayed"]["changed"] > 0


def test_the_same_table_changes_nothing(tmp_path: Path) -> None:
    folder = stored(tmp_path / "run", "kombinator", ["greedy"])
    found = whatif(folder, ("pair=3",))
    info = json.loads((folder / "run.json").read_text())
    assert {key: found[key] for key in ("points_total", "tallies_hash", "deals")} == {key: info[key] for key in ("points_total", "tallies_hash", "deals")}
    assert found["replayed"]["changed"] == 0
    assert found["replayed"]["deals_per_game"]["before"] == found["replayed"]["deals_per_game"]["after"]


def test_the_final_account_is_scored_but_ends_no_game(tmp_path: Path) -> None:
    found = whatif(stored(tmp_path / "run", "gin_rummy", ["simple"]), ("box_bonus=3",))
    assert found["points_total"] == points_total(played("gin_rummy", ("box_bonus=3",), ["simple"]).tallies)
    assert found["replayed"]["changed"] == 0


@pytest.mark.parametrize("setting", ["pair=5", "pair=1"])
def test_games_end_about_where_new_ones_end(tmp_path: Path, setting: str) -> None:
    """Random players read no table, so what scoring again gets wrong is only the order within the last deal."""
    found = whatif(stored(tmp_path / "run", "kombinator", ["random"], 2_000), (setting,))
    again = played("kombinator", (setting,), ["random"], 2_000)
    replayed = found["replayed"]
    assert replayed["deals_per_game"]["after"]["value"] == pytest.approx(again.games["deals"].mean(), rel=0.02)
    assert replayed["win_share"][0]["after"]["value"] == pytest.approx(again.games["share"][:, 0].mean(), abs=0.03)
    assert (replayed["continued"] > 0) == (setting == "pair=1")
    assert replayed["through_broken"] <= replayed["continued"] and replayed["broken_deals"] > 0


def test_batches_change_nothing(tmp_path: Path) -> None:
    one = run(Table(simcore.rules("kombinator"), ["random"]), 300, tmp_path / "one", batch=300)
    many = run(Table(simcore.rules("kombinator"), ["random"]), 300, tmp_path / "many", batch=41)
    found = [whatif(each.folder, ("pair=1", "triple=9")) for each in (one, many)]
    for each in found:
        del each["run"], each["seconds"], each["deals_per_second"]
    assert found[0] == found[1]


def test_the_ledger_scores_as_the_rows_do(tmp_path: Path) -> None:
    """Every price of the table at once, deal by deal, against a simulation of the same deals."""
    ruleset = "kombinator(start_score=100000, max_deals=5)"
    keys = list(simcore.rules(ruleset).points)
    prices = np.arange(3, 3 + len(keys))
    settings = tuple(f"points.{key}={price}" for key, price in zip(keys, prices, strict=True))
    ledger = Ledger(get("kombinator"), simcore.rules(ruleset), [played(ruleset, (), ["random"])], 2, keys)
    again = played(ruleset, settings, ["random"])
    assert (ledger.stored.points + ledger.change(prices) == again.deals["points"][:, :2]).all()
    assert ledger.replay(prices).share == pytest.approx(again.games["share"][:, :2])


def test_a_replay_worked_by_hand() -> None:
    """Scores of 10 go down to 0: one game of two deals, one of a deal that its end cut short, one of a whole deal."""
    course = Course(get("kombinator"), simcore.rules("kombinator(start_score=10, max_deals=4)"))
    points = np.array([[-2, -1], [-8, 0], [0, -12], [0, -15]], np.int32)
    shares = np.array([[0.0, 1.0], [1.0, 0.0], [1.0, 0.0]])
    stored = Deals(np.array([0, 2, 3]), np.array([2, 1, 1]), points, shares, np.array([0, 1, 0]), np.array([False, True, False]))
    assert stored.early == 1 and stored.spare.tolist() == [0, 3] and stored.after.tolist() == [1, 1, 2]
    assert stored.torn == pytest.approx(1 / 3)
    change = np.array([[0, 0], [1, 0], [0, 5], [0, 6]], np.int32)
    found = course.replay(stored, points + change, changed_games(stored, change))
    # Game 0: 8 9; 1 9; on with deal 3: 1 0. Game 1: its part of a deal leaves 10 3, so in its place comes the next that would have cost seat 1 ten
    # points before, deal 3: 10 1; on with deal 0: 8 0. Game 2: 10 1; on with deal 0: 8 0.
    assert found.deals.tolist() == [3, 2, 2]
    assert found.share.tolist() == [[1, 0], [1, 0], [1, 0]]
    assert found.continued.tolist() == [True, True, True] and found.through_broken.tolist() == [False, True, False]
    both = course.replay(stored, points * 5, np.array([True, True, True]))
    assert both.close.tolist() == [False, False, False] and both.deals.tolist() == [1, 1, 1]
    at_once = course.replay(stored, points * 10, np.array([True, False, False]))
    assert at_once.close.tolist() == [True, False, False], "20 and 10 points lost in one deal: seat 0 runs out at half of it"
    assert at_once.share[0].tolist() == [0, 1]


@pytest.mark.parametrize(("ruleset", "settings"), [("kombinator", ("pair=1",)), ("gin_rummy", ("box_bonus=3", "gin_bonus=5"))])
def test_who_reads_no_table_does_not_adapt(tmp_path: Path, ruleset: str, settings: tuple[str, ...]) -> None:
    found = confirm(stored(tmp_path / "run", ruleset, ["random"], 300), settings, 200)
    assert found["games"] == 200 and len(found["measures"]) > 5
    for row in found["measures"]:
        assert row["played"] == row["held_fixed"] and row["adaptation"]["value"] == 0


def test_confirm_measures_how_much_greedy_players_adapt(tmp_path: Path) -> None:
    found = confirm(stored(tmp_path / "run", "kombinator", ["greedy"], 1_500), ("pair=6",))
    by_key = {each["measure"]: each["adaptation"] for each in found["measures"]}
    assert by_key["pair_per_deal"]["low"] > 0.2, "pairs are worth more, so they are played more"
    assert by_key["small_row_per_deal"]["high"] < -0.05
    assert by_key["points_per_deal"]["low"] > 0
    row = next(each for each in found["measures"] if each["measure"] == "deals_per_game")
    for told, value in ((3, "held_fixed"), (6, "played")):
        games = Table(simcore.rules("kombinator", pair=6), ["greedy"], seed=3, told=simcore.rules("kombinator", pair=told)).play(0, 1_500).games
        assert row[value] == pytest.approx(games["deals"].mean())


def test_runs_that_begin_later(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Games 100 to 199 only."""
    folder = str(tmp_path / "run")
    assert cli.main(["run", "kombinator", "--first", "100", "--games", "100", "--out", folder, "--json"]) == 0
    capsys.readouterr()
    found = whatif(folder, ("pair=4",))
    games = Table(simcore.rules("kombinator"), ["random"]).play(100, 100)
    pairs = games.tallies[(games.tallies["item"] == 0) & (games.tallies["points"] > 0)]["count"].sum()
    assert found["points_total"] == points_total(games.tallies) + int(pairs)
    confirmed = confirm(folder, ("pair=4",), 40)
    again = Table(simcore.rules("kombinator", pair=4), ["random"]).play(100, 40)
    assert confirmed["measures"][0]["played"] == again.games["deals"].mean()


def test_what_is_not_played_at_0_is_no_mere_price(tmp_path: Path) -> None:
    """GA9: without a bonus there is no big gin."""
    folder = stored(tmp_path / "run", "gin_rummy", ["greedy"], 300)
    with pytest.raises(InputError, match="big_gin is not played at all at 0"):
        whatif(folder, ("big_gin=30",))
    folder = stored(tmp_path / "with", "gin_rummy(big_gin=31)", ["greedy"], 300)
    with pytest.raises(InputError, match="compare"):
        whatif(folder, ("big_gin=0",))
    old = simcore.rules("gin_rummy(big_gin=31, target=100000, max_deals=5)")
    found = whatif(stored(tmp_path / "fixed", old.canonical, ["greedy"], 300), ("big_gin=50",))
    again = Table(old.with_settings(("big_gin=50",)), ["greedy"], seed=3, told=old).play(0, 300)
    assert found["points_total"] == points_total(again.tallies) != found["points_before"]


def test_two_prices_in_one_row_that_cannot_be_told_apart() -> None:
    """K-34 with superblow = adds: 40 and 15 are worth 55, of whichever force."""
    game, rows = get("kombinator"), np.zeros(1, TALLY)
    rows["item"], rows["count"], rows["points"] = game.items.index("superblow"), 1, 55
    clear = Prices(game, simcore.rules("kombinator(superblow=adds)"), ["large_force"]).terms(rows)
    assert [each.tolist() for each in clear] == [[0], [0], [-1], [1]]
    with pytest.raises(InputError, match="cannot be told apart"):
        Prices(game, simcore.rules("kombinator(superblow=adds, small_force=15)"), ["large_force"]).terms(rows)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(stored(tmp_path / "run", "kombinator", ["random"], 100))
    assert cli.main(["whatif", folder, "--set", "pair=4", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {"run", "games", "deals", "seconds", "deals_per_second", "points_total", "tallies_hash"} <= set(found)
    assert found["strategies_held_fixed"] is True and found["ruleset"] == "kombinator(pair=4)"
    assert cli.main(["whatif", folder, "--set", "pair=4", "--confirm", "--games", "50", "--lang", "ru"]) == 0
    told = capsys.readouterr().out
    assert "Стратегии те же" in told and "приспосабливаются" in told and "игр: 50, не зная" in told
    assert cli.main(["whatif", folder, "--set", "pair=4", "--confirm", "--games", "1e5"]) == 0
    assert "100 games, all that the run has," in capsys.readouterr().out
    for wrong, words in (("pear=4", "Did you mean"), ("superblow=adds", "simcore compare"), ("pair=x", "whole numbers")):
        assert cli.main(["whatif", folder, "--set", wrong]) == 2
        assert words in capsys.readouterr().err
