"""A game told to a person: what was drawn and thrown, what was laid down, what it scored, by which rule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from simcore.cards import Pack
from simcore.games.gin_rummy.transcript import REASONS

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
        "change": "{who} {delta:+d} {reason} ({rule})",
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
        "change": "{who} {delta:+d}, {reason} ({rule})",
        "scores": "счёт {scores}",
        "won_round": "выигрывает {who}",
        "nobody": "никто не получает очков",
        "end": "Конец игры. {result}; {scores}; туры {boxes}",
        "won": "Победа: {who}",
    },
}


def tell(events: Iterable[Event], ruleset: Ruleset, lang: str = "en", colour: bool = False) -> Iterator[str]:
    """The lines of one game.

    Args:
        events: As `simcore.games.gin_rummy.transcript.decode` gives them.
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
        self.texts = TEXTS[lang]
        self.pack = Pack(ruleset.schema.pack)
        self.endings = {REASONS.get(key, key): words[lang] for key, words in ruleset.schema.words["ending"].items()}

    def on_game(self, event: Event) -> Iterator[str]:
        players = ", ".join(f"{self._who(seat)} {name}" for seat, name in enumerate(event["strategies"]))
        yield self._paint(BOLD, self._say("game", ruleset=event["ruleset"], game=event["game"], seed=event["seed"], players=players))

    def on_deal(self, event: Event) -> Iterator[str]:
        yield ""
        head = self._say("deal", deal=event["deal"], dealer=event["dealer"], leader=event["leader"])
        yield f"{self._paint(BOLD, head)} {self._say('turned', card=self._cards([event['turned']]))}"
        for seat, hand in enumerate(event["hands"]):
            yield self._paint(DIM, "  " + self._say("hand", who=self._who(seat), cards=self._sorted(hand)))

    def on_refuse(self, event: Event) -> Iterator[str]:
        yield self._paint(DIM, "  " + self._say("refuse", who=self._who(event["seat"])))

    def on_draw(self, event: Event) -> Iterator[str]:
        yield self._paint(DIM, "  " + self._say(event["from"], who=self._who(event["seat"]), card=self._cards([event["card"]])))

    def on_discard(self, event: Event) -> Iterator[str]:
        yield "  " + self._say("discard", who=self._who(event["seat"]), card=self._cards([event["card"]]))

    def on_knock(self, event: Event) -> Iterator[str]:
        key = "big_gin" if event["discard"] is None else "gin" if event["gin"] else "knock"
        card = self._cards([event["discard"]]) if event["discard"] else ""
        yield "  " + self._say(key, who=self._who(event["seat"]), card=card, count=event["count"]) + self._laid(event)

    def on_show(self, event: Event) -> Iterator[str]:
        yield "  " + self._say("show", who=self._who(event["seat"]), count=event["count"]) + self._laid(event)

    def on_score(self, event: Event) -> Iterator[str]:
        changes = "; ".join(
            self._say("change", who=self._who(each["seat"]), delta=each["delta"], reason=self._reason(each["reason"]), rule=each["rule"])
            for each in event["changes"]
        )
        yield f"    {changes}: {self._say('scores', scores=self._numbers(event['scores']))}"

    def on_deal_end(self, event: Event) -> Iterator[str]:
        result = self._say("nobody") if event["winner"] is None else self._say("won_round", who=self._who(event["winner"]))
        yield f"  {self.endings[event['reason']]}: {result}; {self._say('scores', scores=self._numbers(event['scores']))}"

    def on_game_end(self, event: Event) -> Iterator[str]:
        result = self._say("won", who=", ".join(self._who(seat) for seat in event["winners"]))
        scores = self._say("scores", scores=self._numbers(event["scores"]))
        yield ""
        yield self._paint(BOLD, self._say("end", result=result, scores=scores, boxes=self._numbers(event["boxes"])))

    def _laid(self, event: Event) -> str:
        notes = []
        if event["melds"]:
            notes.append(self._say("melds", melds=" | ".join(self._cards(meld) for meld in event["melds"])))
        if event.get("layoffs"):
            notes.append(self._say("layoffs", cards=self._cards([each["card"] for each in event["layoffs"]])))
        if event["deadwood"]:
            notes.append(self._say("loose", cards=self._cards(event["deadwood"])))
        return f" [{'; '.join(notes)}]"

    def _say(self, key: str, **values: object) -> str:
        return self.texts[key].format(**values)

    def _who(self, seat: int) -> str:
        return self._say("seat", seat=seat)

    def _cards(self, cards: Iterable[str]) -> str:
        return self.pack.pretty_hand(cards, colour=self.colour, lang=self.lang)

    def _sorted(self, cards: Iterable[str]) -> str:
        return self._cards(sorted(cards, key=self.pack.card))

    def _reason(self, reason: str) -> str:
        item = self.ruleset.schema.points.get(reason) or self.ruleset.schema.counted[reason]
        return item.name[self.lang].lower()

    def _numbers(self, numbers: Iterable[int]) -> str:
        return " : ".join(map(str, numbers))

    def _paint(self, code: str, text: str) -> str:
        return f"{code}{text}{PLAIN}" if self.colour else text
