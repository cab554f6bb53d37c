"""From a ruleset to the numbers that the kernel is given."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

    from simcore.ruleset import Ruleset


def check(ruleset: Ruleset) -> None:
    """Every ruleset of this game is sound: no option depends on another."""


def pack(ruleset: Ruleset) -> np.ndarray:
    """The ruleset as one record (RULES[1]) for the kernel."""
    import numpy as np

    from simcore.games.seven_card_combo.combinations import BONUS_SETS, BONUSES
    from simcore.games.seven_card_combo.view import RULES

    rules = np.zeros(1, RULES)
    rules["wrap"] = ruleset.options["ace"] == "wrap"
    rules["any_of_pile"] = ruleset.options["pile"] == "any"
    for name in ("later_pile", "deals"):
        rules[name] = ruleset.options[name]
    rules["points"] = list(ruleset.points.values())
    rules["best_bonus"] = -1
    for held in range(1, BONUS_SETS):
        best = best_bonus(ruleset, [key for i, key in enumerate(BONUSES) if held >> i & 1])
        rules["best_bonus"][0, held] = BONUSES.index(best)
        rules["bonus_points"][0, held] = ruleset.points[best]
    return rules


def best_bonus(ruleset: Ruleset, held: list[str]) -> str:
    """The one bonus that counts of those that a hand holds (S17, SA2): the lowest; of equal ones the first in the table."""
    return min(held, key=lambda key: ruleset.points[key])
