"""What a report adds to the summary of a run by playing: games that show its findings, the first move, lint, fair prices, strength of strategies."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from experiments.estimates import proportion
from experiments.first_move import first_move
from experiments.lint import decided, lint
from experiments.lint_texts import message
from experiments.panel import panel
from experiments.price import price
from experiments.readings import others, readings
from experiments.run_info import command, source_hash, table_of
from experiments.skill import until_skill_shows
from experiments.strength import forbidden, matches, pay_offs, without
from simcore.errors import InputError, StrategyError
from simcore.transcript import to_text

if TYPE_CHECKING:
    from experiments.runs import Run
    from simcore.simulate import Table

LOOKED: Final = 20_000
"""Games among which those to be told are chosen; what none of them has is looked for in all."""
LINES: Final = 400
"""Lines of a game that are told at most."""
LANGUAGES: Final = ("en", "ru")
SECONDS: Final = 3.0
"""Time that each part may take, by the speed of the run."""
FEWEST, MOST = 200, 20_000
"""Games that a part is measured on; the most only for the first move."""
LINT_GAMES: Final = 2_000
"""Games that lint, fair prices and readings look at, at most."""
DECKS: Final = 400
"""Decks of each match between strategies, at most."""
PARTS: Final = ("games", "first_move", "lint", "prices", "tournament", "restricted", "skill", "readings", "decides")


def evidence(run: Run, found: Mapping[str, Any]) -> dict[str, Any]:
    """Games to be looked at, and the worth of the first move.

    Args:
        run: The run.
        found: Its summary, the findings included.

    Returns:
        ``games``: one entry a game with ``findings`` (their keys), ``game``, ``deals``, ``command``, ``text`` (by language) and ``left_out`` (lines that
        are not told), in the order of the findings; ``first_move``: what `experiments.first_move.first_move` says of this line-up; ``lint``: what
        `experiments.lint.lint` finds with this line-up, ``games`` and ``findings``, the messages by language; ``prices``: what
        `experiments.price.price` says with it, ``games``, ``distance`` (sum over items of |now - fair|) and by item ``now``, ``fair``, ``band``,
        ``band_interval``, ``agree``, ``decided``, ``win_equity`` and ``worth``;
        ``tournament`` and ``restricted``: what `experiments.strength` says, None where there is nothing to play; ``skill``:
        what `experiments.skill.until_skill_shows` says; ``readings``: what `experiments.readings.readings` says; ``decides``: ``games`` and by item
        the share of them in which another player wins without its points. All are None where the run's games cannot be played again, since sources or
        strategies have changed.
    """
    table = _table(run)
    if table is None:
        return dict.fromkeys(PARTS)
    meetings = pay_offs(table, _affordable(run, table, DECKS, matches(table)))
    return {
        "games": _told(run, found, table),
        "first_move": _first_move(run, table),
        "lint": _lint(run, table),
        "prices": _prices(run, table),
        "tournament": meetings,
        "restricted": without(table, _affordable(run, table, DECKS, forbidden(table))),
        "skill": until_skill_shows(found, meetings),
        "readings": readings(table, _affordable(run, table, LINT_GAMES, len(list(others(table.ruleset))))),
        "decides": _decides(run, table),
    }


def _table(run: Run) -> Table | None:
    """The table of the run, if what decides its games is as it was."""
    try:
        table = table_of(run.info)
        return table if source_hash(table) == run.info.get("source_hash") else None
    except (InputError, StrategyError):
        return None


def _affordable(run: Run, table: Table, most: int, matches: int = 1) -> int:
    """As many games, each played once a seat in every match, as the time allows by the speed of the run."""
    seconds = max(run.info["seconds"], 1e-6) / run.info["played"]
    return int(min(max(SECONDS / (seconds * table.players * max(matches, 1)), FEWEST), most, max(run.info["played"], 2)))


def _first_move(run: Run, table: Table) -> dict[str, Any]:
    """What `first_move` says, on as many games as the time allows."""
    games = _affordable(run, table, MOST)
    measured = first_move(table.ruleset, [table.canonical_strategies], games, players=table.players, seed=table.seed)
    (lineup,) = measured.pop("panel")
    return {key: measured[key] for key in ("games", "seed", "even", "swapped", "level")} | dict(lineup)


def _lint(run: Run, table: Table) -> dict[str, Any]:
    """What `lint` finds with the run's line-up."""
    games = _affordable(run, table, LINT_GAMES)
    found = lint(table.ruleset, [table.canonical_strategies], games, table.players, table.seed)
    findings = [
        each | {"message": {language: message(each["code"], each["items"], each["data"], table.ruleset, language) for language in LANGUAGES}}
        for each in found["findings"]
    ]
    return {"games": games, "findings": findings}


