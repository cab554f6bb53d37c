"""The play of gin rummy: turn, deal, game, and batches of games. Compiled as one kernel; `play_games` is its entry.

`view` is the public state with the hand of the seat that is asked, `hidden` what nobody is shown. Every choice comes from a strategy through
`ask`, and is checked before it counts.
"""

from __future__ import annotations

from typing import Any

from simcore.chance import FIRST_DEALER, SEAT, SHUFFLE, below, open_stream, shuffle
from simcore.compiled import call_decision, inlined, inner, kernel
from simcore.games.gin_rummy.combinations import CARDS, HAND, ITEMS, NO_CARD
from simcore.games.gin_rummy.legal import NO_ANSWER, check_discard, check_draw, last_discard_helps
from simcore.games.gin_rummy.rows import (
    EV_DEAL,
    EV_DEAL_END,
    EV_DISCARD,
    EV_DRAW,
    EV_GAME_END,
    EV_REFUSE,
    MAX_DEALS,
    MAX_TURNS,
    SCORE,
    STOCK,
)
from simcore.games.gin_rummy.scoring import settle, show_down
from simcore.games.gin_rummy.view import FIRST_OFFER, LAST_DISCARD, MEMORY, PLAYERS, ROLES, SECOND_OFFER, TURN
from simcore.recording import emit, write_cells

DRAW_DECISION, DISCARD_DECISION = 0, 1
PLAYING = -1  # the deal, or the game, goes on
LEFT_IN_STOCK = 2  # cards that nobody may draw (G17)


# --- asking -------------------------------------------------------------------------------------------------------------------------------


@inner
def ask(view: Any, rules: Any, hidden: Any, seat: int, decision: int, move: Any) -> bool:
    """Let the strategy of ``seat`` make a decision; False (and the fault noted) if its move is not legal."""
    view.seat = seat
    view.hand = hidden.hands[seat]
    move.take = 0
    move.discard = NO_CARD
    move.knock = 0
    fault = NO_ANSWER
    if call_decision(hidden.decisions[2 * seat + decision], view, hidden.told, hidden.params[seat], hidden.works[seat], move):
        fault = check_draw(view, move) if decision == DRAW_DECISION else check_discard(view, rules, move)
    hidden.fault = fault
    hidden.fault_seat = seat
    return fault == 0


# --- a turn -------------------------------------------------------------------------------------------------------------------------------


@inlined
def draw(view: Any, hidden: Any, seat: int, from_pile: bool, events: Any) -> None:
    """The top card of the pile or of the stock goes into a hand; a card of the pile is seen by both (G5)."""
    view.turn += 1
    if from_pile:
        card = view.top
        hidden.pile_size -= 1
        view.top = hidden.under[hidden.pile_size - 1] if hidden.pile_size > 0 else NO_CARD
        view.pile &= ~(1 << card)
        view.took[seat] |= 1 << card
        view.taken = card
    else:
        card = hidden.deck[hidden.next_card]
        hidden.next_card += 1
        view.stock_size -= 1
        view.taken = NO_CARD
    view.drawn = card
    if events is not None:
        at = emit(events, hidden, EV_DRAW, seat)
        events[at, 2] = card
        events[at, 3] = 1 if from_pile else 0
        events[at, 15] = hidden.hands[seat]
    hidden.hands[seat] |= 1 << card


@inner
def finish_turn(view: Any, rules: Any, hidden: Any, seat: int, move: Any, events: Any) -> int:
    """The discard of a turn, or the knock; returns how the deal ended, PLAYING if it goes on (also after a fault)."""
    if not ask(view, rules, hidden, seat, DISCARD_DECISION, move):
        return PLAYING
    card = move.discard
    hand = view.hand & ~(1 << card) if card >= 0 else view.hand
    if move.knock:
        return show_down(view, rules, hidden, seat, hand, card, events)
    if events is not None:
        at = emit(events, hidden, EV_DISCARD, seat)
        events[at, 2] = card
        events[at, 15] = view.hand
    hidden.hands[seat] = hand
    hidden.under[hidden.pile_size] = card
    hidden.pile_size += 1
    view.top = card
    view.pile |= 1 << card
    view.took[seat] &= ~(1 << card)
    view.threw[seat] |= 1 << card
    return PLAYING


