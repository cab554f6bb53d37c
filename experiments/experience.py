"""A game as an experience: is it close, does the lead change, can one come back, when is it decided?

The measures speak of E_i(t), the chance of seat i to win as it stands after t deals. It is read from the games themselves: the mean win share of all seats
that were as far ahead of the best of the others (or behind) after as many deals. The table that a game is judged by is made of the other half of
the games (every other one), so that no game is told by itself how it ends. T is the number of deals of a game; t runs from 0 to T - 1.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import polars as pl

from experiments import estimates
from experiments.estimates import LEVEL

MOST_GAMES: Final = 200_000
"""Games that are looked at: what bounds the memory, and more than enough."""
BINS: Final = 24
"""Classes of leads after one number of deals, about equally full."""
MOST_DEALS: Final = 16
"""After more deals than this the table is the same."""

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


def experience(games: pl.LazyFrame, deals: pl.LazyFrame, players: int, lowest_wins: bool = False, level: float = LEVEL) -> dict[str, Any] | None:
    """The measures of a run's games, each a mean over games with Student's interval.

    Measures, with their sources:
        ``lead_changes``: how often another seat comes to be ahead, in a game.
        ``lead_change``: the same per deal: #{t: argmax E(t) ≠ argmax E(t - 1)}/T (Ludii, LeadChange).
        ``decisiveness``: t*/T, t* the first t at which the winner's chance is above all that a loser ever has in the game; 1 where only the last deal
        brings it there (Ludii, DecisivenessMoves). Games with a shared win are left out of this and the next three.
        ``drama``: mean of √(E_best(t) - E_w(t)) over the t at which the winner w is behind, 0 where it never is (Browne 2008).
        ``comeback``: share of games won by who was behind after half of the deals (the later half of an odd number left out).
        ``killer_deal``: largest gain of the winner's chance in one deal, the last one to 1 included (Browne 2008, killer moves).
        ``volatility``: Σ_t |E(t + 1) - E(t)| of a seat, mean over seats, the outcome included.
        ``uncertainty``: mean over t of the entropy of E(t) over ln n; ``late_uncertainty``: over the last third of the deals (at least the last one).
        ``closeness``: 1/√(mean of Δ²), Δ the final score of the best less that of the second (Isaksen and others 2016); larger is closer.

    Args:
        games: Table of games.
        deals: Table of deals.
        players: Number of seats.
        lowest_wins: Whether a lower score is the better one.
        level: Level of the intervals.

    Returns:
        ``games`` (how many were looked at) and ``measures``: by name, an estimate as a dictionary, None where no game allows it. None for fewer than
        four games.
    """
    numbers = games.select("game").collect(engine="streaming")["game"].sort().head(MOST_GAMES)
    wanted = pl.col("game") <= int(numbers[-1])
    seats = range(players)
    shares = [pl.col(f"share_{seat}") for seat in seats]
    scores = [pl.col(f"score_{seat}").cast(pl.Int64) for seat in seats]
    table = games.filter(wanted).select("game", *shares, *scores).collect(engine="streaming").sort("game")
    rows = deals.filter(wanted).select("game", "deal", *(pl.col(f"points_{seat}").cast(pl.Int64) for seat in seats)).collect(engine="streaming")
    rows = rows.sort("game", "deal")
    if table.height < 4:
        return None
    sign = -1 if lowest_wins else 1
    share = table.select(shares).to_numpy()
    lengths = rows.group_by("game", maintain_order=True).len()["len"].to_numpy().astype(np.int64)
    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
    gained = sign * rows.select(f"points_{seat}" for seat in seats).to_numpy()
    course = _Course(share, starts, lengths, gained, np.arange(table.height) % 2)
    final = sign * table.select(scores).to_numpy()
    return {"games": table.height, "measures": {name: _estimate(name, values, level) for name, values in course.measures(final).items()}}


class _Course:
    """How games went: one row for each t of each game, in order."""

    def __init__(self, share: Floats, starts: Integers, lengths: Integers, gained: Integers, fold: Integers) -> None:
        """share: float64[games, seats]; starts, lengths: rows of each game; gained: int64[rows, seats], points of the deal after t; fold: 0 or 1 by game."""
        self.share, self.starts, self.lengths = share, starts, lengths
        self.seats = share.shape[1]
        self.game = np.repeat(np.arange(len(lengths)), lengths)
        self.time = np.arange(len(gained)) - starts[self.game]
        before = np.cumsum(gained, axis=0) - gained  # scores before the deal, up to a constant of the game
        standing = before - before[starts][self.game]
        best = np.sort(standing, axis=1)
        second = np.where(standing == best[:, -1:], best[:, -2:-1], best[:, -1:])
        self.lead = standing - second
        self.chance = _chances(self.lead, self.time, share[self.game], fold[self.game])

    def measures(self, final: Integers) -> dict[str, Floats]:
        """One number a game (fewer where a measure leaves games out); float64[games]."""
        chance, game, starts, lengths = self.chance, self.game, self.starts, self.lengths
        won = self.share > 0
        single = won.sum(axis=1) == 1
        rows = np.arange(len(game))
        winner = self.share.argmax(axis=1)
        own = chance[rows, winner[game]]
        others = np.where(np.arange(self.seats) == winner[game][:, None], -np.inf, chance).max(axis=1)
        threshold = np.maximum.reduceat(others, starts)
        decided = np.minimum.reduceat(np.where(own > threshold[game], self.time, lengths[game]), starts) / lengths
        behind = own < others
        short = np.add.reduceat(np.where(behind, np.sqrt(np.maximum(others - own, 0.0)), 0.0), starts)
        times = np.add.reduceat(behind.astype(np.int64), starts)
        following = np.concatenate([chance[1:], chance[:1]])
        last = starts + lengths - 1
        following[last] = self.share
        half = starts + lengths // 2
        halved = single & (lengths >= 2)
        changes = self._lead_changes()
        entropy = -np.sum(chance * np.log(np.maximum(chance, 1e-300)), axis=1) / math.log(self.seats)
        late = self.time >= np.minimum(lengths - 1, -(-2 * lengths // 3))[game]
        ordered = np.sort(final, axis=1)
        return {
            "lead_changes": changes,
            "lead_change": changes / lengths,
            "decisiveness": decided[single],
            "drama": (short / np.maximum(times, 1))[single],
            "comeback": (own[half] < others[half])[halved].astype(np.float64),
            "killer_deal": np.maximum.reduceat(following[rows, winner[game]] - own, starts)[single],
            "volatility": np.add.reduceat(np.abs(following - chance).mean(axis=1), starts),
            "uncertainty": np.add.reduceat(entropy, starts) / lengths,
            "late_uncertainty": np.add.reduceat(entropy * late, starts) / np.add.reduceat(late.astype(np.int64), starts),
            "closeness": (ordered[:, -1] - ordered[:, -2]).astype(np.float64),
        }

    def _lead_changes(self) -> Floats:
        """How often a seat is alone ahead that was not the last one to be so."""
        ahead = np.where(self.lead.max(axis=1) > 0, self.lead.argmax(axis=1), -1)
        known = np.flatnonzero(ahead >= 0)
        same_game = self.game[known[1:]] == self.game[known[:-1]]
        changed = same_game & (ahead[known[1:]] != ahead[known[:-1]])
        return np.bincount(self.game[known[1:]][changed], minlength=len(self.lengths)).astype(np.float64)


def _chances(lead: Integers, time: Integers, share: Floats, fold: Integers) -> Floats:
    """E_i(t) of every row and seat; float64[rows, seats], each row adding up to 1."""
    seats = lead.shape[1]
    found = np.full(lead.shape, 1.0 / seats)
    capped = np.minimum(time, MOST_DEALS)
    for t in range(1, int(capped.max(initial=0)) + 1):
        here = np.flatnonzero(capped == t)
        edges = np.unique(np.quantile(lead[here], np.linspace(0, 1, BINS + 1)[1:-1], method="inverted_cdf"))
        cell = np.searchsorted(edges, lead[here], side="left") * 2 + fold[here][:, None]
        size = 2 * (len(edges) + 1)
        total = np.bincount(cell.ravel(), weights=share[here].ravel(), minlength=size)
        count = np.bincount(cell.ravel(), minlength=size)
        mean = (total + 1.0 / seats) / (count + 1.0)  # one even game more, so that an empty cell is even
        found[here] = mean[cell ^ 1]
    chances: Floats = found / found.sum(axis=1, keepdims=True)
    return chances


def _estimate(name: str, values: Floats, level: float) -> dict[str, Any] | None:
    if not len(values):
        return None
    if name == "closeness":
        squares = values * values
        mean = estimates.mean(float(squares.sum()), float((squares * squares).sum()), len(values), level)
        if mean.value <= 0 or mean.low is None or mean.high is None:
            return None
        low, high = (1 / math.sqrt(end) if end > 0 else None for end in (mean.high, mean.low))
        return estimates.Estimate(1 / math.sqrt(mean.value), low, high, mean.n, mean.method, level).to_dict()
    if name == "comeback":
        return estimates.proportion(int(values.sum()), len(values), level).to_dict()
    return estimates.mean(float(values.sum()), float((values * values).sum()), len(values), level).to_dict()
