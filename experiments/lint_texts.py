"""The sentences of `experiments.lint`, in both languages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from simcore.ruleset import Ruleset

_TEXTS: Final[dict[str, dict[str, str]]] = {
    "en": {
        "unreachable-item": "{names}: no hand of any size can hold it, so its price is never paid.",
        "flat-reward": "{first} is {times} times as rare as {second} of the same category, and worth the same: {price}.",
        "dear": "{first} ({price}) is worth more than what is rarer: {others}.",
        "cheap": "{first} ({price}) is worth less than what is more common: {others}.",
        "dead-item": "{names}: not once in {deals} deals of {lineups} line-ups, so in fewer than 1 of {one_in} deals.",
        "unwanted-item": "{names}: random players play it, all others never do, though by chance {expected} of them were due in their {deals} deals.",
        "dominant-item": "{names} brings {share} of all points: more than everything else together.",
        "guard-hit": "{word} = {limit} ended {count} of {total} {of}; most often with {strategies} ({worst}).",
        "endless-game": "With {strategies} {worst} of games never reach their end: {word} = {limit} stops them.",
        "never-decides": "{names}: without its points not one of {games} games would have had another winner.",
        "worthless-item": "{names}: worth 0 points.",
        "idle-option": "Another value changes nothing in {games} games of each line-up with {players} players: {values}.",
        "games": "games",
        "deals": "deals",
    },
    "ru": {
        "unreachable-item": "{names}: такой руки не бывает ни при каком числе карт, эти очки никогда не платятся.",
        "flat-reward": "{first} реже, чем {second} того же вида (в {times} раза), а стоит столько же: {price}.",
        "dear": "{first} ({price}) стоит больше, чем более редкие: {others}.",
        "cheap": "{first} ({price}) стоит меньше, чем более частые: {others}.",
        "dead-item": "{names}: ни разу за {deals} партий у {lineups} составов, то есть реже, чем в 1 из {one_in} партий.",
        "unwanted-item": "{names}: случайные игроки это играют, остальные никогда, хотя случайно за их {deals} партий вышло бы {expected}.",
        "dominant-item": "{names} приносит {share} всех очков: больше, чем всё остальное вместе.",
        "guard-hit": "{word} = {limit}: прервано {count} из {total} {of}; чаще всего у {strategies} ({worst}).",
        "endless-game": "У {strategies} {worst} игр не доходят до конца: их прерывает {word} = {limit}.",
        "never-decides": "{names}: без этих очков ни в одной из {games} игр победитель не сменился бы.",
        "worthless-item": "{names}: стоит 0 очков.",
        "idle-option": "Другое значение ничего не меняет в {games} играх каждого состава (игроков: {players}): {values}.",
        "games": "игр",
        "deals": "партий",
    },
}
_MOST_NAMES: Final = 6


def message(code: str, keys: Sequence[str], data: Mapping[str, Any], ruleset: Ruleset, lang: str) -> str:
    """The sentence of a finding."""
    texts = _TEXTS[lang]
    fields: dict[str, Any] = {"names": _names(keys, ruleset, lang)}
    match code:
        case "flat-reward":
            fields |= {"first": _name(keys[0], ruleset, lang), "second": _name(keys[1], ruleset, lang)}
            fields |= {"times": f"{data['times']:.2g}", "price": data["price"]}
        case "inversion" | "inversion-between-categories":
            sides = (("dear", data["rarer_and_cheaper"]), ("cheap", data["commoner_and_dearer"]))
            first = _name(keys[0], ruleset, lang)
            said = [
                texts[side].format(first=first, price=data["price"], others=_names(others, ruleset, lang, prices=True)) for side, others in sides if others
            ]
            return " ".join(said)
        case "dead-item":
            fields |= {"deals": _whole(data["deals"], lang), "lineups": data["lineups"], "one_in": _whole(int(1 / data["bound"]), lang)}
        case "unwanted-item":
            fields |= {"deals": _whole(data["deals"], lang), "expected": ", ".join(f"{each:.0f}" for each in data["expected"].values())}
        case "dominant-item":
            fields["share"] = f"{data['share']:.0%}"
        case "guard-hit" | "endless-game":
            fields |= {"word": keys[0], "limit": data["limit"], "of": texts[data["of"]], "strategies": data["strategies"], "worst": f"{data['worst']:.2%}"}
            fields |= {"count": _whole(data["count"], lang), "total": _whole(data["total"], lang)}
        case "never-decides":
            fields["games"] = _whole(data["games"], lang)
        case "idle-option":
            fields |= {"games": data["games"], "players": data["players"], "values": ", ".join(data["values"])}
    return texts[code].format(**fields)


def _names(keys: Sequence[str], ruleset: Ruleset, lang: str, prices: bool = False) -> str:
    told = [_name(key, ruleset, lang) + (f" ({ruleset.points[key]})" if prices else "") for key in keys]
    rest = len(told) - _MOST_NAMES
    if prices and rest > 1:
        told = [*told[:_MOST_NAMES], {"en": f"{rest} more", "ru": f"ещё {rest}"}[lang]]
    return ", ".join(told)


def _name(key: str, ruleset: Ruleset, lang: str) -> str:
    schema = ruleset.schema
    if key in schema.points:
        return schema.points[key].name[lang]
    return schema.counted[key].name[lang] if key in schema.counted else key


def _whole(number: int, lang: str) -> str:
    text = f"{number:,}"
    return text if lang == "en" else text.replace(",", "\u00a0")
