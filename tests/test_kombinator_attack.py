"""Rules K-20 to K-34: attacks and combinations, each on a position in which it decides."""

from __future__ import annotations

import pytest
from kombinator_positions import PASS, Bench, beat, give_up, lay

STOCK = "6c 7c 8c 9c 6d"

# Of every combination: its cards, and its points.
COMBINATIONS = {
    "pair": ("9s 9h", 3),
    "triple": ("9s 9h 9c", 6),
    "small_force": ("Ts Th Td Tc", 12),
    "large_force": ("Js Jh Jd Jc", 15),
    "absolute_force": ("As Ah Ad Ac", 20),
    "small_row": ("6s 8s As", 3),
    "medium_row": ("6s 8s Ts As", 5),
    "large_row": ("6s 8s 9s Ts As", 8),
    "great_row": ("6s 8s 9s Ts Qs As", 12),
    "legendary_row": ("6s 7s 8s 9s Ts Js As", 17),
    "small_queue": ("9s Th Jh", 3),
    "medium_queue": ("9s Th Jh Qh", 5),
    "large_queue": ("9s Th Jh Qh Kh", 8),
    "great_queue": ("9s Th Jh Qh Kh Ah", 12),
    "legendary_queue": ("8s 9s Th Jh Qh Kh Ah", 17),
    "small_optima": ("9s Ts Js", 6),
    "medium_optima": ("9s Ts Js Qs", 12),
    "large_optima": ("9s Ts Js Qs Ks", 18),
    "great_optima": ("8s 9s Ts Js Qs Ks", 24),
    "legendary_optima": ("8s 9s Ts Js Qs Ks As", 30),
    "marriage": ("Qs Kh", 4),
}
SEVEN = "6h 7h 7d 8d 9d 6c 7c"


def attack_of(cards: str, declared: str | None, **more: object) -> Bench:
    return Bench(cards, "6h 7h 7d 8d 9d Td 7c", stock="8c 9c 6d", **more).bout(lay(cards, declared), give_up())  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", COMBINATIONS)
def test_k20_a_combination_costs_the_defender_its_points(kind: str) -> None:
    cards, points = COMBINATIONS[kind]
    for declared in (None, f"{kind} {cards}"):
        bench = attack_of(cards, declared)
        assert (bench.fault, bench.lost) == ("", [0, points])
        assert bench.tallies == {(0, kind, "attack"): (1, points)}


@pytest.mark.parametrize("kind", COMBINATIONS)
def test_k20_a_combination_must_be_what_it_is_called(kind: str) -> None:
    """The cards of every combination under the name of every other: legal only where they are both."""
    length, _, shape = kind.partition("_")
    for other in COMBINATIONS:
        bench = attack_of(COMBINATIONS[kind][0], f"{other} {COMBINATIONS[kind][0]}")
        legal = other == kind or (shape == "optima" and other in (f"{length}_row", f"{length}_queue"))
        assert (bench.fault == "") == legal, (kind, other)
        assert "not" in bench.fault or legal


def test_k20_single_composite_or_pass() -> None:
    single = Bench("9s Kd", SEVEN, stock=STOCK).bout(lay("9s"), give_up())
    assert (single.fault, single.lost, single.tallies) == ("", [0, 0], {})
    composite = Bench("9s 9h Qs Kh 6s", SEVEN, stock=STOCK).bout(lay("9s 9h Qs Kh", "pair 9s 9h; marriage Qs Kh"), give_up())
    assert composite.lost == [0, 7] and composite.hand(0).split()[0] == "6s"
    assert composite.tallies == {(0, "pair", "attack"): (1, 3), (0, "marriage", "attack"): (1, 4)}
    passed = Bench("9s", SEVEN, stock=STOCK).bout(PASS)
    assert (passed.fault, passed.lost, passed.hand(0)) == ("", [0, 0], "6c 9s")


def test_k20_only_cards_of_the_hand() -> None:
    assert "not in the hand" in Bench("9s 9h", SEVEN).bout(lay("9s 9d")).fault


def test_k21_a_card_belongs_to_one_combination_only() -> None:
    both = Bench("9s 9h Th Jh", SEVEN).bout(lay("9s 9h Th Jh", "pair 9s 9h; small_optima 9h Th Jh"), give_up())
    assert "K-21" in both.fault


