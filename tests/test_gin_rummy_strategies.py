"""The players of gin rummy do what they say, and know no more than they may."""

from __future__ import annotations

import random
from collections import Counter
from ctypes import CFUNCTYPE, c_int64, c_void_p
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from gin_rummy_positions import PACK, PASSER, mask, play_made, table_of
from model.gin_rummy import PACK as TEXTS
from model.gin_rummy import check_game, is_meld, least, melds_with
from scipy.stats import chisquare

from simcore.api import rules
from simcore.compiled import kernel
from simcore.game import get
from simcore.games.gin_rummy.rules import pack
from simcore.games.gin_rummy.view import MOVE, VIEW, WORK
from simcore.simulate import Table
from simcore.strategy import available, load
from strategies.gin_rummy import danger, openings

GAME = get("gin_rummy")
STRATEGIES = tuple(available(get("gin_rummy")))


def decide(name: str, decision: str, hand: str, changes: dict[str, Any] | None = None, number: int = 0, **fields: Any) -> Any:
    """What a strategy does with a hand made by hand, ten cards in the stock; ``number`` tells apart streams of random numbers."""
    view, work, move = np.zeros(1, VIEW), np.zeros(1, WORK), np.zeros(1, MOVE)
    work["stream"] = number * 0x5851F42D4C957F2D % 2**64, 0x9E3779B97F4A7C15
    view["hand"], view["stock_size"], view["turn"] = mask(hand), 10, 15
    view["top"] = view["taken"] = view["refused"] = -1
    for key, value in fields.items():
        view[key] = value
    move["discard"] = -1
    chosen = load(name, GAME)
    function = CFUNCTYPE(c_int64, *[c_void_p] * 5)(chosen.compile(GAME)[GAME.decisions.index(decision)])
    records = (view, pack(rules("gin_rummy", **(changes or {}))), chosen.params, work, move)
    assert function(*(record.ctypes.data for record in records)) == 1
    return move.view(np.recarray)[0]


def games_of(*strategies: str, number: int = 30, seed: int = 5, **changes: Any) -> list[list[dict[str, Any]]]:
    table = Table(rules("gin_rummy", **changes), strategies, 2, seed)
    return [table.transcript(game) for game in range(number)]


def decisions(game: list[dict[str, Any]], seat: int) -> list[tuple[str, frozenset[str], dict[str, Any], list[dict[str, Any]]]]:
    """Of one seat: what was asked, the hand, the event that answers, and the events of the deal before."""
    found = []
    asked: list[tuple[int, str, frozenset[str]]] = []
    check_game(game, lambda who, what, hand: asked.append((who, what, hand)))
    before: list[dict[str, Any]] = []
    queue = iter(asked)
    for event in game:
        if event["event"] == "deal":
            before = []
        answered = event["event"] in ("draw", "refuse", "discard", "knock")
        forced = event["event"] == "draw" and event["from"] == "stock" and before[-1]["event"] == "refuse"
        if answered and not forced:
            who, what, hand = next(queue)
            if who == seat:
                found.append((what, hand, event, list(before)))
        before.append(event)
    assert next(queue, None) is None
    return found


def top_of_pile(before: list[dict[str, Any]]) -> str:
    pile = [before[0]["turned"]]
    for event in before:
        if event["event"] == "discard":
            pile.append(event["card"])
        elif event["event"] == "draw" and event["from"] == "pile":
            pile.pop()
    return str(pile[-1])


def taken_now(before: list[dict[str, Any]]) -> str | None:
    return str(before[-1]["card"]) if before[-1]["from"] == "pile" else None


def after_best(hand: frozenset[str], kept: str | None) -> int:
    return min(least(hand - {card}) for card in hand if card != kept)


# --- what each does -------------------------------------------------------------------------------------------------------------------------


def test_simple_takes_only_what_becomes_part_of_a_meld_and_throws_for_least_deadwood() -> None:
    for game in games_of("simple", "greedy", number=15):
        for what, hand, event, before in decisions(game, 0):
            if what == "draw":
                top = top_of_pile(before)
                assert (event.get("from") == "pile") == bool(melds_with(top, hand | {top}))
            else:
                best = after_best(hand, taken_now(before))
                assert (event["event"] == "knock") == (best <= 10)
                assert least(hand - {event.get("card", event.get("discard"))}) == best


