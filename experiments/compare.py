"""Is B better than A, worse, or the same? One verdict for every measure, over a panel of strategies.

Game i of A and game i of B share their cards, and so do all line-ups of the panel: the block of all games with one number is the unit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from experiments.blocks import summed
from experiments.claims import exploratory, holm
from experiments.estimates import LEVEL
from experiments.looking import FIRST_LOOK, excess, looked, next_look
from experiments.measures import Integers, Measure, Measures, products
from experiments.pairs import Pair, difference, doubt_of_difference, doubt_of_equivalence, pairs_needed, spread_of
from experiments.progress import Report
from simcore.errors import InputError
from simcore.simulate import Table

if TYPE_CHECKING:
    from simcore.ruleset import Ruleset

POWER: Final = 0.8
"""Probability of a verdict that `games_needed` aims at."""


@dataclass(frozen=True)
class Margin:
    """How far apart two values may be and still count as the same.

    Attributes:
        size: A share if `relative`, else in the unit of the measure.
        relative: For measures that are shares themselves: percentage points; for all others: of A's value.
    """

    size: float
    relative: bool

    def of(self, measure: Measure) -> tuple[float, bool]:
        """The margin of a measure, and whether it goes with A's value."""
        return self.size, self.relative and not measure.share

    def limit(self, measure: Measure, a: float) -> float:
        """The margin in the unit of the measure, whose value by A is ``a``."""
        size, relative = self.of(measure)
        return size * abs(a) if relative else size


def compare(
    a: Ruleset,
    b: Ruleset,
    panel: Sequence[Sequence[str]] = (("random",),),
    games: int = 20_000,
    *,
    b_panel: Sequence[Sequence[str]] | None = None,
    players: int | None = None,
    seed: int = 1,
    margin: Margin | None = None,
    measures: Sequence[str] = (),
    precision: Margin | None = None,
    level: float = LEVEL,
    threads: int | None = None,
    progress: Report | None = None,
) -> dict[str, Any]:
    """Plays the same games by two rulesets and compares them measure by measure.

    Args:
        a: The first ruleset.
        b: The second one, of the same game; it is told against the first.
        panel: Line-ups, each with one strategy for all seats or one a seat; every one plays both rulesets.
        games: Games of each line-up by each ruleset: games 0 to ``games - 1``; with a precision, at most so many.
        b_panel: Line-ups that play by B where they are not those that play by A; as many.
        players: Number of seats; without it one a strategy, or the fewest that the game allows.
        seed: Seed of all games.
        margin: What still counts as the same; without it nothing is ever called the same.
        measures: Keys of measures, ``*`` standing for anything; all where none is given.
        precision: Half the width that the intervals of all these measures are to have: games are played until they have it, with intervals and
            verdicts that allow for looking (`experiments.looking`). Needs measures.
        level: Level of the intervals; 1 - level is also the chance that any of the verdicts of one family is wrong (Holm).
        threads: Threads; without it one a core.
        progress: Called now and then.

    Returns:
        ``a``, ``b`` (canonical), ``b_strategies``, ``games``, ``looks`` (numbers of games at which the precision was looked at; None without one),
        ``changed`` (number of games in which any count, score or length is not the same, for any line-up),
        ``players``, ``seed``, ``level``, ``seconds``, ``measures`` (over the whole panel),
        ``panel`` (one entry a line-up: ``strategies``, ``measures``) and ``flips`` (measures on which line-ups contradict each other). A measure has
        ``measure``, ``kind``, ``subject``, ``share``, ``a``, ``b``, ``difference``, ``interval``, ``method``, ``verdict`` (``lower``, ``higher``, ``same``,
        ``undecided``; b against a), ``games_needed``, ``seconds_needed``, ``doubt``, ``doubt_same`` (both after Holm's correction), ``doubt_exploratory``
        (after Benjamini and Hochberg's, for hints to look into), ``margin``,
        ``spread`` (standard deviation of a pair's difference) and ``narrower`` (width of the interval over what it would be without pairs).

    Raises:
        InputError: The rulesets are of different games, or something does not exist or is out of range.
        StrategyError: A strategy does not compile, or made a move that the rules forbid.
    """
    if a.schema.key != b.schema.key:
        raise InputError(f"only rulesets of one game can be compared, got {a.schema.key} and {b.schema.key}")
    if games < 2:
        raise InputError(f"a comparison needs at least 2 games, got {games}")
    if precision is not None and not measures:
        raise InputError("a precision needs the measures that are to be so precise: name them with --measure")
    if b_panel is not None and len(b_panel) != len(panel):
        raise InputError(f"as many line-ups for B as for A, got {len(b_panel)} and {len(panel)}")
    tables = [
        Table(ruleset, strategies, players, seed)
        for pair in zip(panel, b_panel or panel, strict=True)
        for ruleset, strategies in zip((a, b), pair, strict=True)
    ]
    if len({table.players for table in tables}) > 1:
        raise InputError("all line-ups must have the same number of players: say how many with --players")
    book = Measures(tables[0])
    chosen = book.chosen(measures)
    over, under = [each.x for each in chosen], [each.y for each in chosen]
    events = [each.x if each.events is None else each.events for each in chosen]

    def reduce(vectors: list[Integers]) -> list[Integers]:
        quarters = [[vector[:, columns] for vector in pair for columns in (over, under, events)] for pair in zip(vectors[::2], vectors[1::2], strict=True)]
        if len(quarters) > 1:
            quarters.append([np.sum([each[place] for each in quarters], axis=0) for place in range(6)])
        changed = np.any([(one != other).any(axis=1) for one, other in zip(vectors[::2], vectors[1::2], strict=True)], axis=0)
        return [np.array(changed.sum()), *(whole for each in quarters for whole in products(each))]

    prices = [tuple(float(abs(ruleset.points.get(each.subject, 0))) for ruleset in (a, b)) for each in chosen]
    sums: list[Any] = []
    played, time, looks = 0, 0.0, []
    target = games if precision is None else min(FIRST_LOOK, games)
    while True:
        more, seconds = summed(tables, range(played, target), book.vectors, reduce, threads, progress)
        sums = [one + other for one, other in zip(sums, more, strict=True)] if sums else more
        time += seconds * (target - played)
        played = target
        rows = [
            rows_of(
                chosen,
                [pair_of(each, played, total[:, m], product[:, :, m], prices[m]) for m, each in enumerate(chosen)],
                margin,
                level,
                time / played,
            )
            for total, product in zip(sums[1::2], sums[2::2], strict=True)
        ]
        if precision is None:
            break
        looks.append(played)
        limits = [precision.limit(each, row["a"]) for each, row in zip(chosen, rows[-1], strict=True)]
        ratio = excess(rows[-1], limits, played, level)
        if ratio <= 1 or played >= games:
            rows = [looked(each, played, level) for each in rows]
            break
        target = next_look(played, ratio, games)
    lineups = [list(table.canonical_strategies) for table in tables]
    return {
        "a": a.canonical,
        "b": b.canonical,
        "b_strategies": None if b_panel is None else lineups[1::2],
        "games": played,
        "looks": looks or None,
        "changed": int(sums[0]),
        "players": tables[0].players,
        "seed": seed,
        "level": level,
        "seconds": time,
        "measures": rows[-1],
        "panel": [{"strategies": lineup, "measures": each} for lineup, each in zip(lineups[::2], rows, strict=False)],
        "flips": _flips(chosen, rows[: len(panel)]),
    }


