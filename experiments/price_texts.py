"""The reasons of `experiments.price`, in both languages: one sentence each."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from experiments.price import Rarity, Sureness
    from simcore.ruleset import Ruleset

SELDOM: Final = 0.01
"""What comes up less often per deal is told as one deal in so many."""

_TEXTS: Final[dict[str, dict[str, str]]] = {
    "en": {
        "undecided": "Undecided, {other} of resamples of the games say otherwise. ",
        "unseen": "Undecided, it came up too seldom in play ({times}) to say what it is worth there. ",
        "kept": "Stays at {fair}: {seen}; this table pays {band} for that.",
        "raised": "Rises from {now} to {fair}: {seen}; this table pays {band} for that.",
        "lowered": "Falls from {now} to {fair}: {seen}; this table pays {band} for that.",
        "moved": "Moves from {now} to {fair}: {seen}; this table pays {band} for that.",
        "neighbour": "Moves from {now} to {fair}: not less than {other}, which is more common.",
        "free": "Stays at {now}: it is no reward to its owner.",
        "unknown": "Stays at {now}: no matter of the cards in a hand, and it came up too seldom in play to judge ({times}).",
        "other": "Stays at {now}: no combination of its category is counted in hands, so that rarity does not price it.",
        "hands": "held in {share} hands of {cards} cards",
        "play": "comes up {rate} times a deal",
        "seldom": "comes up once in {n} deals",
        "never": "never came up in play",
        "grid": "{fair} (a multiple of {step})",
        "percent": "{n} of all",
        "one_in": "1 of {n}",
        "to": "{low} to {high}",
        "end": "{end} ({low}–{high})",
        "and": " and ",
    },
    "ru": {
        "undecided": "Не решено, {other} повторных выборок из игр говорят иное. ",
        "unseen": "Не решено, в игре случаев слишком мало ({times}), чтобы судить о цене там. ",
        "kept": "Остаётся {fair}: {seen}; в этой таблице за такое дают {band}.",
        "raised": "Растёт с {now} до {fair}: {seen}; в этой таблице за такое дают {band}.",
        "lowered": "Падает с {now} до {fair}: {seen}; в этой таблице за такое дают {band}.",
        "moved": "Меняется с {now} на {fair}: {seen}; в этой таблице за такое дают {band}.",
        "neighbour": "Меняется с {now} на {fair}: не меньше, чем {other}, что встречается чаще.",
        "free": "Остаётся {now}: своему владельцу ничего не приносит.",
        "unknown": "Остаётся {now}: дело не в картах на руке, а в игре случаев слишком мало, чтобы судить ({times}).",
        "other": "Остаётся {now}: в этом виде нет комбинаций, которые считаются на руках, и редкостью цену не определить.",
        "hands": "есть в {share} рук из {cards} карт",
        "play": "бывает {rate} раза за партию",
        "seldom": "бывает раз в {n} партий",
        "never": "в игре не встретилась",
        "grid": "{fair} (кратно {step})",
        "percent": "{n}",
        "one_in": "1 из {n}",
        "to": "от {low} до {high}",
        "end": "{end} ({low}–{high})",
        "and": " и ",
    },
}


def reason(now: int, fair: int, step: int, rarity: Rarity, sureness: Sureness, cards: int, neighbour: str | None, ruleset: Ruleset, lang: str) -> str:
    """Why a price is fair, in one sentence; before it that this is undecided, where it is.

    Args:
        now: The present price.
        fair: The fair one.
        step: What the fair one is a multiple of.
        rarity: What is known of the item.
        sureness: How sure that is.
        cards: Cards of the hands that were counted.
        neighbour: The more common item below whose price this one may not fall, if that is the reason.
        ruleset: Has the names.
        lang: ``en`` or ``ru``.
    """
    texts = _TEXTS[lang]
    kind = "unseen" if sureness.seldom else "undecided"
    doubt = "" if sureness.decided else texts[kind].format(other=f"{1 - sureness.agree:.0%}", times=rarity.count)
    return doubt + _reason(now, fair, step, rarity, sureness, cards, neighbour, ruleset, lang)


def _reason(now: int, fair: int, step: int, rarity: Rarity, sureness: Sureness, cards: int, neighbour: str | None, ruleset: Ruleset, lang: str) -> str:
    texts = _TEXTS[lang]
    sign = -1 if ruleset.schema.lowest_wins else 1
    if rarity.low is None or rarity.high is None:
        if sign * now <= 0:
            return texts["free"].format(now=now)
        return texts["unknown" if rarity.rated else "other"].format(now=now, times=rarity.count)
    shown = texts["grid"].format(fair=fair, step=step) if step > 1 else str(fair)
    if neighbour is not None:
        return texts["neighbour"].format(now=now, fair=shown, other=ruleset.schema.points[neighbour].name[lang])
    seen = []
    if rarity.hands is not None:
        seen.append(texts["hands"].format(share=_share(rarity.hands, texts, lang), cards=cards))
    if not rarity.count:
        seen.append(texts["never"])
    elif rarity.per_deal < SELDOM:
        seen.append(texts["seldom"].format(n=_one_in(rarity.per_deal, lang)))
    else:
        seen.append(texts["play"].format(rate=_decimal(f"{rarity.per_deal:.2g}", lang)))
    fields: dict[str, Any] = {"now": now, "fair": shown, "seen": texts["and"].join(seen)}
    low, high = (_end(sign * end, interval, sign, texts, lang) for end, interval in ((rarity.low, sureness.low), (rarity.high, sureness.high)))
    fields["band"] = texts["to"].format(low=low, high=high)
    kind = "kept" if fair == now else "moved" if min(fair, now) < 0 else "raised" if fair > now else "lowered"
    return texts[kind].format(**fields)


def _end(end: float, interval: tuple[float, float] | None, sign: int, texts: dict[str, str], lang: str) -> str:
    """An end of a band, with its interval where that can be seen."""
    told, low, high = (_decimal(f"{each:.1f}", lang) for each in (end, *sorted(sign * each for each in interval or (end, end))))
    return told if low == high else texts["end"].format(end=told, low=low, high=high)


def _share(chance: float, texts: dict[str, str], lang: str) -> str:
    if chance >= 0.01:
        return texts["percent"].format(n=_decimal(f"{chance:.0%}" if chance >= 0.1 else f"{chance:.1%}", lang))
    return texts["one_in"].format(n=_one_in(chance, lang))


def _one_in(chance: float, lang: str) -> str:
    """1 over a chance, to two digits."""
    size = 1 / chance
    unit = 10 ** max(0, math.floor(math.log10(size)) - 1)
    return f"{round(size / unit) * unit:,}".replace(",", "," if lang == "en" else "\u00a0")


def _decimal(text: str, lang: str) -> str:
    return text if lang == "en" else text.replace(".", ",")
