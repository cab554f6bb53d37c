"""Rules K-40 to K-54: defences, credits and orders, each on a position in which it decides."""

from __future__ import annotations

import pytest
from kombinator_positions import PASS, Bench, Move, beat, give_up, lay

STOCK = "6c 7c 8c 9c 6d"
SEVEN = "6h 7h 7d 8d 9d Td 8h"


@pytest.mark.parametrize(
    ("attacking", "beating", "legal"),
    [
        ("9s", "Ts", True),
        ("9s", "8s", False),
        ("9s", "Th", False),
        ("9s", "9h", False),
        ("As", "6d", True),
        ("9d", "Td", True),
        ("9d", "8d", False),
        ("9d", "Ts", False),
    ],
)
def test_k40_higher_of_the_suit_or_a_trump(attacking: str, beating: str, legal: bool) -> None:
    bench = Bench(attacking + " 6s", beating + " 6c", stock=STOCK).bout(lay(attacking), beat(f"{attacking}>{beating}", ""))
    assert (bench.fault == "") == legal
    assert legal or "K-40" in bench.fault
    if "d" in beating and "d" not in attacking:
        assert "K-40" in Bench(attacking, beating + " 6c", trump=None).bout(lay(attacking), beat(f"{attacking}>{beating}", "")).fault


def test_k40_all_cards_each_by_its_own() -> None:
    same = Bench("9s 9h", "Ts Th 7d", stock=STOCK).bout(lay("9s 9h"), beat("9s>7d 9h>7d", ""))
    assert "twice" in same.fault
    foreign = Bench("9s 9h", "Ts 7d 6c", stock=STOCK).bout(lay("9s 9h"), beat("9s>Ts 9h>Th", ""))
    assert "not in the hand" in foreign.fault
    one = Bench("9s 9h", "Ts 6s 6c", stock=STOCK).bout(lay("9s 9h"), beat("9s>Ts 9h>6c", ""))
    assert "K-40" in one.fault


@pytest.mark.parametrize(
    ("declared", "lost"),
    [("", 0), ("pair Ts Th", 3), (None, 6), ("small_row Ts Th Tc", None), ("small_queue Ts Js Qs", None), ("triple Ts Th Tc", 6)],
)
def test_k41_combinations_among_the_beating_cards_count_as_declared(declared: str | None, lost: int | None) -> None:
    bench = Bench("9s 9h 9c 6s", "Ts Th Tc Js", stock=STOCK).bout(lay("9s 9h 9c"), beat("9s>Ts 9h>Th 9c>Tc", declared))
    if lost is None:
        assert bench.fault != ""
    else:
        assert bench.lost == [lost, 0]


def test_k41_the_beating_cards_need_not_form_combinations() -> None:
    bench = Bench("9s 9h 6s", "Ts Ah 6c", stock=STOCK).bout(lay("9s 9h"), beat("9s>Ts 9h>Ah"))
    assert (bench.fault, bench.lost) == ("", [2, 0])


@pytest.mark.parametrize(
    ("attack", "pairs", "declared", "lost"),
    [
        ("Ts Th", "Ts>Js Th>Jh", "pair Js Jh", 5),
        ("Js Jh", "Js>Qs Jh>Qh", "pair Qs Qh", 5),
        ("Qs Qh", "Qs>Ks Qh>Kh", "pair Ks Kh", 5),
        ("Ks Kh", "Ks>As Kh>Ah", "pair As Ah", 7),
        ("Ts Th Tc", "Ts>Js Th>Qh Tc>Kc", "small_queue Js Qh Kc", 6),
        ("Ts Th Tc", "Ts>Js Th>Qh Tc>Kc", "marriage Qh Kc", 7),
        ("Ts Th Tc", "Ts>Js Th>Qh Tc>Kc", None, 7),
        ("Ts Th Tc", "Ts>Js Th>Qh Tc>Kc", "", 3),
    ],
)
def test_k42_what_beating_costs_the_attacker(attack: str, pairs: str, declared: str | None, lost: int) -> None:
    beating = " ".join(pair.split(">")[1] for pair in pairs.split())
    bench = Bench(attack + " 6s", beating + " 6h", stock=STOCK).bout(lay(attack), beat(pairs, declared))
    assert bench.lost == [lost, 0]
    court = [bench.tallies[1, item, "defence"][1] for item in ("court_card", "ace") if (1, item, "defence") in bench.tallies]
    assert sum(court) == (4 if "A" in pairs else 2 if len(attack) < 6 else 3)


