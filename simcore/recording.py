"""What kernels write while they play: events of a transcript, and the tallies of a deal. Compiled into each game's kernel.

A game's record HIDDEN has ``n_events``, ``n_tallies``, ``full``, ``game``, and for the tallies of the deal being played ``count`` and ``points`` by cell,
with those in use listed in ``touched``, ``n_touched`` of them. A cell is a seat, an item and a role: number ``(seat * items + item) * roles + role``, listed
as a word of eight bits for each of the three, which are read back without a division.
"""

from __future__ import annotations

from typing import Any, Final

from simcore.compiled import inlined, inner

PROGRESS: Final = (
    ("n_events", "i8"),
    ("n_deals", "i8"),
    ("n_tallies", "i8"),
    ("n_games", "i8"),
    ("full", "i8"),  # 1 when a buffer of rows is full
    ("fault", "i8"),  # why a move was refused, 0 if none was
    ("fault_seat", "i8"),
)
"""Fields of a game's record HIDDEN: how many rows there are by now, and what stopped the kernel."""


def cells(number: int) -> tuple[tuple[Any, ...], ...]:
    """Fields of a game's record HIDDEN for the tallies of the deal being played, with so many cells."""
    return (("n_touched", "i8"), *((name, "i8", (number,)) for name in ("touched", "count", "points")))


@inner
def emit(events: Any, hidden: Any, kind: int, seat: int) -> int:
    """Begin an event: returns its row in ``events`` (int64[n, width]), kind and seat filled in, the other fields 0.

    When the buffer is full the last row is written over, and the game is played again with a larger one.
    """
    if hidden.n_events >= len(events):
        hidden.full = 1
        hidden.n_events -= 1
    at: int = hidden.n_events
    hidden.n_events += 1
    for field in range(2, events.shape[1]):
        events[at, field] = 0
    events[at, 0] = kind
    events[at, 1] = seat
    return at


@inlined
def add_to_cell(hidden: Any, seat: int, item: int, role: int, items: int, roles: int, count: int, points: int) -> None:
    """Count an item that ``seat`` scored ``count`` times more in this deal, worth ``points`` together; items, roles: how many the game has."""
    cell = (seat * items + item) * roles + role
    if hidden.count[cell] == 0:
        hidden.touched[hidden.n_touched] = seat << 16 | item << 8 | role
        hidden.n_touched += 1
    hidden.count[cell] += count
    hidden.points[cell] += points


@inner
def write_cells(hidden: Any, deal: int, items: int, roles: int, rows: Any) -> None:
    """One row (`simcore.records.TALLY`) for each cell of the deal that is over, and all counts back to 0; ``full`` where they do not fit."""
    if hidden.n_tallies + hidden.n_touched > len(rows):
        hidden.full = 1
        return
    for i in range(hidden.n_touched):
        word = hidden.touched[i]
        seat, item, role = word >> 16, word >> 8 & 255, word & 255
        cell = (seat * items + item) * roles + role
        row = rows[hidden.n_tallies + i]
        row.game = hidden.game
        row.deal = deal
        row.seat = seat
        row.item = item
        row.role = role
        row.count = hidden.count[cell]
        row.points = hidden.points[cell]
        hidden.count[cell] = 0
        hidden.points[cell] = 0
    hidden.n_tallies += hidden.n_touched
    hidden.n_touched = 0
