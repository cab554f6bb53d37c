"""Deals of gin rummy from decks made by hand, and players that do one thing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from model.gin_rummy import PACK as TEXTS

from simcore.api import rules
from simcore.cards import Pack
from simcore.compiled import kernel
from simcore.game import get
from simcore.games.gin_rummy.moves import after_drawing, knock_with
from simcore.games.gin_rummy.names import DEAL_ENDINGS, ITEMS, ROLES
from simcore.games.gin_rummy.play import play_deal
from simcore.games.gin_rummy.rows import DEAL, EVENT_WIDTH
from simcore.games.gin_rummy.rules import pack
from simcore.games.gin_rummy.scoring import settle, show_down
from simcore.games.gin_rummy.transcript import decode
from simcore.games.gin_rummy.view import FIRST_OFFER, HIDDEN, LAST_DISCARD, MOVE, VIEW, WORK
from simcore.simulate import Table
from simcore.strategy import Player, Strategy, load

PACK = Pack("A23456789TJQK")


def mask(cards: str) -> int:
    return PACK.mask(cards.split())


def deck_of(dealer: int, hands: Sequence[str], turned: str, stock: str = "") -> list[int]:
    """A deck that deals two hands (by seat), turns up a card and goes on with a stock; what is not named follows in the order of the pack."""
    first, second = hands[1 - dealer].split(), hands[dealer].split()
    assert len(first) == len(second) == 10
    named = [card for pair in zip(first, second, strict=True) for card in pair] + [turned, *stock.split()]
    assert len(set(named)) == len(named)
    return [PACK.card(card) for card in [*named, *(card for card in TEXTS if card not in named)]]


def player(name: str, draw: Callable[..., Any], discard: Callable[..., Any]) -> Player:
    return Player(name, Strategy("For tests.", {"draw": draw, "discard": discard}), {}, __file__, f"gin_rummy-{name}")


def table_of(first: Player | str, second: Player | str | None = None, **changes: Any) -> Table:
    """A table at which players of this file may sit."""
    table = Table(rules("gin_rummy", **changes), ["random"], 2)
    seats = (first, first if second is None else second)
    table.seats = tuple(load(each, get("gin_rummy")) if isinstance(each, str) else each for each in seats)
    return table


@kernel
def _deal(views: Any, rule_records: Any, hiddens: Any, moves: Any, works: Any, rows: Any, events: Any) -> int:
    hiddens[0].n_deals = hiddens[0].n_events = 0
    return play_deal(views[0], rule_records[0], hiddens[0], moves[0], works, rows, events)


def play_made(table: Table, dealer: int, deck: Sequence[int], scores: Sequence[int] = (0, 0), boxes: Sequence[int] = (0, 0)) -> list[dict[str, Any]]:
    """The events of one deal (the number is 1) from a deck; of the game's end only the final account is played."""
    engine: Any = table.engine
    views, hidden, works, moves = np.zeros(1, VIEW), np.zeros(1, HIDDEN), np.zeros(2, WORK), np.zeros(1, MOVE)
    hidden["decisions"][0], hidden["params"][0] = engine.addresses.ravel(), engine.params
    hidden["told"] = engine.told.ctypes.data
    hidden["works"][0] = works.ctypes.data + WORK.itemsize * np.arange(2)
    views["dealer"], views["deal"], views["scores"], views["boxes"] = dealer, 1, scores, boxes
    hidden["deck"][0], hidden["first"] = deck, 1 - dealer
    events, rows = np.zeros((1000, EVENT_WIDTH), np.int64), np.zeros(1, DEAL)
    _deal(views, engine.rules, hidden, moves, works, rows, events)
    assert not hidden["fault"][0], engine.faults[int(hidden["fault"][0])]
    return decode(events[: hidden["n_events"][0]], table, 0)[1:]


@kernel
def _show_down(views: Any, rule_records: Any, hiddens: Any, seat: int, hand: int, discard: int, events: Any) -> int:
    return show_down(views[0], rule_records[0], hiddens[0], seat, hand, discard, events)


@kernel
def _settle(views: Any, rule_records: Any, hiddens: Any, winner: int, events: Any) -> None:
    settle(views[0], rule_records[0], hiddens[0], winner, events)


