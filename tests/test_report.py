"""The report as its files: a page that stands alone, Markdown, JSON by its schema, figures and tables beside them; for every kind of run."""

from __future__ import annotations

import json
import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import polars as pl
import pytest
import synthetic

from experiments.findings import CONCERNS
from experiments.summary import summary
from reports import style
from reports.numbers import NARROW, Numbers
from reports.render import NAMES, render
from reports.sections import document
from reports.texts import LANGUAGES, load

ROOT = Path(__file__).parent.parent
EN = Numbers("en")
VOID = {"meta", "br", "hr", "img", "link", "input"}


@pytest.fixture(scope="module")
def found() -> Any:
    return synthetic.summed()


@pytest.fixture(scope="module")
def english(found: Any, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return render(found, "en", tmp_path_factory.mktemp("en"))


@pytest.fixture(scope="module")
def russian(found: Any, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return render(found, "ru", tmp_path_factory.mktemp("ru"))


def test_ids_are_unique_in_the_page(english: dict[str, Path]) -> None:
    counts = Counter(re.findall(r'\bid="([^"]+)"', english["report.html"].read_text("utf-8")))
    assert [name for name, count in counts.items() if count > 1] == []


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
    light, dark = (dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", block)) for block in re.findall(r":root \{(.*?)\}", css, re.S)[:2])
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
    english_labels = [text for table, entries in load("en").items() if table != "times" for text in entries.values()]
    for text in english_labels:
        plain = re.sub(r"\{[^}]*\}", "", text).strip(" .,:;()%<")
        if len(plain.split()) > 1:
            assert plain not in words, plain
    assert "Комбинатор" in words and "Малая форс-атака" in words


def test_headlines_come_first_with_number_interval_n_and_how_sure(found: Any, english: dict[str, Path]) -> None:
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
    changed = render(synthetic.summed(millionaire=True, games=20), "en", english["report.md"].parent / "changed")["report.md"].read_text("utf-8")
    assert re.search(r"\| pair \(Pair\) \| 4 \| 3 \|", changed)
    assert re.search(r"\| millionaire .* \| true \| false \| K-91 \|", changed)


def test_numbers_of_the_page_are_those_of_the_summary(found: Any, english: dict[str, Path]) -> None:
    rows = {}
    for line in english["report.md"].read_text("utf-8").splitlines():
        cells = [cell.strip() for cell in line.replace("\u00a0", NARROW).strip("|").split("|")]
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


def test_json_has_everything_unrounded(found: Any, english: dict[str, Path], russian: dict[str, Path]) -> None:
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


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_run_stopped_by_precision_says_so(tmp_path: Path, language: str) -> None:
    rule = {"precision": 0.02, "best_at": 4000, "looks": [1000, 4000], "reached": True, "intervals": {}}
    games, deals, tallies = (each.lazy() for each in synthetic.tables(300, seed=3))
    found = summary(synthetic.info(300, stopping=rule), synthetic.ruleset(), games, deals, tallies)
    paths = render(found, language, tmp_path)
    page, leader = paths["report.md"].read_text("utf-8").replace("\u00a0", NARROW), found["lead"]["leader"]
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
    render(synthetic.summed(games=20, strategies=["greedy", "greedy"]), "en", tmp_path)
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
    paths = render(synthetic.summed(games=20, strategies=[hostile, "greedy"]), "en", tmp_path)
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
            "no frequencies": lambda: synthetic.summed(games=40, counted=False),
            "one strategy": lambda: synthetic.summed(games=40, strategies=["greedy", "greedy"]),
            "three seats": lambda: synthetic.summed(3, games=40),
            "ladder": lambda: synthetic.summed(games=40, millionaire=True),
            "one game": lambda: synthetic.summed(games=1),
            "unfinished": lambda: synthetic.summed(games=40, finished=False) | {},
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
