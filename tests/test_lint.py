"""Lint: planted errors are found, sound things are not, and every code has its section in the docs."""

from __future__ import annotations

import itertools
import json
import re
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cli
import simcore
from experiments.containment import containments
from experiments.estimates import never
from experiments.lint import lint, rarity_in_hands
from experiments.lint_texts import _TEXTS
from simcore.api import frequencies
from simcore.games.kombinator.combinations import KINDS
from simcore.games.kombinator.frequencies import measure

DOCS = Path(__file__).parent.parent / "docs" / "lint.md"


def findings(ruleset: str, lineups: list[list[str]] | None = None, **more: Any) -> list[dict[str, Any]]:
    return lint(simcore.rules(ruleset), lineups or [["random"], ["greedy"]], **{"games": 400, **more})["findings"]


def of(found: list[dict[str, Any]], code: str) -> list[dict[str, Any]]:
    return [each for each in found if each["code"] == code]


def test_a_legendary_row_worth_less_than_a_small_one() -> None:
    found = findings("kombinator(legendary_row=1)")
    (dominated,) = of(found, "dominated-item")
    assert dominated["severity"] == "error" and dominated["rules"] == ["K-43"] and "(1)" in dominated["message"]
    rows = ["small_row", "medium_row", "large_row", "great_row"]
    assert dominated["items"] == ["legendary_row", *rows, "small_queue", "small_optima"], "of nine cards seven always hold three neighbours"
    (other,) = [each for each in of(found, "inversion-between-categories") if each["items"][0] == "legendary_row"]
    assert other["severity"] == "error", "gross also between categories"
    assert not set(other["items"][1:]) & set(dominated["items"]), "each thing is said once"


def test_a_pair_worth_40() -> None:
    found = findings("kombinator(pair=40)")
    (dominated,) = of(found, "dominated-item")
    assert dominated["items"] == ["pair", "triple", "small_force", "large_force", "absolute_force"] and dominated["severity"] == "error"
    assert not of(found, "inversion"), "each thing is said once"
    (dominant,) = of(found, "dominant-item")
    assert dominant["items"] == ["pair"] and dominant["data"]["share"] > 0.8


@pytest.mark.parametrize("price", [0, -5])
def test_what_is_worth_nothing_among_rewards(price: int) -> None:
    found = findings(f"kombinator(legendary_row={price})", games=50)
    (dominated,) = of(found, "dominated-item")
    assert dominated["items"][0] == "legendary_row" and dominated["severity"] == "error"
    assert "legendary_row" not in str([of(found, code) for code in ("worthless-item", "losing-item")]), "each thing is said once"
    bonuses = findings(f"seven_card_combo(seven_flush={-price}, full_house=4)", games=50)
    (inverted,) = of(bonuses, "inversion")
    assert inverted["severity"] == "error" and {"seven_flush", "three_pairs"} <= set(inverted["items"])
    (losing,) = of(bonuses, "losing-item")
    assert losing["items"] == ["full_house"] and "(4)" in losing["message"], "the most common one, so rarer than nothing"
    assert not of(findings("seven_card_combo", games=50), "losing-item"), "a loose card is meant to be one"


def test_what_is_dominated_is_shown_by_a_hand_and_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    (found,) = of(findings("kombinator(triple=2)"), "dominated-item")
    (cards,) = found["data"]["hands"].values()
    assert len(cards) == 3 and len({card[0] for card in cards}) == 1
    assert found["message"].startswith("Every hand that holds Triple (2) also holds what is rewarded better: Pair (3).")
    assert cli.main([*shlex.split(found["evidence"]["command"])[1:], "--format", "jsonl"]) == 0
    assert '"triple"' in capsys.readouterr().out


def test_combinations_that_hold_others() -> None:
    """By brute force over every hand of five cards: of what every triple is told, no hand contradicts it, and for every pair that is not told one does."""
    ruleset = simcore.rules("kombinator(hand_limit=5)")
    pairs = containments(ruleset)
    masks = np.array([sum(1 << card for card in cards) for cards in itertools.combinations(range(36), 5)], np.int64)
    held = measure(ruleset, masks).held
    keys = list(ruleset.points)
    hold = {key: (held >> place & 1).astype(bool) for place, key in enumerate(keys[:KINDS])}
    smaller = {key for key, row in hold.items() if row.any()} - {"assembly"}
    true = {(whole, part) for whole, part in itertools.permutations(smaller, 2) if not (hold[whole] & ~hold[part]).any()}
    assert set(pairs) == true and ("triple", "pair") in true and ("small_optima", "small_queue") in true
    assert not [pair for pair in pairs if "assembly" in pair], "whoever has the cards of an assembly still needs an order (K-32)"


def test_where_no_combination_holds_another() -> None:
    """Bonuses of Seven Card Combo lie beside each other, and gin rummy pays for no combination."""
    assert containments(simcore.rules("seven_card_combo")) == {} == containments(simcore.rules("gin_rummy"))
    assert not of(findings("seven_card_combo(four_of_a_kind=-1, three_pairs=-9)", games=20), "dominated-item")


def test_the_printed_table_has_no_error() -> None:
    assert not [each for each in findings("kombinator") if each["severity"] == "error"]


def test_equal_prices_for_what_is_rarer() -> None:
    (found,) = of(findings("kombinator(medium_row=3)"), "flat-reward")
    assert found["items"] == ["medium_row", "small_row"]
    table = frequencies("kombinator", 7)["items"]
    assert found["data"]["times"] == pytest.approx(table["small_row"]["count"] / table["medium_row"]["count"])
    (all_alike,) = of(findings("kombinator(medium_row=3, large_row=3, great_row=3)"), "flat-reward")
    assert all_alike["items"] == ["great_row", "large_row", "medium_row", "small_row"] and "720 times" in all_alike["message"]
    (across,) = of(findings("kombinator(small_optima=3, small_row=2)"), "flat-reward")
    assert across["items"] == ["small_optima", "small_queue"], "also between categories where the one holds the other"


