"""Rules K-0 to K-13 and K-60 to K-92: the deal, who leads, drawing, endings, the ladder. Attacks and defences have files of their own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from kombinator_positions import PASS, Bench, beat, give_up, lay, ruleset

from simcore.errors import InputError
from simcore.games.kombinator.rules import ladder
from simcore.games.kombinator.transcript import payouts
from simcore.games.kombinator.view import VIEW
from simcore.simulate import Table

STOCK = "6c 7c 8c 9c 6d"


def events_of(kind: str, players: int, *settings: str, games: int = 6) -> list[dict[str, Any]]:
    table = Table(ruleset(*settings), ["random"], players, seed=2)
    return [event for game in range(games) for event in table.transcript(game) if event["event"] == kind]


# --- cards and players --------------------------------------------------------------------------------------------------------------------


def test_k0_the_view_shows_the_own_hand_and_what_lay_on_the_table() -> None:
    assert not {"hands", "deck", "next_card", "seed", "game"} & set(VIEW.names or ())
    assert sum(name == "hand" for name in VIEW.names or ()) == 1
    taken = Bench("9s 9h 6s", "Ts Th 7h", stock=STOCK).bout(lay("9s 9h"), give_up("9h"))
    assert bin(taken.get("known", 1)).count("1") == 1 and taken.get("discard") & taken.get("known", 1) == 0
    turned = Bench("9s 6s", "Ts Th 7h", stock="6d").bout(lay("9s"), give_up())
    assert turned.get("known", 0) == 1 << 2  # the six of diamonds, drawn by the attacker
    hidden = Bench("9s 6s", "Ts Th 7h", stock="6c 6d").bout(PASS)
    assert hidden.get("known", 0) == 0
    played = Bench("9s 6s", "Ts Th 7h", stock="6c 6d", known=[0, 1 << 17]).bout(lay("9s"), give_up())
    assert played.get("known", 1) == 1 << 17


def test_k1_pack_of_36() -> None:
    for event in events_of("deal", 2):
        cards = [card for hand in event["hands"] for card in hand] + event["stock"]
        assert sorted(cards) == sorted(rank + suit for rank in "6789TJQKA" for suit in "shdc")
    around = Bench("Ks Ah 6d", "7s 7h 7d", stock=STOCK).bout(lay("Ks Ah 6d", "small_queue Ks Ah 6d"))
    assert around.fault != ""


def test_k2_two_to_nine_players() -> None:
    for players in (1, 10):
        with pytest.raises(InputError):
            Table(ruleset(), ["random"], players)
    for players in (2, 9):
        assert len(Table(ruleset(), ["random"], players).play(0, 1).games) == 1


def test_k3_scores_start_at_start_score_and_go_down() -> None:
    assert events_of("game", 3, games=1)[0]["scores"] == [100] * 3
    assert events_of("game", 3, "start_score=7", games=1)[0]["scores"] == [7] * 3


@pytest.mark.parametrize("size", [1, 4, 7])
def test_k4_dealing_and_the_turned_card(size: int) -> None:
    for event in events_of("deal", 3, f"hand_size={size}"):
        assert [len(hand) for hand in event["hands"]] == [size] * 3
        assert len(event["stock"]) == 36 - 3 * size
        assert event["turned"] == event["stock"][-1] and event["trump"] == event["turned"][1]


def test_k5_nine_players() -> None:
    for event in events_of("deal", 9, "max_deals=5"):
        assert event["stock"] == [] and event["turned"] is None
        assert event["trump"] == event["hands"][event["dealer"]][-1][1]
    none = events_of("deal", 9, "nine_player_trump=none", "max_deals=1")
    assert {event["trump"] for event in none} == {None}
    assert all(event["leader"] == (event["dealer"] + 1) % 9 for event in none)
    assert {event["trump"] for event in events_of("deal", 8, "nine_player_trump=none")} <= set("shdc")
    with pytest.raises(InputError, match="36"):
        Table(ruleset("hand_size=5"), ["random"], 9).play(0, 1)


@pytest.mark.parametrize("limit", [4, 5, 7])
def test_k6_never_more_than_the_limit(limit: int) -> None:
    settings = (f"hand_limit={limit}",)
    hand = "7s 8s 9s Ts Js Qs Ks"[: 3 * limit - 1]
    full = Bench(hand, "6s", stock=STOCK, settings=settings).bout(PASS)
    assert full.get("sizes", 0) == limit
    below = Bench(hand[:-3], "6s", stock=STOCK, settings=settings).bout(PASS)
    assert below.get("sizes", 0) == limit
    assert "K-44" in Bench("6c 6d", hand, settings=settings).bout(lay("6c"), give_up("6c")).fault


def test_k7_the_deal_passes_clockwise() -> None:
    table = Table(ruleset("max_deals=6"), ["random"], 3, seed=2)
    batch = table.play(0, 30)
    for game in range(30):
        dealers = [int(row["dealer"]) for row in batch.deals[batch.deals["game"] == game]]
        assert dealers == [(dealers[0] + i) % 3 for i in range(len(dealers))]
    assert set(batch.games["dealer"]) == {0, 1, 2}


# --- who leads ----------------------------------------------------------------------------------------------------------------------------


def test_k10_the_lowest_trump_leads_and_is_shown() -> None:
    bench = Bench("6s 9d", "Ad", "6h 7d", stock="6c 6d")
    assert bench.leader(deal=1) == (2, "lowest_trump")
    assert bench.get("known", 2) == 1 << 6 and bench.get("known", 0) == 0
    assert Bench("6s 9d", "Ad", "6h 7d", stock="6c 6d").leader(deal=2, out=(0, 1)) == (2, "lowest_trump")
    assert Bench("6s", "As", "6h", stock="6c 6d").leader(deal=1, dealer=1) == (2, "after_dealer")
    assert Bench("6s", "As", "6h", stock="6c 6d").leader(deal=1, dealer=2) == (0, "after_dealer")


def test_k11_who_went_out_leads() -> None:
    assert Bench("6s 9d", "Ad", "6h 7d").leader(deal=2, out=(1,)) == (1, "went_out")
    assert Bench("6s 9d", "Ad", "6h 7d").leader(deal=1, out=(1,)) == (2, "lowest_trump")


@pytest.mark.parametrize(("value", "expected"), [("lowest_trump", (2, "lowest_trump")), ("last_leader", (1, "last_leader"))])
def test_k12_lead_after_passes(value: str, expected: tuple[int, str]) -> None:
    settings = (f"lead_after_passes={value}",)
    assert Bench("6s 9d", "Ad", "6h 7d", settings=settings).leader(deal=2, last_leader=1) == expected
    for deal, out, other in ((1, (), (2, "lowest_trump")), (2, (0,), (0, "went_out")), (2, (0, 1), (2, "lowest_trump"))):
        assert Bench("6s 9d", "Ad", "6h 7d", settings=settings).leader(deal=deal, out=out, last_leader=1) == other


def test_k13_the_attack_is_on_the_next_player_clockwise() -> None:
    for attacker in range(3):
        hands = ["6s 6h", "6d 7d", "6c 7c"]
        card = hands[attacker].split()[0]
        other = ["As Ah", "9d Td", "Ac Kc"]
        hands[(attacker + 1) % 3] = other[0]
        bench = Bench(*hands, stock="8d 8c", attacker=attacker).bout(lay(card), give_up(card))
        assert card in bench.hand((attacker + 1) % 3)


# --- drawing ------------------------------------------------------------------------------------------------------------------------------


def test_k60_the_attacker_draws_first_then_the_defender() -> None:
    beaten = Bench("9s 9h 6s 7s", "Ts Th 7h 8h", stock=STOCK).bout(lay("9s 9h"), beat("9s>Ts 9h>Th"))
    assert beaten.hand(0).split() == "6s 6c 7s 7c".split()
    assert beaten.hand(1).split() == "7h 8h 8c 9c".split()
    short = Bench("9s 9h 6s 7s", "Ts Th 7h 8h", stock="6c 7c 6d").bout(lay("9s 9h"), beat("9s>Ts 9h>Th"))
    assert (short.get("sizes", 0), short.get("sizes", 1)) == (4, 3)
    many = Bench("9s 9h 6s 7s 8s Js", "Ts Th 7h 8h", stock=STOCK).bout(lay("9s"), give_up("9s"))
    assert (many.get("sizes", 0), many.get("sizes", 1), many.get("stock_size")) == (5, 5, 5)
    third = Bench("9s 9h", "Ts Th", "Js", stock=STOCK, settings=("hand_size=3",)).bout(lay("9s"), give_up())
    assert [third.get("sizes", seat) for seat in range(3)] == [3, 3, 1]


# --- ends of a deal -----------------------------------------------------------------------------------------------------------------------


def test_k70_out_with_an_empty_stock_and_penalties() -> None:
    out = Bench("9s", "Ts Kh").bout(lay("9s"), give_up())
    assert out.ending == "out"
    assert Bench("9s", "Ts Kh", stock="6c 6d").bout(lay("9s"), give_up()).ending is None
    assert Bench("9s 6s", "Ts Kh").bout(lay("9s"), give_up()).ending is None
    third = Bench("9s 6s", "Ts Kh", "").bout(lay("9s"), give_up())
    assert third.ending == "out"  # some player, whoever it is
    bench = Bench("", "Js Qh Kd Ac As 9s", "Th").end("out")
    assert bench.lost == [0, 7, 0]
    assert bench.tallies == {(1, "court_card", "penalty"): (3, 3), (1, "ace", "penalty"): (2, 4)}
    assert int(bench.hidden["out"][0]) == 1


def test_k71_passes_with_an_empty_stock() -> None:
    assert Bench("9s", "Ts", passes=1).bout(PASS).ending == "passes"
    assert Bench("9s", "Ts", passes=0).bout(PASS).ending is None
    assert Bench("9s", "Ts", "Js", passes=1).bout(PASS).ending is None
    assert Bench("9s", "Ts", "Js", passes=2).bout(PASS).ending == "passes"
    assert Bench("9s", "Ts", stock="6d", passes=1).bout(PASS).ending == "passes"  # its last card is drawn by the pass
    assert Bench("9s", "Ts", stock="6c 6d", passes=1).bout(PASS).ending is None
    assert Bench("9s", "Ts", stock="6d", passes=5).bout(PASS).ending == "passes"
    assert Bench("9s 9h", "Ts Th", passes=1).bout(lay("9s"), give_up()).get("passes") == 0
    bench = Bench("Js", "As").end("passes")
    assert bench.lost == [1, 2] and int(bench.hidden["out"][0]) == 0


def test_k72_passes_with_full_hands() -> None:
    a, b = "6s 7s 8s 9s Ts Js Qs", "6h 7h 8h 9h Th Jh Qh"
    assert Bench(a, b, stock=STOCK, passes=1).bout(PASS).ending == "passes_full"
    assert Bench(a, b, stock=STOCK, passes=0).bout(PASS).ending is None
    assert Bench(a, b[:-3], stock=STOCK, passes=1).bout(PASS).ending is None
    assert Bench(a[:-3], b, stock=STOCK, passes=4).bout(PASS).ending == "passes_full"  # looked at after each further pass
    assert Bench(a[:-9], b[:-9], stock=STOCK, passes=1, settings=("hand_limit=4",)).bout(PASS).ending == "passes_full"
    assert Bench(a, b).end("passes_full").lost == [2, 2]


def test_k73_max_bouts() -> None:
    assert Bench("9s 9h", "Ts Th", stock=STOCK, bout=498).bout(lay("9s"), give_up()).ending is None
    assert Bench("9s 9h", "Ts Th", stock=STOCK, bout=499).bout(lay("9s"), give_up()).ending == "max_bouts"
    assert Bench("9s 9h", "Ts Th", stock=STOCK, bout=4, settings=("max_bouts=5",)).bout(lay("9s"), give_up()).ending == "max_bouts"
    assert Bench("9s", "Ts", bout=499).bout(lay("9s"), give_up()).ending == "out"
    assert Bench("Js", "As").end("max_bouts").lost == [1, 2]


# --- end of the game ----------------------------------------------------------------------------------------------------------------------


def test_k80_all_losses_of_a_bout_at_once() -> None:
    force, answer = "Ts Th Td Tc", beat("Ts>Js Th>Jh Td>Jd Tc>Jc", "")
    both = Bench(force + " 6s", "Js Jh Jd Jc 6h", stock=STOCK, scores=[4, 4]).bout(lay(force), answer)
    assert (both.scores, both.ending) == ([0, 0], "game_over")
    assert both.get("stock_size") == 5  # nobody draws any more
    middle = Bench("9s 9h 6s", "Ts Th 7h", stock=STOCK, scores=[100, 3]).bout(lay("9s 9h"), give_up())
    assert middle.ending == "game_over"
    assert Bench("9s 9h 6s", "Ts Th 7h", stock=STOCK, scores=[100, 4]).bout(lay("9s 9h"), give_up()).ending is None
    penalty = Bench("", "As", scores=[50, 2]).end("out")
    assert penalty.game_over and penalty.scores == [50, 0]
    assert not Bench("", "As", scores=[50, 3]).end("out").game_over
    table = Table(ruleset("start_score=5"), ["random"], 2, seed=1)
    for game in range(40):
        kinds = [event["event"] for event in table.transcript(game)]
        assert kinds[-2] in ("score", "deal_end") and kinds[-1] == "game_end"


@pytest.mark.parametrize(("scores", "winners"), [([0, 5], [1]), ([5, -3], [0]), ([0, -5], []), ([-1, -1], []), ([0, 0], [])])
def test_k81_two_players(scores: list[int], winners: list[int]) -> None:
    assert Bench("9s", "Ts", scores=scores).winners() == winners


@pytest.mark.parametrize(("scores", "winners"), [([0, 5, 9], [2]), ([9, 5, -9], [0]), ([0, 9, 9], [1, 2]), ([-1, -5, -2], [0]), ([-1, -1, -1], [0, 1, 2])])
def test_k82_three_or_more(scores: list[int], winners: list[int]) -> None:
    assert Bench("9s", "Ts", "Js", scores=scores).winners() == winners


def test_k83_max_deals() -> None:
    assert Bench("9s", "Ts", scores=[50, 60]).winners("max_deals") == [1]
    assert Bench("9s", "Ts", scores=[50, 50]).winners("max_deals") == []
    assert Bench("9s", "Ts", "Js", scores=[50, 60, 60]).winners("max_deals") == [1, 2]
    games = Table(ruleset("max_deals=3", "start_score=1000"), ["random"], 2, seed=1).play(0, 10).games
    assert set(games["deals"]) == {3} and set(games["reason"]) == {1}


# --- millionaire --------------------------------------------------------------------------------------------------------------------------

MILLIONAIRE = ("millionaire=true",)
SEVEN = "6h 7h 7d 8d 9d 6c 7c"


def climb(cards: str, stage: int, *settings: str, declared: str | None = None, stock: str = "8c 9c 6d") -> int:
    """The stage after an unbeaten attack, from the one before ``stage``."""
    bench = Bench(cards, SEVEN, stock=stock, settings=(*MILLIONAIRE, *settings), stages=[stage - 1, 0], scores=[900, 900])
    bench.bout(lay(cards, declared), give_up())
    assert bench.fault == "" and bench.get("stages", 1) == 0
    return bench.get("stages", 0)


def test_k90_one_stage_a_bout_by_an_unbeaten_attack_or_a_defence() -> None:
    assert climb("9s 9h Ts Js Qs", 1, declared="pair 9s 9h; small_row Ts Js Qs") == 1  # not 2, though the row would pass it
    assert climb("Ts Js Qs", 1) == 0
    plain = Bench("9s 9h", SEVEN, stock=STOCK).bout(lay("9s 9h"), give_up())
    assert plain.get("stages", 0) == 0
    beaten = Bench("9s 9h 6s", "Ts Th 7h", stock=STOCK, settings=MILLIONAIRE).bout(lay("9s 9h"), beat("9s>Ts 9h>Th"))
    assert (beaten.get("stages", 0), beaten.get("stages", 1)) == (0, 1)
    top = Bench("9s 9h", SEVEN, stock=STOCK, settings=MILLIONAIRE, stages=[15, 0]).bout(lay("9s 9h"), give_up())
    assert top.get("stages", 0) == 15
    last = Bench("9s 9h 6s", "Ts Th 7h", stock=STOCK, settings=MILLIONAIRE, scores=[9, 3]).bout(lay("9s 9h"), give_up())
    assert last.game_over and last.get("stages", 0) == 1


CARDS = {
    "pair": "9s 9h",
    "triple": "9s 9h 9c",
    "small_force": "Ts Th Td Tc",
    "large_force": "Js Jh Jd Jc",
    "absolute_force": "As Ah Ad Ac",
    "marriage": "Qs Kh",
    **dict(zip((f"{size}_row" for size in ("small", "medium", "large", "great", "legendary")), (
        "6s 8s As", "6s 8s Ts As", "6s 8s 9s Ts As", "6s 8s 9s Ts Qs As", "6s 7s 8s 9s Ts Js As"), strict=True)),
    **dict(zip((f"{size}_queue" for size in ("small", "medium", "large", "great", "legendary")), (
        "9s Th Jh", "9s Th Jh Qh", "9s Th Jh Qh Kh", "9s Th Jh Qh Kh Ah", "8s 9s Th Jh Qh Kh Ah"), strict=True)),
    **dict(zip((f"{size}_optima" for size in ("small", "medium", "large", "great", "legendary")), (
        "9s Ts Js", "9s Ts Js Qs", "9s Ts Js Qs Ks", "8s 9s Ts Js Qs Ks", "8s 9s Ts Js Qs Ks As"), strict=True)),
}  # fmt: skip
FORCES = {"small_force", "large_force", "absolute_force"}
SIZES = ("small", "medium", "large", "great", "legendary")


def of(shape: str, least: str = "small") -> set[str]:
    return {f"{size}_{shape}" for size in SIZES[SIZES.index(least) :]}


PASSED_BY = {
    1: {"pair", "triple"} | FORCES,
    2: of("row") | of("queue"),
    3: {"marriage"},
    4: {"triple"},
    5: of("row", "medium") | of("queue", "medium"),
    6: {"triple"} | FORCES,
    7: of("optima"),
    8: of("row", "large") | of("queue", "large"),
    9: FORCES,
    10: of("optima", "medium"),
    11: {"large_force", "absolute_force"},
    12: of("optima", "large"),
    13: {"absolute_force"},
    14: of("optima", "great"),
    15: {"legendary_optima"},
}


@pytest.mark.parametrize("stage", PASSED_BY)
def test_k91_what_passes_a_stage_in_attack(stage: int) -> None:
    passing = {kind for kind, cards in CARDS.items() if climb(cards, stage, declared=f"{kind} {cards}") == stage}
    assert passing == PASSED_BY[stage]


def test_k91_assembly_absolute_force_in_defence_superblow_and_jackpot() -> None:
    four = "6s 7h 8d Tc"
    assembly = Bench(four, SEVEN, stock=STOCK, orders=[1, 0], settings=MILLIONAIRE, stages=[3, 0]).bout(lay(four, order="assembly"), give_up())
    assert assembly.get("stages", 0) == 4
    aces = Bench("Ks Kh Kd Kc 6s", "As Ah Ad Ac 6h", stock=STOCK, settings=MILLIONAIRE, stages=[0, 13])
    aces.bout(lay("Ks Kh Kd Kc"), beat("Ks>As Kh>Ah Kd>Ad Kc>Ac"))
    assert aces.get("stages", 1) == 14
    for stage in (13, 14, 15):
        assert climb("Ts Th Td Tc", stage, stock="") == stage
        jackpot = Bench("9h 8h", "6s", settings=MILLIONAIRE, stages=[0, stage - 1]).bout(lay("9h"), beat("9h>6s", ""))
        assert jackpot.get("stages", 1) == (15 if stage == 15 else stage - 1)


@pytest.mark.parametrize(("value", "passed"), [("true", 1), ("false", 0)])
def test_k91_superblow_counts_as_force(value: str, passed: int) -> None:
    setting = f"superblow_counts_as_force={value}"
    assert climb("Ts Th Td Tc", 9, setting, stock="") == 8 + passed
    assert climb("Ts Th Td Tc", 9, setting) == 9
    assert climb("Ts Th Td Tc", 13, setting, stock="") == 13


@pytest.mark.parametrize(("value", "passed"), [("true", 1), ("false", 0)])
def test_k91_weak_marriage_passes_stage(value: str, passed: int) -> None:
    bench = Bench("Qs Kh", SEVEN, stock=STOCK, settings=(*MILLIONAIRE, f"weak_marriage_passes_stage={value}"), stages=[2, 0], married=[1, 0])
    assert bench.bout(lay("Qs Kh"), give_up()).get("stages", 0) == 2 + passed
    assert climb("Qs Kh", 3, f"weak_marriage_passes_stage={value}") == 3


def test_k91_modifiers_and_payout() -> None:
    modifiers = [float(modifier) for _, _, modifier in ladder(ruleset())]
    assert modifiers == [0.1, 0.2, 0.3, 0.5, 1, 2, 4, 8, 16, 32, 64, 125, 250, 500, 1000]
    assert payouts(ruleset(), [0], [5, 15]) == [100, -100]
    assert payouts(ruleset("stake=3", "start_score=50"), [1], [5, 1]) == [-15, 15]
    assert payouts(ruleset(), [], [5, 15]) == [0, 0]
    assert payouts(ruleset(), [0], [0, 15]) == [0, 0]
    assert payouts(ruleset(), [0, 1], [5, 6, 3, 0]) == [200, 400, -300, -300]


def test_k91_the_kernel_pays_what_the_transcript_says() -> None:
    paid = 0
    for players in (2, 3, 4):
        table = Table(ruleset("millionaire=true", "stake=2"), ["greedy"], players, seed=3)
        rows = table.play(0, 40).games
        for game in range(40):
            assert rows["payout"][game, :players].tolist() == table.transcript(game)[-1]["payout"]
        paid += np.count_nonzero(rows["payout"])
    assert paid > 100
    assert "payout" in Table(ruleset(), ["greedy"]).columns_left_out


# --- the point table ----------------------------------------------------------------------------------------------------------------------


def test_k92_values_with_a_key_of_their_own() -> None:
    points = ruleset().points
    own = ("small_force_beaten", "large_force_beaten", "absolute_force_beaten", "assembly_beaten", "court_card", "ace")
    assert [points[key] for key in own] == [4, 6, 10, 6, 1, 2]
    assert list(points)[25:] == list(own)
    dear = ("court_card=5", "ace=11")
    assert Bench("", "Js As", settings=dear).end("out").lost == [0, 16]
    defence = Bench("Ts Th 6s", "Js Ah 6h", stock=STOCK, settings=dear).bout(lay("Ts Th"), beat("Ts>Js Th>Ah", ""))
    assert defence.lost == [16, 0]
    reinforced = Bench("Js 6s", "7h", stock=STOCK, orders=[1, 0], settings=dear).bout(lay("Js", order="reinforced"), give_up())
    assert reinforced.lost == [0, 5]
    force = Bench("9s 9h 9d 9c 6s", "Ts Th Td Tc 6h", stock=STOCK, settings=("small_force_beaten=9",))
    assert force.bout(lay("9s 9h 9d 9c"), beat("9s>Ts 9h>Th 9d>Td 9c>Tc", "")).lost == [0, 9]
    four = "6s 7h 8d Tc"
    assembly = Bench(four, "7s 8h 9d Qc 6h", stock=STOCK, orders=[1, 0], settings=("assembly_beaten=8",))
    assert assembly.bout(lay(four, order="assembly"), beat("6s>7s 7h>8h 8d>9d Tc>Qc", "")).lost == [1, 8]
