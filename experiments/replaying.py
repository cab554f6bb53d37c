"""The loops of `experiments.ledger`, compiled: millions of rows and deals in a moment. Self-contained, so that its machine code can never be stale."""

from __future__ import annotations

from typing import Any, Final

from simcore.compiled import kernel

CHANGED, CONTINUED, THROUGH_BROKEN, CLOSE = 1, 2, 4, 8
NEVER: Final = 1 << 60
"""A limit that no score ever reaches."""


@kernel
def add_effects(rows: Any, worth: Any, place: Any, further: Any, counts: Any, change: Any) -> None:
    """Adds to scores what rows are worth.

    rows: TALLY[n]; worth: int64[n], what a row changes a score by, not yet signed; place: int64[n], deal of each row; further, counts: int64[items,
    roles], see `simcore.game.Account.effect`; change: int[deals, seats].
    """
    seats = change.shape[1]
    for i in range(len(rows)):
        row = rows[i]
        sign = counts[row.item, row.role]
        if sign and worth[i]:
            seat = row.seat + further[row.item, row.role]
            if seat < 0:
                seat += seats
            elif seat >= seats:
                seat -= seats
            change[place[i], seat] += sign * worth[i]


@kernel
def reprice(rows: Any, sign: Any, change: Any) -> None:
    """Gives rows (TALLY[n]) other points, in place: ``change`` (int64[items]) more for each time that the price of their item counts in their role."""
    for i in range(len(rows)):
        row = rows[i]
        if sign[row.item, row.role]:
            row.points += row.count * change[row.item]


@kernel
def sum_by_item(rows: Any, total: Any) -> None:
    """Adds count and points of rows (TALLY[n]) to ``total`` (int64[items, 2])."""
    for i in range(len(rows)):
        row = rows[i]
        total[row.item, 0] += row.count
        total[row.item, 1] += row.points


@kernel
def find_changed(first: Any, length: Any, change: Any, changed: Any) -> None:
    """In which games a score changes by something else: first, length: int64[games]; change: int[deals, seats]; changed: bool[games], to be filled."""
    for g in range(len(first)):
        changed[g] = False
        for at in range(first[g], first[g] + length[g]):
            for seat in range(change.shape[1]):
                changed[g] |= change[at, seat] != 0


@kernel
def play_again(
    first: Any,
    stored: Any,
    broken: Any,
    points: Any,
    changed: Any,
    start: int,
    floor: int,
    ceiling: int,
    most: int,
    sign: int,
    length: Any,
    share: Any,
    flags: Any,
) -> None:
    """Plays the scores of games again; those in which nothing changed stay as they were.

    first, stored: int64[games], place of the first deal and number of deals; broken, changed: bool[games]; points: int[deals, seats], as they are now;
    length: int64[games] and share: float64[games, seats], as they were, to be replaced; flags: uint8[games], what is set of CHANGED,
    CONTINUED, THROUGH_BROKEN, CLOSE.
    """
    seats = points.shape[1]
    whole = False  # whether there is any deal that was not cut short
    for g in range(len(first)):
        whole |= stored[g] > broken[g]
    for g in range(len(first)):
        flags[g] = 0
        if not changed[g]:
            continue
        flags[g] = CHANGED
        for seat in range(seats):
            share[g, seat] = start  # the scores, until the end is found
        source, at = g, first[g]
        played = 0
        moment = 2.0  # of the last deal, at which the first score reaches the end; above 1 while none does
        while moment > 1.0:
            torn = whole and broken[source] and at == first[source] + stored[source] - 1
            if not torn or source == g:
                reached = 0
                for seat in range(seats):
                    before = share[g, seat]
                    part = points[at, seat]
                    if before + part <= floor:
                        reached += 1
                        moment = min(moment, (floor - before) / part)
                    elif before + part >= ceiling:
                        reached += 1
                        moment = min(moment, (ceiling - before) / part)
                if reached > 1:
                    flags[g] |= CLOSE
                if torn and not reached:
                    flags[g] |= THROUGH_BROKEN  # what there is of the deal does not end the game: a whole one comes in its place
                else:
                    played += 1
                    if not reached and played >= most:
                        moment = 1.0
                    for seat in range(seats):
                        share[g, seat] += points[at, seat] * min(moment, 1.0)
            if moment > 1.0:
                at += 1
                if at == first[source] + stored[source]:
                    flags[g] |= CONTINUED
                    source = source + 1 if source + 1 < len(first) else 0
                    at = first[source]
        length[g] = played
        best = share[g, 0] * sign
        for seat in range(1, seats):
            best = max(best, share[g, seat] * sign)
        winners = 0
        for seat in range(seats):
            winners += share[g, seat] * sign >= best - 1e-9
        for seat in range(seats):
            share[g, seat] = 1.0 / winners if share[g, seat] * sign >= best - 1e-9 else 0.0
