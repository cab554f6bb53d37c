"""Default settings written from the rules page, and correct random games for the tests of the model.

A random game is played by the referee itself: where it would read an event, one is made up that is legal by
`kombinator_choices`. So these games show that referee and choices agree, not that either is right.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from random import Random
from typing import Any

from .kombinator import DealSummary, Referee
from .kombinator_choices import (
    Attack,
    AttackPosition,
    Beat,
    DefencePosition,
    Pass,
    Split,
    Yield,
    attack_choices,
    credits_used,
    defence_choices,
    earns_order,
    worth,
)
from .kombinator_combinations import PACK
from .kombinator_events import Change, Event

OPTIONS: Mapping[str, Any] = {
    "start_score": 100,
    "hand_size": 4,
    "hand_limit": 7,
    "nine_player_trump": "last_dealt",
    "lead_after_passes": "lowest_trump",
    "loose_cards_in_attack": False,
    "repeat_marriage": "zero",
    "beaten_marriage_counts": False,
    "superblow": "replaces",
    "superblow_in_composite": True,
    "take_after_forced_pass": True,
    "credit_per": "attack",
    "max_bouts": 500,
    "max_deals": 1000,
    "millionaire": False,
    "stake": 1,
    "superblow_counts_as_force": True,
    "weak_marriage_passes_stage": True,
    "ladder": [
        "pair triple small_force+ = 0.1",
        "small_row+ small_queue+ = 0.2",
        "marriage = 0.3",
        "assembly triple = 0.5",
        "medium_row+ medium_queue+ = 1",
        "triple small_force+ = 2",
        "small_optima+ = 4",
        "large_row+ large_queue+ = 8",
        "small_force+ = 16",
        "medium_optima+ = 32",
        "large_force+ = 64",
        "large_optima+ = 125",
        "absolute_force superblow = 250",
        "great_optima+ absolute_force@defence superblow = 500",
        "legendary_optima jackpot superblow = 1000",
    ],
}
POINTS: Mapping[str, int] = {
    "pair": 3,
    "triple": 6,
    "small_force": 12,
    "large_force": 15,
    "absolute_force": 20,
    "small_row": 3,
    "medium_row": 5,
    "large_row": 8,
    "great_row": 12,
    "legendary_row": 17,
    "small_queue": 3,
    "medium_queue": 5,
    "large_queue": 8,
    "great_queue": 12,
    "legendary_queue": 17,
    "small_optima": 6,
    "medium_optima": 12,
    "large_optima": 18,
    "great_optima": 24,
    "legendary_optima": 30,
    "dump": 0,
    "marriage": 4,
    "assembly": 6,
    "jackpot": 25,
    "superblow": 40,
    "small_force_beaten": 4,
    "large_force_beaten": 6,
    "absolute_force_beaten": 10,
    "assembly_beaten": 6,
    "court_card": 1,
    "ace": 2,
}

Choose = Callable[[Random, AttackPosition | DefencePosition, list[Any]], Any]


def uniform(rng: Random, position: AttackPosition | DefencePosition, choices: list[Any]) -> Any:
    """Any legal choice, all with the same chance."""
    return rng.choice(choices)


def lively(rng: Random, position: AttackPosition | DefencePosition, choices: list[Any]) -> Any:
    """Now and then the same choice as `uniform`, else one of those that tend towards rare events.

    An attacker passes often, to collect cards, or lays most combinations; a defender beats where it can, or
    takes a card.
    """
    style = rng.randrange(4)
    if style == 0 and isinstance(position, AttackPosition):
        return Pass()
    if style < 3:
        most = max(map(liveliness, choices))
        choices = [choice for choice in choices if liveliness(choice) == most]
    return rng.choice(choices)


def liveliness(choice: Pass | Attack | Yield | Beat) -> int:
    """How much of what is rare a choice contains."""
    if isinstance(choice, Attack | Beat):
        ordered = isinstance(choice, Attack) and choice.order is not None
        return 1 + len(choice.cards) + len(choice.combinations) + ordered
    return isinstance(choice, Yield) and choice.took is not None


def random_game(seed: int, players: int = 2, choose: Choose = lively, points: Mapping[str, int] = POINTS, **options: Any) -> list[Event]:
    """A correct transcript; `options` are the ones that differ from the rules page's defaults."""
    game = RandomGame(Random(seed), players, choose, points, {**OPTIONS, **options})
    game.play_game()
    return game.written


