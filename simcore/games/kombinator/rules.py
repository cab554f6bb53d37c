"""From a ruleset to the numbers that the kernel is given."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import cache
from typing import TYPE_CHECKING, Final

from simcore.errors import InputError, nearest

if TYPE_CHECKING:
    import numpy as np

    from simcore.ruleset import Ruleset

STAGES: Final = 15
# Combinations by rising worth within a category: "or better" (K-91) means this one and those after it.
LADDERS: Final = (
    ("small_force", "large_force", "absolute_force"),
    ("small_row", "medium_row", "large_row", "great_row", "legendary_row"),
    ("small_queue", "medium_queue", "large_queue", "great_queue", "legendary_queue"),
    ("small_optima", "medium_optima", "large_optima", "great_optima", "legendary_optima"),
)
SWITCHES: Final = {
    "trump_of_nine": ("nine_player_trump", "last_dealt"),
    "last_leader_leads": ("lead_after_passes", "last_leader"),
    "repeat_marriage": ("repeat_marriage", "zero"),
    "superblow_adds": ("superblow", "adds"),
    "credit_per_combination": ("credit_per", "combination"),
    "loose_cards": ("loose_cards_in_attack", True),
}
SAME_NAME: Final = (
    "start_score",
    "hand_size",
    "hand_limit",
    "beaten_marriage_counts",
    "superblow_in_composite",
    "take_after_forced_pass",
    "max_bouts",
    "max_deals",
    "millionaire",
    "superblow_counts_as_force",
    "weak_marriage_passes_stage",
)


def check(ruleset: Ruleset) -> None:
    """Raises InputError where options contradict each other or the ladder of stages is malformed."""
    limit, size = ruleset.options["hand_limit"], ruleset.options["hand_size"]
    if int(str(limit)) < int(str(size)):
        raise InputError(f"hand_limit is {limit}, but must be at least hand_size, which is {size}", key="hand_limit")
    ladder(ruleset)


def check_players(ruleset: Ruleset, players: int) -> None:
    """Raises InputError where the pack has too few cards for so many players (K-4, K-5)."""
    size = int(str(ruleset.options["hand_size"]))
    if size * players > 36:
        raise InputError(f"{players} players with {size} cards each need {size * players} cards, but the pack has 36 (K-4, K-5)")


def ladder(ruleset: Ruleset) -> list[tuple[frozenset[str], frozenset[str], Decimal]]:
    """The stages of K-91: for each the combinations that pass it in attack, those in defence, and its modifier."""
    entries = ruleset.options["ladder"]
    assert isinstance(entries, tuple)
    return _parse_ladder(entries, tuple(list(ruleset.points)[:25]))


@cache
def _parse_ladder(entries: tuple[str, ...], kinds: tuple[str, ...]) -> list[tuple[frozenset[str], frozenset[str], Decimal]]:
    if not 1 <= len(entries) <= STAGES:
        raise InputError(f"ladder has {len(entries)} stages, but must have 1 to {STAGES}", key="ladder")
    stages = []
    for number, entry in enumerate(entries, 1):
        match = re.fullmatch(r"\s*(?P<what>[^=]+?)\s*=\s*(?P<modifier>\d+(\.\d+)?)\s*", entry)
        if not match:
            raise InputError(f"ladder, stage {number}: expected 'combination … = modifier', got '{entry}'", key="ladder")
        attack: set[str] = set()
        defence: set[str] = set()
        for token in match["what"].split():
            names, role = _read_token(token, kinds, number)
            if role != "defence":
                attack |= names
            if role != "attack":
                defence |= names
        stages.append((frozenset(attack), frozenset(defence), Decimal(match["modifier"])))
    return stages


def _read_token(token: str, kinds: tuple[str, ...], number: int) -> tuple[set[str], str]:
    name, _, role = token.partition("@")
    better = name.endswith("+")
    name = name.rstrip("+")
    if role not in ("", "attack", "defence"):
        raise InputError(f"ladder, stage {number}: '{token}': after @ stands attack or defence.{nearest(role, ['attack', 'defence'])}", key="ladder")
    if name not in kinds:
        raise InputError(f"ladder, stage {number}: '{name}' is no combination.{nearest(name, kinds)}", key="ladder")
    if not better:
        return {name}, role
    for rising in LADDERS:
        if name in rising:
            return set(rising[rising.index(name) :]), role
    raise InputError(f"ladder, stage {number}: '{token}': '+' (or better) goes with forces, rows, queues and optimas only", key="ladder")


def pack(ruleset: Ruleset) -> np.ndarray:
    """The ruleset as one record (RULES[1]) for the kernel."""
    import numpy as np

    from simcore.games.kombinator.combinations import (
        ABSOLUTE_FORCE,
        ITEMS,
        KINDS,
        MARRIAGE,
        PART_COST,
        POINTS_SHIFT,
        SMALL_FORCE,
        SUPERBLOW,
        WEAK_COST,
        WEAK_MARRIAGE,
        kind_weights,
    )
    from simcore.games.kombinator.view import RULES

    rules = np.zeros(1, RULES)
    for name in SAME_NAME:
        rules[name] = ruleset.options[name]
    for name, (option, value) in SWITCHES.items():
        rules[name] = ruleset.options[option] == value
    points = np.zeros(ITEMS, np.int64)
    points[: len(ruleset.points)] = list(ruleset.points.values())
    weights = kind_weights()
    value = (points << POINTS_SHIFT) - PART_COST + weights
    value[WEAK_MARRIAGE] = weights[MARRIAGE] - WEAK_COST - PART_COST
    superblow = value.copy()
    for force in range(SMALL_FORCE, ABSOLUTE_FORCE + 1):
        worth = points[SUPERBLOW] + (points[force] if ruleset.options["superblow"] == "adds" else 0)
        superblow[force] = (worth << POINTS_SHIFT) - PART_COST + weights[force]
    rules["points"], rules["value"], rules["superblow_value"] = points, value, superblow
    kinds = list(ruleset.points)[:KINDS]
    unit = Decimal(int(str(ruleset.options["stake"]))) * int(str(ruleset.options["start_score"]))
    for stage, (attack, defence, modifier) in enumerate(ladder(ruleset), 1):
        rules["prize"][0, stage] = unit * modifier
        rules["stage_attack"][0, stage] = sum(1 << kinds.index(name) for name in attack)
        rules["stage_defence"][0, stage] = sum(1 << kinds.index(name) for name in defence)
    return rules
