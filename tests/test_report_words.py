"""The words and numbers of a report: the same in both languages, none unused, digits as the error allows."""

from __future__ import annotations

import re
from pathlib import Path
from string import Formatter

import pytest
import synthetic

from experiments.estimates import Estimate
from experiments.findings import CONCERNS
from reports.numbers import Numbers
from reports.texts import LANGUAGES, Texts, load

ROOT = Path(__file__).parent.parent


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
    sources += "".join(f'"{form}"' for language in LANGUAGES for form in re.findall(r"\{deal\[(\w+)\]\}", str(load(language))))
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


def test_what_is_not_quite_once_is_not_called_once() -> None:
    told = {1.0123: "1.01 times", 1.00042: "1.0004 times", 1.5: "1.5 times", 61.3: "61 times"}
    assert {factor: Texts("en", {}).times(factor) for factor in told} == told
    assert Texts("ru", {}).times(1.0123) == "в 1,01 раза"
