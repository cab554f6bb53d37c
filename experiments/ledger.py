"""Stored deals under another point table: which price changes whose score how often, and the games that follow when the scores are played again.

What happened in the deals stays as it was: strategies are held fixed. A deal's points are then exact. A game's end is found by playing its deals again until
a score ends it. It is exact where no price that was changed occurred in the game; elsewhere a deal is taken as evenly spread points, a game that goes on
longer than its own deals is continued with those of the next ones, and a deal that the end of a game cut short makes way for a whole one where the game
goes on. Whole deals late in a game are those that did not end it, the smaller ones, so only early ones, which (nearly) no game ended in, stand in for others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from experiments.replaying import CHANGED, CLOSE, CONTINUED, NEVER, THROUGH_BROKEN, add_up, find_changed, play_again, reprice
from simcore.errors import InputError
from simcore.records import TALLY

if TYPE_CHECKING:
    from simcore.game import Game
    from simcore.ruleset import Ruleset
    from simcore.simulate import Batch

Integers = npt.NDArray[np.integer[Any]]
Floats = npt.NDArray[np.float64]
Columns = Mapping[str, Integers]
"""Rows of tallies by column, see `simcore.records.TALLY`; read-only."""


TORN: Final = 0.001
"""Share of games that may have ended in the deals that are spared for games that go on longer: what these deals lack of large ones."""


class Prices:
    """Which row of the tallies has which price, under the ruleset that was played by.

    Attributes:
        keys: Prices that are looked at, keys of the point table.
        items: Numbers of the items whose rows are needed for these prices.
        closing: Number of the role of what is scored after the end of a game, -1 for none.
    """

    def __init__(self, game: Game, ruleset: Ruleset, keys: Sequence[str]) -> None:
        """Raises InputError for a key that is no item of the tallies."""
        self.ruleset, self.keys = ruleset, tuple(keys)
        names = list(game.items)
        missing = [key for key in keys if key not in names]
        if missing:
            raise InputError(f"{missing[0]} is not tallied in {game.key}, so its price changes no stored points")
        self._place = np.full(len(names), -1)
        self._items = [names.index(key) for key in keys]
        self._place[self._items] = range(len(keys))
        self.price = np.array([ruleset.points.get(name, 0) for name in names], np.int64)
        effects = [[game.account.effect(item, role) for role in game.roles] for item in names]
        self._further, self._sign = (np.array([[each[side] for each in row] for row in effects]) for side in (0, 1))
        self._sign[[place for place, name in enumerate(names) if name not in ruleset.points]] = 0  # the points follow from the play
        self._parts = {
            names.index(whole): np.array([names.index(part) for part in parts])
            for whole, parts in game.account.parts(ruleset).items()
            if any(part in keys for part in parts)
        }
        category = {key: item.category for key, item in ruleset.schema.points.items()} | {key: item.category for key, item in ruleset.schema.counted.items()}
        self._category = np.array([list(ruleset.schema.categories).index(category[name]) if name in category else -1 for name in names])
        self._best_of: tuple[int, int] | None = None
        closing = game.account.closing
        self.closing = game.roles.index(closing) if closing else -1
        self._felt = self._sign.copy()
        if closing:
            self._felt[:, self.closing] = 0  # after the end a score ends nothing any more
        needed = set(np.flatnonzero(self._place >= 0).tolist()) | set(self._parts)
        if game.account.best_of:
            self._best_of = (game.roles.index(game.account.best_of[0]), game.roles.index(game.account.best_of[1]))
            self._lowest = ruleset.schema.lowest_wins
            needed = set(np.flatnonzero(np.isin(self._category, self._category[list(needed)])).tolist())
        self.items = tuple(sorted(needed))

    def terms(self, rows: Columns) -> tuple[Integers, Integers, Integers, Integers]:
        """What of the prices is in some rows.

        Returns:
            Four int64 arrays: number of the row, place of the price among `keys`, signed number of times, seat whose score changes (before it wraps round).
        """
        item, role = rows["item"], rows["role"]
        plain = np.flatnonzero((self._place[item] >= 0) & (self._sign[item, role] != 0))
        second = self._second_prices(rows)
        row = np.concatenate([plain, *(each for each, _ in second)])
        place = np.concatenate([self._place[item[plain]], *(each for _, each in second)])
        times = np.concatenate([rows["count"][plain].astype(np.int64), np.ones(len(row) - len(plain), np.int64)])
        return row, place, times * self._sign[item[row], role[row]], rows["seat"][row] + self._further[item[row], role[row]]

    def _second_prices(self, rows: Columns) -> list[tuple[Integers, Integers]]:
        """Rows of items that are worth another item's price as well: their numbers, and the place of that price among `keys`."""
        found = []
        for whole, parts in self._parts.items():
            own = np.flatnonzero((rows["item"] == whole) & (self._sign[whole, rows["role"]] != 0))
            rest = rows["points"][own] - rows["count"][own].astype(np.int64) * self.price[whole]
            fits = rest[:, None] == self.price[parts]
            if not ((fits.sum(axis=1) == 1) & (rows["count"][own] == 1)).all():
                raise InputError("some stored points are made of two prices that cannot be told apart: play the other table with 'simcore compare'")
            place = self._place[parts[fits.argmax(axis=1)]]
            found.append((own[place >= 0], place[place >= 0]))
        return found

    def rescored(self, rows: Columns, prices: Sequence[int]) -> tuple[Integers, Integers]:
        """Roles and points (int32) of the rows under other prices of `keys`, in their order."""
        change = np.zeros(len(self.price), np.int64)
        for key, item, price in zip(self.keys, self._items, prices, strict=True):
            change[item] = price - self.ruleset.points[key]
        role, points = self._chosen(rows, self.price + change) if self._best_of else (rows["role"], rows["points"])
        new = np.empty(len(points), np.int32)
        reprice(rows["item"], role, rows["count"], points, self._sign, change, new)
        for numbers, place in self._second_prices(rows):
            new[numbers] += change[np.array(self._items)[place]]
        return role, new

    def _chosen(self, rows: Columns, table: Integers) -> tuple[Integers, Integers]:
        """Roles and points, at the present prices, where what counts is the best of its category by another table (int64[items])."""
        assert self._best_of is not None
        counts, idle = self._best_of
        role, points = rows["role"].copy(), rows["points"].copy()
        several = np.unique(self._category[rows["item"][role == idle]])
        own = np.flatnonzero(np.isin(role, (counts, idle)) & np.isin(self._category[rows["item"]], several))
        if len(own):
            item = rows["item"][own]
            group = np.stack([rows["game"][own], rows["deal"][own], rows["seat"][own], self._category[item]])
            order = np.lexsort((item, table[item] * (1 if self._lowest else -1), *group[::-1]))
            first = np.ones(len(own), bool)
            first[1:] = (group[:, order[1:]] != group[:, order[:-1]]).any(axis=0)
            best = own[order[first]]
            role[own], points[own] = idle, 0
            role[best], points[best] = counts, self.price[rows["item"][best]] * rows["count"][best]
        return role, points

    def add_up(self, rows: Columns, new: tuple[Integers, Integers], number: int, first: Integers, change: Integers) -> tuple[Integers, int]:
        """Sums over rows that become others.

        Args:
            rows: The rows.
            new: Their new roles and points.
            number: A game.
            first: Place of the first deal of each game from that one on, int64[games].
            change: int32[deals, seats], to which is added by how much each seat's score changes more in each deal.

        Returns:
            int64[items, 3]: times, points and new points of each item; and the hash of the new rows less that of the rows, modulo 2^64.
        """
        total = np.zeros((len(self.price), 3), np.int64)
        difference = add_up(*(rows[name] for name in TALLY.names or ()), *new, number, first, self._further, self._felt, change, total)
        return total, int(difference)

    def load(self) -> None:
        """Loads the machine code that is needed, which takes a moment, by scoring no rows."""
        rows, nothing = columns_of(np.zeros(0, TALLY)), np.zeros(0, np.int64)
        self.add_up(rows, self.rescored(rows, self.price[self._items].tolist()), 0, nothing, np.zeros((0, 1), np.int32))

    def take_off_closing(self, rows: Columns, number: int, first: Integers, points: Integers) -> None:
        """Takes what was scored after the end of games off the points of their last deals (int32[deals, seats]); ``number``, ``first``: as for `add_up`."""
        if self.closing >= 0:
            late = rows["role"] == self.closing
            place = first[rows["game"][late] - number] + rows["deal"][late] - 1
            np.subtract.at(points, (place, rows["seat"][late]), rows["points"][late])


