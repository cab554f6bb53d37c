"""The play of Kombinator: deal, game, and batches of games. Compiled as one kernel; `play_games` is its entry.

`view` is the public state with the hand of the seat that is asked, `hidden` what nobody is shown. How a bout goes stands in
`simcore.games.kombinator.bout`.
"""

from __future__ import annotations

from typing import Any

from simcore.bits import lowest, popcount
from simcore.chance import FIRST_DEALER, SEAT, SHUFFLE, below, open_stream, shuffle
from simcore.compiled import inlined, inner, kernel
from simcore.games.kombinator.bout import PLAYING, after, play_bout
from simcore.games.kombinator.combinations import ITEMS
from simcore.games.kombinator.rows import (
    AFTER_DEALER,
    EV_DEAL,
    EV_DEAL_END,
    EV_GAME_END,
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
from simcore.games.kombinator.scoring import penalise, settle
from simcore.games.kombinator.view import CARDS, MEMORY, NO_ORDER, ROLES
from simcore.recording import emit, write_cells

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
def play_game(view: Any, rules: Any, hidden: Any, moves: Any, works: Any, games: Any, deals: Any, tallies: Any, events: Any) -> None:
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
