"""A test for each rule of durak, named by its code."""

from __future__ import annotations

import numpy as np
import pytest
from durak_positions import end_of, position, told
from model.durak import beats, check_game, pack_of

from simcore.api import play, rules
from simcore.errors import InputError
from simcore.game import schema
from simcore.games.durak.deck import MAX_CARDS
from simcore.games.durak.names import DEAL_ENDINGS, ITEMS, LEADS
from simcore.games.durak.view import ITEMS as NUMBER_OF_ITEMS
from simcore.records import TALLY
from simcore.simulate import Table

NONE = ""
NOT_ALL = "covers some of the open cards only, where all or none must be covered (R6, R16)"
NO_ROOM_TO_LEAD = "leads more cards than there is room for: view.room, or one where multi_attack is false (R7, D4)"
NO_ROOM_TO_THROW = "throws in more cards than there is room for, which is view.room (R7)"


def deals(table: Table, game: int = 0) -> list[dict]:
    return [event for event in table.transcript(game) if event["event"] == "deal"]


def test_items_have_the_places_that_the_kernel_writes() -> None:
    assert len(ITEMS) == NUMBER_OF_ITEMS and tuple(schema("durak").counted) == ITEMS


# --- T2: the bout of simple durak -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("card", "other", "line"),
    [
        ("8s", "9s", "1 covers 8s 9s"),
        ("8s", "7s", "1 take"),
        ("8s", "Ah", "1 take"),
        ("8s", "6d", "1 covers 8s 6d"),
        ("8d", "9d", "1 covers 8d 9d"),
        ("8d", "7d", "1 take"),
        ("8d", "As", "1 take"),
    ],
)
def test_t2_a_card_is_beaten_by_a_higher_one_of_its_suit_or_by_a_trump(card: str, other: str, line: str) -> None:
    """Trump is diamonds; a trump is beaten by a higher one only."""
    for variant in ("simple", "podkidnoy"):
        assert told(position([f"{card} Kc", f"{other} Tc"], [[card], [other]], variant=variant))[1] == line


def test_t2_simple_has_no_throw_ins_and_is_all_or_nothing() -> None:
    lines = told(position(["6s 6h 7c", "7s 8h Kc"], [["6s"], ["7s"]], variant="simple"))
    assert lines == ["0 leads 6s", "1 covers 6s 7s", "beaten", "max_bouts"]
    assert position(["6s 6h 7c", "7s 8h Kc"], [["6s 6h"], ["7s"]], variant="simple") == NOT_ALL
    assert told(position(["6s 6h 7c", "7s 8h Kc"], [["6s 6h"], ["7s 8h"]], variant="simple"))[1] == "1 covers 6s 7s 6h 8h"


def test_t2_who_has_beaten_leads_next_and_who_has_taken_misses_its_lead() -> None:
    three = ["6s 9c Ac", "7s 8c Kc", "Ts Tc Qc"]
    assert told(position(three, [["6s", NONE], ["7s", "8c"], [NONE]], bouts=2))[:5] == ["0 leads 6s", "1 covers 6s 7s", "beaten", "1 leads 8c", "2 take"]
    assert told(position(three, [["6s", NONE], [NONE], ["Ts"]], bouts=2))[:4] == ["0 leads 6s", "1 take", "taken", "2 leads Ts"]


def test_t2_hands_are_filled_up_to_six_and_the_whole_stock_is_drawn() -> None:
    events = position(["6s 9c Ac 9h Th Ah", "7s 8c Kc 8h 7h Kh"], [["6s"], ["7s"]], stock="8s 6d", trump="6d")
    assert told(events)[2:5] == ["beaten", "0 draws 8s", "1 draws 6d"]


def test_t2_as_many_cards_as_the_defender_holds() -> None:
    assert position(["6s 6h 6c", "7s 8h"], [["6s 6h 6c"], []], variant="simple") == NO_ROOM_TO_LEAD
    assert told(position(["6s 6h 6c Ac", "7s 8h"], [["6s 6h"], ["7s 8h"]], variant="simple"))[-1] == "fool 0"


# --- T3, T6: throw-ins ------------------------------------------------------------------------------------------------------------------------


def test_t3_after_the_defender_took_as_many_may_be_added_as_it_holds() -> None:
    """The example: three cards, one laid, and it takes: at most two more."""
    three = ["6s 6h 6c 6d Ac", "7s 8h 9h"]
    assert told(position(three, [["6s", "6h 6c"], [NONE]], trump="Kd"))[:4] == ["0 leads 6s", "1 take", "0 throws 6h 6c", "taken"]
    assert position(three, [["6s", "6h 6c 6d"], [NONE]], trump="Kd") == NO_ROOM_TO_THROW