def test_greedy_takes_what_leaves_less_and_knocks_at_once() -> None:
    for game in games_of("greedy", "simple", number=15):
        for what, hand, event, before in decisions(game, 0):
            if what == "draw":
                top = top_of_pile(before)
                assert (event.get("from") == "pile") == (after_best(hand | {top}, top) < least(hand))
            else:
                best = after_best(hand, taken_now(before))
                assert (event["event"] == "knock") == (best <= 10)
                assert least(hand - {event.get("card", event.get("discard"))}) == best


@pytest.mark.parametrize("until", [0, 4, 10])
def test_patient_waits_until_little_is_left(until: int) -> None:
    late = 0
    for game in games_of(f"patient(until={until})", "simple", number=20):
        for what, hand, event, before in decisions(game, 0):
            if what == "discard":
                best = after_best(hand, taken_now(before))
                stock = 31 - sum(each["event"] == "draw" and each["from"] == "stock" for each in before)
                assert (event["event"] == "knock") == (best <= until or (best <= 10 and stock <= 6))
                late += event["event"] == "knock" and best > until
    assert late > 0 or until == 10


def test_patient_makes_more_gins_than_greedy() -> None:
    patient, greedy = (Table(rules("gin_rummy"), [name, "simple"], 2, 1).play(0, 300).deals for name in ("patient", "greedy"))
    share = [np.mean((deals["reason"] == 0) & (deals["winner"] == 0)) for deals in (patient, greedy)]
    assert share[0] > 5 * share[1]


def test_defender_stays_low_after_the_first_turns() -> None:
    for game in games_of("defender", "greedy", number=20):
        for what, hand, event, before in decisions(game, 0):
            if what == "discard":
                best = after_best(hand, taken_now(before))
                turn = sum(each["event"] == "draw" for each in before)
                stock = 31 - sum(each["event"] == "draw" and each["from"] == "stock" for each in before)
                assert (event["event"] == "knock") == (best <= 2 or (best <= 10 and (turn <= 6 or stock <= 4)))


@kernel
def _openings(card: int, others: int, coming: int) -> int:
    return openings(card, others, coming)


@kernel
def _danger(card: int, views: Any) -> int:
    return danger(card, views[0])


def test_openings_and_danger_count_melds_of_three() -> None:
    rng = random.Random(4)
    for _ in range(300):
        cards = rng.sample(range(52), 40)
        card, others, coming = cards[0], cards[1:11], cards[11:]
        melds = [is_meld([PACK.text(card), PACK.text(one), PACK.text(other)]) for one in others for other in coming]
        assert _openings(card, sum(1 << each for each in others), sum(1 << each for each in coming)) == sum(melds)
        view = np.zeros(1, VIEW)
        known, pile = cards[11:16], cards[16:30]  # taken by the opponent; in the pile
        view["hand"], view["pile"] = sum(1 << each for each in (card, *others)), sum(1 << each for each in pile)
        view["took"][0, 1] = sum(1 << each for each in known)
        may = [each for each in range(52) if each not in (card, *others, *pile)]
        pairs = [(one, other) for one, other in combinations(may, 2) if is_meld([PACK.text(card), PACK.text(one), PACK.text(other)])]
        assert _danger(card, view) == sum((one in known) + (other in known) for one, other in pairs)


def test_defender_keeps_what_the_opponent_collects() -> None:
    """Nothing is melded, all court cards cost the same; the opponent took the queen of hearts, which goes with K h and Q s."""
    hand, took = "Kh Qs Jc Ts 2s 4h 5d 7c 9d Ac 3d", {"took": [0, mask("Qh")]}
    thrown = {care: PACK.text(int(decide(f"defender(care={care}, hope=0)", "discard", hand, **took).discard)) for care in (0, 100)}
    assert thrown == {0: "Kh", 100: "Jc"}
    # With the jack and the other queens in the pile, the king is no danger any more.
    gone = mask("Qd Qc Jh")
    assert PACK.text(int(decide("defender(care=100, hope=0)", "discard", hand, **took, pile=gone, threw=[0, gone]).discard)) == "Kh"


