"""The worth of the first move: the same cards led by each player, told apart from the cards and the seat."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy import stats

import cli
import simcore
from experiments.first_move import REACH, compensation, first_move
from simcore.errors import InputError
from simcore.game import games
from simcore.simulate import Table

RISK = 1e-6


@pytest.fixture(scope="module")
def found() -> dict:
    return first_move(simcore.rules("kombinator"), [["greedy"], ["random"]], 800, seed=3)


def test_only_the_leader_of_the_first_deal_differs() -> None:
    rules = simcore.rules("kombinator")
    natural, swapped = (Table(rules, ["greedy"], 3, 5, lead_shift=shift) for shift in (0, 1))
    for game in range(20):
        one, other = (next(event for event in table.transcript(game) if event["event"] == "deal") for table in (natural, swapped))
        assert other["leader"] == (one["leader"] + 1) % 3
        assert {key: value for key, value in one.items() if key != "leader"} == {key: value for key, value in other.items() if key != "leader"}


def test_of_two_players_first_move_and_cards_add_up(found) -> None:
    for entry in found["panel"]:
        for unit, even in (("share", 0.5), ("points", 0.0)):
            natural, first, cards = (entry[unit][part]["value"] - even for part in ("natural", "first", "cards"))
            assert natural == pytest.approx(first + cards)


def test_the_numbers_are_those_of_the_games(found) -> None:
    rules = simcore.rules("kombinator")
    natural, swapped = (Table(rules, ["greedy"], 2, 3, lead_shift=shift).play(0, 800).games for shift in (0, 1))
    rows = np.arange(800)
    assert (swapped["leader"] == 1 - natural["leader"]).all()
    led = [games["share"][rows, games["leader"]] for games in (natural, swapped)]
    (entry,) = (entry for entry in found["panel"] if entry["strategies"] == ["greedy", "greedy"])
    assert entry["share"]["natural"]["value"] == pytest.approx(led[0].mean())
    wanted = stats.ttest_1samp((led[0] + led[1]) / 2, 0).confidence_interval()
    first = entry["share"]["first"]
    assert (first["low"], first["high"]) == pytest.approx((wanted.low, wanted.high))
    held = np.mean([games["share"][rows, natural["leader"]] for games in (natural, swapped)])
    assert entry["share"]["cards"]["value"] == pytest.approx(held)


def test_swapping_makes_the_interval_narrower(found) -> None:
    assert all(entry["narrower"] < 0.9 for entry in found["panel"])


def counted(leads: np.ndarray) -> np.ndarray:
    """Counts of the leads, int[deals, m], as the experiment makes them."""
    ordered = -np.sort(-leads, axis=1)
    return np.array([np.bincount(column + REACH, minlength=2 * REACH + 1) for column in ordered.T])


def test_compensation_by_hand() -> None:
    # Leads 1, 2, 3, 9: two of four exceed 2½, so 2½ points make it even.
    assert compensation(counted(np.array([[1], [2], [3], [9]])), 4, 0.5)["value"] == 2.5
    # Leads 0, 4, 4, 4, 10: P(Δ > 4) + ½·P(Δ = 4) = 0.2 + 0.3 = ½.
    assert compensation(counted(np.array([[0], [4], [4], [4], [10]])), 5, 0.5)["value"] == 4
    # All even already: nothing is given.
    assert compensation(counted(np.array([[-3, 3], [5, -5]])), 2, 0.5)["value"] == 0


def test_compensation_is_covered_though_leads_on_one_deal_go_together() -> None:
    rng = np.random.default_rng(2)
    repeats, held = 400, 0
    for _ in range(repeats):
        luck = rng.normal(0, 15, 300)
        leads = np.rint(np.column_stack([6 + luck + rng.normal(0, 8, 300), 6 - luck + rng.normal(0, 8, 300)])).astype(int)
        found = compensation(counted(leads), 300, 0.5)
        held += found["low"] <= 6 <= found["high"]
    assert held >= stats.binom.ppf(RISK, repeats, 0.94)


def test_threads_change_nothing(found) -> None:
    again = first_move(simcore.rules("kombinator"), [["greedy"], ["random"]], 800, seed=3, threads=1)
    assert again["panel"] == found["panel"]


def test_a_game_whose_lead_is_fixed_says_so(monkeypatch) -> None:
    rules = simcore.rules("kombinator")
    monkeypatch.setattr(type(Table(rules, ["random"]).engine), "can_shift_lead", False)
    found = first_move(rules, [["random"]], 20)
    assert found["swapped"] is False and found["panel"][0]["share"]["first"] is None
    with pytest.raises(InputError, match="cannot be led by another"):
        Table(rules, ["random"], lead_shift=1).play(0, 1)


@pytest.mark.parametrize("key", games())
def test_where_the_lead_can_be_passed_on_the_hands_stay(key) -> None:
    rules = simcore.rules(key)
    natural = Table(rules, ["random"])
    if not natural.engine.can_shift_lead:
        pytest.skip(f"{key} cannot be led by another")
    for game in range(5):
        one, other = (next(event for event in Table(rules, ["random"], lead_shift=shift).transcript(game) if event["event"] == "deal") for shift in (0, 1))
        assert one["hands"] == other["hands"]


def test_what_is_out_of_range() -> None:
    rules = simcore.rules("kombinator")
    with pytest.raises(InputError, match="at least 2 games"):
        first_move(rules, games=1)
    with pytest.raises(InputError, match="passed on by 0 to 1 seats"):
        Table(rules, ["random"], 2, lead_shift=2)


def test_the_command(capsys) -> None:
    words = ["first-move", "kombinator", "--strategy", "greedy", "--games", "100"]
    assert cli.main([*words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["panel"][0]["share"]["first"]["method"] == "t"
    assert cli.main(words) == 0
    assert "Moving first alone is made even by " in capsys.readouterr().out
    assert cli.main([*words, "--lang", "ru"]) == 0
    assert "Карты, которые дают первый ход" in capsys.readouterr().out
