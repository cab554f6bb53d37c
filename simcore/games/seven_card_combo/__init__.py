"""Seven Card Combo, by Stephen McVerry: 52 cards, two to four players, three circles to leave no card of seven outside a combination.

The rulebook in short, with the numbers that code, tests and reports cite.

Play. Four cards each, the next card opens the pile (S5). A turn: put any number of cards aside face down, then take as many and one more, from the stock, the
open pile or the packet that the player before has just put aside (S7 to S10). The packet is looked at only when the own discards are fixed, by that player
alone; what is left of it goes face up on the pile (S11, S12). A pile that is taken whole is opened anew (S9). Three circles make hands of seven (S13).

Score. A card is covered by a run of four or more, four or more of its suit, or two or more of its rank; every other card costs a point (S15). Of the bonuses
that a hand holds the best one counts (S16, S17). Three deals; the lowest total wins (S18).

House choices are options of ``rules.toml``. A turn that needs more cards than the stock has follows a reshuffle of the open pile but its top card (SA13);
whoever takes several cards of the pile therefore draws no more than the stock has.

Modules, bottom up: combinations (what a hand is worth), view (records), legal (what may be done), rows, play (the kernel); moves and outlook (what strategies
build on); rules (ruleset to numbers), engine (kernel to Python), account (tallies to scores), transcript, telling, frequencies.
"""

from __future__ import annotations

from simcore.game import Account, Game
from simcore.games.seven_card_combo import names
from simcore.games.seven_card_combo.account import effect
from simcore.games.seven_card_combo.engine import SevenCardComboEngine
from simcore.games.seven_card_combo.view import MOVE_TYPE, RULES_TYPE, VIEW_TYPE, WORK_TYPE

GAME = Game(
    key="seven_card_combo",
    decisions=("discard", "take"),
    items=names.ITEMS,
    roles=names.ROLES,
    enums={"games": {"reason": names.GAME_ENDINGS}, "deals": {"reason": names.DEAL_ENDINGS}},
    view_type=VIEW_TYPE,
    rules_type=RULES_TYPE,
    work_type=WORK_TYPE,
    move_type=MOVE_TYPE,
    engine=SevenCardComboEngine,
    account=Account(effect=effect, best_of=("counted", "idle"), most="deals"),
)
