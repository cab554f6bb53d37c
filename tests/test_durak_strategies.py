"""What players of durak are shown, and what the built-in ones do."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pytest
from durak_positions import PACK, position, view_of

from simcore.api import rules
from simcore.errors import StrategyError
from simcore.simulate import Table
from simcore.strategy import Player, Strategy, load

# --- information ----------------------------------------------------------------------------------------------------------------------------
#
# A player is shown the same, to the last byte, in all positions that differ only in what it cannot know: which of three cards, 7s Ts Qc, is held by the one
# opponent, which by the other, and which is the top of the stock.


def shown(seat: int, hands: list[str], script: list[list[str]], **given: Any) -> list[Any]:
    """What a seat is shown in each of these positions; two of the hands, and the stock, have a place ``{}`` for one of the cards."""
    found = []
    for order in permutations(("7s", "Ts", "Qc")):
        cards = iter(order)
        dealt = [hand.format(next(cards)) if "{}" in hand else hand for hand in hands]
        found.append(view_of(seat, dealt, script, trump="9d", stock=f"{order[2]} 9d", **given))
    return found


@pytest.mark.parametrize(
    ("seat", "hands", "script"),
    [
        (0, ["6s 8h Kc", "9h Jc {}", "8c Ah {}"], [[], [], []]),
        (0, ["6s 8h 8d Kc", "9h Jc {}", "8c Ah {}"], [["8h"], ["9h"], []]),
        (1, ["6s 8h {}", "9h Jc 6c", "8c Ah {}"], [["8h"], [], []]),
        (2, ["6s 8h {}", "9h Jc {}", "8c Ah Ad"], [["8h"], ["9h"], []]),
        (2, ["6s 8h {}", "8d Jc {}", "8c Ah Ad"], [["8h"], [""], []]),
    ],
    ids=["leads", "throws in", "defends", "throws in third", "throws in when taken"],
)
def test_a_player_sees_nothing_that_it_cannot_know(seat: int, hands: list[str], script: list[list[str]]) -> None:
    for free in (True, False) if script[1] != [""] else (True,):
        found = shown(seat, hands, script, may_take_voluntarily=free)
        assert len(found) == 6 and len({view.tobytes() for view in found}) == 1
    assert PACK.hand(int(found[0]["hand"])) == sorted((card for card in hands[seat].split() if card not in sum(script[seat : seat + 1], [])), key=PACK.card)


def test_the_defender_does_not_see_that_the_leader_might_have_hung_epaulettes() -> None:
    """The trump six is led by itself, once from a hand that could be hung and once from one that could not."""
    given = {"variant": "pogony", "trump": "6d", "bouts": 3, "ranks": (0, 3)}
    one, other = (view_of(1, [hand, "Td Jc Kc 7c"], [["6d"], []], **given) for hand in ("6d 6s", "6d 7s"))
    one["discarded"] = other["discarded"] = 0  # each of the two has the other card there
    assert one.tobytes() == other.tobytes()


def test_what_lay_open_is_known() -> None:
    """Seat 1 takes two sixes and seat 2 leads, whose card seat 0 covers; then seat 0 leads."""
    view = view_of(0, ["6s 6h Kc Jh", "9h Qc 7c", "8c Ah Ad"], [["6s 6h", "Kc"], ["", "", ""], ["8c", "", ""]], trump="9d", bouts=3)
    assert [PACK.hand(int(known)) for known in view["known"][:3]] == [[], ["6s", "6h"], []]
    assert set(PACK.hand(int(view["discarded"]))) >= {"8c", "Kc"} and not view["discarded"] & PACK.mask(["6s", "6h", "Jh", "9h", "Ah"])
    assert (view["leader"], view["defender"], view["bout"], view["sizes"][:3].tolist()) == (0, 1, 3, [1, 5, 2])


def test_the_turned_card_is_known_where_it_was_drawn() -> None:
    hands = ["6s 8h 7s Ts Qc Kc", "9h Qs 7c 8s 9s Js"]
    view = view_of(1, hands, [["6s", ""], ["8s"]], trump="9d", stock="9d", bouts=2)
    assert PACK.hand(int(view["known"][0])) == ["9d"] and view["stock_size"] == 0


# --- players that break the rules -----------------------------------------------------------------------------------------------------------


def silent(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Gives no answer."""
    return False


