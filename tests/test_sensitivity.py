"""Sensitivities against differences of separate runs; designs that keep effects apart; house rules that are known to clash."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import numpy as np
import pytest

import cli
import simcore
from experiments.house_rules import design, interactions
from experiments.sensitivity import knobs_of, sensitivity
from reports.console_sensitivity import bars
from reports.tornado import write
from simcore.errors import InputError


def test_a_price_moves_what_a_separate_run_says() -> None:
    """Finite differences of games that share no cards with the paired ones."""
    found = sensitivity(simcore.rules("kombinator"), ["greedy"], 1_500, keys=["pair"], measures=["deals_per_game", "points_per_deal"], seed=5)
    (knob,) = found["knobs"]
    assert (knob["from"], knob["value"], knob["to"]) == (2, 3, 4)
    arms = [simcore.play(simcore.rules("kombinator", pair=price), ["greedy"], 4_000, seed=77) for price in (2, 4)]
    length, points = ([each(arm) for arm in arms] for each in (lambda a: a.games["deals"].mean(), lambda a: a.tallies["points"].sum() / a.deals.height))
    for row, (low, high) in zip(knob["measures"], (length, points), strict=True):
        change = row["per_point"]
        assert change["value"] == pytest.approx((high - low) / 2, abs=2 * (change["high"] - change["low"]))
        assert row["sure"] and row["elasticity"] == pytest.approx(3 / row["value"] * change["value"])


def test_where_prices_are_only_counted_a_point_is_a_point() -> None:
    """Random players read no table and games of a fixed number of deals end nowhere else: each use brings a point more."""
    ruleset = simcore.rules("kombinator(start_score=100000, max_deals=3)")
    found = sensitivity(ruleset, ["random"], 300, keys=["triple"], measures=["points_per_deal", "deals_per_game"])
    games = simcore.play(ruleset, ["random"], 300)
    uses = games.tallies.filter(item="triple").filter(role="attack")["count"].sum() + games.tallies.filter(item="triple").filter(role="defence")["count"].sum()
    by_key = {row["measure"]: row for row in found["knobs"][0]["measures"]}
    assert by_key["points_per_deal"]["per_point"]["value"] == pytest.approx(uses / games.deals.height)
    assert by_key["deals_per_game"]["per_point"]["value"] == 0 and not by_key["deals_per_game"]["sure"]


def test_values_that_cannot_move_to_both_sides() -> None:
    knobs = {knob.key: knob for knob in knobs_of(simcore.rules("gin_rummy(undercut_bonus=0)"))}
    assert knobs["undercut_bonus"].apart == 1 and knobs["undercut_bonus"].low.canonical == "gin_rummy(undercut_bonus=0)"
    assert knobs["gin_bonus"].apart == 2
    limits = {knob.key: knob for knob in knobs_of(simcore.rules("kombinator(hand_limit=4)"))}
    assert limits["hand_limit"].low.options["hand_limit"] == 4 and limits["start_score"].apart == 10


@pytest.mark.parametrize("factors", [1, 2, 3, 5, 8, 12])
def test_designs_of_resolution_five(factors: int) -> None:
    signs = design(factors)
    assert set(np.unique(signs)) == {-1, 1} and signs.shape[1] == factors
    columns = [signs[:, f] for f in range(factors)] + [signs[:, f] * signs[:, g] for f, g in itertools.combinations(range(factors), 2)]
    matrix = np.array(columns)
    assert (matrix @ matrix.T == len(signs) * np.eye(len(columns))).all(), "effects of one and two factors are all apart"
    assert (matrix.sum(axis=1) == 0).all()


def test_effects_of_house_rules_are_those_of_all_their_combinations() -> None:
    """Two rules: the design is the full one, so effects are differences of plain means."""
    rules = ["loose_cards_in_attack", "take_after_forced_pass"]
    found = interactions(simcore.rules("kombinator"), ["random"], 150, rules=rules)
    length = {}
    for loose, take in itertools.product((False, True), repeat=2):
        arm = simcore.play(simcore.rules("kombinator", loose_cards_in_attack=loose, take_after_forced_pass=not take), ["random"], 150)
        length[loose, take] = arm.games["deals"].mean()
    measure = found["measures"]["deals_per_game"]
    main = (length[True, False] + length[True, True] - length[False, False] - length[False, True]) / 2
    together = length[True, True] - length[True, False] - length[False, True] + length[False, False]
    assert found["runs"] == 4 and found["rules"] == {"loose_cards_in_attack": "true", "take_after_forced_pass": "false"}
    assert measure["main"]["loose_cards_in_attack"]["effect"]["value"] == pytest.approx(main)
    assert measure["pairs"][0]["effect"]["value"] == pytest.approx(together)
    assert measure["main"]["loose_cards_in_attack"]["sure"]


def test_rules_that_change_nothing_are_safe_together() -> None:
    rules = ["nine_player_trump", "superblow_counts_as_force", "weak_marriage_passes_stage"]
    found = interactions(simcore.rules("kombinator"), ["random"], 60, rules=rules)
    assert len(found["safe_together"]) == 3 and found["clash"] == []
    assert all(row["effect"]["value"] == 0 and not row["sure"] for measure in found["measures"].values() for row in measure["main"].values())


def test_mistakes() -> None:
    with pytest.raises(InputError, match="Did you mean 'pair'"):
        sensitivity(simcore.rules("kombinator"), keys=["pare"])
    with pytest.raises(InputError, match="is no house rule"):
        interactions(simcore.rules("kombinator"), rules=["start_score"])
    with pytest.raises(InputError, match="at least 2 house rules"):
        interactions(simcore.rules("kombinator"), rules=["superblow"])


def test_the_picture_shows_what_was_measured(tmp_path: Path) -> None:
    found = sensitivity(simcore.rules("kombinator"), ["greedy"], 200, keys=["pair", "ace", "start_score", "legendary_row"], measures=["deals_per_game"])
    figure = bars(found, simcore.rules("kombinator").schema, None, "en")
    assert figure is not None
    sizes = [abs(bar["elasticity"]) for bar in figure.data]
    assert sizes == sorted(sizes, reverse=True) and {bar["key"] for bar in figure.data} == {"pair", "ace", "start_score"}
    by_key = {knob["key"]: knob["measures"][0] for knob in found["knobs"]}
    for bar in figure.data:
        assert bar["elasticity"] == by_key[bar["key"]]["elasticity"] and bar["low"] <= bar["elasticity"] <= bar["high"]
        assert bar["name"] in figure.svg and bar["name"] in figure.alt
    for name in ("a.svg", "a.png"):
        write(figure, tmp_path / name)
    assert (tmp_path / "a.svg").read_text().startswith("<?xml") and (tmp_path / "a.png").read_bytes()[1:4] == b"PNG"
    with pytest.raises(InputError, match="nothing is overwritten"):
        write(figure, tmp_path / "a.svg")
    with pytest.raises(InputError, match=".svg or .png"):
        write(figure, tmp_path / "a.pdf")


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--games", "60", "--key", "pair", "--key", "ace"]
    assert cli.main(["sensitivity", "kombinator", *options, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [knob["key"] for knob in found["knobs"]] == ["pair", "ace"]
    assert cli.main(["sensitivity", "seven_card_combo", "--games", "40", "--house-rules", "--lang", "ru", "--by", "margin"]) == 0
    assert "Совместимы" in capsys.readouterr().out
    assert cli.main(["sensitivity", "kombinator", *options, "--measure", "margin", "--by", "deals_per_game"]) == 2
