"""A game told to a person: who attacked whom with what, what was covered, thrown in and taken, and who was left the fool."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from simcore.cards import SIGNS, SUITS
from simcore.games.durak.deck import pack_of, sorted_cards
from simcore.games.durak.transcript import REASONS
from simcore.telling import BOLD, DIM, Event, Teller

if TYPE_CHECKING:
    from simcore.ruleset import Ruleset


TEXTS: Final = {
    "en": {
        "seat": "Seat {seat}",
        "game": "{ruleset}, game {game} of seed {seed}: {players}",
        "deal": "Deal {deal}. Dealer: seat {dealer}; seat {leader} leads. Trump {trump}, {turned} is turned up",
        "dealt": "{who} is dealt {cards}",
        "ranks": "{who} is to hang {rank}",
        "attack": "{who} leads {cards}",
        "beat": "{who} covers {pairs}",
        "pair": "{card} with {other}",
        "throw_in": "{who} throws in {cards}",
        "done": "{who} throws nothing more in",
        "take": "{who} takes",
        "pass": "{who} may lead none of its cards and passes",
        "beaten": "Beaten: {cards}",
        "taken": "Taken: {cards}",
        "draw": "{who} draws {cards}",
        "out": "out in this order: {seats}",
        "hung": "{who} hangs {cards}",
        "scores": "scores {scores}",
        "end": "Game over ({reason}). {result}; {scores}; times fool {fools}",
        "won": "Won by {who}",
        "even": "Nobody has won",
        "tournament": "Tournament of {players} players at tables of {table}, entry {entry}: {mode}",
        "knockout": "the fool of a table goes",
        "winner_advances": "only the first out of a table stays",
        "stage": "Stage {stage}",
        "table": "table {number}: players {players}",
        "stage_end": "Stage {stage} is over. Out: {eliminated}. Left: {left}",
        "tournament_end": "Player {winner} wins the tournament and {prize}",
    },
    "ru": {
        "seat": "Место {seat}",
        "game": "{ruleset}, игра {game} с числом {seed}: {players}",
        "deal": "Сдача {deal}. Сдаёт место {dealer}, ходит место {leader}. Козырь {trump}, открыта {turned}",
        "dealt": "{who} получает {cards}",
        "ranks": "{who} вешает {rank}",
        "attack": "{who} ходит {cards}",
        "beat": "{who} кроет {pairs}",
        "pair": "{card} картой {other}",
        "throw_in": "{who} подкидывает {cards}",
        "done": "{who} больше ничего не подкидывает",
        "take": "{who} берёт",
        "pass": "{who} не может ходить ни с одной карты и пропускает ход",
        "beaten": "В отбой: {cards}",
        "taken": "На руки: {cards}",
        "draw": "{who} добирает {cards}",
        "out": "вышли по порядку: {seats}",
        "hung": "{who} вешает погоны {cards}",
        "scores": "счёт {scores}",
        "end": "Конец игры ({reason}). {result}; {scores}; дураком: {fools}",
        "won": "Победа: {who}",
        "even": "Никто не выиграл",
        "tournament": "Турнир. Игроков: {players}, за столом до {table}, взнос {entry}: {mode}",
        "knockout": "дурак стола выбывает",
        "winner_advances": "остаётся только первый вышедший за столом",
        "stage": "Этап {stage}",
        "table": "стол {number}: игроки {players}",
        "stage_end": "Этап {stage} окончен. Выбыли: {eliminated}. Остались: {left}",
        "tournament_end": "Турнир и приз {prize} выигрывает игрок {winner}",
    },
}


class _Teller(Teller):
    texts = TEXTS

    def __init__(self, ruleset: Ruleset, lang: str, colour: bool) -> None:
        super().__init__(ruleset, lang, colour)
        self.pack = pack_of(ruleset)
        self.endings = {REASONS.get(key, key): words[lang] for key, words in ruleset.schema.words["game_ending"].items()}

    def on_deal(self, event: Event) -> Iterator[str]:
        trump, turned = SIGNS[SUITS.index(event["trump"])], self.cards([event["turned"]])
        yield ""
        yield self.paint(BOLD, self.say("deal", deal=event["deal"], dealer=event["dealer"], leader=event["leader"], trump=trump, turned=turned))
        for seat, hand in enumerate(event["hands"]):
            notes = [self.say("ranks", who=self.who(seat), rank=self._rank(event["ranks"][seat]))] if "ranks" in event else []
            text = self.say("dealt", who=self.who(seat), cards=self.cards(sorted_cards(self.pack, hand)))
            yield self.paint(DIM, "  " + self.noted(text, notes))

    def on_attack(self, event: Event) -> Iterator[str]:
        yield "  " + self._said(event)

    def on_beat(self, event: Event) -> Iterator[str]:
        pairs = ", ".join(self.say("pair", card=self.cards([card]), other=self.cards([other])) for card, other in event["pairs"])
        yield "    " + self.say("beat", who=self.who(event["seat"]), pairs=pairs)

    def on_throw_in(self, event: Event) -> Iterator[str]:
        yield "    " + self._said(event)

    def on_done(self, event: Event) -> Iterator[str]:
        yield self.paint(DIM, "    " + self.say("done", who=self.who(event["seat"])))

    def on_take(self, event: Event) -> Iterator[str]:
        yield "    " + self.say("take", who=self.who(event["seat"]))

    def on_pass(self, event: Event) -> Iterator[str]:
        yield "  " + self.say("pass", who=self.who(event["seat"]))

    def on_bout_end(self, event: Event) -> Iterator[str]:
        yield "    " + self.say("beaten" if event["beaten"] else "taken", cards=self.cards(event["cards"]))

    def on_draw(self, event: Event) -> Iterator[str]:
        yield self.paint(DIM, "    " + self._said(event))

    def on_deal_end(self, event: Event) -> Iterator[str]:
        parts = [] if event["fool"] is None else [self.who(event["fool"])]
        parts += [self.say("out", seats=", ".join(map(str, event["out"])))] if event["out"] else []
        hung = event["epaulettes"]
        parts += [self.say("hung", who=self.who(hung["seat"]), cards=self.cards(hung["cards"]))] if hung else []
        yield f"  {self.word('ending', event['reason'])}: {'; '.join([*parts, self.scores(event)])}"

    def on_game_end(self, event: Event) -> Iterator[str]:
        result = self.say("won", who=", ".join(map(self.who, event["winners"]))) if event["winners"] else self.say("even")
        reason = self.endings[event["reason"]]
        yield ""
        yield self.paint(BOLD, self.say("end", reason=reason, result=result, scores=self.scores(event), fools=self.numbers(event["fools"])))

    def on_tournament(self, event: Event) -> Iterator[str]:
        yield self.paint(BOLD, self.say("tournament", players=event["players"], table=event["table"], entry=event["entry"], mode=self.say(event["mode"])))

    def on_tables(self, event: Event) -> Iterator[str]:
        tables = [self.say("table", number=number, players=self._players(table)) for number, table in enumerate(event["tables"], 1)]
        yield ""
        yield self.paint(BOLD, f"{self.say('stage', stage=event['stage'])}: {'; '.join(tables)}")

    def on_stage_end(self, event: Event) -> Iterator[str]:
        yield ""
        yield self.say("stage_end", stage=event["stage"], eliminated=self._players(event["eliminated"]), left=self._players(event["left"]))

    def on_tournament_end(self, event: Event) -> Iterator[str]:
        yield ""
        yield self.paint(BOLD, self.say("tournament_end", winner=event["winner"], prize=event["prize"]))

    def _players(self, players: Iterable[int]) -> str:
        return " ".join(map(str, players))

    def _said(self, event: Event) -> str:
        """An event about a seat and its cards."""
        return self.say(event["event"], who=self.who(event["seat"]), cards=self.cards(event["cards"]))

    def _rank(self, rank: str) -> str:
        """A rank as a person reads it."""
        return self.pack.pretty(rank + SUITS[0], lang=self.lang)[:-1]


tell = _Teller.told
