"""What the records of a run are worth under another point table, from sums that fit into a page.

Points are prices times numbers of times. The sums over games of these times, and the sums of their products, are all that the points per deal and the
shares of any other table need, intervals included. How games would end needs the deals themselves: those of the first games are packed into a few bytes
each. Strategies are held fixed, so nothing is played again. `experiments.whatif` does the same for all games of a run.
"""

from __future__ import annotations

import base64
import math
import zlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from experiments import estimates
from experiments.estimates import Estimate, Sums
from experiments.ledger import early_deals
from experiments.measures import WIN
from experiments.moments import Column, Moments, kinds

if TYPE_CHECKING:
    from simcore.game import Account
    from simcore.ruleset import Ruleset

DEALS: Column = ("deals",)
PACKED: Final = 1_000_000
"""Numbers that the packed deals hold, about, four bytes each before they are compressed."""
FIRST_GAMES: Final = 5_000
"""Games whose deals are packed, at most."""


class Terms:
    """What prices are multiplied by: the times of single items, and of sets of items of which the best one counts.

    Attributes:
        keys: Keys of the point table.
        locked: Of these the items whose points are not simply their price times a number of times, or that are not played at all at 0.
        sets: Categories of which only the best item held counts.
        roles: For each item the roles in which its price counts.
        start, floor, ceiling, most: Score at the start of a game, scores and number of deals that end it; None where no such score does.
    """

    def __init__(self, ruleset: Ruleset, account: Account, tallies: pl.LazyFrame) -> None:
        """Looks at what the game's account says, and at which categories had items that did not count."""
        self.account, self.schema = account, ruleset.schema
        self.keys = tuple(ruleset.points)
        self.items, self._roles = kinds(tallies, "item"), kinds(tallies, "role")
        parts = account.parts(ruleset)
        switches = (key for key, item in self.schema.points.items() if item.switch)
        self.locked = {*parts, *(part for each in parts.values() for part in each), *switches} & set(self.keys)
        self.category = {key: each.category for key, each in self.schema.points.items()}
        self.category |= {key: each.category for key, each in self.schema.counted.items()}
        self.roles = {item: [role for role in self._roles if account.effect(item, role)[1]] for item in self.items}
        self.start = _number(ruleset, account.start) or 0
        self.floor, self.ceiling, self.most = (_number(ruleset, given) for given in (account.floor, account.ceiling, account.most))
        self.sets: set[str] = set()
        if account.best_of:
            idle = tallies.filter(pl.col("role") == account.best_of[1]).select(pl.col("item").unique().cast(pl.String))
            self.sets = {self.category[item] for item in idle.collect(engine="streaming")["item"] if item in self.category}

    def single(self, item: str) -> bool:
        """Whether an item's points are its price times a number of times whatever else there is."""
        return item in self.keys and item not in self.locked and self.category[item] not in self.sets

    def held(self, tallies: pl.LazyFrame) -> pl.LazyFrame | None:
        """The sets of items of which the best counts: ``game``, ``deal``, ``seat``, ``held`` (bit i: item i of the records); None without such."""
        if not self.sets or not self.account.best_of:
            return None
        of = {item: self.category[item] for item in self.items if self.category.get(item) in self.sets}
        rows = tallies.filter(pl.col("role").is_in(list(self.account.best_of)) & pl.col("item").is_in(list(of)))
        bit = pl.lit(1, pl.Int64) * 2 ** pl.col("item").to_physical().cast(pl.Int64)
        category = pl.col("item").cast(pl.String).replace_strict(of)
        return rows.group_by("game", "deal", "seat", category=category).agg(held=bit.cast(pl.Int64).sum())

    def members(self, number: int) -> list[str]:
        """The items of a set."""
        return [item for place, item in enumerate(self.items) if number >> place & 1]


def _number(ruleset: Ruleset, given: int | str | None) -> int | None:
    """A number, or the value of the option that says it."""
    return int(str(ruleset.options[given])) if isinstance(given, str) else given


# ------------------------------------------------------------------------------------------------------------------
# Points per deal and shares


