"""Chinese or six-pack bezique for two, as a Russian book of card games has it, with what it leaves out from the common rules as options.

The rulebook in short, with the numbers that code, tests and reports cite.

Play. Six packs of 32 cards; ten ranks above king and below ace (B1, B2). Twelve cards each, the rest is the stock (B4). The non-dealer leads, any card may
follow (B9); the highest trump or the highest card of the suit takes the trick, of two identical cards the first one (B10). Who takes it may score one
declaration (B12); then both draw. No trump is turned: the first marriage or sequence fixes it (B6). Declared cards stay in the hand (B13), and may be declared
again in another class, in a higher combination, or when a like card has taken the place of one that was played (B16 to B20). A hand without king, queen and
jack is carte blanche (B21).

End. When the stock is empty nothing is declared any more, and suit must be followed or trumped (B23, B24); the last trick counts (B27). The winner scores the
difference and the won game, or the sum where only the loser has not crossed the rubicon (S1 to S4), in big points of a hundred (S5). A game is ``deals`` deals.

House choices are options of ``rules.toml``.

Modules, bottom up: combinations (cards, what is declared), view (records), legal (what may be done), rows, scoring (records of declarations, settlement), play
(the kernel); moves (what strategies build on); rules (ruleset to numbers), account (settlement of stored deals), engine (kernel to Python), transcript,
telling, frequencies.
"""

from __future__ import annotations

from simcore.game import Account, Game
from simcore.games.chinese_bezique import names
from simcore.games.chinese_bezique.account import counted, effect, settle
from simcore.games.chinese_bezique.engine import ChineseBeziqueEngine
from simcore.games.chinese_bezique.view import MOVE_TYPE, RULES_TYPE, VIEW_TYPE, WORK_TYPE

GAME = Game(
    key="chinese_bezique",
    decisions=("play", "declare", "claim"),
    items=names.ITEMS,
    roles=names.ROLES,
    enums={"games": {"reason": names.GAME_ENDINGS}, "deals": {"reason": names.DEAL_ENDINGS}},
    view_type=VIEW_TYPE,
    rules_type=RULES_TYPE,
    work_type=WORK_TYPE,
    move_type=MOVE_TYPE,
    engine=ChineseBeziqueEngine,
    account=Account(effect=effect, settle=settle, counted=counted, settled_from="scored", most="deals"),
)
