"""Packs of cards: the numbers that kernels work with, and the texts that people read.

A card is a number: rank * 4 + suit. So a rank is four neighbouring bits of a mask, a suit every fourth bit, and a hand of one
pack is a mask of at most 60 bits, which an int64 holds.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from simcore.errors import InputError

SUITS: Final = "shdc"
"""Letters of the suits in the order of their numbers: spades, hearts, diamonds, clubs."""

SIGNS: Final = "♠♥♦♣"
"""Signs of the suits in the same order."""

RANKS: Final = "23456789TJQKA"
"""Every rank that a pack may have. A pack states its own order: the ace is high in some games and low in others."""

_RED: Final = "\x1b[31m"
_PLAIN: Final = "\x1b[0m"
_SPOKEN: Final = {
    "en": {"T": "10"},
    "ru": {"T": "10", "J": "В", "Q": "Д", "K": "К", "A": "Т"},
}


@dataclass(frozen=True)
class Pack:
    """One pack: four suits of the same ranks.

    Attributes:
        ranks: The letters of the ranks in ascending order; the position is the number of the rank.

    Raises:
        InputError: A rank is unknown or stands twice.
    """

    ranks: str = "6789TJQKA"

    def __post_init__(self) -> None:
        """Refuses ranks that are unknown or doubled."""
        wrong = sorted(set(self.ranks) - set(RANKS))
        if wrong or not self.ranks or len(set(self.ranks)) != len(self.ranks):
            raise InputError(f"a pack is made of different ranks out of {RANKS}, got {self.ranks!r}")

    @property
    def size(self) -> int:
        """Number of cards."""
        return 4 * len(self.ranks)

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The text of every card, by its number."""
        return tuple(rank + suit for rank in self.ranks for suit in SUITS)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {text: card for card, text in enumerate(self.texts)}

    def text(self, card: int) -> str:
        """The text of a card: ``"Qs"`` is the queen of spades.

        Args:
            card: Its number, 0 to size - 1.

        Raises:
            InputError: The pack has no such card.
        """
        if not 0 <= card < self.size:
            raise InputError(f"a card of this pack is a number from 0 to {self.size - 1}, got {card}")
        return self.texts[card]

    def card(self, text: str) -> int:
        """The number of the card with this text.

        Args:
            text: Rank and suit, as in ``"Qs"``; ``"10s"`` is the same as ``"Ts"``, and case counts for nothing.

        Raises:
            InputError: The pack has no such card.
        """
        plain = text.strip().replace("10", "T")
        number = self._numbers.get(plain[:-1].upper() + plain[-1:].lower())
        if number is None:
            raise InputError(f"no card {text!r} in this pack: a card is a rank out of {self.ranks} and a suit out of {SUITS}, such as {self.texts[0]!r}")
        return number

    def mask(self, texts: Iterable[str]) -> int:
        """The mask of some cards, each given by its text.

        Raises:
            InputError: A card is not in the pack or is given twice.
        """
        mask = 0
        for text in texts:
            bit = 1 << self.card(text)
            if mask & bit:
                raise InputError(f"the card {text!r} is given twice")
            mask |= bit
        return mask

    def hand(self, mask: int) -> list[str]:
        """The texts of the cards of a mask, in ascending order of their numbers.

        Raises:
            InputError: The mask has a bit that is no card of the pack.
        """
        return [self.texts[card] for card in self.cards(mask)]

    def cards(self, mask: int) -> list[int]:
        """The numbers of the cards of a mask, ascending.

        Raises:
            InputError: The mask has a bit that is no card of the pack.
        """
        mask = int(mask)  # numpy's integers have no arithmetic with longer Python ones
        if mask < 0 or mask >> self.size:
            raise InputError(f"a mask of this pack has {self.size} bits, got {mask:#x}")
        return [card for card in range(self.size) if mask >> card & 1]

    def pretty(self, card: int | str, *, colour: bool = False, lang: str = "en") -> str:
        """A card as a person reads it: ``10♠``, ``Q♥``; in Russian ``Д♥``.

        Args:
            card: Its number or its text.
            colour: Whether hearts and diamonds are red, by escape sequences for a terminal.
            lang: ``"en"`` or ``"ru"``.

        Raises:
            InputError: The pack has no such card.
        """
        text = self.texts[self.card(card)] if isinstance(card, str) else self.text(card)
        rank, suit = text[0], SUITS.index(text[1])
        shown = _SPOKEN[lang].get(rank, rank) + SIGNS[suit]
        return f"{_RED}{shown}{_PLAIN}" if colour and suit in (1, 2) else shown

    def pretty_hand(self, cards: int | Iterable[str], *, colour: bool = False, lang: str = "en") -> str:
        """Several cards as a person reads them, with a space between.

        Args:
            cards: A mask, or the texts of the cards, whose order is kept.
            colour: As in `pretty`.
            lang: As in `pretty`.
        """
        texts = self.hand(cards) if isinstance(cards, int) else cards
        return " ".join(self.pretty(text, colour=colour, lang=lang) for text in texts)
