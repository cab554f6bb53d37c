"""Exact frequencies of hands of Seven Card Combo: known counts, the referee, and small hands counted one by one."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb

import numpy as np
import pytest
from model import seven_card_combo as model
from seven_card_combo_positions import PACK

from experiments.frequencies import agreement, frequencies, sampled
from simcore.api import frequencies as exact
from simcore.api import rules
from simcore.errors import InputError
from simcore.exact import HELD
from simcore.games.seven_card_combo.frequencies import observe
from simcore.ruleset import Ruleset

PLAIN, WRAP = rules("seven_card_combo"), rules("seven_card_combo", ace="wrap")


def counts(ruleset: Ruleset, cards: int = 7) -> dict[str, int]:
    return {key: item["count"] for key, item in exact(ruleset, cards)["items"].items()}


def test_known_counts_of_all_hands() -> None:
    """Counts that can be had by hand, of C(52, 7) hands."""
    found, hands = counts(PLAIN), comb(52, 7)
    assert exact(PLAIN, 7)["hands"] == hands == 133_784_560
    assert hands - found["two_of_a_rank"] == comb(13, 7) * 4**7 == 28_114_944
    assert found["four_of_a_kind"] == 13 * comb(48, 3) == 224_848
    assert found["seven_flush"] == 4 * comb(13, 7) == 6_864
    assert found["seven_run"] == 8 * 4**7
    assert found["four_of_a_suit"] == 4 * sum(comb(13, n) * comb(39, 7 - n) for n in range(4, 8))
    three_pairs = comb(13, 3) * comb(4, 2) ** 3 * 40
    three_two_two = 13 * 4 * comb(12, 2) * comb(4, 2) ** 2
    assert found["three_pairs"] == three_pairs + three_two_two
    three_two_singles = 13 * 4 * 12 * comb(4, 2) * comb(11, 2) * 4**2
    three_three = comb(13, 2) * 4**2 * 11 * 4
    four_three, four_two = 13 * 12 * 4, 13 * 12 * comb(4, 2) * 44
    assert found["full_house"] == three_two_singles + three_two_two + three_three + four_three + four_two


def test_ace_wrap_changes_three_and_a_half_hands_in_a_hundred() -> None:
    plain, wrap = exact(PLAIN, 7), exact(WRAP, 7)
    assert plain["ace"]["changed"] == wrap["ace"]["changed"] and plain["ace"]["changed"]["count"] == 4_728_804
    assert 0.035 < plain["ace"]["changed"]["probability"] < 0.036
    assert sum(count for difference, count in plain["ace_difference"] if difference) == 4_728_804
    assert [[-difference, count] for difference, count in reversed(plain["ace_difference"])] == wrap["ace_difference"]
    totals = [sum(points * count for points, count in table["points"]) for table in (plain, wrap)]
    assert totals[1] - totals[0] == sum(difference * count for difference, count in plain["ace_difference"])
    assert counts(WRAP)["seven_run"] == 13 * 4**7
    for key in ("three_pairs", "full_house", "four_of_a_kind", "seven_flush", "four_of_a_suit", "two_of_a_rank"):
        assert counts(WRAP)[key] == counts(PLAIN)[key]


@pytest.mark.parametrize("ruleset", [PLAIN, WRAP, rules("seven_card_combo", three_pairs=-7, loose_card=2)], ids=str)
def test_tables_hang_together(ruleset: Ruleset) -> None:
    for cards in (4, 5, 6, 7):
        table = exact(ruleset, cards)
        for name in ("points", "loose", "ace_difference"):
            assert sum(count for _, count in table[name]) == table["hands"] == comb(52, cards)
            assert [value for value, _ in table[name]] == sorted({value for value, _ in table[name]})
        assert table["items"]["loose_card"]["count"] == sum(count for loose, count in table["loose"] if loose)


def test_all_hands_of_four_cards_by_the_referee(full: bool) -> None:
    """Every hand in full size; otherwise every hand of the ranks 2 to 6 and the ace."""
    ranks = "23456789TJQKA" if full else "23456A"
    cards = [rank + suit for rank in ranks for suit in "shdc"]
    loose: Counter[int] = Counter()
    masks = []
    for hand in combinations(cards, 4):
        loose[len(model.score(hand, "low_or_high", PLAIN.points).loose)] += 1
        masks.append(sum(1 << PACK.card(card) for card in hand))
    rows = np.empty(len(masks), HELD)
    rows["hand"] = masks
    values, found = np.unique(observe(PLAIN, 4, rows)["loose"], return_counts=True)
    assert dict(zip(values.tolist(), found.tolist(), strict=True)) == loose
    if full:
        assert [list(row) for row in sorted(loose.items())] == exact(PLAIN, 4)["loose"]


@pytest.mark.parametrize("ruleset", [PLAIN, WRAP, rules("seven_card_combo", full_house=-2, loose_card=3, seven_run=5)], ids=str)
def test_hands_by_the_referee(ruleset: Ruleset, full: bool) -> None:
    """Dealt hands, and hands of few ranks or of one suit, where everything comes together."""
    options, points = ruleset.options, ruleset.points
    rng = np.random.default_rng(3)
    few = [card for card in range(52) if card // 4 in (0, 1, 2, 3, 10, 11, 12)]
    one = [card for card in range(52) if card % 4 == 2 or card < 4]
    for pack in (range(52), few, one):
        hands = [rng.choice(list(pack), 7, replace=False) for _ in range(20_000 if full else 1_500)]
        rows = np.empty(len(hands), HELD)
        rows["hand"] = [sum(1 << int(card) for card in hand) for hand in hands]
        found = observe(ruleset, 7, rows)
        for i, hand in enumerate(hands):
            cards = [PACK.text(int(card)) for card in hand]
            scored = model.score(cards, options["ace"], points)
            other = model.score(cards, "wrap" if options["ace"] == "low_or_high" else "low_or_high", points)
            assert (found["points"][i], found["loose"][i]) == (scored.points, len(scored.loose))
            assert found["ace_difference"][i] == other.points - scored.points
            assert [key for key in model.BONUSES if found["items"][key][i]] == list(scored.held)
            assert {key for key, held in model.reasons(cards, options["ace"]).items() if held} == {
                key for key in ("run_of_four", "four_of_a_suit", "two_of_a_rank") if found["items"][key][i]
            }


def test_simulated_deals_agree() -> None:
    assert frequencies(PLAIN, 7, 50_000, seed=2)["simulated"]["agreement"]["disagreements"] == []


def test_a_wrong_reading_is_noticed() -> None:
    assert agreement(exact(PLAIN, 7), sampled(WRAP, 7, 100_000, seed=2))


def test_hands_of_other_sizes_are_refused() -> None:
    for cards in (3, 8):
        with pytest.raises(InputError, match="4 to 7 cards"):
            exact(PLAIN, cards)
    rows = np.zeros(1, HELD)
    with pytest.raises(ValueError, match="not every hand has 7 cards"):
        observe(PLAIN, 7, rows)
