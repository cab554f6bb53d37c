"""The summary of a run: every kind of number again by another road, and what is never measured."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import polars as pl
import pytest
import synthetic
from scipy import stats

from experiments import moments
from experiments.moments import Moments
from experiments.sequences import half_width
from experiments.summary import summary

Tables = tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]


def summed(tables: Tables, seats: int = 2, frequencies: Any = None, changes: dict[str, Any] | None = None, **run: Any) -> Any:
    games, deals, tallies = (table.lazy() for table in tables)
    rules = synthetic.ruleset(**(changes or {}))
    return summary(synthetic.info(tables[0].height, seats, **run), rules, games, deals, tallies, frequencies)


@pytest.fixture(scope="module")
def tables() -> Tables:
    return synthetic.tables(400, 2, seed=3, edge=0.05)


@pytest.fixture(scope="module")
def found(tables: Tables) -> Any:
    return summed(tables, frequencies=synthetic.frequencies())


def item(found: Any, key: str) -> Any:
    return next(each for each in found["items"] if each["key"] == key)


def clustered(games: pl.DataFrame, x: pl.DataFrame, y: pl.DataFrame) -> tuple[float, float]:
    """Value and half width of a ratio of two sums over games, from the games' own values."""
    joined = games.select("game").join(x, on="game", how="left").join(y, on="game", how="left").fill_null(0)
    top, bottom = joined["x"].to_numpy().astype(float), joined["y"].to_numpy().astype(float)
    value = top.sum() / bottom.sum()
    error = np.std(top - value * bottom, ddof=1) * math.sqrt(len(top)) / bottom.sum()
    return value, stats.t.ppf(0.975, len(top) - 1) * error


def assert_same(estimate: dict[str, Any], expected: tuple[float, float]) -> None:
    value, half = expected
    assert estimate["value"] == pytest.approx(value)
    assert (estimate["low"], estimate["high"]) == pytest.approx((value - half, value + half))


# ---------------------------------------------------------------- against polars


def test_counts_and_points_of_every_item_and_role(tables: Tables, found: Any) -> None:
    by_role = tables[2].group_by("item", "role").agg(pl.col("count").cast(pl.Int64).sum(), pl.col("points").cast(pl.Int64).sum())
    rows = {(row["item"], row["role"]): (row["count"], row["points"]) for row in by_role.iter_rows(named=True)}
    told = {(each["key"], role): (entry["count"], entry["points"]) for each in found["items"] for role, entry in each["roles"].items()}
    assert told == rows
    assert found["run"]["points_total"] == tables[2]["points"].sum()
    assert found["run"]["deals"] == tables[1].height


@pytest.mark.parametrize("key", ["pair", "small_queue", "court_card"])
def test_rate_of_an_item_has_games_as_clusters(tables: Tables, found: Any, key: str) -> None:
    games, deals, tallies = tables
    x = tallies.filter(pl.col("item") == key).group_by("game").agg(x=pl.col("count").cast(pl.Int64).sum())
    y = deals.group_by("game").agg(y=pl.len())
    assert_same(item(found, key)["per_deal"], clustered(games, x, y))


def test_rate_by_role_and_by_strategy(tables: Tables, found: Any) -> None:
    games, deals, tallies = tables
    y = deals.group_by("game").agg(y=pl.len())
    for field, entry in (
        ("role", item(found, "pair")["roles"]["defence"]),
        ("seat", item(found, "pair")["strategies"][1]),
    ):
        wanted = pl.col("role") == "defence" if field == "role" else pl.col("seat") == 1
        x = tallies.filter(wanted, pl.col("item") == "pair").group_by("game").agg(x=pl.col("count").cast(pl.Int64).sum())
        assert_same(entry["per_deal"], clustered(games, x, y))


def test_share_of_points_of_items_categories_and_roles(tables: Tables, found: Any) -> None:
    games, _, tallies = tables
    y = tallies.group_by("game").agg(y=pl.col("points").sum())
    blocks = [key for key, row in synthetic.ruleset().schema.points.items() if row.category == "block"]
    for entry, wanted in (
        (item(found, "marriage"), pl.col("item") == "marriage"),
        (found["categories"][0], pl.col("item").is_in(blocks)),
        (found["roles"][3], pl.col("role") == "penalty"),
    ):
        x = tallies.filter(wanted).group_by("game").agg(x=pl.col("points").sum())
        assert_same(entry["share"], clustered(games, x, y))


def test_shares_of_all_points_add_up(found: Any) -> None:
    for entries in (found["items"], found["categories"], found["roles"]):
        assert sum(entry["share"]["value"] for entry in entries) == pytest.approx(1)