def test_t6_the_bout_ends_at_six_beaten_cards() -> None:
    """Seat 0 has an eight left that would fit, and is not asked for it."""
    hands = ["6s 6h 6c 7s 7h 7c 8d", "7d 8h 8c 9s 9h 9c Ks Kh"]
    script = [["6s 6h 6c", "7s 7h 7c"], ["7d 8h 8c", "9s 9h 9c"]]
    lines = told(position(hands, script, trump="Kd", stock="Tc Th"))
    assert [line.split()[1] for line in lines[:4]] == ["leads", "covers", "throws", "covers"] and lines[4] == "beaten"
    assert "0 done" in told(position(hands, [["6s 6h 6c", "7s 7h"], ["7d 8h 8c", "9s 9h"]], trump="Kd", stock="Tc Th"))


# --- epaulettes ---------------------------------------------------------------------------------------------------------------------------------


def pogony(hands, script, **changes):
    return position(hands, script, variant="pogony", **{"trump": "Kd", "ranks": (0, 0), "bouts": 5} | changes)


def test_p1_two_players_and_36_cards() -> None:
    with pytest.raises(InputError, match="for 2 players"):
        Table(rules("durak", variant="pogony"), ["random"], 3).play(0, 1)
    with pytest.raises(InputError, match="36 cards"):
        rules("durak", variant="pogony", deck="52")


def test_p2_epaulettes_are_hung_by_a_last_attack_with_two_to_four_cards_of_the_rank() -> None:
    for hand in ("6s 6h", "6s 6h 6c", "6s 6h 6c 6d"):
        end = end_of(pogony([hand, "9s 9h 9c Ac Kc"], [[hand], [NONE]]))
        assert (end["reason"], end["fool"], end["scores"]) == ("fool", 1, [1, 0])
        assert end["epaulettes"] == {"seat": 0, "rank": "6", "cards": sorted(hand.split(), key=pack_of("36").index)}
    assert end_of(pogony(["7s 7h", "9s 9h 9c Ac Kc"], [["7s 7h"], [NONE]]))["epaulettes"] is None


def test_p3_nothing_is_hung_where_the_attack_is_beaten_and_the_other_is_out_too() -> None:
    end = end_of(pogony(["6s 6h", "9s 9h"], [["6s 6h"], ["9s 9h"]], ranks=(0, 1)))
    assert (end["reason"], end["fool"], end["epaulettes"], end["scores"]) == ("draw", None, None, [0, 1])


@pytest.mark.parametrize("hangs", [True, False])
def test_p4_beaten_epaulettes_are_hung_on_a_fool(hangs: bool) -> None:
    end = end_of(pogony(["6s 6h", "9s 9h Ac"], [["6s 6h"], ["9s 9h"]], ranks=(0, 1), hang_if_beaten=hangs))
    assert (end["reason"], end["fool"]) == ("fool", 1)
    assert (end["epaulettes"] is not None) == hangs and end["scores"] == [int(hangs), 1]


def test_p5_each_player_goes_up_from_six_by_itself() -> None:
    events = Table(rules("pogony"), ["random", "greedy"], seed=1).transcript(0)
    ranks = [0, 0]
    for event in events:
        if event["event"] == "deal":
            assert event["ranks"] == ["6789TJQKA"[rank] for rank in ranks]
        if event["event"] == "deal_end" and event["epaulettes"]:
            assert event["epaulettes"]["rank"] == "6789TJQKA"[ranks[event["epaulettes"]["seat"]]]
            ranks[event["epaulettes"]["seat"]] += 1
    assert max(ranks) == 9


def test_p6_who_hangs_aces_wins_the_match() -> None:
    table = Table(rules("pogony"), ["greedy"], seed=1)
    rows = table.play(0, 50).games
    assert set(rows["reason"]) == {1} and (rows["score"][:, :2].max(axis=1) == 9).all()
    end = table.transcript(0)[-1]
    (winner,) = end["winners"]
    assert end["reason"] == "aces" and end["scores"][winner] == 9 and end["ranks"][winner] is None and end["ranks"][1 - winner] is not None


