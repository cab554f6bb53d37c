"""What is a thing worth that a strategy does? Each strategy plays against itself forbidden that one thing, on the same decks from every seat.

Restricted play is from Jaffe, Miller, Andersen, Liu, Karlin and Popović, "Evaluating competitive game balance with restricted play" (2012). What can be
forbidden is declared by the strategies: parameters that are restrictions (`simcore.strategy.Param`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from experiments import estimates
from experiments.claims import holm
from experiments.estimates import LEVEL
from experiments.progress import Report
from experiments.tournament import canonical, meet
from simcore.errors import InputError
from simcore.simulate import Table

if TYPE_CHECKING:
    from simcore.ruleset import Ruleset


def restricted(
    ruleset: Ruleset,
    strategies: Sequence[str],
    games: int = 2_000,
    *,
    players: int | None = None,
    seed: int = 1,
    level: float = LEVEL,
    threads: int | None = None,
    progress: Report | None = None,
) -> dict[str, Any]:
    """Plays every strategy against itself under each of its restrictions.

    Args:
        ruleset: The rules.
        strategies: The strategies; those without restrictions are left out.
        games: Decks of each match.
        players: Number of seats; with more than two one full player meets restricted ones.
        seed: Seed of all games.
        level: Level of the intervals.
        threads: Threads; without it one a core.
        progress: Called now and then.

    Returns:
        ``ruleset``, ``players``, ``games``, ``seed``, ``level``, ``seconds``, ``even`` and ``restrictions``: ``strategy``, ``restriction``, ``doc``,
        ``win_share`` of the full strategy with ``interval``, ``verdict`` (``costs``: being free wins more than an even share beyond chance after
        Holm's correction; ``helps``: less; ``undecided``) and ``doubt``.

    Raises:
        InputError: No strategy declares a restriction, or something does not exist or is out of range.
        StrategyError: A strategy does not compile, or made a move that the rules forbid.
    """
    seats = Table(ruleset, strategies[:1] or ("random",), players, seed).players
    everyone: list[str] = []
    matches: list[tuple[int, int]] = []
    rows: list[dict[str, Any]] = []
    for name in canonical(ruleset, strategies, seats, seed):
        player = Table(ruleset, [name], seats, seed).seats[0]
        for key, param in player.strategy.params.items():
            if param.restriction and not player.values[key]:
                given = [f"{other}={value}" for other, value in player.values.items() if value != player.strategy.params[other].default]
                one, other = _place(everyone, name), _place(everyone, f"{player.name}({', '.join([*given, f'{key}=1'])})")
                matches.append((one, other))
                rows.append({"strategy": name, "restriction": key, "doc": param.doc})
    if not rows:
        raise InputError("none of these strategies declares anything that it could be forbidden")
    cells, _, _, seconds = meet(ruleset, everyone, matches, games, seats, seed, level, threads, progress)
    shares = [cells[match] for match in matches]
    doubts = holm([estimates.doubt(share, 1 / seats) for share in shares])
    for row, share, doubt in zip(rows, shares, doubts, strict=True):
        sure = doubt is not None and doubt < 1 - level
        verdict = "undecided" if not sure else "costs" if share.value > 1 / seats else "helps"
        row |= {"win_share": share.value, "interval": [share.low, share.high], "verdict": verdict, "doubt": doubt}
    return {
        "ruleset": ruleset.canonical,
        "players": seats,
        "games": games,
        "seed": seed,
        "level": level,
        "seconds": seconds * games,
        "even": 1 / seats,
        "restrictions": rows,
    }


def _place(names: list[str], name: str) -> int:
    """Position of a name, which is added where it is new."""
    if name not in names:
        names.append(name)
    return names.index(name)
