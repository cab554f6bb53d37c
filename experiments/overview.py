"""What commands show of rules, hands and runs, as plain values: the glue between records, estimates and pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from experiments.blocks import require_seed, threads_of
from experiments.estimates import LEVEL, win_share
from experiments.frequencies import frequencies, held_in_play
from experiments.sequences import of_share
from simcore.errors import InputError
from simcore.game import frequencies_of

if TYPE_CHECKING:
    from experiments.runs import Run
    from simcore.ruleset import Row, Ruleset
    from simcore.simulate import Table
    from simcore.strategy import Strategy

BATCHES: Final = 3
"""Batches of a run that are summed up at once: a few hundred thousand deals, to bound the memory."""
HELD_GAMES: Final = 500
"""Games whose hands in play are looked at where nothing else is said."""


def hand_sizes(ruleset: Ruleset, cards: int | None = None) -> list[int]:
    """The numbers of cards to count hands of: the one that is asked for, or those that the game looks at. Raises InputError where it counts none."""
    sizes = list(frequencies_of(ruleset.schema.key).sizes(ruleset))
    return sizes if cards is None else [cards]


@lru_cache(maxsize=4)
def exact_frequencies(ruleset: Ruleset) -> Mapping[int, Mapping[str, Any]] | None:
    """Exact frequencies of hands of every size; None for a game that counts none. Counted once, so not to be changed by who gets them."""
    try:
        game = frequencies_of(ruleset.schema.key)
    except InputError:
        return None
    return {cards: game.exact(ruleset, cards) for cards in game.sizes(ruleset)}


def hands(ruleset: Ruleset, sizes: Sequence[int], deals: int, seed: int, table: Table | None, games: int, threads: int | None = None) -> list[dict[str, Any]]:
    """Frequencies of hands of each size: exact, simulated and, with a table, held in play.

    Args:
        ruleset: The rules.
        sizes: Numbers of cards.
        deals: Deals to simulate.
        seed: Seed of their shuffles.
        table: Where hands are held in play; None leaves that out.
        games: How many games of it to look at.
        threads: Threads that count, each hands of another size; without it one a core.

    Returns:
        For each size what `frequencies` returns; under ``in_play`` what `held_in_play` returns, and ``strategies``.

    Raises:
        InputError: A number is out of range; nothing is compiled before that is known.
    """
    from joblib import Parallel, delayed

    require_seed(seed)
    if deals < 1:
        raise InputError(f"deals must be at least 1, not {deals}")
    if table is not None and games < 1:
        raise InputError(f"games to look at must be at least 1, not {games}")
    found: list[dict[str, Any]] = Parallel(threads_of(threads), backend="threading")(delayed(frequencies)(ruleset, cards, deals, seed) for cards in sizes)
    if table is not None:
        held = table.hands(0, games)
        for entry in found:
            in_play = held_in_play(ruleset, entry["cards"], held)
            entry["in_play"] = in_play | {"strategies": list(table.canonical_strategies)}
    return found


def transcripts(table: Table, games: range, threads: int | None = None) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    """Number and events of each game, in order; ``threads`` read ahead, without it one a core. Raises as `Table.transcript` does."""
    from concurrent.futures import ThreadPoolExecutor

    workers = threads_of(threads)
    with ThreadPoolExecutor(workers) as pool:
        for start in range(0, len(games), workers):
            some = games[start : start + workers]
            yield from zip(some, pool.map(table.transcript, some), strict=True)


def disagreements(found: Sequence[dict[str, Any]]) -> list[str]:
    """One sentence for each number of a sample that cannot be chance if what is counted exactly is right."""
    return [
        f"hands of {entry['cards']} cards, {each['what']}: exact probability {each['probability']:.6g}, but {each['count']} of "
        f"{each['hands']} simulated hands; chance does that with probability {each['doubt']:.1g}"
        for entry in found
        for each in entry["simulated"]["agreement"]["disagreements"]
    ]


def results(run: Run) -> list[dict[str, Any]]:
    """How the strategies of a run did: ``seat``, ``strategy``, ``win_share`` (an estimate, by the sequence that stopped it), ``points`` per deal."""
    import polars as pl

    rule = run.info.get("stopping")

    seats = range(run.info["players"])
    shares = [pl.col(f"share_{seat}") for seat in seats]
    sums = [share.sum().alias(f"x{seat}") for seat, share in enumerate(shares)]
    sums += [(share * share).sum().alias(f"xx{seat}") for seat, share in enumerate(shares)]
    found = run.games.select(*sums, n=pl.len()).collect(engine="streaming").row(0, named=True)
    points = run.deals.select(pl.col(f"points_{seat}").cast(pl.Int64).mean() for seat in seats).collect(engine="streaming").row(0)
    sums_of = [(found[f"x{seat}"], found[f"xx{seat}"], found["n"]) for seat in seats]
    return [
        {
            "seat": seat,
            "strategy": strategy,
            "win_share": of_share(*sums_of[seat], rule["best_at"], LEVEL) if rule else win_share(*sums_of[seat], LEVEL),
            "points": points[seat],
        }
        for seat, strategy in enumerate(run.info["strategies"])
    ]


def described(ruleset: Ruleset, strategies: Mapping[str, Strategy]) -> dict[str, Any]:
    """A ruleset and the strategies of its game as plain values."""
    from experiments.summary import describe

    players = [
        {"name": name, "doc": strategy.doc, "params": {key: asdict(param) for key, param in strategy.params.items()}} for name, strategy in strategies.items()
    ]
    return describe(ruleset) | {"strategies": players}


def differences(rows: Sequence[Row], a: Ruleset, b: Ruleset) -> dict[str, Any]:
    """Where two rulesets differ (rows of `simcore.ruleset.difference`) as plain values."""
    lines = [{"key": row.key, "kind": row.kind, "a": row.a, "b": row.b, "rule": row.rule, "help": dict(row.help)} for row in rows]
    return {"a": a.canonical, "b": b.canonical, "differences": lines}


def summarise(run: Run) -> dict[str, Any]:
    """Everything that a report says of a run: its summary, and under ``evidence`` what was played for it. Raises InputError where no game is finished."""
    from experiments.evidence import evidence
    from experiments.findings import moving_first, ranked
    from experiments.summary import summary

    tables = run.games, run.deals, run.tallies
    counted = exact_frequencies(run.ruleset)
    dealt = frequencies_of(run.ruleset.schema.key).dealt(run.ruleset) if counted else None
    parts = [replace(run, batches=run.batches[start : start + BATCHES]) for start in range(0, len(run.batches), BATCHES)]
    pieces = [(part.games, part.deals, part.tallies) for part in parts]
    found = summary(run.info, run.ruleset, *tables, frequencies=counted, dealt=dealt, pieces=pieces)
    more = evidence(run, found)
    first = moving_first(more["first_move"]) if more["first_move"] else []
    return found | {"evidence": more, "findings": ranked([*first, *found["findings"]])}