def test_p7_a_deal_in_which_nobody_hangs_changes_nothing() -> None:
    end = end_of(pogony(["6s 7h", "9s 9h 9c Ac"], [["7h", "6s"], [NONE, NONE]]))
    assert (end["fool"], end["scores"], end["epaulettes"]) == (1, [0, 0], None)


def test_p8_the_own_rank_may_not_be_led_beaten_or_used_in_defence() -> None:
    leads = "leads no card, or cards that it does not hold or may not lead (T2, P8)"
    uses = "covers with a card that it does not hold or may not use, or with one twice (T2, P8)"
    assert pogony(["6s 7h Ac", "9s 9h Kc"], [["6s"], []]) == leads
    assert told(pogony(["6s Ac Kc", "9s 9h Qc"], [["6s"], []], ranks=(1, 0), bouts=1))[1] == "1 take"
    assert pogony(["8s Ac Kc", "9s Ts Qc"], [["8s"], ["9s"]], ranks=(1, 3)) == uses


def test_p9_the_own_rank_must_be_taken() -> None:
    """Also where it is thrown in: the defender covers with its trump nine, gets another one, and may not beat that with its king."""
    assert told(pogony(["7s Ac Kc", "9s Ts Qc"], [["7s"], ["9s"]], ranks=(0, 1), bouts=1))[:2] == ["0 leads 7s", "1 take"]
    lines = told(pogony(["8s 9h Ac", "9d Kh Qc"], [["8s", "9h"], ["9d", "Kh"]], ranks=(0, 3), bouts=1))
    assert lines[:4] == ["0 leads 8s", "1 covers 8s 9d", "0 throws 9h", "1 take"]


def test_p10_the_opponent_has_no_limits_on_ones_rank() -> None:
    """Seat 0 hangs nines, seat 1 sixes: seat 0 leads a six, seat 1 covers with a nine and beats one."""
    assert told(pogony(["6s 7h Ac", "8s 9h Kc"], [["6s"], []], ranks=(3, 0), bouts=1))[0] == "0 leads 6s"
    assert told(pogony(["8h 7h Ac", "8s 9h Kc"], [["8h"], ["9h"]], ranks=(3, 0), bouts=1))[1] == "1 covers 8h 9h"
    assert told(pogony(["Ts 9d Ac", "Td 9h Kc"], [["9d"], ["Td"]], ranks=(3, 0), bouts=1))[1] == "1 covers 9d Td"


@pytest.mark.parametrize("exempt", [True, False])
def test_p11_the_trump_of_the_rank_is_exempt_and_counts_at_the_end(exempt: bool) -> None:
    led = pogony(["6d 7h Ac", "9s 9h Kc"], [["6d"], []], bouts=1, trump_exempt=exempt)
    assert isinstance(led, list) == exempt
    covered = pogony(["Ts 7h Ac", "6d 9h Kc"], [["Ts"], ["6d"]], bouts=1, ranks=(1, 0), trump_exempt=exempt)
    assert told(covered)[1] == ("1 covers Ts 6d" if exempt else "1 take")
    beaten = pogony(["6d 7h Ac", "9d 9h Kc"], [["6d"], ["9d"]], bouts=1, ranks=(1, 0), trump_exempt=exempt)
    assert told(beaten)[1] == ("1 covers 6d 9d" if exempt else "1 take")
    assert end_of(pogony(["6d 6s", "9s 9h 9c"], [["6d 6s"], []], trump_exempt=exempt))["scores"] == [1, 0]


def test_p12_who_holds_three_cards_of_the_others_rank_is_safe() -> None:
    assert end_of(pogony(["6s", "6h 6c 6d 9s"], [["6s"], []]))["epaulettes"] is None


@pytest.mark.parametrize("allowed", [True, False])
def test_p13_the_own_rank_is_thrown_in_only_where_that_is_allowed(allowed: bool) -> None:
    events = pogony(["7s 9h Ac", "9s Th Qc"], [["7s", "9h"], ["9s", NONE]], ranks=(3, 0), bouts=1, special_throw_in=allowed)
    assert ("0 throws 9h" in told(events)) == allowed


