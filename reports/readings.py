"""What each reading is worth that the printed rules leave open, as a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reports.document import Block, Cell, Paragraph, Row, Table
from reports.tables import setting
from reports.texts import Texts


def readings(measured: Mapping[str, Any], found: Mapping[str, Any], texts: Texts) -> list[Block]:
    """By how much each other reading moves length, the leader's share and points, with verdicts; those that change nothing are named below.

    Args:
        measured: What `experiments.readings.readings` says.
        found: The summary, for what options mean.
        texts: The language.
    """
    numbers, helps = texts.numbers, {row["key"]: row["help"][texts.language] for row in found["ruleset"]["options"]}

    def moved(row: Mapping[str, Any]) -> Cell:
        low, high = row["interval"]
        if low == high:
            return Cell(texts("readings.same"))
        estimate = {"value": row["difference"], "low": low, "high": high, "n": measured["games"], "method": "t", "level": measured["level"]}
        shown, interval = (told(estimate, 100.0 if row["share"] else 1.0) for told in (numbers.value, numbers.interval))
        return Cell(shown if row["verdict"] == "undecided" else f"{shown}, {texts('readings.' + row['verdict'])}", interval)

    changed = [each for each in measured["readings"] if each["changed"]]
    idle = [f"{each['key']} = {setting(each['value'], texts)} ({each['rule']})" for each in measured["readings"] if not each["changed"]]
    blocks: list[Block] = []
    if changed:
        rows = [
            Row(
                [
                    Cell(f"{each['key']} = {setting(each['value'], texts)}", helps[each["key"]]),
                    Cell(each["rule"]),
                    Cell(numbers.fixed(each["changed"])),
                    *(moved(row) for row in each["measures"]),
                ]
            )
            for each in changed
        ]
        heads = [
            texts("readings.reading"),
            texts("setup.rule"),
            texts("readings.games"),
            *(texts(f"readings.{row['measure']}") for row in changed[0]["measures"]),
        ]
        blocks.append(Table(texts("readings.caption", games=numbers.fixed(measured["games"])), heads, rows, words=(1,)))
    if idle:
        blocks.append(Paragraph(texts("readings.nothing", games=numbers.fixed(measured["games"]), names="; ".join(idle))))
    return blocks
