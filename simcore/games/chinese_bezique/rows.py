"""The rows that the kernel writes: games, deals, tallies, and the events of a transcript."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from simcore.compiled import inlined, inner
from simcore.games.chinese_bezique.combinations import HAND, ITEMS, NO_CARD
from simcore.games.chinese_bezique.view import PLAYERS, ROLES
from simcore.recording import add_to_cell, emit

_SEATS = (PLAYERS,)

GAME: Final = np.dtype(
    [
        ("game", "i8"),
        ("deals", "i4"),
        ("dealer", "u1"),  # of the first deal
        ("leader", "u1"),  # of the first deal
        ("reason", "u1"),
        ("score", "i4", _SEATS),  # big points
        ("share", "f8", _SEATS),
    ]
)
DEAL: Final = np.dtype(
    [
        ("game", "i8"),
        ("deal", "i4"),
        ("dealer", "u1"),
        ("leader", "u1"),
        ("reason", "u1"),
        ("winner", "i1"),  # -1 for nobody
        ("rubicon", "u1"),  # 1: the loser was below the rubicon and the winner was not (S2)
        ("trump", "i1"),  # number of the suit, -1 where it was never fixed (B26)
        ("trump_trick", "i2"),  # after which trick it was fixed, 0 for none
        ("declarations", "i2"),
        ("scored", "i4", _SEATS),  # points of the deal
        ("points", "i4", _SEATS),  # change of the scores: big points
    ]
)

# Kinds of events; what their fields are is said where they are written, and read back in transcript.py. The last two fields are the hand at a decision.
EV_DEAL, EV_PLAY, EV_DECLARE, EV_DRAW, EV_CARTE_BLANCHE, EV_LAST_TRICK, EV_DEAL_END, EV_GAME_END = range(8)
EVENT_WIDTH: Final = 36
DECK_FIELD: Final = 4
HAND_FIELD: Final = EVENT_WIDTH - 2
A_FIELD: Final = 7
"""Numbers below 256 that a field of an event holds."""


@inlined
def tally(hidden: Any, seat: int, item: int, role: int, points: int) -> None:
    """Count an item that ``seat`` scored, worth ``points``."""
    add_to_cell(hidden, seat, item, role, ITEMS, ROLES, 1, points)


@inner
def emit_at(events: Any, hidden: Any, kind: int, seat: int) -> int:
    """Begin an event of ``seat`` that has the hand before it in its last fields, a card or 255 for each place; returns its row."""
    at = emit(events, hidden, kind, seat)
    for place in range(HAND):
        card = hidden.hand[seat, place]
        events[at, HAND_FIELD + place // A_FIELD] |= (255 if card == NO_CARD else card) << 8 * (place % A_FIELD)
    return at
