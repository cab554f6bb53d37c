"""Find a table: integer search for prices that reach goals with as few changes as possible, confirmed by fresh games.

The search is on one block of games, scored again by every table that is tried (`experiments.ledger`): deterministic, and the same cards for all. From the
present table one more price at a time may change: the one and the value that serve best, and then all changed prices are tried anew by turns until none
moves. Since players adapt, the block is then played by the best table, and the search goes on from there. Winner and runners-up are played in fresh games.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from experiments.blocks import summed
from experiments.check import estimate_of, sums_of, verdict_of
from experiments.estimates import LEVEL
from experiments.expect import ALIASES, Quantity, quantities, terms
from experiments.ledger import Integers, Ledger
from experiments.lint import rarer_pairs, rarity_in_hands
from experiments.measures import Measures, products
from experiments.panel import panel
from experiments.progress import Report
from experiments.run_folder import require_free
from experiments.tune_file import Task, read_task
from simcore.errors import InputError
from simcore.game import checker
from simcore.simulate import Table

if TYPE_CHECKING:
    from simcore.ruleset import Ruleset

ROUNDS: Final = 3
"""How often the block is played anew by the best table, at most."""
INVERSION: Final = 1e6
"""What an inversion costs where none may be: more than any miss."""
CHANGE: Final = 0.05
"""What a changed price costs, to decide between tables that serve equally well; a hundredth of it for each point."""
STATE: Final = "state.json"
SLIGHT: Final = 1e-3
"""What the other goals count for where one is looked at for itself."""
FRONT: Final = 12
"""Tables of the front that are told, at most."""

Key = tuple[int, ...]


@dataclass(frozen=True)
class Trial:
    """A table that was tried.

    Attributes:
        prices: By price that may change, in order.
        values: Of the goals' quantities.
        misses: By how many units each goal is missed.
        cost: Weighted sum of squared misses, and what inversions cost.
        changes: How many prices differ from the first table.
    """

    prices: Key
    values: tuple[float, ...]
    misses: tuple[float, ...]
    cost: float
    changes: int


@dataclass
class Search:
    """Tables tried on one block of games.

    Attributes:
        task: What is wanted.
        start: The prices of the first table, by key that may change.
        ledger: The games, as the present table had them played.
        order: Pairs of keys, the rarer one first, that may not be inverted.
    """

    task: Task
    start: Key
    ledger: Ledger
    order: Sequence[tuple[str, str]]
    deals: int
    loose: Mapping[str, int]
    trials: dict[Key, Trial] = field(default_factory=dict)

    def trial(self, prices: Key) -> Trial:
        """The table with these prices, scored on the block."""
        if prices not in self.trials:
            self.trials[prices] = self._scored(prices)
        return self.trials[prices]

    def _scored(self, prices: Key) -> Trial:
        keys = list(self.task.candidates)
        table = dict(zip(self.ledger.keys, self.ledger.base.tolist(), strict=True)) | dict(zip(keys, prices, strict=True))
        return self.judged(prices, _values(self.task, self.ledger, table, self.deals, self.loose))

    def judged(self, prices: Key, values: tuple[float, ...]) -> Trial:
        """The table with these prices, given the values of the goals' quantities."""
        table = dict(zip(self.ledger.keys, self.ledger.base.tolist(), strict=True)) | dict(zip(self.task.candidates, prices, strict=True))
        misses = tuple(goal.miss(value) for goal, value in zip(self.task.goals, values, strict=True))
        sign = -1 if self.task.ruleset.schema.lowest_wins else 1
        inverted = sum(sign * table[rare] < sign * table[common] for rare, common in self.order)
        moved = [abs(new - old) for new, old in zip(prices, self.start, strict=True)]
        cost = sum(goal.weight * miss * miss for goal, miss in zip(self.task.goals, misses, strict=True)) + INVERSION * inverted
        return Trial(prices, values, misses, cost + CHANGE * (np.count_nonzero(moved) + sum(moved) / 100), int(np.count_nonzero(moved)))

    def best(self) -> list[Trial]:
        """For 0, 1, 2, ... changes the best table found; ends where another change no longer helps or every goal is reached."""
        found = [self.trial(self.start)]
        while found[-1].changes < self.task.changes and (any(found[-1].misses) or found[-1].cost >= INVERSION):
            last = found[-1]
            free = [place for place, (new, old) in enumerate(zip(last.prices, self.start, strict=True)) if new == old]
            tried = [self.trial(prices) for place in free for prices in self._with(last.prices, place)]
            best = self._refined(min(tried, key=lambda trial: trial.cost, default=last))
            if best.cost >= last.cost:
                break
            found.append(best)
        return found

    def _refined(self, trial: Trial) -> Trial:
        """Changed prices one after another at their best value, until none moves any more."""
        while True:
            before = trial
            for place, (new, old) in enumerate(zip(trial.prices, self.start, strict=True)):
                if new != old:
                    trial = min((self.trial(prices) for prices in self._with(trial.prices, place)), key=lambda each: each.cost)
            if trial.cost >= before.cost:
                return before

    def _with(self, prices: Key, place: int) -> Iterator[Key]:
        """Tables that differ in one price, or in none."""
        for worth in list(self.task.candidates.values())[place]:
            yield (*prices[:place], worth, *prices[place + 1 :])

    def look_aside(self) -> None:
        """Also tries what serves each goal for itself, so that the front of goals in conflict reaches from one to the other."""
        for goal in self.task.goals:
            goals = tuple(each if each is goal else replace(each, weight=SLIGHT * each.weight) for each in self.task.goals)
            alone = replace(self, task=replace(self.task, goals=goals), trials={})
            alone.trials = {prices: alone.judged(prices, trial.values) for prices, trial in self.trials.items()}
            alone.best()
            self.trials = {prices: self.judged(prices, trial.values) for prices, trial in alone.trials.items()}

    def front(self) -> list[Trial]:
        """Tables of which none is at least as good in every goal and in the number of changes, and better in one.

        Of many those that are told are the best one, the nearest to each goal, and then always the one that is furthest from all of them; in the order
        of the first goal.
        """
        sound = sorted((trial for trial in self.trials.values() if trial.cost < INVERSION), key=lambda trial: (trial.cost, trial.changes))
        whole: list[Trial] = []
        points = np.empty((0, len(self.task.goals) + 1))
        for trial in sound:
            point = np.array([*trial.misses, trial.changes])
            if not (points <= point).all(axis=1).any():
                keep: np.ndarray = ~np.asarray((point <= points).all(axis=1))
                whole = [*(each for each, kept in zip(whole, keep, strict=True) if kept), trial]
                points = np.vstack([points[keep], point])
        if not whole:
            return []
        size = points.max(axis=0) - points.min(axis=0)
        scaled = points / np.where(size > 0, size, 1.0)
        chosen = list(dict.fromkeys([0, *points[:, :-1].argmin(axis=0).tolist()]))
        while len(chosen) < min(FRONT, len(whole)):
            chosen.append(int(np.abs(scaled[:, None] - scaled[chosen]).sum(axis=2).min(axis=1).argmax()))
        return sorted((whole[place] for place in chosen), key=lambda trial: trial.misses)


