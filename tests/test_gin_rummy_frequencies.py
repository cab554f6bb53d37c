"""Melds and deadwood of all hands: the enumeration against counts of its own kind, and the kept counts of ten cards."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import pytest
from gin_rummy_positions import PACK, mask
from model.gin_rummy import PACK as TEXTS
from model.gin_rummy import divisions, least

from experiments.frequencies import frequencies, sampled, tallied
from simcore.api import rules
from simcore.errors import InputError
from simcore.games.gin_rummy.frequencies import COUNTED, MEASURES, count_all, exact, measure, observe, write_dealt_counts

RULES = rules("gin_rummy")
MELDS = [f"set_of_{size}" for size in ("three", "four")] + [f"run_of_{size}" for size in ("three", "four", "five", "six", "seven", "eight", "nine", "ten")]


def masks(hands: Any) -> np.ndarray:
    return np.array([PACK.mask(hand) for hand in hands], np.int64)


def model_of(hand: frozenset[str]) -> dict[str, int]:
    """What the model finds in a hand by trying everything."""
    found = [(melds, loose) for melds, loose in divisions(hand)]
    every = {meld for melds, _ in found for meld in melds}
    sets = [len(meld) for meld in every if len({card[0] for card in meld}) == 1]
    runs = [len(meld) for meld in every if len({card[1] for card in meld}) == 1]
    return {
        "deadwood": least(hand),
        "longest_run": max(runs, default=0),
        "largest_set": max(sets, default=0),
        "melds": max(len(melds) for melds, _ in found),
    }


@pytest.mark.parametrize("cards", [5, 8, 10, 11])
def test_what_a_hand_holds(cards: int, full: bool) -> None:
    rng = np.random.default_rng(cards)
    packs = [TEXTS if i % 2 else TEXTS[4 * (i % 9) : 4 * (i % 9) + 20] for i in range(400 if full else 60)]
    hands = [frozenset(rng.choice(pack, cards, replace=False).tolist()) for pack in packs]
    for hand, row in zip(hands, measure(masks(hands)), strict=True):
        assert dict(zip(MEASURES, row.tolist(), strict=True)) == model_of(hand)


@pytest.mark.parametrize("cards", [1, 2, 3, 4])
def test_all_hands_one_by_one_give_the_same(cards: int) -> None:
    every = np.array([sum(1 << card for card in hand) for hand in combinations(range(52), cards)], np.int64)
    rows = np.empty(len(every), [("hand", "i8")])
    rows["hand"] = every
    assert tallied(cards, len(every), observe(RULES, cards, rows)) == exact(RULES, cards)


@pytest.mark.parametrize("cards", [5, 6, 7, 8])
def test_counts_by_hand(cards: int) -> None:
    """Hands with a set, by ranks; hands with a run of at least so many, by the gaps of a suit; both known in closed form or by a table."""
    items = exact(RULES, cards)["items"]
    without = Counter({0: 1})  # cards so far: ways to take no rank three times
    no_four = Counter({0: 1})
    for _ in range(13):
        without = Counter({n: sum(without[n - k] * comb(4, k) for k in range(3)) for n in range(cards + 1)})
        no_four = Counter({n: sum(no_four[n - k] * comb(4, k) for k in range(4)) for n in range(cards + 1)})
    assert items["set_of_three"]["count"] == comb(52, cards) - without[cards]
    assert items["set_of_four"]["count"] == comb(52, cards) - no_four[cards]
    for length, key in enumerate(MELDS[2:], 3):
        suits = Counter(n for held in range(1 << 13) if "1" * length not in f"{held:b}" for n in [held.bit_count()])
        none = Counter({0: 1})
        for _ in range(4):
            none = Counter({n: sum(none[n - k] * suits[k] for k in range(n + 1)) for n in range(cards + 1)})
        assert items[key]["count"] == comb(52, cards) - none[cards], key


def test_dealt_hands_against_counts_by_hand() -> None:
    """The kept counts of ten cards: sets and runs of every length have closed forms, the whole adds up."""
    test_counts_by_hand(10)
    found = exact(RULES, 10)
    assert found["hands"] == comb(52, 10) == 15_820_024_220
    for table in ("points", "melds"):
        assert sum(count for _, count in found[table]) == found["hands"]
    assert found["items"]["gin"]["count"] == dict(found["points"])[0]
    assert found["items"]["knock"]["count"] == sum(count for value, count in found["points"] if value <= 10)
    assert exact(rules("gin_rummy", knock_limit=3), 10)["items"]["knock"]["count"] == sum(count for value, count in found["points"] if value <= 3)
    assert found["items"]["run_of_three"]["probability"] == pytest.approx(0.2006, abs=5e-5)  # by icepool


def test_gin_hands_by_their_own_count() -> None:
    """All melded in ten cards is two melds of three and one of four, or fewer and longer ones: counted by laying melds beside each other."""
    sets = [sum(1 << 4 * rank + suit for suit in suits) for rank in range(13) for size in (3, 4) for suits in combinations(range(4), size)]
    runs = [sum(1 << 4 * rank + suit for rank in range(first, first + size)) for suit in range(4) for size in (3, 4, 5) for first in range(14 - size)]
    melds = np.array(sorted(sets + runs), np.int64)  # longer runs are two of these side by side
    sizes = np.bitwise_count(melds)
    reached: dict[int, np.ndarray] = {0: np.zeros(1, np.int64)}
    for _ in range(3):
        more: dict[int, list[np.ndarray]] = {}
        for held, hands in reached.items():
            for meld, size in zip(melds, sizes, strict=True):
                if held + size <= 10:
                    more.setdefault(int(held + size), []).append(hands[hands & meld == 0] | meld)
        reached = {held: np.unique(np.concatenate([*parts, reached.get(held, np.zeros(0, np.int64))])) for held, parts in more.items()} | (
            {0: reached[0]} if 0 in reached else {}
        )
    assert len(reached[10]) == exact(RULES, 10)["items"]["gin"]["count"]


def test_the_kept_counts_agree_with_a_sample(full: bool) -> None:
    found = frequencies(RULES, 10, deals=2_000_000 if full else 200_000, seed=3)
    assert found["simulated"]["agreement"]["disagreements"] == []
    assert found["simulated"]["agreement"]["tests"] > 90
    assert json.loads(json.dumps(found)) == found


def test_the_kept_counts_are_those_of_the_enumeration(full: bool, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """In full size the file is made anew; otherwise a smaller hand shows that it would be written as it is."""
    monkeypatch.setattr("simcore.games.gin_rummy.frequencies.COUNTED", tmp_path / "counts.toml")
    if not full:
        monkeypatch.setattr("simcore.games.gin_rummy.frequencies.HAND", 3)
    write_dealt_counts()
    text = (tmp_path / "counts.toml").read_text("utf-8")
    if full:
        assert text == COUNTED.read_text("utf-8")
    else:
        assert "longest_run = [[0, 21920], [3, 180]]".replace("21920", str(comb(52, 3) - 44)).replace("180", "44") in text


def test_the_sample_is_of_the_knock_limit() -> None:
    low, high = (sampled(rules("gin_rummy", knock_limit=limit), 10, 20_000, seed=1)["items"]["knock"]["count"] for limit in (10, 60))
    assert low < high < 20_000


def test_enumeration_counts_every_hand_once() -> None:
    for cards in (1, 5, 7):
        assert count_all(cards).sum(axis=1).tolist() == [comb(52, cards)] * len(MEASURES)


@pytest.mark.parametrize("cards", [0, 11, -1])
def test_a_hand_that_never_occurs_is_refused(cards: int) -> None:
    with pytest.raises(InputError, match="up to 10 cards"):
        exact(RULES, cards)
    with pytest.raises(InputError, match="up to 10 cards"):
        observe(RULES, cards, np.zeros(0, [("hand", "i8")]))


def test_masks_that_are_none_are_refused() -> None:
    for wrong in ([1 << 52], [-1], [(1 << 12) - 1], [[1]]):
        with pytest.raises(ValueError, match="must be a mask"):
            measure(np.array(wrong, np.int64))
    with pytest.raises(ValueError, match="3 cards"):
        observe(RULES, 3, np.array([(mask("As 2s"),)], [("hand", "i8")]))
