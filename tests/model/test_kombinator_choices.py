"""The lists of legal choices: counted by hand, and against everything that could be written down."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations as subsets
from itertools import permutations, product
from math import comb
from random import Random
from typing import Any

import pytest

from .kombinator_choices import (
    ORDERS,
    Attack,
    AttackPosition,
    Beat,
    Combination,
    DefencePosition,
    Pass,
    Yield,
    attack_choices,
    beats,
    credits_used,
    defence_choices,
    earns_order,
    is_legal_attack,
    is_legal_beat,
)
from .kombinator_combinations import KINDS, PACK, Cards, force_of, is_combination, or_better, read_ladder
from .kombinator_games import OPTIONS

SIXES, SEVENS = "6s 6h 6d 6c", "7s 7h 7d 7c"


def cards(text: str) -> Cards:
    """A set of cards."""
    return frozenset(text.split())


def attacker(hand: str, options: dict[str, Any] | None = None, **fields: Any) -> AttackPosition:
    """An attacker of two players, the defender with four cards, ten cards in the stock."""
    start = AttackPosition({**OPTIONS, **(options or {})}, 2, cards(hand), 4, 10)
    return replace(start, **fields)


def defender(hand: str, attack: str, options: dict[str, Any] | None = None, **fields: Any) -> DefencePosition:
    """A defender with diamonds as trumps and ten cards in the stock."""
    start = DefencePosition({**OPTIONS, **(options or {})}, "d", cards(hand), cards(attack), 10)
    return replace(start, **fields)


# ------------------------------------------------------------------------------------- combinations


def test_how_many_of_each_combination_there_are() -> None:
    """Closed forms for the number of sets of 2, 3 and 4 cards that are each combination."""
    found = Counter(kind for size in (1, 2, 3, 4) for part in subsets(PACK, size) for kind in KINDS if kind != "dump" and is_combination(kind, frozenset(part)))
    assert found == {
        "pair": 9 * comb(4, 2),
        "triple": 9 * 4,
        "small_force": 5,
        "large_force": 3,
        "absolute_force": 1,
        "small_row": 4 * comb(9, 3),
        "medium_row": 4 * comb(9, 4),
        "small_queue": 7 * 4**3,
        "medium_queue": 6 * 4**4,
        "small_optima": 7 * 4,
        "medium_optima": 6 * 4,
        "marriage": 4 * 4,
        "assembly": 9**4,
        "jackpot": 1,
        "superblow": 9,
    }


@pytest.mark.parametrize(("size", "word"), [(5, "large"), (6, "great"), (7, "legendary")])
def test_long_combinations(size: int, word: str) -> None:
    """Rows and optimas of one suit; a queue of mixed suits; K-1: no way round from ace to six."""
    spades = [card for card in PACK if card[1] == "s"]
    rows = [part for part in subsets(spades, size) if is_combination(f"{word}_row", frozenset(part))]
    optimas = [part for part in rows if is_combination(f"{word}_optima", frozenset(part))]
    assert (len(rows), len(optimas)) == (comb(9, size), 10 - size)
    mixed = [rank + suit for rank, suit in zip("789TJQK", "shdcshd", strict=True)][:size]
    assert is_combination(f"{word}_queue", frozenset(mixed))
    assert not is_combination(f"{word}_optima", frozenset(mixed))
    wrapped = frozenset(["Ah", *(rank + "s" for rank in "6789TJ"[: size - 1])])
    assert not is_combination(f"{word}_queue", wrapped)
    assert not is_combination("large_row", frozenset(spades[:4]))


def test_names() -> None:
    """Forces by rank; "or better" within the category; the ladder's lines (K-91)."""
    assert force_of(cards(SIXES)) == "small_force"
    assert force_of(cards("Ts Th Td Tc")) == "small_force"
    assert force_of(cards("Js Jh Jd Jc")) == "large_force"
    assert force_of(cards("As Ah Ad Ac")) == "absolute_force"
    assert or_better("large_force") == ("large_force", "absolute_force")
    assert or_better("great_row") == ("great_row", "legendary_row")
    (stage,) = read_ladder(["great_optima+ absolute_force@defence = 2.5"])
    assert stage.modifier == 2.5
    assert stage.accepts == {
        ("great_optima", "attack"),
        ("great_optima", "defence"),
        ("legendary_optima", "attack"),
        ("legendary_optima", "defence"),
        ("absolute_force", "defence"),
    }


# ------------------------------------------------------------------------------------------- attack

# Singles, pairs, triples, the force and two pairs at once.
FOUR_OF_A_RANK = 4 + 6 + 4 + 1 + 3


