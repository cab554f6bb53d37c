"""Points that make up for moving first: the whole number of them that brings the first mover's share of wins where it should be.

Searched on one block of games, each led once by every player on the same cards (`experiments.first_move`), and confirmed on fresh ones. The points go to the
final scores of all who did not lead first, so that nothing of the play changes. A card or another way to break ties is an option of a ruleset.

Even can be the share of moving first alone, whatever the cards, or that of who leads by the rules, in which the cards that give the lead count too.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, Final

import numpy as np

from experiments import estimates
from experiments.blocks import summed
from experiments.check import verdict_of
from experiments.estimates import LEVEL, Estimate
from experiments.first_move import counts_of, ends_of, leads, led_by_each, shares_with
from experiments.measures import Integers
from experiments.progress import Report
from experiments.run_folder import require_free, write_json
from experiments.tune_file import FIRST_MOVER, MOVING_FIRST, Compensation, Goal, read_compensation
from simcore.errors import InputError

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
        end), ``points`` (to each player who does not lead first; below 0 that many to the one who does), ``points_interval`` (all that the games that
        were searched on allow), ``searched`` (the share there with these points), ``confirmed`` (by share, from fresh games, the estimates ``without`` and
        ``with`` the points; moving first is left out where the game cannot be led by another), and ``verdict``: ``reached``, ``missed``, ``undecided``.

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
    ends = ends_of(task.ruleset, seats)

    def counted(block: list[Integers]) -> list[Integers]:
        return [counts_of([leads(each, seats) for each in block])]

    (counts,), _ = summed(tables if goal.key == MOVING_FIRST else tables[:1], range(task.games), ends, counted, threads, progress)
    points, searched, interval = chosen(counts, task.games, low, high)

    def added(block: list[Integers]) -> list[Integers]:
        ahead = np.array([leads(each, seats) for each in block])
        # Halves of wins, so that all sums are whole: 2 for a win, 1 for a tie.
        halves = [np.sign(ahead - given) + 1 for given in (0, points)]
        parts = np.array([part for each in halves for part in (each.sum(axis=0), each[0])])
        return [parts.sum(axis=1), (parts * parts).sum(axis=1)]

    (total, squares), _ = summed(tables, range(task.games, task.games + task.confirm), ends, added, threads, progress)

    def share(place: int, unit: int) -> Estimate:
        return estimates.win_share(int(total[place]) / unit, int(squares[place]) / unit**2, task.confirm)

    confirmed = {FIRST_MOVER: (share(1, 2), share(3, 2))}
    if leaders > 1:
        confirmed = {MOVING_FIRST: (share(0, 2 * leaders), share(2, 2 * leaders))} | confirmed
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
        "points": points,
        "points_interval": list(interval),
        "searched": searched,
        "confirmed": {key: {"without": before.to_dict(), "with": after.to_dict()} for key, (before, after) in confirmed.items()},
        "verdict": VERDICTS[verdict_of(confirmed[goal.key][1], low - slack, high + slack)],
    }


def chosen(counts: Integers, games: int, low: float, high: float, level: float = LEVEL) -> tuple[int, float, tuple[int, int]]:
    """The whole number of points with which the first mover's share is nearest to a range; of equally near ones the smallest.

    A number to come close to asks for no points where the share without any is as near to it as chance: noise is not chased.

    Args:
        counts: Leads as `experiments.first_move.counts_of` counts them.
        games: Number of deals.
        low: Where the share should lie, from.
        high: To.
        level: Level of the interval.

    Returns:
        The points, the share with them, and the least and the most points whose share is no further from the range than its own error allows.
    """
    k, share, error = (column[1::2] for column in shares_with(counts, games))
    miss = np.maximum(np.maximum(low - share, share - high), 0.0)
    nearest = np.flatnonzero(miss == miss.min())
    allowed = k[miss <= estimates.z_quantile(level) * error]
    none = np.flatnonzero(k == 0)
    best = none[0] if low == high and 0 in allowed else nearest[np.argmin(np.abs(k[nearest]))]
    points = int(k[best])
    return points, float(share[best]), (int(min(allowed.min(initial=points), points)), int(max(allowed.max(initial=points), points)))


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
