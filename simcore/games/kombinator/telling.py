"""A game told to a person: what was played, what was declared, what it cost, by which rule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from simcore.cards import SIGNS, SUITS, Pack

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


def tell(events: Iterable[Event], ruleset: Ruleset, lang: str = "en", colour: bool = False) -> Iterator[str]:
    """The lines of one game.

    Args:
        events: As `simcore.games.kombinator.transcript.decode` gives them.
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

    def on_game(self, event: Event) -> Iterator[str]:
        players = ", ".join(f"{self._who(seat)} {name}" for seat, name in enumerate(event["strategies"]))
        yield self._paint(BOLD, self._say("game", ruleset=event["ruleset"], game=event["game"], seed=event["seed"], players=players))

    def on_deal(self, event: Event) -> Iterator[str]:
        suit = event["trump"]
        trump = self._say("no_trump")
        if suit:
            turned = self._cards([event["turned"]]) if event["turned"] else "—"
            trump = self._say("trump", suit=SIGNS[SUITS.index(suit)], turned=turned)
        yield ""
        yield self._paint(BOLD, self._say("deal", deal=event["deal"], dealer=event["dealer"], leader=event["leader"])) + f" {trump}"
        for seat, hand in enumerate(event["hands"]):
            yield self._paint(DIM, "  " + self._say("hand", who=self._who(seat), cards=self._cards(hand)))

    def on_attack(self, event: Event) -> Iterator[str]:
        notes = self._combinations(event)
        if event["order"]:
            notes.append(self._say(event["order"]))
        if event["credit"]:
            notes.append(self._say("credit"))
        yield self._line("attack", event, notes, cards=self._cards(event["cards"]))

    def on_pass(self, event: Event) -> Iterator[str]:
        drew = self._say("drew", card=self._cards(event["drew"])) if event["drew"] else ""
        yield self._line("pass", event, []) + drew

    def on_beat(self, event: Event) -> Iterator[str]:
        pairs = ", ".join(f"{self._cards([attacking])} ← {self._cards([beating])}" for attacking, beating in event["pairs"])
        notes = self._combinations(event)
        if event["order_earned"]:
            notes.append(self._say("earned"))
        yield self._line("beat", event, notes, pairs=pairs)

    def on_yield(self, event: Event) -> Iterator[str]:
        took = self._say("took", card=self._cards([event["took"]])) if event["took"] else ""
        yield self._line("yield", event, []) + took

    def on_score(self, event: Event) -> Iterator[str]:
        changes = "; ".join(
            self._say("change", who=self._who(each["seat"]), delta=f"{each['delta']:+d}", reason=self._reason(each["reason"]), rule=each["rule"])
            for each in event["changes"]
        )
        yield f"    {changes}: {self._say('scores', scores=self._scores(event['scores']))}"

    def on_stage(self, event: Event) -> Iterator[str]:
        yield "    " + self._say("stage", who=self._who(event["seat"]), stage=event["stage"])

    def on_draw(self, event: Event) -> Iterator[str]:
        yield self._paint(DIM, "    " + self._say("draw", who=self._who(event["seat"]), cards=self._cards(event["cards"])))

    def on_deal_end(self, event: Event) -> Iterator[str]:
        ending = self._word("ending", event["reason"])
        penalties = self._say("penalties", penalties=self._scores(event["penalties"]))
        yield f"  {ending}. {penalties}: {self._say('scores', scores=self._scores(event['scores']))}"

    def on_game_end(self, event: Event) -> Iterator[str]:
        winners = ", ".join(self._who(seat) for seat in event["winners"])
        result = self._say("won", who=winners) if winners else self._say("draw_game")
        yield ""
        text = self._say("end", reason=self._word("game_ending", event["reason"]), result=result)
        yield self._paint(BOLD, f"{text}; {self._say('scores', scores=self._scores(event['scores']))}")
        if "payout" in event:
            yield self._say("payout", payout=" : ".join(f"{amount:+g}" for amount in event["payout"]))

    def _say(self, key: str, **values: object) -> str:
        return self.texts[key].format(**values)

    def _line(self, key: str, event: Event, notes: list[str], **values: object) -> str:
        text = self._say(key, who=self._who(event["seat"]), **values)
        return f"  {text}" + (f" [{'; '.join(notes)}]" if notes else "")

    def _who(self, seat: int) -> str:
        return self._say("seat", seat=seat)

    def _cards(self, cards: Iterable[str]) -> str:
        return self.pack.pretty_hand(cards, colour=self.colour, lang=self.lang)

    def _combinations(self, event: Event) -> list[str]:
        points = self.ruleset.schema.points
        return [f"{points[each['kind']].name[self.lang]} {each['points']}: {self._cards(each['cards'])}" for each in event["combinations"]]

    def _reason(self, reason: str) -> str:
        if reason in self.ruleset.points:
            return self.ruleset.schema.points[reason].name[self.lang].lower()
        return self._say("reinforced_cards" if reason == "reinforced" else reason)

    def _word(self, table: str, key: str) -> str:
        return self.ruleset.schema.words[table][key][self.lang]

    def _scores(self, scores: Iterable[int]) -> str:
        return " : ".join(map(str, scores))

    def _paint(self, code: str, text: str) -> str:
        return f"{code}{text}{PLAIN}" if self.colour else text
