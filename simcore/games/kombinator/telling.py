"""A game told to a person: what was played, what was declared, what it cost, by which rule."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from simcore.cards import SIGNS, SUITS
from simcore.telling import BOLD, DIM, Event, Teller

if TYPE_CHECKING:
    pass


TEXTS: Final = {
    "en": {
        "seat": "Seat {seat}",
        "game": "{ruleset}, game {game} of seed {seed}: {players}",
        "deal": "Deal {deal}. Dealer: seat {dealer}; seat {leader} leads.",
        "trump": "trump {suit} ({turned} turned up)",
        "no_trump": "no trump",
        "hand": "{who} is dealt {cards}",
        "attack": "{who} attacks with {cards}",
        "pass": "{who} passes",
        "drew": " and draws {card}",
        "beat": "{who} beats: {pairs}",
        "yield": "{who} yields",
        "took": " and takes {card}",
        "earned": "earns an order (K-50)",
        "credit": "unbeatable by a credit (K-45)",
        "invulnerable": "invulnerable order (K-50)",
        "reinforced": "reinforced order (K-50)",
        "assembly": "order for an assembly (K-50)",
        "draw": "{who} draws {cards}",
        "change": "{who} {delta} {reason} ({rule})",
        "scores": "scores {scores}",
        "court_cards": "court cards",
        "reinforced_cards": "court cards of a reinforced attack",
        "stage": "{who} passes stage {stage} (K-90)",
        "penalties": "Penalties {penalties} (K-70)",
        "end": "Game over: {reason}. {result}",
        "won": "Won by {who}",
        "draw_game": "A draw",
        "payout": "Paid: {payout} (K-91)",
    },
    "ru": {
        "seat": "Место {seat}",
        "game": "{ruleset}, игра {game} с числом {seed}: {players}",
        "deal": "Партия {deal}. Сдаёт место {dealer}, первым ходит место {leader}.",
        "trump": "козырь {suit} (открыта {turned})",
        "no_trump": "без козыря",
        "hand": "{who} получает {cards}",
        "attack": "{who} ходит: {cards}",
        "pass": "{who}: пас",
        "drew": ", берёт {card}",
        "beat": "{who} отбивается: {pairs}",
        "yield": "{who} не отбивается",
        "took": " и принимает {card}",
        "earned": "получает заказную (K-50)",
        "credit": "неотбиваемая (K-45)",
        "invulnerable": "неуязвимая заказная (K-50)",
        "reinforced": "усиленная заказная (K-50)",
        "assembly": "заказная на сборную (K-50)",
        "draw": "{who} добирает {cards}",
        "change": "{who} {delta} {reason} ({rule})",
        "scores": "счёт {scores}",
        "court_cards": "картинки",
        "reinforced_cards": "картинки усиленной заказной",
        "stage": "{who} проходит этап {stage} (K-90)",
        "penalties": "Штрафы {penalties} (K-70)",
        "end": "Конец игры: {reason}. {result}",
        "won": "Победа: {who}",
        "draw_game": "Ничья",
        "payout": "Выплаты: {payout} (K-91)",
    },
}


class _Teller(Teller):
    texts = TEXTS

    def on_deal(self, event: Event) -> Iterator[str]:
        suit = event["trump"]
        trump = self.say("no_trump")
        if suit:
            turned = self.cards([event["turned"]]) if event["turned"] else "—"
            trump = self.say("trump", suit=SIGNS[SUITS.index(suit)], turned=turned)
        yield ""
        yield self.paint(BOLD, self.say("deal", deal=event["deal"], dealer=event["dealer"], leader=event["leader"])) + f" {trump}"
        for seat, hand in enumerate(event["hands"]):
            yield self.paint(DIM, "  " + self.say("hand", who=self.who(seat), cards=self.cards(hand)))

    def on_attack(self, event: Event) -> Iterator[str]:
        notes = self._combinations(event)
        if event["order"]:
            notes.append(self.say(event["order"]))
        if event["credit"]:
            notes.append(self.say("credit"))
        yield self._line("attack", event, notes, cards=self.cards(event["cards"]))

    def on_pass(self, event: Event) -> Iterator[str]:
        drew = self.say("drew", card=self.cards(event["drew"])) if event["drew"] else ""
        yield self._line("pass", event, []) + drew

    def on_beat(self, event: Event) -> Iterator[str]:
        pairs = ", ".join(f"{self.cards([attacking])} ← {self.cards([beating])}" for attacking, beating in event["pairs"])
        notes = self._combinations(event)
        if event["order_earned"]:
            notes.append(self.say("earned"))
        yield self._line("beat", event, notes, pairs=pairs)

    def on_yield(self, event: Event) -> Iterator[str]:
        took = self.say("took", card=self.cards([event["took"]])) if event["took"] else ""
        yield self._line("yield", event, []) + took

    def on_score(self, event: Event) -> Iterator[str]:
        yield f"    {self.changes(event)}: {self.scores(event)}"

    def on_stage(self, event: Event) -> Iterator[str]:
        yield "    " + self.say("stage", who=self.who(event["seat"]), stage=event["stage"])

    def on_draw(self, event: Event) -> Iterator[str]:
        yield self.paint(DIM, "    " + self.say("draw", who=self.who(event["seat"]), cards=self.cards(event["cards"])))

    def on_deal_end(self, event: Event) -> Iterator[str]:
        ending = self.word("ending", event["reason"])
        penalties = self.say("penalties", penalties=self.numbers(event["penalties"]))
        yield f"  {ending}. {penalties}: {self.scores(event)}"

    def on_game_end(self, event: Event) -> Iterator[str]:
        winners = ", ".join(self.who(seat) for seat in event["winners"])
        result = self.say("won", who=winners) if winners else self.say("draw_game")
        yield ""
        text = self.say("end", reason=self.word("game_ending", event["reason"]), result=result)
        yield self.paint(BOLD, f"{text}; {self.scores(event)}")
        if "payout" in event:
            yield self.say("payout", payout=" : ".join(f"{amount:+g}" for amount in event["payout"]))

    def _line(self, key: str, event: Event, notes: list[str], **values: object) -> str:
        return self.noted("  " + self.say(key, who=self.who(event["seat"]), **values), notes)

    def _combinations(self, event: Event) -> list[str]:
        points = self.ruleset.schema.points
        return [f"{points[each['kind']].name[self.lang]} {each['points']}: {self.cards(each['cards'])}" for each in event["combinations"]]

    def reason(self, reason: str) -> str:
        if reason in self.ruleset.points:
            return self.ruleset.schema.points[reason].name[self.lang].lower()
        return self.say("reinforced_cards" if reason == "reinforced" else reason)


tell = _Teller.told