# --- D: where sources contradict each other ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("option", ["prev_winner", "lowest_trump", "to_fool", "from_fool"])
def test_d1_who_leads_later_deals(option: str) -> None:
    table = Table(rules("durak", deals=30, next_lead=option), ["greedy"], 4, seed=2)
    batch = table.play(0, 20)
    rows = batch.deals
    later = np.flatnonzero(rows["deal"] > 1)
    before = rows[later - 1]
    expected = {
        "prev_winner": before["winner"],
        "to_fool": (before["fool"] + 3) % 4,
        "from_fool": (before["fool"] + 1) % 4,
    }
    if option == "lowest_trump":
        assert set(rows["lead"]) == {LEADS.index("lowest_trump")}
    else:
        known = before["winner" if option == "prev_winner" else "fool"] >= 0
        assert known.sum() > 500
        assert (rows[later]["leader"] == expected[option])[known].all()
        assert set(rows[later]["lead"][known]) == {LEADS.index(option)} and set(rows[later]["lead"][~known]) <= {1, 4}
    for game in range(3):
        check_game(table.transcript(game))


def test_d2_where_nobody_has_a_trump_the_player_after_the_dealer_leads() -> None:
    rows = Table(rules("durak"), ["greedy"], 2, seed=2).play(0, 3000).deals
    none = rows[rows["lead"] == LEADS.index("left_of_dealer")]
    assert len(none) > 10 and np.array_equal(none["leader"], 1 - none["dealer"])


def test_d3_players_by_the_pack() -> None:
    assert (schema("durak").players.min, schema("durak").players.max) == (2, 8)
    with pytest.raises(InputError, match="up to 6 players"):
        Table(rules("durak"), ["random"], 7).play(0, 1)
    for deck in ("36", "52", "54"):
        table = Table(rules("durak", deck=deck), ["random"], 6 if deck == "36" else 8)
        (deal,) = deals(table)
        assert sorted([card for hand in deal["hands"] for card in hand] + deal["stock"]) == sorted(pack_of(deck))


@pytest.mark.parametrize("several", [True, False])
def test_d4_a_bout_is_opened_with_one_card_or_several_of_a_rank(several: bool) -> None:
    found = position(["6s 6h Ac", "7s 8h Kc"], [["6s 6h"], []], multi_attack=several)
    assert isinstance(found, list) == several
    assert position(["6s 7h Ac", "7s 8h Kc"], [["6s 7h"], []]) == "leads cards of different ranks (D4)"


@pytest.mark.parametrize(("option", "thrown"), [("table", True), ("attack_only", False)])
def test_d5_which_ranks_are_thrown_in(option: str, thrown: bool) -> None:
    lines = told(position(["6s 7h Ac", "7s 8h Kc"], [["6s", "7h"], ["7s"]], throw_ranks=option))
    assert ("0 throws 7h" in lines) == thrown
    assert "0 throws 6h" in told(position(["6s 6h Ac", "7s 8h Kc"], [["6s", "6h"], ["7s"]], throw_ranks=option))


@pytest.mark.parametrize("option", ["hand", "6"])
def test_d6_the_limit_once_the_stock_is_empty(option: str) -> None:
    hands = ["6s 6h 6c 6d 7s 7h 7c 8d", "7d 8h 8c 8s Th Tc Ks Kh Ad"]
    for thrown in (2, 3):
        events = position(hands, [["6s 6h 6c 6d", "7s 7h 7c"[: 3 * thrown - 1]], ["7d", NONE]], trump="9h", cap_after_stock=option)
        assert isinstance(events, list) == (option == "hand" or thrown == 2)


@pytest.mark.parametrize(("cap", "extra", "beaten_first", "laid"), [(5, True, False, 6), (5, False, False, 5), (6, False, False, 6), (5, False, True, 6)])
def test_d7_the_first_bout_has_five_cards_and_a_sixth_where_the_defender_takes(cap: int, extra: bool, beaten_first: bool, laid: int) -> None:
    hands = ["6s 6h 6c 6d 7s 7h 7c", "7d 8h 8c 8s Th Tc Ks"]
    script = [["6s 6h 6c 6d", "7s", "7h"], ["7d", NONE]]
    events = position(hands, script, trump="9h", stock="9s 9c", beaten=beaten_first, first_cap=cap, first_cap_take_extra=extra)
    lines = told(events)
    assert lines[:4] == ["0 leads 6s 6h 6d 6c", "1 covers 6d 7d", "1 take", "0 throws 7s"]
    assert ("0 throws 7h" in lines) == (laid == 6)


