"""The figures of a report: what is drawn is what was measured, and drawn the same every time."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree

import pytest
import synthetic

from reports import figures
from reports.texts import Texts


@pytest.fixture(scope="module")
def found() -> Any:
    return synthetic.summed()


def texts_of(found: Any, language: str = "en") -> Texts:
    return Texts(language, found["ruleset"]["words"])


def test_rarity_in_hands_holds_every_priced_combination(found: Any) -> None:
    drawn = figures.rarity_in_hands(found, texts_of(found))
    table = found["hands"]["tables"][-1]["items"]
    priced = {each["key"]: each["price"] for each in found["items"] if each["price"]}
    assert {row["key"] for row in drawn.data} == {key for key, entry in table.items() if entry and entry["count"] and key in priced}
    rarer = {pair["rarer"] for pair in found["inversions"]["hands"]}
    for row in drawn.data:
        assert row["chance"] == table[row["key"]]["probability"] and row["price"] == priced[row["key"]]
        assert row["inverted"] == (row["key"] in rarer)
    assert drawn.title.startswith(f"{len(found['inversions']['hands'])} pairs")


def test_rarity_in_play_marks_bounds(found: Any) -> None:
    drawn = figures.rarity_in_play(found, texts_of(found))
    estimates = {each["key"]: each["per_deal"] for each in found["items"]}
    for row in drawn.data:
        estimate = estimates[row["key"]]
        assert row["bound"] == (estimate["method"] == "never")
        assert row["value"] == (estimate["high"] if row["bound"] else estimate["value"])
    assert {row["key"] for row in drawn.data if row["bound"]} >= {"legendary_row"}


def test_play_by_role_has_a_dot_for_every_role_and_a_bound_where_nothing_was_seen(found: Any) -> None:
    drawn = figures.play_by_role(found, texts_of(found))
    for each in found["items"]:
        rows = [row for row in drawn.data if row["key"] == each["key"]]
        if each["count"]:
            assert {row["role"]: row["value"] for row in rows} == {role: entry["per_deal"]["value"] for role, entry in each["roles"].items()}
        elif each["combination"]:
            assert [(row["role"], row["bound"]) for row in rows] == [(None, True)]


def test_play_by_strategy_names_a_difference_with_intervals_apart(found: Any) -> None:
    drawn = figures.play_by_strategy(found, texts_of(found))
    assert {row["strategy"] for row in drawn.data} == {"greedy", "counter"}
    assert "greedy has it" in drawn.title or drawn.title == texts_of(found)("figures.strategies_same")
    assert figures.play_by_strategy(synthetic.summed(strategies=["greedy", "greedy"]), texts_of(found)) is None


def test_categories_and_wins_hold_their_estimates(found: Any) -> None:
    drawn = figures.categories(found, texts_of(found))
    assert [{"key": each["key"], **each["share"]} for each in found["categories"]] == drawn.data
    most = max(found["categories"], key=lambda each: each["share"]["value"])
    assert drawn.title.startswith(most["name"]["en"])
    wins = figures.wins(found, texts_of(found))
    assert [row["key"] for row in wins.data] == ["leader", "others", "seat 0", "seat 1"]
    assert wins.data[0]["value"] == found["lead"]["leader"]["value"]


def test_length_shows_the_distribution(found: Any) -> None:
    spread = found["length"]["games"]
    drawn = figures.length(spread, "key", "Deals", "Title", "Share", texts_of(found))
    total = sum(count for _, count in spread["histogram"])
    shown = sum(row["share"] for row in drawn.data)
    assert figures.SHOWN <= shown <= 1 + 1e-12
    for row in drawn.data:
        inside = sum(count for value, count in spread["histogram"] if row["from"] <= value <= row["to"])
        assert row["share"] == pytest.approx(inside / total)
    long = dict(spread, histogram=[[value, 1] for value in range(1, 1001)])
    assert len(figures.length(long, "key", "Deals", "Title", "Share", texts_of(found)).data) <= figures.BARS + 1


def test_ladder_holds_every_seat_and_stage() -> None:
    found = synthetic.summed(millionaire=True)
    drawn = figures.ladder(found, texts_of(found))
    reached = found["ladder"]["stages"][1]["reached"]
    assert [row["value"] for row in drawn.data if row["seat"] == 1] == [entry["value"] for entry in reached[1:]]


def test_drawings_are_text_that_follows_the_page(found: Any) -> None:
    drawn = figures.wins(found, texts_of(found, "ru"))
    for svg in (drawn.svg, drawn.narrow):
        root = ElementTree.fromstring(svg)
        words = "".join(root.itertext())
        assert "Место 0: greedy" in words and "Доля побед" in words
        assert root.attrib["role"] == "img" and root.attrib["aria-label"] == drawn.alt
        assert "metadata" not in svg and "font-family" not in svg and "<style" not in svg
        colours = set(re.findall(r"#[0-9a-f]{6}", svg))
        assert all(f", {colour})" in svg for colour in colours), "a colour does not follow the page"


def test_drawings_are_the_same_every_time(found: Any) -> None:
    assert figures.categories(found, texts_of(found)) == figures.categories(found, texts_of(found))
