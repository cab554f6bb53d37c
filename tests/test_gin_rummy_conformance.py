"""Random games of every ruleset against the slow referee of `model`, and what must hold of all games."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from model.gin_rummy import check_game

from simcore.api import rules
from simcore.cards import Pack
from simcore.game import get
from simcore.games.gin_rummy import names
from simcore.records import points_total, tallies_hash
from simcore.simulate import Table
from simcore.strategy import available

GOLDEN = Path(__file__).parent / "golden"
PACK = Pack("A23456789TJQK")
STRATEGIES = tuple(available(get("gin_rummy")))

# Every option and price away from its default, some together.
VARIANTS: list[dict[str, Any]] = [
    {},
    {"target": 40},
    {"knock_limit": 0},
    {"knock_limit": 30, "tie_is_undercut": False},
    {"forbid_discard_taken": False},
    {"fiftieth_card": True, "knock_limit": 25},
    {"redealer": "other"},
    {"net_boxes": False},
    {"gin_boxes": 2, "knock_limit": 3},
    {"shutout_multiplier": 2, "target": 20},
    {"max_turns_per_deal": 9},
    {"max_deals": 3, "target": 1000},
    {"big_gin": 31, "knock_limit": 0},
    {"gin_bonus": 0, "undercut_bonus": 0, "game_bonus": 0, "box_bonus": 0},
    {"fiftieth_card": True, "forbid_discard_taken": False, "redealer": "other", "net_boxes": False, "big_gin": 50, "gin_boxes": 1, "shutout_multiplier": 3},
]
REASONS = {"max_turns_per_deal": "max_turns"}


def table_of(changes: dict[str, Any], *strategies: str, seed: int = 1) -> Table:
    return Table(rules("gin_rummy", **changes), strategies, 2, seed)


def rows_of(rows: np.ndarray, game: int) -> np.ndarray:
    return rows[rows["game"] == game]


def check_against_model(table: Table, games: int) -> Counter[str]:
    """Every game's transcript passes the referee, whose summary is what the rows of the run say. Returns the endings that were seen."""
    batch = table.play(0, games)
    seen: Counter[str] = Counter()
    for game in range(games):
        summary = check_game(table.transcript(game))
        row, deals, tallies = (rows_of(rows, game) for rows in (batch.games, batch.deals, batch.tallies))
        assert len(row) == 1 and len(deals) == len(summary.deals)
        assert names.GAME_ENDINGS[row["reason"][0]] == summary.reason
        assert (row["deals"][0], row["dealer"][0], row["leader"][0]) == (len(deals), summary.deals[0].dealer, 1 - summary.deals[0].dealer)
        assert row["score"][0].tolist() == summary.scores and row["boxes"][0].tolist() == summary.boxes
        assert row["share"][0].tolist() == [(seat in summary.winners) / len(summary.winners) for seat in (0, 1)]
        assert deals["points"].sum(axis=0).tolist() == summary.scores
        for mine, deal in zip(deals, summary.deals, strict=True):
            ending = names.DEAL_ENDINGS[mine["reason"]]
            assert (mine["deal"], mine["dealer"], mine["leader"], mine["turns"]) == (deal.deal, deal.dealer, 1 - deal.dealer, deal.turns)
            assert (REASONS.get(ending, ending), mine["winner"]) == (deal.reason, -1 if deal.winner is None else deal.winner)
            assert mine["points"].tolist() == deal.points
            written = tallies[tallies["deal"] == deal.deal]
            found = {(int(r["seat"]), names.ITEMS[r["item"]], names.ROLES[r["role"]]): (int(r["count"]), int(r["points"])) for r in written}
            assert found == {key: (count, deal.worth[key]) for key, count in deal.tallies.items()}
            assert len(found) == len(written)
            seen[deal.reason] += 1
            seen.update(item for _, item, _ in found)
    return seen


@pytest.mark.parametrize("number", range(len(VARIANTS)))
def test_games_of_every_ruleset_pass_the_referee(number: int, full: bool) -> None:
    for strategies, games in ((("random", "greedy"), 20), (("greedy",), 20), (("random",), 1)):
        changes = {"max_deals": 25} | VARIANTS[number] if strategies == ("random",) else VARIANTS[number]
        check_against_model(table_of(changes, *strategies, seed=7 + number), games * (20 if full else 1))


def test_games_of_rulesets_drawn_at_random_pass_the_referee(full: bool) -> None:
    chance = random.Random(12)
    for seed in range(120 if full else 12):
        changes: dict[str, Any] = {key: chance.random() < 0.5 for key in ("tie_is_undercut", "forbid_discard_taken", "fiftieth_card", "net_boxes")}
        changes |= {"redealer": chance.choice(("same", "other")), "knock_limit": chance.choice((0, 2, 10, 25, 60)), "target": chance.choice((1, 50, 150))}
        changes |= {"gin_boxes": chance.choice((0, 1, 3)), "shutout_multiplier": chance.choice((1, 2)), "big_gin": chance.choice((0, 31))}
        changes |= {"max_turns_per_deal": chance.choice((1, 3, 30, 200)), "max_deals": chance.choice((1, 12)), "gin_bonus": chance.choice((0, 25))}
        check_against_model(table_of(changes, *chance.sample(STRATEGIES, 2), seed=seed), 6)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_games_of_every_strategy_pass_the_referee(strategy: str, full: bool) -> None:
    for changes in ({"max_deals": 25}, VARIANTS[-1] | {"max_deals": 25}, {"knock_limit": 0, "max_deals": 25}):
        check_against_model(table_of(changes, strategy, "greedy", seed=3), 60 if full else 3)


