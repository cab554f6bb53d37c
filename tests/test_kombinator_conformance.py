"""Random games of every ruleset against the slow referee of `model`, and what must hold of all games."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from kombinator_positions import ITEMS, PACK, ROLES, SHED, Bench, player, ruleset, table_of
from model.kombinator import check_game
from model.kombinator_choices import (
    Attack,
    AttackPosition,
    Beat,
    DefencePosition,
    Pass,
    Yield,
    attack_choices,
    defence_choices,
)
from scipy.stats import chisquare

from simcore.compiled import kernel
from simcore.games.kombinator import names
from simcore.games.kombinator.combinations import MAX_FOUND, find
from simcore.games.kombinator.view import WORK
from simcore.records import points_total, tallies_hash
from simcore.simulate import Table

GOLDEN = Path(__file__).parent / "golden"

# Every option away from its default, some together.
VARIANTS: list[tuple[str, ...]] = [
    (),
    ("nine_player_trump=none",),
    ("lead_after_passes=last_leader",),
    ("loose_cards_in_attack=true", "start_score=40"),
    ("repeat_marriage=illegal",),
    ("beaten_marriage_counts=true",),
    ("superblow=adds",),
    ("superblow_in_composite=false",),
    ("take_after_forced_pass=false",),
    ("credit_per=combination",),
    ("millionaire=true", "stake=3"),
    ("millionaire=true", "superblow_counts_as_force=false", "weak_marriage_passes_stage=false", "repeat_marriage=zero"),
    ("hand_size=6", "hand_limit=6"),
    ("hand_size=2", "hand_limit=5"),
    ("hand_size=1", "hand_limit=3"),
    ("hand_size=7", "start_score=60"),
    ("max_bouts=6",),
    ("start_score=1000", "max_deals=3"),
    ("start_score=10",),
    ("superblow=adds", "superblow_in_composite=false", "loose_cards_in_attack=true", "credit_per=combination", "beaten_marriage_counts=true"),
]
PLAYERS = (2, 3, 4, 5, 6, 7, 8, 9)


def tallies_of(table: Table, rows: np.ndarray) -> dict[tuple[int, int, str, str], tuple[int, int]]:
    return {(int(r["deal"]), int(r["seat"]), ITEMS[r["item"]], ROLES[r["role"]]): (int(r["count"]), int(r["points"])) for r in rows}


def rows_of(rows: np.ndarray, game: int) -> np.ndarray:
    return rows[rows["game"] == game]


def check_against_model(table: Table, games: int, first: int = 0) -> Counter[tuple[str, str]]:
    """Every game's transcript passes the referee, whose summary is what the rows of the run say. Returns what was seen."""
    batch = table.play(first, games)
    seen: Counter[tuple[str, str]] = Counter()
    n = table.players
    for game in range(first, first + games):
        summary = check_game(table.transcript(game))
        row, deals = rows_of(batch.games, game)[0], rows_of(batch.deals, game)
        expected = {(deal.deal, *key): tuple(value) for deal in summary.deals for key, value in deal.tallies.items()}
        assert tallies_of(table, rows_of(batch.tallies, game)) == expected
        assert names.GAME_ENDINGS[row["reason"]] == summary.reason
        assert (row["deals"], row["dealer"], row["leader"]) == (len(summary.deals), summary.deals[0].dealer, summary.deals[0].leader)
        assert tuple(row["score"][:n]) == summary.scores
        won = len(summary.winners)
        assert list(row["share"][:n]) == [(seat in summary.winners) / won if won else 0.5 for seat in range(n)]
        assert summary.stages is None or tuple(row["stage"][:n]) == summary.stages
        assert len(deals) == len(summary.deals)
        for mine, deal in zip(deals, summary.deals, strict=True):
            assert (mine["deal"], mine["dealer"], mine["leader"], mine["bouts"]) == (deal.deal, deal.dealer, deal.leader, deal.bouts)
            assert (names.LEADS[mine["lead"]], names.DEAL_ENDINGS[mine["reason"]]) == (deal.lead, deal.ending)
            assert tuple(seat for seat in range(n) if mine["out"] >> seat & 1) == deal.out
            assert tuple(mine["points"][:n]) == deal.points
            seen["ending", deal.ending] += 1
            seen["lead", deal.lead] += 1
        seen.update({(item, role): count for (_, _, item, role), (count, _) in expected.items()})
    return seen


