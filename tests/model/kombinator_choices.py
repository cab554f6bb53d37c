"""What a player of Kombinator may choose: functions that say why a choice is illegal or list the legal ones.

`check_attack`, `check_beat` and `check_yield` follow the rules page line by line. `attack_choices` and
`defence_choices` go through everything that could be laid with these cards and keep what the checks let
through, so they are slow and complete. A superblow is a fact and not a choice (K-34): in a choice the force
that is one is always called `superblow`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations as subsets
from itertools import permutations
from typing import Any

from .kombinator_combinations import (
    FORCES,
    KINDS,
    SIX_OF_SPADES,
    Cards,
    force_of,
    is_combination,
    rank,
    suit,
)

Options = Mapping[str, Any]
Combination = tuple[str, Cards]  # (key of the table, its cards)
Split = frozenset[Combination]  # disjoint combinations

ORDERS = ("invulnerable", "reinforced", "assembly")  # K-50 a, b, c


class Illegal(Exception):
    """Something the rules forbid; the text begins with the rule number."""


@dataclass(frozen=True)
class Pass:
    """K-24: the attacker passes."""


@dataclass(frozen=True)
class Attack:
    """K-20: the declared combinations, the cards in none of them, and the declared order (K-50)."""

    combinations: Split
    loose: Cards
    order: str | None = None

    @property
    def cards(self) -> Cards:
        """All cards of the attack."""
        return self.loose.union(*(cards for _, cards in self.combinations))

    def count(self, key: str) -> int:
        """How many combinations `key` are declared."""
        return [kind for kind, _ in self.combinations].count(key)


@dataclass(frozen=True)
class Yield:
    """K-43, K-44: the defender passes, perhaps taking one of the attacking cards."""

    took: str | None


@dataclass(frozen=True)
class Beat:
    """K-40, K-41: pairs (attacking card, beating card), and the combinations among the beating cards."""

    pairs: frozenset[tuple[str, str]]
    combinations: Split

    @property
    def cards(self) -> Cards:
        """All beating cards."""
        return frozenset(beating for _, beating in self.pairs)


@dataclass(frozen=True)
class AttackPosition:
    """All that decides what an attacker may do.

    `defender` and `stock` are numbers of cards; the turned card counts as a card of the stock (K-53).
    `credits` changes nothing in what may be chosen: a credit is used automatically (K-45).
    """

    options: Options
    players: int
    hand: Cards
    defender: int
    stock: int
    orders: int = 0
    credits: int = 0
    dump_used: bool = False
    marriage_used: bool = False


@dataclass(frozen=True)
class DefencePosition:
    """All that decides what a defender may do; `forced`: the attack may not be beaten (K-45, K-50 a)."""

    options: Options
    trump: str | None
    hand: Cards
    attack: Cards
    stock: int
    forced: bool = False
    marriage_used: bool = False


# ---------------------------------------------------------------------------------------------- attack


def check_attack(position: AttackPosition, attack: Attack) -> None:
    """Raise `Illegal` unless `attack` may be made; a force that is a superblow must be called one."""
    p, cards = position, attack.cards
    if not cards:
        raise Illegal("K-20: an attack without cards")
    if not cards <= p.hand:
        raise Illegal("K-20: an attack with a card that is not in the hand")
    if len(cards) > p.defender:
        raise Illegal("K-22: more cards than the defender holds")
    check_split(attack.combinations)
    if attack.count("jackpot"):
        raise Illegal("K-33: a jackpot is a defence")
    if attack.loose and len(cards) > 1 and not p.options["loose_cards_in_attack"]:
        raise Illegal("K-21: a loose card beside other cards")
    if attack.count("dump"):
        check_dump(p, cards)
    check_marriages(p.options, attack.combinations, p.marriage_used)
    check_order(p, attack)
    for kind, _ in attack.combinations:
        if kind == "superblow" and not is_superblow_attack(p, attack):
            raise Illegal("K-34: this force would not end the deal")
        if kind in FORCES and is_superblow_attack(p, attack):
            raise Illegal("K-34: a force that ends the deal is a superblow")


def check_split(split: Split) -> None:
    """K-20, K-21: every combination is what it says, and no card belongs to two."""
    seen: set[str] = set()
    for kind, cards in split:
        if kind not in KINDS:
            raise Illegal(f"K-20: there is no combination '{kind}'")
        if not is_combination(kind, cards):
            raise Illegal(f"K-20: {' '.join(sorted(cards))} are no {kind}")
        if seen & cards:
            raise Illegal("K-21: a card in two combinations")
        seen |= cards


def check_dump(position: AttackPosition, cards: Cards) -> None:
    """K-30: whether this attack may be a dump (that it is the only combination follows from K-21)."""
    if position.players > 2:
        raise Illegal("K-30: no dump with three or more players")
    if position.dump_used:
        raise Illegal("K-30: a second dump in one deal")
    if position.stock == 0:
        raise Illegal("K-30: a dump with an empty stock")
    if cards != position.hand:
        raise Illegal("K-30: a dump is all cards of the hand")


def check_marriages(options: Options, split: Split, used: bool) -> None:
    """K-31: with `repeat_marriage` = illegal only a marriage that has force may be declared."""
    declared = [kind for kind, _ in split].count("marriage")
    if options["repeat_marriage"] == "illegal" and declared + used > 1:
        raise Illegal("K-31: a marriage without force")


def check_order(position: AttackPosition, attack: Attack) -> None:
    """K-50 to K-53, K-32: whether this order may be used, and is there where it is needed."""
    if attack.order is not None:
        if attack.order not in ORDERS:
            raise Illegal(f"K-50: there is no order '{attack.order}'")
        if position.orders == 0:
            raise Illegal("K-50: no order to use")
        if position.stock == 0:
            raise Illegal("K-51: an order with an empty stock")
    # At most one order in a bout (K-51), so at most one assembly; and an order (c) is for playing one.
    if attack.count("assembly") != (attack.order == "assembly"):
        raise Illegal("K-32: one assembly needs one order (c), and an order (c) one assembly")


def is_superblow_attack(position: AttackPosition, attack: Attack) -> bool:
    """K-34: whether a force in this attack ends the deal if it is not beaten."""
    alone = len(attack.combinations) == 1 and not attack.loose
    return position.stock == 0 and attack.cards == position.hand and (alone or bool(position.options["superblow_in_composite"]))


def name_superblow(position: AttackPosition, attack: Attack) -> Attack:
    """The same attack with its force called `superblow` where it is one."""
    if not is_superblow_attack(position, attack):
        return attack
    return replace(attack, combinations=called_superblow(attack.combinations))


def called_superblow(split: Split) -> Split:
    """The same split with every force called `superblow`."""
    return frozenset(("superblow" if kind in FORCES else kind, cards) for kind, cards in split)


def credits_used(options: Options, credits: int, attack: Attack) -> int:
    """K-45: how many of the attacker's credits this attack uses up; with any the attack may not be beaten."""
    number = len(attack.combinations)
    if options["credit_per"] == "attack":
        number = min(number, 1)
    return min(credits, number)


