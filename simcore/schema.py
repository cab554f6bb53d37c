"""What a game's ``rules.toml`` says: its options, its point table, its variants, and which values each may have."""

from __future__ import annotations

import operator
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, TypeVar

from simcore.cards import Pack
from simcore.errors import InputError, nearest, shown
from simcore.tomltext import Table, TomlText, read_toml

OptionValue = int | bool | str | tuple[str, ...]
"""The value of an option: a whole number, true or false, a choice, or a list of texts."""

Kind = Literal["option", "points"]
"""Which of a ruleset's two tables a key is of."""

MOST_POINTS: Final = 100_000
"""No value of a point table is further from 0: sums of a whole game stay far inside 32 bits."""

LANGUAGES: Final = ("en", "ru")

EXPECT: Final = "expect"
"""The table of a ruleset's file that says what is expected of it: it changes nothing, and is for who checks the ruleset."""

V = TypeVar("V")


class FrozenMap(Mapping[str, V]):
    """A mapping that never changes, keeps its order, and can be hashed and pickled."""

    __slots__ = ("_values",)

    def __init__(self, values: Mapping[str, V]) -> None:
        """Copies the values of another mapping, in its order."""
        self._values = dict(values)

    def __getitem__(self, key: str) -> V:
        """The value of a key."""
        return self._values[key]

    def __iter__(self) -> Iterator[str]:
        """The keys in order."""
        return iter(self._values)

    def __len__(self) -> int:
        """Number of keys."""
        return len(self._values)

    def __hash__(self) -> int:
        """Equal mappings have equal hashes, whatever their order."""
        return hash(frozenset(self._values.items()))

    def __repr__(self) -> str:
        """As a dict is written."""
        return repr(self._values)


Words = FrozenMap[str]
"""One text in each language: ``words["en"]``, ``words["ru"]``."""


@dataclass(frozen=True)
class Option:
    """One option of a game.

    Attributes:
        key: Its name in files and on the command line.
        type: ``int``, ``bool``, ``choice`` or ``list`` (of texts).
        default: Its value where nothing is said.
        low: The smallest value of an ``int``.
        high: The largest value of an ``int``.
        choices: The values of a ``choice``.
        rule: The rule of the rulebook, such as ``K-34``.
        open: Whether the printed rules leave it open.
        help: One line for a person.
    """

    key: str
    type: str
    default: OptionValue
    low: int
    high: int
    choices: tuple[str, ...]
    rule: str
    open: bool
    help: Words

    @property
    def allowed(self) -> str:
        """What the option may be, in words that follow "is"."""
        match self.type:
            case "int":
                return f"a whole number from {self.low} to {self.high}"
            case "bool":
                return "true or false"
            case "choice":
                return "one of " + ", ".join(repr(choice) for choice in self.choices)
            case _:
                return "a list of texts, none of them empty or with any of [ ] ( ) ; in it"

    def accept(self, value: object) -> OptionValue:
        """A value as a ruleset holds it.

        Args:
            value: A number, a bool, a text, or a list or tuple of texts.

        Raises:
            InputError: The option cannot have this value; the text does not say where.
        """
        if self.type == "int":
            number = _whole(value)
            if number is not None and self.low <= number <= self.high:
                return number
        elif self.type == "bool":
            if isinstance(value, bool):
                return value
        elif self.type == "choice":
            text = value if isinstance(value, str) else str(_whole(value))  # a choice such as "52" may be written as the number
            if text in self.choices:
                return text
        elif isinstance(value, list | tuple) and all(isinstance(entry, str) for entry in value):
            entries = tuple(_tidy(entry) for entry in value)
            if not any(_UNSAFE.search(entry) or not entry for entry in entries):
                return entries
        hint = nearest(value, self.choices) if isinstance(value, str) else ""
        raise InputError(f"{self.key} is {self.allowed}, got {shown(value)}{hint and '.' + hint}")

    def read(self, text: str) -> OptionValue:
        """A value from a canonical string or the command line.

        Args:
            text: ``4``, ``true``, a choice, or a list as in ``[a b = 0.1; c = 0.2]``.

        Raises:
            InputError: The option cannot have this value.
        """
        if self.type == "int":
            number = _read_whole(text)
            return self.accept(text if number is None else number)
        if self.type == "bool":
            return self.accept({"true": True, "false": False}.get(text.casefold(), text))
        if self.type == "choice":
            return self.accept(text)
        if not (text.startswith("[") and text.endswith("]")):
            raise InputError(f"{self.key} is a list, written [first; second; ...], got {shown(text)}")
        return self.accept(text[1:-1].split(";") if text[1:-1].strip() else [])