@pytest.mark.parametrize("number", range(len(VARIANTS)))
def test_random_games_pass_the_referee(number: int, full: bool) -> None:
    settings = VARIANTS[number]
    rules = ruleset(*settings)
    for players in PLAYERS if number == 0 or full else (2, 3, 4, 9):
        if players * int(str(rules.options["hand_size"])) <= 36:
            check_against_model(Table(rules, ["random"], players, seed=7 + number), 400 if full else 12 if players == 2 else 5)


def test_every_option_is_varied() -> None:
    changed = {setting.partition("=")[0] for settings in VARIANTS for setting in settings}
    options = set(ruleset().schema.options)
    assert options - changed <= {"ladder"}
    assert changed <= options


def test_other_point_tables_and_ladder_pass_the_referee(full: bool) -> None:
    distinct = tuple(f"{key}={i + 2}" for i, key in enumerate(ruleset().points))
    noughts = (*(f"{key}=0" for key in ruleset().points if key != "dump"), "dump=3", "max_deals=3")
    ladder = ("millionaire=true", "ladder=[marriage@attack triple = 0.1; pair = 2; small_row+ = 3; small_force+@defence = 10]")
    for settings in (distinct, noughts, ladder):
        for players in (2, 4):
            check_against_model(Table(ruleset(*settings), ["random"], players, seed=3), 200 if full else 8)


def test_every_ending_and_lead_is_met() -> None:
    """So that the games that the referee sees show all of the rules."""
    batches = [Table(ruleset(*settings), ["random"], players, seed=1).play(0, 400) for settings, players in (((), 2), ((), 9), (VARIANTS[2], 2))]
    deals = np.concatenate([batch.deals for batch in batches])
    assert {names.LEADS[i] for i in set(deals["lead"])} >= {"lowest_trump", "went_out", "last_leader"}
    assert {names.DEAL_ENDINGS[i] for i in set(deals["reason"])} >= {"out", "passes", "passes_full", "game_over"}


# --- the same games whichever way they are asked for --------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 5])
def test_batches_do_not_matter(players: int) -> None:
    whole = Table(ruleset(), ["random"], players, seed=11).play(0, 50)
    for size in (1, 7):
        table = Table(ruleset(), ["random"], players, seed=11)
        parts = [table.play(first, min(size, 50 - first)) for first in range(0, 50, size)]
        for table_name in ("games", "deals", "tallies"):
            rows, expected = np.concatenate([getattr(part, table_name) for part in parts]), getattr(whole, table_name)
            for column in expected.dtype.names:
                seats = (slice(None), slice(players)) if expected[column].ndim == 2 else slice(None)
                assert np.array_equal(rows[column][seats], expected[column][seats])
        assert sum(tallies_hash(part.tallies) for part in parts) % 2**64 == tallies_hash(whole.tallies)


def test_points_total_is_the_sum_of_all_changes() -> None:
    table = Table(ruleset(), ["random"], 3, seed=2)
    batch = table.play(0, 30)
    total = 0
    for game in range(30):
        for event in table.transcript(game):
            total += sum(abs(change["delta"]) for change in event.get("changes", [])) + sum(event.get("penalties", []))
    assert points_total(batch.tallies) == total


def test_hands_are_those_of_the_transcript() -> None:
    table = Table(ruleset(), ["random"], 2, seed=4)
    hands = table.hands(0, 20)
    positions: list[tuple[int, int, int]] = []
    for game in range(20):

        def watch(position: Any, choice: Any, game: int = game) -> None:
            cards = sum(1 << PACK.card(card) for card in position.hand)
            positions.append((game, 0 if isinstance(position, AttackPosition) else 1, cards))

        check_game(table.transcript(game), watch=watch)
    assert [(int(r["game"]), int(r["role"]), int(r["hand"])) for r in hands] == positions


# --- games without end --------------------------------------------------------------------------------------------------------------------


def test_k73_a_deal_without_end_is_ended() -> None:
    circle = player("shed", SHED, circle=1)
    table = table_of(ruleset("max_deals=2"), circle, circle)
    deals = table.play(0, 20).deals
    assert set(deals["reason"]) == {names.DEAL_ENDINGS.index("max_bouts")}
    assert set(deals["bouts"]) == {500} and set(deals["out"]) == {0}
    check_game(table.transcript(0))
    short = table_of(ruleset("max_deals=2", "max_bouts=77"), circle, circle)
    assert set(short.play(0, 20).deals["bouts"]) == {77}


