"""Confidence sequences: they hold at all looks at once, and a fixed interval does not."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from experiments.estimates import win_share
from experiments.sequences import games_for, half_width, of_share, of_strata

RISK = 1e-6
LOOKS = np.arange(1_000, 50_001, 500)


@pytest.fixture(scope="module")
def failures() -> tuple[int, int, int]:
    """Of 600 sequences of tosses of a fair coin: how often the sequence, and how often Wald's interval, failed at any of 99 looks."""
    rng = np.random.default_rng(1)
    repeats, sequence, fixed = 600, 0, 0
    for _ in range(repeats):
        heads = np.cumsum(rng.integers(0, 2, LOOKS[-1], dtype=np.int32))[LOOKS - 1] / LOOKS
        variance = heads * (1 - heads)
        widths = np.array([half_width(int(n), float(v), 20_000) for n, v in zip(LOOKS, variance, strict=True)])
        sequence += bool((np.abs(heads - 0.5) > widths).any())
        fixed += bool((np.abs(heads - 0.5) > 1.96 * np.sqrt(variance / LOOKS)).any())
    return repeats, sequence, fixed


def test_the_sequence_fails_no_more_often_than_promised_at_all_looks_together(failures) -> None:
    repeats, sequence, _ = failures
    assert sequence <= stats.binom.isf(RISK, repeats, 0.05)


def test_a_fixed_interval_would_fail_far_more_often(failures) -> None:
    repeats, _, fixed = failures
    assert fixed > 0.2 * repeats


def test_the_price_is_a_bit_more_than_half_as_wide_again() -> None:
    assert 1.5 < half_width(20_000, 0.25, 20_000) / (1.96 * math.sqrt(0.25 / 20_000)) < 1.75


def test_the_width_by_hand() -> None:
    # α = 0.05, n = n* = 100: nρ² = 5.9915 + ln 6.9915 = 7.9362; √(2·8.9362/(100·7.9362)·ln(√8.9362/0.05)).
    assert half_width(100, 1.0, 100) == pytest.approx(math.sqrt(2 * 8.9362 / 793.62 * math.log(math.sqrt(8.9362) / 0.05)), rel=1e-4)


def test_games_for_a_precision_are_just_enough() -> None:
    n = games_for(0.01, 0.25)
    assert half_width(n, 0.25, n) <= 0.01 < half_width(n - 1, 0.25, n - 1)


@pytest.mark.parametrize("wrong", [(0, 1.0, 10.0), (5, 1.0, 0.0)])
def test_what_has_no_width(wrong) -> None:
    with pytest.raises(ValueError, match="needs observations"):
        half_width(*wrong)
    with pytest.raises(ValueError, match="above 0"):
        games_for(0.0, 0.25)


def test_a_share_that_went_one_way_is_not_known_better_than_at_one_look() -> None:
    for wins in (1_000, 999, 0):
        sequence, once = of_share(wins, wins, 1_000, 4_000), win_share(wins, wins, 1_000)
        assert sequence.low <= once.low <= once.high <= sequence.high and 0 <= sequence.low and sequence.high <= 1
    middle = of_share(500, 500, 1_000, 4_000)
    assert middle.high - 0.5 == pytest.approx(half_width(1_000, 0.25, 4_000)) and middle.method == "sequence"


def test_a_mean_over_strata_has_the_sequence_of_its_variance() -> None:
    parts = [(300.0, 300.0, 700), (150.0, 120.0, 300)]
    found = of_strata(parts, 4_000)
    mean = (300 / 700 + 150 / 300) / 2
    variance = sum((squares / n - (total / n) ** 2) / n for total, squares, n in parts) / 4
    assert found.value == pytest.approx(mean) and found.n == 1_000 and found.method == "sequence"
    assert (found.low, found.high) == pytest.approx((mean - half_width(1_000, 1_000 * variance, 4_000), mean + half_width(1_000, 1_000 * variance, 4_000)))
    assert of_strata(parts[:1], 4_000) == of_share(*parts[0], 4_000)
    assert of_strata([(5.0, 5.0, 5), (0.0, 0.0, 5)], 10).low >= 0


def test_the_mean_over_strata_fails_no_more_often_than_promised_at_all_looks_together() -> None:
    """Chance gives the lead to a strong or a weak seat; the leader wins with another chance in each."""
    rng, repeats, failed = np.random.default_rng(8), 250, 0
    looks = np.unique(np.geomspace(1_000, 20_000, 15).astype(int))
    for _ in range(repeats):
        strong = rng.random(20_000) < 0.4
        won = rng.random(20_000) < np.where(strong, 0.7, 0.4)
        for n in looks:
            parts = [(float(won[:n][seat].sum()), float(won[:n][seat].sum()), int(seat.sum())) for seat in (strong[:n], ~strong[:n])]
            found = of_strata(parts, 5_000)
            if not found.low <= 0.55 <= found.high:
                failed += 1
                break
    assert failed <= stats.binom.isf(RISK, repeats, 0.05)