@pytest.mark.parametrize(("scope", "laid"), [("until_first_beaten", 5), ("first_bout", 6)])
def test_d8_how_long_the_limit_of_the_first_bout_holds(scope: str, laid: int) -> None:
    hands = ["6s 6h 6c 6d 7s 7h 7c 8d 9d", "7d 8h 8c 8s Th Tc Ks Ts"]
    script = [["8d", "6s 6h 6c 6d", "7s", "7h"], [NONE, "7d", NONE]]
    events = position(hands, script, trump="9h", stock="9s 9c", beaten=False, bouts=2, first_cap_scope=scope, first_cap_take_extra=False)
    assert told(events)[1] == "1 take" and ("0 throws 7h" in told(events)) == (laid == 6)


def test_d9_the_limit_counts_the_opening_cards() -> None:
    hands = ["6s 6h 6c 6d 7s 7h 7c", "7d 8h 8c 8s Th Tc Ks"]
    for limit, room in ((5, 1), (6, 2)):
        for thrown in (1, 2):
            events = position(hands, [["6s 6h 6c 6d", "7s 7h"[: 3 * thrown - 1]], ["7d", NONE]], trump="9h", stock="9s 9c", max_attack=limit)
            assert isinstance(events, list) == (thrown <= room)


@pytest.mark.parametrize("free", [True, False])
def test_d10_whether_the_defender_may_take_what_it_could_cover(free: bool) -> None:
    found = position(["6s 7h Ac", "7s 8h Kc"], [["6s"], [NONE]], may_take_voluntarily=free)
    assert isinstance(found, list) == free
    assert free or found == "takes, where it could cover all open cards and must (D10)"


def test_d11_room_is_the_defenders_hand_less_the_uncovered_cards() -> None:
    """Three cards, one covers one: two more may be laid."""
    hands = ["6s 6h 6c 7h Ac", "7s 8h 8c"]
    assert "0 throws 6h 6c" in told(position(hands, [["6s", "6h 6c"], ["7s", "8h 8c"]]))
    assert position(hands, [["6s", "6h 6c 7h"], ["7s", "8h 8c"]]) == NO_ROOM_TO_THROW


def test_d12_a_draw_is_when_the_last_cards_are_covered_by_the_last_cards() -> None:
    end = end_of(position(["6s", "7s"], [["6s"], ["7s"]], bouts=3))
    assert (end["reason"], end["fool"], end["out"], end["first_out"], end["scores"]) == ("draw", None, [0, 1], 0, [0, 0])


def test_d13_the_first_out_wins_and_the_last_one_is_the_fool() -> None:
    end = end_of(position(["6s", "7s 7c", "Kc Kh"], [["6s"], ["7s", "7c"], ["Kc"]], bouts=9))
    assert (end["reason"], end["first_out"], end["out"], end["fool"], end["scores"]) == ("fool", 0, [0, 1], 2, [1, 0, 0])


def test_d14_the_turned_card_is_the_one_after_the_deal() -> None:
    """It goes to the end of the stock; the others keep their order in the shuffled deck."""
    from simcore.chance import decks

    table = Table(rules("durak"), ["random"], 3, seed=5)
    (deal,) = deals(table, 4)
    deck = [pack_of("36")[card] for card in decks(36, 1, 5, 4)[0]]
    assert deal["turned"] == deck[18] == deal["stock"][-1] and deal["stock"][:-1] == deck[19:]
    first = (deal["dealer"] + 1) % 3
    assert deal["hands"][first] == deck[0:18:3] and deal["trump"] == deck[18][1]


def test_d15_a_defender_who_is_out_leaves_the_lead_to_the_next_player() -> None:
    lines = told(position(["6s 9c", "7s", "Ts Kc"], [["6s", NONE], ["7s"], ["Ts"]], bouts=2))
    assert lines[:4] == ["0 leads 6s", "1 covers 6s 7s", "beaten", "2 leads Ts"]


@pytest.mark.parametrize("allowed", [True, False])
def test_d16_throw_ins_when_the_leader_is_out(allowed: bool) -> None:
    lines = told(position(["6s", "7s 8h Kc", "6h Ac"], [["6s"], ["7s"], ["6h"]], throw_after_leader_out=allowed))
    assert ("2 throws 6h" in lines) == allowed


def test_d17_the_attackers_throw_in_their_order() -> None:
    """The leader first; where it has nothing, or declines, the next ones clockwise."""
    hands = ["6s 6h Ac", "7s 8h Kc", "6c As", "Ks 7c"]
    lines = told(position(hands, [["6s", NONE], ["7s", NONE], [NONE], ["7c"]]))
    assert lines[:7] == ["0 leads 6s", "1 covers 6s 7s", "0 done", "2 done", "3 throws 7c", "1 take", "0 done"]