@dataclass(frozen=True)
class Item:
    """One line of a point table.

    Attributes:
        key: Its name in files and on the command line.
        points: Its value where nothing is said.
        category: The key of its category.
        rule: The rule of the rulebook.
        name: Its name for a person.
        help: What it is, in a few words.
        switch: Whether at 0 it is not played at all, so that 0 and any other value are different rules.
    """

    key: str
    points: int
    category: str
    rule: str
    name: Words
    help: Words
    switch: bool

    def accept(self, value: object) -> int:
        """A value as a ruleset holds it.

        Raises:
            InputError: It is no whole number, or too large a one; the text does not say where.
        """
        number = _whole(value)
        if number is None or abs(number) > MOST_POINTS:
            raise InputError(f"points are whole numbers from {-MOST_POINTS} to {MOST_POINTS}, got {shown(value)} for {self.key}")
        return number

    def read(self, text: str) -> int:
        """A value from a canonical string or the command line.

        Raises:
            InputError: It is no whole number, or too large a one.
        """
        number = _read_whole(text)
        return self.accept(text if number is None else number)


@dataclass(frozen=True)
class Counted:
    """Something that is tallied and has no price of its own: its points, if any, follow from the play.

    Attributes:
        key: Its name in the tallies.
        category: The key of its category.
        rule: The rule of the rulebook.
        name: Its name for a person.
    """

    key: str
    category: str
    rule: str
    name: Words


@dataclass(frozen=True)
class Players:
    """How many play a game: from `min` to `max`, best with `recommended`."""

    min: int
    max: int
    recommended: int


@dataclass(frozen=True)
class Variant:
    """A named ruleset: the game with some settings changed.

    Attributes:
        key: Its name.
        name: Its name for a person.
        options: The options that it sets.
        points: The values of the point table that it sets.
    """

    key: str
    name: Words
    options: FrozenMap[OptionValue]
    points: FrozenMap[int]


@dataclass(frozen=True)
class Schema:
    """All that ``rules.toml`` says. The order of the file is the order of every mapping.

    Attributes:
        key: The name of the game in commands and files.
        name: Its name for a person.
        players: How many can play.
        pack: The ranks of its pack, ascending.
        packs: How many such packs are shuffled together.
        lowest_wins: Whether the lowest total wins, not the highest.
        options: Its options by key.
        points: Its point table by key.
        counted: What is tallied beside the point table, by key.
        categories: The names of the categories of both by key.
        variants: Its named variants by key.
        words: What the game calls the keys of its records, by table (``role``, ``ending``, ``lead``, ...) and key.
        path: The file that it was read from.
    """

    key: str
    name: Words
    players: Players
    pack: str
    packs: int
    lowest_wins: bool
    options: FrozenMap[Option]
    points: FrozenMap[Item]
    counted: FrozenMap[Counted]
    categories: FrozenMap[Words]
    variants: FrozenMap[Variant]
    words: FrozenMap[FrozenMap[Words]]
    path: Path = field(compare=False, repr=False)

    def __hash__(self) -> int:
        """By the game's name: few schemas ever meet in one program."""
        return hash(self.key)

    @property
    def rulesets(self) -> dict[str, Variant | None]:
        """Every name of a ruleset of this game; None stands for the game as it is."""
        full = {f"{self.key}-{key}": variant for key, variant in self.variants.items()}
        return {self.key: None} | full | dict(self.variants)

    def unknown(self, word: str) -> str:
        """The sentence about a key that is neither an option nor in the point table."""
        spoken = {name.casefold(): key for key, item in self.points.items() for name in item.name.values()}
        key = spoken.get(word.casefold())
        hint = f" Did you mean {key!r}?" if key else self._elsewhere(word) or nearest(word, [*self.options, *self.points])
        hint = hint or f" 'simcore show {self.key}' lists them all."
        return f"{self.key} has no option and no points called {shown(word)}.{hint}"

    def _elsewhere(self, word: str) -> str:
        """The hint that another game knows the word. Games stand side by side, one folder each."""
        for path in sorted(self.path.parent.parent.glob("*/rules.toml")):
            other = read_toml(path).data
            keys = {*other.get("options", {}), *(entry.get("key") for entry in other.get("points", []))}
            if path != self.path and word in keys:
                return f" It belongs to {other['game']['key']}."
        return ""


