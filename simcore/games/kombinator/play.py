"""The play of Kombinator: bout, deal, game, and batches of games. Compiled as one kernel; `play_games` is its entry.

`view` is the public state with the hand of the seat that is asked, `hidden` what nobody is shown. Every choice comes from a strategy through
`ask`, and is checked before it counts.
"""

from __future__ import annotations

from typing import Any

from simcore.bits import lowest, popcount
from simcore.chance import FIRST_DEALER, SEAT, SHUFFLE, below, open_stream, shuffle
from simcore.compiled import call_decision, inlined, inner, kernel
from simcore.games.kombinator.combinations import ITEMS, MAX_PARTS
from simcore.games.kombinator.legal import NO_ANSWER, check_attack, check_defence, is_jackpot
from simcore.games.kombinator.rows import (
    AFTER_DEALER,
    EV_ATTACK,
    EV_BEAT,
    EV_DEAL,
    EV_DEAL_END,
    EV_DRAW,
    EV_GAME_END,
    EV_PASS,
    EV_YIELD,
    GAME_OVER,
    LAST_LEADER,
    LOWEST_TRUMP,
    MAX_BOUTS,
    MAX_DEALS,
    OUT,
    PASSES,
    PASSES_FULL,
    SCORE,
    WENT_OUT,
)
from simcore.games.kombinator.scoring import (
    climb,
    marry,
    name_superblow,
    penalise,
    score_beaten,
    score_defence,
    score_unbeaten,
    settle,
    weaken_marriages,
)
from simcore.games.kombinator.view import (
    CARDS,
    INVULNERABLE,
    MEMORY,
    NO_ORDER,
    ROLES,
    UNDECLARED,
)
from simcore.recording import emit, write_cells

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


# --- a deal -------------------------------------------------------------------------------------------------------------------------------


@inner
def deal_cards(view: Any, rules: Any, hidden: Any, works: Any) -> None:
    """K-4, K-5: shuffle, deal one at a time from the player after the dealer, turn up the trump."""
    open_stream(hidden.stream, hidden.scratch, hidden.seed, hidden.game, view.deal, SHUFFLE)
    shuffle(hidden.deck, hidden.stream)
    for seat in range(view.players):
        hidden.hands[seat] = 0
        view.sizes[seat] = rules.hand_size
        view.orders[seat] = 0
        view.credits[seat] = 0
        view.dumped[seat] = 0
        view.married[seat] = 0
        view.known[seat] = 0
        hidden.deal_scores[seat] = view.scores[seat]
        open_stream(works[seat].stream, hidden.scratch, hidden.seed, hidden.game, view.deal, SEAT + seat)
        for i in range(MEMORY):
            works[seat].memory[i] = 0
    dealt = rules.hand_size * view.players
    seat = view.dealer
    for i in range(dealt):
        seat = after(seat, view)
        hidden.hands[seat] |= 1 << hidden.deck[i]
    hidden.next_card = dealt
    view.stock_size = CARDS - dealt
    view.turned = -1
    if dealt < CARDS:
        view.turned = hidden.deck[CARDS - 1]
    elif rules.trump_of_nine:
        view.turned = hidden.deck[CARDS - 1]
        view.known[seat] |= 1 << view.turned
    view.trump = view.turned & 3 if view.turned >= 0 else -1
    view.trump_cards = 0x111111111 << view.trump if view.turned >= 0 else 0
    view.discard = 0
    view.attack = 0
    view.attack_parts = 0
    view.unbeatable = 0
    view.attack_order = NO_ORDER
    view.passes = 0
    view.bout = 0


