"""What is played for a report besides its run: every number again by other means, and how it is told."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import polars as pl
import pytest

from experiments.compare import compare
from experiments.ledger import Ledger
from experiments.overview import summarise
from experiments.readings import MEASURES, others, readings
from experiments.runs import Run, run
from experiments.skill import LIMIT, games_to_lead, until_skill_shows
from reports.render import render
from reports.strength import matrix
from reports.texts import LANGUAGES, Texts
from simcore.api import rules
from simcore.game import get
from simcore.simulate import Table
from simcore.strategy import available

SCHEMA = Path(__file__).parent.parent / "docs" / "report.schema.json"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Run, dict[str, Any]]:
    done = run(Table(rules("kombinator"), ("greedy", "counter"), None, 11), 600, tmp_path_factory.mktemp("parts") / "run")
    return done, summarise(done)


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return summarise(run(Table(rules("kombinator"), ("thrifty",), 3, 11), 60, tmp_path_factory.mktemp("three") / "run"))


def shares(one: str, other: str, games: int) -> np.ndarray:
    """What the first of two strategies wins on each deck, on average over its seats; float64[games]."""
    tables = Table(rules("kombinator"), (one, other), 2, 11), Table(rules("kombinator"), (other, one), 2, 11)
    first, second = (table.play(0, games).games["share"] for table in tables)
    return np.asarray((first[:, 0] + second[:, 1]) / 2, float)


def told(found: dict[str, Any], language: str, folder: Path) -> str:
    """The report as Markdown; its JSON keeps to the published schema."""
    paths = render(found, language, folder)
    jsonschema.validate(json.loads(paths["report.json"].read_text("utf-8")), json.loads(SCHEMA.read_text("utf-8")))
    return paths["report.md"].read_text("utf-8")


# ---------------------------------------------------------------- strategies


def test_every_built_in_strategy_meets_every_other(played: tuple[Run, dict[str, Any]]) -> None:
    _, found = played
    meetings = found["evidence"]["tournament"]
    names = meetings["strategies"]
    assert names == list(available(Table(rules("kombinator"), ("random",), 2, 1).game)) and meetings["games"] >= 200
    for i, j in ((0, 1), (names.index("greedy"), names.index("counter"))):
        share = shares(names[i], names[j], meetings["games"])
        assert meetings["win_share"][i][j] == pytest.approx(share.mean())
        assert meetings["win_share"][i][j] + meetings["win_share"][j][i] == pytest.approx(1)
        low, high = meetings["interval"][i][j]
        assert low <= share.mean() <= high
    assert min(meetings["rating"]) == meetings["rating"][names.index("random")]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_picture_marks_what_is_surely_not_even(played: tuple[Run, dict[str, Any]], language: str) -> None:
    _, found = played
    meetings = found["evidence"]["tournament"]
    drawn = matrix(meetings, Texts(language, found["ruleset"]["words"]))
    names = meetings["strategies"]
    assert {frozenset((row["strategy"], row["against"])) for row in drawn.data} == {frozenset(pair) for pair in combinations(names, 2)}
    for row in drawn.data:
        i, j = names.index(row["strategy"]), names.index(row["against"])
        assert (row["win_share"], [row["low"], row["high"]]) == (meetings["win_share"][i][j], meetings["interval"][i][j])
        assert row["sure"] == (row["low"] > 0.5 or row["high"] < 0.5)
    against_random = [row for row in drawn.data if row["against"] == "random"]
    assert all(row["sure"] and row["win_share"] > 0.5 for row in against_random)
    most = max(sum(row["sure"] and row["win_share"] > 0.5 for row in drawn.data if row["strategy"] == name) for name in names)
    assert str(most) in drawn.title


def test_restricted_play_is_told_of_who_can_be_restricted(played: tuple[Run, dict[str, Any]]) -> None:
    _, found = played
    restricted = found["evidence"]["restricted"]
    assert {row["strategy"] for row in restricted["restrictions"]} == {"greedy", "counter"}
    for row in restricted["restrictions"]:
        if row["restriction"] == "never_beat":
            share = shares(row["strategy"], f"{row['strategy']}(never_beat=1)", restricted["games"])
            assert row["win_share"] == pytest.approx(share.mean()) and row["verdict"] == "costs"


@pytest.mark.parametrize("language, words", [("en", "games of two players only"), ("ru", "только для игр двух игроков")])
def test_strategies_of_more_than_two_players(three: dict[str, Any], language: str, words: str, tmp_path: Path) -> None:
    assert three["evidence"]["tournament"] is None and three["evidence"]["restricted"] is None
    assert words in told(three, language, tmp_path)


@pytest.mark.parametrize("language, words", [("en", "Pay-off matrix and ratings"), ("ru", "Матрица встреч и рейтинги")])
def test_the_strength_of_strategies_is_told(played: tuple[Run, dict[str, Any]], language: str, words: str, tmp_path: Path) -> None:
    _, found = played
    text = told(found, language, tmp_path)
    assert words in text and "never_beat" in text and (tmp_path / "figures" / "pay-offs.svg").is_file()
    stale = told(found | {"evidence": dict.fromkeys(found["evidence"])}, language, tmp_path / "stale")
    assert words not in stale and "never_beat" not in stale


# ---------------------------------------------------------------- skill


@pytest.mark.parametrize("share", [Fraction(51, 100), Fraction(55, 100), Fraction(607, 1000), Fraction(8, 10), Fraction(95, 100), Fraction(1)])
def test_games_until_skill_shows_by_the_sum_itself(share: Fraction) -> None:
    def chance(n: int) -> float:
        if n < 1_000:
            return float(sum(comb(n, k) * share**k * (1 - share) ** (n - k) for k in range(n // 2 + 1, n + 1)))
        own = float(share)
        ways = [(k, math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)) for k in range(n // 2 + 1, n + 1)]
        return math.fsum(math.exp(log + k * math.log(own) + (n - k) * math.log(1 - own)) for k, log in ways)

    games = games_to_lead(float(share))
    assert games is not None and games % 2 == 1
    assert chance(games) >= 0.95 and (games == 1 or chance(games - 2) < 0.95)


def test_skill_that_never_shows() -> None:
    assert games_to_lead(0.5) is None and games_to_lead(0.3) is None and games_to_lead(0.5001) is None
    assert (games_to_lead(0.501) or LIMIT) < LIMIT


def test_the_better_of_a_run_or_of_the_matrix(played: tuple[Run, dict[str, Any]], three: dict[str, Any]) -> None:
    _, found = played
    skill, counter = found["evidence"]["skill"], found["strategies"][1]
    assert (skill["better"], skill["other"]) == ("counter", "greedy") and skill["win_share"] == pytest.approx(counter["win_share"]["value"])
    assert skill["interval"] == pytest.approx([counter["win_share"]["low"], counter["win_share"]["high"]])
    assert skill["fewest"] <= skill["games"] <= (skill["most"] or LIMIT)
    assert three["evidence"]["skill"] is None
    meetings = found["evidence"]["tournament"]
    alone = until_skill_shows({"run": {"players": 2}, "strategies": [counter]}, meetings)
    best = sorted(meetings["rating"])[-2:]
    assert alone and {meetings["rating"][meetings["strategies"].index(alone[key])] for key in ("better", "other")} == set(best)
    i, j = (meetings["strategies"].index(alone[key]) for key in ("better", "other"))
    assert alone["win_share"] == pytest.approx(meetings["win_share"][i][j]) and alone["win_share"] > 0.5


@pytest.mark.parametrize("language, words", [("en", "Games until skill shows: "), ("ru", "Игр, за которые проявляется мастерство: ")])
def test_skill_is_told(played: tuple[Run, dict[str, Any]], language: str, words: str, tmp_path: Path) -> None:
    _, found = played
    assert f"{words}{found['evidence']['skill']['games']} (" in told(found, language, tmp_path)
    never = found["evidence"] | {"skill": found["evidence"]["skill"] | {"most": None}}
    assert {"en": "more than 1,000,000)", "ru": "больше 1\u00a0000\u00a0000)"}[language] in told(found | {"evidence": never}, language, tmp_path / "never")
    doubtful = found["evidence"] | {"skill": found["evidence"]["skill"] | {"interval": [0.49, 0.56], "most": None, "fewest": 187}}
    text = told(found | {"evidence": doubtful}, language, tmp_path / "open")
    assert words not in text and {"en": "it takes 187 games at least", "ru": "игр не меньше: 187."}[language] in text


@pytest.mark.parametrize(
    "language, needed, idle",
    [
        ("en", "even: 4.5 points to each other player at the end of the game (interval: 3 to 6).", "even without one (interval: \u2212104.5 to 109)."),
        ("ru", "равной: 4,5 очков каждому другому в конце игры (интервал: от 3 до 6).", "равной и без него (интервал: от \u2212104,5 до 109)."),
    ],
)
def test_what_may_be_nothing_is_no_compensation(played: tuple[Run, dict[str, Any]], language: str, needed: str, idle: str, tmp_path: Path) -> None:
    _, found = played

    def paid(value: float, low: float, high: float) -> str:
        first = found["evidence"]["first_move"] | {"compensation": {"value": value, "low": low, "high": high}}
        return told(found | {"evidence": found["evidence"] | {"first_move": first}}, language, tmp_path / f"{value}{low}")

    assert needed in paid(4.5, 3.0, 6.0) and {"en": "share of moving first alone even", "ru": "доля самого первого хода"}[language] in paid(4.5, 3.0, 6.0)
    assert idle in paid(105.5, -104.5, 109.0)
    assert needed.partition(" (")[0].replace("4.5", "5").replace("4,5", "5") + "." in paid(5.0, 5.0, 5.0)


@pytest.mark.parametrize("language, undecided, players", [("en", "undecided", "by the play of"), ("ru", "не решено", "только по игре")])
def test_fair_prices_say_by_whose_play_and_what_is_undecided(
    played: tuple[Run, dict[str, Any]], language: str, undecided: str, players: str, tmp_path: Path
) -> None:
    _, found = played
    prices = found["evidence"]["prices"]
    sure = prices | {"items": {item: entry | {"decided": True} for item, entry in prices["items"].items()}}
    doubtful = prices | {"items": sure["items"] | {"pair": sure["items"]["pair"] | {"decided": False}}}
    pages = {}
    for name, each in (("sure", sure), ("doubtful", doubtful)):
        text = told(found | {"evidence": found["evidence"] | {"prices": each}}, language, tmp_path / name)
        assert f"{players} greedy, counter" in text and "simcore price kombinator" in text
        pages[name] = text.count(undecided)
    assert pages["doubtful"] == pages["sure"] + 1


# ---------------------------------------------------------------- open readings


def test_readings_are_what_compare_says_of_each(played: tuple[Run, dict[str, Any]]) -> None:
    _, found = played
    measured, base = found["evidence"]["readings"], rules("kombinator")
    options = base.schema.options
    assert {row["key"] for row in measured["readings"]} == {key for key, option in options.items() if option.open}
    for row in measured["readings"]:
        assert row["value"] != base.options[row["key"]]
    counting = next(row for row in measured["readings"] if row["key"] == "beaten_marriage_counts")
    other = rules("kombinator(beaten_marriage_counts=true)")
    alone = compare(base, other, [("greedy", "counter")], measured["games"], measures=MEASURES, seed=11)["measures"]
    for row, once in zip(counting["measures"], alone, strict=True):
        assert row["measure"] == once["measure"]
        assert (row["now"], row["then"], row["difference"], row["interval"]) == (once["a"], once["b"], once["difference"], once["interval"])
        assert row["doubt"] >= once["doubt"], "corrected for more"
        assert (row["verdict"] == "undecided") == (row["doubt"] >= 0.05)


def test_a_reading_that_changes_nothing(played: tuple[Run, dict[str, Any]]) -> None:
    _, found = played
    rows = {row["key"]: row for row in found["evidence"]["readings"]["readings"]}
    games = found["evidence"]["readings"]["games"]
    for key in ("nine_player_trump", "beaten_marriage_counts"):
        base, other = (
            Table(ruleset, ("greedy", "counter"), 2, 11).play(0, games)
            for ruleset in (rules("kombinator"), dict((key, ruleset) for key, _, ruleset in others(rules("kombinator")))[key])
        )
        assert (base.tallies.tobytes() == other.tallies.tobytes()) == (rows[key]["changed"] == 0)
    assert rows["nine_player_trump"]["changed"] == 0 and rows["beaten_marriage_counts"]["changed"] > 0
    assert all(row["difference"] == 0 for row in rows["nine_player_trump"]["measures"])


def test_nothing_open_nothing_told() -> None:
    from dataclasses import replace

    base = rules("kombinator")
    closed = {key: replace(option, open=False) for key, option in base.schema.options.items()}
    shut = replace(base, schema=replace(base.schema, options=closed))
    assert not list(others(shut))
    assert readings(Table(shut, ("greedy",), 2, 1), 10) is None


@pytest.mark.parametrize("language, words", [("en", "nothing at all is changed by: "), ("ru", "совсем ничего не меняют: ")])
def test_readings_are_told(played: tuple[Run, dict[str, Any]], language: str, words: str, tmp_path: Path) -> None:
    """Those that change something have a row, the others are named below."""
    _, found = played
    text = told(found, language, tmp_path)
    listed = found["evidence"]["readings"]["readings"]
    (idle,) = (line.partition(words)[2] for line in text.splitlines() if words in line)
    assert len(idle.split("; ")) == sum(row["changed"] == 0 for row in listed) > 0
    rows = [line for line in text.splitlines() for row in listed if line.startswith(f"| {row['key']} = ")]
    assert len(rows) == sum(row["changed"] > 0 for row in listed) > 0
    none = {"readings": [row | {"changed": 0} for row in listed]}
    alone = told(found | {"evidence": found["evidence"] | {"readings": found["evidence"]["readings"] | none}}, language, tmp_path / "none")
    assert words in alone and not any(line.startswith(f"| {listed[0]['key']} = ") for line in alone.splitlines())


# ---------------------------------------------------------------- items that decide


def test_how_often_an_item_decides_is_what_scoring_again_says(played: tuple[Run, dict[str, Any]]) -> None:
    _, found = played
    decides = found["evidence"]["decides"]
    batch = Table(rules("kombinator"), ("greedy", "counter"), 2, 11).play(0, decides["games"])
    ledger = Ledger(get("kombinator"), rules("kombinator"), [batch], 2, list(decides["items"]))
    assert {"pair", "triple", "jackpot"} <= set(decides["items"])
    for place, share in enumerate(decides["items"].values()):
        prices = ledger.base.copy()
        prices[place] = 0
        other = (np.abs(ledger.replay(prices).share - batch.games["share"][:, :2]) > 1e-9).any(axis=1)
        assert share["n"] == decides["games"] == len(other) and share["value"] == pytest.approx(other.mean())
    idle = [each for each in found["evidence"]["lint"]["findings"] if each["code"] == "never-decides"]
    assert {key for key, share in decides["items"].items() if not share["value"]} == {key for each in idle for key in each["items"]}


@pytest.mark.parametrize("language, words", [("en", "| Decides games |"), ("ru", "| Решает игр |")])
def test_items_that_decide_are_told(played: tuple[Run, dict[str, Any]], language: str, words: str, tmp_path: Path) -> None:
    _, found = played
    assert words in told(found, language, tmp_path)
    assert words not in told(found | {"evidence": found["evidence"] | {"decides": None}}, language, tmp_path / "none")


# ---------------------------------------------------------------- for other programs


def test_what_was_played_for_the_report_is_in_its_tables(played: tuple[Run, dict[str, Any]], three: dict[str, Any], tmp_path: Path) -> None:
    found = played[1]
    folder = render(found, "en", tmp_path / "two")["data"]
    tables = {path.stem: pl.read_parquet(path) for path in folder.glob("*.parquet")}
    evidence = found["evidence"]

    def ends(name: str, *keys: str) -> dict[Any, list[float]]:
        table = tables[name]
        return {tuple(row[key] for key in keys): [row["low"], row["high"]] for row in table.iter_rows(named=True)}

    meetings = evidence["tournament"]
    names = meetings["strategies"]
    places = [(i, j) for i in range(len(names)) for j in range(len(names)) if i != j]
    assert ends("pay_offs", "strategy", "against") == {(names[i], names[j]): meetings["interval"][i][j] for i, j in places}
    assert tables["pay_offs"]["win_share"].to_list() == [meetings["win_share"][i][j] for i, j in places]
    assert tables["ratings"]["rating"].to_list() == meetings["rating"] and set(tables["pay_offs"]["decks"]) == {meetings["games"]}
    assert tables["ladder"]["win_share"].to_list() == [step["win_share"] for step in meetings["ladder"]]
    assert ends("restrictions", "strategy", "restriction") == {
        (row["strategy"], row["restriction"]): row["interval"] for row in evidence["restricted"]["restrictions"]
    }
    rows = [(each, row) for each in evidence["readings"]["readings"] for row in each["measures"]]
    assert ends("readings", "option", "value", "measure") == {
        (each["key"], str(each["value"]).lower() if isinstance(each["value"], bool) else each["value"], row["measure"]): row["interval"] for each, row in rows
    }
    assert tables["readings"]["changed"].to_list() == [each["changed"] for each, _ in rows]
    assert tables["decides"].select("item", "value", "high", "n").rows() == [
        (item, entry["value"], entry["high"], entry["n"]) for item, entry in evidence["decides"]["items"].items()
    ]
    assert ends("skill", "better") == {(evidence["skill"]["better"],): evidence["skill"]["interval"]}
    estimates = [each for measure in ("share", "points") for each in evidence["first_move"][measure].values() if each]
    assert tables["first_move"]["value"].to_list() == [each["value"] for each in estimates]
    prices = evidence["prices"]["items"]
    assert dict(tables["fair_prices"].select("item", "fair").rows()) == {item: entry["fair"] for item, entry in prices.items()}
    assert ends("fair_prices", "item") == {(item,): entry["band"] or [None, None] for item, entry in prices.items()}
    highest = ("high_interval_low", "high_interval_high")
    assert tables["fair_prices"].select(*highest).rows() == [tuple(entry["band_interval"][1]) if entry["band"] else (None, None) for entry in prices.values()]
    assert tables["fair_prices"]["decided"].to_list() == [entry["decided"] for entry in prices.values()]
    for path in folder.glob("*.parquet"):
        assert pl.read_csv(path.with_suffix(".csv"), infer_schema_length=None).shape == pl.read_parquet(path).shape, path
    without = {path.stem for path in render(three, "en", tmp_path / "three")["data"].glob("*.csv")}
    assert not without & {"pay_offs", "ratings", "ladder", "restrictions", "skill"} and "decides" in without
