"""A slow referee of gin rummy, written from the rulebook: follows a transcript from the cards alone and checks every event of it.

Cards are texts, hands are sets of them, melds are tried one by one: nothing is shared with the kernel but the names of items.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
from typing import Any

RANKS = "A23456789TJQK"
SUITS = "shdc"
PACK = [rank + suit for rank in RANKS for suit in SUITS]
NUMBERS = ["three", "four", "five", "six", "seven", "eight", "nine", "ten"]

Cards = frozenset[str]
Watch = Callable[[int, str, Cards], None]


def rank(card: str) -> int:
    return RANKS.index(card[0])


def worth(cards: Any) -> int:
    """G9."""
    return sum(10 if card[0] in "TJQK" else 1 if card[0] == "A" else int(card[0]) for card in cards)


def is_set(cards: Any) -> bool:
    """G6."""
    return len(cards) in (3, 4) and len({card[0] for card in cards}) == 1 and len(set(cards)) == len(cards)


def is_run(cards: Any) -> bool:
    """G7, G8."""
    ranks = sorted(rank(card) for card in cards)
    return len(cards) >= 3 and len({card[1] for card in cards}) == 1 and ranks == list(range(ranks[0], ranks[0] + len(ranks)))


def is_meld(cards: Any) -> bool:
    return is_set(cards) or is_run(cards)


@cache
def melds_with(card: str, hand: Cards) -> tuple[Cards, ...]:
    """Every meld in a hand that a card is in."""
    same = [each for each in hand if each[0] == card[0]]
    found = [frozenset(some) for size in (3, 4) for some in combinations(same, size) if card in some]
    suited = sorted((each for each in hand if each[1] == card[1]), key=rank)
    for first in range(len(suited)):
        for last in range(first + 3, len(suited) + 1):
            some = suited[first:last]
            if card in some and is_run(some):
                found.append(frozenset(some))
    return tuple(found)


def divisions(hand: Cards) -> Iterator[tuple[list[Cards], Cards]]:
    """Every way to lay down some melds of a hand: the melds, and the loose cards."""
    if not hand:
        yield [], frozenset()
        return
    card = min(hand, key=PACK.index)
    for melds, loose in divisions(hand - {card}):
        yield melds, loose | {card}
    for meld in melds_with(card, hand):
        for melds, loose in divisions(hand - meld):
            yield [meld, *melds], loose


@cache
def least(hand: Cards) -> int:
    """The least deadwood of a hand."""
    if not hand:
        return 0
    card = min(hand, key=PACK.index)
    best = worth([card]) + least(hand - {card})
    return min([best, *(least(hand - meld) for meld in melds_with(card, hand))])


def fits(card: str, meld: Any) -> bool:
    """Whether a card can be added directly to a meld."""
    return is_meld([*meld, card])


def addable(hand: Cards, melds: list[Cards]) -> int:
    """How many different cards outside a hand could be added directly to some of its melds."""
    return sum(any(fits(card, meld) for meld in melds) for card in PACK if card not in hand)


def fewest_addable(hand: Cards) -> int:
    """GA14: what the best of the divisions with least deadwood offers."""
    goal = least(hand)
    return min(addable(hand, melds) for melds, loose in divisions(hand) if worth(loose) == goal)


def left_after_layoffs(loose: Cards, melds: list[Cards]) -> int:
    """Points that stay when all is laid off that can be, runs before sets so that chains go on."""
    grown = [set(meld) for meld in melds]
    rest = set(loose)
    while True:
        moves = [(card, meld) for card in rest for meld in grown if fits(card, meld)]
        if not moves:
            return worth(rest)
        card, meld = max(moves, key=lambda move: is_run(move[1]))
        meld.add(card)
        rest.remove(card)


def least_after_layoffs(hand: Cards, melds: list[Cards]) -> int:
    """GA13: the opponent's least deadwood over all divisions and lay-offs."""
    return min(left_after_layoffs(loose, melds) for _, loose in divisions(hand))


# ------------------------------------------------------------------ the referee


@dataclass
class Deal:
    """What a deal came to."""

    deal: int
    dealer: int
    reason: str = ""
    winner: int | None = None
    turns: int = 0
    points: list[int] = field(default_factory=lambda: [0, 0])
    tallies: Counter[tuple[int, str, str]] = field(default_factory=Counter)
    worth: Counter[tuple[int, str, str]] = field(default_factory=Counter)

    def count(self, seat: int, item: str, role: str, points: int, times: int = 1) -> None:
        self.tallies[seat, item, role] += times
        self.worth[seat, item, role] += points


@dataclass
class Summary:
    """What a game came to."""

    deals: list[Deal]
    scores: list[int]
    boxes: list[int]
    winners: list[int]
    reason: str


def check_game(events: list[dict[str, Any]], watch: Watch | None = None) -> Summary:
    """Follow a transcript; AssertionError where it breaks a rule. ``watch`` is called with each seat, decision and hand before a choice."""
    return _Referee(events, watch).game()


