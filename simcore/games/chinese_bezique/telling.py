"""A game told to a person: what was played and declared, what it scored, by which rule, and the settlement."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from simcore.cards import SIGNS, SUITS
from simcore.telling import BOLD, DIM, Event, Teller

if TYPE_CHECKING:
    from simcore.ruleset import Ruleset


TEXTS: Final = {
    "en": {
        "seat": "Seat {seat}",
        "game": "{ruleset}, game {game} of seed {seed}: {players}",
        "deal": "Deal {deal}. Dealer: seat {dealer}; seat {leader} leads.",
        "hand": "{who} is dealt {cards}",
        "trick": "{number}. {first}, {second}: {who} takes it",
        "declare": "{who} declares {cards}: {kind}",
        "trump": "trump is {suit}",
        "draw": "{who} draws {card}",
        "carte_blanche": "{who} shows {cards}: carte blanche",
        "scored": "{who} scores the last trick",
        "declined": "{who} takes the last trick and does not score it",
        "change": "{who} {delta} {reason} ({rule})",
        "scores": "scores {scores}",
        "deal_end": "{reason}: points {points}; big points {big}",
        "rubicon": "below the rubicon, so that the points are added (T22)",
        "end": "Game over. {result}; {scores}",
        "won": "Won by {who}",
        "equal": "Nobody wins",
    },
    "ru": {
        "seat": "Место {seat}",
        "game": "{ruleset}, игра {game} с числом {seed}: {players}",
        "deal": "Сдача {deal}. Сдаёт место {dealer}, ходит место {leader}.",
        "hand": "{who} получает {cards}",
        "trick": "{number}. {first}, {second}: взятку берёт {who}",
        "declare": "{who} объявляет {cards}: {kind}",
        "trump": "козырь {suit}",
        "draw": "{who} прикупает {card}",
        "carte_blanche": "{who} показывает {cards}: карт-бланш",
        "scored": "{who} записывает последнюю взятку",
        "declined": "{who} берёт последнюю взятку и не записывает её",
        "change": "{who} {delta}, {reason} ({rule})",
        "scores": "счёт {scores}",
        "deal_end": "{reason}: очки {points}; крупные очки {big}",
        "rubicon": "проигравший не перешёл рубикон, очки складываются (T22)",
        "end": "Конец игры. {result}; {scores}",
        "won": "Победа: {who}",
        "equal": "Никто не выиграл",
    },
}


class _Teller(Teller):
    texts = TEXTS

    def __init__(self, ruleset: Ruleset, lang: str, colour: bool) -> None:
        super().__init__(ruleset, lang, colour)
        self.tricks = 0

    def on_deal(self, event: Event) -> Iterator[str]:
        self.tricks = 0
        yield ""
        yield self.paint(BOLD, self.say("deal", deal=event["deal"], dealer=event["dealer"], leader=event["leader"]))
        for seat, hand in enumerate(event["hands"]):
            cards = self.cards(sorted(hand, key=lambda card: (SUITS.index(card[1]), -self.ruleset.schema.pack.index(card[0]))))
            yield self.paint(DIM, "  " + self.say("hand", who=self.who(seat), cards=cards))

    def on_carte_blanche(self, event: Event) -> Iterator[str]:
        yield "  " + self.say("carte_blanche", who=self.who(event["seat"]), cards=self.cards(event["cards"]))

    def on_trick(self, event: Event) -> Iterator[str]:
        self.tricks += 1
        first, second = (f"{self.who(seat)} {self.cards([card])}" for seat, card in event["cards"])
        yield "  " + self.say("trick", number=self.tricks, first=first, second=second, who=self.who(event["winner"]))

    def on_declare(self, event: Event) -> Iterator[str]:
        notes = [self.say("trump", suit=SIGNS[SUITS.index(event["trump"])])] if event["trump"] else []
        said = self.say("declare", who=self.who(event["seat"]), cards=self.cards(event["cards"]), kind=self.reason(event["kind"]))
        yield self.noted("    " + said, notes)

    def on_draw(self, event: Event) -> Iterator[str]:
        yield self.paint(DIM, "    " + self.say("draw", who=self.who(event["seat"]), card=self.cards([event["card"]])))

    def on_last_trick(self, event: Event) -> Iterator[str]:
        yield "  " + self.say("scored" if event["scored"] else "declined", who=self.who(event["seat"]))

    def on_score(self, event: Event) -> Iterator[str]:
        yield f"    {self.changes(event)}: {self.scores(event)}"

    def on_deal_end(self, event: Event) -> Iterator[str]:
        notes = [self.say("rubicon")] if event["rubicon"] else []
        reason = self.word("ending", event["reason"])
        yield self.noted("  " + self.say("deal_end", reason=reason, points=self.numbers(event["scores"]), big=self.numbers(event["big_points"])), notes)

    def on_game_end(self, event: Event) -> Iterator[str]:
        result = self.say("won", who=", ".join(map(self.who, event["winners"]))) if event["winners"] else self.say("equal")
        yield ""
        yield self.paint(BOLD, self.say("end", result=result, scores=self.scores(event)))


tell = _Teller.told
