"""From a ruleset to the numbers that the kernel is given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from simcore.errors import InputError

if TYPE_CHECKING:
    import numpy as np

    from simcore.ruleset import Ruleset

SAME_NAME: Final = (
    "target",
    "knock_limit",
    "tie_is_undercut",
    "forbid_discard_taken",
    "fiftieth_card",
    "net_boxes",
    "gin_boxes",
    "shutout_multiplier",
    "max_turns_per_deal",
    "max_deals",
)


def check(ruleset: Ruleset) -> None:
    """Raises InputError where a bonus is below 0: a score never falls, so that the game comes to its end."""
    for key, points in ruleset.points.items():
        if points < 0:
            raise InputError(f"{key} is a bonus, 0 or more, got {points}", key=key)


def pack(ruleset: Ruleset) -> np.ndarray:
    """The ruleset as one record (RULES[1]) for the kernel."""
    import numpy as np

    from simcore.games.gin_rummy.combinations import PRICED
    from simcore.games.gin_rummy.view import RULES

    rules = np.zeros(1, RULES)
    for name in SAME_NAME:
        rules[name] = ruleset.options[name]
    rules["same_redealer"] = ruleset.options["redealer"] == "same"
    rules["points"][0, :PRICED] = list(ruleset.points.values())
    return rules