def _prices(run: Run, table: Table) -> dict[str, Any] | None:
    """What `price` says with the run's line-up; None where the game has no point table."""
    if not table.ruleset.points:
        return None
    games = _affordable(run, table, LINT_GAMES)
    found = price(table.ruleset, [table.canonical_strategies], games, table.players, table.seed)["prices"]
    kept = ("now", "fair", "band", "band_interval", "agree", "decided", "win_equity", "worth")
    distance = sum(abs(entry["now"] - entry["fair"]) for entry in found.values())
    return {"games": games, "distance": distance, "items": {item: {key: entry[key] for key in kept} for item, entry in found.items()}}


def _decides(run: Run, table: Table) -> dict[str, Any]:
    """How often each item decides a game, by `experiments.lint.decided`."""
    played = panel(table.ruleset, [table.canonical_strategies], _affordable(run, table, LINT_GAMES), table.players, table.seed)
    flips, games = decided(table.ruleset, played)
    return {"games": games, "items": {key: proportion(count, games).to_dict() for key, count in flips.items()}}


def _told(run: Run, found: Mapping[str, Any], table: Table) -> list[dict[str, Any]]:
    """The games, told."""
    seats, better = table.players, -1.0 if table.ruleset.schema.lowest_wins else 1.0
    scores = [pl.col(f"score_{seat}").cast(pl.Float64) * better for seat in range(seats)]
    shares = [pl.col(f"share_{seat}") for seat in range(seats)]
    first = run.games.select("game").sort("game").head(LOOKED).collect(engine="streaming")["game"]
    within = pl.col("game").is_between(first[0], first[-1])
    games = run.games.filter(within).with_columns(
        led_share=pl.concat_list(shares).list.get(pl.col("leader").cast(pl.Int64)),
        led_score=pl.concat_list(scores).list.get(pl.col("leader").cast(pl.Int64)),
        best=pl.max_horizontal(scores),
    )
    looked = games.collect(engine="streaming")
    chosen: dict[int, list[str]] = {}
    for finding in found["findings"]:
        game = _choose(finding, found, looked, run, within)
        if game is not None and finding["key"] not in chosen.get(game, ()):
            chosen.setdefault(game, []).append(finding["key"])
    lengths = dict(run.games.filter(pl.col("game").is_in(list(chosen))).select("game", "deals").collect(engine="streaming").iter_rows())
    told = []
    for game, findings in chosen.items():
        events = table.transcript(game)
        text = {language: to_text(events, table.ruleset, language).splitlines() for language in LANGUAGES}
        told.append(
            {
                "findings": findings,
                "game": game,
                "deals": lengths[game],
                "command": replay_command(table, game),
                "text": {language: "\n".join(lines[:LINES]) for language, lines in text.items()},
                "left_out": max(0, len(text[LANGUAGES[0]]) - LINES),
            }
        )
    return told


def replay_command(table: Table, game: int) -> str:
    """The command line that tells one game."""
    words = shlex.split(command(table, range(1)))
    words[words.index("run")] = "replay"
    place = words.index("--games")
    words[place : place + 2] = ["--game", str(game)]
    return shlex.join(words)


def _choose(finding: Mapping[str, Any], found: Mapping[str, Any], games: pl.DataFrame, run: Run, within: pl.Expr) -> int | None:
    """The game that shows a finding: an ordinary one of those that do, by length and margin; None where none does or nothing is to be seen."""
    match finding["key"]:
        case "leader":
            won = {"above": pl.col("led_share") == 1, "below": pl.col("led_share") == 0}.get(finding["verdict"])
            return _ordinary(games if won is None else games.filter(won))
        case "strategy":
            seats = next(entry["seats"] for entry in found["strategies"] if entry["name"] == finding["strategy"])
            return _ordinary(games.filter(pl.any_horizontal(pl.col(f"share_{seat}") == 1 for seat in seats)))
        case "most_points_item":
            return _most(run.tallies.filter(within & (pl.col("item") == finding["source"]) & (pl.col("points") != 0)))
        case "inversions_hands" | "inversions_play" if finding["pair"]:
            return _with(run.tallies.filter(pl.col("item") == finding["pair"]["rarer"]), within)
        case "guard" if finding["count"]:
            return _with((run.games if finding["of"] == "games" else run.deals).filter(pl.col("reason") == finding["guard"]), within)
        case _:
            return None


def _ordinary(games: pl.DataFrame) -> int | None:
    """The game whose length and final scores are nearest to the median of some."""
    if games.is_empty():
        return None
    off = [(pl.col(name).cast(pl.Float64) - pl.col(name).cast(pl.Float64).median()).abs() for name in ("deals", "best", "led_score")]
    return int(games.sort(*off, "game")["game"][0])


def _most(tallies: pl.LazyFrame) -> int | None:
    """The game in which something happened most often."""
    counted = tallies.group_by("game").agg(pl.col("count").cast(pl.Int64).sum()).sort("count", "game", descending=[True, False]).head(1)
    game = counted.collect(engine="streaming")["game"]
    return int(game[0]) if game.len() else None


def _with(rows: pl.LazyFrame, within: pl.Expr) -> int | None:
    """The first game that has one of these rows."""
    for part in (rows.filter(within), rows):
        game = part.select(pl.col("game").min()).collect(engine="streaming")["game"][0]
        if game is not None:
            return int(game)
    return None