def test_k42_all_cards_to_the_discard_pile_and_the_defender_leads() -> None:
    bench = Bench("9s 9h 6s", "Ts Th 7h", "8s", stock=STOCK).bout(lay("9s 9h"), beat("9s>Ts 9h>Th"))
    assert bench.get("attacker") == 1
    assert bin(bench.get("discard")).count("1") == 4
    for card in ("9s", "9h"):
        assert card not in bench.hand(0)
    for card in ("Ts", "Th"):
        assert card not in bench.hand(1)


def test_k43_not_beaten() -> None:
    three = Bench("9s 9h 6s", "Ts Th 7h", "8s", stock=STOCK).bout(lay("9s 9h"), give_up())
    assert (three.lost, three.get("attacker")) == ([0, 3, 0], 2)
    assert bin(three.get("discard")).count("1") == 2 and "Ts" in three.hand(1)
    two = Bench("9s 9h 6s", "Ts Th 7h", stock=STOCK).bout(lay("9s 9h"), give_up())
    assert two.get("attacker") == 0
    last = Bench("8s", "7s", "9s 9h 6s", stock=STOCK, attacker=2).bout(lay("9s"), give_up())
    assert last.get("attacker") == 1


def test_k44_taking_a_card_and_the_credit_for_it() -> None:
    bench = Bench("9s 9h 6s", "Ts Th 7h", stock=STOCK).bout(lay("9s 9h"), give_up("9h"))
    assert bench.lost == [0, 3]
    assert "9h" in bench.hand(1) and bin(bench.get("discard")).count("1") == 1
    assert (bench.get("credits", 0), bench.get("credits", 1)) == (1, 0)
    single = Bench("9s 6s", "Ts Th 7h", stock=STOCK, credits=[1, 0]).bout(lay("9s"), give_up("9s"))
    assert single.get("credits", 0) == 2
    assert Bench("9s 6s", "Ts Th 7h", stock=STOCK).bout(lay("9s"), give_up()).get("credits", 0) == 0


def test_k44_what_may_not_be_taken() -> None:
    assert "K-44" in Bench("9s 9h 6s", "Ts Th 7h", stock=STOCK).bout(lay("9s 9h"), give_up("6s")).fault
    assert "K-44" in Bench("9s 9h 6s", "Ts Th 7h", stock=STOCK).bout(lay("9s 9h"), give_up("Ts")).fault
    assert "K-44" in Bench("9s 6s", SEVEN, stock=STOCK).bout(lay("9s"), give_up("9s")).fault
    six = Bench("9s 6s", SEVEN[:-3], stock=STOCK).bout(lay("9s"), give_up("9s"))
    assert (six.fault, six.get("sizes", 1)) == ("", 7)


@pytest.mark.parametrize("value", ["true", "false"])
def test_k44_take_after_forced_pass(value: str) -> None:
    settings = (f"take_after_forced_pass={value}",)
    by_order = Bench("9s 6s", "Ts Th", stock=STOCK, orders=[1, 0], settings=settings).bout(lay("9s", order="invulnerable"), give_up("9s"))
    by_credit = Bench("9s 9h", "Ts Th", stock=STOCK, credits=[1, 0], settings=settings).bout(lay("9s 9h"), give_up("9s"))
    for bench in (by_order, by_credit):
        assert (bench.fault == "") == (value == "true")
        assert value == "true" or "K-44" in bench.fault
    free = Bench("9s 6s", "Ts Th", stock=STOCK, settings=settings).bout(lay("9s"), give_up("9s"))
    assert free.fault == ""


