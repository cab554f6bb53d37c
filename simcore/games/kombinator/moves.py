"""What strategies build their moves with. Every function that makes a decision returns True, so a strategy ends with ``return play_...(...)``.

An attack: `study_attack` finds all sets of cards that may be played together, then one of `play_single`, `play_cover`, `play_dump`, `play_assembly` or
`pass_turn`. A defence: `study_defence` finds all sets of cards that beat the attack, then `beat_with`, or `give_up`.
"""

from __future__ import annotations

from typing import Any

from simcore.bits import lowest, popcount
from simcore.compiled import inlined, inner
from simcore.games.kombinator.combinations import (
    ACE,
    ACES,
    ASSEMBLY,
    COURT,
    COURT_CARD,
    points_of,
)
from simcore.games.kombinator.legal import beaters, is_jackpot
from simcore.games.kombinator.splits import best_with_assembly, best_within, declare, declare_part, study
from simcore.games.kombinator.view import ASSEMBLY_ORDER, NO_ORDER

# --- attacking ----------------------------------------------------------------------------------------------------------------------------


@inlined
def study_attack(view: Any, rules: Any, work: Any) -> int:
    """Find every set of cards that the attacker may play as combinations, with its best split (loose cards are left out).

    Returns n: the sets are ``work.cover[1:n]`` (local masks); of set s, ``work.cards[s]`` are its cards and ``points_of(work.value[s])`` its points if it is
    not beaten. Where an assembly could be ordered, those are listed too, for `best_assembly`.
    """
    seat = view.seat
    limit = view.sizes[view.defender]
    assembly = view.orders[seat] > 0 and view.stock_size > 0 and limit >= 4
    return study(view.hand, limit, view.married[seat] != 0, view.stock_size == 0, assembly, rules, work)


@inner
def best_assembly(view: Any, rules: Any, work: Any) -> int:
    """After `study_attack`: the points of the best attack with an assembly, -1 if none can be played. Then `play_assembly` plays it."""
    work.reached[2] = best_with_assembly(view.hand, view.sizes[view.defender], rules, work)
    return points_of(work.reached[1]) if work.reached[2] >= 0 else -1


@inlined
def pass_turn(move: Any) -> bool:
    """Pass (K-24)."""
    move.cards = 0
    return True


@inlined
def play_single(card: int, order: int, move: Any) -> bool:
    """Attack with one card (an index), with an order or NO_ORDER."""
    move.cards = 1 << card
    move.order = order
    move.n_parts = 0
    return True


@inlined
def play_cover(local: int, order: int, work: Any, move: Any) -> bool:
    """Attack with one of the sets of `study_attack`, split for most points."""
    move.cards = work.cards[local]
    move.order = order
    declare(local, work, move)
    return True


@inner
def play_assembly(work: Any, move: Any) -> bool:
    """Play the attack that `best_assembly` found, with its order."""
    found = work.reached[2]
    move.order = ASSEMBLY_ORDER
    move.cards = work.found_cards[found] | work.cards[work.reached[0]]
    declare_part(ASSEMBLY, work.found_cards[found], move)
    declare(work.reached[0], work, move)
    return True


@inner
def play_dump(view: Any, order: int, move: Any) -> bool:
    """Attack with the whole hand as a dump (K-30)."""
    move.cards = view.hand
    move.dump = 1
    move.order = order
    return True


@inlined
def cheapest(cards: int, trump_cards: int) -> int:
    """Index of the lowest card that is no trump, or of the lowest trump if there is nothing else."""
    plain = cards & ~trump_cards
    return lowest(plain if plain else cards)


@inlined
def court_points(cards: int, rules: Any) -> int:
    """What J, Q, K and A among ``cards`` cost (K-42, K-50 b, K-70)."""
    return popcount(cards & COURT) * rules.points[COURT_CARD] + popcount(cards & ACES) * rules.points[ACE]


# --- defending ----------------------------------------------------------------------------------------------------------------------------


@inlined
def can_beat(view: Any) -> bool:
    """A quick look: every attacking card has some card that beats it (there may still be too few of them)."""
    if view.unbeatable:
        return False
    if is_jackpot(view, view.hand):
        return True
    rest = view.attack
    while rest:
        if beaters(lowest(rest), view.hand, view.trump, view.trump_cards) == 0:
            return False
        rest &= rest - 1
    return True


