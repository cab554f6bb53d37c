"""Packs of cards: the numbers that kernels work with, and the texts that people read.

A card is a number: rank * 4 + suit. So a rank is four neighbouring bits of a mask, a suit every fourth bit, and a hand of one
pack is a mask of at most 60 bits, which an int64 holds.

Where several packs are shuffled together, the numbers of the second one follow those of the first one. What kind of card it is is then the number modulo that
of the cards in one pack, and hands that compiled code works with are numbers of cards by kind.
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
    """One pack, or several of the same kind: four suits of the same ranks.

    Attributes:
        ranks: The letters of the ranks in ascending order; the position is the number of the rank.
        packs: How many are shuffled together, at most 9. With several ones a card's text ends with the number of its pack, from 1: ``"Qs4"``.

    Raises:
        InputError: A rank is unknown or stands twice, or there is no such number of packs.
    """

    ranks: str = "6789TJQKA"
    packs: int = 1

    def __post_init__(self) -> None:
        """Refuses ranks that are unknown or doubled, and impossible numbers of packs."""
        wrong = sorted(set(self.ranks) - set(RANKS))
        if wrong or not self.ranks or len(set(self.ranks)) != len(self.ranks):
            raise InputError(f"a pack is made of different ranks out of {RANKS}, got {self.ranks!r}")
        if not 1 <= self.packs <= 9:
            raise InputError(f"1 to 9 packs are shuffled together, not {self.packs}")

    @property
    def size(self) -> int:
        """Number of cards, of all packs together."""
        return 4 * len(self.ranks) * self.packs

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The text of every card, by its number."""
        numbers = [""] if self.packs == 1 else [str(number + 1) for number in range(self.packs)]
        return tuple(rank + suit + number for number in numbers for rank in self.ranks for suit in SUITS)

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
            text: Rank and suit, as in ``"Qs"``, and with several packs the number of the pack; ``"10s"`` is the same as ``"Ts"``, and case counts for nothing.

        Raises:
            InputError: The pack has no such card.
        """
        plain = text.strip().replace("10", "T")
        number = self._numbers.get(plain[:1].upper() + plain[1:].lower())
        if number is None:
            more = f" and the number of its pack, 1 to {self.packs}" if self.packs > 1 else ""
            raise InputError(f"no card {text!r} in this pack: a card is a rank out of {self.ranks} and a suit out of {SUITS}{more}, such as {self.texts[0]!r}")
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
        """A card as a person reads it: ``10♠``, ``Q♥``; in Russian ``Д♥``; with several packs ``Q♥₄``.

        Args:
            card: Its number or its text.
            colour: Whether hearts and diamonds are red, by escape sequences for a terminal.
            lang: ``"en"`` or ``"ru"``.

        Raises:
            InputError: The pack has no such card.
        """
        text = self.texts[self.card(card)] if isinstance(card, str) else self.text(card)
        rank, suit = text[0], SUITS.index(text[1])
        shown = _SPOKEN[lang].get(rank, rank) + SIGNS[suit] + "".join("₀₁₂₃₄₅₆₇₈₉"[int(number)] for number in text[2:])
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
