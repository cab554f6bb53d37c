"""The loops of `experiments.ledger`, compiled: millions of rows and deals in a moment."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from simcore.compiled import inlined, kernel
from simcore.records import hash_of_kind, hash_of_row

CHANGED, CONTINUED, THROUGH_BROKEN, CLOSE = 1, 2, 4, 8
NEVER: Final = 1 << 60
"""A limit that no score ever reaches."""


@kernel
def reprice(item: Any, role: Any, count: Any, points: Any, sign: Any, change: Any, new: Any) -> None:
    """Gives rows other points.

    item, role, count, points: columns of n rows; sign: int64[items, roles], 0 where the price of an item does not count in a role; change: int64[items], by
    how much its price is another one; new: int32[n], to be filled.
    """
    for i in range(len(item)):
        new[i] = points[i]
        if sign[item[i], role[i]]:
            new[i] += count[i] * change[item[i]]


@inlined
def _around(seat: int, seats: int) -> int:
    """A seat that may be up to one round off."""
    return seat + seats if seat < 0 else seat - seats if seat >= seats else seat


@kernel
def add_up(
    game: Any,
    deal: Any,
    seat: Any,
    item: Any,
    role: Any,
    count: Any,
    points: Any,
    new_role: Any,
    new_points: Any,
    number: int,
    first: Any,
    further: Any,
    sign: Any,
    change: Any,
    total: Any,
) -> Any:
    """Sums over rows that become others.

    game to points: columns of n rows; new_role, new_points: what they become; first: int64[games], place of the first deal of each game, from game ``number``
    on; further, sign: int64[items, roles], see `simcore.game.Account.effect`; change: int[deals, seats], to which is added by how much a score changes more;
    total: int64[items, 3], to which times, points and new points are added.

    Returns the hash of the new rows less that of the rows (`simcore.records.tallies_hash`).
    """
    seats = change.shape[1]
    difference = np.uint64(0)
    for i in range(len(game)):
        key, old, new = item[i], role[i], new_role[i]
        total[key, 0] += count[i]
        total[key, 1] += points[i]
        total[key, 2] += new_points[i]
        if old == new and points[i] == new_points[i]:
            continue
        kind = hash_of_kind(game[i], deal[i], seat[i], key, old)
        difference -= hash_of_row(kind, count[i], points[i])
        if old != new:
            kind = hash_of_kind(game[i], deal[i], seat[i], key, new)
        difference += hash_of_row(kind, count[i], new_points[i])
        place = first[game[i] - number] + deal[i] - 1
        change[place, _around(seat[i] + further[key, new], seats)] += sign[key, new] * new_points[i]
        change[place, _around(seat[i] + further[key, old], seats)] -= sign[key, old] * points[i]
    return difference


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
