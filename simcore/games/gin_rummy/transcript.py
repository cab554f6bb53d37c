"""The events of the kernel, read back into the objects of a transcript."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from simcore.cards import Pack
from simcore.games.gin_rummy.combinations import CARDS, HAND, PRICED, RANKS, UNDERCUT, UNDERCUT_BONUS, worth
from simcore.games.gin_rummy.names import DEAL_ENDINGS, ITEMS
from simcore.games.gin_rummy.rows import (
    EV_CHANGE,
    EV_DEAL,
    EV_DEAL_END,
    EV_DISCARD,
    EV_DRAW,
    EV_GAME_END,
    EV_KNOCK,
    EV_REFUSE,
    EV_SHOW,
)
from simcore.transcript import game_event

if TYPE_CHECKING:
    from simcore.simulate import Table

REASONS: Final = {"max_turns_per_deal": "max_turns"}
"""Endings of deals whose name in a transcript is another than in the records."""


def decode(rows: np.ndarray, table: Table, game: int) -> list[dict[str, Any]]:
    """The events of one game, from the kernel's rows (int64[n, EVENT_WIDTH])."""
    return _Reader(table, game).read([[int(field) for field in row] for row in rows])


def melds_of(sets: int, runs: int) -> list[list[int]]:
    """The melds in two masks as sorted lists of card numbers, in the order of their lowest cards."""
    melds = [[card for card in range(4 * rank, 4 * rank + 4) if sets >> card & 1] for rank in range(RANKS) if sets >> 4 * rank & 15]
    for suit in range(4):
        run: list[int] = []
        for card in range(suit, CARDS + 4, 4):  # one step beyond the king, to end a run there
            if card < CARDS and runs >> card & 1:
                run.append(card)
            elif run:
                melds.append(run)
                run = []
    return sorted(melds)


def placed(cards: list[int], melds: list[list[int]]) -> list[tuple[int, int]]:
    """In what order cards can be laid off, and on which meld each (G11): pairs of a card and the position of the meld.

    As long as any card fits on a run one is laid there, since another may follow it; a set takes its one card after that.
    """
    grown = [list(meld) for meld in melds]
    numbers = range(len(melds))
    runs, sets = [i for i in numbers if not _is_set(melds[i])], [i for i in numbers if _is_set(melds[i])]
    rest, found = sorted(cards), []
    while rest:
        card, at = next((card, i) for group in (runs, sets) for card in rest for i in group if _fits(card, grown[i]))
        grown[at] = sorted([*grown[at], card])
        found.append((card, at))
        rest.remove(card)
    return found


def _is_set(meld: list[int]) -> bool:
    return meld[0] // 4 == meld[1] // 4


def _fits(card: int, meld: list[int]) -> bool:
    if _is_set(meld):
        return card // 4 == meld[0] // 4
    return card in (meld[0] - 4, meld[-1] + 4)


class _Reader:
    """Reads the rows of one game in order; keeps what later events repeat."""

    def __init__(self, table: Table, game: int) -> None:
        self.table = table
        self.game = game
        self.ruleset = table.ruleset
        self.pack = Pack(table.ruleset.schema.pack)
        self.scores = [0] * table.players
        self.deal = 0
        self.laid: list[list[int]] = []

    def read(self, rows: list[list[int]]) -> list[dict[str, Any]]:
        events = [game_event(self.table, self.game, self.scores)]
        readers = {
            EV_DEAL: self._deal,
            EV_REFUSE: lambda row: {"event": "refuse", "seat": row[1]},
            EV_DRAW: self._draw,
            EV_DISCARD: lambda row: {"event": "discard", "seat": row[1], "card": self.pack.text(row[2])},
            EV_KNOCK: self._knock,
            EV_SHOW: self._show,
            EV_DEAL_END: self._deal_end,
            EV_GAME_END: self._game_end,
        }
        for is_change, group in groupby(rows, lambda row: row[0] == EV_CHANGE):
            if is_change:
                events.append(self._score(list(group)))
            else:
                events += [readers[row[0]](row) for row in group]
        return events

    def _texts(self, cards: list[int]) -> list[str]:
        return [self.pack.text(card) for card in cards]

    def _deal(self, row: list[int]) -> dict[str, Any]:
        self.deal += 1
        _, dealer, first, *_ = row
        deck = self._texts([row[6 + i // 9] >> 6 * (i % 9) & 63 for i in range(CARDS)])
        hands = [deck[0 : 2 * HAND : 2], deck[1 : 2 * HAND : 2]]
        return {
            "event": "deal",
            "deal": self.deal,
            "dealer": dealer,
            "hands": hands if first == 0 else hands[::-1],
            "stock": deck[2 * HAND + 1 :],
            "leader": 1 - dealer,
            "turned": deck[2 * HAND],
        }

    def _draw(self, row: list[int]) -> dict[str, Any]:
        return {"event": "draw", "seat": row[1], "from": "pile" if row[3] else "stock", "card": self.pack.text(row[2])}

    def _knock(self, row: list[int]) -> dict[str, Any]:
        _, seat, discard, sets, runs, hand, *_ = row
        self.laid = melds_of(sets, runs)
        loose = self.pack.cards(hand & ~(sets | runs))
        return {
            "event": "knock",
            "seat": seat,
            "discard": self.pack.text(discard) if discard >= 0 else None,
            "melds": [self._texts(meld) for meld in self.laid],
            "deadwood": self._texts(loose),
            "count": sum(worth(card // 4) for card in loose),
            "gin": not loose,
        }

    def _show(self, row: list[int]) -> dict[str, Any]:
        _, seat, laid_off, sets, runs, hand, *_ = row
        loose = self.pack.cards(hand & ~(sets | runs | laid_off))
        return {
            "event": "show",
            "seat": seat,
            "melds": [self._texts(meld) for meld in melds_of(sets, runs)],
            "layoffs": [{"card": self.pack.text(card), "meld": meld} for card, meld in placed(self.pack.cards(laid_off), self.laid)],
            "deadwood": self._texts(loose),
            "count": sum(worth(card // 4) for card in loose),
        }

    def _score(self, rows: list[list[int]]) -> dict[str, Any]:
        changes = []
        equal = UNDERCUT not in [row[3] for row in rows]  # no difference was scored
        for _, seat, delta, item, *_ in rows:
            self.scores[seat] += delta
            known = self.ruleset.schema.points if item < PRICED else self.ruleset.schema.counted
            rule = "G14" if item == UNDERCUT_BONUS and equal else known[ITEMS[item]].rule
            changes.append({"seat": seat, "delta": delta, "reason": ITEMS[item], "rule": rule})
        return {"event": "score", "changes": changes, "scores": list(self.scores)}

    def _deal_end(self, row: list[int]) -> dict[str, Any]:
        reason = DEAL_ENDINGS[row[1]]
        return {"event": "deal_end", "reason": REASONS.get(reason, reason), "winner": row[2] if row[2] >= 0 else None, "scores": list(self.scores)}

    def _game_end(self, row: list[int]) -> dict[str, Any]:
        winners = [seat for seat in range(self.table.players) if row[2] >> seat & 1]
        return {"event": "game_end", "scores": list(self.scores), "winners": winners, "boxes": row[3 : 3 + self.table.players]}
