"""One bout of Kombinator, refereed: the attack, its answer, what they score, and what is drawn after them.

Rule numbers are those of the rules page; `transcript` stands for the page of transcripts.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from .kombinator_choices import (
    Attack,
    AttackPosition,
    Beat,
    Combination,
    DefencePosition,
    Illegal,
    Pass,
    Yield,
    check_attack,
    check_beat,
    check_yield,
    credits_used,
    earns_order,
    name_superblow,
    worth,
)
from .kombinator_combinations import FORCES, PACK, Court, Stage, force_of
from .kombinator_events import Change, Changes, EventReader

Tallies = dict[tuple[int, str, str], tuple[int, int]]  # (seat, item, role) -> (count, points)
Watch = Callable[[AttackPosition | DefencePosition, Pass | Attack | Yield | Beat], None]


@dataclass
class Player:
    """What one player has in the deal that is going on."""

    hand: set[str]
    orders: int = 0
    credits: int = 0
    dump_used: bool = False
    marriage_used: bool = False


@dataclass
class Deal:
    """The deal that is going on."""

    number: int
    dealer: int
    leader: int
    lead: str
    trump: str | None
    players: list[Player]
    stock: list[str]  # in drawing order
    scores_before: tuple[int, ...]
    attacker: int
    discarded: set[str] = field(default_factory=set)
    bouts: int = 0
    passes_in_a_row: int = 0
    tallies: Tallies = field(default_factory=dict)


@dataclass(frozen=True)
class Declared:
    """A combination as an event shows it: kind and cards, its points, and the item of the tallies it is."""

    kind: str
    cards: frozenset[str]
    points: int
    item: str


def beaten_key(one: Declared) -> str | None:
    """K-25, K-32, K-34: the value a beaten combination still takes from the defender."""
    if one.kind == "assembly":
        return "assembly_beaten"
    if one.kind in (*FORCES, "superblow"):
        return force_of(one.cards) + "_beaten"
    return None


class Bouts(EventReader):
    """Referee of bouts; the game and its deals are in `kombinator`.

    `options`, `points` and `ladder` rule the game; `scores` and `stages` (last stage passed) go on from deal
    to deal; `now` is the deal that is going on, `facing` what the defender of the bout has to answer.
    `watch` is told every decision of a player.
    """

    options: dict[str, Any]
    points: dict[str, int]
    ladder: list[Stage]
    players: int
    scores: list[int]
    stages: list[int]
    now: Deal
    facing: DefencePosition
    watch: Watch | None = None

    def bout(self) -> None:
        """One attack and its defence, with all that follows from them."""
        now, seat = self.now, self.now.attacker
        defender = (seat + 1) % self.players  # K-13
        position = self.attack_position()
        declared, attack = self.read_attack(position)
        attack_index, attack_event = self.index, self.event
        if self.watch:
            self.watch(position, attack)
        attacker = now.players[seat]
        spent = credits_used(self.options, attacker.credits, attack)  # K-45
        if self.event.get("credit", False) is not (spent > 0):
            raise Illegal(f"K-45: {spent} credits are used by this attack")
        attacker.credits -= spent
        attacker.orders -= attack.order is not None  # K-51, K-54: spent also where a credit covers the attack
        attacker.dump_used |= attack.count("dump") > 0  # K-30: also when beaten
        attacker.hand -= attack.cards
        now.passes_in_a_row = 0

        self.facing = DefencePosition(
            self.options,
            now.trump,
            frozenset(now.players[defender].hand),
            attack.cards,
            len(now.stock),
            forced=spent > 0 or attack.order == "invulnerable",  # K-45, K-50 (a)
            marriage_used=now.players[defender].marriage_used,
        )
        self.decision("beat", "yield")
        if self.get("seat", int) != defender:
            raise Illegal("K-13: the attack is on the next player")
        if self.event["event"] == "beat":
            self.beaten(seat, defender, attack, declared)
        else:
            if any(one.kind in FORCES for one in declared) and attack.count("superblow"):
                self.index, self.event = attack_index, attack_event
                raise Illegal("K-34: this force is not beaten and ends the deal, so it is a superblow")
            self.not_beaten(seat, defender, attack, declared)
        if min(self.scores) > 0:  # K-80: else the game is over and nobody draws
            self.draw_up(seat)
            self.draw_up(defender)
        self.count_cards()

    def beaten(self, seat: int, defender: int, attack: Attack, declared: list[Declared]) -> None:
        """K-42: the attacker loses by the beating cards, the defender by beaten forces and assemblies."""
        position = self.facing
        answer, beat = self.read_beat(position)
        if self.watch:
            self.watch(position, beat)
        earned = earns_order(position, beat)
        if self.get("order_earned", bool) is not earned:
            raise Illegal(f"K-50, K-51, K-53: order_earned should be {earned}")
        player = self.now.players[defender]
        player.orders += earned
        player.hand -= beat.cards
        self.now.discarded |= attack.cards | beat.cards

        changes = []
        for one in answer:
            if one.kind == "jackpot":  # K-33: added to the defender's own score
                changes.append(Change(defender, one.points, one.kind))
            else:
                changes.append(Change(seat, -one.points, one.kind))
            self.tally(defender, one.item, "defence", 1, one.points)
        court = Court.among(beat.cards)
        changes.append(Change(seat, -court.cost(self.points), "court_cards"))
        self.tally_court(defender, court, "defence")
        for one in declared:
            self.tally(seat, one.item, "attack_beaten", 1, 0)  # K-42: no force,
            consolation = beaten_key(one)  # except K-25, K-32
            if consolation:
                changes.append(Change(defender, -self.points[consolation], consolation))
                self.tally(seat, consolation, "attack_beaten", 1, self.points[consolation])

        if self.options["beaten_marriage_counts"]:  # K-31
            self.use_marriage(seat, attack.count("marriage"))
        self.use_marriage(defender, len([one for one in answer if one.kind == "marriage"]))
        self.score("K-42", changes)
        self.climb(defender, answer, "defence")
        self.now.attacker = defender

    def not_beaten(self, seat: int, defender: int, attack: Attack, declared: list[Declared]) -> None:
        """K-43, K-44: the defender loses by the attacker's combinations and may take one of the cards."""
        position = self.facing
        if "took" not in self.event:
            raise Illegal("transcript: field took is missing")
        took = self.event["took"]
        if not isinstance(took, str | None):
            raise Illegal("transcript: took is a card or null")
        check_yield(position, Yield(took))
        if self.watch:
            self.watch(position, Yield(took))
        self.now.discarded |= attack.cards
        if took is not None:
            self.now.discarded.remove(took)
            self.now.players[defender].hand.add(took)
            self.now.players[seat].credits += 1

        changes = []
        for one in declared:
            changes.append(Change(defender, -one.points, one.kind))
            self.tally(seat, one.item, "attack", 1, one.points)
        if attack.order == "reinforced":  # K-50 (b)
            court = Court.among(attack.cards)
            changes.append(Change(defender, -court.cost(self.points), "reinforced"))
            self.tally_court(seat, court, "attack")

        self.use_marriage(seat, attack.count("marriage"))
        self.score("K-43", changes)
        self.climb(seat, declared, "attack")
        self.now.attacker = (defender + 1) % self.players

    def use_marriage(self, seat: int, number: int) -> None:
        """K-31: a marriage that has force has it once a deal."""
        self.now.players[seat].marriage_used |= number > 0

    def score(self, rule: str, changes: list[Change]) -> None:
        """`score`: all changes of the bout at once (K-80); a change of 0 is not written."""
        changes = Changes(change for change in changes if change.delta != 0)
        for change in changes:
            self.scores[change.seat] += change.delta
        if changes:
            self.follows(rule, {"event": "score", "changes": changes, "scores": self.scores})

    def climb(self, seat: int, used: list[Declared], role: str) -> None:
        """K-90: `stage`, if one of these combinations is what the player's next stage asks for."""
        stage = self.stages[seat] + 1
        if stage > len(self.ladder):
            return
        counted = {name for one in used for name in self.counts_as(one)}
        if any((name, role) in self.ladder[stage - 1].accepts for name in counted):
            self.stages[seat] = stage  # at most one stage a bout
            self.follows("K-90", {"event": "stage", "seat": seat, "stage": stage})

    def counts_as(self, one: Declared) -> set[str]:
        """K-91: the names by which a combination may pass a stage."""
        if one.item == "weak_marriage" and not self.options["weak_marriage_passes_stage"]:
            return set()
        if one.kind == "superblow" and self.options["superblow_counts_as_force"]:
            return {"superblow", force_of(one.cards)}
        return {one.kind}

    def draw_up(self, seat: int) -> None:
        """K-60: `draw` up to hand_size from the top of the stock, if anything is drawn."""
        missing = self.options["hand_size"] - len(self.now.players[seat].hand)
        cards = self.now.stock[: max(0, missing)]
        if cards:
            self.follows("K-60", {"event": "draw", "seat": seat, "cards": cards})
            self.take_from_stock(seat, len(cards))

    def take_from_stock(self, seat: int, number: int) -> None:
        """Move the top cards of the stock into a hand; orders end when the stock runs out (K-51)."""
        now = self.now
        now.players[seat].hand.update(now.stock[:number])
        del now.stock[:number]
        if not now.stock:
            for player in now.players:
                player.orders = 0

    def count_cards(self) -> None:
        """K-1, K-6: every card is in one place, and no hand is too large (a check of the referee itself)."""
        now = self.now
        places = [*now.stock, *now.discarded, *(card for player in now.players for card in player.hand)]
        assert sorted(places) == sorted(PACK)
        assert all(len(player.hand) <= self.options["hand_limit"] for player in now.players)

    # ---------------------------------------------------------------------- what the players declare

    def attack_position(self) -> AttackPosition:
        """What decides what the attacker may do now."""
        now = self.now
        player = now.players[now.attacker]
        return AttackPosition(
            self.options,
            self.players,
            frozenset(player.hand),
            len(now.players[(now.attacker + 1) % self.players].hand),
            len(now.stock),
            player.orders,
            player.credits,
            player.dump_used,
            player.marriage_used,
        )

    def read_attack(self, position: AttackPosition) -> tuple[list[Declared], Attack]:
        """The combinations as they are written, and the attack with a superblow called so; it must be legal.

        A force with which the player would go out is a superblow if it is not beaten; while that is open it
        may be written as a force as well.
        """
        cards = frozenset(self.cards(self.event.get("cards")))
        written = self.read_combinations()
        loose = cards.difference(*(part for _, part in written))
        if "order" not in self.event:
            raise Illegal("transcript: field order is missing")
        as_written = Attack(frozenset(written), loose, self.event["order"])
        if as_written.cards != cards:
            raise Illegal("K-21: a combination with a card that is not played")
        attack = name_superblow(position, as_written)
        if len(attack.combinations) < len(written):
            raise Illegal("K-21: a card in two combinations")
        check_attack(position, attack)
        return self.read_points(written, position.marriage_used), attack

    def read_beat(self, position: DefencePosition) -> tuple[list[Declared], Beat]:
        """The combinations as they are written, and the beating; it must be legal."""
        pairs = self.get("pairs", list)
        if not all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
            raise Illegal("transcript: pairs of an attacking and a beating card")
        self.cards([attacking for attacking, _ in pairs])
        self.cards([beating for _, beating in pairs])
        written = self.read_combinations()
        beat = Beat(frozenset((attacking, beating) for attacking, beating in pairs), frozenset(written))
        if len(beat.combinations) < len(written):
            raise Illegal("K-21: a card in two combinations")
        check_beat(position, beat)
        return self.read_points(written, position.marriage_used), beat

    def read_combinations(self) -> list[Combination]:
        """Kinds and cards of the field `combinations`."""
        written = self.get("combinations", list)
        if not all(isinstance(one, dict) and isinstance(one.get("kind"), str) for one in written):
            raise Illegal("transcript: combinations are objects with kind, cards and points")
        return [(one["kind"], frozenset(self.cards(one.get("cards")))) for one in written]

    def read_points(self, written: list[Combination], marriage_used: bool) -> list[Declared]:
        """Compare the points that are written with what the combinations are worth.

        K-31: of several marriages at most one has force: the one that is written with points, if any is.
        """
        shown = [one.get("points") for one in self.event["combinations"]]
        full = self.points["marriage"]
        strong = None  # place of the marriage that has force
        marriages = [place for place, (kind, _) in enumerate(written) if kind == "marriage"]
        if marriages and not marriage_used:
            strong = next((place for place in marriages if shown[place] == full), marriages[0])
        declared = []
        for place, (kind, cards) in enumerate(written):
            weak = kind == "marriage" and place != strong
            value = 0 if weak else worth((kind, cards), self.options, self.points)
            if shown[place] != value or isinstance(shown[place], bool):
                raise Illegal(f"K-23, K-31, K-34: {kind} is worth {value}, not {shown[place]}")
            declared.append(Declared(kind, cards, value, "weak_marriage" if weak else kind))
        return declared

    # ------------------------------------------------------------------------------------- tallies

    def tally(self, seat: int, item: str, role: str, count: int, points: int) -> None:
        """Add to a row of the tallies."""
        before = self.now.tallies.get((seat, item, role), (0, 0))
        self.now.tallies[seat, item, role] = (before[0] + count, before[1] + points)

    def tally_court(self, seat: int, court: Court, role: str) -> None:
        """Add court cards and aces, counted in cards."""
        for item, count in (("court_card", court.court_cards), ("ace", court.aces)):
            if count:
                self.tally(seat, item, role, count, count * self.points[item])
