"""Scripted players: how they are declared, found by name, compiled, and given to a kernel.

A strategy is a `Strategy` object in a module: ``strategies/<game>.py`` for the built-in ones, any file for a user's own (``mybots.py:cautious``). Its
decisions are plain functions that the kernel reaches by address, so a new strategy never makes the kernel be compiled again.
"""

from __future__ import annotations

import ast
import hashlib
import importlib
import importlib.util
import inspect
import itertools
import re
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

import numba
import numpy as np
from numba import cfunc, types
from numba.core.errors import NumbaError

from simcore.compiled import INNER, cache_folder, cached_in, hash_of
from simcore.errors import InputError, StrategyError, nearest

if TYPE_CHECKING:
    from simcore.game import Game

ARGUMENTS: Final = ("view", "rules", "params", "work", "move")
KEPT: Final = ARGUMENTS[:3]
"""What a strategy may read and not write: the kernel goes by the first, and checks moves by it."""


@dataclass(frozen=True)
class Param:
    """A whole number that is given in a strategy's name: ``builder(patience=2)``.

    A restriction is a switch, 0 or 1 and usually 0, by which the strategy is forbidden one thing: what that costs is what the thing is worth.
    """

    default: int
    low: int
    high: int
    doc: str
    restriction: bool = False

    def __post_init__(self) -> None:
        if not self.low <= self.default <= self.high:
            raise InputError(f"a parameter's default, {self.default}, is not from {self.low} to {self.high}")


@dataclass(frozen=True)
class Strategy:
    """A scripted player.

    doc: one line that says what it does; decisions: a function for each decision of its game, with the arguments ``(view, rules, params, work, move)``,
    which fills in ``move`` and returns True; params: what can be given in its name, read as ``params.patience``.
    """

    doc: str
    decisions: Mapping[str, Callable[..., Any]]
    params: Mapping[str, Param] = field(default_factory=dict)


@dataclass(frozen=True)
class Player:
    """A strategy with its parameters, ready to be compiled for its game."""

    name: str
    strategy: Strategy
    values: Mapping[str, int]
    origin: str
    code_key: str

    def __str__(self) -> str:
        """The canonical name: parameters that differ from their defaults, in the order in which the strategy declares them."""
        given = [f"{key}={value}" for key, value in self.values.items() if value != self.strategy.params[key].default]
        return f"{self.name}({', '.join(given)})" if given else self.name

    @cached_property
    def params(self) -> np.ndarray:
        """The parameters as one record (a strategy without any gets an empty field)."""
        kind = np.dtype([(name, "i8") for name in self.values], align=True) if self.values else NO_PARAMS
        record = np.zeros(1, kind)
        for key, value in self.values.items():
            record[key] = value
        return record

    def compile(self, game: Game) -> list[int]:
        """Addresses of the compiled decisions, in the order of the game's `decisions`. Raises StrategyError where numba refuses one."""
        addresses = []
        for name in game.decisions:
            try:
                compiled = compile_decision(self.strategy.decisions[name], game, self.params.dtype, self.code_key)
            except (NumbaError, KeyError) as error:  # a KeyError: a field that a record does not have
                records = {"view": game.view_type, "rules": game.rules_type, "work": game.work_type, "move": game.move_type}
                problem = _short(error, {name: list(record.fields) for name, record in records.items()} | {"params": list(self.values)})
                who = self.name.rpartition(":")[2]
                raise StrategyError(f"{self.origin}: {who}: the decision '{name}' does not compile: {problem}") from error
            addresses.append(compiled.address)
        return addresses


_compiled: dict[tuple[Any, ...], Any] = {}
NO_PARAMS: Final = np.dtype([("none", "i8")], align=True)


def compile_decision(function: Callable[..., Any], game: Game, params: np.dtype, code_key: str = "") -> Any:
    """Compile a function of five records (`ARGUMENTS`) for a game; the result has an ``address`` for `simcore.compiled.call_decision`.

    Args:
        function: A plain function that returns True or False.
        game: Whose records it is given.
        params: Type of its parameters' record.
        code_key: Tells apart code from outside the package in the cache of machine code.

    Raises:
        NumbaError: numba refuses it.
    """
    key = (game.key, code_key, function.__module__, function.__qualname__, str(params))
    if key not in _compiled:
        signature = types.int64(game.view_type, game.rules_type, numba.from_dtype(params), game.work_type, game.move_type)
        with cached_in(cache_folder(game.key, code_key)) as possible:
            _compiled[key] = cfunc(signature, cache=possible, **INNER)(function)
    return _compiled[key]


