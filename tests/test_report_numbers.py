"""Every number of a report again, by other means: from the Parquet files with polars, and from the page back into the JSON."""

from __future__ import annotations

import bisect
import json
import math
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from experiments.overview import summarise
from experiments.runs import run
from reports.render import render
from simcore.api import rules
from simcore.simulate import Table

CASES = [("kombinator", ("greedy", "counter"), "en"), ("gin_rummy", ("greedy", "random"), "ru"), ("seven_card_combo", ("greedy", "random"), "en")]


class Report:
    """A run, its report, and its tables read anew."""

    def __init__(self, folder: Path, game: str, strategies: tuple[str, ...], language: str) -> None:
        done = run(Table(rules(game), strategies, None, 5), 1_500, folder)
        self.paths = render(summarise(done), language, folder)
        self.json = json.loads(self.paths["report.json"].read_text("utf-8"))
        self.games, self.deals, self.tallies = (pl.read_parquet(folder / "batches" / "*" / f"{name}.parquet") for name in ("games", "deals", "tallies"))
        self.language = language
        self.seats = range(len(strategies))


@pytest.fixture(scope="module", params=CASES, ids=[case[0] for case in CASES])
def report(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Report:
    game, strategies, language = request.param
    return Report(tmp_path_factory.mktemp(game) / "run", game, strategies, language)


def close(one: float, two: float) -> bool:
    return math.isclose(one, two, rel_tol=1e-9, abs_tol=1e-12)


def clustered(report: Report, x: pl.DataFrame, y: pl.DataFrame) -> tuple[float, float, float]:
    """Ratio of two sums over games (frames of game and value) with its interval, by the residuals themselves."""
    both = report.games.select("game").join(x, on="game", how="left").join(y, on="game", how="left").fill_null(0)
    over, under, n = both["x"].sum(), both["y"].sum(), both.height
    rest = both["x"].cast(pl.Float64) - over / under * both["y"].cast(pl.Float64)
    half = stats.t.ppf(0.975, n - 1) * math.sqrt(n / (n - 1) * (rest * rest).sum()) / under
    return over / under, over / under - half, over / under + half


def test_items(report: Report) -> None:
    deals = report.games.select("game", y="deals")
    everything = report.tallies.group_by("game").agg(y=pl.col("points").cast(pl.Int64).abs().sum())
    seen = 0
    for item in report.json["items"]:
        rows = report.tallies.filter(pl.col("item") == item["key"])
        assert item["count"] == rows["count"].cast(pl.Int64).sum() and item["points"] == rows["points"].cast(pl.Int64).sum()
        assert close(item["per_deal"]["value"], item["count"] / report.deals.height)
        by_role = dict(rows.group_by("role").agg(pl.col("count").cast(pl.Int64).sum()).iter_rows())
        assert {role: entry["count"] for role, entry in item["roles"].items() if entry["count"]} == by_role
        if item["count"] >= 30:
            seen += 1
            times = rows.group_by("game").agg(x=pl.col("count").cast(pl.Int64).sum())
            sizes = rows.group_by("game").agg(x=pl.col("points").cast(pl.Int64).abs().sum())
            for estimate, (value, low, high) in ((item["per_deal"], clustered(report, times, deals)), (item["share"], clustered(report, sizes, everything))):
                assert close(estimate["value"], value)
                assert math.isclose(estimate["low"], max(low, 0.0), rel_tol=1e-6, abs_tol=1e-9) and math.isclose(estimate["high"], high, rel_tol=1e-6)
        elif item["count"]:
            low, high = stats.chi2.ppf(0.025, 2 * item["count"]) / 2, stats.chi2.ppf(0.975, 2 * item["count"] + 2) / 2
            assert close(item["per_deal"]["low"], low / report.deals.height) and close(item["per_deal"]["high"], high / report.deals.height)
        else:
            assert close(item["per_deal"]["high"], 1 - 0.05 ** (1 / report.deals.height)) and item["per_deal"]["value"] == 0
    assert seen > 3


def test_seats_lead_and_strategies(report: Report) -> None:
    found, games = report.json, report.games
    for seat in report.seats:
        share = games[f"share_{seat}"]
        entry, led = found["seats"][seat], found["lead"]["seats"][seat]
        assert close(entry["win_share"]["value"], share.mean()) and close(entry["score"]["value"], games[f"score_{seat}"].mean())
        if entry["win_share"]["method"] == "wilson":
            low, high = proportion_confint(share.sum(), share.len(), method="wilson")
            assert close(entry["win_share"]["low"], low) and close(entry["win_share"]["high"], high)
        own = games.filter(leader=seat)[f"share_{seat}"]
        assert led["led"] == own.len() and (not own.len() or close(led["if_led"]["value"], own.mean()))
    when_led = [games.filter(leader=seat)[f"share_{seat}"].mean() for seat in report.seats if games.filter(leader=seat).height]
    assert close(found["lead"]["leader"]["value"], sum(when_led) / len(when_led))


def test_lengths_endings_and_totals(report: Report) -> None:
    found = report.json
    assert found["run"]["deals"] == report.deals.height and found["run"]["games"] == report.games.height
    assert found["run"]["points_total"] == report.tallies["points"].cast(pl.Int64).sum()
    spreads = {"deals": (found["length"]["games"], report.games["deals"])}
    spreads |= {column: (entry, report.deals[column]) for column, entry in found["length"]["deals"].items()}
    for spread, column in spreads.values():
        assert close(spread["mean"]["value"], column.mean()) and (spread["least"], spread["most"]) == (column.min(), column.max())
        for quantile in spread["quantiles"]:
            assert quantile["value"]["value"] == column.sort()[math.ceil(quantile["q"] * column.len()) - 1]
        assert dict(spread["histogram"]) == dict(column.value_counts().iter_rows())
    for of, table in (("games", report.games), ("deals", report.deals)):
        counted = dict(table.select(pl.col("reason").cast(pl.String)).group_by("reason").len().iter_rows())
        assert {entry["key"]: entry["count"] for entry in found["endings"][of] if entry["count"]} == counted
    margin = [abs(row[0] - row[1]) for row in report.games.select(pl.concat_list(pl.col("^score_.*$")).list.sort(descending=True).alias("s"))["s"].to_list()]
    assert close(found["margin"]["mean"]["value"], sum(margin) / len(margin)) or report.json["ruleset"]["lowest_wins"]


def test_scores_of_winners_and_runners_up(report: Report) -> None:
    """Game by game, in plain Python."""
    lowest = report.json["ruleset"]["lowest_wins"]
    start = {"kombinator": 100}.get(report.json["run"]["game"], 0)
    finals = {row["game"]: [row[f"score_{seat}"] * (-1 if lowest else 1) for seat in report.seats] for row in report.games.iter_rows(named=True)}
    seen: dict[tuple[str, int], list[int]] = {}
    scores: dict[int, list[int]] = {}
    for row in report.deals.sort("game", "deal").iter_rows(named=True):
        own = scores.setdefault(row["game"], [start for _ in report.seats])
        for seat in report.seats:
            own[seat] += row[f"points_{seat}"]
        order = sorted(report.seats, key=lambda seat: -finals[row["game"]][seat])
        for who, seat in zip(("winner", "second"), order, strict=False):
            seen.setdefault((who, row["deal"]), []).append(own[seat])
    enough = 0.05 * report.games.height
    assert {(row["who"], row["deal"]) for row in report.json["race"]} == {key for key, values in seen.items() if len(values) >= enough}
    for row in report.json["race"]:
        values = sorted(seen[row["who"], row["deal"]])
        assert row["games"] == len(values)
        assert row["quantiles"] == [values[math.ceil(q * len(values)) - 1] for q in (0.05, 0.25, 0.5, 0.75, 0.95)]
    drawn = report.json["figures"].get("race")
    assert (drawn["data"] if drawn else []) == (report.json["race"] if max(row["deal"] for row in report.json["race"]) > 1 else [])


def test_categories_sum_up_their_items(report: Report) -> None:
    size = report.tallies["points"].cast(pl.Int64).abs().sum()
    for category in report.json["categories"]:
        items = [item["key"] for item in report.json["items"] if item["category"] == category["key"]]
        rows = report.tallies.filter(pl.col("item").is_in(items))
        assert category["count"] == rows["count"].cast(pl.Int64).sum()
        if category["share"] and category["count"]:
            assert close(category["share"]["value"], rows["points"].cast(pl.Int64).abs().sum() / size)


class Numbers(HTMLParser):
    """The words of a page that hold results: cells, findings and readouts, without scripts, pictures, commands and stories."""

    SKIPPED = ("style", "script", "svg", "pre", "nav", "footer")

    def __init__(self) -> None:
        super().__init__()
        self.open: list[tuple[str, str]] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "input", "br"):
            self.open.append((tag, dict(attrs).get("class") or ""))

    def handle_endtag(self, tag: str) -> None:
        self.open.pop()

    def handle_data(self, data: str) -> None:
        if any(tag in self.SKIPPED for tag, _ in self.open):
            return
        if any(tag in ("td", "li") or kind in ("number", "value") for tag, kind in self.open) and not any(kind == "sure" for _, kind in self.open):
            self.words.append(data)