def _values(task: Task, ledger: Ledger, table: Mapping[str, int], deals: int, loose: Mapping[str, int]) -> tuple[float, ...]:
    """The goals' quantities of the block under a table; what needs no replay is had without."""
    prices = np.array([table[key] for key in ledger.keys], np.int64)
    points = dict(zip(ledger.keys, (ledger.uses * np.abs(prices)).tolist(), strict=True))
    everything = sum(points.values()) + sum(loose.values())
    category = {key: item.category for key, item in task.ruleset.schema.points.items()}
    replay = None
    found = []
    for goal in task.goals:
        name, _, rest = goal.key.partition("_points_share")
        if goal.key.endswith("_points_share") and not rest:
            own = points[name] if name in points else sum(worth for key, worth in points.items() if category[key] == name)
            found.append(own / everything if everything else 0.0)
            continue
        if goal.key == "points_per_deal":
            found.append(sum(uses * price for uses, price in zip(ledger.uses.tolist(), prices.tolist(), strict=True)) / deals + sum(loose.values()) / deals)
            continue
        replay = replay or ledger.replay(prices)
        if goal.key == "deals_per_game":
            found.append(float(replay.deals.mean()))
        elif goal.key == "draw_share":
            found.append(float((replay.share.max(axis=1) < 1 - 1e-9).mean()))
        elif ALIASES.get(goal.key, goal.key) == "leader_win_share":
            found.append(float(replay.share[np.arange(ledger.games), ledger.stored.leader].mean()))
        else:
            found.append(float(replay.share[:, int(goal.key.split("_")[1])].mean()))
    return tuple(found)