def _short(error: Exception, records: Mapping[str, Sequence[str]]) -> str:
    """The part of numba's message that speaks of the user's own lines; ``records`` are the fields of each argument of a decision."""
    if isinstance(error, KeyError):
        asked = str(error.args[0])
        others = [name for name, fields in records.items() if asked in fields]
        if others:
            return f"there is no field {asked!r} in the record that it is asked of: {' and '.join(others)} has it"
        return f"there is no field {asked!r}.{nearest(asked, itertools.chain(*records.values()))}"
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    where = [line for line in lines if line.startswith("File ")]
    what = [line for line in lines if not line.startswith(("File ", "Failed in", "During:", "<source", "-"))]
    if any("none to int64" in line or "none to bool" in line for line in what):
        what.insert(0, "it must return True or False on every way through, and ends on some without a return")
    elif what and (refused := re.match(r"No implementation of function Function\((.+)\) found for signature", what[0])):
        what[0] = f"{refused[1]} cannot be compiled for these values: decisions have whole numbers, loops and calls of @inner functions"
    return " ".join([what[0] if what else lines[0], *(f"({line.rstrip(':')})" for line in where[-1:])])


def available(game: Game) -> dict[str, Strategy]:
    """The built-in strategies of a game by name, in the order of their module."""
    return strategies_in(home(game))


def home(game: Game) -> ModuleType:
    """The module of a game's built-in strategies: ``strategies.<game>``, or the module ``strategies`` of the package of a game from elsewhere.

    Raises InputError where there is neither.
    """
    places = (f"strategies.{game.key}", f"simcore.games.{game.key}.strategies")
    found = next((place for place in places if importlib.util.find_spec(place)), None)
    if found is None:
        raise InputError(f"{game.key} has no players: they stand in a module strategies/{game.key}.py, or in strategies.py of the game's own folder")
    return importlib.import_module(found)


def strategies_in(module: ModuleType) -> dict[str, Strategy]:
    """All `Strategy` objects of a module by name."""
    found = {name: value for name, value in vars(module).items() if isinstance(value, Strategy)}
    return {name.rstrip("_"): value for name, value in found.items()}


def load(text: str, game: Game) -> Player:
    """The player that a name means: ``greedy``, ``builder(patience=2)``, ``mybots.py:cautious(nerve=3)``.

    Raises InputError where there is no such strategy, file or parameter, or where it does not fit the game.
    """
    match = re.fullmatch(r"\s*(?:(?P<file>.+\.py):)?(?P<name>[^():]+?)\s*(?:\((?P<params>.*)\))?\s*", text)
    if not match:
        raise InputError(f"strategy '{text}': expected a name, name(parameter=value), or file.py:name")
    name = match["name"].strip()
    if match["file"]:
        path = Path(match["file"])
        module, code_key = _load_file(path)
        found, origin, shown = strategies_in(module), str(path), f"{match['file']}:{name}"
    else:
        found, origin, shown = available(game), _place(home(game)), name
        code_key = _builtin_key(game)
    if name not in found and not match["file"] and name.endswith(".py"):
        raise InputError(f"strategy '{name}': name one of its strategies behind the file, such as {name}:cautious")
    if name not in found:
        known = ", ".join(found) if found else "none: a strategy is a simcore.Strategy object in the file"
        raise InputError(f"strategy '{name}' is not in {origin}; there are: {known}.{nearest(name, found)}")
    strategy = found[name]
    _check_decisions(strategy, game, f"{origin}: {name}")
    return Player(shown, strategy, _read_params(match["params"], strategy, shown), origin, code_key)


def _builtin_key(game: Game) -> str:
    path = Path(str(home(game).__file__))
    return hash_of(path.parent.glob(f"{path.stem}*.py"), path.parent)


def _place(module: ModuleType) -> str:
    """The file of a module as a person looks for it: from the folder of the project where it is inside, else in full."""
    path = Path(str(module.__file__))
    root = Path(__file__).parent.parent
    return (path.relative_to(root) if path.is_relative_to(root) else path).as_posix()


