"""How far something that plays games is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Progress:
    """How far it is.

    Attributes:
        folder: The run; None where nothing is kept.
        played: Games played so far, those before an interruption included.
        wanted: Games that are wanted.
        deals_now: Deals played since it was begun or continued.
        games_now: Games played since then.
        precision: Half the width of the widest interval at the last look, where a precision is aimed at.
    """

    folder: Path | None
    played: int
    wanted: int
    deals_now: int
    games_now: int
    precision: float | None = None

    def rate(self, seconds: float) -> float:
        """Deals a second, in so many seconds since it was begun or continued."""
        return self.deals_now / seconds if seconds > 0 else 0.0

    def told(self, seconds: float) -> str:
        """A line for a log."""
        left = (self.wanted - self.played) * seconds / self.games_now if self.games_now else None
        remaining = "" if left is None else f", {left:,.0f} s left"
        known = "" if self.precision is None else f", known to ±{self.precision:.2g}"
        return f"{self.played:,} of {self.wanted:,} games, {self.rate(seconds):,.0f} deals a second{remaining}{known}"


Report = Callable[[Progress], None]
