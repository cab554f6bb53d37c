"""A slow referee of Seven Card Combo, written from the rulebook and not from the kernel: it follows a transcript card by card, by texts and lists.

`check_game` raises AssertionError at the first event that the rules do not allow, and returns what the records of the game must say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Event = Mapping[str, Any]

RANKS = "A23456789TJQK"
ALL = [rank + suit for rank in RANKS for suit in "shdc"]
ORDER = {"low_or_high": RANKS + "A", "wrap": RANKS * 2}
BONUSES = ("three_pairs", "full_house", "four_of_a_kind", "seven_run", "seven_flush")
RULES = {"loose_card": "S15"} | dict.fromkeys(BONUSES, "S16")


# --- hands --------------------------------------------------------------------------------------------------------------------------------


def runs(length: int, ace: str) -> Iterator[frozenset[str]]:
    """Every set of so many ranks that is a run (S2, S3)."""
    row = ORDER[ace]
    for start in range(len(row) - length + 1):
        ranks = frozenset(row[start : start + length])
        if len(ranks) == length:
            yield ranks


def reasons(hand: Iterable[str], ace: str) -> dict[str, set[str]]:
    """The cards that are covered, by the reason (S15)."""
    cards = set(hand)
    ranks, suits = Counter(card[0] for card in cards), Counter(card[1] for card in cards)
    in_runs = {rank for run in runs(4, ace) if run <= set(ranks) for rank in run}
    return {
        "run_of_four": {card for card in cards if card[0] in in_runs},
        "four_of_a_suit": {card for card in cards if suits[card[1]] >= 4},
        "two_of_a_rank": {card for card in cards if ranks[card[0]] >= 2},
    }


def bonuses(hand: Iterable[str], ace: str) -> list[str]:
    """The bonuses that a hand holds (S16), in the order of the table."""
    cards = set(hand)
    ranks = Counter(card[0] for card in cards)
    most = sorted(ranks.values(), reverse=True) + [0, 0, 0]
    held = {
        "three_pairs": most[2] >= 2,
        "full_house": most[0] >= 3 and most[1] >= 2,
        "four_of_a_kind": most[0] == 4,
        "seven_run": len(cards) == 7 and frozenset(ranks) in set(runs(7, ace)),
        "seven_flush": len(cards) == 7 and len({card[1] for card in cards}) == 1,
    }
    return [key for key in BONUSES if held[key]]


@dataclass(frozen=True)
class Scored:
    """What a hand of seven costs."""

    loose: frozenset[str]
    held: tuple[str, ...]
    bonus: str | None
    points: int


def score(hand: Iterable[str], ace: str, points: Mapping[str, int]) -> Scored:
    """S15 to S17: loose cards, and the one bonus that is best."""
    cards = set(hand)
    loose = frozenset(cards - set().union(*reasons(cards, ace).values()))
    held = bonuses(cards, ace)
    bonus = sorted(held, key=lambda key: (points[key], BONUSES.index(key)))[0] if held else None
    return Scored(loose, tuple(held), bonus, len(loose) * points["loose_card"] + (points[bonus] if bonus else 0))


# --- games --------------------------------------------------------------------------------------------------------------------------------


@dataclass
class Deal:
    """What the rows of a deal must say."""

    deal: int
    dealer: int
    leader: int
    discards: int = 0
    reshuffles: int = 0
    points: list[int] = field(default_factory=list)
    tallies: Counter[tuple[int, str, str]] = field(default_factory=Counter)
    worth: Counter[tuple[int, str, str]] = field(default_factory=Counter)
    turns: list[tuple[int, frozenset[str]]] = field(default_factory=list)
    hands: list[frozenset[str]] = field(default_factory=list)


@dataclass
class Summary:
    """What the rows of a game must say."""

    scores: list[int]
    winners: list[int]
    deals: list[Deal]


def check_game(events: Sequence[Event]) -> Summary:
    """Follow a game; every event must be there, in its place, and allowed."""
    stream = iter(events)
    start = next(stream)
    assert start["event"] == "game" and list(start)[0] == "event"
    options, points, seats = start["options"], start["points"], start["seats"]
    assert 2 <= seats <= 4 and len(start["strategies"]) == seats
    scores = [0] * seats
    assert start["scores"] == scores
    deals: list[Deal] = []
    for number in range(1, options["deals"] + 1):
        event = next(stream)
        assert (event["event"], event["deal"]) == ("deal", number)
        if deals:
            assert event["dealer"] == (deals[-1].dealer + 1) % seats  # S4
        assert event["dealer"] in range(seats)
        deals.append(_Table(event, options, points, seats).follow(stream, scores))
    end = next(stream)
    winners = [seat for seat in range(seats) if scores[seat] == min(scores)]  # S18, SA14
    assert end == {"event": "game_end", "scores": scores, "winners": winners}
    assert next(stream, None) is None
    return Summary(scores, winners, deals)


class _Table:
    """One deal: the cards and where they are."""

    def __init__(self, event: Event, options: Mapping[str, Any], points: Mapping[str, int], seats: int) -> None:
        self.options, self.points, self.seats = options, points, seats
        self.hands = [set(hand) for hand in event["hands"]]
        self.stock = list(event["stock"])
        self.pile = [event["turned"]]
        self.packet: list[str] = []
        assert [len(hand) for hand in event["hands"]] == [4] * seats  # S5
        assert event["leader"] == (event["dealer"] + 1) % seats  # S6
        self.deal = Deal(event["deal"], event["dealer"], event["leader"])
        self.conserved()

    def conserved(self) -> None:
        """All 52 cards are somewhere, none twice."""
        where = [*self.stock, *self.pile, *self.packet, *(card for hand in self.hands for card in hand)]
        assert sorted(where) == sorted(ALL)

    def follow(self, stream: Iterator[Event], scores: list[int]) -> Deal:
        following = next(stream)
        for circle in (1, 2, 3):
            for place in range(self.seats):
                seat = (self.deal.leader + place) % self.seats
                if following["event"] == "reshuffle":
                    turn = next(stream)
                    drawn = sum(each["from"] == "stock" for each in turn["taken"])
                    assert drawn > len(self.stock)  # SA13: only before the turn that needs it
                    self.reshuffle(following)
                    following = turn
                assert (following["event"], following["seat"], following["circle"]) == ("turn", seat, circle)
                taken_whole = self.turn(following, seat, first=(circle, place) == (1, 0))
                following = next(stream)
                if taken_whole:  # S9
                    assert following == {"event": "refill_pile", "card": self.stock.pop(0)}
                    self.pile = [following["card"]]
                    following = next(stream)
                self.pile += self.left
                self.packet = list(self.discarded)
                assert len(self.hands[seat]) == 4 + circle  # S13
                self.conserved()
        return self.end(following, stream, scores)

    def reshuffle(self, event: Event) -> None:
        old = len(self.stock)
        assert event["stock"][:old] == self.stock
        assert sorted(event["stock"][old:]) == sorted(self.pile[:-1])
        self.stock, self.pile = list(event["stock"]), self.pile[-1:]
        self.deal.reshuffles += 1
        self.conserved()

    def turn(self, event: Event, seat: int, first: bool) -> bool:
        """S7 to S12; the cards move; returns whether the pile was taken whole."""
        hand = self.hands[seat]
        self.deal.turns.append((seat, frozenset(hand)))
        self.discarded = event["discarded"]
        assert len(set(self.discarded)) == len(self.discarded) and set(self.discarded) <= hand
        self.deal.discards += len(self.discarded)
        hand -= set(self.discarded)
        sources = [each["from"] for each in event["taken"]]
        cards = {source: [each["card"] for each in event["taken"] if each["from"] == source] for source in ("pile", "packet", "stock")}
        assert set(sources) <= set(cards)
        assert sources[len(cards["pile"]) + len(cards["packet"]) :] == ["stock"] * len(cards["stock"])  # SA15
        assert len(sources) == len(self.discarded) + 1  # S7
        assert not cards["pile"] or first or self.options["later_pile"]  # SA10
        top_down = self.pile[::-1]
        if self.options["pile"] == "top_down":  # SA9
            assert cards["pile"] == top_down[: len(cards["pile"])]
        else:
            assert cards["pile"] == [card for card in top_down if card in cards["pile"]]
        assert cards["packet"] == [card for card in self.packet if card in cards["packet"]]
        assert cards["stock"] == self.stock[: len(cards["stock"])] and len(cards["stock"]) <= len(self.stock)
        whole = set(self.pile) == set(cards["pile"])
        self.pile = [card for card in self.pile if card not in cards["pile"]]
        self.left = [card for card in self.packet if card not in cards["packet"]]  # S12
        self.stock = self.stock[len(cards["stock"]) :]
        hand |= {card for group in cards.values() for card in group}
        return whole

    def end(self, event: Event, stream: Iterator[Event], scores: list[int]) -> Deal:
        """S14 to S17: the hands in the order of seats, one score event, the end of the deal."""
        deal, ace = self.deal, self.options["ace"]
        changes = []
        for seat, hand in enumerate(self.hands):
            found = score(hand, ace, self.points)
            assert (event["event"], event["seat"], event["bonus"], event["points"]) == ("hand", seat, found.bonus, found.points)
            assert sorted(event["cards"]) == sorted(hand) and len(hand) == 7
            assert sorted(event["loose"]) == sorted(found.loose) and sorted(event["covered"]) == sorted(hand - found.loose)
            deal.points.append(found.points)
            deal.hands.append(frozenset(hand))
            if found.loose:
                deal.tallies[seat, "loose_card", "counted"] += len(found.loose)
                deal.worth[seat, "loose_card", "counted"] += len(found.loose) * self.points["loose_card"]
            for key in found.held:
                role = "counted" if key == found.bonus else "idle"
                deal.tallies[seat, key, role] += 1
                deal.worth[seat, key, role] += self.points[key] if key == found.bonus else 0
            for reason, cards in reasons(hand, ace).items():
                if cards:
                    deal.tallies[seat, reason, "cover"] += 1
                    deal.worth[seat, reason, "cover"] += 0
            parts = [("loose_card", len(found.loose) * self.points["loose_card"])]
            parts += [(found.bonus, self.points[found.bonus])] if found.bonus else []
            changes += [{"seat": seat, "delta": delta, "reason": reason, "rule": RULES[reason]} for reason, delta in parts if delta]
            scores[seat] += found.points
            event = next(stream)
        if changes:
            assert event == {"event": "score", "changes": changes, "scores": scores}
            event = next(stream)
        assert event == {"event": "deal_end", "reason": "complete", "scores": scores}
        return deal