@inner
def offer(view: Any, rules: Any, hidden: Any, move: Any, events: Any) -> int:
    """The up-card is offered to the non-dealer, then to the dealer (G4); returns who takes it, -1 if nobody does (or after a fault)."""
    for i in range(PLAYERS):
        seat = (view.dealer + 1 + i) & 1
        view.phase = FIRST_OFFER if i == 0 else SECOND_OFFER
        if not ask(view, rules, hidden, seat, DRAW_DECISION, move):
            return -1
        if move.take:
            return seat
        view.refused = view.top
        if events is not None:
            at = emit(events, hidden, EV_REFUSE, seat)
            events[at, 15] = view.hand
    return -1


# --- a deal -------------------------------------------------------------------------------------------------------------------------------


@inner
def deal_cards(view: Any, hidden: Any, works: Any) -> None:
    """G3: deal ten cards of the deck each, one at a time, and turn up the next one."""
    for seat in range(PLAYERS):
        open_stream(works[seat].stream, hidden.scratch, hidden.seed, hidden.game, view.deal, SEAT + seat)
        for i in range(MEMORY):
            works[seat].memory[i] = 0
        view.took[seat] = 0
        view.threw[seat] = 0
        hidden.deal_scores[seat] = view.scores[seat]
        hidden.hands[seat] = 0
    for i in range(HAND):
        hidden.hands[hidden.first] |= 1 << hidden.deck[2 * i]
        hidden.hands[1 - hidden.first] |= 1 << hidden.deck[2 * i + 1]
    view.top = hidden.deck[2 * HAND]
    hidden.under[0] = view.top
    hidden.pile_size = 1
    view.pile = 1 << view.top
    hidden.next_card = 2 * HAND + 1
    view.stock_size = CARDS - 2 * HAND - 1
    view.drawn = NO_CARD
    view.taken = NO_CARD
    view.refused = NO_CARD
    view.turn = 0


@inner
def play_turns(view: Any, rules: Any, hidden: Any, move: Any, events: Any) -> int:
    """The turns of a deal; returns how it ended, PLAYING after a fault."""
    seat = offer(view, rules, hidden, move, events)
    if hidden.fault:
        return PLAYING
    from_pile = seat >= 0
    if not from_pile:
        seat = 1 - view.dealer  # GA1: who was offered the card first draws from the stock
    view.phase = TURN
    while True:
        draw(view, hidden, seat, from_pile, events)
        reason = finish_turn(view, rules, hidden, seat, move, events)
        if reason != PLAYING or hidden.fault:
            return reason
        seat = 1 - seat
        if view.stock_size == LEFT_IN_STOCK:
            return play_last_discard(view, rules, hidden, seat, move, events) if rules.fiftieth_card else STOCK
        if view.turn >= rules.max_turns_per_deal:
            return MAX_TURNS
        if not ask(view, rules, hidden, seat, DRAW_DECISION, move):
            return PLAYING
        from_pile = move.take == 1


@inner
def play_last_discard(view: Any, rules: Any, hidden: Any, seat: int, move: Any, events: Any) -> int:
    """GA4, `fiftieth_card`: whoever can knock with the last discard may take it, and then must knock."""
    if not last_discard_helps(hidden.hands[seat], view.top, rules):
        return STOCK
    view.phase = LAST_DISCARD
    if not ask(view, rules, hidden, seat, DRAW_DECISION, move):
        return PLAYING
    if not move.take:
        return STOCK
    draw(view, hidden, seat, True, events)
    return finish_turn(view, rules, hidden, seat, move, events)


@inner
def play_deal(view: Any, rules: Any, hidden: Any, move: Any, works: Any, rows: Any, events: Any) -> int:
    """One deal from the deck as it lies; writes its row. Returns SCORE if it ended the game, else PLAYING (also after a fault)."""
    deal_cards(view, hidden, works)
    if events is not None:
        _emit_deal(view, hidden, events)
    hidden.winner = -1
    reason = play_turns(view, rules, hidden, move, events)
    if hidden.fault:
        return PLAYING
    if events is not None:
        at = emit(events, hidden, EV_DEAL_END, reason)
        events[at, 2] = hidden.winner
    result = PLAYING
    if hidden.winner >= 0 and view.scores[hidden.winner] >= rules.target:
        settle(view, rules, hidden, hidden.winner, events)
        result = SCORE
    if hidden.n_deals >= len(rows):
        hidden.full = 1
        return result
    row = rows[hidden.n_deals]
    hidden.n_deals += 1
    row.game = hidden.game
    row.deal = view.deal
    row.dealer = view.dealer
    row.leader = 1 - view.dealer
    row.reason = reason
    row.winner = hidden.winner
    row.turns = view.turn
    for seat in range(PLAYERS):
        row.points[seat] = view.scores[seat] - hidden.deal_scores[seat]
    return result


