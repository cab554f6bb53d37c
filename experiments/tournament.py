"""Who beats whom? Strategies meet in pairs on the same decks from every seat; pay-offs, ratings, cycles and the ladder of skill, with intervals.

In the match of i against j one seat is i's and all others are j's, and every deck is played once with i on each seat. The block of all games on one
deck, of all matches, is the unit: matches share their decks, and the ratings' intervals account for that.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from experiments import estimates
from experiments.blocks import summed
from experiments.claims import holm
from experiments.estimates import LEVEL, Estimate
from experiments.measures import WIN, Integers
from experiments.progress import Report
from simcore.errors import InputError
from simcore.simulate import Table

if TYPE_CHECKING:
    from simcore.ruleset import Ruleset
    from simcore.simulate import Batch

ELO: Final = 400 / math.log(10)
"""Points of a rating per unit of log odds."""
STEP: Final = 0.60
"""Win share against the strategy below from which on a step of the ladder counts."""
POWER: Final = 0.8
LONGEST_CYCLE: Final = 4

Floats = npt.NDArray[np.float64]
Match = tuple[int, int]


def tournament(
    ruleset: Ruleset,
    strategies: Sequence[str],
    games: int = 2_000,
    *,
    field: Sequence[str] = (),
    players: int | None = None,
    seed: int = 1,
    level: float = LEVEL,
    threads: int | None = None,
    progress: Report | None = None,
) -> dict[str, Any]:
    """Plays a round robin, or every strategy against each of a field.

    Args:
        ruleset: The rules.
        strategies: Who plays.
        games: Decks of each match; each is played once from every seat.
        field: Whom all play against; without it each other.
        players: Number of seats; without it the fewest that the game allows.
        seed: Seed of all games.
        level: Level of the intervals.
        threads: Threads; without it one a core.
        progress: Called now and then.

    Returns:
        ``ruleset``, ``players``, ``games``, ``seed``, ``level``, ``seconds``; ``strategies`` (rows) and ``field`` (columns; the strategies themselves in
        a round robin); ``even``, the share of equals; ``win_share[i][j]`` of i against j with ``interval[i][j]``; ``rating[i]`` with
        ``rating_interval[i]`` (Elo points, their mean 0) and, with a field, ``field_rating``; ``cycles`` (lists of strategies of which each beats
        the next and the last the first, each link beyond chance); ``ladder`` (from the best down: ``strategy``, ``over``, ``win_share``, ``interval``,
        ``games_to_show``) and ``depth``, the number of steps of at least 60 %.

    Raises:
        InputError: Fewer than two strategies, one named twice, or something that does not exist or is out of range.
        StrategyError: A strategy does not compile, or made a move that the rules forbid.
    """
    seats = Table(ruleset, strategies[:1] or ("random",), players, seed).players
    names = canonical(ruleset, strategies, seats, seed)
    columns = canonical(ruleset, field, seats, seed) if field else names
    if len(set(names + columns)) < 2:
        raise InputError("a tournament needs at least two different strategies")
    everyone = list(dict.fromkeys(names + columns))
    matches = _matches([everyone.index(name) for name in names], [everyone.index(name) for name in columns], seats)
    cells, total, product, seconds = meet(ruleset, everyone, matches, games, seats, seed, level, threads, progress)
    unit = WIN * seats
    rating, error = _ratings(matches, len(everyone), total / unit / games, _covariance(total, product, games, unit), games, seats)
    half = estimates.z_quantile(level) * error
    whole = _completed(cells, len(everyone), seats, games, level)
    beats = _beaten(cells, 1 / seats, level)
    order = sorted(range(len(everyone)), key=lambda player: -rating[player])
    rows, places = [everyone.index(name) for name in names], [everyone.index(name) for name in columns]
    ladder = _ladder(order, everyone, whole, 1 / seats)
    return {
        "ruleset": ruleset.canonical,
        "players": seats,
        "games": games,
        "seed": seed,
        "level": level,
        "seconds": seconds * games,
        "strategies": names,
        "field": columns,
        "even": 1 / seats,
        "win_share": [[whole[i, j].value for j in places] for i in rows],
        "interval": [[[whole[i, j].low, whole[i, j].high] for j in places] for i in rows],
        "rating": [float(rating[i]) for i in rows],
        "rating_interval": [[float(rating[i] - half[i]), float(rating[i] + half[i])] for i in rows],
        "field_rating": [float(rating[j]) for j in places] if field else None,
        "cycles": [[everyone[player] for player in cycle] for cycle in _cycles(beats, len(everyone))],
        "ladder": ladder,
        "depth": sum(step["win_share"] >= STEP for step in ladder) if seats == 2 else None,
    }


def meet(
    ruleset: Ruleset,
    everyone: Sequence[str],
    matches: Sequence[Match],
    games: int,
    seats: int,
    seed: int,
    level: float,
    threads: int | None,
    progress: Report | None,
) -> tuple[dict[Match, Estimate], Integers, Integers, float]:
    """Plays matches, every deck once with the first of the match on each seat.

    Args:
        ruleset: The rules.
        everyone: Strategies.
        matches: Who meets whom, by position in `everyone`: one of the first against others of the second.
        games: Decks.
        seats: Number of seats.
        seed: Seed.
        level: Level of the intervals.
        threads: Threads.
        progress: Called now and then.

    Returns:
        The win share of the first of each match; sums and products over decks of what all of them won, in parts of `measures.WIN`; seconds a deck took.

    Raises:
        InputError: Fewer than two decks, or a number out of range.
    """
    if games < 2:
        raise InputError(f"a tournament needs at least 2 decks, got {games}")
    lineups = {lineup: place for place, lineup in enumerate(dict.fromkeys(each for match in matches for each in _seatings(match, seats)))}
    tables = [Table(ruleset, [everyone[player] for player in lineup], seats, seed) for lineup in lineups]
    rotations = [[lineups[lineup] for lineup in _seatings(match, seats)] for match in matches]

    def shares(batch: Batch) -> Integers:
        won: Integers = np.rint(batch.games["share"][:, :seats] * WIN).astype(np.int64)
        return won

    def reduce(found: list[Integers]) -> list[Integers]:
        won = np.column_stack([np.sum([found[place][:, seat] for seat, place in enumerate(places)], axis=0) for places in rotations])
        return [won.sum(axis=0), won.T @ won]

    (total, product), seconds = summed(tables, range(games), shares, reduce, threads, progress)
    unit = WIN * seats
    cells = {match: estimates.win_share(int(total[m]) / unit, int(product[m, m]) / unit**2, games, level) for m, match in enumerate(matches)}
    return cells, total, product, seconds


def canonical(ruleset: Ruleset, strategies: Sequence[str], seats: int, seed: int) -> list[str]:
    """Canonical names of strategies. Raises InputError for one that does not exist or is named twice."""
    names = [Table(ruleset, [name], seats, seed).canonical_strategies[0] for name in strategies]
    for place, name in enumerate(names):
        if name in names[:place]:
            raise InputError(f"the strategy '{name}' is named twice")
    return names


def _matches(rows: Sequence[int], columns: Sequence[int], seats: int) -> list[Match]:
    """The matches to be played; of two players i against j tells j against i as well."""
    matches: list[Match] = []
    for i in rows:
        for j in columns:
            if i != j and (i, j) not in matches and (seats > 2 or (j, i) not in matches):
                matches.append((i, j))
    return matches


def _seatings(match: Match, seats: int) -> list[tuple[int, ...]]:
    """Who sits where in each game on one deck: the first of the match on every seat in turn."""
    one, others = match
    return [tuple(one if seat == own else others for seat in range(seats)) for own in range(seats)]


def _covariance(total: Integers, product: Integers, games: int, unit: int) -> Floats:
    """Covariance of the matches' mean win shares."""
    exact = total.astype(object)
    return np.asarray((games * product.astype(object) - np.outer(exact, exact)) / (games * (games - 1) * unit**2 * games), float)


