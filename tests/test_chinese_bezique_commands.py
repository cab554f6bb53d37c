"""Chinese bezique on the command line and in experiments: hands of several packs are counted, and stored deals are settled anew."""

from __future__ import annotations

import base64
import json
import zlib
from collections import Counter
from collections.abc import Callable
from itertools import combinations
from math import comb
from pathlib import Path

import numpy as np
import pytest
from model.chinese_bezique import ROWS

import cli
from experiments.frequencies import agreement, sampled
from experiments.ledger import Ledger
from experiments.rescoring import Terms, packed
from experiments.runs import load_run
from simcore.api import rules
from simcore.errors import InputError
from simcore.game import frequencies_of, get
from simcore.records import tallies_hash
from simcore.simulate import Table

Say = Callable[..., str]


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Say:
    monkeypatch.chdir(tmp_path)

    def call(*words: str, code: int = 0) -> str:
        assert cli.main(list(words)) == code, capsys.readouterr()
        said = capsys.readouterr()
        return said.out if code == 0 else said.err

    return call


# --- hands --------------------------------------------------------------------------------------------------------------------------------


def test_hands_are_counted_as_a_plain_count_of_all_of_them() -> None:
    """All hands of two cards, kind by kind, and of four jacks, queens and others, with every suit as trump."""
    ruleset = rules("chinese_bezique")
    exact = frequencies_of("chinese_bezique").exact
    kinds = [rank + suit for rank in "789JQKTA" for suit in "shdc"]
    found = Counter[str]()
    hands = 0
    for first in range(32):
        for second in range(first, 32):
            weight = comb(6, 2) if first == second else 36
            pair = {kinds[first], kinds[second]}
            hands += 4 * weight
            suits = {card[1] for card in pair}
            if {card[0] for card in pair} == {"K", "Q"} and len(suits) == 1:
                found["trump_marriage"] += weight
                found["marriage"] += 3 * weight
            found["bezique"] += 4 * weight * (pair == {"Qs", "Jd"})
            found["carte_blanche"] += 4 * weight * (not any(card[0] in "KQJ" for card in pair))
    counted = exact(ruleset, 2)
    assert counted["hands"] == hands == 4 * comb(192, 2)
    assert {key: entry["count"] for key, entry in counted["items"].items() if entry["count"]} == dict(found)
    four = exact(ruleset, 4)["items"]
    assert four["four_jacks"]["count"] == 4 * comb(24, 4) and four["four_trump_aces"]["count"] == 4 * comb(6, 4)
    assert four["double_bezique"]["count"] == 4 * comb(6, 2) ** 2
    assert exact(ruleset, 5)["items"]["sequence"]["count"] == 4 * 3 * 6**5


def test_dearest_combinations_of_few_cards() -> None:
    """Of three cards: at most a bezique or a trump marriage, else a marriage."""
    points = dict(frequencies_of("chinese_bezique").exact(rules("chinese_bezique"), 3)["points"])
    kinds = [(rank, suit) for rank in "JQK." for suit in "shdc"]
    sizes = [6 if rank != "." else 30 for rank, _ in kinds]
    found = Counter[int]()
    for trump in "shdc":
        for places in combinations([(place, copy) for place in range(16) for copy in range(3)], 3):
            counts = Counter(place for place, _ in places)
            if any((place, copy) not in places for place, n in counts.items() for copy in range(n)):
                continue  # each set of kinds once
            weight = int(np.prod([comb(sizes[place], n) for place, n in counts.items()]))
            cards = {kinds[place] for place in counts}
            married = [suit for suit in "shdc" if {("K", suit), ("Q", suit)} <= cards]
            best = 40 if trump in married or {("Q", "s"), ("J", "d")} <= cards else 20 if married else 0
            found[best] += weight
    assert points == dict(found)


@pytest.mark.parametrize("bezique_cards", ["fixed_QS_JD", "trump_queen"])
def test_a_sample_agrees(bezique_cards: str) -> None:
    ruleset = rules("chinese_bezique", bezique_cards=bezique_cards, four_tens=90)
    for cards in (7, 12):
        exact = frequencies_of("chinese_bezique").exact(ruleset, cards)
        assert sum(count for _, count in exact["points"]) == sum(count for _, count in exact["court_cards"]) == exact["hands"]
        assert agreement(exact, sampled(ruleset, cards, 40_000, seed=6)) == []
    with pytest.raises(InputError, match="up to 12 cards"):
        frequencies_of("chinese_bezique").exact(ruleset, 13)


# --- stored deals by other prices -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "settings", [{"won_game": 3000}, {"rubicon": 300}, {"trump_marriage": 400, "four_jacks": 0}, {"last_trick": 0, "won_game": 10, "rubicon": 200}], ids=str
)
def test_stored_series_are_settled_anew_as_they_would_be_played(settings: dict[str, int]) -> None:
    """`random` owes nothing to prices: its games by the other table are those that the ledger finds."""
    ruleset = rules("chinese_bezique", deals=3)
    batch = Table(ruleset, ["random"], seed=4).play(0, 400)
    ledger = Ledger(get("chinese_bezique"), ruleset, [batch], 2, list(settings))
    again = Table(ruleset.with_(**settings), ["random"], seed=4).play(0, 400)
    found = ledger.replay(np.array(list(settings.values()), np.int64))
    assert np.allclose(found.share, again.games["share"])
    assert (found.share != batch.games["share"]).any()


