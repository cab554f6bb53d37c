"""What is wrong with a ruleset: findings with a code, a severity, the items and rules they are about, and a game that shows it where there is one.

Rarity in hands is exact. Everything else is seen in games of a panel of strategies, and says nothing of players who play otherwise.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Final

import numpy as np

from experiments.containment import containments
from experiments.estimates import LEVEL, never, proportion
from experiments.ledger import Ledger
from experiments.lint_texts import message
from experiments.overview import exact_frequencies
from experiments.panel import Played, panel
from simcore.cards import Pack
from simcore.errors import InputError
from simcore.game import checker
from simcore.ruleset import Ruleset, default
from simcore.schema import written

SEVERITIES: Final = ("info", "warning", "error")
GROSS_RARITY: Final = 10.0
"""So many times as rare, and worth less than half as much: an inversion between categories that is an error."""
DOMINANT: Final = 0.5
"""Share of all points above which one item outweighs all others together."""
SURELY_MET: Final = 20.0
"""Expected number of times from which never is no chance: e^-20."""
FEW: Final = 30
"""With fewer times in play than this a count says too little of rarity."""
OPTION_GAMES: Final = 200
"""Games of each line-up that are played to see whether an option changes anything."""
RARE_GUARD: Final = 0.001
"""Share of games or deals up to which a guard that ends them is only worth a note."""


@dataclass(frozen=True)
class Finding:
    """Something that is wrong with a ruleset, or worth knowing.

    Attributes:
        code: What kind of thing; the page ``docs/lint.md`` has a section for each.
        severity: ``error``, ``warning`` or ``info``.
        items: Keys of items, options or endings that it is about; the one to change first.
        data: The numbers behind it.
        evidence: A game that shows it: ``strategies``, ``game``, ``seed``, ``command``.
    """

    code: str
    severity: str
    items: tuple[str, ...]
    data: dict[str, Any] = field(default_factory=dict)
    evidence: dict[str, Any] | None = None


def lint(
    ruleset: Ruleset,
    lineups: Sequence[Sequence[str]] = (),
    games: int = 2_000,
    players: int | None = None,
    seed: int = 1,
    threads: int | None = None,
    lang: str = "en",
) -> dict[str, Any]:
    """Looks a ruleset over.

    Args:
        ruleset: The rules.
        lineups: Who plays; without any every built-in strategy of the game against itself.
        games: Games of each line-up.
        players: Number of seats.
        seed: Seed of all games.
        threads: Threads; without it one a core.
        lang: Language of the messages, ``en`` or ``ru``.

    Returns:
        ``ruleset``, ``games`` (of each line-up), ``deals`` (of all), ``players``, ``seed``, ``strategies`` and ``findings``, worst first, each with
        ``code``, ``severity``, ``items``, ``message``, ``rules``, ``evidence``, ``data``.

    Raises:
        InputError: Something does not exist or is out of range.
        StrategyError: A strategy does not compile, or made a move that the rules forbid.
    """
    played = panel(ruleset, lineups, games, players, seed, threads)
    rarity, unreachable = rarity_in_hands(ruleset)
    inside = containments(ruleset)
    found = [*_dominated(ruleset, rarity, inside, played), *_inversions(ruleset, rarity, inside, played)]
    found += [
        *_unreachable(unreachable),
        *_unrewarded(ruleset, {key for each in found for key in each.items}),
        *_unseen(ruleset, played, unreachable),
        *_unwanted(ruleset, played),
        *_dominant(ruleset, played),
        *_guards(played),
        *_pointless(ruleset, played),
        *_idle_options(ruleset, lineups, played[0].table.players, seed, threads),
    ]
    found.sort(key=lambda finding: -SEVERITIES.index(finding.severity))
    return {
        "ruleset": ruleset.canonical,
        "games": games,
        "deals": sum(each.deals for each in played),
        "players": played[0].table.players,
        "seed": seed,
        "strategies": [each.name for each in played],
        "findings": [
            {
                "code": each.code,
                "severity": each.severity,
                "items": list(each.items),
                "message": message(each.code, each.items, each.data, ruleset, lang),
                "rules": rules_of(ruleset, each.items),
                "evidence": each.evidence,
                "data": each.data,
            }
            for each in found
        ],
    }


def rules_of(ruleset: Ruleset, keys: Sequence[str]) -> list[str]:
    """Numbers of the rules that items and options stand under."""
    found: dict[str, None] = {}
    for key in keys:
        for table in (ruleset.schema.points, ruleset.schema.counted, ruleset.schema.options):
            if key in table:
                found[table[key].rule] = None
    return list(found)


# ------------------------------------------------------------------------------------------------------------------
# Exact: hands


def rarity_in_hands(ruleset: Ruleset) -> tuple[dict[str, float], list[str]]:
    """Probability of each priced item in the largest hands that are counted, and the items that no hand of any size holds."""
    rarity, unreachable = _rarity(Ruleset(ruleset.schema, ruleset.options, default(ruleset.schema).points))
    return dict(rarity), list(unreachable)


@lru_cache(maxsize=16)
def _rarity(ruleset: Ruleset) -> tuple[tuple[tuple[str, float], ...], tuple[str, ...]]:
    """As `rarity_in_hands`, which owes nothing to the prices: all tables of the same options share it."""
    tables = exact_frequencies(ruleset)
    if not tables:
        return (), ()
    largest = tables[max(tables)]["items"]
    keys = [key for key in ruleset.points if largest.get(key) is not None]
    reachable = {key for table in tables.values() for key in keys if table["items"][key]["count"]}
    return tuple((key, largest[key]["probability"]) for key in keys if key in reachable), tuple(key for key in keys if key not in reachable)


def reward(ruleset: Ruleset, key: str) -> int:
    """What an item brings to who scores it: points, or points less where the lowest total wins."""
    return ruleset.points[key] * (-1 if ruleset.schema.lowest_wins else 1)


def rewards(ruleset: Ruleset) -> set[str]:
    """Items that are meant to bring something: played, and of categories in which some item does. A loose card does not; a row at 0 among rows is a mistake."""
    points = ruleset.schema.points
    paid = {points[key].category for key in ruleset.points if reward(ruleset, key) > 0}
    return {key for key in ruleset.points if points[key].category in paid and (ruleset.points[key] or not points[key].switch)}


def _unreachable(keys: Sequence[str]) -> Iterator[Finding]:
    if keys:
        yield Finding("unreachable-item", "error", tuple(keys))


def _dominated(ruleset: Ruleset, rarity: dict[str, float], inside: Mapping[tuple[str, str], int], played: Sequence[Played]) -> Iterator[Finding]:
    """Combinations that hold another one which is worth more, grouped as inversions are; with a hand, and a game in which somebody plays one all the same."""
    meant = rewards(ruleset)
    pairs = [(a, b) for a, b in inside if a in meant and max(0, reward(ruleset, a)) < reward(ruleset, b)]
    cards = Pack(ruleset.schema.pack)
    hands = {whole: cards.hand(inside[whole, part]) for whole, part in pairs}
    for found in _grouped("dominated-item", ruleset, rarity, [(*pair, True) for pair in pairs]):
        worse = found.data["rarer_and_cheaper"] or found.items[:1]
        yield replace(found, data=found.data | {"hands": {key: hands[key] for key in worse}}, evidence=_game_with(worse, played))


def _inversions(ruleset: Ruleset, rarity: dict[str, float], inside: Mapping[tuple[str, str], int], played: Sequence[Played]) -> Iterator[Finding]:
    """Pairs of which the rarer in hands is worth less, grouped by the item that takes part in most of them.

    Left out is what play turns round: where the one that is rarer in hands is clearly the more frequent one in play (an assembly also needs an order); and what
    is dominated, which says more.
    """
    category = {key: item.category for key, item in ruleset.schema.points.items()}
    counts = dict(zip(played[0].table.game.items, np.sum([each.counts for each in played], axis=0).tolist(), strict=True))
    within: list[tuple[str, str, bool]] = []
    across: list[tuple[str, str, bool]] = []
    flat: list[tuple[str, str]] = []
    for rare, common in rarer_pairs(ruleset, rarity, counts):
        worth, more = reward(ruleset, rare), reward(ruleset, common)
        gross = rarity[common] / rarity[rare] >= GROSS_RARITY and more >= 2 * worth
        alike, holds = category[rare] == category[common], (rare, common) in inside
        if worth < more and not holds:
            (within if alike else across).append((rare, common, alike or gross))
        elif worth == more and (alike or holds):
            flat.append((rare, common))
    yield from _flat(ruleset, rarity, flat)
    yield from _grouped("inversion", ruleset, rarity, within)
    yield from _grouped("inversion-between-categories", ruleset, rarity, across)


def _flat(ruleset: Ruleset, rarity: dict[str, float], pairs: Sequence[tuple[str, str]]) -> Iterator[Finding]:
    """What is worth the same though one is rarer than the other: all that hangs together by pairs, the rarest first."""
    groups: list[set[str]] = []
    for pair in pairs:
        joined = [group for group in groups if group & set(pair)]
        groups = [group for group in groups if group not in joined] + [set(pair).union(*joined)]
    for group in groups:
        keys = sorted(group, key=lambda key: rarity[key])
        data = {"price": ruleset.points[keys[0]], "times": rarity[keys[-1]] / rarity[keys[0]]}
        yield Finding("flat-reward", "warning", tuple(keys), data)


def rarer_pairs(ruleset: Ruleset, rarity: Mapping[str, float], counts: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """Pairs of which the first is rarer in hands and meant to be rewarded and the second is, without those that play turns round; ``counts``: times in play."""
    meant = rewards(ruleset)
    for rare in (key for key in rarity if key in meant):
        for common in (key for key in rarity if reward(ruleset, key) > 0):
            turned_round = counts[rare] >= FEW and counts[rare] > counts[common]
            if 0 < rarity[rare] < rarity[common] and not turned_round:
                yield rare, common


def _grouped(code: str, ruleset: Ruleset, rarity: dict[str, float], pairs: list[tuple[str, str, bool]]) -> Iterator[Finding]:
    while pairs:
        involved = [(rare, common) for rare, common, _ in pairs]
        keys = dict.fromkeys(key for pair in involved for key in pair)
        first = max(keys, key=lambda key: (sum(key in pair for pair in involved), rarity[key]))
        own = [pair for pair in pairs if first in pair[:2]]
        dear = [rare for rare, common, _ in own if common == first]
        cheap = [common for rare, common, _ in own if rare == first]
        severity = "error" if any(gross for *_, gross in own) else "warning"
        data = {"price": ruleset.points[first], "probability": rarity[first], "rarer_and_cheaper": dear, "commoner_and_dearer": cheap}
        yield Finding(code, severity, (first, *dear, *cheap), data)
        pairs = [pair for pair in pairs if first not in pair[:2]]


# ------------------------------------------------------------------------------------------------------------------
# Seen in play


def _evidence(played: Played, game: int) -> dict[str, Any]:
    return {"strategies": list(played.table.canonical_strategies), "game": game, "seed": played.table.seed, "command": played.command(game)}


def _game_with(keys: Sequence[str], played: Sequence[Played]) -> dict[str, Any] | None:
    """The first game, of the first line-up that has one, in which one of these items came up."""
    for each in played:
        tallies = each.batch.tallies
        of_them = np.isin(tallies["item"], [each.table.game.items.index(key) for key in keys])
        if of_them.any():
            return _evidence(each, int(tallies["game"][of_them][0]))
    return None


def _unseen(ruleset: Ruleset, played: Sequence[Played], unreachable: Sequence[str]) -> Iterator[Finding]:
    items = played[0].table.game.items
    counts = np.sum([each.counts for each in played], axis=0)
    dead = [key for key, count in zip(items, counts, strict=True) if not count and ruleset.points.get(key) and key not in unreachable]
    if dead:
        deals = sum(each.deals for each in played)
        bound = never(deals, LEVEL).high
        yield Finding("dead-item", "warning", tuple(dead), {"deals": deals, "bound": bound, "lineups": len(played)})


def _unwanted(ruleset: Ruleset, played: Sequence[Played]) -> Iterator[Finding]:
    """Items that players without any aim play, and all others never do though they had to by chance."""
    aimless = [each for each in played if each.name == "random"]
    others = [each for each in played if each.name != "random"]
    if not aimless or not others:
        return
    deals = sum(each.deals for each in others)
    counts = np.sum([each.counts for each in others], axis=0)
    expected = aimless[0].counts / aimless[0].deals * deals
    items = aimless[0].table.game.items
    due = dict(zip(items, expected.tolist(), strict=True))
    unwanted = [key for key, count in zip(items, counts, strict=True) if key in ruleset.points and not count and due[key] >= SURELY_MET]
    if unwanted:
        data = {"deals": deals, "expected": {key: due[key] for key in unwanted}}
        yield Finding("unwanted-item", "warning", tuple(unwanted), data, _game_with(unwanted, aimless))


def _dominant(ruleset: Ruleset, played: Sequence[Played]) -> Iterator[Finding]:
    """An item that brings more than half of all points, whoever plays on average."""
    items = played[0].table.game.items
    shares = np.mean([each.points / max(1, each.points.sum()) for each in played], axis=0)
    top = int(shares.argmax())
    if DOMINANT < shares[top] < 1:  # where nothing else scores, that is the game
        most = max(played, key=lambda each: float(each.points[top]) / max(1, each.points.sum()))
        data = {"share": float(shares[top]), "price": ruleset.points.get(items[top])}
        yield Finding("dominant-item", "warning", (items[top],), data, _game_with(items[top : top + 1], [most]))


def _guards(played: Sequence[Played]) -> Iterator[Finding]:
    """Endings that have the name of an option: limits that stop what might go on for ever."""
    for of in ("games", "deals"):
        words = played[0].table.game.enums[of].get("reason", ())
        for number, word in enumerate(words):
            if word not in played[0].table.ruleset.options:
                continue
            hits = [(each, getattr(each.batch, of)["reason"] == number) for each in played]
            count, total = sum(int(hit.sum()) for _, hit in hits), sum(len(hit) for _, hit in hits)
            if not count:
                continue
            worst, hit = max(hits, key=lambda pair: float(pair[1].mean()))
            first = int(getattr(worst.batch, of)["game"][hit][0])
            data = {"of": of, "count": count, "total": total, "share": proportion(count, total).to_dict(), "limit": worst.table.ruleset.options[word]}
            share = float(hit.mean())
            if of == "games" and share > DOMINANT:
                yield Finding("endless-game", "error", (word,), data | {"strategies": worst.name, "worst": share}, _evidence(worst, first))
            else:
                severity = "info" if count / total <= RARE_GUARD else "warning"
                yield Finding("guard-hit", severity, (word,), data | {"strategies": worst.name, "worst": share}, _evidence(worst, first))


def _pointless(ruleset: Ruleset, played: Sequence[Played]) -> Iterator[Finding]:
    """Prices without which every game would have had the same winner."""
    flips, games = decided(ruleset, played)
    idle = [key for key, count in flips.items() if not count]
    if idle:
        yield Finding("never-decides", "info", tuple(idle), {"games": games, "bound": never(games).high})


def decided(ruleset: Ruleset, played: Sequence[Played]) -> tuple[dict[str, int], int]:
    """In how many games each item that was played and has a price decides: without its points another player wins; and the number of games in all."""
    game = played[0].table.game
    counts = np.sum([each.counts for each in played], axis=0)
    keys = [key for key, count in zip(game.items, counts, strict=True) if count and ruleset.points.get(key)]
    flips = np.zeros(len(keys), int)
    games = 0
    for each in played:
        ledger = Ledger(game, ruleset, [each.batch], each.table.players, keys)
        games += ledger.games
        for place in range(len(keys)):
            prices = ledger.base.copy()
            prices[place] = 0
            flips[place] += int((np.abs(ledger.replay(prices).share - ledger.stored.share) > 1e-9).any(axis=1).sum())
    return dict(zip(keys, flips.tolist(), strict=True)), games


def _unrewarded(ruleset: Ruleset, told: Collection[str]) -> Iterator[Finding]:
    """Prices of 0, and prices that are a loss where others of their category are rewards; but for items that are found to be worth too little already."""
    rest = [key for key in ruleset.points if key not in told]
    losing = [key for key in rest if key in rewards(ruleset) and reward(ruleset, key) < 0]
    if losing:
        yield Finding("losing-item", "warning", tuple(losing))
    free = [key for key in rest if not ruleset.points[key]]
    if free:
        yield Finding("worthless-item", "info", tuple(free))


def _idle_options(ruleset: Ruleset, lineups: Sequence[Sequence[str]], players: int, seed: int, threads: int | None) -> Iterator[Finding]:
    """Options whose other values leave every row of every game as it is."""

    def rows(rules: Ruleset) -> list[bytes]:
        played = panel(rules, lineups, OPTION_GAMES, players, seed, threads)
        tables = [table for each in played for table in (each.batch.games, each.batch.deals, each.batch.tallies)]
        return [column.tobytes() for table in tables for column in _columns(table, players)]

    base = rows(ruleset)
    changed: list[tuple[str, str]] = []
    unused: list[tuple[str, str]] = []
    for key, option in ruleset.schema.options.items():
        values: Sequence[Any] = {"bool": (True, False), "choice": option.choices}.get(option.type, ())
        for value in values:
            if value == ruleset.options[key]:
                continue
            try:
                same = rows(ruleset.with_settings([f"options.{key}={written(value)}"], checker(ruleset.schema.key))) == base
            except InputError:
                continue  # this value does not go together with the others, or with so many players
            if same:
                (changed if value == option.default else unused).append((key, written(value)))
    for found, severity in ((changed, "warning"), (unused, "info")):
        if found:
            data = {"values": [f"{key}={value}" for key, value in found], "games": OPTION_GAMES, "players": players}
            yield Finding("idle-option", severity, tuple(dict.fromkeys(key for key, _ in found)), data)


def _columns(rows: np.ndarray, players: int) -> Iterator[np.ndarray]:
    """The columns of rows; of those by seat the seats that play."""
    for name in rows.dtype.names or ():
        yield rows[name] if rows[name].ndim == 1 else rows[name][:, :players]
