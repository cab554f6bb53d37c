"""The kernel as Python calls it: buffers, addresses, and rows of any number of games."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from simcore.games.seven_card_combo.legal import FAULTS
from simcore.games.seven_card_combo.play import play_games
from simcore.games.seven_card_combo.rows import DEAL, EV_HAND, EV_TURN, EVENT_WIDTH, GAME, MOST_TALLIES
from simcore.games.seven_card_combo.rules import pack
from simcore.games.seven_card_combo.transcript import decode
from simcore.games.seven_card_combo.view import CIRCLES, HIDDEN, MOVE, VIEW, WORK
from simcore.records import TALLY
from simcore.simulate import Batch, Fault, Table

TALLIES_A_HAND: Final = 4  # first guess at the size of the buffer, which grows where it does not do
EVENTS_A_TURN: Final = 3  # a reshuffle, the turn, a refill
HELD: Final = np.dtype([("game", "i8"), ("seat", "i8"), ("role", "u1"), ("hand", "i8")])


class SevenCardComboEngine:
    """Plays the games of a `Table`."""

    columns_left_out: tuple[str, ...] = ()

    def __init__(self, table: Table) -> None:
        """Compiles the strategies; raises StrategyError for one that does not compile."""
        self.table = table
        self.rules = pack(table.ruleset)
        self.deals = int(self.rules["deals"][0])
        decisions = {str(player): player.compile(table.game) for player in table.seats}
        self.addresses = np.array([decisions[str(player)] for player in table.seats], np.int64)
        self.params = np.array([player.params.ctypes.data for player in table.seats], np.int64)

    def play(self, first: int, count: int) -> Batch | Fault:
        """Rows of games ``first`` to ``first + count - 1``."""
        parts: list[Batch] = []
        tallies = TALLIES_A_HAND * self.table.players * self.deals * count + MOST_TALLIES
        while count > 0:
            games, deal_rows, tally_rows = np.empty(count, GAME), np.empty(self.deals * count, DEAL), np.empty(tallies, TALLY)
            played, hidden = self._run(first, count, games, deal_rows, tally_rows, None)
            if hidden["fault"]:
                return _fault(hidden)
            part = Batch(games[:played], deal_rows[: hidden["n_deals"]], tally_rows[: hidden["n_tallies"]])
            if played == count and not parts:
                return part
            parts.append(Batch(part.games.copy(), part.deals.copy(), part.tallies.copy()))
            if played == 0:
                tallies = MOST_TALLIES * self.deals
            first, count = first + played, count - played
        return Batch(*(np.concatenate([getattr(part, name) for part in parts]) for name in ("games", "deals", "tallies")))

    def events(self, game: int) -> np.ndarray | Fault:
        """The raw events (int64[n, EVENT_WIDTH]) of one game."""
        a_deal = 2 + self.table.players * (1 + EVENTS_A_TURN * CIRCLES)
        events = np.empty((a_deal * self.deals + 1, EVENT_WIDTH), np.int64)
        buffers = np.empty(1, GAME), np.empty(self.deals, DEAL), np.empty(MOST_TALLIES * self.deals, TALLY)
        _, hidden = self._run(game, 1, *buffers, events)
        return _fault(hidden) if hidden["fault"] else events[: hidden["n_events"]]

    def transcript(self, game: int) -> list[dict[str, Any]] | Fault:
        """The decoded events of one game."""
        events = self.events(game)
        return events if isinstance(events, Fault) else decode(events, self.table, game)

    def hands(self, first: int, count: int) -> np.ndarray | Fault:
        """The hand (HELD) at the beginning of each turn (role 0), and each hand that was scored (role 1)."""
        parts = []
        for game in range(first, first + count):
            events = self.events(game)
            if isinstance(events, Fault):
                return events
            for kind, role, field in ((EV_TURN, 0, 11), (EV_HAND, 1, 2)):
                chosen = events[events[:, 0] == kind]
                rows = np.empty(len(chosen), HELD)
                rows["game"], rows["seat"], rows["role"], rows["hand"] = game, chosen[:, 1], role, chosen[:, field]
                parts.append(rows)
        return np.concatenate(parts)

    def _run(self, first: int, count: int, games: Any, deals: Any, tallies: Any, events: Any) -> tuple[int, Any]:
        seats = self.table.players
        views, hidden = np.zeros(1, VIEW), np.zeros(1, HIDDEN)
        views["players"] = seats
        hidden["seed"] = self.table.seed
        works, moves = np.zeros(seats, WORK), np.zeros(2, MOVE)
        hidden["decisions"][0, : 2 * seats] = self.addresses.ravel()
        hidden["params"][0, :seats] = self.params
        hidden["works"][0, :seats] = works.ctypes.data + WORK.itemsize * np.arange(seats)
        played = play_games(first, count, views, self.rules, hidden, moves, works, games, deals, tallies, events)
        return played, hidden[0]


def _fault(hidden: Any) -> Fault:
    return Fault(int(hidden["game"]), int(hidden["fault_seat"]), FAULTS[int(hidden["fault"])])
