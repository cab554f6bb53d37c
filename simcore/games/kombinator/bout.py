"""A bout of Kombinator: an attack or a pass, the answer to it, and the drawing after it.

`view` is the public state with the hand of the seat that is asked, `hidden` what nobody is shown. Every choice comes from a strategy through
`ask`, and is checked before it counts.
"""

from __future__ import annotations

from typing import Any

from simcore.bits import lowest, popcount
from simcore.compiled import call_decision, inlined, inner
from simcore.games.kombinator.combinations import MAX_PARTS
from simcore.games.kombinator.legal import NO_ANSWER, check_attack, check_defence, is_jackpot
from simcore.games.kombinator.rows import EV_ATTACK, EV_BEAT, EV_DRAW, EV_PASS, EV_YIELD, SCORE
from simcore.games.kombinator.scoring import (
    climb,
    marry,
    name_superblow,
    score_beaten,
    score_defence,
    score_unbeaten,
    settle,
    weaken_marriages,
)
from simcore.games.kombinator.view import INVULNERABLE, NO_ORDER, UNDECLARED
from simcore.recording import emit

ATTACK_DECISION, DEFEND_DECISION = 0, 1
PLAYING = -1  # the deal, or the game, goes on


# --- asking -------------------------------------------------------------------------------------------------------------------------------


@inlined
def ask(view: Any, rules: Any, hidden: Any, seat: int, decision: int, move: Any) -> bool:
    """Let the strategy of ``seat`` make a decision; False (and the fault noted) if its move is not legal.

    A strategy is given its own work record, so that it finds nobody else's notes; the split that is not declared is found in a record apart.
    """
    view.seat = seat
    view.hand = hidden.hands[seat]
    move.cards = 0
    move.order = NO_ORDER
    move.dump = 0
    move.beats = 0
    move.take = -1
    move.n_parts = UNDECLARED
    move.base_force = -1
    fault = NO_ANSWER
    if call_decision(hidden.decisions[2 * seat + decision], view, hidden.told, hidden.params[seat], hidden.works[seat], move):
        if move.n_parts == UNDECLARED and (move.cards or move.beats):
            call_decision(hidden.splitter, view, hidden.told, hidden.params[seat], hidden.split_work, move)
        fault = check_attack(view, rules, move) if decision == ATTACK_DECISION else check_defence(view, rules, move)
    hidden.fault = fault
    hidden.fault_seat = seat
    return fault == 0


@inlined
def after(seat: int, view: Any) -> int:
    """The next seat clockwise (K-13, K-60); a comparison is many times faster than a division."""
    return seat + 1 if seat + 1 < view.players else 0


# --- a bout -------------------------------------------------------------------------------------------------------------------------------


@inner
def play_bout(view: Any, rules: Any, hidden: Any, attack: Any, answer: Any, events: Any) -> int:
    """One attack and its defence, or a pass, and the drawing after it. Returns SCORE if the bout ended the game, else PLAYING."""
    attacker = view.attacker
    view.defender = after(attacker, view)
    if not ask(view, rules, hidden, attacker, ATTACK_DECISION, attack):
        return PLAYING
    if attack.cards == 0:
        _pass(view, rules, hidden, events)
        return PLAYING
    view.passes = 0
    _lay_attack(view, rules, hidden, attack, events)
    if not ask(view, rules, hidden, view.defender, DEFEND_DECISION, answer):
        return PLAYING
    hidden.used_kinds = 0
    if answer.beats:
        _beat(view, rules, hidden, attack, answer, events)
        view.attacker = view.defender
    else:
        _yield(view, rules, hidden, attack, answer, events)
        view.attacker = after(view.defender, view)
    view.attack = 0
    if settle(view, hidden):
        return SCORE
    draw_up(view, rules, hidden, attacker, events)
    draw_up(view, rules, hidden, view.defender, events)
    return PLAYING


@inlined
def _pass(view: Any, rules: Any, hidden: Any, events: Any) -> None:
    """K-24: the attacker draws the top card if it may; the next player attacks."""
    seat = view.attacker
    view.passes += 1
    drawn = -1
    hand = hidden.hands[seat]
    if view.stock_size > 0 and view.sizes[seat] < rules.hand_limit:
        drawn = draw_card(view, hidden, seat)
    if events is not None:
        at = emit(events, hidden, EV_PASS, seat)
        events[at, 2] = drawn
        events[at, 15] = hand
    view.attacker = view.defender


