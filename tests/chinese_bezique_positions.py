"""Positions of Chinese bezique made by hand: cards are played, drawn and declared one by one, by the kernel's own functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit

from simcore.api import rules
from simcore.cards import Pack
from simcore.compiled import OPTIONS, cache_folder, cached_in
from simcore.games.chinese_bezique.combinations import HAND, KINDS, NO_CARD, NO_SUIT
from simcore.games.chinese_bezique.legal import FAULTS, check_declare, may_follow
from simcore.games.chinese_bezique.names import ITEMS
from simcore.games.chinese_bezique.play import give_view
from simcore.games.chinese_bezique.rules import pack as pack_rules
from simcore.games.chinese_bezique.scoring import forget_hands, leave_hand, record, score, settle, take_up
from simcore.games.chinese_bezique.view import HIDDEN, MOVE, VIEW
from simcore.ruleset import Ruleset

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


def kind_counts(cards: str) -> np.ndarray:
    """Numbers of cards by kind (uint8[32])."""
    return np.bincount([PACK.card(card) % KINDS for card in cards.split()], minlength=KINDS).astype(np.uint8)
