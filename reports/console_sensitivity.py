"""What moves the result (`experiments.sensitivity`, `experiments.house_rules`), as tables for a terminal and as bars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from rich.text import Text

from experiments.house_rules import SAFE
from reports.console import Renderables, grid, grouped
from reports.console_tuning import item_name
from reports.measure_names import measure_name
from reports.numbers import Numbers

if TYPE_CHECKING:
    from reports.style import Figure
    from simcore.schema import Schema

_MAIN: Final = ("games_length", "leader_share", "margin", "points")
"""The kinds of measures that fit beside each other."""
_BAR: Final = 30
"""Signs of the longest bar."""

_WORDS: Final[dict[str, dict[str, str]]] = {
    "en": {
        "moved": "{names}; {games} games by each of the two values in brackets, {players} players, seed {seed}. Told is the change for 1 more, with its "
        "{level} interval; * = not by chance (all together {alpha}); “=” = not one game differs.",
        "elasticity": "Elasticity",
        "bars": "Per cent of change of “{name}” for one per cent of the value",
        "no_percent": "No elasticity, since the value or the measure may be 0: {names}.",
        "still": "None of these games differs: {names}.",
        "unseen": "Never came up in these games, which therefore say nothing of it: {names}.",
        "one_side": "At its limit, so moved to one side only: {names}.",
        "key": "Price or option",
        "from_to": "Value (played)",
        "house": "House rules, {runs} ways to combine them, {games} games of each: what the other value does on average over the rest",
        "rule": "House rule",
        "clash": "Clash: together they do this more than the sum of each by itself.",
        "no_clash": "Clash: no pair surely does together anything but the sum of each by itself.",
        "safe": "Safe together (off that sum by less than {safe} of the measure): {pairs}.",
        "undecided": "Undecided, more games would tell: {pairs}.",
        "none": "none",
    },
    "ru": {
        "moved": "{names}; игр при каждом из двух значений в скобках: {games}, игроков: {players}, зерно {seed}. Показано изменение на единицу, с интервалом "
        "{level}; * = не случай (все вместе {alpha}); «=» = ни одна игра не изменилась.",
        "elasticity": "Эластичность",
        "bars": "На сколько процентов меняется «{name}» при изменении значения на процент",
        "no_percent": "Без эластичности, так как значение или мера могут быть равны 0: {names}.",
        "still": "Ни одной из этих игр не меняют: {names}.",
        "unseen": "Не встретилось в этих играх, так что о цене они ничего не говорят: {names}.",
        "one_side": "На границе допустимого, сдвинуто только в одну сторону: {names}.",
        "key": "Цена или настройка",
        "from_to": "Значение (сыграно)",
        "house": "Домашние правила, сочетаний: {runs}, игр в каждом: {games}; действие другого значения в среднем по остальным",
        "rule": "Правило",
        "clash": "Спорят: вместе действуют сверх суммы действий порознь.",
        "no_clash": "Спорят: ни для какой пары не видно, чтобы вместе выходило не то, что сумма порознь.",
        "safe": "Совместимы (отличие от этой суммы меньше {safe} меры): {pairs}.",
        "undecided": "Не решено, нужно больше игр: {pairs}.",
        "none": "нет",
    },
}


def sensitivity(found: Mapping[str, Any], schema: Schema, lang: str) -> Renderables:
    """What moves the result (`experiments.sensitivity`): the values that move most first, with a bar each (a tornado)."""
    words, numbers = _WORDS[lang], Numbers(lang)
    measures = [row for row in found["knobs"][0]["measures"] if row["kind"] in _MAIN] or found["knobs"][0]["measures"][:4]
    first = next(row for row in found["knobs"][0]["measures"] if row["measure"] == found["by"])
    rows = {knob["key"]: {row["measure"]: row for row in knob["measures"]} for knob in found["knobs"]}
    sizes = {key: abs(of[first["measure"]]["elasticity"] or 0.0) for key, of in rows.items()}
    most = max(sizes.values())
    lines = []
    apart: dict[str, list[str]] = {"no_percent": [], "one_side": [], "still": [], "unseen": []}
    for knob in sorted(found["knobs"], key=lambda knob: -sizes[knob["key"]]):
        key, shown_of = knob["key"], [rows[knob["key"]][each["measure"]] for each in measures]
        if knob["times"] == 0 or all(_same(row) for row in shown_of):
            apart["unseen" if knob["times"] == 0 else "still"].append(key)
            continue
        elasticity = rows[key][first["measure"]]["elasticity"]
        if elasticity is None:
            apart["no_percent"].append(key)
        if knob["value"] in (knob["from"], knob["to"]):
            apart["one_side"].append(key)
        told_of = "-" if elasticity is None else numbers.signed(elasticity, 3) if elasticity else "="
        bar = ("█" if (elasticity or 0) > 0 else "░") * round(_BAR * sizes[key] / most) if most else ""
        played = f"{knob['value']} ({knob['from']} … {knob['to']})"
        lines.append([item_name(schema, key, lang), played, *(_effect(row["per_point"], row["sure"], numbers) for row in shown_of), told_of, bar])
    heads = [words["key"], words["from_to"], *(measure_name(each, schema, lang) for each in measures), words["elasticity"], ""]
    moved = words["moved"].format(
        names=", ".join(dict.fromkeys(found["strategies"])),
        games=grouped(found["games"], lang),
        players=found["players"],
        seed=found["seed"],
        level=numbers.percent(found["level"], 0),
        alpha=numbers.percent(1 - found["level"], 0),
    )
    shown: Renderables = [Text(found["ruleset"], style="bold"), moved, ""]
    if lines:
        shown.append(grid(None, heads, lines, right=range(1, len(heads) - 1)))
    if any(sizes.values()):
        shown.append(words["bars"].format(name=measure_name(first, schema, lang)))
    shown += [words[word].format(names=_names(schema, keys, lang)) for word, keys in apart.items() if keys]
    return shown + (_house_rules(found["house_rules"], schema, lang) if "house_rules" in found else [])


def _names(schema: Schema, keys: Sequence[str], lang: str) -> str:
    """What several prices and options are called; some names have a comma."""
    told = [item_name(schema, key, lang) for key in keys]
    return ("; " if any("," in name for name in told) else ", ").join(told)


def _same(row: Mapping[str, Any]) -> bool:
    """Whether not one game differs in a measure."""
    return not any(row["per_point"][end] for end in ("low", "value", "high"))


def _effect(estimate: Mapping[str, Any], sure: bool, numbers: Numbers) -> str:
    """A change with its interval; a star where it is not by chance."""
    if not any(estimate[end] for end in ("low", "value", "high")):
        return "="
    return f"{'+' if estimate['value'] > 0 else ''}{numbers.both(estimate)}{'*' if sure else ''}"


def bars(found: Mapping[str, Any], schema: Schema, lang: str) -> Figure | None:
    """The tornado as a picture; None where nothing moves the measure."""
    from reports.tornado import tornado

    row = next(row for row in found["knobs"][0]["measures"] if row["measure"] == found["by"])
    name = measure_name(row, schema, lang)
    called = {knob["key"]: item_name(schema, knob["key"], lang) for knob in found["knobs"]}
    return tornado(found, row["measure"], called, f"{name}: {found['ruleset']}", _WORDS[lang]["bars"].format(name=name), lang)


def _house_rules(found: Mapping[str, Any], schema: Schema, lang: str) -> Renderables:
    words, numbers = _WORDS[lang], Numbers(lang)
    measures = found["measures"]
    rows = []
    for key, other in found["rules"].items():
        effects = [each["main"][key] for each in measures.values()]
        if any(each["effect"]["value"] for each in effects):
            rows.append([f"{key}={other}", *(_effect(each["effect"], each["sure"], numbers) for each in effects)])
    heads = [words["rule"], *(measure_name(each, schema, lang) for each in measures.values())]
    title = words["house"].format(runs=found["runs"], games=grouped(found["games"], lang))
    idle = [key for key in found["rules"] if not any(each["main"][key]["effect"]["value"] for each in measures.values())]
    shown: Renderables = ["", grid(title, heads, rows, right=range(1, len(heads)))]
    shown += [words["clash"], *(f"  {line}" for line in _clashes(found, schema, lang))] if found["clash"] else [words["no_clash"]]
    safe, undecided = ([pair for pair in found[name] if not set(pair) & set(idle)] for name in ("safe_together", "undecided"))
    shown.append(words["safe"].format(safe=numbers.percent(SAFE, 0), pairs=", ".join(" + ".join(pair) for pair in safe) or words["none"]))
    if undecided:
        shown.append(words["undecided"].format(pairs=", ".join(" + ".join(pair) for pair in undecided)))
    return [*shown, words["still"].format(names=", ".join(idle))] if idle else shown


def _clashes(found: Mapping[str, Any], schema: Schema, lang: str) -> list[str]:
    """For each pair that clashes what both together do more than the sum of each, on the measures where that is sure."""
    numbers = Numbers(lang)
    lines = []
    for a, b in found["clash"]:
        told = []
        for each in found["measures"].values():
            row = next(row for row in each["pairs"] if row["a"] == a and row["b"] == b)
            if row["sure"]:
                told.append(f"{measure_name(each, schema, lang)} {_effect(row['effect'], False, numbers)}")
        lines.append(f"{a} + {b}: {'; '.join(told)}")
    return lines
