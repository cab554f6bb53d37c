"""The kernel as Python calls it: buffers, addresses, and rows of any number of games."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

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
from simcore.records import TALLY
from simcore.simulate import Batch, Fault, Table
from simcore.strategy import NO_PARAMS, compile_decision

LEAST_TALLIES: Final = MAX_PLAYERS * ITEMS * ROLES  # the kernel writes a whole deal at once
DEALS_A_GAME: Final = 7  # first guess at the size of the buffers, which grow where it does not do
TALLIES_A_DEAL: Final = 12
HELD: Final = np.dtype([("game", "i8"), ("trump", "i8"), ("seat", "i8"), ("role", "u1"), ("hand", "i8")])


class KombinatorEngine:
    """Plays the games of a `Table`."""

    def __init__(self, table: Table) -> None:
        """Compiles the strategies; raises InputError for too many players, StrategyError for a strategy that does not compile."""
        check_players(table.ruleset, table.players)
        self.table = table
        self.rules = pack(table.ruleset)
        self.columns_left_out = () if table.ruleset.options["millionaire"] else ("stage",)
        self.splitter = compile_decision(default_split, table.game, NO_PARAMS).address
        decisions = {str(player): player.compile(table.game) for player in table.seats}
        self.addresses = np.array([decisions[str(player)] for player in table.seats], np.int64)
        self.params = np.array([player.params.ctypes.data for player in table.seats], np.int64)

    def play(self, first: int, count: int) -> Batch | Fault:
        """Rows of games ``first`` to ``first + count - 1``."""
        parts: list[Batch] = []
        deals = DEALS_A_GAME * count + 100
        tallies = TALLIES_A_DEAL * deals + LEAST_TALLIES
        while count > 0:
            games, deal_rows, tally_rows = np.empty(count, GAME), np.empty(deals, DEAL), np.empty(tallies, TALLY)
            played, hidden = self._run(first, count, games, deal_rows, tally_rows, None)
            if hidden["fault"]:
                return _fault(hidden)
            part = Batch(games[:played], deal_rows[: hidden["n_deals"]], tally_rows[: hidden["n_tallies"]])
            if played == count and not parts:
                return part
            parts.append(Batch(part.games.copy(), part.deals.copy(), part.tallies.copy()))
            if played == 0:
                deals, tallies = 4 * deals, 4 * tallies
            first, count = first + played, count - played
        return Batch(*(np.concatenate([getattr(part, name) for part in parts]) for name in ("games", "deals", "tallies")))

    def events(self, game: int) -> np.ndarray | Fault:
        """The raw events (int64[n, EVENT_WIDTH]) of one game."""
        size, deals = 20_000, 200
        while True:
            events = np.empty((size, EVENT_WIDTH), np.int64)
            buffers = np.empty(1, GAME), np.empty(deals, DEAL), np.empty(TALLIES_A_DEAL * deals + LEAST_TALLIES, TALLY)
            played, hidden = self._run(game, 1, *buffers, events)
            if hidden["fault"]:
                return _fault(hidden)
            if played:
                return events[: hidden["n_events"]]
            size, deals = 4 * size, 4 * deals

    def transcript(self, game: int) -> list[dict[str, Any]] | Fault:
        """The decoded events of one game."""
        events = self.events(game)
        return events if isinstance(events, Fault) else decode(events, self.table, game)

    def hands(self, first: int, count: int) -> np.ndarray | Fault:
        """The hand (HELD) at each decision: role 0 attacks, 1 defends."""
        parts = []
        for game in range(first, first + count):
            events = self.events(game)
            if isinstance(events, Fault):
                return events
            kinds = events[:, 0]
            trumps = events[np.maximum.accumulate(np.where(kinds == EV_DEAL, np.arange(len(kinds)), 0)), 3]
            asked = np.isin(kinds, (EV_ATTACK, EV_PASS, EV_BEAT, EV_YIELD))
            rows = np.empty(int(asked.sum()), HELD)
            rows["game"], rows["trump"], rows["seat"] = game, trumps[asked], events[asked, 1]
            rows["role"], rows["hand"] = np.isin(kinds[asked], (EV_BEAT, EV_YIELD)), events[asked, 15]
            parts.append(rows)
        return np.concatenate(parts)

    def _run(self, first: int, count: int, games: Any, deals: Any, tallies: Any, events: Any) -> tuple[int, Any]:
        seats = self.table.players
        views, hidden = np.zeros(1, VIEW), np.zeros(1, HIDDEN)
        views["players"] = seats
        hidden["seed"] = self.table.seed
        works = np.zeros(seats + 1, WORK)
        works["top"] = -1
        moves = np.zeros(2, MOVE)
        hidden["decisions"][0, : 2 * seats] = self.addresses.ravel()
        hidden["params"][0, :seats] = self.params
        hidden["splitter"] = self.splitter
        hidden["split_work"] = works.ctypes.data + WORK.itemsize * seats
        hidden["works"][0, :seats] = works.ctypes.data + WORK.itemsize * np.arange(seats)
        played = play_games(
            first, count, views, self.rules, hidden, moves, works, games, deals, tallies, events
        )
        return played, hidden[0]


def _fault(hidden: Any) -> Fault:
    return Fault(int(hidden["game"]), int(hidden["fault_seat"]), FAULTS[int(hidden["fault"])])
