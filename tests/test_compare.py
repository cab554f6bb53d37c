"""Comparisons: pairs against single games, intervals that cover, verdicts that are right as often as promised, the contract of the command."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import tost_proportions_2indep
from statsmodels.stats.weightstats import ttost_paired

import cli
import simcore
from experiments import claims
from experiments.compare import Margin, compare, rows_of
from experiments.looking import looked
from experiments.measures import Measure, Measures, products
from experiments.pairs import Pair, difference, doubt_of_difference, doubt_of_equivalence, pairs_needed
from reports.measure_names import duration, rough
from simcore.errors import InputError
from simcore.game import games
from simcore.simulate import Table

RISK = 1e-6


def pair_of(xa: Sequence[int], xb: Sequence[int], ya: Sequence[int] | None = None, yb: Sequence[int] | None = None, **more) -> Pair:
    ones = np.ones(len(xa), np.int64)
    columns = [np.asarray(each if each is not None else ones, np.int64)[:, None] for each in (xa, ya, xb, yb)]
    total, product = products(columns)
    return Pair.of(len(xa), total[:, 0], product[:, :, 0], **more)


# ---------------------------------------------------------------- against scipy and statsmodels


def test_paired_means_are_scipys_paired_t_test() -> None:
    rng = np.random.default_rng(1)
    a = rng.poisson(5, 400)
    b = a + rng.binomial(3, 0.4, 400) - 1
    pair = pair_of(a, b)
    wanted = stats.ttest_rel(b, a)
    found, interval = difference(pair), wanted.confidence_interval(0.95)
    assert (found.value, found.low, found.high) == pytest.approx(((b - a).mean(), interval.low, interval.high))
    assert doubt_of_difference(pair) == pytest.approx(wanted.pvalue)
    assert doubt_of_equivalence(pair, 0.35, relative=False) == pytest.approx(ttost_paired(b, a, -0.35, 0.35)[0])


def test_ratios_agree_with_the_bootstrap() -> None:
    rng = np.random.default_rng(2)
    ya = 1 + rng.poisson(5, 500)
    yb = ya + rng.binomial(2, 0.5, 500)
    xa, xb = rng.poisson(ya * 0.8), rng.poisson(yb * 0.9)
    found = difference(pair_of(xa, xb, ya, yb))

    def apart(p, q, r, s, axis):
        return r.sum(axis) / s.sum(axis) - p.sum(axis) / q.sum(axis)

    again = stats.bootstrap((xa, ya, xb, yb), apart, paired=True, vectorized=True, method="BCa", rng=np.random.default_rng(3)).confidence_interval
    assert (found.low, found.high) == pytest.approx((again.low, again.high), abs=0.15 * (found.high - found.low))


def test_rare_events_are_a_conditional_binomial_test() -> None:
    a, b = np.zeros(1000, int), np.zeros(1000, int)
    a[:2], b[:9] = 1, 1
    deals = np.full(1000, 4)
    pair = pair_of(a, b, deals, deals, counts=True)
    assert pair.rare and not pair.binary
    assert doubt_of_difference(pair) == pytest.approx(stats.binomtest(9, 11, 0.5).pvalue)
    found = difference(pair)
    assert found.method == "mover" and found.low < found.value < found.high


def test_what_was_never_seen_is_bounded_and_never_tested() -> None:
    zero = np.zeros(1000, int)
    events = pair_of(zero, zero, counts=True)
    assert doubt_of_difference(events) is None
    assert difference(events).high == pytest.approx(1 - 0.05 ** (1 / 1000))
    points = pair_of(zero, zero, events=events, prices=(3.0, 4.0))
    found = difference(points)
    assert found.low == pytest.approx(-4 * (1 - 0.05**0.001)) and found.high == pytest.approx(4 * (1 - 0.05**0.001))
    assert pairs_needed(events, 0.05, 0.8, None) is None


def test_arms_that_are_alike_have_no_difference_at_all() -> None:
    values = np.random.default_rng(4).integers(0, 9, 200)
    pair = pair_of(values, values, 1 + values, 1 + values)
    found = difference(pair)
    assert found.low == found.value == found.high == 0 and doubt_of_difference(pair) == 1 and pair.narrower() == 0


def test_independent_arms_are_not_narrower() -> None:
    rng = np.random.default_rng(5)
    assert pair_of(rng.poisson(5, 20000), rng.poisson(5, 20000)).narrower() == pytest.approx(1, abs=0.02)


def test_games_with_and_without_are_mcnemars_pairs() -> None:
    rng = np.random.default_rng(14)
    a = rng.binomial(1, 0.3, 500)
    b = np.where(rng.random(500) < 0.1, 1 - a, a)
    only_a, only_b = int((a > b).sum()), int((b > a).sum())
    assert doubt_of_difference(pair_of(a, b, counts=True)) == pytest.approx(mcnemar([[0, only_a], [only_b, 0]], exact=True).pvalue)


def test_mcnemar_is_the_sign_test() -> None:
    assert claims.mcnemar(3, 12) == pytest.approx(stats.binomtest(3, 15).pvalue)
    assert claims.mcnemar(0, 0) == 1


def test_corrections_are_statsmodels() -> None:
    doubts = np.random.default_rng(13).random(40) ** 6
    for ours, method in ((claims.holm, "holm"), (claims.exploratory, "fdr_bh")):
        assert ours(doubts.tolist()) == pytest.approx(multipletests(doubts, method=method)[1].tolist())


def test_corrections_by_hand() -> None:
    # Holm: 0.01·4, 0.02·3, 0.03·2, 0.9, made monotone. Benjamini-Hochberg: 0.01·4/1, 0.02·4/2, 0.03·4/3, 0.9.
    doubts = [0.9, None, 0.02, 0.01, 0.03]
    assert claims.holm(doubts) == [pytest.approx(0.9), None, *(pytest.approx(each) for each in (0.06, 0.04, 0.06))]
    assert claims.exploratory(doubts) == [pytest.approx(0.9), None, *(pytest.approx(each) for each in (0.04, 0.04, 0.04))]
    assert claims.holm([None]) == [None]


def test_equivalence_of_independent_proportions_is_near_statsmodels() -> None:
    rng = np.random.default_rng(6)
    a, b = rng.binomial(1, 0.5, 3000), rng.binomial(1, 0.51, 3000)
    ours = doubt_of_equivalence(pair_of(a, b), 0.03, relative=False)
    assert ours == pytest.approx(tost_proportions_2indep(b.sum(), 3000, a.sum(), 3000, -0.03, 0.03, method="wald").pvalue, rel=0.1, abs=0.01)


# ---------------------------------------------------------------- coverage and error rates, on a game of coins

MEASURES = [Measure(f"m{place}", "points", "", place, 0) for place in range(6)]


def coins(rng: np.random.Generator, n: int, lift: float) -> tuple[np.ndarray, np.ndarray]:
    """Two arms that toss the same coin, a head with the chance ½; b's coin is biased by `lift`."""
    luck = rng.random(n)
    return (luck < 0.5).astype(int), (luck < 0.5 + lift).astype(int)


