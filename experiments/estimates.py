"""Estimates: a number, its interval, how many observations it rests on, and how it was computed.

Everything here takes sums and counts, never raw observations, so that a run of any size can be
estimated from a few numbers. The independent thing (a game, or a pair of games that share their
cards) is called a *cluster*. Intervals are two-sided at `level` unless the method says otherwise.

A quantity that was not measured is ``None`` and never an `Estimate` of 0; one that was looked for and
never seen is an `Estimate` of 0 whose upper end says how rare it must be (`never`).
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import accumulate
from types import ModuleType
from typing import Any

LEVEL = 0.95
SMALL = 10
"""Counts below this get an exact interval instead of an approximate one."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """One estimated number.

    Attributes:
        value: The point estimate, in the unit of the quantity.
        low: Lower end of the interval; None where one observation allows no interval.
        high: Upper end of the interval; None as for `low`.
        n: Number of independent observations behind the value (clusters where there are clusters).
        method: How the interval was made: ``wilson``, ``exact``, ``never``, ``always``, ``t``,
            ``cluster``, ``mover``, ``poisson``, ``order``, ``sequence`` (valid at all looks) or ``none``.
        level: Probability with which the method's intervals cover the truth.
    """

    value: float
    low: float | None
    high: float | None
    n: int
    method: str
    level: float = LEVEL

    def to_dict(self) -> dict[str, Any]:
        """The estimate as a plain dictionary, as it stands in ``report.json``."""
        return asdict(self)

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> Estimate:
        """The inverse of `to_dict`."""
        return cls(**fields)


@dataclass(frozen=True, slots=True)
class Sums:
    """Sums over clusters of a numerator x and a denominator y: all that `ratio` needs.

    Attributes:
        n: Number of clusters, those with x = 0 included.
        x: Sum of x.
        y: Sum of y.
        xx: Sum of x².
        xy: Sum of x·y.
        yy: Sum of y².
    """

    n: int
    x: float
    y: float
    xx: float
    xy: float
    yy: float


def never(n: int, level: float = LEVEL) -> Estimate:
    """Something that happened in none of `n` independent trials.

    The upper end is the largest probability p for which n misses still have the chance 1 - level:
    (1 - p)ⁿ = 1 - level, so p = 1 - (1 - level)^(1/n), about 3/n at 95 % (the rule of three).
    The interval is one-sided.

    Raises:
        ValueError: If `n` is below 1.
    """
    if n < 1:
        raise ValueError("a bound needs at least one trial")
    return Estimate(0.0, 0.0, -math.expm1(math.log1p(-level) / n), n, "never", level)


def proportion(count: int, n: int, level: float = LEVEL) -> Estimate:
    """Share of `n` independent trials in which something happened.

    Wilson's score interval (Brown, Cai, DasGupta 2001); Clopper and Pearson's exact one where fewer than
    `SMALL` trials went one way; the one-sided bound of `never` where none did, and its mirror image
    (``always``) where all did.

    Raises:
        ValueError: Unless 0 <= count <= n and n >= 1.
    """
    if n < 1 or not 0 <= count <= n:
        raise ValueError(f"{count} of {n} is no proportion")
    if count == 0:
        return never(n, level)
    if count == n:
        bound = never(n, level).high
        assert bound is not None
        return Estimate(1.0, 1.0 - bound, 1.0, n, "always", level)
    small = min(count, n - count) < SMALL
    low, high = _exact(count, n, level) if small else _wilson(count, n, level)
    return Estimate(count / n, low, high, n, "exact" if small else "wilson", level)


def _wilson(count: int, n: int, level: float) -> tuple[float, float]:
    """Wilson's score interval (1927): the p with |count/n - p| ≤ z·√(p(1 - p)/n)."""
    z = z_quantile(level)
    middle = (count + z * z / 2) / (n + z * z)
    half = z * math.sqrt(count * (n - count) / n + z * z / 4) / (n + z * z)
    return middle - half, middle + half


def _exact(count: int, n: int, level: float) -> tuple[float, float]:
    """Clopper and Pearson's interval (1934) of 0 < count < n, by quantiles of the beta distribution."""
    from scipy.special import betaincinv

    tail = (1.0 - level) / 2
    return float(betaincinv(count, n - count + 1, tail)), float(betaincinv(count + 1, n - count, 1 - tail))


def simultaneous(counts: Sequence[int], n: int, level: float = LEVEL) -> list[Estimate]:
    """Shares of several categories whose intervals *all* hold at once with at least `level`.

    Bonferroni: each of the k intervals of `proportion` is made at 1 - (1 - level)/k. The estimates
    carry the joint level.

    Raises:
        ValueError: As `proportion`.
    """
    single = 1.0 - (1.0 - level) / max(1, len(counts))
    return [Estimate(each.value, each.low, each.high, each.n, each.method, level) for each in (proportion(count, n, single) for count in counts)]


