"""A tournament by elimination (T4, R19): stages of tables whose fools go, until one player is left and wins the prize fund."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from simcore.chance import open_stream, shuffle
from simcore.compiled import kernel
from simcore.errors import InputError, nearest
from simcore.simulate import Table

if TYPE_CHECKING:
    from simcore.ruleset import Ruleset

Event = dict[str, Any]

MODES: Final = ("knockout", "winner_advances")
SMALLEST_TABLE: Final = 2
LARGEST_TABLE: Final = 6
DRAW_OF_TABLES: Final = 3
"""Purpose of the random numbers by which tables are drawn (`simcore.chance`)."""
MOST_PLAYERS: Final = 1024
MOST_GAMES: Final = 1000
"""Games of one table before it is given up: by some rules no deal ever has a fool."""
GAMES_OF_ONE: Final = 1 << 20
"""Numbers of games that a tournament has for itself, so that no two tournaments meet the same cards: each table takes one player out at least."""


@kernel
def _draw(order: np.ndarray, seed: np.uint64, number: int, stage: int) -> None:
    """Fill ``order`` (int64[n]) with a random order of 0 to n - 1."""
    stream, scratch = np.empty(2, np.uint64), np.empty(4, np.uint64)
    open_stream(stream, scratch, seed, number, stage, DRAW_OF_TABLES)
    shuffle(order, stream)


def table_sizes(left: int, table: int) -> list[int]:
    """Sizes of as few tables as ``left`` players need with up to ``table`` at each; they differ by one at most, the larger first."""
    tables = -(-left // table)
    return [left // tables + (i < left % tables) for i in range(tables)]


class Tournament:
    """A tournament, of which any number can be played; player i has the strategy ``strategies[i]``."""

    def __init__(self, ruleset: Ruleset, strategies: Sequence[str], table: int = 4, mode: str = "knockout", entry: int = 1, seed: int = 1) -> None:
        """Nothing is compiled before the first game.

        Args:
            ruleset: The rules; a table plays ``deals`` deals.
            strategies: Of each player, 2 to 1024.
            table: Players at a table, 2 to 6.
            mode: ``"knockout"``: who was most often the fool of its table goes; ``"winner_advances"``: only who was most often first out stays. Where that is
                no single player the table is played again.
            entry: What each player pays into the prize fund.
            seed: 0 to 2^64 - 1.

        Raises:
            InputError: Something is out of range, or the ruleset is that of epaulettes.
        """
        if ruleset.options["variant"] == "pogony":
            raise InputError("a tournament needs deals with a fool and a winner, which epaulettes (variant = pogony) do not count")
        if mode not in MODES:
            raise InputError(f"the mode of a tournament is one of {', '.join(MODES)}, got '{mode}'.{nearest(mode, MODES)}")
        if not SMALLEST_TABLE <= table <= LARGEST_TABLE:
            raise InputError(f"a table has {SMALLEST_TABLE} to {LARGEST_TABLE} players, got {table}")
        if not SMALLEST_TABLE <= len(strategies) <= MOST_PLAYERS:
            raise InputError(f"a tournament has {SMALLEST_TABLE} to {MOST_PLAYERS} players, got {len(strategies)}")
        if entry < 0:
            raise InputError(f"the entry is 0 or more, got {entry}")
        self.ruleset, self.strategies, self.table, self.mode, self.entry, self.seed = ruleset, tuple(strategies), table, mode, entry, seed

    @cached_property
    def _tables(self) -> dict[tuple[str, ...], Table]:
        """Tables by the strategies of their seats."""
        return {}

    def winner(self, number: int = 0) -> int:
        """The player who wins tournament ``number``. Raises as `transcript` does."""
        winner: int = next(event["winner"] for event in self._play(number, told=False) if event["event"] == "tournament_end")
        return winner

    def transcript(self, number: int = 0) -> list[Event]:
        """The events of tournament ``number``: those of its games, between those of its stages.

        Raises:
            InputError: A strategy does not exist, the number is out of range, or a table was played 1000 times without telling who goes.
            StrategyError: A strategy does not compile, or made a move that the rules forbid.
        """
        return list(self._play(number, told=True))

    def _play(self, number: int, told: bool) -> Iterator[Event]:
        left = list(range(len(self.strategies)))
        yield {"event": "tournament", "players": len(left), "mode": self.mode, "table": self.table, "entry": self.entry}
        stage, game = 0, GAMES_OF_ONE * number
        while len(left) > 1:
            stage += 1
            tables = self._drawn(left, number, stage)
            yield {"event": "tables", "stage": stage, "tables": tables}
            eliminated: list[int] = []
            for players in tables:
                out: list[int] | None = [] if len(players) == 1 else None  # a table of one is a bye
                limit = game + MOST_GAMES
                while out is None:
                    if game == limit:
                        missing = "fool" if self.mode == "knockout" else "first out"
                        told_of = f"without one player most often {missing}, which {self.ruleset.canonical} seldom or never leaves"
                        raise InputError(f"a table was played {MOST_GAMES:,} times {told_of}")
                    seats = self._seated(players)
                    if told:
                        first, *events = seats.transcript(game)
                        yield from [first | {"players": players}, *events]
                    out = self._eliminated(players, seats.play(game, 1).deals)
                    game += 1
                eliminated += out
            left = [player for player in left if player not in eliminated]
            yield {"event": "stage_end", "stage": stage, "eliminated": sorted(eliminated), "left": left}
        yield {"event": "tournament_end", "winner": left[0], "prize": self.entry * len(self.strategies)}

    def _drawn(self, left: list[int], number: int, stage: int) -> list[list[int]]:
        """The players of each table, in the order of their seats."""
        order = np.empty(len(left), np.int64)
        _draw(order, np.uint64(self.seed), number, stage)
        players = iter(order.tolist())
        return [[left[next(players)] for _ in range(size)] for size in table_sizes(len(left), self.table)]

    def _seated(self, players: list[int]) -> Table:
        names = tuple(self.strategies[player] for player in players)
        if names not in self._tables:
            self._tables[names] = Table(self.ruleset, names, len(names), self.seed)
        return self._tables[names]

    def _eliminated(self, players: list[int], deals: np.ndarray) -> list[int] | None:
        """Who goes after a game at a table; None where the table is to be played again."""
        knockout = self.mode == "knockout"
        times = Counter(seat for seat in deals["fool" if knockout else "winner"].tolist() if seat >= 0)
        most = [seat for seat, count in times.items() if count == max(times.values())]
        if len(most) != 1:
            return None
        chosen = players[most[0]]
        return [player for player in players if (player == chosen) == knockout]