def test_k83_a_game_without_end_is_ended() -> None:
    """Only single low cards are left at the end of each deal: almost nothing is ever lost."""
    shed = player("shed", SHED)
    table = table_of(ruleset(), shed, shed)
    games = table.play(0, 20).games
    assert set(games["reason"]) == {names.GAME_ENDINGS.index("max_deals")}
    assert set(games["deals"]) == {1000}
    for row in games:
        first, second = row["score"][:2]
        assert list(row["share"][:2]) == ([0.5, 0.5] if first == second else [float(first > second), float(second > first)])
    short = table_of(ruleset("max_deals=5"), shed, shed)
    assert set(short.play(0, 20).games["deals"]) == {5}
    for game in range(20):
        check_game(short.transcript(game))


# --- golden files -------------------------------------------------------------------------------------------------------------------------

TRANSCRIPTS = {
    "short": (("start_score=10",), 2, 14),
    "deals": (("start_score=40",), 2, 14772),
    "three": (("start_score=10", "superblow=adds", "credit_per=combination"), 3, 11),
    "millionaire": (("start_score=10", "millionaire=true"), 2, 26),
}
HASHES: dict[str, tuple[tuple[str, ...], int, int]] = {  # settings, hash of the tallies, sum of the stages passed
    "default": ((), 17221182937522509725, 0),
    "millionaire": (("millionaire=true",), 17221182937522509725, 1741),  # the ladder changes nothing in the play
    "all but the defaults": (VARIANTS[-1], 13066986737850055459, 0),
}


@pytest.mark.parametrize("name", TRANSCRIPTS)
def test_golden_transcript(name: str) -> None:
    """Seed 1: the bytes of the file."""
    settings, players, game = TRANSCRIPTS[name]
    events = Table(ruleset(*settings), ["random"], players, seed=1).transcript(game)
    text = "".join(json.dumps(event, ensure_ascii=False) + "\n" for event in events)
    assert text.encode() == (GOLDEN / f"{name}.jsonl").read_bytes()
    check_game([json.loads(line) for line in text.splitlines()])


@pytest.mark.parametrize("name", HASHES)
def test_golden_hash(name: str) -> None:
    """300 games of `random`, two players, seed 1."""
    settings, expected, stages = HASHES[name]
    batch = Table(ruleset(*settings), ["random"], 2, seed=1).play(0, 300)
    assert (tallies_hash(batch.tallies), int(batch.games["stage"][:, :2].sum())) == (expected, stages)


# --- the strategy `random` ----------------------------------------------------------------------------------------------------------------


def _split(row: np.ndarray) -> frozenset[tuple[str, frozenset[str]]]:
    return frozenset((ITEMS[row[7 + i]], frozenset(PACK.hand(int(row[10 + i])))) for i in range(row[6]))


def _called(split: Any, superblow: bool) -> Any:
    """The model calls a force that ends the deal a superblow already in the choice."""
    return frozenset(("superblow" if superblow and kind.endswith("force") else kind, cards) for kind, cards in split)


ATTACKS: list[tuple[str, int, int, dict[str, Any]]] = [
    ("9s 9h Td", 7, 5, {}),
    ("9s 9h 9d Td Jd", 7, 5, {}),
    ("Qs Kh Qd Kc", 7, 5, {}),
    ("Qs Kh Qd Kc", 7, 5, {"marriage_used": True}),
    ("Qs Kh Js", 7, 5, {"orders": 1}),
    ("6s 7h 8d 9c 6h", 7, 5, {"orders": 2, "credits": 1}),
    ("6s 7h 8d Tc", 4, 5, {"orders": 1, "dump_used": True}),
    ("9s 9h 9d 9c 6s", 4, 5, {}),
    ("9s 9h 9d 9c", 7, 0, {"orders": 1}),
    ("6s 6h", 1, 5, {"orders": 1}),
    ("6s 7s 8s 9s", 3, 5, {}),
]


@pytest.mark.parametrize("options", [(), ("loose_cards_in_attack=true", "repeat_marriage=illegal")])
@pytest.mark.parametrize(("hand", "defender", "stock", "more"), ATTACKS)
def test_random_attacks_are_uniform(hand: str, defender: int, stock: int, more: dict[str, Any], options: tuple[str, ...]) -> None:
    position = AttackPosition(ruleset(*options).options, 2, frozenset(hand.split()), defender, stock, **more)
    legal = attack_choices(position)
    public = {"orders": [more.get("orders", 0), 0], "credits": [more.get("credits", 0), 0]}
    used = {"married": [int(more.get("marriage_used", False)), 0], "dumped": [int(more.get("dump_used", False)), 0]}
    others = [card for card in PACK.texts if card not in hand.split()]
    bench = Bench(hand, " ".join(others[:defender]), stock=" ".join(others[-stock:]) if stock else "", settings=options, **public, **used)
    found: Counter[Any] = Counter()
    for row in bench.random_choices(60 * len(legal), 0):
        cards = frozenset(PACK.hand(int(row[0])))
        if not cards:
            found[Pass()] += 1
            continue
        split = frozenset({("dump", cards)}) if row[2] else _called(_split(row), stock == 0 and cards == position.hand)
        loose = cards - frozenset().union(*(part for _, part in split))
        found[Attack(split, loose, (None, "invulnerable", "reinforced", "assembly")[row[1]])] += 1
    assert set(found) <= legal
    assert chisquare([found[choice] for choice in legal]).pvalue > 1e-6


