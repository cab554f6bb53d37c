"""The play of durak: deal, game, and batches of games. Compiled as one kernel; `play_games` is its entry. A bout stands in `bout`."""

from __future__ import annotations

from typing import Any, Final

from simcore.bits import lowest, popcount
from simcore.chance import FIRST_DEALER, SEAT, SHUFFLE, below, open_stream, shuffle
from simcore.compiled import inner, kernel
from simcore.games.durak.beating import cover_all
from simcore.games.durak.bout import end_bout, next_in, play_bout, role_of
from simcore.games.durak.deck import BLACK_JOKER, JOKERS, LARGE, MAX_CARDS, ONE_SUIT, RED_JOKER
from simcore.games.durak.legal import of_rank
from simcore.games.durak.rows import (
    ACES,
    COMPLETE,
    DRAWN,
    EV_DEAL,
    EV_DEAL_END,
    EV_GAME_END,
    EV_PASS,
    FOOL_LEFT,
    FROM_FOOL,
    LEFT_OF_DEALER,
    LOWEST_TRUMP,
    MAX_BOUTS,
    MAX_DEALS,
    PREV_WINNER,
    TO_FOOL,
    VOID,
    emit_cards,
    pack_numbers,
    tally,
)
from simcore.games.durak.view import (
    DEALT,
    DEALT_ROLE,
    FIRST_OUT,
    FOOL,
    FOUR_OF_A_RANK,
    HUNG,
    ITEMS,
    LEADER,
    MEMORY,
    POGONY,
    ROLES,
    THREE_OF_A_RANK,
    TOP_TRUMP,
    TRUMP,
    TWO_OF_A_RANK,
)
from simcore.recording import emit, write_cells

TURN_UP: Final = 2
"""Purpose of the random numbers that replace a turned joker (`simcore.chance`)."""
RANKS_TO_HANG: Final = 9  # from sixes to aces (P5)
STUCK_PASS: Final = 1  # stuck = pass (R14)
ANY_TRUMP, TRUMP_JOKER_ONLY, NOTHING = range(3)  # plain_joker_beaten_by (R18)


# --- the cards ----------------------------------------------------------------------------------------------------------------------------


@inner
def prepare(view: Any, rules: Any, hidden: Any, works: Any) -> None:
    """Shuffle, give each strategy its random numbers and empty notes, and clear the table."""
    open_stream(hidden.stream, hidden.scratch, hidden.seed, hidden.game, view.deal, SHUFFLE)
    shuffle(hidden.deck[: rules.cards], hidden.stream)
    for seat in range(view.players):
        open_stream(works[seat].stream, hidden.scratch, hidden.seed, hidden.game, view.deal, SEAT + seat)
        for i in range(MEMORY):
            works[seat].memory[i] = 0
        hidden.hands[seat] = 0
        hidden.deal_scores[seat] = view.scores[seat]
        view.sizes[seat] = DEALT
        view.known[seat] = 0
    view.bout = 0
    view.out = 0
    view.discarded = 0
    hidden.n_out = 0
    hidden.beaten = 0
    hidden.passes = 0
    hidden.hung_by = -1


@inner
def deal_cards(view: Any, rules: Any, hidden: Any) -> None:
    """T2: six cards each, one at a time from the player after the dealer; the next card is turned up and goes under the stock."""
    seat = view.dealer
    dealt = DEALT * view.players
    for i in range(dealt):
        seat = seat + 1 if seat + 1 < view.players else 0
        hidden.hands[seat] |= 1 << hidden.deck[i]
    hidden.next_card = dealt
    view.stock_size = rules.cards - dealt
    if view.stock_size == 0:  # R13: the dealer's last card shows the trump
        view.turned = hidden.deck[dealt - 1]
        view.known[view.dealer] = 1 << view.turned
    else:
        turn_up(view, rules, hidden)
    view.trump = view.turned & 3
    set_trumps(view, rules)


