"""Game numbers in, records out: what every experiment is made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from simcore.chance import MAX_SEED
from simcore.errors import InputError, StrategyError
from simcore.game import Game, get
from simcore.ruleset import Ruleset
from simcore.strategy import Player, load

MAX_GAME = 2**63 - 1


@dataclass(frozen=True)
class Batch:
    """Rows of neighbouring games (structured arrays): one a game, one a deal, and the tallies (`simcore.records.TALLY`)."""

    games: np.ndarray
    deals: np.ndarray
    tallies: np.ndarray


@dataclass(frozen=True)
class Fault:
    """A move that is against the rules: who made it in which game, and what is wrong with it."""

    game: int
    seat: int
    text: str


class Engine(Protocol):
    """What a game's package gives: it plays the games of one ruleset with the strategies of the seats."""

    columns_left_out: tuple[str, ...]
    can_shift_lead: bool

    def play(self, first: int, count: int) -> Batch | Fault:
        """Play games ``first`` to ``first + count - 1``; safe to call from several threads at once."""

    def transcript(self, game: int) -> list[dict[str, Any]] | Fault:
        """The events of one game."""

    def hands(self, first: int, count: int) -> np.ndarray | Fault:
        """The hand at each decision: rows with ``game``, ``seat``, ``role``, ``hand`` and what else the game's frequencies need."""


class Table:
    """A ruleset with a strategy on every seat and a seed: all that decides what happens in game number i."""

    def __init__(
        self,
        ruleset: Ruleset,
        strategies: Sequence[str],
        players: int | None = None,
        seed: int = 1,
        lead_shift: int = 0,
        told: Ruleset | None = None,
    ) -> None:
        """Take seats; nothing is compiled before the first game.

        Args:
            ruleset: The rules.
            strategies: Names of strategies, one for all seats or one a seat.
            players: Number of seats; without it one a strategy, or the fewest that the game allows.
            seed: 0 to 2^64 - 1.
            lead_shift: By how many seats the lead of a game's first deal is passed on from the player who has it by the rules; all hold the same cards.
            told: The ruleset that strategies are told, where it has other prices: they play as if these were paid.

        Raises:
            InputError: Too many or too few players or strategies, an unknown strategy, a number out of range, or what is told differs in more than prices.
        """
        self.ruleset = ruleset
        self.told = told or ruleset
        if (self.told.schema.key, self.told.options) != (ruleset.schema.key, ruleset.options):
            raise InputError(f"strategies can be told other prices, but no other options: {self.told.canonical} instead of {ruleset.canonical}")
        self.game: Game = get(ruleset.schema.key)
        if isinstance(strategies, str):
            raise InputError(f"strategies are a list, one for all seats or one a seat, such as [{strategies!r}], got a text")
        limits = ruleset.schema.players
        if players is None:
            players = len(strategies) if len(strategies) > 1 else limits.min
        if not limits.min <= players <= limits.max:
            allowed = f"{limits.min} to {limits.max}" if limits.min < limits.max else str(limits.min)
            raise InputError(f"{ruleset.schema.key} is for {allowed} players, got {players}")
        if len(strategies) not in (1, players):
            raise InputError(f"{len(strategies)} strategies for {players} players: give one for all seats, or one for each of the {players} seats")
        if not 0 <= seed <= MAX_SEED:
            raise InputError(f"the seed is a whole number from 0 to {MAX_SEED}, got {seed}")
        if not 0 <= lead_shift < players:
            raise InputError(f"the lead is passed on by 0 to {players - 1} seats, got {lead_shift}")
        self.players = players
        self.seed = seed
        self.lead_shift = lead_shift
        self.seats: tuple[Player, ...] = tuple(load(name, self.game) for name in strategies) * (players // len(strategies))

    @property
    def canonical_strategies(self) -> tuple[str, ...]:
        """The strategies by seat."""
        return tuple(map(str, self.seats))

    @cached_property
    def engine(self) -> Engine:
        """What plays; making it compiles what is not compiled yet. Raises StrategyError where a strategy does not compile."""
        engine: Engine = self.game.engine(self)
        if self.lead_shift and not engine.can_shift_lead:
            raise InputError(f"{self.game.key} cannot be led by another player than its rules say")
        return engine

    @property
    def columns_left_out(self) -> tuple[str, ...]:
        """Columns of the games' rows that mean nothing under this ruleset."""
        return self.engine.columns_left_out

    def play(self, first: int, count: int) -> Batch:
        """Play games ``first`` to ``first + count - 1``; safe to call from several threads at once.

        Raises:
            InputError: Numbers of games out of range.
            StrategyError: A strategy made a move that the rules forbid.
        """
        _check_range(first, count)
        batch: Batch = self._sound(self.engine.play(first, count))
        return batch

    def transcript(self, game: int) -> list[dict[str, Any]]:
        """The events of game number ``game``. Raises as `play` does."""
        _check_range(game, 1)
        events: list[dict[str, Any]] = self._sound(self.engine.transcript(game))
        return events

    def hands(self, first: int, count: int) -> np.ndarray:
        """The hand at each decision: rows with ``game`` (i8), ``seat`` (i8), ``role`` (u1), ``hand`` (`simcore.exact.sizes_of`) and the game's own."""
        _check_range(first, count)
        rows: np.ndarray = self._sound(self.engine.hands(first, count))
        return rows

    def _sound(self, result: Any) -> Any:
        if isinstance(result, Fault):
            player = self.seats[result.seat]
            raise StrategyError(f"strategy '{player}' ({player.origin}) on seat {result.seat} {result.text}, in game {result.game} of seed {self.seed}")
        return result


def _check_range(first: int, count: int) -> None:
    if count < 1:
        raise InputError(f"the number of games must be at least 1, got {count}")
    if first < 0 or first + count > MAX_GAME:
        raise InputError(f"games are numbered from 0 to {MAX_GAME - 1}, got {first}")
