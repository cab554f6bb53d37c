"""What people write to name a ruleset: settings, canonical strings and files. All of them come down to a list of settings.

A setting is ``key=value``, where the key is an option or a value of the point table. Where one word is both (``superblow``),
the value tells: a whole number means the points; ``options.superblow`` and ``points.superblow`` say it outright.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from simcore.errors import InputError, nearest, shown
from simcore.schema import Item, Kind, Option, OptionValue, Schema, schema_of
from simcore.tomltext import Table, TomlText, read_toml

TABLES: Final[dict[str, Kind]] = {"options": "option", "points": "points"}
"""The tables of a file, and of a key that says outright which one it is of."""


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
    """All settings behind a ruleset in the order in which they apply, and the display name that a file gave it."""

    settings: tuple[Setting, ...]
    name: str = ""


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
            setting = _read_setting(schema, text, where)
        except InputError as problem:
            raise InputError(f"{where}: {problem}") from None
        earlier = settings.get((setting.kind, setting.key))
        if earlier:
            raise InputError(
                f"{where}: {setting.key} is set twice, to {shown(earlier.value)} and to {shown(setting.value)}"
            )
        settings[setting.kind, setting.key] = setting
    return tuple(settings.values())


def read_text(schema: Schema, text: str) -> Source:
    """Reads a name (``kombinator``) or a canonical string (``kombinator(superblow=adds, pair=4)``).

    Raises:
        InputError: The name is unknown, the parentheses do not match, or a setting is wrong.
    """
    where = f"ruleset {shown(text)}"
    head, parenthesis, rest = text.strip().partition("(")
    head = head.strip()
    if head not in schema.rulesets:
        raise InputError(f"{where}: {_unknown_name(schema, head)}")
    inner: list[str] = []
    if parenthesis:
        inner = _parts(rest, where)
    elif text.strip() != head:
        raise InputError(f"{where}: settings go into parentheses after the name")
    variant = schema.rulesets[head]
    named: list[Setting] = []
    if variant:
        named += [Setting("option", key, value, where) for key, value in variant.options.items()]
        named += [Setting("points", key, value, where) for key, value in variant.points.items()]
    return Source((*named, *read_settings(schema, inner, where)))


def read_any(schema: Schema, text: str | Path, beside: Path | None = None, above: Sequence[Path] = ()) -> Source:
    """Reads what names a ruleset: a name, a canonical string or a file.

    A name of the game comes first; what is no name is a file where it looks like one or where there is one.

    Args:
        schema: The game's.
        text: The name, the string or the path.
        beside: The folder that a path is relative to; the working folder if None.
        above: The files that led here by their ``base``, to notice a loop.

    Raises:
        InputError: As `read_text` and `read_file`.
    """
    if isinstance(text, str):
        head = text.partition("(")[0].strip()
        is_path = head.endswith(".toml") or "/" in head or "\\" in head
        if not text.strip():
            raise InputError(f"a ruleset has a name, got an empty text; {_names(schema)}")
        if head in schema.rulesets or not (is_path or (beside or Path()).joinpath(text).exists()):
            return read_text(schema, text)
    return read_file(schema, (beside or Path()) / text, above)


def read_file(schema: Schema, path: str | Path, above: Sequence[Path] = ()) -> Source:
    """Reads a designer's file: what differs from a ``base``, or a whole changed copy of the game's ``rules.toml``.

    Args:
        schema: The game's.
        path: The file. A ``base`` that is a path is relative to its folder.
        above: As in `read_any`.

    Raises:
        InputError: The file cannot be read, it or a file it is based on has a mistake, or the bases go in a circle.
    """
    path = Path(path)
    chain = [*above, path.resolve()]
    if chain[-1] in above:
        circle = " -> ".join(file.name for file in chain[chain.index(chain[-1]) :])
        raise InputError(f"{path}: the bases go in a circle: {circle}")
    toml = read_toml(path)
    if "game" in toml.data:
        return _read_copy(schema, toml)
    page = Table(toml, (), toml.data)
    for key in page.data:
        if key in schema.options or key in schema.points:
            table = "options" if key in schema.options else "points"
            raise page.error(f"{key} belongs under [{table}]", key)
    page.only("base", "name", "options", "points")
    if "base" not in page.data:
        raise page.error(f'the key \'base\' is missing: what the file changes, such as base = "{schema.key}"')
    base = page.take("base", str)
    try:
        source = read_any(schema, base, path.parent, chain)
    except InputError as problem:
        if str(problem).startswith(str(path.parent / base)):
            raise
        raise page.error(f"base: {problem}", "base") from None
    settings = list(source.settings)
    for table, kind in TABLES.items():
        if table in page.data:
            settings += _read_table(schema, page.table(table), kind)
    return Source(tuple(settings), page.take("name", str, "") or source.name)


def _read_table(schema: Schema, table: Table, kind: Kind) -> Iterable[Setting]:
    keys, others = (schema.options, schema.points) if kind == "option" else (schema.points, schema.options)
    for key, value in table.data.items():
        if key not in keys:
            if key in others:
                raise table.error(
                    f"{key} belongs under [{'points' if kind == 'option' else 'options'}]", key
                )
            raise table.error(schema.unknown(key), key)
        entry = keys[key]
        yield Setting(kind, key, table.guard(key, entry.accept, value), table.place(key))


def _read_copy(schema: Schema, toml: TomlText) -> Source:
    """Reads a changed copy of ``rules.toml``: its defaults and points; what they mean must be left as it is."""
    copy = schema_of(toml)
    page = Table(toml, (), toml.data)
    if copy.key != schema.key:
        raise page.table("game").error(f"this is a ruleset of {copy.key}, not of {schema.key}", "key")
    original = read_toml(schema.path)
    fixed = "the game fixes it, and a copy changes only defaults, points and texts"
    settings: list[Setting] = []
    for key, old in schema.options.items():
        if key not in copy.options:
            continue  # an older copy, or a line that the designer did not care to keep: the game's default
        new = copy.options[key]
        table = page.table("options").table(key)
        for name in ("type", "min", "max", "choices", "rule", "open"):
            if table.data.get(name) != original.data["options"][key].get(name):
                raise table.error(f"{name} of {key} is not {shown(table.data.get(name))}: {fixed}", name)
        settings.append(Setting("option", key, old.accept(new.default), table.place("default")))
    for number, line in enumerate(toml.data["points"]):
        entry = Table(toml, ("points", number), line)
        item = copy.points[line["key"]]
        if item.key not in schema.points:
            raise entry.error(schema.unknown(item.key), "key")
        settings.append(Setting("points", item.key, item.points, entry.place("points")))
    for key in copy.options:
        if key not in schema.options:
            raise page.table("options").error(schema.unknown(key), key)
    return Source(tuple(settings), copy.name["en"] if copy.name != schema.name else "")


def _read_setting(schema: Schema, text: str, where: str) -> Setting:
    key, equals, value = (part.strip() for part in text.partition("="))
    if not equals or not key or not value:
        raise InputError("expected key=value, such as pair=4")
    table, dot, name = key.partition(".")
    kinds: tuple[Kind, ...] = ("option", "points")
    if dot:
        if table not in TABLES:
            raise InputError(f"before the dot stands options or points.{nearest(table, TABLES)}")
        key, kinds = name, (TABLES[table],)
    entries: list[tuple[Kind, Option | Item]] = []
    if "option" in kinds and key in schema.options:
        entries.append(("option", schema.options[key]))
    if "points" in kinds and key in schema.points:
        entries.append(("points", schema.points[key]))
    if not entries:
        raise InputError(schema.unknown(key))
    if len(entries) == 2:
        is_number = value.lstrip("+-").replace("_", "").isdecimal()
        entries = entries[1:] if is_number else entries[:1]
    kind, entry = entries[0]
    return Setting(kind, key, entry.read(value), where)


def _parts(text: str, where: str) -> list[str]:
    """The settings inside the parentheses of a canonical string; commas inside a list's brackets do not part them."""
    if not text.endswith(")"):
        raise InputError(f"{where}: the closing parenthesis is missing or not at the end")
    parts = [""]
    depth = 0
    for character in text[:-1]:
        depth += (character == "[") - (character == "]")
        if character in "()" or depth not in (0, 1):
            raise InputError(f"{where}: the parentheses or brackets do not match")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    if depth:
        raise InputError(f"{where}: the parentheses or brackets do not match")
    return [part.strip() for part in parts] if text[:-1].strip() else []


def _unknown_name(schema: Schema, head: str) -> str:
    return f"{schema.key} has no ruleset called {head!r}.{nearest(head, schema.rulesets) or ' ' + _names(schema)}"


def _names(schema: Schema) -> str:
    return f"rulesets are {', '.join(schema.rulesets)}, or a file ending in .toml"
