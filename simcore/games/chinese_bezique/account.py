"""How the points of stored deals become big points, for scoring them again by other prices (S1 to S5)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from simcore.games.chinese_bezique.scoring import BIG_POINT
from simcore.schema import OptionValue


def effect(item: str, role: str) -> tuple[int, int]:
    """What is declared adds to the own points; what the settlement counts changes none of them."""
    return 0, 0 if role == "settlement" else 1


def settle(options: Mapping[str, OptionValue], prices: Mapping[str, int], points: np.ndarray) -> np.ndarray:
    """Big points by seat for the points of deals, both int[deals, 2]; as `scoring.settle`."""
    more, less = points.max(axis=1), points.min(axis=1)
    raw = np.where(_rubiconed(options, prices, points), more + less, np.maximum(more - less, BIG_POINT)) + prices["won_game"]
    big = (raw + BIG_POINT // 2) // BIG_POINT
    return np.where((points == more[:, None]) & (more > less)[:, None], big[:, None], 0).astype(points.dtype)


def counted(options: Mapping[str, OptionValue], prices: Mapping[str, int], points: np.ndarray) -> dict[tuple[str, str], np.ndarray]:
    """By item and role of what a settlement counts, the seat of each deal that it is counted for, -1 for nobody."""
    winner = np.where(points[:, 0] == points[:, 1], -1, points.argmax(axis=1))
    return {
        ("won_game", "settlement"): winner,
        ("rubicon", "settlement"): np.where(_rubiconed(options, prices, points), winner, -1),
    }


def _rubiconed(options: Mapping[str, OptionValue], prices: Mapping[str, int], points: np.ndarray) -> np.ndarray:
    """Whether only the winner has crossed the rubicon in each deal (bool[deals]); as `scoring.is_rubiconed`."""
    line = prices["rubicon"]
    crossed = points >= line if options["rubicon_inclusive"] or line == 0 else points > line
    return np.asarray(crossed.any(axis=1) & ~crossed.all(axis=1))
