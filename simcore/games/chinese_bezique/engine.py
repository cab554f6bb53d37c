"""The kernel as Python calls it: its records, and what its events say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from simcore.engine import KernelEngine
from simcore.games.chinese_bezique.combinations import CARDS, HAND, ITEMS, KINDS
from simcore.games.chinese_bezique.legal import FAULTS
from simcore.games.chinese_bezique.play import play_games
from simcore.games.chinese_bezique.rows import A_FIELD, DEAL, EV_DEAL, EV_DECLARE, EV_PLAY, EVENT_WIDTH, GAME, HAND_FIELD
from simcore.games.chinese_bezique.rules import pack
from simcore.games.chinese_bezique.transcript import decode
from simcore.games.chinese_bezique.view import HIDDEN, MOVE, PLAYERS, ROLES, VIEW, WORK

if TYPE_CHECKING:
    from simcore.simulate import Table

HELD: Final = np.dtype([("game", "i8"), ("seat", "i8"), ("role", "u1"), ("hand", "u1", (KINDS,)), ("trump", "i8")])


class ChineseBeziqueEngine(KernelEngine):
    """Plays the games of a `Table`."""

    can_shift_lead = True
    game_rows, deal_rows, event_width = GAME, DEAL, EVENT_WIDTH
    deals_a_game, tallies_a_deal = 1, 28
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
        """The hand (HELD, by kind of card) at each card that was played: role 0 led it, role 1 followed; trump -1 as long as there is none."""
        kinds = events[:, 0]
        fixed = (kinds == EV_DEAL) | ((kinds == EV_DECLARE) & (events[:, 5] >= 0))
        last = np.maximum.accumulate(np.where(fixed, np.arange(len(kinds)), 0))
        trump = np.where(kinds[last] == EV_DEAL, -1, events[last, 5])
        asked = np.flatnonzero(kinds == EV_PLAY)
        cards = events[asked[:, None], HAND_FIELD + np.arange(HAND) // A_FIELD] >> 8 * (np.arange(HAND) % A_FIELD) & 255
        counts = np.zeros((len(asked), KINDS + 1), np.uint8)
        np.add.at(counts, (np.arange(len(asked))[:, None], np.where(cards < CARDS, cards % KINDS, KINDS)), 1)
        rows = np.empty(len(asked), HELD)
        rows["game"], rows["seat"], rows["role"] = game, events[asked, 1], events[asked, 3] >= 0
        rows["hand"], rows["trump"] = counts[:, :KINDS], trump[asked]
        return rows