def goals_of(ruleset: Ruleset, book: Measures, items: Sequence[str]) -> dict[str, Quantity]:
    """What can be a goal: what prices decide when the same deals are scored again."""
    known = quantities(book, ruleset, items)
    names = {"deals_per_game", "leader_win_share", "first_mover_win_share", "draw_share", "points_per_deal"}
    names |= {f"seat_{seat}_win_share" for seat in range(book.seats)} | {f"{key}_points_share" for key in (*ruleset.points, *_priced(ruleset))}
    return {key: quantity for key, quantity in known.items() if key in names}


def _priced(ruleset: Ruleset) -> list[str]:
    return list(dict.fromkeys(item.category for item in ruleset.schema.points.values()))


# ------------------------------------------------------------------------------------------------------------------
# The whole way


def tune(path: str | Path, state: Path | None = None, threads: int | None = None, progress: Report | None = None) -> dict[str, Any]:
    """Looks for a table that reaches the goals of a tuning file.

    Args:
        path: The file, see `experiments.tune_file`.
        state: Where to keep how far the search is; if it is there already from the same file, the search goes on from it.
        threads: Threads; without it one a core.
        progress: Called now and then.

    Returns:
        ``file``, ``game``, ``base`` (canonical), ``strategies``, ``players``, ``seed``, ``games``, ``confirm``, ``rounds``, ``tried`` (tables), ``goals``
        (``key``, ``low``, ``high``, ``weight``), ``winner`` (canonical), ``tables``: the winner first, then the first table and the runners-up, each with
        ``ruleset``, ``changes`` (key to was and is), ``searched`` (values on the block that was searched on) and ``confirmed`` (by goal the ``estimate``
        from fresh games, its ``miss``, and the ``verdict``: ``reached``, ``missed``, ``undecided``; corrected for all tables and goals); and ``front``:
        tables of which none is better in all goals and in the number of changes (`Search.front`), each with ``ruleset``, ``changes``, ``values``, ``misses``.

    Raises:
        InputError: The file has a mistake.
        StrategyError: A strategy does not compile, or made a move that the rules forbid.
    """
    task, table, known = _read(path)
    digest = hashlib.sha256(Path(path).read_bytes() + task.ruleset.canonical.encode()).hexdigest()[:16]
    kept = _read_state(state, digest)
    # By prices, the goals' quantities of tables by which the block was really played, so that nothing had to be scored again.
    played: dict[Key, tuple[float, ...]] = {tuple(prices): tuple(values) for prices, values in kept.get("played", [])}
    current = tuple(kept.get("current", _start(task)))
    while True:
        search, best = _searched(task, current, threads)
        played[current] = search.trial(current).values
        if len(played) >= ROUNDS or best[-1].prices in played:
            break
        current = best[-1].prices
        _write_state(state, {"digest": digest, "current": current, "played": list(played.items())})
    if len(task.goals) > 1 and any(best[-1].misses):
        search.look_aside()
    search.trials |= {prices: search.judged(prices, values) for prices, values in played.items()}
    finalists = list(dict.fromkeys([_start(task), min(played, key=lambda prices: search.trial(prices).cost), *(trial.prices for trial in reversed(best))]))
    finalists = finalists[: 2 + task.runners_up]
    rulesets = [_ruleset(task, prices) for prices in finalists]
    confirmed = _confirmed(task, known, rulesets, threads, progress)
    winner = min(range(len(finalists)), key=lambda place: _rank(task, confirmed[place], search.trial(finalists[place])))
    order = [winner, *(place for place in range(len(finalists)) if place != winner)]
    return {
        "file": str(path),
        "game": task.ruleset.schema.key,
        "base": task.ruleset.canonical,
        "strategies": list(table.canonical_strategies),
        "players": table.players,
        "seed": task.seed,
        "games": task.games,
        "confirm": task.confirm,
        "rounds": len(played),
        "tried": len(search.trials),
        "goals": [{"key": goal.key, "low": _finite(goal.low), "high": _finite(goal.high), "weight": goal.weight} for goal in task.goals],
        "winner": rulesets[winner].canonical,
        "tables": [
            {
                "ruleset": rulesets[place].canonical,
                "changes": _changes(task, finalists[place]),
                "searched": dict(zip((goal.key for goal in task.goals), search.trial(finalists[place]).values, strict=True)),
                "confirmed": confirmed[place],
            }
            for place in order
        ],
        "front": [
            {
                "ruleset": _ruleset(task, trial.prices).canonical,
                "changes": trial.changes,
                "values": dict(zip((goal.key for goal in task.goals), trial.values, strict=True)),
                "misses": dict(zip((goal.key for goal in task.goals), trial.misses, strict=True)),
            }
            for trial in search.front()
        ],
    }


