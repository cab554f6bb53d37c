"""Sensitivities against differences of separate runs; designs that keep effects apart; house rules that are known to clash."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import numpy as np
import pytest

import cli
import simcore
from experiments.house_rules import design, games_each, interactions
from experiments.sensitivity import knobs_of, sensitivity
from reports.console_sensitivity import bars
from reports.tornado import write
from simcore.errors import InputError


def measured_apart(ruleset: simcore.Ruleset, strategy: str, games: int, seed: int) -> dict[str, tuple[float, float]]:
    """Measures of games of two players with their standard errors, worked out from the tables of a run and with nothing of the product's statistics."""
    played = simcore.play(ruleset, [strategy], games, seed=seed)
    deals = played.games["deals"].to_numpy().astype(float)
    points = np.bincount(played.tallies["game"].to_numpy(), weights=played.tallies["points"].to_numpy(), minlength=games)
    margin = np.abs(played.games["score_0"].to_numpy().astype(float) - played.games["score_1"].to_numpy())
    rate = points.sum() / deals.sum()
    parts = {"deals_per_game": deals, "margin": margin, "points_per_deal": rate + (points - rate * deals) / deals.mean()}
    return {key: (part.mean(), part.std(ddof=1) / games**0.5) for key, part in parts.items()}


@pytest.mark.parametrize(
    ("game", "strategy", "keys"),
    [
        ("kombinator", "greedy", {"pair": (2, 3, 4), "start_score": (95, 100, 105)}),
        ("seven_card_combo", "greedy", {"three_pairs": (-2, -1, 0), "deals": (2, 3, 4)}),
        ("gin_rummy", "simple", {"undercut_bonus": (24, 25, 26), "target": (95, 100, 105), "gin_boxes": (0, 0, 1)}),
    ],
)
def test_changes_are_those_of_separate_runs(game: str, strategy: str, keys: dict[str, tuple[int, int, int]]) -> None:
    """Finite differences of games that share no cards with the paired ones, 5.5 standard errors at most: 21 comparisons fail less than once in a million."""
    names = ["deals_per_game", "margin", "points_per_deal"]
    found = sensitivity(simcore.rules(game), [strategy], 1_000, keys=list(keys), measures=names, seed=5)
    assert {knob["key"]: (knob["from"], knob["value"], knob["to"]) for knob in found["knobs"]} == keys
    for knob in found["knobs"]:
        low, high = (measured_apart(simcore.rules(game, **{knob["key"]: knob[end]}), strategy, 2_000, seed) for end, seed in (("from", 77), ("to", 78)))
        for row in knob["measures"]:
            (a, error_a), (b, error_b), change = low[row["measure"]], high[row["measure"]], row["per_point"]
            width = knob["to"] - knob["from"]
            error = np.hypot((change["high"] - change["low"]) / 2 / 1.96, np.hypot(error_a, error_b) / width)
            assert abs(change["value"] - (b - a) / width) <= 5.5 * error, (knob["key"], row["measure"])
            if row["elasticity"] is not None:
                low_end, high_end = row["elasticity_interval"]
                assert row["elasticity"] == pytest.approx(knob["value"] / row["value"] * change["value"]) and low_end <= row["elasticity"] <= high_end
    sure = {(knob["key"], row["measure"]) for knob in found["knobs"] for row in knob["measures"] if row["sure"]}
    assert {key for key, _ in sure} >= set(keys) - {"undercut_bonus"}, "what is compared is there to be seen"


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


def test_what_never_came_up_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """It is told apart from what came up and changed nothing, from options that no game depends on, and from what stands at its limit."""
    keys = ["pair", "jackpot", "legendary_row", "stake", "dump", "hand_limit"]
    options = [word for key in keys for word in ("--key", key)]
    assert cli.main(["sensitivity", "kombinator", "--games", "150", *options, "--measure", "deals_per_game", "--json"]) == 0
    knobs = {knob["key"]: knob for knob in json.loads(capsys.readouterr().out)["knobs"]}
    assert knobs["legendary_row"]["times"] == 0 and knobs["jackpot"]["times"] > 0 and knobs["stake"]["times"] is None
    assert knobs["dump"]["measures"][0]["elasticity"] is None and (knobs["hand_limit"]["from"], knobs["hand_limit"]["to"]) == (6, 7)
    assert cli.main(["sensitivity", "kombinator", "--games", "150", *options, "--measure", "deals_per_game"]) == 0
    shown = capsys.readouterr().out
    assert "say nothing of it: Legendary row." in shown and "None of these games differs: Jackpot, stake." in shown
    assert "to one side only: hand_limit." in shown and "may be 0: Dump." in shown
    assert "3 (2 … 4)" in shown and "7 (6 … 7)" in shown


