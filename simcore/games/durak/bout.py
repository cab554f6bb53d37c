"""A bout of durak: the lead, the defence, the throw-ins, and what becomes of the cards on the table. Compiled into the kernel.

`view` is the public state with the hand of the seat that is asked, `hidden` what nobody is shown. Every choice comes from a strategy through `ask`, and is
checked before it counts.
"""

from __future__ import annotations

from typing import Any, Final

from simcore.bits import popcount
from simcore.compiled import call_decision, inlined, inner
from simcore.games.durak.beating import beaters, cover_all
from simcore.games.durak.legal import (
    NO_ANSWER,
    can_hang,
    check_attack,
    check_defence,
    check_throw_in,
    room_for,
    special_cards,
    throwable,
)
from simcore.games.durak.rows import EV_ATTACK, EV_BEAT, EV_BOUT_END, EV_DONE, EV_DRAW, EV_TAKE, EV_THROW_IN, HAND_FIELD, emit_cards, pack_numbers, tally
from simcore.games.durak.view import (
    ATTACK,
    BOUT_BEATEN,
    BOUT_TAKEN,
    DEALT,
    DECISIONS,
    DEFEND,
    DEFENDER,
    LEADER,
    SIMPLE,
    THROW_IN,
    THROWER,
    THROWN_IN,
)
from simcore.recording import emit

STUCK_LEAD: Final = 0  # stuck = lead (R14)


# --- asking -------------------------------------------------------------------------------------------------------------------------------


@inner
def ask(view: Any, rules: Any, hidden: Any, seat: int, decision: int, moves: Any) -> bool:
    """Let the strategy of ``seat`` make a decision; False (and the fault noted) if its move is not legal.

    Each seat has its own move, in which no other finds what was thought of, and what is only asked of others is taken out of the view.
    """
    view.seat = seat
    view.hand = hidden.hands[seat]
    view.special = special_cards(view, rules, seat)
    if decision != ATTACK:
        view.may_hang = 0
    if decision == DEFEND:
        view.room = 0
    else:
        view.may_take = view.must_cover_all = 0
    move = moves[seat]
    move.cards = 0
    move.n_pairs = 0
    fault = NO_ANSWER
    if call_decision(hidden.decisions[DECISIONS * seat + decision], view, rules, hidden.params[seat], hidden.works[seat], move):
        if decision == ATTACK:
            fault = check_attack(view, rules, move)
        elif decision == DEFEND:
            fault = check_defence(view, move)
        else:
            fault = check_throw_in(view, move)
    hidden.fault = fault
    hidden.fault_seat = seat
    return fault == 0


@inner
def next_in(seat: int, view: Any) -> int:
    """The next seat clockwise that is not out (R1)."""
    while True:
        seat = seat + 1 if seat + 1 < view.players else 0
        if view.out >> seat & 1 == 0:
            return seat


@inlined
def role_of(seat: int, view: Any) -> int:
    """What a player is in the bout."""
    return DEFENDER if seat == view.defender else LEADER if seat == view.leader else THROWER


# --- cards that move ----------------------------------------------------------------------------------------------------------------------


@inner
def play_cards(view: Any, hidden: Any, seat: int, cards: int) -> None:
    """Cards leave a hand for the table; who has none left is noted (R9)."""
    hidden.hands[seat] &= ~cards
    view.known[seat] &= ~cards
    view.sizes[seat] -= popcount(cards)
    if hidden.hands[seat] == 0:
        hidden.emptied[hidden.n_emptied] = seat
        hidden.n_emptied += 1


@inner
def lay(view: Any, hidden: Any, seat: int, cards: int) -> None:
    """Cards are laid as an attack."""
    play_cards(view, hidden, seat, cards)
    view.attacking |= cards
    view.open |= cards


@inner
def refill(view: Any, hidden: Any, seat: int, events: Any) -> None:
    """A hand is filled up to six cards, as far as the stock goes (T2)."""
    n = min(DEALT - view.sizes[seat], view.stock_size)
    if n <= 0:
        return
    if events is not None:
        at = emit(events, hidden, EV_DRAW, seat)
        events[at, 2] = n
        for i in range(n):
            pack_numbers(events, at, 3, i, hidden.deck[hidden.next_card + i])
    for _ in range(n):
        hidden.hands[seat] |= 1 << hidden.deck[hidden.next_card]
        hidden.next_card += 1
    view.sizes[seat] += n
    view.stock_size -= n
    if view.stock_size == 0:
        view.known[seat] |= 1 << view.turned


# --- the lead -----------------------------------------------------------------------------------------------------------------------------


@inner
def lead(view: Any, rules: Any, hidden: Any, moves: Any, events: Any) -> bool:
    """The opening attack (D4, R14); False where the leader cannot lead and need not, and after a fault."""
    seat = view.leader
    hand = hidden.hands[seat]
    view.attacking = view.open = view.covering = 0
    view.taking = 0
    hidden.stock_at_start = view.stock_size
    hidden.n_emptied = 0
    view.bout += 1
    view.room = room_for(view, rules, hidden)
    view.allowed = hand & ~special_cards(view, rules, seat)
    view.may_hang = can_hang(hand, view, rules, seat)
    if view.allowed == 0 and view.may_hang == 0:
        if rules.stuck != STUCK_LEAD:
            view.bout -= 1
            return False
        view.allowed = hand
    if not ask(view, rules, hidden, seat, ATTACK, moves):
        return False
    cards = moves[seat].cards
    hidden.hanging = view.may_hang and cards == hand
    if events is not None:
        emit_cards(events, hidden, EV_ATTACK, seat, cards)
    lay(view, hidden, seat, cards)
    hidden.turn = seat
    hidden.declined = 0
    return True