@inner
def study_defence(view: Any, rules: Any, work: Any) -> int:
    """Find every set of cards in the hand that beats the whole attack, each with one way to lay it and, if there is one, a way that earns an order.

    Returns n, 0 if the attack cannot be beaten. Set i < n: ``work.defence_cards[i]`` (mask), ``work.earning[work.defence[i]] >= 0`` if it can earn an
    order; `defence_points` values it.
    """
    work.n_defences = 0
    k = popcount(view.attack)
    if k == 1:
        if not view.unbeatable:
            _match_single(view, work)
    elif can_beat(view):
        _match_all(view, k, work)
        if work.n_defences:
            study(view.hand, k, view.married[view.seat] != 0, view.stock_size == 0, False, rules, work)
    return work.n_defences


@inlined
def _match_single(view: Any, work: Any) -> None:
    """One attacking card: every beater is a set of its own; set i has the local mask i + 1 in the lists."""
    card = lowest(view.attack)
    rest = view.hand if is_jackpot(view, view.hand) else beaters(card, view.hand, view.trump, view.trump_cards)
    n = 0
    while rest:
        beater = lowest(rest)
        rest &= rest - 1
        work.defence[n] = n + 1
        work.defence_cards[n] = 1 << beater
        work.matching[n + 1] = beater
        work.earning[n + 1] = beater if (card ^ beater) >> 2 == 0 and view.stock_size > 0 else -1
        n += 1
    work.n_defences = n


@inlined
def _match_all(view: Any, k: int, work: Any) -> None:
    """Level by level: the sets of i cards that beat the i lowest attacking cards, each reached once."""
    for local in range(1 << popcount(view.hand)):
        work.matching[local] = -1
        work.earning[local] = -1
    work.matching[0] = 0
    work.defence[0] = 0
    work.defence_cards[0] = 0
    n = 1
    rest = view.attack
    for i in range(k):
        card = lowest(rest)
        rest &= rest - 1
        able = beaters(card, view.hand, view.trump, view.trump_cards)
        for j in range(n):
            work.reached[j] = work.defence[j]
            work.plain_top[j] = work.defence_cards[j]
        old_n, n = n, 0
        for j in range(old_n):
            old = work.reached[j]
            free = able & ~work.plain_top[j]
            while free:
                beater = lowest(free)
                free &= free - 1
                new = old | 1 << popcount(view.hand & ((1 << beater) - 1))
                if work.matching[new] < 0:
                    work.matching[new] = work.matching[old] | beater << (6 * i)
                    work.defence[n] = new
                    work.defence_cards[n] = work.plain_top[j] | 1 << beater
                    n += 1
                if work.earning[new] < 0:
                    if (card ^ beater) >> 2 == 0 and view.stock_size > 0:
                        work.earning[new] = work.matching[old] | beater << (6 * i)
                    elif work.earning[old] >= 0:
                        work.earning[new] = work.earning[old] | beater << (6 * i)
    work.n_defences = n


@inlined
def defence_points(i: int, rules: Any, work: Any) -> int:
    """What beating with set i of `study_defence` costs the attacker: its best combinations and its court cards (K-42)."""
    points = court_points(work.defence_cards[i], rules)
    if popcount(work.defence_cards[i]) > 1:
        points += points_of(work.value[best_within(work.defence[i], work)])
    return points


@inlined
def beat_with(i: int, work: Any, move: Any) -> bool:
    """Beat the attack with set i of `study_defence`, split for most points, earning an order if that can be had."""
    local = work.defence[i]
    packed = work.earning[local] if work.earning[local] >= 0 else work.matching[local]
    n = popcount(work.defence_cards[i])
    move.beats = 1
    for j in range(n):
        move.beater[j] = packed >> (6 * j) & 63
    move.n_parts = 0
    if n > 1:
        declare(best_within(local, work), work, move)
    return True


@inlined
def give_up(take: int, move: Any) -> bool:
    """Do not beat (K-43); ``take`` is the attacking card taken into the hand (K-44), -1 for none."""
    move.beats = 0
    move.take = take
    return True


__all__ = [
    "NO_ORDER",
    "beat_with",
    "best_assembly",
    "can_beat",
    "cheapest",
    "court_points",
    "defence_points",
    "give_up",
    "pass_turn",
    "play_assembly",
    "play_cover",
    "play_dump",
    "play_single",
    "study_attack",
    "study_defence",
]
