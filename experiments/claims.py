"""Corrections for many claims at once, and tests of proportions: statsmodels and scipy behind names of this project."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from experiments import estimates
from experiments.estimates import LEVEL, Estimate


def holm(doubts: Sequence[float | None]) -> list[float | None]:
    """Doubts after Holm's correction (1979): if those below α are called findings, the chance of any false one is at most α.

    The k-th smallest of m is multiplied by m - k + 1, and none may be smaller than one before it. What could not be tested (None) is no part of the
    family and stays None.
    """
    tested = sorted((doubt, place) for place, doubt in enumerate(doubts) if doubt is not None)
    corrected: list[float | None] = [None] * len(doubts)
    least = 0.0
    for rank, (doubt, place) in enumerate(tested):
        least = max(least, min(1.0, doubt * (len(tested) - rank)))
        corrected[place] = least
    return corrected


def exploratory(doubts: Sequence[float | None]) -> list[float | None]:
    """Doubts after Benjamini and Hochberg's correction (1995): of those below α a share of at most α is expected to be false."""
    tested = [doubt for doubt in doubts if doubt is not None]
    corrected = iter(estimates.scipy_stats().false_discovery_control(tested).tolist() if tested else [])
    return [None if doubt is None else float(next(corrected)) for doubt in doubts]


def two_proportions(a: tuple[int, int], b: tuple[int, int], level: float = LEVEL) -> Estimate:
    """Difference of two independent proportions, b less a, with Newcombe's hybrid score interval (1998, method 10).

    Args:
        a: Successes and trials of the first.
        b: The same of the second.
        level: Level of the interval.

    Raises:
        ValueError: Unless 0 <= successes <= trials and trials >= 1.
    """
    from statsmodels.stats.proportion import confint_proportions_2indep

    for count, n in (a, b):
        if n < 1 or not 0 <= count <= n:
            raise ValueError(f"{count} of {n} is no proportion")
    low, high = confint_proportions_2indep(b[0], b[1], a[0], a[1], method="newcomb", compare="diff", alpha=1 - level)
    return Estimate(b[0] / b[1] - a[0] / a[1], float(low), float(high), a[1] + b[1], "newcombe", level)


def mcnemar(only_a: int, only_b: int) -> float:
    """Doubt that two paired proportions differ, from the pairs in which just one of the two happened: McNemar's exact test (a sign test)."""
    if only_a + only_b == 0:
        return 1.0
    return float(estimates.scipy_stats().binomtest(only_a, only_a + only_b).pvalue)


def bootstrapped(statistic: Callable[..., float], samples: Sequence[Sequence[float]], seed: int = 0, level: float = LEVEL) -> Estimate:
    """Any statistic of clusters with a bias-corrected and accelerated bootstrap interval (Efron 1987, by scipy).

    Args:
        statistic: Takes the samples as separate arrays, aligned by cluster, and returns a number.
        samples: One number a cluster in each; all equally long.
        seed: Seed of the resampling.
        level: Level of the interval.
    """
    import numpy as np

    data = tuple(np.asarray(sample, float) for sample in samples)
    found = estimates.scipy_stats().bootstrap(
        data, statistic, paired=True, vectorized=False, confidence_level=level, rng=np.random.default_rng(seed), method="BCa"
    )
    low, high = found.confidence_interval
    return Estimate(float(statistic(*data)), float(low), float(high), len(data[0]), "bca", level)