def _completed(cells: Mapping[Match, Estimate], players: int, seats: int, games: int, level: float) -> dict[Match, Estimate]:
    """Every cell of the matrix: what was played, its mirror image between two players, and equals against each other."""
    whole = dict(cells)
    for (i, j), share in cells.items():
        if seats == 2 and share.low is not None and share.high is not None:
            whole[j, i] = Estimate(1 - share.value, 1 - share.high, 1 - share.low, share.n, share.method, level)
    for player in range(players):
        whole[player, player] = Estimate(1 / seats, 1 / seats, 1 / seats, games, "equal", level)
    return whole


# ------------------------------------------------------------------------------------------------------------------
# Ratings


def _ratings(matches: Sequence[Match], players: int, shares: Floats, covariance: Floats, games: int, seats: int) -> tuple[Floats, Floats]:
    """Ratings in Elo points with mean 0, and their standard errors.

    The model is Bradley and Terry's (1952), for more than two seats Plackett's and Luce's: i wins against n - 1 of j with the chance
    w_i/(w_i + (n - 1)·w_j), so logit = θ_i - θ_j - ln(n - 1): a binomial regression, fitted by statsmodels. Half a win and half a loss are added to each
    match, so that who never loses has a rating too. The errors are the sandwich H⁻¹·D·Cov(W)·Dᵀ·H⁻¹ with the covariance of the matches' shares over
    decks: not those of the model, which knows nothing of shared decks, draws and seats. A match in which every deck went the same way has the variance
    p(1 - p)/decks of its padded share.
    """
    from statsmodels.genmod.families import Binomial
    from statsmodels.genmod.generalized_linear_model import GLM

    design = np.zeros((len(matches), players))
    for row, (i, j) in enumerate(matches):
        design[row, i], design[row, j] = 1.0, -1.0
    offset = np.full(len(matches), -math.log(seats - 1))
    padded = (shares * games + 0.5) / (games + 1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of as many ratings as matches: they fit without a rest
        fitted = GLM(padded, design[:, 1:], family=Binomial(), offset=offset).fit(scale=1.0)
    theta = np.concatenate([[0.0], fitted.params])
    theta -= theta.mean()
    expected = 1 / (1 + np.exp(-(design @ theta + offset)))
    inverse = np.linalg.pinv(design.T @ (design * (expected * (1 - expected))[:, None]))
    unvaried = np.diag(covariance) == 0
    covariance = covariance + np.diag(np.where(unvaried, padded * (1 - padded) / games, 0.0))
    sandwich = inverse @ design.T @ covariance @ design @ inverse
    return theta * ELO, np.sqrt(np.maximum(np.diag(sandwich), 0.0)) * ELO


# ------------------------------------------------------------------------------------------------------------------
# What the matrix shows


def _beaten(cells: Mapping[Match, Estimate], even: float, level: float) -> set[Match]:
    """Who beats whom beyond chance, all such claims together at the level (Holm)."""
    doubts = holm([estimates.doubt(share, even) for share in cells.values()])
    beats = set()
    for ((i, j), share), doubt in zip(cells.items(), doubts, strict=True):
        if doubt is not None and doubt < 1 - level:
            if share.value > even:
                beats.add((i, j))
            elif even == 0.5:
                beats.add((j, i))
    return beats


def _cycles(beats: set[Match], players: int) -> list[list[int]]:
    """Cycles of three or four strategies, each once, from its lowest number on."""
    found = []

    def follow(path: list[int]) -> None:
        for follower in range(path[0], players):
            if (path[-1], follower) not in beats:
                continue
            if follower == path[0] and len(path) > 2:
                found.append(list(path))
            elif follower not in path and len(path) < LONGEST_CYCLE:
                follow([*path, follower])

    for player in range(players):
        follow([player])
    return found


def _ladder(order: Sequence[int], names: Sequence[str], cells: Mapping[Match, Estimate], even: float) -> list[dict[str, Any]]:
    """Steps from the best rating down, where both strategies met."""
    steps = []
    for upper, lower in zip(order, order[1:], strict=False):
        share = cells.get((upper, lower))
        if share is None:
            continue
        error = estimates.standard_error(share)
        needed = None
        if error and share.value != even:
            spread = error * math.sqrt(share.n)
            needed = max(2, math.ceil(((estimates.z_quantile(share.level) + estimates.z_quantile(2 * POWER - 1)) * spread / (share.value - even)) ** 2))
        steps.append(
            {
                "strategy": names[upper],
                "over": names[lower],
                "win_share": share.value,
                "interval": [share.low, share.high],
                "games_to_show": needed,
            }
        )
    return steps
