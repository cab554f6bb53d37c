"""A slow referee of durak, written from the rulebook and not from the kernel: it follows a transcript card by card, by texts and lists.

`check_game` raises AssertionError at the first event that the rules do not allow, or that is missing, and returns what the records of the game must say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Event = Mapping[str, Any]

SMALL = "6789TJQKA"
LARGE = "23456789TJQKA"
SUITS = "shdc"
JOKERS = {"Rj": "hd", "Bj": "sc"}  # the suits of its colour
NAMES = dict(zip(SMALL, ("six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"), strict=True))


def pack_of(deck: str) -> list[str]:
    """Every card of a pack (D3), the jokers last."""
    cards = [rank + suit for rank in (SMALL if deck == "36" else LARGE) for suit in SUITS]
    return cards + list(JOKERS) if deck == "54" else cards


def rank_of(card: str) -> str:
    """Jokers are a rank of their own."""
    return "joker" if card in JOKERS else card[0]


def is_trump(card: str, trump: str) -> bool:
    """Of the jokers that of the trump suit's colour is a trump."""
    return trump in JOKERS[card] if card in JOKERS else card[1] == trump


def beats(other: str, card: str, trump: str, plain_joker_beaten_by: str = "any_trump") -> bool:
    """Whether ``other`` beats ``card`` (T2, R18)."""
    if is_trump(card, trump):
        if not is_trump(other, trump) or card in JOKERS:
            return False
        return other in JOKERS or LARGE.index(other[0]) > LARGE.index(card[0])
    if card in JOKERS:
        if plain_joker_beaten_by == "any_trump":
            return is_trump(other, trump)
        return plain_joker_beaten_by == "trump_joker_only" and other in JOKERS and is_trump(other, trump)
    if is_trump(other, trump):
        return True
    if other in JOKERS:
        return card[1] in JOKERS[other]
    return other[1] == card[1] and LARGE.index(other[0]) > LARGE.index(card[0])


def matching(choices: Sequence[Sequence[str]]) -> bool:
    """Whether each entry can have one of its choices, all of them different."""
    taken: dict[str, int] = {}

    def place(entry: int, tried: set[str]) -> bool:
        for choice in choices[entry]:
            if choice not in tried:
                tried.add(choice)
                if choice not in taken or place(taken[choice], tried):
                    taken[choice] = entry
                    return True
        return False

    return all(place(entry, set()) for entry in range(len(choices)))


@dataclass
class Deal:
    """What the records say of a deal."""

    dealer: int
    leader: int
    lead: str
    reason: str = ""
    winner: int | None = None
    fool: int | None = None
    bouts: int = 0
    taken: int = 0
    points: list[int] = field(default_factory=list)
    tallies: Counter[tuple[int, str, str]] = field(default_factory=Counter)
    worth: Counter[tuple[int, str, str]] = field(default_factory=Counter)


@dataclass
class Summary:
    """What the records say of a game, and what was met in it."""

    deals: list[Deal]
    scores: list[int]
    winners: list[int]
    reason: str
    fools: list[int]
    hands: list[tuple[int, int, str, list[str]]]  # seat, decision, trump suit, hand
    seen: Counter[str]


def check_game(events: Iterable[Event]) -> Summary:
    """Follow a whole game."""
    return _Referee(list(events)).game()