def basis(moments: Moments, terms: Terms, prices: Mapping[str, int], level: float) -> dict[str, Any]:
    """The sums that any other point table is evaluated from.

    Args:
        moments: Of the run; they know counts and points by item and role, and the sets held.
        terms: What prices are multiplied by.
        prices: The point table of the run.
        level: Level of the intervals.

    Returns:
        ``columns``: one entry a column with ``items`` and ``kind``: ``times`` (to be multiplied by the price of the item, or by the best of those of
        several), or for points that no price is known of ``points`` and ``size`` (without their signs); the last column counts deals (``deals``).
        ``totals``: their sums over games. ``products``: sums of products, row i having those with columns 0 to i. ``games``: number of games.
        ``prices``: the point table. ``lowest_wins``: whether a lower price is the better one. ``locked``: items whose price cannot be changed here.
        ``categories``: category of each item. ``few``: for items and categories met fewer than 30 times the number of times and its rate per deal,
        since too few for linearisation. ``t``: half the width of Student's interval in standard errors. ``level``.
    """
    columns: list[dict[str, Any]] = []
    members: list[list[Column]] = []
    for item in terms.items:
        roles = terms.roles[item] if terms.single(item) else []
        times = [column for column in moments.columns if column[0] == "count" and column[2] == item and column[3] in roles]
        if times:
            columns.append({"items": [item], "kind": "times"})
            members.append(times)
        if terms.category.get(item) in terms.sets and item in terms.keys:
            continue
        for kind in ("points", "size"):
            loose = [column for column in moments.columns if column[0] == kind and column[1] == item and column[2] not in roles]
            if loose:
                columns.append({"items": [item], "kind": kind})
                members.append(loose)
    for column in [column for column in moments.columns if column[0] == "held"]:
        columns.append({"items": terms.members(int(str(column[1]))), "kind": "times"})
        members.append([column])
    columns.append({"items": [], "kind": "deals"})
    members.append([DEALS])
    return {
        "columns": columns,
        "totals": [moments.total(*each) for each in members],
        "products": [[moments.sums(one, two).xy for two in members[: row + 1]] for row, one in enumerate(members)],
        "games": moments.n,
        "prices": dict(prices),
        "lowest_wins": terms.schema.lowest_wins,
        "locked": sorted(terms.locked),
        "categories": terms.category,
        "few": _few(moments, terms, level),
        "t": estimates.t_quantile(moments.n, level) if moments.n > 1 else None,
        "level": level,
    }


def _few(moments: Moments, terms: Terms, level: float) -> dict[str, dict[str, Any]]:
    """Number of times and rate per deal of what was met too seldom for a linearised interval, by ``item:key`` and ``category:key``."""
    found = {}
    for name, items in _groups(terms.category).items():
        sums = moments.sums([column for column in moments.columns if column[0] == "count" and column[2] in items], [DEALS])
        if sums.x < 3 * estimates.SMALL:
            found[name] = {"count": sums.x, "rate": estimates.rate(sums, level).to_dict()}
    return found


def _groups(categories: Mapping[str, str]) -> dict[str, list[str]]:
    """Items by ``item:key`` and ``category:key``."""
    groups = {f"item:{item}": [item] for item in categories}
    for item, category in categories.items():
        groups.setdefault(f"category:{category}", []).append(item)
    return groups


def rescored(base: Mapping[str, Any], prices: Mapping[str, int]) -> dict[str, Any]:
    """Points per deal and shares of all points under a point table.

    Args:
        base: What `basis` returned.
        prices: The table; items that it leaves out keep their price.

    Returns:
        ``points``, ``points_per_deal`` (of everything), ``sources`` (the effective number of items that points come from, exp(-Σ π ln π) of their
        shares π; None where nothing scores), and by key ``items`` and ``categories`` with ``points``, ``points_per_deal`` and ``share``, the last two
        as estimates. A share is None where nothing scores.
    """
    book = _Book(base, {**base["prices"], **prices})
    everything = book.weights(None)
    found: dict[str, Any] = {
        "points": book.total(everything),
        "points_per_deal": book.ratio(everything, book.deals).to_dict(),
        "items": {},
        "categories": {},
    }
    for name, items in _groups(base["categories"]).items():
        kind, _, key = name.partition(":")
        found["items" if kind == "item" else "categories"][key] = book.worth(name, items)
    shares = [each["share"]["value"] for each in found["items"].values() if each["share"] and each["share"]["value"] > 0]
    found["sources"] = math.exp(-sum(share * math.log(share) for share in shares)) if shares else None
    return found