def beyond(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Claims to cover more cards than any bout has."""
    move.n_pairs = 1000
    return True


def leading(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Leads the lowest card that it may."""
    move.cards = view.allowed & -view.allowed
    return True


def nothing(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Declines, or takes."""
    return True


def test_what_is_against_the_rules_stops_the_run_and_is_named() -> None:
    for name, decisions, told in (
        ("mute", {"attack": silent, "defend": nothing, "throw_in": nothing}, "gave no answer"),
        ("long", {"attack": leading, "defend": beyond, "throw_in": nothing}, "covers a card that is not open"),
        ("idle", {"attack": nothing, "defend": nothing, "throw_in": nothing}, "leads no card"),
    ):
        table = Table(rules("durak"), ["random"], 2)
        table.seats = (Player(name, Strategy("For tests.", decisions), {}, __file__, f"durak-{name}"),) * 2
        with pytest.raises(StrategyError, match=told):
            table.play(0, 5)
    assert position(["6s 6h Ac", "7s 8h Kc"], [["6s 6h"], ["7s 7c"]]) == "covers with a card that it does not hold or may not use, or with one twice (T2, P8)"
    assert position(["6s 6h Ac", "7s 8c Kc"], [["6s 6h"], ["7s 8c"]]) == "covers with a card that does not beat the other (T2)"


# --- the built-in players -------------------------------------------------------------------------------------------------------------------


def share(strategy: str, against: str, **changes: Any) -> tuple[float, float]:
    """Win share over 4,000 decks, each played from both seats, and its standard error."""
    seats = ([strategy, against], [against, strategy])
    shares = [Table(rules("durak", **changes), names, 2, seed=3).play(0, 4000).games["share"][:, place] for place, names in enumerate(seats)]
    pairs = (shares[0] + shares[1]) / 2
    return float(pairs.mean()), float(pairs.std() / 4000**0.5)


@pytest.mark.parametrize("variant", ["simple", "podkidnoy", "pogony"])
@pytest.mark.parametrize("strategy", ["greedy", "thrifty", "counter"])
def test_each_player_beats_random(strategy: str, variant: str) -> None:
    changes = {"variant": variant, "max_deals": 20}
    mean, error = share(strategy, "random", **changes)
    assert mean - 5 * error > 0.5


@pytest.mark.parametrize("variant", ["simple", "podkidnoy"])
def test_counter_beats_greedy(variant: str) -> None:
    mean, error = share("counter", "greedy", variant=variant)
    assert mean - 5 * error > 0.5


def events(names: list[str], **changes: Any) -> list[dict[str, Any]]:
    table = Table(rules("durak", **changes), names, len(names), seed=7)
    return [event for game in range(30) for event in table.transcript(game)]


def test_greedy_keeps_to_what_it_is_forbidden() -> None:
    def own(name: str, kind: str) -> list[dict[str, Any]]:
        return [event for event in events([name, "greedy"]) if event["event"] == kind and event["seat"] == 0]

    assert own("greedy", "throw_in") and not own("greedy(never_throw=1)", "throw_in")
    assert any(len(event["cards"]) > 1 for event in own("greedy", "attack"))
    assert all(len(event["cards"]) == 1 for event in own("greedy(never_pair=1)", "attack"))


def test_thrifty_takes_rather_than_covers_a_single_card_by_a_trump_early() -> None:
    """A plain card that is led alone, while there are twelve cards in the stock."""
    trump, stock, laid, met = "", 0, ["6s", "6h"], 0
    for event in events(["thrifty", "greedy"]):
        if event["event"] == "beat" and event["seat"] == 0 and stock >= 12 and len(laid) == 1 and laid[0][1] != trump:
            met += 1
            assert all(other[1] != trump for _, other in event["pairs"])
        match event["event"]:
            case "deal":
                trump, stock = event["trump"], len(event["stock"])
            case "draw":
                stock -= len(event["cards"])
        laid = event["cards"] if event["event"] == "attack" else []
    assert met > 30


def test_counter_finishes_by_what_cannot_be_covered() -> None:
    """The ace that nobody can beat first, then the six: the other way round the six would be covered, and the lead lost."""
    from durak_positions import lead_of

    assert lead_of("counter", ["6s Ac", "7s Kc 8h"], trump="9d") == ["Ac"]
    assert lead_of("greedy", ["6s Ac", "7s Kc 8h"], trump="9d") == ["6s"]


def test_every_player_says_the_same_twice() -> None:
    for name in ("random", "greedy", "thrifty", "counter"):
        one, other = (Table(rules("durak"), [name], 3, seed=5).play(0, 50) for _ in range(2))
        assert np.array_equal(one.games["share"][:, :3], other.games["share"][:, :3])
        assert str(load(name, Table(rules("durak"), [name], 3).game)) == name