def pair_of(measure: Measure, games: int, total: Integers, product: Integers, prices: tuple[float, ...]) -> Pair:
    """A measure's pair from the sums of x, y and events of a, then those of b: int64[6] and int64[6, 6]."""
    own, counted = np.array([0, 1, 3, 4]), np.array([2, 1, 5, 4])
    events = None
    if measure.events is not None:
        events = Pair.of(games, total[counted], product[np.ix_(counted, counted)], counts=True)
    return Pair.of(games, total[own], product[np.ix_(own, own)], unit=measure.unit, counts=measure.counts, events=events, prices=(prices[0], prices[1]))


def rows_of(measures: Sequence[Measure], pairs: Sequence[Pair], margin: Margin | None, level: float, seconds: float) -> list[dict[str, Any]]:
    """The measures of one line-up, or of all together."""
    doubts = [doubt_of_difference(pair) for pair in pairs]
    differ, hints = holm(doubts), exploratory(doubts)
    same: list[float | None] = [None] * len(pairs)
    if margin is not None:
        same = holm([doubt_of_equivalence(pair, *margin.of(each)) for each, pair in zip(measures, pairs, strict=True)])
    family = max(1, sum(doubt is not None for doubt in differ))
    rows = []
    for each, pair, unlike, alike, hint in zip(measures, pairs, differ, same, hints, strict=True):
        found = difference(pair, level)
        limit = None if margin is None else margin.limit(each, pair.a)
        verdict = _verdict(found.value, unlike, alike, 1 - level)
        needed = pairs_needed(pair, (1 - level) / family, POWER, limit)
        rows.append(
            {
                "measure": each.key,
                "kind": each.kind,
                "subject": each.subject,
                "share": each.share,
                "a": pair.a,
                "b": pair.b,
                "difference": found.value,
                "interval": [found.low, found.high],
                "method": found.method,
                "verdict": verdict,
                "games_needed": needed,
                "seconds_needed": None if needed is None else needed * seconds,
                "doubt": unlike,
                "doubt_same": alike,
                "doubt_exploratory": hint,
                "margin": limit,
                "spread": spread_of(pair),
                "narrower": None if pair.rare else pair.narrower(),
            }
        )
    return rows


def _verdict(value: float, unlike: float | None, alike: float | None, alpha: float) -> str:
    if alike is not None and alike < alpha:
        return "same"
    if unlike is not None and unlike < alpha:
        return "higher" if value > 0 else "lower"
    return "undecided"


def _flips(measures: Sequence[Measure], panel: Sequence[Sequence[dict[str, Any]]]) -> list[dict[str, Any]]:
    """Measures on which two line-ups have verdicts, and not the same one."""
    found = []
    for place, each in enumerate(measures):
        verdicts = [rows[place]["verdict"] for rows in panel]
        if len(set(verdicts) - {"undecided"}) > 1:
            found.append({"measure": each.key, "verdicts": verdicts})
    return found
