"""Sums in a page are enough for any other point table: the same to the last point as scoring the stored deals again."""

from __future__ import annotations

import base64
import random
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from experiments.evidence import PARTS
from experiments.overview import summarise
from experiments.rescoring import rescored
from experiments.runs import Run, run
from experiments.whatif import whatif
from reports.render import render
from reports.sections import document
from simcore.api import rules
from simcore.errors import InputError
from simcore.simulate import Table

CASES = [
    ("kombinator", ("greedy", "counter")),
    ("kombinator(jackpot=0)", ("counter",)),
    ("gin_rummy", ("greedy", "random")),
    ("seven_card_combo", ("greedy", "random")),
]


@pytest.fixture(scope="module", params=CASES, ids=[case[0] for case in CASES])
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Run, dict[str, Any]]:
    ruleset, strategies = request.param
    done = run(Table(rules(ruleset), strategies, None, 7), 600, tmp_path_factory.mktemp("runs") / "run", batch=130)
    return done, summarise(done)


def test_the_table_of_the_run_gives_the_numbers_of_the_summary(played: tuple[Run, dict[str, Any]]) -> None:
    _, found = played
    worth = rescored(found["rescoring"], {})
    assert worth["points"] == found["run"]["points_total"]
    for kind in ("items", "categories"):
        for entry in found[kind]:
            if entry["key"] in worth[kind]:
                assert worth[kind][entry["key"]] == {key: entry[key] for key in ("points", "points_per_deal", "share")}, entry["key"]
    shares = [entry["share"]["value"] for entry in found["items"] if entry["share"] and entry["share"]["value"]]
    assert worth["sources"] == pytest.approx(np.exp(-sum(share * np.log(share) for share in shares)))


def test_any_other_table_gives_what_whatif_says(played: tuple[Run, dict[str, Any]]) -> None:
    done, found = played
    chance, told = random.Random(3), 0
    for _ in range(20):
        keys = chance.sample(list(done.ruleset.points), chance.randint(1, 4))
        table = {key: done.ruleset.points[key] + chance.choice([-5, -2, -1, 1, 2, 3, 30]) for key in keys}
        try:
            again = whatif(done.folder, tuple(f"{key}={value}" for key, value in table.items()))
        except InputError:
            continue  # a table that the game does not allow, such as a bonus below 0
        told += 1
        worth = rescored(found["rescoring"], table)
        assert worth["points"] == again["points_total"]
        assert all(worth["items"][key]["points"] == entry["points"] for key, entry in again["items"].items())
    assert told >= 5


def test_packed_games_are_the_stored_ones(played: tuple[Run, dict[str, Any]]) -> None:
    done, found = played
    packed = found["rescoring"]["packed"]
    numbers = iter(np.frombuffer(zlib.decompress(base64.b64decode(packed["data"])), "<i4").tolist())
    games, deals = done.games.sort("game").collect(), done.deals.sort("game", "deal").collect()
    seats = packed["seats"]
    points = deals.select(f"points_{seat}" for seat in range(seats)).rows()
    uses: dict[int, int] = {}
    place = 0
    for game in games.iter_rows(named=True):
        assert next(numbers) == game["deals"] and next(numbers) == game["leader"]
        next(numbers)
        assert [next(numbers) for _ in range(seats)] == [round(2520 * game[f"share_{seat}"]) for seat in range(seats)]
        for _ in range(game["deals"]):
            for seat in range(seats):
                change, terms = next(numbers), next(numbers)
                last = place + 1 == len(points) or deals["game"][place + 1] != game["game"]
                assert change == points[place][seat] or last, "only what is scored after the end of a game is left out"
                for _ in range(terms):
                    term, times = next(numbers), next(numbers)
                    uses[term] = uses.get(term, 0) + abs(times)
            place += 1
    assert next(numbers, None) is None and packed["games"] == games.height
    totals = {tuple(column["items"]): total for column, total in zip(found["rescoring"]["columns"], found["rescoring"]["totals"], strict=True)}
    for term, count in uses.items():
        assert totals[tuple(packed["terms"][term])] == count


def test_prices_that_go_together_cannot_be_changed_in_the_page(tmp_path: Path) -> None:
    done = run(Table(rules("kombinator(superblow=adds)"), ("counter",), None, 1), 3_000, tmp_path / "run")
    found = summarise(done)
    assert found["rescoring"]["locked"] == ["absolute_force", "large_force", "small_force", "superblow"]
    assert rescored(found["rescoring"], {})["points"] == found["run"]["points_total"]
    paths = render(found, "en", tmp_path / "report")
    assert "cannot be changed here but by simcore whatif: Small force, Large force, Absolute force, Superblow." in paths["report.md"].read_text("utf-8")
    again = whatif(done.folder, ("pair=5",))
    assert rescored(found["rescoring"], {"pair": 5})["points"] == again["points_total"]


# ---------------------------------------------------------------- what is played for a report


def test_games_that_are_told_show_what_they_stand_for(played: tuple[Run, dict[str, Any]]) -> None:
    done, found = played
    games = done.games.collect()
    findings = {finding["key"]: finding for finding in found["findings"]}
    told = {key: entry for entry in found["evidence"]["games"] for key in entry["findings"]}
    assert "leader" in told
    row = games.filter(game=told["leader"]["game"]).row(0, named=True)
    share = {"above": 1.0, "below": 0.0}.get(findings["leader"]["verdict"])
    assert share in (None, row[f"share_{row['leader']}"]) and told["leader"]["deals"] == row["deals"]
    if "most_points_item" in told:
        counts = done.tallies.filter(pl.col("item") == findings["most_points_item"]["source"], pl.col("points") != 0)
        by_game = counts.group_by("game").agg(pl.col("count").cast(pl.Int64).sum()).collect()
        assert by_game.filter(game=told["most_points_item"]["game"])["count"][0] == by_game["count"].max()
    for kind in ("inversions_hands", "inversions_play"):
        if kind in told:
            rarer = findings[kind]["pair"]["rarer"]
            assert done.tallies.filter(pl.col("item") == rarer, pl.col("game") == told[kind]["game"]).collect().height
    for entry in found["evidence"]["games"]:
        assert f"--game {entry['game']} --seed 7" in entry["command"]
        assert all(text.strip() for text in entry["text"].values()) and entry["text"]["en"] != entry["text"]["ru"]


def test_moving_first_is_a_finding_where_it_can_be_told_from_the_cards(played: tuple[Run, dict[str, Any]]) -> None:
    _, found = played
    measured = found["evidence"]["first_move"]
    first = [finding for finding in found["findings"] if finding["key"] == "first_move"]
    assert bool(first) == measured["swapped"]
    assert all(finding["estimate"] == measured["share"]["first"] for finding in first)


def test_a_run_of_other_sources_has_a_report_without_games(played: tuple[Run, dict[str, Any]], tmp_path: Path) -> None:
    done, _ = played
    other = Run(done.folder, done.info | {"source_hash": "other"}, done.batches)
    found = summarise(other)
    assert found["evidence"] == dict.fromkeys(PARTS)
    text = render(found, "en", tmp_path)["report.md"].read_text("utf-8")
    assert "its games cannot be played again" in text
    assert [section.key for section in document(found, "ru").sections][-2:] == ["games", "method"]
