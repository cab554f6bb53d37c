"""Stored runs beside each other: the same verdicts as playing them as a pair, in a page of their own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import cli
from experiments.compare import compare
from experiments.runs import Run, run
from experiments.side_by_side import side_by_side
from reports.numbers import Numbers
from reports.render import render_comparison
from simcore.api import rules
from simcore.errors import InputError
from simcore.simulate import Table

GAMES = 400


def played(folder: Path, ruleset: str, strategies: tuple[str, ...], seed: int = 1, games: int = GAMES, players: int | None = None, batch: int = 150) -> Run:
    return run(Table(rules(ruleset), strategies, players, seed), games, folder, batch=batch)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Run]:
    folder = tmp_path_factory.mktemp("runs")
    return [
        played(folder / "base", "kombinator", ("greedy", "counter")),
        played(folder / "dear", "kombinator(pair=9)", ("greedy", "counter"), batch=170),
        played(folder / "other", "kombinator", ("greedy", "counter"), seed=2),
    ]


@pytest.fixture(scope="module")
def found(runs: list[Run]) -> dict[str, Any]:
    return side_by_side(runs)


def test_stored_runs_give_the_verdicts_of_a_comparison(found: dict[str, Any]) -> None:
    again = compare(rules("kombinator"), rules("kombinator(pair=9)"), [("greedy", "counter")], GAMES)
    assert found["games"] == GAMES and found["against"][0]["same_cards"]
    for stored, fresh in zip(found["against"][0]["measures"], again["measures"], strict=True):
        assert {key: stored[key] for key in fresh if key != "seconds_needed"} == {key: value for key, value in fresh.items() if key != "seconds_needed"}
        assert stored["a_interval"][0] <= stored["a"] <= stored["a_interval"][1]
    assert [row["key"] for row in found["settings"]] == ["pair"] and found["settings"][0]["values"] == [3, 9, 3]


def test_other_cards_are_said_to_be_other_cards(found: dict[str, Any]) -> None:
    other = found["against"][1]
    assert not other["same_cards"]
    narrower = [row["narrower"] for row in other["measures"] if row["narrower"]]
    assert 0.9 < sorted(narrower)[len(narrower) // 2] < 1.1, "games that share nothing are no better for being paired"
    assert {row["verdict"] for row in other["measures"]} == {"undecided"}


@pytest.mark.parametrize("game", ["gin_rummy", "seven_card_combo"])
def test_every_game_can_be_set_side_by_side(tmp_path: Path, game: str) -> None:
    two = [played(tmp_path / name, game, (name, "random")) for name in ("greedy", "random")]
    told = side_by_side(two)
    again = compare(rules(game), rules(game), [("greedy", "random")], GAMES, b_panel=[("random", "random")])
    assert [row["verdict"] for row in told["against"][0]["measures"]] == [row["verdict"] for row in again["measures"]]


@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_page(found: dict[str, Any], language: str, tmp_path: Path) -> None:
    paths = render_comparison(found, language, tmp_path)
    text = paths["report.md"].read_text("utf-8").replace("\u00a0", "\u202f")
    numbers = Numbers(language)
    length = found["against"][0]["measures"][0]
    for end in (length["a"], length["b"]):
        assert numbers.fixed(end, 2) in text
    first, undecided = (text.index(word) for word in {"en": ("B is lower", "Not decided"), "ru": ("У B меньше", "Не решено")}[language])
    assert first < undecided
    told = json.loads(paths["report.json"].read_text("utf-8"))
    assert told["against"] == json.loads(json.dumps(found["against"])) and "changes-1" in told["figures"]
    drawn = told["figures"]["changes-1"]["data"]
    by_key = {row["measure"]: row for row in found["against"][0]["measures"]}
    assert all(row["value"] == by_key[row["measure"]]["difference"] / by_key[row["measure"]]["a"] for row in drawn)
    sizes = [abs(row["value"]) for row in drawn]
    assert sizes == sorted(sizes, reverse=True) and drawn
    rows = pl.read_parquet(paths["data"] / "measures.parquet")
    assert rows.height == 2 * len(by_key) and set(rows["run"]) == {"dear", "other"}
    assert rows.filter(run="dear", measure="deals_per_game")["a_low"][0] == length["a_interval"][0]


def test_what_cannot_be_set_side_by_side(runs: list[Run], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(InputError, match="at least 2 runs"):
        side_by_side(runs[:1])
    gin = played(tmp_path / "gin", "gin_rummy", ("random",), games=20)
    three = played(tmp_path / "three", "kombinator", ("random",), players=3, games=20)
    for other, said in ((gin, "one game can be set side by side"), (three, "one number of players can be set side by side")):
        assert cli.main(["report", str(runs[0].folder), str(other.folder)]) == 2
        assert said in capsys.readouterr().err
    assert cli.main(["report", str(runs[0].folder), str(runs[1].folder)]) == 0
    page = Path(capsys.readouterr().out.split()[0])
    assert page == runs[0].folder.with_name("report-base-dear") / "report.html" and page.exists()
    assert cli.main(["report", str(runs[0].folder), str(runs[1].folder)]) == 2, "nothing is overwritten"
