"""Everything a report says of a run, as one nested dictionary of plain values.

`summary` is the only source of numbers for the report in all its forms. Estimates stand in it as dictionaries
(`estimates.Estimate.to_dict`), names as dictionaries from language to text, keys as the records spell them.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import polars as pl

from experiments import estimates
from experiments.estimates import LEVEL, Estimate, Sums
from experiments.experience import experience
from experiments.findings import findings, inversions
from experiments.moments import Column, Moments, distribution, gather, kinds
from experiments.race import race
from experiments.rescoring import Terms, basis, packed, rescored
from experiments.sequences import of_share, of_strata
from simcore.game import get

if TYPE_CHECKING:
    from simcore.ruleset import Ruleset

FORMAT = 1
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
DEALS: tuple[Column, ...] = (("deals",),)

Names = Mapping[str, str]


def summary(
    info: Mapping[str, Any],
    ruleset: Ruleset,
    games: pl.LazyFrame,
    deals: pl.LazyFrame,
    tallies: pl.LazyFrame,
    frequencies: Mapping[int, Mapping[str, Any]] | None = None,
    dealt: int | None = None,
    level: float = LEVEL,
    pieces: Sequence[tuple[pl.LazyFrame, pl.LazyFrame, pl.LazyFrame]] = (),
) -> dict[str, Any]:
    """Summarises a run.

    Args:
        info: What ``run.json`` says of the run: at least ``strategies`` (by seat) and ``players``. With ``stopping`` (`experiments.precise`) the win
            shares of seats, strategies and first leaders have the confidence sequence that stopped it, since intervals for a number of games that was fixed
            beforehand do not hold then.
        ruleset: The ruleset it was played by; its schema has the names of everything.
        games: Table of games. All three may be scanned from files of any size: what is held in memory is
            bounded.
        deals: Table of deals.
        tallies: Table of tallies.
        frequencies: Exact frequencies of items in hands by number of cards, in the contract of ``simcore freq
            --json``.
        dealt: Cards of a dealt hand.
        level: Level of all intervals.
        pieces: The same three tables cut by games, if they are stored so: it spares looking at every file for each part.

    Returns:
        A dictionary with the keys ``format``, ``level``, ``run``, ``ruleset``, ``hands``, ``items``,
        ``categories``, ``roles``, ``seats``, ``lead``, ``length``, ``margin``, ``experience``, ``race``, ``endings``, ``guards``,
        ``strategies``, ``ladder``, ``rescoring``, ``inversions`` and ``findings``; what the records or the frequencies do
        not tell is None.

    Raises:
        ValueError: If the run has no games yet.
    """
    rules = describe(ruleset)
    names = list(dict.fromkeys(info["strategies"]))
    groups = [names.index(strategy) for strategy in info["strategies"]]
    spread = {column: distribution(deals, column) for column in rules["words"].get("length", {})}
    if not games.select("game").head(1).collect(engine="streaming").height:
        raise ValueError("the run has no finished games yet")
    limits = {column: sorted({_at(table, q) for q in QUANTILES}) for column, table in spread.items()}
    lowest_wins = ruleset.schema.lowest_wins
    game = get(ruleset.schema.key)
    terms = Terms(ruleset, game.account, tallies)
    moments = gather(games, deals, tallies, groups, limits, lowest_wins, terms.held, pieces)
    book = _Book(moments, rules, level, lowest_wins, info.get("stopping"), game.impossible(ruleset))
    found: dict[str, Any] = {
        "format": FORMAT,
        "level": level,
        "run": dict(info) | {"games": moments.n, "wanted": info.get("games"), "deals": moments.total(*DEALS)},
        "ruleset": rules,
        "hands": _hands(frequencies, dealt),
        "items": book.items(tallies, groups, frequencies, game.dealt),
        "categories": book.categories(),
        "roles": book.roles(tallies),
        "seats": book.seats(info["strategies"]),
        "lead": book.lead(deals, len(groups)),
        "length": {
            "games": _spread(distribution(games, "deals"), moments.mean({("deals",): 1.0}, level), level),
            "deals": {
                column: _spread(table, moments.ratio([("length", column)], DEALS, level), level, book.up_to(column))
                | {"name": rules["words"]["length"][column]}
                for column, table in spread.items()
            },
        },
        "margin": _spread(_margins(games, len(groups), lowest_wins), moments.mean({("margin",): 1.0}, level), level),
        "experience": experience(games, deals, len(groups), lowest_wins, level),
        "race": race(games, deals, len(groups), terms.start, lowest_wins),
        "endings": book.endings(games, deals),
        "strategies": book.strategies(names, groups),
        "ladder": book.ladder(games, len(groups)),
    }
    found["run"]["points_total"] = sum(item["points"] for item in found["items"])
    found["guards"] = book.guards(found["endings"])
    sums = basis(moments, terms, ruleset.points, level)
    found["rescoring"] = sums | {"sources": rescored(sums, {})["sources"], "packed": packed(terms, games, deals, tallies, len(groups), level)}
    found["inversions"] = inversions(found)
    found["findings"] = findings(found)
    return found


def describe(ruleset: Ruleset) -> dict[str, Any]:
    """A ruleset as plain values: names, options, point values, and what differs from the game's defaults."""
    schema = ruleset.schema
    options = [
        {
            "key": key,
            "value": _plain(ruleset.options[key]),
            "default": _plain(option.default),
            "rule": option.rule,
            "open": option.open,
            "help": dict(option.help),
        }
        for key, option in schema.options.items()
    ]
    points = [
        {
            "key": key,
            "value": ruleset.points[key],
            "default": item.points,
            "category": item.category,
            "rule": item.rule,
            "name": dict(item.name),
            "help": dict(item.help),
        }
        for key, item in schema.points.items()
    ]
    return {
        "canonical": ruleset.canonical,
        "game": {"key": schema.key, "name": dict(schema.name)},
        "lowest_wins": schema.lowest_wins,
        "options": options,
        "points": points,
        "counted": [{"key": key, "category": each.category, "rule": each.rule, "name": dict(each.name)} for key, each in schema.counted.items()],
        "categories": {key: dict(name) for key, name in schema.categories.items()},
        "words": {table: {key: dict(name) for key, name in words.items()} for table, words in schema.words.items()},
        "differences": [row for row in (*options, *points) if row["value"] != row["default"]],
    }


