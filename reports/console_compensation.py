"""What makes up for moving first (`experiments.compensation`), as lines for a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from rich.text import Text

from reports.console import Renderables, grid, grouped
from reports.numbers import Numbers

_WORDS: Final[dict[str, dict[str, str]]] = {
    "en": {
        "to_others": "Points to each player who does not lead first, added to the final score: {points}.",
        "to_leader": "Points to the player who leads first, added to the final score: {points}.",
        "off_others": "Points off the final score of each player who does not lead first (the lowest score wins): {points}.",
        "off_leader": "Points off the final score of the player who leads first (the lowest score wins): {points}.",
        "no_points": "No points are needed.",
        "ties": "Ties go to those who do not lead first.",
        "option": "Of the values tried {option} comes nearest to the goal, as the ruleset {ruleset}.",
        "no_option": "No value that was tried comes nearer to the goal than the ruleset as it is.",
        "tried": "On the games that were searched on",
        "now": "as it is",
        "moving_first_win_share": "Win share of moving first, whatever the cards",
        "first_mover_win_share": "Win share of who leads by the rules",
        "change": "from {without} to {given}",
        "reached": "the goal ({wanted}) is reached.",
        "missed": "the goal ({wanted}) is missed.",
        "missed_points": "the goal ({wanted}) is missed. Search on more deals, unless whole points are too coarse for it.",
        "undecided": "whether the goal ({wanted}) is reached is undecided. More games to confirm decide it.",
        "searched_points": "Searched on {games} deals, which allow {low} to {high} points; confirmed in {confirm} fresh ones, {level} interval; {names}, "
        "seed {seed}.",
        "searched": "Searched on {games} deals, confirmed in {confirm} fresh ones, {level} interval; {names}, seed {seed}.",
        "kept": "Written: {folder}",
    },
    "ru": {
        "to_others": "Очки каждому, кто не ходит первым, к окончательному счёту: {points}.",
        "to_leader": "Очки тому, кто ходит первым, к окончательному счёту: {points}.",
        "off_others": "Очки, которые вычитаются из окончательного счёта каждого, кто не ходит первым (выигрывает меньший счёт): {points}.",
        "off_leader": "Очки, которые вычитаются из окончательного счёта того, кто ходит первым (выигрывает меньший счёт): {points}.",
        "no_points": "Очков не нужно.",
        "ties": "При равенстве выигрывает тот, кто не ходит первым.",
        "option": "Из испытанных значений ближе всего к цели {option}, это правила {ruleset}.",
        "no_option": "Ни одно из испытанных значений не ближе к цели, чем нынешние правила.",
        "tried": "На играх поиска",
        "now": "как есть",
        "moving_first_win_share": "Доля побед первого хода, с любыми картами",
        "first_mover_win_share": "Доля побед того, кто ходит первым по правилам",
        "change": "было {without}, стало {given}",
        "reached": "цель ({wanted}) достигнута.",
        "missed": "цель ({wanted}) не достигнута.",
        "missed_points": "цель ({wanted}) не достигнута. Нужно больше раскладов для поиска, если только целые очки не слишком грубы.",
        "undecided": "достигнута ли цель ({wanted}), не решено. Нужно больше игр для проверки.",
        "searched_points": "Поиск на раскладах: {games}, они допускают от {low} до {high} очков; проверка на новых: {confirm}, интервал {level}; {names}, "
        "зерно {seed}.",
        "searched": "Поиск на раскладах: {games}; проверка на новых: {confirm}, интервал {level}; {names}, зерно {seed}.",
        "kept": "Записано: {folder}",
    },
}


def compensated(found: Mapping[str, Any], folder: str, lang: str) -> Renderables:
    """What makes up for moving first, and what it comes to in fresh games."""
    words, numbers = _WORDS[lang], Numbers(lang)
    by_points = "points" in found
    headline = _points(found, words) if by_points else _option(found, words)
    shown: Renderables = [Text(headline, style="bold")]
    changed = (found["points"] or found["ties"]) if by_points else found["option"]
    for key in sorted(found["confirmed"], key=lambda key: key != found["goal"]):
        without, given = (numbers.both(found["confirmed"][key][name]) for name in ("without", "with"))
        change = words["change"].format(without=without, given=given) if changed else given
        told = words["missed_points" if by_points and found["verdict"] == "missed" else found["verdict"]].format(wanted=wanted(found, numbers))
        shown.append(f"{words[key]}: {change}{f'; {told}' if key == found['goal'] else '.'}")
    if not by_points:
        rows = [[setting, numbers.both(share)] for setting, share in {words["now"]: found["present"], **found["tried"]}.items()]
        shown.append(grid(words["tried"], ["", words[found["goal"]]], rows))
    low, high = map(numbers.exact, found["points_interval"]) if by_points else (None, None)
    said = words["searched_points" if by_points else "searched"].format(
        games=grouped(found["games"], lang),
        confirm=grouped(found["confirm"], lang),
        low=low,
        high=high,
        level=numbers.percent(found["level"], 0),
        names=", ".join(dict.fromkeys(found["strategies"])),
        seed=found["seed"],
    )
    return [*shown, said, Text(words["kept"].format(folder=folder), style="bold", overflow="fold")]


def _points(found: Mapping[str, Any], words: Mapping[str, str]) -> str:
    points = found["points"]
    kind = f"{'off' if found['lowest_wins'] else 'to'}_{'others' if points > 0 else 'leader'}" if points else "no_points"
    told = [words[kind].format(points=abs(points))] if points or not found["ties"] else []
    return " ".join([*told, words["ties"]] if found["ties"] else told)


def _option(found: Mapping[str, Any], words: Mapping[str, str]) -> str:
    return words["option"].format(option=found["option"], ruleset=found["ruleset"]) if found["option"] else words["no_option"]


def wanted(goal: Mapping[str, Any], numbers: Numbers) -> str:
    """Where a goal's quantity should lie."""
    return numbers.limits(goal["low"], goal["high"])
