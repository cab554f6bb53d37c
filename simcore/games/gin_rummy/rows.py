"""The rows that the kernel writes: games, deals, tallies, and the events of a transcript."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from simcore.compiled import inlined
from simcore.games.gin_rummy.combinations import ITEMS
from simcore.games.gin_rummy.view import PLAYERS, ROLES
from simcore.recording import add_to_cell

_SEATS = (PLAYERS,)

GAME: Final = np.dtype(
    [
        ("game", "i8"),
        ("deals", "i4"),
        ("dealer", "u1"),  # of the first deal
        ("leader", "u1"),  # of the first deal: who is offered the up-card first
        ("reason", "u1"),
        ("score", "i4", _SEATS),  # with the final account
        ("share", "f8", _SEATS),
        ("boxes", "i4", _SEATS),
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
        ("turns", "u2"),
        ("points", "i4", _SEATS),  # change of the scores in this deal; the last one has the final account
    ]
)

# How deals end (G12 to G17, GA16), how games end (G16, max_deals).
GIN_MADE, KNOCKED, UNDERCUT_MADE, STOCK, MAX_TURNS = range(5)
SCORE, MAX_DEALS = range(2)

# Kinds of events; what their fields are is said where they are written, and read back in transcript.py.
EV_DEAL, EV_REFUSE, EV_DRAW, EV_DISCARD, EV_KNOCK, EV_SHOW, EV_CHANGE, EV_DEAL_END, EV_GAME_END = range(9)
EVENT_WIDTH: Final = 16


@inlined
def tally(hidden: Any, seat: int, item: int, role: int, count: int, points: int) -> None:
    """Count an item that ``seat`` scored ``count`` times in this deal, worth ``points`` together."""
    add_to_cell(hidden, seat, item, role, ITEMS, ROLES, count, points)
