"""What the engines of games have in common: buffers for the kernel's rows, which grow where they do not do."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from simcore.records import TALLY
from simcore.simulate import Batch, Fault

if TYPE_CHECKING:
    from simcore.simulate import Table

EVENTS_OF_A_GAME = 4_000
"""First guess at the events of one game."""


class KernelEngine(ABC):
    """Plays the games of a `Table` with a kernel that fills buffers.

    Attributes:
        columns_left_out: Columns of the games' rows that mean nothing under this ruleset.
        can_shift_lead: Whether the kernel can pass the lead of a game's first deal on (`Table.lead_shift`).
        game_rows, deal_rows: Types of the rows.
        event_width: Fields of an event.
        deals_a_game, tallies_a_deal: First guess at the size of the buffers.
        least_tallies: Room for the tallies of one deal, which the kernel writes at once.
        faults: What is wrong with a move, by the number that the kernel gives it.
        decode: Makes the transcript that the kernel's events of one game stand for, from the events, the table and the game's number.
    """

    columns_left_out: tuple[str, ...] = ()
    can_shift_lead: ClassVar[bool] = False
    game_rows: ClassVar[np.dtype[Any]]
    deal_rows: ClassVar[np.dtype[Any]]
    event_width: ClassVar[int]
    deals_a_game: ClassVar[int]
    tallies_a_deal: ClassVar[int]
    least_tallies: ClassVar[int]
    faults: ClassVar[tuple[str, ...]]
    decode: ClassVar[Callable[..., list[dict[str, Any]]]]

    def __init__(self, table: Table) -> None:
        """Compiles the strategies; raises StrategyError for one that does not compile."""
        self.table = table
        decisions = {str(player): player.compile(table.game) for player in table.seats}
        self.addresses = np.array([decisions[str(player)] for player in table.seats], np.int64)
        self.params = np.array([player.params.ctypes.data for player in table.seats], np.int64)

    def seated(self, kind: np.dtype[Any], works: np.ndarray) -> np.ndarray:
        """The kernel's record HIDDEN (of a type, length 1) with what is the same in all games: seed, and where strategies and their own records are.

        works: The records of the seats first; they must live as long as the kernel runs.
        """
        hidden, seats = np.zeros(1, kind), self.table.players
        hidden["seed"] = self.table.seed
        hidden["decisions"][0, : self.addresses.size] = self.addresses.ravel()
        hidden["params"][0, :seats] = self.params
        hidden["works"][0, :seats] = works.ctypes.data + works.itemsize * np.arange(seats)
        return hidden

    @abstractmethod
    def run(self, first: int, count: int, games: Any, deals: Any, tallies: Any, events: Any) -> tuple[int, Any]:
        """Call the kernel: returns how many games were played whole, and the record HIDDEN."""

    @abstractmethod
    def held(self, events: np.ndarray, game: int) -> np.ndarray:
        """The hand at each decision of one game."""

    def play(self, first: int, count: int) -> Batch | Fault:
        """Rows of games ``first`` to ``first + count - 1``."""
        parts: list[Batch] = []
        deals = self.deals_a_game * count + 100
        tallies = self.tallies_a_deal * deals + self.least_tallies
        while count > 0:
            games, deal_rows, tally_rows = np.empty(count, self.game_rows), np.empty(deals, self.deal_rows), np.empty(tallies, TALLY)
            played, hidden = self.run(first, count, games, deal_rows, tally_rows, None)
            if hidden["fault"]:
                return self._fault(hidden)
            part = Batch(games[:played], deal_rows[: hidden["n_deals"]], tally_rows[: hidden["n_tallies"]])
            if played == count and not parts:
                return part
            parts.append(Batch(part.games.copy(), part.deals.copy(), part.tallies.copy()))
            if played == 0:
                deals, tallies = 4 * deals, 4 * tallies
            first, count = first + played, count - played
        return Batch(*(np.concatenate([getattr(part, name) for part in parts]) for name in ("games", "deals", "tallies")))

    def events(self, game: int) -> np.ndarray | Fault:
        """The raw events (int64[n, event_width]) of one game."""
        size, deals = EVENTS_OF_A_GAME, 4 * self.deals_a_game
        while True:
            events = np.empty((size, self.event_width), np.int64)
            tallies = np.empty(self.tallies_a_deal * deals + self.least_tallies, TALLY)
            played, hidden = self.run(game, 1, np.empty(1, self.game_rows), np.empty(deals, self.deal_rows), tallies, events)
            if hidden["fault"]:
                return self._fault(hidden)
            if played:
                return events[: hidden["n_events"]]
            size, deals = 4 * size, 4 * deals

    def transcript(self, game: int) -> list[dict[str, Any]] | Fault:
        """The events of one game."""
        events = self.events(game)
        return events if isinstance(events, Fault) else self.decode(events, self.table, game)

    def hands(self, first: int, count: int) -> np.ndarray | Fault:
        """The hand at each decision."""
        parts = []
        for game in range(first, first + count):
            events = self.events(game)
            if isinstance(events, Fault):
                return events
            parts.append(self.held(events, game))
        return np.concatenate(parts)

    def _fault(self, hidden: Any) -> Fault:
        return Fault(int(hidden["game"]), int(hidden["fault_seat"]), self.faults[int(hidden["fault"])])
