"""What if a price were another one? A stored run scored again by another table, and how much players would adapt to it."""

from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from experiments import estimates
from experiments.blocks import summed, threads_of
from experiments.estimates import LEVEL, Estimate
from experiments.ledger import Course, Deals, Integers, Prices, Replay, columns_of, deals_of
from experiments.measures import Measures, products
from experiments.pairs import Pair, difference
from experiments.progress import Report
from experiments.run_folder import batch_folder, games_of
from experiments.runs import Run, load_run
from simcore.errors import InputError
from simcore.game import checker, get
from simcore.records import TALLY, tallies_hash
from simcore.simulate import Table

if TYPE_CHECKING:
    import polars as pl

    from simcore.game import Game
    from simcore.ruleset import Ruleset

HASHES: Final = 1 << 64
CONFIRM_GAMES: Final = 20_000
"""Games that are played again to confirm, at most."""


def whatif(path: str | os.PathLike[str], settings: tuple[str, ...], threads: int | None = None) -> dict[str, Any]:
    """Scores a stored run again by another point table. What happened stays as it was: strategies are held fixed.

    Args:
        path: The folder of the run.
        settings: What is changed in its point table, such as ``("pair=4",)``; several are one change.
        threads: Threads; without it one a core.

    Returns:
        The fields of ``simcore run --json`` (``run``, ``games``, ``deals``, ``seconds``, ``deals_per_second``, ``points_total``, ``tallies_hash``) for
        the stored deals under the new table, and: ``game``, ``base``, ``ruleset`` (canonical), ``strategies``, ``players``, ``seed``, ``strategies_held_fixed``
        (True), ``points_before``, ``items`` (by changed item ``price``, ``now``, ``count``, ``points_before``, ``points``), and ``replayed``: whole
        games, each measure with ``before``, ``after`` and ``difference`` (estimates): ``deals_per_game``, ``leader_win_share``, ``win_share`` (by
        seat); then the number of games ``changed`` (played again since a changed price occurred), ``continued``, ``through_broken``, ``close``
        (see `ledger.Replay`), ``broken_deals``: stored games whose last deal the end of the game cut short, ``early`` and ``torn`` (see `ledger.Deals`):
        games that went on did so with so many first deals of the next ones, in which so large a share of all games ended. The intervals of these
        games are of chance only.

    Raises:
        InputError: It is no run, its game has no point table, a setting is wrong or changes an option, or stored points cannot be divided into prices.
    """
    run = load_run(path)
    started = time.perf_counter()
    game, old = get(run.info["game"]), run.ruleset
    if not old.points:
        raise InputError(f"{game.key} has no point table, so that no price can be otherwise")
    new = changed(old, settings)
    keys = [key for key in old.points if old.points[key] != new.points[key]]
    prices = Prices(game, old, keys)
    values = [new.points[key] for key in keys]
    seats = run.info["players"]
    if not run.batches:
        raise InputError(f"the run '{run.folder}' has no finished games yet")
    with ThreadPoolExecutor(threads_of(threads)) as pool:
        ready = pool.submit(prices.load)  # reading files leaves the interpreter to it
        stored, at, numbers = _stored(run, game, seats)
        change = np.zeros_like(stored.points)
        ready.result()
        parts = list(pool.map(lambda first: _rescore(run, first, prices, values, stored.points, at[first], change), run.batches))
    count, before, after = np.sum([total for total, _ in parts], axis=0).T
    settled, moved = _settled_anew(game, old, new, stored, change, numbers)
    more = sum(each for _, each in parts) + moved
    replay = Course(game, old).under(stored, change, new.points)
    seconds = time.perf_counter() - started
    info = run.info
    return {
        "run": str(run.folder),
        "games": info["played"],
        "deals": info["deals"],
        "seconds": round(seconds, 6),
        "deals_per_second": round(info["deals"] / seconds),
        "points_total": info["points_total"] + int(after.sum() - before.sum()),
        "tallies_hash": f"{(int(info['tallies_hash'], 16) + more) % HASHES:016x}",
        "game": game.key,
        "base": old.canonical,
        "ruleset": new.canonical,
        "strategies": list(info["strategies"]),
        "players": seats,
        "seed": info["seed"],
        "strategies_held_fixed": True,
        "points_before": info["points_total"],
        "items": {
            game.items[item]: {
                "price": old.points.get(game.items[item]),
                "now": new.points.get(game.items[item]),
                "count": settled.get(game.items[item], int(count[item])),
                "points_before": int(before[item]),
                "points": int(after[item]),
            }
            for item in prices.items
        },
        "replayed": _replayed(stored, replay),
    }


