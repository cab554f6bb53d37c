"""The built-in players of Seven Card Combo: blind to what is hidden, and each as it says of itself."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from model import seven_card_combo as model
from scipy.stats import chisquare
from seven_card_combo_positions import GAME, PACK, SCRIPT, Bench, mask, texts

from simcore.api import rules
from simcore.compiled import kernel
from simcore.games.seven_card_combo.outlook import ONE, composed, outlook, share_of
from simcore.games.seven_card_combo.rules import pack
from simcore.games.seven_card_combo.view import MOVE, VIEW, WORK
from simcore.simulate import Table
from simcore.strategy import available, load

NAMES = ("random", "greedy", "exact", "flush", "pairs", "reader")


def test_all_six_are_there_in_order_and_say_what_they_do() -> None:
    found = available(GAME)
    assert tuple(found) == NAMES
    assert all(strategy.doc and all(function.__doc__ for function in strategy.decisions.values()) for strategy in found.values())


def share(first: str, second: str, games: int) -> float:
    return float(Table(rules("seven_card_combo"), [first, second], 2, 1).play(0, games).games["share"][:, 0].mean())


def test_who_beats_whom() -> None:
    assert share("greedy", "random", 400) > 0.97
    assert share("flush", "pairs", 1000) > 0.7
    assert share("greedy", "flush", 1000) > 0.7
    assert share("greedy", "pairs", 1000) > 0.85
    assert share("reader", "greedy", 2000) > 0.6
    assert share("exact", "greedy", 1000) > 0.6


# --- what a player may know ---------------------------------------------------------------------------------------------------------------


def swap(bench: Bench, rng: np.random.Generator, places: list[tuple[str, int]]) -> None:
    """Shuffle the cards at some places that a player cannot see: of the stock, of the packet, of other hands."""
    hidden = bench.hidden[0]
    cards: list[int] = []
    sizes = []
    for where, at in places:
        held = [int(hidden[where][at])] if where != "hands" else PACK.cards(int(hidden["hands"][at]))
        cards += held
        sizes.append(len(held))
    order = [cards[int(i)] for i in rng.permutation(len(cards))]
    for (where, at), size in zip(places, sizes, strict=True):
        here, order = order[:size], order[size:]
        hidden[where][at] = here[0] if where != "hands" else sum(1 << card for card in here)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("name", [*NAMES, "exact(depth=2)"])
def test_hidden_cards_change_no_choice(name: str, players: int, full: bool) -> None:
    """The stock, the hands of others and, before the own discards, the packet may be any cards: the same cards are thrown, and the same ones taken."""
    rng = np.random.default_rng(players)
    rounds = 1 if name.startswith("exact(") else 30 if full else 4
    for _ in range(rounds):
        deck = [PACK.text(int(card)) for card in rng.permutation(52)]
        hands = [" ".join(deck[4 * seat : 4 * seat + 4]) for seat in range(players)]
        bench = Bench(hands, deck[4 * players], " ".join(deck[4 * players + 1 :]), strategies=[name] * players)
        for _ in range(3 * players):
            seat = bench.seat
            before = bench.saved()
            assert bench.turn() == ""
            discarded, taken, after = bench.discarded, bench.taken, bench.saved()
            hidden = before[1][0]
            stock = [("deck", at) for at in range(int(hidden["next_card"]), int(hidden["stock_end"]))]
            others = [("hands", other) for other in range(players) if other != seat]
            packet = [("packet", at) for at in range(int(hidden["packet_size"]))]
            for places in (stock + others, stock + others + packet):
                bench.restore(before)
                swap(bench, rng, places)
                assert bench.turn() == ""
                assert bench.discarded == discarded
                if places != stock + others + packet or not packet:
                    assert bench.taken == taken
            bench.restore(after)


def test_the_view_has_no_field_for_what_is_hidden() -> None:
    hidden = {"hands", "deck", "next_card", "seed", "own"}
    for record in (VIEW, WORK, MOVE):
        assert not hidden & set(record.names or ())


def test_a_move_does_not_tell_what_another_put_aside() -> None:
    bench = Bench(("Qh 6h 3c 2c", "3d 9c 8h Ad"), "Jc")
    aside = sorted(bench.hand(bench.seat))[:2]
    assert bench.turn(" ".join(aside)) == "" and bench.moves["discards"][0].any()
    assert bench.turn() == "" and not bench.moves["discards"][0].any()


# --- random -------------------------------------------------------------------------------------------------------------------------------


def test_random_throws_every_set_equally_often() -> None:
    bench = Bench(("Qh 6h 3c 2c", "3d 9c 8h Ad"), "Jc", strategies=["random", SCRIPT])
    start = bench.saved()
    sets: Counter[frozenset[str]] = Counter()
    orders: Counter[tuple[str, ...]] = Counter()
    for number in range(4000):
        bench.restore(start)
        bench.work["stream"][0] = number * 7919 + 1, 0x9E3779B97F4A7C15
        assert bench.turn() == ""
        sets[frozenset(bench.discarded)] += 1
        orders[tuple(bench.discarded)] += len(bench.discarded) == 3
    assert len(sets) == 16 and chisquare(list(sets.values())).pvalue > 1e-6
    three = [count for count in orders.values() if count]
    assert len(three) == 24 and chisquare(three).pvalue > 1e-6


@pytest.mark.parametrize("option", ["top_down", "any"])
def test_random_takes_every_legal_set_equally_often(option: str) -> None:
    """Two cards to take from a pile of three and a packet of two."""
    hands = ("Qh 6h 3c 2c", "3d 9c 8h Ad")
    probe = Bench(hands, "Jc", "4h 5h 7h 8d 9d", strategies=[SCRIPT, SCRIPT], pile=option)
    probe.turn(discard="6h 3c")
    probe.turn(discard="8h Ad")
    pile, packet = probe.pile[::-1], probe.packet
    legal = set()
    for n in range(len(pile) + 1):
        for cards in combinations(pile, n) if option == "any" else [tuple(pile[:n])]:
            for m in range(len(packet) + 1):
                legal |= {(frozenset(cards), frozenset(chosen)) for chosen in combinations(packet, m) if n + m <= 2}
    found: Counter[Any] = Counter()
    probe.seat_player(0, "random")
    start = probe.saved()
    for number in range(400 * len(legal)):
        probe.restore(start)
        probe.work["stream"][0] = number * 7919 + 1, 0x9E3779B97F4A7C15
        assert probe.turn() == ""
        if len(probe.discarded) == 1:
            found[tuple(map(frozenset, probe.taken))] += 1
    assert set(found) == legal and chisquare(list(found.values())).pvalue > 1e-6


# --- greedy, exact, reader ----------------------------------------------------------------------------------------------------------------


@kernel
def outlook_of(hand: int, n: int, unseen: int, rules: Any) -> int:
    return outlook(hand, n, unseen, share_of(unseen), rules[0])


@kernel
def composed_of(loose: int, hits: int, strangers: int, unseen: int, n: int, rules: Any) -> int:
    return composed(loose, hits, strangers, ONE * ONE // unseen, n, rules[0])


@pytest.mark.parametrize("ace", ["low_or_high", "wrap"])
def test_the_outlook_counts_the_cards_that_would_be_covered(ace: str) -> None:
    """For one card to come it is the exact mean of loose cards, except that two runs may share a card that completes both."""
    ruleset = rules("seven_card_combo", ace=ace)
    record = pack(ruleset)
    rng = np.random.default_rng(1)
    close = 0
    for _ in range(300):
        hand = [PACK.text(int(card)) for card in rng.choice(52, int(rng.integers(1, 7)), replace=False)]
        unseen = [card for card in PACK.texts if card not in hand][:: int(rng.integers(1, 3))]
        covered = {card: set().union(*model.reasons([*hand, card], ace).values()) for card in unseen}
        strangers = sum(card not in covered[card] for card in unseen)
        loose = set(hand) - set().union(*model.reasons(hand, ace).values())
        hits = sum(len(loose & covered[card]) for card in unseen)
        bonus = model.score(hand, ace, ruleset.points).points - len(loose)
        found = outlook_of(mask(" ".join(hand)), 1, mask(" ".join(unseen)), record) - bonus * ONE
        exact = composed_of(len(loose), hits, strangers, len(unseen), 1, record)
        assert found <= exact + 2
        close += abs(found - exact) <= 2
    assert close > 240


def test_composed_chances() -> None:
    record = pack(rules("seven_card_combo", loose_card=3))
    assert composed_of(0, 0, 8, 32, 2, record) == 3 * 2 * ONE // 4
    assert composed_of(2, 16, 32, 32, 2, record) == 3 * (2 * ONE * 9 // 16 + 2 * ONE)
    assert composed_of(1, 100, 0, 40, 1, record) == 0


def first_turn(name: str, hand: str, pile: str, stock: str = "", **changes: Any) -> Bench:
    others = [card for card in PACK.texts if card not in (*hand.split(), pile, *stock.split())]
    bench = Bench((hand, " ".join(others[:4])), pile, stock, strategies=[name, SCRIPT], **changes)
    assert bench.turn() == ""
    return bench


@pytest.mark.parametrize("name", ["greedy", "exact", "reader"])
def test_what_is_covered_is_kept_and_a_useful_card_is_taken(name: str) -> None:
    bench = first_turn(name, "9s 9h Kd Kc", "9d")
    assert bench.discarded == [] and bench.taken == ({"9d"}, set())
    bench = first_turn(name, "4s 5h 6d 9c", "7s")
    assert bench.taken[0] == {"7s"} and bench.hand(0) >= set("4s 5h 6d 7s".split())


@pytest.mark.parametrize("name", ["greedy", "exact", "reader"])
def test_the_point_table_is_read(name: str) -> None:
    """Two pairs are kept, but not where loose cards win points: then a loose card is taken, or the pairs are broken."""
    usual = first_turn(name, "9s 9h Kd Kc", "2d")
    assert usual.discarded == [] and usual.taken[0] == set()
    turned = first_turn(name, "9s 9h Kd Kc", "2d", loose_card=-5)
    assert turned.discarded or turned.taken[0] == {"2d"}


def test_greedy_keeps_three_of_a_suit() -> None:
    bench = first_turn("greedy", "2h 7h Jh 4s", "9d")
    assert set(bench.discarded) <= {"4s"}


def test_exact_is_the_mean_over_the_unknown_cards() -> None:
    """With one card to take from stock, pile or packet it takes what the referee says is best on average."""
    ruleset = rules("seven_card_combo")
    rng = np.random.default_rng(5)
    for _ in range(40):
        deck = [PACK.text(int(card)) for card in rng.permutation(52)]
        hands = (" ".join(deck[:4]), " ".join(deck[4:8]))
        bench = Bench(hands, deck[8], " ".join(deck[9:20]), strategies=["exact", SCRIPT])
        assert bench.turn() == ""
        if bench.discarded:
            continue
        hand, top = hands[0].split(), deck[8]

        def worth(cards: list[str]) -> int:
            return model.score(cards, "low_or_high", ruleset.points).points

        unseen = [card for card in PACK.texts if card not in (*hand, top)]
        mean = sum(worth([*hand, card]) for card in unseen) / len(unseen)
        assert bench.taken[0] == ({top} if worth([*hand, top]) <= mean else set()) or abs(worth([*hand, top]) - mean) < 0.01


def test_depth_two_is_exact_for_two_cards() -> None:
    """One card is put aside: the mean over all pairs of unknown cards decides which one."""
    ruleset = rules("seven_card_combo")
    rng = np.random.default_rng(8)
    tried = 0
    while tried < 2:
        deck = [PACK.text(int(card)) for card in rng.permutation(52)]
        bench = Bench((" ".join(deck[:4]), " ".join(deck[4:8])), deck[8], strategies=["exact(depth=2)", SCRIPT])
        assert bench.turn() == ""
        if len(bench.discarded) != 1:
            continue
        tried += 1
        unseen = [card for card in PACK.texts if card not in deck[:4] and card != deck[8]]

        def mean(aside: str, deck: list[str] = deck, unseen: list[str] = unseen) -> float:
            kept = [card for card in deck[:4] if card != aside]
            pairs = list(combinations(unseen, 2))
            return sum(model.score([*kept, *pair], "low_or_high", ruleset.points).points for pair in pairs) / len(pairs)

        means = {card: mean(card) for card in deck[:4]}
        assert means[bench.discarded[0]] <= min(means.values()) + 0.01


def test_reader_reads_what_the_neighbour_took() -> None:
    """A king that waits for a mate: where the player before took one from the pile, no other is to be hoped for; and to throw it would feed that player."""
    hands = ("Ks 5h 9d 2c", "Kh 8s 4d Qc")
    thrown = {}
    for name in ("reader(caution=0)", "reader(caution=400)", "greedy"):
        bench = Bench(hands, "Kd", "7s 3h Tc 6d Jc", strategies=[SCRIPT, name])
        bench.turn(pile="Kd")
        assert texts(bench.view["taken"][0, 0]) == {"Kd"}
        assert bench.turn() == ""
        thrown[name] = set(bench.discarded)
    assert "Kh" in thrown["reader(caution=0)"] and "Kh" not in thrown["reader(caution=400)"]
    assert thrown["reader(caution=400)"] != thrown["greedy"]


# --- flush, pairs -------------------------------------------------------------------------------------------------------------------------


def test_flush_stays_with_its_suit() -> None:
    bench = first_turn("flush", "2h 7h Jh 4s", "9h", stock="4h 5s")
    assert bench.discarded == ["4s"] and bench.taken[0] == {"9h"}
    assert bench.hand(0) == {"2h", "7h", "Jh", "9h", "4h"}
    bench = first_turn("flush", "2h 7h Jc 4s", "9s", stock="4h 5s 6s")
    assert set(bench.discarded) == {"4s", "Jc"} and bench.taken[0] == set()


@pytest.mark.parametrize(("option", "expected"), [("top_down", set()), ("any", {"9h"})])
def test_flush_takes_its_suit_from_anywhere_in_the_pile(option: str, expected: set[str]) -> None:
    bench = Bench(("Qs 8s 9c 3c", "2h 7h Jh 4s"), "9h", "5h 3h 6h 5d 8d Kd Kc", pile=option)
    bench.turn(discard="8s")
    bench.turn(discard="4s")
    bench.turn()  # 9h 8s 4s lie open
    bench.seat_player(1, "flush")
    bench.work["memory"][1, 0] = 1  # committed to hearts
    assert bench.turn() == "" and bench.taken[0] == expected


def test_pairs_keeps_ranks_and_as_many_singles_as_it_is_told() -> None:
    assert first_turn("pairs(singles=0)", "9s 9h 4d Kc", "2s").discarded == ["4d", "Kc"]
    assert len(first_turn("pairs", "9s 9h 4d Kc", "2s").discarded) == 1
    assert first_turn("pairs(singles=2)", "9s 9h 4d Kc", "2s").discarded == []
    bench = first_turn("pairs", "9s 9h 4d Kc", "9d")
    assert bench.taken[0] == {"9d"}
    mated = first_turn("pairs", "9s 9h 4d Kc", "4c")  # one mate of the four lies open, so the king has more of them
    assert mated.discarded == ["4d"]


def test_parameters_are_read_and_written() -> None:
    assert str(load("reader(caution=0)", GAME)) == "reader(caution=0)" and str(load("reader(caution=20)", GAME)) == "reader"
    assert str(load("exact(depth=2)", GAME)) == "exact(depth=2)"
    assert texts(mask("2s Ah")) == {"2s", "Ah"}
