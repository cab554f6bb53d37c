"""The packs of durak (D3): 36 cards, 52, or 54 with two jokers, which stand above the ace as one rank more."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from simcore.cards import RANKS, Pack

if TYPE_CHECKING:
    from simcore.ruleset import Ruleset

MAX_CARDS: Final = 54
LARGE: Final = 52  # cards of a large pack without its jokers
RED_JOKER: Final = 52
BLACK_JOKER: Final = 53
JOKERS: Final = 1 << RED_JOKER | 1 << BLACK_JOKER
ONE_SUIT: Final = sum(1 << 4 * rank for rank in range(len(RANKS)))
"""The cards of suit 0 of the largest pack; shifted by the number of a suit, the cards of that suit."""

_NAMES: Final = {"Rj": {"en": "red joker", "ru": "красный джокер"}, "Bj": {"en": "black joker", "ru": "чёрный джокер"}}


@dataclass(frozen=True)
class JokerPack(Pack):
    """A pack with a red and a black joker behind the other cards: ``"Rj"`` and ``"Bj"``."""

    @property
    def size(self) -> int:
        """Number of cards."""
        return len(self.texts)

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The text of every card, by its number."""
        return (*Pack(self.ranks).texts, *_NAMES)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {text: card for card, text in enumerate(self.texts)}

    def pretty(self, card: int | str, *, colour: bool = False, lang: str = "en") -> str:
        """A card as a person reads it, see `Pack.pretty`."""
        text = card if isinstance(card, str) else self.text(card)
        return _NAMES[text][lang] if text in _NAMES else super().pretty(card, colour=colour, lang=lang)


def pack_of(ruleset: Ruleset) -> Pack:
    """The pack that the option `deck` names."""
    match ruleset.options["deck"]:
        case "54":
            return JokerPack(RANKS)
        case "52":
            return Pack(RANKS)
        case _:
            return Pack(ruleset.schema.pack)


def size_of(ruleset: Ruleset) -> int:
    """How many cards the pack has."""
    return int(str(ruleset.options["deck"]))


def sorted_cards(pack: Pack, cards: Iterable[str]) -> list[str]:
    """Some cards in the order of the pack."""
    return sorted(cards, key=pack.texts.index)
