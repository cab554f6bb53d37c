"""A game from outside the source tree, made by the steps of docs/adding-a-game.md, on which every command works."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from typing import Any

import click
import numpy as np
import pytest

import cli

ROOT = Path(__file__).parent.parent
OUTSIDE = Path(__file__).parent / "outside"
PAGE = (ROOT / "docs" / "adding-a-game.md").read_text()
# One call of each command. A command that is added gets a line here: it must work on a game that it has never heard of.
CALLS: dict[str, tuple[str, ...]] = {
    "games": ("games", "--json"),
    "show": ("show", "high_card"),
    "freq": ("freq", "high_card", "--deals", "2000", "--strategy", "keen", "--games", "20", "--json"),
    "run": ("run", "high_card", "--games", "4000", "--strategy", "keen", "--strategy", "keen(ranks=0)", "--out", "runs/a", "--json"),
    "report": ("report", "runs/a"),
    "replay": ("replay", "high_card", "--game", "3", "--format", "jsonl"),
    "compare": ("compare", "high_card", "high_card(ace=0)", "--games", "400", "--json"),
    "tournament": ("tournament", "high_card", "--strategy", "random", "--strategy", "keen", "--games", "400", "--json"),
    "extend": ("extend", "runs/a", "--games", "4100", "--json"),
    "merge": ("merge", "runs/b", "runs/c", "--out", "runs/bc"),
    "verify": ("verify", "runs/a"),
    "whatif": ("whatif", "runs/a", "--set", "ace=0", "--json"),
    "lint": ("lint", "high_card", "--games", "200", "--json"),
    "plan": ("plan", "high_card", "--pilot", "200", "--json"),
    "price": ("price", "high_card", "--games", "200", "--json"),
    "sensitivity": ("sensitivity", "high_card", "--games", "200", "--json"),
    "tune": ("tune", "wanted.toml", "--out", "runs/tuned", "--json"),
    "check": ("check", "mine.toml", "--games", "2000", "--json"),
    "first-move": ("first-move", "high_card", "--games", "200", "--json"),
}
BEFORE = {
    "merge": [
        ("run", "high_card", "--games", "50", "--out", "runs/b"),
        ("run", "high_card", "--first", "50", "--games", "50", "--out", "runs/c"),
    ]
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where commands run; the game stands in ``games`` there, far from the source tree."""
    place = tmp_path_factory.mktemp("outside")
    shutil.copytree(OUTSIDE / "high_card", place / "games" / "high_card", ignore=shutil.ignore_patterns("__pycache__"))
    (place / "mine.toml").write_text('base = "high_card"\n[expect]\nfirst_mover_win_share = [0.4, 0.6]\n')
    (place / "wanted.toml").write_text('[tune]\nbase = "high_card"\ngames = 200\nconfirm = 400\n[goals]\ndeals_per_game = { max = 5 }\n')
    return place


@pytest.fixture(scope="module")
def said(folder: Path) -> dict[str, str]:
    """What each command prints."""
    found = {}
    for name, call in CALLS.items():
        for arguments in [*BEFORE.get(name, []), call]:
            done = subprocess.run(
                [sys.executable, "-m", "cli", *arguments],
                cwd=folder,
                env=os.environ | {"SIMCORE_GAMES": str(folder / "games"), "PYTHONPATH": str(ROOT)},
                capture_output=True,
                text=True,
                timeout=300,
            )
            assert done.returncode == 0, (arguments, done.stderr)
            assert not re.search(r"Traceback|Warning", done.stderr), done.stderr
        found[name] = done.stdout
    return found


def test_every_command_is_called() -> None:
    assert isinstance(cli.cli, click.Group)
    assert set(CALLS) == set(cli.cli.commands), "each command needs a call in CALLS"


@pytest.mark.parametrize("command", CALLS)
def test_every_command_works_on_it(command: str, said: dict[str, str]) -> None:
    assert said[command]


def test_it_is_a_game_like_the_others(said: dict[str, str]) -> None:
    assert "high_card" in [entry["key"] for entry in json.loads(said["games"])["games"]]
    assert "Changes low cards." in said["show"]


def by_hand() -> dict[str, Fraction]:
    """What happens in a deal between who changes queens and who keeps all, over all orders of the first three cards; either deals in turn."""
    ranks = [card >> 2 for card in range(12)]
    counts = {"equal": 0, "keen wins": 0, "aces": 0, "all": 0, "changes": 0}
    for deck in permutations(range(12), 3):
        for keen in (0, 1):  # dealt the first or the second card
            cards = [ranks[deck[0]], ranks[deck[1]]]
            if cards[keen] == 0:
                cards[keen] = ranks[deck[2]]
                counts["changes"] += 1
            counts["equal"] += cards[0] == cards[1]
            counts["keen wins"] += cards[keen] > cards[1 - keen]
            counts["aces"] += cards[0] != cards[1] and 2 in cards
            counts["all"] += 1
    return {key: Fraction(count, counts["all"]) for key, count in counts.items()}