@inner
def turn_up(view: Any, rules: Any, hidden: Any) -> None:
    """The top card of the stock is turned up and goes to its end; a joker first changes places with another card (R18)."""
    first, last = hidden.next_card, rules.cards - 1
    if hidden.deck[first] >= LARGE:
        others = 0
        for i in range(first + 1, last + 1):
            others += hidden.deck[i] < LARGE
        open_stream(hidden.stream, hidden.scratch, hidden.seed, hidden.game, view.deal, TURN_UP)
        left = below(hidden.stream, others)
        for i in range(first + 1, last + 1):
            if hidden.deck[i] < LARGE:
                if left == 0:
                    hidden.deck[first], hidden.deck[i] = hidden.deck[i], hidden.deck[first]
                    break
                left -= 1
    view.turned = hidden.deck[first]
    for i in range(first, last):
        hidden.deck[i] = hidden.deck[i + 1]
    hidden.deck[last] = view.turned


@inner
def set_trumps(view: Any, rules: Any) -> None:
    """Which cards are trumps, and what the plain joker covers and is covered by (R18)."""
    view.trumps = ONE_SUIT << view.trump
    view.plain_joker = view.plain_suits = view.plain_beaters = 0
    if rules.cards < MAX_CARDS:
        return
    red = view.trump == 1 or view.trump == 2  # hearts and diamonds
    trump_joker = 1 << (RED_JOKER if red else BLACK_JOKER)
    view.trumps |= trump_joker
    view.plain_joker = JOKERS & ~trump_joker
    view.plain_suits = ONE_SUIT | ONE_SUIT << 3 if red else ONE_SUIT << 1 | ONE_SUIT << 2
    if rules.plain_joker_beaten_by == ANY_TRUMP:
        view.plain_beaters = view.trumps
    elif rules.plain_joker_beaten_by == TRUMP_JOKER_ONLY:
        view.plain_beaters = trump_joker


@inner
def tally_dealt(view: Any, rules: Any, hidden: Any) -> None:
    """What the hands hold that are dealt."""
    every = -1 if rules.cards == MAX_CARDS else (1 << rules.cards) - 1
    all_trumps = view.trumps & every
    top = 0
    while all_trumps:  # the highest one stays
        top = all_trumps & -all_trumps
        all_trumps &= all_trumps - 1
    for seat in range(view.players):
        hand = hidden.hands[seat]
        if hand & view.trumps:
            tally(hidden, seat, TRUMP, DEALT_ROLE, 1, 0)
            if hand & top:
                tally(hidden, seat, TOP_TRUMP, DEALT_ROLE, 1, 0)
        most = most_of_a_rank(hand)
        if most >= 2:
            tally(hidden, seat, TWO_OF_A_RANK, DEALT_ROLE, 1, 0)
        if most >= 3:
            tally(hidden, seat, THREE_OF_A_RANK, DEALT_ROLE, 1, 0)
        if most >= 4:
            tally(hidden, seat, FOUR_OF_A_RANK, DEALT_ROLE, 1, 0)


@inner
def most_of_a_rank(hand: int) -> int:
    """How many cards of one rank a hand holds at most."""
    most = 0
    while hand:
        rank = hand & of_rank(lowest(hand) >> 2)
        hand &= ~rank
        most = max(most, popcount(rank))
    return most


# --- who leads ----------------------------------------------------------------------------------------------------------------------------


@inner
def find_leader(view: Any, rules: Any, hidden: Any) -> int:
    """The leader of a deal (D1, R10); how it was found is noted."""
    lead = rules.next_lead if view.deal > 1 else LOWEST_TRUMP
    if lead == PREV_WINNER and hidden.winner >= 0:
        hidden.lead = lead
        return hidden.winner
    if (lead == TO_FOOL or lead == FROM_FOOL) and hidden.fool >= 0:
        hidden.lead = lead
        after = next_in(hidden.fool, view)
        return after if lead == FROM_FOOL else before(hidden.fool, view)
    found, least = -1, MAX_CARDS
    for seat in range(view.players):
        trumps = hidden.hands[seat] & view.trumps & ~JOKERS
        if trumps and lowest(trumps) < least:
            found, least = seat, lowest(trumps)
    hidden.lead = LOWEST_TRUMP if found >= 0 else LEFT_OF_DEALER
    return found if found >= 0 else next_in(view.dealer, view)


@inner
def before(seat: int, view: Any) -> int:
    """The player before another."""
    return seat - 1 if seat > 0 else view.players - 1