def changed(old: Ruleset, settings: tuple[str, ...]) -> Ruleset:
    """The ruleset with other prices. Raises InputError where a setting is wrong or changes an option, or a ruleset of the game cannot be so."""
    new = old.with_settings(settings, checker(old.schema.key))
    option = next((key for key in old.options if old.options[key] != new.options[key]), None)
    if option is not None:
        raise InputError(f"{option} is an option: another value changes what is played, which stored games cannot show; use 'simcore compare'")
    for key, item in old.schema.points.items():
        if item.switch and bool(old.points[key]) != bool(new.points[key]):
            raise InputError(f"{key} is not played at all at 0: another value is another rule, which stored games cannot show; use 'simcore compare'")
    return new


def _stored(run: Run, game: Game, seats: int) -> tuple[Deals, dict[int, Integers], Integers]:
    """All deals of a run, batch by batch; for each batch the place of the first deal of each game, from the batch's first game on; the games' numbers."""

    def columns(frame: pl.LazyFrame, names: list[str]) -> dict[str, np.ndarray]:
        found = frame.select(names).collect()
        return {name: found[name].to_physical().to_numpy() for name in names}

    column = game.account.settled_from
    shares, points = ([f"{name}_{seat}" for seat in range(seats)] for name in ("share", column))
    games, deals = columns(run.games, ["game", "deals", "leader", *shares]), columns(run.deals, ["reason", *points])
    games["share"] = np.stack([games[name] for name in shares], axis=1)
    deals[column] = np.stack([deals[name] for name in points], axis=1)
    stored = deals_of(game, games, deals, seats)
    starts = zip(run.batches, np.searchsorted(games["game"], run.batches), strict=True)
    return stored, {first: stored.first[start:] for first, start in starts}, games["game"]


def _settled_anew(game: Game, old: Ruleset, new: Ruleset, stored: Deals, change: Integers, numbers: Integers) -> tuple[dict[str, int], int]:
    """What settlements count under the new prices: by item how often, and the hash of its rows less that of the stored ones, modulo 2^64.

    numbers: int64[games], of the games.
    """
    counts: dict[str, int] = {}
    found = []
    for ruleset, points in ((old, stored.points), (new, stored.points + change)):
        found.append(0)
        for (item, role), seats in game.account.counted(ruleset.options, ruleset.points, points).items():
            rows = np.zeros(len(seats), TALLY)
            rows["game"] = np.repeat(numbers, stored.length)
            rows["deal"] = np.arange(len(seats)) - np.repeat(stored.first, stored.length) + 1
            rows["seat"], rows["item"], rows["role"], rows["count"] = np.maximum(seats, 0), game.items.index(item), game.roles.index(role), 1
            found[-1] += tallies_hash(rows[seats >= 0])
            counts[item] = int((seats >= 0).sum())
    return counts, found[1] - found[0]


def _rescore(run: Run, first: int, prices: Prices, values: list[int], points: Integers, at: Integers, change: Integers) -> tuple[Integers, int]:
    """Scores the rows of one batch by other prices.

    Args:
        run: The run.
        first: The first game of the batch.
        prices: The prices that are changed.
        values: What they become.
        points: int32[deals, seats] of all deals, from which what was scored after the end of games is taken off.
        at: Place of the first deal of each game, from that of the batch's first game on.
        change: int32[deals, seats], to which is added by how much scores change more.

    Returns:
        As `Prices.add_up`.
    """
    import polars as pl

    wanted = pl.col("item").to_physical().is_in(list(prices.items))
    if prices.closing >= 0:
        wanted |= pl.col("role").to_physical() == prices.closing
    rows = columns_of(pl.scan_parquet(batch_folder(run.folder, first) / "tallies.parquet", parallel="prefiltered").filter(wanted).collect())
    prices.take_off_closing(rows, first, at, points)
    return prices.add_up(rows, prices.rescored(rows, values), first, at, change)


