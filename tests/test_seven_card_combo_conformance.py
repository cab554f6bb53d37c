"""Random games of every ruleset against the slow referee of `model`, and what must hold of all games."""

from __future__ import annotations

import json
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from model.seven_card_combo import check_game
from seven_card_combo_positions import GAME, PACK, mask

from simcore.api import rules
from simcore.games.seven_card_combo import names
from simcore.records import points_total, tallies_hash
from simcore.simulate import Table
from simcore.strategy import Strategy, available
from simcore.transcript import to_jsonl, to_text

GOLDEN = Path(__file__).parent / "golden"
STRATEGIES = tuple(available(GAME))
PLAYERS = (2, 3, 4)
OPTIONS: list[dict[str, Any]] = [
    {"ace": ace, "pile": pile, "later_pile": later} for ace, pile, later in product(("low_or_high", "wrap"), ("top_down", "any"), (True, False))
]
VARIANTS = [
    *OPTIONS,
    {"deals": 1},
    {"deals": 7},
    {"three_pairs": -3, "full_house": 2, "four_of_a_kind": -5, "seven_run": -7, "seven_flush": -11, "loose_card": 4},
    {"three_pairs": 0, "full_house": 0, "four_of_a_kind": 0, "seven_run": 0, "seven_flush": 0, "loose_card": 0},
]


