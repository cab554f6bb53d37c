"""What a game is to the rest of the system, and where games are found.

A game is a folder under ``simcore/games``, or under one that ``SIMCORE_GAMES`` names, whose package has an object ``GAME``. Nothing else lists games.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import simcore.games
from simcore.errors import InputError, nearest
from simcore.schema import Schema, load_schema

if TYPE_CHECKING:
    import numpy as np

    from simcore.ruleset import Ruleset
    from simcore.schema import OptionValue

FOLDERS = tuple(map(Path, simcore.games.__path__))
"""Where games stand, each in a folder of its own."""


def own_score(item: str, role: str) -> tuple[int, int]:
    """What is tallied for a seat is added to its own score."""
    return 0, 1


def no_parts(ruleset: Ruleset) -> Mapping[str, tuple[str, ...]]:
    """Every item has a price of its own and nothing else."""
    return {}


def nothing_counted(options: Mapping[str, OptionValue], prices: Mapping[str, int], points: np.ndarray) -> Mapping[tuple[str, str], np.ndarray]:
    """Deals are not settled."""
    return {}


def nothing_impossible(ruleset: Ruleset) -> Mapping[str, Collection[str]]:
    """Everything that a game names may come about under any of its rules."""
    return {}


@dataclass(frozen=True)
class Account:
    """How tallies become scores and scores end a game: all that is needed to play the scores again under other prices.

    Attributes:
        effect: Of an item in a role: how many seats further on the one sits whose score changes, and the sign with which the price counts there; sign 0
            where the price does not count.
        parts: Under a ruleset, the items that are worth their price and that of one other item, with those others.
        best_of: Role of what counted and role of what was held but did not count since a better item of its category did; None where all count.
        closing: Role of what is scored only after the game is over.
        start: Every player's score at the start: a number, or the option that says it.
        floor, ceiling: A score that is as low, or as high, ends the game: a number, or the option that says it; None where no such score does.
        most: The option that limits the deals of a game.
        broken: Ending of a deal that the end of the game cut short.
        settle: Where the points of a deal are not what scores change by: the change (int[deals, seats]) by the options, the prices and the points (int[deals,
            seats]). Prices that are of no matter but here have sign 0 in `effect`.
        counted: By item and role of what is tallied at such a settlement, once and for no points, the seat of each deal (int[deals], -1 for nobody).
        settled_from: Column of the deals, by seat, that has the points.
    """

    effect: Callable[[str, str], tuple[int, int]] = own_score
    parts: Callable[[Ruleset], Mapping[str, tuple[str, ...]]] = no_parts
    best_of: tuple[str, str] | None = None
    closing: str | None = None
    start: int | str = 0
    floor: int | str | None = None
    ceiling: int | str | None = None
    most: str = "max_deals"
    broken: str | None = None
    settle: Callable[[Mapping[str, OptionValue], Mapping[str, int], np.ndarray], np.ndarray] | None = None
    counted: Callable[[Mapping[str, OptionValue], Mapping[str, int], np.ndarray], Mapping[tuple[str, str], np.ndarray]] = nothing_counted
    settled_from: str = "points"


@dataclass(frozen=True)
class Game:
    """A game, filled in by its package.

    Attributes:
        key: Its name in commands, files and modules.
        decisions: What strategies are asked, in the order in which the kernel numbers it.
        items: What scores, by its number in the tallies.
        roles: How an item came about, by its number in the tallies.
        enums: Names of the numbers in the columns of the tables ``games`` and ``deals``.
        view_type, rules_type, work_type, move_type: numba types of the records that a decision is given.
        engine: Makes what plays the games of one ruleset, see `simcore.simulate.Engine`.
        account: How tallies become scores; by default what is tallied for a seat is added to its score, and only the number of deals ends a game.
        impossible: Under a ruleset, what its rules leave no way for, so that it is no measurement that it was not met: names of items and of words of the
            tables ``ending``, ``game_ending`` and ``lead``, by ``item`` or the table; what is not there may come about.
        dealt: Role of what the hands hold that are dealt, which is chance and nobody's play; None where no such thing is tallied.
    """

    key: str
    decisions: tuple[str, ...]
    items: tuple[str, ...]
    roles: tuple[str, ...]
    enums: Mapping[str, Mapping[str, tuple[str, ...]]]
    view_type: Any
    rules_type: Any
    work_type: Any
    move_type: Any
    engine: Callable[..., Any]
    account: Account = Account()
    impossible: Callable[[Ruleset], Mapping[str, Collection[str]]] = nothing_impossible
    dealt: str | None = None

    @property
    def schema(self) -> Schema:
        """The game's ``rules.toml``."""
        return schema(self.key)


def games() -> tuple[str, ...]:
    """Keys of all games, in alphabetical order."""
    return tuple(sorted({path.parent.name for folder in FOLDERS for path in folder.glob("*/rules.toml")}))


def require(key: str) -> str:
    """The key itself. Raises InputError where there is no such game."""
    if key not in games():
        absent = next((f" SIMCORE_GAMES names '{folder}', which is no folder." for folder in FOLDERS if not folder.is_dir()), "")
        raise InputError(f"there is no game '{key}'; there are: {', '.join(games())}.{nearest(key, games())}{absent}")
    return key


@cache
def schema(key: str) -> Schema:
    """The rules page of a game; needs no compiler. Raises InputError where there is no such game."""
    places = (folder / require(key) / "rules.toml" for folder in FOLDERS)
    return load_schema(next(path for path in places if path.exists()))


def checker(key: str) -> Callable[[Ruleset], None]:
    """The function ``check`` of the game's module ``rules``; needs no compiler."""
    check: Callable[[Ruleset], None] = import_module(f"simcore.games.{require(key)}.rules").check
    return check


def frequencies_of(key: str) -> ModuleType:
    """The game's module that counts hands, see `experiments.frequencies`. Raises InputError where it has none."""
    name = f"simcore.games.{require(key)}.frequencies"
    if find_spec(name) is None:
        raise InputError(f"{key} has no frequencies of hands")
    return import_module(name)


def get(key: str) -> Game:
    """The game with its kernel. Raises InputError where there is no such game."""
    game: Game = import_module(f"simcore.games.{require(key)}").GAME
    return game
