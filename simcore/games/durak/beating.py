"""Which card beats which (T2, R18), and how open cards are covered with the fewest trumps."""

from __future__ import annotations

from typing import Any

from simcore.bits import highest, lowest, popcount
from simcore.compiled import inlined, inner
from simcore.games.durak.deck import ONE_SUIT


@inlined
def above(card: int) -> int:
    """All cards with higher numbers, a mask: those of the same suit are of higher ranks."""
    return -(2 << card)


@inner
def beaters(card: int, view: Any) -> int:
    """The cards that beat ``card``, a mask; special cards (P8) are not looked at. They may hold cards that the pack has not."""
    bit = 1 << card
    if bit & view.trumps:
        return view.trumps & above(card)
    if bit & view.plain_joker:
        return view.plain_beaters
    found = ONE_SUIT << (card & 3) & above(card) | view.trumps
    return found | view.plain_joker if bit & view.plain_suits else found


@inner
def cover_all(cards: int, usable: int, view: Any, move: Any) -> bool:
    """Cover all of some cards (a mask) out of others, with the fewest trumps and each with the lowest card that does it.

    Fills in the pairs of ``move`` and says whether there is a card for each; where there is not, the pairs are of no use. The cards that can cover one are
    always among those that can cover a lower one of its suit, so that from the highest down each may take its lowest one.
    """
    move.n_pairs = 0
    rest = cards & view.plain_joker
    if rest and popcount(view.plain_beaters) == 1:  # only the trump joker does it, which nothing else then has
        if usable & view.plain_beaters == 0:
            return False
        usable = _pair(rest, view.plain_beaters, usable, move)
        rest = 0
    trumps = cards & view.trumps
    while trumps:
        card = highest(trumps)
        trumps &= ~(1 << card)
        found = usable & view.trumps & above(card)
        if found == 0:
            return False
        usable = _pair(1 << card, found, usable, move)
    plain = cards & ~view.trumps & ~view.plain_joker
    while plain:
        card = highest(plain)
        plain &= ~(1 << card)
        found = usable & ONE_SUIT << (card & 3) & above(card)
        if found:
            usable = _pair(1 << card, found, usable, move)
        else:
            rest |= 1 << card
    coloured = rest & view.plain_suits
    if coloured and usable & view.plain_joker:
        card = highest(coloured)
        rest &= ~(1 << card)
        usable = _pair(1 << card, view.plain_joker, usable, move)
    if popcount(rest) > popcount(usable & view.trumps) or (rest & view.plain_joker and view.plain_beaters == 0):
        return False
    while rest:
        card = highest(rest)
        rest &= ~(1 << card)
        usable = _pair(1 << card, usable & view.trumps, usable, move)
    return True


@inner
def _pair(card: int, found: int, usable: int, move: Any) -> int:
    """Cover a card (a mask) with the lowest of those that were found; returns what is left to use."""
    other = lowest(found)
    move.attacking[move.n_pairs] = lowest(card)
    move.covering[move.n_pairs] = other
    move.n_pairs += 1
    return usable & ~(1 << other)