def numbers_in(value: Any) -> list[float]:
    """Every number in some JSON, and what stands in its texts."""
    if isinstance(value, bool) or value is None:
        return []
    if isinstance(value, int | float):
        return [float(value)]
    if isinstance(value, dict):
        return [number for key, each in value.items() if key != "data" for number in numbers_in(each)]
    if isinstance(value, list):
        return [float(len(value)), *(number for each in value for number in numbers_in(each))]
    return [float(word) for word in re.findall(r"\d+(?:\.\d+)?", value)] if len(value) < 1_000 else []


def test_every_number_of_the_page_is_in_the_json(report: Report) -> None:
    page = Numbers()
    page.feed(report.paths["report.html"].read_text("utf-8"))
    known = [abs(number) for number in numbers_in({key: value for key, value in report.json.items() if key != "figures"})]
    known += [1 / number for number in known if number] + [number + 1 for number in known if number < 20]
    scaled = sorted({number * scale for number in known for scale in (1, 100, 1_000)})
    point, group = (".", ",") if report.language == "en" else (",", "\u202f")
    pattern = re.compile(rf"\d+(?:{group}\d{{3}})*(?:\{point}\d+)?")
    checked = 0
    for words in page.words:
        for token in pattern.findall(words):
            plain = token.replace(group, "").replace(point, ".")
            decimals = len(plain.partition(".")[2])
            zeros = 0 if "." in plain else len(plain) - len(plain.rstrip("0"))
            # The last digit that is shown may be rounded up or down; large round numbers are rounded to two or three digits.
            unit = 10.0 ** (zeros or -decimals)
            place = bisect.bisect_left(scaled, float(plain) - unit * 1.000001)
            assert place < len(scaled) and scaled[place] <= float(plain) + unit * 1.000001, (token, words)
            checked += 1
    assert checked > 200
