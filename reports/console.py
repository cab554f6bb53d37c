"""Tables for a terminal; in a pipe the same as plain text, without colour and never cut off."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from rich import box
from rich.console import Console, RenderableType
from rich.table import Table as Grid
from rich.text import Text

if TYPE_CHECKING:
    from experiments.runs import Run
    from simcore.ruleset import Row, Ruleset
    from simcore.strategy import Strategy

WIDE: Final = 240
"""Columns of plain text: enough for every table."""

_WORDS: Final[dict[str, dict[str, str]]] = {
    "en": {
        "question": "A person asks",
        "command": "Command",
        "game": "Game",
        "players": "Players",
        "rulesets": "Rulesets",
        "options": "Options",
        "open": "(open)",
        "points": "Points",
        "strategies": "Strategies",
        "key": "Key",
        "value": "Value",
        "rule": "Rule",
        "what": "What it is",
        "category": "Category",
        "name": "Name",
        "same": "The two rulesets are the same.",
        "item": "Item",
        "count": "Hands",
        "probability": "Probability",
        "simulated": "Simulated, 95% interval",
        "in_play": "In play, 95% interval",
        "cards": "Hands of {cards} cards: {hands} in all",
        "all_cards": "Share of all hands that hold it, by number of cards (exact)",
        "all_play": "Share of the hands held in play by {strategies} ({games} games)",
        "agree": "Hands of {cards}: {tests} numbers of {deals} simulated deals agree with the exact ones.",
        "disagree": "Hands of {cards}: {n} of {tests} numbers of {deals} simulated deals disagree with the exact ones.",
        "seat": "Seat",
        "strategy": "Strategy",
        "wins": "Win share, 95% interval",
        "per_deal": "Points per deal",
        "run": "{games} games, {deals} deals in {seconds} s: {rate} deals a second. Points: {points}. Tallies: {hash}.",
        "folder": "Run: {run}",
        "parameter": "from {low} to {high}, default {default}: {doc}",
    },
    "ru": {
        "question": "Вопрос",
        "command": "Команда",
        "game": "Игра",
        "players": "Игроков",
        "rulesets": "Наборы правил",
        "options": "Настройки",
        "open": "(не задано)",
        "points": "Очки",
        "strategies": "Стратегии",
        "key": "Ключ",
        "value": "Значение",
        "rule": "Правило",
        "what": "Что это",
        "category": "Вид",
        "name": "Название",
        "same": "Правила одинаковы.",
        "item": "Комбинация",
        "count": "Рук",
        "probability": "Вероятность",
        "simulated": "В раздачах, интервал 95%",
        "in_play": "В игре, интервал 95%",
        "cards": "Карт на руке: {cards}; всего рук: {hands}",
        "all_cards": "Доля рук с комбинацией по числу карт (точно)",
        "all_play": "Доля рук в игре: {strategies} (игр: {games})",
        "agree": "Карт {cards}: все {tests} чисел из {deals} раздач согласны с точными.",
        "disagree": "Карт {cards}: {n} из {tests} чисел по {deals} раздачам не согласны с точными.",
        "seat": "Место",
        "strategy": "Стратегия",
        "wins": "Доля побед, интервал 95%",
        "per_deal": "Очков за партию",
        "run": "Игр: {games}, партий: {deals}, секунд: {seconds}, партий в секунду: {rate}. Очков: {points}. Хеш: {hash}.",
        "folder": "Папка: {run}",
        "parameter": "от {low} до {high}, обычно {default}: {doc}",
    },
}

Renderables = list[RenderableType]


def text(renderables: Iterable[RenderableType], terminal: bool, width: int | None = None) -> str:
    """The tables as text.

    Args:
        renderables: Tables and lines.
        terminal: Whether a terminal shows them: then in colour, and fitted to its width.
        width: Columns of the terminal.
    """
    console = Console(
        file=io.StringIO(),
        force_terminal=terminal,
        width=(width or 100) if terminal else WIDE,
        color_system="standard" if terminal else None,
        highlight=False,
    )
    with console.capture() as capture:
        for each in renderables:
            console.print(each)
    return "".join(line.rstrip() + "\n" for line in capture.get().splitlines())


def questions(rows: Sequence[tuple[str, str]], lang: str) -> Renderables:
    """What can be asked, and the command that answers."""
    return [grid(None, [_WORDS[lang]["question"], _WORDS[lang]["command"]], rows)]


def games(schemas: Sequence[Any], lang: str) -> Renderables:
    """Every game (schemas): key, name, number of players, rulesets."""
    words = _WORDS[lang]
    rows = [
        (
            schema.key,
            schema.name[lang],
            f"{schema.players.min}-{schema.players.max}",
            ", ".join((schema.key, *schema.variants)),
        )
        for schema in schemas
    ]
    return [grid(None, [words["game"], words["name"], words["players"], words["rulesets"]], rows)]


def rules(ruleset: Ruleset, strategies: Mapping[str, Strategy], lang: str) -> Renderables:
    """A ruleset with all options and points, and the game's strategies."""
    from simcore.schema import written

    words, schema = _WORDS[lang], ruleset.schema
    options = [
        (
            key,
            _lines(written(ruleset.options[key])),
            f"{option.rule} {words['open']}" if option.open else option.rule,
            option.help[lang],
        )
        for key, option in schema.options.items()
    ]
    points = [
        (
            key,
            item.name[lang],
            str(ruleset.points[key]),
            schema.categories[item.category][lang],
            item.rule,
            item.help[lang],
        )
        for key, item in schema.points.items()
    ]
    players = [(name, _told(strategy, words)) for name, strategy in strategies.items()]
    tables = [grid(words["options"], [words["key"], words["value"], words["rule"], words["what"]], options)]
    if points:
        heads = [words["key"], words["name"], words["value"], words["category"], words["rule"], words["what"]]
        tables.append(grid(words["points"], heads, points, right=(2,)))
    tables.append(grid(words["strategies"], [words["strategy"], words["what"]], players))
    return [Text(f"{schema.name[lang]}: {ruleset.canonical}", style="bold"), "", *tables]