# --- a deal -------------------------------------------------------------------------------------------------------------------------------


@inner
def settled(view: Any, rules: Any, hidden: Any, moves: Any) -> bool:
    """R17: the last two have equal hands, and the leader's could be covered to the last card."""
    if not rules.adjudicate or view.stock_size > 0 or view.players - popcount(view.out) != 2:
        return False
    leader, other = view.leader, next_in(view.leader, view)
    return view.sizes[leader] == view.sizes[other] and cover_all(hidden.hands[leader], hidden.hands[other], view, moves[view.players])


@inner
def play_bouts(view: Any, rules: Any, hidden: Any, moves: Any, events: Any) -> int:
    """The bouts of a deal; returns how it ended (meaningless after a fault)."""
    while True:
        if settled(view, rules, hidden, moves):
            return DRAWN
        if view.bout >= rules.max_bouts:
            return MAX_BOUTS
        view.defender = next_in(view.leader, view)
        if not play_bout(view, rules, hidden, moves, events):
            if hidden.fault:
                return VOID
            hidden.passes += 1
            if rules.stuck == STUCK_PASS and events is not None:
                emit_cards(events, hidden, EV_PASS, view.leader, 0)
            if rules.stuck != STUCK_PASS or hidden.passes == 2:
                return VOID
            view.leader = view.defender
            continue
        hidden.passes = 0
        end_bout(view, rules, hidden, events)
        left = view.players - popcount(view.out)
        if left < 2:
            return FOOL_LEFT if left else DRAWN
        after = next_in(view.defender, view)
        view.leader = after if view.taking or view.out >> view.defender & 1 else view.defender


@inner
def score_deal(view: Any, rules: Any, hidden: Any, reason: int) -> None:
    """What the deal changes: the winner, the fool (R10, R11), or the epaulettes that were hung (P2 to P4)."""
    hidden.winner = hidden.out[0] if hidden.n_out > 0 and not (view.players == 2 and reason == DRAWN) else -1
    hidden.fool = next_in(view.defender, view) if reason == FOOL_LEFT else -1
    session = rules.variant != POGONY
    if hidden.winner >= 0:
        points = 1 if session and not rules.score_fool else 0
        view.scores[hidden.winner] += points
        tally(hidden, hidden.winner, FIRST_OUT, hidden.first_out_role, 1, points)
    if hidden.fool >= 0:
        points = -1 if session and rules.score_fool else 0
        view.scores[hidden.fool] += points
        tally(hidden, hidden.fool, FOOL, role_of(hidden.fool, view), 1, points)
        hidden.fools[hidden.fool] += 1
        if hidden.hanging and (view.taking or rules.hang_if_beaten):
            hidden.hung_by = view.leader
            hidden.hung_cards = view.attacking
            tally(hidden, view.leader, HUNG + view.scores[view.leader], LEADER, 1, 1)
            view.scores[view.leader] += 1


@inner
def play_deal(view: Any, rules: Any, hidden: Any, moves: Any, works: Any, rows: Any, events: Any) -> None:
    """One deal from the deck as it lies; writes its row. Stops at a fault."""
    deal_cards(view, rules, hidden)
    tally_dealt(view, rules, hidden)
    view.leader = find_leader(view, rules, hidden)
    if view.deal == 1:
        for _ in range(hidden.lead_shift):
            view.leader = next_in(view.leader, view)
    first = view.leader
    if events is not None:
        _emit_deal(view, rules, hidden, events)
    reason = play_bouts(view, rules, hidden, moves, events)
    if hidden.fault:
        return
    score_deal(view, rules, hidden, reason)
    if events is not None:
        emit_deal_end(view, hidden, reason, events)
    if hidden.n_deals >= len(rows):
        hidden.full = 1
        return
    row = rows[hidden.n_deals]
    hidden.n_deals += 1
    row.game = hidden.game
    row.deal = view.deal
    row.dealer = view.dealer
    row.leader = first
    row.lead = hidden.lead
    row.reason = reason
    row.winner = hidden.winner
    row.fool = hidden.fool
    row.bouts = view.bout
    row.taken = view.bout - hidden.beaten
    for seat in range(view.players):
        row.points[seat] = view.scores[seat] - hidden.deal_scores[seat]