@inner
def _emit_deal(view: Any, hidden: Any, events: Any) -> None:
    at = emit(events, hidden, EV_DEAL, view.dealer)
    events[at, 2] = hidden.first
    for i in range(CARDS):
        events[at, 6 + i // 9] |= hidden.deck[i] << (6 * (i % 9))


# --- games --------------------------------------------------------------------------------------------------------------------------------


@inner
def play_game(view: Any, rules: Any, hidden: Any, move: Any, works: Any, games: Any, deals: Any, tallies: Any, events: Any) -> None:
    """One game: deals until a score reaches the target (G16) or ``max_deals``; writes its rows."""
    open_stream(hidden.stream, hidden.scratch, hidden.seed, hidden.game, 0, FIRST_DEALER)
    hidden.first = 1 - below(hidden.stream, PLAYERS)
    view.dealer = hidden.first if hidden.lead_shift else 1 - hidden.first
    view.deal = 0
    for seat in range(PLAYERS):
        view.scores[seat] = 0
        view.boxes[seat] = 0
    row = games[hidden.n_games]
    row.dealer = view.dealer
    row.leader = 1 - view.dealer
    result = PLAYING
    while result == PLAYING and view.deal < rules.max_deals:
        if view.deal > 0:
            if hidden.winner >= 0:
                view.dealer = hidden.winner  # G2, GA6
            elif not rules.same_redealer:
                view.dealer = 1 - view.dealer  # GA5
            hidden.first = 1 - view.dealer
        view.deal += 1
        open_stream(hidden.stream, hidden.scratch, hidden.seed, hidden.game, view.deal, SHUFFLE)
        shuffle(hidden.deck, hidden.stream)
        result = play_deal(view, rules, hidden, move, works, deals, events)
        if hidden.fault:
            return
        write_cells(hidden, view.deal, ITEMS, ROLES, tallies)
        if hidden.full:  # the rows before are those of whole games, and stay
            return
    row.game = hidden.game
    row.deals = view.deal
    row.reason = SCORE if result == SCORE else MAX_DEALS
    ahead = view.scores[0] - view.scores[1]
    if result == SCORE:
        ahead = 1 - 2 * hidden.winner
    for seat in range(PLAYERS):
        row.score[seat] = view.scores[seat]
        row.boxes[seat] = view.boxes[seat]
        row.share[seat] = 0.5 if ahead == 0 else (ahead > 0) == (seat == 0)
    if events is not None:
        at = emit(events, hidden, EV_GAME_END, row.reason)
        events[at, 2] = 3 if ahead == 0 else 1 if ahead > 0 else 2
        for seat in range(PLAYERS):
            events[at, 3 + seat] = view.boxes[seat]


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
    counts of rows in ``hidden`` are those of the whole games. views, rule_records, hiddens, moves: records of length 1 (VIEW, RULES, HIDDEN, MOVE);
    works: WORK[seats], of which HIDDEN has the addresses too; games, deals, tallies: rows; events: int64[n, EVENT_WIDTH] or None.
    """
    view, rules, hidden = views[0], rule_records[0], hiddens[0]
    hidden.n_games = hidden.n_deals = hidden.n_tallies = hidden.n_events = 0
    hidden.full = hidden.fault = 0
    for i in range(count):
        n_deals, n_tallies, n_events = hidden.n_deals, hidden.n_tallies, hidden.n_events
        hidden.game = first + i
        play_game(view, rules, hidden, moves[0], works, games, deals, tallies, events)
        if hidden.full or hidden.fault:
            hidden.n_deals, hidden.n_tallies, hidden.n_events = n_deals, n_tallies, n_events
            return i
        hidden.n_games += 1
    return count
