"""The kernel as Python calls it: buffers, addresses, and rows of any number of games."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from simcore.engine import KernelEngine
from simcore.games.kombinator.combinations import ITEMS
from simcore.games.kombinator.legal import FAULTS
from simcore.games.kombinator.play import play_games
from simcore.games.kombinator.rows import (
    DEAL,
    EV_ATTACK,
    EV_BEAT,
    EV_DEAL,
    EV_PASS,
    EV_YIELD,
    EVENT_WIDTH,
    GAME,
)
from simcore.games.kombinator.rules import check_players, pack
from simcore.games.kombinator.splits import default_split
from simcore.games.kombinator.transcript import decode
from simcore.games.kombinator.view import HIDDEN, MAX_PLAYERS, MOVE, ROLES, VIEW, WORK
from simcore.strategy import NO_PARAMS, compile_decision

if TYPE_CHECKING:
    from simcore.simulate import Table

HELD: Final = np.dtype([("game", "i8"), ("trump", "i8"), ("seat", "i8"), ("role", "u1"), ("hand", "i8")])


class KombinatorEngine(KernelEngine):
    """Plays the games of a `Table`."""

    game_rows, deal_rows, event_width = GAME, DEAL, EVENT_WIDTH
    can_shift_lead = True
    deals_a_game, tallies_a_deal = 7, 12
    least_tallies = MAX_PLAYERS * ITEMS * ROLES
    faults = ("", *FAULTS.values())
    decode = staticmethod(decode)

    def __init__(self, table: Table) -> None:
        """Compiles the strategies; raises InputError for too many players, StrategyError for a strategy that does not compile."""
        check_players(table.ruleset, table.players)
        super().__init__(table)
        self.rules, self.told = pack(table.ruleset), pack(table.told)
        self.columns_left_out = () if table.ruleset.options["millionaire"] else ("stage", "payout")
        self.splitter = compile_decision(default_split, table.game, NO_PARAMS).address

    def run(self, first: int, count: int, games: Any, deals: Any, tallies: Any, events: Any) -> tuple[int, Any]:
        """Call the kernel: returns how many games were played whole, and the record HIDDEN."""
        seats = self.table.players
        views, works, moves = np.zeros(1, VIEW), np.zeros(seats + 1, WORK), np.zeros(2, MOVE)
        views["players"] = seats
        works["top"] = -1
        hidden = self.seated(HIDDEN, works)
        hidden["lead_shift"] = self.table.lead_shift
        hidden["told"] = self.told.ctypes.data
        hidden["splitter"] = self.splitter
        hidden["split_work"] = works.ctypes.data + WORK.itemsize * seats
        played = play_games(first, count, views, self.rules, hidden, moves, works, games, deals, tallies, events)
        return played, hidden[0]

    def held(self, events: np.ndarray, game: int) -> np.ndarray:
        """The hand (HELD) at each decision of one game: role 0 attacks, 1 defends."""
        kinds = events[:, 0]
        trumps = events[np.maximum.accumulate(np.where(kinds == EV_DEAL, np.arange(len(kinds)), 0)), 3]
        asked = np.isin(kinds, (EV_ATTACK, EV_PASS, EV_BEAT, EV_YIELD))
        rows = np.empty(int(asked.sum()), HELD)
        rows["game"], rows["trump"], rows["seat"] = game, trumps[asked], events[asked, 1]
        rows["role"], rows["hand"] = np.isin(kinds[asked], (EV_BEAT, EV_YIELD)), events[asked, 15]
        return rows
