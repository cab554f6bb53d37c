"""Splits: how sets of cards divide into combinations, and which division is worth most (K-21, K-23).

The subsets of a hand of n cards are numbered by local masks below 2^n (bit i = the i-th lowest card). A *cover* is a set that divides into
combinations without a rest. Covers are grown one combination at a time, so the work depends on what the hand holds and not on 2^n.
"""

from __future__ import annotations

from typing import Any

from simcore.bits import popcount
from simcore.compiled import inlined, inner
from simcore.games.kombinator.combinations import (
    ASSEMBLY,
    MARRIAGE,
    WEAK_MARRIAGE,
    find,
    is_force,
)
from simcore.games.kombinator.view import ASSEMBLY_ORDER


@inner
def study(hand: int, limit: int, married: bool, ending: bool, assembly: bool, rules: Any, work: Any) -> int:
    """Find all covers of at most ``limit`` cards in ``hand`` (at most seven cards), each with its best split.

    married: the marriage of this deal is used up; ending: the stock is empty, so that a force that empties the hand is a superblow; assembly: list
    the assemblies as well (they enter no cover; see `best_with_assembly`).
    Fills ``work.cover[0:n]`` (local masks; the first is the empty set) and, by local mask, ``work.cards`` and ``work.value``. Returns n.
    """
    for i in range(work.n_covers):
        work.top[work.cover[i]] = -1
    work.n_covers = 1
    work.cover[0] = 0
    work.cards[0] = 0
    work.value[0] = 0
    work.layered = 0
    find(hand, assembly, work)
    for found in range(work.n_plain):
        _grow(found, rules.value[work.found_kind[found]], limit, work)
    if work.n_found > work.n_plain:
        _grow_marriages(limit, married, rules, work)
    work.ending = -1
    if ending and popcount(hand) <= limit:
        _end_with_force(hand, rules, work)
    return work.n_covers


@inlined
def _grow(found: int, gain: int, limit: int, work: Any) -> None:
    """Join combination ``found`` to every cover reached so far that it does not touch."""
    local = work.found_local[found]
    cards = work.found_cards[found]
    size = popcount(local)
    for i in range(work.n_covers):
        old = work.cover[i]
        if old & local == 0 and popcount(old) + size <= limit:
            _reach(old | local, work.cards[old] | cards, work.value[old] + gain, found, work)


@inlined
def _reach(local: int, cards: int, value: int, found: int, work: Any) -> None:
    if work.top[local] < 0:
        work.cover[work.n_covers] = local
        work.n_covers += 1
        work.cards[local] = cards
    elif value <= work.value[local]:
        return
    work.value[local] = value
    work.top[local] = found


@inner
def _grow_marriages(limit: int, married: bool, rules: Any, work: Any) -> None:
    """Marriages (K-31): any number without force where that is legal, and on top of that at most one with force."""
    if rules.repeat_marriage:
        for found in range(work.n_plain, work.n_found):
            _grow(found, rules.value[WEAK_MARRIAGE], limit, work)
    if married:
        return
    work.layered = 1
    below = work.n_covers
    for i in range(below):
        local = work.cover[i]
        work.plain_value[local] = work.value[local]
        work.plain_top[local] = work.top[local]
    for found in range(work.n_plain, work.n_found):
        marriage = work.found_local[found]
        for i in range(below):
            old = work.cover[i]
            if old & marriage == 0 and popcount(old) + 2 <= limit:
                value = work.plain_value[old] + rules.value[MARRIAGE]
                _reach(old | marriage, work.cards[old] | work.found_cards[found], value, found, work)


@inner
def _end_with_force(hand: int, rules: Any, work: Any) -> None:
    """The whole hand with a force in it ends the deal: the force is a superblow (K-34), which may make another split the best."""
    everything = (1 << popcount(hand)) - 1
    for found in range(work.n_plain):
        if is_force(work.found_kind[found]):
            rest = everything & ~work.found_local[found]
            if rest == 0 or (rules.superblow_in_composite and work.top[rest] >= 0):
                value = work.value[rest] + rules.superblow_value[work.found_kind[found]]
                if work.top[everything] < 0 or value > work.value[everything]:
                    _reach(everything, hand, value, found, work)
                    work.ending = everything


