"""The events of the kernel, read back into the objects of a transcript."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from simcore.cards import SUITS
from simcore.games.durak.deck import pack_of, size_of
from simcore.games.durak.names import DEAL_ENDINGS, GAME_ENDINGS
from simcore.games.durak.rows import (
    EV_ATTACK,
    EV_BEAT,
    EV_BOUT_END,
    EV_DEAL,
    EV_DEAL_END,
    EV_DONE,
    EV_DRAW,
    EV_GAME_END,
    EV_PASS,
    EV_TAKE,
    EV_THROW_IN,
)
from simcore.games.durak.view import DEALT
from simcore.transcript import game_event

if TYPE_CHECKING:
    from simcore.simulate import Table

Event = dict[str, Any]

REASONS: Final = {"complete": "deals"}
"""Endings of games whose name in a transcript is another than in the records, where that of an option stands for a limit."""


def decode(rows: np.ndarray, table: Table, game: int) -> list[Event]:
    """The events of one game, from the kernel's rows (int64[n, EVENT_WIDTH])."""
    return _Reader(table, game).read([[int(field) for field in row] for row in rows])


class _Reader:
    """Reads the rows of one game in order; keeps what later events repeat."""

    def __init__(self, table: Table, game: int) -> None:
        self.table = table
        self.game = game
        self.pack = pack_of(table.ruleset)
        self.pogony = table.ruleset.options["variant"] == "pogony"
        self.scores = [0] * table.players
        self.deal = 0

    def read(self, rows: list[list[int]]) -> list[Event]:
        """The event ``game``, and one for each row."""
        readers = {
            EV_DEAL: self._deal,
            EV_ATTACK: lambda row: self._by("attack", row) | self._cards(row[2]),
            EV_BEAT: lambda row: self._by("beat", row) | {"pairs": self._pairs(row)},
            EV_THROW_IN: lambda row: self._by("throw_in", row) | self._cards(row[2]),
            EV_DONE: lambda row: self._by("done", row),
            EV_TAKE: lambda row: self._by("take", row),
            EV_PASS: lambda row: self._by("pass", row),
            EV_BOUT_END: lambda row: {"event": "bout_end", "beaten": row[1] == 1} | self._cards(row[2]),
            EV_DRAW: lambda row: self._by("draw", row) | {"cards": self._texts(_numbers(row, 3, row[2]))},
            EV_DEAL_END: self._deal_end,
            EV_GAME_END: self._game_end,
        }
        return [game_event(self.table, self.game, self.scores), *(readers[row[0]](row) for row in rows)]

    def _texts(self, cards: Iterable[int]) -> list[str]:
        return [self.pack.text(card) for card in cards]

    def _by(self, event: str, row: list[int]) -> Event:
        return {"event": event, "seat": row[1]}

    def _cards(self, mask: int) -> Event:
        return {"cards": self.pack.hand(mask)}

    def _pairs(self, row: list[int]) -> list[list[str]]:
        cards = self._texts(_numbers(row, 3, 2 * row[2]))
        return [list(pair) for pair in zip(cards[::2], cards[1::2], strict=True)]

    def _rank(self, number: int) -> str | None:
        """The letter of a rank that is hung; None after the aces."""
        return self.pack.ranks[number] if number < len(self.pack.ranks) else None

    def _deal(self, row: list[int]) -> Event:
        self.deal += 1
        _, dealer, leader, turned, *_ = row
        players = self.table.players
        deck = self._texts(_numbers(row, 4, size_of(self.table.ruleset)))
        hands = [deck[(seat - dealer - 1) % players : DEALT * players : players] for seat in range(players)]
        event = {"event": "deal", "deal": self.deal, "dealer": dealer, "hands": hands, "stock": deck[DEALT * players :], "leader": leader}
        event |= {"turned": self.pack.text(turned), "trump": SUITS[turned & 3]}
        return event | {"ranks": [self._rank(number) for number in row[10:12]]} if self.pogony else event

    def _deal_end(self, row: list[int]) -> Event:
        _, reason, fool, n_out, _, hung_by, hung_cards, *scores = row
        out = _numbers(row, 4, n_out)
        epaulettes = None
        if hung_by >= 0:
            epaulettes = {"seat": hung_by, "rank": self._rank(self.scores[hung_by]), **self._cards(hung_cards)}
        self.scores = scores[: self.table.players]
        return {
            "event": "deal_end",
            "reason": DEAL_ENDINGS[reason],
            "fool": fool if fool >= 0 else None,
            "first_out": out[0] if out else None,
            "out": out,
            "epaulettes": epaulettes,
            "scores": list(self.scores),
        }

    def _game_end(self, row: list[int]) -> Event:
        players = self.table.players
        reason = GAME_ENDINGS[row[1]]
        event = {
            "event": "game_end",
            "scores": list(self.scores),
            "winners": [seat for seat in range(players) if row[2] >> seat & 1],
            "reason": REASONS.get(reason, reason),
            "fools": row[3 : 3 + players],
        }
        return event | {"ranks": [self._rank(score) for score in self.scores]} if self.pogony else event


def _numbers(row: list[int], field: int, count: int) -> list[int]:
    """``count`` numbers, nine of six bits a field from ``field`` on."""
    return [row[field + i // 9] >> 6 * (i % 9) & 63 for i in range(count)]
