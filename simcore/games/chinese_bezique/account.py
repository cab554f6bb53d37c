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
    line, inclusive, game = prices["rubicon"], options["rubicon_inclusive"], prices["won_game"]
    more, less = points.max(axis=1), points.min(axis=1)

    def crossed(some: np.ndarray) -> np.ndarray:
        found: np.ndarray = (some >= line if inclusive else some > line) | (line == 0)
        return found

    raw = np.where(crossed(more) & ~crossed(less), more + less, np.maximum(more - less, BIG_POINT)) + game
    big = (raw + BIG_POINT // 2) // BIG_POINT
    return np.where((points == more[:, None]) & (more > less)[:, None], big[:, None], 0).astype(points.dtype)
