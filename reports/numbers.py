"""Numbers as they are printed, in English and in Russian."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from experiments.estimates import Estimate, decimals

NARROW = "\u202f"
"""Narrow no-break space: groups digits in Russian and keeps a number and its sign together."""
MINUS = "\u2212"
DASH = "\u2013"


class Numbers:
    """Prints numbers the way a language does.

    Attributes:
        language: ``en`` or ``ru``.
    """

    def __init__(self, language: str) -> None:
        """Takes the language's code."""
        self.language = language
        self._russian = language == "ru"

    def fixed(self, value: float, places: int = 0) -> str:
        """A number with so many decimal places, its digits grouped."""
        text = f"{abs(value):,}" if isinstance(value, int) and places == 0 else f"{abs(value):,.{places}f}"  # a whole number of any size to its last digit
        minus = MINUS if value < 0 and text.strip("0.,") else ""
        if not self._russian:
            return minus + text
        group = NARROW if abs(value) >= 10_000 else ""
        return minus + text.replace(",", group).replace(".", ",")

    def significant(self, value: float, digits: int = 3) -> str:
        """A number with so many significant digits."""
        if value == 0:
            return "0"
        rounded = float(f"{value:.{digits - 1}e}")
        return self.fixed(rounded, max(0, digits - 1 - math.floor(math.log10(abs(rounded)))))

    def plain(self, value: float) -> str:
        """A number of an axis: up to three significant digits, without zeros at the end."""
        if value == 0:
            return "0"
        rounded = float(f"{value:.2e}")
        text = f"{rounded:.12f}".rstrip("0")
        return self.fixed(rounded, len(text) - text.index(".") - 1)

    def percent(self, share: float, places: int = 1) -> str:
        """A share between 0 and 1 as a percentage."""
        return self.sign(self.fixed(share * 100, places))

    def sign(self, text: str) -> str:
        """A number that has been printed, with a percent sign."""
        return f"{text}{NARROW}%" if self._russian else f"{text}%"

    def value(self, estimate: Mapping[str, Any], scale: float = 1.0, *, percent: bool = False, more: int = 0) -> str:
        """The value of an estimate times a scale, with the digits that its error allows.

        What never happened is printed as "less than" its bound. `more` adds decimal places, for a number whose
        interval would otherwise seem to touch what it does not.
        """
        made = Estimate.from_dict(estimate)
        scale = 100.0 if percent else scale
        if made.method == "never" and made.high:
            text = "< " + self._bound(made.high * scale)
            return self.sign(text) if percent else text
        places = 0 if made.method == "always" else self._places(made, scale) + more
        text = self.fixed(made.value * scale, places)
        return self.sign(text) if percent else text

    def interval(self, estimate: Mapping[str, Any], scale: float = 1.0, *, percent: bool = False, more: int = 0) -> str:
        """The interval of an estimate times a scale; empty where there is none, or only a bound.

        `more` is as in `value`.
        """
        made = Estimate.from_dict(estimate)
        if made.low is None or made.high is None or made.method == "never" or made.low == made.high:
            return ""
        scale = 100.0 if percent else scale
        places = self._places(made, scale) + more
        if made.method == "always":
            text = "\u2265 " + self.fixed(math.floor(made.low * scale * 10**places) / 10**places, places)
            return self.sign(text) if percent else text
        text = self.span(made.low * scale, made.high * scale, places)
        return self.sign(text) if percent else text

    def span(self, low: float, high: float, places: int) -> str:
        """From one number to another."""
        ends = self.fixed(low, places), self.fixed(high, places)
        return f"{NARROW}\u2026{NARROW}".join(ends) if low < 0 else DASH.join(ends)

    def signed(self, value: float, places: int = 0) -> str:
        """A change, with its sign and so many decimal places."""
        text = self.fixed(value, places)
        return f"+{text}" if value > 0 and text.strip("0.,") else text

    def limits(self, low: float | None, high: float | None) -> str:
        """Where a number should lie: between two, on one side of one where the other is None, or on one where they are the same."""
        if low is None or high is None:
            return f"\u2265 {self.exact(low)}" if low is not None else f"\u2264 {self.exact(high or 0.0)}"
        return self.exact(low) if low == high else f"{self.exact(low)}{DASH}{self.exact(high)}"

    def exact(self, value: float) -> str:
        """A number that was given, with the digits that it was given with."""
        text = f"{abs(value):.12g}" if abs(value) < 1e15 else f"{abs(value):g}"
        return self.fixed(value, len(text.partition(".")[2])) if "e" not in text else f"{value:g}"

    def touches(self, estimate: Mapping[str, Any], reference: float) -> bool:
        """Whether an end of a percentage's interval, as printed, is the same as a reference."""
        made = Estimate.from_dict(estimate)
        places = self._places(made, 100.0)
        ends = (end for end in (made.low, made.high) if end is not None)
        return any(round(end * 100, places) == round(reference * 100, places) for end in ends)

    def both(self, estimate: Mapping[str, Any], scale: float = 1.0, *, percent: bool = False) -> str:
        """Value and interval in one text."""
        interval = self.interval(estimate, scale, percent=percent)
        value = self.value(estimate, scale, percent=percent)
        return f"{value} ({interval})" if interval else value

    def one_in(self, chance: float) -> str:
        """How many trials one success takes on average: the N of "1 in N"."""
        return self.significant(1.0 / chance, 3)

    def at_least(self, bound: float) -> str:
        """The N of "fewer than 1 in N" from the upper bound of a probability, rounded down: it stays true."""
        trials = 1.0 / bound
        unit = 10.0 ** (math.floor(math.log10(trials)) - 1)
        return self.fixed(math.floor(trials / unit) * unit, 1 if trials < 10 else 0)

    def form(self, value: float, places: int = 0) -> str:
        """Which form of a noun follows a number as printed: ``one``, ``few`` or ``many``."""
        if not self._russian:
            return "one" if value == 1 and not places else "many"
        if places:
            return "few"
        whole = abs(round(value))
        if whole % 10 == 1 and whole % 100 != 11:
            return "one"
        return "few" if whole % 10 in (2, 3, 4) and whole % 100 not in (12, 13, 14) else "many"

    def places(self, estimate: Mapping[str, Any], scale: float = 1.0) -> int:
        """Decimal places with which `value` prints an estimate."""
        return self._places(Estimate.from_dict(estimate), scale)

    def _places(self, estimate: Estimate, scale: float) -> int:
        if estimate.method == "order":
            return 0
        found = decimals(estimate, scale)
        if found is not None and estimate.low is not None:
            # A lower end above 0 is not printed as 0, if a digit or two more can help it.
            low = estimate.low * scale
            more = (places for places in range(found, found + 3) if low <= 0 or round(low, places))
            return min(next(more, found), 12)
        return 0 if float(estimate.value * scale).is_integer() else 2

    def _bound(self, value: float) -> str:
        """An upper bound with two digits, rounded up, so that it stays true."""
        unit = 10.0 ** (math.floor(math.log10(value)) - 1)
        places = max(0, round(-math.log10(unit)))
        return self.fixed(math.ceil(value / unit - 1e-9) * unit, places)
