"""What the players of Chinese bezique do, and that they do it by what they may know."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from chinese_bezique_positions import PACK, Position, play_made

from simcore.api import rules
from simcore.game import get
from simcore.games.chinese_bezique.view import VIEW
from simcore.simulate import Table
from simcore.strategy import available

STRATEGIES = tuple(available(get("chinese_bezique")))


def table_of(*names: str, **options: Any) -> Table:
    return Table(rules("chinese_bezique", **options), list(names), seed=1)


# --- what they may know ---------------------------------------------------------------------------------------------------------------------


def test_the_view_has_no_field_for_hidden_cards() -> None:
    assert set(VIEW.names or ()) == {
        "seat", "hand", "held", "intact", "n_records", "record_type", "record_places", "widowed", "face_up", "allowed", "led", "claim", "deal", "trick",
        "dealer", "leader", "trump", "barred", "stock_size", "points", "scores", "played", "known", "declared",
    }  # fmt: skip


STALE = '''"""Declares nothing, and gives no answer where it finds another's declarations."""
from simcore.games.chinese_bezique.moves import answer, play_from, say_nothing
from simcore.bits import lowest
from simcore.strategy import Strategy

def play(view, rules, params, work, move):
    for i in range(len(view.record_type)):
        if view.record_type[i] or view.record_places[i]:
            return False
    return play_from(lowest(view.allowed), move)

def declare(view, rules, params, work, move):
    return say_nothing(move)

def claim(view, rules, params, work, move):
    return answer(False, move)

