"""The play of bezique: trick, deal, game, and batches of games. Compiled as one kernel; `play_games` is its entry.

`view` is the public state with the hand of the seat that is asked, `hidden` what nobody is shown. Every choice comes from a strategy through
`ask`, and is checked before it counts.
"""

from __future__ import annotations

from typing import Any

from simcore.chance import FIRST_DEALER, SEAT, SHUFFLE, below, open_stream, shuffle
from simcore.compiled import call_decision, inner, kernel
from simcore.games.chinese_bezique.combinations import (
    CARDS,
    CARTE_BLANCHE,
    HAND,
    ITEMS,
    KINDS,
    LAST_TRICK,
    NO_CARD,
    NO_SUIT,
    NOTHING,
    TYPES,
    is_court,
    takes,
)
from simcore.games.chinese_bezique.legal import NO_ANSWER, check_claim, check_declare, check_play, may_follow
from simcore.games.chinese_bezique.rows import (
    A_FIELD,
    DECK_FIELD,
    EV_CARTE_BLANCHE,
    EV_DEAL,
    EV_DEAL_END,
    EV_DECLARE,
    EV_DRAW,
    EV_GAME_END,
    EV_LAST_TRICK,
    EV_PLAY,
    emit_at,
)
from simcore.games.chinese_bezique.scoring import forget_hands, leave_hand, record, score, settle, show, take_up
from simcore.games.chinese_bezique.view import CLAIM, DEALT_HAND, DECISIONS, DECLARE, DRAWN_CARD, FINAL_TRICK, MEMORY, PLAY, PLAYERS, ROLES
from simcore.recording import emit, write_cells

DRAWN_TRICKS = (CARDS - PLAYERS * HAND) // PLAYERS  # after which cards are drawn: 84
TRICKS = DRAWN_TRICKS + HAND
PLAYED = 0  # how a deal ends
ALL_PLACES = (1 << HAND) - 1


# --- asking -------------------------------------------------------------------------------------------------------------------------------


@inner
def give_view(view: Any, hidden: Any, seat: int) -> None:
    """The view as ``seat`` has it: its own hand and declarations."""
    view.seat = seat
    for i in range(hidden.n_records[seat], view.n_records):
        view.record_type[i] = view.record_places[i] = 0  # the other player's, or of a deal before
    view.n_records = hidden.n_records[seat]
    view.widowed = hidden.widowed[seat]
    view.face_up = hidden.face_up[seat]
    for place in range(HAND):
        view.hand[place] = hidden.hand[seat, place]
    for kind in range(KINDS):
        view.held[kind] = hidden.held[seat, kind]
    for kind in range(TYPES):
        view.intact[kind] = hidden.intact[seat, kind]
    for i in range(view.n_records):
        view.record_type[i] = hidden.record_type[seat, i]
        view.record_places[i] = hidden.record_places[seat, i]


@inner
def ask(view: Any, rules: Any, hidden: Any, seat: int, decision: int, move: Any) -> bool:
    """Let the strategy of ``seat`` make a decision; False (and the fault noted) if its move is not legal."""
    give_view(view, hidden, seat)
    move.place = NO_CARD
    move.item = NOTHING
    move.places = 0
    move.claim = -1
    fault = NO_ANSWER
    if call_decision(hidden.decisions[DECISIONS * seat + decision], view, hidden.told, hidden.params[seat], hidden.works[seat], move):
        if decision == PLAY:
            fault = check_play(view, rules, move)
        elif decision == DECLARE:
            fault = check_declare(view, rules, move)
        else:
            fault = check_claim(view, rules, move)
    hidden.fault = fault
    hidden.fault_seat = seat
    return fault == 0


# --- a trick ------------------------------------------------------------------------------------------------------------------------------


@inner
def play_card(view: Any, rules: Any, hidden: Any, seat: int, led: int, move: Any, events: Any) -> int:
    """A seat leads (``led`` NO_CARD) or follows; returns its card, NO_CARD after a fault."""
    view.led = led
    if led != NO_CARD and view.trick > DRAWN_TRICKS:
        view.allowed = may_follow(hidden.hand[seat], led, view.trump, rules.endplay_must_head == 1)
    else:
        view.allowed = 0
        for place in range(HAND):
            if hidden.hand[seat, place] != NO_CARD:
                view.allowed |= 1 << place
    if not ask(view, rules, hidden, seat, PLAY, move):
        return NO_CARD
    place = move.place
    card: int = hidden.hand[seat, place]
    if events is not None:
        at = emit_at(events, hidden, EV_PLAY, seat)
        events[at, 2] = card
        events[at, 3] = led
    leave_hand(view, hidden, seat, place)
    return card


