"""Deadwood, discards, arrangements and lay-offs against the slow model, which tries everything."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from gin_rummy_positions import PACK, mask
from model.gin_rummy import (
    PACK as TEXTS,
)
from model.gin_rummy import (
    addable,
    divisions,
    fewest_addable,
    is_meld,
    least,
    least_after_layoffs,
    worth,
)

from simcore.compiled import kernel
from simcore.games.gin_rummy.combinations import in_runs, in_sets, value
from simcore.games.gin_rummy.splits import best_discard, best_layoffs, deadwood, laid_sets
from simcore.games.gin_rummy.transcript import melds_of, placed


@kernel
def _deadwood(hands: Any, out: Any) -> None:
    for i in range(len(hands)):
        out[i] = deadwood(hands[i])


@kernel
def _best_discard(hand: int, kept: int) -> int:
    return best_discard(hand, kept)


@kernel
def _laid(hand: int) -> tuple[int, int]:
    sets = laid_sets(hand)
    return sets, in_runs(hand & ~sets)


@kernel
def _layoffs(hand: int, sets: int, runs: int) -> int:
    return best_layoffs(hand, sets, runs)


@kernel
def _parts(hand: int) -> tuple[int, int, int]:
    return value(hand), in_sets(hand), in_runs(hand)


def random_hand(chance: random.Random, cards: int, dense: bool) -> frozenset[str]:
    """Any cards, or cards of a few neighbouring ranks, which make contested melds."""
    if not dense:
        return frozenset(chance.sample(TEXTS, cards))
    first = chance.randrange(9)
    return frozenset(chance.sample(TEXTS[4 * first : 4 * first + chance.choice((16, 20))], cards))


def hands_of(number: int, cards: int, seed: int) -> list[frozenset[str]]:
    chance = random.Random(seed)
    return [random_hand(chance, cards, i % 2 == 1) for i in range(number)]


def number_of(hand: frozenset[str]) -> int:
    return PACK.mask(hand)


def least_deadwood(hands: list[frozenset[str]]) -> list[int]:
    out = np.empty(len(hands), np.int64)
    _deadwood(np.array([number_of(hand) for hand in hands], np.int64), out)
    found: list[int] = out.tolist()
    return found


@pytest.mark.parametrize("cards", [3, 4, 7, 10, 11])
def test_least_deadwood(cards: int, full: bool) -> None:
    hands = hands_of(4000 if full else 500, cards, cards)
    assert least_deadwood(hands) == [least(hand) for hand in hands]


@pytest.mark.parametrize(
    ("cards", "points"),
    [
        ("As 2s 3s", 0),
        ("Qs Ks As", 21),  # G8
        ("Ks As 2s", 13),
        ("7s 7h 7d 8s 9s", 14),  # the run goes; the set would leave 17
        ("7s 7h 7d 7c 8s 9s", 0),
        ("3s 3h 3d 4s 5s 4h 5h", 3),
        ("3s 3h 3d 4s 5s 4h 5h 4d 5d", 0),
        ("As Ah Ad Ac 2s 2h 2d 2c 3s 3h", 3),  # a run, and sets of three of what it leaves
        ("Ks Qh Jd Tc 9s 8h 7d 6c 5s 4h", 79),
    ],
)
def test_examples(cards: str, points: int) -> None:
    assert least_deadwood([frozenset(cards.split())]) == [points]


def test_worth_of_cards_g9() -> None:
    for card in TEXTS:
        assert _parts(mask(card)) == (worth([card]), 0, 0)
    for hand in hands_of(200, 10, 5):
        points, sets, runs = _parts(number_of(hand))
        assert points == worth(hand)
        melds = [meld for melds, _ in divisions(hand) for meld in melds]
        assert sets == PACK.mask({card for meld in melds if len({each[0] for each in meld}) == 1 for card in meld})
        assert runs == PACK.mask({card for meld in melds if len({each[1] for each in meld}) == 1 for card in meld})


@pytest.mark.parametrize("keep", [False, True])
def test_best_discard(keep: bool, full: bool) -> None:
    chance = random.Random(6)
    for hand in hands_of(3000 if full else 300, 11, 7 + keep):
        kept = chance.choice(sorted(hand)) if keep else None
        found = _best_discard(number_of(hand), PACK.card(kept) if kept else -1)
        left = {card: least(hand - {card}) for card in hand if card != kept}
        assert found >> 6 == min(left.values())
        assert left[PACK.text(found & 63)] == found >> 6


@pytest.mark.parametrize(
    ("hand", "kept"),
    [
        ("As 2s 3s 4s 5h 5d 5c 9s 9h 9d 9c", None),  # all melded: something goes out of a meld of four
        ("As 2s 3s 5h 5d 5c 9s 9h 9d 9c Kd", "Kd"),  # the only loose card must be kept
        ("As 2s 3s 4s 5s 6s 7s 8s 9s Ts Js", "Js"),
        ("3s 3h 3d 4s 4h 4d 5s 5h 5d 6s 6h", "6s"),
    ],
)
def test_discards_out_of_melds(hand: str, kept: str | None) -> None:
    cards = frozenset(hand.split())
    found = _best_discard(mask(hand), PACK.card(kept) if kept else -1)
    assert found >> 6 == min(least(cards - {card}) for card in cards if card != kept)
    assert least(cards - {PACK.text(found & 63)}) == found >> 6 and PACK.text(found & 63) != kept


def laid_down(hand: frozenset[str]) -> list[list[str]]:
    return [[PACK.text(card) for card in meld] for meld in melds_of(*_laid(number_of(hand)))]


@pytest.mark.parametrize("cards", [10, 11])
def test_ga14_the_knocker_offers_fewest_layoffs(cards: int, full: bool) -> None:
    for hand in hands_of(1500 if full else 150, cards, 20 + cards):
        melds = [frozenset(meld) for meld in laid_down(hand)]
        assert all(is_meld(meld) for meld in melds)
        assert worth(hand.difference(*melds)) == least(hand)
        assert addable(hand, melds) == fewest_addable(hand)


def test_ga14_ties_go_by_the_sorted_list_of_melds() -> None:
    """Among divisions into as few melds as possible: a run is not cut up."""
    met = 0
    for hand in hands_of(400, 10, 30):
        goal, fewest = least(hand), fewest_addable(hand)
        best = [melds for melds, loose in divisions(hand) if worth(loose) == goal and addable(hand, melds) == fewest]
        whole = [melds for melds in best if not any(is_meld([*a, *b]) for a in melds for b in melds if a != b)]
        listed = [sorted(sorted(map(PACK.card, meld)) for meld in melds) for melds in whole]
        met += len(listed) > 1
        assert [[PACK.card(card) for card in meld] for meld in laid_down(hand)] == min(listed)
    assert met > 10


def test_ga13_layoffs_leave_least(full: bool) -> None:
    chance = random.Random(8)
    some = 0
    for number in range(600 if full else 80):
        first = chance.randrange(7)
        cards = TEXTS if number % 2 else TEXTS[4 * first : 4 * first + 28]
        dealt = chance.sample(cards, 20)
        sets, runs = _laid(PACK.mask(dealt[:10]))
        melds = [frozenset(PACK.text(card) for card in meld) for meld in melds_of(sets, runs)]
        other = frozenset(dealt[10:])
        off = _layoffs(number_of(other), sets, runs)
        some += off != 0
        (rest,) = least_deadwood([other - set(PACK.hand(off))])
        assert rest == least_after_layoffs(other, melds)
        grown = melds_of(sets, runs)
        for card, meld in placed(PACK.cards(off), melds_of(sets, runs)):  # one after the other
            assert is_meld([PACK.text(each) for each in [*grown[meld], card]])
            grown[meld].append(card)
    assert some > 10


def test_a_card_that_fits_on_a_set_and_a_run_goes_where_another_follows() -> None:
    melds = melds_of(mask("5s 5h 5c 7s 7d 7c"), mask("8h 9h Th"))
    assert placed([PACK.card("6h"), PACK.card("7h")], melds) == [(PACK.card("7h"), 2), (PACK.card("6h"), 2)]
