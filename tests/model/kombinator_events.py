"""Reading a transcript event by event: what stands there, and whether it is what must stand there."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .kombinator_choices import Illegal
from .kombinator_combinations import PACK, POINT_KEYS

Event = Mapping[str, Any]

# The options of the rules page: their type, or the readings that can be chosen.
OPTION_VALUES: dict[str, tuple[Any, ...] | type] = {
    "start_score": int,
    "hand_size": int,
    "hand_limit": int,
    "nine_player_trump": ("last_dealt", "none"),
    "lead_after_passes": ("lowest_trump", "last_leader"),
    "loose_cards_in_attack": bool,
    "repeat_marriage": ("zero", "illegal"),
    "beaten_marriage_counts": bool,
    "superblow": ("replaces", "adds"),
    "superblow_in_composite": bool,
    "take_after_forced_pass": bool,
    "credit_per": ("attack", "combination"),
    "max_bouts": int,
    "max_deals": int,
    "millionaire": bool,
    "stake": int,
    "superblow_counts_as_force": bool,
    "weak_marriage_passes_stage": bool,
    "ladder": list,
}


class RuleViolation(Exception):
    """The first event of a transcript that breaks a rule; `fault` begins with the number of the rule."""

    def __init__(self, fault: str, index: int, event: Event) -> None:
        """Keep what is wrong, the number of the event from 0, and the event (empty where one is missing)."""
        super().__init__(f"{fault} (event {index}: {dict(event)})")
        self.fault, self.index, self.event = fault, index, event


class EventReader:
    """Goes through the events of one game; `index` and `event` are what is being looked at."""

    def __init__(self, events: Sequence[Event]) -> None:
        """Stand before the first event."""
        self.events = events
        self.index = -1
        self.event: Event = {}

    def next_event(self, wanted: str) -> Event:
        """Move on to the next event; `wanted` is what is said where there is none."""
        self.index += 1
        if self.index >= len(self.events):
            self.event = {}
            raise Illegal(f"transcript: it ends where {wanted} should follow")
        self.event = self.events[self.index]
        return self.event

    def decision(self, *names: str) -> Event:
        """The next event, in which chance or a player decides: it must be one of `names`."""
        event = self.next_event(" or ".join(names))
        if event.get("event") not in names:
            raise Illegal(f"transcript: {event.get('event')} where {' or '.join(names)} should follow")
        return event

    def follows(self, rule: str, expected: Event) -> None:
        """The next event must be `expected`, which the rules determine completely."""
        event = self.next_event(str(expected["event"]))
        if event.get("event") != expected["event"]:
            raise Illegal(f"{rule}: {event.get('event')} where {dict(expected)} should follow")
        for name, value in expected.items():
            if name not in event or not same(event[name], value):
                raise Illegal(f"{rule}: {name} should be {value}, is {event.get(name)}")

    def get(self, name: str, kind: type) -> Any:
        """The field `name` of the event, which must be a `kind`."""
        value: Any = self.event.get(name)
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise Illegal(f"transcript: field {name} is missing or not of type {kind.__name__}")
        return value

    def cards(self, value: Any) -> list[str]:
        """A list of distinct cards of the pack."""
        if not isinstance(value, list) or not all(card in PACK for card in value):
            raise Illegal(f"transcript: {value} is no list of cards")
        if len(set(value)) < len(value):
            raise Illegal(f"transcript: a card twice in {value}")
        return list(value)


class SeatSet(list[int]):
    """Seats of which the order does not matter."""


@dataclass(frozen=True)
class Change:
    """One change of a score."""

    seat: int
    delta: int
    reason: str


class Changes(list[Change]):
    """Changes of which the order does not matter."""


def read_change(written: Any) -> Change:
    """A change as it is written, with the number of some rule."""
    if not isinstance(written, dict) or not str(written.get("rule", "")).startswith("K-"):
        raise Illegal("transcript: a change needs seat, delta, reason and the number of a rule")
    seat, delta, reason = written.get("seat"), written.get("delta"), written.get("reason")
    if type(seat) is not int or type(delta) is not int or not isinstance(reason, str):
        raise Illegal("transcript: a change needs seat, delta, reason and the number of a rule")
    return Change(seat, delta, reason)


def same(found: Any, expected: Any) -> bool:
    """Whether a written value is the expected one: seats and changes in any order, money up to rounding."""
    if isinstance(expected, Changes):
        return isinstance(found, list) and Counter(map(read_change, found)) == Counter(expected)
    if isinstance(expected, SeatSet):
        return isinstance(found, list) and sorted(map(str, found)) == sorted(map(str, expected))
    if isinstance(expected, list):
        return isinstance(found, list) and len(found) == len(expected) and all(map(same, found, expected))
    if isinstance(found, bool) or isinstance(expected, str | None):
        return type(found) is type(expected) and bool(found == expected)
    if isinstance(expected, float):
        return isinstance(found, int | float) and math.isclose(found, expected, abs_tol=1e-6)
    return bool(found == expected)


def check_settings(options: Mapping[str, Any], points: Mapping[str, Any]) -> None:
    """The `game` event gives every option and every value of the point table."""
    for name, allowed in OPTION_VALUES.items():
        value = options.get(name)
        if isinstance(allowed, tuple):
            good = value in allowed
        else:
            good = isinstance(value, allowed) and isinstance(value, bool) is (allowed is bool)
        if not good:
            raise Illegal(f"transcript: option {name} is {value!r}")
    for key in POINT_KEYS:
        if type(points.get(key)) is not int:
            raise Illegal(f"transcript: points of {key} are {points.get(key)!r}")
