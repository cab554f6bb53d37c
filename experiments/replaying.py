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


@inlined
def _ends(before: int, part: int, floor: int, ceiling: int) -> float:
    """After which part of a deal a score reaches the end of a game, the points coming evenly; 2 where it does not."""
    if before + part <= floor:
        return (floor - before) / part
    if before + part >= ceiling:
        return (ceiling - before) / part
    return 2.0


@inlined
def _first_to_end(scores: Any, points: Any, place: int, floor: int, ceiling: int) -> int:
    """The seat whose score is the first to end the game in a deal, -1 for none."""
    found, moment = -1, 1.5
    for seat in range(len(scores)):
        its = _ends(scores[seat], points[place, seat], floor, ceiling)
        if its < moment:
            found, moment = seat, its
    return found


@kernel
def play_again(
    first: Any,
    stored: Any,
    broken: Any,
    old: Any,
    points: Any,
    changed: Any,
    spare: Any,
    after: Any,
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

    first, stored: int64[games], place of the first deal and number of deals; broken, changed: bool[games]; old, points: int[deals, seats], as they were and
    as they are now; spare: int64[m], the deals that games go on with, in turn; after: int64[games], position of the first of them that is a game's
    turn; length: int64[games] and share: float64[games, seats], as they were, to be replaced; flags: uint8[games], what is set of CHANGED, CONTINUED,
    THROUGH_BROKEN, CLOSE.
    """
    seats = points.shape[1]
    scores = np.empty(seats, np.int64)
    for g in range(len(first)):
        flags[g] = 0
        if not changed[g]:
            continue
        flags[g] = CHANGED
        for seat in range(seats):
            share[g, seat] = start  # the scores, until the end is found
        place, last = first[g], first[g] + stored[g] - 1
        position = -1  # among the spare deals, once the game's own are played
        played = 0
        moment = 2.0  # of the last deal, at which the first score reaches the end; above 1 while none does
        while moment > 1.0:
            reached = 0
            for seat in range(seats):
                its = _ends(share[g, seat], points[place, seat], floor, ceiling)
                reached += its < 2.0
                moment = min(moment, its)
            if reached > 1:
                flags[g] |= CLOSE
            torn = broken[g] and place == last and position < 0
            if torn and not reached:
                flags[g] |= THROUGH_BROKEN  # what there is of the deal does not end the game: a whole one comes in its place
            else:
                played += 1
                if not reached and played >= most:
                    moment = 1.0
                for seat in range(seats):
                    share[g, seat] += points[place, seat] * min(moment, 1.0)
            if moment <= 1.0:
                break
            if position >= 0:
                position += 1
            elif place < last:
                place += 1
                continue
            else:
                flags[g] |= CONTINUED
                position = after[g]
                if torn:
                    # It ended the game by the old prices, so the next of the spare deals does that would have ended it as well, and for the same player.
                    for seat in range(seats):
                        scores[seat] = start
                        for at in range(first[g], last):
                            scores[seat] += old[at, seat]
                    wanted = _first_to_end(scores, old, last, floor, ceiling)
                    for at in range(after[g], after[g] + len(spare)):
                        if _first_to_end(scores, old, spare[at % len(spare)], floor, ceiling) == wanted:
                            position = at
                            break
            place = spare[position % len(spare)]
        length[g] = played
        best = share[g, 0] * sign
        for seat in range(1, seats):
            best = max(best, share[g, seat] * sign)
        winners = 0
        for seat in range(seats):
            winners += share[g, seat] * sign >= best - 1e-9
        for seat in range(seats):
            share[g, seat] = 1.0 / winners if share[g, seat] * sign >= best - 1e-9 else 0.0
