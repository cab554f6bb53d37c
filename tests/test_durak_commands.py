"""Durak on the command line: commands work on a game without a point table, and say what they must."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import polars as pl
import pytest
from model.durak import JOKERS, is_trump, pack_of, rank_of

import cli
from experiments.frequencies import agreement, frequencies
from simcore.api import play, rules
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


@pytest.mark.parametrize(("deck", "most"), [("36", 3), ("52", 2), ("54", 2)])
def test_hands_are_counted_as_a_plain_count_of_all_of_them(deck: str, most: int) -> None:
    """All hands of one to three cards with each card that may be turned up beside them, which is never a joker."""
    exact = frequencies_of("durak").exact
    pack = pack_of(deck)
    for cards in range(1, most + 1):
        found = dict.fromkeys(("trump", "top_trump", "two_of_a_rank", "three_of_a_rank"), Fraction(0))
        trumps, hands = Counter[int](), list(combinations(pack, cards))
        for hand in hands:
            alike = max(Counter(map(rank_of, hand)).values())
            beside = [card for card in pack if card not in hand and card not in JOKERS]
            for trump, times in Counter(card[1] for card in beside).items():
                share = Fraction(times, len(beside) * len(hands))
                held = [card for card in hand if is_trump(card, trump)]
                trumps[len(held)] += share
                found["trump"] += share * bool(held)
                found["top_trump"] += share * any(card in JOKERS or (card[0] == "A" and deck != "54") for card in held)
                found["two_of_a_rank"] += share * (alike >= 2)
                found["three_of_a_rank"] += share * (alike >= 3)
        counted = exact(rules("durak", deck=deck), cards)
        assert {key: Fraction(counted["items"][key]["count"], counted["hands"]) for key in found} == found
        assert {number: Fraction(count, counted["hands"]) for number, count in counted["points"]} == trumps
        assert sum(count for _, count in counted["most_of_a_rank"]) == counted["hands"]
    with pytest.raises(InputError, match=f"1 to {len(pack) - (3 if deck == '54' else 1)} cards"):
        exact(rules("durak", deck=deck), len(pack))


@pytest.mark.parametrize("deck", ["36", "52", "54"])
def test_hands_that_are_dealt_are_those_that_are_counted(deck: str) -> None:
    """By the rows of a sample, by formula and by what the kernel tallies for one seat, which also turns jokers back."""
    ruleset = rules("durak", deck=deck, max_bouts=1)
    found = frequencies(ruleset, 6, deals=50_000, seed=5)
    assert found["simulated"]["agreement"]["disagreements"] == []
    games = 20_000
    tallies = play(ruleset, ["greedy"] * 3, games=games, seed=6).tallies.filter(seat=1, role="dealt").group_by("item").agg(pl.col("count").sum())
    counts = dict(tallies.select(pl.col("item").cast(pl.String), "count").iter_rows())
    items = {key: {"count": counts.get(key, 0)} | {"probability": None} for key in found["items"]}
    assert agreement(found, {"cards": 6, "hands": games, "items": items}) == []


@pytest.mark.parametrize("deck", ["52", "54"])
def test_a_report_and_lint_come_for_large_packs(say: Say, deck: str) -> None:
    say("run", "durak", "--set", f"deck={deck}", "--players", "7", "--games", "60", "--strategy", "greedy", "--out", "large")
    say("report", "large")
    assert Path("large/report.html").exists()
    assert json.loads(say("lint", "durak", "--set", f"deck={deck}", "--games", "20", "--strategy", "greedy", "--json"))["ruleset"] == f"durak(deck={deck})"


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
    Path("goals.toml").write_text('[tune]\nbase = "durak"\n[goals]\nfirst_mover_win_share = 0.5\n')
    assert "goals.toml: durak has no point table, so that only [compensation] can be tuned" in say("tune", "goals.toml", code=2)
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
    assert not [item for item in report["items"] if item["category"] == "epaulettes"] and "epaulettes" not in {each["key"] for each in report["categories"]}
    assert [guard["key"] for guard in report["guards"]] == ["max_bouts"]
    assert [each["key"] for each in report["endings"]["deals"]] == ["fool", "draw", "max_bouts"]
    assert [each["key"] for each in report["lead"]["kinds"]] == ["lowest_trump", "left_of_dealer"]
    played = {item["key"] for item in report["items"] if item["combination"]}
    assert played == {item["key"] for item in report["items"] if set(item["roles"]) - {"dealt"}} and "trump" not in played
    page = Path("one/report.md").read_text("utf-8")
    most = max((item for item in report["items"] if item["key"] in played), key=lambda item: item["count"])
    assert f"Of what is played, {most['name']['en']} is the most frequent" in page
    uses = page.split("Times that each strategy had what is played")[1].split("\n\n")[1]
    assert "Card thrown in" in uses and "Two of a rank" not in uses
    assert "durak has no point table" in say("whatif", "one", "--set", "fool=4", code=2)
    text = say("replay", "durak", "--game", "7", "--strategy", "greedy")
    assert "A fool is left: Seat" in text and "Game over" in text
    text = say("replay", "durak", "--game", "7", "--strategy", "greedy", "--lang", "ru")
    assert "Остался дурак: Место" in text and "больше ничего не подкидывает" in text
    lines = say("replay", "pogony", "--game", "7", "--strategy", "greedy", "--format", "jsonl").splitlines()
    assert [json.loads(line)["event"] for line in (lines[0], lines[1], lines[-1])] == ["game", "deal", "game_end"]
    assert "вешает погоны" in say("replay", "pogony", "--game", "7", "--strategy", "greedy", "--lang", "ru")
