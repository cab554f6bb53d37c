"""What hands of Seven Card Combo are worth, and why their cards are covered: over all hands, or over given ones.

The score of a hand follows from what is found in it, so hands are counted by that (`Found`) and priced afterwards: a changed point table costs no new count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache
from math import comb
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from simcore.bits import popcount
from simcore.compiled import inner, kernel
from simcore.errors import InputError
from simcore.exact import BLOCK, listed_hands, suit_holdings
from simcore.games.seven_card_combo.combinations import (
    ALL_CARDS,
    BONUS_SETS,
    BONUSES,
    CARDS,
    LONGEST_HAND,
    LOOSE_CARD,
    REASONS,
    bonuses,
    covered,
    reasons,
)
from simcore.games.seven_card_combo.rules import pack
from simcore.games.seven_card_combo.view import DEALT

if TYPE_CHECKING:
    from simcore.ruleset import Ruleset

# What is found in a hand by one value of the option `ace`, as one number: loose cards, the set of bonuses, the set of reasons.
_REASON_SETS: Final = 1 << len(REASONS)
_CODES: Final = (LONGEST_HAND + 1) * BONUS_SETS * _REASON_SETS


class Found(NamedTuple):
    """What is found in each of n hands: one array per question, in the order of the hands."""

    loose: np.ndarray
    """int64[n]: loose cards."""
    bonuses: np.ndarray
    """int64[n]: bonuses held, a set of bits by the number of the bonus."""
    reasons: np.ndarray
    """int64[n]: reasons for which some card is covered, a set of bits by the number of the reason."""


# --- one hand -----------------------------------------------------------------------------------------------------------------------------


@inner
def _code(hand: int, wrap: int) -> int:
    loose = popcount(hand & ~covered(hand, wrap))
    return (loose * BONUS_SETS + bonuses(hand, wrap)) * _REASON_SETS + reasons(hand, wrap)


# --- many hands ---------------------------------------------------------------------------------------------------------------------------


@kernel
def _code_hands(hands: np.ndarray, out: np.ndarray) -> None:
    """The codes of each hand (int64[n]) without and with wrap: int64[n, 2]."""
    for i in range(len(hands)):
        out[i, 0] = _code(hands[i], 0)
        out[i, 1] = _code(hands[i], 1)


@kernel
def _count_all(cards: int, holdings: np.ndarray, starts: np.ndarray, same: np.ndarray, changed: np.ndarray) -> None:
    """Count all hands of ``cards`` cards by what is found in them.

    same: int64[_CODES], hands by their code, where wrap changes nothing; changed: int64[_CODES, _CODES], hands by their codes without and with wrap, where it
    does. holdings, starts: see `suit_holdings`.
    """
    hands = np.empty(BLOCK, np.int64)
    weights = np.empty(BLOCK, np.int64)
    for n in listed_hands(holdings, starts, cards, hands, weights):
        for i in range(n):
            plain = _code(hands[i], 0)
            wrapped = _code(hands[i], 1)
            if plain == wrapped:
                same[plain] += weights[i]
            else:
                changed[plain, wrapped] += weights[i]


@cache
def counted(cards: int) -> tuple[np.ndarray, np.ndarray]:
    """Of all hands of so many cards: each pair of codes that occurs, without and with wrap (int64[m, 2]), and how many hands have it (int64[m])."""
    same, changed = np.zeros(_CODES, np.int64), np.zeros((_CODES, _CODES), np.int64)
    _count_all(cards, *suit_holdings(CARDS // 4), same, changed)
    changed[np.diag_indices(_CODES)] = same
    pairs = np.argwhere(changed)
    return pairs, changed[tuple(pairs.T)]


# --- what others call ---------------------------------------------------------------------------------------------------------------------


def sizes(ruleset: Ruleset) -> tuple[int, ...]:
    """The hands that are scored have seven cards (S13)."""
    return (LONGEST_HAND,)


def dealt(ruleset: Ruleset) -> int:
    """Cards of a dealt hand (S5)."""
    return DEALT


def exact(ruleset: Ruleset, cards: int) -> dict[str, Any]:
    """What all hands of so many cards hold and cost.

    Returns a dictionary of plain numbers:

    - ``cards``; ``hands``: how many hands there are, C(52, cards);
    - ``items``: by key ``{"count", "probability"}`` of the hands that hold a bonus (whether or not another one counts), that hold a loose card, and that hold
      cards which are covered by a run, a suit, a rank (S15);
    - ``points``: ``[score, count]``, ascending;
    - ``loose``: ``[loose cards, count]``, ascending;
    - ``ace_difference``: ``[points more with the other value of the option ace, count]``, ascending (SA1);
    - ``ace``: ``changed``, the hands for which that is not 0.

    Raises:
        InputError: A hand never has so many cards.
    """
    _check_cards(cards)
    codes, counts = counted(cards)
    observed = _tables(ruleset, codes)
    hands = comb(CARDS, cards)

    def table(entry: Any) -> Any:
        if isinstance(entry, dict):
            return {key: table(each) for key, each in entry.items()}
        if entry.dtype == bool:
            return _share(int(counts[entry].sum()), hands)
        return _distribution(zip(entry.tolist(), counts.tolist(), strict=True))

    return {"cards": cards, "hands": hands} | table(observed)


def observe(ruleset: Ruleset, cards: int, rows: np.ndarray) -> dict[str, Any]:
    """The tables of `exact` over given hands, with an array in place of each number.

    Args:
        ruleset: Gives the points.
        cards: Number of cards of each hand.
        rows: Rows with ``hand``, a mask.

    Raises:
        InputError: A hand never has so many cards.
        ValueError: A hand is no mask of so many cards.
    """
    _check_cards(cards)
    hands = np.ascontiguousarray(rows["hand"], np.int64)
    if np.any(hands & ~np.int64(ALL_CARDS)) or np.any(np.bitwise_count(hands) != cards):
        raise ValueError(f"not every hand has {cards} cards")
    codes = np.empty((len(hands), 2), np.int64)
    _code_hands(hands, codes)
    return _tables(ruleset, codes)


def _tables(ruleset: Ruleset, codes: np.ndarray) -> dict[str, Any]:
    """The tables of `observe` of hands given by their codes without and with wrap (int64[n, 2])."""
    rules = pack(ruleset)[0]
    plain, wrapped = _read(codes[:, 0]), _read(codes[:, 1])
    found, other = (wrapped, plain) if rules["wrap"] else (plain, wrapped)
    items = {key: (found.bonuses >> i & 1).astype(bool) for i, key in enumerate(BONUSES)}
    items["loose_card"] = found.loose > 0
    items |= {key: (found.reasons >> i & 1).astype(bool) for i, key in enumerate(REASONS)}
    points = _points(found, rules)
    difference = _points(other, rules) - points
    return {"items": items, "points": points, "loose": found.loose, "ace_difference": difference, "ace": {"changed": difference != 0}}


def _read(codes: np.ndarray) -> Found:
    rest, reasons = np.divmod(codes, _REASON_SETS)
    return Found(*np.divmod(rest, BONUS_SETS), reasons)


def _points(found: Found, rules: np.ndarray) -> np.ndarray:
    points: np.ndarray = found.loose * rules["points"][LOOSE_CARD] + rules["bonus_points"][found.bonuses]
    return points


def _check_cards(cards: int) -> None:
    if not DEALT <= cards <= LONGEST_HAND:
        raise InputError(f"a hand has {DEALT} to {LONGEST_HAND} cards (S5, S13), not {cards}")


def _share(count: int, total: int) -> dict[str, Any]:
    return {"count": count, "probability": count / total}


def _distribution(pairs: Iterable[tuple[int, int]]) -> list[list[int]]:
    counts: Counter[int] = Counter()
    for value, count in pairs:
        counts[value] += count
    return [list(row) for row in sorted(counts.items())]
