"""Names of the numbers that the kernel writes, by position."""

from __future__ import annotations

from typing import Final

from simcore.game import schema

ITEMS: Final = (*schema("kombinator").points, "weak_marriage")
ROLES: Final = ("attack", "attack_beaten", "defence", "penalty")
LEADS: Final = ("lowest_trump", "after_dealer", "went_out", "last_leader")
DEAL_ENDINGS: Final = ("out", "passes", "passes_full", "max_bouts", "game_over")
GAME_ENDINGS: Final = ("score", "max_deals")
