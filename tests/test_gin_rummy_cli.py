"""Gin rummy through the commands."""

from __future__ import annotations

import json
from collections.abc import Callable
from math import comb
from pathlib import Path

import pytest

import cli

Say = Callable[..., str]


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Say:
    """Runs a command in an empty folder; what it prints."""
    monkeypatch.chdir(tmp_path)

    def run(*words: str) -> str:
        assert cli.main(list(words)) == 0
        return capsys.readouterr().out

    return run


def test_frequencies_of_dealt_hands(say: Say) -> None:
    found = json.loads(say("freq", "gin_rummy", "--json", "--deals", "5000"))
    assert (found["cards"], found["hands"]) == (10, comb(52, 10))
    assert sum(count for _, count in found["points"]) == comb(52, 10)
    assert set(found["items"]) == {"knock", "gin", "set_of_three", "set_of_four"} | {
        f"run_of_{size}" for size in ("three", "four", "five", "six", "seven", "eight", "nine", "ten")
    }
    for item in found["items"].values():
        assert item["probability"] == item["count"] / comb(52, 10)
    assert found["simulated"]["agreement"]["disagreements"] == []


def test_frequencies_of_other_hands_and_in_play(say: Say) -> None:
    five = json.loads(say("freq", "gin_rummy", "--cards", "5", "--deals", "2000", "--json"))
    assert five["hands"] == comb(52, 5) and five["items"]["knock"] is None
    found = json.loads(say("freq", "gin_rummy", "--deals", "2000", "--strategy", "greedy", "--games", "30", "--json"))
    held = found["in_play"]
    assert held["strategies"] == ["greedy", "greedy"] and held["games"] == 30
    assert held["items"]["set_of_three"]["probability"] > found["items"]["set_of_three"]["probability"]  # they are collected
    table = say("freq", "gin_rummy", "--deals", "500", "--lang", "ru")
    assert "Комплект из трёх" in table and "Очки на руке" in table and "Сочетаний без общих карт" in table


def test_a_hand_of_eleven_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["freq", "gin_rummy", "--cards", "11"]) == 2
    assert "a hand has up to 10 cards (G3)" in capsys.readouterr().err


def test_run_report_and_replay(say: Say, tmp_path: Path) -> None:
    run = json.loads(say("run", "gin_rummy", "--games", "300", "--strategy", "greedy", "--strategy", "patient", "--out", "runs/gin", "--json"))
    assert run["games"] == 300
    say("report", "runs/gin")
    summary = json.loads((tmp_path / "runs" / "gin" / "report.json").read_text())
    assert summary["run"]["points_total"] == run["points_total"]
    items = {item["key"]: item for item in summary["items"]}
    assert (items["knock"]["category"], items["knock"]["price"], items["gin_bonus"]["price"]) == ("difference", None, 25)
    assert items["game_bonus"]["points"] == 300 * 100
    shares = [category["share"]["value"] for category in summary["categories"]]
    assert sum(shares) == pytest.approx(1)
    assert {guard["key"] for guard in summary["guards"]} == {"max_turns_per_deal", "max_deals"}
    page = (tmp_path / "runs" / "gin" / "report.md").read_text()
    assert "Deadwood, mean" in page and "How the leader of a deal was found" not in page
    lines = say("replay", "gin_rummy", "--game", "7", "--strategy", "greedy", "--strategy", "patient", "--format", "jsonl").splitlines()
    told = say("replay", "gin_rummy", "--game", "7", "--strategy", "greedy", "--strategy", "patient")
    winner = json.loads(lines[-1])["winners"][0]
    assert f"Won by Seat {winner}" in told and "10♠" in told
    assert "Место" in say("replay", "gin_rummy", "--lang", "ru")


def test_a_price_is_set_and_shown(say: Say) -> None:
    assert "gin_rummy(gin_bonus=20)" in say("show", "gin_rummy", "--set", "gin_bonus=20")
    rows = json.loads(say("show", "gin_rummy", "--set", "big_gin=31", "--set", "redealer=other", "--against", "gin_rummy", "--json"))
    assert [(row["key"], row["kind"], row["rule"]) for row in rows["differences"]] == [("redealer", "option", "GA5"), ("big_gin", "points", "GA9")]
