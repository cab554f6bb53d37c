"""What strategies build on: moves, which combinations can be declared, and what a hand may still bring.

Functions that look ahead work on ``work.intact`` and ``work.widowed``: a copy of the view's, made by `as_it_is`, or by `after_playing` as they would be without
a card. ``gone`` is the mask of places that count as empty.
"""

from __future__ import annotations

from typing import Any, Final

from simcore.bits import popcount
from simcore.compiled import inlined, inner
from simcore.games.chinese_bezique.combinations import (
    ACE,
    BEZIQUE,
    BEZIQUED,
    DECLARED,
    FOUR_ACES,
    FOUR_JACKS,
    FOUR_TRUMP_ACES,
    JACK,
    KING,
    MARRIAGE,
    MARRIED,
    NO_SUIT,
    PACKS,
    QUARTETTED,
    QUEEN,
    SEQUENCE,
    SEQUENCED,
    TRUMP_QUARTETTED,
    TYPES,
    bezique_jack,
    bezique_queen,
    is_suited,
    quartet_rank,
    type_of,
)
from simcore.games.chinese_bezique.legal import blocked, is_played, suited_item

SURE_BITS: Final = 10
SURE: Final = 1 << SURE_BITS
"""A chance of 1: chances are whole numbers of 1024ths."""
ITEM_SHIFT: Final = 12
PRICE_SHIFT: Final = 17
"""A declaration in one number: price << 17 | item << 12 | places; -1 for none."""


# --- moves ----------------------------------------------------------------------------------------------------------------------------------


@inlined
def play_from(place: int, move: Any) -> bool:
    """Play the card of a place."""
    move.place = place
    return True


@inlined
def say_nothing(move: Any) -> bool:
    """Declare nothing."""
    return True


@inlined
def declare_it(declaration: int, move: Any) -> bool:
    """Make a declaration (one number, as above)."""
    move.item = declaration >> ITEM_SHIFT & 31
    move.places = declaration & (1 << ITEM_SHIFT) - 1
    return True


@inlined
def answer(claims: bool, move: Any) -> bool:
    """Claim points, or leave them."""
    move.claim = 1 if claims else 0
    return True


# --- looking ahead --------------------------------------------------------------------------------------------------------------------------


@inlined
def as_it_is(view: Any, work: Any) -> None:
    """Look at the hand as it is."""
    for kind in range(TYPES):
        work.intact[kind] = view.intact[kind]
    work.widowed = view.widowed


@inner
def after_playing(view: Any, place: int, work: Any) -> None:
    """Look at the hand without the card of a place: declarations with it are no longer whole."""
    bit = 1 << place
    work.widowed = view.widowed & ~bit
    for kind in range(TYPES):
        work.intact[kind] = 0
    for i in range(view.n_records):
        kind, places = view.record_type[i], view.record_places[i]
        if places & bit == 0:
            work.intact[kind] |= places
        elif kind == MARRIED:
            work.widowed |= places & ~bit


# --- what can be declared -------------------------------------------------------------------------------------------------------------------


@inner
def pick(group: int, n: int, prefer: int) -> int:
    """``n`` places of a group, those of ``prefer`` first, else the lowest; 0 where there are fewer."""
    if popcount(group) < n:
        return 0
    found = 0
    for _ in range(n):
        some = group & prefer
        place = some if some else group
        place &= -place
        found |= place
        group &= ~place
    return found


@inlined
def of_rank(view: Any, rank: int) -> int:
    """Places of the cards of a rank."""
    return view.held[4 * rank] | view.held[4 * rank + 1] | view.held[4 * rank + 2] | view.held[4 * rank + 3]


@inner
def form_marriage(view: Any, rules: Any, work: Any, gone: int, suit: int, prefer: int) -> int:
    """Places of a king and a queen of a suit that may marry, 0 for none; a sole monarch takes another's mate only where it must (B20a)."""
    kings, queens = view.held[4 * KING + suit] & ~gone, view.held[4 * QUEEN + suit] & ~gone
    free = ~blocked(work.intact, MARRIED, rules)
    if kings & free and queens & free:
        return pick(kings & free, 1, prefer) | pick(queens & free, 1, prefer)
    if rules.marriage_partner_swap:
        single = ~work.intact[SEQUENCED]
        sole, married = work.widowed & ~work.intact[MARRIED] & single, work.intact[MARRIED] & single
        if kings & sole and queens & married:
            return pick(kings & sole, 1, prefer) | pick(queens & married, 1, prefer)
        if queens & sole and kings & married:
            return pick(kings & married, 1, prefer) | pick(queens & sole, 1, prefer)
    return 0