@inner
def declare(view: Any, rules: Any, hidden: Any, seat: int, move: Any, events: Any) -> bool:
    """The winner of a trick may score one declaration before drawing (B12); False after a fault."""
    if not ask(view, rules, hidden, seat, DECLARE, move):
        return False
    if move.item != NOTHING:
        at = 0
        if events is not None:
            at = emit_at(events, hidden, EV_DECLARE, seat)
        suit = record(view, hidden, seat, move.item, move.places)
        score(view, rules, hidden, seat, move.item)
        if events is not None:
            events[at, 2] = move.item
            events[at, 3] = move.places
            events[at, 4] = rules.points[move.item]
            events[at, 5] = suit
    return True


@inner
def draw(view: Any, hidden: Any, seat: int, events: Any) -> int:
    """A seat draws the top card of the stock to its empty place; returns the place."""
    card = hidden.deck[hidden.next_card]
    hidden.next_card += 1
    view.stock_size -= 1
    place = take_up(hidden, seat, card)
    if events is not None:
        at = emit(events, hidden, EV_DRAW, seat)
        events[at, 2] = card
    return place


@inner
def claim_carte_blanche(view: Any, rules: Any, hidden: Any, seat: int, places: int, move: Any, events: Any) -> bool:
    """B21: a hand, or a card just drawn, without king, queen and jack may be shown; False after a fault.

    The right to show cards comes with the hand and ends with the first king, queen or jack.
    """
    for place in range(HAND):
        if places >> place & 1 and is_court(hidden.hand[seat, place]):
            hidden.blank[seat] = 0
            return True
    view.claim = DEALT_HAND if places == ALL_PLACES else DRAWN_CARD
    if not ask(view, rules, hidden, seat, CLAIM, move):
        return False
    if move.claim:
        if places == ALL_PLACES:
            hidden.blank[seat] = rules.carte_blanche_repeat
        if events is not None:
            at = emit_at(events, hidden, EV_CARTE_BLANCHE, seat)
            events[at, 2] = places
            events[at, 3] = rules.points[CARTE_BLANCHE]
        show(view, hidden, seat, places)
        score(view, rules, hidden, seat, CARTE_BLANCHE)
    return True


@inner
def draw_both(view: Any, rules: Any, hidden: Any, winner: int, move: Any, events: Any) -> bool:
    """Winner and loser draw (B12), and show what goes on with a carte blanche, but not the last two cards (B21, B22); False after a fault."""
    own = draw(view, hidden, winner, events)
    others = draw(view, hidden, 1 - winner, events)
    for i in range(PLAYERS):
        seat = winner if i == 0 else 1 - winner
        if hidden.blank[seat] and view.stock_size > 0 and not claim_carte_blanche(view, rules, hidden, seat, 1 << (own if i == 0 else others), move, events):
            return False
    return True


# --- a deal -------------------------------------------------------------------------------------------------------------------------------


@inner
def deal_cards(view: Any, hidden: Any, works: Any) -> None:
    """B4: deal twelve cards of the deck each, one at a time."""
    forget_hands(view, hidden)
    for seat in range(PLAYERS):
        open_stream(works[seat].stream, hidden.scratch, hidden.seed, hidden.game, view.deal, SEAT + seat)
        for i in range(MEMORY):
            works[seat].memory[i] = 0
        hidden.deal_scores[seat] = view.scores[seat]
        for i in range(HAND):
            take_up(hidden, seat, hidden.deck[2 * i + (seat != hidden.first)])
    hidden.next_card = PLAYERS * HAND
    view.stock_size = CARDS - PLAYERS * HAND
    view.trump = NO_SUIT
    view.leader = 1 - view.dealer
    view.trick = 1


@inner
def play_tricks(view: Any, rules: Any, hidden: Any, move: Any, events: Any) -> bool:
    """The tricks of a deal from the hands as they were dealt; False after a fault."""
    for i in range(PLAYERS):
        seat = view.leader if i == 0 else 1 - view.leader
        if not claim_carte_blanche(view, rules, hidden, seat, ALL_PLACES, move, events):
            return False
    while view.trick <= TRICKS:
        led = play_card(view, rules, hidden, view.leader, NO_CARD, move, events)
        if hidden.fault:
            return False
        card = play_card(view, rules, hidden, 1 - view.leader, led, move, events)
        if hidden.fault:
            return False
        if takes(led, card, view.trump):
            view.leader = 1 - view.leader
        if view.trick <= DRAWN_TRICKS and not (
            declare(view, rules, hidden, view.leader, move, events) and draw_both(view, rules, hidden, view.leader, move, events)
        ):
            return False
        view.trick += 1
    return True


