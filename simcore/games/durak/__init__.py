"""Durak and its family: simple durak, durak with throw-ins (podkidnoy), durak with epaulettes (pogony), with 36, 52 or 54 cards.

The rulebook in short, with the numbers that code, tests and reports cite.

Play. Six cards each, the next one shows the trump and lies under the stock (T2). The lowest trump leads the first deal, the winner of the one before the later
ones (D1). A bout: the leader attacks the next player with one card or several of a rank (D4); the defender covers each with a higher card of its suit or with a
trump, or takes all (T2, D10). With throw-ins the attackers, in turn from the leader (R4), add cards of ranks that lie on the table (D5), also when the defender
takes; never more than it holds, and not more than six while there is a stock, five in the first bout (R7). Hands are filled up to six, the defender's last
(D18). Who has beaten leads next, who has taken misses its lead (T2).

Ends. Who has no cards when the stock is empty is out (R9); the first one wins, the last one left with cards is the fool; none is left in a draw (R10). A game
is ``deals`` deals (R11).

Epaulettes. Two players. The rank that a player is to hang is special to it (P8): not to be led, beaten or used in defence. Who leaves the other the fool by a
last attack of two to four cards of that rank hangs it and goes on with the next (P2, P5); who hangs aces wins (P6).

House choices are options of ``rules.toml``.

Modules, bottom up: deck (packs), view (records), beating (which card beats which), legal (what may be done), rows, bout, play (the kernel); moves (what
strategies build on); rules (ruleset to numbers), engine (kernel to Python), transcript, telling, frequencies; tournament (by elimination).
"""

from __future__ import annotations

from simcore.game import Game
from simcore.games.durak import names
from simcore.games.durak.engine import DurakEngine
from simcore.games.durak.rules import impossible
from simcore.games.durak.view import MOVE_TYPE, RULES_TYPE, VIEW_TYPE, WORK_TYPE

GAME = Game(
    key="durak",
    decisions=("attack", "defend", "throw_in"),
    items=names.ITEMS,
    roles=names.ROLES,
    enums={"games": {"reason": names.GAME_ENDINGS}, "deals": {"reason": names.DEAL_ENDINGS, "lead": names.LEADS}},
    view_type=VIEW_TYPE,
    rules_type=RULES_TYPE,
    work_type=WORK_TYPE,
    move_type=MOVE_TYPE,
    engine=DurakEngine,
    impossible=impossible,
    dealt=names.DEALT,
)