@pytest.mark.parametrize(
    ("position", "number"),
    [
        (attacker("6s"), 3),  # pass, the card, the card as a dump
        (attacker("6s 6h"), 5),  # pass, two cards, the pair, the dump
        (attacker("6s 6h", players=3), 4),
        (attacker("6s 6h", dump_used=True), 4),
        (attacker("6s 6h", stock=0), 4),
        (attacker("6s 6h", defender=1), 3),
        (attacker("6s 6h", credits=2), 5),
        (attacker("6s 6h", orders=1), 1 + 4 * 3),  # no order, a or b
        (attacker("6s 6h", orders=3, stock=0), 4),
        (attacker("Qs Kd"), 5),
        (attacker("Qs Kd", marriage_used=True), 5),
        (attacker("Qs Kd", {"repeat_marriage": "illegal"}), 5),
        (attacker("Qs Kd", {"repeat_marriage": "illegal"}, marriage_used=True), 4),
        (attacker("6s 7s 8s"), 1 + 3 + 3 + 1),  # row, queue or optima
        (attacker("6s 8h", {"loose_cards_in_attack": True}), 1 + 2 + 1 + 1),
        (attacker("6s 6h", {"loose_cards_in_attack": True}), 1 + 2 + 2 + 1),
        (attacker(SIXES), 1 + FOUR_OF_A_RANK + 1),
        (attacker(SIXES, stock=0), 1 + FOUR_OF_A_RANK),
        (attacker(SIXES, orders=1), 1 + 3 * (FOUR_OF_A_RANK + 1) + 1),  # and the assembly
        (attacker("6s 7h 8d 9c", stock=0), 1 + 4 + 2 + 1),  # the queue of four and two of three
        (attacker("Qs Kh Qd Kc", stock=0), 1 + 4 + 2 + 4 + 1 + 2),  # pairs, marriages, two of either
        (attacker("Qs Kh Qd Kc", {"repeat_marriage": "illegal"}, stock=0), 1 + 4 + 2 + 4 + 1),
    ],
)
def test_number_of_attacks(position: AttackPosition, number: int) -> None:
    """Counted by hand."""
    assert len(attack_choices(position)) == number


def test_superblow_is_named() -> None:
    """K-34: a force that would end the deal is called superblow, others are not."""
    last = attack_choices(attacker(SIXES, stock=0))
    assert Attack(frozenset({("superblow", cards(SIXES))}), frozenset()) in last
    assert not any(choice.count("small_force") for choice in last if isinstance(choice, Attack))
    more = attack_choices(attacker(SIXES))
    assert not any(choice.count("superblow") for choice in more if isinstance(choice, Attack))
    for in_composite, kind in ((True, "superblow"), (False, "small_force")):
        position = attacker(f"{SIXES} 7s 7h", {"superblow_in_composite": in_composite}, stock=0, defender=6, players=3)
        split = frozenset({(kind, cards(SIXES)), ("pair", cards("7s 7h"))})
        assert Attack(split, frozenset()) in attack_choices(position)


def test_credits_used() -> None:
    """K-45: by attack or by combination; nothing for a single card."""
    single = Attack(frozenset(), cards("6s"))
    two = Attack(frozenset({("pair", cards("6s 6h")), ("pair", cards("7s 7h"))}), frozenset())
    by_attack, by_combination = OPTIONS, {**OPTIONS, "credit_per": "combination"}
    assert [credits_used(by_attack, credits, single) for credits in (0, 1, 3)] == [0, 0, 0]
    assert [credits_used(by_attack, credits, two) for credits in (0, 1, 3)] == [0, 1, 1]
    assert [credits_used(by_combination, credits, two) for credits in (0, 1, 3)] == [0, 1, 2]


# ------------------------------------------------------------------------------------------ defence


@pytest.mark.parametrize(
    ("position", "number"),
    [
        (defender("7s 8s 9d", "6s"), 2 + 3),  # yield, yield and take, three cards that beat
        (defender("7s 8s 9d", "6s", forced=True), 2),
        (defender("7s 8s 9d", "6s", {"take_after_forced_pass": False}, forced=True), 1),
        (defender("7s 8s 9d", "6s", {"take_after_forced_pass": False}), 5),
        (defender("7s 8s 9d", "6s", {"hand_limit": 3}), 1 + 3),
        (defender("7s 7h", "6s 6h"), 3 + 2),  # with the pair declared or not
        (defender("8s 9s", "6s 7s"), 3 + 2),  # two matchings
        (defender("7c 8c", "6s 6h"), 3),
        (defender("7d 8d", "9d As"), 3),  # a lower trump beats no trump
        (defender("Qh Kh", "6h 7h"), 3 + 2 * 2),  # marriage declared or not
        (defender("Qh Kh", "6h 7h", marriage_used=True), 3 + 2 * 2),
        (defender("Qh Kh", "6h 7h", {"repeat_marriage": "illegal"}, marriage_used=True), 3 + 2),
        (defender("6s", "Ah", stock=0), 2 + 1),  # jackpot
        (defender("6s", "Ah"), 2),  # with a stock it is only a six
        (defender("6s", "Ah", stock=0, forced=True), 2),
        (defender("6s 7s", "Ah", stock=0), 2),
        # four cards that beat in one way: nothing, pairs, two pairs, triples or the force declared
        (defender("Ts Th Td Tc", "9s 9h 9d 9c"), 5 + 1 + 6 + 3 + 4 + 1),
    ],
)
def test_number_of_defences(position: DefencePosition, number: int) -> None:
    """Counted by hand."""
    assert len(defence_choices(position)) == number