def test_k45_a_credit_makes_the_next_attack_with_a_combination_unbeatable() -> None:
    def covered(attack: Move, *pairs: str, **more: object) -> Bench:
        return Bench("9s 9h 6s", "Ts Th 7h", stock=STOCK, **more).bout(attack, beat(" ".join(pairs), ""))  # type: ignore[arg-type]

    closed = covered(lay("9s 9h"), "9s>Ts", "9h>Th", credits=[2, 0])
    assert "K-45" in closed.fault and closed.get("credits", 0) == 1
    foreign = covered(lay("9s 9h"), "9s>Ts", "9h>Th", credits=[0, 2])
    assert (foreign.fault, foreign.get("credits", 1)) == ("", 2)
    single = covered(lay("9s"), "9s>Ts", credits=[2, 0])
    assert (single.fault, single.get("credits", 0)) == ("", 2)
    loose = covered(lay("9s 9h", ""), "9s>Ts", "9h>Th", credits=[2, 0], settings=("loose_cards_in_attack=true",))
    assert (loose.fault, loose.get("credits", 0)) == ("", 2)
    passed = Bench("9s 9h 6s", "Ts Th 7h", stock=STOCK, credits=[2, 0]).bout(PASS)
    assert passed.get("credits", 0) == 2


@pytest.mark.parametrize(("value", "left"), [("attack", [1, 0, 2]), ("combination", [0, 0, 1])])
def test_k45_credit_per(value: str, left: list[int]) -> None:
    """Two combinations with two credits, with one, and with three."""
    for credits, expected in zip((2, 1, 3), left, strict=True):
        bench = Bench("9s 9h Tc Th 6s", SEVEN, stock=STOCK, credits=[credits, 0], settings=(f"credit_per={value}",))
        bench.bout(lay("9s 9h Tc Th"), give_up())
        assert bench.get("credits", 0) == expected
        again = Bench("9s 9h 6s", SEVEN, stock=STOCK, credits=[credits, 0], settings=(f"credit_per={value}",)).bout(lay("9s 9h"), give_up())
        assert again.get("credits", 0) == credits - 1
    one = Bench("9s 9h Tc Th 6s", "Js Jh Jc Qc Qh", stock=STOCK, credits=[1, 0], settings=(f"credit_per={value}",))
    one.bout(lay("9s 9h Tc Th"), beat("9s>Js 9h>Jh Tc>Jc Th>Qh", ""))
    assert "K-45" in one.fault


def test_k50_the_trump_of_the_same_rank_earns_an_order() -> None:
    def beaten(beater: str, **more: object) -> Bench:
        return Bench("9s 6s", f"{beater} 7h", stock=STOCK, **more).bout(lay("9s"), beat(f"9s>{beater}", ""))  # type: ignore[arg-type]

    assert (beaten("9d").get("orders", 1), beaten("9d").get("orders", 0)) == (1, 0)
    assert beaten("Td").get("orders", 1) == beaten("6d").get("orders", 1) == beaten("Ts").get("orders", 1) == 0
    assert beaten("9d", orders=[0, 3]).get("orders", 1) == 4


def test_k50_a_invulnerable() -> None:
    bench = Bench("9s 9h 6s", "Ts Th 7h", stock=STOCK, orders=[2, 1])
    bench.bout(lay("9s 9h", order="invulnerable"), beat("9s>Ts 9h>Th"))
    assert "K-50" in bench.fault and (bench.get("orders", 0), bench.get("orders", 1)) == (1, 1)
    assert Bench("9s 9h 6s", "Ts Th 7h", stock=STOCK, orders=[1, 0]).bout(lay("9s 9h", order="invulnerable"), give_up()).lost == [0, 3]


@pytest.mark.parametrize(("cards", "lost"), [("As Ah", 7), ("Js Jh", 5), ("Qs Kh", 6), ("9s 9h", 3), ("Ac", 2)])
def test_k50_b_reinforced(cards: str, lost: int) -> None:
    bench = Bench(cards + " 6s 6h", "7d 8d 9d", stock=STOCK, orders=[1, 0]).bout(lay(cards, order="reinforced"), give_up())
    assert (bench.lost, bench.get("orders", 0)) == ([0, lost], 0)
    plain = Bench(cards + " 6s 6h", "7d 8d 9d", stock=STOCK, orders=[1, 0]).bout(lay(cards), give_up())
    court = sum(2 if card[0] == "A" else card[0] in "JQK" for card in cards.split())
    assert plain.lost == [0, lost - court] and plain.get("orders", 0) == 1


