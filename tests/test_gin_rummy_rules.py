"""A test for each rule of gin rummy, named by its number."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from gin_rummy_positions import (
    BACK,
    BIG,
    GRABBER,
    GRASPING,
    IDLER,
    KNOCKER,
    LATER,
    MISSING,
    PACK,
    PASSER,
    SILENT,
    TAKER,
    WAITER,
    WATCHFUL,
    Account,
    deck_of,
    mask,
    play_made,
    table_of,
)
from model.gin_rummy import check_game

from simcore.api import rules
from simcore.compiled import kernel
from simcore.errors import InputError, StrategyError
from simcore.game import schema
from simcore.games.gin_rummy import names
from simcore.games.gin_rummy.combinations import worth
from simcore.games.gin_rummy.splits import deadwood
from simcore.simulate import Table

# Two hands without a meld and without neighbours of rank or suit that would make one soon.
FIRST = "As 3h 5d 7c 9s Jh Kd 2c 4s 6h"
SECOND = "Ad 3c 5s 7h 9d Jc Ks 2h 4d 6c"


def kinds(events: list[dict[str, Any]]) -> list[str]:
    return [event["event"] for event in events]


def only(events: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [event for event in events if event["event"] == kind]


@kernel
def _deadwood(hand: int) -> int:
    return deadwood(hand)


def least(cards: str) -> int:
    return int(_deadwood(mask(cards)))


# --- the deal -----------------------------------------------------------------------------------------------------------------------------


def test_g1_two_players_and_a_pack_of_52_with_the_ace_low() -> None:
    assert (schema("gin_rummy").players.min, schema("gin_rummy").players.max) == (2, 2)
    assert schema("gin_rummy").pack == "A23456789TJQK"
    event = only(Table(rules("gin_rummy"), ["greedy"]).transcript(0), "deal")[0]
    assert len({*event["hands"][0], *event["hands"][1], *event["stock"], event["turned"]}) == 52
    with pytest.raises(InputError, match="for 2 players"):
        Table(rules("gin_rummy"), ["greedy"], players=3)


def test_g2_the_first_dealer_is_drawn_by_lot_then_the_winner_deals() -> None:
    batch = Table(rules("gin_rummy"), ["greedy"], seed=3).play(0, 4000)
    assert 1800 < batch.games["dealer"].sum() < 2200  # six standard deviations
    after = batch.deals[1:][(batch.deals["deal"][1:] > 1) & (batch.deals["winner"][:-1] >= 0)]
    before = batch.deals[:-1][(batch.deals["deal"][1:] > 1) & (batch.deals["winner"][:-1] >= 0)]
    assert len(after) > 10_000 and np.array_equal(after["dealer"], before["winner"])


@pytest.mark.parametrize("dealer", [0, 1])
def test_g3_ten_cards_each_one_at_a_time_and_the_next_is_opened(dealer: int) -> None:
    deck = deck_of(dealer, (FIRST, SECOND), "Tc", "8h 8d")
    assert PACK.text(deck[0]) == (FIRST, SECOND)[1 - dealer].split()[0] and PACK.text(deck[1]) == (FIRST, SECOND)[dealer].split()[0]
    (deal,) = only(play_made(table_of(PASSER), dealer, deck), "deal")
    assert deal["hands"] == [FIRST.split(), SECOND.split()]
    assert (deal["turned"], deal["stock"][:2], len(deal["stock"])) == ("Tc", ["8h", "8d"], 31)
    assert (deal["dealer"], deal["leader"]) == (dealer, 1 - dealer)


def test_the_lead_of_the_first_deal_can_be_passed_on() -> None:
    """For the experiment on what moving first is worth: the same cards for both, the other player begins, and later deals go by the rules."""
    natural, shifted = (Table(rules("gin_rummy"), ["greedy"], seed=4, lead_shift=shift) for shift in (0, 1))
    for game in range(10):
        one, other = (only(table.transcript(game), "deal") for table in (natural, shifted))
        assert (one[0]["hands"], one[0]["stock"], one[0]["turned"]) == (other[0]["hands"], other[0]["stock"], other[0]["turned"])
        assert (other[0]["leader"], other[0]["dealer"]) == (one[0]["dealer"], one[0]["leader"])
        check_game(shifted.transcript(game))
    assert np.array_equal(natural.play(0, 50).games["leader"], 1 - shifted.play(0, 50).games["leader"])


# --- turns --------------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dealer", [0, 1])
def test_g4_the_non_dealer_then_the_dealer_may_take_the_up_card(dealer: int) -> None:
    deck = deck_of(dealer, (FIRST, SECOND), "Tc", "8h")
    first = 1 - dealer
    events = play_made(table_of(TAKER), dealer, deck)
    assert events[1] == {"event": "draw", "seat": first, "from": "pile", "card": "Tc"}
    seats = (PASSER, TAKER) if dealer == 1 else (TAKER, PASSER)  # only the dealer takes
    events = play_made(table_of(*seats), dealer, deck)
    assert events[1:3] == [{"event": "refuse", "seat": first}, {"event": "draw", "seat": dealer, "from": "pile", "card": "Tc"}]
    assert "refuse" not in kinds(events[3:])  # only at the first move


def test_g5_a_turn_takes_from_the_pile_or_the_stock_and_throws_one() -> None:
    events = play_made(table_of(PASSER, TAKER), 0, deck_of(0, (FIRST, SECOND), "Tc", "8h"))
    assert kinds(events[1:9]) == ["draw", "discard"] * 4
    assert {event["from"] for event in only(events, "draw")} == {"pile", "stock"}
    pile = ["Tc"]
    stock = list(events[0]["stock"])
    for event in events:
        if event["event"] == "draw":
            assert event["card"] == (pile.pop() if event["from"] == "pile" else stock.pop(0))  # the top of either
        elif event["event"] == "discard":
            pile.append(event["card"])


# --- melds --------------------------------------------------------------------------------------------------------------------------------


def test_g6_sets_of_three_or_four() -> None:
    assert (least("7s 7h"), least("7s 7h 7d"), least("7s 7h 7d 7c"), least("7s 7h 7d 8c")) == (14, 0, 0, 8)


def test_g7_runs_of_three_up_to_ten() -> None:
    for length in range(3, 11):
        assert least(" ".join(f"{rank}h" for rank in "A23456789T"[:length])) == 0
    assert (least("4h 5h"), least("4h 5h 6d"), least("4h 5h 7h")) == (9, 15, 16)


def test_g8_the_ace_is_low_only() -> None:
    assert (least("As 2s 3s"), least("As Ks Qs"), least("Ks As 2s"), least("Js Qs Ks")) == (0, 21, 13, 0)


def test_g9_what_loose_cards_are_worth() -> None:
    assert [worth(rank) for rank in range(13)] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]
    assert [least(f"{rank}c") for rank in "A23456789TJQK"] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]


# --- the knock ----------------------------------------------------------------------------------------------------------------------------

TEN = "2s 3s 4s 5h 5d 5c Js Qs Ks Td"  # knocks with 10


def test_g10_knock_with_ten_or_less_after_the_discard() -> None:
    deck = deck_of(1, (TEN, SECOND.replace("5s", "Th").replace("Ks", "8d")), "8c", "Kd")
    events = play_made(table_of(KNOCKER, PASSER), 1, deck)
    (knock,) = only(events, "knock")
    assert (knock["seat"], knock["discard"], knock["count"], knock["gin"]) == (0, "Kd", 10, False)
    assert knock["deadwood"] == ["Td"]
    with pytest.raises(AssertionError, match="more deadwood"):
        play_made(table_of(KNOCKER, PASSER, knock_limit=9), 1, deck)
    table = table_of(KNOCKER, PASSER)
    with pytest.raises(StrategyError, match="knocked with more deadwood than knock_limit allows"):
        table.play(0, 50)


def test_g11_lay_offs_on_melds_in_chains_and_not_on_loose_cards() -> None:
    game = Account()
    knocker = "3s 4s 5s Jh Jd Jc 8h 8d 8c 2h"  # the source: chains on 3-4-5, a fourth jack, nothing on the loose two
    assert game.knock(0, knocker, "6s 7s Js Ah 3h Kd Kc Qh Td 9c") == "knock"
    show = only(game.told, "show")[0]
    assert show["layoffs"] == [{"card": "6s", "meld": 0}, {"card": "7s", "meld": 0}, {"card": "Js", "meld": 2}]
    assert show["deadwood"] == ["Ah", "3h", "9c", "Td", "Qh", "Kd", "Kc"]
    assert (show["count"], game.scores) == (53, [51, 0])
    assert game.tallies[1, "layoff", "opponent"] == (3, 0)


def test_g11_a_chain_that_grows_downwards_past_a_card_that_also_fits_a_set() -> None:
    game = Account()
    knocker = "2h 2d 2c 5s 5d 5c 7h 8h 9h As"
    assert game.knock(0, knocker, "2s 4h 5h 6h Kd Qc Jd Ts 9d 8s") == "knock"
    show = only(game.told, "show")[0]
    assert [(each["card"], each["meld"]) for each in show["layoffs"]] == [("6h", 2), ("5h", 2), ("4h", 2), ("2s", 0)]


def test_g12_the_lower_knocker_scores_the_difference() -> None:
    game = Account()
    assert game.knock(0, TEN, FIRST.replace("As", "Ac").replace("5d", "8d").replace("4s", "4h")) == "knock"
    count = only(game.told, "show")[0]["count"]
    assert game.scores == [count - 10, 0] and game.winner == 0 and game.boxes == [1, 0]
    assert only(game.told, "score")[0]["changes"] == [{"seat": 0, "delta": count - 10, "reason": "knock", "rule": "G12"}]


def test_g13_a_lower_opponent_scores_the_difference_and_25() -> None:
    game = Account()
    assert game.knock(0, TEN, "6h 7h 8h 9c 9d 9s Ac Ad 2d 3c") == "undercut"  # 7
    assert game.scores == [0, 3 + 25] and game.winner == 1
    assert only(game.told, "score")[0]["changes"] == [
        {"seat": 1, "delta": 3, "reason": "undercut", "rule": "G13"},
        {"seat": 1, "delta": 25, "reason": "undercut_bonus", "rule": "G13"},
    ]


def test_g14_equal_is_an_undercut_of_25() -> None:
    game = Account()
    assert game.knock(0, TEN, "6h 7h 8h 9c 9d 9s Ac Ad 4h 4c") == "undercut"  # 10 as well
    assert game.scores == [0, 25] and game.boxes == [0, 1]
    assert only(game.told, "score")[0]["changes"] == [{"seat": 1, "delta": 25, "reason": "undercut_bonus", "rule": "G14"}]
    game = Account(tie_is_undercut=False)
    assert game.knock(0, TEN, "6h 7h 8h 9c 9d 9s Ac Ad 4h 4c") == "knock"
    assert game.scores == [0, 0] and game.boxes == [1, 0] and game.winner == 0
    assert only(game.told, "score") == []


def test_g15_gin_scores_the_deadwood_and_25_and_nothing_is_laid_off() -> None:
    game = Account()
    assert game.knock(1, "3s 4s 5s Jh Jd Jc 8h 8d 8c 8s", "6s 7s Js Ah 3h Kd Kc Qh Td 9c") == "gin"
    show = only(game.told, "show")[0]
    assert show["layoffs"] == [] and show["count"] == 76
    assert game.scores == [0, 76 + 25]
    assert [each["reason"] for each in only(game.told, "score")[0]["changes"]] == ["gin", "gin_bonus"]


def test_g16_the_game_ends_when_a_score_reaches_100() -> None:
    deck = deck_of(1, (TEN, SECOND.replace("5s", "Th").replace("Ks", "8d")), "8c", "Kd")
    table = table_of(KNOCKER, PASSER)
    plain = play_made(table, 1, deck)
    won = only(plain, "score")[0]["scores"][0]
    assert kinds(plain)[-2:] == ["score", "deal_end"]
    assert kinds(play_made(table, 1, deck, scores=(99 - won, 0)))[-2:] == ["score", "deal_end"]
    for start in (100 - won, 120 - won):  # reached or passed
        assert kinds(play_made(table, 1, deck, scores=(start, 0)))[-3:] == ["score", "deal_end", "score"]


def test_g17_two_cards_left_in_the_stock_end_the_round() -> None:
    events = play_made(table_of(PASSER), 0, deck_of(0, (FIRST, SECOND), "Tc"))
    assert [event["from"] for event in only(events, "draw")] == ["stock"] * 29
    assert kinds(events)[-2:] == ["discard", "deal_end"]
    assert events[-1] == {"event": "deal_end", "reason": "stock", "winner": None, "scores": [0, 0]}


def test_g18_100_for_the_game_and_25_for_each_round_more() -> None:
    game = Account()
    game.views["scores"][0], game.views["boxes"][0] = (104, 60), (5, 2)
    game.settle(0)
    assert game.scores == [104 + 100 + 75, 60]
    assert game.tallies == {(0, "game_bonus", "account"): (1, 100), (0, "box_bonus", "account"): (3, 75)}


def test_g19_the_worked_account() -> None:
    """A knocks with 6 against 19, B has gin against 24, B knocks with 8 against 9, A with 10 against 27, B with 4 against 4."""
    game = Account()
    a, b = 0, 1
    rounds = [
        (a, "2s 3s 4s 5h 5d 5c Js Qs Ks 6d", "7h 8h 9h Tc Th Td Ac Ad 8c 9d", "knock", [13, 0]),
        (b, "2s 3s 4s 5s 6h 6d 6c Js Qs Ks", "7h 8h 9h Tc Th Td Ad 3d Kd Kc", "gin", [13, 49]),
        (b, "2s 3s 4s 5h 5d 5c Js Qs Ks 8d", "7h 8h 9h Tc Th Td Ac Ad Ah 9c", "knock", [13, 50]),
        (a, "2s 3s 4s 5h 5d 5c Js Qs Ks Td", "7h 8h 9h Jc Jh Jd Kh Qc 6d Ac", "knock", [30, 50]),
        (b, "2s 3s 4s 5h 5d 5c Js Qs Ks 4d", "7h 8h 9h Jc Jh Jd Qc Qh Qd 4c", "undercut", [55, 50]),
    ]
    for seat, hand, other, ending, scores in rounds:
        assert game.knock(seat, hand, other) == ending
        assert game.scores == scores
    assert [event["count"] for event in only(game.told, "knock")] == [6, 0, 8, 10, 4]
    assert [event["count"] for event in only(game.told, "show")] == [19, 24, 9, 27, 4]
    assert game.boxes == [3, 2]


# --- what the source leaves open ------------------------------------------------------------------------------------------------------------


def test_ga1_both_decline_and_the_non_dealer_draws_from_the_stock() -> None:
    events = play_made(table_of(PASSER), 1, deck_of(1, (FIRST, SECOND), "Tc", "8h"))
    assert events[1:4] == [{"event": "refuse", "seat": 0}, {"event": "refuse", "seat": 1}, {"event": "draw", "seat": 0, "from": "stock", "card": "8h"}]


def test_ga2_a_card_taken_from_the_pile_is_not_thrown_in_the_same_turn() -> None:
    with pytest.raises(StrategyError, match=r"card that it had just taken from the pile \(GA2\)"):
        table_of(BACK, PASSER).play(0, 1)
    deck = deck_of(1, (FIRST, SECOND), "Tc", "8h")
    events = play_made(table_of(BACK, PASSER, forbid_discard_taken=False), 1, deck)
    assert events[1:3] == [{"event": "draw", "seat": 0, "from": "pile", "card": "Tc"}, {"event": "discard", "seat": 0, "card": "Tc"}]


def test_ga2_holds_for_the_discard_of_a_knock() -> None:
    deck = deck_of(1, (TEN, SECOND.replace("5s", "Th").replace("Ks", "8d")), "8c", "Kd")
    with pytest.raises(AssertionError, match="GA2"):
        play_made(table_of(GRABBER, PASSER), 1, deck)
    assert only(play_made(table_of(GRABBER, PASSER, forbid_discard_taken=False), 1, deck), "knock")[0]["discard"] == "8c"


def test_ga3_after_the_dealer_took_the_up_card_the_non_dealer_chooses_freely() -> None:
    deck = deck_of(1, (FIRST, SECOND), "Tc", "8h")
    events = play_made(table_of(PASSER, TAKER), 1, deck)
    assert [event["seat"] for event in only(events, "draw")[:3]] == [1, 0, 1]
    assert only(events, "draw")[1]["from"] == "stock"
    events = play_made(table_of(LATER, TAKER), 1, deck)
    assert [(event["seat"], event["from"]) for event in only(events, "draw")[:2]] == [(1, "pile"), (0, "pile")]


WAITING = "2s 3s 4s 5h 5d 5c Js Qs Kd Ah"  # knocks with 1 when the king of spades comes
OTHER = "Ad 3c 8s 7h 9d Jc 8h 2h 4d 6c"


def last_card_deck() -> list[int]:
    """Both refuse and pass; seat 0 draws the 29th card, the king of spades that seat 1 waits for, and throws it."""
    named = {*WAITING.split(), *OTHER.split(), "Tc", "Ks"}
    before = [card for card in PACK.texts if card not in named][:28]
    return deck_of(1, (OTHER, WAITING), "Tc", " ".join([*before, "Ks"]))


def test_ga4_after_the_third_last_card_the_round_is_over() -> None:
    events = play_made(table_of(PASSER, WAITER), 1, last_card_deck())
    assert events[-2:] == [
        {"event": "discard", "seat": 0, "card": "Ks"},
        {"event": "deal_end", "reason": "stock", "winner": None, "scores": [0, 0]},
    ]


def test_ga4_the_fiftieth_card_may_be_taken_by_who_can_knock_with_it() -> None:
    events = play_made(table_of(PASSER, WAITER, fiftieth_card=True), 1, last_card_deck())
    last = kinds(events).index("knock") - 1
    assert events[last] == {"event": "draw", "seat": 1, "from": "pile", "card": "Ks"}
    assert (events[last + 1]["discard"], events[last + 1]["count"]) == ("Kd", 1)
    assert kinds(events)[last + 1 :] == ["knock", "show", "score", "deal_end"]
    refused = play_made(table_of(PASSER, fiftieth_card=True), 1, last_card_deck())
    assert refused[-2:] == [{"event": "discard", "seat": 0, "card": "Ks"}, {"event": "deal_end", "reason": "stock", "winner": None, "scores": [0, 0]}]
    # Nobody is asked who could not knock, and who takes it must.
    assert play_made(table_of(PASSER, WAITER, fiftieth_card=True, knock_limit=0), 1, last_card_deck())[-1]["reason"] == "stock"
    with pytest.raises(AssertionError, match="did not knock"):
        play_made(table_of(PASSER, IDLER, fiftieth_card=True), 1, last_card_deck())


def test_ga5_the_same_dealer_deals_after_a_round_that_nobody_won() -> None:
    for redealer, step in (("same", 0), ("other", 1)):
        deals = table_of(PASSER, redealer=redealer, max_deals=9).play(0, 20).deals
        assert set(deals["winner"]) == {-1}
        first = deals["dealer"][deals["deal"] == 1][deals["game"]]
        assert np.array_equal(deals["dealer"], (first + step * (deals["deal"] - 1)) % 2)


def test_ga6_the_undercutter_won_the_round() -> None:
    game = Account()
    assert game.knock(0, TEN, "6h 7h 8h 9c 9d 9s Ac Ad 4h 4c") == "undercut"
    assert (game.winner, game.boxes) == (1, [0, 1])


def test_ga7_knocking_is_optional() -> None:
    deck = deck_of(1, (TEN, SECOND.replace("5s", "Th").replace("Ks", "8d")), "8c", "Kd")
    events = play_made(table_of(PASSER), 1, deck)
    assert only(events, "knock") == [] and only(events, "discard")[0] == {"event": "discard", "seat": 0, "card": "Kd"}


def test_ga8_one_may_knock_on_the_first_turn() -> None:
    deck = deck_of(1, (TEN, SECOND.replace("5s", "Th").replace("Ks", "8d")), "8c", "Kd")
    assert kinds(play_made(table_of(KNOCKER, PASSER), 1, deck)) == ["deal", "refuse", "refuse", "draw", "knock", "show", "score", "deal_end"]


def test_ga9_eleven_melded_cards_are_gin_or_with_the_option_big_gin() -> None:
    first = "2s 3s 4s 5h 5d 5c Js Qs Ks Ts"
    deck = deck_of(1, (first, SECOND.replace("5s", "8d").replace("Ks", "8h")), "8c", "9s")
    with pytest.raises(AssertionError, match="GA9"):
        play_made(table_of(BIG, PASSER), 1, deck)
    events = play_made(table_of("greedy", PASSER), 1, deck)
    (knock,) = only(events, "knock")
    assert knock["gin"] and len(sum(knock["melds"], [])) == 10
    assert [each["reason"] for each in only(events, "score")[0]["changes"]] == ["gin", "gin_bonus"]
    events = play_made(table_of("greedy", PASSER, big_gin=31), 1, deck)
    (knock,) = only(events, "knock")
    assert knock["discard"] is None and len(sum(knock["melds"], [])) == 11
    assert [(each["reason"], each["delta"]) for each in only(events, "score")[0]["changes"]][1] == ("big_gin", 31)
    with pytest.raises(StrategyError, match="eleven cards"):
        table_of(BIG, PASSER, big_gin=31).play(0, 20)


def test_ga10_a_shutout_multiplies_the_winners_total() -> None:
    for multiplier, boxes, total in ((1, 0, 104 + 100 + 50), (3, 0, 3 * (104 + 100 + 50)), (3, 1, 104 + 100 + 25)):
        game = Account(shutout_multiplier=multiplier)
        game.views["scores"][0], game.views["boxes"][0] = (60, 104), (boxes, 2)
        game.settle(1)
        assert game.scores == [60, total]


def test_ga11_gin_may_be_worth_more_boxes() -> None:
    for more in (0, 2):
        game = Account(gin_boxes=more)
        game.knock(1, "3s 4s 5s Jh Jd Jc 8h 8d 8c 8s", "6s 7s Js Ah 3h Kd Kc Qh Td 9c")
        assert game.boxes == [0, 1 + more]


def test_ga12_boxes_in_excess_or_all_of_the_winners() -> None:
    for net, own, others, paid in ((True, 2, 5, 0), (True, 5, 2, 3), (False, 2, 5, 2), (False, 5, 2, 5)):
        game = Account(net_boxes=net)
        game.views["scores"][0], game.views["boxes"][0] = (104, 60), (own, others)
        game.settle(0)
        assert game.scores == [104 + 100 + 25 * paid, 60]


def test_ga13_lay_offs_are_chosen_together_with_the_melds() -> None:
    """By itself the opponent's best is the run 5 6 7, which leaves two fives; with 6 and 7 laid off the three fives are a set."""
    game = Account()
    game.knock(0, "8s 9s Ts Jh Jd Jc 2h 2d 2c Ah", "7s 6s 5s 5h 5d Kc Qd 9h 4c 3d")
    show = only(game.told, "show")[0]
    assert show["melds"] == [["5s", "5h", "5d"]]
    assert [each["card"] for each in show["layoffs"]] == ["7s", "6s"]
    assert show["count"] == 10 + 10 + 9 + 4 + 3


