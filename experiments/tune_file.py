"""Tuning files: what is wanted of a point table, and what may be changed in it.

::

    [tune]
    base = "GAME"                  # the ruleset to begin with: a name, a canonical string, or a file beside this one
    strategies = ["greedy"]        # one for all seats, or one a seat
    players = 2
    seed = 1
    games = 4000                   # the block that is searched on
    confirm = 20000                # fresh games that the winner and its runners-up are confirmed on
    runners_up = 2

    [goals]                        # a number to come close to, [from, to], or { min = ... }, { max = ... }
    deals_per_game = [6, 9]
    first_mover_win_share = [0.48, 0.52]
    block_points_share = 0.3       # of a category, or of an item, of all points

    [weights]                      # 1 for every goal that is not named
    deals_per_game = 2

    [limits]
    vary = ["pair", "triple"]      # the only prices that may change; all that occur without it
    fix = ["superblow"]            # prices that may not
    ranges = { pair = [1, 9] }     # from and to; otherwise from 1 to twice the price, or the game's own if that is more, and 5 more
    multiples = { superblow = 5 }  # prices that are multiples of something
    changes = 6                    # prices that may change at most
    no_inversions = true           # within a category what is rarer in hands is never worth less

Or, in place of [goals], [weights] and [limits], what makes up for moving first: points to those who do not, or another value of an option::

    [compensation]                 # one of the two: a number to come close to, [from, to], { min = ... }, { max = ... }
    moving_first_win_share = 0.5   # of moving first whatever the cards; without a word the even share of this
    first_mover_win_share = 0.5    # as in [goals]: of who leads by the rules, the cards that give the lead counted in
    ties = true                    # ties may go to those who do not lead first, which is half a point more

    [compensation.options]         # in place of points: values of options to try, one at a time
    hand_limit = [6, 5]
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from simcore.errors import InputError, nearest, shown
from simcore.game import checker
from simcore.ruleset import Ruleset, default
from simcore.schema import MOST_POINTS, written
from simcore.tomltext import Table as Entry
from simcore.tomltext import read_toml

NUMBERS: Final = {"players": (None, 1), "seed": (1, 0), "games": (4_000, 100), "confirm": (20_000, 100), "runners_up": (2, 0)}
"""Whole numbers of [tune]: what they are without a word, and the least."""
MOVING_FIRST: Final = "moving_first_win_share"
FIRST_MOVER: Final = "first_mover_win_share"


@dataclass(frozen=True)
class Goal:
    """What is wanted of one quantity.

    Attributes:
        key: The quantity (`experiments.expect.quantities`).
        low, high: Where it should lie; equal for a number to come close to.
        weight: How much it counts.
        share: Whether it lies between 0 and 1.
        noise: What chance makes of it in the games that are searched on; smaller misses than that are not chased.
    """

    key: str
    low: float
    high: float
    weight: float
    share: bool
    noise: float = 0.0

    @property
    def unit(self) -> float:
        """How far off is one unit of a miss: a percentage point of a share or its noise, a hundredth of the goal of anything else."""
        if self.share:
            return max(0.01, self.noise)
        ends = [abs(end) for end in (self.low, self.high) if math.isfinite(end) and end]
        return 0.01 * min(ends) if ends else 0.01

    def miss(self, value: float) -> float:
        """How far a value is from the goal, in units; 0 where it is reached."""
        return max(self.low - value, value - self.high, 0.0) / self.unit


@dataclass(frozen=True)
class Task:
    """A tuning file that has been read.

    Attributes:
        path: The file.
        ruleset: Where it begins.
        strategies: Who plays.
        players, seed, games, confirm, runners_up: As in the file.
        goals: What is wanted.
        candidates: By price that may change, its values.
        changes: How many may change.
        no_inversions: Whether what is rarer may never be worth less.
    """

    path: Path
    ruleset: Ruleset
    strategies: tuple[str, ...]
    players: int | None
    seed: int
    games: int
    confirm: int
    runners_up: int
    goals: tuple[Goal, ...]
    candidates: Mapping[str, tuple[int, ...]]
    changes: int
    no_inversions: bool


@dataclass(frozen=True)
class Compensation:
    """A tuning file that asks for what makes up for moving first.

    Attributes:
        path: The file.
        ruleset: The rules.
        strategies: Who plays.
        players, seed, games, confirm: As in the file.
        goal: `MOVING_FIRST` or `FIRST_MOVER`; None where the file names neither.
        low, high: Where it should lie; both None for the even share.
        ties: Whether ties may go to those who do not lead first.
        variants: Rulesets to try, by ``option=value``; without any, points are searched for.
    """

    path: Path
    ruleset: Ruleset
    strategies: tuple[str, ...]
    players: int | None
    seed: int
    games: int
    confirm: int
    goal: str | None
    low: float | None
    high: float | None
    ties: bool
    variants: Mapping[str, Ruleset]


def wants_compensation(path: str | Path) -> bool:
    """Whether a tuning file asks for compensation and not for prices. Raises InputError where the file cannot be read."""
    return "compensation" in read_toml(Path(path), "tuning").data


def read_compensation(path: str | Path) -> Compensation:
    """Reads a tuning file that asks for compensation.

    Raises:
        InputError: The file cannot be read or has a mistake; it names the line.
    """
    path = Path(path)
    toml = read_toml(path, "tuning")
    page = Entry(toml, (), toml.data)
    for key in ("goals", "weights", "limits"):
        if key in page.data:
            raise page.error(f"[{key}] is about prices, and [compensation] stands without it: tune prices first, then give the tuned ruleset as base", key)
    page.only("tune", "compensation")
    head = page.table("tune")
    ruleset, strategies, numbers = _head(head, path, [key for key in NUMBERS if key != "runners_up"])
    wanted = page.table("compensation")
    wanted.only(MOVING_FIRST, FIRST_MOVER, "ties", "options")
    ties = wanted.take("ties", bool, False)
    variants = _variants(wanted.table("options"), ruleset) if "options" in wanted.data else {}
    if ties and variants:
        raise wanted.error("ties go with points, and [compensation.options] stands in place of points", "ties")
    goal = low = high = None
    for key, value in wanted.data.items():
        if key not in (MOVING_FIRST, FIRST_MOVER):
            continue
        if goal:
            raise wanted.error(f"[compensation] asks for one share: {goal} or {key}", key)
        goal, (low, high) = key, _ends(wanted, key, value)
        if low > 1 or high < 0:
            raise wanted.error(f"{key} lies between 0 and 1, got {shown(value)}", key)
    return Compensation(
        path, ruleset, strategies, numbers["players"], numbers["seed"] or 0, numbers["games"] or 0, numbers["confirm"] or 0, goal, low, high, ties, variants
    )


def _variants(table: Entry, ruleset: Ruleset) -> dict[str, Ruleset]:
    """The ruleset with other values of options, one at a time, by ``option=value``."""
    found = {}
    for key, values in table.data.items():
        if key not in ruleset.options:
            raise table.error(f"{shown(key)} is no option of {ruleset.schema.key}.{nearest(key, ruleset.options)}", key)
        for value in values if isinstance(values, list) else [values]:
            setting = f"{key}={written(value)}"
            other = table.guard(key, ruleset.with_settings, [f"options.{setting}"], checker(ruleset.schema.key))
            if other.canonical != ruleset.canonical:
                found[setting] = other
    if not found:
        raise table.error("[compensation.options] names no value that differs from the ruleset's own")
    return found


def _head(head: Entry, path: Path, keys: Sequence[str]) -> tuple[Ruleset, tuple[str, ...], dict[str, int | None]]:
    """The table [tune]: ruleset, strategies and some of `NUMBERS`."""
    head.only("base", "strategies", *keys)
    ruleset = head.guard("base", _ruleset, head.take("base", str), path.parent)
    strategies = head.take("strategies", list, ["random"])
    if not strategies or not all(isinstance(name, str) for name in strategies):
        raise head.error("strategies are a list of names, one for all seats or one a seat", "strategies")
    return ruleset, tuple(strategies), {key: _number(head, key, *NUMBERS[key]) for key in keys}


def read_task(path: str | Path, shares: Mapping[str, bool] | None = None) -> Task:
    """Reads a tuning file.

    Args:
        path: The file.
        shares: The quantities that can be goals, and whether each lies between 0 and 1; None to read what can be read before they are known.

    Raises:
        InputError: The file cannot be read or has a mistake; it names the line.
    """
    path = Path(path)
    toml = read_toml(path, "tuning")
    page = Entry(toml, (), toml.data)
    page.only("tune", "goals", "weights", "limits", "compensation")
    ruleset, strategies, numbers = _head(page.table("tune"), path, list(NUMBERS))
    limits = page.table("limits") if "limits" in page.data else Entry(toml, ("limits",), {})
    limits.only("vary", "fix", "ranges", "multiples", "changes", "no_inversions")
    candidates = _candidates(limits, ruleset)
    return Task(
        path=path,
        ruleset=ruleset,
        strategies=strategies,
        players=numbers["players"],
        seed=numbers["seed"] or 0,
        games=numbers["games"] or 0,
        confirm=numbers["confirm"] or 0,
        runners_up=numbers["runners_up"] or 0,
        goals=() if shares is None else tuple(_goals(page, shares, numbers["games"] or 1)),
        candidates=candidates,
        changes=min(_number(limits, "changes", 6, 1) or 0, len(candidates)),
        no_inversions=limits.take("no_inversions", bool, False),
    )


def _ruleset(text: str, beside: Path) -> Ruleset:
    from simcore.api import rules

    return rules(str(beside / text) if (beside / text).exists() else text)


def _number(table: Entry, key: str, default: int | None, least: int) -> int | None:
    if key not in table.data:
        return default
    number = table.take(key, int)
    if number < least:
        raise table.error(f"{key} is a whole number from {least} on, got {number}", key)
    return number


def _goals(page: Entry, shares: Mapping[str, bool], games: int) -> list[Goal]:
    table = page.table("goals")
    weights = page.table("weights") if "weights" in page.data else None
    for key in weights.data if weights else ():
        assert weights is not None
        weight = weights.data[key]
        if key not in table.data:
            raise weights.error(f"{key} is no goal.{nearest(key, table.data)}", key)
        if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 < weight < math.inf:
            raise weights.error(f"a weight is a number above 0, got {shown(weight)}", key)
    if not table.data:
        raise table.error("the table [goals] is empty")
    goals = []
    for key, value in table.data.items():
        if key not in shares:
            raise table.error(f"nothing that prices decide is called {shown(key)}; there are {', '.join(list(shares)[:6])}, ….{nearest(key, shares)}", key)
        low, high = _ends(table, key, value)
        if shares[key] and (low > 1 or high < 0):
            raise table.error(f"{key} lies between 0 and 1, got {shown(value)}", key)
        # Twice the standard error of a share of wins; shares of points are known much better.
        noise = 1 / math.sqrt(games) if key.endswith("win_share") or key == "draw_share" else 0.0
        goals.append(Goal(key, low, high, float(weights.data.get(key, 1.0)) if weights else 1.0, shares[key], noise))
    return goals


def _ends(table: Entry, key: str, value: Any) -> tuple[float, float]:
    ends: Sequence[Any] = (value, value)
    if isinstance(value, list) and len(value) == 2:
        ends = value
    elif isinstance(value, dict) and value and set(value) <= {"min", "max"}:
        ends = (value.get("min", -math.inf), value.get("max", math.inf))
    wrong = any(isinstance(end, bool) or not isinstance(end, int | float) for end in ends)
    if wrong or not ends[0] <= ends[1] or ends[0] == math.inf or ends[1] == -math.inf:
        raise table.error(f"{key} is a number, a range such as [6, 9], {{ min = 6 }} or {{ max = 9 }}, got {shown(value)}", key)
    return float(ends[0]), float(ends[1])


def _usual(now: int, own: int) -> list[int]:
    """Where a price may lie that has no range: up to twice of what it is or of what the game itself pays, whichever is more, and 5 more."""
    sign = -1 if (own or now) < 0 else 1
    least, most = int(bool(now or own)), 2 * max(sign * now, sign * own, 0) + 5
    return [least, most] if sign > 0 else [-most, -least]


def _candidates(limits: Entry, ruleset: Ruleset) -> dict[str, tuple[int, ...]]:
    """The values of each price that may change; its present one is always among them."""
    ranges, multiples = (limits.take(key, dict, {}) for key in ("ranges", "multiples"))
    vary, fix = (limits.take(key, list, list(ruleset.points) if key == "vary" else []) for key in ("vary", "fix"))
    for name, keys in (("vary", vary), ("fix", fix), ("ranges", ranges), ("multiples", multiples)):
        for key in keys:
            if not isinstance(key, str) or key not in ruleset.points:
                raise limits.error(f"{name}: {shown(key)} is no price of {ruleset.schema.key}.{nearest(str(key), ruleset.points)}", name)
    if not ruleset.points:
        raise InputError(f"{limits.toml.path}: {ruleset.schema.key} has no point table, so that only [compensation] can be tuned")
    found = {}
    for key in ruleset.points:
        if key not in vary or key in fix:
            continue
        now = ruleset.points[key]
        ends, step = ranges.get(key), multiples.get(key, 1)
        if ends is None:
            ends = _usual(now, default(ruleset.schema).points[key])
        whole = isinstance(ends, list) and len(ends) == 2 and all(isinstance(end, int) and not isinstance(end, bool) for end in ends)
        if not (whole and -MOST_POINTS <= ends[0] <= ends[1] <= MOST_POINTS):
            limit = f"between -{MOST_POINTS} and {MOST_POINTS}"
            raise limits.error(f"ranges: that of {key} is two whole numbers, from and to, {limit}, got {shown(ends)}", "ranges")
        if isinstance(step, bool) or not isinstance(step, int) or step < 1:
            raise limits.error(f"multiples: that of {key} is a whole number from 1 on, got {shown(step)}", "multiples")
        values = {now, *(worth for worth in range(ends[0], ends[1] + 1) if worth % step == 0)}
        if ruleset.schema.points[key].switch:  # 0 is another rule, which prices do not decide
            values = {worth for worth in values if bool(worth) == bool(now)}
        found[key] = tuple(sorted(values))
    if not any(len(values) > 1 for values in found.values()):
        raise InputError(f"{limits.toml.path}: the limits leave no price that may change")
    return found
