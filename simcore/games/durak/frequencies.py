"""What hands of durak hold: trumps, and cards of one rank; over all hands, or over given ones.

A hand is dealt beside the card that is turned up, whose suit is the trump. So what is counted are hands together with what may follow them, by formulas: of
the ranks a hand may take none to four cards each, independently of each other, and of trumps a pack has one for each rank, one of them turned.

What follows is the next card; with jokers the next three, of which the first that is no joker is turned up: whichever card of the stock a turned joker changes
places with (R18), each plain card outside the hand is turned up as often as any other.
"""

from __future__ import annotations

from itertools import product
from math import comb, perm
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from simcore.errors import InputError
from simcore.games.durak.deck import BLACK_JOKER, LARGE, MAX_CARDS, RED_JOKER, size_of
from simcore.games.durak.view import DEALT

if TYPE_CHECKING:
    from simcore.ruleset import Ruleset

KINDS: Final = {"two_of_a_rank": 2, "three_of_a_rank": 3, "four_of_a_rank": 4}
RED_SUITS: Final = (1, 2)  # hearts and diamonds

HELD: Final = np.dtype([("hand", "i8"), ("trump", "i8")])


def sizes(ruleset: Ruleset) -> tuple[int, ...]:
    """Hands of six cards are dealt, and filled up to (T2)."""
    return (DEALT,)


def dealt(ruleset: Ruleset) -> int:
    """Cards of a dealt hand (T2)."""
    return DEALT


def pack_size(ruleset: Ruleset) -> int:
    """Cards of the pack (D3)."""
    return size_of(ruleset)


def rows_of(decks: np.ndarray, cards: int) -> np.ndarray:
    """Rows (HELD): the first ``cards`` cards of each deck (int64[deals, pack]), and the suit of the last one that is no joker, as good a turned card as any."""
    last = decks[:, :-4:-1]
    turned = np.take_along_axis(last, (last < LARGE).argmax(axis=1)[:, None], axis=1)[:, 0]
    rows = np.empty(len(decks), HELD)
    rows["hand"] = (1 << decks[:, :cards]).sum(axis=1)
    rows["trump"] = turned & 3
    return rows


def exact(ruleset: Ruleset, cards: int) -> dict[str, Any]:
    """What all hands of so many cards hold.

    Returns a dictionary of plain numbers:

    - ``cards``; ``hands``: how many hands there are, each with every card that may follow it: C(36, cards) * (36 - cards), alike with 52 cards, and with
      54 and two jokers C(54, cards) * (54 - cards) * (53 - cards) * (52 - cards);
    - ``items``: by key ``{"count", "probability"}`` of the hands that hold a trump, the highest trump, two, three or four cards of a rank;
    - ``points``: ``[trumps, count]``, ascending;
    - ``most_of_a_rank``: ``[most cards of one rank, count]``, ascending.

    Raises:
        InputError: A hand never has so many cards.
    """
    _check_cards(ruleset, cards)
    size, jokers = size_of(ruleset), _jokers(ruleset)
    plain, ranks = size - jokers, (size - jokers) // 4
    follow = perm(size - cards, jokers + 1)
    trumps = dict.fromkeys(range(ranks + 1), 0)
    top, at_most = 0, [0] * 5
    for trump_joker, plain_joker in product(range(2 if jokers else 1), repeat=2):
        held = cards - trump_joker - plain_joker  # of the plain cards
        if not 0 <= held < plain:
            continue
        times = follow // (plain - held)  # each plain card outside the hand is turned up as often
        for n in range(min(ranks - 1, held) + 1):
            trumps[n + trump_joker] += times * plain * comb(ranks - 1, n) * comb(plain - ranks, held - n)
        if jokers:
            top += times * trump_joker * comb(plain, held) * (plain - held)
        elif held:
            top += times * (plain - 4) * comb(plain - 2, held - 1)  # any card but an ace is turned, and the ace of its suit is in the hand
        for most in range(trump_joker + plain_joker, 5):
            at_most[most] += times * _hands_with_at_most(most, held, ranks) * (plain - held)
    hands = comb(size, cards) * follow
    items = {"trump": hands - trumps[0], "top_trump": top, **{key: hands - at_most[most - 1] for key, most in KINDS.items()}}
    return {
        "cards": cards,
        "hands": hands,
        "items": {key: {"count": count, "probability": count / hands} for key, count in items.items()},
        "points": [[value, count] for value, count in trumps.items() if count],
        "most_of_a_rank": [[most, at_most[most] - at_most[most - 1]] for most in range(1, 5) if at_most[most] > at_most[most - 1]],
    }


def observe(ruleset: Ruleset, cards: int, rows: np.ndarray) -> dict[str, Any]:
    """The tables of `exact` over given hands, with an array in place of each number.

    Args:
        ruleset: The rules.
        cards: Number of cards of each hand.
        rows: Rows with ``hand``, a mask, and ``trump``, the number of the trump suit.

    Raises:
        InputError: A hand never has so many cards.
    """
    _check_cards(ruleset, cards)
    held = (rows["hand"][:, None] >> np.arange(MAX_CARDS + 2) & 1).reshape(-1, MAX_CARDS // 4 + 1, 4)  # the jokers are two cards of a rank above the aces
    most = held.sum(axis=2).max(axis=1)
    suit = np.take_along_axis(held, rows["trump"][:, None, None], axis=2)[:, :, 0]
    trump_joker = np.where(np.isin(rows["trump"], RED_SUITS), rows["hand"] >> RED_JOKER, rows["hand"] >> BLACK_JOKER) & 1
    ranks = (size_of(ruleset) - _jokers(ruleset)) // 4
    number = suit[:, :ranks].sum(axis=1) + trump_joker
    top = trump_joker if _jokers(ruleset) else suit[:, ranks - 1]
    items = {"trump": number > 0, "top_trump": top == 1, **{key: most >= least for key, least in KINDS.items()}}
    return {"items": items, "points": number, "most_of_a_rank": most}


def _hands_with_at_most(most: int, cards: int, ranks: int) -> int:
    """How many hands hold no more than so many cards of any of the ranks: a coefficient of the product of one polynomial a rank."""
    ways = [1] + [0] * cards
    for _ in range(ranks):
        ways = [sum(ways[n - k] * comb(4, k) for k in range(min(most, n) + 1)) for n in range(cards + 1)]
    return ways[cards]


def _jokers(ruleset: Ruleset) -> int:
    return max(0, size_of(ruleset) - LARGE)


def _check_cards(ruleset: Ruleset, cards: int) -> None:
    most = size_of(ruleset) - 1 - _jokers(ruleset)
    if not 1 <= cards <= most:
        raise InputError(f"a hand beside the turned card has 1 to {most} cards, not {cards}")
