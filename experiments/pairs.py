"""Two arms that play the same games: the difference of any ratio, with the interval that the shared cards allow.

The pair of games with one number is the unit. For a measure R = Σx/Σy the pairs' (x_a, y_a, x_b, y_b) are summed up with their products, and
everything follows from their means and covariances by linearisation (the delta method, as in `estimates.ratio`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from experiments import estimates
from experiments.claims import mcnemar
from experiments.estimates import LEVEL, Estimate, Sums
from experiments.measures import Integers

RARE = 30
"""With fewer events than this in an arm the linearisation is poor."""
NOTHING = 1e-12
"""A variance below this share of what it is the difference of is rounding."""


@dataclass(frozen=True)
class Pair:
    """What the pairs of games say of one measure.

    Attributes:
        n: Number of pairs.
        total: Sums of x_a, y_a, x_b, y_b.
        product: Sums of their products; object[4, 4], exact whole numbers.
        unit: What 1 is in x.
        counts: Whether x counts events.
        events: Where x sums up the points of events: the pair that counts them.
        prices: Where x sums up points: what an event is worth in a and in b, for an arm that never saw one.
    """

    n: int
    total: tuple[int, int, int, int]
    product: npt.NDArray[np.object_]
    unit: int = 1
    counts: bool = False
    events: Pair | None = None
    prices: tuple[float, float] = (0.0, 0.0)

    @classmethod
    def of(cls, n: int, total: Integers, product: Integers, **more: Any) -> Pair:
        """From int64[4] and int64[4, 4], as `measures.products` sums them up."""
        a, b, c, d = (int(each) for each in total)
        return cls(n, (a, b, c, d), product.astype(object), **more)

    @property
    def a(self) -> float:
        """The measure in the first arm."""
        return self.total[0] / self.total[1] / self.unit

    @property
    def b(self) -> float:
        """The measure in the second arm."""
        return self.total[2] / self.total[3] / self.unit

    @property
    def rare(self) -> bool:
        """Whether it rests on events of which an arm saw too few for a linearised interval."""
        if self.events is not None:
            return self.events.rare
        return self.counts and min(self.total[0], self.total[2]) < RARE

    @property
    def binary(self) -> bool:
        """Whether it is the share of games in which something happens, 0 or 1 in each."""
        yes_or_no = self.product[0, 0] == self.total[0] and self.product[2, 2] == self.total[2]
        return bool(self.unit == 1 and self.counts and self.total[1] == self.total[3] == self.n and yes_or_no)

    def arm(self, place: int, level: float = LEVEL) -> Estimate:
        """The measure in one arm (0 or 1) with its own interval; of rare events, that of their number, each worth no more than any seems to be."""
        x, y = 2 * place, 2 * place + 1
        if self.events is not None and self.rare:
            found = self.events.arm(place, level)
            assert found.low is not None and found.high is not None
            ends = [end * size for end in (found.low, found.high) for size in (self.size(0), self.size(1), self.prices[place])]
            return Estimate(self.total[x] / self.total[y], min(ends), max(ends), found.n, found.method, level)
        p = self.product
        sums = Sums(self.n, self.total[x], self.total[y], p[x, x], p[x, y], p[y, y])
        found = estimates.rate(sums, level) if self.counts else estimates.ratio(sums, level)
        return estimates.times(found, 1 / self.unit)

    def size(self, place: int) -> float:
        """Mean points of an event in one arm; its price where the arm never saw one."""
        if self.events is None or not self.events.total[2 * place]:
            return self.prices[place]
        return self.total[2 * place] / self.events.total[2 * place]

    def error(self, factor: float = 1.0) -> float:
        """Standard error of b - factor·a."""
        variance, _ = self._variances(factor)
        return math.sqrt(variance / self.n)

    def narrower(self) -> float | None:
        """By how much pairing shrank the interval: its width over that of two separate samples; None where nothing varies."""
        paired, separate = self._variances(1.0)
        return math.sqrt(paired / separate) if separate else None

    def _variances(self, factor: float) -> tuple[float, float]:
        """Variance of one pair's share in b - factor·a, and what it would be if the arms were independent."""
        n, t = self.n, self.total
        if n < 2:
            raise ValueError("a spread needs at least two pairs")
        whole = np.array(t, object)
        covariance = ((n * self.product - np.outer(whole, whole)) / (n * (n - 1))).astype(float)
        slope_a = np.array([1.0, -t[0] / t[1]]) * (n / t[1] / self.unit) * -factor
        slope_b = np.array([1.0, -t[2] / t[3]]) * (n / t[3] / self.unit)
        own = float(slope_a @ covariance[:2, :2] @ slope_a + slope_b @ covariance[2:, 2:] @ slope_b)
        both = own + 2 * float(slope_a @ covariance[:2, 2:] @ slope_b)
        scale = abs(own) + 2 * abs(float(slope_a @ covariance[:2, 2:] @ slope_b))
        return (both if both > NOTHING * scale else 0.0), max(own, 0.0)


