"""The sentences of `experiments.lint`, in both languages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from simcore.cards import Pack

if TYPE_CHECKING:
    from simcore.ruleset import Ruleset

_TEXTS: Final[dict[str, dict[str, str]]] = {
    "en": {
        "unreachable-item": "{names}: no hand of any size holds this, so it is never paid.",
        "dominating": "{first} ({price}) is in every hand that holds one of these, and is rewarded better: {others}. For example {hand}.",
        "dominated": "Every hand that holds {first} ({price}) also holds what is rewarded better: {others}. For example {hand}.",
        "flat-reward": "{first} is {times} times as rare as {last}, and worth the same: {price}.",
        "flat-between": " In between, and at the same price: {middle}.",
        "dear": "{first} ({price}) is worth more than what is rarer: {others}.",
        "cheap": "{first} ({price}) is worth less than what is more common: {others}.",
        "dead-item": "{names}: not once in {deals} deals (line-ups: {lineups}), so in fewer than 1 of {one_in} deals (95%).",
        "unwanted-item": "{names}: random players play it, all others never do. At the rate of the random ones their {deals} deals would have had: {expected}.",
        "dominant-item": "{names} brings {share} of all points: more than everything else together.",
        "guard-hit": "{word} = {limit} ended {count} of {total} {of}; most often with {strategies} ({worst}).",
        "endless-game": "With {strategies} {worst} of games never reach their end: {word} = {limit} stops them.",
        "never-decides": "{names}: without its points not one of {games} games would have had another winner.",
        "none-decides": "{names}: without the points of any one of these not one of {games} games would have had another winner.",
        "losing-item": "{names}: whoever scores it is the worse for it, though other things of its category are rewards.",
        "worthless-item": "{names}: worth 0 points.",
        "idle-option": "Another value changes nothing in {games} games of each line-up with {players} players: {values}.",
        "games": "games",
        "deals": "deals",
    },
    "ru": {
        "unreachable-item": "{names}: такой руки не бывает ни при каком числе карт, эти очки никогда не платятся.",
        "dominating": "{first} ({price}) есть в любой руке, где есть одна из этих, а ценится выше: {others}. Например, {hand}.",
        "dominated": "В любой руке, где есть {first} ({price}), есть и то, что ценится выше: {others}. Например, {hand}.",
        "flat-reward": "{first} реже, чем {last} (во столько раз: {times}), а стоит столько же: {price}.",
        "flat-between": " Между ними с той же ценой: {middle}.",
        "dear": "{first} ({price}) стоит больше, чем более редкие: {others}.",
        "cheap": "{first} ({price}) стоит меньше, чем более частые: {others}.",
        "dead-item": "{names}: ни разу за {deals} партий (составов: {lineups}), то есть реже, чем в 1 из {one_in} партий (95%).",
        "unwanted-item": "{names}: случайные игроки это играют, остальные никогда. За их {deals} партий при случайной игре вышло бы: {expected}.",
        "dominant-item": "{names} приносит {share} всех очков: больше, чем всё остальное вместе.",
        "guard-hit": "{word} = {limit}: прервано {count} из {total} {of}; чаще всего у {strategies} ({worst}).",
        "endless-game": "У {strategies} {worst} игр не доходят до конца: их прерывает {word} = {limit}.",
        "never-decides": "{names}: без этих очков ни в одной из {games} игр победитель не сменился бы.",
        "none-decides": "{names}: без очков за что-нибудь одно из этого ни в одной из {games} игр победитель не сменился бы.",
        "losing-item": "{names}: кому это засчитано, тому хуже, хотя прочее того же вида вознаграждается.",
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
    fields: dict[str, Any] = {"names": _names(keys, ruleset, lang, prices=code == "losing-item")}
    match code:
        case "flat-reward":
            fields |= {"first": _name(keys[0], ruleset, lang), "last": _name(keys[-1], ruleset, lang), "price": data["price"]}
            between = texts["flat-between"].format(middle=_names(keys[1:-1], ruleset, lang)) if len(keys) > 2 else ""
            return texts[code].format(**fields, times=_two_digits(data["times"], lang)) + between
        case "inversion" | "inversion-between-categories":
            return _sides(("dear", "cheap"), keys[0], data, ruleset, lang)
        case "dominated-item":
            return _sides(("dominating", "dominated"), keys[0], data, ruleset, lang)
        case "dead-item":
            fields |= {"deals": _whole(data["deals"], lang), "lineups": data["lineups"], "one_in": _whole(int(1 / data["bound"]), lang)}
        case "unwanted-item":
            fields |= {"deals": _whole(data["deals"], lang), "expected": ", ".join(_whole(round(each), lang) for each in data["expected"].values())}
        case "dominant-item":
            fields["share"] = _percent(data["share"], 0, lang)
        case "guard-hit" | "endless-game":
            fields |= {
                "word": keys[0],
                "limit": data["limit"],
                "of": texts[data["of"]],
                "strategies": data["strategies"],
                "worst": _percent(data["worst"], 2, lang),
            }
            fields |= {"count": _whole(data["count"], lang), "total": _whole(data["total"], lang)}
        case "never-decides":
            fields["games"] = _whole(data["games"], lang)
            code = "none-decides" if len(keys) > 1 else code
        case "idle-option":
            fields |= {"games": data["games"], "players": data["players"], "values": ", ".join(data["values"])}
    return texts[code].format(**fields)


def _sides(words: tuple[str, str], first: str, data: Mapping[str, Any], ruleset: Ruleset, lang: str) -> str:
    """A sentence of what is rarer and cheaper than the first item, and one of what is more common and dearer, where there is any."""
    cards = Pack(ruleset.schema.pack)
    told = []
    hands = data.get("hands", {})
    rarer, commoner = data["rarer_and_cheaper"], data["commoner_and_dearer"]
    if hands and len(rarer) == 1 and not commoner:
        first, rarer, commoner = rarer[0], [], [first]  # said of the one that is dominated
    for word, others in zip(words, (rarer, commoner), strict=True):
        if others:
            fields = {"first": _name(first, ruleset, lang), "price": ruleset.points[first], "others": _names(others, ruleset, lang, prices=True)}
            hand = cards.pretty_hand(hands.get(others[0] if others is rarer else first, ()), lang=lang)
            told.append(_TEXTS[lang][word].format(**fields, hand=hand))
    return " ".join(told)


def _names(keys: Sequence[str], ruleset: Ruleset, lang: str, prices: bool = False) -> str:
    told = [_name(key, ruleset, lang) + (f" ({ruleset.points[key]})" if prices else "") for key in keys]
    rest = len(told) - _MOST_NAMES
    if prices and rest > 1:
        told = [*told[:_MOST_NAMES], {"en": f"and {rest} more", "ru": f"и ещё {rest}"}[lang]]
    return ("; " if any(", " in name for name in told) else ", ").join(told)


def _name(key: str, ruleset: Ruleset, lang: str) -> str:
    schema = ruleset.schema
    if key in schema.points:
        return schema.points[key].name[lang]
    return schema.counted[key].name[lang] if key in schema.counted else key


def _percent(share: float, digits: int, lang: str) -> str:
    text = f"{share:.{digits}%}"
    return text if lang == "en" else text.replace(".", ",")


def _two_digits(number: float, lang: str) -> str:
    """A number above 1 to two digits."""
    if number < 10:
        text = f"{number:.1f}"
        return text if lang == "en" else text.replace(".", ",")
    unit = 10 ** (len(str(int(number))) - 2)
    return _whole(round(number / unit) * unit, lang)


def _whole(number: int, lang: str) -> str:
    text = f"{number:,}"
    return text if lang == "en" else text.replace(",", "\u00a0")