def difference(rows: Sequence[Row], names: tuple[str, str], lang: str) -> Renderables:
    """Where two rulesets differ (`simcore.ruleset.difference`)."""
    from simcore.schema import written

    words = _WORDS[lang]
    if not rows:
        return [words["same"]]
    lines = [(row.key, written(row.a), written(row.b), row.rule, row.help[lang]) for row in rows]
    return [grid(None, [words["key"], *names, words["rule"], words["what"]], lines)]


def hands(found: Sequence[Mapping[str, Any]], ruleset: Ruleset, lang: str) -> Renderables:
    """Frequencies of hands (`experiments.overview.hands`): one size in full, several side by side."""
    words = _WORDS[lang]
    shown = _one_size(found[0], ruleset, lang) if len(found) == 1 else _all_sizes(found, ruleset, lang)
    for entry in found:
        simulated = entry["simulated"]
        agreement = simulated["agreement"]
        wrong = len(agreement["disagreements"])
        line = words["disagree" if wrong else "agree"].format(cards=entry["cards"], tests=agreement["tests"], n=wrong, deals=grouped(simulated["deals"], lang))
        shown.append(Text(line, style="red" if wrong else "green"))
    return shown


def run_summary(run: Run, results: Sequence[Mapping[str, Any]], lang: str) -> Renderables:
    """What came of a run: how strategies did, how much was played, where it is."""
    words, info = _WORDS[lang], run.info
    rows = [
        (
            str(entry["seat"]),
            entry["strategy"],
            _interval(entry["win_share"].to_dict(), "value"),
            f"{entry['points']:+.3f}",
        )
        for entry in results
    ]
    line = words["run"].format(
        games=grouped(info["played"], lang),
        deals=grouped(info["deals"], lang),
        seconds=f"{info['seconds']:.2f}",
        rate=grouped(rate(info), lang),
        points=grouped(info["points_total"], lang),
        hash=info["tallies_hash"],
    )
    table = grid(None, [words["seat"], words["strategy"], words["wins"], words["per_deal"]], rows, right=(2, 3))
    return [table, line, Text(words["folder"].format(run=run.folder), style="bold", overflow="fold")]


def rate(info: Mapping[str, Any]) -> int:
    """Deals a second of a run (what ``run.json`` says)."""
    return round(info["deals"] / info["seconds"]) if info["seconds"] else 0