@dataclass(frozen=True)
class Deals:
    """The deals of stored games, games one after another.

    Attributes:
        first: Place of each game's first deal, int64[games].
        length: How many deals each game has, int64[games].
        points: Change of each seat's score in each deal without what is scored after the end of the game, int[deals, seats]; where deals are settled
            (`simcore.game.Account.settle`), the points before that.
        share: Share of the win of each seat in each game, float64[games, seats].
        leader: Seat that led each game's first deal, int[games].
        broken: Whether each game's last deal was cut short, bool[games].
    """

    first: Integers
    length: Integers
    points: Integers
    share: Floats
    leader: Integers
    broken: npt.NDArray[np.bool_]

    @cached_property
    def early(self) -> int:
        """So many of each game's first deals are spared for games that go on longer than they did; 0 for all, where no deal was cut short."""
        return early_deals(self.length, self.broken)

    @property
    def torn(self) -> float:
        """Share of games that ended in one of these deals: the spare ones lack them, which are the larger ones."""
        return float(np.mean(self.broken & (self.length <= self.early)))

    @cached_property
    def spare(self) -> Integers:
        """Places of the spare deals, int64[m]."""
        kept = self._kept
        found: Integers = np.arange(kept.sum()) + np.repeat(self.first - (np.cumsum(kept) - kept), kept)
        return found

    @cached_property
    def after(self) -> Integers:
        """Position among them of the first deal of the next game, int64[games]."""
        found: Integers = np.cumsum(self._kept)
        return found

    @property
    def _kept(self) -> Integers:
        """How many deals of each game are spared; all, if there is no whole one."""
        kept: Integers = np.minimum(self.early, self.length - self.broken) if self.early else self.length
        return kept if kept.any() else self.length


