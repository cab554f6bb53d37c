"""House rules together: which ones change what, which pairs clash, and which are safe together.

A two-level fractional factorial design: every run plays the same games by another combination of house rules. The design has resolution V (Box and Hunter
1961): no effect of a rule or of a pair of rules is mixed up with that of another one. The block of all runs of one game is the unit, since they share cards.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from experiments import estimates
from experiments.claims import holm
from experiments.estimates import LEVEL
from experiments.measures import Measures
from experiments.panel import panel
from simcore.errors import InputError
from simcore.game import checker
from simcore.schema import written
from simcore.simulate import Table

if TYPE_CHECKING:
    from simcore.ruleset import Ruleset

KINDS: Final = ("games_length", "leader_share", "points")
"""The measures that are looked at: length, win share of the first leader, points per deal."""
SAFE: Final = 0.01
"""How far two rules together may be from the sum of both and still be safe together: percentage points of shares, a share of anything else."""
NOTHING: Final = 1e-9
"""A share of a measure below which an effect is rounding."""

Floats = npt.NDArray[np.float64]


def design(factors: int) -> npt.NDArray[np.int64]:
    """Runs of a two-level design of resolution V; +1 and -1, int64[runs, factors].

    A run is a number of k bits, and the sign of a factor is the parity of the run's bits under the factor's mask. Effects of one and of two factors are kept
    apart if all masks and all differences (xor) of two masks differ from each other: the first masks in order that keep to that are taken.
    """
    masks: list[int] = []
    taken = {0}
    number = 0
    while len(masks) < factors:
        number += 1
        new = {number, *(number ^ mask for mask in masks)}
        if not new & taken and len(new) == len(masks) + 1:
            masks.append(number)
            taken |= new
    runs = np.arange(1 << max((mask.bit_length() for mask in masks), default=0))
    return np.array([1 - 2 * (np.bitwise_count(runs & mask) & 1).astype(np.int64) for mask in masks]).reshape(factors, len(runs)).T * -1


def house_rules(ruleset: Ruleset) -> dict[str, str]:
    """By option, the other value of every two-way choice that the rules leave, where it is allowed: true or false, or the next one of a choice."""
    found = {}
    for key, option in ruleset.schema.options.items():
        value = ruleset.options[key]
        if option.type == "bool":
            other = "false" if value else "true"
        elif option.type == "choice":
            other = written(option.choices[(option.choices.index(str(value)) + 1) % len(option.choices)])
        else:
            continue
        try:
            ruleset.with_settings([f"options.{key}={other}"], checker(ruleset.schema.key))
        except InputError:
            continue
        found[key] = other
    return found


def interactions(
    ruleset: Ruleset,
    lineup: Sequence[str] = ("random",),
    games: int = 200,
    *,
    rules: Sequence[str] = (),
    players: int | None = None,
    seed: int = 1,
    level: float = LEVEL,
    threads: int | None = None,
) -> dict[str, Any]:
    """Main effects of house rules and of their pairs on length, win share of the first leader and points.

    Args:
        ruleset: The rules; each house rule is the other value of an option.
        lineup: Who plays.
        games: Games of each run.
        rules: Options to look at; all of `house_rules` where none is given.
        players: Number of seats.
        seed: Seed of all games.
        level: Level of the intervals; 1 - level is also the chance of any false clash (Holm).
        threads: Threads; without it one a core.

    Returns:
        ``ruleset``, ``strategies``, ``games``, ``runs``, ``rules`` (option to other value), ``measures``: by measure ``main`` (by option) and ``pairs``
        (``a``, ``b`` and what both together do more than the sum of each), each with ``effect`` (an estimate), ``doubt`` and ``sure``; and ``clash``,
        ``safe_together``: pairs of options with an effect of their own on some measure, and pairs that have none larger than `SAFE` on any.

    Raises:
        InputError: Something does not exist or is out of range, or no two house rules are left.
        StrategyError: A strategy does not compile, or made a move that the rules forbid.
    """
    others = house_rules(ruleset)
    for key in rules:
        if key not in others:
            raise InputError(f"'{key}' is no house rule; there are: {', '.join(others)}")
    keys = [key for key in others if not rules or key in rules]
    if len(keys) < 2 or games < 2:
        raise InputError("interactions take at least 2 house rules and 2 games")
    signs = design(len(keys))
    table = Table(ruleset, lineup, players, seed)
    book = Measures(table)
    chosen = [each for each in book.measures if each.kind in KINDS]
    value = np.empty((len(chosen), len(signs)))
    influence = np.empty((len(chosen), len(signs), games))
    for run, row in enumerate(signs):
        settings = [f"options.{key}={others[key]}" for key, sign in zip(keys, row, strict=True) if sign > 0]
        (played,) = panel(ruleset.with_settings(settings, checker(ruleset.schema.key)), [lineup], games, table.players, seed, threads)
        vectors = book.vectors(played.batch)
        for m, each in enumerate(chosen):
            x, y = vectors[:, each.x] / each.unit, vectors[:, each.y]
            value[m, run] = x.sum() / y.sum()
            influence[m, run] = (x - value[m, run] * y) / y.mean()
    pairs = list(itertools.combinations(range(len(keys)), 2))
    contrasts = np.array([2 * signs[:, f] for f in range(len(keys))] + [4 * signs[:, f] * signs[:, g] for f, g in pairs]) / len(signs)
    measured = {each.key: _effects(contrasts, value[m], influence[m], level) for m, each in enumerate(chosen)}
    corrected = iter(holm([row["doubt"] for rows in measured.values() for row in rows]))
    for rows in measured.values():
        for row in rows:
            row["doubt"] = next(corrected)
            row["sure"] = row["doubt"] is not None and row["doubt"] < 1 - level
    clash, safe = [], []
    for place, (f, g) in enumerate(pairs, len(keys)):
        rows = [measured[each.key][place] for each in chosen]
        limits = [SAFE * (1 if each.share else abs(float(value[m].mean()))) for m, each in enumerate(chosen)]
        if any(row["sure"] for row in rows):
            clash.append([keys[f], keys[g]])
        elif all(max(-row["effect"]["low"], row["effect"]["high"]) <= limit for row, limit in zip(rows, limits, strict=True)):
            safe.append([keys[f], keys[g]])
    return {
        "ruleset": ruleset.canonical,
        "strategies": list(table.canonical_strategies),
        "games": games,
        "players": table.players,
        "seed": seed,
        "level": level,
        "runs": len(signs),
        "rules": {key: others[key] for key in keys},
        "measures": {
            each.key: {
                "kind": each.kind,
                "subject": each.subject,
                "main": {key: measured[each.key][place] for place, key in enumerate(keys)},
                "pairs": [{"a": keys[f], "b": keys[g]} | measured[each.key][place] for place, (f, g) in enumerate(pairs, len(keys))],
            }
            for each in chosen
        },
        "clash": clash,
        "safe_together": safe,
    }


def _effects(contrasts: Floats, value: Floats, influence: Floats, level: float) -> list[dict[str, Any]]:
    """Estimates of contrasts.

    Args:
        contrasts: float64[contrasts, runs], weights of the runs.
        value: float64[runs], the measure in each run.
        influence: float64[runs, games], the part of each game in it.
        level: Level of the intervals.
    """
    games = influence.shape[1]
    rounding = NOTHING * float(np.abs(value).mean())
    found = []
    for effect, parts in zip(contrasts @ value, contrasts @ influence, strict=True):
        error = math.sqrt(float(parts @ parts) / (games - 1) / games)
        if abs(effect) < rounding and error < rounding:
            effect = error = 0.0
        half = estimates.t_quantile(games, level) * error
        estimate = estimates.Estimate(float(effect), float(effect) - half, float(effect) + half, games, "cluster", level)
        found.append({"effect": estimate.to_dict(), "doubt": 2 * estimates.t_tail(abs(float(effect)) / error, games) if error else None})
    return found