def mean(total: float, squares: float, n: int, level: float = LEVEL) -> Estimate:
    """Mean of `n` independent observations from their sum and sum of squares.

    Student's interval: mean ± t(n - 1)·s/√n, s² = (Σx² - (Σx)²/n)/(n - 1). One observation has no
    interval (``none``).

    Raises:
        ValueError: If `n` is below 1.
    """
    if n < 1:
        raise ValueError("a mean needs at least one observation")
    value = total / n
    if n == 1:
        return Estimate(value, None, None, n, "none", level)
    variance = max(0.0, (n * squares - total * total) / (n * (n - 1)))
    half = t_quantile(n, level) * math.sqrt(variance / n)
    return Estimate(value, value - half, value + half, n, "t", level)


def win_share(total: float, squares: float, n: int, level: float = LEVEL) -> Estimate:
    """Mean share of the win in `n` games: 1 for a win, 0 for a loss, 1/k where k share it.

    As `proportion` where no win was shared, else as `mean`, cut off at 0 and 1.

    Args:
        total: Sum of the shares.
        squares: Sum of the squared shares; equal to `total` exactly if no win was shared.
        n: Number of games.
        level: Level of the interval.
    """
    if total == squares and float(total).is_integer():
        return proportion(int(total), n, level)
    plain = mean(total, squares, n, level)
    if plain.low is None or plain.high is None:
        return plain
    if plain.low == plain.high:
        # All games alike (each of them shared): no spread to estimate from, so the widest variance that
        # values between 0 and 1 with this mean can have, p(1 - p), which is what Wilson's interval uses.
        low, high = _wilson(round(total), n, level)
        return Estimate(plain.value, low, high, n, "wilson", level)
    return within(plain, 0.0, 1.0)


def ratio(sums: Sums, level: float = LEVEL) -> Estimate:
    """Ratio R = Σx/Σy of two sums over independent clusters (a rate per deal, a share of all points).

    Cluster delta method (linearisation; Cochran, Sampling Techniques, 3rd ed., section 6.3; the
    cluster-robust variance of a ratio of means): SE = √(n/(n - 1) · Σ(x - R·y)²) / Σy, interval R ± t(n -
    1)·SE, with Σ(x - R·y)² = Σx² - 2R·Σxy + R²·Σy². A caller who knows that R cannot leave a range cuts the
    ends off with `within`.

    Raises:
        ValueError: If Σy is not positive or there is no cluster.
    """
    if sums.n < 1 or not sums.y > 0:
        raise ValueError("a ratio needs a positive denominator")
    value = sums.x / sums.y
    if sums.n == 1:
        return Estimate(value, None, None, 1, "none", level)
    # Multiplied by (Σy)² the sum of squares is exact where the sums are integers: nothing is lost
    # when nearly all of it cancels.
    squares = sums.xx * sums.y * sums.y - 2 * sums.x * sums.y * sums.xy + sums.x * sums.x * sums.yy
    error = math.sqrt(max(0.0, float(squares)) * sums.n / (sums.n - 1)) / (float(sums.y) * float(sums.y))
    half = t_quantile(sums.n, level) * error
    return Estimate(value, value - half, value + half, sums.n, "cluster", level)


def rate(sums: Sums, level: float = LEVEL) -> Estimate:
    """Events per unit: `ratio` where x counts events (whole numbers from 0) and y is the exposure.

    With fewer than 3·`SMALL` events the linearisation is poor, and rare events hardly ever meet in one
    cluster: Garwood's exact Poisson interval (1936) for x, divided by y. No event at all: `never` for y
        trials.
    """
    events = int(sums.x)
    if events == 0:
        return never(int(sums.y), level)
    if events < 3 * SMALL:
        from scipy.special import gammainccinv, gammaincinv

        tail = (1.0 - level) / 2
        low = float(gammaincinv(events, tail)) / sums.y
        high = float(gammainccinv(events + 1, tail)) / sums.y
        return Estimate(events / sums.y, low, high, int(sums.y), "poisson", level)
    return within(ratio(sums, level), 0.0, math.inf)


def within(estimate: Estimate, least: float, most: float) -> Estimate:
    """The same estimate, its interval cut off where the quantity cannot lie: a share stays within 0 and 1."""
    if estimate.low is None or estimate.high is None:
        return estimate
    return replace(estimate, low=max(least, estimate.low), high=min(most, estimate.high))


def times(estimate: Estimate, factor: float) -> Estimate:
    """The estimate of `factor` times the quantity; a factor below 0 turns the interval round."""
    ends = (estimate.low, estimate.high) if factor >= 0 else (estimate.high, estimate.low)
    low, high = (None if end is None else end * factor for end in ends)
    return replace(estimate, value=estimate.value * factor, low=low, high=high)


