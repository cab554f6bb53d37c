"""The options of commands: their types, and those that mean the same everywhere."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from commands.output import note
from simcore.errors import InputError

if TYPE_CHECKING:
    from simcore.ruleset import Ruleset
    from simcore.simulate import Table

LARGEST: Final = 2**64 - 1
"""As far as seeds go, and further than anything else that is counted."""
TURNED: Final = {
    "en": {
        "loss": "simcore: note: a gain has become a loss, so that whoever has it pays: {items}",
        "gain": "simcore: note: a loss has become a gain, so that whoever has it is paid: {items}",
        "default": "by default {points}",
    },
    "ru": {
        "loss": "simcore: внимание: вместо выигрыша — потеря, так что платит тот, кто это собрал: {items}",
        "gain": "simcore: внимание: вместо потери — выигрыш, так что платят тому, кому это досталось: {items}",
        "default": "обычно {points}",
    },
}
UNNAMED: Final = {
    "en": "simcore: note: nobody is named, so all choose at random, and other players may answer otherwise; name them with --strategy",
    "ru": "simcore: внимание: игроки не названы, поэтому все ходят наугад, а с другими ответ может быть иным; назовите их через --strategy",
}


class Whole(click.ParamType[int]):
    """A whole number, also written 1e6."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number. Fails where it is none."""
        text = str(value).replace("_", "")
        match = re.fullmatch(r"([+-]?\d{1,30})(?:\.(\d{1,30}))?(?:[eE]\+?(\d{1,2}))?", text)
        digits = match[2] or "" if match else ""
        power = int(match[3] or 0) if match else 0
        if match and len(digits.rstrip("0")) <= power:
            number = int(match[1] + digits.ljust(power, "0")[:power])
            if abs(number) > LARGEST:
                self.fail(f"{value!r} is too large: numbers go up to {LARGEST}", param, ctx)
            return number
        self.fail(f"{value!r} is not a whole number such as 20000 or 1e6", param, ctx)


class Span(click.ParamType[range]):
    """Numbers of games: ``A:B`` means A to B - 1."""

    name = "A:B"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> range:
        """The numbers. Fails where it is none, or an empty span."""
        match = re.fullmatch(r"(\d{1,18}):(\d{1,18})", str(value))
        if not match or int(match[1]) >= int(match[2]):
            self.fail(f"{value!r} is not a span of games such as 0:2000, the second number greater than the first", param, ctx)
        return range(int(match[1]), int(match[2]))


class Per(click.ParamType[tuple[float, bool]]):
    """A size, or a share in per cent: ``0.5`` or ``1%``; converted to (0.5, False) or (0.01, True)."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[float, bool]:
        """The size, and whether it was given in per cent. Fails where it is none, or not above 0."""
        if isinstance(value, tuple):
            return value
        match = re.fullmatch(r"(\d{1,9}(?:\.\d{1,12})?)\s*(%?)", str(value).strip())
        if not match or float(match[1]) <= 0:
            self.fail(f"{value!r} is not a size above 0 such as 1% or 0.5", param, ctx)
        return float(match[1]) / (100 if match[2] else 1), bool(match[2])


class Lineup(click.ParamType[tuple[str, ...]]):
    """Strategies of one line-up: one for all seats, or one a seat with commas between them."""

    name = "LINE-UP"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, ...]:
        """The strategies. Fails where one has no name."""
        if isinstance(value, tuple):
            return value
        names = tuple(name.strip() for name in re.split(r",(?![^(]*\))", str(value)))
        if not all(names):
            self.fail(f"{value!r} is not a line-up such as greedy or greedy,random", param, ctx)
        return names


WHOLE: Final = Whole()
SHARED: Final[dict[str, Callable[..., Any]]] = {
    "ruleset": click.option("--ruleset", metavar="RULESET", help="A name, a file, or a canonical string."),
    "settings": click.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="An option or points of the ruleset; repeatable."),
    "players": click.option("--players", type=WHOLE, metavar="N", help="Number of seats; default: one a strategy, else the fewest that the game allows."),
    "strategies": click.option(
        "--strategy", "strategies", multiple=True, metavar="NAME", help="Once for all seats, or once a seat; file.py:name for one of your own."
    ),
    "seed": click.option("--seed", type=WHOLE, default=1, metavar="N", help="Seed of all chance; default 1."),
    "threads": click.option("--threads", type=WHOLE, metavar="N", help="Threads; default: one a core."),
    "cluster": click.option("--cluster", metavar="ADDRESS", help="Dask scheduler whose workers play (the extra 'cluster'); default: this machine."),
    "lang": click.option("--lang", type=click.Choice(["en", "ru"]), default="en", help="Language of what is printed."),
    "out": click.option("--out", type=click.Path(path_type=Path), metavar="PATH", help="Where the result goes; never overwritten."),
    "as_json": click.option("--json", "as_json", is_flag=True, help="The result as one JSON object on standard output."),
}


def shared(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Some of the options that mean the same in every command."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        for name in reversed(names):
            function = SHARED[name](function)
        return function

    return decorate


def ruleset_of(game: str, text: str | None, settings: tuple[str, ...]) -> Ruleset:
    """The rules that GAME, ``--ruleset`` and ``--set`` ask for; a ruleset may stand in the place of GAME. Raises InputError.

    Prices of the other sign than the game gives them are allowed, and noted.
    """
    from simcore.api import game_of
    from simcore.game import checker, games, schema
    from simcore.ruleset import resolve

    key = game_of(game)
    if game not in games():
        if text is not None:
            raise InputError(f"'{game}' is a ruleset already: give the game, {key}, and --ruleset, or the ruleset alone")
        text = game
    chosen = resolve(schema(key), text, settings, checker(key))
    note_turned(chosen)
    return chosen


def note_turned(ruleset: Ruleset) -> None:
    """Notes the prices that have not the sign that the game gives them, once a command: most likely a slip."""
    context = click.get_current_context()
    words = TURNED[context.params["lang"]]
    better = -1 if ruleset.schema.lowest_wins else 1
    turned: dict[str, list[str]] = {"loss": [], "gain": []}
    for key, item in ruleset.schema.points.items():
        points = ruleset.points[key]
        if points * item.points < 0:
            turned["gain" if points * better > 0 else "loss"].append(f"{key}={points} ({words['default'].format(points=item.points)})")
    for kind, items in turned.items():
        line = words[kind].format(items=", ".join(items))
        if items and line not in context.meta:
            context.meta[line] = True
            note(line)


def unnamed(players: Sequence[Any], lang: str) -> str:
    """What is noted where nobody is named and random players answer; empty where somebody is."""
    return "" if players else UNNAMED[lang]


def table_of(ruleset: Ruleset, strategies: tuple[str, ...], players: int | None, seed: int) -> Table:
    """The table at which random players sit where no strategy is named. Raises InputError."""
    from simcore.simulate import Table

    return Table(ruleset, strategies or ("random",), players, seed)