def test_whatif_counts_what_a_run_by_the_other_table_counts(say: Say) -> None:
    say("run", "chinese_bezique", "--games", "300", "--strategy", "random", "--set", "deals=2", "--out", "one")
    found = json.loads(say("whatif", "one", "--set", "won_game=4000", "--set", "four_queens=200", "--set", "rubicon=300", "--json"))
    other = Table(rules("chinese_bezique", deals=2, won_game=4000, four_queens=200, rubicon=300), ["random"], seed=1).play(0, 300)
    crossed = int(other.tallies["count"][other.tallies["item"] == ROWS.index("rubicon")].sum())
    assert found["items"]["rubicon"]["count"] == crossed > 0
    assert found["tallies_hash"] == f"{tallies_hash(other.tallies):016x}"
    shares = [each["after"]["value"] for each in found["replayed"]["win_share"]]
    assert shares == pytest.approx(other.games["share"].mean(axis=0).tolist())
    assert "four_tens is not played at all at 0" in say("whatif", "one", "--set", "four_tens=90", code=2)
    assert "deals is an option" in say("whatif", "one", "--set", "options.deals=1", code=2)


# --- commands -------------------------------------------------------------------------------------------------------------------------------


def test_show_freq_and_replay(say: Say) -> None:
    text = say("show", "chinese_bezique")
    for word in ("bezique_cards", "B20a (open)", "counter", "quadruple_bezique", "T22"):
        assert word in text
    text = say("freq", "chinese_bezique", "--strategy", "greedy", "--games", "10", "--deals", "2000", "--lang", "ru")
    assert "Фигур на руках" in text and "14 756 250 948 489 365 952" in text.replace("\xa0", " ").replace("\u202f", " ")
    assert "scores the last trick" in say("replay", "chinese_bezique", "--game", "2", "--strategy", "greedy")
    assert "козырь" in say("replay", "chinese_bezique", "--game", "2", "--strategy", "greedy", "--lang", "ru")
    assert "Qs" in say("replay", "chinese_bezique", "--game", "2", "--strategy", "greedy", "--format", "jsonl")


def test_prices_below_0_and_three_players_are_refused(say: Say) -> None:
    assert "marriage is a reward or a line, 0 or more, got -5" in say("run", "chinese_bezique", "--set", "marriage=-5", "--games", "10", code=2)
    assert "for 2 players, got 3" in say("run", "chinese_bezique", "--players", "3", "--games", "10", "--out", "none", code=2)
    assert not Path("none").exists()


def test_run_and_report(say: Say) -> None:
    """Who wins a series is more than a sum of points, so its page does not score games again."""
    done = json.loads(say("run", "chinese_bezique", "--games", "120", "--strategy", "greedy", "--set", "deals=2", "--out", "one", "--json"))
    assert done["deals"] == 240
    say("report", "one", "--json")
    report = json.loads(Path("one/report.json").read_text("utf-8"))
    assert report["rescoring"]["packed"] is None
    assert sum(item["points"] for item in report["items"]) == done["points_total"]
    settlement = {item["key"]: (item["count"], item["points"]) for item in report["items"] if item["key"] in ("won_game", "rubicon")}
    assert 0 < settlement["rubicon"][0] < settlement["won_game"][0] <= done["deals"] and settlement["won_game"][1] == 0


def test_single_deals_are_packed_with_the_points_that_decide_them(say: Say) -> None:
    """However dear the prices are."""
    say("run", "chinese_bezique", "--games", "50", "--strategy", "random", "--set", "trump_marriage=20000", "--out", "one")
    run = load_run("one")
    ruleset = rules("chinese_bezique", trump_marriage=20000)
    found = packed(Terms(ruleset, get("chinese_bezique").account, run.tallies), run.games, run.deals, run.tallies, 2, 0.95)
    assert found is not None and found["games"] == 50
    numbers = iter(np.frombuffer(zlib.decompress(base64.b64decode(found["data"])), "<i4").tolist())
    scored = Table(ruleset, ["random"], seed=1).play(0, 50).deals["scored"]
    assert scored.max() > 1 << 15
    for points in scored.tolist():
        assert [next(numbers) for _ in range(5)][0] == 1
        for seat in range(2):
            assert next(numbers) == points[seat]
            for _ in range(2 * next(numbers)):
                next(numbers)
    assert next(numbers, None) is None


def test_lint_leaves_out_what_is_not_played(say: Say) -> None:
    found = json.loads(say("lint", "chinese_bezique", "--games", "60", "--strategy", "greedy", "--json"))
    assert not any("four_tens" in finding["items"] for finding in found["findings"] if finding["code"].startswith("inversion"))
