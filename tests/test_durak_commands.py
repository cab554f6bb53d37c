"""Durak on the command line: commands work on a game without a point table, and say what they must."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import pytest
from model.durak import SMALL, SUITS

import cli
from simcore.api import rules
from simcore.errors import InputError
from simcore.game import frequencies_of

Say = Callable[..., str]


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Say:
    monkeypatch.chdir(tmp_path)

    def call(*words: str, code: int = 0) -> str:
        assert cli.main(list(words)) == code, capsys.readouterr()
        said = capsys.readouterr()
        return said.out if code == 0 else said.err

    return call


def test_hands_are_counted_as_a_plain_count_of_all_of_them() -> None:
    """All hands of two and of three cards with each card that may be turned up beside them."""
    exact = frequencies_of("durak").exact
    pack = [rank + suit for rank in SMALL for suit in SUITS]
    for cards in (2, 3):
        found = {"trump": 0, "top_trump": 0, "two_of_a_rank": 0, "three_of_a_rank": 0}
        for hand in combinations(pack, cards):
            alike = cards - len({card[0] for card in hand}) + 1
            for turned in set(pack) - set(hand):
                found["trump"] += any(card[1] == turned[1] for card in hand)
                found["top_trump"] += f"A{turned[1]}" in hand
                found["two_of_a_rank"] += alike >= 2
                found["three_of_a_rank"] += alike >= 3
        counted = exact(rules("durak"), cards)
        assert {key: counted["items"][key]["count"] for key in found} == found
        assert sum(count for _, count in counted["points"]) == sum(count for _, count in counted["most_of_a_rank"]) == counted["hands"]
    with pytest.raises(InputError, match="pack of 36"):
        exact(rules("durak", deck="52"), 6)
    with pytest.raises(InputError, match="1 to 35 cards"):
        exact(rules("durak"), 36)


def test_show_and_freq(say: Say) -> None:
    text = say("show", "durak")
    for word in ("first_cap_scope", "D8 (open)", "counter", "tempo", "Options", "Strategies"):
        assert word in text
    assert "Points" not in text
    text = say("freq", "durak", "--strategy", "greedy", "--games", "50", "--deals", "2000", "--lang", "ru")
    assert "Козырей на руках" in text and "58 433 760" in text.replace("\xa0", " ").replace("\u202f", " ")


def test_a_number_may_stand_for_a_choice_of_digits(say: Say) -> None:
    assert rules("durak", deck=52, cap_after_stock=6) == rules("durak", deck="52", cap_after_stock="6")
    Path("mine.toml").write_text('base = "durak"\n[options]\ndeck = 52\n[expect]\nfirst_mover_win_share = [0, 1]\n')
    assert "durak(deck=52): pass" in say("check", "mine.toml", "--games", "100", "--strategy", "greedy")
    Path("mine.toml").write_text('base = "durak"\n[options]\ndeck = 40\n')
    assert "mine.toml, line 3: deck is one of '36', '52', '54', got 40" in say("show", "mine.toml", code=2)


def test_what_cannot_be_played_or_priced(say: Say) -> None:
    assert "durak has no point table, so that there is nothing to price" in say("price", "durak", "--games", "10", code=2)
    assert "for 2 players (P1), got 3" in say("run", "pogony", "--players", "3", "--games", "10", "--out", "none", code=2)
    assert "up to 6 players (D3), got 7" in say("run", "durak", "--players", "7", "--games", "10", "--out", "none", code=2)
    assert not Path("none").exists()
    assert "deck is 52" in say("run", "pogony", "--set", "deck=52", "--games", "10", code=2)


def test_lint_leaves_out_what_so_many_players_cannot_play_by(say: Say) -> None:
    found = json.loads(say("lint", "durak", "--players", "3", "--games", "20", "--strategy", "greedy", "--json"))
    assert {finding["code"] for finding in found["findings"]} == {"idle-option"}
    (idle,) = found["findings"]
    assert "hang_if_beaten=false" in idle["data"]["values"] and not any(value.startswith("variant") for value in idle["data"]["values"])


def test_run_report_and_replay(say: Say) -> None:
    done = json.loads(say("run", "durak", "--games", "300", "--strategy", "greedy", "--strategy", "counter", "--strategy", "thrifty", "--out", "one", "--json"))
    assert (done["games"], done["deals"]) == (300, 300)
    say("report", "one", "--json")
    report = json.loads(Path("one/report.json").read_text("utf-8"))
    assert report["evidence"]["prices"] is None and report["evidence"]["lint"]["findings"]
    assert not [finding for finding in report["findings"] if finding["key"].startswith("most_points")]
    assert sum(item["points"] for item in report["items"]) == done["points_total"]
    text = say("replay", "durak", "--game", "7", "--strategy", "greedy")
    assert "A fool is left" in text and "Game over" in text
    lines = say("replay", "pogony", "--game", "7", "--strategy", "greedy", "--format", "jsonl").splitlines()
    assert [json.loads(line)["event"] for line in (lines[0], lines[1], lines[-1])] == ["game", "deal", "game_end"]
    assert "вешает погоны" in say("replay", "pogony", "--game", "7", "--strategy", "greedy", "--lang", "ru")
