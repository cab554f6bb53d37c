"""The kernel: deal, choice, showdown, games."""

from simcore.games.high_card.rows import EV_CHANGE, EV_DEAL, EV_DEAL_END, EV_GAME_END, EV_SCORE
from simcore.games.high_card.view import CARDS, ITEMS

from simcore.chance import FIRST_DEALER, SEAT, SHUFFLE, below, open_stream, shuffle
from simcore.compiled import call_decision, inner, kernel
from simcore.recording import add_to_cell, emit, write_cells

FAULTS = ("", "gave no answer", "neither changed its card (change = 1) nor kept it (change = 0)")


@inner
def score(view, rules, hidden, seat, item, events):
    """H3: points of an item."""
    view.scores[seat] += rules.points[item]
    add_to_cell(hidden, seat, item, 0, ITEMS, 1, 1, rules.points[item])
    if events is not None and rules.points[item]:
        at = emit(events, hidden, EV_SCORE, seat)
        events[at, 2], events[at, 3] = rules.points[item], item


@inner
def play_deal(view, rules, hidden, move, works, row, events):
    """H1: a card each, the non-dealer first; H2: each may change his for the next of the stock; H3: the higher rank wins."""
    for i in range(2):
        hidden.hands[(view.dealer + 1 + i) & 1] = hidden.deck[i]
        open_stream(works[i].stream, hidden.scratch, hidden.seed, hidden.game, view.deal, SEAT + i)
    if events is not None:
        at = emit(events, hidden, EV_DEAL, view.dealer)
        for i in range(CARDS):
            events[at, 2 + i] = hidden.deck[i]
    changes = 0
    for i in range(2):
        seat = (view.dealer + 1 + i) & 1
        view.seat, view.hand, view.changed, move.change = seat, 1 << hidden.hands[seat], changes, 0
        hidden.fault, hidden.fault_seat = 0, seat
        if not call_decision(hidden.decisions[seat], view, hidden.told, hidden.params[seat], hidden.works[seat], move):
            hidden.fault = 1
        elif move.change != 0 and move.change != 1:
            hidden.fault = 2
        if hidden.fault:
            return
        if move.change:
            hidden.hands[seat] = hidden.deck[2 + changes]
            changes += 1
        if events is not None:
            at = emit(events, hidden, EV_CHANGE, seat)
            events[at, 2], events[at, 3], events[at, 4] = hidden.hands[seat] if move.change else -1, view.hand, move.change
    ahead = (hidden.hands[0] >> 2) - (hidden.hands[1] >> 2)
    winner = 0 if ahead > 0 else 1
    before0, before1 = view.scores[0], view.scores[1]
    if ahead != 0:
        score(view, rules, hidden, winner, 0, events)
        if hidden.hands[winner] >> 2 == 2:
            score(view, rules, hidden, winner, 1, events)
    if events is not None:
        emit(events, hidden, EV_DEAL_END, 1 if ahead == 0 else 0)
    row.game, row.deal, row.dealer, row.leader = hidden.game, view.deal, view.dealer, 1 - view.dealer
    row.reason, row.changes = 1 if ahead == 0 else 0, changes
    row.points[0], row.points[1] = view.scores[0] - before0, view.scores[1] - before1


@kernel
def play_games(first, count, views, rule_records, hiddens, moves, works, games, deals, tallies, events):
    """Play games and write their rows; returns how many were played whole. The dealers take turns; H4, H5 end a game."""
    view, rules, hidden = views[0], rule_records[0], hiddens[0]
    hidden.n_deals = hidden.n_tallies = hidden.n_events = hidden.full = hidden.fault = 0
    for i in range(count):
        n_deals, n_tallies, n_events = hidden.n_deals, hidden.n_tallies, hidden.n_events
        hidden.game = first + i
        open_stream(hidden.stream, hidden.scratch, hidden.seed, hidden.game, 0, FIRST_DEALER)
        view.dealer, view.deal, view.scores[0], view.scores[1] = below(hidden.stream, 2), 0, 0, 0
        row = games[i]
        row.game, row.dealer, row.leader = hidden.game, view.dealer, 1 - view.dealer
        while view.deal < rules.max_deals and max(view.scores[0], view.scores[1]) < rules.target and not hidden.fault and not hidden.full:
            view.dealer = 1 - view.dealer if view.deal else view.dealer
            view.deal += 1
            open_stream(hidden.stream, hidden.scratch, hidden.seed, hidden.game, view.deal, SHUFFLE)
            shuffle(hidden.deck, hidden.stream)
            if hidden.n_deals == len(deals):
                hidden.full = 1
            else:
                play_deal(view, rules, hidden, moves[0], works, deals[hidden.n_deals], events)
                hidden.n_deals += 1
                write_cells(hidden, view.deal, ITEMS, 1, tallies)
        if hidden.fault or hidden.full:
            hidden.n_deals, hidden.n_tallies, hidden.n_events = n_deals, n_tallies, n_events
            return i
        row.deals = view.deal
        row.reason = 0 if max(view.scores[0], view.scores[1]) >= rules.target else 1
        ahead = view.scores[0] - view.scores[1]
        for seat in range(2):
            row.score[seat] = view.scores[seat]
            row.share[seat] = 0.5 if ahead == 0 else (ahead > 0) == (seat == 0)
        if events is not None:
            emit(events, hidden, EV_GAME_END, row.reason)
    return count