def test_win_shares_and_scores(tables: Tables, found: Any) -> None:
    games = tables[0]
    for seat in (0, 1):
        interval = stats.ttest_1samp(games[f"share_{seat}"], 0).confidence_interval(0.95)
        told = found["seats"][seat]["win_share"]
        assert (told["value"], told["low"], told["high"]) == pytest.approx((games[f"share_{seat}"].mean(), *interval))
        assert found["seats"][seat]["score"]["value"] == pytest.approx(games[f"score_{seat}"].mean())


def test_first_leader(tables: Tables, found: Any) -> None:
    games = tables[0]
    won = np.where(games["leader"] == 0, games["share_0"], games["share_1"])
    ahead = np.where(games["leader"] == 0, 1, -1) * (games["score_0"] - games["score_1"]).to_numpy()
    lead = found["lead"]
    # Averaged over who led, not over games.
    by_seat = [(games["leader"] == seat).to_numpy() for seat in (0, 1)]
    leader = sum(won[led].mean() for led in by_seat) / 2
    assert lead["leader"]["value"] == pytest.approx(leader)
    assert lead["others"]["value"] == pytest.approx(1 - leader)
    assert lead["others"]["low"] == pytest.approx(1 - lead["leader"]["high"])
    halves = [stats.t.ppf(0.975, led.sum() - 1) * stats.sem(ahead[led]) for led in by_seat]
    assert_same(lead["margin"], (sum(ahead[led].mean() for led in by_seat) / 2, math.hypot(*halves) / 2))
    for seat in (0, 1):
        led = games.filter(pl.col("leader") == seat)
        assert lead["seats"][seat]["led"] == led.height
        assert lead["seats"][seat]["if_led"]["value"] == pytest.approx(led[f"share_{seat}"].mean())
        rest = games.filter(pl.col("leader") != seat)
        assert lead["seats"][seat]["if_not"]["value"] == pytest.approx(rest[f"share_{seat}"].mean())


def test_first_leader_is_not_confused_with_the_better_strategy() -> None:
    # Seat 0 wins every game, and chance gave it the lead in two games of three: leading is worth nothing.
    games, deals, tallies = synthetic.tables(300, 2, seed=6)
    leads = np.arange(300) % 3 == 0
    fixed = games.with_columns(share_0=pl.lit(1.0), share_1=pl.lit(0.0), leader=pl.Series(leads.astype(np.uint8)))
    lead = summed((fixed, deals, tallies))["lead"]
    assert lead["leader"]["value"] == 0.5
    assert lead["leader"]["low"] < 0.5 < lead["leader"]["high"]
    alone = summed((fixed.with_columns(leader=pl.lit(0, pl.UInt8)), deals, tallies))["lead"]
    assert alone["leader"]["value"] == 1 and alone["seats"][1]["if_led"] is None


def test_lengths(tables: Tables, found: Any) -> None:
    games, deals, _ = tables
    bouts = found["length"]["deals"]["bouts"]
    x = deals.group_by("game").agg(x=pl.col("bouts").cast(pl.Int64).sum())
    assert_same(bouts["mean"], clustered(games, x, deals.group_by("game").agg(y=pl.len())))
    assert found["length"]["games"]["mean"]["value"] == pytest.approx(games["deals"].mean())
    for spread, column in ((bouts, deals["bouts"]), (found["length"]["games"], games["deals"])):
        for row in spread["quantiles"]:
            assert row["value"]["value"] == np.quantile(column, row["q"], method="inverted_cdf")
        assert sum(count for _, count in spread["histogram"]) == column.len()
        assert (spread["least"], spread["most"]) == (column.min(), column.max())
    margin = (games["score_0"] - games["score_1"]).abs()
    assert found["margin"]["mean"]["value"] == pytest.approx(margin.mean())
    assert found["margin"]["quantiles"][2]["value"]["value"] == np.quantile(margin, 0.5, method="inverted_cdf")


def test_endings_leads_and_guards(tables: Tables, found: Any) -> None:
    deals = tables[1]
    for entries, column in ((found["endings"]["deals"], "reason"), (found["lead"]["kinds"], "lead")):
        counts = dict(deals.group_by(column).len().iter_rows())
        assert {entry["key"]: entry["count"] for entry in entries if entry["count"]} == counts
    assert [entry["count"] for entry in found["endings"]["games"]] == [400, 0]
    guards = {guard["key"]: guard for guard in found["guards"]}
    assert list(guards) == ["max_bouts", "max_deals"]
    assert guards["max_bouts"]["limit"] == 500 and guards["max_bouts"]["rule"] == "K-73"
    assert guards["max_bouts"]["share"]["high"] == pytest.approx(1 - 0.05 ** (1 / deals.height))