def test_ga14_the_knocker_lays_what_offers_fewest_lay_offs() -> None:
    """The five of spades goes to the set, which closes it: 9s and Ks are left to add; in the run there would be 4s as well."""
    game = Account()
    game.knock(0, "5s 5h 5d 5c 6s 7s 8s Kh Kd Kc", SECOND.replace("5s", "Ah").replace("Ks", "8d"))
    (knock,) = only(game.told, "knock")
    assert knock["gin"]
    assert knock["melds"] == [["5s", "5h", "5d", "5c"], ["6s", "7s", "8s"], ["Kh", "Kd", "Kc"]]


def test_ga15_an_undercutter_without_loose_cards_gets_no_more_than_the_bonus() -> None:
    game = Account()
    assert game.knock(0, TEN, "6h 7h 8h 9c 9d 9s Ac Ad Ah As") == "undercut"
    assert game.scores == [0, 10 + 25]


def test_ga16_a_round_without_end_is_ended() -> None:
    """Both take each other's discard for ever: the stock never falls."""
    deck = deck_of(1, (FIRST, SECOND), "Tc")
    events = play_made(table_of(TAKER), 1, deck)
    assert len(only(events, "draw")) == 200 and {event["from"] for event in only(events, "draw")} == {"pile"}
    assert events[-1]["reason"] == "max_turns" and events[-1]["winner"] is None
    assert len(only(play_made(table_of(TAKER, max_turns_per_deal=7), 1, deck), "draw")) == 7
    # Refusals are no turns, and the end of the stock goes before.
    assert play_made(table_of(PASSER, max_turns_per_deal=29), 1, deck)[-1]["reason"] == "stock"
    assert play_made(table_of(PASSER, max_turns_per_deal=28), 1, deck)[-1]["reason"] == "max_turns"


