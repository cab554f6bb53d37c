"""Gin rummy for two, as a Russian book of card games has it, with the readings that it leaves open as options.

The rulebook in short, with the numbers that code, tests and reports cite.

Play. Ten cards each, the next one turned up (G3). The non-dealer, then the dealer may take it (G4); if neither does, the non-dealer draws from the stock
(GA1). A turn is a draw from the stock or the open pile and a discard (G5). Sets of three or four and runs in a suit, ace low, cost nothing; loose cards cost
their pips, court cards 10 (G6 to G9).

Ends. Who is left with ``knock_limit`` or less may knock (G10); the opponent lays down, and lays off on the knocker's melds (G11). The lower one scores the
difference, the opponent 25 on top, also when equal (G12 to G14). All melded is gin: 25 on top, nothing is laid off (G15). Two cards left in the stock, or
``max_turns_per_deal`` (GA16): nobody scores (G17). The winner of a round deals the next one (G2). At 100 the game is over: 100 more, and 25 for each round
won in excess of the opponent's (G16, G18); ``max_deals`` ends what never gets there.

House choices are options of ``rules.toml``.

Modules, bottom up: combinations (melds, worth of cards), splits (the best division of a hand, lay-offs), view (records), legal (what may be done), rows,
scoring, play (the kernel); moves (what strategies build on); rules (ruleset to numbers), engine (kernel to Python), transcript, telling, frequencies.
"""

from __future__ import annotations

from simcore.game import Account, Game
from simcore.games.gin_rummy import names
from simcore.games.gin_rummy.engine import GinRummyEngine
from simcore.games.gin_rummy.view import MOVE_TYPE, RULES_TYPE, VIEW_TYPE, WORK_TYPE

GAME = Game(
    key="gin_rummy",
    decisions=("draw", "discard"),
    items=names.ITEMS,
    roles=names.ROLES,
    enums={"games": {"reason": names.GAME_ENDINGS}, "deals": {"reason": names.DEAL_ENDINGS}},
    view_type=VIEW_TYPE,
    rules_type=RULES_TYPE,
    work_type=WORK_TYPE,
    move_type=MOVE_TYPE,
    engine=GinRummyEngine,
    account=Account(closing="account", ceiling="target"),
)
