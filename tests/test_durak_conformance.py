"""Random games of durak under every option against the slow referee of `model`, and what must hold of all games."""

from __future__ import annotations

import json
import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from model.durak import check_game

from simcore.api import rules
from simcore.game import get, schema
from simcore.games.durak import names
from simcore.games.durak.deck import pack_of
from simcore.games.durak.rules import impossible
from simcore.records import points_total, tallies_hash
from simcore.ruleset import Ruleset
from simcore.simulate import Table
from simcore.strategy import available
from simcore.transcript import to_jsonl, to_text

GOLDEN = Path(__file__).parent / "golden"
STRATEGIES = tuple(available(get("durak")))
EVENTS = {"attack", "beat", "throw_in", "done", "take", "pass", "bout_end", "draw", "deal_end", "game_end"}
ENDS = {f"end: {reason}" for reason in ("fool", "draw", "max_bouts", "void")}
MET = {"adjudicated", "stuck", "hung", "took by choice", "partial", "thrown after take"}


def any_rules(chance: random.Random) -> tuple[Ruleset, int]:
    """A ruleset with every option by lot, and a number of players that it allows."""
    changes: dict[str, Any] = {}
    for key, option in schema("durak").options.items():
        if option.type == "bool":
            changes[key] = chance.random() < 0.5
        elif option.type == "choice":
            changes[key] = chance.choice(option.choices)
    changes |= {"max_attack": chance.choice((1, 3, 6, 12)), "first_cap": chance.choice((5, 6)), "deals": chance.choice((1, 3))}
    changes |= {"max_bouts": chance.choice((20, 1000)), "max_deals": 6}
    if changes["variant"] == "pogony":
        return rules("durak", **(changes | {"deck": "36", "adjudicate": False})), 2
    return rules("durak", **changes), chance.randint(2, 6 if changes["deck"] == "36" else 8)


def rows_of(rows: np.ndarray, game: int) -> np.ndarray:
    return rows[rows["game"] == game]


def check_against_model(table: Table, games: int) -> Counter[str]:
    """Every game's transcript passes the referee, whose summary is what the rows of the run say. Returns what was seen."""
    batch, n = table.play(0, games), table.players
    met = {
        "item": {names.ITEMS[item] for item in batch.tallies["item"]},
        "ending": {names.DEAL_ENDINGS[reason] for reason in batch.deals["reason"]},
        "game_ending": {names.GAME_ENDINGS[reason] for reason in batch.games["reason"]},
        "lead": {names.LEADS[lead] for lead in batch.deals["lead"]},
    }
    assert not any(met[kind] & words for kind, words in impossible(table.ruleset).items())
    seen: Counter[str] = Counter()
    for game in range(games):
        summary = check_game(json.loads(line) for line in to_jsonl(table.transcript(game)).splitlines())
        row, deals = rows_of(batch.games, game)[0], rows_of(batch.deals, game)
        assert (row["deals"], row["dealer"], row["leader"]) == (len(summary.deals), summary.deals[0].dealer, summary.deals[0].leader)
        assert names.GAME_ENDINGS[row["reason"]].replace("complete", "deals") == summary.reason
        assert row["score"][:n].tolist() == summary.scores and row["fools"][:n].tolist() == summary.fools
        shared = summary.winners or range(n)
        assert row["share"][:n].tolist() == [(seat in shared) / len(shared) for seat in range(n)]
        tallies = rows_of(batch.tallies, game)
        for mine, deal in zip(deals, summary.deals, strict=True):
            assert (mine["dealer"], mine["leader"], names.LEADS[mine["lead"]]) == (deal.dealer, deal.leader, deal.lead)
            assert (names.DEAL_ENDINGS[mine["reason"]], mine["bouts"], mine["taken"]) == (deal.reason, deal.bouts, deal.taken)
            assert (mine["winner"], mine["fool"]) == tuple(-1 if seat is None else seat for seat in (deal.winner, deal.fool))
            assert mine["points"][:n].tolist() == deal.points
            own = tallies[tallies["deal"] == mine["deal"]]
            found = {(int(r["seat"]), names.ITEMS[r["item"]], names.ROLES[r["role"]]): (int(r["count"]), int(r["points"])) for r in own}
            assert found == {key: (count, deal.worth[key]) for key, count in deal.tallies.items()}
        seen += summary.seen
    return seen


def test_random_games_under_all_options_pass_the_referee(full: bool) -> None:
    chance, seen = random.Random(5), Counter[str]()
    for number in range(3000 if full else 150):
        ruleset, players = any_rules(chance)
        seats = [chance.choice(("random", *STRATEGIES)) for _ in range(players)]
        seen += check_against_model(Table(ruleset, seats, players, seed=number), 3)
    assert set(seen) >= EVENTS | ENDS | MET


@pytest.mark.parametrize("variant", ["simple", "podkidnoy", "pogony"])
def test_games_of_all_strategies_pass_the_referee(variant: str, full: bool) -> None:
    for players in (2,) if variant == "pogony" else (2, 3, 6):
        for first in range(len(STRATEGIES)):
            seats = [STRATEGIES[(first + seat) % len(STRATEGIES)] for seat in range(players)]
            for lineup in (seats, [STRATEGIES[first]] * players):
                check_against_model(Table(rules("durak", variant=variant), lineup, players, seed=first), (200 if full else 4) if variant != "pogony" else 2)


# --- the same games whichever way they are asked for --------------------------------------------------------------------------------------


