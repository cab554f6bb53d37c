"""The rows that the kernel writes: games, deals, tallies, and the events of a transcript."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from simcore.compiled import inlined, inner
from simcore.games.durak.view import ITEMS, MAX_PLAYERS, ROLES
from simcore.recording import add_to_cell, emit

_SEATS = (MAX_PLAYERS,)

GAME: Final = np.dtype(
    [
        ("game", "i8"),
        ("deals", "i4"),
        ("dealer", "u1"),  # of the first deal
        ("leader", "u1"),  # of the first deal
        ("reason", "u1"),
        ("score", "i4", _SEATS),
        ("share", "f8", _SEATS),
        ("fools", "i4", _SEATS),  # deals in which each seat was the fool
    ]
)
DEAL: Final = np.dtype(
    [
        ("game", "i8"),
        ("deal", "i4"),
        ("dealer", "u1"),
        ("leader", "u1"),
        ("lead", "u1"),  # how the leader was found
        ("reason", "u1"),
        ("winner", "i1"),  # who was out first, -1 for nobody (R10)
        ("fool", "i1"),  # -1 for nobody
        ("bouts", "i4"),
        ("taken", "i4"),  # bouts after which the defender took the cards
        ("points", "i4", _SEATS),  # change of the scores in this deal
    ]
)

# How deals end (R9, R12, R14), how games end (R11), how the leader of a deal was found (D1, D2).
FOOL_LEFT, DRAWN, MAX_BOUTS, VOID = range(4)
COMPLETE, ACES, MAX_DEALS = range(3)
PREV_WINNER, LOWEST_TRUMP, TO_FOOL, FROM_FOOL, LEFT_OF_DEALER = range(5)

# Kinds of events; what their fields are is said where they are written, and read back in transcript.py. Field 15 is the hand at a decision.
(
    EV_DEAL,
    EV_ATTACK,
    EV_BEAT,
    EV_THROW_IN,
    EV_DONE,
    EV_TAKE,
    EV_PASS,
    EV_BOUT_END,
    EV_DRAW,
    EV_DEAL_END,
    EV_GAME_END,
) = range(11)
EVENT_WIDTH: Final = 16
HAND_FIELD: Final = EVENT_WIDTH - 1


@inlined
def tally(hidden: Any, seat: int, item: int, role: int, count: int, points: int) -> None:
    """Count an item that happened ``count`` times to ``seat`` in this deal, worth ``points`` together."""
    add_to_cell(hidden, seat, item, role, ITEMS, ROLES, count, points)


@inner
def emit_cards(events: Any, hidden: Any, kind: int, seat: int, cards: int) -> None:
    """An event about some cards (a mask, field 2) of ``seat``; field 15: the hand before."""
    at = emit(events, hidden, kind, seat)
    events[at, 2] = cards
    events[at, HAND_FIELD] = hidden.hands[seat]


@inner
def pack_numbers(events: Any, at: int, field: int, place: int, number: int) -> None:
    """Write a number below 64 into a list of such numbers, nine of them a field, that begins at ``field``."""
    events[at, field + place // 9] |= number << (6 * (place % 9))
