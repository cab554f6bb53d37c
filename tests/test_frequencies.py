"""Frequencies of combinations in hands: the enumeration, the single hand, the sample beside them."""

import json
import random
from itertools import permutations
from math import comb
from types import SimpleNamespace
from typing import Any

import count_kombinator as count
import numpy as np
import pytest
from model.kombinator_combinations import KINDS, PACK

from experiments import frequencies as shared
from experiments.frequencies import agreement, dealt_hands, frequencies, held_in_play, sampled, tallied
from simcore import chance
from simcore.compiled import kernel
from simcore.errors import InputError
from simcore.exact import listed_hands, suit_holdings
from simcore.games.kombinator.frequencies import DEALT, exact, measure, observe, possible_points

KEYS = list(KINDS)
ITEMS = [key for key in KEYS if key not in count.NO_MATTER_OF_A_HAND]
PRINTED = dict(zip(KEYS, (3, 6, 12, 15, 20, *(3, 5, 8, 12, 17) * 2, 6, 12, 18, 24, 30, 0, 4, 6, 25, 40), strict=True))


def rules(
    points: dict[str, int] | None = None,
    repeat_marriage: str = "zero",
    hand_limit: int = 7,
    key: str = "kombinator",
) -> Any:
    """What frequencies read of a ruleset."""
    return SimpleNamespace(
        points=PRINTED | (points or {}),
        options={"hand_limit": hand_limit, "repeat_marriage": repeat_marriage},
        schema=SimpleNamespace(key=key, pack="6789TJQKA", packs=1),
    )


def random_table(seed: int, low: int = -5, high: int = 40) -> dict[str, int]:
    chance = random.Random(seed)
    return {key: chance.randint(low, high) for key in KEYS}


def random_hands(cards: int, number: int, seed: int) -> list[count.Cards]:
    chance = random.Random(seed)
    return [frozenset(chance.sample(PACK, cards)) for _ in range(number)]


def masks(hands: list[count.Cards]) -> np.ndarray:
    return np.array([count.mask_of(hand) for hand in hands], np.int64)


def rows_of(hands: np.ndarray, trumps: Any = -1) -> np.ndarray:
    rows = np.empty(len(hands), DEALT)
    rows["hand"], rows["trump"] = hands, trumps
    return rows


def counts(ruleset: Any, cards: int, hands: np.ndarray, trumps: Any = -1) -> dict[str, Any]:
    return tallied(cards, len(hands), observe(ruleset, cards, rows_of(hands, trumps)))


def in_play(rows: np.ndarray, games: np.ndarray) -> np.ndarray:
    held = np.empty(len(rows), [*DEALT.descr, ("game", "i8")])
    held["hand"], held["trump"], held["game"] = rows["hand"], rows["trump"], games
    return held


# ------------------------------------------------------------------ the enumeration


@kernel
def _list_all(cards: int, holdings: np.ndarray, starts: np.ndarray, block: int, hands: np.ndarray, weights: np.ndarray) -> int:
    one, weight = np.empty(block, np.int64), np.empty(block, np.int64)
    total = 0
    for n in listed_hands(holdings, starts, cards, one, weight):
        for i in range(n):
            hands[total + i] = one[i]
            weights[total + i] = weight[i]
        total += n
    return total


def listed(ranks: int, cards: int, block: int = 100) -> dict[int, int]:
    """The listed hands of a pack and what each is weighted by."""
    room = comb(4 * ranks, cards) + 1
    hands, weights = np.empty(room, np.int64), np.empty(room, np.int64)
    n = _list_all(cards, *suit_holdings(ranks), block, hands, weights)
    result = dict(zip(hands[:n].tolist(), weights[:n].tolist(), strict=True))
    assert len(result) == n
    return result


def renamed(hand: int, ranks: int) -> set[int]:
    """All hands that come out of a hand by renaming the suits."""
    one_suit = sum(1 << 4 * rank for rank in range(ranks))
    return {sum((hand >> old & one_suit) << new for old, new in enumerate(order)) for order in permutations(range(4))}