def test_k50_b_reinforced_counts_only_where_it_is_not_beaten() -> None:
    bench = Bench("Ks Kh 6s", "7d 8d 9d", stock=STOCK, orders=[1, 0]).bout(lay("Ks Kh", order="reinforced"), beat("Ks>7d Kh>8d"))
    assert (bench.fault, bench.lost, bench.get("orders", 0)) == ("", [0, 0], 0)


def test_k50_c_assembly() -> None:
    four = "6s 7h 8d Tc"
    assert Bench(four, SEVEN, stock=STOCK, orders=[1, 0]).bout(lay(four, f"assembly {four}", "assembly"), give_up()).lost == [0, 6]
    for order in (None, "invulnerable", "reinforced"):
        assert "K-32" in Bench(four, SEVEN, stock=STOCK, orders=[1, 0]).bout(lay(four, f"assembly {four}", order), give_up()).fault


def test_k51_at_most_one_order_is_earned_in_a_bout() -> None:
    bench = Bench("9s 9h 6s", "9d Td 6c", stock=STOCK).bout(lay("9s 9h"), beat("9s>9d 9h>Td", ""))
    assert bench.get("orders", 1) == 1
    two = Bench("8s 9s Ts 6s", "8d 9d Td 6c", stock=STOCK).bout(lay("8s 9s Ts"), beat("8s>8d 9s>9d Ts>Td", ""))
    assert two.get("orders", 1) == 1


def test_k51_an_order_needs_a_stock() -> None:
    earn = beat("9s>9d", "")
    assert Bench("9s 6s", "9d 7h", stock="6d").bout(lay("9s"), earn).get("orders", 1) == 1
    assert Bench("9s 6s", "9d 7h").bout(lay("9s"), earn).get("orders", 1) == 0
    for order in ("invulnerable", "reinforced"):
        assert "K-51" in Bench("9s 6s", "9d 7h", orders=[1, 0]).bout(lay("9s", order=order), give_up()).fault
        assert "K-50" in Bench("9s 6s", "9d 7h", stock="6d", orders=[0, 1]).bout(lay("9s", order=order), give_up()).fault


def test_k52_an_order_on_a_single_card_and_on_an_attack_with_a_credit() -> None:
    closed = Bench("9s 6s", "Ts 7h", stock=STOCK, orders=[1, 0]).bout(lay("9s", order="invulnerable"), beat("9s>Ts", ""))
    assert "K-50" in closed.fault
    assert Bench("Ks 6s", "Ts 7h", stock=STOCK, orders=[1, 0]).bout(lay("Ks", order="reinforced"), give_up()).lost == [0, 1]
    both = Bench("Ks Kh 6s", "As Ah", stock=STOCK, orders=[1, 0], credits=[1, 0]).bout(lay("Ks Kh", order="reinforced"), give_up())
    assert (both.lost, both.get("orders", 0), both.get("credits", 0)) == ([0, 5], 0, 0)


def test_k53_the_last_card_of_the_stock_counts_and_drawing_comes_after() -> None:
    """The turned card alone is a stock; that it is drawn in this very bout does not matter."""
    bench = Bench("9s 9h 6s", "9d 7h", stock="6d", orders=[1, 0]).bout(lay("9s", order="reinforced"), beat("9s>9d", ""))
    assert bench.fault == "" and bench.get("stock_size") == 0
    assert (bench.get("orders", 0), bench.get("orders", 1)) == (0, 1)


@pytest.mark.parametrize(("pairs", "earned"), [("8s>9d 9s>Td", 0), ("8s>Td 9s>9d", 1)])
def test_k54_only_the_matching_that_is_laid_earns_an_order(pairs: str, earned: int) -> None:
    bench = Bench("8s 9s Ts 6s", "9d Td Js 6c", stock=STOCK).bout(lay("8s 9s Ts"), beat(pairs + " Ts>Js", ""))
    assert (bench.fault, bench.get("orders", 1)) == ("", earned)


def test_k54_order_and_credit_are_both_spent() -> None:
    bench = Bench("9s 9h 6s", "Ts Th 7h", stock=STOCK, orders=[1, 0], credits=[1, 0]).bout(lay("9s 9h", order="invulnerable"), give_up())
    assert (bench.get("orders", 0), bench.get("credits", 0)) == (0, 0)
