"""Made-up records in the true schema of a run, for the tests of estimates and reports.

The numbers obey the schema's arithmetic (score changes follow from the tallies, wins from the
scores) but no rules of play: how often an item occurs is drawn from fixed chances.
"""

from __future__ import annotations

from math import comb
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import polars as pl

from experiments.summary import summary
from simcore.schema import load_schema

RULES = Path(__file__).parent.parent / "simcore" / "games" / "kombinator" / "rules.toml"

KINDS = (
    "pair triple small_force large_force absolute_force small_row medium_row large_row great_row "
    "legendary_row small_queue medium_queue large_queue great_queue legendary_queue small_optima "
    "medium_optima large_optima great_optima legendary_optima dump marriage assembly jackpot superblow"
).split()
EXTRA = "small_force_beaten large_force_beaten absolute_force_beaten assembly_beaten court_card ace".split()
ITEMS = (*KINDS, *EXTRA, "weak_marriage")
POINTS = dict(
    zip(
        (*KINDS, *EXTRA, "weak_marriage"),
        (
            3,
            6,
            12,
            15,
            20,
            3,
            5,
            8,
            12,
            17,
            3,
            5,
            8,
            12,
            17,
            6,
            12,
            18,
            24,
            30,
            0,
            4,
            6,
            25,
            40,
            4,
            6,
            10,
            6,
            1,
            2,
            0,
        ),
        strict=True,
    )
)
ROLES = ("attack", "attack_beaten", "defence", "penalty")
LEADS = ("lowest_trump", "after_dealer", "went_out", "last_leader")
ENDINGS = ("out", "passes", "passes_full", "max_bouts", "game_over")
GAME_ENDINGS = ("score", "max_deals")

# Chance that a seat meets the item in a deal, by role; what is missing never happens.
CHANCES: dict[tuple[str, str], float] = {
    ("pair", "attack"): 0.55,
    ("pair", "attack_beaten"): 0.16,
    ("pair", "defence"): 0.22,
    ("triple", "attack"): 0.11,
    ("triple", "defence"): 0.008,
    ("small_force", "attack"): 0.0072,
    ("large_force", "attack"): 0.0031,
    ("absolute_force", "attack"): 0.0009,
    ("small_row", "attack"): 0.24,
    ("small_row", "attack_beaten"): 0.031,
    ("small_row", "defence"): 0.08,
    ("medium_row", "attack"): 0.052,
    ("large_row", "attack"): 0.0061,
    ("great_row", "attack"): 0.00047,
    ("small_queue", "attack"): 0.31,
    ("small_queue", "attack_beaten"): 0.044,
    ("small_queue", "defence"): 0.09,
    ("medium_queue", "attack"): 0.083,
    ("large_queue", "attack"): 0.0093,
    ("great_queue", "attack"): 0.0011,
    ("small_optima", "attack"): 0.091,
    ("small_optima", "defence"): 0.009,
    ("medium_optima", "attack"): 0.0134,
    ("large_optima", "attack"): 0.0012,
    ("great_optima", "attack"): 0.00004,
    ("dump", "attack"): 0.02,
    ("marriage", "attack"): 0.18,
    ("marriage", "defence"): 0.09,
    ("assembly", "attack"): 0.03,
    ("jackpot", "defence"): 0.0004,
    ("superblow", "attack"): 0.0002,
    ("small_force_beaten", "attack_beaten"): 0.0004,
    ("assembly_beaten", "attack_beaten"): 0.002,
    ("court_card", "defence"): 0.62,
    ("court_card", "penalty"): 0.35,
    ("ace", "defence"): 0.35,
    ("ace", "penalty"): 0.21,
    ("weak_marriage", "attack"): 0.011,
}