def test_counter_looks_one_card_ahead() -> None:
    def outlook(hand: frozenset[str], coming: list[str]) -> int:
        return sum(min(least((hand | {card}) - {each}) for each in hand | {card}) for card in coming)

    for game in games_of("counter", "simple", number=1, seed=8, target=20):
        for what, hand, event, before in decisions(game, 0):
            seen: set[str] = set(hand) | {before[0]["turned"]}
            seen |= {each["card"] for each in before if each["event"] == "discard"}
            coming = [card for card in TEXTS if card not in seen]
            if what == "draw":
                top = top_of_pile(before)
                best = after_best(hand | {top}, top)
                assert (event.get("from") == "pile") == (best <= 10 or best * len(coming) <= outlook(hand, coming))
            elif event["event"] == "discard":
                kept = taken_now(before)
                totals = {card: outlook(hand - {card}, coming) for card in hand if card != kept}
                assert totals[event["card"]] == min(totals.values())


def test_random_chooses_every_legal_move_alike() -> None:
    """A hand that may knock: each discard, and each knock, about as often; big gin is one more."""
    for hand, changes in (("2s 3s 4s 5h 5d 5c Js Qs Ks Td Kd", {}), ("2s 3s 4s 5h 5d 5c Js Qs Ks Ts As", {"big_gin": 31, "knock_limit": 0})):
        cards = frozenset(hand.split())
        limit = changes.get("knock_limit", 10)
        legal = {(PACK.card(card), 0) for card in cards} | {(PACK.card(card), 1) for card in cards if least(cards - {card}) <= limit}
        if changes:
            legal.add((-1, 1))
        found: Counter[tuple[int, int]] = Counter()
        for number in range(100 * len(legal)):
            move = decide("random", "discard", hand, changes, number)
            found[int(move.discard), int(move.knock)] += 1
        assert set(found) == legal
        assert chisquare([found[move] for move in legal]).pvalue > 1e-6


# --- what they may know -----------------------------------------------------------------------------------------------------------------------


def test_the_view_has_no_field_for_hidden_cards() -> None:
    assert set(VIEW.names or ()) == {
        "seat", "hand", "phase", "top", "drawn", "taken", "stock_size", "turn", "deal", "dealer", "pile", "refused", "scores", "boxes", "took", "threw",
    }  # fmt: skip


@pytest.mark.parametrize("name", STRATEGIES)
def test_hidden_cards_change_no_choice(name: str) -> None:
    """The other hand, which shows nothing, and what is left of the stock are shuffled: all happens as before until one of these cards is seen."""
    rng = random.Random(3)
    table = table_of(name, PASSER, knock_limit=4)
    told = 0
    for _ in range(25):
        cards = rng.sample(range(52), 52)
        events = play_made(table, 0, cards)
        until = rng.randrange(12)  # cards of the stock that are seen before
        hidden = [*range(0, 20, 2), *range(21 + until, 52)]  # the dealer, seat 0, is dealt the odd places
        mixed = list(cards)
        for old, new in zip(hidden, rng.sample(hidden, len(hidden)), strict=True):
            mixed[new] = cards[old]
        seen = 0
        for event, same in zip(events[1:], play_made(table, 0, mixed)[1:], strict=False):
            seen += event["event"] == "draw" and event["from"] == "stock"
            if seen > until or event["event"] == "show":
                break
            assert event == same
            told += 1
    assert told > 200


@pytest.mark.parametrize("name", STRATEGIES)
def test_every_strategy_is_the_same_whoever_sits_where(name: str) -> None:
    """Nothing is kept from one game to the next: a game alone is the game of a run."""
    table = Table(rules("gin_rummy", max_deals=5), [name, "greedy"], 2, 9)
    batch = table.play(0, 20)
    alone = table.play(13, 1)
    assert np.array_equal(alone.deals, batch.deals[batch.deals["game"] == 13])


def test_all_are_there_in_order_and_say_what_they_do() -> None:
    assert STRATEGIES == ("random", "simple", "greedy", "patient", "defender", "counter")
    for strategy in available(get("gin_rummy")).values():
        assert strategy.doc and all(function.__doc__ for function in strategy.decisions.values())
        assert all(param.doc for param in strategy.params.values())


def test_each_beats_the_one_it_is_made_to_beat() -> None:
    for better, worse in (("simple", "random"), ("greedy", "random"), ("counter", "greedy"), ("patient", "simple"), ("defender", "greedy")):
        games = Table(rules("gin_rummy"), [better, worse], 2, 2).play(0, 400).games
        assert games["share"][:, 0].mean() > 0.55, (better, worse)
