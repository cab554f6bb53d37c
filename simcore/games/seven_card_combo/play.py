"""The play of Seven Card Combo: turn, deal, game, and batches of games. Compiled as one kernel; `play_games` is its entry.

`view` is the public state with what the seat that is asked knows, `hidden` what nobody is shown. Every choice comes from a strategy through `ask`, and is
checked before it counts.
"""

from __future__ import annotations

from typing import Any, Final

from simcore.bits import popcount
from simcore.chance import FIRST_DEALER, SEAT, SHUFFLE, below, open_stream, shuffle
from simcore.compiled import call_decision, inner, kernel
from simcore.games.seven_card_combo.combinations import CARDS, LOOSE_CARD, bonuses, covered
from simcore.games.seven_card_combo.legal import NO_ANSWER, check_discards, check_taking, needs_reshuffle
from simcore.games.seven_card_combo.rows import (
    EV_DEAL,
    EV_DEAL_END,
    EV_GAME_END,
    EV_HAND,
    EV_REFILL,
    EV_RESHUFFLE,
    EV_TURN,
    MOST_TALLIES,
    emit_cards,
    write_tallies,
)
from simcore.games.seven_card_combo.view import CIRCLES, DEALT, MEMORY
from simcore.recording import emit

DISCARD_DECISION, TAKE_DECISION = 0, 1
RESHUFFLE: Final = 2
"""Purpose of the random numbers of the reshuffles of a deal (`simcore.chance`)."""


# --- asking -------------------------------------------------------------------------------------------------------------------------------


@inner
def ask(view: Any, rules: Any, hidden: Any, seat: int, decision: int, move: Any) -> bool:
    """Let the strategy of ``seat`` make a decision; False (and the fault noted) if its move is not legal."""
    view.seat = seat
    view.hand = hidden.hands[seat]
    view.seen = view.shown | hidden.own[seat]
    move.n_discards = 0
    move.discards[:] = 0  # another player's are hidden
    move.from_pile = 0
    move.from_packet = 0
    fault = NO_ANSWER
    if call_decision(hidden.decisions[2 * seat + decision], view, hidden.told, hidden.params[seat], hidden.works[seat], move):
        fault = check_discards(view, move) if decision == DISCARD_DECISION else check_taking(view, rules, move)
    hidden.fault = fault
    hidden.fault_seat = seat
    return fault == 0


@inner
def after(seat: int, view: Any) -> int:
    """The next seat clockwise (S6); a comparison is many times faster than a division."""
    return seat + 1 if seat + 1 < view.players else 0


# --- a turn -------------------------------------------------------------------------------------------------------------------------------


@inner
def play_turn(view: Any, rules: Any, hidden: Any, seat: int, moves: Any, events: Any) -> bool:
    """One turn: discards first, then the cards that are taken (S7 to S12); False after a fault."""
    aside, taking = moves[0], moves[1]
    view.discarded = 0
    view.packet = 0
    view.packet_size = hidden.packet_size
    view.wanted = 0
    if not ask(view, rules, hidden, seat, DISCARD_DECISION, aside):
        return False
    for i in range(aside.n_discards):
        view.discarded |= 1 << aside.discards[i]
    for i in range(hidden.packet_size):
        view.packet |= 1 << hidden.packet[i]
    hidden.hands[seat] &= ~view.discarded
    hidden.own[seat] |= view.packet
    view.wanted = aside.n_discards + 1
    if not ask(view, rules, hidden, seat, TAKE_DECISION, taking):
        return False
    taken = popcount(taking.from_pile) + popcount(taking.from_packet)
    if needs_reshuffle(view, taken):
        reshuffle(view, hidden, events)
    drawn = view.wanted - taken
    if events is not None:
        _emit_turn(view, hidden, seat, aside, taking, drawn, events)
    whole = taking.from_pile == view.pile_cards
    take_from_pile(view, seat, taking.from_pile)
    hand = hidden.hands[seat] | taking.from_pile | taking.from_packet
    for _ in range(drawn):
        hand |= 1 << draw(view, hidden)
    hidden.hands[seat] = hand
    hidden.own[seat] |= hand
    view.sizes[seat] += 1
    if whole:
        refill_pile(view, hidden, events)
    leave_packet(view, hidden, taking.from_packet)
    for i in range(aside.n_discards):
        hidden.packet[i] = aside.discards[i]
    hidden.packet_size = aside.n_discards
    hidden.discards += aside.n_discards
    return True


@inner
def draw(view: Any, hidden: Any) -> int:
    """The top card of the stock, taken off."""
    card = hidden.deck[hidden.next_card]
    hidden.next_card += 1
    view.stock_size -= 1
    return card


@inner
def lay_open(view: Any, card: int) -> None:
    """A card goes face up on the open pile; whoever may have held it holds it no more."""
    view.pile[view.pile_size] = card
    view.pile_size += 1
    view.pile_cards |= 1 << card
    view.shown |= 1 << card


