"""What moves the result? The change of every measure for each point of each price, and for each unit of each numeric option.

A price a step lower and a step higher play the same games on the same cards: central differences with the intervals of pairs. Where one of the two is not
allowed, the present value stands in its place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from experiments.blocks import summed
from experiments.claims import holm
from experiments.compare import pair_of
from experiments.estimates import LEVEL, times
from experiments.measures import Integers, Measure, Measures, products
from experiments.pairs import Pair, difference, doubt_of_difference
from experiments.progress import Report
from simcore.errors import InputError, nearest
from simcore.game import checker
from simcore.simulate import Table

if TYPE_CHECKING:
    from simcore.ruleset import Ruleset

COARSE: Final = 20
"""Options that are larger than this move by a twentieth of themselves, not by 1, so that there is something to see."""


@dataclass(frozen=True)
class Knob:
    """A value that can be turned: a price or a numeric option, with the two rulesets to either side and how far apart they are."""

    key: str
    kind: str
    value: int
    low: Ruleset
    high: Ruleset
    apart: int


def sensitivity(
    ruleset: Ruleset,
    lineup: Sequence[str] = ("random",),
    games: int = 2_000,
    *,
    step: int = 1,
    players: int | None = None,
    seed: int = 1,
    measures: Sequence[str] = (),
    keys: Sequence[str] = (),
    by: str | None = None,
    level: float = LEVEL,
    threads: int | None = None,
    progress: Report | None = None,
) -> dict[str, Any]:
    """How much each price and each numeric option moves each measure.

    Args:
        ruleset: The rules.
        lineup: Who plays: one strategy for all seats, or one a seat. Only strategies that read the table adapt to it.
        games: Games by each of the two values of each price.
        step: How far prices are moved to either side.
        players: Number of seats; without it one a strategy, or the fewest that the game allows.
        seed: Seed of all games.
        measures: Keys of measures, ``*`` standing for anything; all where none is given.
        keys: Prices and options to move; all where none is given.
        by: The measure to order them by; without it the first that a price surely moves (games may have a fixed length), else the first.
        level: Level of the intervals; 1 - level is also the chance that any change that is called one is none (Holm, over everything).
        threads: Threads; without it one a core.
        progress: Called now and then.

    Returns:
        ``ruleset``, ``strategies``, ``games``, ``players``, ``seed``, ``level``, ``by`` and ``knobs``: one entry a price or option with ``key``, ``kind``
        (``points`` or ``option``), ``value``, ``from``, ``to`` (the values that were played; one of them is ``value`` where it can move to one side only),
        ``times`` (how often what a price is paid for came up in the games of both; None for an option) and ``measures``: each ``measure``, ``kind``,
        ``subject``, ``share``, ``value`` (of the measure, between the two), ``per_point`` (an estimate: its change for one point of a price, for 1 of an
        option, however far they were moved), ``elasticity`` (per cent of change for one per cent of the price or option; None where that or the measure may
        be 0) with ``elasticity_interval``, ``doubt`` (after correction) and ``sure``.

    Raises:
        InputError: Something does not exist or is out of range.
        StrategyError: A strategy does not compile, or made a move that the rules forbid.
    """
    if games < 2:
        raise InputError(f"a difference needs at least 2 games, got {games}")
    if step < 1:
        raise InputError(f"the step is a whole number from 1 on, got {step}")
    known = [*ruleset.points, *(key for key, option in ruleset.schema.options.items() if option.type == "int")]
    for key in keys:
        if key not in known:
            raise InputError(f"'{key}' is no price and no numeric option. {ruleset.schema.unknown(key) if key not in ruleset.options else ''}".rstrip())
    knobs = [knob for knob in knobs_of(ruleset, step) if not keys or knob.key in keys]
    still = [key for key in keys if key not in {knob.key for knob in knobs}]
    if still or not knobs:
        raise InputError(f"{', '.join(still) or 'no price and no option'}: neither a step lower nor a step higher is allowed; a price moves by {step}")
    table = Table(ruleset, lineup, players, seed)
    book = Measures(table)
    chosen = book.chosen(measures)
    names = [each.key for each in chosen]
    if by is not None and by not in names:
        raise InputError(f"what is ordered by must be a measure that is asked for, got '{by}'.{nearest(by, names)}")
    over, under = [each.x for each in chosen], [each.y for each in chosen]
    events = [each.x if each.events is None else each.events for each in chosen]
    counts = {each.subject: each.x for each in book.measures if each.kind == "item_count"}

    def reduce(arms: list[Integers]) -> tuple[Integers, Integers, Integers]:
        met = sum((arm.sum(axis=0) for arm in arms), np.zeros(book.width, np.int64))
        return *products([arm[:, columns] for arm in arms for columns in (over, under, events)]), met

    found: list[dict[str, Any]] = []
    doubts: list[float | None] = []
    for knob in knobs:
        tables = [Table(rules, lineup, table.players, seed) for rules in (knob.low, knob.high)]
        (total, product, met), _ = summed(tables, range(games), book.vectors, reduce, threads, progress)
        rows = []
        for m, each in enumerate(chosen):
            prices = tuple(float(abs(rules.points.get(each.subject, 0))) for rules in (knob.low, knob.high))
            pair = pair_of(each, games, total[:, m], product[:, :, m], prices)
            rows.append(_row(each, pair, knob, level))
            doubts.append(doubt_of_difference(pair))
        ends = [rules.points[knob.key] if knob.kind == "points" else rules.options[knob.key] for rules in (knob.low, knob.high)]
        came_up = int(met[counts[knob.key]]) if knob.kind == "points" else None
        found.append({"key": knob.key, "kind": knob.kind, "value": knob.value, "from": ends[0], "to": ends[1], "times": came_up, "measures": rows})
    corrected = iter(holm(doubts))
    for entry in found:
        for row in entry["measures"]:
            row["doubt"] = next(corrected)
            row["sure"] = row["doubt"] is not None and row["doubt"] < 1 - level
    return {
        "ruleset": ruleset.canonical,
        "strategies": list(table.canonical_strategies),
        "games": games,
        "players": table.players,
        "seed": seed,
        "level": level,
        "by": by or _first_moved(found, names),
        "knobs": found,
    }


def _first_moved(knobs: Sequence[Mapping[str, Any]], names: Sequence[str]) -> str:
    """The first measure that a price surely moves, by per cents; the first where none does."""
    moved = {row["measure"] for knob in knobs if knob["kind"] == "points" for row in knob["measures"] if row["sure"] and row["elasticity"]}
    return next((name for name in names if name in moved), names[0])


def _row(measure: Measure, pair: Pair, knob: Knob, level: float) -> dict[str, Any]:
    """What one measure does when a knob is turned, but for what the correction for all of them says."""
    middle = (pair.a + pair.b) / 2
    change = times(difference(pair, level), 1 / knob.apart)
    elasticity = None if not knob.value or _may_be_nothing(pair, level) else times(change, knob.value / middle)
    return {
        "measure": measure.key,
        "kind": measure.kind,
        "subject": measure.subject,
        "share": measure.share,
        "value": middle,
        "per_point": change.to_dict(),
        "elasticity": None if elasticity is None else elasticity.value,
        "elasticity_interval": None if elasticity is None else [elasticity.low, elasticity.high],
    }


def _may_be_nothing(pair: Pair, level: float) -> bool:
    """Whether a measure may be 0 in one of the arms: a share of it says nothing then."""
    arms = (pair.arm(0, level), pair.arm(1, level))
    return any(arm.low is None or arm.high is None or arm.low <= 0 <= arm.high for arm in arms)


def knobs_of(ruleset: Ruleset, step: int = 1) -> Iterator[Knob]:
    """Every price and numeric option that has an allowed value beside its own, prices first."""
    for key, price in ruleset.points.items():
        yield from _knob(ruleset, key, "points", price, step)
    for key, option in ruleset.schema.options.items():
        if option.type == "int":
            value = int(str(ruleset.options[key]))
            yield from _knob(ruleset, key, "option", value, max(1, value // COARSE) if value > COARSE else 1)


def _knob(ruleset: Ruleset, key: str, kind: str, value: int, step: int) -> Iterator[Knob]:
    low, high = (_moved(ruleset, key, kind, value + side * step) for side in (-1, 1))
    apart = step * ((low is not None) + (high is not None))
    if apart:
        yield Knob(key, kind, value, low or ruleset, high or ruleset, apart)


def _moved(ruleset: Ruleset, key: str, kind: str, value: int) -> Ruleset | None:
    """The ruleset with one value changed; None where that is not allowed."""
    try:
        return ruleset.with_settings([f"{'points' if kind == 'points' else 'options'}.{key}={value}"], checker(ruleset.schema.key))
    except InputError:
        return None