class _Referee:
    def __init__(self, events: list[dict[str, Any]], watch: Watch | None) -> None:
        self.events = events
        self.at = 0
        self.watch = watch or (lambda seat, decision, hand: None)
        start = self.next("game")
        self.options, self.points = start["options"], start["points"]
        assert start["seats"] == 2 and start["scores"] == [0, 0]
        self.scores, self.boxes = [0, 0], [0, 0]

    def next(self, kind: str) -> dict[str, Any]:
        event = self.events[self.at]
        assert event["event"] == kind, (event, kind)
        assert list(event)[0] == "event"
        self.at += 1
        return event

    def comes(self, kind: str) -> bool:
        return bool(self.events[self.at]["event"] == kind)

    def game(self) -> Summary:
        deals: list[Deal] = []
        reason = "max_deals"
        for number in range(1, self.options["max_deals"] + 1):
            before = list(self.scores)
            deal = self.deal(number, deals[-1] if deals else None)
            deals.append(deal)
            over = max(self.scores) >= self.options["target"]
            if over:
                assert deal.winner is not None
                self.account(deal)
            deal.points = [after - earlier for after, earlier in zip(self.scores, before, strict=True)]
            if over:
                reason = "score"
                break
        end = self.next("game_end")
        assert self.at == len(self.events)
        if reason == "score":
            winners = [deals[-1].winner]
        else:
            winners = [seat for seat in (0, 1) if self.scores[seat] == max(self.scores)]
        assert (end["scores"], end["boxes"], end["winners"]) == (self.scores, self.boxes, winners)
        return Summary(deals, self.scores, self.boxes, end["winners"], reason)

    def deal(self, number: int, before: Deal | None) -> Deal:
        event = self.next("deal")
        assert event["deal"] == number
        if before is not None:
            if before.winner is not None:
                assert event["dealer"] == before.winner  # G2, GA6
            else:
                assert event["dealer"] == (before.dealer if self.options["redealer"] == "same" else 1 - before.dealer)  # GA5
        dealer = event["dealer"]
        assert event["leader"] == 1 - dealer
        hands = [set(hand) for hand in event["hands"]]
        assert [len(hand) for hand in event["hands"]] == [10, 10] and len(event["stock"]) == 31
        assert sorted([*hands[0], *hands[1], *event["stock"], event["turned"]]) == sorted(PACK)
        deal = Deal(number, dealer)
        self.turns(deal, hands, list(event["stock"]), [event["turned"]])
        end = self.next("deal_end")
        assert (end["reason"], end["winner"], end["scores"]) == (deal.reason, deal.winner, self.scores)
        return deal

    def turns(self, deal: Deal, hands: list[set[str]], stock: list[str], pile: list[str]) -> None:
        seat, forced = 1 - deal.dealer, False
        for each in (1 - deal.dealer, deal.dealer):  # G4
            self.watch(each, "draw", frozenset(hands[each]))
            if not self.comes("refuse"):
                assert self.events[self.at]["from"] == "pile"
                seat = each
                break
            assert self.next("refuse")["seat"] == each
        else:
            forced = True  # GA1
        first, last = True, False
        while True:
            if not first:
                if len(stock) == 2:  # G17, GA4
                    kept = pile[-1] if self.options["forbid_discard_taken"] else None
                    could = hands[seat] | {pile[-1]}
                    helps = self.options["fiftieth_card"] and any(least(frozenset(could - {card})) <= self.options["knock_limit"] for card in could - {kept})
                    if helps:
                        self.watch(seat, "draw", frozenset(hands[seat]))
                    if not helps or self.comes("deal_end"):
                        deal.reason = "stock"
                        return
                    last = True
                elif deal.turns >= self.options["max_turns_per_deal"]:
                    deal.reason = "max_turns"
                    return
                else:
                    self.watch(seat, "draw", frozenset(hands[seat]))
            deal.turns += 1
            draw = self.next("draw")
            assert draw["seat"] == seat and draw["from"] in ("stock", "pile")
            assert draw["card"] == (stock.pop(0) if draw["from"] == "stock" else pile.pop())
            assert draw["from"] == "stock" if forced else True
            assert draw["from"] == "pile" if last else True
            first = forced = False
            hands[seat].add(draw["card"])
            taken = draw["card"] if draw["from"] == "pile" and self.options["forbid_discard_taken"] else None
            self.watch(seat, "discard", frozenset(hands[seat]))
            if self.comes("knock"):
                self.knock(deal, seat, hands, taken)
                return
            assert not last
            throw = self.next("discard")
            assert throw["seat"] == seat and throw["card"] in hands[seat] and throw["card"] != taken  # GA2
            hands[seat].remove(throw["card"])
            pile.append(throw["card"])
            seat = 1 - seat

    def knock(self, deal: Deal, seat: int, hands: list[set[str]], taken: str | None) -> None:
        knock = self.next("knock")
        assert knock["seat"] == seat
        if knock["discard"] is None:
            assert self.points["big_gin"] > 0 and knock["gin"]  # GA9
        else:
            assert knock["discard"] in hands[seat] and knock["discard"] != taken
            hands[seat].remove(knock["discard"])
        hand = frozenset(hands[seat])
        melds = self.laid(knock, hand)
        assert knock["count"] == least(hand) <= self.options["knock_limit"]  # G10
        assert knock["gin"] == (knock["count"] == 0)
        assert addable(hand, melds) == fewest_addable(hand)  # GA14
        other = 1 - seat
        show = self.next("show")
        assert show["seat"] == other
        off = [each["card"] for each in show["layoffs"]]
        own = self.laid(show, frozenset(hands[other] - set(off)))
        assert set(off) <= hands[other] and len(set(off)) == len(off)
        grown = [set(meld) for meld in melds]
        for each in show["layoffs"]:  # G11, one after the other
            assert fits(each["card"], grown[each["meld"]])
            grown[each["meld"]].add(each["card"])
        if knock["gin"]:
            assert not off  # G15
            assert show["count"] == least(frozenset(hands[other]))
        else:
            assert show["count"] == least_after_layoffs(frozenset(hands[other]), melds)  # GA13
        for who, role, laid in ((seat, "knocker", melds), (other, "opponent", own)):
            for meld in laid:
                kind = "set" if is_set(meld) else "run"
                deal.count(who, f"{kind}_of_{NUMBERS[min(len(meld), 10) - 3]}", role, 0)
        if off:
            deal.count(other, "layoff", "opponent", 0, len(off))
        self.score_round(deal, seat, knock, show, len(hand) == 11)

    def score_round(self, deal: Deal, seat: int, knock: dict[str, Any], show: dict[str, Any], big: bool) -> None:
        other, difference = 1 - seat, show["count"] - knock["count"]
        changes = []
        if knock["gin"]:  # G15, GA9
            bonus = "big_gin" if big else "gin_bonus"
            deal.reason, deal.winner = "gin", seat
            changes = [(seat, "gin", "knocker", difference), (seat, bonus, "knocker", self.points[bonus])]
            self.boxes[seat] += 1 + self.options["gin_boxes"]
        elif difference < 0 or (difference == 0 and self.options["tie_is_undercut"]):  # G13, G14
            deal.reason, deal.winner = "undercut", other
            changes = [(other, "undercut", "opponent", -difference), (other, "undercut_bonus", "opponent", self.points["undercut_bonus"])]
            self.boxes[other] += 1
        else:  # G12
            deal.reason, deal.winner = "knock", seat
            changes = [(seat, "knock", "knocker", difference)]
            self.boxes[seat] += 1
        for who, item, role, points in changes:
            deal.count(who, item, role, points)
        self.score([(who, item, points) for who, item, _, points in changes])

    def account(self, deal: Deal) -> None:
        winner = deal.winner
        assert winner is not None and self.scores[winner] >= self.options["target"]
        own, others = self.boxes[winner], self.boxes[1 - winner]
        boxes = max(0, own - others) if self.options["net_boxes"] else own  # GA12
        changes = [(winner, "game_bonus", self.points["game_bonus"]), (winner, "box_bonus", boxes * self.points["box_bonus"])]  # G18
        deal.count(winner, "game_bonus", "account", changes[0][2])
        if boxes:
            deal.count(winner, "box_bonus", "account", changes[1][2], boxes)
        if others == 0 and self.options["shutout_multiplier"] > 1:  # GA10
            total = self.scores[winner] + sum(points for _, _, points in changes)
            changes.append((winner, "shutout", total * (self.options["shutout_multiplier"] - 1)))
            deal.count(winner, "shutout", "account", changes[-1][2])
        self.score(changes)

    def score(self, changes: list[tuple[int, str, int]]) -> None:
        for seat, _, points in changes:
            self.scores[seat] += points
        expected = [{"seat": seat, "delta": points, "reason": item} for seat, item, points in changes if points]
        if expected:
            event = self.next("score")
            assert [{key: each[key] for key in ("seat", "delta", "reason")} for each in event["changes"]] == expected
            assert all(each["rule"].startswith("G") for each in event["changes"])
            assert event["scores"] == self.scores

    def laid(self, event: dict[str, Any], hand: Cards) -> list[Cards]:
        """The melds of a hand that is laid down: melds and loose cards are all of it."""
        melds = [frozenset(meld) for meld in event["melds"]]
        assert all(is_meld(meld) for meld in event["melds"])
        assert Counter([*(card for meld in event["melds"] for card in meld), *event["deadwood"]]) == Counter(hand)
        assert event["count"] == worth(event["deadwood"])
        return melds