@pytest.mark.parametrize(("ranks", "cards"), [(1, 2), (3, 0), (3, 5), (3, 12), (4, 6), (5, 5), (9, 3)])
def test_every_hand_comes_out_of_one_listed_hand_by_renaming_suits(ranks: int, cards: int) -> None:
    reached: set[int] = set()
    for hand, weight in listed(ranks, cards).items():
        same = renamed(hand, ranks)
        assert len(same) == weight
        assert not reached & same
        reached |= same
    assert all(hand.bit_count() == cards for hand in reached)
    assert len(reached) == comb(4 * ranks, cards)


@pytest.mark.parametrize("block", [1, 7, 1024])
def test_the_blocks_do_not_matter(block: int) -> None:
    assert listed(5, 6, block) == listed(5, 6)


@pytest.mark.parametrize(("ranks", "cards"), [(9, 7), (13, 5)])
def test_weights_add_up_to_all_hands_of_a_pack(ranks: int, cards: int) -> None:
    assert sum(listed(ranks, cards).values()) == comb(4 * ranks, cards)


@pytest.mark.parametrize("ranks", [0, 16])
def test_a_pack_that_fits_no_mask_is_refused(ranks: int) -> None:
    with pytest.raises(ValueError, match="1 to 15 ranks"):
        suit_holdings(ranks)


# ------------------------------------------------------------------ all hands


@pytest.fixture(scope="module", params=range(1, 8))
def cards(request: pytest.FixtureRequest) -> int:
    assert isinstance(request.param, int)
    return request.param


@pytest.fixture(scope="module")
def counted(cards: int) -> dict[str, Any]:
    return exact(rules(), cards)


def test_all_hands_are_counted(counted: dict[str, Any], cards: int) -> None:
    assert counted["cards"] == cards
    assert counted["hands"] == comb(36, cards)
    for name in ("points", "disjoint"):
        values = [value for value, _ in counted[name]]
        assert values == sorted(set(values))
        assert sum(number for _, number in counted[name]) == comb(36, cards)


def test_every_combination_against_its_own_count(counted: dict[str, Any], cards: int) -> None:
    expected = {key: count.held(key, cards) for key in ITEMS}
    assert {key: counted["items"][key]["count"] for key in ITEMS} == expected
    for key, number in expected.items():
        assert counted["items"][key]["probability"] == number / comb(36, cards)


def test_what_is_no_matter_of_a_hand_is_null(counted: dict[str, Any]) -> None:
    assert list(counted["items"]) == KEYS
    for items in (counted["items"], counted["trump"]["fixed"]["items"], counted["trump"]["turned"]["items"]):
        assert {key for key, item in items.items() if item is None} == set(count.NO_MATTER_OF_A_HAND)


def test_trumps_against_their_own_count(counted: dict[str, Any], cards: int) -> None:
    fixed = counted["trump"]["fixed"]
    assert fixed["hands"] == comb(36, cards)
    for key in ITEMS:
        item = fixed["items"][key]
        assert item["in_trumps"]["count"] == count.held_in_trumps(key, cards), key
        assert item["with_trump"]["count"] == count.held_with_trump(key, cards), key


def test_closed_forms_of_the_rulebook() -> None:
    four = exact(rules(), 4)
    forces = sum(four["items"][f"{size}_force"]["count"] for size in ("small", "large", "absolute"))
    assert forces == 9
    seven = exact(rules(), 7)
    assert seven["hands"] == 8_347_680
    assert seven["hands"] - seven["items"]["pair"]["count"] == comb(9, 7) * 4**7
    assert seven["items"]["legendary_row"]["count"] == 4 * comb(9, 7)
    assert seven["items"]["legendary_queue"]["count"] == 3 * 4**7
    assert seven["items"]["legendary_optima"]["count"] == 3 * 4


