"""The kernel as Python calls it: records, addresses, and what its events mean."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from simcore.engine import KernelEngine
from simcore.games.seven_card_combo.legal import FAULTS
from simcore.games.seven_card_combo.play import play_games
from simcore.games.seven_card_combo.rows import DEAL, EV_HAND, EV_TURN, EVENT_WIDTH, GAME, MOST_TALLIES
from simcore.games.seven_card_combo.rules import pack
from simcore.games.seven_card_combo.transcript import decode
from simcore.games.seven_card_combo.view import HIDDEN, MOVE, VIEW, WORK

if TYPE_CHECKING:
    from simcore.simulate import Table

HELD: Final = np.dtype([("game", "i8"), ("seat", "i8"), ("role", "u1"), ("hand", "i8")])


class SevenCardComboEngine(KernelEngine):
    """Plays the games of a `Table`."""

    can_shift_lead = True
    game_rows, deal_rows, event_width = GAME, DEAL, EVENT_WIDTH
    deals_a_game, tallies_a_deal = 3, 10
    least_tallies = MOST_TALLIES
    faults = ("", *FAULTS.values())
    decode = staticmethod(decode)

    def __init__(self, table: Table) -> None:
        """Compiles the strategies; raises StrategyError for one that does not compile."""
        super().__init__(table)
        self.rules, self.told = pack(table.ruleset), pack(table.told)

    def run(self, first: int, count: int, games: Any, deals: Any, tallies: Any, events: Any) -> tuple[int, Any]:
        """Call the kernel: returns how many games were played whole, and the record HIDDEN."""
        seats = self.table.players
        views, works, moves = np.zeros(1, VIEW), np.zeros(seats, WORK), np.zeros(2, MOVE)
        views["players"] = seats
        hidden = self.seated(HIDDEN, works)
        hidden["lead_shift"] = self.table.lead_shift
        hidden["told"] = self.told.ctypes.data
        played = play_games(first, count, views, self.rules, hidden, moves, works, games, deals, tallies, events)
        return played, hidden[0]

    def held(self, events: np.ndarray, game: int) -> np.ndarray:
        """The hand (HELD) at the beginning of each turn of one game (role 0), and each hand that was scored (role 1)."""
        chosen = events[np.isin(events[:, 0], (EV_TURN, EV_HAND))]
        scored = chosen[:, 0] == EV_HAND
        rows = np.empty(len(chosen), HELD)
        rows["game"], rows["seat"], rows["role"] = game, chosen[:, 1], scored
        rows["hand"] = np.where(scored, chosen[:, 2], chosen[:, 11])
        return rows
