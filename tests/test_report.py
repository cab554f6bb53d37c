"""The report: words in both languages, honest numbers, figures with their data, a page that stands alone."""

from __future__ import annotations

import json
import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from string import Formatter
from typing import Any
from xml.etree import ElementTree

import jsonschema
import polars as pl
import pytest
import synthetic

from experiments.estimates import Estimate
from experiments.findings import CONCERNS
from experiments.summary import summary
from reports import figures, style
from reports.numbers import Numbers
from reports.render import NAMES, render
from reports.sections import document
from reports.texts import LANGUAGES, Texts, load

ROOT = Path(__file__).parent.parent
VOID = {"meta", "br", "hr", "img", "link", "input"}


def summed(
    seats: int = 2, games: int = 150, *, frequencies: bool = True, millionaire: bool = False, **run: Any
) -> Any:
    tables = synthetic.tables(games, seats, seed=3, edge=0.05, millionaire=millionaire)
    info = synthetic.info(games, seats, **run)
    exact = synthetic.frequencies() if frequencies else None
    rules = synthetic.ruleset(millionaire=True, pair=4) if millionaire else synthetic.ruleset()
    return summary(info, rules, *(table.lazy() for table in tables), exact)


@pytest.fixture(scope="module")
def found() -> Any:
    return summed()