# --------------------------------------------------------------------------------------------- defence


def check_yield(position: DefencePosition, choice: Yield) -> None:
    """Raise `Illegal` if the card may not be taken (K-44); passing itself is always allowed."""
    p = position
    if choice.took is None:
        return
    if choice.took not in p.attack:
        raise Illegal("K-44: only a card of the attack may be taken")
    if len(p.hand) >= p.options["hand_limit"]:
        raise Illegal("K-44: a card taken into a full hand")
    if p.forced and not p.options["take_after_forced_pass"]:
        raise Illegal("K-44: a card taken where beating was not allowed")


def check_beat(position: DefencePosition, beat: Beat) -> None:
    """Raise `Illegal` unless the defender may beat like this; superblow and jackpot must be called so."""
    p = position
    if p.forced:
        raise Illegal("K-45, K-50: this attack may not be beaten")
    if not beat.cards <= p.hand:
        raise Illegal("K-40: a beating card that is not in the hand")
    if len(beat.cards) < len(beat.pairs):
        raise Illegal("K-40: every card is beaten by its own card")
    if sorted(attacking for attacking, _ in beat.pairs) != sorted(p.attack):
        raise Illegal("K-40: all cards of the attack are to be beaten, and no others")
    if is_jackpot(p):
        # It is said to beat any card and to count always, so it is a fact like the superblow, not a choice.
        if beat.combinations != {("jackpot", p.hand)}:
            raise Illegal("K-33: this is a jackpot")
        return
    for attacking, beating in beat.pairs:
        if not beats(beating, attacking, p.trump):
            raise Illegal(f"K-40: {beating} does not beat {attacking}")
    check_split(beat.combinations)
    check_marriages(p.options, beat.combinations, p.marriage_used)
    superblow = is_superblow_defence(p, beat)
    for kind, cards in beat.combinations:
        if not cards <= beat.cards:
            raise Illegal("K-41: a combination with a card that beats nothing")
        if kind == "dump":
            raise Illegal("K-30: a dump is an attack")
        if kind == "assembly":
            raise Illegal("K-32: an assembly needs an order, and orders are for attacks")
        if kind == "jackpot":
            raise Illegal("K-33: this is no jackpot")
        if kind == "superblow" and not superblow:
            raise Illegal("K-34: this force does not end the deal")
        if kind in FORCES and superblow:
            raise Illegal("K-34: a force that ends the deal is a superblow")