class _Referee:
    def __init__(self, events: list[Event]) -> None:
        self.events, self.at = events, 0
        self.seen: Counter[str] = Counter()
        self.hands_met: list[tuple[int, int, str, list[str]]] = []

    def next(self, *kinds: str) -> Event:
        """The next event, which must be of one of these kinds."""
        event = self.events[self.at]
        self.at += 1
        assert event["event"] in kinds, (event, kinds)
        self.seen[event["event"]] += 1
        return event

    def coming(self) -> Event:
        return self.events[self.at]

    # --- the game -------------------------------------------------------------------------------------------------------------------------

    def game(self) -> Summary:
        start = self.next("game")
        self.options, self.players = start["options"], start["seats"]
        assert start["points"] == {} and start["scores"] == [0] * self.players
        self.variant = self.options["variant"]
        assert self.variant != "pogony" or (self.players == 2 and self.options["deck"] == "36")
        assert self.players <= (6 if self.options["deck"] == "36" else 8)
        self.scores, fools = [0] * self.players, [0] * self.players
        deals: list[Deal] = []
        while True:
            deals.append(self.deal(deals[-1] if deals else None, len(deals) + 1))
            if deals[-1].fool is not None:
                fools[deals[-1].fool] += 1
            if self.variant != "pogony" and len(deals) == self.options["deals"]:
                reason = "deals"
            elif self.variant == "pogony" and 9 in self.scores:
                reason = "aces"
            elif self.variant == "pogony" and len(deals) == self.options["max_deals"]:
                reason = "max_deals"
            else:
                continue
            break
        end = self.next("game_end")
        best = max(self.scores)
        winners = [] if min(self.scores) == best else [seat for seat, score in enumerate(self.scores) if score == best]
        expected = {"event": "game_end", "scores": self.scores, "winners": winners, "reason": reason, "fools": fools}
        if self.variant == "pogony":
            expected["ranks"] = [(*SMALL, None)[score] for score in self.scores]
        assert end == expected and self.at == len(self.events)
        return Summary(deals, self.scores, winners, reason, fools, self.hands_met, self.seen)

    # --- a deal ---------------------------------------------------------------------------------------------------------------------------

    def deal(self, before: Deal | None, number: int) -> Deal:
        event = self.next("deal")
        assert event["deal"] == number
        assert before is None or event["dealer"] == (before.dealer + 1) % self.players  # R2
        self.hands = [list(hand) for hand in event["hands"]]
        self.stock = list(event["stock"])
        assert [len(hand) for hand in self.hands] == [6] * self.players
        assert sorted(card for hand in [*self.hands, self.stock] for card in hand) == sorted(pack_of(self.options["deck"]))
        turned = self.stock[-1] if self.stock else self.hands[event["dealer"]][-1]  # R13
        assert event["turned"] == turned and turned not in JOKERS and event["trump"] == turned[1]
        self.trump = turned[1]
        if self.variant == "pogony":
            assert event["ranks"] == [SMALL[score] for score in self.scores]
        else:
            assert "ranks" not in event
        leader, lead = self.leader(event["dealer"], before)
        shift = (event["leader"] - leader) % self.players
        assert shift == 0
        self.record = Deal(event["dealer"], leader, lead)
        self.dealt()
        self.out: list[int] = []
        self.any_beaten = False
        scores = list(self.scores)
        reason = self.bouts(leader)
        self.settle(reason)
        self.record.points = [now - then for now, then in zip(self.scores, scores, strict=True)]
        return self.record

    def leader(self, dealer: int, before: Deal | None) -> tuple[int, str]:
        """D1, D2, R10."""
        how = self.options["next_lead"] if before else "lowest_trump"
        if how == "prev_winner" and before.winner is not None:
            return before.winner, how
        if how in ("to_fool", "from_fool") and before.fool is not None:
            return (before.fool + (1 if how == "from_fool" else -1)) % self.players, how
        trumps = [(LARGE.index(card[0]), seat) for seat, hand in enumerate(self.hands) for card in hand if card[1] == self.trump and card not in JOKERS]
        return (min(trumps)[1], "lowest_trump") if trumps else ((dealer + 1) % self.players, "left_of_dealer")

    def dealt(self) -> None:
        best = max((card for card in pack_of(self.options["deck"]) if is_trump(card, self.trump)), key=pack_of("54").index)
        for seat, hand in enumerate(self.hands):
            most = max(Counter(map(rank_of, hand)).values())
            for key, held in {
                "trump": any(is_trump(card, self.trump) for card in hand),
                "top_trump": best in hand,
                "two_of_a_rank": most >= 2,
                "three_of_a_rank": most >= 3,
                "four_of_a_rank": most >= 4,
            }.items():
                if held:
                    self.record.tallies[seat, key, "dealt"] += 1

    def after(self, seat: int) -> int:
        """The next player clockwise who is not out (R1)."""
        while True:
            seat = (seat + 1) % self.players
            if seat not in self.out:
                return seat

    def bouts(self, leader: int) -> str:
        passes = 0
        while True:
            left = [seat for seat in range(self.players) if seat not in self.out]
            self.lead_seat, self.defender = leader, self.after(leader)
            if self.options["adjudicate"] and not self.stock and len(left) == 2:  # R17
                mine, other = self.hands[leader], self.hands[self.defender]
                if len(mine) == len(other) and matching([self.covers(card, other) for card in mine]):
                    self.seen["adjudicated"] += 1
                    return "draw"
            if self.record.bouts == self.options["max_bouts"]:
                return "max_bouts"
            if not self.leads() and not self.hangs() and self.options["stuck"] != "lead":  # R14
                self.seen["stuck"] += 1
                passes += 1
                if self.options["stuck"] == "void_deal":
                    return "void"
                assert self.next("pass")["seat"] == leader
                if passes == 2:
                    return "void"
                leader = self.defender
                continue
            passes = 0
            beaten = self.bout()
            left = [seat for seat in range(self.players) if seat not in self.out]
            if len(left) < 2:
                return "fool" if left else "draw"
            leader = self.defender if beaten and self.defender not in self.out else self.after(self.defender)

    def role(self, seat: int) -> str:
        return "defender" if seat == self.defender else "leader" if seat == self.lead_seat else "thrower"

    def settle(self, reason: str) -> None:
        """Who wins and loses (R10, R11, P2 to P4)."""
        record = self.record
        record.reason = reason
        two_draw = self.players == 2 and reason == "draw"
        record.winner = self.out[0] if self.out and not two_draw else None
        record.fool = next(seat for seat in range(self.players) if seat not in self.out) if reason == "fool" else None
        epaulettes = None
        plain = self.variant != "pogony"
        if record.winner is not None:
            self.score(record.winner, "first_out", self.first_role, int(plain and self.options["session_score"] == "first_out"))
        if record.fool is not None:
            self.score(record.fool, "fool", self.role(record.fool), -int(plain and self.options["session_score"] == "fool"))
            if self.hung and (not self.beaten or self.options["hang_if_beaten"]):
                rank = SMALL[self.scores[self.lead_seat]]
                epaulettes = {"seat": self.lead_seat, "rank": rank, "cards": self.attacking}
                self.score(self.lead_seat, f"hung_{NAMES[rank]}", "leader", 1)
        end = dict(self.next("deal_end"))
        if epaulettes:
            assert sorted(end["epaulettes"].pop("cards")) == sorted(epaulettes.pop("cards"))
        assert end == {
            "event": "deal_end",
            "reason": reason,
            "fool": record.fool,
            "first_out": self.out[0] if self.out else None,
            "out": self.out,
            "epaulettes": epaulettes,
            "scores": self.scores,
        }
        self.seen[f"end: {reason}"] += 1

    def score(self, seat: int, key: str, role: str, points: int) -> None:
        self.scores[seat] += points
        self.record.tallies[seat, key, role] += 1
        self.record.worth[seat, key, role] += points

    # --- what is allowed ------------------------------------------------------------------------------------------------------------------

    def special(self, seat: int) -> set[str]:
        """P8, P11."""
        if self.variant != "pogony":
            return set()
        return {SMALL[self.scores[seat]] + suit for suit in SUITS if not (self.options["trump_exempt"] and suit == self.trump)}

    def leads(self) -> list[str]:
        """The cards that may be led as ordinary ones."""
        return [card for card in self.hands[self.lead_seat] if card not in self.special(self.lead_seat)]

    def hangs(self) -> bool:
        """Whether the whole hand may be laid as epaulettes (R14)."""
        hand = self.hands[self.lead_seat]
        if self.variant != "pogony" or self.stock or {card[0] for card in hand} != {SMALL[self.scores[self.lead_seat]]}:
            return False
        return 2 <= len(hand) <= len(self.hands[self.defender])

    def covers(self, card: str, hand: Iterable[str]) -> list[str]:
        """The cards of a hand that the defender may cover a card with."""
        special = self.special(self.defender)
        if card in special:
            return []
        return [other for other in hand if other not in special and beats(other, card, self.trump, self.options["plain_joker_beaten_by"])]

    def room(self) -> int:
        """R7."""
        own = len(self.hands[self.defender]) - len(self.open)
        if self.variant == "simple":
            return own
        limits = [own]
        if self.stock_at_start:
            limits.append(self.options["max_attack"] - len(self.attacking))
        elif self.options["cap_after_stock"] == "6":
            limits.append(6 - len(self.attacking))
        first = self.record.bouts == 1 if self.options["first_cap_scope"] == "first_bout" else not self.any_beaten
        if first and self.options["first_cap"] == 5:
            limits.append((6 if self.taking and self.options["first_cap_take_extra"] else 5) - len(self.attacking))
        return min(limits)

    def throwable(self, seat: int) -> list[str]:
        """D5, P13."""
        table = self.attacking if self.options["throw_ranks"] == "attack_only" else self.attacking + self.covering
        ranks = set(map(rank_of, table))
        forbidden = set() if self.options["special_throw_in"] else self.special(seat)
        return [card for card in self.hands[seat] if rank_of(card) in ranks and card not in forbidden]

    # --- a bout ---------------------------------------------------------------------------------------------------------------------------

    def play(self, seat: int, cards: Sequence[str]) -> None:
        for card in cards:
            self.hands[seat].remove(card)
        if cards and not self.hands[seat]:
            self.emptied.append(seat)

    def met(self, seat: int, decision: int) -> None:
        self.hands_met.append((seat, decision, self.trump, sorted(self.hands[seat])))

    def bout(self) -> bool:
        """One bout; whether it was beaten (T2, R3)."""
        self.record.bouts += 1
        self.attacking: list[str] = []
        self.covering: list[str] = []
        self.open: list[str] = []
        self.emptied: list[int] = []
        self.taking = False
        self.stock_at_start = len(self.stock)
        self.attack()
        while True:
            while self.open and not self.taking:
                self.defence()
            if self.variant == "simple" or not self.throw():
                break
        self.beaten = not self.taking
        end = self.next("bout_end")
        table = self.attacking + self.covering
        assert end["beaten"] == self.beaten and sorted(end["cards"]) == sorted(table)
        if self.taking:
            self.hands[self.defender] += table
            self.record.taken += 1
        self.any_beaten |= self.beaten
        self.record.tallies[self.defender, "bout_beaten" if self.beaten else "bout_taken", "defender"] += 1
        self.refill()
        if not self.stock:  # R9
            for seat in self.emptied:
                if not self.hands[seat]:
                    if not self.out:
                        self.first_role = self.role(seat)
                    self.out.append(seat)
        return self.beaten

    def attack(self) -> None:
        event = self.next("attack")
        seat, cards = event["seat"], event["cards"]
        self.met(seat, 0)
        assert seat == self.lead_seat and len(set(cards)) == len(cards) > 0
        self.hung = self.hangs() and sorted(cards) == sorted(self.hands[seat])
        if self.hung:
            self.seen["hung"] += 1
        else:
            allowed = self.leads()
            if not allowed and not self.hangs():
                self.seen["stuck"] += 1
                allowed = self.hands[seat]
            assert set(cards) <= set(allowed)
            assert len(set(map(rank_of, cards))) == 1 and len(cards) <= self.room()
            assert len(cards) == 1 or self.options["multi_attack"]
        self.play(seat, cards)
        self.attacking += cards
        self.open += cards
        self.turn, self.declined = seat, 0

    def defence(self) -> None:
        event = self.next("beat", "take")
        seat = event["seat"]
        assert seat == self.defender
        self.met(seat, 1)
        could = matching([self.covers(card, self.hands[seat]) for card in self.open])
        if event["event"] == "take":
            assert self.options["may_take_voluntarily"] or not could  # D10, R16
            self.seen["took by choice"] += could
            self.taking = True
            return
        pairs = event["pairs"]
        assert pairs
        for card, other in pairs:
            assert other in self.covers(card, self.hands[seat])
            self.open.remove(card)
            self.covering.append(other)
            self.hands[seat].remove(other)
        if not self.hands[seat]:
            self.emptied.append(seat)
        whole = self.variant == "simple" or not self.options["partial_beat"] or not self.options["may_take_voluntarily"]
        assert not (whole and self.open)  # R6, R16
        self.seen["partial"] += bool(self.open)

    def throw(self) -> bool:
        """R4; whether a card was thrown in."""
        attackers = self.players - len(self.out) - 1
        while self.declined < attackers:
            if self.room() <= 0:
                return False
            if not self.options["throw_after_leader_out"] and not self.stock and not self.hands[self.lead_seat]:  # D16
                return False
            seat = self.turn
            allowed = self.throwable(seat)
            if allowed:
                event = self.next("throw_in", "done")
                assert event["seat"] == seat
                self.met(seat, 2)
                if event["event"] == "throw_in":
                    cards = event["cards"]
                    assert len(set(cards)) == len(cards) > 0 and set(cards) <= set(allowed) and len(cards) <= self.room()
                    self.play(seat, cards)
                    self.attacking += cards
                    self.open += cards
                    self.declined = 0
                    self.record.tallies[seat, "thrown_in", self.role(seat)] += len(cards)
                    self.seen["thrown after take"] += self.taking
                    return True
            self.declined += 1
            self.turn = self.after(seat)
            if self.turn == self.defender:
                self.turn = self.after(self.turn)
        return False

    def refill(self) -> None:
        """D18."""
        order = [self.lead_seat]
        while len(order) < self.players - len(self.out):
            order.append(self.after(order[-1]))
        order.remove(self.defender)
        for seat in [*order, self.defender]:
            n = min(6 - len(self.hands[seat]), len(self.stock))
            if n > 0:
                event = self.next("draw")
                assert event["seat"] == seat and event["cards"] == self.stock[:n]
                self.hands[seat] += self.stock[:n]
                del self.stock[:n]
