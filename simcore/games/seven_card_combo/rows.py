"""The rows that the kernel writes: games, deals, tallies, and the events of a transcript."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from simcore.bits import popcount
from simcore.compiled import inner
from simcore.games.seven_card_combo.combinations import BONUSES, LOOSE_CARD, PRICES, REASONS, reasons
from simcore.games.seven_card_combo.view import MAX_PLAYERS

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
    ]
)
DEAL: Final = np.dtype(
    [
        ("game", "i8"),
        ("deal", "i4"),
        ("dealer", "u1"),
        ("leader", "u1"),
        ("reason", "u1"),
        ("discards", "u1"),  # cards put aside by all players
        ("reshuffles", "u1"),
        ("points", "i4", _SEATS),  # change of the scores in this deal
    ]
)

# Roles of the tallies: what changed the score, bonuses that were held but not counted (S17), why cards are covered (S15).
COUNTED, IDLE, COVER = range(3)
MOST_TALLIES: Final = MAX_PLAYERS * (PRICES + len(REASONS))  # of a deal

# Kinds of events; what their fields are is said where they are written, and read back in transcript.py.
EV_DEAL, EV_TURN, EV_REFILL, EV_RESHUFFLE, EV_HAND, EV_DEAL_END, EV_GAME_END = range(7)
EVENT_WIDTH: Final = 12


@inner
def emit_cards(events: Any, at: int, field: int, cards: Any, first: int, last: int) -> None:
    """Write ``cards[first:last]`` into an event, nine cards of six bits a field, from ``field`` on."""
    for i in range(last - first):
        events[at, field + i // 9] |= cards[first + i] << (6 * (i % 9))


@inner
def write_tallies(view: Any, rules: Any, hidden: Any, rows: Any, seat: int, loose: int, held: int) -> None:
    """The rows of the hand of ``seat``: its loose cards (a mask), the set of bonuses that it holds, and why the other cards are covered."""
    if loose:
        _write_row(view, hidden, rows, seat, LOOSE_CARD, COUNTED, popcount(loose), popcount(loose) * rules.points[LOOSE_CARD])
    best = rules.best_bonus[held]
    for bonus in range(len(BONUSES)):
        if held >> bonus & 1:
            if bonus == best:
                _write_row(view, hidden, rows, seat, bonus, COUNTED, 1, rules.points[bonus])
            else:
                _write_row(view, hidden, rows, seat, bonus, IDLE, 1, 0)
    found = reasons(hidden.hands[seat], rules.wrap)
    for reason in range(len(REASONS)):
        if found >> reason & 1:
            _write_row(view, hidden, rows, seat, PRICES + reason, COVER, 1, 0)


@inner
def _write_row(view: Any, hidden: Any, rows: Any, seat: int, item: int, role: int, count: int, points: int) -> None:
    row = rows[hidden.n_tallies]
    hidden.n_tallies += 1
    row.game = hidden.game
    row.deal = view.deal
    row.seat = seat
    row.item = item
    row.role = role
    row.count = count
    row.points = points
