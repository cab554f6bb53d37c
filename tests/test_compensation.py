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
    assert "Points to each player who does not lead first" in told and "option of the ruleset" in told and "the goal (0.3)" in told
    assert cli.main(["tune", str(file), "--out", str(tmp_path / "ru"), "--lang", "ru"]) == 0
    assert "Очки каждому, кто не ходит первым" in capsys.readouterr().out
    assert cli.main(["tune", str(file), "--out", str(tmp_path / "json"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found | {"folder": None} == json.loads((tmp_path / "out" / "compensation.json").read_text()) | {"folder": None}
    assert cli.main(["tune", str(file), "--out", str(tmp_path / "out")]) == 2
    assert "is not empty" in capsys.readouterr().err
