"""The rules of Seven Card Combo, one after another, on positions made by hand. A test is named after its rule."""

from __future__ import annotations

import inspect
import re
import sys
from collections import Counter
from typing import Any

import numpy as np
import pytest
from model import seven_card_combo as model
from seven_card_combo_positions import PACK, Bench, mask, texts

from simcore.api import rules
from simcore.errors import InputError
from simcore.games.seven_card_combo.combinations import BONUSES, REASONS, bonuses, covered, points_of, reasons
from simcore.games.seven_card_combo.rules import pack
from simcore.simulate import Table

TWO = ("Qh 6h 3c 2c", "3d 9c 8h Ad")
THREE = ("Qh 6h 3c 2c", "3d 9c 8h Ad", "4s 5s 6s 7s")


def held(hand: str, ace: str = "low_or_high") -> list[str]:
    found = bonuses(mask(hand), int(ace == "wrap"))
    return [key for i, key in enumerate(BONUSES) if found >> i & 1]


def loose(hand: str, ace: str = "low_or_high") -> set[str]:
    return texts(mask(hand) & ~covered(mask(hand), int(ace == "wrap")))


def why(hand: str, ace: str = "low_or_high") -> list[str]:
    found = reasons(mask(hand), int(ace == "wrap"))
    return [key for i, key in enumerate(REASONS) if found >> i & 1]


def points(hand: str, **changes: Any) -> int:
    return int(points_of(mask(hand), pack(rules("seven_card_combo", **changes))[0]))


def test_the_lead_of_the_first_deal_can_be_passed_on() -> None:
    """For the experiment on what moving first is worth: all hold the same cards, another player begins, and later deals follow from it by the rules."""
    for shift in (1, 2):
        natural, shifted = (Table(rules("seven_card_combo"), ["greedy"], 3, seed=4, lead_shift=by) for by in (0, shift))
        for game in range(10):
            one, other = ([event for event in table.transcript(game) if event["event"] == "deal"] for table in (natural, shifted))
            assert all(one[0][key] == other[0][key] for key in ("hands", "stock", "turned"))
            assert (other[0]["leader"], other[0]["dealer"]) == ((one[0]["leader"] + shift) % 3, (one[0]["dealer"] + shift) % 3)
            model.check_game(shifted.transcript(game))
        assert np.array_equal((natural.play(0, 50).games["leader"] + shift) % 3, shifted.play(0, 50).games["leader"])


# --- section 1: the play ------------------------------------------------------------------------------------------------------------------


def test_s1_two_to_four_players_with_52_cards() -> None:
    assert PACK.size == 52 and sorted(PACK.texts) == sorted(model.ALL)
    for players in (1, 5):
        with pytest.raises(InputError, match="2 to 4 players"):
            Table(rules("seven_card_combo"), ["random"], players)
    assert [Table(rules("seven_card_combo"), ["random"], players).players for players in (2, 3, 4)] == [2, 3, 4]


def test_s2_the_ace_is_low_or_high() -> None:
    assert loose("As 2h 3d 4c 9s") == {"9s"}
    assert loose("Js Qh Kd Ac 9s") == {"9s"}
    assert loose("Qs Kh Ad 2c 3s") == {"Qs", "Kh", "Ad", "2c", "3s"}


def test_s3_the_ace_may_stand_in_the_middle_where_the_option_says_so() -> None:
    for run in ("Qs Kh Ad 2c", "Ks Ah 2d 3c", "Qs Kh Ad 2c 3s"):
        assert loose(run, "wrap") == set() and loose(run) == set(run.split())
    assert held("Js Qh Kd Ac 2s 3h 4d", "wrap") == ["seven_run"] and held("Js Qh Kd Ac 2s 3h 4d") == []


def test_s4_the_first_dealer_is_drawn_and_the_deal_goes_round() -> None:
    batch = Table(rules("seven_card_combo"), ["random"], 3, seed=5).play(0, 3000)
    first = batch.games["dealer"]
    assert all(abs(count - 1000) < 130 for count in Counter(first.tolist()).values()) and set(first) == {0, 1, 2}
    dealers = batch.deals["dealer"].reshape(3000, 3)
    assert np.array_equal(dealers, (first[:, None] + np.arange(3)) % 3)


