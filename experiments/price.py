"""Fair prices: what each item should cost by how rare it is, in the steps of the present table and as close to it as that allows.

The table's own idea of what rarity is worth is a curve, price = a·rarity^b, fitted so that single wrong prices do not move it (Theil 1950, Sen 1968): once
over the exact rarity in hands, once over the rarity in play. The two say how far apart fair prices may be. A price within is kept; the others move to the
nearer end, on the grid of the designer, never falling with rarity within a category, at the least total distance.

How sure that is: the games are resampled (Efron 1979), the blocks of all games with one number being the unit, and everything is worked out again. A price
that does not stay, rise or fall as it does here in nearly all of the resamples is undecided, and so is one that moves by its rarity in hands alone while
its rarity in play, of which too little was seen, could keep it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from experiments import estimates
from experiments.estimates import LEVEL, Estimate, Sums
from experiments.ledger import Ledger
from experiments.lint import FEW, rarity_in_hands, reward, rewards
from experiments.measures import Integers
from experiments.panel import Played, panel
from experiments.price_texts import reason
from simcore.errors import InputError, nearest
from simcore.game import frequencies_of

if TYPE_CHECKING:
    from simcore.ruleset import Ruleset

TOLERANCE: Final = 0.2
"""How far from both curves a price may be, as a share of them, before it is called wrong."""
LEAST_FIT: Final = 3
"""Prices that a curve needs."""
RESAMPLES: Final = 200
"""Resamples of the games."""


@dataclass(frozen=True)
class Curve:
    """price = exp(level)·rarity^slope."""

    level: float
    slope: float

    def at(self, chance: float) -> float:
        """The price of what has this chance."""
        return math.exp(self.level - self.slope * math.log(chance))


@dataclass(frozen=True)
class Rarity:
    """What is known of one item.

    Attributes:
        hands: Probability in the largest hands, None where it is no matter of a hand.
        per_deal: Times per deal in play, all line-ups together.
        count: Times in play.
        rated: Whether rarity prices its kind at all: it rewards, and combinations of its category are counted in hands.
        low, high: What is fair by the curves, before rounding; None where rarity says nothing.
    """

    hands: float | None
    per_deal: float
    count: int
    rated: bool
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Sureness:
    """How the resamples of the games agree on one price.

    Attributes:
        agree: Share of the resamples in which it stays, rises or falls as it does by the games themselves.
        seldom: Whether it moves though it came up too seldom in play to say that what play pays for such rarity would not keep it.
        low, high: Interval of either end of what is fair by the curves, at `LEVEL`; None where rarity says nothing.
    """

    agree: float
    seldom: bool
    low: tuple[float, float] | None
    high: tuple[float, float] | None

    @property
    def decided(self) -> bool:
        """Whether nearly all of them agree, and play could not undo it."""
        return self.agree >= LEVEL and not self.seldom


def price(
    ruleset: Ruleset,
    lineups: Sequence[Sequence[str]] = (),
    games: int = 2_000,
    players: int | None = None,
    seed: int = 1,
    grid: Mapping[str, int] | None = None,
    threads: int | None = None,
    lang: str = "en",
) -> dict[str, Any]:
    """Fair prices of a point table.

    Args:
        ruleset: The rules with the present table.
        lineups: Who plays; without any every built-in strategy of the game against itself.
        games: Games of each line-up.
        players: Number of seats.
        seed: Seed of all games.
        grid: By item the number of which its price is a multiple; ``*`` stands for all others. Without it 1.
        threads: Threads; without it one a core.
        lang: Language of the reasons, ``en`` or ``ru``.

    Returns:
        ``ruleset``, ``fair`` (canonical, with the fair prices), ``curves`` (``hands`` and ``play``: ``level``, ``slope``; None where too few prices are
        known), ``cards``, ``games``, ``deals``, ``players``, ``seed``, ``strategies``, ``resamples``, ``level``, and ``prices`` by item: ``now``, ``fair``,
        ``reason``, ``in_hands`` (probability), ``per_deal``, ``count``, ``band`` (fair by the curves), ``band_interval`` (that of either end), ``agree``
        (share of the resamples in which the price stays, rises or falls as it does here), ``decided`` (whether that is at least the level, and the price
        does not move by hands alone where play could keep it), ``win_equity`` (an estimate: by how much one use raises the share of the win of who makes
        it, scored with and without its points) and ``worth`` (the same in points of average effect).

    Raises:
        InputError: Something does not exist or is out of range, or the game has no point table.
        StrategyError: A strategy does not compile, or made a move that the rules forbid.
    """
    if not ruleset.points:
        raise InputError(f"{ruleset.schema.key} has no point table, so that there is nothing to price")
    steps = _steps(ruleset, grid or {})
    played = panel(ruleset, lineups, games, players, seed, threads)
    in_hands, _ = rarity_in_hands(ruleset)
    counts, deals = _by_game(ruleset, played)
    rarity, curves = _rarities(ruleset, in_hands, counts.sum(axis=0), int(deals.sum()))
    fair = _fair(ruleset, rarity, steps)
    sureness = _sureness(ruleset, in_hands, counts, deals, steps, rarity, curves["play"], fair, seed)
    equity, worth = _equities(ruleset, played)
    sizes = list(frequencies_of(ruleset.schema.key).sizes(ruleset)) if in_hands else []
    return {
        "ruleset": ruleset.canonical,
        "fair": ruleset.with_(**fair).canonical,
        "curves": {name: None if curve is None else {"level": curve.level, "slope": curve.slope} for name, curve in curves.items()},
        "cards": max(sizes, default=None),
        "games": games,
        "deals": int(deals.sum()),
        "players": played[0].table.players,
        "seed": seed,
        "strategies": [each.name for each in played],
        "resamples": RESAMPLES,
        "level": LEVEL,
        "prices": {
            key: {
                "now": now,
                "fair": fair[key],
                "reason": reason(
                    now, fair[key], steps[key], rarity[key], sureness[key], max(sizes, default=0), _neighbour(ruleset, key, fair, rarity), ruleset, lang
                ),
                "in_hands": rarity[key].hands,
                "per_deal": rarity[key].per_deal,
                "count": rarity[key].count,
                "band": None if rarity[key].low is None else [rarity[key].low, rarity[key].high],
                "band_interval": None if sureness[key].low is None else [list(end) for end in (sureness[key].low, sureness[key].high) if end],
                "agree": sureness[key].agree,
                "decided": sureness[key].decided,
                "win_equity": equity[key],
                "worth": worth[key],
            }
            for key, now in ruleset.points.items()
        },
    }


def _steps(ruleset: Ruleset, grid: Mapping[str, int]) -> dict[str, int]:
    for key, step in grid.items():
        if key != "*" and key not in ruleset.points:
            raise InputError(f"a grid is for a key of the point table, got '{key}'.{nearest(key, ruleset.points)}")
        if step < 1:
            raise InputError(f"prices are multiples of a whole number from 1 on, got {step}" + (f" for {key}" if key != "*" else ""))
    return {key: grid.get(key, grid.get("*", 1)) for key in ruleset.points}


# ------------------------------------------------------------------------------------------------------------------
# Rarity


def fitted(points: Sequence[tuple[float, float]]) -> Curve | None:
    """The curve through chances and prices above 0, by medians; never falling with rarity. None for too few of them."""
    if len(points) < LEAST_FIT or len({chance for chance, _ in points}) < 2:
        return None
    x, y = -np.log([chance for chance, _ in points]), np.log([worth for _, worth in points])
    run, rise = x[:, None] - x, y[:, None] - y
    slope = max(0.0, float(np.median(rise[run > 0] / run[run > 0])))
    return Curve(float(np.median(y - slope * x)), slope)


def _by_game(ruleset: Ruleset, played: Sequence[Played]) -> tuple[Integers, Integers]:
    """Times of each priced item (int64[games, prices], in the order of the point table) and deals (int64[games]) of all line-ups together."""
    items, games = played[0].table.game.items, len(played[0].batch.games)
    place = [items.index(key) if key in items else -1 for key in ruleset.points]
    counts, deals = np.zeros((games, len(items)), np.int64), np.zeros(games, np.int64)
    for each in played:
        rows = each.batch.tallies
        cell = rows["game"] * len(items) + rows["item"]
        counts += np.bincount(cell, weights=rows["count"], minlength=counts.size).astype(np.int64).reshape(counts.shape)
        deals += each.batch.games["deals"]
    return np.where(np.array(place) >= 0, counts[:, place], 0), deals


def _rarities(ruleset: Ruleset, in_hands: Mapping[str, float], times: Integers, deals: int) -> tuple[dict[str, Rarity], dict[str, Curve | None]]:
    """What is known of each price, from the times that it came up in so many deals (int64[prices]), and the curves."""
    counts = dict(zip(ruleset.points, times.tolist(), strict=True))
    worth, meant = {key: reward(ruleset, key) for key in ruleset.points}, rewards(ruleset)
    category = {key: item.category for key, item in ruleset.schema.points.items()}
    of_hands = {category[key] for key in in_hands}  # the categories of combinations, not of single cards or consolations
    # What is worth nothing among combinations that are is a mistake if it is a combination itself, and has its reasons if it is none (a dump).
    rated = [key for key in meant if category[key] in of_hands and (worth[key] > 0 or in_hands.get(key))]
    by_hands = fitted([(in_hands[key], worth[key]) for key in rated if worth[key] > 0 and in_hands.get(key)])
    by_play = fitted([(counts[key] / deals, worth[key]) for key in rated if worth[key] > 0 and counts.get(key, 0) >= FEW])
    found = {}
    for key in ruleset.points:
        count = counts.get(key, 0)
        fair = []
        if key in rated and by_hands and in_hands.get(key):
            fair.append(by_hands.at(in_hands[key]))
        if key in rated and by_play and count >= FEW:
            fair.append(by_play.at(count / deals))
        low, high = (min(fair) * (1 - TOLERANCE), max(fair) * (1 + TOLERANCE)) if fair else (None, None)
        found[key] = Rarity(in_hands.get(key), count / deals, count, key in rated, low, high)
    return found, {"hands": by_hands, "play": by_play}


# ------------------------------------------------------------------------------------------------------------------
# Prices


def _fair(ruleset: Ruleset, rarity: Mapping[str, Rarity], steps: Mapping[str, int]) -> dict[str, int]:
    """The nearest table to the present one that is fair."""
    sign = -1 if ruleset.schema.lowest_wins else 1
    fair = dict(ruleset.points)
    for category in ruleset.schema.categories:
        chain = _chain(ruleset, category, rarity)
        bands: list[tuple[float, float]] = []
        for key in chain:
            low, high = rarity[key].low, rarity[key].high
            assert low is not None and high is not None
            step = steps[key]
            least, most = step * math.ceil(low / step), step * math.floor(high / step)
            bands.append((least, most) if least <= most else (low, high))  # the multiples inside the band, where there are any
        for key, worth in zip(chain, monotone(bands, [reward(ruleset, key) for key in chain], [steps[key] for key in chain]), strict=True):
            fair[key] = sign * worth
    return fair


def _sureness(
    ruleset: Ruleset,
    in_hands: Mapping[str, float],
    counts: Integers,
    deals: Integers,
    steps: Mapping[str, int],
    rarity: Mapping[str, Rarity],
    by_play: Curve | None,
    fair: Mapping[str, int],
    seed: int,
) -> dict[str, Sureness]:
    """Works the table out again from resamples of the games (`_by_game`); intervals are quantiles of the resamples."""
    chance, games = np.random.default_rng(seed), len(deals)
    agree = dict.fromkeys(ruleset.points, 0)
    bands: dict[str, list[tuple[float, float]]] = {key: [] for key in ruleset.points}
    for _ in range(RESAMPLES):
        weights = np.bincount(chance.integers(games, size=games), minlength=games)
        again, _curves = _rarities(ruleset, in_hands, weights @ counts, int(weights @ deals))
        other = _fair(ruleset, again, steps)
        for key, now in ruleset.points.items():
            agree[key] += int(np.sign(other[key] - now) == np.sign(fair[key] - now))
            low, high = again[key].low, again[key].high
            if low is not None and high is not None:
                bands[key].append((low, high))
    tails = [(1 - LEVEL) / 2, (1 + LEVEL) / 2]
    found = {}
    for key in ruleset.points:
        ends = np.quantile(bands[key], tails, axis=0).T.tolist() if rarity[key].low is not None and bands[key] else (None, None)
        seldom = by_play is not None and _seldom(ruleset, key, rarity[key], by_play, int(deals.sum()), fair[key])
        found[key] = Sureness(agree[key] / RESAMPLES, seldom, *(None if end is None else (end[0], end[1]) for end in ends))
    return found


def _seldom(ruleset: Ruleset, key: str, rarity: Rarity, by_play: Curve, deals: int, fair: int) -> bool:
    """Whether a price moves that play could keep: its rate in play, by Garwood's exact Poisson interval (1936), may be one for which play pays as much."""
    now, worth = reward(ruleset, key), fair * (-1 if ruleset.schema.lowest_wins else 1)
    if rarity.low is None or rarity.count >= FEW or worth == now:
        return False
    chi2 = estimates.scipy_stats().chi2
    if worth > now:
        most = float(chi2.ppf((1 + LEVEL) / 2, 2 * rarity.count + 2)) / 2 / deals
        return now >= by_play.at(most) * (1 - TOLERANCE)
    least = float(chi2.ppf((1 - LEVEL) / 2, 2 * rarity.count)) / 2 / deals if rarity.count else 0.0
    return not least or now <= by_play.at(least) * (1 + TOLERANCE)


