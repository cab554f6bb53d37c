"""What must hold of every game that is found, without a list of them: what docs/adding-a-game.md asks for."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from experiments.frequencies import agreement, held_in_play, sampled
from simcore.api import rules
from simcore.cards import Pack
from simcore.errors import InputError
from simcore.game import checker, frequencies_of, games, get
from simcore.records import TALLY, frames, points_total, tallies_hash
from simcore.simulate import Table
from simcore.strategy import available
from simcore.transcript import to_jsonl, to_text

GOLDEN = Path(__file__).parent / "golden"
ROOT = Path(__file__).parent.parent
TABLES = ("games", "deals", "tallies")


@pytest.fixture(scope="module", params=games())
def key(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def table(key: str) -> Table:
    return Table(rules(key), ["random", next(name for name in available(get(key)) if name != "random")], seed=21)


def test_it_says_what_it_is(key: str) -> None:
    game, schema = get(key), get(key).schema
    assert schema.key == key == game.key
    assert import_module(f"simcore.games.{key}").__doc__
    assert set(game.items) >= {*schema.points, *schema.counted} and len(set(game.items)) == len(game.items) < 256
    assert len(set(game.roles)) == len(game.roles) < 256
    names = {**{key: item.name for key, item in (*schema.points.items(), *schema.counted.items())}, **schema.words.get("item", {})}
    assert set(game.items) <= set(names)
    assert set(game.roles) <= set(schema.words["role"])
    assert set(schema.words["deal"]) == {"one", "few", "many", "per"}
    open_rules = [option for option in schema.options.values() if not option.rule]
    assert not open_rules
    checker(key)(rules(key))


def test_players_are_there_and_say_what_they_do(key: str) -> None:
    found = available(get(key))
    assert "random" in found
    for strategy in found.values():
        assert strategy.doc and set(strategy.decisions) == set(get(key).decisions)


def test_rows_have_what_every_experiment_needs(table: Table) -> None:
    batch = table.play(0, 40)
    assert {"game", "deals", "dealer", "leader", "reason", "score", "share"} <= set(batch.games.dtype.names or ())
    assert {"game", "deal", "reason", "points"} <= set(batch.deals.dtype.names or ())
    assert batch.tallies.dtype == TALLY
    words = table.ruleset.schema.words
    assert set(words["length"]) <= set(batch.deals.dtype.names or ())
    assert set(table.game.enums["deals"]["reason"]) - {"game_over"} <= set(words["ending"])
    assert set(table.game.enums["games"]["reason"]) <= set(words["game_ending"])
    for name, frame in frames(batch, table).items():
        assert frame.height == len(getattr(batch, name))


def test_scores_and_shares_add_up(table: Table) -> None:
    batch = table.play(0, 60)
    n = table.players
    assert np.allclose(batch.games["share"][:, :n].sum(axis=1), 1)
    assert np.array_equal(batch.games["game"], np.arange(60))
    start = table.transcript(0)[0]["scores"]
    for game in range(60):
        deals = batch.deals[batch.deals["game"] == game]
        assert deals["deal"].tolist() == list(range(1, batch.games["deals"][game] + 1))
        assert (deals["points"][:, :n].sum(axis=0) + start).tolist() == batch.games["score"][game, :n].tolist()


def test_the_same_games_whichever_way_they_are_asked_for(table: Table, key: str) -> None:
    whole = table.play(0, 30)
    again = Table(rules(key), table.canonical_strategies, seed=21)
    parts = [again.play(first, min(7, 30 - first)) for first in range(0, 30, 7)]
    assert sum(tallies_hash(part.tallies) for part in parts) % 2**64 == tallies_hash(whole.tallies)
    assert sum(points_total(part.tallies) for part in parts) == points_total(whole.tallies)
    other = Table(rules(key), table.canonical_strategies, seed=22).play(0, 30)
    assert tallies_hash(other.tallies) != tallies_hash(whole.tallies)


def test_strategies_can_be_told_other_prices_than_are_paid(key: str) -> None:
    """The first choices are those at the prices that are told, and the points those that are paid."""
    paid = rules(key)
    prices = {name: price for name, price in paid.points.items() if price}
    if not prices:
        pytest.skip(f"{key} has no prices")
    told = paid.with_settings([f"points.{name}={price}" for name, price in zip(prices, reversed(prices.values()), strict=True)], checker(key))
    differ = 0
    for strategy in available(get(key)):
        held = {each: Table(each[0], [strategy], seed=21, told=each[1]).hands(0, 20) for each in ((paid, told), (told, told), (paid, paid))}
        for game in range(20):
            hands = [rows["hand"][rows["game"] == game][:6].tolist() for rows in held.values()]
            assert hands[0] == hands[1], (strategy, game)
            differ += hands[0] != hands[2]
    assert differ or key == "gin_rummy", "somebody reads the table"
    random = [Table(paid, ["random"], seed=21, told=each).play(0, 30) for each in (paid, told)]
    assert tallies_hash(random[0].tallies) == tallies_hash(random[1].tallies)


def test_a_transcript_is_the_game_that_was_counted(table: Table) -> None:
    batch = table.play(0, 8)
    pack = Pack(table.ruleset.schema.pack, table.ruleset.schema.packs)
    for game in range(8):
        events = table.transcript(game)
        assert [json.loads(line) for line in to_jsonl(events).splitlines()] == events
        first, last = events[0], events[-1]
        assert (first["event"], last["event"]) == ("game", "game_end")
        assert {"ruleset", "options", "points", "seed", "game", "strategies", "seats", "scores"} <= set(first)
        assert (first["game"], first["seed"], first["seats"]) == (game, 21, table.players)
        assert last["scores"] == batch.games["score"][game, : table.players].tolist()
        share = batch.games["share"][game, : table.players]
        assert last["winners"] == (np.flatnonzero(share > 0).tolist() if last["winners"] else [])
        deals = [event for event in events if event["event"] == "deal"]
        assert [event["deal"] for event in deals] == list(range(1, batch.games["deals"][game] + 1))
        for event in deals:  # every card of the pack is somewhere, once
            cards = [card for hand in event["hands"] for card in hand] + event["stock"]
            if event.get("turned") not in (None, *event["stock"]):
                cards.append(event["turned"])
            assert sorted(cards) == sorted(pack.texts)
        for lang in ("en", "ru"):
            assert to_text(events, table.ruleset, lang).count("\n") >= len(deals)
        assert "\x1b[" in to_text(events, table.ruleset, "en", colour=True)


def test_hands_at_decisions(table: Table) -> None:
    rows = table.hands(0, 5)
    assert {"game", "seat", "role", "hand"} <= set(rows.dtype.names or ())
    assert set(rows["game"]) == set(range(5)) and set(rows["seat"]) <= set(range(table.players))
    assert not np.any(rows["hand"] >> 4 * len(table.ruleset.schema.pack))


def test_frequencies_agree_with_deals_and_name_what_they_count(table: Table, key: str) -> None:
    try:
        game = frequencies_of(key)
    except InputError:
        return
    ruleset = table.ruleset
    cards = game.sizes(ruleset)[-1]
    assert 1 <= game.dealt(ruleset) <= cards
    found = game.exact(ruleset, cards)
    assert sum(count for _, count in found["points"]) == found["hands"]
    assert set(found["items"]) <= set(table.game.items)
    sample = sampled(ruleset, cards, 20_000, seed=4)
    assert set(sample) == set(found) and set(sample["items"]) == set(found["items"])
    assert agreement(found, sample) == []
    assert {name for name, counts in found.items() if isinstance(counts, list)} <= set(ruleset.schema.words["hands"])
    held = held_in_play(ruleset, cards, table.hands(0, 5))
    assert held["cards"] == cards and set(held["items"]) == set(found["items"])


def test_it_has_a_golden_transcript_and_a_rulebook(key: str) -> None:
    firsts = [json.loads(path.read_text().splitlines()[0]) for path in GOLDEN.glob("*.jsonl")]
    assert any(first["ruleset"].split("(")[0] == key for first in firsts)
    page = ROOT / "docs" / f"rules-{key.replace('_', '-')}.md"
    text = page.read_text()
    schema = get(key).schema
    assert all(f"`{name}`" in text for name in schema.options), [name for name in schema.options if f"`{name}`" not in text]
    assert all(f"`{name}`" in text for name in list(schema.points)[:1])
