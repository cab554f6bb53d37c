"""What a knock is worth, and the final account (G11 to G15, G18)."""

from __future__ import annotations

from typing import Any

from simcore.bits import popcount
from simcore.compiled import inner
from simcore.games.gin_rummy.combinations import (
    BIG_GIN,
    BOX_BONUS,
    GAME_BONUS,
    GIN,
    GIN_BONUS,
    HAND,
    KNOCK,
    LAYOFF,
    LONGEST_RUN,
    RUN_OF_THREE,
    SET_OF_THREE,
    SHUTOUT,
    UNDERCUT,
    UNDERCUT_BONUS,
    in_runs,
    value,
)
from simcore.games.gin_rummy.rows import EV_CHANGE, EV_KNOCK, EV_SHOW, GIN_MADE, KNOCKED, UNDERCUT_MADE, tally
from simcore.games.gin_rummy.splits import best_layoffs, first_meld, laid_sets
from simcore.games.gin_rummy.view import ACCOUNT, KNOCKER, OPPONENT
from simcore.recording import emit


@inner
def score(view: Any, hidden: Any, seat: int, item: int, role: int, count: int, points: int, events: Any) -> None:
    """Count what occurred and add its points to a score; a change of 0 is not written."""
    if count == 0:
        return
    view.scores[seat] += points
    tally(hidden, seat, item, role, count, points)
    if points != 0 and events is not None:
        at = emit(events, hidden, EV_CHANGE, seat)
        events[at, 2] = points
        events[at, 3] = item


@inner
def tally_melds(hidden: Any, seat: int, role: int, sets: int, runs: int) -> None:
    """Count the melds that a seat lays down."""
    while sets | runs:
        meld = first_meld(sets, runs)
        cards = popcount(meld)
        item = SET_OF_THREE + cards - 3 if meld & sets else RUN_OF_THREE + min(cards, LONGEST_RUN) - 3
        tally(hidden, seat, item, role, 1, 0)
        sets &= ~meld
        runs &= ~meld


@inner
def show_down(view: Any, rules: Any, hidden: Any, seat: int, hand: int, discard: int, events: Any) -> int:
    """A knock, what the opponent shows, and the points of the round; returns how the deal ended.

    seat: the knocker; hand: the ten cards kept (eleven with big gin); discard: the card thrown, -1 for none.
    """
    other = 1 - seat
    sets = laid_sets(hand)
    runs = in_runs(hand & ~sets)
    count = value(hand & ~sets & ~runs)
    gin = count == 0
    shown = hidden.hands[other]
    laid_off = 0 if gin else best_layoffs(shown, sets, runs)
    kept = shown & ~laid_off
    own_sets = laid_sets(kept)
    own_runs = in_runs(kept & ~own_sets)
    against = value(kept & ~own_sets & ~own_runs)
    if events is not None:
        at = emit(events, hidden, EV_KNOCK, seat)
        events[at, 2] = discard
        events[at, 3] = sets
        events[at, 4] = runs
        events[at, 5] = hand
        events[at, 15] = hidden.hands[seat]
        at = emit(events, hidden, EV_SHOW, other)
        events[at, 2] = laid_off
        events[at, 3] = own_sets
        events[at, 4] = own_runs
        events[at, 5] = shown
    tally_melds(hidden, seat, KNOCKER, sets, runs)
    tally_melds(hidden, other, OPPONENT, own_sets, own_runs)
    if laid_off:
        tally(hidden, other, LAYOFF, OPPONENT, popcount(laid_off), 0)
    if gin:
        score(view, hidden, seat, GIN, KNOCKER, 1, against, events)
        bonus = BIG_GIN if popcount(hand) > HAND else GIN_BONUS
        score(view, hidden, seat, bonus, KNOCKER, 1, rules.points[bonus], events)
        hidden.winner = seat
        view.boxes[seat] += 1 + rules.gin_boxes
        return GIN_MADE
    if against < count or (against == count and rules.tie_is_undercut):
        score(view, hidden, other, UNDERCUT, OPPONENT, 1, count - against, events)
        score(view, hidden, other, UNDERCUT_BONUS, OPPONENT, 1, rules.points[UNDERCUT_BONUS], events)
        hidden.winner = other
        view.boxes[other] += 1
        return UNDERCUT_MADE
    score(view, hidden, seat, KNOCK, KNOCKER, 1, against - count, events)
    hidden.winner = seat
    view.boxes[seat] += 1
    return KNOCKED


@inner
def settle(view: Any, rules: Any, hidden: Any, winner: int, events: Any) -> None:
    """The final account of who reached the target (G18, GA10, GA12)."""
    own, others = view.boxes[winner], view.boxes[1 - winner]
    paid = max(0, own - others) if rules.net_boxes else own
    score(view, hidden, winner, GAME_BONUS, ACCOUNT, 1, rules.points[GAME_BONUS], events)
    score(view, hidden, winner, BOX_BONUS, ACCOUNT, paid, paid * rules.points[BOX_BONUS], events)
    if others == 0 and rules.shutout_multiplier > 1:
        score(view, hidden, winner, SHUTOUT, ACCOUNT, 1, view.scores[winner] * (rules.shutout_multiplier - 1), events)