def _chain(ruleset: Ruleset, category: str, rarity: Mapping[str, Rarity]) -> list[str]:
    """The items of a category that rarity says something of, the most common first."""
    keys = [key for key, item in ruleset.schema.points.items() if item.category == category and rarity[key].low is not None]
    return sorted(keys, key=lambda key: (rarity[key].low or 0.0) + (rarity[key].high or 0.0))


def monotone(bands: Sequence[tuple[float, float]], now: Sequence[int], steps: Sequence[int]) -> list[int]:
    """Prices that never fall along the row, each a multiple of its step and at least one step, at the least total distance.

    The distance of a price is by how much it misses its band, and only between equal misses by how much it moves from the present one. Found by dynamic
    programming over all prices up to the largest that can be of use.
    """
    if not bands:
        return []
    most = math.ceil(max(*(high for _, high in bands), *now, 1)) + max(steps)
    best = [0.0] * (most + 1)  # least cost of the prices so far if the last one is at most this
    choices: list[list[int]] = []
    for (low, high), present, step in zip(bands, now, steps, strict=True):
        costs = [math.inf] * (most + 1)
        chosen = [0] * (most + 1)
        for worth in range(1, most + 1):
            costs[worth], chosen[worth] = costs[worth - 1], chosen[worth - 1]
            if worth % step == 0:
                # Half a point of rounding is no miss: a fair price that is no whole number is kept where it is the nearest one.
                miss = max(0.0, max(low - worth, worth - high) - (0.5 if step == 1 else 0.0))
                cost = best[worth] + miss + 1e-6 * abs(worth - present)
                if cost < costs[worth]:
                    costs[worth], chosen[worth] = cost, worth
        best = costs
        choices.append(chosen)
    prices = []
    limit = min(range(most + 1), key=lambda worth: (best[worth], worth))
    for chosen in reversed(choices):
        limit = chosen[limit]
        prices.append(limit)
    return prices[::-1]


