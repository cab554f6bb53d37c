"""What a comparison of two rulesets comes to, on a terminal: the answer in a few lines, then every measure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from rich.text import Text

from experiments.estimates import proportion
from reports.console import Renderables, grid, grouped
from reports.measure_names import duration, item_name, measure_name, places_of, rough
from reports.numbers import Numbers

if TYPE_CHECKING:
    from simcore.schema import Schema

Row = Mapping[str, Any]
"""A measure, as `experiments.compare.compare` returns it."""

ITEMS_TOLD: Final = 3
"""Items that the answer names, at most."""
ORDER: Final = {"higher": 0, "lower": 0, "same": 1, "undecided": 2}
"""In which order verdicts are told."""

_WORDS: Final[dict[str, dict[str, str]]] = {
    "en": {
        "measure": "Measure",
        "difference": "B - A, {level} interval",
        "verdict": "B against A",
        "needed": "More games needed",
        "margin": "Margin",
        "lower": "lower",
        "higher": "higher",
        "same": "the same",
        "undecided": "undecided",
        "arm_a": "A: {name}",
        "arm_b": "B: {name}",
        "played": "{games} games of each, {players} players, seed {seed}; the same cards for both: the pair of games is the unit.",
        "lineup": "Strategies: {names}",
        "lineup_b": "Strategies: {names}; by B {others}",
        "panel": "Verdicts over all line-ups together; where they differ between line-ups:",
        "no_flips": "No verdict changes with the strategies.",
        "unseen": "Not once in either: {names}.",
        "narrower": "Thanks to pairs the intervals are {percent} as wide as without (the median of all measures).",
        "looked": "Played until precise enough, with {looks} looks: the intervals are confidence sequences, which hold at all looks together.",
        "changed": "Changed for sure: ",
        "unchanged": "Changed for sure: nothing.",
        "kept": "The same within the margin for sure: ",
        "not_kept": "The same for sure: nothing is within its margin yet.",
        "no_margin": "The same for sure: only a margin can tell; give one, such as simcore compare --margin 1%.",
        "open": "Undecided: ",
        "decided": "Undecided: nothing.",
        "points_more": " pp",
        "items_more": "{number} more of the items below",
        "items_open": "{number} of the items",
        "same_rules": "A and B are the same rules, played by the same.",
        "no_game": "Not one of {games} games differs: these players never do what A and B tell apart, or so seldom that it is fewer than 1 game in {bound} "
        "({level}). Others may: name them with --strategy.",
        "equal": "Not one game differs in: ",
        "few": "A few",
        "to_decide": "{games} more games of each{time} would probably decide this",
        "to_decide_first": "{games} more games of each{time} would probably decide what is not of single items",
        "to_decide_all": ", {games}{time} everything",
        "depends": "It depends on who plays: {number} verdicts are opposite for some line-ups, see the end.",
        "corrected": "All verdicts of lower and higher together are wrong with a chance of at most {alpha}, so intervals without 0 may stay undecided.",
    },
    "ru": {
        "measure": "Величина",
        "difference": "B - A, интервал {level}",
        "verdict": "B против A",
        "needed": "Нужно ещё игр",
        "margin": "Допуск",
        "lower": "меньше",
        "higher": "больше",
        "same": "одинаково",
        "undecided": "не решено",
        "arm_a": "A: {name}",
        "arm_b": "B: {name}",
        "played": "По {games} игр, игроков {players}, зерно {seed}; карты у обоих одни и те же: единица счёта — пара игр.",
        "lineup": "Стратегии: {names}",
        "lineup_b": "Стратегии: {names}; в B {others}",
        "panel": "Выводы по всем составам вместе; где составы расходятся:",
        "no_flips": "Ни один вывод не меняется со стратегиями.",
        "unseen": "Ни разу ни там, ни там: {names}.",
        "narrower": "Благодаря парам ширина интервалов — {percent} той, что была бы без них (медиана по всем величинам).",
        "looked": "Сыграно до нужной точности, проверок {looks}: интервалы — доверительные последовательности, верные при всех проверках сразу.",
        "changed": "Точно изменилось: ",
        "unchanged": "Точно изменилось: ничего.",
        "kept": "Точно осталось прежним в пределах допуска: ",
        "not_kept": "Точно осталось прежним: пока ничего.",
        "no_margin": "Точно осталось прежним: об этом можно судить только с допуском; задайте его, например simcore compare --margin 1%.",
        "open": "Не решено: ",
        "decided": "Не решено: таких нет.",
        "points_more": " п. п.",
        "items_more": "и ещё элементов в таблице ниже: {number}",
        "items_open": "элементов: {number}",
        "same_rules": "A и B — одни и те же правила, и играют те же.",
        "no_game": "Ни одна из игр (их {games}) не изменилась: эти игроки не делают того, чем A и B различаются, или так редко, что это меньше чем 1 игра "
        "из {bound} ({level}). Другие могут: назовите их через --strategy.",
        "equal": "Ни в одной игре не изменилось: ",
        "few": "несколько",
        "to_decide": "Вероятно, это решат ещё {games} игр каждого{time}",
        "to_decide_first": "Вероятно, всё, кроме отдельных элементов, решат ещё {games} игр каждого{time}",
        "to_decide_all": ", а вообще всё — {games}{time}",
        "depends": "Зависит от того, кто играет: противоположных у разных составов выводов — {number}, см. в конце.",
        "corrected": "Все выводы «меньше» и «больше» вместе неверны с вероятностью не больше {alpha}, так что бывает и интервал без нуля, а вывода нет.",
    },
}
_STYLES: Final = {"lower": "bold red", "higher": "bold green", "same": "bold cyan", "undecided": ""}


def comparison(found: Mapping[str, Any], schema: Schema, lang: str) -> Renderables:
    """A comparison (`experiments.compare.compare`): the answer, all verdicts, what they rest on, and where line-ups contradict each other."""
    words = _WORDS[lang]
    shown: Renderables = [
        Text(words["arm_a"].format(name=found["a"]), style="bold"),
        Text(words["arm_b"].format(name=found["b"]), style="bold"),
        *(
            _lineup(entry["strategies"], None if found["b_strategies"] is None else found["b_strategies"][place], lang)
            for place, entry in enumerate(found["panel"])
        ),
        words["played"].format(games=grouped(found["games"], lang), players=found["players"], seed=found["seed"]),
        "",
    ]
    if not found["changed"]:
        return [*shown, Text(_nothing(found, lang), style="bold")]
    panel, with_margin = found["panel"], any(row["margin"] is not None for row in found["measures"])
    heads = [words["measure"], "A", "B", words["difference"].format(level=f"{found['level']:.0%}"), words["verdict"], words["needed"]]
    heads += [words["margin"]] if with_margin else []
    unseen = [row for row in found["measures"] if is_item(row) and not row["a"] and not row["b"]]
    seen = sorted((row for row in found["measures"] if row not in unseen), key=lambda row: ORDER[row["verdict"]])
    rows: list[list[Any]] = []
    for row in seen:
        low, high = row["interval"]
        places = places_of((high - low) / 2)
        rows.append(
            [
                measure_name(row, schema, lang),
                f"{row['a']:z.{places}f}",
                f"{row['b']:z.{places}f}",
                "=" if _equal(row) else f"{row['difference']:+z.{places}f} [{low:+z.{places}f}, {high:+z.{places}f}]",
                "=" if _equal(row) else Text(words[row["verdict"]], style=_STYLES[row["verdict"]]),
                _needed(row, found["games"], lang),
            ]
            + ([f"{row['margin']:.{places_of(row['margin'] / 10)}f}"] if with_margin else [])
        )
    shown += [*_answer(seen, found, schema, lang), "", grid(None, heads, rows, right=(1, 2, 3, 5, 6))]
    names = dict.fromkeys(item_name(row["subject"], schema, lang) for row in unseen if row["kind"] == "item_count")
    if names:
        shown.append(words["unseen"].format(names=", ".join(names)))
    if len(panel) > 1:
        shown += _flips(found, schema, lang)
    narrower = sorted(row["narrower"] for row in found["measures"] if row["narrower"])
    if narrower:
        shown.append(words["narrower"].format(percent=f"{narrower[len(narrower) // 2]:.1%}"))
    if found["looks"]:
        shown.append(words["looked"].format(looks=len(found["looks"])))
    shown.append(words["corrected"].format(alpha=f"{1 - found['level']:.0%}"))
    return shown


def brief(found: Mapping[str, Any], schema: Schema, lang: str) -> Renderables:
    """The answer of a comparison alone, without its table."""
    if not found["changed"]:
        return [_nothing(found, lang)]
    return _answer([row for row in found["measures"] if row["a"] or row["b"] or not is_item(row)], found, schema, lang)


def _nothing(found: Mapping[str, Any], lang: str) -> str:
    """What is said where not one game differs."""
    words = _WORDS[lang]
    played = [entry["strategies"] for entry in found["panel"]]
    if found["a"] == found["b"] and found["b_strategies"] in (None, played):
        return words["same_rules"]
    return no_game_differs(found["games"], found["level"], lang)


def no_game_differs(games: int, level: float, lang: str) -> str:
    """That not one of so many pairs of games differs, and how many may all the same."""
    numbers = Numbers(lang)
    bound = proportion(0, games, level).high
    assert bound is not None
    return _WORDS[lang]["no_game"].format(games=grouped(games, lang), bound=numbers.at_least(bound), level=numbers.percent(level, 0))


def _answer(rows: Sequence[Row], found: Mapping[str, Any], schema: Schema, lang: str) -> Renderables:
    """What surely changed, the most first, what is surely the same, what is undecided and how many games would decide it: a line of each."""
    words = _WORDS[lang]

    def line(label: str, parts: Sequence[str], more: str = "") -> Text:
        return Text.assemble((words[label], "bold"), "; ".join(parts) + "." + more)

    equal, rows = [row for row in rows if _equal(row)], [row for row in rows if not _equal(row)]
    changed = [row for row in rows if row["verdict"] in ("higher", "lower")]
    parts = [_change(row, schema, lang) for row in sorted((row for row in changed if not is_item(row)), key=_relative, reverse=True)]
    items = _one_each(row for row in changed if is_item(row))
    parts += [_change(row, schema, lang) for row in items[:ITEMS_TOLD]]
    if len(items) > ITEMS_TOLD:
        parts.append(words["items_more"].format(number=len(items) - ITEMS_TOLD))
    shown: Renderables = [line("changed", parts) if parts else Text(words["unchanged"], style="bold")]

    parts = _named([row for row in rows if row["verdict"] == "same"], schema, lang)
    if parts:
        shown.append(line("kept", parts))
    else:
        shown.append(Text(words["not_kept" if any(row["margin"] is not None for row in rows) else "no_margin"], style="bold"))

    if equal:
        shown.append(line("equal", _named(equal, schema, lang)))

    undecided = [row for row in rows if row["verdict"] == "undecided"]
    parts = _named(undecided, schema, lang)
    shown.append(line("open", parts, _to_decide(undecided, found["games"], lang)) if parts else Text(words["decided"], style="bold"))
    if found["flips"]:
        shown.append(Text(words["depends"].format(number=len(found["flips"])), style="bold"))
    return shown


def _equal(row: Row) -> bool:
    """Whether not one game differs in a measure that was seen."""
    return not any((row["difference"], *row["interval"]))


def is_item(row: Row) -> bool:
    """Whether a measure is of one item, and not of the game as a whole."""
    return str(row["kind"]).startswith("item")


def _one_each(rows: Iterable[Row]) -> list[Row]:
    """One measure of each item: its points if they are among the measures, else how often it occurs; those that move most points first."""
    by_item: dict[str, Row] = {}
    for row in rows:
        if row["kind"] == "item_points" or row["subject"] not in by_item:
            by_item[row["subject"]] = row
    return sorted(by_item.values(), key=lambda row: (row["kind"] != "item_points", -abs(row["difference"])))


def _named(rows: Sequence[Row], schema: Schema, lang: str) -> list[str]:
    """The names of measures; of items only how many there are."""
    names = [measure_name(row, schema, lang) for row in rows if not is_item(row)]
    items = len({row["subject"] for row in rows if is_item(row)})
    return [*names, _WORDS[lang]["items_open"].format(number=items)] if items else names


def _change(row: Row, schema: Schema, lang: str) -> str:
    """A measure by A and by B, and by how much it changed: shares in percentage points, others in per cent where that means something."""
    low, high = row["interval"]
    factor, sign = (100, "%") if row["share"] else (1, "")
    places = places_of(factor * (high - low) / 2)
    a, b = (f"{factor * row[arm]:z.{places}f}{sign}" for arm in ("a", "b"))
    by = ""
    if row["share"]:
        by = f" ({factor * row['difference']:+.{places}f}{_WORDS[lang]['points_more']})"
    elif row["a"] * row["b"] > 0:
        change = row["difference"] / abs(row["a"])
        by = f" ({change:+.{1 if abs(change) < 0.0995 else 0}%})"
    return f"{measure_name(row, schema, lang)} {a} → {b}{by}"


def _relative(row: Row) -> float:
    """How large a change is beside the measure itself, from 0 to 2; only what changed has one."""
    size: float = abs(row["difference"]) / max(abs(row["a"]), abs(row["b"]))
    return size


def _to_decide(rows: Sequence[Row], games: int, lang: str) -> str:
    """How many more games would probably decide what is undecided; empty where no number of games is known to."""
    words = _WORDS[lang]
    told = {}
    for key, chosen in (("whole", [row for row in rows if not is_item(row)]), ("all", rows)):
        hardest = max((row for row in chosen if row["games_needed"] is not None), key=lambda row: row["games_needed"], default=None)
        if hardest is not None:
            told[key] = dict(zip(("games", "time"), _more(hardest, games, lang), strict=True))
    if not told:
        return ""
    if "whole" in told and told["whole"] != told["all"]:
        return " " + words["to_decide_first"].format(**told["whole"]) + words["to_decide_all"].format(**told["all"]) + "."
    return " " + words["to_decide"].format(**told["all"]) + "."


def _flips(found: Mapping[str, Any], schema: Schema, lang: str) -> Renderables:
    words = _WORDS[lang]
    if not found["flips"]:
        return [words["no_flips"]]
    by_key = {row["measure"]: row for row in found["measures"]}
    heads = [words["measure"], *(", ".join(dict.fromkeys(entry["strategies"])) for entry in found["panel"])]
    rows = [
        [measure_name(by_key[flip["measure"]], schema, lang), *(Text(words[verdict], style=_STYLES[verdict]) for verdict in flip["verdicts"])]
        for flip in found["flips"]
    ]
    return [words["panel"], grid(None, heads, rows)]


def _lineup(names: Sequence[str], others: Sequence[str] | None, lang: str) -> str:
    words = _WORDS[lang]
    if others is None:
        return str(words["lineup"]).format(names=", ".join(names))
    return str(words["lineup_b"]).format(names=", ".join(names), others=", ".join(others))


def _needed(row: Row, games: int, lang: str) -> str:
    """How many more games, and the time that they take, until an undecided measure is likely to have its verdict."""
    if row["verdict"] != "undecided" or row["games_needed"] is None:
        return "-"
    more, seconds = _more(row, games, lang)
    return (more + seconds).lower()


def _more(row: Row, games: int, lang: str) -> tuple[str, str]:
    """How many more games an undecided measure needs, and the time that they take in brackets; a few where by its numbers it had enough already."""
    more = row["games_needed"] - games
    if more <= 0:
        return _WORDS[lang]["few"], ""
    return rough(more, lang), f" ({duration(row['seconds_needed'] * more / row['games_needed'], lang)})"
