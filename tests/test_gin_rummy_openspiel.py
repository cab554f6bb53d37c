"""OpenSpiel's gin rummy as a referee: the same cards and choices are legal there, and the hand is worth the same.

Its rules are these of ours: a card taken from the pile may be thrown at once (GA2 off), equal deadwood scores nothing (G14 off), and with two cards left
in the stock the last discard may be taken to knock with (GA4, `fiftieth_card`). What differs beyond options:

- it ends a hand after 50 draws from the pile, or when the same card is taken and thrown twice in a row; here a limit of turns does the same (GA16);
- its melds have at most five cards: longer runs are laid down in two (G7), and a chain of lay-offs stops there, which G11 knows nothing of;
- whether eleven cards may knock it says by one division of them less its dearest loose card. Where another division with as little deadwood has a dearer
  one, it misses a knock that its own count of the ten cards allows (G10).

Seat 0 is there who moves first.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from gin_rummy_positions import PACK
from model.gin_rummy import PACK as TEXTS

from simcore.api import rules
from simcore.games.gin_rummy.frequencies import DEADWOOD, measure
from simcore.simulate import Table

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is an optional extra")
GIN = pyspiel.gin_rummy
UTILS = GIN.GinRummyUtils(13, 4, 10)
GAME = pyspiel.load_game("gin_rummy")
MOST_FROM_PILE = 50
LONGEST_MELD = 5
SAME_RULES = {"forbid_discard_taken": False, "tie_is_undercut": False, "fiftieth_card": True}


def number(card: str) -> int:
    return int(UTILS.card_int(card))


def test_least_deadwood_of_random_hands(full: bool) -> None:
    rng = random.Random(1)
    packs = [TEXTS[4 * (i % 9) : 4 * (i % 9) + 20] if i % 2 else TEXTS for i in range(20_000 if full else 4_000)]
    hands = [rng.sample(pack, 10) for pack in packs]
    found = measure(np.array([PACK.mask(hand) for hand in hands], np.int64))[:, DEADWOOD]
    assert found.tolist() == [UTILS.min_deadwood(sorted(map(number, hand))) for hand in hands]


class Hand:
    """One deal of a transcript, played again in OpenSpiel."""

    def __init__(self, events: list[dict[str, Any]]) -> None:
        self.deal = events[0]
        self.leader = self.deal["leader"]
        self.state = GAME.new_initial_state()
        for card in (*self.deal["hands"][self.leader], *self.deal["hands"][1 - self.leader], self.deal["turned"]):
            self.chance(card)
        self.hands = [set(hand) for hand in self.deal["hands"]]
        self.stopped = ""
        self.laid: list[list[str]] = []
        self.points = [0, 0]
        self.from_pile = 0
        for event in events[1:]:
            self.follow(event)
            if self.stopped:
                return

    def chance(self, card: str) -> None:
        assert self.state.is_chance_node()
        assert number(card) in [action for action, _ in self.state.chance_outcomes()]
        self.state.apply_action(number(card))

    def act(self, seat: int, action: int) -> None:
        assert self.state.current_player() == (seat ^ self.leader)
        assert action in self.state.legal_actions(), (self.state.action_to_string(action), str(self.state))
        self.state.apply_action(action)

    @property
    def phase(self) -> str:
        return str(self.state.current_phase().name)

    def follow(self, event: dict[str, Any]) -> None:
        if self.state.is_terminal() and event["event"] not in ("score", "deal_end"):
            self.stopped = "pile" if self.from_pile >= MOST_FROM_PILE else "repeated"
            return
        getattr(self, f"on_{event['event']}")(event)

    def on_refuse(self, event: dict[str, Any]) -> None:
        assert set(self.state.legal_actions()) == {GIN.DRAW_UPCARD_ACTION, GIN.PASS_ACTION}
        self.act(event["seat"], GIN.PASS_ACTION)

    def on_draw(self, event: dict[str, Any]) -> None:
        seat, pile = event["seat"], event["from"] == "pile"
        legal = set(self.state.legal_actions())
        if self.phase == "WALL":
            assert pile and legal == {GIN.KNOCK_ACTION, GIN.PASS_ACTION}
            self.act(seat, GIN.KNOCK_ACTION)
        elif self.phase == "FIRST_UPCARD" and pile:
            assert legal == {GIN.DRAW_UPCARD_ACTION, GIN.PASS_ACTION}
            self.act(seat, GIN.DRAW_UPCARD_ACTION)
        else:
            both = {GIN.DRAW_UPCARD_ACTION, GIN.DRAW_STOCK_ACTION}
            assert legal == ({GIN.DRAW_STOCK_ACTION} if self.phase == "FIRST_UPCARD" else both)  # GA1
            self.act(seat, GIN.DRAW_UPCARD_ACTION if pile else GIN.DRAW_STOCK_ACTION)
            if not pile:
                self.chance(event["card"])
        self.from_pile += pile
        self.hands[seat].add(event["card"])

    def on_discard(self, event: dict[str, Any]) -> None:
        self.check_discards(event["seat"])
        self.act(event["seat"], number(event["card"]))
        self.hands[event["seat"]].remove(event["card"])

    def check_discards(self, seat: int) -> None:
        """Any of eleven cards may be thrown; knocking is legal exactly where some discard leaves no more than the limit (G10)."""
        held = sorted(map(number, self.hands[seat]))
        legal = {*held, GIN.KNOCK_ACTION} if min(least_without(self.hands[seat]).values()) <= 10 else set(held)
        if set(self.state.legal_actions()) != legal:
            assert set(self.state.legal_actions()) == set(held) and UTILS.min_deadwood(held) > 10
            self.stopped = "missed"

    def on_knock(self, event: dict[str, Any]) -> None:
        seat = event["seat"]
        if self.phase != "KNOCK":
            self.check_discards(seat)
            if self.stopped:
                return
            self.act(seat, GIN.KNOCK_ACTION)
        left = least_without(self.hands[seat])
        assert set(self.state.legal_actions()) == {number(card) for card, points in left.items() if points <= 10}
        self.act(seat, number(event["discard"]))
        self.hands[seat].remove(event["discard"])
        self.laid = event["melds"]
        self.lay(seat, event["melds"])

    def lay(self, seat: int, melds: list[list[str]]) -> None:
        pieces = [meld for meld in melds if len(meld) <= LONGEST_MELD]
        for meld in melds:
            if len(meld) > LONGEST_MELD:
                pieces += [meld[: len(meld) // 2], meld[len(meld) // 2 :]]
        for meld in pieces:
            self.act(seat, GIN.MELD_ACTION_BASE + UTILS.meld_to_int(sorted(map(number, meld))))
        self.act(seat, GIN.PASS_ACTION)

    def on_show(self, event: dict[str, Any]) -> None:
        grown = [len(meld) for meld in self.laid]
        for each in event["layoffs"]:
            grown[each["meld"]] += 1
            if grown[each["meld"]] > LONGEST_MELD and number(each["card"]) not in self.state.legal_actions():
                self.stopped = "chain"
                return
            self.act(event["seat"], number(each["card"]))
        if not self.state.finished_layoffs():
            self.act(event["seat"], GIN.PASS_ACTION)
        self.lay(event["seat"], event["melds"])

    def on_score(self, event: dict[str, Any]) -> None:
        for change in event["changes"]:
            self.points[change["seat"] ^ self.leader] += change["delta"]

    def on_deal_end(self, event: dict[str, Any]) -> None:
        if not self.state.is_terminal():
            assert event["reason"] == "stock" and self.phase == "WALL"
            self.act(self.state.current_player() ^ self.leader, GIN.PASS_ACTION)
        assert self.state.is_terminal()
        assert self.state.returns() == [self.points[0] - self.points[1], self.points[1] - self.points[0]]


def least_without(hand: set[str]) -> dict[str, int]:
    """What is left by each discard, by OpenSpiel's count."""
    return {card: UTILS.min_deadwood(sorted(number(each) for each in hand if each != card)) for card in hand}


@pytest.mark.parametrize("strategies", [("random",), ("greedy",), ("random", "simple"), ("patient", "defender")])
def test_hands_are_legal_and_worth_the_same(strategies: tuple[str, ...], full: bool) -> None:
    table = Table(rules("gin_rummy", **SAME_RULES, max_deals=20, target=100_000), strategies, 2, seed=4)
    seen: dict[str, int] = {}
    for game in range(100 if full else 10):
        deal: list[dict[str, Any]] = []
        for event in table.transcript(game)[1:-1]:
            if event["event"] == "deal":
                deal = []
            deal.append(event)
            if event["event"] == "deal_end":
                hand = Hand(deal)
                ending = hand.stopped or event["reason"]
                seen[ending] = seen.get(ending, 0) + 1
    assert sum(seen.values()) == (2000 if full else 200)
    assert sum(seen.get(reason, 0) for reason in ("pile", "repeated", "chain", "missed")) < 0.2 * sum(seen.values())
