"""Checks: planted promises are decided as they should be, and no more often wrongly than promised."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import polars as pl
import pytest
from scipy.stats import binom

import cli
import simcore
from experiments.check import check, estimate_of, look_level, verdict_of
from experiments.estimates import Sums
from experiments.expect import COUNTS, Quantity
from simcore.errors import InputError

HEAD = 'base = "kombinator"\n[expect]\n'


def written(folder: Path, lines: str, head: str = HEAD) -> Path:
    file = folder / "mine.toml"
    file.write_text(head + lines)
    return file


def checked(folder: Path, lines: str, head: str = HEAD, **more: Any) -> dict[str, Any]:
    file = written(folder, lines, head)
    return check(simcore.rules(str(file)), file, **{"games": 8_000, "lint_games": 200} | more)


@pytest.mark.parametrize("seed", range(8))
def test_what_is_known_by_symmetry(tmp_path: Path, seed: int) -> None:
    """Players who choose at random win half of all games on either seat. A verdict is wrong in at most 5 % of all seeds; in fact in far fewer."""
    found = checked(tmp_path, "seat_0_win_share = [0.45, 0.55]\n", seed=seed)
    assert found["verdict"] == "pass"
    found = checked(tmp_path, "seat_0_win_share = [0.55, 0.65]\n", seed=seed)
    assert found["verdict"] == "fail"
    found = checked(tmp_path, "seat_0_win_share = { min = 0.5 }\n", seed=seed, games=4_000)
    assert found["verdict"] == "undecided" and found["lines"][0]["games"] == 4_000


def test_the_value_is_that_of_the_games(tmp_path: Path) -> None:
    found = checked(tmp_path, "block_points_share = [0.9, 0.95]\ndeals_per_game = { max = 8 }\npair_per_deal = [0, 9]\n", games=2_000)
    games = simcore.play("kombinator", ["random"], 2_000)
    block = [key for key, item in games.ruleset.schema.points.items() if item.category == "block"]
    rows = {each["key"]: each for each in found["lines"]}
    points = games.tallies.group_by("item").agg(points=pl.col("points").sum())
    share = sum(value for item, value in points.iter_rows() if item in block) / points["points"].sum()
    assert rows["block_points_share"]["value"] == pytest.approx(share)
    assert rows["deals_per_game"]["value"] == pytest.approx(games.games["deals"].mean())
    assert rows["pair_per_deal"]["value"] == pytest.approx(games.tallies.filter(item="pair")["count"].sum() / games.deals.height)
    assert [each["verdict"] for each in found["lines"]] == ["fail", "fail", "pass"], "in the order of the file"


def test_shares_are_of_points_without_their_signs(tmp_path: Path) -> None:
    lines = "loose_card_points_share = [0, 1]\nthree_pairs_points_share = [0, 1]\n"
    found = checked(tmp_path, lines, HEAD.replace("kombinator", "seven_card_combo"), games=2_000)
    points = simcore.play("seven_card_combo", ["random"], 2_000).tallies.group_by("item").agg(points=pl.col("points").abs().sum())
    share = {item: value / points["points"].sum() for item, value in points.iter_rows()}
    for key, row in zip(("loose_card", "three_pairs"), found["lines"], strict=True):
        assert row["value"] == pytest.approx(share[key]) and row["interval"][0] < row["value"] < row["interval"][1]


def test_lines_stop_when_they_are_decided_and_intervals_widen_with_the_number_of_lines(tmp_path: Path) -> None:
    one = checked(tmp_path, "seat_0_win_share = [0.3, 0.7]\n")["lines"][0]
    many = checked(tmp_path, "seat_0_win_share = [0.3, 0.7]\nmargin = [0, 100]\nleader_win_share = { max = 0.505 }\n")["lines"]
    assert one["games"] == many[0]["games"] == 2_000 < many[2]["games"]
    assert many[0]["interval"][0] < one["interval"][0] < one["interval"][1] < many[0]["interval"][1]


@pytest.mark.parametrize(("truth", "right"), [(0.5, "pass"), (0.526, "fail")])
def test_verdicts_are_wrong_no_more_often_than_promised(truth: float, right: str) -> None:
    """600 checks of two lines each, of games whose win share is known: at most 5 % of the checks may have any wrong verdict, and nearly all decide."""
    rng = np.random.default_rng(7)
    quantity, wrong, decided = Quantity((0,), (1,), 1, False, True), 0, 0
    for _ in range(600):
        verdicts = []
        for _line in range(2):
            wins = games = 0
            verdict = "undecided"
            for look in range(1, 8):
                more = max(2_000, games)
                wins, games = wins + int(rng.binomial(more, truth)), games + more
                if verdict == "undecided":
                    verdict = verdict_of(estimate_of(quantity, Sums(games, wins, games, wins, wins, games), wins, look_level(0.95, 2, look)), 0.48, 0.52)
            verdicts.append(verdict)
        wrong += any(verdict not in (right, "undecided") for verdict in verdicts)
        decided += verdicts.count(right)
    assert wrong <= binom.isf(1e-6, 600, 0.05)
    assert decided > 1_000 if right == "pass" else decided > 100


@pytest.mark.parametrize("rate", [2e-5, 3e-4])
def test_points_of_rare_events_are_not_taken_for_none(rate: float) -> None:
    """Each game brings 30 points, an event in `rate` of them 20 more; a promise of half their true share is hardly ever found kept."""
    rng = np.random.default_rng(11)
    quantity, kept, games = Quantity((0,), (1,), 1, False, True, (2,), 20), 0, 4_000
    truth = 20 * rate / (30 + 20 * rate)
    for _ in range(2_000):
        events = int(rng.binomial(games, rate))
        x, y = 20 * events, 30 * games + 20 * events
        estimate = estimate_of(quantity, Sums(games, x, y, 20 * x, 50 * x, 900 * games + 1_600 * events), events, 0.95)
        assert estimate.high > 0
        kept += verdict_of(estimate, 0.0, truth / 2) == "pass" or verdict_of(estimate, truth, 1.0) == "fail"
    assert kept <= binom.isf(1e-6, 2_000, 0.05)


def test_what_never_came_up_keeps_no_promise_by_that(tmp_path: Path) -> None:
    (line,) = checked(tmp_path, "absolute_force_points_share = { max = 0.00001 }\n")["lines"]
    assert line["verdict"] == "undecided" and line["interval"][1] > 0.00001


def test_findings_are_counted(tmp_path: Path) -> None:
    head = 'base = "kombinator"\n[options]\nhand_limit = 6\n[points]\nlegendary_row = 1\n[expect]\n'
    found = checked(tmp_path, "unreachable_items = 2\ninversions = 9\nguards_hit = 0\n", head)
    assert [each["verdict"] for each in found["lines"]] == ["fail", "pass", "pass"]
    assert found["lines"][0]["value"] == 3 and "legendary_row" in found["lines"][0]["items"]


def test_a_changed_copy_of_the_rules_may_have_expectations(tmp_path: Path) -> None:
    copy = simcore.rules("kombinator").schema.path.read_text()
    assert checked(tmp_path, "dump_per_deal = [0, 5]\n", copy + "\n[expect]\n", games=2_000)["verdict"] == "pass"


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("first_mover_win_shares = [0, 1]", "line 3: nothing is called 'first_mover_win_shares'"),
        ("first_mover_win_shares = [0, 1]", "Did you mean 'first_mover_win_share'"),
        ("deals_per_game = 6", "is a range such as"),
        ("deals_per_game = [9, 6]", "is a range such as"),
        ("deals_per_game = { from = 6 }", "is a range such as"),
        ("deals_per_game = [true, 9]", "is a range such as"),
        ("leader_win_share = [1.5, 2]", "lies between 0 and 1"),
        ("dead_items = [0, 1]", "a whole number from 0 on"),
        ("dead_items = -1", "a whole number from 0 on"),
        ("", "is empty"),
    ],
)
def test_mistakes_are_told_with_their_line(tmp_path: Path, lines: str, words: str) -> None:
    with pytest.raises(InputError) as caught:
        checked(tmp_path, lines)
    assert words in str(caught.value)


def test_a_file_without_expectations(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the table .expect. is missing"):
        checked(tmp_path, "", 'base = "kombinator"\n')


def test_expectations_change_nothing_in_a_ruleset(tmp_path: Path) -> None:
    assert simcore.rules(str(written(tmp_path, "margin = [0, 1]\n"))) == simcore.rules("kombinator")


def test_every_number_of_findings_comes_from_a_code_of_the_docs() -> None:
    page = (Path(__file__).parent.parent / "docs" / "lint.md").read_text()
    assert all(f"## {code}\n" in page for codes in COUNTS.values() for code in codes)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    last = tmp_path / "last.json"
    good = written(tmp_path, "margin = [0, 100]\nseat_0_win_share = [0.4, 0.6]\n")
    assert cli.main(["check", str(good), "--games", "2000", "--json", "--last", str(last)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["verdict"] == "pass" and found["since"] is None
    written(tmp_path, "margin = [0, 1]\nseat_0_win_share = [0.4, 0.6]\n", 'base = "kombinator"\n[points]\npair = 4\n[expect]\n')
    assert cli.main(["check", str(good), "--games", "2000", "--format", "markdown", "--last", str(last), "--lang", "ru"]) == 1
    page = capsys.readouterr().out
    assert "`pair`: 3 -> 4 (K-43)" in page and "`margin`: выполнено -> нарушено" in page
    assert cli.main(["check", str(good), "--games", "2000", "--format", "junit"]) == 1
    suite = ElementTree.fromstring(capsys.readouterr().out.split("\n", 1)[1])
    assert suite.attrib["tests"] == "2" and suite.attrib["failures"] == "1"
    assert [case.attrib["name"] for case in suite if case.find("failure") is not None] == ["margin"]
    written(tmp_path, "seat_0_win_share = { min = 0.5 }\n")
    assert cli.main(["check", str(good), "--games", "2000"]) == 3
    capsys.readouterr()
    last.write_text("{}")
    assert cli.main(["check", str(good), "--last", str(last)]) == 2
    assert "is not what an earlier check left" in capsys.readouterr().err