class _Book:
    """Weighted sums of the columns of a basis under one table."""

    def __init__(self, base: Mapping[str, Any], prices: Mapping[str, int]) -> None:
        self.base, self.prices = base, prices
        self.columns = base["columns"][:-1]
        self.deals = {len(self.columns): 1}
        better = -1 if base["lowest_wins"] else 1
        # Of several items the best one counts, the first of equal ones.
        self.owner = [max(column["items"], key=lambda item: better * prices.get(item, 0)) for column in self.columns]
        self.sized = {column["items"][0] for column in self.columns if column["kind"] == "size"}

    def weights(self, items: Sequence[str] | None, *, sizes: bool = False) -> dict[int, int]:
        """Weight in points of each column that is some items', or of all columns; with `sizes` of points without their signs."""
        found = {}
        for place, (column, item) in enumerate(zip(self.columns, self.owner, strict=True)):
            if items is not None and item not in items:
                continue
            if column["kind"] == "times":
                price = self.prices.get(item, 0)
                found[place] = abs(price) if sizes else price
            elif column["kind"] == "size":
                found[place] = int(sizes)
            else:
                found[place] = int(not sizes or item not in self.sized)  # what is never below 0 has no column of sizes
        return found

    def total(self, weights: Mapping[int, int]) -> int:
        """Weighted sum of totals."""
        return sum(weight * self.base["totals"][place] for place, weight in weights.items())

    def product(self, one: Mapping[int, int], two: Mapping[int, int]) -> int:
        """Weighted sum of products."""
        rows = self.base["products"]
        return sum(a * b * rows[max(i, j)][min(i, j)] for i, a in one.items() for j, b in two.items())

    def ratio(self, x: Mapping[int, int], y: Mapping[int, int]) -> Estimate:
        """Ratio of two weighted sums."""
        sums = Sums(self.base["games"], self.total(x), self.total(y), self.product(x, x), self.product(x, y), self.product(y, y))
        return estimates.ratio(sums, self.base["level"])

    def worth(self, name: str, items: Sequence[str]) -> dict[str, Any]:
        """Points, points per deal and share of some items together, as the summary of a run has them."""
        points, sizes, all_sizes = self.weights(items), self.weights(items, sizes=True), self.weights(None, sizes=True)
        total, size, everything = self.total(points), self.total(sizes), self.total(all_sizes)
        if not everything:
            return {"points": total, "points_per_deal": None, "share": None}
        few = self.base["few"].get(name)
        if few:
            rate, count = Estimate.from_dict(few["rate"]), few["count"]
            dearest = max((self.prices.get(item, 0) for item in items), default=0)
            deals = self.base["totals"][-1]
            per_deal = estimates.times(rate, total / count if count else dearest)
            share = estimates.times(rate, (size / count if count else abs(dearest)) * deals / everything)
        else:
            per_deal = self.ratio(points, self.deals)
            share = self.ratio(sizes, all_sizes)
        low, high = (0.0 if size == total else -math.inf), (0.0 if size == -total else math.inf)
        return {
            "points": total,
            "points_per_deal": estimates.within(per_deal, *((0.0, math.inf) if not size else (low, high))).to_dict(),
            "share": estimates.within(share, 0.0, 1.0).to_dict(),
        }


# ------------------------------------------------------------------------------------------------------------------
# How games end


