"""Positions of Seven Card Combo made by hand: a deck in a chosen order, and turns that a test dictates or leaves to a strategy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from simcore.api import rules
from simcore.cards import Pack
from simcore.compiled import kernel
from simcore.game import get
from simcore.games.seven_card_combo.legal import FAULTS
from simcore.games.seven_card_combo.play import deal_cards, play_turn
from simcore.games.seven_card_combo.rows import EVENT_WIDTH
from simcore.games.seven_card_combo.rules import pack
from simcore.games.seven_card_combo.view import HIDDEN, MOVE, VIEW, WORK
from simcore.strategy import NO_PARAMS, compile_decision, load

GAME = get("seven_card_combo")
PACK = Pack(GAME.schema.pack)
SCRIPT = "script"


def mask(text: str) -> int:
    return sum(1 << PACK.card(card) for card in text.split())


def texts(cards: int) -> set[str]:
    return set(PACK.hand(int(cards)))


def script_discard(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Plays what the test wrote into its memory, and notes what it sees of the packet."""
    work.memory[8] = view.packet
    work.memory[9] = view.packet_size
    move.n_discards = work.memory[0]
    for i in range(6):
        move.discards[i] = work.memory[1] >> (6 * i) & 63
    return True


def script_take(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    work.memory[10] = view.packet
    move.from_pile = work.memory[2]
    move.from_packet = work.memory[3]
    return True


@kernel
def deal(views: Any, hiddens: Any) -> None:
    deal_cards(views[0], hiddens[0])


@kernel
def turn(views: Any, rules: Any, hiddens: Any, moves: Any, events: Any, seat: int) -> bool:
    return play_turn(views[0], rules[0], hiddens[0], seat, moves, events)


class Bench:
    """A deal with chosen cards: ``hands`` by seat, ``turned``, the first cards of the ``stock``; the others follow in the order of their numbers.

    ``strategies`` by seat: ``script`` for turns that the test dictates, or the name of a strategy.
    """

    def __init__(self, hands: Sequence[str], turned: str, stock: str = "", strategies: Sequence[str] = (), dealer: int = -1, **changes: Any) -> None:
        players = len(hands)
        self.ruleset = rules("seven_card_combo", **changes)
        self.rules = pack(self.ruleset)
        self.view, self.hidden, self.work, self.moves = np.zeros(1, VIEW), np.zeros(1, HIDDEN), np.zeros(players, WORK), np.zeros(2, MOVE)
        self.events = np.zeros((100, EVENT_WIDTH), np.int64)
        self.view["players"], self.view["deal"], self.view["circle"] = players, 1, 1
        self.view["dealer"] = dealer % players
        self.hidden["first"] = (dealer + 1) % players
        each = [hand.split() for hand in hands]
        cards = [each[(dealer % players + 1 + i) % players][i // players] for i in range(4 * players)] + [turned, *stock.split()]
        cards += [card for card in PACK.texts if card not in cards]
        assert sorted(cards) == sorted(PACK.texts)
        self.hidden["deck"][0] = [PACK.card(card) for card in cards]
        self.work["stream"] = 1, 0x9E3779B97F4A7C15
        self.names = [SCRIPT] * players
        self.params = [np.zeros(1, NO_PARAMS)] * players
        for seat, name in enumerate(strategies or [SCRIPT] * players):
            self.seat_player(seat, name)
        self.hidden["works"][0, :players] = self.work.ctypes.data + WORK.itemsize * np.arange(players)
        self.hidden["told"] = self.rules.ctypes.data
        deal(self.view, self.hidden)

    def seat_player(self, seat: int, name: str) -> None:
        """Give a seat to the script or to a strategy."""
        self.names[seat] = name
        if name == SCRIPT:
            addresses = [compile_decision(each, GAME, NO_PARAMS, "positions").address for each in (script_discard, script_take)]
        else:
            player = load(name, GAME)
            addresses, self.params[seat] = player.compile(GAME), player.params
        self.hidden["decisions"][0, 2 * seat : 2 * seat + 2] = addresses
        self.hidden["params"][0, seat] = self.params[seat].ctypes.data

    @property
    def seat(self) -> int:
        """Whose turn is next."""
        players = int(self.view["players"][0])
        return (int(self.view["leader"][0]) + int(self.view["turn"][0])) % players

    def turn(self, discard: str = "", pile: str = "", packet: str = "") -> str:
        """The next turn; what is wrong with it, or an empty text."""
        seat = self.seat
        aside = discard.split()
        memory = self.work["memory"][seat]
        if self.names[seat] == SCRIPT:
            memory[:4] = len(aside), sum(PACK.card(card) << 6 * i for i, card in enumerate(aside)), mask(pile), mask(packet)
        self.view["circle"] = 1 + int(self.view["turn"][0]) // int(self.view["players"][0])
        if turn(self.view, self.rules, self.hidden, self.moves, self.events, seat):
            self.view["turn"] += 1
            return ""
        fault = int(self.hidden["fault"][0])
        return FAULTS[fault]

    def saved(self) -> tuple[np.ndarray, ...]:
        """Everything that a turn changes, to be given back to `restore`."""
        return tuple(record.copy() for record in (self.view, self.hidden, self.work, self.moves))

    def restore(self, saved: tuple[np.ndarray, ...]) -> None:
        for record, value in zip((self.view, self.hidden, self.work, self.moves), saved, strict=True):
            record[:] = value

    def hand(self, seat: int) -> set[str]:
        return texts(self.hidden["hands"][0, seat])

    @property
    def pile(self) -> list[str]:
        return [PACK.text(int(card)) for card in self.view["pile"][0, : int(self.view["pile_size"][0])]]

    @property
    def stock(self) -> list[str]:
        hidden = self.hidden[0]
        return [PACK.text(int(card)) for card in hidden["deck"][int(hidden["next_card"]) : int(hidden["stock_end"])]]

    @property
    def packet(self) -> list[str]:
        return [PACK.text(int(card)) for card in self.hidden["packet"][0, : int(self.hidden["packet_size"][0])]]

    @property
    def discarded(self) -> list[str]:
        """The cards put aside in the last turn."""
        return [PACK.text(int(card)) for card in self.moves["discards"][0, : int(self.moves["n_discards"][0])]]

    @property
    def taken(self) -> tuple[set[str], set[str]]:
        """The cards taken from the pile and from the packet in the last turn."""
        return texts(self.moves["from_pile"][1]), texts(self.moves["from_packet"][1])