@pytest.mark.parametrize("cards", [1, 2, 3, 4])
def test_all_hands_one_by_one_give_the_same(cards: int) -> None:
    every = masks(list(count.all_hands(cards)))
    one_by_one = counts(rules(), cards, every)
    counted = exact(rules(), cards)
    for name in ("cards", "hands", "items", "points", "disjoint"):
        assert one_by_one[name] == counted[name]
    turned = one_by_one["trump"]["turned"]
    assert (one_by_one["trump"]["fixed"], turned["hands"]) == (None, 0)  # there was no trump
    assert turned["items"]["pair"] == {how: {"count": 0, "probability": None} for how in ("with_trump", "in_trumps")}


@pytest.mark.parametrize("cards", [1, 2, 3])
def test_every_turned_card_one_by_one_gives_the_same(cards: int) -> None:
    pairs = [(mask, turned & 3) for mask in masks(list(count.all_hands(cards))).tolist() for turned in range(36) if not mask >> turned & 1]
    hands, trumps = np.array(pairs, np.int64).T
    one_by_one = counts(rules(), cards, hands, trumps)
    assert one_by_one["trump"]["turned"] == exact(rules(), cards)["trump"]["turned"]


# ------------------------------------------------------------------ one hand


def bits(kinds: set[str]) -> int:
    return sum(1 << KEYS.index(key) for key in kinds)


@pytest.mark.parametrize(("cards", "number"), [(2, 100), (3, 400), (4, 600), (5, 600), (6, 500), (7, 400)])
def test_what_a_hand_holds(cards: int, number: int) -> None:
    hands = random_hands(cards, number, seed=cards)
    trumps = [i % 4 for i in range(number)]
    rows = measure(rules(), masks(hands), np.array(trumps))
    for i, hand in enumerate(hands):
        found = count.kinds_in(hand, "shdc"[trumps[i]])
        assert rows.held[i] == bits(found["held"])
        assert rows.with_trump[i] == bits(found["with_trump"])
        assert rows.in_trumps[i] == bits(found["in_trumps"])


def test_best_split_and_number_of_combinations_in_every_hand_of_four() -> None:
    hands = list(count.all_hands(4))
    rows = measure(rules(), masks(hands))
    assert rows.points.tolist() == [count.best_points(hand, PRINTED) for hand in hands]
    assert rows.disjoint.tolist() == [count.most_disjoint(hand) for hand in hands]


@pytest.mark.parametrize("repeat_marriage", ["zero", "illegal"])
@pytest.mark.parametrize(("cards", "number"), [(5, 400), (6, 400), (7, 600)])
def test_best_split_and_number_of_combinations(cards: int, number: int, repeat_marriage: str) -> None:
    tables = [PRINTED, random_table(1), random_table(2, 0, 3), random_table(3, -9, 9)]
    hands = random_hands(cards, number, seed=10 + cards)
    for i, table in enumerate(tables):
        some = hands[i :: len(tables)]
        rows = measure(rules(table, repeat_marriage), masks(some))
        assert rows.points.tolist() == [count.best_points(hand, table) for hand in some]
        assert rows.disjoint.tolist() == [count.most_disjoint(hand) for hand in some]


def test_best_split_of_hands_full_of_court_cards() -> None:
    # They make the choice hard: pairs, triples, forces, and two marriages of which one is worth nothing.
    court = [card for card in PACK if card[0] in "JQKA"]
    chance = random.Random(5)
    hands = [frozenset(chance.sample(court, chance.randint(4, 7))) for _ in range(500)]
    for table in (PRINTED, PRINTED | {"marriage": 30}, PRINTED | {"marriage": -1}, random_table(4)):
        rows = measure(rules(table), masks(hands))
        assert rows.points.tolist() == [count.best_points(hand, table) for hand in hands]


