"""A game told to a person: what was thrown, what was taken from where, what the hands cost, by which rule."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Final

from simcore.telling import BOLD, DIM, Event, Teller

if TYPE_CHECKING:
    from simcore.ruleset import Ruleset


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


class _Teller(Teller):
    texts = TEXTS

    def __init__(self, ruleset: Ruleset, lang: str, colour: bool) -> None:
        super().__init__(ruleset, lang, colour)
        self.circle = 0

    def on_deal(self, event: Event) -> Iterator[str]:
        self.circle = 0
        turned = self.cards([event["turned"]])
        yield ""
        yield self.paint(BOLD, self.say("deal", deal=event["deal"], dealer=event["dealer"], leader=event["leader"], turned=turned))
        for seat, hand in enumerate(event["hands"]):
            yield self.paint(DIM, "  " + self.say("dealt", who=self.who(seat), cards=self.cards(hand)))

    def on_turn(self, event: Event) -> Iterator[str]:
        if event["circle"] != self.circle:
            self.circle = event["circle"]
            yield "  " + self.say("circle", circle=self.circle)
        sources = groupby(event["taken"], lambda each: each["from"])
        taken = ", ".join(self.say(source, cards=self.cards(each["card"] for each in cards)) for source, cards in sources)
        key = "turn" if event["discarded"] else "keep"
        yield "    " + self.say(key, who=self.who(event["seat"]), cards=self.cards(event["discarded"]), taken=taken)

    def on_refill_pile(self, event: Event) -> Iterator[str]:
        yield self.paint(DIM, "    " + self.say("refill_pile", card=self.cards([event["card"]])))

    def on_reshuffle(self, event: Event) -> Iterator[str]:
        yield self.paint(DIM, "    " + self.say("reshuffle", n=len(event["stock"])))

    def on_hand(self, event: Event) -> Iterator[str]:
        notes = [self.say("loose", cards=self.cards(event["loose"]))] if event["loose"] else []
        notes += [self.reason(event["bonus"])] if event["bonus"] else []
        text = self.say("hand", who=self.who(event["seat"]), cards=self.cards(event["cards"]))
        yield self.noted(f"  {text}", notes)

    def on_score(self, event: Event) -> Iterator[str]:
        yield f"  {self.changes(event)}"

    def on_deal_end(self, event: Event) -> Iterator[str]:
        yield f"  {self.ruleset.schema.words['ending'][event['reason']][self.lang]}: {self.scores(event)}"

    def on_game_end(self, event: Event) -> Iterator[str]:
        winners = ", ".join(self.who(seat) for seat in event["winners"])
        yield ""
        yield self.paint(BOLD, f"{self.say('end', who=winners)}; {self.scores(event)}")


tell = _Teller.told
