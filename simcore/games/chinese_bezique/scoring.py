"""What a declaration changes, and the settlement of a deal (B12 to B21, S1 to S5)."""

from __future__ import annotations

from typing import Any

from simcore.bits import lowest
from simcore.compiled import inlined, inner
from simcore.games.chinese_bezique.combinations import (
    HAND,
    MARRIED,
    NO_CARD,
    NO_SUIT,
    RUBICON,
    WON_GAME,
    is_suited,
    kind_of,
    suit_of,
    type_of,
)
from simcore.games.chinese_bezique.legal import is_of_trumps
from simcore.games.chinese_bezique.rows import tally
from simcore.games.chinese_bezique.view import AGAIN, FIRST, PLAYERS, SETTLEMENT

BIG_POINT = 100  # points of a big point; a smaller difference counts as one (S4)


@inner
def score(view: Any, rules: Any, hidden: Any, seat: int, item: int) -> None:
    """An item is scored by a seat."""
    points = rules.points[item]
    view.points[seat] += points
    tally(hidden, seat, item, AGAIN if view.declared[seat, item] else FIRST, points)
    view.declared[seat, item] += 1


@inlined
def show(view: Any, hidden: Any, seat: int, places: int) -> None:
    """Cards of a hand are seen by both."""
    new = places & ~hidden.face_up[seat]
    hidden.face_up[seat] |= places
    while new:
        view.known[seat, kind_of(hidden.hand[seat, lowest(new)])] += 1
        new &= new - 1


@inner
def record(view: Any, hidden: Any, seat: int, item: int, places: int) -> int:
    """A declaration is noted as long as all its cards are held (B20), and may fix the trump (B6); returns the suit that it fixes, else -1."""
    kind = type_of(item)
    at = hidden.n_records[seat]
    hidden.record_type[seat, at] = kind
    hidden.record_places[seat, at] = places
    hidden.n_records[seat] += 1
    hidden.intact[seat, kind] |= places
    hidden.declarations += 1
    show(view, hidden, seat, places)
    suit = suit_of(hidden.hand[seat, lowest(places)])
    if is_suited(item) and view.trump == NO_SUIT and is_of_trumps(view, suit):
        view.trump = suit
        hidden.trump_trick = view.trick
        return suit
    return NO_SUIT


@inner
def break_records(hidden: Any, seat: int, place: int) -> None:
    """A card is played: declarations with it are no longer whole, and who was married to it is a sole monarch (B20a)."""
    bit = 1 << place
    hidden.widowed[seat] &= ~bit
    kept = 0
    for i in range(hidden.n_records[seat]):
        kind, places = hidden.record_type[seat, i], hidden.record_places[seat, i]
        if places & bit:
            hidden.intact[seat, kind] &= ~places
            if kind == MARRIED:
                hidden.widowed[seat] |= places & ~bit
        else:
            hidden.record_type[seat, kept] = kind
            hidden.record_places[seat, kept] = places
            kept += 1
    if kept < hidden.n_records[seat]:
        hidden.n_records[seat] = kept
        for i in range(kept):  # a card may stand in two marriages, of which only one is broken
            hidden.intact[seat, hidden.record_type[seat, i]] |= hidden.record_places[seat, i]


@inner
def leave_hand(view: Any, hidden: Any, seat: int, place: int) -> None:
    """The card of a place is played."""
    kind = kind_of(hidden.hand[seat, place])
    break_records(hidden, seat, place)
    hidden.hand[seat, place] = NO_CARD
    hidden.held[seat, kind] &= ~(1 << place)
    view.played[kind] += 1
    if hidden.face_up[seat] >> place & 1:
        hidden.face_up[seat] &= ~(1 << place)
        view.known[seat, kind] -= 1


@inner
def take_up(hidden: Any, seat: int, card: int) -> int:
    """A card comes into the first empty place of a hand; returns the place."""
    place = 0
    while hidden.hand[seat, place] != NO_CARD:
        place += 1
    hidden.hand[seat, place] = card
    hidden.held[seat, kind_of(card)] |= 1 << place
    return place


@inner
def settled(more: int, less: int, rules: Any) -> int:
    """Big points of the winner of a deal, whose points are ``more``: rounded to the nearest hundred, halves up (S1 to S5)."""
    raw = more + less if is_rubiconed(more, less, rules) else max(more - less, BIG_POINT)
    return (raw + rules.points[WON_GAME] + BIG_POINT // 2) // BIG_POINT


@inlined
def has_crossed(points: int, rules: Any) -> bool:
    """Whether a player's points have crossed the rubicon; where it is 0 there is none."""
    line = rules.points[RUBICON]
    return line == 0 or points > line or (rules.rubicon_inclusive and points == line)


@inlined
def is_rubiconed(more: int, less: int, rules: Any) -> bool:
    """Whether the loser's points are added and not taken off (S2): only he has not crossed the rubicon."""
    return has_crossed(more, rules) and not has_crossed(less, rules)


@inner
def settle(view: Any, rules: Any, hidden: Any) -> None:
    """The settlement of a deal: nobody wins where the points are equal."""
    ahead = view.points[0] - view.points[1]
    hidden.winner = -1
    hidden.rubicon = 0
    hidden.big_points = 0
    if ahead == 0:
        return
    winner = 0 if ahead > 0 else 1
    more, less = view.points[winner], view.points[1 - winner]
    hidden.winner = winner
    hidden.big_points = settled(more, less, rules)
    view.scores[winner] += hidden.big_points
    tally(hidden, winner, WON_GAME, SETTLEMENT, 0)  # counted: its price is a matter of big points
    if is_rubiconed(more, less, rules):
        hidden.rubicon = 1
        tally(hidden, winner, RUBICON, SETTLEMENT, 0)


@inner
def forget_hands(view: Any, hidden: Any) -> None:
    """Before a deal: no declarations, nothing seen, no points."""
    for seat in range(PLAYERS):
        hidden.n_records[seat] = 0
        hidden.widowed[seat] = 0
        hidden.face_up[seat] = 0
        hidden.blank[seat] = 0
        view.points[seat] = 0
        for place in range(HAND):
            hidden.hand[seat, place] = NO_CARD
        for kind in range(len(hidden.intact[seat])):
            hidden.intact[seat, kind] = 0
        for kind in range(len(view.played)):
            hidden.held[seat, kind] = 0
            view.known[seat, kind] = 0
            view.played[kind] = 0
        for item in range(len(view.declared[seat])):
            view.declared[seat, item] = 0
    hidden.declarations = 0
    hidden.trump_trick = 0
