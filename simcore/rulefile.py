"""What people write to name a ruleset: settings, canonical strings and files. All of them come down to a list of settings.

A setting is ``key=value``, where the key is an option or a value of the point table. Where one word is both (``superblow``),
the value tells: a whole number means the points; ``options.superblow`` and ``points.superblow`` say it outright.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from simcore.errors import InputError, nearest, shown
from simcore.schema import EXPECT, Item, Kind, Option, OptionValue, Schema, is_whole, schema_of
from simcore.tomltext import Table, TomlText, read_toml

TABLES: Final[dict[str, Kind]] = {"options": "option", "points": "points"}
"""The tables of a file; before a key and a dot they say which one it is of."""


@dataclass(frozen=True)
class Setting:
    """One value that a ruleset gives to an option or to an item of the point table, checked.

    Attributes:
        kind: Which of the two.
        key: Its name.
        value: The value.
        where: Where it was written, for errors found later: a file and a line, or the text itself.
    """

    kind: Kind
    key: str
    value: OptionValue
    where: str


@dataclass(frozen=True)
class Source:
    """All that was read of a ruleset.

    Attributes:
        settings: In the order in which they apply; of two for one key the later holds.
        name: The display name that a file gave, or an empty text.
    """

    settings: tuple[Setting, ...]
    name: str = ""

    def place_of(self, key: str | None) -> str:
        """Where an option got its value; an empty text where it has its default."""
        return next((setting.where for setting in reversed(self.settings) if (setting.kind, setting.key) == ("option", key)), "")


# ------------------------------------------------------------------------------------------------------------------
# Texts


def read_settings(schema: Schema, texts: Iterable[str], within: str = "") -> tuple[Setting, ...]:
    """Reads settings as ``--set`` gives them.

    Args:
        schema: The game's.
        texts: Settings such as ``"pair=4"``.
        within: What the settings are part of, for errors; empty where each stands alone.

    Raises:
        InputError: A text is no setting, its key is unknown, its value is not allowed, or a key is set twice.
    """
    settings: dict[tuple[Kind, str], Setting] = {}
    for text in texts:
        where = within or f"setting {shown(text)}"
        try:
            kind, key, value = _read_setting(schema, text)
            if (kind, key) in settings:
                raise InputError(f"{key} is set twice, to {shown(settings[kind, key].value)} and to {shown(value)}")
        except InputError as problem:
            raise InputError(f"{where}: {problem}") from None
        settings[kind, key] = Setting(kind, key, value, where)
    return tuple(settings.values())


def _read_setting(schema: Schema, text: str) -> tuple[Kind, str, OptionValue]:
    key, equals, value = (part.strip() for part in text.partition("="))
    if not equals or not key:
        raise InputError(f"a setting is a key, '=' and a value, such as 'pair=4', got {shown(text)}")
    table, dot, name = key.partition(".")
    if dot and table not in TABLES:
        raise InputError(f"before the dot of a key stands 'options' or 'points', got {table!r}.{nearest(table, TABLES)}")
    kinds = [TABLES[table]] if dot else list(TABLES.values())
    name = name if dot else key
    option = schema.options.get(name) if "option" in kinds else None
    item = schema.points.get(name) if "points" in kinds else None
    if item and (option is None or is_whole(value)):
        return "points", name, item.read(value)
    if option is None:
        raise InputError(schema.unknown(name))
    try:
        return "option", name, option.read(value)
    except InputError as problem:
        points = f"{'' if str(problem).endswith('?') else '.'} As points it takes a whole number" if item else ""
        raise InputError(f"{problem}{points}") from None


def read_text(schema: Schema, text: str) -> Source:
    """Reads a name (``kombinator``) or a canonical string (``kombinator(superblow=adds, pair=4)``).

    Raises:
        InputError: The name is unknown, the parentheses do not match, or a setting is wrong.
    """
    where = f"ruleset {shown(text)}"
    head, parenthesis, rest = text.partition("(")
    head = head.strip()
    if head not in schema.rulesets:
        raise InputError(f"{where}: {_unknown(schema, head)}")
    inner = _parts(rest, where) if parenthesis else []
    variant = schema.rulesets[head]
    named: list[Setting] = []
    if variant:
        named += [Setting("option", key, value, where) for key, value in variant.options.items()]
        named += [Setting("points", key, points, where) for key, points in variant.points.items()]
    return Source((*named, *read_settings(schema, inner, where)))


def _parts(text: str, where: str) -> list[str]:
    """The settings in what follows an opening parenthesis: the commas inside a list do not divide them."""
    parts = [""]
    closing = ")"  # the brackets that are still to come, the next one first
    for position, character in enumerate(text):
        if character in "([":
            closing = {"(": ")", "[": "]"}[character] + closing
        elif character in ")]":
            if character != closing[0]:
                raise InputError(f"{where}: {character!r} stands where {closing[0]!r} has to come first")
            closing = closing[1:]
            if not closing:
                if text[position + 1 :].strip():
                    raise InputError(f"{where}: nothing follows the last parenthesis, got {shown(text[position + 1 :])}")
                return parts if any(part.strip() for part in parts) or len(parts) > 1 else []
        if character == "," and len(closing) == 1:
            parts.append("")
        else:
            parts[-1] += character
    raise InputError(f"{where}: {closing[0]!r} is missing at the end")


def _unknown(schema: Schema, name: str) -> str:
    hint = nearest(name, schema.rulesets)
    if not hint and "=" in name:
        hint = f" A setting goes into parentheses: '{schema.key}({name})'."
    return f"{shown(name)} is no ruleset of {schema.key}: it has {', '.join(schema.rulesets)}, or give a file.{hint}"


# ------------------------------------------------------------------------------------------------------------------
# Files


def read_any(schema: Schema, text: str | Path, beside: Path = Path(), above: Sequence[Path] = ()) -> Source:
    """Reads what names a ruleset: a name, a canonical string or a file.

    The names of the game come first. Anything else is a file where it looks like one or where there is one.

    Args:
        schema: The game's.
        text: The name, the string or the path.
        beside: The folder that a path is relative to.
        above: The files that led here by their ``base``, to notice a circle.

    Raises:
        InputError: As `read_text` and `read_file`.
    """
    if isinstance(text, str):
        head = text.partition("(")[0].strip()
        looks_like_file = any(sign in head for sign in "./\\")  # no name has one of these
        if head in schema.rulesets or not text.strip() or not (looks_like_file or _exists(beside / text)):
            return read_text(schema, text)
    return read_file(schema, beside / text, above)


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # longer than a path can be, or with characters that none has
        return False


def read_file(schema: Schema, path: str | Path, above: Sequence[Path] = ()) -> Source:
    """Reads a designer's file: what differs from a ``base``, or a whole changed copy of the game's ``rules.toml``.

    Args:
        schema: The game's.
        path: The file. A ``base`` that is a path is relative to its folder.
        above: As in `read_any`.

    Raises:
        InputError: The file, or a file that it is based on, cannot be read or has a mistake, or the bases go in a circle.
    """
    path = Path(path)
    toml = read_toml(path)
    page = Table(toml, (), toml.data)
    if "game" in page.data:
        return _read_copy(schema, toml)
    for key in page.data:
        for table, keys in (("options", schema.options), ("points", schema.points)):
            if key in keys:
                raise page.error(f"{key} belongs under [{table}]", key)
    page.only("base", "name", *TABLES, EXPECT)
    if "base" not in page.data:
        raise page.error(f"the key 'base' is missing: it names what the file changes, such as base = \"{schema.key}\"")
    base = page.take("base", str)
    chain = [*above, path.resolve()]
    if (path.parent / base).resolve() in chain:
        raise page.error(f"the bases go in a circle, back to {base!r}", "base")
    try:
        source = read_any(schema, base, path.parent, chain)
    except InputError as problem:
        raise page.error(f"base: {problem}", "base") from None
    settings = list(source.settings)
    for table, kind in TABLES.items():
        if table in page.data:
            settings += _read_table(schema, page.table(table), kind)
    return Source(tuple(settings), page.take("name", str, "") or source.name)


def _read_table(schema: Schema, table: Table, kind: Kind) -> Iterator[Setting]:
    keys: dict[str, Option | Item] = {**(schema.options if kind == "option" else schema.points)}
    for key, value in table.data.items():
        if key not in keys:
            if kind == "option" and key in schema.points:
                raise table.error(f"{key} belongs under [points]", key)
            if kind == "points" and key in schema.options:
                raise table.error(f"{key} belongs under [options]", key)
            raise table.error(schema.unknown(key), key)
        yield Setting(kind, key, table.guard(key, keys[key].accept, value), table.place(key))


def _read_copy(schema: Schema, toml: TomlText) -> Source:
    """Reads a changed copy of ``rules.toml``: the defaults and the points count; texts may be changed, nothing else."""
    copy = schema_of(toml)
    page = Table(toml, (), toml.data)
    if copy.key != schema.key:
        raise page.table("game").error(f"this is a ruleset of {copy.key}, not of {schema.key}", "key")
    original = read_toml(schema.path).data
    _same(page.table("game"), original["game"], ("players", "pack"))
    settings = []
    for key, table in page.tables("options"):
        if key not in schema.options:
            raise table.error(schema.unknown(key))
        _same(table, original["options"][key], ("type", "min", "max", "choices", "rule", "open"))
        value = table.guard("default", schema.options[key].accept, copy.options[key].default)
        settings.append(Setting("option", key, value, table.place("default")))
    wanted = iter(schema.points)
    for number, (key, item) in enumerate(copy.points.items()):
        line = Table(toml, ("points", number), toml.data["points"][number])
        if key not in schema.points:
            raise line.error(schema.unknown(key), "key")
        following = next(wanted)
        if key != following:
            raise line.error(
                f"{key} stands where the point table of {schema.key} has {following}; its order decides between equal "
                "splits, so it is kept, and what is not wanted gets 0 points",
                "key",
            )
        _same(line, original["points"][number], ("category", "rule"))
        settings.append(Setting("points", key, item.points, line.place("points")))
    missing = next(wanted, None)
    if missing:
        raise page.error(f"{missing} is missing in the point table; what is not wanted gets 0 points", "points")
    _same(page, original, ("variants",))
    return Source(tuple(settings))


def _same(table: Table, original: dict[str, Any], keys: Sequence[str]) -> None:
    for key in keys:
        if table.data.get(key) != original.get(key):
            raise table.error(f"a copy of the rules changes only defaults, points and texts, but {key} differs", key)