def is_whole(value: object) -> bool:
    """Whether a value, or a text that stands for one, is a whole number; what is true or false is none."""
    return (_read_whole(value) if isinstance(value, str) else _whole(value)) is not None


def written(value: OptionValue) -> str:
    """A value as a canonical string holds it; `Option.read` and `Item.read` are the way back."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"[{'; '.join(value)}]" if isinstance(value, tuple) else str(value)


_UNSAFE: Final = re.compile(r"[\[\]();\x00-\x1f\x7f]")
_WHOLE: Final = re.compile(r"[+-]?[0-9]+(_[0-9]+)*")


def _tidy(entry: str) -> str:
    """One way of writing for what means the same, so that equal rulesets have equal canonical strings."""
    return " ".join(entry.replace("=", " = ").split())


def _whole(value: object) -> int | None:
    if isinstance(value, bool):
        return None  # to Python a bool is a whole number, to a designer it is a mistake
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def _read_whole(text: str) -> int | None:
    """A whole number; None for anything else, and for one of thousands of digits, which is out of range anyway."""
    return int(text) if _WHOLE.fullmatch(text) and len(text) < 1000 else None


# ------------------------------------------------------------------------------------------------------------------
# Reading


def load_schema(path: str | Path) -> Schema:
    """Reads the ``rules.toml`` of a game.

    Raises:
        InputError: The file cannot be read or does not keep to the format; it names the line.
    """
    return schema_of(read_toml(path))


def schema_of(toml: TomlText) -> Schema:
    """The schema in a file that has been read.

    Raises:
        InputError: The file does not keep to the format; it names the line.
    """
    page = Table(toml, (), toml.data)
    page.only("game", "options", "categories", "points", "counted", "variants", "words", EXPECT)
    game = page.table("game")
    game.only("key", "name", "players", "pack", "packs", "winner")
    best = ("highest", "lowest")
    winner = game.take("winner", str) if "winner" in game.data else "highest"
    if winner not in best:
        raise game.error(f"winner is one of {', '.join(best)}, got {winner!r}.{nearest(winner, best)}", "winner")
    ranks = game.take("pack", str)
    game.guard("pack", Pack, ranks)
    packs = game.take("packs", int, 1)
    game.guard("packs", lambda number: Pack(ranks, number), packs)
    options = {key: _option(key, entry) for key, entry in page.tables("options")}
    categories = {key: _words(entry) for key, entry in page.tables("categories")}
    points: dict[str, Item] = {}
    for number, line in enumerate(page.take("points", list)):
        entry = Table(toml, ("points", number), line)
        item = _item(entry, categories)
        if item.key in points:
            raise entry.error(f"{item.key} stands twice in the point table", "key")
        if item.key in options and not _apart(options[item.key]):
            raise entry.error(f"{item.key} is an option too, and a whole number could mean either", "key")
        points[item.key] = item
    counted = {key: _counted(key, entry, categories) for key, entry in page.tables("counted")}
    for key in counted:
        if key in points:
            raise page.error(f"{key} stands in the point table too", "counted")
    return Schema(
        key=game.take("key", str),
        name=_words(game.table("name")),
        players=_players(game.table("players")),
        pack=ranks,
        packs=packs,
        lowest_wins=winner == "lowest",
        options=FrozenMap(options),
        points=FrozenMap(points),
        counted=FrozenMap(counted),
        categories=FrozenMap(categories),
        variants=FrozenMap({key: _variant(key, entry, options, points) for key, entry in page.tables("variants")}),
        words=FrozenMap({key: FrozenMap({word: _words(each) for word, each in entry.each()}) for key, entry in page.tables("words")}),
        path=toml.path,
    )


def _words(table: Table) -> Words:
    table.only(*LANGUAGES)
    return FrozenMap({language: table.take(language, str) for language in LANGUAGES})


def _players(table: Table) -> Players:
    table.only("min", "max", "recommended")
    players = Players(table.take("min", int), table.take("max", int), table.take("recommended", int))
    if not 1 <= players.min <= players.recommended <= players.max:
        raise table.error("players are 1 <= min <= recommended <= max")
    return players


def _option(key: str, table: Table) -> Option:
    kind = table.take("type", str)
    own = {"int": ("min", "max"), "bool": (), "choice": ("choices",), "list": ()}
    if kind not in own:
        raise table.error(f"type is one of {', '.join(own)}, got {kind!r}.{nearest(kind, own)}", "type")
    table.only("type", "default", *own[kind], "rule", "open", "help")
    choices = table.take("choices", list) if kind == "choice" else []
    if not all(isinstance(choice, str) and choice and not _UNSAFE.search(choice) for choice in choices):
        raise table.error("choices are texts without any of [ ] ( ) ;", "choices")
    option = Option(
        key=key,
        type=kind,
        default=0,
        low=table.take("min", int) if kind == "int" else 0,
        high=table.take("max", int) if kind == "int" else 0,
        choices=tuple(choices),
        rule=table.take("rule", str),
        open=table.take("open", bool),
        help=_words(table.table("help")),
    )
    default = table.guard("default", option.accept, table.take("default", object))
    return Option(**{**vars(option), "default": default})


def _category(table: Table, categories: Mapping[str, Words]) -> str:
    category = table.take("category", str)
    if category not in categories:
        raise table.error(f"category is one of {', '.join(categories)}, got {category!r}.{nearest(category, categories)}", "category")
    return category


def _counted(key: str, table: Table, categories: Mapping[str, Words]) -> Counted:
    table.only("category", "rule", "name")
    return Counted(key, _category(table, categories), table.take("rule", str), _words(table.table("name")))


def _item(table: Table, categories: Mapping[str, Words]) -> Item:
    table.only("key", "points", "category", "rule", "name", "help", "switch")
    item = Item(
        key=table.take("key", str),
        points=0,
        category=_category(table, categories),
        rule=table.take("rule", str),
        name=_words(table.table("name")),
        help=_words(table.table("help")),
        switch=table.take("switch", bool, False),
    )
    points = table.guard("points", item.accept, table.take("points", object))
    return Item(**{**vars(item), "points": points})


def _variant(key: str, table: Table, options: Mapping[str, Option], points: Mapping[str, Item]) -> Variant:
    table.only("name", "set")
    changes = table.table("set")
    changes.only(*options, *points)
    chosen: dict[str, OptionValue] = {}
    worth: dict[str, int] = {}
    for name, value in changes.data.items():
        if name in options and not (name in points and _whole(value) is not None):
            chosen[name] = changes.guard(name, options[name].accept, value)
        else:
            worth[name] = changes.guard(name, points[name].accept, value)
    return Variant(key, _words(table.table("name")), FrozenMap(chosen), FrozenMap(worth))


def _apart(option: Option) -> bool:
    """Whether no value of the option could be taken for points."""
    return option.type in ("bool", "list") or (option.type == "choice" and not any(_WHOLE.fullmatch(choice) for choice in option.choices))
