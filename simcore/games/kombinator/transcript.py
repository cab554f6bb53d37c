"""The events of the kernel, read back into the objects of a transcript."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from simcore.cards import SUITS, Pack
from simcore.games.kombinator.combinations import (
    COURT_CARD,
    DUMP,
    JACKPOT,
    SIX_OF_SPADES,
    SUPERBLOW,
    WEAK_MARRIAGE,
)
from simcore.games.kombinator.names import DEAL_ENDINGS, GAME_ENDINGS, ITEMS
from simcore.games.kombinator.rows import (
    EV_ATTACK,
    EV_BEAT,
    EV_CHANGE,
    EV_DEAL,
    EV_DEAL_END,
    EV_DRAW,
    EV_GAME_END,
    EV_PASS,
    EV_STAGE,
    EV_YIELD,
)
from simcore.games.kombinator.rules import ladder
from simcore.games.kombinator.view import CARDS, DEFENCE
from simcore.transcript import game_event

if TYPE_CHECKING:
    from simcore.ruleset import Ruleset
    from simcore.simulate import Table

ORDERS: Final = (None, "invulnerable", "reinforced", "assembly")


def decode(rows: np.ndarray, table: Table, game: int) -> list[dict[str, Any]]:
    """The events of one game, from the kernel's rows (int64[n, EVENT_WIDTH])."""
    return _Reader(table, game).read([[int(field) for field in row] for row in rows])


def payouts(ruleset: Ruleset, winners: Iterable[int], stages: list[int]) -> list[float]:
    """K-91: what each seat wins or pays, net; each loser pays each winner by the last stage that the winner has passed."""
    modifiers = [Decimal(0), *(modifier for _, _, modifier in ladder(ruleset))]
    unit = Decimal(int(str(ruleset.options["stake"]))) * int(str(ruleset.options["start_score"]))
    won = set(winners)
    net = [Decimal(0)] * len(stages)
    for winner in won:
        prize = unit * modifiers[stages[winner]]
        for loser in set(range(len(stages))) - won:
            net[winner] += prize
            net[loser] -= prize
    return [float(amount) for amount in net]


