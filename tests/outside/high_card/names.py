"""Names of the numbers that the kernel writes, by position."""

from simcore.game import schema

ITEMS = tuple(schema("high_card").points)
ROLES = ("shown",)
DEAL_ENDINGS = ("won", "equal")
GAME_ENDINGS = ("score", "max_deals")
