"""One game as a list of events: as JSON Lines for programs, as text for a person."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from simcore.ruleset import Ruleset
    from simcore.simulate import Table

Event = Mapping[str, Any]


def game_event(table: Table, game: int, scores: Iterable[int]) -> dict[str, Any]:
    """The event that every transcript begins with: what is played by whom, and the scores at the start."""
    ruleset = table.ruleset
    return {
        "event": "game",
        "ruleset": ruleset.canonical,
        "options": {key: list(value) if isinstance(value, tuple) else value for key, value in ruleset.options.items()},
        "points": dict(ruleset.points),
        "seed": table.seed,
        "game": game,
        "strategies": list(table.canonical_strategies),
        "seats": table.players,
        "scores": list(scores),
    }


def to_jsonl(events: Iterable[Event]) -> str:
    """The events as JSON Lines: one object a line, ``event`` first, each line ended."""
    return "".join(json.dumps(event, ensure_ascii=False) + "\n" for event in events)


def to_text(events: Iterable[Event], ruleset: Ruleset, lang: str = "en", colour: bool = False) -> str:
    """The events as a person follows a game.

    Args:
        events: Of one game.
        ruleset: The rules that it was played by.
        lang: ``"en"`` or ``"ru"``.
        colour: Whether to use the colours of a terminal.
    """
    teller = import_module(f"simcore.games.{ruleset.schema.key}.telling")
    return "".join(line + "\n" for line in teller.tell(events, ruleset, lang, colour))