class Account:
    """Scores and boxes of a game, of which only the knocks are played."""

    def __init__(self, **changes: Any) -> None:
        self.table = Table(rules("gin_rummy", **changes), ["random"], 2)
        self.rules = pack(self.table.ruleset)
        self.views, self.hidden = np.zeros(1, VIEW), np.zeros(1, HIDDEN)
        self.events = np.zeros((100, EVENT_WIDTH), np.int64)

    def knock(self, seat: int, hand: str, other: str) -> str:
        """``seat`` lays down a hand against that of the other; returns how the round ends."""
        self.hidden["hands"][0, seat], self.hidden["hands"][0, 1 - seat] = mask(hand), mask(other)
        return DEAL_ENDINGS[_show_down(self.views, self.rules, self.hidden, seat, mask(hand), -1, self.events)]

    def settle(self, winner: int) -> None:
        _settle(self.views, self.rules, self.hidden, winner, self.events)

    @property
    def told(self) -> list[dict[str, Any]]:
        return decode(self.events[: self.hidden["n_events"][0]], self.table, 0)[1:]

    @property
    def scores(self) -> list[int]:
        found: list[int] = self.views["scores"][0].tolist()
        return found

    @property
    def boxes(self) -> list[int]:
        found: list[int] = self.views["boxes"][0].tolist()
        return found

    @property
    def winner(self) -> int:
        return int(self.hidden["winner"][0])

    @property
    def tallies(self) -> dict[tuple[int, str, str], tuple[int, int]]:
        """Count and points by seat, item and role."""
        found = {}
        for cell in np.flatnonzero(self.hidden["count"][0]).tolist():
            seat, item, role = cell // (len(ITEMS) * len(ROLES)), cell // len(ROLES) % len(ITEMS), cell % len(ROLES)
            found[seat, ITEMS[item], ROLES[role]] = int(self.hidden["count"][0, cell]), int(self.hidden["points"][0, cell])
        return found


# --- players that do one thing ------------------------------------------------------------------------------------------------------------


def _leave(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    return True


def _take(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    move.take = 1
    return True


def _throw_drawn(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Throws the card that it drew; one from the pile, which must be kept, stays and the lowest other card goes."""
    move.discard = view.drawn
    if view.taken >= 0 and rules.forbid_discard_taken:
        for card in range(52):
            if view.hand >> card & 1 and card != view.taken:
                move.discard = card
                break
    return True


def _throw_taken(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    move.discard = view.drawn
    return True


def _knock_with_drawn(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    move.discard = view.drawn
    move.knock = 1
    return True


def _throw_nothing(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    move.discard = -1
    move.knock = 1
    return True


def _throw_missing(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    move.discard = view.top
    return True


def _no_answer(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    return False


def _take_twice(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    move.take = 2
    return True


def _take_last(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    move.take = 1 if view.phase == LAST_DISCARD else 0
    return True


def _take_later(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    move.take = 0 if view.phase == FIRST_OFFER else 1
    return True


def _knock_last(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    if view.phase == LAST_DISCARD:
        return knock_with(after_drawing(view, rules) & 63, move)
    move.discard = view.drawn
    return True


def _watch(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Takes the top card of the pile as long as all that was ever in the pile is accounted for; otherwise its move is no move."""
    before = work.memory[0]
    work.memory[0] = view.pile | view.threw[0] | view.threw[1] | view.took[0] | view.took[1]
    held = view.took[view.seat] & ~view.hand
    sound = before & ~work.memory[0] == 0 and view.pile >> view.top & 1 and held == 0 and view.took[0] & view.took[1] == 0
    move.take = 1 if sound else 2
    return True


PASSER = player("passer", _leave, _throw_drawn)  # never takes, never knocks
TAKER = player("taker", _take, _throw_drawn)  # always takes, never knocks
KNOCKER = player("knocker", _leave, _knock_with_drawn)
BACK = player("back", _take, _throw_taken)
BIG = player("big", _leave, _throw_nothing)
MISSING = player("missing", _leave, _throw_missing)
SILENT = player("silent", _no_answer, _throw_drawn)
GRABBER = player("grabber", _take, _knock_with_drawn)
LATER = player("later", _take_later, _throw_drawn)  # takes whatever but the up-card
WAITER = player("waiter", _take_last, _knock_last)  # takes and throws nothing but the last discard, with which it knocks
IDLER = player("idler", _take_last, _throw_drawn)
WATCHFUL = player("watchful", _watch, _throw_drawn)
GRASPING = player("grasping", _take_twice, _throw_drawn)