def test_d18_hands_are_filled_from_the_leader_clockwise_the_defender_last() -> None:
    hands = ["6s 9c Ac 9h Th Ah", "7s 8c Kc 8h 7h Kh", "6h Qc Jc Jh Qh As"]
    lines = told(position(hands, [["6s", NONE], ["7s", "8h"], ["6h"]], stock="8s 9s Ts Js 6d", trump="6d"))
    assert [line for line in lines if "draws" in line] == ["0 draws 8s", "2 draws 9s", "1 draws Ts Js"]


# --- R: further decisions --------------------------------------------------------------------------------------------------------------------------


def test_r1_players_who_are_out_are_skipped() -> None:
    lines = told(position(["6s 9c", "", "7s Kc", "8c Tc"], [["6s"], [], ["7s"], []]))
    assert lines[1] == "2 covers 6s 7s"
    lines = told(position(["6s 9c", "", "7s Kc", "8c Tc"], [["6s"], [], [NONE, NONE], ["8c"]], bouts=2))
    assert "3 leads 8c" in lines


def test_r2_the_deal_passes_clockwise_from_a_first_dealer_by_lot() -> None:
    batch = Table(rules("durak", deals=5), ["greedy"], 3, seed=1).play(0, 3000)
    dealers = batch.deals["dealer"].reshape(-1, 5)
    assert (np.diff(dealers.astype(int), axis=1) % 3 == 1).all()
    counts = np.bincount(dealers[:, 0])
    assert counts.sum() == 3000 and (abs(counts - 1000) < 160).all()  # six standard deviations


def test_r3_a_bout_is_played_out_even_if_only_the_defender_has_cards() -> None:
    lines = told(position(["6s", "7s Kc"], [["6s"], ["7s"]], bouts=5))
    assert lines == ["0 leads 6s", "1 covers 6s 7s", "beaten", "fool 1"]


def test_r4_the_right_to_throw_stays_until_it_is_declined_and_taking_does_not_move_it() -> None:
    hands = ["6s 6h 7d", "7s Th Kc 8h", "6c 7h 7c As"]
    lines = told(position(hands, [["6s", NONE, "7d"], ["7s", NONE], ["6c", "7h", NONE]], trump="Kd"))
    assert lines[:9] == ["0 leads 6s", "1 covers 6s 7s", "0 done", "2 throws 6c", "1 take", "2 throws 7h", "2 done", "0 throws 7d", "taken"]


@pytest.mark.parametrize("partial", [True, False])
def test_r6_the_defender_may_cover_some_cards_and_then_take(partial: bool) -> None:
    found = position(["6s 6h Ac", "7s 8h Kc"], [["6s 6h", NONE], ["7s", NONE]], partial_beat=partial)
    assert isinstance(found, list) == partial
    assert not partial or told(found)[1:3] == ["1 covers 6s 7s", "1 take"]


def test_r7_simple_durak_has_no_limit_but_the_hand() -> None:
    hands = ["6s 6h 6c 6d Ac", "7s 8h 8c 8s Th Kc"]
    assert isinstance(position(hands, [["6s 6h 6c 6d"], []], variant="simple", max_attack=1, stock="9s 9c", beaten=False), list)
    assert isinstance(position(hands, [["6s 6h 6c 6d"], []], max_attack=1, stock="9s 9c", beaten=False), str)


def test_r7_the_stock_counts_as_it_is_when_the_bout_begins() -> None:
    hands = ["6s 6h 6c 6d 7s 7h 7c", "7d 8h 8c 8s Th Tc Ks"]
    for stock, more in (("9s", False), ("", True)):
        events = position(hands, [["6s 6h 6c 6d", "7s 7h 7c"], ["7d", NONE]], trump="9h", stock=stock)
        assert isinstance(events, list) == more


def test_r9_players_go_out_in_the_order_in_which_their_last_cards_left_the_hand() -> None:
    hands = ["6s", "7s 8h", "6h", "Kc Ac"]
    end = end_of(position(hands, [["6s"], ["7s", "8h"], ["6h"], [NONE]], bouts=9))
    assert end["out"] == [0, 2, 1] and (end["reason"], end["fool"]) == ("fool", 3)


def test_r9_nobody_is_out_while_the_stock_lasts() -> None:
    end = end_of(position(["6s", "7s Kc"], [["6s"], ["7s"]], stock="8s 9s Ts Js Qs Ks 9c 8c 6d", trump="6d"))
    assert (end["reason"], end["out"], end["first_out"]) == ("max_bouts", [], None)


