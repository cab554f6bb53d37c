"""From a ruleset to the numbers that the kernel is given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from simcore.errors import InputError

if TYPE_CHECKING:
    import numpy as np

    from simcore.ruleset import Ruleset

SAME_NAME: Final = (
    "deals",
    "no_repeat_trump",
    "marriage_partner_swap",
    "marriage_then_sequence",
    "carte_blanche_repeat",
    "endplay_must_head",
    "rubicon_inclusive",
)


def check(ruleset: Ruleset) -> None:
    """Raises InputError where a value of the scoring table is below 0: nobody would declare what costs points."""
    for key, points in ruleset.points.items():
        if points < 0:
            raise InputError(f"{key} is a reward or a line, 0 or more, got {points}", key=key)


def pack(ruleset: Ruleset) -> np.ndarray:
    """The ruleset as one record (RULES[1]) for the kernel."""
    import numpy as np

    from simcore.games.chinese_bezique.view import RULES

    rules = np.zeros(1, RULES)
    for name in SAME_NAME:
        rules[name] = ruleset.options[name]
    rules["trump_queen"] = ruleset.options["bezique_cards"] == "trump_queen"
    rules["points"][0] = list(ruleset.points.values())
    return rules
