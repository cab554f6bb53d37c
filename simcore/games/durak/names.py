"""Names of the numbers that the kernel writes, by position."""

from __future__ import annotations

from typing import Final

from simcore.game import schema

ITEMS: Final = tuple(schema("durak").counted)
DEALT: Final = "dealt"
ROLES: Final = ("leader", "thrower", "defender", DEALT)
LEADS: Final = ("prev_winner", "lowest_trump", "to_fool", "from_fool", "left_of_dealer")
DEAL_ENDINGS: Final = ("fool", "draw", "max_bouts", "void")
GAME_ENDINGS: Final = ("complete", "aces", "max_deals")
