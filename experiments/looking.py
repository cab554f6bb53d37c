"""Comparisons that go on until they are precise enough: intervals and verdicts that stay valid however often one looks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from experiments.sequences import half_width

FIRST_LOOK: Final = 1_000
"""Games before the first look."""
BEST_AT: Final = 100_000
"""Games at which the sequences are narrowest compared with intervals for one look."""
MOST_GROWTH: Final = 2.0
LEAST_GROWTH: Final = 1.05
"""By how much the games grow, at most and at least, from one look to the next."""


def excess(rows: Sequence[dict[str, Any]], wanted: Sequence[float], games: int, level: float) -> float:
    """The largest ratio of an interval's half width to what is wanted of it; infinite where nothing was met that a share could be taken of.

    Args:
        rows: Measures as `compare.rows_of` tells them.
        wanted: Half widths that are wanted.
        games: Games so far.
        level: Level of each interval, over all looks.
    """
    ratios = [0.0]
    for row, limit in zip(rows, wanted, strict=True):
        width = half_width(games, row["spread"] ** 2, BEST_AT, level)
        ratios.append(width / limit if limit else float("inf") if width else 0.0)
    return max(ratios)


def next_look(games: int, ratio: float, most: int) -> int:
    """Games at which to look again, if the intervals are by so much too wide: as many as would do at this spread, within limits."""
    growth = min(MOST_GROWTH, max(LEAST_GROWTH, ratio * ratio))
    return min(most, int(games * growth) + 1)


def looked(rows: Sequence[dict[str, Any]], games: int, level: float) -> list[dict[str, Any]]:
    """The same measures with intervals and verdicts that allow for all looks.

    Each interval is a confidence sequence at the level. A verdict needs one at 1 - (1 - level)/m for m measures (Bonferroni), so that all verdicts
    together, at all looks, are wrong with a chance of at most 1 - level: beyond 0, or within the margin.
    """
    found = []
    for row in rows:
        variance, value = row["spread"] ** 2, row["difference"]
        width = half_width(games, variance, BEST_AT, level)
        joint = half_width(games, variance, BEST_AT, 1 - (1 - level) / len(rows))
        if row["margin"] is not None and abs(value) + joint <= row["margin"] and row["margin"]:
            verdict = "same"
        elif abs(value) > joint:
            verdict = "higher" if value > 0 else "lower"
        else:
            verdict = "undecided"
        own = {"interval": [value - width, value + width], "method": "sequence", "verdict": verdict}
        found.append(row | own | {"doubt": None, "doubt_same": None, "doubt_exploratory": None})
    return found