def test_s5_four_cards_each_and_the_next_one_opens_the_pile() -> None:
    bench = Bench(THREE, "Jc", "2h 2d", dealer=1)
    assert [bench.hand(seat) for seat in range(3)] == [set(hand.split()) for hand in THREE]
    assert bench.pile == ["Jc"] and bench.stock[:2] == ["2h", "2d"] and len(bench.stock) == 52 - 12 - 1


def test_s6_the_player_after_the_dealer_begins_and_it_goes_clockwise() -> None:
    bench = Bench(THREE, "Jc", dealer=1)
    seats = []
    for _ in range(9):
        seats.append(bench.seat)
        assert bench.turn() == ""
    assert seats == [2, 0, 1] * 3


def test_s7_as_many_cards_as_were_put_aside_and_one() -> None:
    bench = Bench(TWO, "Jc", "4h 5h 7h 8d")
    assert "S7" in bench.turn(discard="3c 3d")
    bench = Bench(TWO, "Jc")
    assert "S7" in bench.turn(discard="3c 3c")
    bench = Bench(TWO, "Jc", "4h 5h 7h 8d")
    assert bench.turn(discard="3c 2c") == ""
    assert bench.hand(0) == {"Qh", "6h", "4h", "5h", "7h"}
    assert bench.packet == ["3c", "2c"]
    assert "more cards" in bench.turn(discard="", pile="Jc", packet="3c")


def test_s8_cards_come_from_the_stock_the_pile_and_the_packet() -> None:
    bench = Bench(TWO, "Jc", "4h 5h 7h 8d")
    assert bench.turn(discard="3c 2c", pile="Jc") == ""
    assert bench.hand(0) == {"Qh", "6h", "Jc", "4h", "5h"}
    assert bench.turn(discard="3d Ad", pile="7h", packet="2c") == ""
    assert bench.hand(1) == {"9c", "8h", "7h", "2c", "8d"}
    assert "packet" in bench.turn(discard="Jc", packet="Ac")
    bench = Bench(TWO, "Jc")
    assert "pile" in bench.turn(pile="Ac")


def test_s8_the_first_player_has_no_packet() -> None:
    bench = Bench(TWO, "Jc")
    assert "packet" in bench.turn(discard="3c", packet="3c")


def test_s9_a_pile_that_is_taken_whole_is_opened_anew() -> None:
    bench = Bench(TWO, "Jc", "4h 5h 7h 8d")
    bench.turn(discard="3c 2c", pile="Jc")
    assert bench.pile == ["7h"] and bench.stock[0] == "8d"
    bench.turn(pile="7h")
    assert bench.pile == ["8d", "3c", "2c"]  # before the leftover packet cards, which stay on top


def test_s9_also_after_the_last_turn() -> None:
    for game in range(40):
        events = Table(rules("seven_card_combo"), ["greedy"], 2, seed=4).transcript(game)
        after = [events[i + 1] for i, event in enumerate(events) if event["event"] == "turn" and events[i + 1]["event"] != "turn"]
        if any(event["event"] == "refill_pile" and events[events.index(event) + 1]["event"] == "hand" for event in after):
            return
    raise AssertionError("no pile was taken whole in a last turn")


@pytest.mark.parametrize("source", ["stock", "pile", "packet"])
def test_s10_who_puts_nothing_aside_takes_one_card(source: str) -> None:
    bench = Bench(TWO, "Jc", "4h 5h 7h")
    bench.turn(discard="3c")
    card = {"stock": "7h", "pile": "Jc", "packet": "3c"}[source]
    assert bench.turn(**{source: card} if source != "stock" else {}) == ""
    assert bench.hand(1) == {*TWO[1].split(), card} and bench.packet == []