def test_k21_no_loose_cards_beside_combinations() -> None:
    def attack(value: str) -> Bench:
        return Bench("9s 9h Td", SEVEN, stock=STOCK, settings=(f"loose_cards_in_attack={value}",)).bout(lay("9s 9h Td", "pair 9s 9h"), give_up())

    assert "K-21" in attack("false").fault
    assert (attack("true").fault, attack("true").lost) == ("", [0, 3])
    for cards in ("9s Td", "9s 9h"):
        for value in ("false", "true"):
            bench = Bench("9s 9h Td", SEVEN, settings=(f"loose_cards_in_attack={value}",)).bout(lay(cards, ""), give_up())
            assert (bench.fault == "") == (value == "true")


def test_k22_no_more_cards_than_the_defender_holds() -> None:
    assert "K-22" in Bench("9s 9h 9d", "6s 7s", stock=STOCK).bout(lay("9s 9h 9d"), give_up()).fault
    assert Bench("9s 9h 9d", "6s 7s 8s", stock=STOCK).bout(lay("9s 9h 9d"), give_up()).fault == ""


# The split with the most points, then with fewest combinations, then with more of the kinds that stand earlier.
@pytest.mark.parametrize(
    ("cards", "split"),
    [
        ("9s 9h 9d Td Jd", {"pair": 1, "small_optima": 1}),
        ("9s 9h Th Tc", {"pair": 2}),
        ("9s Ts Js", {"small_optima": 1}),
        ("9s Ts Js Qs Ks As", {"great_optima": 1}),
        ("Qs Qh Ks Kh", {"pair": 2}),  # 6 points; two marriages would be 4
        ("9s 9h 9d 9c Td Jd", {"triple": 1, "small_optima": 1}),  # 12; small force leaves loose cards
        ("6s 6h 6d 6c", {"small_force": 1}),  # not two pairs of 6 points
        ("6s 6h 6d 7s 7h 7d", {"triple": 2}),  # 12 points; three pairs would be 9
    ],
)
def test_k23_the_split_that_is_not_declared(cards: str, split: dict[str, int]) -> None:
    bench = Bench(cards, SEVEN, stock=STOCK).bout(lay(cards), give_up())
    found = {kind: count for (_, kind, _), (count, _) in bench.tallies.items()}
    assert found == split


@pytest.mark.parametrize(
    ("cards", "split"),
    [
        ("6c 7c 8c Ac", {"small_optima": 1}),  # 6; a medium row of all four would be 5
        ("7c 8h 9h Th", {"small_optima": 1}),
        ("Qs Ks Ah", {"marriage": 1}),
        ("9s 9h 9d 9c Td Jd", {"small_force": 1}),  # 12 like triple and small optima, and fewer combinations
    ],
)
def test_k23_most_points_where_loose_cards_are_allowed(cards: str, split: dict[str, int]) -> None:
    bench = Bench(cards, SEVEN, stock=STOCK, settings=("loose_cards_in_attack=true",)).bout(lay(cards), give_up())
    assert {kind: count for (_, kind, _), (count, _) in bench.tallies.items()} == split
    married = Bench("Qs Kh", SEVEN, stock=STOCK, settings=("loose_cards_in_attack=true",), married=[1, 0], credits=[1, 0])
    married.bout(lay("Qs Kh"), give_up())
    assert (married.tallies, married.get("credits", 0)) == ({}, 1)  # no marriage worth 0 where nothing needs it


def test_k23_ties_fewest_combinations_then_earlier_kinds() -> None:
    equal = ("great_row=6", "small_optima=3", "great_queue=1", "great_optima=6", "small_queue=1")
    one = Bench("6s 7s 8s Ts Js Qs", SEVEN, stock=STOCK, settings=equal).bout(lay("6s 7s 8s Ts Js Qs"), give_up())
    assert one.tallies == {(0, "great_row", "attack"): (1, 6)}  # not two optimas, not the great optima
    earlier = Bench("6s 7s 8s", SEVEN, stock=STOCK, settings=("small_row=6",)).bout(lay("6s 7s 8s"), give_up())
    assert earlier.tallies == {(0, "small_row", "attack"): (1, 6)}


def test_k23_a_split_may_be_declared_that_is_worth_less() -> None:
    bench = Bench("9s Ts Js", SEVEN, stock=STOCK).bout(lay("9s Ts Js", "small_queue 9s Ts Js"), give_up())
    assert bench.lost == [0, 3]


