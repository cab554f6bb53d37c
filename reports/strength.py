"""Who beats whom in a report: the matrix of pay-offs as a picture and as a table, the ladder, cycles, and what restrictions cost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reports import heat
from reports.document import Block, Cell, Paragraph, Picture, Row, Table
from reports.style import Figure, figure
from reports.tables import NOTHING
from reports.texts import Texts

EVEN = 0.5
"""Share of wins of either of two strategies that are as good as each other."""
SEATS = 2
"""Seats at which strategies meet in a matrix."""


def strength(found: Mapping[str, Any], texts: Texts) -> list[Block]:
    """All that is said of the strength of strategies; nothing where nothing was played for the report."""
    measured = found.get("evidence") or {}
    meetings, restricted = measured.get("tournament"), measured.get("restricted")
    blocks: list[Block] = []
    if meetings:
        decks = texts.numbers.fixed(meetings["games"])
        blocks += [Paragraph(texts("strength.text", decks=decks)), Picture(matrix(meetings, texts)), pay_offs(meetings, texts)]
        cycles = ["\u00a0> ".join([*cycle, cycle[0]]) for cycle in meetings["cycles"]]
        blocks += [steps(meetings, texts), Paragraph(texts("strength.cycles", cycles="; ".join(cycles)) if cycles else texts("strength.no_cycles"))]
    elif measured.get("games") is not None and found["run"]["players"] != SEATS:
        blocks.append(Paragraph(texts("strength.seats")))
    if restricted:
        blocks.append(restrictions(restricted, texts))
    return blocks


def until(found: Mapping[str, Any], texts: Texts) -> list[Block]:
    """After how many games skill shows; nothing where that is not known."""
    skill, numbers = (found.get("evidence") or {}).get("skill"), texts.numbers
    if not skill:
        return []

    def games(number: int | None) -> str:
        return texts("strength.beyond", games=numbers.fixed(skill["limit"])) if number is None else numbers.fixed(number)

    share = {"value": skill["win_share"], "low": skill["interval"][0], "high": skill["interval"][1], "n": found["run"]["games"], "method": "t"}
    said = {name: games(skill[name]) for name in ("games", "fewest", "most")}
    if skill["interval"][0] <= EVEN:
        said |= {"better": skill["better"], "other": skill["other"], "share": numbers.both(share, percent=True)}
        return [Paragraph(texts("strength.skill_open", **said))]
    said |= {"better": skill["better"], "other": skill["other"], "share": numbers.both(share, percent=True), "chance": numbers.percent(skill["chance"], 0)}
    return [Paragraph(texts("strength.skill", **said))]


def matrix(meetings: Mapping[str, Any], texts: Texts) -> Figure:
    """The win share of each strategy (row) against each other one (column); those whose interval excludes even are marked."""
    names, even = meetings["strategies"], meetings["even"]
    order = _order(meetings)
    data = [
        {
            "strategy": names[i],
            "against": names[j],
            "win_share": meetings["win_share"][i][j],
            "low": meetings["interval"][i][j][0],
            "high": meetings["interval"][i][j][1],
            "sure": not meetings["interval"][i][j][0] <= even <= meetings["interval"][i][j][1],
        }
        for i in order
        for j in order
        if i != j
    ]
    surely = {name: sum(row["sure"] and row["win_share"] > even for row in data if row["strategy"] == name) for name in names}
    best = max((names[i] for i in order), key=lambda name: surely[name])
    title = texts("strength.title", name=best, beaten=surely[best], others=len(names) - 1)
    places = {names[i]: place for place, i in enumerate(order)}
    cells = [
        heat.Shade(places[row["strategy"]], places[row["against"]], row["win_share"] - even, texts.numbers.fixed(100 * row["win_share"]), row["sure"])
        for row in data
    ]
    labels = [names[i] for i in order]
    return figure(
        "pay-offs", title, texts("strength.alt", title=title), data, lambda width: heat.heat(width, labels, cells, most=even, axis=texts("strength.axis"))
    )


def pay_offs(meetings: Mapping[str, Any], texts: Texts) -> Table:
    """Rating of each strategy and its win share against each other one, the best first."""
    numbers, order, rows = texts.numbers, _order(meetings), []
    for i in order:
        rating = _estimate(meetings, meetings["rating"][i], meetings["rating_interval"][i])
        cells = [Cell(meetings["strategies"][i]), Cell(numbers.value(rating), numbers.interval(rating))]
        rows.append(Row(cells + [NOTHING if i == j else _share(meetings, meetings["win_share"][i][j], meetings["interval"][i][j], texts) for j in order]))
    heads = [texts("strength.strategy"), texts("strength.rating"), *(texts("strength.against", name=meetings["strategies"][j]) for j in order)]
    return Table(texts("strength.caption"), heads, rows, strong=1)


def steps(meetings: Mapping[str, Any], texts: Texts) -> Table:
    """The ladder: each strategy against the next by rating."""
    rows = [Row([Cell(step["strategy"]), Cell(step["over"]), _share(meetings, step["win_share"], step["interval"], texts)]) for step in meetings["ladder"]]
    heads = [texts(f"strength.{key}") for key in ("strategy", "over", "share")]
    return Table(texts("strength.ladder"), heads, rows, words=(1,))


def restrictions(restricted: Mapping[str, Any], texts: Texts) -> Table:
    """The win share of each free strategy against itself without one thing."""
    rows = [
        Row(
            [
                Cell(row["strategy"]),
                Cell(row["restriction"]),
                _share(restricted, row["win_share"], row["interval"], texts),
                Cell(texts(f"strength.{row['verdict']}")),
            ]
        )
        for row in restricted["restrictions"]
    ]
    heads = [texts(f"strength.{key}") for key in ("strategy", "forbidden", "free", "verdict")]
    return Table(texts("strength.restricted", decks=texts.numbers.fixed(restricted["games"])), heads, rows, words=(1, 3))


def _order(meetings: Mapping[str, Any]) -> list[int]:
    """Positions of the strategies, the best rating first."""
    return sorted(range(len(meetings["strategies"])), key=lambda i: -meetings["rating"][i])


def _estimate(meetings: Mapping[str, Any], value: float, interval: list[float]) -> dict[str, Any]:
    """A value and its interval as an estimate."""
    return {"value": value, "low": interval[0], "high": interval[1], "n": meetings["games"], "method": "t", "level": meetings["level"]}


def _share(meetings: Mapping[str, Any], value: float, interval: list[float], texts: Texts) -> Cell:
    estimate = _estimate(meetings, value, interval)
    return Cell(texts.numbers.value(estimate, percent=True), texts.numbers.interval(estimate, percent=True))
