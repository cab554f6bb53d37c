"""The built-in players of Seven Card Combo."""

from __future__ import annotations

from typing import Any

from simcore.games.seven_card_combo.moves import at_random_discard, at_random_take
from simcore.strategy import Strategy

# --- random ---------------------------------------------------------------------------------------------------------------------------------


def random_discard(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Any cards, each set equally likely, in any order."""
    return at_random_discard(view, work, move)


def random_take(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Any legal choice from pile and packet, each equally likely."""
    return at_random_take(view, rules, work, move)


random = Strategy("Chooses uniformly among everything legal.", {"discard": random_discard, "take": random_take})