@inner
def form(view: Any, rules: Any, work: Any, gone: int, item: int, suit: int, prefer: int) -> int:
    """Places of cards with which an item can be declared, 0 for none; a marriage or sequence is given as the plain one and its suit, whatever is trump."""
    if item == MARRIAGE:
        return form_marriage(view, rules, work, gone, suit, prefer)
    free = ~gone & ~blocked(work.intact, type_of(item), rules)
    if item == SEQUENCE:
        found = 0
        for rank in range(JACK, ACE + 1):
            cards = view.held[4 * rank + suit] & free
            if cards == 0:
                return 0
            found |= pick(cards, 1, prefer)
        return found
    if not is_played(item, view, rules):
        return 0
    if item <= FOUR_JACKS:
        return pick(of_rank(view, quartet_rank(item)) & free, 4, prefer)
    if item < BEZIQUE:
        return pick(view.held[4 * quartet_rank(item) + view.trump] & free, 4, prefer)
    n = item - BEZIQUE + 1
    queens = pick(view.held[bezique_queen(view.trump, rules)] & free, n, prefer)
    jacks = pick(view.held[bezique_jack(view.trump, rules)] & free, n, prefer)
    return queens | jacks if queens and jacks else 0


@inner
def declarations(view: Any, rules: Any, work: Any, gone: int, prefer: int) -> int:
    """Put all that can be declared into ``work.choices``, each with one choice of like cards (those of ``prefer`` first); returns how many."""
    n = 0
    for item in range(SEQUENCE, DECLARED):
        if item != MARRIAGE - 1:  # the rows of trumps stand for themselves
            suited = is_suited(item)
            for suit in range(4 if suited else 1):
                places = form(view, rules, work, gone, item, suit, prefer)
                if places:
                    row = suited_item(view, item, suit) if suited else item
                    work.choices[n] = rules.points[row] << PRICE_SHIFT | row << ITEM_SHIFT | places
                    n += 1
    return n


@inner
def dearest(view: Any, rules: Any, work: Any, gone: int) -> int:
    """The dearest declaration, made of cards that lie open as far as it can be; -1 for none."""
    best = -1
    for i in range(declarations(view, rules, work, gone, view.face_up)):
        best = max(best, work.choices[i])
    return best


# --- what may still come ----------------------------------------------------------------------------------------------------------------------


@inlined
def unseen(view: Any, kind: int) -> int:
    """Cards of a kind that are neither in the own hand nor played nor known to be in the other hand: they are in the stock or unknown in that hand."""
    return PACKS - view.played[kind] - popcount(view.held[kind]) - view.known[1 - view.seat, kind]


@inlined
def hoped(points: int, chance: int, missing: int) -> int:
    """Points times a chance (in 1024ths) for each missing card."""
    for _ in range(missing):
        points = points * chance >> SURE_BITS
    return points


@inner
def trump_prospect(view: Any, rules: Any, work: Any, gone: int, suit: int) -> int:
    """What four of a rank in a suit would bring if it is trump, each missing card by its chance."""
    free = ~gone & ~work.intact[TRUMP_QUARTETTED]
    total = 0
    for rank in range(JACK, ACE + 1):
        missing = max(0, 4 - popcount(view.held[4 * rank + suit] & free))
        total += hoped(rules.points[FOUR_TRUMP_ACES + ACE - rank], work.chances[4 * rank + suit], missing)
    return total


@inner
def prospect(view: Any, rules: Any, work: Any, gone: int) -> int:
    """What the hand may still bring: the price of each combination, times the chance of each card that it lacks (``work.chances``, in 1024ths)."""
    total = 0
    wed, sequenced = ~gone & ~blocked(work.intact, MARRIED, rules), ~gone & ~blocked(work.intact, SEQUENCED, rules)
    for suit in range(4):
        price = rules.points[suited_item(view, SEQUENCE, suit)]
        for rank in range(JACK, ACE + 1):
            if view.held[4 * rank + suit] & sequenced == 0:
                price = price * work.chances[4 * rank + suit] >> SURE_BITS
        total += price
        price = rules.points[suited_item(view, MARRIAGE, suit)]
        for rank in range(QUEEN, KING + 1):
            if view.held[4 * rank + suit] & wed == 0:
                price = price * work.chances[4 * rank + suit] >> SURE_BITS
        total += price
    free = ~gone & ~blocked(work.intact, QUARTETTED, rules)
    for rank in range(JACK, ACE + 1):
        chance = 0
        for suit in range(4):
            chance += (SURE - chance) * work.chances[4 * rank + suit] >> SURE_BITS
        total += hoped(rules.points[FOUR_ACES + ACE - rank], chance, max(0, 4 - popcount(of_rank(view, rank) & free)))
    if view.trump != NO_SUIT:
        total += trump_prospect(view, rules, work, gone, view.trump)
    queen, jack = bezique_queen(view.trump, rules), bezique_jack(view.trump, rules)
    if queen >= 0:
        for n in range(1, 5):
            free = ~gone & ~blocked(work.intact, BEZIQUED + n - 1, rules)
            price = hoped(rules.points[BEZIQUE + n - 1], work.chances[queen], max(0, n - popcount(view.held[queen] & free)))
            total += hoped(price, work.chances[jack], max(0, n - popcount(view.held[jack] & free)))
    return total
