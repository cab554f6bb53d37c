"""The kernel as Python calls it: its records, and what its events say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from simcore.engine import KernelEngine
from simcore.games.durak.legal import FAULTS
from simcore.games.durak.play import play_games
from simcore.games.durak.rows import DEAL, EV_ATTACK, EV_BEAT, EV_DEAL, EV_DONE, EV_TAKE, EV_THROW_IN, EVENT_WIDTH, GAME, HAND_FIELD
from simcore.games.durak.rules import check_players, pack
from simcore.games.durak.transcript import decode
from simcore.games.durak.view import ATTACK, DEFEND, HIDDEN, ITEMS, MAX_PLAYERS, MOVE, ROLES, THROW_IN, VIEW, WORK

if TYPE_CHECKING:
    from simcore.simulate import Table

HELD: Final = np.dtype([("game", "i8"), ("trump", "i8"), ("seat", "i8"), ("role", "u1"), ("hand", "i8")])
ASKED: Final = {EV_ATTACK: ATTACK, EV_THROW_IN: THROW_IN, EV_DONE: THROW_IN, EV_BEAT: DEFEND, EV_TAKE: DEFEND}
"""Events that are the answer to a question, and which."""


class DurakEngine(KernelEngine):
    """Plays the games of a `Table`."""

    can_shift_lead = True
    game_rows, deal_rows, event_width = GAME, DEAL, EVENT_WIDTH
    deals_a_game, tallies_a_deal = 2, 16
    least_tallies = MAX_PLAYERS * ITEMS * ROLES
    faults = FAULTS
    decode = staticmethod(decode)

    def __init__(self, table: Table) -> None:
        """Compiles the strategies; raises InputError for too many players, StrategyError for a strategy that does not compile."""
        check_players(table.ruleset, table.players)
        super().__init__(table)
        self.rules = pack(table.ruleset)

    def run(self, first: int, count: int, games: Any, deals: Any, tallies: Any, events: Any) -> tuple[int, Any]:
        """Call the kernel: returns how many games were played whole, and the record HIDDEN."""
        seats = self.table.players
        views, works, moves = np.zeros(1, VIEW), np.zeros(seats, WORK), np.zeros(seats + 1, MOVE)
        views["players"] = seats
        hidden = self.seated(HIDDEN, works)
        hidden["lead_shift"] = self.table.lead_shift
        played = play_games(first, count, views, self.rules, hidden, moves, works, games, deals, tallies, events)
        return played, hidden[0]

    def held(self, events: np.ndarray, game: int) -> np.ndarray:
        """The hand (HELD) at each attack (role 0), defence (1) and throw-in (2) of one game."""
        kinds = events[:, 0]
        turned = events[np.maximum.accumulate(np.where(kinds == EV_DEAL, np.arange(len(kinds)), 0)), 3]
        asked = np.isin(kinds, list(ASKED))
        rows = np.empty(int(asked.sum()), HELD)
        rows["game"], rows["trump"], rows["seat"] = game, turned[asked] & 3, events[asked, 1]
        rows["role"], rows["hand"] = [ASKED[kind] for kind in kinds[asked].tolist()], events[asked, HAND_FIELD]
        return rows