@inlined
def _lay_attack(view: Any, rules: Any, hidden: Any, move: Any, events: Any) -> None:
    """The cards of the attack go from the hand to the table; orders and credits are used (K-45, K-50)."""
    seat = view.attacker
    if move.n_parts:
        name_superblow(view, rules, move, move.cards)
        weaken_marriages(view, seat, move)
        if rules.beaten_marriage_counts:
            marry(view, seat, move)
    credit = 0
    combinations = 1 if move.dump else move.n_parts
    if combinations > 0 and view.credits[seat] > 0:
        credit = min(view.credits[seat], combinations) if rules.credit_per_combination else 1
        view.credits[seat] -= credit
    if move.order != NO_ORDER:
        view.orders[seat] -= 1
    if move.dump:
        view.dumped[seat] = 1
    _play_cards(view, hidden, seat, move.cards)
    view.attack = move.cards
    view.attack_order = move.order
    view.unbeatable = 1 if credit > 0 or move.order == INVULNERABLE else 0
    view.attack_parts = move.n_parts
    for i in range(MAX_PARTS):  # nothing is left of an earlier attack
        view.attack_kind[i] = move.kind[i] if i < move.n_parts else 0
        view.attack_cards[i] = move.part[i] if i < move.n_parts else 0
    if events is not None:
        at = emit(events, hidden, EV_ATTACK, seat)
        events[at, 2] = move.cards
        events[at, 3] = move.order
        events[at, 4] = credit
        events[at, 5] = move.dump
        _emit_parts(events, at, move)
        events[at, 15] = view.hand


@inner
def _emit_parts(events: Any, at: int, move: Any) -> None:
    """Fields 6 to 13 of an event: how many combinations, the force in a superblow, then kind and cards of each."""
    events[at, 6] = move.n_parts
    events[at, 7] = move.base_force
    for i in range(move.n_parts):
        events[at, 8 + 2 * i] = move.kind[i]
        events[at, 9 + 2 * i] = move.part[i]


@inlined
def _play_cards(view: Any, hidden: Any, seat: int, cards: int) -> None:
    hidden.hands[seat] &= ~cards
    view.known[seat] &= ~cards
    view.sizes[seat] -= popcount(cards)


@inlined
def _beat(view: Any, rules: Any, hidden: Any, attack: Any, move: Any, events: Any) -> None:
    """K-42: all cards are beaten and go to the discard pile; the defender may earn an order (K-50)."""
    seat = view.defender
    jackpot = is_jackpot(view, view.hand)
    cards = 0
    packed = 0
    earned = 0
    rest = view.attack
    for i in range(popcount(view.attack)):
        card = lowest(rest)
        rest &= rest - 1
        beater = move.beater[i]
        cards |= 1 << beater
        packed |= beater << (6 * i)
        if (card ^ beater) >> 2 == 0 and view.stock_size > 0:
            earned = 1  # a legal beater of the same rank is a trump on a card that is none
    if move.n_parts:
        name_superblow(view, rules, move, cards)
        weaken_marriages(view, seat, move)
        marry(view, seat, move)
    if events is not None:
        at = emit(events, hidden, EV_BEAT, seat)
        events[at, 2] = view.attack
        events[at, 3] = packed
        events[at, 4] = earned
        events[at, 5] = 1 if jackpot else 0
        _emit_parts(events, at, move)
        events[at, 15] = view.hand
    view.orders[seat] += earned
    score_beaten(view, rules, hidden, events, attack)
    score_defence(view, rules, hidden, events, move, cards, jackpot)
    _play_cards(view, hidden, seat, cards)
    view.discard |= view.attack | cards
    if rules.millionaire:
        climb(view, rules, hidden, events, seat, True)


@inlined
def _yield(view: Any, rules: Any, hidden: Any, attack: Any, move: Any, events: Any) -> None:
    """K-43, and K-44 where a card is taken."""
    seat = view.defender
    if events is not None:
        at = emit(events, hidden, EV_YIELD, seat)
        events[at, 2] = move.take
        events[at, 15] = view.hand
    marry(view, view.attacker, attack)
    score_unbeaten(view, rules, hidden, events, attack)
    view.discard |= view.attack
    if move.take >= 0:
        card = 1 << move.take
        view.discard &= ~card
        hidden.hands[seat] |= card
        view.known[seat] |= card
        view.sizes[seat] += 1
        view.credits[view.attacker] += 1
    if rules.millionaire:
        climb(view, rules, hidden, events, view.attacker, False)


@inlined
def draw_card(view: Any, hidden: Any, seat: int) -> int:
    """The top card of the stock goes into a hand; all have seen the turned card when it is drawn (K-0)."""
    card = hidden.deck[hidden.next_card]
    hidden.next_card += 1
    view.stock_size -= 1
    hidden.hands[seat] |= 1 << card
    view.sizes[seat] += 1
    if card == view.turned:
        view.known[seat] |= 1 << card
    return card


@inlined
def draw_up(view: Any, rules: Any, hidden: Any, seat: int, events: Any) -> None:
    """K-60: draw up to ``hand_size`` cards while the stock lasts."""
    wanted = min(rules.hand_size - view.sizes[seat], view.stock_size)
    if wanted <= 0:
        return
    if events is not None:
        at = emit(events, hidden, EV_DRAW, seat)
        events[at, 2] = hidden.next_card
        events[at, 3] = wanted
    for _ in range(wanted):
        draw_card(view, hidden, seat)
