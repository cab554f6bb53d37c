"""Restricted play: strategies against themselves forbidden one thing, and whether they keep to it."""

from __future__ import annotations

import json

import pytest

import cli
import simcore
from experiments.restricted import restricted
from simcore.errors import InputError
from simcore.game import games, get
from simcore.simulate import Table
from simcore.strategy import available

RESTRICTED = [
    (key, name, restriction)
    for key in games()
    for name, strategy in available(get(key)).items()
    for restriction, param in strategy.params.items()
    if param.restriction
]


@pytest.mark.parametrize("key, name, restriction", RESTRICTED)
def test_a_restriction_is_a_switch_that_is_off_and_changes_the_game(key, name, restriction) -> None:
    param = available(get(key))[name].params[restriction]
    assert (param.default, param.low, param.high) == (0, 0, 1)
    rules = simcore.rules(key)
    free, forbidden = (Table(rules, [f"{name}({restriction}={value})"]) for value in (0, 1))
    assert any(free.transcript(game) != forbidden.transcript(game) for game in range(20))


def test_kombinators_greedy_keeps_to_what_it_is_forbidden() -> None:
    rules = simcore.rules("kombinator")

    def events(name: str) -> list[dict]:
        return [event for game in range(30) for event in Table(rules, [name], 2, 7).transcript(game)]

    free = events("greedy")
    assert any(event.get("order") for event in free) and any(event["event"] == "beat" for event in free)
    assert not any(event.get("order") for event in events("greedy(never_order=1)"))
    assert not any(event["event"] == "beat" for event in events("greedy(never_beat=1)"))
    attacks = [event for event in events("greedy(never_combine=1)") if event["event"] == "attack"]
    assert attacks and all(len(event["cards"]) == 1 and not event.get("order") for event in attacks)


def test_kombinators_counter_keeps_to_what_it_is_forbidden() -> None:
    rules = simcore.rules("kombinator")

    def events(name: str) -> list[dict]:
        return [event for game in range(30) for event in Table(rules, [name], 2, 7).transcript(game)]

    def dumps(name: str) -> bool:
        return any(part["kind"] == "dump" for event in events(name) if event["event"] == "attack" for part in event["combinations"])

    assert dumps("counter") and any(event.get("order") for event in events("counter"))
    assert not dumps("counter(never_dump=1)")
    assert not any(event.get("order") for event in events("counter(never_order=1)"))
    assert not any(event["event"] == "beat" for event in events("counter(never_beat=1)"))


@pytest.mark.parametrize("settings", ["", "pile=any"])
def test_seven_card_combos_greedy_keeps_to_what_it_is_forbidden(settings: str) -> None:
    rules = simcore.rules(f"seven_card_combo({settings})" if settings else "seven_card_combo")

    def turns(name: str) -> list[dict]:
        return [event for game in range(30) for event in Table(rules, [name], 3, 7).transcript(game) if event["event"] == "turn"]

    def sources(name: str) -> set[str]:
        return {each["from"] for event in turns(name) for each in event["taken"]}

    assert sources("greedy") == {"pile", "packet", "stock"}
    assert sources("greedy(never_pile=1)") == {"packet", "stock"}
    assert sources("greedy(never_packet=1)") == {"pile", "stock"}
    assert any(event["discarded"] for event in turns("greedy"))
    assert not any(event["discarded"] for event in turns("greedy(never_throw=1)"))


def test_what_is_forbidden_costs_games() -> None:
    rules = simcore.rules("kombinator")
    found = {row["restriction"]: row for row in restricted(rules, ["random", "greedy"], 300)["restrictions"]}
    assert list(found) == ["never_order", "never_combine", "never_beat"]
    for key in ("never_combine", "never_beat"):
        assert found[key]["verdict"] == "costs" and found[key]["interval"][0] > 0.5
    here = simcore.play(rules, ["greedy", "greedy(never_order=1)"], games=300).games["share_0"].mean()
    there = simcore.play(rules, ["greedy(never_order=1)", "greedy"], games=300).games["share_1"].mean()
    assert found["never_order"]["win_share"] == pytest.approx((here + there) / 2)


def test_who_declares_nothing_is_refused() -> None:
    with pytest.raises(InputError, match="could be forbidden"):
        restricted(simcore.rules("kombinator"), ["random"], 5)


def test_a_restriction_that_is_on_already_is_no_question() -> None:
    rows = restricted(simcore.rules("kombinator"), ["greedy(never_beat=1)"], 5)["restrictions"]
    assert [(row["strategy"], row["restriction"]) for row in rows] == [
        ("greedy(never_beat=1)", "never_order"),
        ("greedy(never_beat=1)", "never_combine"),
    ]


def test_the_command(capsys) -> None:
    words = ["tournament", "kombinator", "--restricted", "--strategy", "greedy", "--games", "50"]
    assert cli.main([*words, "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["restrictions"]) == 3
    assert cli.main([*words, "--lang", "ru"]) == 0
    assert "стоит побед" in capsys.readouterr().out
    assert cli.main([*words, "--field", "random"]) == 2
