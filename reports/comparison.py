"""A report of several runs beside each other, told against the first of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from reports import plots
from reports.document import Block, Cell, Code, Document, Facts, Finding, Findings, Paragraph, Picture, Row, Section, Table
from reports.measure_names import measure_name
from reports.plots import Dot
from reports.style import Figure, figure
from reports.tables import NOTHING, setting
from reports.texts import Texts
from simcore.game import schema

Found = Mapping[str, Any]

HEADLINES: Final = ("games_length", "deals_length", "leader_share", "leader_margin", "seat_share", "margin", "draws", "points")
"""Kinds of measures that are told first."""
DRAWN: Final = 24
"""Measures in a picture, at most."""
LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def comparison(found: Found, language: str) -> Document:
    """The report of what `experiments.side_by_side.side_by_side` returns.

    Raises:
        ValueError: If there is no such language.
    """
    first = found["runs"][0]["ruleset"]
    texts = Texts(language, first["words"])
    sections = [
        Section("findings", texts("findings.title"), [Paragraph(texts("comparison.text")), _headlines(found, texts)]),
        _setup(found, texts),
        *(_measures(found, each, texts) for each in found["against"]),
        _method(found, texts),
    ]
    names = [entry["name"] for entry in found["runs"]]
    return Document(
        language=language,
        eyebrow=texts("comparison.eyebrow"),
        title=first["game"]["name"][language],
        subtitle=texts("comparison.subtitle", games=texts.numbers.fixed(found["games"]), names=", ".join(names)),
        contents=texts("page.contents"),
        sections=sections,
        footer=texts("comparison.made", version=found["runs"][0]["info"]["versions"].get("simcore", "\u2013")),
    )


def rows(found: Found) -> list[dict[str, Any]]:
    """All measures of all runs against the first, one row each, for other programs."""
    listed = []
    for each in found["against"]:
        for row in each["measures"]:
            ends = {f"{name}_{end}": row[f"{name}interval"][place] for name in ("", "a_", "b_") for place, end in enumerate(("low", "high"))}
            kept = {key: value for key, value in row.items() if not key.endswith("interval")}
            listed.append({"run": found["runs"][each["run"]]["name"], **kept, **{key.replace("__", "_").lstrip("_"): value for key, value in ends.items()}})
    return listed


def _headlines(found: Found, texts: Texts) -> Findings:
    """The main measures of each run against the first: what is decided before what is not."""
    told = []
    for each in found["against"]:
        for row in each["measures"]:
            if row["kind"] in HEADLINES and (row["a"] or row["b"]):
                told.append((row["verdict"] == "undecided", _finding(found, each, row, texts)))
    return Findings([finding for _, finding in sorted(told, key=lambda pair: pair[0])])


def _finding(found: Found, each: Found, row: Found, texts: Texts) -> Finding:
    numbers = texts.numbers
    change, a, b = (_estimate(found, row, side) for side in ("", "a_", "b_"))
    name = _name(found, row, texts)
    other, base = LETTERS[each["run"]], LETTERS[0]
    signed = _signed(change, row, texts)
    said = {
        "name": name,
        "other": other,
        "base": base,
        "a": numbers.both(a, percent=row["share"]),
        "b": numbers.both(b, percent=row["share"]),
        "interval": _interval(change, row, texts),
        "games": numbers.fixed(found["games"]),
    }
    decided = row["verdict"] != "undecided"
    needed = row["games_needed"]
    sure = texts("comparison.decided") if decided else texts("comparison.needed", games=numbers.fixed(needed)) if needed else texts("comparison.undecided")
    return Finding(
        "fact" if decided else "open",
        texts(f"comparison.{row['verdict']}", other=other, base=base),
        texts("comparison.finding", **said),
        signed,
        texts("comparison.finding_text", **said),
        sure,
        "clear" if decided else "open",
        texts("comparison.paired" if each["same_cards"] else "comparison.unpaired", n=numbers.fixed(found["games"])),
        f"against-{each['run']}",
    )


def _setup(found: Found, texts: Texts) -> Section:
    numbers = texts.numbers
    facts = [
        (
            f"{LETTERS[place]}: {run['name']}",
            texts(
                "comparison.run",
                ruleset=run["ruleset"]["canonical"],
                strategies=", ".join(run["info"]["strategies"]),
                games=numbers.fixed(run["info"]["played"]),
                deals=texts.deals(run["info"]["deals"]),
                seed=run["info"]["seed"],
            ),
        )
        for place, run in enumerate(found["runs"])
    ]
    blocks: list[Block] = [Facts(facts)]
    if found["settings"]:
        heads = [texts("setup.setting"), texts("setup.rule"), *LETTERS[: len(found["runs"])]]
        lines = [
            Row([Cell(row["key"], row["name"][texts.language]), Cell(row["rule"]), *(Cell(setting(value, texts)) for value in row["values"])])
            for row in found["settings"]
        ]
        blocks.append(Table(texts("comparison.settings"), heads, lines, words=tuple(range(1, len(heads)))))
    else:
        blocks.append(Paragraph(texts("comparison.same_rules")))
    blocks += [Paragraph(texts("comparison.repeat")), Code("\n".join(run["info"]["command"] for run in found["runs"]))]
    return Section("setup", texts("setup.title"), blocks)


def _measures(found: Found, each: Found, texts: Texts) -> Section:
    """All measures of one run against the first."""
    other = LETTERS[each["run"]]
    listed = sorted((row for row in each["measures"] if row["a"] or row["b"]), key=lambda row: row["verdict"] == "undecided")
    lines = [
        Row(
            [
                Cell(_name(found, row, texts)),
                *(
                    Cell(texts.numbers.value(estimate, percent=row["share"]), texts.numbers.interval(estimate, percent=row["share"]))
                    for estimate in (_estimate(found, row, "a_"), _estimate(found, row, "b_"))
                ),
                Cell(_signed(_estimate(found, row, ""), row, texts), _interval(_estimate(found, row, ""), row, texts)),
                Cell(texts(f"comparison.{row['verdict']}", other=other, base=LETTERS[0])) if row["doubt"] is not None else NOTHING,
            ]
        )
        for row in listed
    ]
    heads = [texts("comparison.measure"), LETTERS[0], other, f"{other} \u2212 {LETTERS[0]}", texts("comparison.verdict")]
    title = texts("comparison.against", other=other, base=LETTERS[0], name=found["runs"][each["run"]]["name"])
    blocks: list[Block] = [Paragraph(texts("comparison.same_cards" if each["same_cards"] else "comparison.other_cards"))]
    drawn = _changes(found, each, texts)
    if drawn:
        blocks.append(Picture(drawn))
    blocks.append(Table(texts("comparison.caption"), heads, lines, words=(4,), strong=3))
    return Section(f"against-{each['run']}", title, blocks)


def _changes(found: Found, each: Found, texts: Texts) -> Figure | None:
    """Relative change of the measures that are decided, largest first; None where none is."""
    decided = [row for row in each["measures"] if row["verdict"] in ("lower", "higher") and row["a"]]
    decided.sort(key=lambda row: -abs(row["difference"] / row["a"]))
    decided = decided[:DRAWN]
    if not decided:
        return None
    data = []
    for row in decided:
        low, high = sorted(end / row["a"] for end in row["interval"])
        data.append({"measure": row["measure"], "value": row["difference"] / row["a"], "low": low, "high": high})
    title = texts(
        "comparison.changes_title",
        name=_name(found, decided[0], texts),
        change=("+" if data[0]["value"] > 0 else "") + texts.numbers.sign(texts.numbers.significant(100 * data[0]["value"], 2)),
    )
    dots = [Dot(place, 0, row["value"], row["low"], row["high"]) for place, row in enumerate(data)]
    return figure(
        f"changes-{each['run']}",
        title,
        texts("comparison.changes_alt", title=title),
        data,
        lambda width: plots.dots(
            width,
            [_name(found, row, texts) for row in decided],
            dots,
            axis=texts("comparison.changes_axis"),
            show=lambda value: texts.numbers.sign(texts.numbers.plain(value * 100)),
            reference=(0.0, texts("comparison.no_change")),
        ),
    )


def _method(found: Found, texts: Texts) -> Section:
    level = texts.numbers.percent(found["level"], 0)
    wrong = texts.numbers.percent(1 - found["level"], 0)
    keys = ("pairs", "verdicts", "limits")
    facts = [(texts(f"comparison.{key}"), texts(f"comparison.{key}_text", level=level, wrong=wrong)) for key in keys]
    return Section("method", texts("method.title"), [Facts(facts)])


def _estimate(found: Found, row: Found, side: str) -> dict[str, Any]:
    """One side of a measure, or its difference, as an estimate."""
    value = row[{"": "difference", "a_": "a", "b_": "b"}[side]]
    low, high = row[f"{side}interval"]
    return {"value": value, "low": low, "high": high, "n": found["games"], "method": "paired", "level": found["level"]}


def _signed(estimate: Found, row: Found, texts: Texts) -> str:
    """A difference with its sign; of shares in percentage points."""
    text = texts.numbers.value(estimate, 100.0 if row["share"] else 1.0)
    return ("+" if estimate["value"] > 0 else "") + text + (texts("comparison.points") if row["share"] else "")


def _interval(estimate: Found, row: Found, texts: Texts) -> str:
    return texts.numbers.interval(estimate, 100.0 if row["share"] else 1.0)


def _name(found: Found, row: Found, texts: Texts) -> str:
    return measure_name(row, schema(found["runs"][0]["ruleset"]["game"]["key"]), texts.language)