class _Book:
    """The parts of the summary that come from moments, with the names of the ruleset beside them."""

    def __init__(
        self,
        moments: Moments,
        rules: Mapping[str, Any],
        level: float,
        lowest_wins: bool,
        stopping: Mapping[str, Any] | None,
        impossible: Mapping[str, Collection[str]],
    ) -> None:
        self.moments = moments
        self.impossible = impossible
        self.stopping = stopping
        self.level = level
        self.better = -1.0 if lowest_wins else 1.0
        self.words: Mapping[str, Mapping[str, Names]] = rules["words"]
        self.prices = {row["key"]: row["value"] for row in rules["points"]}
        self.known = {row["key"]: row for row in (*rules["points"], *rules["counted"])}
        self.options = {row["key"]: row for row in rules["options"]}
        self.category_names: Mapping[str, Names] = rules["categories"]
        self.counts = [column for column in moments.columns if column[0] == "count"]
        self.points = [column for column in moments.columns if column[0] == "points"]
        self.signed = any(column[0] == "size" for column in moments.columns)
        self.deals = moments.total(*DEALS)

    def items(
        self,
        tallies: pl.LazyFrame,
        groups: Sequence[int],
        frequencies: Mapping[int, Mapping[str, Any]] | None,
        dealt: str | None,
    ) -> list[dict[str, Any]]:
        """One entry for each item of the records that may come about, in their order, met or not.

        What is played, and not merely paid or dealt, is a ``combination``: what hands are searched for, or where that is tallied when they are dealt
        (in the role ``dealt``) whatever came about otherwise. Without counted hands it is None.
        """
        if not frequencies:
            combinations = None
        elif dealt:
            combinations = {column[2] for column in self.counts if column[3] != dealt}
        else:
            combinations = set(next(iter(frequencies.values()))["items"])
        return [self._item(key, kinds(tallies, "role"), groups, combinations) for key in self._possible("item", kinds(tallies, "item"))]

    def _item(self, key: str, roles: Sequence[str], groups: Sequence[int], combinations: Collection[Hashable] | None) -> dict[str, Any]:
        counts = [column for column in self.counts if column[2] == key]
        points = [column for column in self.points if column[1] == key]
        price, known = self.prices.get(key), self.known.get(key)
        by_role = {}
        for role in roles:
            columns = [column for column in counts if column[3] == role]
            if columns:
                worth = self.moments.total(("points", key, role))
                by_role[role] = {**self._rate(columns), "points": worth}
        return {
            "key": key,
            "name": dict(known["name"]) if known else self._word("item", key),
            "category": known["category"] if known else None,
            "price": price,
            "rule": known["rule"] if known else None,
            "combination": None if combinations is None else key in combinations,
            **self._rate(counts),
            "roles": by_role,
            **self._share(points, counts, price or 0),
            "strategies": [self._rate([column for column in counts if column[1] == group], groups.count(group)) for group in range(max(groups) + 1)],
        }

    def categories(self) -> list[dict[str, Any]]:
        """Categories of the point table that have items which may come about: how often they occur and their share of all points."""
        found = []
        for key, name in self.category_names.items():
            members = set(self._possible("item", [item for item, row in self.known.items() if row["category"] == key]))
            if not members:
                continue
            counts = [column for column in self.counts if column[2] in members]
            points = [column for column in self.points if column[1] in members]
            dearest = max((self.prices.get(item, 0) for item in members), default=0)
            worth = self._share(points, counts, dearest)
            found.append({"key": key, "name": dict(name), **self._rate(counts), **worth})
        return found

    def roles(self, tallies: pl.LazyFrame) -> list[dict[str, Any]]:
        """Roles of the records: how often anything came about that way and its share of all points."""
        found = []
        for key in kinds(tallies, "role"):
            counts = [column for column in self.counts if column[3] == key]
            points = [column for column in self.points if column[2] == key]
            found.append(
                {
                    "key": key,
                    "name": self._word("role", key),
                    **self._rate(counts),
                    **self._share(points, counts),
                }
            )
        return found

    def seats(self, strategies: Sequence[str]) -> list[dict[str, Any]]:
        """Win share and final score of each seat."""
        return [
            {
                "seat": seat,
                "strategy": strategy,
                "win_share": self._share_of_all([seat]),
                "score": self.moments.mean({("score", seat): 1.0}, self.level).to_dict(),
            }
            for seat, strategy in enumerate(strategies)
        ]

    def lead(self, deals: pl.LazyFrame, seats: int) -> dict[str, Any]:
        """What leading the first deal of a game is worth, and how leaders of deals were found.

        The leader's share is the mean over seats of the seat's share in the games that it led, so that it does
        not matter how often chance gave the lead to which strategy. Seats that never led are left out. In a run that was stopped by a confidence
        sequence the interval is that of the sequence.
        """
        led = {seat: int(self.moments.total(("led", seat))) for seat in range(seats)}
        shares, margins = [], []
        for seat, games in led.items():
            if games:
                share, margin = ("led_share", seat), ("led_margin", seat)
                moments = self.moments
                shares.append((moments.total(share), moments.squares(share), games))
                margins.append(estimates.mean(moments.total(margin), moments.squares(margin), games, self.level))
        if self.stopping:
            leader = of_strata(shares, self.stopping["best_at"], self.level)
        else:
            leader = estimates.within(estimates.averaged([estimates.win_share(*each, self.level) for each in shares]), 0.0, 1.0)
        rest = 1.0 / (seats - 1)
        low, high = (None if end is None else (1.0 - end) * rest for end in (leader.high, leader.low))
        others = Estimate((1.0 - leader.value) * rest, low, high, leader.n, leader.method, self.level)
        return {
            "even": 1.0 / seats,
            "leader": leader.to_dict(),
            "others": others.to_dict(),
            "margin": estimates.averaged(margins).to_dict(),
            "seats": [self._seat_that_led(seat, games) for seat, games in led.items()],
            "kinds": self._by_word("lead", self._possible("lead", kinds(deals, "lead"))) if "lead" in deals.collect_schema() else [],
        }

    def _seat_that_led(self, seat: int, games: int) -> dict[str, Any]:
        """A seat's share when it led and when not, and the difference: of two separate sets of games (Newcombe)."""
        led, other = self._wins("led_share", seat, games), self._wins("unled_share", seat, self.moments.n - games)
        apart = estimates.apart(Estimate.from_dict(other), Estimate.from_dict(led)).to_dict() if led and other else None
        return {"seat": seat, "led": games, "if_led": led, "if_not": other, "difference": apart}

    def endings(self, games: pl.LazyFrame, deals: pl.LazyFrame) -> dict[str, list[dict[str, Any]]]:
        """How deals and games ended; the intervals of the games' endings hold all at once."""
        words = self._possible("game_ending", kinds(games, "reason"))
        counts = [int(self.moments.total(("game_ending", word))) for word in words]
        shares = estimates.simultaneous(counts, self.moments.n, self.level)
        return {
            "deals": self._by_word("ending", self._possible("ending", kinds(deals, "reason"))),
            "games": [
                {
                    "key": word,
                    "name": self._word("game_ending", word),
                    "count": count,
                    "share": share.to_dict(),
                }
                for word, count, share in zip(words, counts, shares, strict=True)
            ],
        }

    def guards(self, endings: Mapping[str, Sequence[Mapping[str, Any]]]) -> list[dict[str, Any]]:
        """The endings that have the name of an option: limits which stop what might go on for ever."""
        return [
            dict(row) | {"of": of, "limit": self.options[row["key"]]["value"], "rule": self.options[row["key"]]["rule"]}
            for of, rows in endings.items()
            for row in rows
            if row["key"] in self.options
        ]

    def strategies(self, names: Sequence[str], groups: Sequence[int]) -> list[dict[str, Any]]:
        """Results of each strategy, averaged over the seats it held."""
        found = []
        for group, name in enumerate(names):
            own = [seat for seat, each in enumerate(groups) if each == group]
            rest = [seat for seat, each in enumerate(groups) if each != group]
            score: dict[Column, float] = {("score", seat): 1.0 / len(own) for seat in own}
            against: dict[Column, float] = {("score", seat): self.better / len(own) for seat in own}
            against |= {("score", seat): -self.better / len(rest) for seat in rest}
            found.append(
                {
                    "name": name,
                    "seats": own,
                    # With all seats alike the share is 1/n by construction: nothing was measured.
                    "win_share": self._share_of_all(own) if rest else None,
                    "score": self.moments.mean(score, self.level).to_dict(),
                    "margin": self.moments.mean(against, self.level).to_dict() if rest else None,
                }
            )
        return found

    def ladder(self, games: pl.LazyFrame, seats: int) -> dict[str, Any] | None:
        """Stages reached and pay-outs, in games that have them."""
        if ("stage", 0) not in self.moments.columns:
            return None
        tables = [dict(distribution(games, f"stage_{seat}")) for seat in range(seats)]
        stages = range(max(max(table) for table in tables) + 1)
        return {
            "stages": [
                {
                    "seat": seat,
                    "mean": self.moments.mean({("stage", seat): 1.0}, self.level).to_dict(),
                    "payout": self.moments.mean({("payout", seat): 1.0}, self.level).to_dict() if ("payout", seat) in self.moments.columns else None,
                    "reached": [
                        estimates.proportion(
                            sum(count for value, count in table.items() if value >= stage),
                            self.moments.n,
                            self.level,
                        ).to_dict()
                        for stage in stages
                    ],
                }
                for seat, table in enumerate(tables)
            ]
        }

    def up_to(self, column: str) -> dict[int, float]:
        """Standard error of the share of deals that are not longer than each of the wanted values."""
        found = {}
        for each in self.moments.columns:
            if each[:2] == ("up_to", column):
                error = estimates.standard_error(self.moments.ratio([each], DEALS, self.level))
                if error is not None:
                    found[int(str(each[2]))] = error
        return found

    def _possible(self, table: str, words: Sequence[str]) -> list[str]:
        """The words of a table, or the items, that the rules leave a way for."""
        return [word for word in words if word not in self.impossible.get(table, ())]

    def _by_word(self, table: str, words: Sequence[str]) -> list[dict[str, Any]]:
        """Deals by a word of theirs: number, share of all deals."""
        found = []
        for word in words:
            sums = self.moments.sums([(table, word)], DEALS)
            share = estimates.within(estimates.rate(sums, self.level), 0.0, 1.0)
            found.append({"key": word, "name": self._word(table, word), "count": sums.x, "share": share.to_dict()})
        return found

    def _share_of_all(self, seats: Sequence[int]) -> dict[str, Any]:
        """Win share of one of some seats in all games: by the sequence that stopped the run, where one did."""
        n = self.moments.n
        if self.stopping:
            total, squares = self.moments.power_sums({("share", seat): 1.0 / len(seats) for seat in seats})
            return of_share(total, squares, n, self.stopping["best_at"], self.level).to_dict()
        if len(seats) == 1:
            (seat,) = seats
            return estimates.win_share(self.moments.total(("share", seat)), self.moments.squares(("share", seat)), n, self.level).to_dict()
        mean = self.moments.mean({("share", seat): 1.0 / len(seats) for seat in seats}, self.level)
        return estimates.within(mean, 0.0, 1.0).to_dict()

    def _wins(self, name: str, seat: int, games: float) -> dict[str, Any] | None:
        """Win share from a column of shares in so many games, by the sequence that stopped the run, where one did; None in no games."""
        if not games:
            return None
        sums = self.moments.total((name, seat)), self.moments.squares((name, seat)), int(games)
        if self.stopping:
            return of_share(*sums, self.stopping["best_at"], self.level).to_dict()
        return estimates.win_share(*sums, self.level).to_dict()

    def _rate(self, counts: Sequence[Column], seats: int = 1) -> dict[str, Any]:
        """Number of times, and times per deal (per deal and seat for more than one of the latter)."""
        sums = self.moments.sums(counts, DEALS)
        per_seat = Sums(sums.n, sums.x, sums.y * seats, sums.xx, sums.xy * seats, sums.yy * seats * seats)
        return {"count": sums.x, "per_deal": estimates.rate(per_seat, self.level).to_dict()}

    def _share(self, points: Sequence[Column], counts: Sequence[Column], price: int = 0) -> dict[str, Any]:
        """Points, points per deal, and share of all points; None where no points were scored at all.

        Points below 0 count in a share by their size. What was never met gets the bound of its number of times, each worth `price`.
        """
        total = self.moments.total(*points)
        size = self.moments.total(*self._sizes(points))
        everything = self.moments.total(*self._sizes(self.points))
        if not everything:
            return {"points": 0, "points_per_deal": None, "share": None}
        sums = self.moments.sums(counts, DEALS)
        if sums.x < 3 * estimates.SMALL:
            # Too few for the linearisation: the interval of the count, in points of the mean size.
            rate = estimates.rate(sums, self.level)
            per_deal = estimates.times(rate, total / sums.x if sums.x else price)
            share = estimates.times(rate, (size / sums.x if sums.x else abs(price)) * self.deals / everything)
        else:
            per_deal = self.moments.ratio(points, DEALS, self.level)
            share = self.moments.ratio(self._sizes(points), self._sizes(self.points), self.level)
        low, high = (0.0 if size == total else -math.inf), (0.0 if size == -total else math.inf)
        return {
            "points": total,
            "points_per_deal": estimates.within(per_deal, *((0.0, math.inf) if not size else (low, high))).to_dict(),
            "share": estimates.within(share, 0.0, 1.0).to_dict(),
        }

    def _sizes(self, points: Sequence[Column]) -> list[Column]:
        """The columns of points without their signs."""
        return [("size", *column[1:]) for column in points] if self.signed else list(points)

    def _word(self, table: str, key: str) -> dict[str, str]:
        """What the game calls a key of the records; the key itself where its file has no word."""
        name = self.words.get(table, {}).get(key)
        plain = key.replace("_", " ")
        return dict(name) if name else {"en": plain, "ru": plain}


