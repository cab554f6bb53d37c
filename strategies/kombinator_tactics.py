"""What the players of Kombinator share: what cards cost, what an attack or a defence is worth, when a pass is wise."""

from __future__ import annotations

from typing import Any, Final

from simcore.bits import lowest, popcount
from simcore.compiled import inlined, inner
from simcore.games.kombinator.combinations import DUMP, points_of
from simcore.games.kombinator.legal import may_dump, may_order
from simcore.games.kombinator.moves import (
    beat_with,
    best_assembly,
    cheapest,
    court_points,
    defence_points,
    give_up,
    play_assembly,
    play_cover,
    play_dump,
    play_single,
    study_attack,
    study_defence,
)
from simcore.games.kombinator.splits import study
from simcore.games.kombinator.view import NO_ORDER, REINFORCED

# Ranks 0 to 8 in binary: the ranks that have each of the four digits, as masks of cards.
_ONES: Final = 0x0F0F0F0F0
_TWOS: Final = 0x0FF00FF00
_FOURS: Final = 0x0FFFF0000
_EIGHTS: Final = 0xF00000000


@inlined
def card_cost(cards: int, trump_cards: int) -> int:
    """How much is given away with ``cards``: 1 for a six up to 9 for an ace, and 9 more for a trump."""
    ranks = popcount(cards & _ONES) + 2 * popcount(cards & _TWOS) + 4 * popcount(cards & _FOURS) + 8 * popcount(cards & _EIGHTS)
    return ranks + popcount(cards) + 9 * popcount(cards & trump_cards)


@inlined
def stake(view: Any, rules: Any) -> int:
    """What the defender loses by yielding to the attack on the table (K-43, K-50 b)."""
    points = 0
    for i in range(view.attack_parts):
        points += rules.points[view.attack_kind[i]]
    if view.attack_order == REINFORCED:
        points += court_points(view.attack, rules)
    return points


@inner
def best_cover(view: Any, rules: Any, work: Any, n: int, reinforced: bool) -> int:
    """The set of `study_attack` that is worth most, of equal ones the cheapest; 0 if none is worth anything."""
    best, most, cost = 0, 0, 0
    for i in range(1, n):
        cover = work.cover[i]
        points = points_of(work.value[cover])
        if points > 0 and reinforced:
            points += court_points(work.cards[cover], rules)
        if points >= most and points > 0:
            price = card_cost(work.cards[cover], view.trump_cards)
            if points > most or price < cost:
                best, most, cost = cover, points, price
    return best


@inner
def best_in_hand(hand: int, view: Any, rules: Any, work: Any) -> int:
    """Points of the best split of a hand, whatever the defender holds."""
    best = 0
    for i in range(1, study(hand, popcount(hand), view.married[view.seat] != 0, False, False, rules, work)):
        best = max(best, points_of(work.value[work.cover[i]]))
    return best


@inner
def may_pass(view: Any, rules: Any) -> bool:
    """Whether a pass draws a card (K-24) and does not end the deal with all hands in penalty (K-71, K-72)."""
    if view.stock_size == 0 or view.sizes[view.seat] >= rules.hand_limit:
        return False
    if view.passes + 1 < view.players:
        return True
    cards = 1
    for seat in range(view.players):
        cards += view.sizes[seat]
    return view.stock_size > 1 and cards < view.players * rules.hand_limit


@inlined
def cheapest_single(view: Any, move: Any) -> bool:
    """Attack with the lowest card that is no trump, if there is one."""
    return play_single(cheapest(view.hand, view.trump_cards), NO_ORDER, move)


@inner
def most_points_with_order(view: Any, rules: Any, work: Any, move: Any, n: int) -> bool:
    """The attack worth most when an order may be used: a combination or a single card reinforced, or an assembly."""
    best = best_cover(view, rules, work, n, True)
    court = court_points(work.cards[best], rules)
    points = points_of(work.value[best]) + court
    if best_assembly(view, rules, work) > points:
        return play_assembly(work, move)
    if best:
        return play_cover(best, REINFORCED if court > 0 else NO_ORDER, work, move)
    card, most = -1, 0
    rest = view.hand
    while rest:
        gain = court_points(rest & -rest, rules)
        if gain > most:
            card, most = lowest(rest), gain
        rest &= rest - 1
    return play_single(card, REINFORCED, move) if card >= 0 else cheapest_single(view, move)


@inner
def attack_for_points(view: Any, rules: Any, work: Any, move: Any) -> bool:
    """The attack of `greedy`, which `thrifty` and `climber` fall back on."""
    n = study_attack(view, rules, work)
    if may_order(view):
        return most_points_with_order(view, rules, work, move, n)
    return most_points_without_order(view, rules, work, move, n)


@inlined
def most_points_without_order(view: Any, rules: Any, work: Any, move: Any, n: int) -> bool:
    """Most points now from the ``n`` sets of `study_attack`, keeping any order."""
    best = best_cover(view, rules, work, n, False) if n > 1 else 0
    if rules.points[DUMP] > points_of(work.value[best]) and may_dump(view):
        return play_dump(view, NO_ORDER, move)
    if best:
        return play_cover(best, NO_ORDER, work, move)
    return cheapest_single(view, move)


@inlined
def best_defence(view: Any, rules: Any, work: Any, n: int) -> int:
    """The set of `study_defence` that costs the attacker most; of equal ones one that earns an order, then the cheapest; -1 if there is none."""
    best, most = -1, 0
    for i in range(n):
        key = 2 * defence_points(i, rules, work) + (work.earning[work.defence[i]] >= 0)
        key = (key << 10) - card_cost(work.defence_cards[i], view.trump_cards)
        if best < 0 or key > most:
            best, most = i, key
    return best


@inner
def cheapest_defence(view: Any, work: Any, n: int) -> int:
    """The set of `study_defence` that gives least away, -1 if there is none."""
    best, least = -1, 0
    for i in range(n):
        cost = card_cost(work.defence_cards[i], view.trump_cards)
        if best < 0 or cost < least:
            best, least = i, cost
    return best


@inner
def defend_for_points(view: Any, rules: Any, work: Any, move: Any) -> bool:
    """The defence of `greedy`: it beats whenever it can, and never takes a card."""
    best = best_defence(view, rules, work, study_defence(view, rules, work))
    return beat_with(best, work, move) if best >= 0 else give_up(-1, move)
