"""What each reading is worth that the printed rules leave open, as a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reports.document import Cell, Row, Table
from reports.tables import setting
from reports.texts import Texts


def readings(measured: Mapping[str, Any], found: Mapping[str, Any], texts: Texts) -> Table:
    """By how much each other reading moves length, the leader's share and points, with verdicts.

    Args:
        measured: What `experiments.readings.readings` says.
        found: The summary, for what options mean.
        texts: The language.
    """
    numbers, helps = texts.numbers, {row["key"]: row["help"][texts.language] for row in found["ruleset"]["options"]}

    def moved(row: Mapping[str, Any]) -> Cell:
        low, high = row["interval"]
        estimate = {"value": row["difference"], "low": low, "high": high, "n": measured["games"], "method": "t", "level": measured["level"]}
        verdict = texts(f"readings.{row['verdict']}") if low != high else texts("readings.same")
        shown = numbers.value(estimate, 100.0 if row["share"] else 1.0), numbers.interval(estimate, 100.0 if row["share"] else 1.0)
        return Cell(shown[0], f"{shown[1]}; {verdict}" if shown[1] else verdict)

    rows = []
    for each in measured["readings"]:
        said = texts("readings.differ", games=numbers.fixed(each["changed"])) if each["changed"] else texts("readings.nothing")
        name = Cell(f"{each['key']} = {setting(each['value'], texts)}", helps[each["key"]])
        rows.append(Row([name, Cell(each["rule"]), Cell(said), *(moved(row) for row in each["measures"])]))
    names = [row["measure"] for row in measured["readings"][0]["measures"]]
    heads = [texts("readings.reading"), texts("setup.rule"), texts("readings.games"), *(texts(f"readings.{name}") for name in names)]
    return Table(texts("readings.caption", games=numbers.fixed(measured["games"])), heads, rows, words=(1, 2))