def test_what_no_hand_can_hold() -> None:
    (found,) = of(findings("kombinator(hand_limit=6)"), "unreachable-item")
    assert set(found["items"]) == {"legendary_row", "legendary_queue", "legendary_optima"}
    assert rarity_in_hands(simcore.rules("kombinator"))[1] == []


def test_what_never_came_up_has_its_bound() -> None:
    found = lint(simcore.rules("kombinator"), [["greedy"]], 300)
    (dead,) = of(found["findings"], "dead-item")
    assert "legendary_optima" in dead["items"] and "pair" not in dead["items"]
    assert dead["data"]["bound"] == never(found["deals"]).high


def test_a_combination_that_nobody_wants() -> None:
    """Worth less than nothing, a pair is never played by those who look at the table."""
    found = of(findings("kombinator(pair=-5)", [["random"], ["greedy"]]), "unwanted-item")
    assert found and found[0]["items"][0] == "pair" and found[0]["evidence"]["strategies"] == ["random", "random"]
    assert "pair" not in str(of(findings("kombinator"), "unwanted-item"))


def test_guards_are_told_with_the_game_that_met_them(capsys: pytest.CaptureFixture[str]) -> None:
    found = findings("kombinator(max_bouts=20)", [["random"]])
    (guard,) = of(found, "guard-hit")
    assert guard["items"] == ["max_bouts"] and guard["severity"] == "warning"
    words = shlex.split(guard["evidence"]["command"])
    assert cli.main([*words[1:], "--format", "jsonl"]) == 0
    assert '"reason": "max_bouts"' in capsys.readouterr().out


def test_games_that_only_a_guard_ends() -> None:
    (found,) = of(findings("kombinator(start_score=10000, max_deals=3)", [["greedy"]]), "endless-game")
    assert found["severity"] == "error" and found["items"] == ["max_deals"] and found["data"]["worst"] == 1.0


def test_what_is_paid_after_the_end_never_decides() -> None:
    (found,) = of(findings("gin_rummy", [["simple"]], games=100), "never-decides")
    assert {"game_bonus", "box_bonus"} <= set(found["items"]) and "undercut_bonus" not in found["items"]


def test_options_that_change_nothing() -> None:
    (found,) = of(findings("kombinator", [["random"]], games=50), "idle-option")
    assert "nine_player_trump=none" in found["data"]["values"] and "lead_after_passes" not in found["items"] and found["severity"] == "info"
    changed = of(findings("kombinator(nine_player_trump=none)", [["random"]], games=50), "idle-option")
    assert [each["severity"] for each in changed] == ["warning", "info"] and changed[0]["items"] == ["nine_player_trump"]


def test_every_code_has_a_section_and_a_sentence_in_both_languages() -> None:
    sections = re.findall(r"^## (\S+)$", DOCS.read_text(), re.MULTILINE)
    source = (Path(__file__).parent.parent / "experiments" / "lint.py").read_text()
    codes = set(re.findall(r'(?:Finding\(|_grouped\()"([a-z-]+)"', source))
    assert codes == set(sections) and len(codes) == 14
    assert set(_TEXTS["en"]) == set(_TEXTS["ru"])


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--strategy", "random", "--games", "100"]
    assert cli.main(["lint", "kombinator", "--set", "pair=40", *options, "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert all({"code", "severity", "items", "message"} <= set(each) for each in found["findings"])
    assert cli.main(["lint", "kombinator", *options]) == 0
    assert cli.main(["lint", "kombinator", *options, "--fail-on", "warning", "--lang", "ru"]) == 1
    assert "стоит меньше, чем более частые" in capsys.readouterr().out
    file = tmp_path / "mine.toml"
    file.write_text('base = "kombinator"\n[points]\nlegendary_row = 1\n')
    assert cli.main(["lint", str(file), *options, "--format", "sarif"]) == 1
    report = json.loads(capsys.readouterr().out)
    result = report["runs"][0]["results"][0]
    assert report["version"] == "2.1.0" and result["ruleId"] == "dominated-item" and result["level"] == "error"
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == str(file)
    assert cli.main(["lint", "kombinator(pair=40, triple=2)", *options, "--format", "sarif"]) == 1
    (run,) = json.loads(capsys.readouterr().out)["runs"]
    where = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert where == "kombinator%28pair%3D40%2C%20triple%3D2%29", "a URI, as SARIF 2.1.0 says in 3.4.3"
    assert cli.main(["lint", "kombinatr"]) == 2


@pytest.mark.parametrize(
    "command",
    [
        ["lint", "kombinator"],
        ["price", "kombinator"],
        ["sensitivity", "kombinator"],
        ["sensitivity", "kombinator", "--picture", "none/a.svg"],
        ["check", "mine.toml"],
        ["check", "mine.toml", "--last", "none/last.json"],
        ["whatif", "runs/none", "--set", "pair=4"],
    ],
)
def test_where_it_goes_is_looked_at_before_anything_is_played(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("simcore.simulate.Table.play", None)
    (tmp_path / "mine.toml").write_text('base = "kombinator"\n[expect]\nmargin = [0, 100]\n')
    where = [] if "none/" in str(command) and "whatif" not in command else ["--out", "none/out.txt"]
    assert cli.main([*command, *where]) == 2
    assert "there is no folder 'none'" in capsys.readouterr().err
