"""What single cards are worth: 1 to 3 by rank; an ace is held by one card in three."""

import numpy as np

from simcore.errors import InputError


def sizes(ruleset):
    """A hand is one card."""
    return (1,)


def dealt(ruleset):
    """A hand is one card."""
    return 1


def exact(ruleset, cards):
    """The tables of all twelve hands."""
    if cards != 1:
        raise InputError(f"a hand is one card (H1), not {cards}")
    ace = {"count": 4, "probability": 4 / 12}
    return {"cards": 1, "hands": 12, "items": {"win": None, "ace": ace}, "points": [[1, 4], [2, 4], [3, 4]]}


def observe(ruleset, cards, rows):
    """The same over given hands."""
    ranks = np.array([hand.bit_length() - 1 >> 2 for hand in rows["hand"].tolist()], np.int64)
    return {"items": {"win": None, "ace": ranks == 2}, "points": ranks + 1}
