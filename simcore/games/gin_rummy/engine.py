"""The kernel as Python calls it: its records, and what its events say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from simcore.engine import KernelEngine
from simcore.games.gin_rummy.combinations import ITEMS
from simcore.games.gin_rummy.legal import FAULTS
from simcore.games.gin_rummy.play import play_games
from simcore.games.gin_rummy.rows import DEAL, EV_DISCARD, EV_DRAW, EV_KNOCK, EV_REFUSE, EVENT_WIDTH, GAME
from simcore.games.gin_rummy.rules import pack
from simcore.games.gin_rummy.transcript import decode
from simcore.games.gin_rummy.view import HIDDEN, MOVE, PLAYERS, ROLES, VIEW, WORK

if TYPE_CHECKING:
    from simcore.simulate import Table

HELD: Final = np.dtype([("game", "i8"), ("seat", "i8"), ("role", "u1"), ("hand", "i8")])


class GinRummyEngine(KernelEngine):
    """Plays the games of a `Table`."""

    can_shift_lead = True
    game_rows = GAME
    deal_rows = DEAL
    event_width = EVENT_WIDTH
    deals_a_game = 10
    tallies_a_deal = 10
    least_tallies = PLAYERS * ITEMS * ROLES
    faults = FAULTS
    decode = staticmethod(decode)

    def __init__(self, table: Table) -> None:
        """Compiles the strategies; raises StrategyError for one that does not compile."""
        super().__init__(table)
        self.rules, self.told = pack(table.ruleset), pack(table.told)

    def run(self, first: int, count: int, games: Any, deals: Any, tallies: Any, events: Any) -> tuple[int, Any]:
        """Call the kernel: returns how many games were played whole, and the record HIDDEN."""
        views, works, moves = np.zeros(1, VIEW), np.zeros(PLAYERS, WORK), np.zeros(1, MOVE)
        hidden = self.seated(HIDDEN, works)
        hidden["lead_shift"] = self.table.lead_shift
        hidden["told"] = self.told.ctypes.data
        played = play_games(first, count, views, self.rules, hidden, moves, works, games, deals, tallies, events)
        return played, hidden[0]

    def held(self, events: np.ndarray, game: int) -> np.ndarray:
        """The hand (HELD) at each decision of one game: role 0 draws, 1 throws or knocks. A draw without a choice (GA1) is none."""
        kinds = events[:, 0]
        forced = np.zeros(len(kinds), bool)
        forced[1:] = (kinds[1:] == EV_DRAW) & (kinds[:-1] == EV_REFUSE) & (events[1:, 3] == 0)
        asked = np.isin(kinds, (EV_REFUSE, EV_DRAW, EV_DISCARD, EV_KNOCK)) & ~forced
        rows = np.empty(int(asked.sum()), HELD)
        rows["game"], rows["seat"] = game, events[asked, 1]
        rows["role"], rows["hand"] = np.isin(kinds[asked], (EV_DISCARD, EV_KNOCK)), events[asked, 15]
        return rows
