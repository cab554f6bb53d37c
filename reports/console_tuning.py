"""What the commands about prices found, as tables for a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from rich.text import Text

from experiments.ledger import TORN
from reports.check_formats import told
from reports.console import Renderables, grid, grouped
from reports.console_compare import brief
from reports.console_compensation import wanted
from reports.measure_names import measure_name
from reports.numbers import Numbers

if TYPE_CHECKING:
    from simcore.schema import Schema


_WORDS: Final[dict[str, dict[str, str]]] = {
    "en": {
        "base": "Played: {name}",
        "new": "Scored: {name}",
        "fixed": "Strategies are held fixed: {names} play as if nothing had changed. {deals} stored deals of {games} games, seed {seed}.",
        "total": "Points of the stored deals: {before} -> {after} ({change:+.1%}).",
        "times": "Points are not always times x price: what was beaten, or does not count, brings nothing.",
        "item": "Item",
        "price": "Price",
        "now": "New",
        "count": "Times",
        "before": "Before",
        "after": "After",
        "points_before": "Points before",
        "points": "Points",
        "measure": "Measure",
        "difference": "Difference, 95% interval",
        "deals_per_game": "Length of a game",
        "leader_win_share": "Win share of the first leader",
        "win_share": "Win share of seat {seat}",
        "replayed": "{changed} games were played again from their deals; {continued} needed more deals than they had and went on with those of the next games.",
        "broken": "{broken} games ended in the middle of their last deal, whose rest was never played; {through} of them go on now, with a whole deal in its "
        "place.",
        "close": "In {close} games several scores run out in one deal: which of them first is estimated from their size.",
        "estimated": "Points are exact; how games go on is estimated, and its intervals are of chance only (docs/tuning.md says how near it comes).",
        "torn": "Of all games {torn} ended in a deal of the kind that games go on with now: the dearest of these are missing, so lengths come out too long.",
        "confirmed": "Played by the new table on the same cards, {games} games, by players who do not know and who know it: how much they adapt",
        "confirmed_all": "Played by the new table on the same cards, {games} games, all that the run has, by players who do not know and who know it: how "
        "much they adapt",
        "held": "As if nobody knew",
        "played": "Knowing it",
        "adaptation": "Adaptation, 95% interval",
        "severity": "Severity",
        "code": "Code",
        "finding": "Finding",
        "rules": "Rules",
        "seen": "{deals} deals: {games} games with {players} players of each of {strategies}; seed {seed}.",
        "clean": "Nothing found.",
        "error": "error",
        "warning": "warning",
        "info": "info",
        "fair": "Fair",
        "worth": "Wins like",
        "reason": "Why",
        "fair_table": "As a ruleset: {name}",
        "fair_undecided": "Undecided in it: {names}. More --games decide them.",
        "worth_said": "Wins like: by how many average points a use raises the share of the win of who makes it.",
        "line": "Promise",
        "expected": "Expected",
        "value": "Found",
        "interval": "Interval",
        "games": "Games",
        "verdict": "Verdict",
        "pass": "pass",
        "fail": "fail",
        "undecided": "undecided",
        "since": "Since the last check, of {name}:",
        "nothing": "nothing has changed",
        "searched": "{tried} tables tried on {games} games, confirmed in {confirm} fresh ones; {names}, seed {seed}. Intervals hold for all tables and goals.",
        "goal": "Goal",
        "wanted": "Wanted",
        "first": "now",
        "reached": "reached",
        "missed": "missed",
        "changes": "Changes",
        "winner": "Winner: {name}",
        "unreached": "No table was found that surely reaches {goals}; the nearest is shown.",
        "stays": "The present table is not beaten.",
        "against": "The winner against the table as it was, in fresh games (all of it: comparison.json):",
        "best": "First",
        "runner_up": "Runner-up",
        "front": "No table is better than these in all goals and in the number of changes (on the games that were searched on):",
        "kept": "Written: {folder}",
    },
    "ru": {
        "base": "Сыграно: {name}",
        "new": "Посчитано: {name}",
        "fixed": "Стратегии те же: {names} играют так, будто ничего не изменилось. Партий в записи: {deals}, игр: {games}, seed {seed}.",
        "total": "Очков в записанных партиях: {before} -> {after} ({change:+.1%}).",
        "times": "Очки — не всегда число раз × цена: побитое и не засчитанное не приносит ничего.",
        "item": "Комбинация",
        "price": "Цена",
        "now": "Новая",
        "count": "Раз",
        "before": "Было",
        "after": "Стало",
        "points_before": "Очков было",
        "points": "Очков стало",
        "measure": "Мера",
        "difference": "Разность, интервал 95%",
        "deals_per_game": "Длина игры",
        "leader_win_share": "Доля побед начавшего игру",
        "win_share": "Доля побед места {seat}",
        "replayed": "Пересчитано игр по их партиям: {changed}; из них продолжены партиями следующих игр, так как своих не хватило: {continued}.",
        "broken": "Игр, оборванных посреди последней партии (её остаток не сыгран): {broken}; из них идут теперь дальше, с целой партией на её месте: "
        "{through}.",
        "close": "Игр, где за одну партию кончился счёт у нескольких: {close}; кто первым, оценено по величине потерь.",
        "estimated": "Очки точны; как игры идут дальше, оценено: эти интервалы говорят только о случайности (о точности см. docs/tuning.md).",
        "torn": "Доля игр, кончившихся на таких же партиях, какими игры теперь продолжены: {torn}; самых дорогих из них нет, поэтому длина завышена.",
        "confirmed": "Сыграно по новой таблице на тех же картах, игр: {games}, не зная её и зная: насколько игроки приспосабливаются",
        "confirmed_all": "Сыграно по новой таблице на тех же картах, игр: {games} (все игры прогона), не зная её и зная: насколько игроки приспосабливаются",
        "held": "Как если бы не знали",
        "played": "Зная новую",
        "adaptation": "Приспособление, интервал 95%",
        "severity": "Важность",
        "code": "Код",
        "finding": "Что найдено",
        "rules": "Правила",
        "seen": "Партий: {deals}; по {games} игр (игроков: {players}) каждого состава: {strategies}; seed {seed}.",
        "clean": "Ничего не найдено.",
        "error": "ошибка",
        "warning": "внимание",
        "info": "заметка",
        "fair": "Справедливо",
        "worth": "Для победы",
        "reason": "Почему",
        "fair_table": "Как набор правил: {name}",
        "fair_undecided": "Не решено в нём: {names}. Решат больше игр (--games).",
        "worth_said": "Для победы: на сколько средних очков одно применение поднимает долю победы сыгравшего.",
        "line": "Обещание",
        "expected": "Ожидается",
        "value": "Найдено",
        "interval": "Интервал",
        "games": "Игр",
        "verdict": "Итог",
        "pass": "выполнено",
        "fail": "нарушено",
        "undecided": "не решено",
        "since": "С прошлой проверки ({name}):",
        "nothing": "ничего не изменилось",
        "searched": "Таблиц испробовано: {tried} на {games} играх, проверены на {confirm} новых; {names}, seed {seed}. Интервалы верны для всех сразу.",
        "goal": "Цель",
        "wanted": "Нужно",
        "first": "сейчас",
        "reached": "достигнута",
        "missed": "не достигнута",
        "changes": "Изменения",
        "winner": "Лучшая: {name}",
        "unreached": "Не найдено таблицы, которая наверняка достигает {goals}; показана ближайшая.",
        "stays": "Лучше нынешней таблицы не нашлось.",
        "against": "Лучшая против прежней таблицы, в новых играх (целиком: comparison.json):",
        "best": "Первая",
        "runner_up": "Следующая",
        "front": "Нет таблиц, которые лучше этих по всем целям и числу изменений (на играх поиска):",
        "kept": "Записано: {folder}",
    },
}


def whatif(found: Mapping[str, Any], schema: Schema, lang: str) -> Renderables:
    """Stored deals under another table (`experiments.whatif`), confirmed by new games where that was asked for."""
    words, numbers = _WORDS[lang], Numbers(lang)
    replayed = found["replayed"]
    before, after = found["points_before"], found["points_total"]
    items = [
        [
            item_name(schema, key, lang),
            _price(each["price"]),
            _price(each["now"]),
            *(grouped(each[field], lang) for field in ("count", "points_before", "points")),
        ]
        for key, each in found["items"].items()
    ]
    rows = [[words[key], *_arms(replayed[key], numbers)] for key in ("deals_per_game", "leader_win_share")]
    rows += [[words["win_share"].format(seat=seat), *_arms(each, numbers)] for seat, each in enumerate(replayed["win_share"])]
    shown: Renderables = [
        Text(words["base"].format(name=found["base"]), style="bold"),
        Text(words["new"].format(name=found["ruleset"]), style="bold"),
        words["fixed"].format(
            names=", ".join(found["strategies"]), deals=grouped(found["deals"], lang), games=grouped(found["games"], lang), seed=found["seed"]
        ),
        words["total"].format(before=grouped(before, lang), after=grouped(after, lang), change=after / before - 1 if before else 0.0),
        "",
        grid(None, [words[key] for key in ("item", "price", "now", "count", "points_before", "points")], items, right=range(1, 6)),
        *([words["times"]] if any(abs(each["count"] * (each["price"] or 0)) != abs(each["points_before"]) for each in found["items"].values()) else []),
        grid(None, [words[key] for key in ("measure", "before", "after", "difference")], rows, right=(1, 2, 3)),
        words["replayed"].format(**{key: grouped(replayed[key], lang) for key in ("changed", "continued")}),
    ]
    if replayed["broken_deals"]:
        shown.append(words["broken"].format(broken=grouped(replayed["broken_deals"], lang), through=grouped(replayed["through_broken"], lang)))
    if replayed["close"]:
        shown.append(words["close"].format(close=grouped(replayed["close"], lang)))
    if replayed["continued"]:
        shown.append(words["estimated"])
    if replayed["torn"] > TORN and replayed["continued"]:
        shown.append(words["torn"].format(torn=f"{replayed['torn']:.1%}"))
    if "confirmed" in found:
        confirmed = found["confirmed"]
        lines = [
            [
                measure_name(row, schema, lang),
                numbers.significant(row["held_fixed"], 4),
                numbers.significant(row["played"], 4),
                _signed(row["adaptation"], numbers),
            ]
            for row in confirmed["measures"]
        ]
        title = words["confirmed_all" if confirmed["games"] == found["games"] else "confirmed"].format(games=grouped(confirmed["games"], lang))
        shown += ["", grid(title, [words[key] for key in ("measure", "held", "played", "adaptation")], lines, right=(1, 2, 3))]
    return shown


def lint(found: Mapping[str, Any], lang: str) -> Renderables:
    """Findings (`experiments.lint`), worst first."""
    words = _WORDS[lang]
    styles = {"error": "bold red", "warning": "yellow", "info": ""}
    rows = []
    for each in found["findings"]:
        told = each["message"] + (f"\n{each['evidence']['command']}" if each["evidence"] else "")
        rows.append([Text(words[each["severity"]], style=styles[each["severity"]]), each["code"], told, ", ".join(each["rules"])])
    seen = words["seen"].format(
        deals=grouped(found["deals"], lang),
        games=grouped(found["games"], lang),
        players=found["players"],
        strategies=", ".join(found["strategies"]),
        seed=found["seed"],
    )
    table = grid(None, [words[key] for key in ("severity", "code", "finding", "rules")], rows) if rows else words["clean"]
    return [Text(found["ruleset"], style="bold"), seen, "", table]


def prices(found: Mapping[str, Any], schema: Schema, lang: str) -> Renderables:
    """Fair prices (`experiments.price`) with their reasons."""
    words, numbers = _WORDS[lang], Numbers(lang)
    rows = []
    for key, each in found["prices"].items():
        moved = each["now"] != each["fair"]
        worth = "-" if each["worth"] is None else numbers.significant(each["worth"], 2)
        style = "bold yellow" if moved else ""
        fair = Text(str(each["fair"]) + ("" if each["decided"] else "?"), style=style)
        rows.append([item_name(schema, key, lang), str(each["now"]), fair, worth, each["reason"]])
    seen = words["seen"].format(
        deals=grouped(found["deals"], lang),
        games=grouped(found["games"], lang),
        players=found["players"],
        strategies=", ".join(found["strategies"]),
        seed=found["seed"],
    )
    table = grid(None, [words[key] for key in ("item", "price", "fair", "worth", "reason")], rows, right=(1, 2, 3))
    shown: Renderables = [Text(found["ruleset"], style="bold"), seen, "", table, words["worth_said"]]
    shown.append(Text(words["fair_table"].format(name=found["fair"]), style="bold"))
    undecided = [item_name(schema, key, lang) for key, each in found["prices"].items() if not each["decided"]]
    return [*shown, words["fair_undecided"].format(names=", ".join(undecided))] if undecided else shown


def check(found: Mapping[str, Any], lang: str) -> Renderables:
    """A check (`experiments.check`): each promise with its verdict, and what has changed since the last one."""
    words = _WORDS[lang]
    styles = {"pass": "green", "fail": "bold red", "undecided": "yellow"}
    rows = [[row["key"], *told(row), grouped(row["games"], lang), Text(words[row["verdict"]], style=styles[row["verdict"]])] for row in found["lines"]]
    heads = [words[key] for key in ("line", "expected", "value", "interval", "games", "verdict")]
    title = Text(f"{found['ruleset']}: {words[found['verdict']]}", style=styles[found["verdict"]])
    shown: Renderables = [title, ", ".join(dict.fromkeys(found["strategies"])), "", grid(None, heads, rows, right=(4,))]
    since = found["since"]
    if since is not None:
        shown.append(words["since"].format(name=since["ruleset"]))
        shown += [f"  {each['key']}: {each['a']} -> {each['b']} ({each['rule']})" for each in since["differences"]]
        shown += [f"  {each['key']}: {words[each['was']]} -> {words[each['is']]}" for each in since["verdicts"]]
        if not since["differences"] and not since["verdicts"]:
            shown.append(f"  {words['nothing']}")
    return shown


def check_words(lang: str) -> Mapping[str, str]:
    """The words of a check in Markdown."""
    return _WORDS[lang]


def tuned(found: Mapping[str, Any], compared: Mapping[str, Any] | None, folder: str, schema: Schema, lang: str) -> Renderables:
    """What a search for a table found (`experiments.tune`): the front, the winner against the table as it was, the finalists in fresh games, the answer."""
    words, numbers = _WORDS[lang], Numbers(lang)
    styles = {"reached": "green", "missed": "red", "undecided": "yellow"}
    tables = found["tables"]
    rows: list[list[Any]] = []
    for goal in found["goals"]:
        cells: list[Any] = []
        for table in tables:
            each = table["confirmed"][goal["key"]]
            cells.append(Text(f"{numbers.both(each['estimate'])} {words[each['verdict']]}", style=styles[each["verdict"]]))
        rows.append([goal["key"], wanted(goal), *cells])
    moves = [", ".join(f"{key} {old}→{new}" for key, (old, new) in table["changes"].items()) or words["first"] for table in tables]
    rows.append([words["changes"], "", *moves])
    said = words["searched"].format(
        tried=grouped(found["tried"], lang),
        games=grouped(found["games"], lang),
        confirm=grouped(found["confirm"], lang),
        names=", ".join(dict.fromkeys(found["strategies"])),
        seed=found["seed"],
    )
    winner = words["winner"].format(name=found["winner"]) if tables[0]["changes"] else words["stays"]
    missed = [key for key, each in tables[0]["confirmed"].items() if each["verdict"] == "missed"]
    others = [f"{words['runner_up']} {place}" for place in range(1, len(tables))]
    heads = [words["goal"], words["wanted"], words["best"], *others]
    goals = [goal["key"] for goal in found["goals"]]
    front = [[str(each["changes"]), *(numbers.significant(each["values"][key], 3) for key in goals), each["ruleset"]] for each in found["front"]]
    return [
        words["front"],
        grid(None, [words["changes"], *goals, ""], front, right=range(1, len(goals) + 1)),
        *([Text(words["against"], style="bold"), *brief(compared, schema, lang), ""] if compared else []),
        said,
        "",
        grid(None, heads, rows),
        *([Text(words["unreached"].format(goals=", ".join(missed)), style="bold")] if missed else []),
        Text(winner, style="bold"),
        Text(words["kept"].format(folder=folder), style="bold", overflow="fold"),
    ]


def _arms(measure: Mapping[str, Any], numbers: Numbers) -> list[str]:
    return [numbers.value(measure["before"]), numbers.value(measure["after"]), _signed(measure["difference"], numbers)]


def _signed(estimate: Mapping[str, Any], numbers: Numbers) -> str:
    """A difference with its interval."""
    sign = "+" if estimate["value"] > 0 else ""
    return f"{sign}{numbers.both(estimate)}"


def _price(price: int | None) -> str:
    return "-" if price is None else str(price)


def item_name(schema: Schema, key: str, lang: str) -> str:
    """What the game calls an item or a value of its table."""
    if key in schema.points:
        return schema.points[key].name[lang]
    if key in schema.counted:
        return schema.counted[key].name[lang]
    words: Mapping[str, Any] = schema.words.get("item", {})
    return str(words[key][lang]) if key in words else key