def early_deals(length: Integers, broken: npt.NDArray[np.bool_]) -> int:
    """How many of each game's first deals (nearly) no game ended in, at least 1; 0 where no game's last deal was cut short.

    length: int64[games], deals of each game; broken: bool[games], whether the last one was cut short.
    """
    if not broken.any():
        return 0
    torn = np.cumsum(np.bincount(length[broken]))  # games that ended in a deal of so low a number
    return max(1, int(np.searchsorted(torn, TORN * len(length), "right")) - 1)


@dataclass(frozen=True)
class Replay:
    """How games go when their scores are played again.

    Attributes:
        deals: Number of deals of each game.
        share: Share of the win of each seat in each game.
        changed: Games that had to be played again: a price that was changed occurred in them.
        continued: Games that went on with spare deals (`Deals.spare`).
        through_broken: Those of them whose own last deal had been cut short; in its place stands the next spare one that would have ended the game by the
            old prices as well.
        close: Games in whose last deal several scores reached the end, so that the order within the deal, which is not stored, decides.
    """

    deals: Integers
    share: Floats
    changed: npt.NDArray[np.bool_]
    continued: npt.NDArray[np.bool_]
    through_broken: npt.NDArray[np.bool_]
    close: npt.NDArray[np.bool_]


def deals_of(game: Game, games: Any, deals: Any, seats: int) -> Deals:
    """The deals of a batch, or of columns that are called like its fields. Points after the end of the game are still in the last deals."""
    length = np.asarray(games["deals"], np.int64)
    first = np.cumsum(length) - length
    words = game.enums["deals"].get("reason", ())
    number = words.index(game.account.broken) if game.account.broken else -1
    broken = np.asarray(deals["reason"])[first + length - 1] == number
    share = np.asarray(games["share"], float)[:, :seats]
    points = np.asarray(deals[game.account.settled_from])[:, :seats].astype(np.int32, "C")
    return Deals(first, length, points, share, np.asarray(games["leader"]), broken)


def changed_games(stored: Deals, change: Integers) -> npt.NDArray[np.bool_]:
    """Games in which a score changes by something else than before (``change``: int[deals, seats])."""
    changed = np.empty(len(stored.first), np.bool_)
    find_changed(stored.first, stored.length, change, changed)
    return changed


