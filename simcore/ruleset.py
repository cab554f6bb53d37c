"""Rulesets: the rules of a game as one frozen, checked value, which prints to a canonical string and loads from it.

A ruleset holds a value for every option of its game and for every line of the point table. Its canonical string names the game and
what differs from the game's own values, ``kombinator(superblow=adds, pair=4)``, so equal rulesets have equal strings. The string
labels results, caches and files; a display name never does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from simcore.errors import InputError
from simcore.rulefile import Source, read_any, read_file, read_settings, read_text
from simcore.schema import FrozenMap, Kind, OptionValue, Schema, Words, is_whole, written


@dataclass(frozen=True)
class Ruleset:
    """The rules by which a game is played.

    Attributes:
        schema: What the game's ``rules.toml`` says.
        options: The value of every option, in the order of the file.
        points: The value of every line of the point table, in its order.
        name: A display name that a file gave; it counts for nothing.

    Raises:
        InputError: A key is missing or unknown, or a value is not allowed.
    """

    schema: Schema
    options: Mapping[str, OptionValue]
    points: Mapping[str, int]
    name: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        """Checks every value and brings both mappings into the order of the game."""
        for key in [*self.options, *self.points]:
            if key not in self.schema.options and key not in self.schema.points:
                raise InputError(self.schema.unknown(key))
        for table, given, allowed in (
            ("options", self.options, self.schema.options),
            ("points", self.points, self.schema.points),
        ):
            wrong = set(given) ^ set(allowed)
            if wrong:
                raise InputError(f"a ruleset has all {table} of its game and no others; wrong: {', '.join(sorted(wrong))}")
        options = {key: option.accept(self.options[key]) for key, option in self.schema.options.items()}
        points = {key: item.accept(self.points[key]) for key, item in self.schema.points.items()}
        object.__setattr__(self, "options", FrozenMap(options))
        object.__setattr__(self, "points", FrozenMap(points))

    @property
    def canonical(self) -> str:
        """The game and what differs from its own values: options in the order of the file, then points."""
        changes = [f"{key}={written(self.options[key])}" for key, option in self.schema.options.items() if self.options[key] != option.default]
        changes += [
            f"{'points.' if key in self.schema.options else ''}{key}={self.points[key]}"
            for key, item in self.schema.points.items()
            if self.points[key] != item.points
        ]
        return f"{self.schema.key}({', '.join(changes)})" if changes else self.schema.key

    def __str__(self) -> str:
        """The canonical string."""
        return self.canonical

    def with_(self, **changes: OptionValue) -> Ruleset:
        """This ruleset with some values changed.

        Args:
            changes: Options and values of the point table by key. Where a key is both, a whole number means the points.

        Raises:
            InputError: A key is unknown or a value is not allowed.
        """
        options, points = dict(self.options), dict(self.points)
        for key, value in changes.items():
            if key in self.schema.points and (key not in self.schema.options or is_whole(value)):
                points[key] = self.schema.points[key].accept(value)
            elif key in self.schema.options:
                options[key] = self.schema.options[key].accept(value)
            else:
                raise InputError(self.schema.unknown(key))
        return Ruleset(self.schema, options, points, self.name)

    def with_settings(self, settings: Iterable[str], check: Check | None = None) -> Ruleset:
        """This ruleset with some settings, as ``--set`` gives them: ``["pair=4", "superblow=adds"]``.

        Args:
            settings: What is changed.
            check: As for `resolve`.

        Raises:
            InputError: A text is no setting, a key is unknown or set twice, or a value is not allowed.
        """
        return self._apply(Source(read_settings(self.schema, settings)), check)

    def _apply(self, source: Source, check: Check | None) -> Ruleset:
        options, points = dict(self.options), dict(self.points)
        for setting in source.settings:
            if setting.kind == "option":
                options[setting.key] = setting.value
            else:
                points[setting.key] = self.schema.points[setting.key].accept(setting.value)
        ruleset = Ruleset(self.schema, options, points, source.name or self.name)
        if check:
            try:
                check(ruleset)
            except InputError as problem:
                place = source.place_of(problem.key)
                raise InputError(f"{place}: {problem}" if place else str(problem), key=problem.key) from None
        return ruleset


Check = Callable[[Ruleset], None]
"""A game's own check of values that depend on each other.

