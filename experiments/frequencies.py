"""Exact frequencies beside the same from simulated deals, and beside hands that strategies held in play.

A game takes part by a module ``simcore.games.<game>.frequencies`` with

- ``sizes(ruleset)``: the numbers of cards that are counted where nothing else is said, and ``dealt(ruleset)``: the one that is dealt;
- ``exact(ruleset, cards)``: tables of all hands of so many cards;
- ``observe(ruleset, cards, rows)``: the same tables over given hands, with an array in place of each number (see `tallied`);
- where more than the hand matters, ``rows_of(decks, cards)``: the hands of deals as rows with a field ``hand`` and the game's own fields;
- where an option says how many cards the pack has, ``pack_size(ruleset)``.

Tables are nested dictionaries. In those of ``exact`` a number is ``{"count", "probability"}``, a distribution is ``[[value, count], ...]``, and None stands
for what is no matter of a hand. ``hands`` says of how many hands a table is; a table without it is of as many as the one that it stands in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from experiments.estimates import LEVEL, Estimate, Sums, never, proportion, ratio
from simcore.cards import Pack
from simcore.chance import decks
from simcore.errors import InputError
from simcore.exact import first_cards, sizes_of
from simcore.game import frequencies_of

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
        what: Which number: its place in the tables, such as ``items.pair`` or ``points.12``.
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


def frequencies(ruleset: Ruleset, cards: int, deals: int, seed: int, first: int = 0, level: float = LEVEL) -> dict[str, Any]:
    """Exact frequencies of hands of so many cards, with those of simulated deals beside them.

    Args:
        ruleset: Says what is counted and what it is worth.
        cards: Cards in the hand.
        deals: Deals to simulate, see `sampled`.
        seed: Seed of the shuffles.
        first: Number of the first game.
        level: Level of each interval.

    Returns:
        What the game's `exact` returns and, under ``simulated``: ``deals``, ``seed``, ``first``; the tables of the sample, each number ``{"count",
        "probability", "low", "high", "n", "method", "level"}`` (see `estimates.proportion`); ``agreement`` with ``tests`` (how many numbers were
        compared), ``risk`` and ``disagreements`` (see `Disagreement`).

    Raises:
        InputError: The game has no frequencies, its hands never have so many cards, or there are no deals.
    """
    truth: dict[str, Any] = frequencies_of(ruleset.schema.key).exact(ruleset, cards)
    sample = sampled(ruleset, cards, deals, seed, first)
    simulated: dict[str, Any] = {"deals": deals, "seed": seed, "first": first}
    simulated |= _each_number(sample, lambda _, count, n: _shown(count, proportion(count, n, level) if n else None))
    simulated["agreement"] = {
        "tests": len(_compared(truth, sample)),
        "risk": RISK,
        "disagreements": [asdict(each) for each in agreement(truth, sample)],
    }
    return truth | {"simulated": simulated}


def sampled(ruleset: Ruleset, cards: int, deals: int, seed: int, first: int = 0) -> dict[str, Any]:
    """The tables of `exact` over one hand of each of many deals: independent of each other, since of every deck only one is taken.

    Args:
        ruleset: Says what is counted and what it is worth.
        cards: Cards in the hand: the first so many of the deck.
        deals: Number of deals: the first ones of the games from ``first`` on.
        seed: Seed of the shuffles.
        first: Number of the first game.

    Raises:
        InputError: The game has no frequencies, its hands never have so many cards, or there are no deals.
    """
    if deals < 1:
        raise InputError(f"deals must be at least 1, not {deals}")
    game = frequencies_of(ruleset.schema.key)
    found: dict[str, Any] | None = None
    for start in range(0, deals, DEALS_AT_ONCE):
        rows = dealt_hands(ruleset, cards, min(DEALS_AT_ONCE, deals - start), seed, first + start)
        part = tallied(cards, len(rows), game.observe(ruleset, cards, rows))
        found = part if found is None else _added(found, part)
    assert found is not None
    return found


def dealt_hands(ruleset: Ruleset, cards: int, deals: int, seed: int, first: int = 0) -> np.ndarray:
    """The first hand of the first deal of games ``first`` to ``first + deals - 1``: rows with ``hand`` (`simcore.exact.sizes_of`) and what else is needed."""
    game = frequencies_of(ruleset.schema.key)
    size: int = game.pack_size(ruleset) if hasattr(game, "pack_size") else Pack(ruleset.schema.pack, ruleset.schema.packs).size
    rows: np.ndarray = getattr(game, "rows_of", first_cards)(decks(size, deals, seed, first), cards)
    return rows


def tallied(cards: int, hands: int, observed: Mapping[str, Any]) -> dict[str, Any]:
    """The tables that a game's ``observe`` stands for.

    Args:
        cards: Cards in each hand.
        hands: Number of hands; may be 0, every probability is None then.
        observed: Tables over the hands, with an array (an element a hand) in place of each number: bool, whether the hand counts, for a number; int64,
            its value, for a distribution. ``hands`` (bool) says which hands a table is of, in whichever of them stands none it is of all.

    Returns:
        The tables as `exact` has them.
    """

    def table(entry: Any, among: np.ndarray, n: int) -> Any:
        if entry is None:
            return None
        if isinstance(entry, Mapping):
            if "hands" in entry:
                among = entry["hands"]
                n = int(np.count_nonzero(among))
                return {"hands": n} | {key: table(each, among, n) for key, each in entry.items() if key != "hands"}
            return {key: table(each, among, n) for key, each in entry.items()}
        if entry.dtype == bool:
            count = int(np.count_nonzero(entry & among))
            return {"count": count, "probability": count / n if n else None}
        values, counts = np.unique(entry[among], return_counts=True)
        return [[int(value), int(count)] for value, count in zip(values, counts, strict=True)]

    tables: dict[str, Any] = table(observed, np.ones(hands, bool), hands)
    return {"cards": cards, "hands": hands} | tables


def agreement(exact: Mapping[str, Any], sampled: Mapping[str, Any], risk: float = RISK) -> list[Disagreement]:
    """What in a sample of independent hands cannot be chance, if the exact frequencies are right.

    Each count is binomial. It is in doubt by twice the smaller of its two exact tails, and disagrees where that is below ``risk`` divided by the number of
    counts (Bonferroni), so that a right sample passes with at least 1 - risk, however the counts depend on each other. A value of a distribution that only
    one side knows has the count, or the probability, 0 on the other; a table that only one side has is not compared.

    Args:
        exact: What `exact` of a game returned.
        sampled: What `tallied` returned, for hands of as many cards.
        risk: Probability of a false alarm, at most.

    Returns:
        The disagreements, the gravest first.

    Raises:
        ValueError: The two are about hands of different numbers of cards.
    """
    from scipy import stats

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


def held_in_play(ruleset: Ruleset, cards: int, rows: np.ndarray, level: float = LEVEL) -> dict[str, Any]:
    """Frequencies of hands that somebody held in play, where the hands of one game depend on each other.

    Args:
        ruleset: Says what is counted and what it is worth.
        cards: Which hands to look at: those of so many cards.
        rows: Hands of any numbers of cards: rows with ``game``, ``hand`` and what else the game needs, see `simcore.simulate.Engine.hands`.
        level: Level of each interval.

    Returns:
        ``cards``; ``games``: in how many games such a hand was held; and the tables of ``simulated`` of `frequencies`, with games as clusters (see
        `estimates.ratio`). Where there was no such hand, every probability is None and has no interval.
    """
    rows = rows[sizes_of(rows["hand"]) == cards]
    observed = frequencies_of(ruleset.schema.key).observe(ruleset, cards, rows)
    numbers, place = np.unique(rows["game"], return_inverse=True)

    def clustered(what: str, count: int, n: int) -> dict[str, Any]:
        there, among = _chosen(observed, what, len(rows))
        x, y = (np.bincount(place, column, len(numbers)) for column in (there & among, among))
        return _shown(count, _per_hand(x, y, level) if n else None)

    return {"cards": cards, "games": len(numbers)} | _each_number(tallied(cards, len(rows), observed), clustered)


def _chosen(observed: Mapping[str, Any], what: str, hands: int) -> tuple[np.ndarray, np.ndarray]:
    """Which hands a number counts, and which of them its table is of (two times bool[hands])."""
    entry: Any = observed
    among = np.ones(hands, bool)
    for step in what.split("."):
        if not isinstance(entry, Mapping):
            return entry == int(step), among
        among = entry.get("hands", among)
        entry = entry[step]
    return entry, among


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


def _is_number(entry: Any) -> bool:
    return isinstance(entry, Mapping) and "probability" in entry


def _each_number(result: Mapping[str, Any], show: Callable[[str, int, int], Any]) -> dict[str, Any]:
    """The tables of a result with every number replaced by ``show(what, count, hands)``."""

    def walk(entry: Any, what: str, hands: int) -> Any:
        if _is_number(entry):
            return show(what, entry["count"], hands)
        if isinstance(entry, list):
            return [[value, show(f"{what}.{value}", count, hands)] for value, count in entry]
        if isinstance(entry, Mapping):
            inside = entry.get("hands", hands)
            return {key: walk(each, f"{what}.{key}" if what else key, inside) for key, each in entry.items()}
        return entry

    found: dict[str, Any] = walk(result, "", 0)
    del found["cards"]
    return found


def _added(a: Any, b: Any) -> Any:
    """The tables of two samples as those of one."""
    if _is_number(a):
        return {"count": a["count"] + b["count"], "probability": None}
    if isinstance(a, list):
        counts = dict(a)
        for value, count in b:
            counts[value] = counts.get(value, 0) + count
        return [list(row) for row in sorted(counts.items())]
    if isinstance(a, Mapping):
        return {key: each if key == "cards" else _added(each, b[key]) for key, each in a.items()}
    return None if a is None else a + b


def _compared(exact: Mapping[str, Any], sample: Mapping[str, Any]) -> dict[str, tuple[float, int, int]]:
    """By what it is, each number to compare: exact probability, count in the sample, hands in the sample."""

    def walk(truth: Any, seen: Any, what: str, total: int, hands: int) -> Iterator[tuple[str, tuple[float, int, int]]]:
        if _is_number(truth):
            yield what, (truth["count"] / total, seen["count"], hands)
        elif isinstance(truth, list):
            of, met = dict(truth), dict(seen)
            for value in sorted({*of, *met}):
                yield f"{what}.{value}", (of.get(value, 0) / total, met.get(value, 0), hands)
        elif isinstance(truth, Mapping):
            total, hands = truth.get("hands", total), seen.get("hands", hands)
            for key, each in truth.items():
                if each is not None and seen.get(key) is not None:
                    yield from walk(each, seen[key], f"{what}.{key}" if what else key, total, hands)

    return dict(walk(exact, sample, "", 0, 0))
