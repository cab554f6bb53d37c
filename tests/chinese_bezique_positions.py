"""Positions of Chinese bezique made by hand: cards are played, drawn and declared one by one, by the kernel's own functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numba import njit

from simcore.api import rules
from simcore.cards import Pack
from simcore.compiled import OPTIONS, cache_folder, cached_in
from simcore.games.chinese_bezique.combinations import HAND, NO_CARD, NO_SUIT
from simcore.games.chinese_bezique.legal import FAULTS, check_declare, may_follow
from simcore.games.chinese_bezique.names import ITEMS
from simcore.games.chinese_bezique.play import give_view, play_deal
from simcore.games.chinese_bezique.rows import DEAL, EVENT_WIDTH
from simcore.games.chinese_bezique.rules import pack as pack_rules
from simcore.games.chinese_bezique.scoring import forget_hands, leave_hand, record, score, settle, take_up
from simcore.games.chinese_bezique.transcript import decode
from simcore.games.chinese_bezique.view import HIDDEN, MOVE, PLAYERS, VIEW, WORK
from simcore.ruleset import Ruleset
from simcore.simulate import Table

PACK = Pack("789JQKTA", 6)


def compiled(function: Callable[..., Any]) -> Any:
    """Compile an entry point of these tests; its machine code is kept as long as the sources of the game are the same."""
    with cached_in(cache_folder("chinese_bezique")) as possible:
        return njit(cache=possible, **OPTIONS)(function)


@compiled
def _begin(views: Any, hiddens: Any) -> None:
    forget_hands(views[0], hiddens[0])


@compiled
def _take(hiddens: Any, card: int) -> None:
    take_up(hiddens[0], 0, card)


@compiled
def _leave(views: Any, hiddens: Any, place: int) -> None:
    leave_hand(views[0], hiddens[0], 0, place)


@compiled
def _declare(views: Any, rule_records: Any, hiddens: Any, moves: Any) -> int:
    view, hidden, move = views[0], hiddens[0], moves[0]
    give_view(view, hidden, 0)
    fault: int = check_declare(view, rule_records[0], move)
    if fault == 0:
        record(view, hidden, 0, move.item, move.places)
        score(view, rule_records[0], hidden, 0, move.item)
    return fault


@compiled
def _settle(views: Any, rule_records: Any, hiddens: Any) -> None:
    settle(views[0], rule_records[0], hiddens[0])


@compiled
def _may_follow(hiddens: Any, led: int, trump: int, must_head: bool) -> int:
    found: int = may_follow(hiddens[0].hand[0], led, trump, must_head)
    return found


class Position:
    """A hand in the middle of a deal; cards as texts, ``"Qs1 Jd1"``."""

    def __init__(self, hand: str, trump: str | None = None, barred: str | None = None, ruleset: Ruleset | None = None, **options: Any) -> None:
        """The hand of a player who has declared nothing yet."""
        self.ruleset = ruleset or rules("chinese_bezique", **options)
        self.rules = pack_rules(self.ruleset)
        self.views, self.hidden, self.moves = np.zeros(1, VIEW), np.zeros(1, HIDDEN), np.zeros(1, MOVE)
        _begin(self.views, self.hidden)
        self.views["trump"], self.views["barred"] = (NO_SUIT if suit is None else "shdc".index(suit) for suit in (trump, barred))
        self.draw(hand)

    def draw(self, cards: str) -> None:
        """Cards come into the hand."""
        for card in cards.split():
            _take(self.hidden, PACK.card(card))

    def play(self, cards: str) -> None:
        """Cards leave the hand."""
        for card in cards.split():
            _leave(self.views, self.hidden, self.places(card).bit_length() - 1)

    def places(self, cards: str) -> int:
        """The places of cards, a mask."""
        hand = self.hidden["hand"][0, 0].tolist()
        return sum(1 << hand.index(PACK.card(card)) for card in cards.split())

    def declare(self, kind: str, cards: str) -> int | str:
        """Declare cards: how many points that scores, or what is wrong with it."""
        self.moves["item"], self.moves["places"] = ITEMS.index(kind), self.places(cards)
        before = int(self.views["points"][0, 0])
        fault = _declare(self.views, self.rules, self.hidden, self.moves)
        return FAULTS[fault] if fault else int(self.views["points"][0, 0]) - before

    def may(self, kind: str, cards: str) -> bool:
        """Whether cards can be declared; if so they are."""
        return isinstance(self.declare(kind, cards), int)

    @property
    def trump(self) -> str | None:
        """The trump suit."""
        trump = int(self.views["trump"][0])
        return None if trump == NO_SUIT else "shdc"[trump]

    def follows(self, led: str, must_head: bool = False) -> set[str]:
        """The cards that may follow in the last twelve tricks."""
        places = _may_follow(self.hidden, PACK.card(led), int(self.views["trump"][0]), must_head)
        hand = self.hidden["hand"][0, 0].tolist()
        return {PACK.text(hand[place]) for place in range(HAND) if places >> place & 1 and hand[place] != NO_CARD}


def settlement(points: tuple[int, int], ruleset: Ruleset | None = None) -> tuple[list[int], bool]:
    """Big points of both players for the points of a deal, and whether it was a rubicon."""
    views, hidden = np.zeros(1, VIEW), np.zeros(1, HIDDEN)
    views["points"] = points
    _settle(views, pack_rules(ruleset or rules("chinese_bezique")), hidden)
    return views["scores"][0].tolist(), bool(hidden["rubicon"][0])


@compiled
def _play_made(views: Any, rule_records: Any, hiddens: Any, moves: Any, works: Any, rows: Any, events: Any) -> None:
    view = views[0]
    view.deal, view.dealer, view.barred = 1, 1, NO_SUIT
    play_deal(view, rule_records[0], hiddens[0], moves[0], works, rows, events)


def play_made(table: Table, cards: Sequence[int]) -> list[dict[str, Any]]:
    """The events of a deal from a deck that is given, in dealing order; seat 0 leads."""
    engine: Any = table.engine
    views, hidden, works, moves = np.zeros(1, VIEW), np.zeros(1, HIDDEN), np.zeros(PLAYERS, WORK), np.zeros(1, MOVE)
    hidden["deck"], hidden["told"] = cards, engine.told.ctypes.data
    hidden["decisions"][0], hidden["params"][0] = engine.addresses.ravel(), engine.params
    hidden["works"][0] = works.ctypes.data + WORK.itemsize * np.arange(PLAYERS)
    events = np.zeros((600, EVENT_WIDTH), np.int64)
    _play_made(views, engine.rules, hidden, moves, works, np.zeros(1, DEAL), events)
    return decode(events[: hidden[0]["n_events"]], table, 0)
