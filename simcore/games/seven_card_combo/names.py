"""Names of the numbers that the kernel writes, by position."""

from __future__ import annotations

from typing import Final

from simcore.game import schema

ITEMS: Final = (*schema("seven_card_combo").points, *schema("seven_card_combo").counted)
ROLES: Final = ("counted", "idle", "cover")
DEAL_ENDINGS: Final = ("complete",)
GAME_ENDINGS: Final = ("complete",)