@inner
def _emit_deal(view: Any, rules: Any, hidden: Any, events: Any) -> None:
    """Fields: 2 the leader, 3 the turned card, 4 to 9 the deck, 10 and 11 the ranks that are hung in epaulettes."""
    at = emit(events, hidden, EV_DEAL, view.dealer)
    events[at, 2] = view.leader
    events[at, 3] = view.turned
    for i in range(rules.cards):
        pack_numbers(events, at, 4, i, hidden.deck[i])
    for seat in range(2):
        events[at, 10 + seat] = view.scores[seat]


@inner
def emit_deal_end(view: Any, hidden: Any, reason: int, events: Any) -> None:
    """Fields: 2 the fool, 3 how many went out, 4 who, 5 who hangs epaulettes, 6 these cards, 7 to 14 the scores."""
    at = emit(events, hidden, EV_DEAL_END, reason)
    events[at, 2] = hidden.fool
    events[at, 3] = hidden.n_out
    for i in range(hidden.n_out):
        pack_numbers(events, at, 4, i, hidden.out[i])
    events[at, 5] = hidden.hung_by
    events[at, 6] = hidden.hung_cards if hidden.hung_by >= 0 else 0
    for seat in range(view.players):
        events[at, 7 + seat] = view.scores[seat]


# --- games --------------------------------------------------------------------------------------------------------------------------------


@inner
def winners(view: Any) -> int:
    """Mask of the seats with the highest score; 0 where all are equal (R11)."""
    best, least = view.scores[0], view.scores[0]
    for seat in range(1, view.players):
        best = max(best, view.scores[seat])
        least = min(least, view.scores[seat])
    mask = 0
    for seat in range(view.players):
        if view.scores[seat] == best and best > least:
            mask |= 1 << seat
    return mask


@inner
def ended(view: Any, rules: Any) -> int:
    """How the game ended after the deal (R11, P6), -1 if it goes on."""
    if rules.variant != POGONY:
        return COMPLETE if view.deal >= rules.deals else -1
    for seat in range(2):
        if view.scores[seat] == RANKS_TO_HANG:
            return ACES
    return MAX_DEALS if view.deal >= rules.max_deals else -1


@inner
def play_game(view: Any, rules: Any, hidden: Any, moves: Any, works: Any, games: Any, deals: Any, tallies: Any, events: Any) -> None:
    """One game: its deals, or a match of epaulettes (R11), the deal passing clockwise (R2); writes its rows."""
    open_stream(hidden.stream, hidden.scratch, hidden.seed, hidden.game, 0, FIRST_DEALER)
    view.dealer = below(hidden.stream, view.players)
    view.deal = 0
    hidden.winner = hidden.fool = -1
    for seat in range(view.players):
        view.scores[seat] = 0
        hidden.fools[seat] = 0
    row = games[hidden.n_games]
    row.dealer = view.dealer
    reason = -1
    while reason < 0:
        if view.deal > 0:
            view.dealer = view.dealer + 1 if view.dealer + 1 < view.players else 0
        view.deal += 1
        prepare(view, rules, hidden, works)
        start = hidden.n_deals
        play_deal(view, rules, hidden, moves, works, deals, events)
        if hidden.fault:
            return
        write_cells(hidden, view.deal, ITEMS, ROLES, tallies)
        if hidden.full:  # the rows before are those of whole games, and stay
            return
        if view.deal == 1:
            row.leader = deals[start].leader
        reason = ended(view, rules)
    mask = winners(view)
    row.game = hidden.game
    row.deals = view.deal
    row.reason = reason
    for seat in range(view.players):
        row.score[seat] = view.scores[seat]
        row.share[seat] = (mask >> seat & 1) / popcount(mask) if mask else 1.0 / view.players
        row.fools[seat] = hidden.fools[seat]
    if events is not None:
        at = emit(events, hidden, EV_GAME_END, reason)
        events[at, 2] = mask
        for seat in range(view.players):
            events[at, 3 + seat] = hidden.fools[seat]


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
    MOVE[seats + 1], the last one for the kernel itself; works: WORK[seats], of which HIDDEN has the addresses too; games, deals, tallies: rows; events:
    int64[n, EVENT_WIDTH] or None.
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
