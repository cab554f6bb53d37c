"""What experiments found, as tables for a terminal: tournaments, the first move, plans, experiment files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from rich.text import Text

from reports.console import Renderables, grid, grouped
from reports.console_compare import comparison, is_item, no_game_differs
from reports.measure_names import duration, item_name, measure_name, places_of, rough, share_name

if TYPE_CHECKING:
    from pathlib import Path

    from experiments.experiment_file import Experiment
    from experiments.laboratory import Answered
    from simcore.schema import Schema

_WORDS: Final[dict[str, dict[str, Any]]] = {
    "en": {
        "measure": "Measure",
        "margin": "Margin",
        "arm_a": "A: {name}",
        "arm_b": "B: {name}",
        "stopped": "Stopped by rule: win shares are known to within ±{precision} (confidence sequence at {level}, {looks} looks):",
        "not_reached": "Stopped at the limit of games: win shares are not yet known to within ±{precision} (confidence sequence at {level}, {looks} looks):",
        "verified": "{checked} of {games} games were played again: every row is the same.",
        "differs": "{checked} of {games} games were played again; these are not the same: {different}.",
        "other_sources": "The run was made by other sources or versions, so the difference need not be a fault of the records.",
        "answer_whole": "{games} games of each ({time}) decide everything but single items, ",
        "answer_all": "{games} ({time}) everything.",
        "answer_only": "{games} games of each ({time}) decide everything.",
        "answer_precision": "{games} games ({time}) with --precision {precision} are enough for all win shares.",
        "still": "Did not vary in the pilot, so that it cannot be planned: {names}.",
        "plan": "After a pilot of {pilot} games; verdicts come with a chance of {power}, all measures together are wrong in at most {alpha} of cases.",
        "plan_precision": "{ruleset}: games after which a win share is known to within ±{precision} ({level}), after a pilot of {pilot} games.",
        "to_find": "Games to find the difference",
        "to_equate": "Games to show the same",
        "fixed": "A number fixed beforehand",
        "looking": "Stopped by --precision",
        "time": "Time",
        "row": "Strategy",
        "worth_head": "Being forbidden it",
        "forbidden": "Forbidden",
        "free": "Win share of the free one (even: {even}), {level} interval",
        "costs": "costs",
        "undecided": "undecided",
        "helps": "helps",
        "experiment": "{title} (seed {seed})",
        "folder": "Experiment: {folder}",
        "run_done": "{run}: {games} games, {deals} deals. Tallies: {hash}. Its report: simcore report {path}",
        "natural": "The leader by the rules",
        "first": "Moving first, whatever the cards",
        "cards": "The cards that give the lead",
        "worth": "{names}: win share and points ahead of the mean of the others, {level} intervals (even: {even})",
        "win_share": "Win share",
        "ahead": "Points ahead",
        "led": "{ruleset}: {games} deals, each played once with every of {players} leaders on the same cards, seed {seed}.",
        "not_led": "{ruleset}: {games} games of {players} players, seed {seed}. The game cannot be led by another player: the cards are not told apart.",
        "compensation": "Moving first alone is made even by {value} points to every other player at the end of the game (interval: {low} to {high}); "
        "not by the points ahead, since a win by 1 point counts as much as one by 50.",
        "compensation_natural": "The lead by the rules is made even by {value} points to every other player at the end of the game (interval: {low} to "
        "{high}); not by the points ahead, since a win by 1 point counts as much as one by 50.",
        "led_narrower": "The interval of moving first is {percent} as wide as that of as many games without swapping the lead.",
        "rating": "Rating, {level} interval",
        "met": "{ruleset}: {games} decks a match, each played once from each of {players} seats, seed {seed}.",
        "matrix": "Win share of the row against the column (even: {even})",
        "one": "Win share of one row player among {rest} column players (even: {even})",
        "cycles": "Goes in a circle, beyond chance: {cycles}",
        "no_cycles": "No cycle is beyond chance.",
        "step": "Step of the ladder",
        "share": "Win share, {level} interval",
        "to_show": "Decks to show it",
        "depth": "Steps of at least 60%: {depth}.",
    },
    "ru": {
        "measure": "Величина",
        "margin": "Допуск",
        "arm_a": "A: {name}",
        "arm_b": "B: {name}",
        "stopped": "Остановлено по правилу: доли побед известны с точностью ±{precision} (доверительная последовательность {level}, проверок {looks}):",
        "not_reached": "Остановлено на пределе числа игр: доли побед ещё не известны с точностью ±{precision} ({level}, проверок {looks}):",
        "verified": "Переиграно игр: {checked} из {games}; все строки те же.",
        "differs": "Переиграно игр: {checked} из {games}; не совпали: {different}.",
        "other_sources": "Записи сделаны другими исходниками или версиями, так что различие может быть не ошибкой записей.",
        "answer_whole": "{games} игр каждого ({time}) решат всё, кроме отдельных элементов, ",
        "answer_all": "{games} ({time}) — вообще всё.",
        "answer_only": "{games} игр каждого ({time}) решат всё.",
        "answer_precision": "{games} игр ({time}) с --precision {precision} хватит для всех долей побед.",
        "still": "В пробе не менялось, поэтому заранее не сказать: {names}.",
        "plan": "После пробы в {pilot} игр; вывод получится с вероятностью {power}, а все вместе неверны не чаще {alpha}.",
        "plan_precision": "{ruleset}: сколько игр нужно, чтобы знать долю побед с точностью ±{precision} ({level}), по пробе в {pilot} игр.",
        "to_find": "Игр, чтобы найти разницу",
        "to_equate": "Игр, чтобы показать, что одинаково",
        "fixed": "Если число задано заранее",
        "looking": "С остановкой по --precision",
        "time": "Время",
        "row": "Стратегия",
        "worth_head": "Запрет",
        "forbidden": "Запрещено",
        "free": "Доля побед свободного (поровну: {even}), интервал {level}",
        "costs": "стоит побед",
        "undecided": "не решено",
        "helps": "помогает",
        "experiment": "{title} (зерно {seed})",
        "folder": "Папка опыта: {folder}",
        "run_done": "{run}: игр {games}, партий {deals}. Хеш: {hash}. Отчёт: simcore report {path}",
        "natural": "Начинающий по правилам",
        "first": "Первый ход, с любыми картами",
        "cards": "Карты, которые дают первый ход",
        "worth": "{names}: доля побед и на сколько очков впереди среднего остальных, интервалы {level} (поровну: {even})",
        "win_share": "Доля побед",
        "ahead": "Очков впереди",
        "led": "{ruleset}: раздач {games}, каждая сыграна по разу с каждым начинающим (их {players}) и теми же картами, зерно {seed}.",
        "not_led": "{ruleset}: игр {games}, игроков {players}, зерно {seed}. Начинающего сменить нельзя: карты от первого хода не отделены.",
        "compensation": "Сам первый ход уравнивают очки каждому из остальных в конце игры: {value} (интервал от {low} до {high}); это не перевес в очках: "
        "победа на 1 очко весит столько же, сколько победа на 50.",
        "compensation_natural": "Ход по правилам уравнивают очки каждому из остальных в конце игры: {value} (интервал от {low} до {high}); это не перевес в "
        "очках: победа на 1 очко весит столько же, сколько победа на 50.",
        "led_narrower": "Ширина интервала первого хода — {percent} той, что у стольких же игр без смены начинающего.",
        "rating": "Рейтинг, интервал {level}",
        "met": "{ruleset}: колод на встречу {games}, каждая сыграна по разу с каждого места (мест: {players}), зерно {seed}.",
        "matrix": "Доля побед строки против столбца (поровну: {even})",
        "one": "Доля побед одного игрока строки среди игроков столбца (их {rest}; поровну: {even})",
        "cycles": "По кругу, и это не случай: {cycles}",
        "no_cycles": "Достоверных кругов нет.",
        "step": "Ступень лестницы",
        "share": "Доля побед, интервал {level}",
        "to_show": "Сколько колод это покажут",
        "depth": "Ступеней не ниже 60%: {depth}.",
    },
}


def standings(found: Mapping[str, Any], lang: str) -> Renderables:
    """A tournament (`experiments.tournament.tournament`): ratings, the matrix, cycles and the ladder."""
    words = _WORDS[lang]
    level, even = f"{found['level']:.0%}", f"{found['even']:.4g}"
    names, field = found["strategies"], found["field"]
    order = sorted(range(len(names)), key=lambda place: -found["rating"][place])
    cells = [[*(_ranged(found["win_share"][i][j], found["interval"][i][j]) if names[i] != name else "-" for j, name in enumerate(field))] for i in order]
    ratings = [f"{found['rating'][i]:+z.0f} [{found['rating_interval'][i][0]:+z.0f}, {found['rating_interval'][i][1]:+z.0f}]" for i in order]
    heads = [words["rating"].format(level=level), *field]
    rows = [(names[i], rating, *row) for i, rating, row in zip(order, ratings, cells, strict=True)]
    title = words["matrix" if found["players"] == 2 else "one"].format(even=even, rest=found["players"] - 1)
    met = words["met"].format(ruleset=found["ruleset"], games=grouped(found["games"], lang), players=found["players"], seed=found["seed"])
    shown: Renderables = [met, "", grid(title, ["", *heads], rows, right=range(1, len(heads) + 1))]
    cycles = "; ".join(" > ".join([*cycle, cycle[0]]) for cycle in found["cycles"])
    shown.append(words["cycles"].format(cycles=cycles) if cycles else words["no_cycles"])
    if found["ladder"]:
        steps = [
            (
                f"{step['strategy']} > {step['over']}",
                _ranged(step["win_share"], step["interval"]),
                "-" if step["games_to_show"] is None else grouped(step["games_to_show"], lang),
            )
            for step in found["ladder"]
        ]
        shown.append(grid(None, [words["step"], words["share"].format(level=level), words["to_show"]], steps, right=(1, 2)))
    if found["depth"] is not None:
        shown.append(words["depth"].format(depth=found["depth"]))
    return shown


def first_moves(found: Mapping[str, Any], lang: str) -> Renderables:
    """The worth of the first move (`experiments.first_move.first_move`)."""
    words = _WORDS[lang]
    line = words["led" if found["swapped"] else "not_led"]
    shown: Renderables = [line.format(ruleset=found["ruleset"], games=grouped(found["games"], lang), players=found["players"], seed=found["seed"])]
    for entry in found["panel"]:
        rows = [
            (words[part], *(_ranged(entry[unit][part]["value"], (entry[unit][part]["low"], entry[unit][part]["high"])) for unit in ("share", "points")))
            for part in ("natural", "first", "cards")
            if entry["share"][part] is not None
        ]
        names = ", ".join(dict.fromkeys(entry["strategies"]))
        title = words["worth"].format(names=names, level=f"{found['level']:.0%}", even=f"{found['even']:.4g}")
        shown += ["", title, grid(None, ["", words["win_share"], words["ahead"]], rows, right=(1, 2))]
        shown.append(
            words["compensation" if found["swapped"] else "compensation_natural"].format(**{key: f"{value:g}" for key, value in entry["compensation"].items()})
        )
        if entry["narrower"]:
            shown.append(words["led_narrower"].format(percent=f"{entry['narrower']:.0%}"))
    return shown


def planned(found: Mapping[str, Any], schema: Schema, lang: str) -> Renderables:
    """A plan (`experiments.plan`): how many games are enough, then games and time for each measure."""
    words = _WORDS[lang]
    pair = "a" in found
    keys, heads = (("to_find", "to_equate"), ("to_find", "to_equate")) if pair else (("games", "games_looking"), ("fixed", "looking"))
    known = [row for row in found["measures"] if row[keys[0]] is not None]
    rows = []
    for row in known:
        margin = [f"{row['margin']:.{places_of(row['margin'] / 10)}f}"] if pair else []
        rows.append([measure_name(row, schema, lang), *margin, *(rough(row[key], lang) for key in keys), duration(row["seconds"], lang)])
    table = grid(None, [words["measure"], *([words["margin"]] if pair else []), *(words[head] for head in heads), words["time"]], rows, right=range(1, 5))
    if not pair:
        numbers = {"precision": f"{found['precision']:.3g}", "level": f"{found['level']:.0%}", "pilot": grouped(found["pilot"], lang)}
        answer = words["answer_precision"].format(precision=f"{100 * found['precision']:.3g}%", **_enough(known, keys, lang))
        return [Text(answer, style="bold"), words["plan_precision"].format(ruleset=found["ruleset"], **numbers), table]
    shown: Renderables = [Text(words["arm_a"].format(name=found["a"]), style="bold"), Text(words["arm_b"].format(name=found["b"]), style="bold")]
    if not found["changed"]:
        return [*shown, Text(no_game_differs(found["pilot"], found["level"], lang), style="bold")]
    whole = [row for row in known if not is_item(row)]
    if whole and len(whole) < len(known):
        answer = words["answer_whole"].format(**_enough(whole, keys, lang)) + words["answer_all"].format(**_enough(known, keys, lang))
    else:
        answer = words["answer_only"].format(**_enough(known, keys, lang))
    line = words["plan"].format(pilot=grouped(found["pilot"], lang), power=f"{found['power']:.0%}", alpha=f"{1 - found['level']:.0%}")
    still = [row for row in found["measures"] if row[keys[0]] is None]
    names = dict.fromkeys(item_name(row["subject"], schema, lang) if is_item(row) else measure_name(row, schema, lang) for row in still)
    return [*shown, Text(answer, style="bold"), line, table, *([words["still"].format(names="; ".join(names))] if names else [])]


def _enough(rows: Sequence[Mapping[str, Any]], keys: Sequence[str], lang: str) -> dict[str, str]:
    """Games and time that are enough for all of some measures."""
    games = max(row[key] for row in rows for key in keys)
    return {"games": rough(games, lang), "time": duration(max(row["seconds"] for row in rows), lang)}


def heading(experiment: Experiment, folder: Path, lang: str) -> Renderables:
    """What an experiment is about, and where it is kept."""
    words = _WORDS[lang]
    title = words["experiment"].format(title=experiment.title[lang], seed=experiment.seed)
    return [Text(title, style="bold"), Text(words["folder"].format(folder=folder), overflow="fold")]


def answered(each: Answered, schema: Schema, lang: str) -> Renderables:
    """The answer to one question of an experiment."""
    shown: Renderables = ["", Text(f"{each.question.name} ({each.question.kind})", style="bold")]
    match each.question.kind:
        case "compare":
            return shown + comparison(each.answer, schema, lang)
        case "tournament":
            return shown + standings(each.answer, lang)
        case "restricted":
            return shown + restrictions(each.answer, lang)
        case "first_move":
            return shown + first_moves(each.answer, lang)
        case _:
            answer = each.answer
            counts = {"games": grouped(answer["games"], lang), "deals": grouped(answer["deals"], lang)}
            path = each.place.parent / answer["run"]
            line = _WORDS[lang]["run_done"].format(run=answer["run"], hash=answer["tallies_hash"], path=path, **counts)
            return [*shown, line, *stopping(answer, lang)]


def stopping(info: Mapping[str, Any], lang: str) -> Renderables:
    """By which rule a run was stopped (what ``run.json`` says), and the intervals that hold under it; nothing where there was no rule."""
    rule = info.get("stopping")
    if not rule:
        return []
    words = _WORDS[lang]
    line = words["stopped" if rule["reached"] else "not_reached"]
    shown: Renderables = [line.format(precision=f"{rule['precision']:.3g}", level=f"{rule['level']:.0%}", looks=len(rule["looks"]))]
    for key, (low, high) in rule["intervals"].items():
        places = places_of((high - low) / 2)
        shown.append(f"  {share_name(key, lang)}: {low:z.{places}f} - {high:z.{places}f}")
    return shown


def verification(found: Mapping[str, Any], lang: str) -> Renderables:
    """What came of verifying a run (`experiments.verify.verify`)."""
    words = _WORDS[lang]
    counts = {"checked": grouped(found["checked"], lang), "games": grouped(found["games"], lang)}
    if not found["different"]:
        return [Text(words["verified"].format(**counts), style="green")]
    different = ", ".join(f"{row['game']} ({row['table']})" for row in found["different"])
    shown: Renderables = [Text(words["differs"].format(different=different, **counts), style="red")]
    return shown if found["same_sources"] else [*shown, words["other_sources"]]


def restrictions(found: Mapping[str, Any], lang: str) -> Renderables:
    """Restricted play (`experiments.restricted.restricted`): what each forbidden thing is worth."""
    words = _WORDS[lang]
    met = words["met"].format(ruleset=found["ruleset"], games=grouped(found["games"], lang), players=found["players"], seed=found["seed"])
    share = words["free"].format(even=f"{found['even']:.4g}", level=f"{found['level']:.0%}")
    rows = [
        (row["strategy"], f"{row['restriction']}: {row['doc']}", _ranged(row["win_share"], row["interval"]), words[row["verdict"]])
        for row in found["restrictions"]
    ]
    return [met, grid(None, [words["row"], words["forbidden"], share, words["worth_head"]], rows, right=(2,))]


def _ranged(value: float, interval: Sequence[float]) -> str:
    """A number with its interval."""
    places = places_of((interval[1] - interval[0]) / 2)
    return f"{value:z.{places}f} [{interval[0]:z.{places}f}, {interval[1]:z.{places}f}]"
