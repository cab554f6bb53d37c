"""Seven Card Combo on the command line: every command works on it, and says what it must."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import cli

Say = Callable[..., str]


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Say:
    monkeypatch.chdir(tmp_path)

    def call(*words: str, code: int = 0) -> str:
        assert cli.main(list(words)) == code, capsys.readouterr()
        said = capsys.readouterr()
        return said.out if code == 0 else said.err

    return call


def test_freq(say: Say) -> None:
    plain = json.loads(say("freq", "seven_card_combo", "--json", "--deals", "2000"))
    assert plain == json.loads(say("freq", "seven_card_combo", "--json", "--deals", "2000", "--cards", "7"))
    assert (plain["cards"], plain["hands"]) == (7, 133_784_560)
    assert sum(count for _, count in plain["points"]) == plain["hands"] and [-4, 152_608] in plain["points"]
    wrap = json.loads(say("freq", "seven_card_combo", "--json", "--deals", "2000", "--set", "ace=wrap"))
    assert [-4, 234_988] in wrap["points"]
    text = say("freq", "seven_card_combo", "--strategy", "flush", "--games", "50", "--deals", "2000", "--lang", "ru")
    assert "Ряд из семи" in text and "Лишних карт" in text


def test_show(say: Say) -> None:
    text = say("show", "seven_card_combo")
    for word in ("later_pile", "SA10 (open)", "Three pairs", "reader", "caution"):
        assert word in text
    assert "wrap" in say("show", "seven_card_combo", "--set", "ace=wrap", "--against", "seven_card_combo")


def test_run_report_and_replay(say: Say) -> None:
    done = json.loads(say("run", "seven_card_combo", "--games", "300", "--strategy", "greedy", "--strategy", "flush", "--out", "one", "--json"))
    assert (done["games"], done["deals"]) == (300, 900)
    told = json.loads(say("report", "one", "--json"))
    assert "report.html" in told
    report = json.loads(Path("one/report.json").read_text("utf-8"))
    assert report["ruleset"]["lowest_wins"] and report["inversions"] == {"hands": [], "play": []}
    assert sum(item["points"] for item in report["items"]) == done["points_total"]
    assert {item["key"] for item in report["items"]} >= {"loose_card", "seven_flush", "run_of_four"}
    text = say("replay", "seven_card_combo", "--game", "7", "--strategy", "greedy", "--strategy", "flush")
    assert "Circle 3" in text and "Game over" in text
    lines = say("replay", "seven_card_combo", "--game", "7", "--strategy", "greedy", "--format", "jsonl").splitlines()
    assert [json.loads(line)["event"] for line in (lines[0], lines[-1])] == ["game", "game_end"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("run", "seven_card_combo", "--set", "ace=warp"), "Did you mean 'wrap'?"),
        (("run", "seven_card_combo", "--set", "deals=0"), "deals is a whole number from 1 to 1000"),
        (("run", "seven_card_combo", "--players", "5"), "2 to 4 players"),
        (("run", "seven_card_combo", "--strategy", "exact(depth=3)"), "depth must be a whole number from 1 to 2"),
        (("freq", "seven_card_combo", "--cards", "3"), "4 to 7 cards"),
        (("show", "seven_card_combo", "--set", "loose=2"), "Did you mean 'loose_card'?"),
    ],
)
def test_mistakes(say: Say, words: tuple[str, ...], told: str) -> None:
    assert told in say(*words, code=2)
