"""Exact frequencies beside the same from simulated deals, and beside hands that strategies held in play.

A game takes part by a module ``simcore.games.<game>.frequencies`` with `exact`, `sampled` and `measure`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from scipy import stats

from experiments.estimates import LEVEL, Estimate, Sums, never, proportion, ratio
from simcore.chance import decks
from simcore.errors import InputError

if TYPE_CHECKING:
    from simcore.ruleset import Ruleset

RISK: Final = 1e-6
"""Probability with which `agreement` finds a disagreement although there is none, at most."""

DEALS_AT_ONCE: Final = 1 << 16
"""Decks that are held in memory together."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One number of a sample that cannot be chance.

    Attributes:
        what: Which number: ``items.pair``, ``points.12``, ``disjoint.2``, ``trump.turned.pair.with_trump``.
        probability: What is exact.
        count: How often it was met.
        hands: In how many hands.
        doubt: Probability of a count at least this far out, on either side.
    """

    what: str
    probability: float
    count: int
    hands: int
    doubt: float


def frequencies(
    ruleset: Ruleset, cards: int, deals: int, seed: int, first: int = 0, level: float = LEVEL
) -> dict[str, Any]:
    """Exact frequencies of hands of so many cards, with those of simulated deals beside them.

    Args:
        ruleset: Says what is counted and what it is worth.
        cards: Cards in the hand.
        deals: Deals to simulate, see `dealt_hands`.
        seed: Seed of the shuffles.
        first: Number of the first game.
        level: Level of each interval.

    Returns:
        What the game's `exact` returns and, under ``simulated``: ``deals``, ``seed``, ``first``; ``items``,
        ``points``, ``disjoint`` and ``trump`` of the sample, each number ``{"count", "probability", "low",
        "high", "n", "method", "level"}`` (see `estimates.proportion`); ``agreement`` with ``tests`` (how
        many numbers were compared), ``risk`` and ``disagreements`` (see `Disagreement`).

    Raises:
        InputError: The game has no frequencies, its hands never have so many cards, or there are no deals.
    """
    if deals < 1:
        raise InputError(f"deals must be at least 1, not {deals}")
    game = _module(ruleset)
    truth: dict[str, Any] = game.exact(ruleset, cards)
    hands, trumps = dealt_hands(4 * len(ruleset.schema.pack), cards, deals, seed, first)
    sample = game.sampled(ruleset, cards, hands, trumps)
    simulated: dict[str, Any] = {"deals": deals, "seed": seed, "first": first}
    simulated |= _each_number(
        sample, lambda _, count, n: _shown(count, proportion(count, n, level) if n else None)
    )
    simulated["agreement"] = {
        "tests": len(_compared(truth, sample)),
        "risk": RISK,
        "disagreements": [asdict(each) for each in agreement(truth, sample)],
    }
    return truth | {"simulated": simulated}


def dealt_hands(
    pack: int, cards: int, deals: int, seed: int, first: int = 0
) -> tuple[np.ndarray, np.ndarray]:
    """One hand of each of many deals: independent of each other, since of every deck only one is taken.

    Args:
        pack: Cards in the pack.
        cards: Cards in the hand: the first so many of the deck. The last card of the deck is turned up.
        deals: Number of deals: the first ones of the games from ``first`` on.
        seed: Seed of the shuffles.
        first: Number of the first game.

    Returns:
        hands: int64[deals], masks.
        trumps: int8[deals], suit of the card turned up.
    """
    hands = np.empty(deals, np.int64)
    trumps = np.empty(deals, np.int8)
    for start in range(0, deals, DEALS_AT_ONCE):
        here = slice(start, min(start + DEALS_AT_ONCE, deals))
        shuffled = decks(pack, here.stop - start, seed, first + start)
        hands[here] = (1 << shuffled[:, :cards]).sum(axis=1)
        trumps[here] = shuffled[:, -1] & 3
    return hands, trumps


def agreement(exact: Mapping[str, Any], sampled: Mapping[str, Any], risk: float = RISK) -> list[Disagreement]:
    """What in a sample of independent hands cannot be chance, if the exact frequencies are right.

    Each count is binomial. It is in doubt by twice the smaller of its two exact tails, and disagrees where
    that is below ``risk`` divided by the number of counts (Bonferroni), so that a right sample passes with at
    least 1 - risk, however the counts depend on each other. What only one side knows has the count, or the
    probability, 0 on the other; a table that was not sampled is not compared.

    Args:
        exact: What `exact` of a game returned.
        sampled: What `sampled` of a game returned, for hands of as many cards.
        risk: Probability of a false alarm, at most.

    Returns:
        The disagreements, the gravest first.

    Raises:
        ValueError: The two are about hands of different numbers of cards.
    """
    if exact["cards"] != sampled["cards"]:
        raise ValueError(f"hands of {exact['cards']} cards are not hands of {sampled['cards']}")
    compared = _compared(exact, sampled)
    probabilities, counts, hands = (np.array(column) for column in zip(*compared.values(), strict=True))
    below = stats.binom.cdf(counts, hands, probabilities)
    above = stats.binom.sf(counts - 1, hands, probabilities)
    doubts = np.minimum(1.0, 2 * np.minimum(below, above))
    found = [
        Disagreement(what, float(probability), int(count), int(n), float(doubt))
        for (what, (probability, count, n)), doubt in zip(compared.items(), doubts, strict=True)
        if doubt < risk / len(compared)
    ]
    return sorted(found, key=lambda each: each.doubt)


def held_in_play(
    ruleset: Ruleset,
    cards: int,
    hands: np.ndarray,
    trumps: np.ndarray,
    games: np.ndarray,
    level: float = LEVEL,
) -> dict[str, Any]:
    """Frequencies of hands that somebody held in play, where the hands of one game depend on each other.

    Args:
        ruleset: Says what is counted and what it is worth.
        cards: Which hands to look at: those of so many cards.
        hands: int64[n], masks of hands of any numbers of cards.
        trumps: int[n], the trump suit of each, -1 without trump.
        games: int64[n], the game in which each was held.
        level: Level of each interval.

    Returns:
        ``cards``; ``games``: in how many games such a hand was held; and the tables of ``simulated`` of
        `frequencies`, with games as clusters (see `estimates.ratio`). Where there was no such hand, every
        probability is None and has no interval.
    """
    game = _module(ruleset)
    chosen = np.bitwise_count(hands) == cards
    hands, trumps = hands[chosen], trumps[chosen]
    numbers, place = np.unique(games[chosen], return_inverse=True)
    sample = game.sampled(ruleset, cards, hands, trumps)
    rows = game.measure(ruleset, hands, trumps)
    keys = list(sample["items"])

    def clustered(what: str, count: int, n: int) -> dict[str, Any]:
        table, *path = what.split(".")
        among = np.ones(len(hands), bool)
        if table == "items":
            there = rows.held >> keys.index(path[0]) & 1
        elif table == "trump":
            there = getattr(rows, path[2]) >> keys.index(path[1]) & 1
            among = trumps >= 0
        else:
            there = getattr(rows, table) == int(path[0])
        x, y = (np.bincount(place, column, len(numbers)) for column in (there, among))
        return _shown(count, _per_hand(x, y, level) if n else None)

    return {"cards": cards, "games": len(numbers)} | _each_number(sample, clustered)


def _per_hand(x: np.ndarray, y: np.ndarray, level: float) -> Estimate:
    """Share of hands, of which each game (an element of the arrays) has y and x of them count."""
    never_in_a_game = never(len(y), level)
    bound = never_in_a_game.high
    assert bound is not None
    if not x.any():
        return never_in_a_game
    if np.array_equal(x, y):
        return replace(never_in_a_game, value=1.0, low=1.0 - bound, high=1.0, method="always")
    found = ratio(Sums(len(y), x.sum(), y.sum(), (x * x).sum(), (x * y).sum(), (y * y).sum()), level)
    if found.low is None or found.high is None:
        return found
    return replace(found, low=max(0.0, found.low), high=min(1.0, found.high))


def _shown(count: int, estimate: Estimate | None) -> dict[str, Any]:
    """A number of a sample as it stands in the result: the words of the exact one, and the interval."""
    if estimate is None:
        return {"count": count, "probability": None}
    fields = estimate.to_dict()
    return {"count": count, "probability": fields.pop("value")} | fields


def _each_number(result: Mapping[str, Any], show: Callable[[str, int, int], Any]) -> dict[str, Any]:
    """The tables of a result with every number replaced by ``show(what, count, hands)``."""
    hands = result["hands"]

    def items(table: Mapping[str, Any], show_item: Callable[[str, Any], Any]) -> dict[str, Any]:
        return {key: None if item is None else show_item(key, item) for key, item in table.items()}

    def distribution(name: str) -> list[list[Any]]:
        return [[value, show(f"{name}.{value}", count, hands)] for value, count in result[name]]

    def trump(name: str, table: Mapping[str, Any]) -> dict[str, Any]:
        def both(key: str, item: Mapping[str, Any]) -> dict[str, Any]:
            return {
                how: show(f"trump.{name}.{key}.{how}", number["count"], table["hands"])
                for how, number in item.items()
            }

        return {"hands": table["hands"], "items": items(table["items"], both)}

    return {
        "hands": hands,
        "items": items(result["items"], lambda key, item: show(f"items.{key}", item["count"], hands)),
        "points": distribution("points"),
        "disjoint": distribution("disjoint"),
        "trump": {name: table and trump(name, table) for name, table in result["trump"].items()},
    }


def _numbers(result: Mapping[str, Any]) -> dict[str, tuple[int, int]]:
    """Count, and number of hands, of everything in a result, by what it is."""
    found: dict[str, tuple[int, int]] = {}
    _each_number(result, lambda what, count, hands: found.setdefault(what, (count, hands)))
    return found


def _compared(exact: Mapping[str, Any], sampled: Mapping[str, Any]) -> dict[str, tuple[float, int, int]]:
    """By what it is, each number to compare: exact probability, count in the sample, hands in the sample."""
    truth, sample = _numbers(exact), _numbers(sampled)
    missing = [what for what in truth if what not in sample and not what.startswith("trump.")]
    sample |= {what: (0, sampled["hands"]) for what in missing}
    compared = {}
    for what, (count, hands) in sample.items():
        of, total = truth.get(what, (0, 1))
        compared[what] = (of / total, count, hands)
    return compared


def _module(ruleset: Ruleset) -> ModuleType:
    """The module of the ruleset's game that counts hands."""
    name = f"simcore.games.{ruleset.schema.key}.frequencies"
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not name.startswith(error.name):
            raise
        raise InputError(f"{ruleset.schema.key} has no frequencies of hands") from error
