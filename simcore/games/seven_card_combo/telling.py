"""A game told to a person: what was thrown, what was taken from where, what the hands cost, by which rule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from simcore.cards import Pack

if TYPE_CHECKING:
    from simcore.ruleset import Ruleset

Event = Mapping[str, Any]

BOLD: Final = "\x1b[1m"
DIM: Final = "\x1b[2m"
PLAIN: Final = "\x1b[0m"

TEXTS: Final = {
    "en": {
        "seat": "Seat {seat}",
        "game": "{ruleset}, game {game} of seed {seed}: {players}",
        "deal": "Deal {deal}. Dealer: seat {dealer}; seat {leader} begins. {turned} opens the pile",
        "dealt": "{who} is dealt {cards}",
        "circle": "Circle {circle}",
        "turn": "{who} puts aside {cards}, takes {taken}",
        "keep": "{who} puts nothing aside, takes {taken}",
        "stock": "{cards} from the stock",
        "pile": "{cards} from the pile",
        "packet": "{cards} from the packet",
        "refill_pile": "{card} opens the pile again (S9)",
        "reshuffle": "The pile goes back to the stock: {n} cards to draw (SA13)",
        "hand": "{who}: {cards}",
        "loose": "loose {cards}",
        "change": "{who} {delta} {reason} ({rule})",
        "scores": "scores {scores}",
        "end": "Game over. Won by {who}",
    },
    "ru": {
        "seat": "Место {seat}",
        "game": "{ruleset}, игра {game} с числом {seed}: {players}",
        "deal": "Партия {deal}. Сдаёт место {dealer}, начинает место {leader}. Стопку открывает {turned}",
        "dealt": "{who} получает {cards}",
        "circle": "Круг {circle}",
        "turn": "{who} сбрасывает {cards}, берёт {taken}",
        "keep": "{who} ничего не сбрасывает, берёт {taken}",
        "stock": "{cards} из резерва",
        "pile": "{cards} из открытой стопки",
        "packet": "{cards} из сброса соседа",
        "refill_pile": "Стопку снова открывает {card} (S9)",
        "reshuffle": "Стопка возвращается в резерв: в нём карт {n} (SA13)",
        "hand": "{who}: {cards}",
        "loose": "лишние {cards}",
        "change": "{who} {delta} {reason} ({rule})",
        "scores": "счёт {scores}",
        "end": "Конец игры. Победа: {who}",
    },
}


def tell(events: Iterable[Event], ruleset: Ruleset, lang: str = "en", colour: bool = False) -> Iterator[str]:
    """The lines of one game.

    Args:
        events: As `simcore.games.seven_card_combo.transcript.decode` gives them.
        ruleset: The rules that it was played by.
        lang: ``"en"`` or ``"ru"``.
        colour: Whether to use the colours of a terminal.
    """
    teller = _Teller(ruleset, lang, colour)
    for event in events:
        yield from getattr(teller, f"on_{event['event']}")(event)


class _Teller:
    def __init__(self, ruleset: Ruleset, lang: str, colour: bool) -> None:
        self.ruleset = ruleset
        self.lang = lang
        self.colour = colour
        self.pack = Pack(ruleset.schema.pack)
        self.circle = 0

    def on_game(self, event: Event) -> Iterator[str]:
        players = ", ".join(f"{self._who(seat)} {name}" for seat, name in enumerate(event["strategies"]))
        yield self._paint(BOLD, self._say("game", ruleset=event["ruleset"], game=event["game"], seed=event["seed"], players=players))

    def on_deal(self, event: Event) -> Iterator[str]:
        self.circle = 0
        turned = self._cards([event["turned"]])
        yield ""
        yield self._paint(BOLD, self._say("deal", deal=event["deal"], dealer=event["dealer"], leader=event["leader"], turned=turned))
        for seat, hand in enumerate(event["hands"]):
            yield self._paint(DIM, "  " + self._say("dealt", who=self._who(seat), cards=self._cards(hand)))

    def on_turn(self, event: Event) -> Iterator[str]:
        if event["circle"] != self.circle:
            self.circle = event["circle"]
            yield "  " + self._say("circle", circle=self.circle)
        sources = groupby(event["taken"], lambda each: each["from"])
        taken = ", ".join(self._say(source, cards=self._cards(each["card"] for each in cards)) for source, cards in sources)
        key = "turn" if event["discarded"] else "keep"
        yield "    " + self._say(key, who=self._who(event["seat"]), cards=self._cards(event["discarded"]), taken=taken)

    def on_refill_pile(self, event: Event) -> Iterator[str]:
        yield self._paint(DIM, "    " + self._say("refill_pile", card=self._cards([event["card"]])))

    def on_reshuffle(self, event: Event) -> Iterator[str]:
        yield self._paint(DIM, "    " + self._say("reshuffle", n=len(event["stock"])))

    def on_hand(self, event: Event) -> Iterator[str]:
        notes = [self._say("loose", cards=self._cards(event["loose"]))] if event["loose"] else []
        notes += [self._name(event["bonus"])] if event["bonus"] else []
        text = self._say("hand", who=self._who(event["seat"]), cards=self._cards(event["cards"]))
        yield f"  {text}" + (f" [{'; '.join(notes)}]" if notes else "")

    def on_score(self, event: Event) -> Iterator[str]:
        changes = "; ".join(
            self._say("change", who=self._who(each["seat"]), delta=f"{each['delta']:+d}", reason=self._name(each["reason"]), rule=each["rule"])
            for each in event["changes"]
        )
        yield f"  {changes}"

    def on_deal_end(self, event: Event) -> Iterator[str]:
        yield f"  {self.ruleset.schema.words['ending'][event['reason']][self.lang]}: {self._scores(event)}"

    def on_game_end(self, event: Event) -> Iterator[str]:
        winners = ", ".join(self._who(seat) for seat in event["winners"])
        yield ""
        yield self._paint(BOLD, f"{self._say('end', who=winners)}; {self._scores(event)}")

    def _say(self, key: str, **values: object) -> str:
        return TEXTS[self.lang][key].format(**values)

    def _who(self, seat: int) -> str:
        return self._say("seat", seat=seat)

    def _cards(self, cards: Iterable[str]) -> str:
        return self.pack.pretty_hand(cards, colour=self.colour, lang=self.lang)

    def _name(self, item: str) -> str:
        return self.ruleset.schema.points[item].name[self.lang].lower()

    def _scores(self, event: Event) -> str:
        return self._say("scores", scores=" : ".join(map(str, event["scores"])))

    def _paint(self, code: str, text: str) -> str:
        return f"{code}{text}{PLAIN}" if self.colour else text