def tables(
    games: int = 300,
    seats: int = 2,
    seed: int = 0,
    first: int = 0,
    edge: float = 0.0,
    millionaire: bool = False,
) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """The three tables (games, deals, tallies) of `games` made-up games.

    `edge` raises the chances of seat 0 by that share, so that it tends to win.
    """
    rng = np.random.default_rng([seed, first])
    lengths = 2 + rng.negative_binomial(4, 0.32, games)
    last = np.cumsum(lengths)
    total = int(last[-1])
    game = np.repeat(np.arange(games), lengths)
    deal = np.arange(total) - np.repeat(last - lengths, lengths) + 1
    changes = np.zeros((total, seats), np.int64)
    parts: list[tuple[Any, ...]] = []
    for (item, role), chance in CHANCES.items():
        for seat in range(seats):
            hits = np.flatnonzero(rng.random(total) < chance * (1 + edge * (seat == 0)))
            count = 1 + rng.binomial(2, 0.2, hits.size) if item in {"pair", "court_card", "ace"} else np.ones_like(hits)
            points = count * POINTS[item]
            if item == "jackpot":
                changes[hits, seat] += points
            elif role == "penalty":
                changes[hits, seat] -= points
            else:
                changes[hits, (seat - 1 if role == "defence" else seat + 1) % seats] -= points
            parts.append((hits, np.full_like(hits, seat), ITEMS.index(item), ROLES.index(role), count, points))
    rows = np.concatenate([part[0] for part in parts])
    seat_column = np.concatenate([part[1] for part in parts])
    item_column = np.concatenate([np.full(part[0].size, part[2]) for part in parts])
    role_column = np.concatenate([np.full(part[0].size, part[3]) for part in parts])
    count_column = np.concatenate([part[4] for part in parts])
    points_column = np.concatenate([part[5] for part in parts])
    order = np.lexsort((role_column, item_column, seat_column, rows))
    tallies = pl.DataFrame(
        {
            "game": game[rows[order]] + first,
            "deal": deal[rows[order]].astype(np.int32),
            "seat": seat_column[order].astype(np.uint8),
            "item": _words(item_column[order], ITEMS),
            "role": _words(role_column[order], ROLES),
            "count": count_column[order].astype(np.uint16),
            "points": points_column[order].astype(np.int32),
        }
    )

    leader = rng.integers(0, seats, total)
    is_last = np.zeros(total, bool)
    is_last[last - 1] = True
    reason = rng.choice(3, total, p=[0.93, 0.06, 0.01])
    reason[is_last] = ENDINGS.index("game_over")
    lead = np.where(deal == 1, rng.choice(2, total, p=[0.97, 0.03]), np.where(rng.random(total) < 0.93, 2, 0))
    deals = pl.DataFrame(
        {
            "game": game + first,
            "deal": deal.astype(np.int32),
            "dealer": ((leader - 1) % seats).astype(np.uint8),
            "leader": leader.astype(np.uint8),
            "lead": _words(lead, LEADS),
            "reason": _words(reason, ENDINGS),
            "out": np.where(reason == 0, 1 << rng.integers(0, seats, total), 0).astype(np.uint16),
            "bouts": (4 + rng.negative_binomial(6, 0.42, total)).astype(np.uint16),
            **{f"points_{seat}": changes[:, seat].astype(np.int32) for seat in range(seats)},
        }
    )
    scores = 100 + np.add.reduceat(changes, last - lengths, axis=0)
    best = scores == scores.max(axis=1, keepdims=True)
    shares = best / best.sum(axis=1, keepdims=True)
    columns: dict[str, Any] = {
        "game": np.arange(games) + first,
        "deals": lengths.astype(np.int32),
        "dealer": deals["dealer"].to_numpy()[last - lengths],
        "leader": deals["leader"].to_numpy()[last - lengths],
        "reason": _words(np.zeros(games, np.int64), GAME_ENDINGS),
        **{f"score_{seat}": scores[:, seat].astype(np.int32) for seat in range(seats)},
        **{f"share_{seat}": shares[:, seat] for seat in range(seats)},
    }
    if millionaire:
        stages = rng.binomial(15, 0.3, (games, seats))
        columns |= {f"stage_{seat}": stages[:, seat].astype(np.uint8) for seat in range(seats)}
        columns |= {f"payout_{seat}": (shares[:, seat] - 1 / seats) * 100.0 for seat in range(seats)}
    return pl.DataFrame(columns), deals, tallies