def test_s11_the_packet_is_seen_only_after_the_own_discards_and_by_the_next_player_alone() -> None:
    bench = Bench(THREE, "Jc", "4h 5h 7h")
    bench.turn(discard="3c 2c")
    bench.turn(discard="9c")
    memory = bench.work["memory"]
    assert memory[1, 9] == 2 and memory[1, 8] == 0  # its size is seen, not its cards
    assert texts(memory[1, 10]) == {"3c", "2c"}
    bench.turn()
    assert texts(memory[2, 10]) == {"9c"} and memory[0, 10] == 0


def test_s12_what_is_left_of_the_packet_goes_face_up_on_the_pile_in_its_order() -> None:
    bench = Bench(TWO, "Jc", "4h 5h 7h 8d")
    bench.turn(discard="6h 3c 2c")
    bench.turn(packet="3c")
    assert bench.pile == ["Jc", "6h", "2c"]
    assert texts(bench.view["shown"][0]) == {"Jc", "6h", "2c"}


def test_s13_three_circles_make_hands_of_seven() -> None:
    for players in (2, 3, 4):
        events = Table(rules("seven_card_combo"), ["random"], players, seed=2).transcript(0)
        circles = [event["circle"] for event in events if event["event"] == "turn"]
        assert circles == [1] * players + [2] * players + [3] * players + circles[3 * players :]
        assert {len(event["cards"]) for event in events if event["event"] == "hand"} == {7}
    bench = Bench(TWO, "Jc")
    sizes = []
    for _ in range(6):
        seat = bench.seat
        bench.turn()
        sizes.append(len(bench.hand(seat)))
    assert sizes == [5, 5, 6, 6, 7, 7]


def test_s14_a_card_may_be_in_several_combinations() -> None:
    assert why("4h 5h 6h 7h 7s 9d Jc") == ["run_of_four", "four_of_a_suit", "two_of_a_rank"]
    assert loose("4h 5h 6h 7h 7s 9d Jc") == {"9d", "Jc"}


def test_s15_cards_are_covered_by_a_run_a_suit_or_a_rank() -> None:
    assert loose("4h 5s 6h 8c 9h Jd Kc") == set("4h 5s 6h 8c 9h Jd Kc".split())  # three of everything cover nothing
    assert loose("4h 5s 6d 7c 9h Jd Kc") == {"9h", "Jd", "Kc"} and why("4h 5s 6d 7c 9h Jd Kc") == ["run_of_four"]
    assert loose("2h 5h 7h Jh 9s Td Kc") == {"9s", "Td", "Kc"} and why("2h 5h 7h Jh 9s Td Kc") == ["four_of_a_suit"]
    assert loose("2h 2s 4d 6c 8h Ts Qd") == {"4d", "6c", "8h", "Ts", "Qd"} and why("2h 2s 4d 6c 8h Ts Qd") == ["two_of_a_rank"]
    assert points("4h 5s 6h 8c 9h Jd Kc") == 7 and points("4h 5s 6h 8c 9h Jd Kc", loose_card=3) == 21


def test_s16_the_five_bonuses() -> None:
    assert held("2h 2s 5d 5c 9h 9s Kd") == ["three_pairs"] and points("2h 2s 5d 5c 9h 9s Kd") == 1 - 1
    assert held("2h 2s 2d 5c 5h 9s Kd") == ["full_house"] and points("2h 2s 2d 5c 5h 9s Kd") == 2 - 1
    assert held("2h 2s 2d 2c 5h 9s Kd") == ["four_of_a_kind"] and points("2h 2s 2d 2c 5h 9s Kd") == 3 - 4
    assert held("2h 3s 4d 5c 6h 7s 8d") == ["seven_run"] and points("2h 3s 4d 5c 6h 7s 8d") == -4
    assert held("2h 4h 6h 8h Th Qh Kh") == ["seven_flush"] and points("2h 4h 6h 8h Th Qh Kh") == -4
    assert held("2h 3s 4d 5c 6h 7s 9d") == [] and held("2h 4h 6h 8h Th Qh Ks") == []