@pytest.mark.parametrize(
    ("hand", "points", "disjoint"),
    [
        ("Qs Qh Ks Kh", 6, 2),  # two pairs, better than a marriage and another one without force
        ("Js Qh Kd", 4, 1),  # a marriage and a loose jack; the small queue is worth 3
        ("6s 7s 8s", 6, 1),  # an optima, not a row or a queue
        ("6s 6h 6d 6c", 12, 2),
        ("6s 7h 9d Jc", 0, 0),  # an assembly needs an order
        ("6s 6h 8d 8c Qs Kd As", 10, 3),
        ("As", 0, 0),
    ],
)
def test_examples(hand: str, points: int, disjoint: int) -> None:
    rows = measure(rules(), masks([frozenset(hand.split())]))
    assert (rows.points[0], rows.disjoint[0]) == (points, disjoint)


def test_of_two_marriages_one_is_worth_its_points() -> None:
    rows = measure(rules({"marriage": 50}), masks([frozenset("Qs Qh Ks Kh".split())]))
    assert rows.points[0] == 50


@pytest.mark.parametrize("value", [0, -3])
def test_nobody_has_to_declare_what_is_worth_nothing(value: int) -> None:
    counted = exact(rules(dict.fromkeys(KEYS, value)), 5)
    assert counted["points"] == [[0, comb(36, 5)]]
    assert counted["items"] == exact(rules(), 5)["items"]


def test_points_change_nothing_but_the_points() -> None:
    table = random_table(7)
    changed, printed = exact(rules(table), 4), exact(rules(), 4)
    every = masks(list(count.all_hands(4)))
    assert changed["points"] == counts(rules(table), 4, every)["points"]
    for name in ("items", "disjoint", "trump"):
        assert changed[name] == printed[name]


def test_possible_points_are_sums_of_what_fits_in_the_hand() -> None:
    nothing = dict.fromkeys(KEYS, 0)
    table = list((nothing | {"pair": 10, "small_row": 100, "triple": -1}).values())
    assert possible_points(table, 1).tolist() == [0]
    assert possible_points(table, 4).tolist() == [0, 10, 20, 100]
    assert possible_points(table, 7).tolist() == [0, 10, 20, 30, 100, 110, 120, 200]


# ------------------------------------------------------------------ the sample beside it


def test_simulated_deals_agree() -> None:
    for cards in range(1, 8):
        result = frequencies(rules(), cards, deals=20_000, seed=cards)
        assert result["simulated"]["agreement"]["disagreements"] == []
        assert result["simulated"]["agreement"]["tests"] > 2 * len(ITEMS)
        assert result | {"simulated": None} == exact(rules(), cards) | {"simulated": None}


def test_the_result_is_plain_json_with_intervals() -> None:
    result = frequencies(rules(), 5, deals=20_000, seed=3)
    assert json.loads(json.dumps(result)) == result
    simulated = result["simulated"]
    assert (simulated["deals"], simulated["hands"], simulated["seed"]) == (20_000, 20_000, 3)
    pair = simulated["items"]["pair"]
    assert pair["probability"] == pair["count"] / 20_000
    assert pair["low"] < pair["probability"] < pair["high"]
    assert (pair["n"], pair["method"], pair["level"]) == (20_000, "wilson", 0.95)
    assert simulated["items"]["legendary_row"]["method"] == "never"
    assert simulated["items"]["dump"] is None
    assert simulated["trump"]["fixed"] is None
    in_trumps = simulated["trump"]["turned"]["items"]["small_row"]["in_trumps"]
    assert 0 < in_trumps["low"] < in_trumps["high"] < 1
    assert sum(cell["count"] for _, cell in simulated["points"]) == 20_000


def test_intervals_cover_as_often_as_they_say() -> None:
    covered = 0
    for seed in range(100):
        result = frequencies(rules(), 2, deals=500, seed=seed, level=0.9)
        pair = result["simulated"]["items"]["pair"]
        covered += pair["low"] <= result["items"]["pair"]["probability"] <= pair["high"]
    assert covered >= 75  # 90 expected; five standard deviations