def test_differences_are_covered() -> None:
    rng = np.random.default_rng(7)
    repeats, held = 2000, 0
    for _ in range(repeats):
        found = difference(pair_of(*coins(rng, 600, 0.04)))
        held += found.low <= 0.04 <= found.high
    assert stats.binom.ppf(RISK, repeats, 0.94) <= held <= stats.binom.isf(RISK, repeats, 0.965)


def test_differences_of_ratios_are_covered() -> None:
    rng = np.random.default_rng(8)
    repeats, held = 1500, 0
    for _ in range(repeats):
        deals = 1 + rng.poisson(6, 150)
        wild = rng.gamma(4, 0.25, 150)
        more = deals + rng.binomial(1, 0.5, 150)
        found = difference(pair_of(rng.poisson(deals * wild), rng.poisson(more * wild * 1.1), deals, more))
        held += found.low <= 0.1 <= found.high
    assert held >= stats.binom.ppf(RISK, repeats, 0.93)


def verdicts(rng: np.random.Generator, lifts: Sequence[float], n: int, margin: Margin | None = None) -> list[str]:
    pairs = [pair_of(*coins(rng, n, lift)) for lift in lifts]
    return [row["verdict"] for row in rows_of(MEASURES[: len(lifts)], pairs, margin, 0.95, 1.0)]


