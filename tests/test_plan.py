"""Plans: what they promise is what an experiment of that size then has."""

from __future__ import annotations

import json

import pytest

import cli
import simcore
from experiments.compare import Margin, compare
from experiments.plan import plan_comparison, plan_precision
from experiments.precise import run_until
from reports.measure_names import rough
from simcore.errors import InputError
from simcore.simulate import Table


def test_a_comparison_of_the_planned_size_shows_the_same() -> None:
    rules = simcore.rules("kombinator")
    other = rules.with_(superblow="adds")
    plan = plan_comparison(rules, rules.with_(pair=4), [["greedy"]], Margin(0.05, True), 1000, measures=["bouts_per_deal", "leader_win_share"])
    for row in plan["measures"]:
        assert row["to_find"] > 2 and row["to_equate"] > 2 and row["seconds"] > 0
    games = max(row["to_equate"] for row in plan["measures"])
    found = compare(rules, other, [["greedy"]], games, margin=Margin(0.05, True), measures=["bouts_per_deal", "leader_win_share"])
    assert [row["verdict"] for row in found["measures"]] == ["same", "same"]


def test_a_planned_number_by_hand() -> None:
    rules = simcore.rules("kombinator")
    (row,) = plan_comparison(rules, rules.with_(pair=4), [["greedy"]], Margin(0.01, True), 500, measures=["leader_win_share"])["measures"]
    # z(0.975) + z(0.8) = 2.8016; z(0.95) + z(0.9) = 2.9264.
    assert row["to_find"] == pytest.approx((2.8016 * row["spread"] / 0.01) ** 2, rel=1e-3)
    assert row["to_equate"] == pytest.approx((2.9264 * row["spread"] / 0.01) ** 2, rel=1e-3)


@pytest.mark.parametrize("strategies", [["greedy"], ["greedy", "counter"]])
def test_a_run_by_precision_is_about_as_long_as_planned(tmp_path, strategies) -> None:
    """With unequal players the share of the leader is a mean over who leads, not one over all games."""
    rules = simcore.rules("kombinator")
    plan = plan_precision(rules, strategies, 0.02, 1000)
    longest = max(row["games_looking"] for row in plan["measures"])
    done = run_until(Table(rules, strategies), 0.02, out=tmp_path / "run")
    assert longest * 0.9 < done.info["games"] < longest * 1.2
    for row in plan["measures"]:
        assert row["games"] == pytest.approx((1.96 * row["spread"] / 0.02) ** 2, rel=1e-2)
        assert row["games"] < row["games_looking"] < 3.5 * row["games"]


def test_the_answer_comes_first(capsys) -> None:
    words = ["plan", "kombinator", "kombinator(pair=4)", "--strategy", "greedy", "--pilot", "300"]
    assert cli.main([*words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    whole = max(max(row["to_find"], row["to_equate"]) for row in found["measures"] if row["to_find"] and not row["kind"].startswith("item"))
    assert cli.main(words) == 0
    answer = capsys.readouterr().out.splitlines()[2]
    assert answer.startswith(f"{rough(whole, 'en')} games of each (") and "decide everything but single items" in answer
    assert cli.main(["plan", "kombinator", "kombinator(loose_cards_in_attack=true)", "--strategy", "counter", "--pilot", "100"]) == 0
    assert capsys.readouterr().out.splitlines()[2].startswith("Not one of 100 games differs")


def test_the_command(capsys) -> None:
    assert cli.main(["plan", "kombinator", "kombinator(pair=4)", "--pilot", "100", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["pilot"] == 100
    assert cli.main(["plan", "kombinator", "--strategy", "greedy", "--precision", "1%", "--pilot", "100", "--lang", "ru"]) == 0
    told = capsys.readouterr().out
    assert "С остановкой по --precision" in told and " с --precision 1% хватит для всех долей побед." in told.splitlines()[0]
    assert cli.main(["plan", "kombinator", "--margin", "1%"]) == 2
    assert cli.main(["plan", "kombinator", "kombinator", "--precision", "1%"]) == 2
    with pytest.raises(InputError, match="between 0 and 0.5"):
        plan_precision(simcore.rules("kombinator"), ["random"], 0.6)