quiet = Strategy("Declares nothing.", {"play": play, "declare": declare, "claim": claim})
'''


def test_the_view_holds_no_declarations_of_another(tmp_path: Path) -> None:
    (tmp_path / "stale.py").write_text(STALE)
    assert len(table_of(f"{tmp_path / 'stale.py'}:quiet", "builder").play(0, 5).games) == 5


@pytest.mark.parametrize("name", STRATEGIES)
def test_hidden_cards_change_no_choice(name: str) -> None:
    """Cards that only the other player has seen, or nobody, are shuffled at some moment: the next choice stays the same.

    That is the lead to the first trick, and the first card of a player who must follow a card that has stayed where it was.
    """
    rng = random.Random(3)
    table = table_of(name)
    answers = 0
    for _ in range(40):
        cards = rng.sample(range(192), 192)
        events = play_made(table, cards)
        (_, led), (_, followed) = next(event for event in events if event["event"] == "trick")["cards"]
        for seat in (0, 1):
            kept = {*range(seat, 24, 2)} | ({cards.index(PACK.card(led))} if seat else set())
            hidden = [place for place in range(192) if place not in kept]
            mixed = list(cards)
            for old, new in zip(hidden, rng.sample(hidden, len(hidden)), strict=True):
                mixed[new] = cards[old]
            again = next(event for event in play_made(table, mixed) if event["event"] == "trick")["cards"]
            if seat == 0:
                assert again[0][1] == led
            elif again[0][1] == led:
                answers += 1
                assert again[1][1] == followed
    assert answers


@pytest.mark.parametrize("name", STRATEGIES)
def test_cards_of_the_stock_change_nothing_before_they_are_drawn(name: str) -> None:
    rng = random.Random(4)
    table = table_of(name)
    told = 0
    for _ in range(10):
        cards = rng.sample(range(192), 192)
        drawn = 2 * rng.randrange(80)
        rest = cards[24 + drawn :]
        rng.shuffle(rest)
        first, second = (play_made(table, each)[1:] for each in (cards, cards[: 24 + drawn] + rest))
        seen = 0
        for event, same in zip(first[1:], second[1:], strict=False):
            seen += event["event"] == "draw"
            if seen > drawn:
                break
            assert event == same
            told += 1
    assert told > 500


def test_what_was_declared_is_known_until_it_is_played() -> None:
    position = Position("Kh1 Qh1 Qh2 7s1")

    def known() -> dict[str, int]:
        return {text[:2]: int(count) for text, count in zip(PACK.texts, position.views["known"][0, 0].tolist(), strict=False) if count}

    assert known() == {}
    position.declare("trump_marriage", "Kh1 Qh1")
    assert known() == {"Kh": 1, "Qh": 1}
    position.play("Qh2 7s1")
    assert known() == {"Kh": 1, "Qh": 1}
    position.play("Qh1")
    assert known() == {"Kh": 1}
    assert position.views["played"][0].sum() == 3


@pytest.mark.parametrize("name", STRATEGIES)
def test_every_strategy_is_the_same_whoever_sits_where(name: str) -> None:
    """Nothing is kept from one game to the next: a game alone is the game of a run."""
    table = table_of(name, "greedy", deals=2)
    batch = table.play(0, 12)
    assert np.array_equal(table.play(7, 1).deals, batch.deals[batch.deals["game"] == 7])


# --- what they do -----------------------------------------------------------------------------------------------------------------------------


def test_all_are_there_in_order_and_say_what_they_do() -> None:
    assert STRATEGIES == ("random", "greedy", "builder", "counter")
    for strategy in available(get("chinese_bezique")).values():
        assert strategy.doc and all(function.__doc__ for function in strategy.decisions.values())
        assert all(param.doc for param in strategy.params.values())


@pytest.mark.parametrize(("better", "worse", "least"), [("greedy", "random", 0.9), ("builder", "greedy", 0.7), ("counter", "greedy", 0.7)])
def test_each_beats_the_one_it_is_made_to_beat(better: str, worse: str, least: float) -> None:
    assert table_of(better, worse).play(0, 300).games["share"][:, 0].mean() > least


def test_greedy_declares_the_dearest() -> None:
    """Of what it can declare at once there is nothing dearer; and it takes no trick without anything to declare while there is a stock."""
    prices = rules("chinese_bezique").points
    for game in range(10):
        events = table_of("greedy").transcript(game)
        hands = [set(hand) for hand in events[1]["hands"]]
        trump = None
        tricks = 0
        for i, event in enumerate(events):
            if event["event"] == "trick":
                tricks += 1
                for seat, card in event["cards"]:
                    hands[seat].discard(card)
                (leader, _), (other, card) = event["cards"]
                if event["winner"] == other and tricks <= 84:
                    weaker = [each for each in hands[other] if each[1] != trump and "789JQKTA".index(each[0]) < "789JQKTA".index(card[0])]
                    assert events[i + 1]["event"] == "declare" or card[1] == trump or not weaker
            elif event["event"] == "draw":
                hands[event["seat"]].add(event["card"])
            elif event["event"] == "declare":
                kinds = Counter(card[:2] for card in hands[event["seat"]])
                if min(kinds["Qs"], kinds["Jd"]) >= 3 and not any(each["kind"].endswith("bezique") for each in events[2:i] if each["event"] == "declare"):
                    assert event["points"] >= prices["triple_bezique"]
                trump = event["trump"] or trump


def test_builder_plans_steps_that_greedy_skips() -> None:
    """A marriage before its sequence, four queens before four of trumps: the cheaper step is scored on the way to the dearer one."""

    def on_the_way(name: str) -> float:
        steps = leaps = 0
        for game in range(30):
            declared = [event for event in table_of(name).transcript(game) if event["event"] == "declare"]
            for i, event in enumerate(declared):
                if event["kind"].startswith("four_trump"):
                    cheap = event["kind"].replace("trump_", "")
                    before = any(each["kind"] == cheap and {*each["cards"]} & {*event["cards"]} for each in declared[:i])
                    steps, leaps = steps + before, leaps + (not before)
        return steps / (steps + leaps)

    assert on_the_way("builder") > on_the_way("greedy")


def test_players_score_as_many_as_they_build() -> None:
    """Combinations that are formed again are most of what builder scores, and little of what greedy does."""
    shares = []
    for name in ("greedy", "builder"):
        tallies = table_of(name).play(0, 200).tallies
        shares.append(tallies["points"][tallies["role"] == 1].sum() / tallies["points"].sum())
    assert shares[0] < 0.45 < shares[1]


def test_players_who_are_told_other_prices_answer_by_these() -> None:
    """Also at the last trick: points and rubicon are those that are told."""
    old = rules("chinese_bezique")
    new = old.with_settings(["double_bezique=300", "bezique=10", "trump_sequence=900"])
    for name in ("builder", "counter"):
        told = [Table(paid, [name], seed=77, told=old) for paid in (old, new)]
        for game in range(80):
            plain, paid = ([{key: event[key] for key in ("event", "seat", "scored") if key in event} for event in each.transcript(game)] for each in told)
            assert [event for event in plain if event["event"] == "last_trick"] == [event for event in paid if event["event"] == "last_trick"]