def test_jackpot_and_superblow_are_named() -> None:
    """K-33, K-34: they are facts; a six of spades that is a trump makes a jackpot too."""
    beaten = frozenset({("Ah", "6s")})
    jackpot = Beat(beaten, frozenset({("jackpot", cards("6s"))}))
    for trump in ("d", "s", None):
        choices = defence_choices(defender("6s", "Ah", stock=0, trump=trump))
        assert [choice for choice in choices if isinstance(choice, Beat)] == [jackpot]
    choices = defence_choices(defender(SEVENS, SIXES, stock=0))
    kinds = {kind for choice in choices if isinstance(choice, Beat) for kind, _ in choice.combinations}
    assert kinds == {"pair", "triple", "superblow"}


def test_what_beats_what() -> None:
    """K-40, and the order that is earned (K-50)."""
    assert beats("7s", "6s", "d") and not beats("6s", "7s", "d") and not beats("6s", "6s", "d")
    assert beats("6d", "As", "d") and not beats("6d", "7d", "d") and beats("8d", "7d", "d")
    assert not beats("Ah", "6s", "d") and not beats("Ah", "6s", None)
    trump = Beat(frozenset({("7s", "7d")}), frozenset())
    assert earns_order(defender("7d", "7s"), trump)
    assert not earns_order(defender("7d", "7s", stock=0), trump)
    assert not earns_order(defender("8d", "7s"), Beat(frozenset({("7s", "8d")}), frozenset()))
    crossed = Beat(frozenset({("7s", "8d"), ("8s", "7d")}), frozenset())
    straight = Beat(frozenset({("7s", "7d"), ("8s", "8d")}), frozenset())
    both = defender("7d 8d", "7s 8s")
    assert earns_order(both, straight) and not earns_order(both, crossed)  # K-54
    assert {straight, crossed} <= defence_choices(both)
    twice = Beat(frozenset({("7s", "8d"), ("8s", "8d")}), frozenset())
    assert is_legal_beat(both, straight) and not is_legal_beat(both, twice)


# ------------------------------------------------------ against everything that could be written


def partitions(hand: list[str]) -> Iterator[tuple[list[list[str]], list[str]]]:
    """Every way to put each card into a group or among the loose ones or to keep it in the hand."""
    if not hand:
        yield [], []
        return
    card, *rest = hand
    for groups, loose in partitions(rest):
        yield groups, loose
        yield groups, [card, *loose]
        yield [*groups, [card]], loose
        for place, group in enumerate(groups):
            yield [*groups[:place], [card, *group], *groups[place + 1 :]], loose


def labelled(groups: list[list[str]]) -> Iterator[frozenset[Combination]]:
    """Every naming of the groups by the 25 kinds, as far as the number of cards fits."""
    names = [[kind for kind in KINDS if KINDS[kind].size in (None, len(group))] for group in groups]
    for kinds in product(*names):
        yield frozenset(zip(kinds, map(frozenset, groups), strict=True))


@pytest.mark.parametrize("loose_cards", [False, True])
def test_attacks_are_complete(loose_cards: bool) -> None:
    """Everything that could be written down is in the list exactly if it is legal."""
    rng = Random(1)
    for round_ in range(40):
        hand = sorted(rng.sample(PACK[rng.choice((0, 20)) :], rng.randint(1, 4)))
        position = AttackPosition(
            {
                **OPTIONS,
                "loose_cards_in_attack": loose_cards,
                "repeat_marriage": rng.choice(("zero", "illegal")),
            },
            rng.choice((2, 2, 3)),
            frozenset(hand),
            rng.randint(1, 5),
            rng.choice((0, 5)),
            orders=round_ % 2,
            dump_used=rng.random() < 0.3,
            marriage_used=rng.random() < 0.5,
        )
        written = {Attack(split, frozenset(loose), order) for groups, loose in partitions(hand) for split in labelled(groups) for order in (None, *ORDERS)}
        legal = {attack for attack in written if is_legal_attack(position, attack)}
        assert legal | {Pass()} == attack_choices(position)


def test_defences_are_complete() -> None:
    """Everything that could be written down is in the list exactly if it is legal."""
    rng = Random(2)
    for _ in range(40):
        pack = rng.sample(PACK[rng.choice((0, 16)) :], 7)
        number = rng.randint(1, 3)
        attack, hand = sorted(pack[:number]), sorted(pack[3 : 3 + rng.randint(number, 4)])
        position = DefencePosition(
            {**OPTIONS, "repeat_marriage": rng.choice(("zero", "illegal"))},
            rng.choice("shdc"),
            frozenset(hand),
            frozenset(attack),
            rng.choice((0, 5)),
            marriage_used=rng.random() < 0.5,
        )
        written = {
            Beat(frozenset(zip(attack, beating, strict=True)), split)
            for beating in permutations(hand, number)
            for groups, _ in partitions(hand)
            for split in labelled(groups)
        }
        legal = {beat for beat in written if is_legal_beat(position, beat)}
        yields = {Yield(None), *map(Yield, attack)}
        assert legal | yields == defence_choices(position)