@inner
def best_with_assembly(hand: int, limit: int, rules: Any, work: Any) -> int:
    """The assembly (a number in the list of those found) whose joining to a cover gives the most, after `study`; -1 if none fits.

    ``work.reached[0]`` is the cover joined to it (local mask, may be empty), ``work.reached[1]`` the value of both.
    """
    best = -1
    for found in range(work.n_found, work.n_with_assemblies):
        local = work.found_local[found]
        for i in range(work.n_covers):
            cover = work.cover[i]
            if cover & local == 0 and popcount(cover) + 4 <= limit:
                value = work.value[cover] + rules.value[ASSEMBLY]
                if best < 0 or value > work.reached[1]:
                    best = found
                    work.reached[0] = cover
                    work.reached[1] = value
    return best


@inner
def declare(local: int, work: Any, move: Any) -> None:
    """Write the best split of cover ``local`` into the move, after those parts that are there already."""
    plain = False
    while local:
        if plain and work.layered:
            found = work.plain_top[local]
        else:
            found = work.top[local]
        if local != work.ending:
            plain = True
        declare_part(work.found_kind[found], work.found_cards[found], move)
        local &= ~work.found_local[found]


@inlined
def declare_part(kind: int, cards: int, move: Any) -> None:
    """Declare one combination more in the move; the first one also says that the split is declared."""
    if move.n_parts < 0:
        move.n_parts = 0
    move.kind[move.n_parts] = kind
    move.part[move.n_parts] = cards
    move.n_parts += 1


@inner
def best_within(local: int, work: Any) -> int:
    """The cover inside ``local`` that is worth most (K-41: loose cards are allowed), after `study`; 0 is the empty one."""
    best = 0
    for i in range(1, work.n_covers):
        cover = work.cover[i]
        if cover & ~local == 0 and work.value[cover] > work.value[best]:
            best = cover
    return best


def default_split(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Fill in the split of a move that declares none (K-23, K-41); where there is no legal one, nothing is declared.

    Compiled like a decision of a strategy and called by address: the kernel, which seldom needs it, stays small.
    """
    move.n_parts = 0
    if view.attack:
        _split_defence(view, rules, work, move)
    else:
        _split_attack(view, rules, work, move)
    return True


@inner
def _split_attack(view: Any, rules: Any, work: Any, move: Any) -> None:
    cards = move.cards
    if popcount(cards) == 1:
        return
    assembly = move.order == ASSEMBLY_ORDER
    ending = view.stock_size == 0 and cards == view.hand
    study(cards, popcount(cards), view.married[view.seat] != 0, ending, assembly, rules, work)
    everything = (1 << popcount(cards)) - 1
    if assembly:
        _split_with_assembly(everything, rules, work, move)
    elif rules.loose_cards:
        declare(best_within(everything, work), work, move)
    elif work.top[everything] >= 0:
        declare(everything, work, move)


@inner
def _split_with_assembly(everything: int, rules: Any, work: Any, move: Any) -> None:
    """One assembly, and the best split of the other cards: all of them where loose cards are not allowed."""
    if rules.loose_cards:
        best = best_with_assembly(move.cards, popcount(move.cards), rules, work)
        rest = work.reached[0]
    else:
        best, rest = -1, 0
        for found in range(work.n_found, work.n_with_assemblies):
            cover = everything & ~work.found_local[found]
            if cover == 0 or work.top[cover] >= 0:
                if best < 0 or work.value[cover] > work.value[rest]:
                    best, rest = found, cover
    if best >= 0:
        declare_part(ASSEMBLY, work.found_cards[best], move)
        declare(rest, work, move)


@inner
def _split_defence(view: Any, rules: Any, work: Any, move: Any) -> None:
    used = 0
    for i in range(popcount(view.attack)):
        used |= 1 << (move.beater[i] & 63)
    used &= view.hand
    if popcount(used) < 2:
        return
    ending = view.stock_size == 0 and used == view.hand
    study(used, popcount(used), view.married[view.seat] != 0, ending, False, rules, work)
    declare(best_within((1 << popcount(used)) - 1, work), work, move)
