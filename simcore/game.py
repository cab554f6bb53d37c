"""What a game is to the rest of the system, and where games are found.

A game is a folder under ``simcore/games`` whose package has an object ``GAME``. Nothing else lists games.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from simcore.errors import InputError, nearest
from simcore.schema import Schema, load_schema

if TYPE_CHECKING:
    from simcore.ruleset import Ruleset

FOLDER = Path(__file__).parent / "games"


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
        check: Raises InputError where a ruleset contradicts itself.
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

    @property
    def schema(self) -> Schema:
        """The game's ``rules.toml``."""
        return schema(self.key)


def games() -> tuple[str, ...]:
    """Keys of all games, in alphabetical order."""
    return tuple(sorted(path.parent.name for path in FOLDER.glob("*/rules.toml")))


def require(key: str) -> str:
    """The key itself. Raises InputError where there is no such game."""
    if key not in games():
        raise InputError(f"there is no game '{key}'; there are: {', '.join(games())}.{nearest(key, games())}")
    return key


@cache
def schema(key: str) -> Schema:
    """The rules page of a game; needs no compiler. Raises InputError where there is no such game."""
    return load_schema(FOLDER / require(key) / "rules.toml")


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
