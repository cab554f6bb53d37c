"""What the tellers of games have in common: a game told to a person, event by event."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Final

from simcore.cards import Pack

if TYPE_CHECKING:
    from simcore.ruleset import Ruleset

Event = Mapping[str, Any]

BOLD: Final = "\x1b[1m"
DIM: Final = "\x1b[2m"
PLAIN: Final = "\x1b[0m"


class Teller:
    """Makes lines of events: ``on_<event>`` yields those of one.

    Attributes:
        texts: By language, sentences with fields to fill in; ``game``, ``seat``, ``change`` and ``scores`` are used here.
    """

    texts: ClassVar[Mapping[str, Mapping[str, str]]]

    def __init__(self, ruleset: Ruleset, lang: str, colour: bool) -> None:
        """A teller of one game in a language (``"en"`` or ``"ru"``), with or without the colours of a terminal."""
        self.ruleset = ruleset
        self.lang = lang
        self.colour = colour
        self.pack = Pack(ruleset.schema.pack, ruleset.schema.packs)

    @classmethod
    def told(cls, events: Iterable[Event], ruleset: Ruleset, lang: str = "en", colour: bool = False) -> Iterator[str]:
        """The lines of one game.

        Args:
            events: As the game's ``transcript.decode`` gives them.
            ruleset: The rules that it was played by.
            lang: ``"en"`` or ``"ru"``.
            colour: Whether to use the colours of a terminal.
        """
        return cls(ruleset, lang, colour).tell(events)

    def tell(self, events: Iterable[Event]) -> Iterator[str]:
        """The lines of one game."""
        for event in events:
            yield from getattr(self, f"on_{event['event']}")(event)

    def on_game(self, event: Event) -> Iterator[str]:
        """Which game it is, and who plays."""
        players = ", ".join(f"{self.who(seat)} {name}" for seat, name in enumerate(event["strategies"]))
        yield self.paint(BOLD, self.say("game", ruleset=event["ruleset"], game=event["game"], seed=event["seed"], players=players))

    def say(self, key: str, **values: object) -> str:
        """A sentence with its fields filled in."""
        return self.texts[self.lang][key].format(**values)

    def who(self, seat: int) -> str:
        """The name of a seat."""
        return self.say("seat", seat=seat)

    def cards(self, cards: Iterable[str]) -> str:
        """Cards with the signs of their suits."""
        return self.pack.pretty_hand(cards, colour=self.colour, lang=self.lang)

    def word(self, table: str, key: str) -> str:
        """A word of the rules page."""
        return self.ruleset.schema.words[table][key][self.lang]

    def reason(self, reason: str) -> str:
        """What a score changed for."""
        item = self.ruleset.schema.points.get(reason) or self.ruleset.schema.counted[reason]
        return item.name[self.lang].lower()

    def changes(self, event: Event) -> str:
        """The changes of a ``score`` event."""
        return "; ".join(
            self.say("change", who=self.who(each["seat"]), delta=f"{each['delta']:+d}", reason=self.reason(each["reason"]), rule=each["rule"])
            for each in event["changes"]
        )

    def scores(self, event: Event) -> str:
        """The scores of an event."""
        return self.say("scores", scores=self.numbers(event["scores"]))

    def numbers(self, numbers: Iterable[int]) -> str:
        """Numbers by seat."""
        return " : ".join(map(str, numbers))

    def noted(self, text: str, notes: list[str]) -> str:
        """A sentence with notes behind it."""
        return text + (f" [{'; '.join(notes)}]" if notes else "")

    def paint(self, code: str, text: str) -> str:
        """Text in a colour, where a terminal shows it."""
        return f"{code}{text}{PLAIN}" if self.colour else text
