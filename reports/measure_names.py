"""What the measures of games are called, and how their numbers and times are printed on a terminal."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from reports.numbers import Numbers

if TYPE_CHECKING:
    from simcore.schema import Schema

_WORDS: Final[dict[str, dict[str, str]]] = {
    "en": {
        "games_length": "{deals} in a game",
        "leader_share": "Win share of who leads first",
        "leader_margin": "Points by which who leads first is ahead at the end",
        "seat_share": "Win share of seat {subject}",
        "margin": "Points between the first and the second",
        "draws": "Games without a single winner",
        "points": "Points {per}",
        "item_count": "{subject}: times {per}",
        "item_points": "{subject}: points {per}",
        "game_ending": "Games: {subject}",
        "ending": "{deals}: {subject}",
    },
    "ru": {
        "games_length": "{deals} в игре",
        "leader_share": "Доля побед начинающего",
        "leader_margin": "На сколько очков начинающий впереди в конце",
        "seat_share": "Доля побед места {subject}",
        "margin": "Очков между первым и вторым",
        "draws": "Игры без единственного победителя",
        "points": "Очков {per}",
        "item_count": "{subject}: раз {per}",
        "item_points": "{subject}: очков {per}",
        "game_ending": "Игры: {subject}",
        "ending": "{deals}: {subject}",
    },
}
_UNITS: Final = {"en": ("s", "min", "h", "days"), "ru": ("с", "мин", "ч", "сут")}
_UNIT_SECONDS: Final = (1, 60, 3_600, 86_400)
_LARGE: Final = {"en": ("million", "billion", "trillion"), "ru": ("млн", "млрд", "трлн")}


def measure_name(row: Mapping[str, Any], schema: Schema, lang: str) -> str:
    """What a measure (``kind``, ``subject``; `experiments.measures`) is called."""
    words = _WORDS[lang]
    kind, subject = row["kind"], row["subject"]
    deal: Mapping[str, Any] = schema.words.get("deal", {})
    if kind == "deals_length":
        return str(schema.words["length"][subject][lang])
    per = deal["per"][lang] if "per" in deal else {"en": "per deal", "ru": "за партию"}[lang]
    deals = deal["many"][lang] if "many" in deal else {"en": "deals", "ru": "партий"}[lang]
    told = item_name(subject, schema, lang) if kind.startswith("item") else subject
    if kind in ("game_ending", "ending") and subject in schema.words.get(kind, {}):
        name = str(schema.words[kind][subject][lang])
        told = name[0].lower() + name[1:]
    return words[kind].format(subject=told, per=per, deals=deals.capitalize())


def share_name(key: str, lang: str) -> str:
    """What a win share that a run was stopped by (a key of the intervals of `experiments.precise`) is called."""
    kind = "leader_share" if key.startswith("leader") else "seat_share"
    return _WORDS[lang][kind].format(subject=key.split("_")[1])


def item_name(key: str, schema: Schema, lang: str) -> str:
    """What the game calls an item; its key where it has no name."""
    item = schema.points.get(key) or schema.counted.get(key)
    if item:
        return item.name[lang]
    words: Mapping[str, Any] = schema.words.get("item", {})
    return str(words[key][lang]) if key in words else key


def duration(seconds: float, lang: str) -> str:
    """A time in the largest unit of which it has at least two."""
    if seconds < 1:
        return f"< 1 {_UNITS[lang][0]}"
    unit = max(place for place, size in enumerate(_UNIT_SECONDS) if not place or seconds >= 2 * size)
    return f"{Numbers(lang).fixed(seconds / _UNIT_SECONDS[unit])} {_UNITS[lang][unit]}"


def rough(number: int, lang: str) -> str:
    """A number that is only an estimate: up to three digits, two and a word from a million on."""
    numbers = Numbers(lang)
    if number < 1_000_000:
        return numbers.significant(number) if number >= 100 else str(number)
    power = min((len(str(number)) - 1) // 3 - 2, len(_LARGE[lang]) - 1)
    return f"{numbers.significant(number / 10 ** (6 + 3 * power), 2)} {_LARGE[lang][power]}"


def places_of(error: float) -> int:
    """Decimal places whose last one is the first digit of an error, or the next where it begins with a 1."""
    if not error or not math.isfinite(error):
        return 4
    exponent = math.floor(math.log10(error))
    return min(10, max(0, -exponent + (1 if error < 2.0 * 10.0**exponent else 0)))