def _read(path: str | Path) -> tuple[Task, Table, dict[str, Quantity]]:
    """The task of a file with its goals, the table that plays, and what can be a goal there. Raises InputError where the file has a mistake."""
    task = read_task(path)
    table = Table(task.ruleset, task.strategies, task.players, task.seed)
    known = goals_of(task.ruleset, Measures(table), table.game.items)
    return read_task(path, {key: quantity.share for key, quantity in known.items()}), table, known


def _start(task: Task) -> Key:
    return tuple(task.ruleset.points[key] for key in task.candidates)


def _ruleset(task: Task, prices: Key) -> Ruleset:
    settings = [f"points.{key}={price}" for key, price in zip(task.candidates, prices, strict=True)]
    return task.ruleset.with_settings(settings, checker(task.ruleset.schema.key))


def _searched(task: Task, prices: Key, threads: int | None) -> tuple[Search, list[Trial]]:
    """The block played by the table with these prices, and the best tables with ever more changes."""
    ruleset = _ruleset(task, prices)
    (played,) = panel(ruleset, [task.strategies], task.games, task.players, task.seed, threads)
    game = played.table.game
    keys = [key for key in ruleset.points if key in game.items]
    ledger = Ledger(game, ruleset, [played.batch], played.table.players, keys)
    points = dict(zip(game.items, played.points.tolist(), strict=True))
    # What an item brought beside its own price: points that follow from the play, and those of items without a price.
    loose = {item: points[item] - (int(uses) * abs(int(price)) if item in keys else 0) for item, uses, price in _own(game.items, ledger)}
    counts = dict(zip(game.items, played.counts.tolist(), strict=True))
    order: list[tuple[str, str]] = []
    if task.no_inversions:
        category = {key: item.category for key, item in ruleset.schema.points.items()}
        rarity, _ = rarity_in_hands(ruleset)
        order = [pair for pair in rarer_pairs(ruleset, rarity, counts) if category[pair[0]] == category[pair[1]]]
    search = Search(task, _start(task), ledger, order, len(played.batch.deals), loose)
    search.trial(prices)
    return search, search.best()


def _own(items: Sequence[str], ledger: Ledger) -> Iterator[tuple[str, int, int]]:
    place = {key: number for number, key in enumerate(ledger.keys)}
    for item in items:
        number = place.get(item)
        yield (item, 0, 0) if number is None else (item, int(ledger.uses[number]), int(ledger.base[number]))


def _confirmed(
    task: Task, known: Mapping[str, Quantity], rulesets: Sequence[Ruleset], threads: int | None, progress: Report | None
) -> list[dict[str, dict[str, Any]]]:
    """The goals in fresh games, the same cards for all tables, at a level for all of them together."""
    tables = [Table(ruleset, task.strategies, task.players, task.seed) for ruleset in rulesets]
    book = Measures(tables[0])
    own = [known[goal.key] for goal in task.goals]

    def vectors(batch: Any) -> Integers:
        return terms(own, book.vectors(batch))

    def reduce(arms: list[Integers]) -> list[Integers]:
        return [whole for arm in arms for whole in products([arm[:, kind].astype(np.int64) for kind in range(3)])]

    sums, _ = summed(tables, range(task.games, task.games + task.confirm), vectors, reduce, threads, progress)
    level = 1 - (1 - LEVEL) / (len(tables) * len(own))
    found = []
    for total, product in zip(sums[::2], sums[1::2], strict=True):
        values = {}
        for m, (goal, quantity) in enumerate(zip(task.goals, own, strict=True)):
            estimate = estimate_of(quantity, *sums_of(task.confirm, total[:, m], product[:, :, m]), level)
            # A number to come close to is reached within one unit of a miss.
            slack = goal.unit if goal.low == goal.high else 0.0
            verdict = {"pass": "reached", "fail": "missed"}.get(verdict_of(estimate, goal.low - slack, goal.high + slack), "undecided")
            values[goal.key] = {"estimate": estimate.to_dict(), "verdict": verdict, "miss": goal.miss(estimate.value)}
        found.append(values)
    return found


