"""The events of the kernel, read back into the objects of a transcript."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from simcore.cards import Pack
from simcore.games.seven_card_combo.combinations import BONUSES, CARDS, LOOSE_CARD
from simcore.games.seven_card_combo.names import DEAL_ENDINGS, ITEMS
from simcore.games.seven_card_combo.rows import EV_DEAL, EV_DEAL_END, EV_GAME_END, EV_HAND, EV_REFILL, EV_RESHUFFLE, EV_TURN
from simcore.games.seven_card_combo.view import DEALT
from simcore.transcript import game_event

if TYPE_CHECKING:
    from simcore.simulate import Table

Event = dict[str, Any]


def decode(rows: np.ndarray, table: Table, game: int) -> list[Event]:
    """The events of one game, from the kernel's rows (int64[n, EVENT_WIDTH])."""
    return _Reader(table, game).read([[int(field) for field in row] for row in rows])


class _Reader:
    """Reads the rows of one game in order; keeps what later events repeat."""

    def __init__(self, table: Table, game: int) -> None:
        self.table = table
        self.game = game
        self.ruleset = table.ruleset
        self.pack = Pack(table.ruleset.schema.pack)
        self.scores = [0] * table.players
        self.deal = 0
        self.changes: list[Event] = []

    def read(self, rows: list[list[int]]) -> list[Event]:
        readers = {
            EV_DEAL: self._deal,
            EV_TURN: self._turn,
            EV_REFILL: lambda row: [{"event": "refill_pile", "card": self.pack.text(row[2])}],
            EV_RESHUFFLE: lambda row: [{"event": "reshuffle", "stock": self._cards(row, 2, row[1])}],
            EV_HAND: self._hand,
            EV_DEAL_END: self._deal_end,
            EV_GAME_END: self._game_end,
        }
        return [game_event(self.table, self.game, self.scores), *(event for row in rows for event in readers[row[0]](row))]

    def _cards(self, row: list[int], field: int, count: int) -> list[str]:
        """``count`` cards, nine of six bits a field from ``field`` on."""
        return [self.pack.text(row[field + i // 9] >> 6 * (i % 9) & 63) for i in range(count)]

    def _deal(self, row: list[int]) -> list[Event]:
        self.deal += 1
        _, dealer, leader, first, *_ = row
        players = self.table.players
        deck = self._cards(row, 4, CARDS)
        dealt = DEALT * players
        hands: list[list[str]] = [[] for _ in range(players)]
        for i in range(dealt):
            hands[(first + i) % players].append(deck[i])
        event = {"event": "deal", "deal": self.deal, "dealer": dealer, "hands": hands, "stock": deck[dealt + 1 :], "leader": leader}
        return [event | {"turned": deck[dealt]}]

    def _turn(self, row: list[int]) -> list[Event]:
        taken = [
            {"from": source, "card": card} for source, field in (("pile", 5), ("packet", 7), ("stock", 9)) for card in self._cards(row, field + 1, row[field])
        ]
        return [{"event": "turn", "seat": row[1], "circle": row[2], "discarded": self._cards(row, 4, row[3]), "taken": taken}]

    def _hand(self, row: list[int]) -> list[Event]:
        _, seat, hand, loose, best, points, *_ = row
        bonus = BONUSES[best] if best >= 0 else None
        self._change(seat, ITEMS[LOOSE_CARD], loose.bit_count())
        if bonus:
            self._change(seat, bonus, 1)
        event = {"event": "hand", "seat": seat, "cards": self.pack.hand(hand), "covered": self.pack.hand(hand & ~loose), "loose": self.pack.hand(loose)}
        return [event | {"bonus": bonus, "points": points}]

    def _change(self, seat: int, item: str, count: int) -> None:
        delta = count * self.ruleset.points[item]
        self.scores[seat] += delta
        if delta:
            self.changes.append({"seat": seat, "delta": delta, "reason": item, "rule": self.ruleset.schema.points[item].rule})

    def _deal_end(self, row: list[int]) -> list[Event]:
        changes, self.changes = self.changes, []
        score = [{"event": "score", "changes": changes, "scores": list(self.scores)}] if changes else []
        return [*score, {"event": "deal_end", "reason": DEAL_ENDINGS[row[1]], "scores": list(self.scores)}]

    def _game_end(self, row: list[int]) -> list[Event]:
        winners = [seat for seat in range(self.table.players) if row[1] >> seat & 1]
        return [{"event": "game_end", "scores": list(self.scores), "winners": winners}]