class _Reader:
    """Reads the rows of one game in order; keeps what later events repeat."""

    def __init__(self, table: Table, game: int) -> None:
        self.table = table
        self.game = game
        self.ruleset = table.ruleset
        self.pack = Pack(table.ruleset.schema.pack)
        self.points = list(table.ruleset.points.values())
        self.scores = [int(str(table.ruleset.options["start_score"]))] * table.players
        self.deal = 0
        self.deck: list[int] = []
        self.attack: list[int] = []

    def read(self, rows: list[list[int]]) -> list[dict[str, Any]]:
        events = [game_event(self.table, self.game, self.scores)]
        readers = {
            EV_DEAL: self._deal,
            EV_ATTACK: self._attack,
            EV_PASS: self._pass,
            EV_BEAT: self._beat,
            EV_YIELD: self._yield,
            EV_STAGE: lambda row: {"event": "stage", "seat": row[1], "stage": row[2]},
            EV_DRAW: self._draw,
            EV_DEAL_END: self._deal_end,
            EV_GAME_END: self._game_end,
        }
        for is_change, group in groupby(rows, lambda row: row[0] == EV_CHANGE):
            if is_change:
                events.append(self._score(list(group)))
            else:
                events += [readers[row[0]](row) for row in group]
        return events

    def _deal(self, row: list[int]) -> dict[str, Any]:
        self.deal += 1
        players = self.table.players
        dealer = row[1]
        self.deck = [row[6 + i // 9] >> 6 * (i % 9) & 63 for i in range(CARDS)]
        dealt = int(str(self.ruleset.options["hand_size"])) * players
        hands: list[list[str]] = [[] for _ in range(players)]
        for i in range(dealt):
            hands[(dealer + 1 + i) % players].append(self.pack.text(self.deck[i]))
        stock = [self.pack.text(card) for card in self.deck[dealt:]]
        return {
            "event": "deal",
            "deal": self.deal,
            "dealer": dealer,
            "hands": hands,
            "stock": stock,
            "leader": row[2],
            "turned": stock[-1] if stock else None,
            "trump": SUITS[row[3]] if row[3] >= 0 else None,
        }

    def _attack(self, row: list[int]) -> dict[str, Any]:
        combinations = [{"kind": "dump", "cards": self.pack.hand(row[2]), "points": self.points[DUMP]}] if row[5] else self._parts(row)
        self.attack = self.pack.cards(row[2])
        return {
            "event": "attack",
            "seat": row[1],
            "cards": self.pack.hand(row[2]),
            "combinations": combinations,
            "order": ORDERS[row[3]],
            "credit": row[4] > 0,
        }

    def _parts(self, row: list[int]) -> list[dict[str, Any]]:
        parts = []
        for i in range(row[6]):
            kind, cards = row[8 + 2 * i], row[9 + 2 * i]
            points = 0 if kind == WEAK_MARRIAGE else self.points[kind]
            if kind == SUPERBLOW and self.ruleset.options["superblow"] == "adds":
                points += self.points[row[7]]
            name = "marriage" if kind == WEAK_MARRIAGE else ITEMS[kind]
            parts.append({"kind": name, "cards": self.pack.hand(cards), "points": points})
        return parts

    def _pass(self, row: list[int]) -> dict[str, Any]:
        return {"event": "pass", "seat": row[1], "drew": [self.pack.text(row[2])] if row[2] >= 0 else []}

    def _beat(self, row: list[int]) -> dict[str, Any]:
        beating = [row[3] >> 6 * i & 63 for i in range(len(self.attack))]
        combinations = self._parts(row)
        if row[5]:
            six = [self.pack.text(SIX_OF_SPADES)]
            combinations.append({"kind": "jackpot", "cards": six, "points": self.points[JACKPOT]})
        pairs = [[self.pack.text(card), self.pack.text(beater)] for card, beater in zip(self.attack, beating, strict=True)]
        return {"event": "beat", "seat": row[1], "pairs": pairs, "combinations": combinations, "order_earned": row[4] == 1}

    def _yield(self, row: list[int]) -> dict[str, Any]:
        return {"event": "yield", "seat": row[1], "took": self.pack.text(row[2]) if row[2] >= 0 else None}

    def _score(self, rows: list[list[int]]) -> dict[str, Any]:
        changes = []
        for _, seat, delta, item, role, *_ in rows:
            self.scores[seat] += delta
            if item == COURT_CARD:
                reason, rule = ("court_cards", "K-42") if role == DEFENCE else ("reinforced", "K-50")
            else:
                reason, rule = ITEMS[item], self.ruleset.schema.points[ITEMS[item]].rule
            changes.append({"seat": seat, "delta": delta, "reason": reason, "rule": rule})
        return {"event": "score", "changes": changes, "scores": list(self.scores)}

    def _draw(self, row: list[int]) -> dict[str, Any]:
        cards = [self.pack.text(card) for card in self.deck[row[2] : row[2] + row[3]]]
        return {"event": "draw", "seat": row[1], "cards": cards}

    def _deal_end(self, row: list[int]) -> dict[str, Any]:
        players = self.table.players
        penalties = row[3 : 3 + players]
        self.scores = [score - penalty for score, penalty in zip(self.scores, penalties, strict=True)]
        out = [seat for seat in range(players) if row[2] >> seat & 1]
        return {"event": "deal_end", "reason": DEAL_ENDINGS[row[1]], "out": out, "penalties": penalties, "scores": list(self.scores)}

    def _game_end(self, row: list[int]) -> dict[str, Any]:
        winners = [seat for seat in range(self.table.players) if row[2] >> seat & 1]
        event: dict[str, Any] = {"event": "game_end", "scores": list(self.scores), "winners": winners, "reason": GAME_ENDINGS[row[1]]}
        if self.ruleset.options["millionaire"]:
            event["stages"] = row[3 : 3 + self.table.players]
            event["payout"] = payouts(self.ruleset, winners, event["stages"])
        return event