DEFENCES: list[tuple[str, str, int, dict[str, Any]]] = [
    ("9s", "Ts 9d 6h Ad", 5, {}),
    ("9s", "Ts 9d 6h Ad", 0, {}),
    ("9s 9h", "Ts Th 9d Td", 5, {}),
    ("8s 9s Ts", "Js Qs Ks 9d Td", 5, {}),
    ("Js Jh", "Qs Kh Qd Kd", 5, {"marriage_used": True}),
    ("9s 9h 9c 9d", "Ts Th Tc Td 6d", 0, {}),
    ("9s 9h 9c 9d", "Ts Th Tc Td", 0, {}),
    ("Ad", "6s", 0, {}),
    ("9s 9h", "Ts Th 9d Td", 5, {"forced": True}),
    ("9s 9h", "6s 7s 8s 6c 7c 8c 6h", 5, {}),
]


@pytest.mark.parametrize("options", [(), ("take_after_forced_pass=false", "repeat_marriage=illegal", "superblow_in_composite=false")])
@pytest.mark.parametrize(("attack", "hand", "stock", "more"), DEFENCES)
def test_random_defences_are_uniform(attack: str, hand: str, stock: int, more: dict[str, Any], options: tuple[str, ...]) -> None:
    position = DefencePosition(ruleset(*options).options, "d", frozenset(hand.split()), frozenset(attack.split()), stock, **more)
    legal = defence_choices(position)
    others = [card for card in PACK.texts if card not in hand.split() + attack.split()]
    bench = Bench("", hand, stock=" ".join(others[:stock]), settings=options, married=[0, int(more.get("marriage_used", False))])
    attacking = sorted(attack.split(), key=PACK.card)
    found: Counter[Any] = Counter()
    for row in bench.random_choices(60 * len(legal), 1, attack, more.get("forced", False)):
        if row[3]:
            beating = [PACK.text(int(row[4]) >> 6 * i & 63) for i in range(len(attacking))]
            split = _called(_split(row), stock == 0 and set(beating) == position.hand)
            if hand == "6s" and stock == 0:  # the model declares a jackpot, to the kernel it is a fact
                split |= {("jackpot", frozenset({"6s"}))}
            found[Beat(frozenset(zip(attacking, beating, strict=True)), split)] += 1
        else:
            found[Yield(PACK.text(int(row[5])) if row[5] >= 0 else None)] += 1
    assert set(found) <= legal
    assert len(legal) == 1 or chisquare([found[choice] for choice in legal]).pvalue > 1e-6


# --- how much a hand holds ----------------------------------------------------------------------------------------------------------------


@kernel
def most_found(hands: Any, works: Any) -> int:
    """The most combinations, assemblies among them, that any of the hands holds."""
    most = 0
    for hand in hands:
        find(hand, True, works[0])
        most = max(most, works[0].n_with_assemblies)
    return most


def test_no_hand_holds_more_combinations_than_there_is_room_for(full: bool) -> None:
    """All seven cards of one suit, neighbours of ranks in all suits, and a sample (in full size all hands of neighbouring ranks)."""
    works = np.zeros(1, WORK)
    suited = [sum(1 << (4 * rank + suit) for rank in ranks) for suit in range(4) for ranks in combinations(range(9), 7)]
    assert most_found(np.array(suited, np.int64), works) == 130 <= MAX_FOUND
    rng = np.random.default_rng(1)
    sample = [sum(1 << int(card) for card in rng.choice(36, 7, replace=False)) for _ in range(200_000 if full else 20_000)]
    assert most_found(np.array(sample, np.int64), works) <= MAX_FOUND
    dense = [sum(1 << card for card in hand) for hand in combinations(range(20 if full else 16), 7)]
    assert most_found(np.array(dense, np.int64), works) <= MAX_FOUND