def beats(beating: str, attacking: str, trump: str | None) -> bool:
    """K-40: a higher card of the same suit, or any trump on a card that is not a trump."""
    if suit(beating) == suit(attacking):
        return rank(beating) > rank(attacking)
    return suit(beating) == trump


def earns_order(position: DefencePosition, beat: Beat) -> bool:
    """K-50, K-51, K-53: a card beaten with the trump of its own rank while the stock holds a card."""
    return position.stock > 0 and any(rank(attacking) == rank(beating) and suit(beating) == position.trump for attacking, beating in beat.pairs)


def is_jackpot(position: DefencePosition) -> bool:
    """K-33: whether this defender defends with the last card of the deal, the six of spades."""
    return position.stock == 0 and position.hand == {SIX_OF_SPADES}


def is_superblow_defence(position: DefencePosition, beat: Beat) -> bool:
    """K-34: whether a force among the beating cards ends the deal."""
    alone = len(beat.combinations) == 1 and next(iter(beat.combinations))[1] == beat.cards
    return position.stock == 0 and beat.cards == position.hand and (alone or bool(position.options["superblow_in_composite"]))


# ---------------------------------------------------------------------------------------------- points


def worth(combination: Combination, options: Options, points: Mapping[str, int]) -> int:
    """What a combination that has force is worth (K-34 for the superblow, else simply the table)."""
    kind, cards = combination
    if kind == "superblow" and options["superblow"] == "adds":
        return points["superblow"] + points[force_of(cards)]
    return points[kind]


# ---------------------------------------------------------------------------------- all legal choices


def attack_choices(position: AttackPosition) -> set[Pass | Attack]:
    """Every legal choice of an attacker, each once: pass, or combinations, loose cards and order."""
    p = position
    candidates: list[Attack] = [Attack(frozenset({("dump", p.hand)}), frozenset())]
    for split in splits(p.hand):
        rest = p.hand.difference(*(cards for _, cards in split))
        candidates += [Attack(split, loose) for loose in all_subsets(rest)]
    choices: set[Pass | Attack] = {Pass()}
    for attack in candidates:
        for order in (None, *ORDERS):
            choice = replace(attack, order=order)
            if is_legal_attack(p, choice):
                choices.add(choice)
    return choices


def defence_choices(position: DefencePosition) -> set[Yield | Beat]:
    """Every legal choice of a defender, each once: yield (taking what card), or matching and combinations."""
    p = position
    choices: set[Yield | Beat] = set()
    for took in (None, *p.attack):
        try:
            check_yield(p, Yield(took))
        except Illegal:
            continue
        choices.add(Yield(took))
    attack = sorted(p.attack)
    for beating in permutations(sorted(p.hand), len(attack)):
        pairs = frozenset(zip(attack, beating, strict=True))
        if not is_jackpot(p) and not all(beats(b, a, p.trump) for a, b in pairs):
            continue  # before the splits, only to save time: check_beat would say the same of each
        for split in splits(frozenset(beating)):
            choice = Beat(pairs, split)
            if is_legal_beat(p, choice):
                choices.add(choice)
    return choices


def is_legal_attack(position: AttackPosition, attack: Attack) -> bool:
    """Whether `check_attack` has nothing to say."""
    try:
        check_attack(position, attack)
    except Illegal:
        return False
    return True


def is_legal_beat(position: DefencePosition, beat: Beat) -> bool:
    """Whether `check_beat` has nothing to say."""
    try:
        check_beat(position, beat)
    except Illegal:
        return False
    return True


def all_subsets(cards: Cards) -> list[Cards]:
    """All subsets, the empty one too."""
    return [frozenset(part) for size in range(len(cards) + 1) for part in subsets(sorted(cards), size)]


def splits(cards: Cards) -> Iterator[Split]:
    """Every set of disjoint combinations that `cards` hold, the empty one too; dumps are left out (K-30)."""
    kinds = [kind for kind in KINDS if kind != "dump"]
    found = [(kind, part) for part in all_subsets(cards) for kind in kinds if is_combination(kind, part)]
    return disjoint(found, frozenset())


def disjoint(found: list[Combination], taken: Cards) -> Iterator[Split]:
    """Every set of combinations out of `found` that share no card with one another or with `taken`."""
    yield frozenset()
    for place, (kind, cards) in enumerate(found):
        if not cards & taken:
            for others in disjoint(found[place + 1 :], taken | cards):
                yield others | {(kind, cards)}