def test_r10_a_drawn_deal_of_two_has_no_winner_and_one_of_three_has() -> None:
    two = Table(rules("durak"), ["greedy"], 2, seed=1).play(0, 2000).deals
    drawn = two[two["reason"] == DEAL_ENDINGS.index("draw")]
    assert len(drawn) > 50 and set(drawn["winner"]) == {-1}
    three = Table(rules("durak"), ["greedy"], 3, seed=1).play(0, 3000).deals
    drawn = three[three["reason"] == DEAL_ENDINGS.index("draw")]
    assert len(drawn) > 20 and (drawn["winner"] >= 0).all() and set(drawn["fool"]) == {-1}


def test_r11_a_game_counts_winners_or_fools() -> None:
    for score, sign in (("first_out", 1), ("fool", -1)):
        table = Table(rules("durak", deals=5, session_score=score), ["greedy"], 3, seed=1)
        batch = table.play(0, 50)
        column = batch.deals["winner" if sign > 0 else "fool"]
        for seat in range(3):
            assert np.array_equal(batch.deals["points"][:, seat], sign * (column == seat))
        end = table.transcript(0)[-1]
        assert end["reason"] == "deals" and end["scores"] == batch.games["score"][0, :3].tolist()
    equal = Table(rules("durak", deals=2), ["greedy"], 2, seed=1)
    ends = [equal.transcript(game)[-1] for game in range(20)]
    assert any(end["scores"] == [1, 1] and end["winners"] == [] for end in ends)


def test_r11_a_match_of_epaulettes_is_cut_off_after_max_deals() -> None:
    events = Table(rules("pogony", max_deals=3), ["greedy"], seed=1).transcript(0)
    assert events[-1]["reason"] == "max_deals" and events[-1]["ranks"] == ["6789TJQKA"[score] for score in events[-1]["scores"]]


def test_r12_a_deal_is_cut_off_after_max_bouts() -> None:
    rows = Table(rules("durak", max_bouts=4), ["random"], 3, seed=1).play(0, 50).deals
    assert set(rows["reason"]) == {DEAL_ENDINGS.index("max_bouts")} and set(rows["bouts"]) == {4} and set(rows["fool"]) == {-1}
    assert schema("durak").options["max_bouts"].high * MAX_CARDS <= np.iinfo(TALLY["count"]).max  # all cards thrown in by one seat in each bout


def test_r13_six_players_with_36_cards_have_no_stock() -> None:
    for game in range(5):
        (deal,) = deals(Table(rules("durak"), ["random"], 6, seed=1), game)
        assert deal["stock"] == [] and deal["turned"] == deal["hands"][deal["dealer"]][-1] and deal["trump"] == deal["turned"][1]


@pytest.mark.parametrize(("stuck", "lines"), [("lead", ["0 leads 6s", "1 take"]), ("pass", ["0 pass", "1 leads 9s"]), ("void_deal", ["void"])])
def test_r14_who_may_lead_no_card(stuck: str, lines: list[str]) -> None:
    events = pogony(["6s", "9s 9h Kc"], [["6s"] if stuck == "lead" else [NONE], [NONE] if stuck == "lead" else ["9s"]], ranks=(0, 5), bouts=1, stuck=stuck)
    assert told(events)[: len(lines)] == lines and end_of(events)["epaulettes"] is None


def test_r14_two_passes_in_a_row_make_the_deal_void() -> None:
    events = pogony(["6s", "9s"], [[], []], ranks=(0, 3), stuck="pass")
    assert told(events) == ["0 pass", "1 pass", "void"] and end_of(events)["out"] == []


def test_r14_epaulettes_need_an_empty_stock_and_a_defender_with_as_many_cards() -> None:
    assert end_of(pogony(["6s 6h", "9s 9h Ac"], [["6s 6h"], []], bouts=1, stock="Qc"))["epaulettes"] is None
    more = pogony(["6s 6h 6c", "9s 9h"], [["6s", NONE], [NONE]], bouts=1)
    assert told(more)[0] == "0 leads 6s"
    assert isinstance(pogony(["6s 6h 6c", "9s 9h"], [["6s 6h 6c"], []], bouts=1), str)
    assert end_of(pogony(["6s 6h", "9s 9h Ac"], [["6s 6h"], []], multi_attack=False))["scores"] == [1, 0]


