"""Chance: the published vectors, numbers without bias, decks without pattern, streams that do not know of each other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from kombinator_positions import ruleset
from scipy.stats import chi2, chisquare

from simcore.chance import FIRST_DEALER, SEAT, SHUFFLE, below, decks, next_word, open_stream, philox_block
from simcore.compiled import kernel
from simcore.simulate import Table

LOW, WORD = 2**32 - 1, 2**64 - 1
LEAST = 1e-7


@kernel
def numbers(seed: int, game: int, deal: int, purpose: int, bounds: Any, out: Any) -> None:
    """One stream: a number below each bound (0: a whole word)."""
    stream, scratch = np.empty(2, np.uint64), np.empty(4, np.uint64)
    open_stream(stream, scratch, np.uint64(seed), game, deal, purpose)
    for i in range(len(out)):
        out[i] = next_word(stream) if bounds[i] == 0 else np.uint64(below(stream, bounds[i]))


def draw(bounds: np.ndarray, seed: int = 1, game: int = 0, deal: int = 1, purpose: int = SHUFFLE) -> np.ndarray:
    out = np.zeros(len(bounds), np.uint64)
    numbers(np.uint64(seed), game, deal, purpose, bounds, out)
    return out


def words(count: int, **where: int) -> np.ndarray:
    return draw(np.zeros(count, np.int64), **where)


# --- the same in plain Python, from the papers ---------------------------------------------------------------------------------------------


def plain_philox(counter: list[int], key: list[int]) -> list[int]:
    a, b, c, d = counter
    for i in range(10):
        k, m = (key[0] + i * 0x9E3779B9) & LOW, (key[1] + i * 0xBB67AE85) & LOW
        first, second = 0xD2511F53 * a, 0xCD9E8D57 * c
        a, b, c, d = (second >> 32) ^ b ^ k, second & LOW, (first >> 32) ^ d ^ m, first & LOW
    return [a, b, c, d]


class PlainStream:
    def __init__(self, seed: int, game: int, deal: int, purpose: int) -> None:
        a, b, c, d = plain_philox([0, deal << 8 | purpose, game & LOW, game >> 32], [seed & LOW, seed >> 32])
        self.state, self.step = a << 32 | b, c << 32 | d | 1

    def word(self) -> int:
        self.state = (self.state + self.step) & WORD
        z = self.state
        z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & WORD
        z = ((z ^ z >> 27) * 0x94D049BB133111EB) & WORD
        return z ^ z >> 31

    def below(self, n: int) -> int:
        while True:
            product = (self.word() >> 32) * n
            if product & LOW >= 2**32 % n:
                return product >> 32

    def shuffle(self, cards: int) -> list[int]:
        deck: list[int] = []
        for i in range(cards):
            j = self.below(i + 1)
            deck.append(i)
            deck[i], deck[j] = deck[j], i
        return deck


# --- tests --------------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("counter", "key", "image"),
    [
        ("00000000 00000000 00000000 00000000", "00000000 00000000", "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
        ("ffffffff ffffffff ffffffff ffffffff", "ffffffff ffffffff", "408f276d 41c83b0e a20bc7c6 6d5451fd"),
        ("243f6a88 85a308d3 13198a2e 03707344", "a4093822 299f31d0", "d16cfe09 94fdcceb 5001e420 24126ea1"),
    ],
)
def test_philox_published_vectors(counter: str, key: str, image: str) -> None:
    numbers_of = [[int(word, 16) for word in text.split()] for text in (counter, key, image)]
    assert philox_block(numbers_of[0], numbers_of[1]) == numbers_of[2]
    assert plain_philox(numbers_of[0], numbers_of[1]) == numbers_of[2]


@pytest.mark.parametrize("seed", [0, 1, 2**32, 2**64 - 1])
@pytest.mark.parametrize("game", [0, 5, 2**32 + 7, 2**62])
def test_plain_python_agrees(seed: int, game: int) -> None:
    deal, purpose = 1 + game % 1000, SEAT + 3
    stream = PlainStream(seed, game, deal, purpose)
    bounds = np.array([0, 1, 2, 3, 36, 1000, 2**31 + 1, 3 * 2**30, 2**32 - 1] * 10, np.int64)
    plain = [stream.below(int(n)) if n else stream.word() for n in bounds]
    assert [int(number) for number in draw(bounds, seed, game, deal, purpose)] == plain
    assert decks(36, 3, seed, game, deal).tolist() == [PlainStream(seed, game + i, deal, SHUFFLE).shuffle(36) for i in range(3)]


@pytest.mark.parametrize("n", [2, 3, 5, 7, 36, 100])
def test_below_small_numbers_are_uniform(n: int) -> None:
    found = draw(np.full(200_000, n, np.int64), seed=n)
    assert found.max() == n - 1
    assert chisquare(np.bincount(found.astype(np.int64), minlength=n)).pvalue > LEAST


@pytest.mark.parametrize("n", [3 * 2**30, 2**31 + 1])
def test_below_rejects_what_would_favour_some_numbers(n: int) -> None:
    """With these bounds a number without rejection would fall a third, or all but twice, too often into some classes."""
    found = draw(np.full(200_000, n, np.int64), seed=9)
    assert found.max() < n
    assert chisquare(np.bincount((found % np.uint64(3)).astype(np.int64), minlength=3)).pvalue > LEAST
    assert chisquare(np.histogram(found, bins=16, range=(0, n))[0]).pvalue > LEAST


def test_every_deck_is_a_permutation() -> None:
    for cards in (1, 2, 36, 52):
        assert np.array_equal(np.sort(decks(cards, 50, seed=3), axis=1), np.tile(np.arange(cards), (50, 1)))


def test_shuffle_every_order_of_few_cards_equally_often() -> None:
    found = decks(4, 120_000, seed=5) @ np.array([64, 16, 4, 1])
    counts = np.unique(found, return_counts=True)[1]
    assert len(counts) == 24 and chisquare(counts).pvalue > LEAST


def test_shuffle_positions_and_pairs() -> None:
    """Every card lies everywhere equally often, and every ordered pair of cards in the same two places, near and far."""
    games = 150_000
    found = decks(36, games, seed=1)
    table = np.array([np.bincount(found[:, place], minlength=36) for place in range(36)])
    statistic = ((table - games / 36) ** 2 / (games / 36)).sum()
    assert LEAST < chi2.sf(statistic, 35 * 35) < 1 - LEAST
    for first, second in ((0, 1), (0, 35), (17, 18), (34, 35), (3, 20)):
        pairs = np.bincount(found[:, first] * 36 + found[:, second], minlength=36 * 36).reshape(36, 36)
        assert not pairs.diagonal().any()
        assert chisquare(pairs[~np.eye(36, dtype=bool)]).pvalue > LEAST
    followers = np.zeros((36, 36), np.int64)
    np.add.at(followers, (found[:20_000, :-1], found[:20_000, 1:]), 1)
    assert chisquare(followers[~np.eye(36, dtype=bool)]).pvalue > LEAST


def independent(a: np.ndarray, b: np.ndarray) -> None:
    """Two columns of words: no correlation of values, of single bits, and no common words."""
    n = len(a)
    x, y = a / 2**64 - 0.5, b / 2**64 - 0.5
    assert abs((x * y).mean() * 12) < 5.5 / np.sqrt(n)
    for shift in (0, 13, 31, 32, 50, 63):
        equal = ((a ^ b) >> np.uint64(shift) & np.uint64(1)).mean()
        assert abs(equal - 0.5) < 5.5 * 0.5 / np.sqrt(n)
    assert (a != b).all()


def test_neighbouring_streams_are_independent() -> None:
    n = 3000
    base = [words(4, game=game, deal=1, purpose=SEAT) for game in range(n + 1)]
    by_game = np.array(base)
    independent(by_game[:-1].ravel(), by_game[1:].ravel())
    for where in ({"deal": 2}, {"purpose": SEAT + 1}, {"purpose": SHUFFLE}, {"purpose": FIRST_DEALER}, {"seed": 2}):
        other = np.array([words(4, **{"game": game, "deal": 1, "purpose": SEAT, **where}) for game in range(n)])
        independent(by_game[:-1].ravel(), other.ravel())
    inside = words(20_000)
    independent(inside[:-1], inside[1:])


def test_neighbouring_decks_are_independent() -> None:
    """The first card of neighbouring games and deals, and of neighbouring seeds: all 36 x 36 pairs equally often."""
    first = decks(36, 60_001, seed=4)[:, 0]
    for a, b in (
        (first[:-1], first[1:]),
        (first[:-1], decks(36, 60_000, seed=4, deal=2)[:, 0]),
        (first[:-1], decks(36, 60_000, seed=5)[:, 0]),
        (first[:-1], decks(36, 60_000, seed=4, first=2**32)[:, 0]),
    ):
        assert chisquare(np.bincount(a * 36 + b, minlength=36 * 36)).pvalue > LEAST


def test_the_deck_depends_on_seed_game_and_deal_only() -> None:
    """Rulesets, strategies, players and batches all meet the same cards."""
    expected = {(game, deal): decks(36, 1, seed=6, first=game, deal=deal)[0] for game in range(6) for deal in (1, 2)}
    for settings, strategy, players in (((), "random", 2), (("hand_size=2", "superblow=adds"), "random", 3), ((), "greedy", 2), ((), "random", 9)):
        table = Table(ruleset("max_deals=2", *settings), [strategy], players, seed=6)
        pack = table.ruleset.schema.pack
        for game in range(6):
            for event in table.transcript(game):
                if event["event"] == "deal":
                    dealt = len(event["hands"][0])
                    seats = [(event["dealer"] + 1 + i) % players for i in range(players)]
                    cards = [event["hands"][seat][turn] for turn in range(dealt) for seat in seats] + event["stock"]
                    numbers_of = [pack.index(card[0]) * 4 + "shdc".index(card[1]) for card in cards]
                    assert numbers_of == expected[game, event["deal"]].tolist()


def test_k7_the_first_dealer_is_drawn_evenly() -> None:
    for players in (2, 5, 9):
        dealers = Table(ruleset("max_deals=1", "max_bouts=1"), ["random"], players, seed=8).play(0, 9000).games["dealer"]
        assert chisquare(np.bincount(dealers, minlength=players)).pvalue > LEAST
