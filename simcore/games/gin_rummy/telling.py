"""A game told to a person: what was drawn and thrown, what was laid down, what it scored, by which rule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from simcore.games.gin_rummy.transcript import REASONS
from simcore.telling import BOLD, DIM, Event, Teller

if TYPE_CHECKING:
    from simcore.ruleset import Ruleset


TEXTS: Final = {
    "en": {
        "seat": "Seat {seat}",
        "game": "{ruleset}, game {game} of seed {seed}: {players}",
        "deal": "Round {deal}. Dealer: seat {dealer}; seat {leader} begins.",
        "turned": "{card} is turned up",
        "hand": "{who} is dealt {cards}",
        "refuse": "{who} refuses the up-card",
        "pile": "{who} takes {card} from the pile",
        "stock": "{who} draws {card}",
        "discard": "{who} throws {card}",
        "knock": "{who} throws {card} and knocks with {count}",
        "gin": "{who} throws {card}: gin",
        "big_gin": "{who} has big gin",
        "show": "{who} shows {count}",
        "melds": "melds {melds}",
        "loose": "loose {cards}",
        "layoffs": "laid off {cards}",
        "change": "{who} {delta} {reason} ({rule})",
        "scores": "scores {scores}",
        "won_round": "won by {who}",
        "nobody": "nobody scores",
        "end": "Game over. {result}; {scores}; boxes {boxes}",
        "won": "Won by {who}",
    },
    "ru": {
        "seat": "Место {seat}",
        "game": "{ruleset}, игра {game} с числом {seed}: {players}",
        "deal": "Тур {deal}. Сдаёт место {dealer}, начинает место {leader}.",
        "turned": "открыта {card}",
        "hand": "{who} получает {cards}",
        "refuse": "{who} не берёт открытую карту",
        "pile": "{who} берёт {card} из открытого пакета",
        "stock": "{who} берёт {card} из колоды",
        "discard": "{who} сбрасывает {card}",
        "knock": "{who} сбрасывает {card} и стучит с {count}",
        "gin": "{who} сбрасывает {card}: джин",
        "big_gin": "{who}: большой джин",
        "show": "{who} показывает {count}",
        "melds": "сочетания {melds}",
        "loose": "одиночные {cards}",
        "layoffs": "доложены {cards}",
        "change": "{who} {delta}, {reason} ({rule})",
        "scores": "счёт {scores}",
        "won_round": "выигрывает {who}",
        "nobody": "никто не получает очков",
        "end": "Конец игры. {result}; {scores}; туры {boxes}",
        "won": "Победа: {who}",
    },
}


class _Teller(Teller):
    texts = TEXTS

    def __init__(self, ruleset: Ruleset, lang: str, colour: bool) -> None:
        super().__init__(ruleset, lang, colour)
        self.endings = {REASONS.get(key, key): words[lang] for key, words in ruleset.schema.words["ending"].items()}

    def on_deal(self, event: Event) -> Iterator[str]:
        yield ""
        head = self.say("deal", deal=event["deal"], dealer=event["dealer"], leader=event["leader"])
        yield f"{self.paint(BOLD, head)} {self.say('turned', card=self.cards([event['turned']]))}"
        for seat, hand in enumerate(event["hands"]):
            yield self.paint(DIM, "  " + self.say("hand", who=self.who(seat), cards=self._sorted(hand)))

    def on_refuse(self, event: Event) -> Iterator[str]:
        yield self.paint(DIM, "  " + self.say("refuse", who=self.who(event["seat"])))

    def on_draw(self, event: Event) -> Iterator[str]:
        yield self.paint(DIM, "  " + self.say(event["from"], who=self.who(event["seat"]), card=self.cards([event["card"]])))

    def on_discard(self, event: Event) -> Iterator[str]:
        yield "  " + self.say("discard", who=self.who(event["seat"]), card=self.cards([event["card"]]))

    def on_knock(self, event: Event) -> Iterator[str]:
        key = "big_gin" if event["discard"] is None else "gin" if event["gin"] else "knock"
        card = self.cards([event["discard"]]) if event["discard"] else ""
        yield "  " + self.say(key, who=self.who(event["seat"]), card=card, count=event["count"]) + self._laid(event)

    def on_show(self, event: Event) -> Iterator[str]:
        yield "  " + self.say("show", who=self.who(event["seat"]), count=event["count"]) + self._laid(event)

    def on_score(self, event: Event) -> Iterator[str]:
        yield f"    {self.changes(event)}: {self.scores(event)}"

    def on_deal_end(self, event: Event) -> Iterator[str]:
        result = self.say("nobody") if event["winner"] is None else self.say("won_round", who=self.who(event["winner"]))
        yield f"  {self.endings[event['reason']]}: {result}; {self.scores(event)}"

    def on_game_end(self, event: Event) -> Iterator[str]:
        result = self.say("won", who=", ".join(self.who(seat) for seat in event["winners"]))
        scores = self.scores(event)
        yield ""
        yield self.paint(BOLD, self.say("end", result=result, scores=scores, boxes=self.numbers(event["boxes"])))

    def _laid(self, event: Event) -> str:
        notes = []
        if event["melds"]:
            notes.append(self.say("melds", melds=" | ".join(self.cards(meld) for meld in event["melds"])))
        if event.get("layoffs"):
            notes.append(self.say("layoffs", cards=self.cards([each["card"] for each in event["layoffs"]])))
        if event["deadwood"]:
            notes.append(self.say("loose", cards=self.cards(event["deadwood"])))
        return self.noted("", notes)

    def _sorted(self, cards: Iterable[str]) -> str:
        return self.cards(sorted(cards, key=self.pack.card))


tell = _Teller.told
