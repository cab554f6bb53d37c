"""Short ways to write the events of a transcript by hand.

Cards are "Qs Kd"; combinations "pair 6s 6h = 3; marriage Qs Kd = 4"; pairs of a beating "6s<7s" (6s is beaten
by 7s); changes "1 -4 marriage".
"""

from collections.abc import Iterable, Mapping
from typing import Any

from .kombinator_combinations import PACK
from .kombinator_events import Event
from .kombinator_games import OPTIONS, POINTS


def game(players: int, points: Mapping[str, int] = POINTS, **options: Any) -> Event:
    """A `game` event; `options` are those that differ from the defaults."""
    settings = {**OPTIONS, **options}
    return {
        "event": "game",
        "ruleset": "kombinator",
        "options": settings,
        "points": dict(points),
        "seed": 1,
        "game": 0,
        "strategies": ["by hand"] * players,
        "seats": players,
        "scores": [settings["start_score"]] * players,
    }


def deal(
    hands: Iterable[str],
    leader: int,
    *,
    dealer: int = 1,
    top: str = "",
    turned: str | None = None,
    trump: str | None = None,
    number: int = 1,
) -> Event:
    """A `deal` event; the stock is `top`, then the cards that are not named, then `turned`."""
    dealt = [hand.split() for hand in hands]
    named = {card for hand in dealt for card in hand} | set(top.split()) | {turned}
    rest = [card for card in PACK if card not in named]
    return {
        "event": "deal",
        "deal": number,
        "dealer": dealer,
        "hands": dealt,
        "stock": top.split() + rest + ([turned] if turned else []),
        "turned": turned,
        "trump": turned[1] if turned else trump,
        "leader": leader,
    }


def combinations(text: str) -> list[dict[str, Any]]:
    """The field `combinations`."""
    written = []
    for part in filter(None, text.split("; ")):
        words, points = part.split(" = ")
        kind, *cards = words.split()
        written.append({"kind": kind, "cards": cards, "points": int(points)})
    return written


def attack(seat: int, cards: str, declared: str = "", order: str | None = None, credit: bool = False) -> Event:
    """An `attack` event."""
    return {
        "event": "attack",
        "seat": seat,
        "cards": cards.split(),
        "combinations": combinations(declared),
        "order": order,
        "credit": credit,
    }


def beat(seat: int, pairs: str, declared: str = "", earned: bool = False) -> Event:
    """A `beat` event."""
    return {
        "event": "beat",
        "seat": seat,
        "pairs": [pair.split("<") for pair in pairs.split()],
        "combinations": combinations(declared),
        "order_earned": earned,
    }


def defender_passes(seat: int, took: str | None = None) -> Event:
    """A `yield` event."""
    return {"event": "yield", "seat": seat, "took": took}


def attacker_passes(seat: int, drew: str = "") -> Event:
    """A `pass` event."""
    return {"event": "pass", "seat": seat, "drew": drew.split()}


def score(scores: list[int], *changes: str) -> Event:
    """A `score` event."""
    written = []
    for change in changes:
        seat, delta, reason = change.split()
        written.append({"seat": int(seat), "delta": int(delta), "reason": reason, "rule": "K-43"})
    return {"event": "score", "changes": written, "scores": scores}


def draw(seat: int, cards: str) -> Event:
    """A `draw` event."""
    return {"event": "draw", "seat": seat, "cards": cards.split()}


def deal_end(reason: str, penalties: list[int], scores: list[int], out: Iterable[int] = ()) -> Event:
    """A `deal_end` event."""
    return {"event": "deal_end", "reason": reason, "out": list(out), "penalties": penalties, "scores": scores}


def game_end(reason: str, scores: list[int], winners: Iterable[int], **millionaire: Any) -> Event:
    """A `game_end` event."""
    return {"event": "game_end", "reason": reason, "scores": scores, "winners": list(winners), **millionaire}


def stage(seat: int, number: int) -> Event:
    """A `stage` event."""
    return {"event": "stage", "seat": seat, "stage": number}
