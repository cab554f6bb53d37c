"""What a ruleset's file expects of it: the table ``[expect]``, one line a promise.

::

    [expect]
    first_mover_win_share = [0.48, 0.52]    # a measure of `simcore compare`, from and to
    deals_per_game = { max = 9 }            # only one end
    block_points_share = [0.2, 0.5]         # the share of a category, or of an item, of all points
    dead_items = 0                          # findings of `simcore lint`: at most so many items
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from experiments.measures import Integers, Measures
from simcore.errors import InputError, nearest, shown
from simcore.game import get
from simcore.schema import EXPECT
from simcore.tomltext import Table as Entry
from simcore.tomltext import read_toml

if TYPE_CHECKING:
    from simcore.ruleset import Ruleset

ALIASES: Final = {"first_mover_win_share": "leader_win_share", "first_mover_margin": "leader_margin"}
COUNTS: Final[dict[str, tuple[str, ...]]] = {
    "dead_items": ("dead-item",),
    "unreachable_items": ("unreachable-item",),
    "dominated_items": ("dominated-item",),
    "inversions": ("inversion", "inversion-between-categories", "dominated-item"),
    "flat_rewards": ("flat-reward",),
    "unwanted_items": ("unwanted-item",),
    "dominant_items": ("dominant-item",),
    "guards_hit": ("guard-hit", "endless-game"),
    "idle_options": ("idle-option",),
}
"""Numbers that come from `experiments.lint`: of items in its findings (of those of `BY_FINDING`: of findings)."""
BY_FINDING: Final = ("inversions", "guards_hit", "flat_rewards", "dominated_items")


@dataclass(frozen=True)
class Quantity:
    """Something that games are measured by: Σx/(unit·Σy) with x and y sums of columns of the vector of a game (`measures.Measures`).

    Attributes:
        x: Columns of the numerator.
        y: Columns of the denominator.
        unit: What 1 is in the numerator.
        counts: Whether it counts events that may be rare.
        share: Whether it lies between 0 and 1.
        events: Columns that count the events whose points x sums up, where it does and their prices are known.
        dearest: The most that one of these events brings.
    """

    x: tuple[int, ...]
    y: tuple[int, ...]
    unit: int
    counts: bool
    share: bool
    events: tuple[int, ...] = ()
    dearest: int = 0


@dataclass(frozen=True)
class Line:
    """One promise: a quantity, or a number of findings, between two ends.

    Attributes:
        key: As it was written.
        low: The lower end, minus infinity for none.
        high: The upper end, infinity for none.
    """

    key: str
    low: float
    high: float


def quantities(book: Measures, ruleset: Ruleset, items: Sequence[str]) -> dict[str, Quantity]:
    """Everything that can be expected of games, by key: the measures, their other names, and shares of points by category and item."""
    points = {each.subject: each.x for each in book.measures if each.kind == "item_points"}
    counts = {each.subject: each.events for each in book.measures if each.events is not None}
    all_points = tuple(points.values())
    dearest = _dearest(ruleset)

    def events(own: Sequence[str]) -> tuple[tuple[int, ...], int]:
        known = all(item in dearest for item in own)
        return (tuple(counts[item] for item in own), max(abs(dearest[item]) for item in own)) if known else ((), 0)

    found = {
        each.key: Quantity((each.x,), (each.y,), each.unit, each.counts, each.share, *(events([each.subject]) if each.kind == "item_points" else ()))
        for each in book.measures
    }
    found |= {alias: found[key] for alias, key in ALIASES.items() if key in found}
    schema = ruleset.schema
    category = {key: item.category for key, item in schema.points.items()} | {key: item.category for key, item in schema.counted.items()}
    for key in schema.categories:
        own = [item for item in items if category.get(item) == key]
        if own:
            found[f"{key}_points_share"] = Quantity(tuple(points[item] for item in own), all_points, 1, False, True, *events(own))
    for item in items:
        found.setdefault(f"{item}_points_share", Quantity((points[item],), all_points, 1, False, True, *events([item])))
    return found


def _dearest(ruleset: Ruleset) -> dict[str, int]:
    """The most that one event of each priced item brings: its price, with the dearest of those that may be added to it."""
    parts = get(ruleset.schema.key).account.parts(ruleset)
    return {key: price + max((ruleset.points[part] for part in parts.get(key, ())), default=0) for key, price in ruleset.points.items()}


def terms(wanted: Sequence[Quantity], rows: Integers) -> Integers:
    """Numerator, denominator and events of each quantity, int64[games, 3, quantities], of the games' vectors; shares are of points without their signs."""

    def summed(each: Quantity, columns: tuple[int, ...]) -> Integers:
        found: Integers = (np.abs(rows[:, columns]) if each.share else rows[:, columns]).sum(axis=1)
        return found

    sides = [(each.x, each.y, each.events) for each in wanted]
    return np.stack([[summed(each, side[kind]) for each, side in zip(wanted, sides, strict=True)] for kind in range(3)]).transpose(2, 0, 1)


def read_expectations(path: str | Path, known: Mapping[str, Quantity]) -> list[Line]:
    """The lines of the table ``[expect]`` of a file.

    Args:
        path: The ruleset's file.
        known: The quantities, by key.

    Raises:
        InputError: The file has no such table, or a line of it is wrong; it names the line.
    """
    toml = read_toml(path)
    page = Entry(toml, (), toml.data)
    if EXPECT not in page.data:
        raise InputError(f"{path}: the table [{EXPECT}] is missing: it says what is expected, such as first_mover_win_share = [0.48, 0.52]")
    table = page.table(EXPECT)
    if not table.data:
        raise table.error(f"the table [{EXPECT}] is empty")
    return [_line(table, key, known) for key in table.data]


def _line(table: Entry, key: str, known: Mapping[str, Quantity]) -> Line:
    if key not in known and key not in COUNTS:
        kinds = f"measures of 'simcore compare', shares of points such as {list(known)[-1]}, and {', '.join(COUNTS)}"
        raise table.error(f"nothing is called {shown(key)}; there are {kinds}.{nearest(key, [*known, *COUNTS])}", key)
    value = table.data[key]
    if key in COUNTS:
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise table.error(f"{key} is the number that there may be at most, a whole number from 0 on, got {shown(value)}", key)
        return Line(key, 0.0, float(value))
    ends: Any = (None, None)
    if isinstance(value, list) and len(value) == 2:
        ends = value
    elif isinstance(value, dict) and value and set(value) <= {"min", "max"}:
        ends = (value.get("min"), value.get("max"))
    wrong = ends == (None, None) or any(isinstance(end, bool) or not isinstance(end, int | float | None) for end in ends)
    low, high = (-math.inf if ends[0] is None else ends[0], math.inf if ends[1] is None else ends[1])
    if wrong or not low < high:
        raise table.error(f"{key} is a range such as [0.48, 0.52], {{ min = 6 }} or {{ max = 9 }}, got {shown(value)}", key)
    if known[key].share and (low > 1 or high < 0):
        raise table.error(f"{key} lies between 0 and 1, got {shown(value)}", key)
    return Line(key, float(low), float(high))
