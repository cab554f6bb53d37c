"""Every experiment on a game that is solved by hand: high card, with cards of three ranks.

Each has one card of the twelve Q, K, A (four of each) and may change it for the next of the stock; the higher rank scores a point, and an ace one more. With
a target of one point a game is over with the first deal that somebody wins.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations
from pathlib import Path

import pytest
from scipy import stats

import simcore
from experiments.compare import compare
from experiments.first_move import first_move
from experiments.tournament import tournament
from simcore import game
from simcore import games as package

OUTSIDE = Path(__file__).parent / "outside"
RISK = 1e-6
REPEATS = 400


@pytest.fixture(scope="module", autouse=True)
def high_card() -> Iterator[None]:
    """The game stands outside the source tree, as a user's would."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(game, "FOLDERS", (*game.FOLDERS, OUTSIDE))
        patch.setattr(package, "__path__", [*package.__path__, str(OUTSIDE)])
        yield


def solved(first: int, second: int) -> tuple[Fraction, Fraction, Fraction]:
    """Chances of one deal: that the first to choose wins, that the second does, and that the winner has an ace.

    Args:
        first: How many of the lowest ranks who chooses first changes.
        second: The same of the other.
    """
    wins, losses, aces, deals = 0, 0, 0, 0
    for one, other, next_card, after_next in permutations([rank for rank in range(3) for _ in range(4)], 4):
        stock = [next_card, after_next]
        mine = stock.pop(0) if one < first else one
        yours = stock.pop(0) if other < second else other
        wins, losses = wins + (mine > yours), losses + (mine < yours)
        aces += mine != yours and max(mine, yours) == 2
        deals += 1
    return Fraction(wins, deals), Fraction(losses, deals), Fraction(aces, deals)


def held(repeats: int, intervals: Iterator[tuple[float, float]], truth: float) -> None:
    """Not fewer intervals than promised hold the truth; with 95 % of each that few have a chance below `RISK`."""
    count = sum(low - 1e-12 <= truth <= high + 1e-12 for low, high in intervals)
    assert stats.binom.ppf(RISK, repeats, 0.94) <= count


def test_the_game_by_hand() -> None:
    # Nobody changes: equal ranks 3 in 11; of the other eight elevenths two thirds have an ace.
    assert solved(0, 0) == (Fraction(4, 11), Fraction(4, 11), Fraction(16, 33))


def test_a_price_that_is_taken_away_is_found_with_its_size() -> None:
    """Without the point for an ace, the points of a deal fall by the chance that the winner has one: 16/33."""
    a, b = simcore.rules("high_card", target=1), simcore.rules("high_card", target=1, ace=0)

    def intervals() -> Iterator[tuple[float, float]]:
        for seed in range(REPEATS):
            rows = {row["measure"]: row for row in compare(a, b, [["keen(ranks=0)"]], 150, seed=seed, threads=1)["measures"]}
            assert rows["points_per_deal"]["verdict"] == "lower"
            for same in ("deals_per_game", "seat_0_win_share", "leader_win_share", "win_per_deal"):
                assert rows[same]["difference"] == 0 and rows[same]["verdict"] == "undecided"
            low, high = rows["points_per_deal"]["interval"]
            yield low, high

    held(REPEATS, intervals(), -16 / 33)


def test_lengths_of_games_are_found() -> None:
    """To two points instead of one. With 4/11 for each side to win a deal and no ace price, a game to n points takes 11/8, and 11/8 times 2½ deals."""
    a, b = simcore.rules("high_card", target=1, ace=0), simcore.rules("high_card", target=2, ace=0)

    def intervals() -> Iterator[tuple[float, float]]:
        for seed in range(REPEATS):
            (row,) = compare(a, b, [["keen(ranks=0)"]], 100, seed=seed, measures=["deals_per_game"], threads=1)["measures"]
            assert row["verdict"] == "higher"
            yield row["interval"][0], row["interval"][1]

    held(REPEATS, intervals(), 11 / 8 * 1.5)


def test_no_verdict_where_nothing_differs() -> None:
    """A limit of deals that is never met changes nothing, and no pair of games differs."""
    a, b = simcore.rules("high_card"), simcore.rules("high_card", max_deals=501)
    assert {row["verdict"] for row in compare(a, b, [["random"]], 500)["measures"]} == {"undecided"}


@pytest.mark.parametrize("ranks", [1, 2])
def test_a_tournament_finds_the_chances(ranks: int) -> None:
    """Who changes against who does not, each as often first as second: the exact share is the mean of both orders."""
    rules = simcore.rules("high_card", target=1)
    shares = []
    for first, second, mine in ((ranks, 0, 0), (0, ranks, 1)):
        wins = solved(first, second)
        shares.append(wins[mine] / (wins[0] + wins[1]))
    # Within a game the dealers take turns, so a game that goes on is decided from both sides.
    first, second = (solved(ranks, 0), solved(0, ranks))
    draw = [1 - each[0] - each[1] for each in (first, second)]
    begins = (first[0] + draw[0] * second[1]) / (1 - draw[0] * draw[1])
    follows = (second[1] + draw[1] * first[0]) / (1 - draw[0] * draw[1])
    truth = float((begins + follows) / 2)
    names = [f"keen(ranks={ranks})" if ranks != 1 else "keen", "keen(ranks=0)"]

    def intervals() -> Iterator[tuple[float, float]]:
        for seed in range(REPEATS):
            found = tournament(rules, names, 120, seed=seed, threads=1)
            low, high = found["interval"][0][1]
            yield low, high

    held(REPEATS, intervals(), truth)


def test_the_first_move_is_worth_nothing_where_nothing_depends_on_it() -> None:
    rules = simcore.rules("high_card", target=1)

    def intervals() -> Iterator[tuple[float, float]]:
        for seed in range(REPEATS):
            natural = first_move(rules, [["keen(ranks=0)"]], 100, seed=seed, threads=1)["panel"][0]["share"]["natural"]
            yield natural["low"], natural["high"]

    held(REPEATS, intervals(), 0.5)