def _load_file(path: Path) -> tuple[ModuleType, str]:
    """Import a user's file; the key of its machine code covers it and every file beside it that it imports."""
    if not path.is_file():
        raise InputError(f"strategy file '{path}' does not exist")
    path = path.resolve()
    text = path.read_bytes()
    name = f"simcore_user_{path.stem}_{hashlib.sha256(str(path).encode() + text).hexdigest()[:12]}"
    folder = path.parent
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, path)
        if spec is None or spec.loader is None:
            raise InputError(f"strategy file '{path}' is not a Python file")
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        sys.path.insert(0, str(folder))
        writes, sys.dont_write_bytecode = sys.dont_write_bytecode, True  # nothing of ours is left beside the user's files
        try:
            spec.loader.exec_module(module)
        except Exception as error:
            del sys.modules[name]
            line = _line_in(error, path)
            raise InputError(f"strategy file '{path}'{line} cannot be imported: {type(error).__name__}: {error}") from error
        finally:
            sys.dont_write_bytecode = writes
            sys.path.remove(str(folder))
    files = {path}
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None)
        if file and Path(file).suffix == ".py" and Path(file).resolve().parent == folder:
            files.add(Path(file).resolve())
    return sys.modules[name], hash_of(files, folder)


def _line_in(error: BaseException, path: Path) -> str:
    if isinstance(error, SyntaxError) and error.lineno:
        return f", line {error.lineno},"
    trace = error.__traceback__
    line = None
    while trace:
        if Path(trace.tb_frame.f_code.co_filename) == path:
            line = trace.tb_lineno
        trace = trace.tb_next
    return f", line {line}," if line else ""


def _check_decisions(strategy: Strategy, game: Game, where: str) -> None:
    """Every decision of the game is there, and takes the five arguments."""
    missing = [name for name in game.decisions if name not in strategy.decisions]
    extra = [name for name in strategy.decisions if name not in game.decisions]
    if missing or extra:
        problem = f"has no decision '{missing[0]}'" if missing else f"has a decision '{extra[0]}' that the game does not ask for"
        raise InputError(f"{where} does not fit {game.key}: it {problem}; its decisions are: {', '.join(game.decisions)}")
    for name, function in strategy.decisions.items():
        if not inspect.isfunction(function):
            raise InputError(f"{where}: the decision '{name}' is not a plain function (do not compile it yourself)")
        given = tuple(inspect.signature(function).parameters)
        if given != ARGUMENTS:
            line = function.__code__.co_firstlineno
            raise InputError(f"{where}, line {line}: the decision '{name}' takes ({', '.join(given)}), but must take ({', '.join(ARGUMENTS)})")
        for record, line in _written(function):
            raise InputError(f"{where}, line {line}: the decision '{name}' writes into {record}, which is the game's: a move goes into move, notes into work")


def _written(function: Callable[..., Any]) -> Iterator[tuple[str, int]]:
    """Records of the game that the lines of a decision assign into, each with its line; what helpers do with them is not seen."""
    lines, first = inspect.getsourcelines(function)
    for node in ast.walk(ast.parse(textwrap.dedent("".join(lines)))):
        if isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store):
            whole: ast.expr = node
            while isinstance(whole, ast.Attribute | ast.Subscript):
                whole = whole.value
            if isinstance(whole, ast.Name) and whole.id in KEPT:
                yield whole.id, first + node.lineno - 1


def _read_params(text: str | None, strategy: Strategy, shown: str) -> dict[str, int]:
    values = {key: param.default for key, param in strategy.params.items()}
    for part in filter(None, (part.strip() for part in (text or "").split(","))):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals:
            raise InputError(f"strategy '{shown}({text})': expected parameter=value, got '{part}'")
        if key not in values:
            known = ", ".join(values) or "none"
            raise InputError(f"strategy '{shown}' has no parameter '{key}'; it has: {known}.{nearest(key, values)}")
        param = strategy.params[key]
        if not re.fullmatch(r"[+-]?\d+", value) or not param.low <= int(value) <= param.high:
            raise InputError(f"strategy '{shown}': {key} must be a whole number from {param.low} to {param.high}, got '{value}'")
        values[key] = int(value)
    return values
