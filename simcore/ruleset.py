"""Rulesets: a game with every option and every value of its point table decided."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from simcore.errors import InputError
from simcore.rulefile import Setting, Source, read_any, read_file, read_settings, read_text
from simcore.schema import FrozenMap, Kind, OptionValue, Schema, Words, written

Check = Callable[["Ruleset"], None]


@dataclass(frozen=True)
class Ruleset:
    """One complete set of rules; equal rulesets have equal canonical strings.

    Attributes:
        schema: What the game may be given.
        options: Every option with its value.
        points: Every value of the point table.
        name: A display name from a file, else empty; it labels nothing and is not compared.
    """

    schema: Schema
    options: FrozenMap[OptionValue]
    points: FrozenMap[int]
    name: str = field(default="", compare=False)

    @property
    def canonical(self) -> str:
        """The string that labels every row, file and caption: ``kombinator(superblow=adds, pair=4)``.

        Only what differs from the game as it is, options before points, each in the order of ``rules.toml``.
        """
        changes = [f"{key}={written(value)}" for key, value in self.options.items() if value != self.schema.options[key].default]
        changes += [f"{key}={value}" for key, value in self.points.items() if value != self.schema.points[key].points]
        return f"{self.schema.key}({', '.join(changes)})" if changes else self.schema.key

    def with_settings(self, settings: Iterable[str], check: Check | None = None) -> Ruleset:
        """This ruleset with some settings changed (``["pair=4"]``). Raises InputError."""
        return self._with(read_settings(self.schema, settings), check)

    def _with(self, settings: Iterable[Setting], check: Check | None) -> Ruleset:
        options, points = dict(self.options), dict(self.points)
        places: dict[str, str] = {}
        for setting in settings:
            if setting.kind == "option":
                options[setting.key] = setting.value
                places[setting.key] = setting.where
            else:
                points[setting.key] = int(str(setting.value))
        changed = Ruleset(self.schema, FrozenMap(options), FrozenMap(points), self.name)
        if check:
            try:
                check(changed)
            except InputError as problem:
                place = places.get(problem.key or "")
                raise InputError(f"{place}: {problem}" if place else str(problem), key=problem.key) from None
        return changed


def default(schema: Schema) -> Ruleset:
    """The game as it is."""
    options = {key: option.default for key, option in schema.options.items()}
    return Ruleset(schema, FrozenMap(options), FrozenMap({key: item.points for key, item in schema.points.items()}))


def parse(schema: Schema, text: str, check: Check | None = None) -> Ruleset:
    """The ruleset of a name or canonical string. Raises InputError."""
    return _build(schema, read_text(schema, text), (), check)


def load_file(schema: Schema, path: str | Path, check: Check | None = None) -> Ruleset:
    """The ruleset of a designer's file: what differs from a ``base``, or a changed copy of ``rules.toml``. Raises InputError."""
    return _build(schema, read_file(schema, path), (), check)


def resolve(schema: Schema, text: str | Path | None, settings: Iterable[str] = (), check: Check | None = None) -> Ruleset:
    """The ruleset that ``--ruleset`` and ``--set`` give.

    Args:
        schema: The game's.
        text: A name, a canonical string or a file; None for the game as it is.
        settings: Further changes, each ``key=value``.
        check: Raises InputError where the values contradict each other.

    Raises:
        InputError: Anything is wrong; the text says what, where, and what is allowed.
    """
    source = Source(()) if text is None else read_any(schema, text)
    return _build(schema, source, read_settings(schema, settings), check)


def _build(schema: Schema, source: Source, more: Iterable[Setting], check: Check | None) -> Ruleset:
    base = default(schema)
    named = Ruleset(schema, base.options, base.points, source.name)
    return named._with((*source.settings, *more), check)


@dataclass(frozen=True)
class Difference:
    """One value in which two rulesets differ; ``a`` and ``b`` as written in canonical strings."""

    key: str
    kind: Kind
    a: str
    b: str
    rule: str
    help: Words


def difference(a: Ruleset, b: Ruleset) -> list[Difference]:
    """The values in which two rulesets of one game differ, in the order of ``rules.toml``. Raises InputError for two games."""
    if a.schema.key != b.schema.key:
        raise InputError(f"{a.canonical} and {b.canonical} are rulesets of different games")
    rows = [
        Difference(key, "option", written(a.options[key]), written(b.options[key]), option.rule, option.help)
        for key, option in a.schema.options.items()
        if a.options[key] != b.options[key]
    ]
    rows += [
        Difference(key, "points", str(a.points[key]), str(b.points[key]), item.rule, item.name)
        for key, item in a.schema.points.items()
        if a.points[key] != b.points[key]
    ]
    return rows
