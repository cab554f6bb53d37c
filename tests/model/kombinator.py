"""A plain, slow referee of Kombinator: `check_game` re-plays one transcript from the cards alone.

Written from the rules page and the page of transcripts, never from the program that it checks. Chance and
the players decide what is dealt, laid, beaten, passed or taken: these events (`decision`) are checked for
being legal. Everything else follows from them: the referee works out what it must be and compares
(`follows`). Rule numbers are those of the rules page; `transcript` stands for the page of transcripts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .kombinator_bout import Bouts, Deal, Player, Tallies, Watch
from .kombinator_choices import Illegal, Pass
from .kombinator_combinations import PACK, Court, rank, read_ladder, suit
from .kombinator_events import Event, RuleViolation, SeatSet, check_settings

__all__ = ["DealSummary", "RuleViolation", "Summary", "check_game", "deck_order"]


@dataclass(frozen=True)
class DealSummary:
    """What one deal came to; `points`: by seat, the change of the score in this deal, penalties included.

    `lead` says why the leader led: lowest_trump, after_dealer, went_out or last_leader. `ending` is the
    reason of `deal_end`, or game_over where the game ended in the middle of the deal. In the tallies points
    are what the row is worth, so all rows together are the sum of all changes without their sign.
    """

    deal: int
    dealer: int
    leader: int
    lead: str
    ending: str
    out: tuple[int, ...]
    bouts: int
    points: tuple[int, ...]
    tallies: Tallies


@dataclass(frozen=True)
class Summary:
    """What one game came to.

    `stages` (last stage passed, by seat) and `payout` (net, by seat) are None outside the millionaire mode.
    """

    deals: tuple[DealSummary, ...]
    reason: str
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    stages: tuple[int, ...] | None
    payout: tuple[float, ...] | None


def check_game(events: Sequence[Event], watch: Watch | None = None) -> Summary:
    """Re-play one game, `game` to `game_end`, and say what it came to.

    `watch` is called with the position and the choice at every decision of a player, in the form of
    `kombinator_choices`. Raises RuleViolation at the first thing that is illegal, miscounted, missing or too
    much.
    """
    referee = Referee(events)
    referee.watch = watch
    try:
        return referee.play_game()
    except Illegal as fault:
        raise RuleViolation(str(fault), referee.index, referee.event) from None


def deck_order(deal: Event) -> list[str]:
    """The pack as it lay before the deal, first card first, read back from a `deal` event (K-4, K-5)."""
    hands, stock, dealer = deal["hands"], deal["stock"], deal["dealer"]
    clockwise = [(dealer + 1 + step) % len(hands) for step in range(len(hands))]
    dealt: list[str] = [hands[seat][turn] for turn in range(len(hands[0])) for seat in clockwise]
    return [*dealt, *stock[-1:], *stock[:-1]]  # the turned card comes next and is put under the stock


class Referee(Bouts):
    """Plays one game after its events."""

    # ------------------------------------------------------------------------------------- the game

    def play_game(self) -> Summary:
        """One game: its first event, deals until a score runs out, its last event."""
        self.open_game()
        deals: list[DealSummary] = []
        while True:
            self.deal(deals[-1] if deals else None)
            deals.append(self.play_deal())
            if min(self.scores) <= 0:  # K-80
                reason = "score"
                break
            if len(deals) == self.options["max_deals"]:  # K-83
                reason = "max_deals"
                break
        return self.close_game(reason, tuple(deals))

    def open_game(self) -> None:
        """`game`: options, point table and scores that rule everything after it."""
        self.decision("game")
        self.options = self.get("options", dict)
        self.points = self.get("points", dict)
        check_settings(self.options, self.points)
        self.scores = list(self.get("scores", list))
        self.players = len(self.scores)
        seats = self.event.get("seats")
        if (len(seats) if isinstance(seats, list) else seats) != self.players:
            raise Illegal("transcript: seats and scores are not as many")
        if not 2 <= self.players <= 9:
            raise Illegal("K-2: 2 to 9 players")
        if self.options["hand_size"] > self.options["hand_limit"]:
            raise Illegal("K-6: hands larger than hand_limit")
        if self.options["hand_size"] * self.players > len(PACK):
            raise Illegal("K-4: not enough cards for these hands")
        if any(score != self.options["start_score"] for score in self.scores):
            raise Illegal("K-3: every score starts at start_score")
        self.stages = [0] * self.players  # last stage passed
        self.ladder = read_ladder(self.options["ladder"]) if self.options["millionaire"] else []

    def close_game(self, reason: str, deals: tuple[DealSummary, ...]) -> Summary:
        """`game_end`: who won, and in the millionaire mode who pays what."""
        winners = self.winners(reason)
        expected: dict[str, Any] = {"event": "game_end", "reason": reason, "scores": self.scores}
        expected["winners"] = SeatSet(winners)
        payout = None
        if self.options["millionaire"]:
            payout = self.payout(winners)
            expected |= {"stages": self.stages, "payout": payout}
        self.follows("K-80", expected)
        if self.index + 1 < len(self.events):
            self.next_event("nothing")
            raise Illegal("transcript: an event after game_end")
        return Summary(
            deals,
            reason,
            tuple(self.scores),
            tuple(winners),
            tuple(self.stages) if payout is not None else None,
            tuple(payout) if payout is not None else None,
        )

    def winners(self, reason: str) -> list[int]:
        """K-81, K-82, K-83: the seats that win or share the win; none for a draw of two."""
        if self.players == 2 and reason == "score":
            return [seat for seat in range(2) if self.scores[seat] > 0]
        best = [seat for seat in range(self.players) if self.scores[seat] == max(self.scores)]
        return [] if self.players == 2 and len(best) == 2 else best

    def payout(self, winners: list[int]) -> list[float]:
        """K-91: net by seat; every loser pays every winner."""
        net = [0.0] * self.players
        for winner in winners:
            stage = self.stages[winner]
            modifier = self.ladder[stage - 1].modifier if stage else 0.0
            prize = self.options["stake"] * self.options["start_score"] * modifier
            for loser in range(self.players):
                if loser not in winners:
                    net[winner] += prize
                    net[loser] -= prize
        return net

    # ------------------------------------------------------------------------------------- the deal

    def deal(self, before: DealSummary | None) -> None:
        """`deal`: four cards each, the next card turned up and put under the stock (K-4), and who leads."""
        self.decision("deal")
        number = 1 if before is None else before.deal + 1
        if self.get("deal", int) != number:
            raise Illegal(f"transcript: this is deal {number}")
        dealer = self.get("dealer", int)
        if before is not None and dealer != (before.dealer + 1) % self.players:
            raise Illegal("K-7: the deal passes clockwise")
        if not 0 <= dealer < self.players:
            raise Illegal("K-7: the dealer is no seat")
        hands = [self.cards(hand) for hand in self.get("hands", list)]
        stock = list(self.cards(self.event.get("stock")))
        if [len(hand) for hand in hands] != [self.options["hand_size"]] * self.players:
            raise Illegal("K-4: every player gets hand_size cards")
        if sorted([*sum(hands, []), *stock]) != sorted(PACK):
            raise Illegal("K-1: hands and stock are not the 36 cards")
        if stock:
            turned, trump = stock[-1], suit(stock[-1])  # K-4: it lies under the stock
        elif self.options["nine_player_trump"] == "last_dealt":
            turned, trump = None, suit(hands[dealer][-1])  # K-5: the dealer gets the last card of all
        else:
            turned, trump = None, None
        for name, value in (("turned", turned), ("trump", trump)):
            if name not in self.event or self.event[name] != value:
                raise Illegal(f"K-4, K-5: {name} should be {value}")
        leader, lead = self.who_leads(before, hands, dealer, trump)
        if self.get("leader", int) != leader:
            raise Illegal(f"K-10 to K-12: seat {leader} leads ({lead})")
        players = [Player(set(hand)) for hand in hands]
        self.now = Deal(number, dealer, leader, lead, trump, players, stock, tuple(self.scores), attacker=leader)

    def who_leads(self, before: DealSummary | None, hands: list[list[str]], dealer: int, trump: str | None) -> tuple[int, str]:
        """K-10, K-11, K-12: the leader, and why."""
        if before is not None and len(before.out) == 1:  # K-11
            return before.out[0], "went_out"
        by_passes = before is not None and not before.out
        if before is not None and by_passes and self.options["lead_after_passes"] == "last_leader":  # K-12
            return before.leader, "last_leader"
        holders = {card: seat for seat, hand in enumerate(hands) for card in hand if suit(card) == trump}
        if holders:  # K-10
            return holders[min(holders, key=rank)], "lowest_trump"
        return (dealer + 1) % self.players, "after_dealer"  # K-10, K-5

    def play_deal(self) -> DealSummary:
        """Bouts until the deal or the game ends."""
        while True:
            self.now.bouts += 1
            self.decision("attack", "pass")
            if self.get("seat", int) != self.now.attacker:
                raise Illegal(f"K-13, K-24, K-42, K-43: seat {self.now.attacker} has the right to attack")
            if self.event["event"] == "pass":
                self.attacker_passes()
            else:
                self.bout()
            if min(self.scores) <= 0:  # K-80: in the middle of a deal, and no penalties
                return self.summary("game_over", [])
            ending = self.ending()
            if ending:
                return self.end_deal(ending)

    def attacker_passes(self) -> None:
        """K-24: the top card, unless the stock is empty or the hand is full; the next player attacks."""
        now, seat = self.now, self.now.attacker
        player = now.players[seat]
        if self.watch:
            self.watch(self.attack_position(), Pass())
        drew = self.cards(self.event.get("drew"))
        may_draw = len(player.hand) < self.options["hand_limit"]
        expected = now.stock[:1] if may_draw else []
        if drew != expected:
            raise Illegal(f"K-24: the attacker who passes draws {expected}")
        self.take_from_stock(seat, len(expected))
        now.passes_in_a_row += 1
        now.attacker = (seat + 1) % self.players

    def ending(self) -> str | None:
        """K-70 to K-73: how the deal ends after this bout, if it does."""
        now = self.now
        hands = [player.hand for player in now.players]
        if not now.stock and not all(hands):
            return "out"  # K-70
        if now.passes_in_a_row >= self.players:
            if not now.stock:
                return "passes"  # K-71
            if all(len(hand) == self.options["hand_limit"] for hand in hands):
                return "passes_full"  # K-72
        if now.bouts >= self.options["max_bouts"]:
            return "max_bouts"  # K-73
        return None

    def end_deal(self, ending: str) -> DealSummary:
        """`deal_end`: everybody pays for the court cards and aces left in the hand (who is out has none)."""
        out, penalties = [], []
        for seat, player in enumerate(self.now.players):
            if not player.hand:
                out.append(seat)
            court = Court.among(player.hand)
            penalties.append(court.cost(self.points))
            self.scores[seat] -= penalties[-1]
            self.tally_court(seat, court, "penalty")
        expected = {"event": "deal_end", "reason": ending, "out": SeatSet(out), "penalties": penalties}
        self.follows("K-70", expected | {"scores": self.scores})
        return self.summary(ending, out)

    def summary(self, ending: str, out: list[int]) -> DealSummary:
        """What this deal came to."""
        now = self.now
        change = tuple(after - before for after, before in zip(self.scores, now.scores_before, strict=True))
        return DealSummary(now.number, now.dealer, now.leader, now.lead, ending, tuple(out), now.bouts, change, now.tallies)