def _spread(table: Sequence[tuple[int, int]], mean: Estimate, level: float, errors: Mapping[int, float] | None = None) -> dict[str, Any]:
    """Mean, quantiles and the whole distribution of a whole number, from its values and their counts.

    `errors` has the standard error of the share at or below a value, where observations come in clusters.
    """
    values, counts = [value for value, _ in table], [count for _, count in table]
    quantiles = []
    for q in QUANTILES:
        spread = None if errors is None else errors.get(_at(table, q), 0.0)
        quantiles.append({"q": q, "value": estimates.quantile(values, counts, q, spread=spread, level=level).to_dict()})
    return {
        "mean": mean.to_dict(),
        "quantiles": quantiles,
        "least": values[0],
        "most": values[-1],
        "histogram": [list(row) for row in table],
    }


def _at(table: Sequence[tuple[int, int]], q: float) -> int:
    """The value of a quantile."""
    return int(estimates.quantile([value for value, _ in table], [count for _, count in table], q).value)


def _margins(games: pl.LazyFrame, seats: int, lowest_wins: bool) -> list[tuple[int, int]]:
    """Distribution of how far the best final score is from the second best."""
    ordered = pl.concat_list(f"score_{seat}" for seat in range(seats)).list.sort(descending=not lowest_wins)
    return distribution(games.select(margin=(ordered.list.get(0) - ordered.list.get(1)).abs()), "margin")


def _hands(frequencies: Mapping[int, Mapping[str, Any]] | None, dealt: int | None) -> dict[str, Any] | None:
    """Exact frequencies in hands, by number of cards; the main size is that of a dealt hand."""
    if not frequencies:
        return None
    sizes = sorted(frequencies)
    tables = []
    for cards in sizes:
        table = frequencies[cards]
        total = sum(points * count for points, count in table["points"])
        fields = {key: table[key] for key in ("cards", "hands", "items", "points")}
        tables.append(fields | {"mean_points": total / table["hands"]})
    return {"sizes": sizes, "main": dealt if dealt in sizes else sizes[-1], "tables": tables}


def _plain(value: Any) -> Any:
    """A value of an option as JSON has it: a tuple becomes a list."""
    return list(value) if isinstance(value, tuple) else value