def test_nothing_planted_is_found_no_more_often_than_promised() -> None:
    rng = np.random.default_rng(9)
    repeats, wrong = 1500, 0
    for _ in range(repeats):
        noise = [rng.binomial(1, 0.5, (2, 300)) for _ in MEASURES]
        wrong += any(row["verdict"] != "undecided" for row in rows_of(MEASURES, [pair_of(*each) for each in noise], None, 0.95, 1.0))
    assert wrong <= stats.binom.isf(RISK, repeats, 0.05)


def test_a_planted_difference_is_found_and_has_its_sign() -> None:
    rng = np.random.default_rng(10)
    assert verdicts(rng, [0.05, -0.05], 3000) == ["higher", "lower"]


def test_games_needed_are_enough_four_times_in_five() -> None:
    rng = np.random.default_rng(11)

    def toss(n: int) -> Pair:
        return pair_of(rng.binomial(1, 0.5, n), rng.binomial(1, 0.55, n))

    needed = pairs_needed(toss(200_000), 0.05, 0.8, None)
    assert needed == pytest.approx((1.96 + 0.842) ** 2 * 0.5 / 0.05**2, rel=0.1)
    found = sum(rows_of(MEASURES[:1], [toss(needed)], None, 0.95, 1.0)[0]["verdict"] == "higher" for _ in range(400))
    assert stats.binom.ppf(RISK, 400, 0.77) <= found <= stats.binom.isf(RISK, 400, 0.83)


def test_the_same_is_said_only_within_the_margin() -> None:
    rng = np.random.default_rng(12)
    margin = Margin(0.02, False)
    assert verdicts(rng, [0.0], 4000, margin) == ["same"]
    assert verdicts(rng, [0.0], 4000) == ["undecided"]
    repeats = 1000
    wrong = sum(verdicts(rng, [0.02], 1000, margin) == ["same"] for _ in range(repeats))
    assert wrong <= stats.binom.isf(RISK, repeats, 0.05)


# ---------------------------------------------------------------- real games


@pytest.fixture(scope="module")
def found() -> dict:
    rules = simcore.rules("kombinator")
    return compare(rules, rules.with_(pair=4), [["greedy"], ["random"]], 1500, seed=5, margin=Margin(0.02, True))


def test_pairs_have_the_means_of_single_runs(found) -> None:
    for entry, names in zip(found["panel"], (["greedy"], ["random"]), strict=True):
        rows = {row["measure"]: row for row in entry["measures"]}
        for arm, rules in (("a", simcore.rules("kombinator")), ("b", simcore.rules("kombinator", pair=4))):
            played = simcore.play(rules, names, games=1500, seed=5)
            deals = played.games["deals"].sum()
            assert rows["deals_per_game"][arm] == pytest.approx(deals / 1500)
            assert rows["bouts_per_deal"][arm] == pytest.approx(played.deals["bouts"].sum() / deals)
            assert rows["points_per_deal"][arm] == pytest.approx(played.tallies["points"].sum() / deals)
            pairs = played.tallies.filter(played.tallies["item"] == "pair")
            assert rows["pair_per_deal"][arm] == pytest.approx(pairs["count"].sum() / deals)
            assert rows["pair_points_per_deal"][arm] == pytest.approx(pairs["points"].sum() / deals)
            assert rows["seat_0_win_share"][arm] == pytest.approx(played.games["share_0"].mean())
            led = [row[f"share_{row['leader']}"] for row in played.games.iter_rows(named=True)]
            assert rows["leader_win_share"][arm] == pytest.approx(np.mean(led))
            assert rows["margin"][arm] == pytest.approx((played.games["score_0"] - played.games["score_1"]).abs().mean())


