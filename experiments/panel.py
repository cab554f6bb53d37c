"""A panel of players: the same games played by every strategy against itself, so that a claim does not rest on one way to play."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from experiments.blocks import threads_of
from simcore.errors import InputError
from simcore.simulate import Batch, Table
from simcore.strategy import available

if TYPE_CHECKING:
    from simcore.ruleset import Ruleset

CHUNK: Final = 1_000
"""Games that a thread plays at once."""


@dataclass(frozen=True)
class Played:
    """Games 0 to n - 1 of one line-up.

    Attributes:
        table: Who plays.
        batch: The games.
        counts: Times of each item in all roles, int64[items].
        points: Points of each item without their sign, int64[items].
    """

    table: Table
    batch: Batch
    counts: np.ndarray
    points: np.ndarray

    @property
    def name(self) -> str:
        """The strategies, once where all seats have the same one."""
        return ", ".join(dict.fromkeys(self.table.canonical_strategies))

    @property
    def deals(self) -> int:
        """Number of deals."""
        return len(self.batch.deals)

    def command(self, game: int) -> str:
        """The command that shows one of the games."""
        table = self.table
        words = ["simcore", "replay", table.game.key, "--game", str(game), "--seed", str(table.seed), "--players", str(table.players)]
        if table.ruleset.canonical != table.game.key:
            words += ["--ruleset", table.ruleset.canonical]
        seats = table.canonical_strategies
        for name in seats[:1] if len(set(seats)) == 1 else seats:
            words += ["--strategy", name]
        return shlex.join(words)


def panel(
    ruleset: Ruleset,
    lineups: Sequence[Sequence[str]] = (),
    games: int = 2_000,
    players: int | None = None,
    seed: int = 1,
    threads: int | None = None,
) -> list[Played]:
    """Plays the same games with several line-ups.

    Args:
        ruleset: The rules.
        lineups: Line-ups; without any every built-in strategy of the game against itself.
        games: Games of each.
        players: Number of seats; without it one a strategy, or the fewest that the game allows.
        seed: Seed of all games.
        threads: Threads; without it one a core.

    Raises:
        InputError: Something does not exist or is out of range.
        StrategyError: A strategy does not compile, or made a move that the rules forbid.
    """
    if games < 1:
        raise InputError(f"the number of games must be at least 1, got {games}")
    from simcore.game import get

    game = get(ruleset.schema.key)
    tables = [Table(ruleset, lineup, players, seed) for lineup in lineups or [[name] for name in available(game)]]
    for table in tables:
        table.play(0, 1)  # compiles, once for all threads
    jobs = [(table, first) for table in tables for first in range(0, games, CHUNK)]
    with ThreadPoolExecutor(threads_of(threads)) as pool:
        parts = list(pool.map(lambda job: job[0].play(job[1], min(CHUNK, games - job[1])), jobs))
    each = -(-games // CHUNK)
    found = []
    for place, table in enumerate(tables):
        own = parts[place * each : (place + 1) * each]
        batch = Batch(*(np.concatenate([getattr(part, name) for part in own]) for name in ("games", "deals", "tallies")))
        item, width = batch.tallies["item"], len(game.items)
        counts = np.bincount(item, weights=batch.tallies["count"], minlength=width).astype(np.int64)
        points = np.bincount(item, weights=np.abs(batch.tallies["points"]), minlength=width).astype(np.int64)
        found.append(Played(table, batch, counts, points))
    return found
