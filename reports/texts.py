"""The words of a report: labels of one language, names from the summary, numbers in that language's way."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from reports.numbers import Numbers

LANGUAGES = ("en", "ru")


def load(language: str) -> dict[str, dict[str, str]]:
    """All labels of a language: table, key, text.

    Raises:
        ValueError: If there is no such language.
    """
    if language not in LANGUAGES:
        raise ValueError(f"reports are written in {' or '.join(LANGUAGES)}, not in {language!r}")
    return tomllib.loads(files("reports").joinpath("languages", f"{language}.toml").read_text("utf-8"))


class Texts:
    """Labels, names and numbers of a report in one language.

    Attributes:
        language: ``en`` or ``ru``.
        numbers: Prints numbers.
    """

    def __init__(self, language: str, words: Mapping[str, Mapping[str, Mapping[str, str]]]) -> None:
        """Takes the language and the game's own words (``summary["ruleset"]["words"]``)."""
        self.language = language
        self.numbers = Numbers(language)
        self._labels = load(language)
        self._words = words
        self._deal = {form: words.get("deal", {}).get(form, {}).get(language, text) for form, text in self._labels["deal"].items()}

    def __call__(self, key: str, /, **values: Any) -> str:
        """The label ``table.key``, its places filled in; ``{deal[many]}`` is the game's word for deals."""
        table, _, name = key.partition(".")
        return self._labels[table][name].format(deal=self._deal, **values)

    def name(self, entry: Mapping[str, Any]) -> str:
        """The name of an entry of the summary in this language."""
        return str(entry["name"][self.language])

    def word(self, table: str, key: str) -> str:
        """What the game calls a key of its tables; the key itself where its file has no word."""
        name = self._words.get(table, {}).get(key)
        return name[self.language] if name else key.replace("_", " ")

    def deals(self, value: float, places: int = 0) -> str:
        """A number of deals with the noun in the form that the number asks for."""
        return f"{self.numbers.fixed(value, places)} {self._deal[self.numbers.form(value, places)]}"

    def times(self, factor: float) -> str:
        """So many times as much, to two digits; to more where two would say once, and it is not."""
        digits = next((digits for digits in range(2, 6) if float(f"{factor:.{digits - 1}e}") != 1), 2)
        text = self.numbers.significant(factor, digits)
        places = 1 if "." in text or (self.language == "ru" and "," in text) else 0
        return self("times." + self.numbers.form(float(f"{factor:.{digits - 1}e}"), places), n=text)