def test_s17_one_bonus_counts() -> None:
    assert held("2h 2s 2d 2c Kh Ks Kd") == ["full_house", "four_of_a_kind"] and points("2h 2s 2d 2c Kh Ks Kd") == -4
    assert points("2h 2s 2d 2c Kh Ks Kd", full_house=-9) == -9


def test_s18_three_deals_and_the_lowest_total_wins() -> None:
    for players in (2, 3, 4):
        games = Table(rules("seven_card_combo"), ["random"], players, seed=3).play(0, 400).games
        scores = games["score"][:, :players]
        best = scores == scores.min(axis=1, keepdims=True)
        assert set(games["deals"]) == {3}
        assert np.allclose(games["share"][:, :players], best / best.sum(axis=1, keepdims=True))
    assert set(Table(rules("seven_card_combo", deals=5), ["random"], 2).play(0, 5).games["deals"]) == {5}


@pytest.mark.parametrize(
    ("hand", "worth"),
    [("4h 5s 6h 7c 9h Td Qh", 1), ("5c 5d 8h 8c 9c 9s Ah", 0), ("5c 5d 8h 8c 9c 9s Ac", -1), ("2s 2h 2d 2c Ks Kh Kd", -4)],
)
def test_the_worked_hands(hand: str, worth: int) -> None:
    """The examples of the source, by the kernel and by the referee."""
    assert points(hand) == worth
    assert model.score(hand.split(), "low_or_high", rules("seven_card_combo").points).points == worth


# --- section 2: what the source leaves open -----------------------------------------------------------------------------------------------


def test_sa1_one_ace_may_be_low_and_high_but_not_in_one_run() -> None:
    hand = "As 2h 3d 4c Jh Qs Kd"
    assert loose(hand) == set() and held(hand) == [] and points(hand) == 0
    assert held(hand, "wrap") == ["seven_run"] and points(hand, ace="wrap") == -4
    assert rules("seven_card_combo").options["ace"] == "low_or_high"


def test_sa2_bonuses_are_not_added_up() -> None:
    assert points("2s 2h 2d 2c Ks Kh Kd") == -4 != -5


def test_sa3_four_and_two_are_two_pairs() -> None:
    assert held("2s 2h 2d 2c Ks Kh 9d") == ["full_house", "four_of_a_kind"]
    assert points("2s 2h 2d 2c Ks Kh 9d") == 1 - 4


def test_sa4_three_and_two_pairs_hold_both_and_count_once() -> None:
    assert held("2s 2h 2d 5c 5h Ks Kh") == ["three_pairs", "full_house"]
    assert points("2s 2h 2d 5c 5h Ks Kh") == -1
    table = Table(rules("seven_card_combo"), ["pairs"], 2, seed=1)
    named = {event["bonus"] for game in range(300) for event in table.transcript(game) if event["event"] == "hand" and _shape(event["cards"]) == (3, 2, 2)}
    assert named == {"three_pairs"}  # the first of equal ones


def _shape(cards: list[str]) -> tuple[int, ...]:
    return tuple(sorted(Counter(card[0] for card in cards).values(), reverse=True))


def test_sa5_three_and_three_hold_three_and_two() -> None:
    assert held("2s 2h 2d 5c 5h 5d Kh") == ["full_house"] and points("2s 2h 2d 5c 5h 5d Kh") == 1 - 1


def test_sa6_a_run_of_seven_in_one_suit_counts_once() -> None:
    assert held("2h 3h 4h 5h 6h 7h 8h") == ["seven_run", "seven_flush"] and points("2h 3h 4h 5h 6h 7h 8h") == -4


def test_sa7_a_doubled_rank_in_a_run_is_covered() -> None:
    assert loose("4h 5s 5d 6c 7h Ts Kd") == {"Ts", "Kd"}


def test_sa8_runs_need_no_suit() -> None:
    assert loose("4h 5s 6d 7c") == set()


