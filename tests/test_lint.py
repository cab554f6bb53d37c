"""Lint: planted errors are found, sound things are not, and every code has its section in the docs."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

import cli
import simcore
from experiments.estimates import never
from experiments.lint import lint, rarity_in_hands
from experiments.lint_texts import _TEXTS
from simcore.api import frequencies

DOCS = Path(__file__).parent.parent / "docs" / "lint.md"


def findings(ruleset: str, lineups: list[list[str]] | None = None, **more: Any) -> list[dict[str, Any]]:
    return lint(simcore.rules(ruleset), lineups or [["random"], ["greedy"]], **{"games": 400, **more})["findings"]


def of(found: list[dict[str, Any]], code: str) -> list[dict[str, Any]]:
    return [each for each in found if each["code"] == code]


def test_a_legendary_row_worth_less_than_a_small_one() -> None:
    (found,) = of(findings("kombinator(legendary_row=1)"), "inversion")
    assert found["severity"] == "error" and found["items"][0] == "legendary_row" and "small_row" in found["items"]
    assert found["rules"] == ["K-43"] and "(1)" in found["message"]
    (other,) = [each for each in of(findings("kombinator(legendary_row=1)"), "inversion-between-categories") if each["items"][0] == "legendary_row"]
    assert other["severity"] == "error", "gross also between categories"


def test_a_pair_worth_40() -> None:
    found = findings("kombinator(pair=40)")
    (within,) = of(found, "inversion")
    assert within["items"] == ["pair", "triple", "small_force", "large_force", "absolute_force"] and within["severity"] == "error"
    (dominant,) = of(found, "dominant-item")
    assert dominant["items"] == ["pair"] and dominant["data"]["share"] > 0.8


def test_the_printed_table_has_no_error() -> None:
    assert not [each for each in findings("kombinator") if each["severity"] == "error"]


def test_equal_prices_for_what_is_rarer() -> None:
    (found,) = of(findings("kombinator(medium_row=3)"), "flat-reward")
    assert found["items"] == ["medium_row", "small_row"]
    table = frequencies("kombinator", 7)["items"]
    assert found["data"]["times"] == pytest.approx(table["small_row"]["count"] / table["medium_row"]["count"])


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
    assert codes == set(sections) and len(codes) == 12
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
    assert report["version"] == "2.1.0" and result["ruleId"] == "inversion" and result["level"] == "error"
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == str(file)
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
        ["whatif", "runs/none"],
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
