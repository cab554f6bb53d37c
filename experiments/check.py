"""Does a ruleset keep its promises? Each line of its table ``[expect]`` is played until it is decided: pass, fail, or undecided at the end.

One looks after 2,000 games, 4,000, 8,000 and so on. At look k a line's interval has the level 1 - α/(m·k·(k + 1)) for m lines: over all looks and lines the
chance of any wrong verdict is at most α, since Σ 1/(k(k + 1)) = 1. A line passes once its interval lies in its range, and fails once it lies outside.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from experiments import estimates
from experiments.blocks import summed
from experiments.estimates import Estimate, Sums
from experiments.expect import BY_FINDING, COUNTS, Line, Quantity, quantities, read_expectations, terms
from experiments.lint import lint
from experiments.measures import Integers, Measures, products
from experiments.overview import differences
from experiments.progress import Report
from simcore.errors import InputError
from simcore.simulate import Table

if TYPE_CHECKING:
    from simcore.ruleset import Ruleset

FIRST_LOOK: Final = 2_000
LEVEL: Final = 0.95


@dataclass
class _Tested:
    """A line on its way to a verdict."""

    line: Line
    quantity: Quantity
    place: int
    verdict: str = "undecided"
    estimate: Estimate | None = None
    games: int = 0


def check(
    ruleset: Ruleset,
    path: str | Path,
    lineup: Sequence[str] = ("random",),
    games: int = 128_000,
    *,
    players: int | None = None,
    seed: int = 1,
    level: float = LEVEL,
    lint_games: int = 2_000,
    last: Mapping[str, Any] | None = None,
    threads: int | None = None,
    progress: Report | None = None,
) -> dict[str, Any]:
    """Tests what a ruleset's file expects of it.

    Args:
        ruleset: The ruleset.
        path: Its file, with the table ``[expect]``.
        lineup: Who plays: one strategy for all seats, or one a seat.
        games: Games at most.
        players: Number of seats; without it one a strategy, or the fewest that the game allows.
        seed: Seed of all games.
        level: 1 less the chance that any line gets a wrong verdict from its games.
        lint_games: Games of each strategy for what lint finds.
        last: What an earlier check returned, to tell what has changed since.
        threads: Threads; without it one a core.
        progress: Called now and then.

    Returns:
        ``ruleset``, ``file``, ``strategies``, ``players``, ``seed``, ``level``, ``verdict`` (``fail`` if any line fails, else ``undecided`` if any is,
        else ``pass``), ``lines``: each with ``key``, ``low``, ``high`` (None for no end), ``verdict``, ``value``, ``interval`` (None for what lint
        counted), ``games``, ``items`` (what lint found); and ``since``: None without `last`, else its ``ruleset``, ``differences`` (as of ``simcore show
        --against``) and ``verdicts`` (lines whose verdict has changed: ``key``, ``was``, ``is``).

    Raises:
        InputError: The file has no such table or a mistake in it, or a number is out of range.
        StrategyError: A strategy does not compile, or made a move that the rules forbid.
    """
    if games < 2:
        raise InputError(f"a check needs at least 2 games, got {games}")
    table = Table(ruleset, lineup, players, seed)
    book = Measures(table)
    known = quantities(book, ruleset, table.game.items)
    lines = read_expectations(path, known)
    tested = [_Tested(line, known[line.key], place) for place, line in enumerate(each for each in lines if each.key not in COUNTS)]
    if tested:
        _play(table, book, tested, games, level, threads, progress)
    counted = [line for line in lines if line.key in COUNTS]
    linted = lint(ruleset, (), lint_games, table.players, seed, threads)["findings"] if counted else []
    rows = {each.line.key: _row(each) for each in tested} | {line.key: _counted(line, linted, lint_games) for line in counted}
    told = [rows[line.key] for line in lines]
    verdicts = {row["verdict"] for row in told}
    return {
        "ruleset": ruleset.canonical,
        "file": str(path),
        "strategies": list(table.canonical_strategies),
        "players": table.players,
        "seed": seed,
        "level": level,
        "verdict": next(word for word in ("fail", "undecided", "pass") if word in verdicts),
        "lines": told,
        "since": None if last is None else _since(last, ruleset, told),
    }


def _play(table: Table, book: Measures, tested: list[_Tested], games: int, level: float, threads: int | None, progress: Report | None) -> None:
    """Plays until every line is decided or the games are used up."""

    def vectors(batch: Any) -> Integers:
        return terms([each.quantity for each in tested], book.vectors(batch))

    def reduce(arms: list[Integers]) -> tuple[Integers, Integers]:
        (rows,) = arms
        return products([rows[:, kind] for kind in range(3)])

    total = product = np.int64(0)
    played, look, until = 0, 0, min(FIRST_LOOK, games)
    while any(each.verdict == "undecided" for each in tested) and played < games:
        (more, squares), _ = summed([table], range(played, until), vectors, reduce, threads, progress)
        total, product = total + more, product + squares
        played, look, until = until, look + 1, min(2 * until, games)
        single = look_level(level, len(tested), look)
        for each in tested:
            if each.verdict == "undecided":
                m = each.place
                each.estimate, each.games = estimate_of(each.quantity, *sums_of(played, total[:, m], product[:, :, m]), single), played
                each.verdict = verdict_of(each.estimate, each.line.low, each.line.high)


def look_level(level: float, lines: int, look: int) -> float:
    """Level of one line's interval at a look (from 1) so that all lines at all looks hold together with `level`."""
    return 1 - (1 - level) / (lines * look * (look + 1))