class Course:
    """When games end and who has won, by the options of a ruleset."""

    def __init__(self, game: Game, ruleset: Ruleset) -> None:
        """Reads the options that the game's account names."""
        account = game.account

        def number(given: int | str | None) -> int | None:
            return int(str(ruleset.options[given])) if isinstance(given, str) else given

        self.start = number(account.start) or 0
        floor, ceiling = number(account.floor), number(account.ceiling)
        self.floor, self.ceiling = -NEVER if floor is None else floor, NEVER if ceiling is None else ceiling
        self.most = number(account.most) or 1
        self.sign = -1 if ruleset.schema.lowest_wins else 1
        self._settle, self._ruleset = account.settle, ruleset

    def under(self, stored: Deals, change: Integers, prices: Mapping[str, int]) -> Replay:
        """Plays the scores again under other prices.

        Args:
            stored: The deals as they were.
            change: By how much the points of each seat change more in each deal, int[deals, seats].
            prices: The prices that may differ, by key.
        """
        points = stored.points + change
        if self._settle:
            options, old = self._ruleset.options, self._ruleset.points
            stored = replace(stored, points=self._settle(options, old, stored.points))
            points = self._settle(options, {**old, **prices}, points)
            change = points - stored.points
        return self.replay(stored, points, changed_games(stored, change))

    def replay(self, stored: Deals, points: Integers, changed: npt.NDArray[np.bool_]) -> Replay:
        """Plays the scores again.

        Args:
            stored: The deals as they were.
            points: By how much each seat's score changes now in each deal, int[deals, seats].
            changed: Games in which a score changes by something else than before, bool[games].
        """
        length, share, flags = stored.length.copy(), stored.share.copy(), np.empty(len(stored.length), np.uint8)
        deals = (stored.first, stored.length, stored.broken, stored.points, points, changed, stored.spare, stored.after)
        play_again(*deals, self.start, self.floor, self.ceiling, self.most, self.sign, length, share, flags)
        return Replay(length, share, *(flags & flag > 0 for flag in (CHANGED, CONTINUED, THROUGH_BROKEN, CLOSE)))


class Ledger:
    """Games that were played once and can be scored by any table: what `tune`, `price` and `lint` search with.

    Attributes:
        keys: The prices.
        base: Their values when the games were played.
        stored: The deals.
        times: What a point more of each price adds to each seat's score in each deal, float32[deals * seats, keys].
        uses: Times that each price counted in all, int64[keys].
    """

    def __init__(self, game: Game, ruleset: Ruleset, batches: Sequence[Batch], seats: int, keys: Sequence[str], user: int | None = None) -> None:
        """Sums up batches of games; with ``user`` only what that seat brought about is put into `times`."""
        prices = Prices(game, ruleset, keys)
        self.keys, self.base = prices.keys, np.array([ruleset.points[key] for key in prices.keys], np.int64)
        self._course = Course(game, ruleset)
        parts, times = [], []
        self.uses = np.zeros(len(keys), np.int64)
        for batch in batches:
            own = deals_of(game, batch.games, batch.deals, seats)
            rows = columns_of(batch.tallies)
            prices.take_off_closing(rows, batch.games["game"][0], own.first, own.points)
            row, key, count, seat = prices.terms(rows)
            self.uses += np.bincount(key, weights=np.abs(count), minlength=len(keys)).astype(np.int64)
            keep = rows["role"][row] != prices.closing
            if user is not None:
                keep &= rows["seat"][row] == user
            row, key, count, seat = row[keep], key[keep], count[keep], seat[keep]
            place = own.first[rows["game"][row] - batch.games["game"][0]] + rows["deal"][row] - 1
            cell = (place * seats + seat % seats) * len(keys) + key
            shape = (len(own.points) * seats, len(keys))
            times.append(np.bincount(cell, weights=count, minlength=shape[0] * shape[1]).reshape(shape).astype(np.float32))
            parts.append(own)
        offsets = np.cumsum([0, *(len(part.points) for part in parts)])
        self.stored = Deals(
            np.concatenate([part.first + offset for part, offset in zip(parts, offsets, strict=False)]),
            *(np.concatenate([getattr(part, name) for part in parts]) for name in ("length", "points", "share", "leader", "broken")),
        )
        self.times = np.concatenate(times)

    def change(self, prices: Integers) -> Integers:
        """By how much each seat's score changes more in each deal, int64[deals, seats]; exact, since whole numbers below 2^24 are."""
        moved = np.flatnonzero(prices != self.base)
        found = self.times[:, moved] @ (prices - self.base)[moved].astype(np.float32)
        return found.astype(np.int64).reshape(self.stored.points.shape)

    def replay(self, prices: Integers) -> Replay:
        """The games under other prices."""
        return self._course.under(self.stored, self.change(prices), dict(zip(self.keys, prices.tolist(), strict=True)))

    @cached_property
    def games(self) -> int:
        """Number of games."""
        return len(self.stored.first)


def columns_of(rows: Any) -> Columns:
    """The columns of rows of tallies (`simcore.records.TALLY`) or of a frame of them, items and roles by number."""
    found = {}
    for name in TALLY.names or ():
        values = np.ascontiguousarray(rows[name] if isinstance(rows, np.ndarray) else rows[name].to_physical().to_numpy())
        values.flags.writeable = False  # whatever it comes from: machine code is made for either
        found[name] = values
    return found
