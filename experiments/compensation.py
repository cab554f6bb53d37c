"""What makes up for moving first: points to the others, ties to the others, or another value of an option.

Searched on one block of games, each led once by every player on the same cards (`experiments.first_move`), and confirmed on fresh ones. Points go to the
final scores of all who did not lead first, so that nothing of the play changes; a tie that goes to them is half a point more. Values of options are played.

Even can be the share of moving first alone, whatever the cards, or that of who leads by the rules, in which the cards that give the lead count too.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from experiments import estimates
from experiments.blocks import summed
from experiments.check import verdict_of
from experiments.estimates import LEVEL, Estimate
from experiments.first_move import counts_of, ends_of, leads, led_by_each, shares_with
from experiments.measures import WIN, Integers
from experiments.progress import Report
from experiments.run_folder import require_free, write_json
from experiments.tune_file import FIRST_MOVER, MOVING_FIRST, Compensation, Goal, read_compensation
from simcore.errors import InputError
from simcore.simulate import Table

Confirmed = dict[str, tuple[Estimate, Estimate]]
"""Shares without and with what makes up."""
FILE: Final = "compensation.json"
VERDICTS: Final = {"pass": "reached", "fail": "missed", "undecided": "undecided"}


def compensate(path: str | Path, threads: int | None = None, progress: Report | None = None) -> dict[str, Any]:
    """Looks for the compensation that a tuning file asks for.

    Args:
        path: The file, see `experiments.tune_file`.
        threads: Threads; without it one a core.
        progress: Called now and then.

    Returns:
        ``file``, ``game``, ``base`` (canonical), ``strategies``, ``players``, ``seed``, ``games``, ``confirm``, ``level``, ``lowest_wins`` (points are
        then taken off a score), ``goal`` (``moving_first_win_share`` or ``first_mover_win_share``), ``low`` and ``high`` (where it should lie, None for no
        end), ``searched`` (the share on the games that were searched on), ``confirmed`` (by share, from fresh games, the estimates ``without`` and
        ``with`` what makes up; moving first is left out where the game cannot be led by another), and ``verdict``: ``reached``, ``missed``,
        ``undecided``. Of points also ``points`` (to each player who does not lead first; below 0 that many to the one who does), ``ties`` (whether ties
        go to those who do not lead first) and ``points_interval`` (all that the games that were searched on allow, a half standing for ties). Of options
        also ``option`` (the value that comes nearest, the first named of equals, as ``option=value``; None where the ruleset as it is comes as near, or
        as near to a number as chance), ``ruleset`` (canonical, with it), ``present`` and ``tried`` (the share on the games that were searched on, by the
        ruleset as it is and by ``option=value``, estimates).

    Raises:
        InputError: The file has a mistake, or asks for moving first in a game that cannot be led by another.
        StrategyError: A strategy does not compile, or made a move that the rules forbid.
    """
    return _compensated(read_compensation(path), threads, progress)


def _compensated(task: Compensation, threads: int | None, progress: Report | None) -> dict[str, Any]:
    tables = led_by_each(task.ruleset, task.strategies, task.players, task.seed)
    seats, leaders = tables[0].players, len(tables)
    low, high = (1 / seats, 1 / seats) if task.low is None or task.high is None else (task.low, task.high)
    if task.goal == MOVING_FIRST and leaders == 1:
        raise InputError(f"{task.path}: {task.ruleset.schema.key} cannot be led by another than the rules say: ask for {FIRST_MOVER}")
    goal = Goal(task.goal or (MOVING_FIRST if leaders > 1 else FIRST_MOVER), low, high, 1.0, True, 1 / math.sqrt(task.games))
    found, confirmed = (_options if task.variants else _points)(task, goal, tables, threads, progress)
    # A number to come close to is reached within one unit of a miss.
    slack = goal.unit if low == high else 0.0
    return {
        "file": str(task.path),
        "game": task.ruleset.schema.key,
        "base": task.ruleset.canonical,
        "strategies": list(tables[0].canonical_strategies),
        "players": seats,
        "seed": task.seed,
        "games": task.games,
        "confirm": task.confirm,
        "level": LEVEL,
        "lowest_wins": task.ruleset.schema.lowest_wins,
        "goal": goal.key,
        "low": low if math.isfinite(low) else None,
        "high": high if math.isfinite(high) else None,
        **found,
        "confirmed": {key: {"without": before.to_dict(), "with": after.to_dict()} for key, (before, after) in confirmed.items()},
        "verdict": VERDICTS[verdict_of(confirmed[goal.key][1], low - slack, high + slack)],
    }


def _fresh(task: Compensation) -> range:
    return range(task.games, task.games + task.confirm)


# ------------------------------------------------------------------------------------------------------------------
# Points


def _points(task: Compensation, goal: Goal, tables: Sequence[Table], threads: int | None, progress: Report | None) -> tuple[dict[str, Any], Confirmed]:
    seats, leaders = tables[0].players, len(tables)
    ends = ends_of(task.ruleset, seats)

    def counted(block: list[Integers]) -> list[Integers]:
        return [counts_of([leads(each, seats) for each in block])]

    (counts,), _ = summed(tables if goal.key == MOVING_FIRST else tables[:1], range(task.games), ends, counted, threads, progress)
    best, searched, interval = chosen(counts, task.games, goal.low, goal.high, ties=task.ties)

    def added(block: list[Integers]) -> list[Integers]:
        ahead = np.array([leads(each, seats) for each in block])
        # Halves of points and of wins, so that all sums are whole: 2 for a win, 1 for a tie.
        halves = [np.sign(2 * ahead - round(2 * given)) + 1 for given in (0, best)]
        parts = np.array([part for each in halves for part in (each.sum(axis=0), each[0])])
        return [parts.sum(axis=1), (parts * parts).sum(axis=1)]

    (total, squares), _ = summed(tables, _fresh(task), ends, added, threads, progress)

    def share(place: int, unit: int) -> Estimate:
        return estimates.win_share(int(total[place]) / unit, int(squares[place]) / unit**2, task.confirm)

    confirmed = {FIRST_MOVER: (share(1, 2), share(3, 2))}
    if leaders > 1:
        confirmed = {MOVING_FIRST: (share(0, 2 * leaders), share(2, 2 * leaders))} | confirmed
    points = math.floor(best)
    return {"points": points, "ties": best != points, "points_interval": list(interval), "searched": searched}, confirmed


def chosen(counts: Integers, games: int, low: float, high: float, level: float = LEVEL, ties: bool = False) -> tuple[float, float, tuple[float, float]]:
    """The number of points with which the first mover's share is nearest to a range; of equally near ones the smallest.

    A number to come close to asks for no points where the share without any is as near to it as chance: noise is not chased.

    Args:
        counts: Leads as `experiments.first_move.counts_of` counts them.
        games: Number of deals.
        low: Where the share should lie, from.
        high: To.
        level: Level of the interval.
        ties: Whether it may be half a point, which is a tie that goes to the others.

    Returns:
        The points, the share with them, and the least and the most points whose share is no further from the range than its own error allows.
    """
    k, share, error = (column[0 if ties else 1 :: 1 if ties else 2] for column in shares_with(counts, games))
    miss = np.maximum(np.maximum(low - share, share - high), 0.0)
    nearest = np.flatnonzero(miss == miss.min())
    allowed = k[miss <= estimates.z_quantile(level) * error]
    none = np.flatnonzero(k == 0)
    best = none[0] if low == high and 0 in allowed else nearest[np.argmin(np.abs(k[nearest]))]
    points = _tidy(k[best])
    return points, float(share[best]), (_tidy(min(allowed.min(initial=points), points)), _tidy(max(allowed.max(initial=points), points)))


def _tidy(points: float) -> float:
    """Whole numbers as such."""
    return int(points) if points == int(points) else float(points)


# ------------------------------------------------------------------------------------------------------------------
# Options


def _options(task: Compensation, goal: Goal, tables: Sequence[Table], threads: int | None, progress: Report | None) -> tuple[dict[str, Any], Confirmed]:
    groups = {None: list(tables)} | {setting: led_by_each(rules, task.strategies, tables[0].players, task.seed) for setting, rules in task.variants.items()}
    names = list(groups)
    tried = [each[goal.key] for each in _shares([groups[name] for name in names], range(task.games), (goal.key,), threads, progress)]
    best = min(range(len(names)), key=lambda place: goal.miss(tried[place].value))
    allowed = estimates.z_quantile(LEVEL) * (estimates.standard_error(tried[0]) or 0.0)
    if goal.low == goal.high and abs(tried[0].value - goal.low) <= allowed:
        best = 0  # noise is not chased
    shares = (MOVING_FIRST, FIRST_MOVER) if len(tables) > 1 else (FIRST_MOVER,)
    arms = _shares([groups[name] for name in dict.fromkeys([None, names[best]])], _fresh(task), shares, threads, progress)
    found = {
        "option": names[best],
        "ruleset": groups[names[best]][0].ruleset.canonical,
        "present": tried[0].to_dict(),
        "tried": {setting: tried[place + 1].to_dict() for place, setting in enumerate(task.variants)},
        "searched": tried[best].value,
    }
    return found, {key: (arms[0][key], arms[-1][key]) for key in shares}


def _shares(groups: Sequence[Sequence[Table]], games: range, keys: Sequence[str], threads: int | None, progress: Report | None) -> list[dict[str, Estimate]]:
    """Shares of the win of who leads first, in games that each group plays on the same cards; a group has a table for each who leads."""
    used = [group if MOVING_FIRST in keys else group[:1] for group in groups]
    seats = groups[0][0].players
    ends = ends_of(groups[0][0].ruleset, seats)

    def of_leader(arm: Integers) -> Integers:
        found: Integers = arm[np.arange(len(arm)), 1 + arm[:, 0]]
        return found

    def reduce(arms: list[Integers]) -> list[Integers]:
        shares = iter([of_leader(arm) for arm in arms])
        own = [np.array([next(shares) for _ in group]) for group in used]
        parts = np.array([part for each in own for part in (each.sum(axis=0), each[0])])
        return [parts.sum(axis=1), (parts * parts).sum(axis=1)]

    (total, squares), _ = summed([table for group in used for table in group], games, ends, reduce, threads, progress)

    def share(place: int, unit: int) -> Estimate:
        return estimates.win_share(int(total[place]) / unit, int(squares[place]) / unit**2, len(games))

    return [{key: share(2 * place, WIN * len(group)) if key == MOVING_FIRST else share(2 * place + 1, WIN) for key in keys} for place, group in enumerate(used)]


# ------------------------------------------------------------------------------------------------------------------
# The command


def compensate_into(path: str | Path, folder: Path, threads: int | None = None, progress: Report | None = None) -> dict[str, Any]:
    """As `compensate`, and leaves the answer in a new or empty folder as ``compensation.json``.

    Raises:
        InputError: As `compensate`, or the folder has something in it or cannot be written to.
    """
    require_free(folder)
    task = read_compensation(path)  # nothing is made for a file with a mistake
    try:
        folder.mkdir(parents=True, exist_ok=True)
        found = _compensated(task, threads, progress)
        write_json(folder / FILE, found)
    except OSError as error:
        raise InputError(f"the output folder '{folder}' cannot be written to: {error.strerror}") from None
    return found