def sums_of(games: int, total: Integers, product: Integers) -> tuple[Sums, int]:
    """Sums of a quantity's numerator and denominator, and its events, from those of `terms`: int64[3] and of their products int64[3, 3]."""
    x, y, events = (int(value) for value in total)
    return Sums(games, x, y, int(product[0, 0]), int(product[0, 1]), int(product[1, 1])), events


def estimate_of(quantity: Quantity, sums: Sums, events: int, level: float) -> Estimate:
    """A quantity from the sums over games of its numerator and denominator.

    Points of few events are those of a rate (`estimates.rate`) times what one of them brings, at most where there was none.

    Raises:
        InputError: It is a share of nothing.
    """
    if sums.y == 0:
        raise InputError("a share of points cannot be told where nothing scores")
    if quantity.events and events < 3 * estimates.SMALL:
        rate = estimates.rate(Sums(sums.n, events, sums.y, 0, 0, 0), level)
        found = estimates.times(rate, sums.x / events if events else quantity.dearest)
    else:
        found = estimates.rate(sums, level) if quantity.counts else estimates.ratio(sums, level)
    found = estimates.times(found, 1 / quantity.unit)
    return estimates.within(found, 0.0, 1.0) if quantity.share else found


def verdict_of(estimate: Estimate, low: float, high: float) -> str:
    """``pass`` where the interval lies between two ends, ``fail`` where it lies outside, else ``undecided``."""
    if estimate.low is None or estimate.high is None:
        return "undecided"
    if low <= estimate.low and estimate.high <= high:
        return "pass"
    return "fail" if estimate.high < low or estimate.low > high else "undecided"


def _row(each: _Tested) -> dict[str, Any]:
    assert each.estimate is not None
    return _ends(each.line) | {
        "verdict": each.verdict,
        "value": each.estimate.value,
        "interval": [each.estimate.low, each.estimate.high],
        "games": each.games,
        "items": [],
    }


def _counted(line: Line, findings: Sequence[Mapping[str, Any]], games: int) -> dict[str, Any]:
    own = [each for each in findings if each["code"] in COUNTS[line.key]]
    items = [each["items"][0] for each in own] if line.key in BY_FINDING else [item for each in own for item in each["items"]]
    verdict = "pass" if len(items) <= line.high else "fail"
    return _ends(line) | {"verdict": verdict, "value": len(items), "interval": None, "games": games, "items": items}


def _ends(line: Line) -> dict[str, Any]:
    return {"key": line.key, "low": line.low if np.isfinite(line.low) else None, "high": line.high if np.isfinite(line.high) else None}


def _since(last: Mapping[str, Any], ruleset: Ruleset, told: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    from simcore.game import checker
    from simcore.ruleset import difference, parse

    before = parse(ruleset.schema, last["ruleset"], checker(ruleset.schema.key))
    was = {row["key"]: row["verdict"] for row in last["lines"]}
    return {
        "ruleset": before.canonical,
        "differences": differences(difference(before, ruleset), before, ruleset)["differences"],
        "verdicts": [
            {"key": row["key"], "was": was[row["key"]], "is": row["verdict"]} for row in told if row["key"] in was and was[row["key"]] != row["verdict"]
        ],
    }


def read_last(path: Path) -> dict[str, Any] | None:
    """What an earlier check left in a file, None where there is none yet. Raises InputError where the file is something else."""
    if not path.exists():
        return None
    try:
        found = json.loads(path.read_text("utf-8"))
        if isinstance(found["ruleset"], str) and all({"key", "verdict"} <= set(row) for row in found["lines"]):
            return dict(found)
    except (OSError, ValueError, KeyError, TypeError):
        pass
    raise InputError(f"'{path}' is not what an earlier check left")
