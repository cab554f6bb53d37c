"""A choice that is uniform over everything legal: cards, declared split, order; matching, and the split of the beating cards.

Choices are counted, not listed: a hand may have a great many. ``work.ways[s]`` is the number of ways to divide cover s into combinations.
"""

from __future__ import annotations

from typing import Any

from simcore.bits import lowest, popcount
from simcore.chance import below
from simcore.compiled import inlined, inner
from simcore.games.kombinator.combinations import ASSEMBLY, MARRIAGE, find
from simcore.games.kombinator.legal import beaters, is_jackpot, may_dump, may_order, may_take
from simcore.games.kombinator.moves import can_beat, give_up, pass_turn, play_dump
from simcore.games.kombinator.splits import declare_part
from simcore.games.kombinator.view import ASSEMBLY_ORDER


@inner
def count_splits(hand: int, limit: int, married: bool, assembly: bool, rules: Any, work: Any) -> None:
    """Find all covers of at most ``limit`` cards and count the ways to divide each (K-21, K-31).

    Fills ``work.cover``, ``work.cards`` and ``work.ways``; ``work.ways_with[s]`` counts only the divisions with a marriage where at most one is legal.
    """
    for i in range(work.n_covers):
        work.top[work.cover[i]] = -1
    find(hand, assembly, work)
    work.n_covers = 1
    work.cover[0] = 0
    work.cards[0] = 0
    work.ways[0] = 1
    work.ways_with[0] = 0
    for found in range(work.n_found if rules.repeat_marriage else work.n_plain):
        for i in range(work.n_covers):
            old = work.cover[i]
            if _joins(old, found, limit, work):
                _count(old, found, work)
                work.ways[old | work.found_local[found]] += work.ways[old]
    if not rules.repeat_marriage and not married:
        plain = work.n_covers
        for found in range(work.n_plain, work.n_found):
            for i in range(plain):
                old = work.cover[i]
                if _joins(old, found, limit, work):
                    _count(old, found, work)
                    work.ways_with[old | work.found_local[found]] += work.ways[old]


@inlined
def _joins(old: int, found: int, limit: int, work: Any) -> bool:
    local = work.found_local[found]
    return old & local == 0 and popcount(old | local) <= limit


@inlined
def _count(old: int, found: int, work: Any) -> None:
    """Enter the union of a cover and a combination among the covers if it is new."""
    new = old | work.found_local[found]
    if work.top[new] < 0:
        work.top[new] = found
        work.cover[work.n_covers] = new
        work.n_covers += 1
        work.cards[new] = work.cards[old] | work.found_cards[found]
        work.ways[new] = 0
        work.ways_with[new] = 0


@inner
def declare_at_random(local: int, married: bool, rules: Any, work: Any, move: Any) -> None:
    """Declare one of the divisions of a cover, each equally likely."""
    if move.n_parts < 0:
        move.n_parts = 0
    last = work.n_found if rules.repeat_marriage else work.n_plain
    pick = below(work.stream, work.ways[local] + work.ways_with[local])
    if pick >= work.ways[local]:
        pick -= work.ways[local]
        for found in range(work.n_plain, work.n_found):
            marriage = work.found_local[found]
            if marriage & ~local == 0:
                ways = _plain_ways(local & ~marriage, work)
                if pick < ways:
                    declare_part(MARRIAGE, work.found_cards[found], move)
                    local &= ~marriage
                    break
                pick -= ways
    while local:
        first = local & -local
        for found in range(last):
            part = work.found_local[found]
            if part & first and part & ~local == 0:
                ways = _plain_ways(local & ~part, work)
                if pick < ways:
                    declare_part(work.found_kind[found], work.found_cards[found], move)
                    local &= ~part
                    break
                pick -= ways


@inlined
def _plain_ways(local: int, work: Any) -> int:
    """Ways to divide any set, 0 if it is no cover."""
    return work.ways[local] if local == 0 or work.top[local] >= 0 else 0


@inner
def _rests(rest: int, least: int, most: int) -> int:
    """How many subsets of ``rest`` cards have from ``least`` to ``most`` cards."""
    total = 0
    ways = 1
    for size in range(0, min(rest, most) + 1):
        if size >= least:
            total += ways
        ways = ways * (rest - size) // (size + 1)
    return total


