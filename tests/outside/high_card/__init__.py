"""High card, for two: a card each, which may be changed once; the higher rank wins, with an ace one point more."""

from simcore.games.high_card import names, view
from simcore.games.high_card.engine import HighCardEngine

from simcore.game import Account, Game

GAME = Game(
    key="high_card",
    decisions=("change",),
    items=names.ITEMS,
    roles=names.ROLES,
    enums={"games": {"reason": names.GAME_ENDINGS}, "deals": {"reason": names.DEAL_ENDINGS}},
    view_type=view.VIEW_TYPE,
    rules_type=view.RULES_TYPE,
    work_type=view.WORK_TYPE,
    move_type=view.MOVE_TYPE,
    engine=HighCardEngine,
    account=Account(ceiling="target"),
)
