"""A test for each rule of Chinese bezique, named by its number: T rows of the scoring table, B rules of play, S the settlement."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from chinese_bezique_positions import PACK, Position, settlement

from simcore.api import rules
from simcore.errors import InputError, StrategyError
from simcore.games.chinese_bezique.account import settle
from simcore.games.chinese_bezique.combinations import CARTE_BLANCHE
from simcore.games.chinese_bezique.rules import check
from simcore.games.chinese_bezique.view import AGAIN
from simcore.simulate import Table

SEQUENCE = "As1 Ts1 Ks1 Qs1 Js1"
WRONG_CARDS, WRONG_PRICE, STANDS = "not what it said", "fixes the trump", "still whole"


def played(name: str = "greedy", seed: int = 1, game: int = 0, **options: Any) -> list[dict[str, Any]]:
    return Table(rules("chinese_bezique", **options), [name], seed=seed).transcript(game)


def only(events: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [event for event in events if event["event"] == kind]


# --- the scoring table --------------------------------------------------------------------------------------------------------------------

EXAMPLES = {
    "trump_sequence": ("As1 Ts2 Ks3 Qs4 Js5", 250),
    "sequence": ("Ah1 Th2 Kh3 Qh4 Jh5", 150),
    "trump_marriage": ("Ks1 Qs2", 40),
    "marriage": ("Kc1 Qc1", 20),
    "four_aces": ("As1 Ah1 Ad1 Ac1", 100),
    "four_kings": ("Ks1 Ks2 Ks3 Kc1", 80),
    "four_queens": ("Qh1 Qh2 Qd1 Qd2", 60),
    "four_jacks": ("Jh1 Jh2 Jh3 Jh4", 40),
    "four_trump_aces": ("As1 As2 As3 As4", 1000),
    "four_trump_tens": ("Ts1 Ts2 Ts3 Ts4", 900),
    "four_trump_kings": ("Ks1 Ks2 Ks5 Ks6", 800),
    "four_trump_queens": ("Qs1 Qs2 Qs3 Qs4", 600),
    "four_trump_jacks": ("Js1 Js2 Js3 Js4", 400),
    "bezique": ("Qs1 Jd6", 40),
    "double_bezique": ("Qs1 Qs2 Jd1 Jd2", 500),
    "triple_bezique": ("Qs1 Qs2 Qs3 Jd1 Jd2 Jd3", 1500),
    "quadruple_bezique": ("Qs1 Qs2 Qs3 Qs4 Jd1 Jd2 Jd3 Jd4", 4500),
}


@pytest.mark.parametrize("kind", EXAMPLES)
def test_t1_to_t18_every_combination_has_its_price_and_its_cards(kind: str) -> None:
    cards, points = EXAMPLES[kind]
    assert Position(cards, trump="s").declare(kind, cards) == points
    one = cards.split()[0]
    for other in ("7c1", "Ah6", "Qh6", "Kd6"):  # another card in place of one: none of these goes with the others of an example
        spoilt = cards.replace(one, other)
        if one[0] != other[0] or kind in ("bezique", "trump_sequence", "trump_marriage") or "trump" in kind:
            assert WRONG_CARDS in str(Position(spoilt, trump="s").declare(kind, spoilt)), (kind, other)
    fewer = cards.rpartition(" ")[0]
    assert WRONG_CARDS in str(Position(cards, trump="s").declare(kind, fewer))


def test_t6_four_tens_are_played_only_for_points() -> None:
    tens = "Ts1 Th1 Td1 Tc1"
    assert "what there is not" in str(Position(tens).declare("four_tens", tens))
    assert Position(tens, ruleset=rules("chinese_bezique", four_tens=90)).declare("four_tens", tens) == 90


def test_t15_bezique_cards() -> None:
    """The queen of trumps and the jack that goes with her, once there is a trump."""
    pairs = {"s": "Qs1 Jd1", "h": "Qh1 Jc1", "d": "Qd1 Js1", "c": "Qc1 Jh1"}
    for trump, cards in pairs.items():
        assert Position(cards, trump=trump, bezique_cards="trump_queen").declare("bezique", cards) == 40
        assert Position(cards, trump="shdc"["shdc".index(trump) - 1], bezique_cards="trump_queen").declare("bezique", cards) != 40
        assert (Position(cards, trump=trump).declare("bezique", cards) == 40) == (trump == "s")
    assert Position("Qs1 Jd1", bezique_cards="trump_queen").declare("bezique", "Qs1 Jd1") != 40


def test_t19_last_trick_and_t20_carte_blanche_have_a_price() -> None:
    ruleset = rules("chinese_bezique", last_trick=300)
    found = Table(ruleset, ["greedy"], seed=1).transcript(0)
    at = next(i for i, event in enumerate(found) if event["event"] == "last_trick")
    assert found[at]["scored"] and found[at + 1]["changes"][0] == {"seat": found[at]["seat"], "delta": 300, "reason": "last_trick", "rule": "T19"}


def test_t21_t22_won_game_and_rubicon() -> None:
    assert settlement((4000, 3500), rules("chinese_bezique", won_game=0)) == ([5, 0], False)
    assert settlement((4000, 2900), rules("chinese_bezique", rubicon=2900)) == ([21, 0], False)
    assert settlement((4000, 0), rules("chinese_bezique", rubicon=0)) == ([50, 0], False)


def test_prices_below_0_are_refused() -> None:
    with pytest.raises(InputError, match="marriage is a reward or a line, 0 or more, got -1"):
        check(rules("chinese_bezique").with_(marriage=-1))


# --- the play -----------------------------------------------------------------------------------------------------------------------------


def test_b1_six_packs_of_32_cards() -> None:
    deal = only(played(), "deal")[0]
    cards = [*deal["hands"][0], *deal["hands"][1], *deal["stock"]]
    assert len(cards) == len(set(cards)) == 192 and set(Counter(card[:2] for card in cards).values()) == {6}
    assert PACK.card("7s1") == 0 and PACK.card("Ac6") == 191


def test_b2_ten_is_above_king() -> None:
    assert Position("Kh1 Th1 9h1").follows("Kh2", must_head=True) == {"Th1"}


def test_b3_dealers_by_lot_then_in_turn() -> None:
    dealers = [event["dealer"] for event in only(played(deals=4), "deal")]
    assert dealers in ([0, 1, 0, 1], [1, 0, 1, 0])
    first = Table(rules("chinese_bezique"), ["random"], seed=3).play(0, 200).games["dealer"]
    assert 50 < first.sum() < 150  # fair lots are further out once in 10^12


def test_b4_twelve_cards_each_by_turns() -> None:
    deal = only(played(), "deal")[0]
    assert [len(hand) for hand in deal["hands"]] == [12, 12] and len(deal["stock"]) == 168


def test_b6_the_first_marriage_or_sequence_fixes_the_trump() -> None:
    position = Position("Kh1 Qh1 " + SEQUENCE)
    assert WRONG_PRICE in str(position.declare("marriage", "Kh1 Qh1")) and position.trump is None
    assert position.declare("trump_marriage", "Kh1 Qh1") == 40 and position.trump == "h"
    assert WRONG_PRICE in str(position.declare("trump_sequence", SEQUENCE))
    assert position.declare("sequence", SEQUENCE) == 150
    other = Position(SEQUENCE)
    assert other.declare("trump_sequence", SEQUENCE) == 250 and other.trump == "s"
    assert Position("Qs1 Jd1 As1 Ah1 Ad1 Ac1").declare("four_trump_aces", "As1 Ah1 Ad1 Ac1") != 1000


def test_b7_the_trump_stays() -> None:
    for events in (played(game=game) for game in range(5)):
        assert len([event for event in only(events, "declare") if event["trump"]]) == 1


def test_b8_the_same_trump_twice() -> None:
    position = Position("Kh1 Qh1 Ks1 Qs1", barred="h", no_repeat_trump=True)
    assert WRONG_PRICE in str(position.declare("trump_marriage", "Kh1 Qh1"))
    assert position.declare("marriage", "Kh1 Qh1") == 20 and position.trump is None
    assert position.declare("trump_marriage", "Ks1 Qs1") == 40 and position.trump == "s"
    trumps = [Table(rules("chinese_bezique", deals=30, no_repeat_trump=no_repeat), ["greedy"], seed=1).play(0, 4).deals["trump"] for no_repeat in (True, False)]
    runs = [sum(np.count_nonzero(np.diff(some.reshape(4, 30).astype(int)) == 0, axis=1)) for some in trumps]
    assert runs[0] == 0 and runs[1] > 0  # none of 116 times in a row has a chance of (3/4)^116


def test_b9_the_non_dealer_leads_and_anything_may_follow() -> None:
    free = 0
    for game in range(5):
        events = played("random", game=game)
        assert only(events, "trick")[0]["cards"][0][0] == 1 - only(events, "deal")[0]["dealer"]
        hands = [set(hand) for hand in only(events, "deal")[0]["hands"]]
        (_, led), (seat, card) = only(events, "trick")[0]["cards"]
        free += led[1] != card[1] and any(each[1] == led[1] for each in hands[seat])
    assert free


def test_b10_who_takes_a_trick() -> None:
    seen = set()
    for game in range(10):
        trump = None
        for event in played("builder", game=game):
            trump = event.get("trump") or trump if event["event"] == "declare" else trump
            if event["event"] == "trick":
                (leader, led), (other, card) = event["cards"]
                if led[:2] == card[:2]:
                    seen.add("identical")
                    assert event["winner"] == leader
                elif card[1] == trump != led[1]:
                    seen.add("trumped")
                    assert event["winner"] == other
                elif card[1] == led[1]:
                    seen.add("suit")
                    assert event["winner"] == (other if "789JQKTA".index(card[0]) > "789JQKTA".index(led[0]) else leader)
                else:
                    seen.add("thrown off")
                    assert event["winner"] == leader
    assert seen == {"identical", "trumped", "suit", "thrown off"}


def test_b11_to_b14_the_winner_declares_once_then_both_draw() -> None:
    events = played("builder")
    sizes, scored = [12, 12], Counter[str]()
    for i, event in enumerate(events):
        if event["event"] == "trick":
            assert event["cards"][0][0] == (only(events[:i], "trick") or [{"winner": event["cards"][0][0]}])[-1]["winner"]
            sizes = [size - 1 for size in sizes]
            after = [each["event"] for each in events[i + 1 : i + 5]]
            assert after[:2] == ["draw", "draw"] or after == ["declare", "score", "draw", "draw"] or after[0] in ("trick", "last_trick")
            if after[0] == "declare":
                assert events[i + 1]["seat"] == event["winner"]
        elif event["event"] == "draw":
            sizes[event["seat"]] += 1
        elif event["event"] == "score":
            scored[event["changes"][0]["reason"]] += 1
    assert sizes == [0, 0] and not {"aces", "tens"} & set(scored)


def test_b15_a_combination_that_waits_must_still_be_whole() -> None:
    position = Position("Kh1 Qh1 Kc1 Qc1", trump="s")
    waiting = position.places("Kc1 Qc1")
    assert position.declare("marriage", "Kh1 Qh1") == 20
    position.play("Kc1")
    position.draw("7c1")
    assert position.places("7c1 Qc1") == waiting and WRONG_CARDS in str(position.declare("marriage", "7c1 Qc1"))


def test_b13_b16_cards_are_free_across_classes() -> None:
    position = Position(SEQUENCE + " Qs2 Qh1 Qd1 Jd1", trump="s")
    assert position.declare("trump_sequence", SEQUENCE) == 250
    assert position.declare("bezique", "Qs1 Jd1") == 40
    assert position.declare("four_queens", "Qs1 Qs2 Qh1 Qd1") == 60
    position.play("Qs1")  # still a card to be played


def test_b17_a_lower_combination_uses_no_card_of_a_whole_higher_one() -> None:
    position = Position(SEQUENCE + " Qs2 Ks2", trump="s")
    assert position.declare("trump_sequence", SEQUENCE) == 250
    for pair in ("Ks1 Qs1", "Ks1 Qs2", "Ks2 Qs1"):
        assert STANDS in str(position.declare("trump_marriage", pair))
    assert position.declare("trump_marriage", "Ks2 Qs2") == 40
    beziques = Position("Qs1 Qs2 Jd1 Jd2 Jd3", trump="s")
    assert beziques.may("double_bezique", "Qs1 Qs2 Jd1 Jd2") and not beziques.may("bezique", "Qs1 Jd3")
    aces = Position("As1 As2 As3 As4 As5 Ah1 Ad1", trump="s")
    assert aces.may("four_trump_aces", "As1 As2 As3 As4")
    assert not aces.may("four_aces", "As4 As5 Ah1 Ad1")


def test_b18_building_up() -> None:
    position = Position(SEQUENCE, trump="s")
    assert [position.declare("trump_marriage", "Ks1 Qs1"), position.declare("trump_sequence", SEQUENCE)] == [40, 250]
    queens, jacks = "Qs1 Qs2 Qs3 Qs4".split(), "Jd1 Jd2 Jd3 Jd4".split()
    beziques = Position(" ".join(queens + jacks), trump="s")
    steps = [" ".join(queens[:n] + jacks[:n]) for n in range(1, 5)]
    assert [beziques.declare(kind, cards) for kind, cards in zip(list(EXAMPLES)[-4:], steps, strict=True)] == [40, 500, 1500, 4500]
    four = " ".join(queens)
    assert [beziques.declare("four_queens", four), beziques.declare("four_trump_queens", four)] == [60, 600]
    assert not beziques.may("four_queens", four)
    down = Position(" ".join(queens + jacks), trump="s")
    assert down.declare("quadruple_bezique", steps[3]) == 4500 and down.declare("four_trump_queens", four) == 600
    assert not any(down.may(kind, cards) for kind, cards in [*zip(list(EXAMPLES)[-4:-1], steps, strict=False), ("four_queens", four)])


def test_b19_a_like_card_forms_a_combination_again() -> None:
    position = Position("Qs1 Qh1 Qd1 Qc1", trump="h")
    assert position.declare("four_queens", "Qs1 Qh1 Qd1 Qc1") == 60 and not position.may("four_queens", "Qs1 Qh1 Qd1 Qc1")
    position.play("Qc1")
    position.draw("Qc2 Jd1")
    assert position.declare("four_queens", "Qs1 Qh1 Qd1 Qc2") == 60
    assert position.declare("bezique", "Qs1 Jd1") == 40
    position.play("Jd1")
    position.draw("Jd2")
    assert position.declare("bezique", "Qs1 Jd2") == 40
    sequence = Position(SEQUENCE, trump="s")
    assert sequence.declare("trump_sequence", SEQUENCE) == 250
    sequence.play("As1")
    sequence.draw("As6")
    assert sequence.declare("trump_sequence", SEQUENCE.replace("As1", "As6")) == 250
    sequence.play("As6")
    assert sequence.declare("trump_marriage", "Ks1 Qs1") == 40  # no higher one is whole any more


def test_b20_no_card_twice_in_declarations_of_one_kind() -> None:
    position = Position("Kh1 Qh1 Qh2 Kh2 Ks1 Ks2 Ks3 Ks4", trump="s")
    assert position.declare("marriage", "Kh1 Qh1") == 20
    assert STANDS in str(position.declare("marriage", "Kh1 Qh2")) and STANDS in str(position.declare("marriage", "Kh2 Qh1"))
    assert position.declare("marriage", "Kh2 Qh2") == 20
    assert position.declare("four_kings", "Kh1 Kh2 Ks1 Ks2") == 80
    assert STANDS in str(position.declare("four_kings", "Kh2 Ks1 Ks3 Ks4"))
    assert position.declare("four_trump_kings", "Ks1 Ks2 Ks3 Ks4") == 800


def test_b20a_a_sole_monarch_takes_another_ones_mate() -> None:
    def left(**options: Any) -> Position:
        position = Position("Kh1 Qh1 Kh2 Qh2 Kh3", trump="s", **options)
        assert position.may("marriage", "Kh1 Qh1") and position.may("marriage", "Kh2 Qh2")
        position.play("Qh1")
        return position

    position = left()
    assert not position.may("marriage", "Kh3 Qh2")  # never married
    assert position.declare("marriage", "Kh1 Qh2") == 20
    assert not position.may("marriage", "Kh1 Qh2")  # both are in a whole marriage now
    position.play("Kh1")
    assert not position.may("marriage", "Kh2 Qh2")  # that of the mate stayed whole
    assert not left(marriage_partner_swap=False).may("marriage", "Kh1 Qh2")
    tied = left()
    tied.draw("Ah1 Th1 Jh1")
    assert tied.may("sequence", "Ah1 Th1 Kh2 Qh2 Jh1") and not tied.may("marriage", "Kh1 Qh2")


def test_b20a_married_cards_in_a_sequence() -> None:
    for allowed in (True, False):
        position = Position(SEQUENCE + " Ks2 Qs2", trump="s", marriage_then_sequence=allowed)
        assert position.may("trump_marriage", "Ks1 Qs1")
        assert position.may("trump_sequence", SEQUENCE) == allowed
    assert position.may("trump_sequence", "As1 Ts1 Ks2 Qs2 Js1")


def test_b21_carte_blanche() -> None:
    """The first game in which it goes on, by players who show all that may be shown."""
    table = Table(rules("chinese_bezique"), ["greedy"], seed=3)
    tallies = table.play(0, 3000).tallies
    again = (tallies["item"] == CARTE_BLANCHE) & (tallies["role"] == AGAIN)
    game = int(tallies["game"][again][0])
    events = table.transcript(game)
    shown = only(events, "carte_blanche")
    seat = shown[0]["seat"]
    assert sorted(shown[0]["cards"]) == sorted(only(events, "deal")[0]["hands"][seat]) and not any(card[0] in "KQJ" for card in shown[0]["cards"])
    first = next(event for event in events if event["event"] == "draw" and event["seat"] == seat and event["card"][0] in "KQJ")
    before = [event["card"] for event in events[: events.index(first)] if event["event"] == "draw" and event["seat"] == seat]
    assert [event["cards"] for event in shown[1:]] == [[card] for card in before] and before
    assert events[3]["changes"] == [{"seat": seat, "delta": 250, "reason": "carte_blanche", "rule": "T20"}]
    once = Table(rules("chinese_bezique", carte_blanche_repeat=False), ["greedy"], seed=3).transcript(game)
    assert len(only(once, "carte_blanche")) == 1


def test_b22_b23_the_last_chance_is_before_the_last_cards() -> None:
    declared = set()
    for game in range(20):
        tricks = 0
        for event in played("counter", game=game):
            tricks += event["event"] == "trick"
            if event["event"] == "declare":
                declared.add(tricks)
            assert tricks <= 84 or event["event"] not in ("declare", "carte_blanche") and (tricks > 84) <= (event["event"] != "draw")
    assert max(declared) == 84


def test_b24_suit_must_be_followed_else_trumped() -> None:
    position = Position("7h1 Th1 9c1 7s1", trump="s")
    assert position.follows("Kh1") == {"7h1", "Th1"}
    assert position.follows("9d1") == {"7s1"}
    assert position.follows("8c1") == {"9c1"}
    assert Position("7h1 9c1", trump="s").follows("9d1") == {"7h1", "9c1"}


def test_b25_endplay_must_head() -> None:
    position = Position("7h1 Th1 Ah1 7s1", trump="s", endplay_must_head=True)
    assert position.follows("Kh1", must_head=True) == {"Th1", "Ah1"}
    assert position.follows("Ah2", must_head=True) == {"7h1", "Th1", "Ah1"}
    assert position.follows("Ks1", must_head=True) == {"7s1"}


def test_b26_without_a_trump_any_card_may_be_thrown_off() -> None:
    assert Position("7h1 9c1").follows("9d1") == {"7h1", "9c1"}


def test_b27_the_last_trick_may_be_declined() -> None:
    """Who stays below the rubicon that the other has crossed declines; `random` does so by lot."""
    said = [only(played("random", game=game), "last_trick")[0]["scored"] for game in range(40)]
    assert {True, False} == set(said)
    wise = 0
    for game in range(60):
        events = Table(rules("chinese_bezique"), ["counter", "random"], seed=1).transcript(game)
        last, scores = only(events, "last_trick")[0], only(events, "deal_end")[0]["scores"]
        if last["seat"] == 0:
            assert last["scored"]
        wise += last["seat"] == 1 and scores[0] >= 3000
    assert wise
    for inclusive in (True, False):
        poor = Table(rules("chinese_bezique", rubicon_inclusive=inclusive), ["greedy", "counter"], seed=1)
        declined = 0
        for game in range(60):
            events = poor.transcript(game)
            last, scores = only(events, "last_trick")[0], only(events, "deal_end")[0]["scores"]
            own, other = scores[last["seat"]], scores[1 - last["seat"]]
            line = 3000 if inclusive else 3001
            assert last["scored"] != (other >= line and own + 250 * (not last["scored"]) < line)
            declined += not last["scored"]
        assert declined


# --- the settlement -----------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("points", "big", "rubicon"),
    [
        ((7960, 3780), [52, 0], False),  # S1, S5: the example of the book
        ((2780, 7960), [0, 117], True),  # S2, S5: the example of the book
        ((2500, 1900), [16, 0], False),  # S3
        ((3000, 2990), [70, 0], True),  # S4 is no matter of S2
        ((3050, 3000), [11, 0], False),  # S4
        ((500, 490), [11, 0], False),
        ((4150, 3000), [22, 0], False),  # S5: halves up
        ((4140, 3000), [21, 0], False),
        ((3000, 3000), [0, 0], False),
        ((0, 3000), [0, 40], True),
    ],
)
def test_s1_to_s5_the_settlement(points: tuple[int, int], big: list[int], rubicon: bool) -> None:
    assert settlement(points) == (big, rubicon)


def test_s2_exactly_the_rubicon() -> None:
    assert settlement((5000, 3000)) == ([30, 0], False)
    assert settlement((5000, 3000), rules("chinese_bezique", rubicon_inclusive=False)) == ([90, 0], True)


def test_s6_a_game_is_a_series_whose_big_points_are_summed() -> None:
    events = played(deals=3)
    ends = only(events, "deal_end")
    assert len(ends) == 3
    assert events[-1]["scores"] == np.sum([end["big_points"] for end in ends], axis=0).tolist()


def test_stored_deals_are_settled_as_the_kernel_does() -> None:
    chance = np.random.default_rng(3)
    points = chance.integers(0, 500, (300, 2)).astype(np.int32) * 10
    points[:20, 1] = points[:20, 0]
    points[20:40, 0] = 3000
    for changes in ({}, {"rubicon_inclusive": False, "won_game": 550}, {"rubicon": 0}):
        ruleset = rules("chinese_bezique", **changes)
        assert settle(ruleset.options, ruleset.points, points).tolist() == [settlement(tuple(row), ruleset)[0] for row in points.tolist()]


def test_a_move_against_the_rules_is_named(tmp_path: Any) -> None:
    (tmp_path / "bots.py").write_text(
        "from simcore.strategy import Strategy\n"
        "def play(view, rules, params, work, move):\n    move.place = 12\n    return True\n"
        "def other(view, rules, params, work, move):\n    move.claim = 1\n    return True\n"
        "bad = Strategy('Plays nothing.', {'play': play, 'declare': other, 'claim': other})\n"
    )
    with pytest.raises(StrategyError, match=r"bots.py:bad.* played from a place where no card is \(place is 0 to 11\), in game 0 of seed 1"):
        Table(rules("chinese_bezique"), [f"{tmp_path}/bots.py:bad"], seed=1).play(0, 1)
