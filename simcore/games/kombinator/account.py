"""Who pays for what is tallied, see `simcore.game.Account`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from simcore.ruleset import Ruleset

FORCES: Final = ("small_force", "large_force", "absolute_force")
BEATEN: Final = ("small_force_beaten", "large_force_beaten", "absolute_force_beaten", "assembly_beaten")


def effect(item: str, role: str) -> tuple[int, int]:
    """How many seats on the one sits whose score changes, and the sign of the price there.

    An attack is paid by the next player (K-13, K-43), a defence by the one before (K-42), what is left in hand by its holder (K-70); a jackpot is added to
    the own score (K-33). Of beaten attacks only the consolations count (K-25, K-32).
    """
    if role == "attack" or item in BEATEN:
        return 1, -1
    if role == "attack_beaten":
        return 0, 0
    if role == "penalty":
        return 0, -1
    return (0, 1) if item == "jackpot" else (-1, -1)


def parts(ruleset: Ruleset) -> Mapping[str, tuple[str, ...]]:
    """K-34: a superblow that adds is worth its own points and those of its force."""
    return {"superblow": FORCES} if ruleset.options["superblow"] == "adds" else {}