def test_k23_an_assembly_enters_only_with_its_order_and_a_weak_marriage_only_where_needed() -> None:
    four = "6s 7h 8d Tc"
    assert "K-21" in Bench(four, SEVEN, stock=STOCK, orders=[1, 0]).bout(lay(four), give_up()).fault
    assert Bench(four, SEVEN, stock=STOCK, orders=[1, 0]).bout(lay(four, order="assembly"), give_up()).lost == [0, 6]
    spent = Bench("Qs Qh Ks", SEVEN, stock=STOCK, married=[1, 0])
    assert "K-21" in spent.bout(lay("Qs Qh Ks"), give_up()).fault
    needed = Bench("Qs Kh", SEVEN, stock=STOCK, married=[1, 0]).bout(lay("Qs Kh"), give_up())
    assert needed.tallies == {(0, "weak_marriage", "attack"): (1, 0)}
    avoided = Bench("Js Qs Ks Qh Kh", SEVEN, stock=STOCK, married=[1, 0]).bout(lay("Js Qs Ks Qh Kh"), give_up())
    assert (0, "weak_marriage", "attack") in avoided.tallies and avoided.lost == [0, 6]
    pairs = Bench("Qs Ks Qh Kh", SEVEN, stock=STOCK, married=[1, 0], settings=("pair=0",)).bout(lay("Qs Ks Qh Kh"), give_up())
    assert pairs.tallies == {(0, "pair", "attack"): (2, 0)}


def test_k24_pass_draws_one_card_and_hands_the_attack_on() -> None:
    bench = Bench("9s 9h 9c Ts", "6h 7h 7d", SEVEN, stock=STOCK).bout(PASS)
    assert sorted(bench.hand(0).split()) == sorted("9s 9h 9c Ts 6c".split())  # beyond hand_size
    assert (bench.get("attacker"), bench.get("passes"), bench.get("stock_size")) == (1, 1, 4)
    full = Bench("9s 9h 9c Ts Th Td Tc", "6h 7h 7d", stock=STOCK).bout(PASS)
    assert (full.get("sizes", 0), full.get("stock_size"), full.get("attacker")) == (7, 5, 1)
    empty = Bench("9s", "6h 7h").bout(PASS)
    assert (empty.hand(0), empty.get("attacker")) == ("9s", 1)


@pytest.mark.parametrize(("rank", "beaten", "points", "own"), [("9", "T", 4, "small_force"), ("J", "Q", 6, "large_force"), ("K", "A", 6, "large_force")])
def test_k25_a_beaten_force_costs_the_defender_its_bracket_value(rank: str, beaten: str, points: int, own: str) -> None:
    cards = [rank + suit for suit in "shdc"]
    pairs = " ".join(f"{rank}{suit}>{beaten}{suit}" for suit in "shdc")
    force = " ".join(beaten + suit for suit in "shdc")
    bench = Bench(" ".join(cards) + " 6s", force + " 6h", stock=STOCK).bout(lay(" ".join(cards)), beat(pairs, ""))
    court = 0 if beaten == "T" else 8 if beaten == "A" else 4
    assert bench.lost == [court, points]
    assert bench.tallies[0, own, "attack_beaten"] == (1, 0)
    assert bench.tallies[0, f"{own}_beaten", "attack_beaten"] == (1, points)


def test_k25_absolute_force_cannot_be_beaten() -> None:
    """The four aces hold the ace of trumps, which nothing beats: their bracket value is there for a changed game only."""
    cards = "As Ah Ad Ac"
    bench = Bench(cards + " 6s", "6d 7d 8d 9d", stock="6c 7c 6h", trump="d").bout(lay(cards), beat("As>6d Ah>7d Ad>8d Ac>9d", ""))
    assert "K-40" in bench.fault


def test_k25_other_combinations_are_worth_nothing_when_beaten() -> None:
    bench = Bench("9s 9h 6s", "Ts Th 6h", stock=STOCK).bout(lay("9s 9h"), beat("9s>Ts 9h>Th", ""))
    assert (bench.lost, bench.tallies) == ([0, 0], {(0, "pair", "attack_beaten"): (1, 0)})