def test_every_option_and_price_is_varied() -> None:
    schema = rules("gin_rummy").schema
    assert {key for changes in VARIANTS for key in changes} == {*schema.options, *schema.points}


def test_every_ending_and_item_is_met() -> None:
    """So that the games that the referee sees show all of the rules (but the longest runs)."""
    seen: Counter[str] = Counter()
    for changes in (VARIANTS[0], VARIANTS[10], VARIANTS[12], VARIANTS[-1]):
        batch = table_of(changes, "greedy", seed=1).play(0, 3000)
        seen.update(names.DEAL_ENDINGS[reason] for reason in batch.deals["reason"])
        seen.update(names.ITEMS[item] for item in batch.tallies["item"])
    assert set(names.DEAL_ENDINGS) <= set(seen)
    assert set(names.ITEMS) - set(seen) <= {f"run_of_{number}" for number in ("seven", "eight", "nine", "ten")}


# --- the same games whichever way they are asked for --------------------------------------------------------------------------------------


@pytest.mark.parametrize("strategies", [("greedy",), ("random", "greedy")])
def test_batches_do_not_matter(strategies: tuple[str, ...]) -> None:
    whole = table_of({}, *strategies, seed=11).play(0, 50)
    for size in (1, 7, 1000):
        table = table_of({}, *strategies, seed=11)
        parts = [table.play(first, min(size, 50 - first)) for first in range(0, 50, size)]
        for name in ("games", "deals", "tallies"):
            assert np.array_equal(np.concatenate([getattr(part, name) for part in parts]), getattr(whole, name))
        assert sum(tallies_hash(part.tallies) for part in parts) % 2**64 == tallies_hash(whole.tallies)


def test_threads_do_not_matter() -> None:
    from simcore.api import play

    one, two = (play("gin_rummy", ["greedy"], games=4500, seed=5, threads=threads) for threads in (1, 2))
    for name in ("games", "deals", "tallies"):
        assert getattr(one, name).equals(getattr(two, name))


def test_buffers_that_are_too_small_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    from simcore.games.gin_rummy.engine import GinRummyEngine

    expected, events = table_of({}, "greedy").play(0, 300), table_of({}, "greedy").transcript(4)
    monkeypatch.setattr(GinRummyEngine, "deals_a_game", 1)
    monkeypatch.setattr(GinRummyEngine, "tallies_a_deal", 0)
    monkeypatch.setattr("simcore.engine.EVENTS_OF_A_GAME", 10)
    table = table_of({}, "greedy")
    batch = table.play(0, 300)
    for name in ("games", "deals", "tallies"):
        assert np.array_equal(getattr(batch, name), getattr(expected, name))
    assert table.transcript(4) == events


def test_points_total_is_the_sum_of_all_changes() -> None:
    table = table_of({}, "greedy", seed=2)
    batch = table.play(0, 30)
    total = sum(change["delta"] for game in range(30) for event in table.transcript(game) for change in event.get("changes", []))
    assert points_total(batch.tallies) == batch.games["score"].sum() == batch.deals["points"].sum() == total


def test_hands_are_those_of_the_decisions() -> None:
    table = table_of({"fiftieth_card": True, "knock_limit": 15}, "random", "greedy", seed=4)
    found: list[tuple[int, int, int, int]] = []
    for game in range(15):

        def watch(seat: int, decision: str, hand: frozenset[str], game: int = game) -> None:
            found.append((game, seat, int(decision == "discard"), sum(1 << PACK.card(card) for card in hand)))

        check_game(table.transcript(game), watch)
    rows = table.hands(0, 15)
    assert [(int(r["game"]), int(r["seat"]), int(r["role"]), int(r["hand"])) for r in rows] == found


# --- golden files -------------------------------------------------------------------------------------------------------------------------

TRANSCRIPTS: dict[str, tuple[dict[str, Any], tuple[str, ...], int]] = {
    "gin_rummy": ({"target": 30}, ("greedy",), 37),
    "gin_rummy_options": ({"target": 30, "knock_limit": 0, "big_gin": 31, "shutout_multiplier": 2, "max_turns_per_deal": 30}, ("greedy",), 4996),
}
HASHES: list[tuple[dict[str, Any], tuple[str, ...], int]] = [
    ({}, ("random",), 15246920325441190770),
    ({}, ("greedy",), 10539675322549034987),
    (VARIANTS[-1], ("random", "greedy"), 15138877888770154184),
]


@pytest.mark.parametrize("name", TRANSCRIPTS)
def test_golden_transcript(name: str) -> None:
    """Seed 1: the bytes of the file."""
    changes, strategies, game = TRANSCRIPTS[name]
    events = table_of(changes, *strategies).transcript(game)
    text = "".join(json.dumps(event, ensure_ascii=False) + "\n" for event in events)
    assert text.encode() == (GOLDEN / f"{name}.jsonl").read_bytes()
    check_game([json.loads(line) for line in text.splitlines()])
    assert "deal_end" in {event["event"] for event in events}


@pytest.mark.parametrize(("changes", "strategies", "expected"), HASHES)
def test_golden_hash(changes: dict[str, Any], strategies: tuple[str, ...], expected: int) -> None:
    """300 games of seed 1."""
    assert tallies_hash(table_of({"max_deals": 50} | changes, *strategies).play(0, 300).tallies) == expected
