"""Names of the numbers that the kernel writes, by position."""

from __future__ import annotations

from typing import Final

from simcore.game import schema

ITEMS: Final = tuple(schema("chinese_bezique").points)
ROLES: Final = ("first", "again", "settlement")
DEAL_ENDINGS: Final = ("played",)
GAME_ENDINGS: Final = ("complete",)
