"""How many hands hold each combination, and what their best splits are worth, by other roads than kernels.

Whole packs are counted with Python's integers from closed forms and from small tables over ranks or suits;
the single hand is looked at as a set of texts such as ``"Qs"``, with the plainest tests
(`model.kombinator_combinations`). Nothing here shares code or ideas with the enumeration: no masks, no
symmetry of the suits, no weights.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from itertools import combinations, product
from math import comb

from model.kombinator_combinations import KINDS, PACK, RANKS, SUITS, Cards, is_combination

LENGTHS = {"small": 3, "medium": 4, "large": 5, "great": 6, "legendary": 7}
NO_MATTER_OF_A_HAND = ("dump", "jackpot", "superblow")


# ------------------------------------------------------------------ all hands, by formulas


def hands_of(cards: int) -> int:
    """Number of hands."""
    return comb(36, cards)


def held(key: str, cards: int) -> int:
    """In how many hands of so many cards the combination `key` is held."""
    if key in ("pair", "triple"):
        return hands_of(cards) - _no_rank_has({"pair": 2, "triple": 3}[key], cards)
    if key.endswith("_force"):
        return _four_of_one_rank_of({"small": 5, "large": 3, "absolute": 1}[key.split("_")[0]], cards)
    if key == "marriage":
        # All hands, less those without a queen, those without a king, and with those without both, taken off
        # twice.
        return hands_of(cards) - 2 * comb(32, cards) + comb(28, cards)
    if key == "assembly":
        # Inclusion and exclusion over the suits that are missing.
        return sum((-1) ** missing * comb(4, missing) * comb(36 - 9 * missing, cards) for missing in range(5))
    length, category = LENGTHS[key.split("_")[0]], key.split("_")[1]
    if category == "row":
        return _some_suit_has(length, cards)
    if category == "queue":
        return hands_of(cards) - _no_run(length, cards, ways=lambda n: comb(4, n))
    assert category == "optima"
    return hands_of(cards) - _no_run_in_any_suit(length, cards)


def held_in_trumps(key: str, cards: int) -> int:
    """In how many hands the combination is held with nothing but cards of one suit named beforehand."""
    if key == "marriage":
        return comb(34, cards - 2) if cards >= 2 else 0
    if not key.endswith(("_row", "_queue", "_optima")):
        return 0
    length, category = LENGTHS[key.split("_")[0]], key.split("_")[1]
    long_enough = {n: sum(1 for ranks in combinations(range(9), n) if category == "row" or _longest_run(ranks) >= length) for n in range(length, 10)}
    return sum(ways * comb(27, cards - n) for n, ways in long_enough.items() if n <= cards)


def held_with_trump(key: str, cards: int) -> int:
    """In how many hands the combination is held with at least one card of one suit named beforehand."""
    if key in ("pair", "triple"):
        # No rank has so many cards with the trump among them: without the trump any of the other three may be
        # there.
        enough = {"pair": 2, "triple": 3}[key]
        ways = [comb(3, n) + (comb(3, n - 1) if 0 < n < enough else 0) for n in range(5)]
        return hands_of(cards) - _power(ways, 9)[cards]
    if key.endswith("_force") or key == "assembly":
        return held(key, cards)
    if key == "marriage":
        # Trump queen and any king, or trump king and any queen, less both.
        one_way = comb(35, cards - 1) - comb(31, cards - 1)
        return 2 * one_way - (comb(34, cards - 2) if cards >= 2 else 0)
    length, category = LENGTHS[key.split("_")[0]], key.split("_")[1]
    if category in ("row", "optima"):
        return held_in_trumps(key, cards)
    return hands_of(cards) - _no_run_with_trump(length, cards)


def _power(ways: list[int], times: int) -> list[int]:
    """Coefficients of a polynomial's power: ways to place so many cards in so many ranks (or suits)."""
    total = [1]
    for _ in range(times):
        longer = [0] * (len(total) + len(ways) - 1)
        for i, a in enumerate(total):
            for j, b in enumerate(ways):
                longer[i + j] += a * b
        total = longer
    return total + [0] * (37 - len(total))


def _no_rank_has(enough: int, cards: int) -> int:
    """Hands without so many cards of any rank; for pairs this is C(9, k)·4^k."""
    if enough == 2:
        suits: int = 4**cards
        return comb(9, cards) * suits
    return _power([comb(4, n) for n in range(enough)], 9)[cards]


def _four_of_one_rank_of(ranks: int, cards: int) -> int:
    """Hands with four of a kind in at least one of so many ranks: inclusion and exclusion over the ranks."""
    return sum((-1) ** (full + 1) * comb(ranks, full) * comb(36 - 4 * full, cards - 4 * full) for full in range(1, ranks + 1) if cards >= 4 * full)


def _some_suit_has(length: int, cards: int) -> int:
    """Hands by how many cards each of the four suits has, where one has enough."""
    total = 0
    for suits in product(range(10), repeat=3):
        last = cards - sum(suits)
        if 0 <= last <= 9 and max(*suits, last) >= length:
            ways = comb(9, last)
            for n in suits:
                ways *= comb(9, n)
            total += ways
    return total


