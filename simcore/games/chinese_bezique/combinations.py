"""The cards of the six packs, and the combinations: what they are made of, and which of them stand in each other's way.

A card is a number from 0 to 191: its kind, rank * 4 + suit, and 32 times the number of its pack. Ranks ascend as they take tricks: 7 8 9 J Q K 10 A (B2).
A hand is twelve places, of which some may be empty; a set of cards of a hand is a mask of its places.
"""

from __future__ import annotations

from typing import Any, Final

from simcore.compiled import inlined, inner

RANKS: Final = 8
KINDS: Final = 4 * RANKS
PACKS: Final = 6
CARDS: Final = KINDS * PACKS
HAND: Final = 12
NO_CARD: Final = -1
NO_SUIT: Final = -1

JACK, QUEEN, KING, TEN, ACE = range(3, RANKS)
SPADES, HEARTS, DIAMONDS, CLUBS = range(4)

# Items of the tallies: the rows of the scoring table.
(
    TRUMP_SEQUENCE,
    SEQUENCE,
    TRUMP_MARRIAGE,
    MARRIAGE,
    FOUR_ACES,
    FOUR_TENS,
    FOUR_KINGS,
    FOUR_QUEENS,
    FOUR_JACKS,
    FOUR_TRUMP_ACES,
    FOUR_TRUMP_TENS,
    FOUR_TRUMP_KINGS,
    FOUR_TRUMP_QUEENS,
    FOUR_TRUMP_JACKS,
    BEZIQUE,
    DOUBLE_BEZIQUE,
    TRIPLE_BEZIQUE,
    QUADRUPLE_BEZIQUE,
    LAST_TRICK,
    CARTE_BLANCHE,
    WON_GAME,
    RUBICON,
) = range(22)
ITEMS: Final = 22
DECLARED: Final = 18
"""The first so many items are declared after a trick."""
NOTHING: Final = -1
"""In place of such an item: no declaration."""

# Types of records (B20): a declaration shares no card with an intact one of its own type, nor of a higher one of its class. Beziques are four types in a row.
MARRIED, SEQUENCED, QUARTETTED, TRUMP_QUARTETTED, BEZIQUED = range(5)
TYPES: Final = 8
RECORDS: Final = 32
"""Intact records of a hand, at most: each marriage has a card that was in none before, so 12; 2 sequences, 3 and 3 quartets, 6 + 3 + 2 + 1 beziques."""


@inlined
def kind_of(card: int) -> int:
    """Rank and suit of a card, as one number."""
    return card & KINDS - 1


@inlined
def rank_of(card: int) -> int:
    """The rank of a card."""
    return (card & KINDS - 1) >> 2


@inlined
def suit_of(card: int) -> int:
    """The suit of a card."""
    return card & 3


@inlined
def is_court(card: int) -> bool:
    """Whether a card is a king, queen or jack (T20)."""
    return JACK <= rank_of(card) <= KING


@inlined
def quartet_rank(item: int) -> int:
    """The rank of a quartet, of any suits or of trumps: the table goes from aces down to jacks."""
    return ACE - (item - FOUR_ACES) % 5


@inlined
def is_suited(item: int) -> bool:
    """Whether an item is a marriage or a sequence, which is of a suit of its own."""
    return item <= MARRIAGE


@inlined
def type_of(item: int) -> int:
    """The type of record that a declaration makes."""
    if item <= SEQUENCE:
        return SEQUENCED
    if item <= MARRIAGE:
        return MARRIED
    if item <= FOUR_JACKS:
        return QUARTETTED
    if item <= FOUR_TRUMP_JACKS:
        return TRUMP_QUARTETTED
    return BEZIQUED + item - BEZIQUE


@inlined
def bezique_queen(trump: int, rules: Any) -> int:
    """The kind of queen of a bezique (T15); -1 where the trump decides and is not fixed."""
    if not rules.trump_queen:
        return 4 * QUEEN + SPADES
    return -1 if trump == NO_SUIT else 4 * QUEEN + trump


@inlined
def bezique_jack(trump: int, rules: Any) -> int:
    """The kind of jack of a bezique (T15): diamonds with spades, hearts with clubs, either way round; -1 as for `bezique_queen`."""
    if not rules.trump_queen:
        return 4 * JACK + DIAMONDS
    return -1 if trump == NO_SUIT else 4 * JACK + (trump ^ 2)


@inner
def takes(led: int, card: int, trump: int) -> bool:
    """Whether a card takes the trick from the led one (B10): of two identical cards the first one does."""
    if suit_of(card) == suit_of(led):
        return rank_of(card) > rank_of(led)
    return suit_of(card) == trump
