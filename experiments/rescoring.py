"""What the records of a run are worth under another point table, from sums that fit into a page.

Most points are a price times a number of times. The sums over games of these times, and the sums of their products, are all that the points per
deal and the shares of any other table need, intervals included: strategies are held fixed, so nothing is played again.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from experiments import estimates
from experiments.estimates import Estimate, Sums
from experiments.moments import Column, Moments

DEALS: Column = ("deals",)


def basis(moments: Moments, prices: Mapping[str, int], categories: Mapping[str, str], level: float) -> dict[str, Any]:
    """The sums that any other point table is evaluated from.

    An item's points follow its price in a role where every game gave it price times number of times. An item worth 0 shows nothing of the kind; it
    is taken to score in the roles where all others that were met and have a price do.

    Args:
        moments: Of the run; they know counts and points by item and role.
        prices: The point table of the run.
        categories: Category of each item that has one, whether it has a price or not.
        level: Level of the intervals.

    Returns:
        ``columns``: one entry a column with ``item`` and ``kind``: ``times`` (to be multiplied by the price), or for points that follow from the
        play ``points`` and ``size`` (without their signs); the last column counts deals (``deals``). ``totals``: their sums over games.
        ``products``: sums of products, row i having those with columns 0 to i. ``games``: number of games. ``prices``: the point table.
        ``few``: for items and categories met fewer than 30 times the number of times and its rate per deal, since too few for linearisation.
        ``t``: half the width of Student's interval in standard errors. ``level``.
    """
    scoring = _scoring(moments, prices)
    columns: list[dict[str, str]] = []
    members: list[list[Column]] = []
    for item in dict.fromkeys([*prices, *(str(column[1]) for column in moments.columns if column[0] == "points")]):
        counts = [column for column in moments.columns if column[0] == "count" and column[2] == item]
        times = [column for column in counts if column[3] in scoring.get(item, ())]
        if item in prices and times:
            columns.append({"item": item, "kind": "times"})
            members.append(times)
        for kind in ("points", "size"):
            loose = [column for column in moments.columns if column[0] == kind and column[1] == item and column[2] not in scoring.get(item, ())]
            if loose:
                columns.append({"item": item, "kind": kind})
                members.append(loose)
    columns.append({"item": "", "kind": "deals"})
    members.append([DEALS])
    return {
        "columns": columns,
        "totals": [moments.total(*each) for each in members],
        "products": [[moments.sums(one, two).xy for two in members[: row + 1]] for row, one in enumerate(members)],
        "games": moments.n,
        "prices": dict(prices),
        "few": _few(moments, categories, prices, level),
        "t": estimates.t_quantile(moments.n, level) if moments.n > 1 else None,
        "level": level,
    }


def _scoring(moments: Moments, prices: Mapping[str, int]) -> dict[str, set[str]]:
    """The roles in which each item scores its price times the number of times."""
    met: dict[tuple[str, str], list[Column]] = {}
    for column in moments.columns:
        if column[0] == "count" and column[2] in prices:
            met.setdefault((str(column[2]), str(column[3])), []).append(column)
    follows: dict[tuple[str, str], bool] = {}
    for (item, role), counts in met.items():
        if prices[item]:
            points: list[Column] = [("points", item, role)]
            cross = moments.sums(points, counts)
            # Σ(points - price·times)² over games: 0 only where each of them is.
            follows[item, role] = cross.xx - 2 * prices[item] * cross.xy + prices[item] ** 2 * cross.yy == 0
    found: dict[str, set[str]] = {}
    for item, role in met:
        others = [follows[each] for each in follows if each[1] == role]
        if follows[item, role] if prices[item] else others and all(others):
            found.setdefault(item, set()).add(role)
    return found


def _few(moments: Moments, categories: Mapping[str, str], prices: Mapping[str, int], level: float) -> dict[str, dict[str, Any]]:
    """Number of times and rate per deal of what was met too seldom for a linearised interval, by ``item:key`` and ``category:key``."""
    groups = {f"item:{item}": {item} for item in {**prices, **categories}}
    for item, category in categories.items():
        groups.setdefault(f"category:{category}", set()).add(item)
    found = {}
    for name, items in groups.items():
        sums = moments.sums([column for column in moments.columns if column[0] == "count" and column[2] in items], [DEALS])
        if sums.x < 3 * estimates.SMALL:
            found[name] = {"count": sums.x, "rate": estimates.rate(sums, level).to_dict()}
    return found


def rescored(base: Mapping[str, Any], prices: Mapping[str, int], categories: Mapping[str, str]) -> dict[str, Any]:
    """Points per deal and shares of all points under a point table.

    Args:
        base: What `basis` returned.
        prices: The table; items that it leaves out keep their price.
        categories: As for `basis`.

    Returns:
        ``points``, ``points_per_deal`` (of everything), ``sources`` (the effective number of items that points come from, exp(-Σ π ln π) of
        their shares π; None where nothing scores), and by key ``items`` and ``categories`` with ``points``, ``points_per_deal`` and ``share``,
        the last two as estimates. A share is None where nothing scores.
    """
    table = {**base["prices"], **prices}
    book = _Book(base, table)
    everything = [column for column in range(len(base["columns"]) - 1)]
    groups = {f"item:{item}": [item] for item in dict.fromkeys([*table, *(column["item"] for column in base["columns"][:-1])])}
    for item, category in categories.items():
        groups.setdefault(f"category:{category}", []).append(item)
    found: dict[str, Any] = {
        "points": book.total(book.signed(everything)),
        "points_per_deal": book.ratio(book.signed(everything), book.deals).to_dict(),
        "items": {},
        "categories": {},
    }
    for name, items in groups.items():
        kind, _, key = name.partition(":")
        found["items" if kind == "item" else "categories"][key] = book.worth(name, items)
    shares = [each["share"]["value"] for each in found["items"].values() if each["share"] and each["share"]["value"] > 0]
    found["sources"] = math.exp(-sum(share * math.log(share) for share in shares)) if shares else None
    return found


class _Book:
    """Weighted sums of the columns of a basis under one table."""

    def __init__(self, base: Mapping[str, Any], prices: Mapping[str, int]) -> None:
        self.base = base
        self.prices = prices
        self.columns = base["columns"]
        self.deals = {len(self.columns) - 1: 1}

    def signed(self, places: Sequence[int]) -> dict[int, int]:
        """Weight of each of some columns in points."""
        kinds = {"points": 1, "size": 0}
        return {place: kinds.get(self.columns[place]["kind"], self.prices.get(self.columns[place]["item"], 0)) for place in places}

    def sizes(self, places: Sequence[int]) -> dict[int, int]:
        """Weight of each of some columns in points without their signs; points that are never below 0 have no column of sizes."""
        sized = {column["item"] for column in self.columns if column["kind"] == "size"}
        weights = {}
        for place in places:
            kind, item = self.columns[place]["kind"], self.columns[place]["item"]
            weights[place] = abs(self.prices.get(item, 0)) if kind == "times" else int(kind == "size" or item not in sized)
        return weights

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
        places = [place for place, column in enumerate(self.columns) if column["item"] in items and column["kind"] != "deals"]
        points, sizes = self.signed(places), self.sizes(places)
        total, size, everything = self.total(points), self.total(sizes), self.total(self.sizes(range(len(self.columns) - 1)))
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
            share = self.ratio(sizes, self.sizes(range(len(self.columns) - 1)))
        low, high = (0.0 if size == total else -math.inf), (0.0 if size == -total else math.inf)
        return {
            "points": total,
            "points_per_deal": estimates.within(per_deal, *((0.0, math.inf) if not size else (low, high))).to_dict(),
            "share": estimates.within(share, 0.0, 1.0).to_dict(),
        }
