"""simcore: card games by their rulebooks, at hundreds of thousands of deals a second.

In a notebook::

    import simcore
    rules = simcore.rules("kombinator", pair=4)
    result = simcore.play(rules, ["greedy", "random"], games=20_000, seed=1)
    result.tallies.group_by("item").agg(points=pl.col("points").sum())

Names are loaded when they are first used, so importing this package takes no time.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from simcore.api import Result, frequencies, play, replay, rules
    from simcore.errors import InputError, StrategyError
    from simcore.strategy import Param, Strategy

_HOMES = {
    "rules": "simcore.api",
    "play": "simcore.api",
    "replay": "simcore.api",
    "frequencies": "simcore.api",
    "Result": "simcore.api",
    "Strategy": "simcore.strategy",
    "Param": "simcore.strategy",
    "InputError": "simcore.errors",
    "StrategyError": "simcore.errors",
}

__all__ = ["InputError", "Param", "Result", "Strategy", "StrategyError", "frequencies", "play", "replay", "rules"]


def __getattr__(name: str) -> Any:
    """Load a public name from the module it lives in."""
    if name not in _HOMES:
        raise AttributeError(f"module 'simcore' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    """The public names."""
    return list(__all__)