def _no_run(length: int, cards: int, ways: Callable[[int], int]) -> int:
    """Hands without a run of so many ranks.

    Rank by rank: (length of the run so far, cards) -> number of ways; a rank holds n cards in `ways(n)` ways.
    """
    states = Counter({(0, 0): 1})
    for _ in RANKS:
        following: Counter[tuple[int, int]] = Counter()
        for (run, used), number in states.items():
            for n in range(5):
                longer = run + 1 if n else 0
                if longer < length:
                    following[longer, used + n] += number * ways(n)
        states = following
    return sum(number for (_, used), number in states.items() if used == cards)


def _no_run_with_trump(length: int, cards: int) -> int:
    """Hands without a run of so many ranks in which some rank holds its trump.

    Rank by rank: (length of the run so far, whether it has a trump in it, cards) -> number of ways. A long
    run can be cut about any of its ranks, so a run with a trump anywhere in it may not be as long as that.
    """
    states = Counter({(0, False, 0): 1})
    for _ in RANKS:
        following: Counter[tuple[int, bool, int]] = Counter()
        for (run, trump, used), number in states.items():
            following[0, False, used] += number
            for others in range(4):
                for with_trump in (False, True):
                    if others or with_trump:
                        state = (run + 1, trump or with_trump, used + others + with_trump)
                        if not (state[0] >= length and state[1]):
                            following[state] += number * comb(3, others)
        states = following
    return sum(number for (_, _, used), number in states.items() if used == cards)


def _no_run_in_any_suit(length: int, cards: int) -> int:
    """Hands no suit of which has a run: the sets of ranks without one, suit by suit."""
    one_suit = [sum(_longest_run(ranks) < length for ranks in combinations(range(9), n)) for n in range(10)]
    return _power(one_suit, 4)[cards]


def _longest_run(ranks: Iterable[int]) -> int:
    """Length of the longest run among some ranks."""
    there = set(ranks)
    return max((_run_from(rank, there) for rank in there), default=0)


def _run_from(rank: int, there: set[int]) -> int:
    return 1 + _run_from(rank + 1, there) if rank in there else 0


# ------------------------------------------------------------------ one hand, by looking at it


@cache
def _kinds_of(cards: Cards) -> tuple[str, ...]:
    """The combinations that some cards are, all of them together."""
    return tuple(key for key, kind in KINDS.items() if key not in NO_MATTER_OF_A_HAND and kind.size == len(cards) and is_combination(key, cards))


def parts_of(hand: Cards) -> list[tuple[Cards, tuple[str, ...]]]:
    """Every set of cards in a hand that is a combination, with what it is."""
    sets = (frozenset(some) for n in range(2, len(hand) + 1) for some in combinations(sorted(hand), n))
    return [(some, _kinds_of(some)) for some in sets if _kinds_of(some)]


def kinds_in(hand: Cards, trump: str | None = None) -> dict[str, set[str]]:
    """What a hand holds: at all, with a trump, in nothing but trumps."""
    found: dict[str, set[str]] = {"held": set(), "with_trump": set(), "in_trumps": set()}
    for cards, kinds in parts_of(hand):
        found["held"] |= set(kinds)
        if any(card[1] == trump for card in cards):
            found["with_trump"] |= set(kinds)
        if all(card[1] == trump for card in cards):
            found["in_trumps"] |= set(kinds)
    return found


def best_points(hand: Cards, points: Mapping[str, int]) -> int:
    """Points of the best split, every way tried: card by card it stays loose or goes into a combination.

    Of two marriages only one is worth its points (K-31); an assembly needs an order and is left out (K-32).
    """
    parts = [(cards, [key for key in kinds if key != "assembly"]) for cards, kinds in parts_of(hand)]

    def best(left: Cards, married: bool) -> int:
        if not left:
            return 0
        card = min(left)
        options = [best(left - {card}, married)]
        for cards, kinds in parts:
            if card in cards and cards <= left:
                for key in kinds:
                    wed = key == "marriage"
                    gain = 0 if wed and married else points[key]
                    options.append(gain + best(left - cards, married or wed))
        return max(options)

    return best(hand, False)


def most_disjoint(hand: Cards) -> int:
    """The most combinations, assemblies apart, that fit side by side in a hand."""
    parts = [cards for cards, kinds in parts_of(hand) if kinds != ("assembly",)]

    def most(left: Cards) -> int:
        return max((1 + most(left - cards) for cards in parts if cards <= left), default=0)

    return most(hand)


def all_hands(cards: int) -> Iterable[Cards]:
    """Every hand of so many cards."""
    return map(frozenset, combinations(PACK, cards))


def mask_of(hand: Cards) -> int:
    """The number that the kernels know a hand by: bit rank·4 + suit for each card."""
    return sum(1 << RANKS.index(card[0]) * 4 + SUITS.index(card[1]) for card in hand)