def _one_size(entry: Mapping[str, Any], ruleset: Ruleset, lang: str) -> Renderables:
    from experiments.estimates import proportion

    words = _WORDS[lang]
    in_play = entry.get("in_play")
    unseen = proportion(0, entry["simulated"]["hands"]).to_dict()
    unseen["probability"] = unseen.pop("value")
    heads = [
        words["item"],
        words["count"],
        words["probability"],
        words["simulated"],
        *([words["in_play"]] if in_play else []),
    ]
    rows = []
    for key, item in entry["items"].items():
        if item is not None:
            row = [
                _name(ruleset, key, lang),
                *_number(item, lang),
                _interval(entry["simulated"]["items"][key], "probability"),
            ]
            rows.append(row + ([_interval(in_play["items"][key], "probability")] if in_play else []))
    title = words["cards"].format(cards=entry["cards"], hands=grouped(entry["hands"], lang))
    shown: Renderables = [grid(title, heads, rows, right=range(1, len(heads)))]
    for table, counted in entry.items():
        if isinstance(counted, list):
            simulated = dict(entry["simulated"][table])
            lines = [
                (
                    str(value),
                    grouped(count, lang),
                    _share(count / entry["hands"]),
                    _interval(simulated.get(value, unseen), "probability"),
                )
                for value, count in counted
            ]
            shown.append(grid(None, [_word(ruleset, "hands", table, lang), *heads[1:4]], lines, right=range(4)))
    return shown


def _all_sizes(found: Sequence[Mapping[str, Any]], ruleset: Ruleset, lang: str) -> Renderables:
    words = _WORDS[lang]
    heads = [words["item"], *(str(entry["cards"]) for entry in found)]

    def matrix(title: str, cell: Any) -> Grid:
        keys = [key for key, item in found[0]["items"].items() if item is not None]
        rows = [[_name(ruleset, key, lang), *(cell(entry, key) for entry in found)] for key in keys]
        return grid(title, heads, rows, right=range(1, len(heads)))

    shown: Renderables = [matrix(words["all_cards"], lambda entry, key: _share(entry["items"][key]["probability"]))]
    if "in_play" in found[0]:
        held = found[0]["in_play"]
        games = max(entry["in_play"]["games"] for entry in found)
        title = words["all_play"].format(strategies=", ".join(held["strategies"]), games=grouped(games, lang))
        shown.append(matrix(title, lambda entry, key: _share(entry["in_play"]["items"][key]["probability"])))
    return shown


def grid(title: str | None, heads: Sequence[str], rows: Iterable[Sequence[Any]], right: Iterable[int] = ()) -> Grid:
    """A table with a line of heads; columns with the numbers `right` are set to the right."""
    made = Grid(
        title=title,
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD,
        header_style="bold cyan",
        pad_edge=False,
    )
    rights = set(right)
    for place, head in enumerate(heads):
        made.add_column(head, justify="right" if place in rights else "left", overflow="fold")
    for row in rows:
        made.add_row(*(cell if isinstance(cell, Text) else Text(cell) for cell in row))
    return made


def _told(strategy: Strategy, words: Mapping[str, str]) -> str:
    params = [
        f"{name} " + words["parameter"].format(low=param.low, high=param.high, default=param.default, doc=param.doc) for name, param in strategy.params.items()
    ]
    return "\n".join([" ".join(strategy.doc.split()), *params])


def _lines(value: str) -> str:
    """A list, one entry a line."""
    return value.replace("; ", ";\n")


def _name(ruleset: Ruleset, key: str, lang: str) -> str:
    item = ruleset.schema.points.get(key) or ruleset.schema.counted.get(key)
    return item.name[lang] if item else _word(ruleset, "item", key, lang)


def _word(ruleset: Ruleset, table: str, key: str, lang: str) -> str:
    """What the game calls a key; the key itself where its file has no word."""
    words = ruleset.schema.words.get(table)
    name = words.get(key) if words else None
    return name[lang] if name else key.replace("_", " ")


def _number(item: Mapping[str, Any], lang: str) -> list[str]:
    return [grouped(item["count"], lang), _share(item["probability"])]


def grouped(number: int, lang: str) -> str:
    """A whole number with its thousands apart."""
    text = f"{number:,}"
    return text if lang == "en" else text.replace(",", "\u00a0")


def _share(share: float | None) -> str:
    if share is None:
        return "-"
    return f"{share:.5f}" if share >= 0.001 or share == 0 else f"{share:.2e}"


def _interval(fields: Mapping[str, Any] | None, value: str) -> str:
    """An estimate with its interval; a dash where nothing was measured."""
    if fields is None or fields.get(value) is None:
        return "-"
    low, high = fields["low"], fields["high"]
    if low is None or high is None:
        return _share(fields[value])
    return f"{_share(fields[value])} [{_share(low)}, {_share(high)}]"