def test_dearer_pairs_make_games_shorter(found) -> None:
    rows = {row["measure"]: row for row in found["measures"]}
    assert rows["deals_per_game"]["verdict"] == "lower" and rows["pair_points_per_deal"]["verdict"] == "higher"
    assert rows["deals_per_game"]["narrower"] < 0.8
    assert {flip["measure"] for flip in found["flips"]} == {
        first["measure"]
        for first, second in zip(*(entry["measures"] for entry in found["panel"]), strict=True)
        if len({first["verdict"], second["verdict"]} - {"undecided"}) > 1
    }


def test_threads_change_nothing(found) -> None:
    rules = simcore.rules("kombinator")
    again = compare(rules, rules.with_(pair=4), [["greedy"], ["random"]], 1500, seed=5, margin=Margin(0.02, True), threads=1)
    for row, other in zip(found["measures"], again["measures"], strict=True):
        timed = ("seconds_needed",)
        assert {key: row[key] for key in row if key not in timed} == {key: other[key] for key in other if key not in timed}


def test_games_are_played_until_the_difference_is_known() -> None:
    rules = simcore.rules("kombinator")
    wanted = Margin(0.01, True)
    found = compare(rules, rules.with_(pair=4), [["greedy"]], 10**6, seed=2, measures=["leader_win_share", "deals_per_game"], precision=wanted)
    assert found["looks"][0] == 1000 and found["looks"][-1] == found["games"] < 10**5
    for row in found["measures"]:
        assert row["method"] == "sequence" and row["interval"][0] < row["difference"] < row["interval"][1]
        assert row["interval"][1] - row["interval"][0] <= 2 * (0.01 if row["share"] else 0.01 * row["a"])
    assert found["measures"][0]["measure"] == "deals_per_game" and found["measures"][0]["verdict"] == "lower"
    whole = compare(rules, rules.with_(pair=4), [["greedy"]], found["games"], seed=2, measures=["leader_win_share", "deals_per_game"])
    assert [row["difference"] for row in whole["measures"]] == [row["difference"] for row in found["measures"]]
    capped = compare(rules, rules.with_(pair=4), [["greedy"]], 1500, seed=2, measures=["leader_win_share"], precision=Margin(0.0001, True))
    assert capped["games"] == 1500
    with pytest.raises(InputError, match="name them with --measure"):
        compare(rules, rules, precision=wanted)


def test_looking_again_and_again_finds_nothing_that_is_not_there() -> None:
    """200 comparisons of coins that are alike, each looked at 40 times: verdicts are wrong in no more of them than promised."""
    rng = np.random.default_rng(15)
    repeats, wrong, fixed = 200, 0, 0
    looks = np.linspace(1000, 40_000, 40).astype(int)
    for _ in range(repeats):
        tosses = [rng.binomial(1, 0.5, (2, looks[-1])) for _ in range(3)]
        found = false = False
        for n in looks:
            rows = rows_of(MEASURES[:3], [pair_of(a[:n], b[:n]) for a, b in tosses], None, 0.95, 1.0)
            found = found or any(row["verdict"] != "undecided" for row in looked(rows, int(n), 0.95))
            false = false or any(row["verdict"] != "undecided" for row in rows)
        wrong, fixed = wrong + found, fixed + false
    assert wrong <= stats.binom.isf(RISK, repeats, 0.05)
    assert fixed > 0.1 * repeats


def test_a_better_strategy_is_found() -> None:
    rules = simcore.rules("kombinator")
    (row,) = compare(rules, rules, [["random"]], 300, b_panel=[["greedy", "random"]], measures=["seat_0_win_share"])["measures"]
    assert row["verdict"] == "higher" and row["b"] > 0.9