def test_strategies_are_averaged_over_their_seats() -> None:
    tables = synthetic.tables(200, 3, seed=8)
    found = summed(tables, 3, strategies=["greedy", "counter", "greedy"])
    games = tables[0]
    greedy, counter = found["strategies"]
    assert greedy["seats"] == [0, 2] and counter["seats"] == [1]
    assert greedy["win_share"]["value"] == pytest.approx((games["share_0"].mean() + games["share_2"].mean()) / 2)
    stopped = summed(tables, 3, strategies=["greedy", "counter", "greedy"], stopping={"best_at": 200})["strategies"][0]["win_share"]
    shares = (games["share_0"] + games["share_2"]) / 2
    width = half_width(200, shares.var(ddof=0), 200)
    assert stopped["method"] == "sequence" and stopped["value"] == pytest.approx(shares.mean())
    assert (stopped["low"], stopped["high"]) == pytest.approx((shares.mean() - width, shares.mean() + width))
    margin = (games["score_0"] + games["score_2"]) / 2 - games["score_1"]
    assert_same(greedy["margin"], (margin.mean(), stats.t.ppf(0.975, 199) * margin.std() / math.sqrt(200)))
    pairs = tables[2].filter(pl.col("item") == "pair", pl.col("seat") != 1)["count"].sum()
    entry = item(found, "pair")["strategies"][0]
    assert entry["count"] == pairs
    assert entry["per_deal"]["value"] == pytest.approx(pairs / tables[1].height / 2)


def test_ladder() -> None:
    tables = synthetic.tables(150, 2, seed=9, millionaire=True)
    found = summed(tables)
    for seat in (0, 1):
        stage = tables[0][f"stage_{seat}"]
        told = found["ladder"]["stages"][seat]
        assert told["mean"]["value"] == pytest.approx(stage.mean())
        assert told["payout"]["value"] == pytest.approx(tables[0][f"payout_{seat}"].mean())
        assert [entry["value"] for entry in told["reached"]] == pytest.approx([(stage >= number).mean() for number in range(len(told["reached"]))])


def test_pay_outs_that_were_not_recorded_are_none() -> None:
    games, deals, tallies = synthetic.tables(50, 2, millionaire=True)
    found = summed((games.drop("payout_0", "payout_1"), deals, tallies))
    assert [seat["payout"] for seat in found["ladder"]["stages"]] == [None, None]


# ---------------------------------------------------------------- not measured, and never seen


def test_never_seen_is_a_bound_and_not_a_zero(found: Any, tables: Tables) -> None:
    unseen = item(found, "legendary_row")
    bound = 1 - 0.05 ** (1 / tables[1].height)
    assert unseen["count"] == 0
    assert unseen["per_deal"] == {
        "value": 0,
        "low": 0,
        "high": pytest.approx(bound),
        "n": tables[1].height,
        "method": "never",
        "level": 0.95,
    }
    # Were it met as often as its bound allows, it would be worth its price each time.
    assert unseen["share"]["high"] == pytest.approx(bound * 17 * tables[1].height / found["run"]["points_total"])


def test_not_measured_is_none() -> None:
    alike = summed(synthetic.tables(60, 2), strategies=["greedy", "greedy"])
    assert len(alike["strategies"]) == 1
    assert alike["strategies"][0]["win_share"] is None and alike["strategies"][0]["margin"] is None
    assert alike["hands"] is None and alike["ladder"] is None
    assert alike["inversions"]["hands"] is None
    assert item(alike, "pair")["combination"] is None
    assert not any(finding["key"] == "strategy" for finding in alike["findings"])


def test_one_game_has_no_intervals() -> None:
    found = summed(synthetic.tables(1, 2))
    assert found["length"]["games"]["mean"]["low"] is None
    assert found["seats"][0]["score"]["method"] == "none"


def test_a_run_without_games_is_an_error() -> None:
    empty = tuple(table.clear() for table in synthetic.tables(2, 2))
    with pytest.raises(ValueError, match="no finished games"):
        summed(empty)  # type: ignore[arg-type]


def test_no_points_at_all() -> None:
    games, deals, tallies = synthetic.tables(30, 2)
    found = summed((games, deals, tallies.with_columns(points=pl.lit(0, pl.Int32))))
    assert found["run"]["points_total"] == 0
    assert item(found, "pair")["share"] is None and item(found, "pair")["per_deal"]["value"] > 0


# ---------------------------------------------------------------- findings


