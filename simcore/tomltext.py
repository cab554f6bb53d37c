"""TOML files whose values still know the line that they stand on."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, TypeVar, overload

from simcore.errors import InputError, nearest, shown

T = TypeVar("T")

KeyPath = tuple[str | int, ...]
"""Where a value stands in the data: ``("points", 3, "key")`` is the key of the fourth entry of ``[[points]]``."""


@dataclass(frozen=True)
class TomlText:
    """One TOML file, read.

    Attributes:
        path: The file.
        data: What tomllib makes of it.
        lines: The line, counted from 1, of each table and key that has one of its own.
    """

    path: Path
    data: dict[str, Any]
    lines: dict[KeyPath, int]

    def error(self, text: str, *where: str | int) -> InputError:
        """An error that names the file and the line of a key, or of the nearest table around it.

        Args:
            text: What is wrong.
            where: The path of the key; none for the file as a whole.
        """
        return InputError(f"{self.place(*where)}: {text}")

    def place(self, *where: str | int) -> str:
        """The file and the line of a key; of the first thing in it, or else of the nearest table around it."""
        inside = [line for path, line in self.lines.items() if path[: len(where)] == where]
        if where and inside:
            return f"{self.path}, line {min(inside)}"
        return self.place(*where[:-1]) if where else str(self.path)


_KINDS: Final[dict[type, str]] = {
    str: "a text in quotes",
    int: "a whole number",
    bool: "true or false",
    list: "a list",
}


class Table:
    """One table of a file, with the place of each of its keys."""

    def __init__(self, toml: TomlText, where: KeyPath, data: Any) -> None:
        """The table at a path of the file. Raises InputError where ``data`` is none."""
        self.toml = toml
        self.where = where
        if not isinstance(data, dict):
            raise toml.error(f"{_dotted(where)} is a table of keys and values, got {shown(data)}", *where)
        self.data: dict[str, Any] = data

    def place(self, *key: str) -> str:
        """The file and the line of a key, or of the table."""
        return self.toml.place(*self.where, *key)

    def error(self, text: str, *key: str) -> InputError:
        """An error with the place of a key, or of the table."""
        return self.toml.error(text, *self.where, *key)

    def only(self, *allowed: str) -> None:
        """Raises InputError where the table has any other key."""
        for key in self.data:
            if key not in allowed:
                names = f", allowed are {', '.join(allowed)}" if len(allowed) < 12 else ""
                hint = nearest(key, allowed)
                raise self.error(f"unknown key {shown(key)}{_in(self.where)}{names}{hint and '.' + hint}", key)

    @overload
    def take(self, key: str, kind: type[T]) -> T: ...
    @overload
    def take(self, key: str, kind: type[T], default: T) -> T: ...
    def take(self, key: str, kind: type[T], default: T | None = None) -> T:
        """The value of a key. Raises InputError where it is missing or of another type."""
        value = self.data.get(key, default)
        if value is None:
            raise self.error(f"the key {key!r} is missing{_in(self.where)}")
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise self.error(f"{key} is {_KINDS[kind]}, got {shown(value)}", key)
        return value

    def table(self, key: str) -> Table:
        """A table inside this one. Raises InputError where there is none."""
        if key not in self.data:
            raise self.error(f"the table [{_dotted((*self.where, key))}] is missing")
        return Table(self.toml, (*self.where, key), self.data[key])

    def tables(self, key: str) -> Iterator[tuple[str, Table]]:
        """The tables in one that may be left out where it would be empty."""
        if key in self.data:
            yield from self.table(key).each()

    def each(self) -> Iterator[tuple[str, Table]]:
        """The tables that this one holds."""
        for name in self.data:
            yield name, self.table(name)

    def guard(self, key: str, check: Callable[..., T], *arguments: Any) -> T:
        """What a check gives; its error with the place of the key."""
        try:
            return check(*arguments)
        except InputError as problem:
            raise self.error(str(problem), key) from None


def _dotted(where: KeyPath) -> str:
    return ".".join(str(part) for part in where)


def _in(where: KeyPath) -> str:
    return f" in [{_dotted(where)}]" if where else ""


def read_toml(path: str | Path, what: str = "ruleset") -> TomlText:
    """Reads a TOML file.

    Args:
        path: The file.
        what: What the file is meant to be, for errors.

    Raises:
        InputError: It is missing, a folder, unreadable, no text or no TOML.
    """
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        try:
            near = get_close_matches(path.stem, [entry.stem for entry in path.parent.iterdir() if entry.is_file()])
            names = [entry.name for entry in path.parent.iterdir() if entry.stem in near]
        except OSError:
            names = []
        raise InputError(f"{path}: there is no such {what} file.{nearest(path.name, names)}") from None
    except IsADirectoryError:
        raise InputError(f"{path}: this is a folder, not a {what} file") from None
    except UnicodeDecodeError as problem:
        raise InputError(f"{path}: this is not a text file in UTF-8 (byte {problem.start} cannot be read)") from None
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or problem
        raise InputError(f"{path}: this {what} file cannot be read ({reason})") from None
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as problem:
        raise _broken(path, text, problem) from None
    return TomlText(path, data, _lines(text))


def _broken(path: Path, text: str, problem: Exception) -> InputError:
    message = str(problem)
    found = re.search(r" \(at (?:line (\d+), column (\d+)|end of document)\)$", message)
    if not found:  # tomllib does not say where
        what = "brackets are nested too deeply" if isinstance(problem, RecursionError) else "a number is too long"
        return InputError(f"{path}: this TOML cannot be read, {what}")
    line = int(found[1]) if found[1] else len(text.splitlines())
    column = f" (column {found[2]})" if found[2] else " (the file ends too early)"
    return InputError(f"{path}, line {line}: this is not valid TOML: {message[: found.start()]}{column}")


# ------------------------------------------------------------------------------------------------------------------
# tomllib tells no lines of what it has read, so the text is walked through once more, from statement to statement. It
# is known to be valid here, which leaves little to look at: keys, strings and brackets.

_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_SPACE = re.compile(r"[ \t]*")
_NAME = re.compile(r"""[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'""")
_STRING = re.compile(r'"""(?:[^\\]|\\.)*?"{3,5}(?!")' + r"|'''.*?'{3,5}(?!')" + r'|"(?:[^"\\\n]|\\.)*"' + r"|'[^'\n]*'", re.DOTALL)


def _lines(text: str) -> dict[KeyPath, int]:
    lines: dict[KeyPath, int] = {}
    entries: dict[KeyPath, int] = {}  # how many entries each array of tables has so far
    table: KeyPath = ()
    position = _skip(_BLANK, text, 0)
    while position < len(text):
        line = text.count("\n", 0, position) + 1
        if text[position] == "[":
            is_array = text.startswith("[[", position)
            name, position = _key(text, position + 1 + is_array)
            position += 1 + is_array
            table = _inside(name[:-1], entries) + name[-1:]
            if is_array:
                entries[table] = entries.get(table, 0) + 1
            table = _inside(name, entries)
            lines[table] = line
        else:
            name, position = _key(text, position)
            for length in range(1, len(name) + 1):
                lines.setdefault(table + name[:length], line)
            position = _after_value(text, position + 1)
        position = _skip(_BLANK, text, position)
    return lines


def _inside(name: KeyPath, entries: dict[KeyPath, int]) -> KeyPath:
    """The path of a table, with the number of the current entry after each array of tables."""
    path: KeyPath = ()
    for part in name:
        path += (part,)
        if path in entries:
            path += (entries[path] - 1,)
    return path


def _key(text: str, position: int) -> tuple[KeyPath, int]:
    """Reads a key with its dots and the space around it; gives its parts and the position after it."""
    parts: list[str] = []
    while True:
        position = _skip(_SPACE, text, position)
        found = _NAME.match(text, position)
        if found is None:
            raise AssertionError(f"no key at {position} of a text that tomllib has read")
        token = found[0]
        parts.append(tomllib.loads(f"name = {token}")["name"] if token[0] in "\"'" else token)
        position = _skip(_SPACE, text, found.end())
        if text[position : position + 1] != ".":
            return tuple(parts), position
        position += 1


def _after_value(text: str, position: int) -> int:
    """The end of the line on which the value ends that begins here."""
    depth = 0
    while position < len(text):
        character = text[position]
        string = _STRING.match(text, position) if character in "\"'" else None
        if string:
            position = string.end()
            continue
        if character == "#":
            position = _skip(_BLANK, text, position) if depth else text.find("\n", position)
            if position < 0:
                return len(text)
            continue
        if character == "\n" and depth == 0:
            return position
        depth += (character in "[{") - (character in "]}")
        position += 1
    return position


def _skip(pattern: re.Pattern[str], text: str, position: int) -> int:
    found = pattern.match(text, position)
    return found.end() if found else position
