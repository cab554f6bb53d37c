"""The only source of randomness.

Every random number is a function of (seed, game, deal, purpose). Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3",
SC 2011), keyed by the seed, turns (game, deal, purpose) into the start and the step of a SplitMix64 stream (Steele, Lea and Flood, "Fast splittable
pseudorandom number generators", OOPSLA 2014). A stream tells nothing of the seed, so a strategy may hold its own without seeing the cards.

The shuffle of a deal depends on nothing but seed, game and deal: all rulesets and strategies meet the same cards, whatever the batch or the machine.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from simcore.compiled import inner, kernel

SHUFFLE: Final = 0
FIRST_DEALER: Final = 1
SEAT: Final = 16  # the decisions of seat s have the purpose SEAT + s
MAX_SEED: Final = 2**64 - 1

_LOW = np.uint64(0xFFFFFFFF)
_32 = np.uint64(32)


@inner
def philox(counter: np.ndarray, key_low: np.uint64, key_high: np.uint64) -> None:
    """Replace the four 32-bit words in ``counter`` (uint64[4]) by their Philox4x32-10 image under the key."""
    a, b, c, d = counter[0], counter[1], counter[2], counter[3]
    for _ in range(10):
        first = np.uint64(0xD2511F53) * a
        second = np.uint64(0xCD9E8D57) * c
        a = (second >> _32) ^ b ^ key_low
        b = second & _LOW
        c = (first >> _32) ^ d ^ key_high
        d = first & _LOW
        key_low = (key_low + np.uint64(0x9E3779B9)) & _LOW
        key_high = (key_high + np.uint64(0xBB67AE85)) & _LOW
    counter[0], counter[1], counter[2], counter[3] = a, b, c, d


@inner
def mix(z: np.uint64) -> np.uint64:
    """The output function of SplitMix64."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@inner
def open_stream(stream: np.ndarray, scratch: np.ndarray, seed: np.uint64, game: int, deal: int, purpose: int) -> None:
    """Set ``stream`` (uint64[2]: state, step) to the start of the stream of (seed, game, deal, purpose).

    ``scratch`` is uint64[4]. deal < 2^24, purpose < 2^8.
    """
    scratch[0] = np.uint64(0)
    scratch[1] = np.uint64(deal << 8 | purpose)
    scratch[2] = np.uint64(game) & _LOW
    scratch[3] = np.uint64(game) >> _32
    philox(scratch, seed & _LOW, seed >> _32)
    stream[0] = scratch[0] << _32 | scratch[1]
    stream[1] = scratch[2] << _32 | scratch[3] | np.uint64(1)


@inner
def next_word(stream: np.ndarray) -> np.uint64:
    """The next 64 random bits of ``stream`` (uint64[2])."""
    stream[0] += stream[1]
    return mix(stream[0])


@inner
def below(stream: np.ndarray, n: int) -> np.int64:
    """A whole number from 0 to n - 1, each equally likely; 1 <= n < 2^32.

    Lemire, "Fast random integer generation in an interval" (2019): multiply, and reject the few words that would favour some numbers.
    """
    bound = np.uint64(n)
    product = (next_word(stream) >> _32) * bound
    if product & _LOW < bound:
        threshold = (np.uint64(0x100000000) - bound) % bound
        while product & _LOW < threshold:
            product = (next_word(stream) >> _32) * bound
    return np.int64(product >> _32)


@inner
def shuffle(deck: np.ndarray, stream: np.ndarray) -> None:
    """Fill ``deck`` (int64[n]) with a random order of 0 to n - 1 (Fisher-Yates, inside out).

    Draws exactly as `below` does; written out so that the state of the stream stays in a register.
    """
    state, step = stream[0], stream[1]
    for i in range(len(deck)):
        bound = np.uint64(i + 1)
        state += step
        product = (mix(state) >> _32) * bound
        if product & _LOW < bound:
            threshold = (np.uint64(0x100000000) - bound) % bound
            while product & _LOW < threshold:
                state += step
                product = (mix(state) >> _32) * bound
        j = np.int64(product >> _32)
        deck[i] = deck[j]
        deck[j] = i
    stream[0] = state


@kernel
def _fill_decks(decks: np.ndarray, seed: np.uint64, first: int, deal: int) -> None:
    stream = np.empty(2, np.uint64)
    scratch = np.empty(4, np.uint64)
    for i in range(len(decks)):
        open_stream(stream, scratch, seed, first + i, deal, SHUFFLE)
        shuffle(decks[i], stream)


def decks(cards: int, games: int, seed: int, first: int = 0, deal: int = 1) -> np.ndarray:
    """The decks that deal number ``deal`` of games ``first`` to ``first + games - 1`` starts from.

    Returns int64[games, cards], each row an order of the card indices 0 to cards - 1, in dealing order.
    """
    out = np.empty((games, cards), np.int64)
    _fill_decks(out, np.uint64(seed), first, deal)
    return out


@kernel
def _philox_block(counter: np.ndarray, key: np.ndarray) -> None:
    philox(counter, key[0], key[1])


def philox_block(counter: list[int], key: list[int]) -> list[int]:
    """Four 32-bit words of Philox4x32-10 for four counter words and two key words; for checks against published values."""
    words = np.array(counter, np.uint64)
    _philox_block(words, np.array(key, np.uint64))
    return [int(word) for word in words]
