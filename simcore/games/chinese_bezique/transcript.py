"""The events of the kernel, read back into the objects of a transcript."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from simcore.cards import SUITS, Pack
from simcore.games.chinese_bezique.combinations import CARDS, CARTE_BLANCHE, HAND, LAST_TRICK, takes
from simcore.games.chinese_bezique.names import DEAL_ENDINGS, ITEMS
from simcore.games.chinese_bezique.rows import (
    A_FIELD,
    DECK_FIELD,
    EV_CARTE_BLANCHE,
    EV_DEAL,
    EV_DEAL_END,
    EV_DECLARE,
    EV_DRAW,
    EV_GAME_END,
    EV_LAST_TRICK,
    EV_PLAY,
    HAND_FIELD,
)
from simcore.transcript import game_event

if TYPE_CHECKING:
    from collections.abc import Iterator

    from simcore.simulate import Table

PLAYED: Final = 0


def decode(rows: np.ndarray, table: Table, game: int) -> list[dict[str, Any]]:
    """The events of one game, from the kernel's rows (int64[n, EVENT_WIDTH])."""
    return list(_Reader(table, game).read([[int(field) for field in row] for row in rows]))


class _Reader:
    """Reads the rows of one game in order; keeps what later events repeat."""

    def __init__(self, table: Table, game: int) -> None:
        self.table = table
        self.game = game
        self.points = table.ruleset.schema.points
        self.pack = Pack(table.ruleset.schema.pack, table.ruleset.schema.packs)
        self.scores = [0] * table.players
        self.deal = 0
        self.deal_points = [0] * table.players
        self.trump = -1
        self.led = (0, 0)

    def read(self, rows: list[list[int]]) -> Iterator[dict[str, Any]]:
        yield game_event(self.table, self.game, self.scores)
        readers = {
            EV_DEAL: self._deal,
            EV_PLAY: self._play,
            EV_DECLARE: self._declare,
            EV_DRAW: self._draw,
            EV_CARTE_BLANCHE: self._carte_blanche,
            EV_LAST_TRICK: self._last_trick,
            EV_DEAL_END: self._deal_end,
            EV_GAME_END: self._game_end,
        }
        for row in rows:
            yield from readers[row[0]](row)

    def _deal(self, row: list[int]) -> Iterator[dict[str, Any]]:
        _, dealer, first, leader, *_ = row
        self.deal += 1
        self.deal_points = [0] * self.table.players
        self.trump = -1
        deck = [self.pack.text(row[DECK_FIELD + i // A_FIELD] >> 8 * (i % A_FIELD) & 255) for i in range(CARDS)]
        hands = [deck[0 : 2 * HAND : 2], deck[1 : 2 * HAND : 2]]
        yield {
            "event": "deal",
            "deal": self.deal,
            "dealer": dealer,
            "hands": hands if first == 0 else hands[::-1],
            "stock": deck[2 * HAND :],
            "leader": leader,
        }

    def _play(self, row: list[int]) -> Iterator[dict[str, Any]]:
        _, seat, card, led, *_ = row
        if led < 0:
            self.led = (seat, card)
            return
        leader, first = self.led
        winner = seat if takes(first, card, self.trump) else leader
        yield {"event": "trick", "cards": [[leader, self.pack.text(first)], [seat, self.pack.text(card)]], "winner": winner}

    def _declare(self, row: list[int]) -> Iterator[dict[str, Any]]:
        _, seat, item, places, points, suit, *_ = row
        if suit >= 0:
            self.trump = suit
        trump = SUITS[suit] if suit >= 0 else None
        yield {"event": "declare", "seat": seat, "kind": ITEMS[item], "cards": self._cards(row, places), "points": points, "trump": trump}
        yield from self._score(seat, item, points)

    def _draw(self, row: list[int]) -> Iterator[dict[str, Any]]:
        yield {"event": "draw", "seat": row[1], "card": self.pack.text(row[2])}

    def _carte_blanche(self, row: list[int]) -> Iterator[dict[str, Any]]:
        _, seat, places, points, *_ = row
        yield {"event": "carte_blanche", "seat": seat, "cards": self._cards(row, places)}
        yield from self._score(seat, CARTE_BLANCHE, points)

    def _last_trick(self, row: list[int]) -> Iterator[dict[str, Any]]:
        _, seat, scored, points, *_ = row
        yield {"event": "last_trick", "seat": seat, "scored": bool(scored)}
        if scored:
            yield from self._score(seat, LAST_TRICK, points)

    def _score(self, seat: int, item: int, points: int) -> Iterator[dict[str, Any]]:
        if points:
            self.deal_points[seat] += points
            change = {"seat": seat, "delta": points, "reason": ITEMS[item], "rule": self.points[ITEMS[item]].rule}
            yield {"event": "score", "changes": [change], "scores": list(self.deal_points)}

    def _deal_end(self, row: list[int]) -> Iterator[dict[str, Any]]:
        big_points = row[5:7]
        self.scores = [score + more for score, more in zip(self.scores, big_points, strict=True)]
        yield {"event": "deal_end", "reason": DEAL_ENDINGS[PLAYED], "scores": row[3:5], "big_points": big_points, "rubicon": bool(row[2])}

    def _game_end(self, row: list[int]) -> Iterator[dict[str, Any]]:
        best = max(self.scores)
        winners = [seat for seat, score in enumerate(self.scores) if score == best] if len(set(self.scores)) > 1 else []
        yield {"event": "game_end", "scores": list(self.scores), "winners": winners}

    def _cards(self, row: list[int], places: int) -> list[str]:
        return [self.pack.text(row[HAND_FIELD + i // A_FIELD] >> 8 * (i % A_FIELD) & 255) for i in range(HAND) if places >> i & 1]