def test_sa9_any_number_from_the_top_or_any_cards() -> None:
    bench = Bench(TWO, "Jc", "4h 5h 7h 8d 9d")
    bench.turn(discard="6h 3c 2c")
    bench.turn()  # Jc 6h 3c 2c lie open
    assert bench.turn(discard="Qh", pile="2c 3c") == "" and bench.pile == ["Jc", "6h"]
    bench = Bench(TWO, "Jc", "4h 5h 7h 8d 9d")
    bench.turn(discard="6h 3c 2c")
    bench.turn()
    assert "SA9" in bench.turn(discard="Qh", pile="3c 6h")
    bench = Bench(TWO, "Jc", "4h 5h 7h 8d 9d", pile="any")
    bench.turn(discard="6h 3c 2c")
    bench.turn()
    assert bench.turn(discard="Qh", pile="3c Jc") == "" and bench.pile == ["6h", "2c"]


def test_sa10_later_players_may_take_from_the_pile_or_not() -> None:
    bench = Bench(TWO, "Jc")
    bench.turn()
    assert bench.turn(pile="Jc") == ""
    bench = Bench(TWO, "Jc", "4h 5h", later_pile=False)
    assert bench.turn(pile="Jc") == ""  # the first player of circle 1
    assert bench.pile == ["4h"] and "SA10" in bench.turn(pile="4h")
    bench = Bench(TWO, "Jc", later_pile=False)
    bench.turn()
    bench.turn()
    assert "SA10" in bench.turn(pile="Jc")  # not in a later circle either


def test_sa11_what_a_player_has_seen() -> None:
    """The own cards, the own packet, what was looked at, and whatever lay open; see also the test of information."""
    bench = Bench(TWO, "Jc", "4h 5h 7h 8d 9d", strategies=("script", "script"))
    bench.turn(discard="6h 2c")
    assert texts(bench.view["seen"][0]) == {*TWO[0].split(), "Jc"}
    bench.turn(discard="3d", packet="2c")
    assert texts(bench.view["seen"][0]) == {*TWO[1].split(), "Jc", "6h", "2c"}
    bench.turn()
    assert texts(bench.view["seen"][0]) == {*TWO[0].split(), "Jc", "4h", "5h", "7h", "3d"}


def test_sa11_who_is_known_to_hold_a_card_of_the_pile() -> None:
    bench = Bench(TWO, "Jc", "4h 5h 7h 8d 9d")
    bench.turn(pile="Jc")
    assert [texts(cards) for cards in bench.view["taken"][0, :2]] == [{"Jc"}, set()]
    bench.turn()
    bench.turn(discard="Jc")
    assert texts(bench.view["taken"][0, 0]) == {"Jc"}  # thrown face down: nobody but the next player knows
    bench.turn()
    assert texts(bench.view["taken"][0, 0]) == set() and bench.pile[-1] == "Jc"


def test_sa12_the_dealer_is_the_player_before_the_first_one() -> None:
    bench = Bench(TWO, "Jc", "4h 5h 7h 8d")
    bench.turn()
    bench.turn(discard="3d Ad")
    assert bench.turn(packet="Ad") == "" and "Ad" in bench.hand(0)


def _emptied(**changes: Any) -> Bench:
    """Four players, six turns in which everything is thrown and drawn anew: three cards are left in the stock, seat 2 with five cards is next."""
    hands = ("2s 2h 2d 2c", "3s 3h 3d 3c", "4s 4h 4d 4c", "5s 5h 5d 5c")
    bench = Bench(hands, "6s", **changes)
    for _ in range(6):
        assert bench.turn(discard=" ".join(sorted(bench.hand(bench.seat)))) == ""
    assert (bench.seat, len(bench.stock), len(bench.hand(2))) == (2, 3, 5)
    return bench