def test_hands_are_those_of_the_shuffle() -> None:
    rows = dealt_hands(rules(), 6, 50, seed=9)
    for game in range(50):
        deck = chance.decks(36, 1, 9, game)[0].tolist()
        assert rows["hand"][game] == sum(1 << card for card in deck[:6])
        assert rows["trump"][game] == deck[35] % 4
    assert dealt_hands(rules(), 6, 30, seed=9, first=20).tolist() == rows[20:].tolist()


def test_a_sample_does_not_depend_on_the_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = frequencies(rules(), 4, deals=500, seed=9, first=3)
    monkeypatch.setattr(shared, "DEALS_AT_ONCE", 7)
    assert frequencies(rules(), 4, deals=500, seed=9, first=3) == whole


def spoiled(sample: dict[str, Any], what: str) -> dict[str, Any]:
    """A copy of a sample in which one number is wrong by a few per cent of the hands."""
    wrong: dict[str, Any] = json.loads(json.dumps(sample))
    if what == "item":
        wrong["items"]["pair"]["count"] += 2_000
    elif what == "points":
        wrong["points"][1][1] += 2_000
    elif what == "impossible points":
        wrong["points"].append([999, 1])
    elif what == "no such points":
        wrong["points"] = wrong["points"][1:]
    elif what == "disjoint":
        wrong["disjoint"][0][1] -= 2_000
    elif what == "impossible":
        wrong["items"]["legendary_row"]["count"] = 1
    else:
        wrong["trump"]["turned"]["items"]["small_row"]["in_trumps"]["count"] += 2_000
    return wrong


@pytest.mark.parametrize(
    ("what", "name"),
    [
        ("item", "items.pair"),
        ("points", "points.3"),
        ("impossible points", "points.999"),
        ("no such points", "points.0"),
        ("disjoint", "disjoint.0"),
        ("impossible", "items.legendary_row"),
        ("trump", "trump.turned.items.small_row.in_trumps"),
    ],
)
def test_a_wrong_sample_is_found(what: str, name: str) -> None:
    sample = sampled(rules(), 4, 50_000, seed=1)
    truth = exact(rules(), 4)
    assert agreement(truth, sample) == []
    assert [each.what for each in agreement(truth, spoiled(sample, what))] == [name]


def test_a_wrong_point_table_is_found() -> None:
    sample = sampled(rules({"pair": 4}), 4, 20_000, seed=1)
    found = agreement(exact(rules(), 4), sample)
    assert {each.what for each in found} >= {"points.3", "points.4"}
    assert all(each.what.startswith("points.") for each in found)


def test_a_trump_that_lies_in_the_hand_is_found() -> None:
    # As if the turned card were one of the hand: such a hand has too many trumps.
    hands = dealt_hands(rules(), 4, 50_000, seed=1)["hand"]
    lowest = np.array([(int(hand) & -int(hand)).bit_length() - 1 & 3 for hand in hands])
    found = agreement(exact(rules(), 4), counts(rules(), 4, hands, lowest))
    assert {each.what.split(".")[1] for each in found} == {"turned"}


def test_false_alarms_are_as_rare_as_the_risk() -> None:
    truth = exact(rules(), 4)
    alarms = 0
    for seed in range(300):
        alarms += bool(agreement(truth, sampled(rules(), 4, 1_000, seed), risk=0.05))
    assert alarms <= 38  # 15 expected at most; six standard deviations


def test_hands_of_different_sizes_are_not_compared() -> None:
    with pytest.raises(ValueError, match="4 cards"):
        agreement(exact(rules(), 4), exact(rules(), 5))


# ------------------------------------------------------------------ hands held in play