def test_r16_who_may_not_take_freely_covers_all_or_takes() -> None:
    found = position(["6s 6h Ac", "7s 8h Kc"], [["6s 6h"], ["7s"]], may_take_voluntarily=False)
    assert found == NOT_ALL
    assert told(position(["6s 6h Ac", "7s 8c Kc"], [["6s 6h", NONE], ["7s"]], may_take_voluntarily=False))[1] == "1 take"
    assert told(pogony(["7s 8h Ac", "9s 9h Kc"], [["7s"], []], ranks=(0, 1), bouts=1, may_take_voluntarily=False))[1] == "1 take"


@pytest.mark.parametrize(("other", "drawn"), [("7s 8h", True), ("7s 8c", False), ("7s 8h 9h", False)])
def test_r17_equal_hands_that_can_be_covered_are_a_draw(other: str, drawn: bool) -> None:
    end = end_of(position(["6s 6h", other], [["6s", NONE], [NONE]], bouts=1, adjudicate=True))
    assert (end["reason"] == "draw") == drawn
    if drawn:
        assert end["out"] == [] and end["first_out"] is None
    with pytest.raises(InputError, match="adjudicate"):
        rules("pogony", adjudicate=True)


def test_r18_what_jokers_beat_and_are_beaten_by() -> None:
    """All pairs of the 54 cards under each option, against the sentence of the rulebook in the model."""
    from durak_positions import beaten_table

    for option in ("any_trump", "trump_joker_only", "nothing"):
        for trump in ("6d", "6s"):
            table = beaten_table(trump, option)
            pack = pack_of("54")
            for card in pack:
                assert table[card] == {other for other in pack if other != card and beats(other, card, trump[1], option)}, (card, trump, option)


def test_r18_a_turned_joker_changes_places_with_a_card_of_the_stock() -> None:
    from simcore.chance import decks

    shuffled = decks(54, 600, 1)
    table = Table(rules("durak", deck="54"), ["random"], 2, seed=1)
    turned = np.flatnonzero(shuffled[:, 12] >= 52)[:6]
    assert len(turned) == 6
    replaced = set()
    for game in turned.tolist():
        (deal,) = deals(table, game)
        deck = [pack_of("54")[card] for card in shuffled[game]]
        place = deck.index(deal["turned"])
        assert deal["turned"] not in ("Rj", "Bj") and place > 12
        deck[12], deck[place] = deck[place], deck[12]
        assert deal["stock"] == [*deck[13:], deck[12]]
        replaced.add(place)
    assert len(replaced) > 2


def test_r18_jokers_are_one_rank_and_no_lowest_trump() -> None:
    assert "0 throws Bj" in told(position(["Rj Bj 7s", "6d 7d 8d"], [["Rj", "Bj"], [NONE]], deck="54"))
    assert told(position(["Rj Bj 7s", "6d 7d 8d"], [["Rj Bj"], [NONE]], deck="54"))[0] == "0 leads Rj Bj"
    with_jokers = Table(rules("durak", deck="54"), ["greedy"], 2, seed=1)
    for game in range(30):
        check_game(with_jokers.transcript(game))


def test_r10_play_counts_wins_as_the_rules_say() -> None:
    frame = play("durak", ["greedy"], games=200, players=4, seed=1, threads=1).games
    assert all(abs(sum(row) - 1) < 1e-9 for row in frame.select([f"share_{seat}" for seat in range(4)]).rows())


@pytest.mark.parametrize(("variant", "words"), [("simple", "not in simple durak"), ("pogony", "not in epaulettes")])
def test_an_option_that_is_said_not_to_matter_in_a_variant_does_not(variant: str, words: str) -> None:
    """Every other value of it plays the same games, or is refused."""
    other = {"deals": 3, "session_score": "fool", "throw_ranks": "attack_only", "max_attack": 3, "cap_after_stock": "6", "first_cap": 6}
    other |= {"throw_after_leader_out": False, "adjudicate": True}
    said = [key for key, option in schema("durak").options.items() if words in option.help["en"]]
    assert said and set(said) <= set(other)
    as_it_is = Table(rules(variant), ["random"], 2, seed=4).play(0, 40).tallies
    for key in said:
        if key == "adjudicate":
            with pytest.raises(InputError, match="no deal is adjudicated"):
                rules(variant, adjudicate=True)
        else:
            assert np.array_equal(Table(rules(variant, **{key: other[key]}), ["random"], 2, seed=4).play(0, 40).tallies, as_it_is), key