def _replayed(stored: Deals, replay: Replay) -> dict[str, Any]:
    games = np.arange(len(stored.length))
    measures = {
        "deals_per_game": (stored.length, replay.deals),
        "leader_win_share": (stored.share[games, stored.leader], replay.share[games, stored.leader]),
    }
    by_seat = [_measure(stored.share[:, seat], replay.share[:, seat]) for seat in range(stored.share.shape[1])]
    return {name: _measure(*arms) for name, arms in measures.items()} | {
        "win_share": by_seat,
        "changed": int(replay.changed.sum()),
        "continued": int(replay.continued.sum()),
        "through_broken": int(replay.through_broken.sum()),
        "close": int(replay.close.sum()),
        "broken_deals": int(stored.broken.sum()),
        "early": stored.early,
        "torn": stored.torn,
    }


def _measure(before: np.ndarray, after: np.ndarray) -> dict[str, Any]:
    return {name: _mean(values).to_dict() for name, values in (("before", before), ("after", after), ("difference", after - before))}


def _mean(values: np.ndarray) -> Estimate:
    values = np.asarray(values, float)
    return estimates.mean(float(values.sum()), float((values * values).sum()), len(values), LEVEL)


# ------------------------------------------------------------------------------------------------------------------
# Confirming


def confirm(
    path: str | os.PathLike[str], settings: tuple[str, ...], games: int = CONFIRM_GAMES, threads: int | None = None, progress: Report | None = None
) -> dict[str, Any]:
    """Plays the first games of a run again by the other table, on the same cards, with strategies that may read it.

    Both tables are played by the strategies as they are now, whatever they were when the run was made.

    Args:
        path: The folder of the run.
        settings: As for `whatif`.
        games: How many games at most.
        threads: Threads; without it one a core.
        progress: Called now and then.

    Returns:
        ``games`` and ``measures``: for each of the measures of `compare` that concern the points and the course of a game ``measure``, ``kind``,
        ``subject``, ``held_fixed`` (by strategies that are told the first table), ``played`` (by strategies that are told the other one) and ``adaptation``
        (an estimate of the second less the first, from the pairs of games on the same cards): how much players adapt. Both kinds of games are really
        played and scored by the other table, so what strategies do not read makes no difference at all.

    Raises:
        InputError: As `whatif`.
        StrategyError: A strategy does not compile any more, or made a move that the rules forbid.
    """
    run = load_run(path)
    old = run.ruleset
    new = changed(old, settings)
    fixed, free = (Table(new, run.info["strategies"], run.info["players"], run.info["seed"], told=told) for told in (old, new))
    book = Measures(free)
    chosen = [each for each in book.measures if each.kind in ("games_length", "leader_share", "seat_share", "points", "item_count")]
    over, under = [each.x for each in chosen], [each.y for each in chosen]

    def reduce(arms: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        return products([arm[:, columns] for arm in arms for columns in (over, under)])

    numbers = games_of(run.info)[:games]
    count = len(numbers)
    if count < 2:
        raise InputError(f"to confirm takes at least 2 games, got {count}")
    (total, product), _ = summed([fixed, free], numbers, book.vectors, reduce, threads, progress)
    found = []
    for m, each in enumerate(chosen):
        pair = Pair.of(count, total[:, m], product[:, :, m], unit=each.unit, counts=each.counts)
        if not (pair.total[0] or pair.total[2]):
            continue
        found.append(
            {
                "measure": each.key,
                "kind": each.kind,
                "subject": each.subject,
                "held_fixed": pair.a,
                "played": pair.b,
                "adaptation": difference(pair).to_dict(),
            }
        )
    return {"games": count, "measures": found}
