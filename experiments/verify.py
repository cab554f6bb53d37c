"""Are the stored games those that the rules and the seed give? A random sample of them is played again and compared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from experiments.blocks import require_seed
from experiments.run_folder import TABLES, games_of
from experiments.run_info import source_hash, table_of
from simcore.errors import InputError

if TYPE_CHECKING:
    from experiments.runs import Run


def verify(run: Run, games: int = 100, seed: int = 1) -> dict[str, Any]:
    """Plays a random sample of a run's games again.

    Args:
        run: The run; every byte of it has been looked at when it was loaded.
        games: Size of the sample; all games where there are fewer.
        seed: Seed of the choice.

    Returns:
        ``run``, ``checked`` (number of games), ``different`` (for each game that is not the same: ``game``, ``table``) and ``same_sources`` (whether the
        run was made by these sources and versions; where it was not, a difference is no fault of the records).

    Raises:
        InputError: No game is there, the number is below 1, or the seed is out of range.
    """
    import polars as pl

    from simcore.records import frames

    if games < 1:
        raise InputError(f"the number of games to verify is at least 1, got {games}")
    stored = run.games.select("game").collect(engine="streaming")["game"].sort()
    if not len(stored):
        raise InputError(f"the run '{run.folder}' has no finished games yet")
    numbers = np.sort(np.random.default_rng(require_seed(seed)).choice(stored.to_numpy(), min(games, len(stored)), replace=False))
    table = table_of(run.info)
    there = {name: getattr(run, name).filter(pl.col("game").is_in(numbers.tolist())).collect(engine="streaming") for name in TABLES}
    different = []
    for number in numbers.tolist():
        again = frames(table.play(number, 1), table)
        for name in TABLES:
            if not _sorted(again[name]).equals(_sorted(there[name].filter(pl.col("game") == number))):
                different.append({"game": number, "table": name})
    return {
        "run": str(run.folder),
        "games": len(games_of(run.info)),
        "checked": len(numbers),
        "different": different,
        "same_sources": source_hash(table) == run.info["source_hash"],
    }


def _sorted(frame: Any) -> Any:
    keys = [name for name in ("game", "deal", "seat", "item", "role") if name in frame.columns]
    return frame.sort(keys)