@pytest.mark.parametrize("changes", [{}, {"variant": "simple", "deck": "54"}, {"variant": "pogony"}])
def test_batches_and_threads_do_not_matter(changes: dict[str, Any]) -> None:
    players = 2 if changes.get("variant") == "pogony" else 4
    count = 600
    seats = ["random", *STRATEGIES[1:]][:players]
    whole = Table(rules("durak", **changes), seats, players, seed=11).play(0, count)
    for size, threads in ((7, 1), (250, 2)):
        table = Table(rules("durak", **changes), seats, players, seed=11)
        with ThreadPoolExecutor(threads) as pool:
            parts = list(pool.map(lambda first, table=table, size=size: table.play(first, min(size, count - first)), range(0, count, size)))
        for name in ("games", "deals", "tallies"):
            rows, expected = np.concatenate([getattr(part, name) for part in parts]), getattr(whole, name)
            for column in expected.dtype.names:
                own = (slice(None), slice(players)) if expected[column].ndim == 2 else slice(None)
                assert np.array_equal(rows[column][own], expected[column][own])
        assert sum(tallies_hash(part.tallies) for part in parts) % 2**64 == tallies_hash(whole.tallies)


def test_the_cards_are_the_same_under_every_ruleset_and_for_all_strategies() -> None:
    hands = [
        [event["hands"] for event in Table(rules("durak", **changes), [name], 3, seed=9).transcript(5) if event["event"] == "deal"]
        for changes in ({}, {"variant": "simple", "throw_ranks": "attack_only"})
        for name in ("random", "greedy")
    ]
    assert all(each == hands[0] for each in hands)


def test_passing_the_lead_on_leaves_hands_and_dealer_as_they_are() -> None:
    tables = [Table(rules("durak"), ["greedy"], 4, seed=3, lead_shift=shift) for shift in range(4)]
    for game in range(10):
        deals = [next(event for event in table.transcript(game) if event["event"] == "deal") for table in tables]
        assert [(deal["leader"] - deals[0]["leader"]) % 4 for deal in deals] == [0, 1, 2, 3]
        assert all({**deal, "leader": None} == {**deals[0], "leader": None} for deal in deals)


def test_buffers_grow_where_there_are_more_deals_than_expected() -> None:
    table = Table(rules("durak", deals=1000), ["greedy"], 3, seed=1)
    batch = table.play(0, 3)
    assert len(batch.deals) == 3000 and set(batch.games["deals"]) == {1000}
    assert sum(event["event"] == "deal" for event in table.transcript(2)) == 1000


def test_points_total_is_the_sum_of_all_scores() -> None:
    for changes in ({"deals": 4}, {"deals": 4, "session_score": "fool"}, {"variant": "pogony"}):
        batch = Table(rules("durak", **changes), ["random", "greedy"], seed=2).play(0, 60)
        assert points_total(batch.tallies) == batch.games["score"][:, :2].sum() != 0


def test_hands_are_those_of_the_transcript() -> None:
    table = Table(rules("durak", deals=2), ["random"], 3, seed=4)
    pack = pack_of(table.ruleset)
    expected = [
        (game, seat, decision, "shdc".index(trump), pack.mask(hand))
        for game in range(10)
        for seat, decision, trump, hand in check_game(table.transcript(game)).hands
    ]
    rows = table.hands(0, 10)
    assert [tuple(int(row[name]) for name in ("game", "seat", "role", "trump", "hand")) for row in rows] == expected


# --- golden files -------------------------------------------------------------------------------------------------------------------------

TRANSCRIPTS: dict[str, tuple[dict[str, Any], list[str], int]] = {
    "durak": ({}, ["greedy", "counter"], 1),
    "durak_jokers": ({"variant": "simple", "deck": "54", "session_score": "fool"}, ["thrifty", "random", "greedy"], 2),
    "durak_pogony": ({"variant": "pogony", "max_deals": 2, "stuck": "pass"}, ["greedy", "counter"], 3),
}
HASHES: dict[str, tuple[dict[str, Any], int, int]] = {
    "podkidnoy": ({"deals": 2}, 4, 16211113008569631490),
    "simple": ({"variant": "simple"}, 3, 5849660562593211201),
    "pogony": ({"variant": "pogony"}, 2, 3681395365818392600),
    "jokers": ({"deck": "54", "first_cap": 6, "may_take_voluntarily": False}, 8, 74064348666984413),
}


@pytest.mark.parametrize("name", TRANSCRIPTS)
def test_golden_transcript(name: str) -> None:
    """Seed 1: the bytes of the file."""
    changes, seats, game = TRANSCRIPTS[name]
    text = to_jsonl(Table(rules("durak", **changes), seats, len(seats), seed=1).transcript(game))
    assert text.encode() == (GOLDEN / f"{name}.jsonl").read_bytes()
    check_game([json.loads(line) for line in text.splitlines()])


@pytest.mark.parametrize("name", HASHES)
def test_golden_hash(name: str) -> None:
    """300 games of `random`, seed 1."""
    changes, players, expected = HASHES[name]
    assert tallies_hash(Table(rules("durak", **changes), ["random"], players, seed=1).play(0, 300).tallies) == expected


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_a_game_is_told(lang: str) -> None:
    """Every card that moves is in the text."""
    games = (({}, ["random", "greedy", "greedy"]), ({"deck": "54", "variant": "simple"}, ["random"] * 3), ({"variant": "pogony"}, ["greedy"] * 2))
    for changes, seats in games:
        ruleset = rules("durak", **changes)
        pack = pack_of(ruleset)
        events = Table(ruleset, seats, len(seats), seed=1).transcript(3)
        text = to_text(events, ruleset, lang)
        assert "{" not in text and "None" not in text
        for event in events:
            for cards in (event.get("cards", []), [card for pair in event.get("pairs", []) for card in pair]):
                assert all(pack.pretty(card, lang=lang) in text for card in cards)
        assert "\x1b[" not in text and "\x1b[" in to_text(events, ruleset, lang, colour=True)