def ruleset(**changes: Any) -> Any:
    """A ruleset with the game's own schema: its defaults and the changes."""
    schema = load_schema(RULES)
    options = {key: option.default for key, option in schema.options.items()}
    points = {key: item.points for key, item in schema.points.items()}
    for key, value in changes.items():
        (points if key in points and isinstance(value, int) else options)[key] = value
    said = ", ".join(f"{key}={value}" for key, value in changes.items())
    canonical = f"{schema.key}({said})" if said else schema.key
    return SimpleNamespace(schema=schema, options=options, points=points, canonical=canonical)


def info(games: int, seats: int = 2, **changes: Any) -> dict[str, Any]:
    """What ``run.json`` says of such a run."""
    fields: dict[str, Any] = {
        "format": 1,
        "game": "kombinator",
        "ruleset": "kombinator",
        "strategies": ["greedy", "counter", "builder(patience=2)"][:seats],
        "players": seats,
        "seed": 1,
        "games": games,
        "batch": 1000,
        "finished": True,
        "versions": {
            "python": "3.11.7",
            "numpy": "2.4.6",
            "numba": "0.68.1",
            "polars": "2.1.0",
            "simcore": "0.1.0",
        },
        "source_hash": "3f1c9a5be0d24477",
        "machine": "x86_64, 2 cores",
        "command": f"simcore run kombinator --games {games} --strategy greedy --strategy counter --seed 1",
        "started": "2026-01-05T10:11:12+00:00",
        "seconds": 12.5,
        "tallies_hash": "8d2f00aa13c4e6b7",
    }
    return fields | changes


def frequencies() -> dict[int, dict[str, Any]]:
    """Made-up exact frequencies in the contract of ``simcore freq --json``, for hands of 1 to 7 cards."""
    needs = {
        "pair": 2,
        "triple": 3,
        "small_force": 4,
        "large_force": 4,
        "absolute_force": 4,
        "marriage": 2,
        "assembly": 4,
    }
    for family in ("row", "queue", "optima"):
        for size, name in enumerate(("small", "medium", "large", "great", "legendary"), start=3):
            needs[f"{name}_{family}"] = size
    table: dict[int, dict[str, Any]] = {}
    for cards in range(1, 8):
        hands = comb(36, cards)
        items: dict[str, dict[str, Any] | None] = {}
        for position, key in enumerate(KINDS):
            if key in needs:
                chance = 0.0 if needs[key] > cards else 0.6 * 0.3 ** (needs[key] - 2) * (cards / 7) / (1 + position / 9)
                count = round(hands * chance)
                items[key] = {"count": count, "probability": count / hands}
            else:
                items[key] = None
        table[cards] = {
            "cards": cards,
            "hands": hands,
            "items": items,
            "points": [[0, hands // 2], [3, hands - hands // 2]],
        }
    return table


def _words(codes: np.ndarray, words: tuple[str, ...]) -> pl.Series:
    """A column of words from their positions."""
    return pl.Series(np.asarray(codes, np.uint32)).replace_strict(old=list(range(len(words))), new=list(words), return_dtype=pl.Enum(words))


def summed(seats: int = 2, games: int = 150, *, counted: bool = True, millionaire: bool = False, **run: Any) -> Any:
    """The summary of a made-up run (`experiments.summary.summary`), with exact frequencies if ``counted``; ``run`` is what else ``run.json`` says."""
    made = tables(games, seats, seed=3, edge=0.05, millionaire=millionaire)
    rules = ruleset(millionaire=True, pair=4) if millionaire else ruleset()
    return summary(info(games, seats, **run), rules, *(table.lazy() for table in made), frequencies() if counted else None)
