"""How strong are the strategies of a report? The built-in ones against each other, and those of its run without what they could be forbidden."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from experiments.restricted import restricted
from experiments.tournament import tournament
from simcore.strategy import available

if TYPE_CHECKING:
    from simcore.simulate import Table

SEATS = 2
"""Seats at which a matrix of pay-offs says who beats whom."""


def matches(table: Table) -> int:
    """Matches of a round robin of the game's built-in strategies; 0 where none can be played at this table."""
    number = len(available(table.game))
    return number * (number - 1) // 2 if table.players == SEATS else 0


def pay_offs(table: Table, games: int) -> dict[str, Any] | None:
    """Every built-in strategy of the game against every other.

    Args:
        table: The table of the run: its rules, number of seats and seed.
        games: Decks of each match.

    Returns:
        What `tournament` says, without what depends on the machine; None where the table has more than two seats or the game one strategy.

    Raises:
        StrategyError: A strategy does not compile, or made a move that the rules forbid.
    """
    if not matches(table):
        return None
    found = tournament(table.ruleset, list(available(table.game)), games, players=table.players, seed=table.seed)
    kept = ("games", "seed", "level", "even", "strategies", "win_share", "interval", "rating", "rating_interval", "cycles", "ladder")
    return {key: found[key] for key in kept}


def forbidden(table: Table) -> int:
    """Number of things that the strategies of a table could be forbidden and are not."""
    players = {str(player): player for player in table.seats}.values()
    return sum(param.restriction and not player.values[key] for player in players for key, param in player.strategy.params.items())


def without(table: Table, games: int) -> dict[str, Any] | None:
    """Every strategy of a table against itself without each thing that it could be forbidden.

    Args:
        table: The table of the run.
        games: Decks of each match.

    Returns:
        What `restricted` says, without what depends on the machine; None where no strategy declares a restriction.

    Raises:
        StrategyError: A strategy does not compile, or made a move that the rules forbid.
    """
    if not forbidden(table):
        return None
    names = list(dict.fromkeys(table.canonical_strategies))
    found = restricted(table.ruleset, names, games, players=table.players, seed=table.seed)
    return {key: found[key] for key in ("games", "seed", "level", "even", "restrictions")}