@inner
def choose_leader(view: Any, rules: Any, hidden: Any) -> None:
    """K-10 to K-12: who leads the deal, and why."""
    out = popcount(hidden.out)
    if view.deal > 1 and out == 1:
        view.leader = lowest(hidden.out)
        hidden.lead = WENT_OUT
    elif view.deal > 1 and out == 0 and rules.last_leader_leads:
        hidden.lead = LAST_LEADER
    else:
        view.leader = after(view.dealer, view)
        hidden.lead = AFTER_DEALER
        held = 0
        for seat in range(view.players):
            held |= hidden.hands[seat]
        trumps = held & view.trump_cards
        if trumps:
            shown = trumps & -trumps
            for seat in range(view.players):
                if hidden.hands[seat] & shown:
                    view.leader = seat
                    view.known[seat] |= shown
            hidden.lead = LOWEST_TRUMP
    if view.deal == 1:
        for _ in range(hidden.lead_shift):
            view.leader = after(view.leader, view)
    view.attacker = view.leader
    view.defender = after(view.leader, view)


@inlined
def deal_ending(view: Any, rules: Any) -> int:
    """K-70 to K-73: how the deal ends after this bout, PLAYING if it goes on."""
    empty = 0
    full = 0
    for seat in range(view.players):
        empty += view.sizes[seat] == 0
        full += view.sizes[seat] == rules.hand_limit
    if view.stock_size == 0:
        if empty:
            return OUT
        if view.passes >= view.players:
            return PASSES
    elif view.passes >= view.players and full == view.players:
        return PASSES_FULL
    return MAX_BOUTS if view.bout >= rules.max_bouts else PLAYING


@inner
def end_deal(view: Any, rules: Any, hidden: Any, reason: int, events: Any) -> bool:
    """Who went out, and the penalties for what is left (K-70); True if they end the game."""
    hidden.out = 0
    for seat in range(view.players):
        if reason == OUT and view.sizes[seat] == 0:
            hidden.out |= 1 << seat
        penalise(view, rules, hidden, seat)
    if events is not None:
        at = emit(events, hidden, EV_DEAL_END, reason)
        events[at, 2] = hidden.out
        for seat in range(view.players):
            events[at, 3 + seat] = hidden.loss[seat]
    return settle(view, hidden)


@inner
def play_deal(view: Any, rules: Any, hidden: Any, moves: Any, works: Any, rows: Any, events: Any) -> int:
    """One deal; writes its row. Returns SCORE if it ended the game, else PLAYING (also after a fault)."""
    view.deal += 1
    deal_cards(view, rules, hidden, works)
    choose_leader(view, rules, hidden)
    if events is not None:
        _emit_deal(view, hidden, events)
    reason = PLAYING
    result = PLAYING
    while reason == PLAYING:
        view.bout += 1
        result = play_bout(view, rules, hidden, moves[0], moves[1], events)
        if hidden.fault:
            return PLAYING
        reason = GAME_OVER if result == SCORE else deal_ending(view, rules)
    if result == SCORE:
        hidden.out = 0
    elif end_deal(view, rules, hidden, reason, events):
        result = SCORE
    if hidden.n_deals >= len(rows):
        hidden.full = 1
        return result
    row = rows[hidden.n_deals]
    hidden.n_deals += 1
    row.game = hidden.game
    row.deal = view.deal
    row.dealer = view.dealer
    row.leader = view.leader
    row.lead = hidden.lead
    row.reason = reason
    row.out = hidden.out
    row.bouts = view.bout
    for seat in range(view.players):
        row.points[seat] = view.scores[seat] - hidden.deal_scores[seat]
    return result