def test_sa13_a_turn_that_needs_more_than_the_stock_follows_a_reshuffle() -> None:
    bench = _emptied()
    stock, pile, packet = bench.stock, bench.pile, bench.packet
    known = texts(bench.hidden["own"][0, 0] | bench.view["shown"][0])
    assert bench.turn(discard=" ".join(sorted(bench.hand(2)))) == ""
    drawn = bench.hand(2)
    assert bench.hidden["reshuffles"][0] == 1
    assert set(stock) < drawn and drawn - set(stock) < set(pile[:-1])  # the old cards first
    assert bench.pile == [pile[-1], *packet]  # the top stays, and the packet is no part of it
    assert set(bench.stock) | drawn == set(stock) | set(pile[:-1])
    assert known - texts(bench.hidden["own"][0, 0] | bench.view["shown"][0]) == set(pile[:-1])  # nobody knows any more where they are


@pytest.mark.parametrize("option", ["top_down", "any"])
def test_sa13_such_a_turn_takes_no_more_than_the_top_of_the_pile(option: str) -> None:
    bench = _emptied(pile=option)
    aside, packet = " ".join(sorted(bench.hand(2))), bench.packet
    below, top = bench.pile[-2:]
    saved = bench.saved()
    for cards in (f"{top} {below}", below):
        assert "SA13" in bench.turn(discard=aside, pile=cards)
        bench.restore(saved)
    assert bench.turn(discard=aside, pile=top) == "" and top in bench.hand(2)
    assert bench.hidden["reshuffles"][0] == 1 and len(bench.pile) == 1 + len(packet)


def test_sa13_no_reshuffle_where_pile_and_packet_are_enough() -> None:
    bench = _emptied()
    aside = " ".join(sorted(bench.hand(2))[:4])
    assert bench.turn(discard=aside, pile=" ".join(bench.pile[-2:])) == ""
    assert bench.hidden["reshuffles"][0] == 0 and bench.stock == []


@pytest.mark.parametrize("players", [2, 3, 4])
def test_sa13_there_are_always_enough_cards(players: int) -> None:
    """Everyone throws everything and draws from the stock, from the first turn to the last."""
    hands = ("2s 2h 2d 2c", "3s 3h 3d 3c", "4s 4h 4d 4c", "5s 5h 5d 5c")[:players]
    bench = Bench(hands, "6s")
    for _ in range(3 * players):
        assert bench.turn(discard=" ".join(sorted(bench.hand(bench.seat)))) == ""
    assert bench.hidden["reshuffles"][0] == {2: 0, 3: 1, 4: 3}[players]


def test_sa14_a_tie_is_shared() -> None:
    table = Table(rules("seven_card_combo"), ["random"], 3, seed=2)
    shares = table.play(0, 500).games["share"][:, :3]
    assert {0.5, 1 / 3} & set(shares.ravel().round(12)) and np.allclose(shares.sum(axis=1), 1)
    for game in np.flatnonzero((shares == 0.5).any(axis=1))[:3]:
        end = table.transcript(int(game))[-1]
        assert len(end["winners"]) == 2 and {end["scores"][seat] for seat in end["winners"]} == {min(end["scores"])}


def test_sa15_pile_and_packet_come_before_the_stock() -> None:
    for game in range(20):
        for event in Table(rules("seven_card_combo"), ["random"], 3, seed=6).transcript(game):
            sources = [each["from"] for each in event.get("taken", [])]
            assert sources == sorted(sources, key=["pile", "packet", "stock"].index)


# --- the list itself ----------------------------------------------------------------------------------------------------------------------


def test_every_rule_has_a_test() -> None:
    functions = [name for name, _ in inspect.getmembers(sys.modules[__name__], inspect.isfunction)]
    tested = {match[1] for name in functions if (match := re.match(r"test_(sa?\d+)_", name))}
    assert tested == {f"s{number}" for number in range(1, 19)} | {f"sa{number}" for number in range(1, 16)}


def test_every_rule_that_is_cited_exists() -> None:
    schema = rules("seven_card_combo").schema
    cited = [each.rule for each in (*schema.options.values(), *schema.points.values(), *schema.counted.values())]
    assert all(re.fullmatch(r"S([1-9]|1[0-8])|SA([1-9]|1[0-5])", rule) for rule in cited)