@inner
def take_from_pile(view: Any, seat: int, cards: int) -> None:
    """Cards of the open pile go into the hand of ``seat``; what is left keeps its order (S8)."""
    if cards == 0:
        return
    kept = 0
    for i in range(view.pile_size):
        if cards >> view.pile[i] & 1 == 0:
            view.pile[kept] = view.pile[i]
            kept += 1
    view.pile_size = kept
    view.pile_cards &= ~cards
    view.taken[seat] |= cards


@inner
def refill_pile(view: Any, hidden: Any, events: Any) -> None:
    """The pile was taken whole: the top card of the stock is laid open in its place (S9)."""
    card = draw(view, hidden)
    lay_open(view, card)
    if events is not None:
        at = emit(events, hidden, EV_REFILL, view.seat)
        events[at, 2] = card


@inner
def leave_packet(view: Any, hidden: Any, taken: int) -> None:
    """What is left of the packet goes on the open pile, in the order in which it was put aside (S12)."""
    left = view.packet & ~taken
    if left == 0:
        return
    for i in range(hidden.packet_size):
        if left >> hidden.packet[i] & 1:
            lay_open(view, hidden.packet[i])
    for seat in range(view.players):
        view.taken[seat] &= ~left


@inner
def reshuffle(view: Any, hidden: Any, events: Any) -> None:
    """The open pile but its top card is shuffled and goes under the old stock (SA13)."""
    if hidden.reshuffles == 0:
        open_stream(hidden.reshuffle_stream, hidden.scratch, hidden.seed, hidden.game, view.deal, RESHUFFLE)
    hidden.reshuffles += 1
    for i in range(view.stock_size):
        hidden.deck[i] = hidden.deck[hidden.next_card + i]
    old = view.stock_size
    for i in range(view.pile_size - 1):
        j = below(hidden.reshuffle_stream, i + 1)
        hidden.deck[old + i] = hidden.deck[old + j]
        hidden.deck[old + j] = view.pile[i]
    hidden.next_card = 0
    hidden.stock_end = view.stock_size = old + view.pile_size - 1
    top = view.pile[view.pile_size - 1]
    buried = view.pile_cards & ~(1 << top)
    view.pile[0] = top
    view.pile_size = 1
    view.pile_cards = 1 << top
    view.shown &= ~buried
    for seat in range(view.players):
        hidden.own[seat] &= ~buried
    if events is not None:
        at = emit(events, hidden, EV_RESHUFFLE, view.stock_size)
        emit_cards(events, at, 2, hidden.deck, 0, hidden.stock_end)


@inner
def _emit_turn(view: Any, hidden: Any, seat: int, aside: Any, taking: Any, drawn: int, events: Any) -> None:
    """Fields: 2 circle; 3 number of discards, 4 the discards; 5 and 6 the same from the pile, 7 and 8 from the packet, 9 and 10 from the stock; 11 the hand."""
    at = emit(events, hidden, EV_TURN, seat)
    events[at, 2] = view.circle
    events[at, 3] = aside.n_discards
    emit_cards(events, at, 4, aside.discards, 0, aside.n_discards)
    for i in range(view.pile_size - 1, -1, -1):
        _emit_taken(events, at, 5, view.pile[i], taking.from_pile)
    for i in range(hidden.packet_size):
        _emit_taken(events, at, 7, hidden.packet[i], taking.from_packet)
    events[at, 9] = drawn
    emit_cards(events, at, 10, hidden.deck, hidden.next_card, hidden.next_card + drawn)
    events[at, 11] = view.hand | view.discarded


@inner
def _emit_taken(events: Any, at: int, field: int, card: int, taken: int) -> None:
    """Add a card to the list in ``field`` (its length) and the field after it, if it was taken."""
    if taken >> card & 1:
        events[at, field + 1] |= card << (6 * events[at, field])
        events[at, field] += 1


# --- a deal -------------------------------------------------------------------------------------------------------------------------------


@inner
def prepare(view: Any, hidden: Any, works: Any) -> None:
    """Shuffle, and give each strategy its random numbers and empty notes."""
    open_stream(hidden.stream, hidden.scratch, hidden.seed, hidden.game, view.deal, SHUFFLE)
    shuffle(hidden.deck, hidden.stream)
    for seat in range(view.players):
        open_stream(works[seat].stream, hidden.scratch, hidden.seed, hidden.game, view.deal, SEAT + seat)
        for i in range(MEMORY):
            works[seat].memory[i] = 0


