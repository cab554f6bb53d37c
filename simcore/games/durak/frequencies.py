"""What hands of durak hold: trumps, and cards of one rank; over all hands, or over given ones.

A hand is dealt beside the card that is turned up, whose suit is the trump. So what is counted are hands together with a turned card that is not in them, by
formulas: of trumps a pack has nine, one of them turned; of the ranks a hand may take none to four cards each, independently of each other.
"""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from simcore.errors import InputError
from simcore.games.durak.view import DEALT

if TYPE_CHECKING:
    from simcore.ruleset import Ruleset

CARDS: Final = 36
RANKS: Final = CARDS // 4
MOST: Final = CARDS - 1  # cards of a hand beside the turned one
KINDS: Final = {"two_of_a_rank": 2, "three_of_a_rank": 3, "four_of_a_rank": 4}

HELD: Final = np.dtype([("hand", "i8"), ("trump", "i8")])


def sizes(ruleset: Ruleset) -> tuple[int, ...]:
    """Hands of six cards are dealt, and filled up to (T2)."""
    _check_deck(ruleset)
    return (DEALT,)


def dealt(ruleset: Ruleset) -> int:
    """Cards of a dealt hand (T2)."""
    return DEALT


def rows_of(decks: np.ndarray, cards: int) -> np.ndarray:
    """Rows (HELD): the first ``cards`` cards of each deck (int64[deals, 36]), and the suit of the last one, as good a turned card as any."""
    rows = np.empty(len(decks), HELD)
    rows["hand"] = (1 << decks[:, :cards]).sum(axis=1)
    rows["trump"] = decks[:, -1] & 3
    return rows


def exact(ruleset: Ruleset, cards: int) -> dict[str, Any]:
    """What all hands of so many cards hold.

    Returns a dictionary of plain numbers:

    - ``cards``; ``hands``: how many hands there are, each with every card that may be turned up beside it: C(36, cards) * (36 - cards);
    - ``items``: by key ``{"count", "probability"}`` of the hands that hold a trump, the highest trump, two, three or four cards of a rank;
    - ``points``: ``[trumps, count]``, ascending;
    - ``most_of_a_rank``: ``[most cards of one rank, count]``, ascending.

    Raises:
        InputError: The pack is not that of 36 cards, or a hand never has so many cards.
    """
    _check_deck(ruleset)
    _check_cards(cards)
    hands = comb(CARDS, cards) * (CARDS - cards)
    trumps = {n: CARDS * comb(RANKS - 1, n) * comb(CARDS - RANKS, cards - n) for n in range(min(RANKS - 1, cards) + 1)}
    at_most = [_hands_with_at_most(most, cards) * (CARDS - cards) for most in range(5)]
    most_of_a_rank = {most: at_most[most] - at_most[most - 1] for most in range(1, 5)}
    items = {
        "trump": hands - trumps[0],
        "top_trump": (CARDS - 4) * comb(CARDS - 2, cards - 1),  # any card but an ace is turned, and the ace of its suit is in the hand
        **{key: hands - at_most[most - 1] for key, most in KINDS.items()},
    }
    return {
        "cards": cards,
        "hands": hands,
        "items": {key: {"count": count, "probability": count / hands} for key, count in items.items()},
        "points": [[value, count] for value, count in trumps.items() if count],
        "most_of_a_rank": [[value, count] for value, count in most_of_a_rank.items() if count],
    }


def observe(ruleset: Ruleset, cards: int, rows: np.ndarray) -> dict[str, Any]:
    """The tables of `exact` over given hands, with an array in place of each number.

    Args:
        ruleset: The rules.
        cards: Number of cards of each hand.
        rows: Rows with ``hand``, a mask, and ``trump``, the number of the trump suit.

    Raises:
        InputError: The pack is not that of 36 cards, or a hand never has so many cards.
    """
    _check_deck(ruleset)
    _check_cards(cards)
    held = rows["hand"][:, None] >> np.arange(CARDS) & 1
    trumps = np.take_along_axis(held.reshape(-1, RANKS, 4), rows["trump"][:, None, None], axis=2)[:, :, 0]
    most = held.reshape(-1, RANKS, 4).sum(axis=2).max(axis=1)
    number = trumps.sum(axis=1)
    items = {"trump": number > 0, "top_trump": trumps[:, -1] == 1, **{key: most >= least for key, least in KINDS.items()}}
    return {"items": items, "points": number, "most_of_a_rank": most}


def _hands_with_at_most(most: int, cards: int) -> int:
    """How many hands hold no more than so many cards of any rank: a coefficient of the product of one polynomial a rank."""
    ways = [1] + [0] * cards
    for _ in range(RANKS):
        ways = [sum(ways[n - k] * comb(4, k) for k in range(min(most, n) + 1)) for n in range(cards + 1)]
    return ways[cards]


def _check_deck(ruleset: Ruleset) -> None:
    if ruleset.options["deck"] != "36":
        raise InputError(f"hands are counted for the pack of 36 cards, and deck is {ruleset.options['deck']}")


def _check_cards(cards: int) -> None:
    if not 1 <= cards <= MOST:
        raise InputError(f"a hand beside the turned card has 1 to {MOST} cards, not {cards}")