@inner
def _emit_deal(view: Any, hidden: Any, events: Any) -> None:
    at = emit(events, hidden, EV_DEAL, view.dealer)
    events[at, 2] = view.leader
    events[at, 3] = view.trump
    events[at, 4] = view.turned
    events[at, 5] = hidden.lead
    for i in range(CARDS):
        events[at, 6 + i // 9] |= hidden.deck[i] << (6 * (i % 9))


# --- games --------------------------------------------------------------------------------------------------------------------------------


@inner
def winners(view: Any, reason: int) -> int:
    """Mask of the seats that win (K-81 to K-83); 0 for a draw of two."""
    best = view.scores[0]
    for seat in range(1, view.players):
        best = max(best, view.scores[seat])
    mask = 0
    for seat in range(view.players):
        if view.scores[seat] == best:
            mask |= 1 << seat
    if view.players == 2 and (mask == 3 or (reason == SCORE and best <= 0)):
        return 0
    return mask


@inner
def _pay(view: Any, rules: Any, mask: int, row: Any) -> None:
    """K-91: each loser pays each winner by the last stage that the winner has passed; a draw pays nothing."""
    for winner in range(view.players):
        if mask >> winner & 1:
            prize = rules.prize[view.stages[winner]]
            for loser in range(view.players):
                if mask >> loser & 1 == 0:
                    row.payout[winner] += prize
                    row.payout[loser] -= prize


@inner
def play_game(
    view: Any, rules: Any, hidden: Any, moves: Any, works: Any, games: Any, deals: Any, tallies: Any, events: Any
) -> None:
    """One game: deals until a score runs out (K-80) or ``max_deals`` (K-83); writes its rows."""
    open_stream(hidden.stream, hidden.scratch, hidden.seed, hidden.game, 0, FIRST_DEALER)
    view.dealer = below(hidden.stream, view.players)
    view.deal = 0
    hidden.out = 0
    for seat in range(view.players):
        view.scores[seat] = rules.start_score
        view.stages[seat] = 0
    row = games[hidden.n_games]
    row.dealer = view.dealer
    result = PLAYING
    while result == PLAYING and view.deal < rules.max_deals:
        if view.deal > 0:
            view.dealer = after(view.dealer, view)
        result = play_deal(view, rules, hidden, moves, works, deals, events)
        if hidden.fault:
            return
        write_cells(hidden, view.deal, ITEMS, ROLES, tallies)
        if hidden.full:  # the rows before are those of whole games, and stay
            return
        if view.deal == 1:
            row.leader = view.leader
    reason = SCORE if result == SCORE else MAX_DEALS
    mask = winners(view, reason)
    row.game = hidden.game
    row.deals = view.deal
    row.reason = reason
    for seat in range(view.players):
        row.score[seat] = view.scores[seat]
        row.stage[seat] = view.stages[seat]
        row.share[seat] = (mask >> seat & 1) / popcount(mask) if mask else 0.5
        row.payout[seat] = 0.0
    if rules.millionaire:
        _pay(view, rules, mask, row)
    if events is not None:
        at = emit(events, hidden, EV_GAME_END, reason)
        events[at, 2] = mask
        for seat in range(view.players):
            events[at, 3 + seat] = view.stages[seat]


@kernel
def play_games(
    first: int,
    count: int,
    views: Any,
    rule_records: Any,
    hiddens: Any,
    moves: Any,
    works: Any,
    games: Any,
    deals: Any,
    tallies: Any,
    events: Any,
) -> int:
    """Play games ``first`` to ``first + count - 1`` and write their rows; returns how many were played whole.

    Stops early before a game that does not fit into the buffers any more (``hidden.full``) or in which a strategy made a fault (``hidden.fault``); the
    counts of rows in ``hidden`` are those of the whole games. views, rule_records, hiddens: records of length 1 (VIEW, RULES, HIDDEN); moves:
    MOVE[2]; works: WORK[seats], of which HIDDEN has the addresses too; games, deals, tallies: rows; events: int64[n, EVENT_WIDTH] or None.
    """
    view, rules, hidden = views[0], rule_records[0], hiddens[0]
    hidden.n_games = hidden.n_deals = hidden.n_tallies = hidden.n_events = 0
    hidden.full = hidden.fault = 0
    for i in range(count):
        n_deals, n_tallies, n_events = hidden.n_deals, hidden.n_tallies, hidden.n_events
        hidden.game = first + i
        play_game(view, rules, hidden, moves, works, games, deals, tallies, events)
        if hidden.full or hidden.fault:
            hidden.n_deals, hidden.n_tallies, hidden.n_events = n_deals, n_tallies, n_events
            return i
        hidden.n_games += 1
    return count
