"""What ``run.json`` says of a run, and the way back from it to the table that was played at."""

from __future__ import annotations

import os
import platform
import shlex
import zlib
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from experiments.run_folder import FORMAT, Totals

if TYPE_CHECKING:
    from simcore.ruleset import Ruleset
    from simcore.simulate import Table


def describe(table: Table, games: range, batch: int) -> dict[str, Any]:
    """All that is known of a run before its first game."""
    return {
        "format": FORMAT,
        "game": table.game.key,
        "ruleset": table.ruleset.canonical,
        "strategies": list(table.canonical_strategies),
        "players": table.players,
        "seed": table.seed,
        "first": games.start,
        "games": len(games),
        "batch": batch,
        "finished": False,
        "versions": _versions(),
        "source_hash": source_hash(table),
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        "command": command(table, games),
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        **Totals().to_dict(),
    }


def command(table: Table, games: range) -> str:
    """The command line that plays the same games again."""
    words = ["simcore", "run", table.game.key, "--games", str(len(games)), "--seed", str(table.seed)]
    if games.start:
        words += ["--first", str(games.start)]
    if table.ruleset.canonical != table.game.key:
        words += ["--ruleset", table.ruleset.canonical]
    words += ["--players", str(table.players)]
    seats = table.canonical_strategies
    for name in seats[:1] if len(set(seats)) == 1 else seats:
        words += ["--strategy", name]
    return shlex.join(words)


def source_hash(table: Table) -> str:
    """Hash of everything that decides what happens in a game, besides what ``run.json`` says: kernel, strategies, versions."""
    from simcore import compiled

    codes = "".join(f" {player.code_key}" for player in table.seats)
    return f"{compiled.source_hash(table.game.key)}-{zlib.crc32(codes.encode()):08x}"


def table_of(info: Mapping[str, Any]) -> Table:
    """The table that a run was played at, from its ``run.json``. Raises InputError where its rules or strategies are no more."""
    from simcore.simulate import Table

    return Table(ruleset_of(info), info["strategies"], info["players"], info["seed"])


def ruleset_of(info: Mapping[str, Any]) -> Ruleset:
    """The ruleset that was played by. Raises InputError where it is no more."""
    from simcore.game import checker, schema
    from simcore.ruleset import parse

    return parse(schema(info["game"]), info["ruleset"], checker(info["game"]))


def _versions() -> dict[str, str]:
    found = {"python": platform.python_version()}
    for name in ("numpy", "numba", "polars", "simcore"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:  # run from the sources without being installed
            found[name] = "source"
    return found
