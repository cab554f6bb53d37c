"""What a notebook needs: a ruleset, games as frames, one game as events, exact frequencies."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from simcore.errors import InputError
from simcore.game import checker, frequencies_of, games, require, schema

if TYPE_CHECKING:
    import polars as pl

    from simcore.ruleset import Ruleset

BATCH: Final = 2_000
"""Games that a thread plays at once."""


@dataclass(frozen=True)
class Result:
    """Games that were played, as polars frames (`pandas` by ``.to_pandas()``).

    Attributes:
        games: One row a game.
        deals: One row a deal.
        tallies: One row per deal, seat, item and role that occurred.
        strategies: Canonical names by seat.
        ruleset: The rules.
        seed: The seed.
    """

    games: pl.DataFrame
    deals: pl.DataFrame
    tallies: pl.DataFrame
    strategies: tuple[str, ...]
    ruleset: Ruleset
    seed: int


def rules(text: str, **changes: Any) -> Ruleset:
    """A ruleset by its name, canonical string or file, with changes.

    Args:
        text: ``"kombinator"``, ``"kombinator(pair=4)"``, or the path of a file.
        changes: Options and values of the point table.

    Raises:
        InputError: There is no such ruleset, or a value is not allowed.
    """
    from simcore.ruleset import resolve

    key = game_of(text)
    changed = resolve(schema(key), text).with_(**changes)
    checker(key)(changed)
    return changed


def game_of(text: str, above: tuple[str, ...] = ()) -> str:
    """The key of the game that a ruleset is of.

    Args:
        text: A name, canonical string or file.
        above: The files that led here by their ``base``.

    Raises:
        InputError: No game is recognised, or the bases go in a circle.
    """
    found = text.split("(", 1)[0].strip()
    if found in games():
        return found
    named = [key for key in games() if found in schema(key).rulesets]
    if named:
        return named[0]
    if not os.path.exists(text):
        if text.endswith(".toml"):
            raise InputError(f"the ruleset file '{text}' does not exist")
        return require(found)
    from simcore.tomltext import read_toml

    path = os.path.realpath(text)
    if path in above:
        raise InputError(f"{text}: the bases go in a circle")
    data = read_toml(text).data
    base = data.get("base") or (data.get("game") or {}).get("key")
    if not isinstance(base, str) or base == text:
        raise InputError(f"'{text}' does not say which game it is for: it needs a line such as base = \"{games()[0]}\"")
    beside = os.path.join(os.path.dirname(text), base)
    return game_of(beside if os.path.exists(beside) else base, (*above, path))


def play(
    ruleset: Ruleset | str,
    strategies: Sequence[str],
    games: int = 1_000,
    seed: int = 1,
    players: int | None = None,
    threads: int | None = None,
) -> Result:
    """Plays games 0 to ``games - 1`` and returns their rows, all in memory: for more than some millions of deals make a run.

    Args:
        ruleset: From `rules`, or what `rules` takes.
        strategies: One for all seats, or one a seat.
        games: Number of games.
        seed: 0 to 2^64 - 1. The same seed deals the same cards to all rulesets and strategies.
        players: Number of seats; without it one a strategy, or the fewest that the game allows.
        threads: Threads that play; without it one a core.

    Raises:
        InputError: Something does not exist or is out of range.
        StrategyError: A strategy does not compile, or made a move that the rules forbid.
    """
    import polars as pl

    from simcore.records import frames
    from simcore.simulate import Table

    if games < 1:
        raise InputError(f"the number of games must be at least 1, got {games}")
    table = Table(_ruleset(ruleset), strategies, players, seed)
    table.play(0, 1)  # compiles, once for all threads
    with ThreadPoolExecutor(threads or os.cpu_count() or 1) as pool:
        firsts = range(0, games, BATCH)
        parts = list(pool.map(lambda first: frames(table.play(first, min(BATCH, games - first)), table), firsts))
    tables = {name: pl.concat([part[name] for part in parts]) for name in ("games", "deals", "tallies")}
    return Result(**tables, strategies=table.canonical_strategies, ruleset=table.ruleset, seed=seed)


def replay(ruleset: Ruleset | str, strategies: Sequence[str], game: int = 0, seed: int = 1, players: int | None = None) -> list[dict[str, Any]]:
    """The events of one game, the very one that `play` has under this number. Arguments and errors as for `play`."""
    from simcore.simulate import Table

    return Table(_ruleset(ruleset), strategies, players, seed).transcript(game)


def frequencies(ruleset: Ruleset | str, cards: int) -> dict[str, Any]:
    """In how many of all hands of so many cards each item is held, counted exactly.

    Returns:
        ``cards``, ``hands``, ``items`` by key with ``count`` and ``probability``, ``points`` (what a hand is worth by itself) with
        their counts, and whatever else the game counts.

    Raises:
        InputError: The game counts no hands, or a hand of this ruleset never has so many cards.
    """
    chosen = _ruleset(ruleset)
    found: dict[str, Any] = frequencies_of(chosen.schema.key).exact(chosen, cards)
    return found


def _ruleset(given: Ruleset | str) -> Ruleset:
    return rules(given) if isinstance(given, str) else given