def packed(terms: Terms, games: pl.LazyFrame, deals: pl.LazyFrame, tallies: pl.LazyFrame, seats: int, level: float) -> dict[str, Any] | None:
    """The deals of a run's first games, for scoring them again (as `experiments.replaying.play_again` does).

    Args:
        terms: What prices are multiplied by.
        games: Table of games.
        deals: Table of deals.
        tallies: Table of tallies.
        seats: Number of seats.
        level: Level of the intervals.

    Returns:
        ``games``: how many; ``deals_per_game``, ``leader_win_share``: estimates of these games as they were; ``t``: half the width of their interval in
        standard errors; ``seats``; ``terms``: lists of items, the best of which counts; ``start``, ``floor``, ``ceiling``, ``most``: how games
        begin and end (floor and ceiling None where there is none); ``early``: see `experiments.ledger.early_deals`; ``data``: base64 of zlib-compressed
        little-endian int32: for each game number of deals, leader, whether the last deal was cut short, shares of the win in 2520ths; then for each deal and
        seat the change of its score, the number of terms, and for each term its position and the signed number of times.

        None where games have several deals that are settled one by one (`simcore.game.Account.settle`): who wins is more than a sum then.
    """
    account = terms.account
    if account.settle and terms.most != 1:
        return None
    ids = games.select("game").sort("game").head(FIRST_GAMES).collect(engine="streaming")["game"]
    within = pl.col("game").is_between(ids[0], ids[-1])
    table = games.filter(within).sort("game").collect(engine="streaming")
    by_deal = deals.filter(within).sort("game", "deal").collect(engine="streaming")
    rows = tallies.filter(within)
    first = table["deals"].cum_sum().to_numpy() - table["deals"].to_numpy()
    place = pl.DataFrame({"game": by_deal["game"], "deal": by_deal["deal"], "place": np.arange(by_deal.height)})
    found, listed = _signed_times(terms, rows, place, seats)
    points = np.column_stack([by_deal[f"{account.settled_from}_{seat}"].to_numpy().astype(np.int64) for seat in range(seats)])
    if account.closing:
        closing = rows.filter(pl.col("role") == account.closing).collect(engine="streaming").join(place, on=["game", "deal"])
        np.subtract.at(points, (closing["place"].to_numpy(), closing["seat"].to_numpy()), closing["points"].to_numpy())
    cut = (by_deal["reason"].cast(pl.String) == account.broken).to_numpy() if account.broken else np.zeros(by_deal.height, bool)
    shares = np.rint(np.column_stack([table[f"share_{seat}"].to_numpy() for seat in range(seats)]) * WIN).astype(np.int64)
    numbers: list[int] = []
    kept = 0
    for game, (start, length, leader) in enumerate(zip(first.tolist(), table["deals"].to_list(), table["leader"].to_list(), strict=True)):
        if len(numbers) >= PACKED:
            break
        numbers += [length, leader, int(cut[start + length - 1]), *shares[game].tolist()]
        for deal in range(start, start + length):
            for seat in range(seats):
                own = found.get(deal * seats + seat, ())
                numbers += [int(points[deal, seat]), len(own) // 2, *own]
        kept += 1

    lengths, leaders = table["deals"].head(kept).to_numpy().astype(float), shares[np.arange(kept), table["leader"].head(kept).to_numpy()] / WIN
    return {
        "games": kept,
        "deals_per_game": estimates.mean(float(lengths.sum()), float((lengths * lengths).sum()), kept, level).to_dict(),
        "leader_win_share": estimates.mean(float(leaders.sum()), float((leaders * leaders).sum()), kept, level).to_dict(),
        "t": estimates.t_quantile(kept, level) if kept > 1 else None,
        "seats": seats,
        "terms": listed,
        "start": terms.start,
        "floor": terms.floor,
        "ceiling": terms.ceiling,
        "most": terms.most,
        "early": early_deals(table["deals"].head(kept).to_numpy(), cut[(first + table["deals"].to_numpy() - 1)[:kept]]),
        "data": base64.b64encode(zlib.compress(np.array(numbers, "<i4").tobytes(), 9)).decode("ascii"),
    }


def _signed_times(terms: Terms, rows: pl.LazyFrame, place: pl.DataFrame, seats: int) -> tuple[dict[int, list[int]], list[list[str]]]:
    """For each deal and seat (deal · seats + seat) position and signed times of each term that changes its score, and the terms."""
    account = terms.account
    listed: dict[tuple[str, ...], int] = {}
    effects = [
        {"item": item, "role": role, "further": further, "sign": sign, "term": listed.setdefault((item,), len(listed))}
        for item in terms.items
        if terms.single(item)
        for role in terms.roles[item]
        if role != account.closing
        for further, sign in [account.effect(item, role)]
    ]
    columns = ["place", "seat", "term", "times"]
    parts = []
    if effects:
        kind = {"item": pl.Enum(terms.items), "role": pl.Enum(kinds(rows, "role"))}
        single = rows.collect(engine="streaming").join(pl.DataFrame(effects, schema_overrides=kind), on=["item", "role"])
        single = single.with_columns(seat=(pl.col("seat").cast(pl.Int64) + pl.col("further")) % seats, times=pl.col("count").cast(pl.Int64) * pl.col("sign"))
        parts.append(single.join(place, on=["game", "deal"]).select(columns))
    held = terms.held(rows)
    if held is not None:
        assert account.best_of
        sets = held.collect(engine="streaming")
        numbers = sorted(sets["held"].unique().to_list())
        positions = {number: listed.setdefault(tuple(terms.members(number)), len(listed)) for number in numbers}
        further, sign = account.effect(terms.members(numbers[0])[0], account.best_of[0]) if numbers else (0, 1)
        seat = (pl.col("seat").cast(pl.Int64) + further) % seats
        term = pl.col("held").replace_strict(positions, return_dtype=pl.Int64)
        parts.append(sets.with_columns(seat=seat, term=term, times=pl.lit(sign, pl.Int64)).join(place, on=["game", "deal"]).select(columns))
    found: dict[int, list[int]] = {}
    if parts:
        joined = pl.concat([part.with_columns(pl.all().cast(pl.Int64)) for part in parts]).group_by("place", "seat", "term").agg(pl.col("times").sum())
        for at, seat_, term_, times in joined.sort("place", "seat", "term").iter_rows():
            found.setdefault(at * seats + seat_, []).extend((term_, times))
    return found, [list(items) for items in listed]
