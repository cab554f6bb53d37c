"""What strategies build their moves with. Every function that makes a decision returns True, so a strategy ends with ``return ...(move)``.

Two decisions make a turn. ``discard``: `put_aside` some cards of the hand. ``take``: `take` cards of the open pile and of the packet; as many more as
``view.wanted`` still asks for come from the stock. `at_random_discard` and `at_random_take` choose uniformly among everything legal.
"""

from __future__ import annotations

from typing import Any

from simcore.bits import lowest, popcount
from simcore.chance import below
from simcore.compiled import inner
from simcore.games.seven_card_combo.legal import may_take_pile, needs_reshuffle, offered, top_of_pile

# --- making a move ------------------------------------------------------------------------------------------------------------------------


@inner
def put_aside(cards: int, move: Any) -> bool:
    """Put some cards (a mask) aside, in the order of their numbers; 0 to keep all (S7, S10)."""
    n = 0
    while cards:
        move.discards[n] = lowest(cards)
        cards &= cards - 1
        n += 1
    move.n_discards = n
    return True


@inner
def take(from_pile: int, from_packet: int, move: Any) -> bool:
    """Take these cards (masks) of the open pile and of the packet, and the rest from the stock (S8)."""
    move.from_pile = from_pile
    move.from_packet = from_packet
    return True


@inner
def take_all_of(wanted: int, view: Any, rules: Any, move: Any) -> bool:
    """Take what there is of some cards (a mask) in the packet and then on the pile, as far as the pile offers them, and the rest from the stock."""
    from_packet = from_pile = 0
    there = view.packet & wanted
    for _ in range(view.wanted):
        if there == 0:
            there = offered(view, rules, from_pile) & wanted
        if there == 0:
            break
        card = there & -there
        there &= there - 1
        from_packet |= card & view.packet
        from_pile |= card & view.pile_cards
        there &= view.packet
    return take(from_pile, from_packet, move)


# --- any legal move -----------------------------------------------------------------------------------------------------------------------


@inner
def at_random_discard(view: Any, work: Any, move: Any) -> bool:
    """Any set of cards of the hand, each equally likely, put aside in any order, each equally likely."""
    chosen = below(work.stream, 1 << popcount(view.hand))
    n = 0
    rest = view.hand
    while rest:
        if chosen & 1:
            place = below(work.stream, n + 1)
            move.discards[n] = move.discards[place]
            move.discards[place] = lowest(rest)
            n += 1
        chosen >>= 1
        rest &= rest - 1
    move.n_discards = n
    return True


@inner
def at_random_take(view: Any, rules: Any, work: Any, move: Any) -> bool:
    """Any legal choice of cards from pile and packet, each equally likely."""
    total = 0
    for of_pile in range(_most_of_pile(view, rules) + 1):
        for of_packet in range(min(view.packet_size, view.wanted - of_pile) + 1):
            total += _ways(view, rules, of_pile, of_packet)
    chosen = below(work.stream, total)
    for of_pile in range(_most_of_pile(view, rules) + 1):
        for of_packet in range(min(view.packet_size, view.wanted - of_pile) + 1):
            chosen -= _ways(view, rules, of_pile, of_packet)
            if chosen < 0:
                from_pile = top_of_pile(view, of_pile)
                if rules.any_of_pile and not needs_reshuffle(view, of_pile + of_packet):
                    from_pile = _some_of(view.pile_cards, of_pile, work)
                return take(from_pile, _some_of(view.packet, of_packet, work), move)
    return False


@inner
def _most_of_pile(view: Any, rules: Any) -> int:
    return min(view.pile_size, view.wanted) if may_take_pile(view, rules) else 0


@inner
def _ways(view: Any, rules: Any, of_pile: int, of_packet: int) -> int:
    """In how many ways so many cards may be taken from pile and packet (S8, SA9, SA13)."""
    reshuffled = needs_reshuffle(view, of_pile + of_packet)
    if reshuffled and of_pile > 1:
        return 0
    of_packet_ways = _choose(view.packet_size, of_packet)
    return of_packet_ways * _choose(view.pile_size, of_pile) if rules.any_of_pile and not reshuffled else of_packet_ways


@inner
def _choose(n: int, k: int) -> int:
    """The binomial coefficient."""
    ways = 1
    for i in range(k):
        ways = ways * (n - i) // (i + 1)
    return ways


@inner
def _some_of(cards: int, count: int, work: Any) -> int:
    """``count`` of some cards (masks), each set equally likely."""
    left = popcount(cards)
    chosen = 0
    while count:
        if below(work.stream, left) < count:
            chosen |= cards & -cards
            count -= 1
        cards &= cards - 1
        left -= 1
    return chosen


__all__ = [
    "at_random_discard",
    "at_random_take",
    "may_take_pile",
    "needs_reshuffle",
    "offered",
    "put_aside",
    "take",
    "take_all_of",
]
