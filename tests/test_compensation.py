"""Compensation: the points that make up for moving first are those of the games, noise is not chased, and fresh games say whether they do."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import cli
import simcore
from experiments.compensation import chosen, compensate
from experiments.first_move import REACH
from simcore.errors import InputError
from simcore.simulate import Table

GAMES, CONFIRM = 600, 900


def written(folder: Path, wanted: str = "", base: str = "kombinator", strategy: str = "greedy", more: str = "") -> Path:
    file = folder / "wanted.toml"
    file.write_text(f'[tune]\nbase = "{base}"\nstrategies = ["{strategy}"]\ngames = {GAMES}\nconfirm = {CONFIRM}\n[compensation]\n{wanted}\n{more}\n')
    return file


def counted(*leads: int) -> np.ndarray:
    """Counts of the leads of games with one leader, as the experiment makes them."""
    return np.bincount(np.array(leads) + REACH, minlength=2 * REACH + 1)[None]


def test_whole_points_by_hand() -> None:
    # With 2 points two of four games are won still, one of five with 4 and a half for a tie.
    assert chosen(counted(1, 2, 3, 9), 4, 0.5, 0.5, level=0.0)[:2] == (2, 0.625)
    assert chosen(counted(0, 4, 4, 4, 10), 5, 0.5, 0.5, level=0.0)[:2] == (4, 0.5)
    assert chosen(counted(-9, -8, -7, 5), 4, 0.5, 0.5, level=0.0)[:2] == (-7, 0.375)


def test_of_a_range_the_fewest_points_are_given() -> None:
    leads = [*range(10)]  # with k points k + ½ of ten games are lost
    assert chosen(counted(*leads), 10, 0.4, 0.7)[:2] == (3, pytest.approx(0.65))
    assert chosen(counted(*leads), 10, 0.0, 0.2)[:2] == (8, pytest.approx(0.15))
    assert chosen(counted(*leads), 10, 0.9, 1.0)[:2] == (0, pytest.approx(0.95))


def test_a_tie_that_goes_to_the_others_is_half_a_point() -> None:
    # Of six games with leads of 0, 0, 0, 1, 1, -1 the leader wins two and shares three: 3.5 of 6; with ties to the others two, with a point one.
    leads = counted(0, 0, 0, 1, 1, -1)
    assert chosen(leads, 6, 0.3, 0.4, level=0.0, ties=True)[:2] == (0.5, pytest.approx(2 / 6))
    assert chosen(leads, 6, 0.3, 0.4, level=0.0)[:2] == (1, pytest.approx(1 / 6))
    # A tie that the leader wins, and one point to him less half a point: of leads -1 and 0 two games of three.
    assert chosen(counted(-1, 0, -5), 3, 0.3, 0.4, level=0.0, ties=True)[:2] == (-0.5, pytest.approx(1 / 3))


def test_an_advantage_is_found_and_noise_is_not_chased() -> None:
    rng = np.random.default_rng(5)
    none = 0
    for _ in range(200):
        noise = np.rint(rng.normal(0, 15, 2_000)).astype(int)
        points, share, (low, high) = chosen(counted(*(noise + 6)), 2_000, 0.5, 0.5)
        assert abs(points - 6) <= 3 and abs(share - 0.5) < 0.02 and low <= points <= high
        none += chosen(counted(*noise), 2_000, 0.5, 0.5)[0] == 0
    assert none > 170, "in about 95 of 100 games without an advantage no points are given"


@pytest.mark.parametrize(("base", "strategy", "sign"), [("kombinator", "greedy", 1), ("seven_card_combo", "random", -1)])
def test_the_numbers_are_those_of_fresh_games(tmp_path: Path, base: str, strategy: str, sign: int) -> None:
    found = compensate(written(tmp_path, "first_mover_win_share = { max = 0.45 }", base, strategy))
    rules = simcore.rules(base)
    fresh = [Table(rules, [strategy], 2, 1, lead_shift=shift).play(GAMES, CONFIRM).games for shift in (0, 1)]
    rows = np.arange(CONFIRM)
    before = [games["share"][rows, games["leader"]] for games in fresh]
    ahead = [sign * (games["score"][rows, games["leader"]] - games["score"][rows, 1 - games["leader"]].astype(int)) for games in fresh]
    after = [(each > found["points"]) + 0.5 * (each == found["points"]) for each in ahead]
    assert found["points"] > 0 and found["searched"] <= 0.45
    for key, legs in (("first_mover_win_share", 1), ("moving_first_win_share", 2)):
        told = found["confirmed"][key]
        assert told["without"]["value"] == pytest.approx(np.mean(before[:legs]))
        assert told["with"]["value"] == pytest.approx(np.mean(after[:legs]))
        halves = np.mean(after[:legs], axis=0)
        if told["with"]["method"] == "t":
            assert told["with"]["high"] - told["with"]["value"] == pytest.approx(1.963 * halves.std(ddof=1) / CONFIRM**0.5, rel=1e-3)


def test_ties_are_given_in_fresh_games_too(tmp_path: Path) -> None:
    found = compensate(written(tmp_path, "first_mover_win_share = { max = 0.45 }\nties = true", strategy="random"))
    games = Table(simcore.rules("kombinator"), ["random"], 2, 1).play(GAMES, CONFIRM).games
    rows = np.arange(CONFIRM)
    ahead = games["score"][rows, games["leader"]].astype(int) - games["score"][rows, 1 - games["leader"]]
    given = found["points"] + (0.5 if found["ties"] else 0)
    told = found["confirmed"]["first_mover_win_share"]["with"]["value"]
    assert told == pytest.approx(np.mean((ahead > given) + 0.5 * (ahead == given)))


def test_an_option_that_serves_is_found_and_fresh_games_say_so(tmp_path: Path) -> None:
    """The fewer points there are to lose, the more often they are lost in the deal that a greedy player leads first."""
    wanted = "first_mover_win_share = { min = 0.62 }\n[compensation.options]\nstart_score = [10, 300]\nhand_limit = 7"
    found = compensate(written(tmp_path, wanted))
    assert (found["option"], found["ruleset"]) == ("start_score=10", "kombinator(start_score=10)")
    assert list(found["tried"]) == ["start_score=10", "start_score=300"]
    for key, tables in (("without", {}), ("with", {"start_score": 10})):
        fresh = [Table(simcore.rules("kombinator", **tables), ["greedy"], 2, 1, lead_shift=shift).play(GAMES, CONFIRM).games for shift in (0, 1)]
        shares = [games["share"][np.arange(CONFIRM), games["leader"]] for games in fresh]
        assert found["confirmed"]["first_mover_win_share"][key]["value"] == pytest.approx(shares[0].mean())
        assert found["confirmed"]["moving_first_win_share"][key]["value"] == pytest.approx(np.mean(shares))
    assert found == compensate(tmp_path / "wanted.toml", threads=1)


def test_of_options_too_noise_is_not_chased(tmp_path: Path) -> None:
    found = compensate(written(tmp_path, "[compensation.options]\nmax_bouts = [400, 300]"))
    assert found["option"] is None and found["ruleset"] == "kombinator" and found["tried"]["max_bouts=400"] == found["present"]
    assert all(shares["with"] == shares["without"] for shares in found["confirmed"].values())


def test_one_point_fewer_would_not_do(tmp_path: Path) -> None:
    found = compensate(written(tmp_path, "first_mover_win_share = { max = 0.45 }"))
    games = Table(simcore.rules("kombinator"), ["greedy"], 2, 1).play(0, GAMES).games
    rows = np.arange(GAMES)
    ahead = games["score"][rows, games["leader"]].astype(int) - games["score"][rows, 1 - games["leader"]]
    share = [np.mean((ahead > points) + 0.5 * (ahead == points)) for points in (found["points"] - 1, found["points"])]
    assert share[0] > 0.45 >= share[1] == pytest.approx(found["searched"])


def test_the_even_share_of_moving_first_is_asked_without_a_word(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert compensate(written(tmp_path))["goal"] == "moving_first_win_share"
    found = compensate(written(tmp_path, strategy="random"), threads=1)
    assert (found["low"], found["high"]) == (0.5, 0.5) and found == compensate(written(tmp_path, strategy="random"), threads=2)
    monkeypatch.setattr(type(Table(simcore.rules("kombinator"), ["random"]).engine), "can_shift_lead", False)
    alone = compensate(written(tmp_path))
    assert alone["goal"] == "first_mover_win_share" and list(alone["confirmed"]) == ["first_mover_win_share"]
    with pytest.raises(InputError, match="ask for first_mover_win_share"):
        compensate(written(tmp_path, "moving_first_win_share = 0.5"))


@pytest.mark.parametrize(
    ("wanted", "more", "words"),
    [
        ("first_move_win_share = 0.5", "", "unknown key"),
        ("first_mover_win_share = 0.5\nmoving_first_win_share = 0.5", "", "asks for one share"),
        ("first_mover_win_share = 52", "", "between 0 and 1"),
        ("first_mover_win_share = [0.6, 0.4]", "", "a range such as"),
        ("ties = 1", "", "true or false"),
        ("ties = true\n[compensation.options]\nhand_limit = 6", "", "stands in place of points"),
        ("[compensation.options]\nhand_limt = 6", "", "Did you mean 'hand_limit'"),
        ("[compensation.options]\nhand_limit = 7", "", "no value that differs"),
        ("[compensation.options]\nhand_limit = 9", "", "from 1 to 7"),
        ("", "[goals]\ndeals_per_game = 6", "tune prices first"),
    ],
)
def test_mistakes_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str], wanted: str, more: str, words: str) -> None:
    assert cli.main(["tune", str(written(tmp_path, wanted, more=more)), "--out", str(tmp_path / "none")]) == 2
    assert words in capsys.readouterr().err
    assert not (tmp_path / "none").exists()


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(tmp_path, "first_mover_win_share = 0.3")
    assert cli.main(["tune", str(file), "--out", str(tmp_path / "out")]) == 0
    told = capsys.readouterr().out
    assert "Points to each player who does not lead first" in told and "the goal (0.3)" in told
    assert cli.main(["tune", str(file), "--out", str(tmp_path / "ru"), "--lang", "ru"]) == 0
    assert "Очки каждому, кто не ходит первым" in capsys.readouterr().out
    assert cli.main(["tune", str(file), "--out", str(tmp_path / "json"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found | {"folder": None} == json.loads((tmp_path / "out" / "compensation.json").read_text()) | {"folder": None}
    options = written(tmp_path, "first_mover_win_share = { min = 0.62 }\n[compensation.options]\nstart_score = 10")
    assert cli.main(["tune", str(options), "--out", str(tmp_path / "options")]) == 0
    told = capsys.readouterr().out
    assert "start_score=10 comes nearest" in told and "as it is" in told
    assert cli.main(["tune", str(file), "--out", str(tmp_path / "out")]) == 2
    assert "is not empty" in capsys.readouterr().err