def test_ga17_the_round_in_which_100_is_reached_is_finished_and_settled() -> None:
    deck = deck_of(1, (TEN, SECOND.replace("5s", "Th").replace("Ks", "8d")), "8c", "Kd")
    events = play_made(table_of(KNOCKER, PASSER), 1, deck, scores=(90, 99), boxes=(3, 3))
    assert [each["reason"] for each in only(events, "score")[-1]["changes"]] == ["game_bonus", "box_bonus"]
    games = Table(rules("gin_rummy"), ["greedy"], seed=1).play(0, 500).games
    assert set(games["reason"]) == {names.GAME_ENDINGS.index("score")}
    assert set(games["share"].ravel()) == {0.0, 1.0}


def test_ga18_only_the_top_of_the_pile_is_taken_and_its_history_is_known() -> None:
    table = table_of(WATCHFUL, "greedy", max_deals=30)
    table.play(0, 20)  # a fault would stop it


# --- further decisions ----------------------------------------------------------------------------------------------------------------------


def test_max_deals_ends_a_game_without_bonuses() -> None:
    games = table_of(PASSER, max_deals=4).play(0, 10).games
    assert set(games["deals"]) == {4} and set(games["reason"]) == {names.GAME_ENDINGS.index("max_deals")}
    assert not games["score"].any() and set(games["share"].ravel()) == {0.5}
    batch = Table(rules("gin_rummy", max_deals=2, target=100_000), ["greedy"], seed=1).play(0, 200)
    assert names.ITEMS.index("game_bonus") not in set(batch.tallies["item"])
    ahead = batch.games["score"][:, 0] - batch.games["score"][:, 1]
    assert np.array_equal(batch.games["share"][:, 0], np.where(ahead > 0, 1.0, np.where(ahead < 0, 0.0, 0.5)))


@pytest.mark.parametrize(
    ("seat", "text"),
    [(MISSING, "does not hold"), (SILENT, "gave no answer"), (GRASPING, "neither took")],
)
def test_moves_against_the_rules_are_refused(seat: Any, text: str) -> None:
    with pytest.raises(StrategyError, match=text):
        table_of(seat, PASSER).play(0, 3)


def test_bonuses_below_0_are_refused() -> None:
    with pytest.raises(InputError, match="gin_bonus is a bonus, 0 or more, got -1"):
        rules("gin_rummy", gin_bonus=-1)


def test_every_rule_has_a_test() -> None:
    tests = {name.split("_")[1].upper() for name in globals() if name.startswith("test_g")}
    assert tests >= {*(f"G{number}" for number in range(1, 20)), *(f"GA{number}" for number in range(1, 19))}
    cited = {option.rule for option in schema("gin_rummy").options.values()} | {item.rule for item in schema("gin_rummy").points.values()}
    assert cited <= tests
