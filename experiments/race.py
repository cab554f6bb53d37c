"""How the scores of a game go: those of its winner and of its runner-up after each deal."""

from __future__ import annotations

from typing import Any, Final

import polars as pl

MOST_GAMES: Final = 20_000
"""Games that are looked at, at most."""
STILL_PLAYED: Final = 0.05
"""Share of the games that must have so many deals; after that too few are left to say anything of games."""
QUANTILES: Final = (0.05, 0.25, 0.5, 0.75, 0.95)


def race(games: pl.LazyFrame, deals: pl.LazyFrame, seats: int, start: int, lowest_wins: bool = False) -> list[dict[str, Any]]:
    """Quantiles of the scores of winners and of runners-up after each number of deals, over the games that have so many.

    A game's winner is the seat with the best final score, its runner-up the one with the second best; of equal ones the lower seat comes first. Games
    count as long as they last, so what is seen late is seen in long games only.

    Args:
        games: Table of games.
        deals: Table of deals.
        seats: Number of seats.
        start: Score at the start of a game.
        lowest_wins: Whether a lower score is the better one.

    Returns:
        For each number of deals from 1 on that at least `STILL_PLAYED` of the games have, one row for ``winner`` and one for ``second`` (``who``):
        ``deal``, ``games`` and ``quantiles``: the smallest scores that at least 5, 25, 50, 75 and 95 per cent of the games do not exceed.
    """
    looked = games.select("game", "deals", *(f"score_{seat}" for seat in range(seats))).sort("game").head(MOST_GAMES).collect(engine="streaming")
    within = pl.col("game").is_between(looked["game"][0], looked["game"][-1])
    rank = pl.concat_list(pl.col(f"score_{seat}").cast(pl.Int64) * (-1 if lowest_wins else 1) for seat in range(seats)).list.eval(
        pl.element().rank("ordinal", descending=True)
    )
    ranked = looked.select("game", rank=rank)
    rows = deals.filter(within).select("game", "deal", *(pl.col(f"points_{seat}").cast(pl.Int64) for seat in range(seats))).sort("game", "deal")
    scores = rows.collect(engine="streaming").with_columns(pl.col(f"points_{seat}").cum_sum().over("game") + start for seat in range(seats))
    together = scores.join(ranked, on="game")
    listed = []
    for who, place in (("winner", 1), ("second", 2)):
        own = pl.sum_horizontal(pl.when(pl.col("rank").list.get(seat) == place).then(pl.col(f"points_{seat}")).otherwise(0) for seat in range(seats))
        told = (
            together.select("deal", own=own)
            .group_by("deal")
            .agg(pl.len().alias("games"), *(pl.col("own").sort().get((q * pl.len()).ceil().cast(pl.Int64) - 1).alias(str(q)) for q in QUANTILES))
        )
        kept = told.filter(pl.col("games") >= STILL_PLAYED * looked.height)
        listed += [
            {"who": who, "deal": row["deal"], "games": row["games"], "quantiles": [row[str(q)] for q in QUANTILES]} for row in kept.iter_rows(named=True)
        ]
    return sorted(listed, key=lambda row: (row["deal"], row["who"] != "winner"))