@inner
def _loose_at_random(rest: int, least: int, most: int, work: Any) -> int:
    """A random one of the subsets that `_rests` counts: each card is tried in turn, by the share of subsets that have it."""
    chosen = 0
    left = popcount(rest)
    while rest:
        card = rest & -rest
        rest ^= card
        left -= 1
        having = _rests(left, least - 1, most - 1) if most > 0 else 0
        if below(work.stream, having + _rests(left, least, most)) < having:
            chosen |= card
            least -= 1
            most -= 1
    return chosen


@inner
def attack_at_random(view: Any, rules: Any, work: Any, move: Any) -> bool:
    """Any legal attack, or a pass, each equally likely (K-20 to K-24, K-50)."""
    seat = view.seat
    held = popcount(view.hand)
    limit = min(view.sizes[view.defender], held)
    married = view.married[seat] != 0
    ordered = may_order(view)
    orders = 3 if ordered else 1
    count_splits(view.hand, limit, married, ordered and limit >= 4, rules, work)
    single = held * orders
    dumps = orders if may_dump(view) else 0
    pick = below(work.stream, 1 + single + dumps + _count_covers(held, limit, orders, ordered, rules, work))
    if pick == 0:
        return pass_turn(move)
    pick -= 1
    if pick < single + dumps:
        order = pick % orders
        if pick >= single:
            return play_dump(view, order, move)
        rest = view.hand
        for _ in range(pick // orders):
            rest &= rest - 1
        move.cards = rest & -rest
        move.order = order
        move.n_parts = 0
        return True
    _play_cover(pick - single - dumps, view, held, limit, orders, ordered, rules, work, move)
    return True


@inlined
def _weight(cover: int, held: int, limit: int, rules: Any, work: Any) -> int:
    """Attacks with just the combinations of ``cover``: its divisions, times the choices of loose cards where these are allowed."""
    size = popcount(cover)
    ways = work.ways[cover] + work.ways_with[cover]
    if rules.loose_cards:
        return ways * _rests(held - size, max(0, 2 - size), limit - size)
    return ways if size else 0


@inlined
def _assembly_weight(cover: int, found: int, held: int, limit: int, rules: Any, work: Any) -> int:
    """Attacks with an assembly beside the combinations of ``cover``."""
    size = popcount(cover) + 4
    if cover & work.found_local[found] or size > limit:
        return 0
    ways = work.ways[cover] + work.ways_with[cover]
    return ways * (_rests(held - size, 0, limit - size) if rules.loose_cards else 1)


@inner
def _count_covers(held: int, limit: int, orders: int, ordered: bool, rules: Any, work: Any) -> int:
    total = 0
    for i in range(work.n_covers):
        total += orders * _weight(work.cover[i], held, limit, rules, work)
        if ordered:
            for found in range(work.n_found, work.n_with_assemblies):
                total += _assembly_weight(work.cover[i], found, held, limit, rules, work)
    return total


@inner
def _play_cover(pick: int, view: Any, held: int, limit: int, orders: int, ordered: bool, rules: Any, work: Any, move: Any) -> None:
    """The attack number ``pick`` of those that `_count_covers` counts (which one of a group is drawn anew)."""
    for i in range(work.n_covers):
        cover = work.cover[i]
        weight = orders * _weight(cover, held, limit, rules, work)
        if pick < weight:
            move.order = pick % orders
            size = popcount(cover)
            _fill_attack(cover, work.cards[cover], max(0, 2 - size), limit - size, view, rules, work, move)
            return
        pick -= weight
        if ordered:
            for found in range(work.n_found, work.n_with_assemblies):
                weight = _assembly_weight(cover, found, held, limit, rules, work)
                if pick < weight:
                    move.order = ASSEMBLY_ORDER
                    declare_part(ASSEMBLY, work.found_cards[found], move)
                    cards = work.cards[cover] | work.found_cards[found]
                    _fill_attack(cover, cards, 0, limit - popcount(cards), view, rules, work, move)
                    return
                pick -= weight


@inner
def _fill_attack(cover: int, cards: int, least: int, most: int, view: Any, rules: Any, work: Any, move: Any) -> None:
    if rules.loose_cards:
        cards |= _loose_at_random(view.hand & ~cards, least, most, work)
    move.cards = cards
    declare_at_random(cover, view.married[view.seat] != 0, rules, work, move)


@inner
def defend_at_random(view: Any, rules: Any, work: Any, move: Any) -> bool:
    """Any legal defence, each equally likely: yield, yield and take a card, or beat by any matching and split (K-40 to K-44)."""
    k = popcount(view.attack)
    yields = 1 + (k if may_take(view, rules) else 0)
    total = yields
    if can_beat(view):
        total += _count_defences(view, k, rules, work)
    pick = below(work.stream, total)
    if pick == 0:
        return give_up(-1, move)
    if pick < yields:
        rest = view.attack
        for _ in range(pick - 1):
            rest &= rest - 1
        return give_up(lowest(rest), move)
    _beat_at_random(pick - yields, view, k, rules, work, move)
    return True


@inner
def _count_defences(view: Any, k: int, rules: Any, work: Any) -> int:
    """Matchings times splits, over all sets of k cards; by set in ``work.defence_cards`` (matchings) and ``work.plain_value`` (splits).

    ``work.matching[s]`` counts, for any set s of i cards, the ways in which it beats the i lowest attacking cards.
    """
    count_splits(view.hand, k, view.married[view.seat] != 0, False, rules, work)
    held = popcount(view.hand)
    everything = 1 << held
    for local in range(everything):
        work.matching[local] = 0
    work.matching[0] = 1
    rest = view.attack
    for i in range(k):
        able = _local(_able(lowest(rest), view), view.hand)
        rest &= rest - 1
        for local in range(everything):
            if popcount(local) == i and work.matching[local]:
                free = able & ~local
                while free:
                    work.matching[local | free & -free] += work.matching[local]
                    free &= free - 1
    total = 0
    for local in range(everything):
        if popcount(local) == k and work.matching[local]:
            splits = 0
            for i in range(work.n_covers):
                cover = work.cover[i]
                if cover & ~local == 0:
                    splits += work.ways[cover] + work.ways_with[cover]
            work.plain_value[local] = splits
            total += work.matching[local] * splits
    return total


@inner
def _able(card: int, view: Any) -> int:
    return view.hand if is_jackpot(view, view.hand) else beaters(card, view.hand, view.trump, view.trump_cards)


@inner
def _local(cards: int, hand: int) -> int:
    local = 0
    while cards:
        local |= 1 << popcount(hand & ((cards & -cards) - 1))
        cards &= cards - 1
    return local


@inner
def _beat_at_random(pick: int, view: Any, k: int, rules: Any, work: Any, move: Any) -> None:
    chosen = 0
    for local in range(1 << popcount(view.hand)):
        if popcount(local) == k and work.matching[local]:
            weight = work.matching[local] * work.plain_value[local]
            if pick < weight:
                chosen = local
                break
            pick -= weight
    move.beats = 1
    _lay_at_random(chosen, view, k, work, move)
    move.n_parts = 0
    pick = below(work.stream, work.plain_value[chosen])
    for i in range(work.n_covers):
        cover = work.cover[i]
        if cover & ~chosen == 0:
            ways = work.ways[cover] + work.ways_with[cover]
            if pick < ways:
                declare_at_random(cover, view.married[view.seat] != 0, rules, work, move)
                return
            pick -= ways


@inner
def _lay_at_random(local: int, view: Any, k: int, work: Any, move: Any) -> None:
    """One of the ways to lay a set, from the highest attacking card down: the last card is chosen by the ways that the others leave."""
    attack = view.attack
    for i in range(k - 1, -1, -1):
        card = _highest(attack)
        attack &= ~(1 << card)
        able = _able(card, view)
        pick = below(work.stream, work.matching[local])
        free = able
        while free:
            beater = lowest(free)
            free &= free - 1
            bit = 1 << popcount(view.hand & ((1 << beater) - 1))
            if local & bit:
                ways = work.matching[local ^ bit]
                if pick < ways:
                    move.beater[i] = beater
                    local ^= bit
                    break
                pick -= ways


@inner
def _highest(cards: int) -> int:
    while cards & (cards - 1):
        cards &= cards - 1
    return lowest(cards)
