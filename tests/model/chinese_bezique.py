"""A slow referee of transcripts of Chinese bezique, written from the rules alone: it knows nothing of places, masks or kernels.

It follows a game event by event, with hands as sets of card texts such as ``"Qs4"``, and stops with an AssertionError at the first thing that the rules forbid.
What it counts by the way is compared with the rows of the run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

Event = Mapping[str, Any]

SUITS = "shdc"
RANKS = ["7", "8", "9", "J", "Q", "K", "T", "A"]  # as they take tricks (B2)
PACK = {f"{rank}{suit}{number}" for rank in RANKS for suit in SUITS for number in range(1, 7)}
ROWS = (
    "trump_sequence sequence trump_marriage marriage four_aces four_tens four_kings four_queens four_jacks four_trump_aces four_trump_tens "
    "four_trump_kings four_trump_queens four_trump_jacks bezique double_bezique triple_bezique quadruple_bezique last_trick carte_blanche won_game rubicon"
).split()
NAMES = {"aces": "A", "tens": "T", "kings": "K", "queens": "Q", "jacks": "J"}
TIMES = {"bezique": 1, "double_bezique": 2, "triple_bezique": 3, "quadruple_bezique": 4}
PARTNER = {"s": "d", "d": "s", "h": "c", "c": "h"}


@dataclass
class Declared:
    """A declaration that was scored: its name without trumps, its cards, and those of them still held."""

    name: str
    level: int
    cards: frozenset[str]
    held: set[str]

    @property
    def intact(self) -> bool:
        return self.held == self.cards

    @property
    def family(self) -> str:
        return {"marriage": "a", "sequence": "a", "bezique": "b"}.get(self.name, "c")


@dataclass
class Deal:
    """What is said of a deal in the rows of a run."""

    dealer: int
    leader: int
    winner: int = -1
    rubicon: bool = False
    trump: str | None = None
    trump_trick: int = 0
    declarations: int = 0
    scored: list[int] = field(default_factory=lambda: [0, 0])
    big_points: list[int] = field(default_factory=list)
    tallies: Counter[tuple[int, str, str]] = field(default_factory=Counter)
    worth: Counter[tuple[int, str, str]] = field(default_factory=Counter)


@dataclass
class Summary:
    """A game: its deals, final scores, winners, and what was met in it."""

    deals: list[Deal]
    scores: list[int]
    winners: list[int]
    seen: Counter[str]


def check_game(events: Iterable[Event]) -> Summary:
    """Follow a transcript from beginning to end; raises AssertionError where it breaks a rule."""
    return _Referee(list(events)).check()


class _Referee:
    def __init__(self, events: list[Event]) -> None:
        self.events = events
        self.at = 0
        self.seen: Counter[str] = Counter()

    def peek(self) -> str:
        return str(self.events[self.at]["event"])

    def take(self, name: str, fields: str) -> Event:
        event = self.events[self.at]
        assert list(event)[0] == "event" and event["event"] == name, (name, event)
        assert set(event) == {"event", *fields.split()}, event
        self.at += 1
        return event

    def check(self) -> Summary:
        game = self.take("game", "ruleset options points seed game strategies seats scores")
        self.options, self.points = game["options"], game["points"]
        assert list(self.points) == ROWS and game["seats"] == 2 and game["scores"] == [0, 0]
        self.scores = [0, 0]
        self.last_trump: str | None = None
        deals: list[Deal] = []
        for number in range(1, self.options["deals"] + 1):
            deals.append(self.play_deal(number, deals[-1].dealer if deals else None))
        end = self.take("game_end", "scores winners")
        best = max(self.scores)
        winners = [] if self.scores[0] == self.scores[1] else [self.scores.index(best)]
        assert end["scores"] == self.scores and end["winners"] == winners and self.at == len(self.events)
        return Summary(deals, self.scores, winners, self.seen)

    # --- a deal ---------------------------------------------------------------------------------------------------------------------------

    def play_deal(self, number: int, dealer: int | None) -> Deal:
        event = self.take("deal", "deal dealer hands stock leader")
        assert event["deal"] == number
        assert event["dealer"] in (0, 1) if dealer is None else event["dealer"] == 1 - dealer  # B3
        assert event["leader"] == 1 - event["dealer"]  # B9
        self.hands = [set(hand) for hand in event["hands"]]
        self.stock = list(event["stock"])
        assert [len(hand) for hand in event["hands"]] == [12, 12] and len(self.stock) == 168  # B4
        assert self.hands[0] | self.hands[1] | set(self.stock) == PACK  # B1: 192 different texts
        self.deal = Deal(event["dealer"], event["leader"])
        self.records: list[list[Declared]] = [[], []]
        self.blank = [False, False]
        self.leader = event["leader"]
        for seat in (self.leader, 1 - self.leader):
            self.carte_blanche(seat, self.hands[seat], first=True)
        for trick in range(1, 97):
            self.trick = trick
            self.play_trick()
        last = self.take("last_trick", "seat scored")
        assert last["seat"] == self.leader  # B27
        self.seen[f"last trick {'scored' if last['scored'] else 'declined'}"] += 1
        if last["scored"]:
            self.score(last["seat"], "last_trick")
        assert self.hands == [set(), set()] and self.stock == []
        self.settle()
        self.last_trump = self.deal.trump
        return self.deal

    def score(self, seat: int, key: str) -> None:
        points = self.points[key]
        again = any(self.deal.tallies[seat, key, role] for role in ("first", "again"))
        role = "again" if again else "first"
        self.deal.tallies[seat, key, role] += 1
        self.deal.worth[seat, key, role] += points
        self.deal.scored[seat] += points
        if points:
            event = self.take("score", "changes scores")
            assert event["changes"] == [{"seat": seat, "delta": points, "reason": key, "rule": f"T{ROWS.index(key) + 1}"}]
            assert event["scores"] == self.deal.scored

    def carte_blanche(self, seat: int, cards: set[str], *, first: bool = False) -> None:
        """B21, for the hand or for a card just drawn."""
        court = any(card[0] in "KQJ" for card in cards)
        allowed = not court and (first or self.blank[seat])
        if court:
            self.blank[seat] = False
        if self.peek() != "carte_blanche" or self.events[self.at]["seat"] != seat:
            return
        event = self.take("carte_blanche", "seat cards")
        assert allowed and len(event["cards"]) == len(cards) and set(event["cards"]) == cards
        if first:
            self.blank[seat] = self.options["carte_blanche_repeat"]
        self.seen["carte blanche dealt" if first else "carte blanche drawn"] += 1
        self.score(seat, "carte_blanche")

    # --- a trick --------------------------------------------------------------------------------------------------------------------------

    def takes(self, led: str, card: str) -> bool:
        """Whether a card takes the trick from the led one (B10)."""
        if led[1] == card[1]:
            return RANKS.index(card[0]) > RANKS.index(led[0])
        return card[1] == self.deal.trump

    def play_trick(self) -> None:
        event = self.take("trick", "cards winner")
        (leader, led), (other, card) = event["cards"]
        assert leader == self.leader and other == 1 - leader
        assert led in self.hands[leader] and card in self.hands[other]
        if self.trick > 84:
            self.check_following(led, card, self.hands[other])
        for seat, played in ((leader, led), (other, card)):
            self.hands[seat].remove(played)
            for record in self.records[seat]:
                record.held.discard(played)
        winner = other if self.takes(led, card) else leader
        assert event["winner"] == winner
        self.leader = winner
        if self.trick > 84:
            assert self.peek() in ("trick", "last_trick")  # B22
            return
        if self.peek() == "declare":
            self.declare()
        drawn = []
        for seat in (winner, 1 - winner):  # B12
            event = self.take("draw", "seat card")
            assert event["seat"] == seat and event["card"] == self.stock.pop(0)
            self.hands[seat].add(event["card"])
            assert len(self.hands[seat]) == 12  # B14
            drawn.append((seat, event["card"]))
        for seat, new in drawn if self.stock else ():
            self.carte_blanche(seat, {new})

    def check_following(self, led: str, card: str, hand: set[str]) -> None:
        """B24 and B25."""
        same = {each for each in hand if each[1] == led[1]}
        trumps = {each for each in hand if each[1] == self.deal.trump}
        allowed = same or trumps or hand
        heads = {each for each in same if self.takes(led, each)}
        if self.options["endplay_must_head"] and heads:
            self.seen["must head"] += 1
            allowed = heads
        self.seen["follows suit" if same else "must trump" if trumps else "throws off"] += 1
        assert card in allowed

    # --- declarations -----------------------------------------------------------------------------------------------------------------------

    def declare(self) -> None:
        event = self.take("declare", "seat kind cards points trump")
        seat, kind, cards = event["seat"], event["kind"], frozenset(event["cards"])
        assert seat == self.leader and len(cards) == len(event["cards"]) and cards <= self.hands[seat]
        assert event["points"] == self.points[kind]
        declared = self.named(kind, sorted(cards))
        suit = sorted(cards)[0][1]
        fixes = False
        if declared.name in ("marriage", "sequence"):
            open_suit = self.deal.trump is None and not (self.options["no_repeat_trump"] and suit == self.last_trump)
            assert kind.startswith("trump_") == (open_suit or suit == self.deal.trump), kind  # B6, B7, B8
            fixes = open_suit
            self.seen["barred trump"] += self.deal.trump is None and not open_suit
        assert event["trump"] == (suit if fixes else None)
        self.check_records(seat, declared)
        self.records[seat].append(declared)
        self.deal.declarations += 1
        self.seen[kind] += 1
        if fixes:
            self.deal.trump, self.deal.trump_trick = suit, self.trick
        self.score(seat, kind)

    def named(self, kind: str, cards: list[str]) -> Declared:
        """What some cards are, by the name that was said of them."""
        ranks, suits = sorted(card[0] for card in cards), {card[1] for card in cards}
        whole = frozenset(cards)
        if kind.endswith("sequence"):
            assert ranks == sorted("ATKQJ") and len(suits) == 1
            return Declared("sequence", 2, whole, set(cards))
        if kind.endswith("marriage"):
            assert ranks == ["K", "Q"] and len(suits) == 1
            return Declared("marriage", 1, whole, set(cards))
        if kind in TIMES:
            queen, jack = "s", "d"
            if self.options["bezique_cards"] == "trump_queen":
                assert self.deal.trump is not None
                queen, jack = self.deal.trump, PARTNER[self.deal.trump]
            assert Counter(card[:2] for card in cards) == {"Q" + queen: TIMES[kind], "J" + jack: TIMES[kind]}
            return Declared("bezique", TIMES[kind], whole, set(cards))
        assert ranks == [NAMES[kind.rpartition("_")[2]]] * 4
        if "trump" in kind:
            assert suits == {self.deal.trump}
        if kind == "four_tens":
            assert self.points["four_tens"] > 0  # T6
        return Declared("quartet " + ranks[0], 2 if "trump" in kind else 1, whole, set(cards))

    def check_records(self, seat: int, new: Declared) -> None:
        """B16 to B20a."""
        whole = [record for record in self.records[seat] if record.intact]
        clashes = [record for record in whole if record.family == new.family and record.level >= new.level and record.cards & new.cards]
        if new.name == "sequence" and not self.options["marriage_then_sequence"]:
            clashes += [record for record in whole if record.name == "marriage" and record.cards & new.cards]
        for record in self.records[seat]:
            if record.name == new.name and record.level == new.level and not record.intact and record.held & new.cards:
                self.seen["formed again"] += 1  # B19
            if record.intact and record.family == new.family and record.level < new.level and record.cards <= new.cards:
                self.seen["built up"] += 1  # B18
        if not clashes:
            return
        assert new.name == "marriage" and self.options["marriage_partner_swap"], clashes
        assert all(record.name == "marriage" for record in clashes)
        mates = {card for record in clashes for card in record.cards & new.cards}
        assert len(mates) == 1
        (sole,) = new.cards - mates
        widowed = any(record.name == "marriage" and record.held == {sole} for record in self.records[seat])
        assert widowed and not any(sole in record.cards for record in whole if record.family == "a")
        self.seen["partner swap"] += 1

    # --- the end ------------------------------------------------------------------------------------------------------------------------------

    def settle(self) -> None:
        event = self.take("deal_end", "reason scores big_points rubicon")
        points = self.deal.scored
        line, inclusive = self.points["rubicon"], self.options["rubicon_inclusive"]
        crossed = [score > line or (inclusive and score == line) or line == 0 for score in points]
        big = [0, 0]
        rubicon = False
        if points[0] != points[1]:
            winner = points.index(max(points))
            loser = 1 - winner
            rubicon = crossed[winner] and not crossed[loser]
            raw = sum(points) if rubicon else max(100, points[winner] - points[loser])
            whole, rest = divmod(raw + self.points["won_game"], 100)
            big[winner] = whole + (rest >= 50)
            self.deal.winner = winner
            self.deal.tallies[winner, "won_game", "settlement"] += 1
            self.deal.tallies[winner, "rubicon", "settlement"] += rubicon
            self.seen["close"] += not rubicon and points[winner] - points[loser] < 100
        else:
            self.seen["drawn"] += 1
        self.seen["rubicon settled" if rubicon else "no rubicon"] += 1
        self.deal.tallies = +self.deal.tallies
        self.scores = [score + more for score, more in zip(self.scores, big, strict=True)]
        self.deal.rubicon, self.deal.big_points = rubicon, big
        assert event == {"event": "deal_end", "reason": "played", "scores": points, "big_points": big, "rubicon": rubicon}