def test_k30_dump() -> None:
    hand = "9s 9h Qs Kh"
    dump = Bench(hand, SEVEN, stock=STOCK).bout(lay(hand, dump=True), give_up())
    assert (dump.fault, dump.lost, dump.tallies) == ("", [0, 0], {(0, "dump", "attack"): (1, 0)})
    assert dump.get("dumped", 0) == 1 and dump.get("dumped", 1) == 0 and dump.get("married", 0) == 0
    odd = Bench("6s 9h Td", SEVEN, stock=STOCK, settings=("dump=10",)).bout(lay("6s 9h Td", dump=True), give_up())
    assert odd.lost == [0, 10]


def test_k30_where_a_dump_is_forbidden() -> None:
    hand = "6s 9h Td"
    move = lay(hand, dump=True)
    assert "K-30" in Bench(hand, SEVEN).bout(move).fault  # no stock
    assert Bench(hand, SEVEN, stock="6d").bout(move, give_up()).fault == ""
    assert "K-30" in Bench(hand, SEVEN, SEVEN[:8], stock=STOCK).bout(move).fault  # three players
    assert "K-30" in Bench(hand, SEVEN, stock=STOCK, dumped=[1, 0]).bout(move).fault  # once a deal
    assert Bench(hand, SEVEN, stock=STOCK, dumped=[0, 1]).bout(move, give_up()).fault == ""
    assert "K-30" in Bench(hand + " 6h", SEVEN, stock=STOCK).bout(move).fault  # the whole hand
    assert "K-22" in Bench(hand, "7s 7h", stock=STOCK).bout(move).fault
    assert "K-30" in Bench(hand, SEVEN, stock=STOCK, orders=[1, 0]).bout(lay(hand, dump=True, order="assembly")).fault


def test_k30_a_beaten_dump_is_worth_nothing_and_used_up() -> None:
    hand = "9s 9h 9d 9c"
    bench = Bench(hand, "Ts Th Td Tc 6h", stock=STOCK).bout(lay(hand, dump=True), beat("9s>Ts 9h>Th 9d>Td 9c>Tc", ""))
    assert (bench.lost, bench.tallies) == ([0, 0], {(0, "dump", "attack_beaten"): (1, 0)})  # no consolation for the force in it
    assert bench.get("dumped", 0) == 1


def test_k30_orders_on_a_dump_and_a_credit_for_it() -> None:
    hand = "6s Jh Ad"
    reinforced = Bench(hand, SEVEN, stock=STOCK, orders=[1, 0]).bout(lay(hand, dump=True, order="reinforced"), give_up())
    assert reinforced.lost == [0, 3]
    closed = Bench(hand, "7s Qh 6d 7d", stock=STOCK, orders=[1, 0]).bout(lay(hand, dump=True, order="invulnerable"), beat("6s>7s Jh>Qh Ad>7d", ""))
    assert "K-45" in closed.fault and closed.get("orders", 0) == 0
    credit = Bench("6s Jh Kd", "7s Qh Ad 7d", stock=STOCK, credits=[1, 0]).bout(lay("6s Jh Kd", dump=True), beat("6s>7s Jh>Qh Kd>Ad", ""))
    assert "K-45" in credit.fault and credit.get("credits", 0) == 0


def test_k31_a_marriage_has_force_once_a_deal() -> None:
    first = Bench("Qs Kh 6s 7s", SEVEN, stock=STOCK).bout(lay("Qs Kh"), give_up())
    assert (first.lost, first.get("married", 0)) == ([0, 4], 1)
    again = Bench("Qs Kh 6s 7s", SEVEN, stock=STOCK, married=[1, 0]).bout(lay("Qs Kh"), give_up())
    assert (again.lost, again.tallies) == ([0, 0], {(0, "weak_marriage", "attack"): (1, 0)})
    other = Bench("Qs Kh 6s 7s", SEVEN, stock=STOCK, married=[0, 1]).bout(lay("Qs Kh"), give_up())
    assert other.lost == [0, 4]
    defended = Bench("Js Jh", "Qs Kh 6h", stock=STOCK).bout(lay("Js Jh"), beat("Js>Qs Jh>Kh"))
    assert (defended.lost, defended.get("married", 1)) == ([6, 0], 1)


