"""Corrections for many claims at once, and the test of paired proportions."""

from __future__ import annotations

from collections.abc import Sequence

from experiments import estimates


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


def mcnemar(only_a: int, only_b: int) -> float:
    """Doubt that two paired proportions differ, from the pairs in which just one of the two happened: McNemar's exact test (a sign test)."""
    if only_a + only_b == 0:
        return 1.0
    return float(estimates.scipy_stats().binomtest(only_a, only_a + only_b).pvalue)
