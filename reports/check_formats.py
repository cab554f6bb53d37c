"""A check (`experiments.check`) as JUnit XML, which build servers read, and as Markdown for a page or a comment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from xml.etree import ElementTree

from reports.measure_names import places_of
from reports.numbers import Numbers


def told(row: Mapping[str, Any], numbers: Numbers) -> tuple[str, str, str]:
    """A line in words of numbers: what was expected, what was found, and its interval."""
    if row["interval"] is None:
        return numbers.limits(None, row["high"]), f"{row['value']}" + (f" ({', '.join(row['items'])})" if row["items"] else ""), ""
    low, high = row["interval"]
    places = places_of((high - low) / 2)
    return numbers.limits(row["low"], row["high"]), numbers.fixed(row["value"], places), numbers.span(low, high, places)


def junit(found: Mapping[str, Any]) -> str:
    """One test case a line; one that is undecided counts as skipped."""
    rows = found["lines"]
    count = {word: sum(row["verdict"] == word for row in rows) for word in ("fail", "undecided")}
    totals = {"tests": str(len(rows)), "failures": str(count["fail"]), "errors": "0", "skipped": str(count["undecided"])}
    suite = ElementTree.Element("testsuite", {"name": f"simcore check {found['ruleset']}"} | totals)
    for row in rows:
        case = ElementTree.SubElement(suite, "testcase", {"classname": found["ruleset"], "name": row["key"]})
        expected, value, interval = told(row, Numbers("en"))
        text = f"expected {expected}, found {value}{interval and f' ({interval})'} in {row['games']} games"
        if row["verdict"] == "fail":
            ElementTree.SubElement(case, "failure", {"message": text})
        elif row["verdict"] == "undecided":
            ElementTree.SubElement(case, "skipped", {"message": f"undecided: {text}"})
    ElementTree.indent(suite)
    return ElementTree.tostring(suite, "unicode", xml_declaration=True) + "\n"


def markdown(found: Mapping[str, Any], words: Mapping[str, str], lang: str) -> str:
    """A heading with the verdict, a table of the lines, and what has changed since the last check."""
    heads = [words[key] for key in ("line", "expected", "value", "interval", "games", "verdict")]
    lines = [f"## `{found['ruleset']}`: {words[found['verdict']]}", "", f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    for row in found["lines"]:
        cells = [f"`{row['key']}`", *told(row, Numbers(lang)), str(row["games"]), words[row["verdict"]]]
        lines.append(f"| {' | '.join(cells)} |")
    since = found["since"]
    if since is not None:
        lines += ["", f"{words['since'].format(name=since['ruleset'])}", ""]
        lines += [f"- `{each['key']}`: {each['a']} -> {each['b']} ({each['rule']})" for each in since["differences"]]
        lines += [f"- `{each['key']}`: {words[each['was']]} -> {words[each['is']]}" for each in since["verdicts"]]
        if not since["differences"] and not since["verdicts"]:
            lines.append(f"- {words['nothing']}")
    return "\n".join(lines) + "\n"