def test_what_cannot_be_compared_is_said() -> None:
    rules = simcore.rules("kombinator")
    with pytest.raises(InputError, match="at least 2 games"):
        compare(rules, rules, games=1)
    with pytest.raises(InputError, match="there is no measure 'deals'"):
        compare(rules, rules, games=2, measures=["deals"])
    with pytest.raises(InputError, match="as many line-ups"):
        compare(rules, rules, games=2, b_panel=[["random"], ["greedy"]])
    with pytest.raises(InputError, match="same number of players"):
        compare(rules, rules, [["random"], ["random", "random", "greedy"]], 2)


def test_the_contract_of_the_command(capsys) -> None:
    assert cli.main(["compare", "kombinator", "kombinator(pair=4)", "--strategy", "greedy", "--games", "600", "--margin", "1%", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["games"] == 600 and found["a"] == "kombinator" and found["b"] == "kombinator(pair=4)"
    first = found["measures"][0]
    assert first["measure"] == "deals_per_game" and first["verdict"] == "lower"
    assert first["interval"][0] < first["b"] - first["a"] < first["interval"][1] < 0
    assert {row["verdict"] for row in found["measures"]} <= {"lower", "higher", "same", "undecided"}
    assert all(row["games_needed"] is None or row["games_needed"] > 0 for row in found["measures"])
    assert cli.main(["compare", "kombinator", "kombinator(pair=4)", "--strategy", "greedy,random", "--games", "50", "--lang", "ru"]) == 0
    text = capsys.readouterr().out
    assert "не решено" in text and "Стратегии: greedy, random" in text


def test_where_not_one_game_differs_only_that_is_said(capsys) -> None:
    words = ["compare", "kombinator", "kombinator(loose_cards_in_attack=true)", "--strategy", "counter", "--games", "400"]
    assert cli.main([*words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["changed"] == 0
    assert cli.main(words) == 0
    text = capsys.readouterr().out
    assert "Not one of 400 games differs" in text and "[" not in text and "more games" not in text and "1 game in 130 (95%)" in text
    assert cli.main(["compare", "kombinator", "kombinator", "--games", "20", "--lang", "ru"]) == 0
    assert "одни и те же правила" in capsys.readouterr().out


def test_games_that_differ_are_counted(found) -> None:
    rules = simcore.rules("kombinator")
    sides = [[simcore.play(each, names, games=1500, seed=5) for each in (rules, rules.with_(pair=4))] for names in (["greedy"], ["random"])]
    differs = np.zeros(1500, bool)
    for a, b in sides:
        differs |= (a.games["score_0"] != b.games["score_0"]).to_numpy() | (a.games["score_1"] != b.games["score_1"]).to_numpy()
    assert differs.sum() <= found["changed"] <= 1500 and differs.any()


def test_estimated_games_and_times_are_readable() -> None:
    assert [duration(seconds, "en") for seconds in (0.2, 119, 120, 7199, 7200, 2_397_600)] == ["< 1 s", "119 s", "2 min", "120 min", "2 h", "28 days"]
    assert [rough(number, "en") for number in (7, 29_637, 5_420_594, 41_332_599_023, 2 * 10**16)] == [
        "7",
        "29,600",
        "5.4 million",
        "41 billion",
        "20,000 trillion",
    ]
    assert rough(5_420_594_332, "ru") == "5,4 млрд" and duration(2_397_600, "ru") == "28 сут"


def test_line_ups_are_read_with_their_parameters() -> None:
    from commands.options import Lineup

    assert Lineup().convert("builder(patience=2), mine.py:x(a=1,b=2)", None, None) == ("builder(patience=2)", "mine.py:x(a=1,b=2)")


@pytest.mark.parametrize("key", games())
def test_every_game_is_measured(key: str) -> None:
    table = Table(simcore.rules(key), ["random"])
    book = Measures(table)
    vectors = book.vectors(table.play(3, 5))
    assert vectors.shape == (5, book.width) and (vectors[:, 0] == 1).all() and (vectors[:, 1] >= 1).all()
    assert len({each.key for each in book.measures}) == len(book.measures)