@inner
def deal_cards(view: Any, hidden: Any) -> None:
    """S5: deal one at a time from the player after the dealer, ``hidden.first``, and open the pile with the next card."""
    for seat in range(view.players):
        hidden.hands[seat] = 0
        view.sizes[seat] = DEALT
        view.taken[seat] = 0
    dealt = DEALT * view.players
    seat = hidden.first
    for i in range(dealt):
        hidden.hands[seat] |= 1 << hidden.deck[i]
        seat = after(seat, view)
    for seat in range(view.players):
        hidden.own[seat] = hidden.hands[seat]
    hidden.next_card = dealt
    hidden.stock_end = CARDS
    view.stock_size = CARDS - dealt
    view.pile_size = 0
    view.pile_cards = 0
    view.shown = 0
    lay_open(view, draw(view, hidden))
    view.leader = after(view.dealer, view)
    view.turn = 0
    hidden.packet_size = 0
    hidden.discards = 0
    hidden.reshuffles = 0


@inner
def play_deal(view: Any, rules: Any, hidden: Any, moves: Any, works: Any, rows: Any, tallies: Any, events: Any) -> None:
    """One deal: three circles (S13), then the hands are scored; writes its rows. Stops at a fault."""
    view.deal += 1
    prepare(view, hidden, works)
    deal_cards(view, hidden)
    if events is not None:
        at = emit(events, hidden, EV_DEAL, view.dealer)
        events[at, 2] = view.leader
        events[at, 3] = hidden.first
        emit_cards(events, at, 4, hidden.deck, 0, CARDS)
    for circle in range(CIRCLES):
        view.circle = circle + 1
        seat = view.leader
        for _ in range(view.players):
            if not play_turn(view, rules, hidden, seat, moves, events):
                return
            view.turn += 1
            seat = after(seat, view)
    if hidden.n_deals >= len(rows) or hidden.n_tallies + MOST_TALLIES > len(tallies):
        hidden.full = 1
        return
    row = rows[hidden.n_deals]
    hidden.n_deals += 1
    row.game = hidden.game
    row.deal = view.deal
    row.dealer = view.dealer
    row.leader = view.leader
    row.reason = 0
    row.discards = hidden.discards
    row.reshuffles = hidden.reshuffles
    for seat in range(view.players):
        row.points[seat] = score_hand(view, rules, hidden, seat, tallies, events)
    if events is not None:
        emit(events, hidden, EV_DEAL_END, 0)


@inner
def score_hand(view: Any, rules: Any, hidden: Any, seat: int, tallies: Any, events: Any) -> int:
    """Add what a hand costs to the score of its seat (S14 to S17) and return it."""
    hand = hidden.hands[seat]
    loose = hand & ~covered(hand, rules.wrap)
    held = bonuses(hand, rules.wrap)
    points = popcount(loose) * rules.points[LOOSE_CARD] + rules.bonus_points[held]
    view.scores[seat] += points
    write_tallies(view, rules, hidden, tallies, seat, loose, held)
    if events is not None:
        at = emit(events, hidden, EV_HAND, seat)
        events[at, 2] = hand
        events[at, 3] = loose
        events[at, 4] = rules.best_bonus[held]
        events[at, 5] = points
    return points


# --- games --------------------------------------------------------------------------------------------------------------------------------


@inner
def winners(view: Any) -> int:
    """Mask of the seats with the lowest total (S18, SA14)."""
    best = view.scores[0]
    for seat in range(1, view.players):
        best = min(best, view.scores[seat])
    mask = 0
    for seat in range(view.players):
        if view.scores[seat] == best:
            mask |= 1 << seat
    return mask


@inner
def play_game(view: Any, rules: Any, hidden: Any, moves: Any, works: Any, games: Any, deals: Any, tallies: Any, events: Any) -> None:
    """One game of ``deals`` deals (S18), the deal passing clockwise (S4); writes its rows."""
    open_stream(hidden.stream, hidden.scratch, hidden.seed, hidden.game, 0, FIRST_DEALER)
    view.dealer = below(hidden.stream, view.players)
    hidden.first = after(view.dealer, view)
    for _ in range(hidden.lead_shift):
        view.dealer = after(view.dealer, view)
    view.deal = 0
    for seat in range(view.players):
        view.scores[seat] = 0
    row = games[hidden.n_games]
    row.dealer = view.dealer
    row.leader = after(view.dealer, view)
    for _ in range(rules.deals):
        if view.deal > 0:
            view.dealer = after(view.dealer, view)
            hidden.first = after(view.dealer, view)
        play_deal(view, rules, hidden, moves, works, deals, tallies, events)
        if hidden.fault or hidden.full:  # the rows before are those of whole games, and stay
            return
    mask = winners(view)
    row.game = hidden.game
    row.deals = view.deal
    row.reason = 0
    for seat in range(view.players):
        row.score[seat] = view.scores[seat]
        row.share[seat] = (mask >> seat & 1) / popcount(mask)
    if events is not None:
        emit(events, hidden, EV_GAME_END, mask)


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