def _neighbour(ruleset: Ruleset, key: str, fair: Mapping[str, int], rarity: Mapping[str, Rarity]) -> str | None:
    """The more common item of the category with the same fair price, if that is above what is fair for this one alone."""
    high = rarity[key].high
    sign = -1 if ruleset.schema.lowest_wins else 1
    if high is None or sign * fair[key] <= high + 1:
        return None
    chain = _chain(ruleset, ruleset.schema.points[key].category, rarity)
    return next((other for other in chain[: chain.index(key)] if fair[other] == fair[key]), None)


# ------------------------------------------------------------------------------------------------------------------
# What an item does for the win


def _equities(ruleset: Ruleset, played: Sequence[Played]) -> tuple[dict[str, dict[str, Any] | None], dict[str, float | None]]:
    """By item, what one use by the player of seat 0 adds to its share of the win, and the same over what a point of reward adds on average."""
    game = played[0].table.game
    keys = [key for key in ruleset.points if key in game.items]
    gains: dict[str, list[np.ndarray]] = {key: [] for key in keys}
    uses: dict[str, list[np.ndarray]] = {key: [] for key in keys}
    for each in played:
        ledger = Ledger(game, ruleset, [each.batch], each.table.players, keys, user=0)
        seats = each.table.players
        by_deal = np.abs(ledger.times).reshape(-1, seats, len(keys)).sum(axis=1)
        by_game = np.add.reduceat(by_deal, ledger.stored.first)
        for place, key in enumerate(keys):
            uses[key].append(by_game[:, place])
            prices = ledger.base.copy()
            prices[place] = 0
            gains[key].append(ledger.stored.share[:, 0] - ledger.replay(prices).share[:, 0])
    found: dict[str, Estimate | None] = dict.fromkeys(ruleset.points)
    gained = points = 0.0
    for key in keys:
        x, y = np.concatenate(gains[key]).astype(float), np.concatenate(uses[key]).astype(float)
        if y.sum() >= FEW:
            sums = Sums(len(x), float(x.sum()), float(y.sum()), float(x @ x), float(x @ y), float(y @ y))
            found[key] = estimates.ratio(sums)
            if reward(ruleset, key) <= 0:
                continue
            gained, points = gained + float(x.sum()), points + float(y.sum()) * abs(ruleset.points[key])
    per_point = gained / points if points else 0.0
    told = {key: each.to_dict() if each else None for key, each in found.items()}
    return told, {key: each.value / per_point if each and per_point > 0 else None for key, each in found.items()}
