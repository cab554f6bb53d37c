"""Scores that rise, fall, or win when they are low; points below 0; what is tallied without a price; records without a column `lead`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import polars as pl
import pytest
import synthetic

from experiments.frequencies import tallied
from experiments.summary import summary
from reports.render import render
from simcore.api import rules
from simcore.errors import InputError
from simcore.schema import load_schema

RULES = Path(synthetic.RULES).read_text()
TABLES = synthetic.tables(300, 3, seed=5, edge=0.1)


def summed(tables: Any = TABLES, **schema: Any) -> Any:
    plain = synthetic.ruleset()
    ruleset = SimpleNamespace(schema=replace(plain.schema, **schema), options=plain.options, points=plain.points, canonical=plain.canonical)
    games, deals, tallies = (table.lazy() for table in tables)
    return summary(synthetic.info(tables[0].height, 3), ruleset, games, deals, tallies, synthetic.frequencies())


def negated(tables: Any) -> Any:
    """The same games with every score turned round: who was ahead is behind."""
    games, deals, tallies = tables
    return games.with_columns(-pl.col(f"score_{seat}") for seat in range(3)), deals, tallies


def test_where_the_lowest_wins_every_margin_is_the_lead_that_it_is() -> None:
    """Games whose scores are turned round, read the other way round, say the same but for the scores themselves."""
    highest, lowest = summed(), summed(negated(TABLES), lowest_wins=True)
    assert lowest["margin"] == highest["margin"]
    assert lowest["lead"] == highest["lead"]
    assert lowest["length"] == highest["length"]
    for one, other in zip(highest["strategies"], lowest["strategies"], strict=True):
        assert other["win_share"] == one["win_share"]
        assert other["margin"]["value"] == pytest.approx(one["margin"]["value"])
        assert other["score"]["value"] == pytest.approx(-one["score"]["value"])
    wrong = summed(negated(TABLES))  # and read as if the highest won, they do not
    assert wrong["lead"]["margin"]["value"] == pytest.approx(-highest["lead"]["margin"]["value"])


def test_points_below_0_count_in_shares_by_their_size() -> None:
    games, deals, tallies = TABLES
    below = tallies.with_columns(points=pl.when(pl.col("item") == "pair").then(-pl.col("points")).otherwise(pl.col("points")))
    plain, signed = summed(), summed((games, deals, below))
    for one, other in zip(plain["items"], signed["items"], strict=True):
        assert other["share"] == one["share"]
        sign = -1 if one["key"] == "pair" else 1
        assert other["points"] == sign * one["points"]
        fields = ("value", "low", "high") if sign > 0 else ("value", "high", "low")
        found = [other["points_per_deal"][key] for key in ("value", "low", "high")]
        assert found == pytest.approx([sign * one["points_per_deal"][key] for key in fields])
    assert signed["run"]["points_total"] == sum(item["points"] for item in signed["items"])


def test_a_game_without_a_column_of_leads_has_none_in_its_report(tmp_path: Path) -> None:
    games, deals, tallies = TABLES
    found = summed((games, deals.drop("lead"), tallies))
    assert found["lead"]["kinds"] == [] and found["lead"]["leader"] == summed()["lead"]["leader"]
    page = render(found, "en", tmp_path)["report.md"].read_text()
    assert "How the leader of a deal was found" not in page and "Win share by who leads" in page


def test_what_is_tallied_without_a_price_has_a_name_and_a_category(tmp_path: Path) -> None:
    text = RULES.replace("[words.item]\nweak_marriage = ", "[words.other]\nweak_marriage = ")
    assert text != RULES
    path = tmp_path / "rules.toml"
    path.write_text(text + '\n[counted.weak_marriage]\ncategory = "artifact"\nrule = "K-31"\nname = { en = "Weak", ru = "Слабый" }\n')
    schema = load_schema(path)
    plain = summed()
    found = summed(counted=schema.counted)
    weak = next(item for item in found["items"] if item["key"] == "weak_marriage")
    assert (weak["name"]["en"], weak["category"], weak["price"], weak["rule"]) == ("Weak", "artifact", None, "K-31")
    before, after = (next(entry for entry in each["categories"] if entry["key"] == "artifact") for each in (plain, found))
    assert after["count"] == before["count"] + weak["count"] and weak["count"] > 0
    page = render(found, "en", tmp_path / "report")["report.md"].read_text()
    assert "| Weak |" in page


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ('[counted.pair]\ncategory = "artifact"\nrule = "K-31"\nname = { en = "a", ru = "б" }', "pair stands in the point table too"),
        ('[counted.weak]\ncategory = "artifacts"\nrule = "K-31"\nname = { en = "a", ru = "б" }', "Did you mean 'artifact'"),
        ('[counted.weak]\ncategory = "artifact"\nrule = "K-31"\npoints = 3\nname = { en = "a", ru = "б" }', "points"),
    ],
)
def test_a_malformed_table_of_what_is_counted_is_refused(line: str, wrong: str, tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    path.write_text(f"{RULES}\n{line}\n")
    with pytest.raises(InputError, match=wrong) as problem:
        load_schema(path)
    assert str(path) in str(problem.value)


@pytest.mark.parametrize(("given", "lowest"), [("", False), ('winner = "highest"', False), ('winner = "lowest"', True)])
def test_who_wins(given: str, lowest: bool, tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    path.write_text(RULES.replace('pack = "6789TJQKA"', f'pack = "6789TJQKA"\n{given}'))
    assert load_schema(path).lowest_wins is lowest


def test_a_winner_that_is_none_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    path.write_text(RULES.replace('pack = "6789TJQKA"', 'pack = "6789TJQKA"\nwinner = "lowes"'))
    with pytest.raises(InputError, match="winner is one of highest, lowest, got 'lowes'. Did you mean 'lowest'"):
        load_schema(path)


def test_the_games_say_who_wins() -> None:
    assert [rules(game).schema.lowest_wins for game in ("kombinator", "gin_rummy", "seven_card_combo")] == [False, False, True]


def test_tables_of_given_hands() -> None:
    """Masks, values, tables over a part of the hands, and what is no matter of a hand."""
    import numpy as np

    yes, ranks = np.array([True, True, False, True]), np.array([5, 7, 5, 5])
    part = np.array([True, False, True, False])
    found = tallied(3, 4, {"items": {"a": yes, "b": None}, "points": ranks, "some": {"hands": part, "items": {"a": yes}, "points": ranks}, "none": None})
    assert found == {
        "cards": 3,
        "hands": 4,
        "items": {"a": {"count": 3, "probability": 0.75}, "b": None},
        "points": [[5, 3], [7, 1]],
        "some": {"hands": 2, "items": {"a": {"count": 1, "probability": 0.5}}, "points": [[5, 2]]},
        "none": None,
    }