def test_leader_verdicts() -> None:
    games, deals, tallies = synthetic.tables(300, 2, seed=4)
    leads = games["leader"].to_numpy()
    for chance, verdict in ((1.0, "above"), (0.0, "below"), (0.5, "open")):
        won = np.where(np.random.default_rng(1).random(300) < chance, leads, 1 - leads)
        decided = games.with_columns(share_0=(won == 0).astype(float), share_1=(won == 1).astype(float))
        finding = next(each for each in summed((decided, deals, tallies))["findings"] if each["key"] == "leader")
        assert finding["verdict"] == verdict
        assert finding["reference"] == 0.5
        assert (finding["doubt"] < 0.05) == (verdict != "open")


def test_inversions_in_hands_are_pairs_rarer_and_cheaper(found: Any) -> None:
    table = found["hands"]["tables"][-1]["items"]
    prices = {each["key"]: each["price"] for each in found["items"]}
    chance = {key: entry["probability"] for key, entry in table.items() if entry and entry["count"] and prices[key]}
    expected = {(a, b) for a in chance for b in chance if chance[a] < chance[b] and prices[a] < prices[b]}
    told = [(pair["rarer"], pair["commoner"]) for pair in found["inversions"]["hands"]]
    assert set(told) == expected and len(told) == len(expected)
    factors = [chance[a] / chance[b] for a, b in told]
    assert factors == sorted(factors)


def test_inversions_in_play_have_intervals_apart(found: Any) -> None:
    for pair in found["inversions"]["play"]:
        assert item(found, pair["rarer"])["per_deal"]["high"] < item(found, pair["commoner"])["per_deal"]["low"]
    cheap = summed(synthetic.tables(100, 2), changes={"triple": 2})
    assert ("triple", "pair") in {(pair["rarer"], pair["commoner"]) for pair in cheap["inversions"]["play"]}
    assert cheap["ruleset"]["differences"][0]["key"] == "triple"


def test_unseen_and_guards_are_told(found: Any) -> None:
    told = {finding["key"]: finding for finding in found["findings"]}
    assert "legendary_optima" in told["unseen"]["items"] and "absolute_force_beaten" not in told["unseen"]["items"]
    assert told["guard"]["verdict"] == "bound"


# ---------------------------------------------------------------- the pass over the records


def test_result_does_not_depend_on_the_size_of_pieces(tables: Tables, found: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moments, "ROWS_AT_ONCE", 500)
    assert summed(tables, frequencies=synthetic.frequencies()) == found


def test_gaps_between_games_and_any_order_of_rows(tables: Tables, found: Any) -> None:
    spread = [table.with_columns(game=pl.col("game") * 3 + pl.col("game") // 100 * 10**6) for table in tables]
    mixed = tuple(table.sample(fraction=1, shuffle=True, seed=1) for table in spread)
    assert summed(mixed, frequencies=synthetic.frequencies()) == found  # type: ignore[arg-type]


def test_moments_of_linear_combinations() -> None:
    rng = np.random.default_rng(0)
    one, two = rng.integers(0, 9, (40, 2)).astype(float), rng.integers(0, 9, (25, 3)).astype(float)
    kept = Moments()
    kept.add([("a",), ("b",)], one)
    kept.add([("b",), ("c",), ("a",)], two)
    a = np.concatenate([one[:, 0], two[:, 2]])
    b = np.concatenate([one[:, 1], two[:, 0]])
    c = np.concatenate([np.zeros(40), two[:, 1]])
    assert kept.n == 65
    assert kept.total(("a",), ("c",), ("unknown",)) == (a + c).sum()
    with pytest.raises(KeyError):
        kept.mean({("unknown",): 1.0})
    sums = kept.sums([("a",), ("c",)], [("b",)])
    assert (sums.x, sums.y) == ((a + c).sum(), b.sum())
    assert (sums.xx, sums.xy, sums.yy) == (((a + c) ** 2).sum(), ((a + c) * b).sum(), (b * b).sum())
    estimate = kept.mean({("a",): 0.5, ("b",): -2.0})
    combined = 0.5 * a - 2 * b
    assert estimate.value == pytest.approx(combined.mean())
    assert estimate.high - estimate.value == pytest.approx(stats.t.ppf(0.975, 64) * stats.sem(combined))


def test_summary_is_plain_data(found: Any) -> None:
    def check(value: Any) -> None:
        if isinstance(value, dict):
            for key, each in value.items():
                assert isinstance(key, str)
                check(each)
        elif isinstance(value, list):
            for each in value:
                check(each)
        else:
            assert value is None or type(value) in (bool, int, float, str)

    check({key: value for key, value in found.items() if key != "hands"})