def test_hands_held_in_play_are_counted_by_size() -> None:
    fours, fives = dealt_hands(rules(), 4, 4_000, seed=2), dealt_hands(rules(), 5, 1_000, seed=3)
    fives["trump"] = -1
    games = np.arange(4_000)
    held = in_play(np.concatenate([fours, fives]), np.concatenate([games, games[:1_000]]))
    result = held_in_play(rules(), 4, held)
    plain = tallied(4, 4_000, observe(rules(), 4, fours))
    assert (result["cards"], result["hands"], result["games"]) == (4, 4_000, 4_000)
    assert result["items"]["pair"]["count"] == plain["items"]["pair"]["count"]
    assert result["items"]["pair"]["probability"] == plain["items"]["pair"]["probability"]
    assert [[value, cell["count"]] for value, cell in result["points"]] == plain["points"]
    turned = result["trump"]["turned"]["items"]["pair"]["with_trump"]
    assert turned["count"] == plain["trump"]["turned"]["items"]["pair"]["with_trump"]["count"]
    assert json.loads(json.dumps(result)) == result


def test_the_same_hand_held_for_long_is_no_new_observation() -> None:
    held = in_play(dealt_hands(rules(), 4, 2_000, seed=2), np.arange(2_000))
    once = held_in_play(rules(), 4, held)["items"]["pair"]
    often = held_in_play(rules(), 4, held.repeat(9))["items"]["pair"]
    assert often["count"] == 9 * once["count"]
    assert often["probability"] == once["probability"]
    assert often["low"] == pytest.approx(once["low"])
    assert often["high"] == pytest.approx(once["high"])
    assert often["n"] == 2_000


def test_what_was_always_or_never_held_has_a_bound_that_counts_games() -> None:
    hand = count.mask_of(frozenset("6s 6h 9d Jc".split()))
    result = held_in_play(rules(), 4, in_play(rows_of(np.full(500, hand), 0), np.arange(500) // 5))
    pair, triple = result["items"]["pair"], result["items"]["triple"]
    assert (pair["probability"], pair["method"], pair["high"]) == (1.0, "always", 1.0)
    assert (triple["probability"], triple["method"], triple["low"]) == (0.0, "never", 0.0)
    assert 1 - pair["low"] == pytest.approx(triple["high"]) == pytest.approx(1 - 0.05 ** (1 / 100))


def test_no_hand_of_that_size_gives_no_probability() -> None:
    result = held_in_play(rules(), 7, in_play(dealt_hands(rules(), 4, 10, seed=2), np.arange(10)))
    assert (result["hands"], result["games"], result["points"]) == (0, 0, [])
    assert result["items"]["pair"] == {"count": 0, "probability": None}


# ------------------------------------------------------------------ wrong input


@pytest.mark.parametrize(("cards", "limit"), [(0, 7), (8, 7), (5, 4)])
def test_a_hand_that_never_occurs_is_refused(cards: int, limit: int) -> None:
    with pytest.raises(InputError, match=f"1 to {limit} cards"):
        exact(rules(hand_limit=limit), cards)
    with pytest.raises(InputError, match=f"1 to {limit} cards"):
        counts(rules(hand_limit=limit), cards, np.zeros(0, np.int64))


def test_no_deals_are_refused() -> None:
    with pytest.raises(InputError, match="at least 1"):
        frequencies(rules(), 4, deals=0, seed=1)


def test_a_game_without_frequencies_is_named() -> None:
    with pytest.raises(InputError, match="snap"):
        frequencies(rules(key="snap"), 4, deals=1, seed=1)


@pytest.mark.parametrize(
    ("hands", "trumps"),
    [
        ([1 << 36], [0]),
        ([-1], [0]),
        ([0xFF], [0]),
        ([3, 3], [0]),
        ([3], [4]),
        ([3], [-2]),
        ([[3]], [[0]]),
    ],
)
def test_masks_and_trumps_that_are_none_are_refused(hands: Any, trumps: Any) -> None:
    with pytest.raises(ValueError, match="must be"):
        measure(rules(), np.array(hands), np.array(trumps))


def test_hands_of_another_size_are_refused() -> None:
    with pytest.raises(ValueError, match="3 cards"):
        counts(rules(), 3, np.array([3]))