class RandomGame(Referee):
    """A referee that makes up the decisions and writes down what follows from them."""

    def __init__(
        self,
        rng: Random,
        players: int,
        choose: Choose,
        points: Mapping[str, int],
        options: Mapping[str, Any],
    ) -> None:
        """`choose` decides for all seats; all chance comes from `rng`."""
        super().__init__([])
        self.rng = rng
        self.choose = choose
        self.opening = {
            "event": "game",
            "ruleset": "kombinator",
            "options": dict(options),
            "points": dict(points),
            "seed": 0,
            "game": 0,
            "strategies": ["random"] * players,
            "seats": players,
            "scores": [options["start_score"]] * players,
        }
        self.written: list[Event] = []
        self.before: DealSummary | None = None

    def deal(self, before: DealSummary | None) -> None:
        """Remember the deal before, which the next `deal` event depends on."""
        self.before = before
        super().deal(before)

    def decision(self, *names: str) -> Event:
        """Make up one of the events `names`."""
        if names == ("game",):
            self.event = self.opening
        elif names == ("deal",):
            self.event = self.new_deal()
        elif "attack" in names:
            self.event = self.new_attack()
        else:
            self.event = self.new_defence()
        self.written.append(self.event)
        return self.event

    def follows(self, rule: str, expected: Event) -> None:
        """Write down what the rules determine."""
        self.event = {name: plain(value) for name, value in expected.items()}
        self.written.append(self.event)

    def new_deal(self) -> Event:
        """Shuffle and deal."""
        pack = list(PACK)
        self.rng.shuffle(pack)
        number, dealer = 1, self.rng.randrange(self.players)
        if self.before is not None:
            number, dealer = self.before.deal + 1, (self.before.dealer + 1) % self.players
        hands: list[list[str]] = [[] for _ in range(self.players)]
        for turn in range(self.options["hand_size"] * self.players):
            hands[(dealer + 1 + turn) % self.players].append(pack.pop(0))
        turned, trump = None, None
        if pack:
            turned = pack.pop(0)
            trump = turned[1]
            pack.append(turned)
        elif self.options["nine_player_trump"] == "last_dealt":
            trump = hands[dealer][-1][1]
        leader, _ = self.who_leads(self.before, hands, dealer, trump)
        return {
            "event": "deal",
            "deal": number,
            "dealer": dealer,
            "hands": hands,
            "stock": pack,
            "turned": turned,
            "trump": trump,
            "leader": leader,
        }

    def new_attack(self) -> Event:
        """Choose for the attacker."""
        position, seat = self.attack_position(), self.now.attacker
        choice = self.choose(self.rng, position, sorted(attack_choices(position), key=repr_of))
        if isinstance(choice, Pass):
            full = len(position.hand) == self.options["hand_limit"]
            return {"event": "pass", "seat": seat, "drew": [] if full else self.now.stock[:1]}
        return {
            "event": "attack",
            "seat": seat,
            "cards": sorted(choice.cards),
            "combinations": self.show(choice.combinations, position.marriage_used),
            "order": choice.order,
            "credit": credits_used(self.options, position.credits, choice) > 0,
        }

    def new_defence(self) -> Event:
        """Choose for the defender."""
        position, seat = self.facing, (self.now.attacker + 1) % self.players
        choice = self.choose(self.rng, position, sorted(defence_choices(position), key=repr_of))
        if isinstance(choice, Yield):
            return {"event": "yield", "seat": seat, "took": choice.took}
        return {
            "event": "beat",
            "seat": seat,
            "pairs": [list(pair) for pair in sorted(choice.pairs)],
            "combinations": self.show(choice.combinations, position.marriage_used),
            "order_earned": earns_order(position, choice),
        }

    def show(self, split: Split, marriage_used: bool) -> list[dict[str, Any]]:
        """The field `combinations`; of several marriages only the first has force (K-31)."""
        shown = []
        for kind, cards in sorted(split, key=repr_of):
            value = worth((kind, cards), self.options, self.points)
            if kind == "marriage":
                value = 0 if marriage_used else value
                marriage_used = True
            shown.append({"kind": kind, "cards": sorted(cards), "points": value})
        return shown


def plain(value: Any) -> Any:
    """A value as it is written in JSON."""
    if isinstance(value, Change):
        rules = {"court_cards": "K-42", "reinforced": "K-50"}
        rule = rules.get(value.reason, "K-25" if value.reason.endswith("_beaten") else "K-43")
        return {"seat": value.seat, "delta": value.delta, "reason": value.reason, "rule": rule}
    return [plain(one) for one in value] if isinstance(value, list) else value


def repr_of(value: Any) -> str:
    """A key that sorts choices and combinations the same way in every run, whatever order sets have."""
    if isinstance(value, frozenset):
        return repr(sorted(map(repr_of, value)))
    if isinstance(value, tuple):
        return repr([repr_of(one) for one in value])
    if is_dataclass(value):
        return type(value).__name__ + repr([repr_of(getattr(value, one.name)) for one in fields(value)])
    return repr(value)