It raises InputError, with the `key` of the option that is at fault where it knows it: the error then says where that was set.
"""


def default(schema: Schema) -> Ruleset:
    """The game as it is: the ruleset in which nothing is changed."""
    return Ruleset(
        schema,
        {key: option.default for key, option in schema.options.items()},
        {key: item.points for key, item in schema.points.items()},
    )


def parse(schema: Schema, text: str, check: Check | None = None) -> Ruleset:
    """The ruleset of a name (``kombinator``, ``kombinator-millionaire``, ``millionaire``) or of a canonical string.

    Raises:
        InputError: The text is neither; it says what is wrong in it.
    """
    return default(schema)._apply(read_text(schema, text), check)


def load_file(schema: Schema, path: str | Path, check: Check | None = None) -> Ruleset:
    """The ruleset in a designer's file: what differs from its ``base``, or a changed copy of the game's ``rules.toml``.

    Raises:
        InputError: The file, or one that it is based on, cannot be read or has a mistake; it names the file and the line.
    """
    return default(schema)._apply(read_file(schema, path), check)


def resolve(
    schema: Schema,
    text: str | Path | None = None,
    settings: Iterable[str] = (),
    check: Check | None = None,
) -> Ruleset:
    """The ruleset that ``--ruleset`` and ``--set`` ask for.

    Args:
        schema: The game's.
        text: A name, a canonical string or a file; None for the game as it is.
        settings: What is changed in it, such as ``["pair=4"]``.
        check: The game's own check.

    Raises:
        InputError: Something is wrong; it says what and where, and what is allowed.
    """
    source = read_any(schema, text) if text is not None else Source(())
    source = Source((*source.settings, *read_settings(schema, settings)), source.name)
    return default(schema)._apply(source, check)


# ------------------------------------------------------------------------------------------------------------------
# Differences


@dataclass(frozen=True)
class Row:
    """One value in which two rulesets differ.

    Attributes:
        key: The option or the item of the point table.
        kind: Which of the two.
        a: Its value in the first ruleset.
        b: Its value in the second one.
        rule: The rule of the rulebook.
        help: What it is, in each language.
    """

    key: str
    kind: Kind
    a: OptionValue
    b: OptionValue
    rule: str
    help: Words


def difference(a: Ruleset, b: Ruleset) -> list[Row]:
    """The values in which two rulesets of one game differ, options first, in the order of the game.

    Raises:
        InputError: They are of different games.
    """
    if a.schema.key != b.schema.key:
        raise InputError(f"only rulesets of one game can be compared, got {a.schema.key} and {b.schema.key}")
    rows = [
        Row(key, "option", a.options[key], b.options[key], option.rule, option.help)
        for key, option in a.schema.options.items()
        if a.options[key] != b.options[key]
    ]
    rows += [Row(key, "points", a.points[key], b.points[key], item.rule, item.help) for key, item in a.schema.points.items() if a.points[key] != b.points[key]]
    return rows


def difference_table(rows: Iterable[Row], heads: tuple[str, str] = ("a", "b"), lang: str = "en") -> str:
    """The rows of `difference` as lines of text; a list is compared entry by entry. No rows give an empty text.

    Args:
        rows: The rows.
        heads: What to call the two rulesets.
        lang: ``"en"`` or ``"ru"``, for the last column.
    """
    lines = [_cells(row, lang) for row in rows]
    cells = [("", "", *heads, "", "")] + [cell for line in lines for cell in line]
    if len(cells) == 1:
        return ""
    widths = [max(len(line[column]) for line in cells) for column in range(5)]
    return "\n".join("  ".join([*(text.ljust(width) for text, width in zip(line, widths, strict=False)), line[5]]).rstrip() for line in cells)


def _cells(row: Row, lang: str) -> list[tuple[str, str, str, str, str, str]]:
    if not (isinstance(row.a, tuple) and isinstance(row.b, tuple)):
        return [(row.kind, row.key, written(row.a), written(row.b), row.rule, row.help[lang])]
    longest = max(len(row.a), len(row.b))
    pairs = zip(*(list(entries) + ["-"] * (longest - len(entries)) for entries in (row.a, row.b)), strict=True)
    cells = [(row.kind, f"{row.key}[{number}]", first, second, row.rule, "") for number, (first, second) in enumerate(pairs, 1) if first != second]
    return [(*cells[0][:5], row.help[lang]), *cells[1:]]  # said once, not beside every entry