# --- the defence --------------------------------------------------------------------------------------------------------------------------


@inner
def can_cover(view: Any, usable: int) -> bool:
    """Whether one of the open cards can be covered."""
    cards = view.open & ~view.special
    while cards:
        bit = cards & -cards
        cards &= cards - 1
        if usable & beaters(popcount(bit - 1), view):
            return True
    return False


@inner
def defend(view: Any, rules: Any, hidden: Any, moves: Any, events: Any) -> bool:
    """The defender covers open cards, or takes (D10, R6, R16); False after a fault. Who has no choice is not asked."""
    seat = view.defender
    view.special = special_cards(view, rules, seat)
    usable = hidden.hands[seat] & ~view.special
    view.must_cover_all = rules.variant == SIMPLE or not rules.partial_beat or not rules.may_take_voluntarily
    if view.must_cover_all:
        possible = view.open & view.special == 0 and cover_all(view.open, usable, view, moves[view.players])
    else:
        possible = can_cover(view, usable)
    view.may_take = rules.may_take_voluntarily or not possible
    view.allowed = usable
    if not possible:
        take(view, hidden, seat, events)
        return True
    if not ask(view, rules, hidden, seat, DEFEND, moves):
        return False
    if moves[seat].n_pairs == 0:
        take(view, hidden, seat, events)
    else:
        beat(view, hidden, seat, moves[seat], events)
    return True


@inner
def take(view: Any, hidden: Any, seat: int, events: Any) -> None:
    """The defender says that it takes."""
    view.taking = 1
    if events is not None:
        emit_cards(events, hidden, EV_TAKE, seat, 0)


@inner
def beat(view: Any, hidden: Any, seat: int, move: Any, events: Any) -> None:
    """Open cards are covered."""
    if events is not None:
        at = emit(events, hidden, EV_BEAT, seat)
        events[at, 2] = move.n_pairs
        events[at, HAND_FIELD] = hidden.hands[seat]
        for i in range(move.n_pairs):
            pack_numbers(events, at, 3, 2 * i, move.attacking[i])
            pack_numbers(events, at, 3, 2 * i + 1, move.covering[i])
    cards = 0
    for i in range(move.n_pairs):
        view.open &= ~(1 << move.attacking[i])
        cards |= 1 << move.covering[i]
    view.covering |= cards
    play_cards(view, hidden, seat, cards)


# --- throw-ins ----------------------------------------------------------------------------------------------------------------------------


@inner
def throw_in(view: Any, rules: Any, hidden: Any, moves: Any, events: Any) -> bool:
    """The attackers are asked in turn whether they throw cards in (R4); False when nobody does or may, and after a fault."""
    attackers = view.players - popcount(view.out) - 1
    while hidden.declined < attackers:
        seat = hidden.turn
        view.room = room_for(view, rules, hidden)
        if view.room <= 0:
            return False
        if not rules.throw_after_leader_out and view.stock_size == 0 and view.sizes[view.leader] == 0:
            return False  # D16
        view.allowed = throwable(hidden.hands[seat], view, rules, seat)
        if view.allowed:
            if not ask(view, rules, hidden, seat, THROW_IN, moves):
                return False
            cards = moves[seat].cards
            if cards:
                if events is not None:
                    emit_cards(events, hidden, EV_THROW_IN, seat, cards)
                tally(hidden, seat, THROWN_IN, role_of(seat, view), popcount(cards), 0)
                lay(view, hidden, seat, cards)
                hidden.declined = 0
                return True
            if events is not None:
                emit_cards(events, hidden, EV_DONE, seat, 0)
        hidden.declined += 1
        hidden.turn = next_in(seat, view)
        if hidden.turn == view.defender:
            hidden.turn = next_in(hidden.turn, view)
    return False


# --- a bout -------------------------------------------------------------------------------------------------------------------------------


@inner
def play_bout(view: Any, rules: Any, hidden: Any, moves: Any, events: Any) -> bool:
    """A bout until nobody lays a card any more (R3); False where it was not led, and after a fault."""
    if not lead(view, rules, hidden, moves, events):
        return False
    while True:
        while view.open and not view.taking:
            if not defend(view, rules, hidden, moves, events):
                return False
        if rules.variant == SIMPLE or not throw_in(view, rules, hidden, moves, events):
            return hidden.fault == 0


@inner
def end_bout(view: Any, rules: Any, hidden: Any, events: Any) -> None:
    """The table is cleared, hands are filled up (D18), and who has no card left is out (R9)."""
    table = view.attacking | view.covering
    seat = view.defender
    if events is not None:
        emit_cards(events, hidden, EV_BOUT_END, 0 if view.taking else 1, table)
    if view.taking:
        hidden.hands[seat] |= table
        view.known[seat] |= table
        view.sizes[seat] += popcount(table)
        tally(hidden, seat, BOUT_TAKEN, DEFENDER, 1, 0)
    else:
        view.discarded |= table
        hidden.beaten += 1
        tally(hidden, seat, BOUT_BEATEN, DEFENDER, 1, 0)
    if view.stock_size > 0:
        drawing = view.leader
        for _ in range(view.players - popcount(view.out)):
            if drawing != view.defender:
                refill(view, hidden, drawing, events)
            drawing = next_in(drawing, view)
        refill(view, hidden, view.defender, events)
    if view.stock_size == 0:
        for i in range(hidden.n_emptied):
            seat = hidden.emptied[i]
            if hidden.hands[seat] == 0:
                if hidden.n_out == 0:
                    hidden.first_out_role = role_of(seat, view)
                hidden.out[hidden.n_out] = seat
                hidden.n_out += 1
                view.out |= 1 << seat