def _rank(task: Task, confirmed: Mapping[str, Mapping[str, Any]], trial: Trial) -> tuple[int, int, float]:
    """Tables of which no goal is missed come first, those with fewer changes before others; then by the misses in fresh games."""
    missed = sum(each["verdict"] == "missed" for each in confirmed.values()) + (trial.cost >= INVERSION)
    cost = sum(goal.weight * confirmed[goal.key]["miss"] ** 2 for goal in task.goals)
    return missed, trial.changes if not missed else 0, cost


def _changes(task: Task, prices: Key) -> dict[str, list[int]]:
    return {key: [old, new] for key, old, new in zip(task.candidates, _start(task), prices, strict=True) if old != new}


def _finite(value: float) -> float | None:
    return value if np.isfinite(value) else None


def ruleset_text(found: Mapping[str, Any]) -> str:
    """The winner as a ruleset's file that gives what differs from the first table."""
    changes = [f"{key} = {new}  # was {old}" for key, (old, new) in found["tables"][0]["changes"].items()]
    return "\n".join([f'base = "{found["base"]}"', *(["", "[points]", *changes] if changes else [])]) + "\n"


def tune_into(path: str | Path, folder: Path, threads: int | None = None, progress: Report | None = None) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """Tunes into a folder: ``tuned.toml`` (the winner), ``tune.json`` (everything), ``comparison.json`` (the winner against the first table).

    Until it is done the folder has ``state.json``, from which an interrupted search goes on.

    Args:
        path: The tuning file.
        folder: New, empty, or that of an interrupted search with the same file.
        threads: Threads; without it one a core.
        progress: Called now and then.

    Returns:
        What `tune` and `experiments.compare.compare` return; None for the second where the first table has won.

    Raises:
        InputError: As `tune`, or the folder has something else in it or cannot be written to.
    """
    from experiments.compare import compare

    state = folder / STATE
    if not state.is_file():
        require_free(folder)
    task, _, _ = _read(path)  # nothing is made for a file with a mistake
    try:
        folder.mkdir(parents=True, exist_ok=True)
        found = tune(path, state, threads, progress)
        compared = None
        if found["tables"][0]["changes"]:
            winner = task.ruleset.with_settings([f"points.{key}={new}" for key, (_, new) in found["tables"][0]["changes"].items()])
            compared = compare(
                task.ruleset, winner, [task.strategies], task.confirm, players=task.players, seed=task.seed + 1, threads=threads, progress=progress
            )
            _write(folder / "comparison.json", json.dumps(compared, ensure_ascii=False, indent=1))
        _write(folder / "tuned.toml", ruleset_text(found))
        _write(folder / "tune.json", json.dumps(found, ensure_ascii=False, indent=1))
        state.unlink(missing_ok=True)
    except OSError as error:
        raise InputError(f"the output folder '{folder}' cannot be written to: {error.strerror}") from None
    return found, compared


def _write(path: Path, text: str) -> None:
    unfinished = path.with_name(f".{path.name}.part")
    unfinished.write_text(text.rstrip("\n") + "\n", "utf-8")
    unfinished.replace(path)


def _read_state(state: Path | None, digest: str) -> dict[str, Any]:
    if state is None or not state.exists():
        return {}
    try:
        found = json.loads(state.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) and found.get("digest") == digest else {}


def _write_state(state: Path | None, value: Mapping[str, Any]) -> None:
    if state is not None:
        _write(state, json.dumps(value))
