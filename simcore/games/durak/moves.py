"""What strategies build their moves with. Every function that makes a decision returns True, so a strategy ends with ``return ...(move)``.

Three decisions. ``attack``: `lead` one or more cards of ``view.allowed``, all of one rank and no more than ``view.room``; or the whole hand where
``view.may_hang`` is 1. ``throw_in``: `throw` some cards of ``view.allowed``, no more than ``view.room``, or `decline`. ``defend``: `cover` one card after the
other, `cover_all` of them, or `take`.
"""

from __future__ import annotations

from typing import Any

from simcore.bits import lowest, popcount
from simcore.chance import below
from simcore.compiled import inlined, inner
from simcore.games.durak.beating import beaters, cover_all
from simcore.games.durak.legal import of_rank

# --- making a move ------------------------------------------------------------------------------------------------------------------------


@inlined
def lead(cards: int, move: Any) -> bool:
    """Open the bout with some cards (a mask)."""
    move.cards = cards
    return True


@inlined
def throw(cards: int, move: Any) -> bool:
    """Throw in some cards (a mask)."""
    move.cards = cards
    return True


@inlined
def decline(move: Any) -> bool:
    """Throw nothing in."""
    move.cards = 0
    return True


@inlined
def cover(card: int, other: int, move: Any) -> bool:
    """Cover one more open card by another; both are numbers."""
    move.attacking[move.n_pairs] = card
    move.covering[move.n_pairs] = other
    move.n_pairs += 1
    return True


@inlined
def take(move: Any) -> bool:
    """Take the cards on the table; pairs that stand in the move are dropped."""
    move.n_pairs = 0
    return True


@inner
def cover_or_take(usable: int, view: Any, move: Any) -> bool:
    """Cover all open cards out of some of the allowed ones (a mask) with the fewest trumps, or take; where that is forbidden, out of all of them."""
    if view.open & view.special == 0:
        if cover_all(view.open, usable, view, move):
            return True
        if not view.may_take:
            return cover_all(view.open, view.allowed, view, move)
    return take(move)


# --- looking at cards ---------------------------------------------------------------------------------------------------------------------


@inner
def cheapest(cards: int, view: Any) -> int:
    """The number of the lowest card of a mask that is not empty, trumps above all others; of equal ranks the first suit."""
    plain = cards & ~view.trumps
    return lowest(plain if plain else cards)


@inner
def fitting(cards: int, count: int, view: Any) -> int:
    """The ``count`` cheapest cards of a mask, or all where they are fewer."""
    found = 0
    while cards and count > 0:
        bit = 1 << cheapest(cards, view)
        found |= bit
        cards &= ~bit
        count -= 1
    return found


@inner
def attack_with(card: int, cards: int, view: Any, rules: Any) -> int:
    """A card together with those of its rank among ``cards`` (a mask), as many as may be led."""
    bit = 1 << card
    if not rules.multi_attack:
        return bit
    return bit | fitting(cards & view.allowed & of_rank(card >> 2) & ~bit, view.room - 1, view)


# --- any legal move -----------------------------------------------------------------------------------------------------------------------


@inner
def nth(cards: int, n: int) -> int:
    """The card of a mask that has ``n`` lower ones beside it."""
    for _ in range(n):
        cards &= cards - 1
    return lowest(cards)


@inner
def any_of(cards: int, work: Any) -> int:
    """One card of a mask, each equally likely."""
    return nth(cards, below(work.stream, popcount(cards)))


@inner
def at_random_attack(view: Any, rules: Any, work: Any, move: Any) -> bool:
    """Any allowed card or the epaulettes, equally likely; each further card of the rank by the toss of a coin, as far as there is room."""
    n = popcount(view.allowed) + view.may_hang
    choice = below(work.stream, n)
    if choice == popcount(view.allowed):
        return lead(view.hand, move)
    card = nth(view.allowed, choice)
    more = 0
    others = view.allowed & of_rank(card >> 2) & ~(1 << card)
    while others:
        if below(work.stream, 2):
            more |= others & -others
        others &= others - 1
    return lead(attack_with(card, more, view, rules), move)


@inner
def at_random_throw_in(view: Any, work: Any, move: Any) -> bool:
    """One of the allowed cards or none, each equally likely."""
    choice = below(work.stream, popcount(view.allowed) + 1)
    return decline(move) if choice == popcount(view.allowed) else throw(1 << nth(view.allowed, choice), move)


@inner
def at_random_defend(view: Any, work: Any, move: Any) -> bool:
    """Takes, or covers one open card by another, each of these equally likely; where all must be covered at once, takes or does so, equally likely.

    To cover all, each open card gets any of the cards left that beat it; where one is left without, all are covered as cheaply as can be.
    """
    if view.must_cover_all:
        if view.may_take and below(work.stream, 2):
            return take(move)
        usable, cards = view.allowed, view.open
        while cards:
            card = lowest(cards)
            cards &= cards - 1
            found = usable & beaters(card, view)
            if found == 0:
                return cover_all(view.open, view.allowed, view, move)
            other = any_of(found, work)
            usable &= ~(1 << other)
            cover(card, other, move)
        return True
    n = 0
    cards = view.open & ~view.special
    while cards:
        n += popcount(view.allowed & beaters(lowest(cards), view))
        cards &= cards - 1
    left = below(work.stream, n + view.may_take)
    cards = view.open & ~view.special
    while cards:
        found = view.allowed & beaters(lowest(cards), view)
        if left < popcount(found):
            return cover(lowest(cards), nth(found, left), move)
        left -= popcount(found)
        cards &= cards - 1
    return take(move)