def test_k31_repeat_marriage() -> None:
    def attack(value: str) -> Bench:
        return Bench("Qs Kh 6s 7s", SEVEN, stock=STOCK, married=[1, 0], settings=(f"repeat_marriage={value}",)).bout(lay("Qs Kh"), give_up())

    assert attack("zero").fault == "" and attack("zero").lost == [0, 0]
    assert attack("illegal").fault != ""
    declared = Bench("Qs Kh", SEVEN, stock=STOCK, married=[1, 0], settings=("repeat_marriage=illegal",)).bout(lay("Qs Kh", "marriage Qs Kh"))
    assert "K-31" in declared.fault
    for value, kinds in (("zero", {"weak_marriage", "court_card"}), ("illegal", {"court_card"})):
        bench = Bench("Js Jh", "Qs Kh 6h", stock=STOCK, married=[0, 1], settings=(f"repeat_marriage={value}",))
        bench.bout(lay("Js Jh"), beat("Js>Qs Jh>Kh", "marriage Qs Kh" if value == "zero" else None))
        assert bench.lost == [2, 0]
        assert {kind for seat, kind, _ in bench.tallies if seat == 1} == kinds
    two = Bench("Qs Kh Qd Kc", SEVEN, stock=STOCK, settings=("repeat_marriage=illegal",)).bout(lay("Qs Kh Qd Kc", "marriage Qs Kh; marriage Qd Kc"))
    assert "K-31" in two.fault


def test_k31_only_one_of_two_marriages_in_a_composite_has_force() -> None:
    bench = Bench("Qs Kh Qd Kc", SEVEN, stock=STOCK).bout(lay("Qs Kh Qd Kc", "marriage Qs Kh; marriage Qd Kc"), give_up())
    assert bench.lost == [0, 4]
    assert bench.tallies == {(0, "marriage", "attack"): (1, 4), (0, "weak_marriage", "attack"): (1, 0)}


@pytest.mark.parametrize(("value", "used"), [("false", 0), ("true", 1)])
def test_k31_beaten_marriage_counts(value: str, used: int) -> None:
    settings = (f"beaten_marriage_counts={value}",)
    beaten = Bench("Qs Kh 6s", "Ks Ah 6h", stock=STOCK, settings=settings).bout(lay("Qs Kh"), beat("Qs>Ks Kh>Ah", ""))
    assert beaten.get("married", 0) == used and beaten.lost == [3, 0]
    unbeaten = Bench("Qs Kh 6s", "Ks Ah 6h", stock=STOCK, settings=settings).bout(lay("Qs Kh"), give_up())
    assert unbeaten.get("married", 0) == 1 and unbeaten.lost == [0, 4]


def test_k32_assembly() -> None:
    four = "6s 7h 8d Tc"
    declared = f"assembly {four}"
    ordered = Bench(four, SEVEN, stock=STOCK, orders=[1, 0]).bout(lay(four, declared, "assembly"), give_up())
    assert (ordered.lost, ordered.get("orders", 0)) == ([0, 6], 0)
    assert "K-32" in Bench(four, SEVEN, stock=STOCK, orders=[1, 0]).bout(lay(four, declared)).fault
    assert "K-50" in Bench(four, SEVEN, stock=STOCK).bout(lay(four, declared, "assembly")).fault
    assert "K-32" in Bench("9s 9h", SEVEN, stock=STOCK, orders=[1, 0]).bout(lay("9s 9h", "pair 9s 9h", "assembly")).fault
    wrong = "6s 7s 8d Tc"
    assert "not" in Bench(wrong, SEVEN, stock=STOCK, orders=[1, 0]).bout(lay(wrong, f"assembly {wrong}", "assembly")).fault


def test_k32_a_beaten_assembly_costs_the_defender_its_points() -> None:
    four = "6s 7h 8d Tc"
    bench = Bench(four, "7s 8h 9d Jc 6h", stock=STOCK, orders=[1, 0])
    bench.bout(lay(four, order="assembly"), beat("6s>7s 7h>8h 8d>9d Tc>Jc", ""))
    assert bench.lost == [1, 6]
    assert bench.tallies[0, "assembly_beaten", "attack_beaten"] == (1, 6)


def test_k33_jackpot() -> None:
    for attacked in ("Ah", "7d", "Ad"):
        bench = Bench(f"{attacked} 8h", "6s", scores=[100, 90]).bout(lay(attacked), beat(f"{attacked}>6s", ""))
        assert (bench.fault, bench.lost, bench.scores) == ("", [0, -25], [100, 115])
        assert bench.tallies == {(1, "jackpot", "defence"): (1, 25)}
        assert bench.ending == "out"
    anyway = Bench("7h 8h", "6s", trump="s").bout(lay("7h"), beat("7h>6s", ""))
    assert anyway.scores == [100, 125]


