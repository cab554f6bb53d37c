"""Names of the numbers that the kernel writes, by position."""

from __future__ import annotations

from typing import Final

from simcore.game import schema

ITEMS: Final = (*schema("gin_rummy").points, *schema("gin_rummy").counted)
ROLES: Final = ("knocker", "opponent", "account")
DEAL_ENDINGS: Final = ("gin", "knock", "undercut", "stock", "max_turns_per_deal")
GAME_ENDINGS: Final = ("score", "max_deals")
