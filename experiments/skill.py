"""How many games until skill shows? So many that the better of two players has most likely won more than half of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from experiments.estimates import scipy_stats

CHANCE: Final = 0.95
"""Probability with which the better one is to have won more than half."""
LIMIT: Final = 1_000_000
"""Numbers of games up to which an answer is looked for."""


def games_to_lead(share: float) -> int | None:
    """Smallest odd n for which P(X > n/2) ≥ `CHANCE`, X being binomial with n games and this chance of winning each; None where `LIMIT` are too few.

    The chance grows with n for every share above a half, and never suffices for others, so that n is found by halving.
    """

    def enough(half: int) -> bool:
        return bool(scipy_stats().binom.sf(half, 2 * half + 1, share) >= CHANCE)

    least, most = -1, (LIMIT - 1) // 2
    if share <= 0.5 or not enough(most):
        return None
    while most - least > 1:
        middle = (least + most) // 2
        least, most = (least, middle) if enough(middle) else (middle, most)
    return 2 * most + 1


def until_skill_shows(found: Mapping[str, Any], meetings: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """How many games tell the better of two strategies from the other: those of the run, or the two that are rated best where all its seats have one.

    Args:
        found: Summary of the run.
        meetings: What `experiments.strength.pay_offs` says.

    Returns:
        ``better`` and ``other`` (strategies), ``win_share`` of the better one with its ``interval``, ``chance``, ``games``, ``fewest`` and ``most`` (by
        the upper and the lower end of the interval; all of them None where it takes more than ``limit``). None where more than two play, where there is
        only one strategy, and where neither is better.
    """
    if found["run"]["players"] != 2:
        return None
    if len(found["strategies"]) == 2:
        names = [entry["name"] for entry in found["strategies"]]
        share = found["strategies"][0]["win_share"]
        value, low, high = share["value"], share["low"], share["high"]
    elif meetings:
        i, j = sorted(range(len(meetings["strategies"])), key=lambda place: -meetings["rating"][place])[:2]
        names = [meetings["strategies"][place] for place in (i, j)]
        value, (low, high) = meetings["win_share"][i][j], meetings["interval"][i][j]
    else:
        return None
    if value == 0.5 or low is None:
        return None
    if value < 0.5:
        names, value, low, high = names[::-1], 1 - value, 1 - high, 1 - low
    return {
        "better": names[0],
        "other": names[1],
        "win_share": value,
        "interval": [low, high],
        "chance": CHANCE,
        "games": games_to_lead(value),
        "fewest": games_to_lead(high),
        "most": games_to_lead(low),
        "limit": LIMIT,
    }