@inner
def claim_last_trick(view: Any, rules: Any, hidden: Any, move: Any, events: Any) -> bool:
    """B27: who took the last trick scores it, or declines; False after a fault."""
    view.claim = FINAL_TRICK
    if not ask(view, rules, hidden, view.leader, CLAIM, move):
        return False
    if events is not None:
        at = emit(events, hidden, EV_LAST_TRICK, view.leader)
        events[at, 2] = move.claim
        events[at, 3] = rules.points[LAST_TRICK]
    if move.claim:
        score(view, rules, hidden, view.leader, LAST_TRICK)
    return True


@inner
def play_deal(view: Any, rules: Any, hidden: Any, move: Any, works: Any, rows: Any, events: Any) -> None:
    """One deal from the deck as it lies; writes its row, none after a fault."""
    deal_cards(view, hidden, works)
    if events is not None:
        _emit_deal(view, hidden, events)
    leader = view.leader
    if not play_tricks(view, rules, hidden, move, events) or not claim_last_trick(view, rules, hidden, move, events):
        return
    settle(view, rules, hidden)
    hidden.last_trump = view.trump
    if events is not None:
        emit_deal_end(view, hidden, events)
    if hidden.n_deals >= len(rows):
        hidden.full = 1
        return
    row = rows[hidden.n_deals]
    hidden.n_deals += 1
    row.game = hidden.game
    row.deal = view.deal
    row.dealer = view.dealer
    row.leader = leader
    row.reason = PLAYED
    row.winner = hidden.winner
    row.rubicon = hidden.rubicon
    row.trump = view.trump
    row.trump_trick = hidden.trump_trick
    row.declarations = hidden.declarations
    for seat in range(PLAYERS):
        row.scored[seat] = view.points[seat]
        row.points[seat] = view.scores[seat] - hidden.deal_scores[seat]


@inner
def _emit_deal(view: Any, hidden: Any, events: Any) -> None:
    at = emit(events, hidden, EV_DEAL, view.dealer)
    events[at, 2] = hidden.first
    events[at, 3] = view.leader
    for i in range(CARDS):
        events[at, DECK_FIELD + i // A_FIELD] |= hidden.deck[i] << 8 * (i % A_FIELD)


@inner
def emit_deal_end(view: Any, hidden: Any, events: Any) -> None:
    """The end of a deal: points and change of the big points by seat, the winner and whether it was a rubicon."""
    at = emit(events, hidden, EV_DEAL_END, hidden.winner)
    events[at, 2] = hidden.rubicon
    for seat in range(PLAYERS):
        events[at, 3 + seat] = view.points[seat]
        events[at, 5 + seat] = view.scores[seat] - hidden.deal_scores[seat]


# --- games --------------------------------------------------------------------------------------------------------------------------------


@inner
def play_game(view: Any, rules: Any, hidden: Any, move: Any, works: Any, games: Any, deals: Any, tallies: Any, events: Any) -> None:
    """One game: a series of ``deals`` deals, dealt in turn (B3); writes its rows."""
    open_stream(hidden.stream, hidden.scratch, hidden.seed, hidden.game, 0, FIRST_DEALER)
    hidden.first = 1 - below(hidden.stream, PLAYERS)
    hidden.last_trump = NO_SUIT
    view.dealer = hidden.first if hidden.lead_shift else 1 - hidden.first
    for seat in range(PLAYERS):
        view.scores[seat] = 0
    row = games[hidden.n_games]
    row.dealer = view.dealer
    row.leader = 1 - view.dealer
    for deal in range(1, rules.deals + 1):
        if deal > 1:
            view.dealer = 1 - view.dealer
            hidden.first = 1 - view.dealer
        view.deal = deal
        view.barred = hidden.last_trump if rules.no_repeat_trump else NO_SUIT  # B8
        open_stream(hidden.stream, hidden.scratch, hidden.seed, hidden.game, deal, SHUFFLE)
        shuffle(hidden.deck, hidden.stream)
        play_deal(view, rules, hidden, move, works, deals, events)
        if hidden.fault:
            return
        write_cells(hidden, deal, ITEMS, ROLES, tallies)
        if hidden.full:  # the rows before are those of whole games, and stay
            return
    row.game = hidden.game
    row.deals = rules.deals
    row.reason = 0
    ahead = view.scores[0] - view.scores[1]
    for seat in range(PLAYERS):
        row.score[seat] = view.scores[seat]
        row.share[seat] = 0.5 if ahead == 0 else (ahead > 0) == (seat == 0)
    if events is not None:
        emit(events, hidden, EV_GAME_END, 0)


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