def averaged(parts: Sequence[Estimate]) -> Estimate:
    """Plain mean of estimates from separate observations, each part counting the same.

    The interval recovers the parts' variances from their own intervals (MOVER; Zou and Donner 2008), so that
    lopsided parts keep their shape: low = mean - √Σ(value - low)²/k, high = mean + √Σ(high - value)²/k, for k
    parts. Where a part has no interval the mean has none.

    Raises:
        ValueError: If there are no parts.
    """
    if not parts:
        raise ValueError("a mean needs at least one part")
    size = len(parts)
    value = math.fsum(part.value for part in parts) / size
    n = sum(part.n for part in parts)
    level = parts[0].level
    below, above = [], []
    for part in parts:
        if part.low is None or part.high is None:
            return Estimate(value, None, None, n, "none", level)
        below.append(part.value - part.low)
        above.append(part.high - part.value)
    return Estimate(value, value - math.hypot(*below) / size, value + math.hypot(*above) / size, n, "mover", level)


def apart(a: Estimate, b: Estimate) -> Estimate:
    """The difference b - a of two estimates from separate observations.

    low = d - √((b - b_low)² + (a_high - a)²), high = d + √((b_high - b)² + (a - a_low)²) (MOVER; Zou and Donner 2008); of two proportions with Wilson's
    intervals that is Newcombe's hybrid score interval (1998, method 10). Where one has no interval the difference has none.
    """
    value, n = b.value - a.value, a.n + b.n
    if a.low is None or a.high is None or b.low is None or b.high is None:
        return Estimate(value, None, None, n, "none", a.level)
    low = value - math.hypot(b.value - b.low, a.high - a.value)
    high = value + math.hypot(b.high - b.value, a.value - a.low)
    return Estimate(value, low, high, n, "mover", a.level)


def quantile(
    values: Sequence[int],
    counts: Sequence[int],
    q: float,
    *,
    spread: float | None = None,
    level: float = LEVEL,
) -> Estimate:
    """Quantile of whole-number observations given as a table of values and how often each occurred.

    The value is the smallest one with at least a share q at or below it. The interval is
    Woodruff's (1952): the interval of that share, q ± z·spread, read back through the distribution; without
    `spread` the observations are independent and the shares are the order statistics' binomial ones.

    Args:
        values: Distinct values, ascending.
        counts: How often each occurred, same length.
        q: Which quantile, 0 < q < 1.
        spread: Standard error of the share of observations at or below the value, where the
            observations come in clusters.
        level: Level of the interval.

    Raises:
        ValueError: If there are no observations.
    """
    below = list(accumulate(counts))
    n = below[-1] if below else 0
    if n < 1:
        raise ValueError("a quantile needs at least one observation")

    def at(rank: float) -> int:
        return values[min(bisect_left(below, min(max(rank, 1.0), n)), len(values) - 1)]

    tail = (1.0 - level) / 2
    if spread is None:
        low, high = float(scipy_stats().binom.ppf(tail, n, q)), float(scipy_stats().binom.isf(tail, n, q)) + 1.0
    else:
        half = z_quantile(level) * spread
        low, high = n * (q - half), n * (q + half)
    return Estimate(float(at(math.ceil(n * q))), float(at(low)), float(at(high)), n, "order", level)


def standard_error(estimate: Estimate) -> float | None:
    """Standard error that the interval's half width implies, or None where there is no interval.

    For a one-sided bound (``never``, ``always``) this is only a scale for rounding.
    """
    if estimate.low is None or estimate.high is None:
        return None
    return (estimate.high - estimate.low) / 2 / z_quantile(estimate.level)


def decimals(estimate: Estimate, scale: float = 1.0) -> int | None:
    """Decimal places with which to print an estimate times `scale`: as many as its standard error allows.

    The last digit shown is the leading digit of the standard error, or the one after it where the standard
    error begins with a 1. A lopsided interval has two of them; the smaller one counts. None where the
    interval has no width.
    """
    if estimate.low is None or estimate.high is None:
        return None
    sides = [side for side in (estimate.value - estimate.low, estimate.high - estimate.value) if side > 0]
    if not sides:
        return None
    error = min(sides) * scale / z_quantile(estimate.level)
    exponent = math.floor(math.log10(error))
    return max(0, -exponent + (1 if error < 2.0 * 10.0**exponent else 0))


def doubt(estimate: Estimate, reference: float) -> float | None:
    """Two-sided probability of a value at least this far from `reference` if that were the truth.

    Normal approximation from the interval's half width; None where there is no interval.
    """
    error = standard_error(estimate)
    if error is None:
        return None
    if error == 0:
        return 1.0 if estimate.value == reference else 0.0
    return float(2 * scipy_stats().norm.sf(abs(estimate.value - reference) / error))


def scipy_stats() -> ModuleType:
    """scipy.stats, which takes most of a second to import: not before it is needed."""
    from scipy import stats

    return stats  # type: ignore[no-any-return]


def t_quantile(n: int, level: float) -> float:
    """Half the width of Student's interval for n observations, in standard errors."""
    from scipy.special import stdtrit

    return float(-stdtrit(n - 1, (1.0 - level) / 2))


def z_quantile(level: float) -> float:
    """Half the width of a normal interval, in standard errors."""
    from scipy.special import ndtri

    return float(-ndtri((1.0 - level) / 2))


def t_tail(t: float, n: int) -> float:
    """Probability that Student's t of n observations is above `t`."""
    from scipy.special import stdtr

    return float(stdtr(n - 1, -t))
