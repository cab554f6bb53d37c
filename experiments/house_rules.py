"""House rules together: which ones change what, which pairs clash, and which are safe together.

A two-level fractional factorial design: every run plays the same games by another combination of house rules. The design has resolution V (Box and Hunter
1961): no effect of a rule or of a pair of rules is mixed up with that of another one. The block of all runs of one game is the unit, since they share cards.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from experiments import estimates
from experiments.claims import holm
from experiments.estimates import LEVEL
from experiments.measures import Measures
from experiments.pairs import RARE
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
TOGETHER: Final = 25
"""So many times as many games as one price takes are played by all runs together."""

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


def games_each(ruleset: Ruleset, games: int) -> int:
    """Games of each run that make `TOGETHER` times ``games`` in all, but no more than ``games`` each and no fewer than 2."""
    return max(2, min(games, TOGETHER * games // len(design(len(house_rules(ruleset))))))


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
        (``a``, ``b`` and what both together do more than the sum of each), each with ``effect`` (an estimate), ``doubt``, ``sure`` and ``differ``
        (the games in which it is not 0); and pairs of options:
        ``clash`` with an effect of their own on some measure, ``safe_together`` with none larger than `SAFE` on any, ``undecided`` where more games would
        tell. Of all that are called safe together the chance of any that is not is 1 - level as well (Holm).

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
    over, under = np.empty((2, len(chosen), len(signs), games))
    for run, row in enumerate(signs):
        settings = [f"options.{key}={others[key]}" for key, sign in zip(keys, row, strict=True) if sign > 0]
        (played,) = panel(ruleset.with_settings(settings, checker(ruleset.schema.key)), [lineup], games, table.players, seed, threads)
        vectors = book.vectors(played.batch)
        over[:, run], under[:, run] = (vectors[:, [getattr(each, of) for each in chosen]].T for of in ("x", "y"))
    pairs = list(itertools.combinations(range(len(keys)), 2))
    contrasts = np.array([2 * signs[:, f] for f in range(len(keys))] + [4 * signs[:, f] * signs[:, g] for f, g in pairs]) / len(signs)
    measured, largest, limits = {}, {}, {}
    for m, each in enumerate(chosen):
        measured[each.key], largest[each.key] = _effects(contrasts, over[m], under[m], each.unit, level)
        limits[each.key] = SAFE * (1 if each.share else abs(float((over[m].sum(axis=1) / under[m].sum(axis=1)).mean()) / each.unit))
    corrected = iter(holm([row["doubt"] for rows in measured.values() for row in rows]))
    for rows in measured.values():
        for row in rows:
            row["doubt"] = next(corrected)
            row["sure"] = row["doubt"] is not None and row["doubt"] < 1 - level
    unsafe = []
    for place, (f, g) in enumerate(pairs, len(keys)):
        sizes = {key: float(of[[place, f, g]].max()) for key, of in largest.items()}
        unsafe.append(max(_doubt_of_safety(measured[key][place], limits[key], sizes[key]) for key in measured))
    verdicts: dict[str, list[list[str]]] = {"clash": [], "safe_together": [], "undecided": []}
    for place, ((f, g), doubt) in enumerate(zip(pairs, holm(unsafe), strict=True), len(keys)):
        clash, safe = any(rows[place]["sure"] for rows in measured.values()), doubt is not None and doubt < 1 - level
        verdicts["clash" if clash else "safe_together" if safe else "undecided"].append([keys[f], keys[g]])
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
        **verdicts,
    }


def _doubt_of_safety(row: Mapping[str, Any], limit: float, largest: float) -> float:
    """Probability of an effect at least this small if the true one were at the limit.

    The worse of two one-sided tests (Schuirmann 1987); and where few games differ, of so few (Poisson) if each of those that do adds what the ``largest``
    effect in any game of either rule or of both does. Where none does, nothing is known.
    """
    effect = row["effect"]
    room = limit - abs(effect["value"])
    error = (effect["high"] - effect["value"]) / estimates.t_quantile(effect["n"], effect["level"])
    doubt = estimates.t_tail(room / error, effect["n"]) if error else float(room < 0)
    if row["differ"] >= RARE:
        return doubt
    if not largest:
        return 1.0
    return max(doubt, float(estimates.scipy_stats().poisson.cdf(row["differ"], effect["n"] * limit / largest)))


def _effects(contrasts: Floats, over: Floats, under: Floats, unit: int, level: float) -> tuple[list[dict[str, Any]], Floats]:
    """Estimates of contrasts of a measure Σover/(unit·Σunder).

    Args:
        contrasts: float64[contrasts, runs], weights of the runs, fractions of powers of 2.
        over: float64[runs, games], whole numbers.
        under: float64[runs, games], whole numbers.
        unit: What 1 is in ``over``.
        level: Level of the intervals.

    Returns:
        By contrast ``effect``, ``doubt`` and ``differ``: the games in which it is not 0; and float64[contrasts], the largest that it is in any game.
    """
    games = over.shape[1]
    value = over.sum(axis=1) / under.sum(axis=1) / unit
    influence = (over / unit - value[:, None] * under) / under.mean(axis=1, keepdims=True)
    differs = (contrasts @ over != 0) | (contrasts @ under != 0)
    found, largest = [], []
    for effect, parts, there in zip(contrasts @ value, contrasts @ influence, differs, strict=True):
        error = math.sqrt(float(parts @ parts) / (games - 1) / games)
        if not there.any():
            effect = error = 0.0
        half = estimates.t_quantile(games, level) * error
        estimate = estimates.Estimate(float(effect), float(effect) - half, float(effect) + half, games, "cluster", level)
        doubt = 2 * estimates.t_tail(abs(float(effect)) / error, games) if error else 0.0 if effect else None
        found.append({"effect": estimate.to_dict(), "doubt": doubt, "differ": int(there.sum())})
        largest.append(float(np.abs(parts[there]).max(initial=0.0)))
    return found, np.array(largest)