def difference(pair: Pair, level: float = LEVEL) -> Estimate:
    """The difference b - a with its interval.

    Student's interval of the linearised difference of pairs (``paired``). Of rare events the two arms' exact Poisson intervals are joined
    (``mover``; Zou and Donner 2008) as if the arms were independent: too wide rather than too narrow where they go together.

    Raises:
        ValueError: If there is only one pair.
    """
    value = pair.b - pair.a
    if pair.rare:
        return _joined(pair, level)
    half = estimates.t_quantile(pair.n, level) * pair.error()
    return Estimate(value, value - half, value + half, pair.n, "paired", level)


def _joined(pair: Pair, level: float) -> Estimate:
    return replace(estimates.apart(pair.arm(0, level), pair.arm(1, level)), n=pair.n)


def doubt_of_difference(pair: Pair) -> float | None:
    """Two-sided probability of a difference at least this large if the arms were alike; None where nothing was there to differ.

    Student's test of the linearised difference; of what happens in a game or does not, McNemar's exact test. Of rare events in deals: given their number
    in both arms together, those of b are binomial (Przyborowski and Wilenski 1940), exactly.
    """
    if pair.binary:
        both = int(pair.product[0, 2])
        return mcnemar(pair.total[0] - both, pair.total[2] - both) if pair.total[0] or pair.total[2] else None
    if pair.rare and pair.events is not None:
        if pair.size(0) == pair.size(1):
            return doubt_of_difference(pair.events) if pair.size(0) else None
        return float(2 * estimates.scipy_stats().norm.sf(abs(pair.b - pair.a) / _error_of(pair)))
    if pair.rare:
        events = pair.total[0] + pair.total[2]
        if not events:
            return None
        share = pair.total[3] / (pair.total[1] + pair.total[3])
        return float(estimates.scipy_stats().binomtest(pair.total[2], events, share).pvalue)
    error, value = pair.error(), pair.b - pair.a
    if not error:
        return 1.0 if not value else 0.0
    return 2 * estimates.t_tail(abs(value) / error, pair.n)


def doubt_of_equivalence(pair: Pair, margin: float, relative: bool) -> float:
    """Probability of a difference at least this small if the true one were at the margin: two one-sided tests (Schuirmann 1987).

    Args:
        pair: The measure.
        margin: How much b may differ from a, in the unit of the measure or, if `relative`, as a share of a.
        relative: Whether the margin goes with a, whose own error then counts too.
    """
    worst = 0.0
    for side in (-1.0, 1.0):
        if relative and not pair.rare:
            factor = 1 + side * margin * (1 if pair.a >= 0 else -1)
            distance, error = pair.b - factor * pair.a, pair.error(factor)
        else:
            limit = margin * abs(pair.a) if relative else margin
            distance, error = pair.b - pair.a - side * limit, _error_of(pair)
        if not error:
            worst = max(worst, 0.0 if distance * side < 0 else 1.0)
        else:
            worst = max(worst, estimates.t_tail(-side * distance / error, pair.n))
    return worst


def _error_of(pair: Pair) -> float:
    """Standard error of the difference; of rare events what the wider side of the joined interval implies."""
    if not pair.rare:
        return pair.error()
    joined = _joined(pair, LEVEL)
    assert joined.low is not None and joined.high is not None
    return max(joined.value - joined.low, joined.high - joined.value) / estimates.z_quantile(LEVEL)


def spread_of(pair: Pair) -> float:
    """Standard deviation of what one pair says of the difference."""
    return _error_of(pair) * math.sqrt(pair.n)


def pairs_needed(pair: Pair, alpha: float, power: float, margin: float | None) -> int | None:
    """Pairs after which a verdict is expected with probability `power`, if the difference is what it seems to be.

    N = ((z_{1-α/2} + z_{power})·σ/d)² for a difference d with the spread σ of a pair; for equivalence within a margin m > |d|
    ((z_{1-α} + z_{(1+power)/2})·σ/(m - |d|))², whichever is fewer. None where neither can be had: nothing varies, or nothing differs.

    Args:
        pair: The measure.
        alpha: Chance of error that is left to this measure.
        power: Probability of a verdict.
        margin: Margin of equivalence in the unit of the measure, if there is one.
    """
    z = estimates.z_quantile
    spread = spread_of(pair)
    value = abs(pair.b - pair.a)
    wanted = []
    if value > 0:
        wanted.append((z(1 - alpha) + z(2 * power - 1)) / value)
    if margin is not None and margin > value:
        wanted.append((z(1 - 2 * alpha) + z(power)) / (margin - value))
    if not wanted or (not spread and not value):
        return None
    return max(2, math.ceil((min(wanted) * spread) ** 2))