def test_the_answers_are_those_by_hand(said: dict[str, str], folder: Path) -> None:
    found = json.loads(said["freq"])
    assert (found["hands"], found["points"]) == (12, [[1, 4], [2, 4], [3, 4]])
    assert found["items"]["ace"] == {"count": 4, "probability": 1 / 3} and found["items"]["win"] is None
    run, summary = json.loads(said["run"]), json.loads((folder / "runs" / "a" / "report.json").read_text())
    expected = by_hand()
    assert run["games"] == 4000 and run["deals"] > 20_000

    def near(count: float, share: Fraction) -> bool:
        deals = run["deals"]
        return bool(abs(count - float(share) * deals) < 5 * np.sqrt(float(share * (1 - share)) * deals))

    assert near(next(entry["count"] for entry in summary["endings"]["deals"] if entry["key"] == "equal"), expected["equal"])
    items = {item["key"]: item for item in summary["items"]}
    assert near(items["win"]["count"], 1 - expected["equal"]) and near(items["ace"]["count"], expected["aces"])
    assert near(items["win"]["strategies"][0]["count"], expected["keen wins"])
    changes = summary["length"]["deals"]["changes"]["mean"]["value"]
    assert near(changes * run["deals"], expected["changes"])


def test_the_replay_is_a_game(said: dict[str, str]) -> None:
    events: list[dict[str, Any]] = [json.loads(line) for line in said["replay"].splitlines()]
    assert [events[0]["event"], events[-1]["event"]] == ["game", "game_end"]
    assert {event["event"] for event in events} == {"game", "deal", "change", "score", "deal_end", "game_end"}


def test_a_game_without_players_says_where_they_belong(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder / "games" / "high_card", tmp_path / "high_card", ignore=shutil.ignore_patterns("strategies.py", "__pycache__"))
    variables = os.environ | {"SIMCORE_GAMES": str(tmp_path), "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-m", "cli", "show", "high_card"], cwd=tmp_path, env=variables, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith("simcore: error: high_card has no players: they stand in a module strategies/high_card.py")


def test_a_folder_of_games_that_is_not_there_is_named(tmp_path: Path) -> None:
    variables = os.environ | {"SIMCORE_GAMES": str(tmp_path / "nowhere"), "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-m", "cli", "show", "high_card"], cwd=tmp_path, env=variables, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.endswith(f"SIMCORE_GAMES names '{tmp_path / 'nowhere'}', which is no folder.\n")


def test_a_changed_file_of_the_game_changes_what_machine_code_is_looked_for(folder: Path) -> None:
    def hashes() -> list[str]:
        program = "from simcore.compiled import source_hash; print(source_hash('high_card'), source_hash('kombinator'))"
        variables = os.environ | {"SIMCORE_GAMES": str(folder / "games"), "PYTHONPATH": str(ROOT)}
        return subprocess.run([sys.executable, "-c", program], env=variables, capture_output=True, text=True, check=True).stdout.split()

    before = hashes()
    with (folder / "games" / "high_card" / "rows.py").open("a") as file:
        file.write("MORE = 1\n")
    after = hashes()
    assert after[0] != before[0] and after[1] == before[1]


def test_the_steps_of_the_page_are_its_files() -> None:
    """Every file that a step names is there in the smallest game, and the other way round; the page says how many there are."""
    steps = re.findall(r"^\d+\. (.*)$", PAGE, re.MULTILINE)
    named = {name for step in steps for name in re.findall(r"\*\*`([\w.<>/]+)`\*\*", step)}
    there = {path.name for path in (OUTSIDE / "high_card").iterdir() if path.is_file()}
    assert named - {"strategies/<game>.py"} == there - {"strategies.py"}
    assert f"| a game | {len(there) - 1} in its folder" in PAGE
    for game in ("kombinator", "gin_rummy", "seven_card_combo"):
        files = {path.name for path in (ROOT / "simcore" / "games" / game).iterdir() if path.suffix in (".py", ".toml")}
        assert named - {"strategies/<game>.py"} <= files, game


def test_no_shared_file_names_a_game() -> None:
    """Nothing but a game's own files, its players and the documentation knows what games there are."""
    from simcore.game import games

    shared = [*(ROOT / "experiments").glob("*.py"), *(ROOT / "reports").rglob("*.*"), *(ROOT / "commands").glob("*.py"), ROOT / "cli.py"]
    shared += (ROOT / "simcore").glob("*.py")
    for file in shared:
        if file.suffix in (".py", ".toml", ".html", ".md", ".css"):
            code = re.sub(r'"""(?:.|\n)*?"""', "", file.read_text("utf-8"))  # docstrings may give an example
            code = re.sub(r"#.*", "", code)
            assert not [key for key in games() if key in code], file
