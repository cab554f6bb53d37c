"""What is moving first worth, apart from the cards that give the lead and from the seat, and what would make up for it?

Each game is played once with its natural leader and once led by every other player, on the same cards for every seat: only who moves first differs. Over
these games everybody leads with every hand, so the leader's mean share is the worth of moving first alone; the natural leader's mean share over all
of them is the worth of the cards. Of two players the two add up to what the natural leader has. The block of all games on one deal is the unit.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from experiments import estimates
from experiments.blocks import Vector, summed
from experiments.estimates import LEVEL, Estimate
from experiments.measures import WIN, Integers
from experiments.progress import Report
from simcore.errors import InputError
from simcore.simulate import Table

if TYPE_CHECKING:
    from simcore.ruleset import Ruleset
    from simcore.simulate import Batch

REACH: Final = 5_000
"""Leads in points are told apart up to here."""
SUMS: Final = ("natural_share", "first_share", "cards_share", "natural_points", "first_points", "cards_points")


def first_move(
    ruleset: Ruleset,
    panel: Sequence[Sequence[str]] = (("random",),),
    games: int = 20_000,
    *,
    players: int | None = None,
    seed: int = 1,
    level: float = LEVEL,
    threads: int | None = None,
    progress: Report | None = None,
) -> dict[str, Any]:
    """Measures the worth of the first move.

    Args:
        ruleset: The rules.
        panel: Line-ups, each with one strategy for all seats or one a seat.
        games: Number of deals that games begin with; each is played once with every leader.
        players: Number of seats; without it one a strategy, or the fewest that the game allows.
        seed: Seed of all games.
        level: Level of the intervals.
        threads: Threads; without it one a core.
        progress: Called now and then.

    Returns:
        ``ruleset``, ``players``, ``games``, ``seed``, ``level``, ``seconds``, ``even`` (an even share), ``swapped`` (whether the game can be led by
        another; where not, chance alone gives the lead or nothing can be told apart, and ``first`` and ``cards`` are None) and ``panel``: for each line-up
        ``strategies``, ``share`` and ``points`` with the estimates ``natural``, ``first``, ``cards`` (points: final score less the mean of the others'),
        ``compensation``: points to each other player at the end of the game that make the leader's share even (``value``, ``low``, ``high``; of
        whole and half points the one whose share is nearest to even, and all that the interval of the share allows), and ``narrower``: the width
        of the interval of ``first`` over that of as many games without swapping.

    Raises:
        InputError: Something does not exist or is out of range.
        StrategyError: A strategy does not compile, or made a move that the rules forbid.
    """
    if games < 2:
        raise InputError(f"the worth of the first move needs at least 2 games, got {games}")
    led = [led_by_each(ruleset, lineup, players, seed) for lineup in panel]
    naturals = [tables[0] for tables in led]
    seats = naturals[0].players
    if any(table.players != seats for table in naturals):
        raise InputError("all line-ups must have the same number of players: say how many with --players")
    leaders = len(led[0])

    def reduce(vectors: list[Integers]) -> list[Integers]:
        blocks = [vectors[start : start + leaders] for start in range(0, len(vectors), leaders)]
        return [part for block in blocks for part in _of_block(block, seats)]

    sums, seconds = summed([table for tables in led for table in tables], range(games), ends_of(ruleset, seats), reduce, threads, progress)
    return {
        "ruleset": ruleset.canonical,
        "players": seats,
        "games": games,
        "seed": seed,
        "level": level,
        "seconds": seconds * games,
        "even": 1 / seats,
        "swapped": leaders > 1,
        "panel": [
            {"strategies": list(table.canonical_strategies)} | _told(sums[3 * place], sums[3 * place + 1], sums[3 * place + 2], games, seats, leaders, level)
            for place, table in enumerate(naturals)
        ],
    }


def led_by_each(ruleset: Ruleset, lineup: Sequence[str], players: int | None, seed: int) -> list[Table]:
    """Tables with the same cards: the first led by the rules, each further one by the next player, where the game can be led by another.

    Raises InputError as `simcore.simulate.Table` does.
    """
    natural = Table(ruleset, lineup, players, seed)
    shifts = range(1, natural.players if natural.engine.can_shift_lead else 1)
    return [natural, *(Table(ruleset, lineup, natural.players, seed, lead_shift=shift) for shift in shifts)]


def ends_of(ruleset: Ruleset, seats: int) -> Vector:
    """What is kept of games, int64[games, 1 + 2·seats]: who led first, shares of the win (in units of 1 / `WIN`), final scores (more is better)."""
    sign = -1 if ruleset.schema.lowest_wins else 1

    def ends(batch: Batch) -> Integers:
        share = np.rint(batch.games["share"][:, :seats] * WIN).astype(np.int64)
        return np.column_stack([batch.games["leader"], share, sign * batch.games["score"][:, :seats].astype(np.int64)]).astype(np.int64)

    return ends


def leads(games: Integers, seats: int) -> Integers:
    """Final score of who led first less the best of the others, up to `REACH` either way, of games as `ends_of` keeps them."""
    rows = np.arange(len(games))
    others = games[:, seats + 1 :].copy()
    own = others[rows, games[:, 0]]
    others[rows, games[:, 0]] = np.iinfo(np.int64).min
    ahead: Integers = np.clip(own - others.max(axis=1), -REACH, REACH)
    return ahead


def counts_of(block: Sequence[Integers]) -> Integers:
    """Of the leads on one deal (one array a leader), largest first, how often each occurs in each place: int64[leaders, 2·REACH + 1]."""
    ordered = -np.sort(-np.array(block), axis=0)
    return np.array([np.bincount(place + REACH, minlength=2 * REACH + 1) for place in ordered])


def _of_block(block: Sequence[Integers], seats: int) -> tuple[Integers, Integers, Integers]:
    """Sums and squares of `SUMS` over the deals, and how often each lead of the leader over the best of the others occurs.

    Returns:
        int64[6], int64[6], and int64[leaders, 2·REACH + 1]: of the leads on one deal, largest first, how often each occurs in each place.
    """
    rows = np.arange(len(block[0]))
    natural = block[0][:, 0]
    columns = []
    for each in block:
        share, score = each[:, 1 : seats + 1], each[:, seats + 1 :]
        ahead = seats * score - score.sum(axis=1, keepdims=True)
        leader = each[:, 0]
        columns.append([share[rows, leader], share[rows, natural], ahead[rows, leader], ahead[rows, natural]])
    first_share, cards_share, first_points, cards_points = np.sum(columns, axis=0)
    sums = np.array([columns[0][0], first_share, cards_share, columns[0][2], first_points, cards_points])
    return sums.sum(axis=1), (sums * sums).sum(axis=1), counts_of([leads(each, seats) for each in block])


def _told(total: Integers, squares: Integers, counts: Integers, games: int, seats: int, leaders: int, level: float) -> dict[str, Any]:
    def estimate(name: str) -> Estimate:
        place = SUMS.index(name)
        points = name.endswith("points")
        unit = ((seats - 1) if points else WIN) * (1 if name.startswith("natural") else leaders)
        x, xx = int(total[place]) / unit, int(squares[place]) / unit**2
        return estimates.mean(x, xx, games, level) if points else estimates.win_share(x, xx, games, level)

    found: dict[str, Any] = {}
    for unit in ("share", "points"):
        natural, first, cards = (estimate(f"{kind}_{unit}") for kind in ("natural", "first", "cards"))
        parts = (first.to_dict(), cards.to_dict()) if leaders > 1 else (None, None)
        found[unit] = {"natural": natural.to_dict(), "first": parts[0], "cards": parts[1]}
    found["compensation"] = compensation(counts, games, 1 / seats, level)
    found["narrower"] = None
    if leaders > 1:
        error, plain = estimates.standard_error(estimate("first_share")), estimates.standard_error(estimate("natural_share"))
        found["narrower"] = error / (plain / math.sqrt(leaders)) if error and plain else None
    return found


def compensation(counts: Integers, games: int, even: float, level: float = LEVEL) -> dict[str, float]:
    """Points to every other player that make the leader's share of wins even.

    k* minimises the distance of `shares_with` k from even over whole and half k. The interval has all k whose share is not further from even than its own
    error allows.

    Args:
        counts: int64[m, 2·REACH + 1] as `counts_of` counts them.
        games: Number of deals.
        even: The share that is aimed at.
        level: Level of the interval.
    """
    k, share, errors = shares_with(counts, games)
    distance = np.abs(share - even)
    best = np.flatnonzero(distance == distance.min())
    value = float(k[best[np.argmin(np.abs(k[best]))]])
    allowed = k[distance <= estimates.z_quantile(level) * errors]
    low, high = (float(allowed.min()), float(allowed.max())) if allowed.size else (value, value)
    return {"value": value, "low": min(low, value), "high": max(high, value)}


def shares_with(counts: Integers, games: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The leader's share of wins when every other player is given k points at the end of the game: P(Δ > k) + P(Δ = k)/2.

    Δ is the leader's final score less the best of the others. The error of P(Δ > k) is that of clusters: with t_r the share of deals on which at least r
    of the m leads exceed k, the mean over a deal has the expectation Σt_r/m and the mean square Σ(2r - 1)·t_r/m².

    Args:
        counts: int64[m, 2·REACH + 1] as `counts_of` counts them.
        games: Number of deals.

    Returns:
        k (halves and whole numbers in turn, rising), the share with each, and its standard error.
    """
    m = len(counts)
    above = np.cumsum(counts[:, ::-1], axis=1)[:, ::-1] / games  # of place r: share of deals with a lead >= the value
    tails = np.column_stack([above, np.zeros(m)])  # column i: leads above i - REACH - ½
    mean = tails.sum(axis=0) / m
    square = ((2 * np.arange(m) + 1)[:, None] * tails).sum(axis=0) / m**2
    error = np.sqrt(np.maximum(square - mean * mean, 0.0) / max(games - 1, 1))
    # Halves and whole numbers in turn: -REACH - ½, -REACH, ..., REACH + ½.
    share = np.empty(2 * len(mean) - 1)
    share[::2], share[1::2] = mean, (mean[:-1] + mean[1:]) / 2
    errors = np.empty_like(share)
    errors[::2], errors[1::2] = error, np.maximum(error[:-1], error[1:])
    return np.arange(len(share)) / 2 - REACH - 0.5, share, errors
