"""Estimates and their intervals: against scipy, against numbers worked out by hand, and for coverage."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import confint_proportions_2indep

from experiments import estimates
from experiments.estimates import Estimate, Sums

RISK = 1e-7


def sums_of(x: np.ndarray, y: np.ndarray) -> Sums:
    return Sums(len(x), int(x.sum()), int(y.sum()), int((x * x).sum()), int((x * y).sum()), int((y * y).sum()))


def ends(estimate: Estimate) -> tuple[float, float]:
    assert estimate.low is not None and estimate.high is not None
    return estimate.low, estimate.high


# ---------------------------------------------------------------- proportions


def test_wilson_is_the_closed_form() -> None:
    # Newcombe (1998), table I: 81 of 263 gives 0.2553 to 0.3662 by the score method.
    estimate = estimates.proportion(81, 263)
    assert estimate.method == "wilson"
    assert ends(estimate) == pytest.approx((0.2553, 0.3662), abs=5e-5)


def test_small_counts_are_exact() -> None:
    # Newcombe (1998), table I: 1 of 29 gives 0.0009 to 0.1776 by Clopper and Pearson.
    estimate = estimates.proportion(1, 29)
    assert estimate.method == "exact"
    assert ends(estimate) == pytest.approx((0.0009, 0.1776), abs=5e-5)
    assert ends(estimate) == pytest.approx((stats.beta.ppf(0.025, 1, 29), stats.beta.ppf(0.975, 2, 28)))


@given(st.integers(1, 10**6), st.integers(1, 10**6), st.sampled_from([0.8, 0.95, 0.999]))
def test_proportions_are_scipys(count: int, rest: int, level: float) -> None:
    estimate = estimates.proportion(count, count + rest, level)
    wanted = stats.binomtest(count, count + rest).proportion_ci(level, method=estimate.method)
    assert ends(estimate) == pytest.approx((wanted.low, wanted.high), rel=1e-6, abs=1e-12)


@pytest.mark.parametrize("events", [1, 7, 29])
def test_rare_events_are_garwoods(events: int) -> None:
    estimate = estimates.rate(Sums(500, events, 4000, events, 8 * events, 32000))
    low, high = stats.chi2.ppf(0.025, 2 * events) / 2, stats.chi2.ppf(0.975, 2 * events + 2) / 2
    assert ends(estimate) == pytest.approx((low / 4000, high / 4000))


@pytest.mark.parametrize("n", [1, 3, 100, 10**6])
def test_nothing_seen_is_a_bound(n: int) -> None:
    estimate = estimates.proportion(0, n)
    assert estimate.method == "never" and estimate.value == 0
    _, high = ends(estimate)
    assert (1 - high) ** n == pytest.approx(0.05)
    mirrored = estimates.proportion(n, n)
    assert mirrored.method == "always" and ends(mirrored) == pytest.approx((1 - high, 1))


def test_the_rule_of_three() -> None:
    assert estimates.never(10**7).high == pytest.approx(2.9957e-7, rel=1e-4)


@pytest.mark.parametrize("count, n", [(-1, 5), (6, 5), (0, 0)])
def test_what_is_no_proportion(count: int, n: int) -> None:
    with pytest.raises(ValueError, match="no proportion"):
        estimates.proportion(count, n)


def test_simultaneous_is_wilson_at_the_divided_level() -> None:
    joint = estimates.simultaneous([60, 30, 10], 100)
    for estimate, count in zip(joint, (60, 30, 10), strict=True):
        single = stats.binomtest(count, 100).proportion_ci(1 - 0.05 / 3, method="wilson")
        assert ends(estimate) == pytest.approx((single.low, single.high))
        assert estimate.level == 0.95


# ---------------------------------------------------------------- means, ratios, rates


def test_mean_is_students_interval() -> None:
    values = np.array([3.0, 4.5, 1.0, 7.25, 2.0])
    estimate = estimates.mean(values.sum(), (values**2).sum(), 5)
    interval = stats.ttest_1samp(values, 0).confidence_interval(0.95)
    assert estimate.value == pytest.approx(values.mean())
    assert ends(estimate) == pytest.approx((interval.low, interval.high))


def test_one_observation_has_no_interval() -> None:
    assert estimates.mean(7, 49, 1) == Estimate(7.0, None, None, 1, "none")
    assert estimates.ratio(Sums(1, 3, 4, 9, 12, 16)) == Estimate(0.75, None, None, 1, "none")
    with pytest.raises(ValueError, match="at least one"):
        estimates.mean(0, 0, 0)


def test_ratio_by_hand() -> None:
    # x = 1 2 3, y = 2 2 4: R = 6/8, residuals -0.5 0.5 0, so SE = √(3/2 · 0.5)/8.
    estimate = estimates.ratio(Sums(3, 6, 8, 14, 18, 24))
    error = math.sqrt(1.5 * 0.5) / 8
    assert estimate.value == 0.75
    assert ends(estimate)[1] == pytest.approx(0.75 + stats.t.ppf(0.975, 2) * error)


def test_ratio_with_equal_denominators_is_a_mean() -> None:
    x = np.array([4, 1, 7, 3, 3])
    ratio = estimates.ratio(sums_of(x, np.full(5, 2)))
    mean = estimates.mean(x.sum() / 2, (x * x).sum() / 4, 5)
    assert ends(ratio) == pytest.approx(ends(mean))


def test_ratio_loses_nothing_to_cancellation() -> None:
    # A numerator that is always three times the denominator has no error, however large the sums.
    y = np.arange(1, 2001) * 1_000_003
    low, high = ends(estimates.ratio(sums_of((3 * y).astype(object), y.astype(object))))
    assert low == high == 3


def test_ratio_needs_a_denominator() -> None:
    with pytest.raises(ValueError, match="denominator"):
        estimates.ratio(Sums(3, 0, 0, 0, 0, 0))


def test_few_events_are_poisson() -> None:
    # Garwood's limits for 5 events: 1.623 and 11.668.
    estimate = estimates.rate(Sums(100, 5, 1000, 5, 50, 10_000))
    assert estimate.method == "poisson"
    assert ends(estimate) == pytest.approx((1.6235e-3, 11.668e-3), rel=1e-4)


def test_no_event_is_a_bound_and_many_are_clustered() -> None:
    assert estimates.rate(Sums(10, 0, 500, 0, 0, 30_000)) == estimates.never(500)
    assert estimates.rate(Sums(100, 400, 1000, 2000, 4100, 10_400)).method == "cluster"


def test_win_shares() -> None:
    assert estimates.win_share(60, 60, 100) == estimates.proportion(60, 100)
    shared = estimates.win_share(60.5, 60.25, 100)
    assert shared.method == "t" and shared.value == 0.605
    all_shared = estimates.win_share(50.0, 25.0, 100)
    low, high = ends(all_shared)
    assert all_shared.value == 0.5 and low < 0.5 < high
    assert estimates.win_share(0.5, 0.25, 1).low is None


def test_average_of_parts() -> None:
    # For symmetric intervals this is the error of a sum: half widths 3 and 4 give 5, halved for two parts.
    parts = [Estimate(10, 7, 13, 20, "t"), Estimate(20, 16, 24, 30, "t")]
    assert estimates.averaged(parts) == Estimate(15, 12.5, 17.5, 50, "mover")
    lopsided = estimates.averaged([estimates.never(100), estimates.proportion(100, 100)])
    assert lopsided.value == 0.5
    assert ends(lopsided) == pytest.approx((0.5 - 0.0295 / 2, 0.5 + 0.0295 / 2), abs=1e-4)
    assert estimates.averaged([parts[0], Estimate(1, None, None, 1, "none")]).low is None
    with pytest.raises(ValueError, match="at least one part"):
        estimates.averaged([])


def test_newcombe_is_his_own_example() -> None:
    # Newcombe (1998), table II a: 56/70 against 48/80 gives 0.0524 to 0.3339.
    apart = estimates.apart(estimates.proportion(48, 80), estimates.proportion(56, 70))
    assert apart.value == pytest.approx(0.2) and ends(apart) == pytest.approx((0.0524, 0.3339), abs=5e-5)
    assert ends(apart) == pytest.approx(confint_proportions_2indep(56, 70, 48, 80, method="newcomb", compare="diff"))
    assert estimates.apart(Estimate(1, None, None, 1, "none"), apart).low is None


def test_cut_off_and_scaled() -> None:
    estimate = Estimate(0.1, -0.2, 1.4, 9, "t")
    assert ends(estimates.within(estimate, 0, 1)) == (0, 1)
    assert ends(estimates.times(estimate, 10)) == (-2, 14)
    assert estimates.within(Estimate(0.1, None, None, 1, "none"), 0, 1).low is None


def test_dictionary_and_back() -> None:
    estimate = estimates.proportion(17, 40)
    assert Estimate.from_dict(estimate.to_dict()) == estimate


# ---------------------------------------------------------------- quantiles


@given(st.lists(st.integers(0, 12), min_size=1, max_size=60), st.sampled_from([0.05, 0.25, 0.5, 0.75, 0.95]))
def test_quantile_is_numpys_inverted_cdf(values: list[int], q: float) -> None:
    distinct, counts = np.unique(values, return_counts=True)
    estimate = estimates.quantile(distinct.tolist(), counts.tolist(), q)
    assert estimate.value == np.quantile(values, q, method="inverted_cdf")
    low, high = ends(estimate)
    assert low <= estimate.value <= high


def test_quantile_of_clusters_is_wider() -> None:
    values, counts = list(range(100)), [10] * 100
    plain = estimates.quantile(values, counts, 0.5)
    wide = estimates.quantile(values, counts, 0.5, spread=0.1)
    assert ends(wide) == (pytest.approx(30, abs=1), pytest.approx(69, abs=1))
    assert ends(plain)[0] > ends(wide)[0] and ends(plain)[1] < ends(wide)[1]
    with pytest.raises(ValueError, match="at least one"):
        estimates.quantile([], [], 0.5)


# ---------------------------------------------------------------- digits and doubt


@pytest.mark.parametrize(
    "error, places",
    [(0.2, 1), (0.19, 2), (0.0023, 3), (0.0011, 4), (3.0, 0), (120.0, 0), (0.0095, 3)],
)
def test_digits_end_where_the_error_begins(error: float, places: int) -> None:
    half = 1.959963984540054 * error
    assert estimates.decimals(Estimate(0.5, 0.5 - half, 0.5 + half, 99, "t")) == places
    assert estimates.decimals(Estimate(0.5, 0.5 - half, 0.5 + half, 99, "t"), 100) == max(0, places - 2)


def test_digits_of_a_lopsided_interval_are_those_of_its_short_side() -> None:
    assert estimates.decimals(Estimate(0.03, 0.001, 0.18, 9, "poisson")) == 3
    assert estimates.decimals(Estimate(2.0, 2.0, 2.0, 9, "t")) is None
    assert estimates.decimals(Estimate(2.0, None, None, 1, "none")) is None


def test_doubt_is_the_normal_tail() -> None:
    half = 1.959963984540054 * 0.01
    estimate = Estimate(0.52, 0.52 - half, 0.52 + half, 2500, "wilson")
    assert estimates.doubt(estimate, 0.5) == pytest.approx(2 * stats.norm.sf(2), rel=1e-6)
    assert estimates.doubt(Estimate(0.5, None, None, 1, "none"), 0.5) is None
    assert estimates.doubt(Estimate(0.5, 0.5, 0.5, 9, "t"), 0.5) == 1


# ---------------------------------------------------------------- coverage

Draw = Callable[[np.random.Generator], tuple[Estimate, float]]


def proportions(rng: np.random.Generator) -> tuple[Estimate, float]:
    return estimates.proportion(int(rng.binomial(400, 0.3)), 400), 0.3


def rare_proportions(rng: np.random.Generator) -> tuple[Estimate, float]:
    return estimates.proportion(int(rng.binomial(2000, 0.001)), 2000), 0.001


def means(rng: np.random.Generator) -> tuple[Estimate, float]:
    values = rng.gamma(4, 2.5, 60)
    return estimates.mean(values.sum(), (values**2).sum(), 60), 10.0


def shared_wins(rng: np.random.Generator) -> tuple[Estimate, float]:
    shares = rng.choice([0.0, 0.5, 1.0], 300, p=[0.4, 0.1, 0.5])
    return estimates.win_share(shares.sum(), (shares**2).sum(), 300), 0.55


def clustered(rng: np.random.Generator) -> tuple[Estimate, float]:
    # Deals of a game share a rate, so that deals are far from independent; the mean rate is 0.8.
    deals = 2 + rng.poisson(8, 200)
    events = rng.poisson(deals * rng.gamma(4, 0.2, 200))
    return estimates.rate(sums_of(events, deals)), 0.8


def rare_events(rng: np.random.Generator) -> tuple[Estimate, float]:
    deals = 2 + rng.poisson(8, 200)
    return estimates.rate(sums_of(rng.poisson(deals * 0.004), deals)), 0.004


def averages(rng: np.random.Generator) -> tuple[Estimate, float]:
    shares = [estimates.proportion(int(rng.binomial(n, p)), n) for n, p in ((150, 0.6), (40, 0.3))]
    return estimates.averaged(shares), 0.45


def medians(rng: np.random.Generator) -> tuple[Estimate, float]:
    values, counts = np.unique(rng.poisson(20.33, 101), return_counts=True)
    return estimates.quantile(values.tolist(), counts.tolist(), 0.5), 20.0


def covers(draw: Draw, repeats: int) -> Iterator[bool]:
    rng = np.random.default_rng(20260105)
    for _ in range(repeats):
        estimate, truth = draw(rng)
        low, high = ends(estimate)
        yield low <= truth <= high


@pytest.mark.parametrize(
    "draw, promised",
    [
        (proportions, 0.94),
        (rare_proportions, 0.95),
        (means, 0.93),
        (shared_wins, 0.94),
        (clustered, 0.93),
        (rare_events, 0.95),
        (medians, 0.95),
        (averages, 0.94),
    ],
)
def test_intervals_cover(draw: Draw, promised: float) -> None:
    """In 1,000 runs as many intervals hold the truth as promised; fewer have a chance below `RISK`.

    Approximate intervals are allowed one or two points below 95 %: what they lose on so few games is known.
    """
    repeats = 1000
    assert sum(covers(draw, repeats)) >= stats.binom.ppf(RISK, repeats, promised)


def test_one_sided_bounds_cover() -> None:
    # Where the truth is just above the bound of 300 misses, 300 misses have a chance of at most 5 %.
    rng = np.random.default_rng(5)
    bound = estimates.never(300).high
    assert bound is not None
    misses = (rng.binomial(300, bound * 1.0001, 4000) == 0).sum()
    assert misses <= stats.binom.isf(RISK, 4000, 0.05)


def test_joint_intervals_hold_together() -> None:
    rng = np.random.default_rng(6)
    chances = np.array([0.5, 0.3, 0.15, 0.05])
    held = 0
    for counts in rng.multinomial(500, chances, 600):
        joint = estimates.simultaneous(counts.tolist(), 500)
        held += all(low <= chance <= high for chance, (low, high) in zip(chances, map(ends, joint), strict=True))
    assert held >= stats.binom.ppf(RISK, 600, 0.94)