def drain(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Throws all it holds."""
    n = 0
    for card in range(52):
        if view.hand >> card & 1:
            move.discards[n] = card
            n += 1
    move.n_discards = n
    return True


def from_stock(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Takes nothing but cards of the stock."""
    return True


draining = Strategy("Throws all and draws from the stock.", {"discard": drain, "take": from_stock})
DRAINING = f"{__file__}:draining"


def rows_of(rows: np.ndarray, game: int) -> np.ndarray:
    return rows[rows["game"] == game]


def check_against_model(table: Table, games: int) -> Counter[str]:
    """Every game's transcript passes the referee, whose summary is what the rows of the run say. Returns what was seen."""
    batch, n = table.play(0, games), table.players
    seen: Counter[str] = Counter()
    for game in range(games):
        events = json.loads(json.dumps(table.transcript(game)))
        summary = check_game(events)
        row, deals = rows_of(batch.games, game)[0], rows_of(batch.deals, game)
        assert (row["deals"], row["dealer"], row["leader"]) == (len(summary.deals), summary.deals[0].dealer, summary.deals[0].leader)
        assert row["score"][:n].tolist() == summary.scores
        assert row["share"][:n].tolist() == [(seat in summary.winners) / len(summary.winners) for seat in range(n)]
        for mine, deal in zip(deals, summary.deals, strict=True):
            assert (mine["deal"], mine["dealer"], mine["leader"]) == (deal.deal, deal.dealer, deal.leader)
            assert (mine["discards"], mine["reshuffles"]) == (deal.discards, deal.reshuffles)
            assert mine["points"][:n].tolist() == deal.points
            seen["reshuffles"] += deal.reshuffles
            tallies = rows_of(batch.tallies, game)
            tallies = tallies[tallies["deal"] == deal.deal]
            found = {(int(r["seat"]), names.ITEMS[r["item"]], names.ROLES[r["role"]]): (int(r["count"]), int(r["points"])) for r in tallies}
            assert found == {key: (count, deal.worth[key]) for key, count in deal.tallies.items()}
            for seat in range(n):  # scores add up
                assert tallies["points"][tallies["seat"] == seat].sum() == deal.points[seat]
            seen.update(key for (_, key, _) in found)
        seen.update(event["event"] for event in events)
    return seen


@pytest.mark.parametrize("number", range(len(VARIANTS)))
def test_random_games_pass_the_referee(number: int, full: bool) -> None:
    for players in PLAYERS:
        check_against_model(Table(rules("seven_card_combo", **VARIANTS[number]), ["random"], players, seed=7 + number), 500 if full else 25)


@pytest.mark.parametrize("players", PLAYERS)
def test_games_of_all_strategies_pass_the_referee(players: int, full: bool) -> None:
    for number, changes in enumerate(OPTIONS):
        for first in range(len(STRATEGIES)):
            seats = [STRATEGIES[(first + number * seat + seat) % len(STRATEGIES)] for seat in range(players)]
            check_against_model(Table(rules("seven_card_combo", **changes), seats, players, seed=number), 60 if full else 2)


def test_reshuffles_pass_the_referee(full: bool) -> None:
    for changes in OPTIONS:
        for seats in ([DRAINING] * 4, [DRAINING] * 3, ["random", DRAINING, "greedy", DRAINING], ["random", DRAINING, DRAINING, DRAINING]):
            seen = check_against_model(Table(rules("seven_card_combo", **changes), seats, len(seats), seed=3), 100 if full else 6)
            assert seen["reshuffles"] or "greedy" in seats
    at_once = Table(rules("seven_card_combo"), [DRAINING], 3, seed=3).play(0, 10).deals
    assert set(at_once["reshuffles"]) == {1}


def test_every_event_and_item_is_met() -> None:
    seen: Counter[str] = Counter()
    for seats in (["pairs", "flush"], ["random"] * 4, [DRAINING] * 4):
        seen += check_against_model(Table(rules("seven_card_combo", ace="wrap"), seats, len(seats), seed=1), 150)
    assert set(seen) >= {"game", "deal", "turn", "refill_pile", "reshuffle", "hand", "score", "deal_end", "game_end"}
    assert set(seen) >= set(names.ITEMS)


def test_every_option_and_price_is_varied() -> None:
    ruleset = rules("seven_card_combo")
    assert {key for changes in VARIANTS for key in changes} == {*ruleset.options, *ruleset.points}


# --- the same games whichever way they are asked for --------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", PLAYERS)
def test_batches_and_threads_do_not_matter(players: int) -> None:
    count = 1100
    whole = Table(rules("seven_card_combo"), ["random", "greedy", "reader", "flush"][:players], seed=11).play(0, count)
    for size, threads in ((1, 1), (7, 1), (1000, 1), (1000, 2), (50, 2)):
        table = Table(rules("seven_card_combo"), ["random", "greedy", "reader", "flush"][:players], seed=11)
        with ThreadPoolExecutor(threads) as pool:
            parts = list(pool.map(lambda first, table=table, size=size: table.play(first, min(size, count - first)), range(0, count, size)))
        for table_name in ("games", "deals", "tallies"):
            rows, expected = np.concatenate([getattr(part, table_name) for part in parts]), getattr(whole, table_name)
            for column in expected.dtype.names:
                seats = (slice(None), slice(players)) if expected[column].ndim == 2 else slice(None)
                assert np.array_equal(rows[column][seats], expected[column][seats])
        assert sum(tallies_hash(part.tallies) for part in parts) % 2**64 == tallies_hash(whole.tallies)


def test_the_cards_are_the_same_under_every_ruleset_and_for_all_strategies() -> None:
    deals = [
        [event for event in Table(rules("seven_card_combo", **changes), [name], 3, seed=9).transcript(5) if event["event"] == "deal"]
        for changes in ({}, {"ace": "wrap", "pile": "any"})
        for name in ("random", "exact")
    ]
    assert all(each == deals[0] for each in deals)


def test_buffers_grow_where_there_are_more_deals_than_expected() -> None:
    table = Table(rules("seven_card_combo", deals=1000), ["flush"], 4, seed=1)
    batch = table.play(0, 3)
    assert len(batch.deals) == 3000 and set(batch.games["deals"]) == {1000}
    assert sum(event["event"] == "deal" for event in table.transcript(2)) == 1000


def test_points_total_is_the_sum_of_all_changes() -> None:
    table = Table(rules("seven_card_combo"), ["pairs"], 3, seed=2)
    batch = table.play(0, 60)
    changes = [change["delta"] for game in range(60) for event in table.transcript(game) for change in event.get("changes", [])]
    assert points_total(batch.tallies) == sum(changes) == batch.games["score"][:, :3].sum()


def test_hands_are_those_of_the_transcript() -> None:
    table = Table(rules("seven_card_combo"), ["random"], 3, seed=4)
    expected = []
    for game in range(20):
        for deal in check_game(table.transcript(game)).deals:
            expected += [(game, seat, 0, mask(" ".join(hand))) for seat, hand in deal.turns]
            expected += [(game, seat, 1, mask(" ".join(hand))) for seat, hand in enumerate(deal.hands)]
    found = [(int(row["game"]), int(row["seat"]), int(row["role"]), int(row["hand"])) for row in table.hands(0, 20)]
    assert found == expected


# --- golden files -------------------------------------------------------------------------------------------------------------------------

TRANSCRIPTS: dict[str, tuple[dict[str, Any], list[str], int]] = {
    "seven_card_combo": ({"deals": 2}, ["greedy", "reader"], 0),
    "seven_card_combo_three": ({"deals": 1, "ace": "wrap", "pile": "any"}, ["random", "flush", "pairs"], 8),
}
HASHES: dict[str, tuple[dict[str, Any], int]] = {
    "default": ({}, 8907936566392188904),
    "all but the defaults": ({"ace": "wrap", "pile": "any", "later_pile": False, "deals": 4}, 3466545829513811690),
}


@pytest.mark.parametrize("name", TRANSCRIPTS)
def test_golden_transcript(name: str) -> None:
    """Seed 1: the bytes of the file."""
    changes, seats, game = TRANSCRIPTS[name]
    text = to_jsonl(Table(rules("seven_card_combo", **changes), seats, seed=1).transcript(game))
    assert text.encode() == (GOLDEN / f"{name}.jsonl").read_bytes()
    check_game([json.loads(line) for line in text.splitlines()])


@pytest.mark.parametrize("name", HASHES)
def test_golden_hash(name: str) -> None:
    """300 games of `random`, three players, seed 1."""
    changes, expected = HASHES[name]
    assert tallies_hash(Table(rules("seven_card_combo", **changes), ["random"], 3, seed=1).play(0, 300).tallies) == expected


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_a_game_is_told(lang: str) -> None:
    """Every card that moves is in the text, and every hand."""
    ruleset = rules("seven_card_combo")
    for seats in (["random", "greedy"], [DRAINING] * 4):
        events = Table(ruleset, seats, seed=1).transcript(3)
        text = to_text(events, ruleset, lang)
        assert "{" not in text and "None" not in text
        for event in events:
            for cards in ([each["card"] for each in event.get("taken", [])], event.get("cards", []), event.get("discarded", [])):
                assert all(PACK.pretty(card, lang=lang) in text for card in cards)
        assert len(text.splitlines()) > 3 * len(seats) * 3
        assert "\x1b[" not in text and "\x1b[" in to_text(events, ruleset, lang, colour=True)