def test_k33_what_is_no_jackpot() -> None:
    assert "K-40" in Bench("7h 8h", "6h").bout(lay("7h"), beat("7h>6h", "")).fault
    assert "K-40" in Bench("7h 8h", "6s 6h").bout(lay("7h"), beat("7h>6s", "")).fault  # not the last card of the hand
    assert "K-40" in Bench("7h 8h", "6s", stock="6d").bout(lay("7h"), beat("7h>6s", "")).fault
    assert "K-45" in Bench("7h 8h", "6s", stock="6d", orders=[1, 0]).bout(lay("7h", order="invulnerable"), beat("7h>6s", "")).fault
    trump = Bench("7h 8h", "6s 6h", trump="s").bout(lay("7h"), beat("7h>6s", ""))
    assert trump.lost == [0, 0]


FORCE = "Js Jh Jd Jc"


@pytest.mark.parametrize(("value", "points"), [("replaces", 40), ("adds", 55)])
def test_k34_superblow_in_attack(value: str, points: int) -> None:
    settings = (f"superblow={value}",)
    for declared in (None, f"large_force {FORCE}"):
        bench = Bench(FORCE, SEVEN, settings=settings).bout(lay(FORCE, declared), give_up())
        assert (bench.fault, bench.lost, bench.ending) == ("", [0, points], "out")
        assert bench.tallies == {(0, "superblow", "attack"): (1, points)}
    with_stock = Bench(FORCE, SEVEN, stock="6d", settings=settings).bout(lay(FORCE), give_up())
    assert (with_stock.lost, with_stock.ending) == ([0, 15], None)  # the stock is looked at before anyone draws
    card_left = Bench(FORCE + " 6s", SEVEN, settings=settings).bout(lay(FORCE), give_up())
    assert (card_left.lost, card_left.ending) == ([0, 15], None)


@pytest.mark.parametrize(("value", "points"), [("replaces", 40), ("adds", 55)])
def test_k34_superblow_in_defence(value: str, points: int) -> None:
    settings = (f"superblow={value}",)
    attack, answer = lay("Ts Th Td Tc"), beat("Ts>Js Th>Jh Td>Jd Tc>Jc", f"large_force {FORCE}")
    bench = Bench("Ts Th Td Tc 6s", FORCE, settings=settings).bout(attack, answer)
    assert (bench.lost, bench.ending) == ([points + 4, 4], "out")
    assert bench.tallies[1, "superblow", "defence"] == (1, points)
    assert Bench("Ts Th Td Tc 6s", FORCE, stock="7s", settings=settings).bout(attack, answer).lost == [19, 4]
    assert Bench("Ts Th Td Tc 6s", FORCE + " 6h", settings=settings).bout(attack, answer).lost == [19, 4]


@pytest.mark.parametrize(("value", "points"), [("true", 40), ("false", 15)])
def test_k34_superblow_in_composite(value: str, points: int) -> None:
    settings = (f"superblow_in_composite={value}",)
    beside = Bench(FORCE + " 9s 9h", SEVEN, settings=settings).bout(lay(FORCE + " 9s 9h"), give_up())
    assert beside.lost == [0, points + 3]
    alone = Bench(FORCE, SEVEN, settings=settings).bout(lay(FORCE), give_up())
    assert alone.lost == [0, 40]
    loose = Bench("Ts Th Td Tc 8s 8h 6s", FORCE + " 9s 9h", settings=settings)
    loose.bout(lay("Ts Th Td Tc 8s 8h"), beat("Ts>Js Th>Jh Td>Jd Tc>Jc 8s>9s 8h>9h", f"large_force {FORCE}"))
    assert loose.lost == [points + 4, 4]


def test_k34_a_beaten_superblow_gives_the_consolation_of_its_force() -> None:
    bench = Bench(FORCE, "Qs Qh Qd Qc 6s").bout(lay(FORCE), beat("Js>Qs Jh>Qh Jd>Qd Jc>Qc", ""))
    assert bench.lost == [4, 6]
    assert bench.tallies[0, "superblow", "attack_beaten"] == (1, 0)
    assert bench.tallies[0, "large_force_beaten", "attack_beaten"] == (1, 6)
