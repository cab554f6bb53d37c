"""Intervals that stay valid however often one looks: asymptotic confidence sequences.

A fixed-n interval that is looked at again and again, and obeyed when it is narrow or pleasant, fails far more often than it says. A confidence
sequence holds the truth at *all* times at once with its level.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from experiments.estimates import Estimate, averaged, win_share


def half_width(n: int, variance: float, best_at: float, level: float = 0.95) -> float:
    """Half the width of the confidence sequence of a mean after n independent observations.

    σ̂·√(2(nρ² + 1)/(n²ρ²)·ln(√(nρ² + 1)/α)) with ρ² = (-2 ln α + ln(1 - 2 ln α))/n*: the normal mixture of Robbins (1970) in the asymptotic form of
    Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, "Time-uniform central limit theory and asymptotic confidence sequences" (2024), theorem 2.2 and
    equation for ρ. Valid from the first look on if that is late enough for the variance to be known.

    Args:
        n: Observations so far.
        variance: Their variance σ̂².
        best_at: n*, where the sequence is narrowest compared with an interval for one look; fixed before the first look.
        level: Level of the whole sequence.

    Raises:
        ValueError: n or n* is not above 0.
    """
    if n < 1 or not best_at > 0:
        raise ValueError("a confidence sequence needs observations, and a number of them for which it is best")
    alpha = 1.0 - level
    rho = (-2 * math.log(alpha) + math.log(1 - 2 * math.log(alpha))) / best_at
    spread = n * rho + 1
    return math.sqrt(max(variance, 0.0) * 2 * spread / (n * n * rho) * math.log(math.sqrt(spread) / alpha))


def of_share(total: float, squares: float, n: int, best_at: float, level: float = 0.95) -> Estimate:
    """Mean share of the win in n games (1, 0, or 1/k where k share it) with its confidence sequence, cut off at 0 and 1.

    The sequence is asymptotic: where hardly anything went the other way it would be narrower than an interval for one look, which is then taken in.

    Args:
        total: Sum of the shares.
        squares: Sum of their squares.
        n: Games so far.
        best_at: As for `half_width`.
        level: Level of the whole sequence.
    """
    mean = total / n
    padded = (total + 0.5) / (n + 1)  # so that a share of 0 or 1 is not taken for certain
    width = half_width(n, squares / n - mean * mean or padded * (1 - padded), best_at, level)
    low, high = max(0.0, mean - width), min(1.0, mean + width)
    plain = win_share(total, squares, n, level)
    if plain.low is not None and plain.high is not None:
        low, high = min(low, plain.low), max(high, plain.high)
    return Estimate(mean, low, high, n, "sequence", level)


def of_strata(parts: Sequence[tuple[float, float, int]], best_at: float, level: float = 0.95) -> Estimate:
    """Mean over strata of their mean share of the win, each stratum counting the same, with its confidence sequence, cut off at 0 and 1.

    Such a mean is asymptotically linear in the games, n of them in all, with variance σ̂² = n/k²·Σ σ̂ₛ²/nₛ over its k strata, so that the sequence of
    a mean of n games holds for it. What `of_share` says of shares near 0 and 1 holds here.

    Args:
        parts: For each stratum the sum of the shares, the sum of their squares, and its games, above 0.
        best_at: As for `half_width`, in games of all strata.
        level: Level of the whole sequence.
    """
    n = sum(games for _, _, games in parts)
    width = half_width(n, variance_of_strata(parts), best_at, level)
    plain = averaged([win_share(*part, level) for part in parts])
    low, high = plain.value - width, plain.value + width
    if plain.low is not None and plain.high is not None:
        low, high = min(low, plain.low), max(high, plain.high)
    return Estimate(plain.value, max(0.0, low), min(1.0, high), n, "sequence", level)


def variance_of_strata(parts: Sequence[tuple[float, float, int]]) -> float:
    """σ̂² of `of_strata`: n times the variance of a mean over strata; a stratum in which all shares are alike has that of one half more of a win."""
    k, n, variance = len(parts), sum(games for _, _, games in parts), 0.0
    for total, squares, games in parts:
        mean, padded = total / games, (total + 0.5) / (games + 1)
        variance += (squares / games - mean * mean or padded * (1 - padded)) * n / games / k**2
    return variance


def games_for(precision: float, variance: float, level: float = 0.95) -> int:
    """Observations after which a sequence that is best there is as narrow as ± precision: by bisection, for its width falls with n.

    Raises:
        ValueError: The precision is not above 0.
    """
    if not precision > 0:
        raise ValueError("the precision is above 0")
    low, high = 1, 2
    while half_width(high, variance, high, level) > precision:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        if half_width(middle, variance, middle, level) > precision:
            low = middle
        else:
            high = middle
    return high