@pytest.fixture(scope="module")
def english(found: Any, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return render(found, "en", tmp_path_factory.mktemp("en"))


@pytest.fixture(scope="module")
def russian(found: Any, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return render(found, "ru", tmp_path_factory.mktemp("ru"))


# ---------------------------------------------------------------- words


def test_both_languages_have_the_same_labels_with_the_same_places() -> None:
    def places(labels: dict[str, dict[str, str]]) -> dict[tuple[str, str], set[str]]:
        found = {}
        for table, entries in labels.items():
            for key, text in entries.items():
                names = {name.partition("[")[0] for _, name, _, _ in Formatter().parse(text) if name}
                found[table, key] = names - {"deal"}
        return found

    assert places(load("en")) == places(load("ru"))


def test_every_label_is_used() -> None:
    sources = "".join(path.read_text("utf-8") for path in (ROOT / "reports").rglob("*.py"))
    sources += "".join(path.read_text("utf-8") for path in (ROOT / "reports").rglob("*.html"))
    sources += "".join(
        f'"{form}"'
        for language in LANGUAGES
        for form in re.findall(r"\{deal\[(\w+)\]\}", str(load(language)))
    )
    labels = load("en")
    assert tuple(labels.pop("concerns")) == CONCERNS
    assert set(labels.pop("methods")) == {"said", "wilson", "exact", "never", "always", "t", "cluster", "mover", "poisson", "order", "sequence"}
    for table, entries in labels.items():
        for key in entries:
            # Some keys are put together: by their beginning, or from a list of endings.
            parts = key.split("_")
            beginnings = ["_".join(parts[:size]) for size in range(len(parts), 0, -1)]
            assert any(f'"{table}.{part}' in sources or f'"{part}"' in sources for part in beginnings), (
                table,
                key,
            )


def test_the_games_own_words_cover_its_records() -> None:
    words = synthetic.ruleset().schema.words
    for table, keys in (
        ("role", synthetic.ROLES),
        ("lead", synthetic.LEADS),
        ("ending", synthetic.ENDINGS),
        ("game_ending", synthetic.GAME_ENDINGS),
    ):
        assert set(words[table]) == set(keys)
    assert set(words["deal"]) == set(load("en")["deal"])


def test_nothing_here_names_a_game() -> None:
    names = {path.parent.name for path in (ROOT / "simcore" / "games").glob("*/rules.toml")}
    for folder in ("reports", "experiments"):
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in {".py", ".toml", ".html", ".md", ".css", ".js"} and "library" not in path.parts:
                text = path.read_text("utf-8").lower()
                assert not [name for name in names if name in text], path


def test_unknown_language() -> None:
    with pytest.raises(ValueError, match="en or ru, not in 'de'"):
        Texts("de", {})


# ---------------------------------------------------------------- numbers

EN, RU = Numbers("en"), Numbers("ru")
THIN = "\u202f"


@pytest.mark.parametrize(
    "value, places, english, russian",
    [
        (0.5, 1, "0.5", "0,5"),
        (1234, 0, "1,234", "1234"),
        (1234567.891, 2, "1,234,567.89", f"1{THIN}234{THIN}567,89"),
        (-12.345, 1, "\u221212.3", "\u221212,3"),
        (-0.001, 1, "0.0", "0,0"),
    ],
)
def test_fixed(value: float, places: int, english: str, russian: str) -> None:
    assert (EN.fixed(value, places), RU.fixed(value, places)) == (english, russian)


def test_estimates_are_printed_with_the_digits_of_their_error() -> None:
    share = Estimate(0.51234, 0.50934, 0.51534, 10**5, "wilson").to_dict()
    assert EN.both(share, percent=True) == "51.23% (50.93\u201351.53%)"
    assert RU.both(share, percent=True) == f"51,23{THIN}% (50,93\u201351,53{THIN}%)"
    margin = Estimate(-0.34, -1.48, 0.80, 3000, "t").to_dict()
    assert EN.both(margin) == f"\u22120.3 (\u22121.5{THIN}\u2026{THIN}0.8)"


def test_a_lower_end_above_zero_is_not_printed_as_zero() -> None:
    assert EN.interval(Estimate(0.0008, 0.00002, 0.0042, 99, "poisson").to_dict()) == "0.00002\u20130.00420"


def test_what_was_never_seen_is_printed_as_less_than_its_bound() -> None:
    never = Estimate(0.0, 0.0, 2.9957e-6, 10**6, "never").to_dict()
    assert EN.value(never, 1000) == "< 0.0030" and EN.interval(never) == ""
    assert RU.value(never, percent=True) == f"< 0,00030{THIN}%"
    # "Fewer than 1 in N" stays true when N is rounded.
    assert EN.at_least(2.9957e-6) == "330,000"
    always = Estimate(1.0, 0.99876, 1.0, 2400, "always").to_dict()
    assert EN.interval(always, percent=True) == "\u2265 99.87%"


def test_more_digits_where_an_interval_would_seem_to_touch() -> None:
    close = Estimate(0.5043, 0.50003, 0.50857, 50_000, "wilson").to_dict()
    assert EN.interval(close, percent=True) == "50.0\u201350.9%" and EN.touches(close, 0.5)
    assert EN.interval(close, percent=True, more=1) == "50.00\u201350.86%"
    assert not EN.touches(close, 0.4)


def test_whole_quantiles_and_missing_intervals() -> None:
    assert EN.both(Estimate(12.0, 11.0, 13.0, 50, "order").to_dict()) == "12 (11\u201313)"
    assert EN.both(Estimate(12.25, None, None, 1, "none").to_dict()) == "12.25"


def test_axis_numbers_and_chances() -> None:
    assert [EN.plain(value) for value in (0.001, 0.25, 10.0, 1234567)] == ["0.001", "0.25", "10", "1,230,000"]
    assert EN.one_in(1 / 3338) == "3,340" and EN.one_in(0.4) == "2.50"


@pytest.mark.parametrize(
    "value, places, form",
    [
        (1, 0, "one"),
        (2, 0, "few"),
        (5, 0, "many"),
        (11, 0, "many"),
        (21, 0, "one"),
        (112, 0, "many"),
        (10.5, 1, "few"),
    ],
)
def test_russian_forms(value: float, places: int, form: str) -> None:
    assert RU.form(value, places) == form


def test_deals_are_named_as_the_game_names_them() -> None:
    words = synthetic.ruleset().schema.words
    assert Texts("ru", words).deals(31_565) == f"31{THIN}565 партий"
    assert Texts("ru", words).deals(10.52, 2) == "10,52 партии"
    assert Texts("ru", {}).deals(3) == "3 сдачи"
    assert Texts("en", {}).deals(1) == "1 deal"


# ---------------------------------------------------------------- figures


def texts_of(found: Any, language: str = "en") -> Texts:
    return Texts(language, found["ruleset"]["words"])


def test_rarity_in_hands_holds_every_priced_combination(found: Any) -> None:
    drawn = figures.rarity_in_hands(found, texts_of(found))
    table = found["hands"]["tables"][-1]["items"]
    priced = {each["key"]: each["price"] for each in found["items"] if each["price"]}
    assert {row["key"] for row in drawn.data} == {
        key for key, entry in table.items() if entry and entry["count"] and key in priced
    }
    rarer = {pair["rarer"] for pair in found["inversions"]["hands"]}
    for row in drawn.data:
        assert row["chance"] == table[row["key"]]["probability"] and row["price"] == priced[row["key"]]
        assert row["inverted"] == (row["key"] in rarer)
    assert drawn.title.startswith(f"{len(found['inversions']['hands'])} pairs")


def test_rarity_in_play_marks_bounds(found: Any) -> None:
    drawn = figures.rarity_in_play(found, texts_of(found))
    estimates = {each["key"]: each["per_deal"] for each in found["items"]}
    for row in drawn.data:
        estimate = estimates[row["key"]]
        assert row["bound"] == (estimate["method"] == "never")
        assert row["value"] == (estimate["high"] if row["bound"] else estimate["value"])
    assert {row["key"] for row in drawn.data if row["bound"]} >= {"legendary_row"}


def test_play_by_role_has_a_dot_for_every_role_and_a_bound_where_nothing_was_seen(found: Any) -> None:
    drawn = figures.play_by_role(found, texts_of(found))
    for each in found["items"]:
        rows = [row for row in drawn.data if row["key"] == each["key"]]
        if each["count"]:
            assert {row["role"]: row["value"] for row in rows} == {
                role: entry["per_deal"]["value"] for role, entry in each["roles"].items()
            }
        elif each["combination"]:
            assert [(row["role"], row["bound"]) for row in rows] == [(None, True)]


def test_play_by_strategy_names_a_difference_with_intervals_apart(found: Any) -> None:
    drawn = figures.play_by_strategy(found, texts_of(found))
    assert {row["strategy"] for row in drawn.data} == {"greedy", "counter"}
    assert "greedy plays" in drawn.title or drawn.title == texts_of(found)("figures.strategies_same")
    assert figures.play_by_strategy(summed(strategies=["greedy", "greedy"]), texts_of(found)) is None


def test_categories_and_wins_hold_their_estimates(found: Any) -> None:
    drawn = figures.categories(found, texts_of(found))
    assert [{"key": each["key"], **each["share"]} for each in found["categories"]] == drawn.data
    most = max(found["categories"], key=lambda each: each["share"]["value"])
    assert drawn.title.startswith(most["name"]["en"])
    wins = figures.wins(found, texts_of(found))
    assert [row["key"] for row in wins.data] == ["leader", "others", "seat 0", "seat 1"]
    assert wins.data[0]["value"] == found["lead"]["leader"]["value"]


def test_length_shows_the_distribution(found: Any) -> None:
    spread = found["length"]["games"]
    drawn = figures.length(spread, "key", "Deals", "Title", "Share", texts_of(found))
    total = sum(count for _, count in spread["histogram"])
    shown = sum(row["share"] for row in drawn.data)
    assert figures.SHOWN <= shown <= 1 + 1e-12
    for row in drawn.data:
        inside = sum(count for value, count in spread["histogram"] if row["from"] <= value <= row["to"])
        assert row["share"] == pytest.approx(inside / total)
    long = dict(spread, histogram=[[value, 1] for value in range(1, 1001)])
    assert (
        len(figures.length(long, "key", "Deals", "Title", "Share", texts_of(found)).data) <= figures.BARS + 1
    )


def test_ladder_holds_every_seat_and_stage() -> None:
    found = summed(millionaire=True)
    drawn = figures.ladder(found, texts_of(found))
    reached = found["ladder"]["stages"][1]["reached"]
    assert [row["value"] for row in drawn.data if row["seat"] == 1] == [
        entry["value"] for entry in reached[1:]
    ]


def test_drawings_are_text_that_follows_the_page(found: Any) -> None:
    drawn = figures.wins(found, texts_of(found, "ru"))
    for svg in (drawn.svg, drawn.narrow):
        root = ElementTree.fromstring(svg)
        words = "".join(root.itertext())
        assert "Место 0: greedy" in words and "Доля побед" in words
        assert root.attrib["role"] == "img" and root.attrib["aria-label"] == drawn.alt
        assert "metadata" not in svg and "font-family" not in svg and "<style" not in svg
        colours = set(re.findall(r"#[0-9a-f]{6}", svg))
        assert all(f", {colour})" in svg for colour in colours), "a colour does not follow the page"


def test_drawings_are_the_same_every_time(found: Any) -> None:
    assert figures.categories(found, texts_of(found)) == figures.categories(found, texts_of(found))


def test_ids_are_unique_in_the_page(english: dict[str, Path]) -> None:
    counts = Counter(re.findall(r'\bid="([^"]+)"', english["report.html"].read_text("utf-8")))
    assert [name for name, count in counts.items() if count > 1] == []


# ---------------------------------------------------------------- the page


class Page(HTMLParser):
    """Checks that tags are closed in order, and collects what tests ask for."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] not in (["style"], ["script"]):
            self.words.append(data)


def parsed(path: Path) -> Page:
    page = Page()
    page.feed(path.read_text("utf-8"))
    page.close()
    assert page.open == []
    return page


def test_page_stands_alone(english: dict[str, Path]) -> None:
    text = english["report.html"].read_text("utf-8")
    addresses = set(re.findall(r"https?://[^\"' )]+", text))
    assert addresses <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    for tag, attributes in parsed(english["report.html"]).tags:
        assert tag not in {"link", "img", "iframe"} and "src" not in attributes
        for name in ("href", "xlink:href", "src"):
            assert (attributes.get(name) or "#").startswith("#")
    assert "@import" not in text and "@font-face" not in text
    assert len(text) < 2_000_000


def test_page_can_be_used_without_eyes(english: dict[str, Path]) -> None:
    page = parsed(english["report.html"])
    ids = {attributes["id"] for _, attributes in page.tags if "id" in attributes}
    assert next(attributes["lang"] for tag, attributes in page.tags if tag == "html") == "en"
    for tag, attributes in page.tags:
        if tag == "svg":
            assert attributes["aria-label"]
        if tag == "table":
            assert attributes["aria-labelledby"] in ids
        if tag == "th":
            assert attributes["scope"] in {"col", "row"}
        if tag == "a":
            assert (attributes["href"] or "")[1:] in ids
    levels = [int(tag[1]) for tag, _ in page.tags if re.fullmatch(r"h[1-6]", tag)]
    assert levels[0] == 1 and all(two <= one + 1 for one, two in zip(levels, levels[1:], strict=False))


def test_colours_have_contrast() -> None:
    def luminance(colour: str) -> float:
        parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    def contrast(one: str, two: str) -> float:
        low, high = sorted((luminance(one), luminance(two)))
        return (high + 0.05) / (low + 0.05)

    css = (ROOT / "reports" / "templates" / "style.css").read_text("utf-8")
    light, dark = (
        dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", block))
        for block in re.findall(r":root \{(.*?)\}", css, re.S)[:2]
    )
    for colours in (light, dark):
        for name in ("ink", "muted", "link", "clear", "likely", "open"):
            assert contrast(colours[name], colours["paper"]) >= 4.5
            assert contrast(colours[name], colours["panel"]) >= 4.5
    for number, (bright, dim) in enumerate(style.SERIES):
        assert contrast(bright, light["paper"]) >= 3 and contrast(dim, dark["paper"]) >= 3
        assert dark[f"series-{number}"] == dim
    assert (light["ink"], light["muted"], light["rule"], light["paper"]) == (
        style.INK,
        style.MUTED,
        style.RULE,
        style.PAPER,
    )


def test_languages_do_not_mix(english: dict[str, Path], russian: dict[str, Path]) -> None:
    assert not re.search("[а-яё]", "".join(parsed(english["report.html"]).words), re.I)
    words = " ".join(parsed(russian["report.html"]).words)
    english_labels = [
        text for table, entries in load("en").items() if table != "times" for text in entries.values()
    ]
    for text in english_labels:
        plain = re.sub(r"\{[^}]*\}", "", text).strip(" .,:;()%<")
        if len(plain.split()) > 1:
            assert plain not in words, plain
    assert "Комбинатор" in words and "Малая форс-атака" in words


def test_headlines_come_first_with_number_interval_n_and_how_sure(
    found: Any, english: dict[str, Path]
) -> None:
    made = document(found, "en")
    assert [section.key for section in made.sections] == [
        *(
            "findings",
            "setup",
            "hands",
            "play",
            "lead",
            "points",
            "table",
            "length",
            "strategies",
            "guards",
            "games",
            "method",
        )
    ]
    told = made.sections[0].blocks[1].rows
    assert len(told) == len(found["findings"])
    ranks = [CONCERNS.index(finding.concern) for finding in told]
    assert ranks == sorted(ranks) and len(set(ranks)) > 2
    leader = next(finding for finding in told if finding.section == "lead")
    assert leader.method == "95% interval, mean over seats (MOVER), n = 150"
    assert leader.number == EN.value(found["lead"]["leader"], percent=True)
    for part in (leader.number, EN.interval(found["lead"]["leader"], percent=True), "150 games", "50%"):
        assert part in leader.text
    assert all(finding.sure for finding in told)


def test_setup_tells_how_to_repeat_the_run(found: Any, english: dict[str, Path]) -> None:
    text = english["report.md"].read_text("utf-8")
    for part in (
        found["run"]["command"],
        "seat 0: greedy; seat 1: counter",
        "polars 2.1.0",
        found["run"]["source_hash"],
    ):
        assert part in text
    changed = render(summed(millionaire=True, games=20), "en", english["report.md"].parent / "changed")[
        "report.md"
    ].read_text("utf-8")
    assert re.search(r"\| pair \(Pair\) \| 4 \| 3 \|", changed)
    assert re.search(r"\| millionaire .* \| true \| false \| K-91 \|", changed)


def test_numbers_of_the_page_are_those_of_the_summary(found: Any, english: dict[str, Path]) -> None:
    rows = {}
    for line in english["report.md"].read_text("utf-8").splitlines():
        cells = [cell.strip() for cell in line.replace("\u00a0", THIN).strip("|").split("|")]
        rows.setdefault(cells[0], []).append(cells)
    pair = next(each for each in found["items"] if each["key"] == "pair")
    played = next(cells for cells in rows["Pair"] if len(cells) == 7)
    assert played[2] == EN.both(pair["per_deal"], 1000)
    assert played[5] == EN.both(pair["roles"]["defence"]["per_deal"], 1000)
    scored = next(cells for cells in rows["Pair"] if len(cells) == 5 and cells[1] == "3")
    assert scored[2:] == [
        EN.fixed(pair["points"]),
        EN.both(pair["points_per_deal"]),
        EN.both(pair["share"], percent=True),
    ]
    hands = next(cells for cells in rows["Pair"] if len(cells) == 10)
    assert hands[6] == f"{EN.significant(100 * found['hands']['tables'][3]['items']['pair']['probability'])}%"


def test_markdown_tables_are_whole(english: dict[str, Path], russian: dict[str, Path]) -> None:
    for paths in (english, russian):
        width = 0
        for line in paths["report.md"].read_text("utf-8").splitlines():
            if line.startswith("|"):
                cells = line.count("|") - line.count("\\|")
                assert width in (0, cells), line
                width = cells
            else:
                width = 0


def test_json_has_everything_unrounded(
    found: Any, english: dict[str, Path], russian: dict[str, Path]
) -> None:
    told = json.loads(english["report.json"].read_text("utf-8"))
    drawn = told.pop("figures")
    assert told == json.loads(json.dumps(found))
    assert set(drawn) >= {
        "rarity-in-hands",
        "play-by-role",
        "categories",
        "wins",
        "games-length",
        "bouts-length",
    }
    other = json.loads(russian["report.json"].read_text("utf-8"))
    assert other.pop("figures").keys() == drawn.keys() and other == told


def test_what_is_not_quite_once_is_not_called_once() -> None:
    told = {1.0123: "1.01 times", 1.00042: "1.0004 times", 1.5: "1.5 times", 61.3: "61 times"}
    assert {factor: Texts("en", {}).times(factor) for factor in told} == told
    assert Texts("ru", {}).times(1.0123) == "в 1,01 раза"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_run_stopped_by_precision_says_so(tmp_path: Path, language: str) -> None:
    rule = {"precision": 0.02, "best_at": 4000, "looks": [1000, 4000], "reached": True, "intervals": {}}
    games, deals, tallies = (each.lazy() for each in synthetic.tables(300, seed=3))
    found = summary(synthetic.info(300, stopping=rule), synthetic.ruleset(), games, deals, tallies)
    paths = render(found, language, tmp_path)
    page, leader = paths["report.md"].read_text("utf-8").replace("\u00a0", THIN), found["lead"]["leader"]
    assert leader["method"] == "sequence" and load(language)["methods"]["sequence"] in page
    words = {"en": ("How the run was stopped", "±2.00%"), "ru": ("Как прогон был остановлен", "±2,00")}
    assert all(each in page for each in (*words[language], Numbers(language).interval(leader, percent=True)))
    jsonschema.validate(json.loads(paths["report.json"].read_text("utf-8")), json.loads((ROOT / "docs" / "report.schema.json").read_text("utf-8")))


def test_json_keeps_to_the_published_schema(english: dict[str, Path]) -> None:
    schema = json.loads((ROOT / "docs" / "report.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    told = json.loads(english["report.json"].read_text("utf-8"))
    jsonschema.validate(told, schema)
    wrong: list[dict[str, Any]] = [
        {key: value for key, value in told.items() if key != "lead"},
        told | {"more": 1},
        told | {"items": [told["items"][0] | {"count": "many"}]},
        told | {"margin": told["margin"] | {"mean": told["margin"]["mean"] | {"method": "guess"}}},
    ]
    for each in wrong:
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(each, schema)


def test_same_summary_same_bytes(found: Any, english: dict[str, Path], tmp_path: Path) -> None:
    again = render(found, "en", tmp_path / "new" / "folder")
    assert list(again) == [*NAMES, "figures", "data"]
    assert all(again[name].read_bytes() == english[name].read_bytes() for name in NAMES)
    assert sorted(path.name for path in (tmp_path / "new" / "folder").iterdir()) == sorted(again)
    for folder in ("figures", "data"):
        files = sorted(path.name for path in again[folder].iterdir())
        assert files == sorted(path.name for path in english[folder].iterdir())
        assert all((again[folder] / name).read_bytes() == (english[folder] / name).read_bytes() for name in files)


def test_figures_stand_alone(found: Any, english: dict[str, Path]) -> None:
    drawn = json.loads(english["report.json"].read_text("utf-8"))["figures"]
    assert {path.stem for path in english["figures"].iterdir()} == set(drawn)
    for key in drawn:
        text = (english["figures"] / f"{key}.svg").read_text("utf-8")
        assert "var(" not in text and ElementTree.fromstring(text.encode()).attrib["role"] == "img"
        assert (english["figures"] / f"{key}.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


def test_figures_of_the_report_before_do_not_stay(found: Any, tmp_path: Path) -> None:
    paths = render(found, "en", tmp_path)
    (paths["figures"] / "mine.svg").write_text("not of the report")
    assert (paths["figures"] / "play-by-strategy.svg").exists()
    render(summed(games=20, strategies=["greedy", "greedy"]), "en", tmp_path)
    assert not list(paths["figures"].glob("play-by-strategy.*")) and (paths["figures"] / "mine.svg").exists()


def test_tables_for_other_programs_hold_the_numbers(found: Any, english: dict[str, Path]) -> None:
    items = pl.read_parquet(english["data"] / "items.parquet")
    assert items["key"].to_list() == [each["key"] for each in found["items"]]
    assert items["share_low"].to_list() == [each["share"]["low"] for each in found["items"]]
    assert items["name_ru"][0] == "Пара"
    roles = pl.read_csv(english["data"] / "roles_of_items.csv")
    assert roles["count"].sum() == sum(each["count"] for each in found["items"])
    spread = pl.read_parquet(english["data"] / "distributions.parquet").filter(measure="deals_per_game")
    assert (spread["value"] * spread["count"]).sum() == found["run"]["deals"]
    for path in english["data"].glob("*.parquet"):
        assert pl.read_csv(path.with_suffix(".csv"), infer_schema_length=None).shape == pl.read_parquet(path).shape, path


def test_text_from_outside_is_escaped(tmp_path: Path) -> None:
    hostile = "bots.py:<script>alert(1)</script>|&"
    paths = render(summed(games=20, strategies=[hostile, "greedy"]), "en", tmp_path)
    scripts = re.findall(r"<script[^>]*>(.*?)</script>", paths["report.html"].read_text("utf-8"), re.DOTALL)
    assert len(scripts) == 2 and "alert" not in "".join(scripts)
    parsed(paths["report.html"])
    assert "\\|&" in paths["report.md"].read_text("utf-8")


@pytest.mark.parametrize(
    "language, kind",
    [
        ("ru", "no frequencies"),
        ("en", "one strategy"),
        ("ru", "three seats"),
        ("en", "ladder"),
        ("ru", "one game"),
        ("en", "no points"),
        ("ru", "cut off"),
        ("en", "unfinished"),
    ],
)
def test_every_kind_of_run_has_a_report(language: str, kind: str, tmp_path: Path) -> None:
    if kind in {"no points", "cut off"}:
        games, deals, tallies = synthetic.tables(40, 2)
        if kind == "no points":
            tallies = tallies.with_columns(points=pl.lit(0, pl.Int32))
        else:
            stopped = pl.Series(["max_bouts"] * 3 + [None] * (deals.height - 3), dtype=deals.schema["reason"])
            deals = deals.with_columns(reason=stopped.fill_null(deals["reason"]))
            all_games = pl.Series(["max_deals"] * 40, dtype=games.schema["reason"])
            games = games.with_columns(reason=all_games)
        found = summary(synthetic.info(40), synthetic.ruleset(), games.lazy(), deals.lazy(), tallies.lazy())
    else:
        found = {
            "no frequencies": lambda: summed(games=40, frequencies=False),
            "one strategy": lambda: summed(games=40, strategies=["greedy", "greedy"]),
            "three seats": lambda: summed(3, games=40),
            "ladder": lambda: summed(games=40, millionaire=True),
            "one game": lambda: summed(games=1),
            "unfinished": lambda: summed(games=40, finished=False) | {},
        }[kind]()
        if kind == "unfinished":
            found["run"]["wanted"] = 1000
    paths = render(found, language, tmp_path)
    parsed(paths["report.html"])
    jsonschema.validate(json.loads(paths["report.json"].read_text("utf-8")), json.loads((ROOT / "docs" / "report.schema.json").read_text("utf-8")))
    text = paths["report.md"].read_text("utf-8")
    assert not re.search(r"\bNone\b|\bnan\b|\binf\b", text)
    told = {
        "no frequencies": ("not computed", "не вычислялись"),
        "one strategy": ("even by construction", "равны по построению"),
        "three seats": ("Seat 2", "Место 2"),
        "ladder": ("Mean pay-out", "Выигрыш за вычетом проигрышей"),
        "one game": ("One game: no interval", "Одна игра: интервала нет"),
        "no points": ("No points were scored", "очков не набрано"),
        "cut off": ("3 of ", "3 из "),
        "unfinished": ("40 of 1,000", "40 из 1000"),
    }
    assert told[kind][LANGUAGES.index(language)] in text
