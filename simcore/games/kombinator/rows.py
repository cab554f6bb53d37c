"""The rows that the kernel writes: games, deals, tallies, and the events of a transcript."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from simcore.compiled import inlined
from simcore.games.kombinator.combinations import ITEMS
from simcore.games.kombinator.view import MAX_PLAYERS, ROLES
from simcore.recording import add_to_cell

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
        ("stage", "u1", _SEATS),  # last stage passed (K-90)
        ("payout", "f8", _SEATS),  # net, in units of money (K-91)
    ]
)
DEAL: Final = np.dtype(
    [
        ("game", "i8"),
        ("deal", "i4"),
        ("dealer", "u1"),
        ("leader", "u1"),
        ("lead", "u1"),
        ("reason", "u1"),
        ("out", "u2"),  # mask of the seats that went out
        ("bouts", "u2"),
        ("points", "i4", _SEATS),  # change of the scores in this deal
    ]
)

# Why the leader leads (K-10 to K-12), how deals end (K-70 to K-73, K-80), how games end (K-80, K-83).
LOWEST_TRUMP, AFTER_DEALER, WENT_OUT, LAST_LEADER = range(4)
OUT, PASSES, PASSES_FULL, MAX_BOUTS, GAME_OVER = range(5)
SCORE, MAX_DEALS = range(2)

# Kinds of events; what their fields are is said where they are written, and read back in transcript.py.
EV_DEAL, EV_ATTACK, EV_PASS, EV_BEAT, EV_YIELD, EV_CHANGE, EV_STAGE, EV_DRAW, EV_DEAL_END, EV_GAME_END = range(10)
EVENT_WIDTH: Final = 16


@inlined
def tally(hidden: Any, seat: int, item: int, role: int, count: int, points: int) -> None:
    """Count an item that ``seat`` scored ``count`` times in this deal, worth ``points`` together."""
    add_to_cell(hidden, seat, item, role, ITEMS, ROLES, count, points)