def test_bars_are_of_what_prices_move() -> None:
    """Games of Seven Card Combo have a fixed number of deals, which is the first measure."""
    found = sensitivity(simcore.rules("seven_card_combo"), ["greedy"], 300, keys=["three_pairs", "deals"])
    figure = bars(found, simcore.rules("seven_card_combo").schema, "en")
    assert figure is not None and figure.title.startswith("Points between the first and the second")


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


def test_rules_that_clash(capsys: pytest.CaptureFixture[str]) -> None:
    """With any cards of the pile to take, it matters more that all players may take from it. By separate games: 5.5 standard errors at most."""
    found = interactions(simcore.rules("seven_card_combo"), ["greedy"], 1_000, rules=["pile", "later_pile"])
    assert found["clash"] == [["pile", "later_pile"]] and found["safe_together"] == found["undecided"] == []
    effect = found["measures"]["points_per_deal"]["pairs"][0]["effect"]
    apart = {
        (pile, later): measured_apart(simcore.rules("seven_card_combo", pile=pile, later_pile=later), "greedy", 1_000, 50 + 2 * (pile == "any") + later)
        for pile in ("top_down", "any")
        for later in (False, True)
    }
    points = {key: measures["points_per_deal"] for key, measures in apart.items()}
    together = points["any", False][0] - points["any", True][0] - points["top_down", False][0] + points["top_down", True][0]
    error = np.hypot((effect["high"] - effect["low"]) / 2 / 1.96, np.sqrt(sum(error**2 for _, error in points.values())))
    assert effect["value"] > 0 and abs(effect["value"] - together) <= 5.5 * error
    options = ["--strategy", "greedy", "--games", "1000", "--key", "three_pairs", "--measure", "margin", "--house-rules"]
    assert cli.main(["sensitivity", "seven_card_combo", *options]) == 0
    assert "pile + later_pile: Points per deal +0." in capsys.readouterr().out


def test_what_no_game_depends_on_is_not_called_safe() -> None:
    rules = ["nine_player_trump", "superblow_counts_as_force", "weak_marriage_passes_stage"]
    found = interactions(simcore.rules("kombinator"), ["random"], 60, rules=rules)
    assert len(found["undecided"]) == 3 and found["clash"] == found["safe_together"] == []
    assert all(row["effect"]["value"] == 0 and not row["sure"] for measure in found["measures"].values() for row in measure["main"].values())


def test_safe_together_takes_games_enough() -> None:
    """What is paid for boxes has nothing to do with who deals after a round that nobody won; 50 games are too few to say so."""
    few, many = (interactions(simcore.rules("gin_rummy"), ["simple"], games, rules=["redealer", "net_boxes"]) for games in (50, 2_000))
    pair = ["redealer", "net_boxes"]
    assert few["undecided"] == [pair] and few["safe_together"] == []
    assert many["safe_together"] == [pair] and many["clash"] == many["undecided"] == []


def test_games_of_designs() -> None:
    assert games_each(simcore.rules("gin_rummy"), 2_000) == 2_000 and games_each(simcore.rules("kombinator"), 2_000) == 195
    assert games_each(simcore.rules("kombinator"), 2) == 2


def test_mistakes() -> None:
    with pytest.raises(InputError, match="Did you mean 'pair'"):
        sensitivity(simcore.rules("kombinator"), keys=["pare"])
    with pytest.raises(InputError, match="Did you mean 'margin'"):
        sensitivity(simcore.rules("kombinator"), measures=["margin"], by="margn")
    with pytest.raises(InputError, match="neither a step lower nor a step higher"):
        sensitivity(simcore.rules("kombinator"), keys=["pair"], step=2_000_000)
    with pytest.raises(InputError, match="is no house rule"):
        interactions(simcore.rules("kombinator"), rules=["start_score"])
    with pytest.raises(InputError, match="at least 2 house rules"):
        interactions(simcore.rules("kombinator"), rules=["superblow"])


def test_the_picture_shows_what_was_measured(tmp_path: Path) -> None:
    found = sensitivity(simcore.rules("kombinator"), ["greedy"], 200, keys=["pair", "ace", "start_score", "legendary_row"], measures=["deals_per_game"])
    figure = bars(found, simcore.rules("kombinator").schema, "en")
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
