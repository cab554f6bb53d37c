"""The measures of experience on a game solved by hand: best of three tosses of a fair coin."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest

from experiments.experience import _chances, _Course, experience

GAMES = 60_000


@pytest.fixture(scope="module")
def tosses() -> tuple[pl.DataFrame, pl.DataFrame]:
    """Games of two players: a toss is a deal and a point, two points win. Half of the games take two tosses, half take three."""
    rng = np.random.default_rng(1)
    heads = rng.integers(0, 2, (GAMES, 3))
    lengths = np.where(heads[:, 0] == heads[:, 1], 2, 3)
    game = np.repeat(np.arange(GAMES), lengths)
    deal = np.concatenate([np.arange(1, length + 1) for length in lengths])
    won = heads[game, deal - 1]
    points = np.bincount(game, weights=won, minlength=GAMES).astype(int)
    share = (points == 2).astype(float)
    games = pl.DataFrame({"game": np.arange(GAMES), "share_0": share, "share_1": 1 - share, "score_0": 100 + points, "score_1": 100 + lengths - points})
    return games, pl.DataFrame({"game": game, "deal": deal, "points_0": won, "points_1": 1 - won})


# Per two tosses (½), three with the winner ahead after one (¼), three with the winner behind after one (¼); E after one toss is ¾ or ¼.
LN = -(0.75 * math.log(0.75) + 0.25 * math.log(0.25)) / math.log(2)
BY_HAND = {
    "lead_changes": 0.0,
    "lead_change": 0.0,
    "decisiveness": (1 / 2) / 2 + (1 / 3) / 4 + 1 / 4,
    "drama": math.sqrt(0.5) / 4,
    "comeback": 1 / 4,
    "killer_deal": 0.25 / 2 + 0.5 / 2,
    "volatility": 0.5 / 2 + 1.0 / 2,
    "uncertainty": ((1 + LN) / 2) / 2 + ((1 + LN + 1) / 3) / 2,
    "late_uncertainty": LN / 2 + 1 / 2,
    "closeness": 1 / math.sqrt(4 / 2 + 1 / 2),
}


def test_best_of_three_is_as_solved_by_hand(tosses) -> None:
    games, deals = tosses
    found = experience(games.lazy(), deals.lazy(), 2)
    assert found is not None and found["games"] == GAMES and set(found["measures"]) == set(BY_HAND)
    for name, wanted in BY_HAND.items():
        estimate = found["measures"][name]
        # Twice the interval: the table of chances is estimated too.
        slack = 2 * (estimate["high"] - estimate["low"]) + 1e-9
        assert abs(estimate["value"] - wanted) <= slack, name


def test_where_the_lowest_wins_the_mirror_image_is_the_same(tosses) -> None:
    games, deals = tosses
    mirrored = games.with_columns(-pl.col("score_0"), -pl.col("score_1")), deals.with_columns(-pl.col("points_0"), -pl.col("points_1"))
    assert experience(mirrored[0].lazy(), mirrored[1].lazy(), 2, lowest_wins=True) == experience(games.lazy(), deals.lazy(), 2)


def test_the_order_of_rows_does_not_matter(tosses) -> None:
    games, deals = (frame.filter(pl.col("game") < 500) for frame in tosses)
    shuffled = games.sample(fraction=1, shuffle=True, seed=2), deals.sample(fraction=1, shuffle=True, seed=3)
    assert experience(shuffled[0].lazy(), shuffled[1].lazy(), 2) == experience(games.lazy(), deals.lazy(), 2)


def test_no_game_is_told_by_itself_how_it_ends() -> None:
    """The chance of a game in one half comes from the other half alone: with even games all won by seat 0, odd ones by seat 1, each is told wrong."""
    lead = np.array([[0, 0], [5, -5]] * 40)
    time = np.array([0, 1] * 40)
    fold = np.repeat(np.arange(40) % 2, 2)
    share = np.where(fold[:, None] == 0, [1.0, 0.0], [0.0, 1.0])
    found = _chances(lead, time, share, fold)
    assert (found[time == 0] == 0.5).all()
    assert (found[(time == 1) & (fold == 0), 0] < 0.1).all() and (found[(time == 1) & (fold == 1), 0] > 0.9).all()


def test_lead_changes_by_hand() -> None:
    # Two games of three seats. First: 0 ahead, tie, 1 ahead, 1 ahead, 2 ahead: two changes. Second: nobody ahead before its only deal.
    gained = np.array([[3, 0, 0], [0, 3, 0], [0, 1, 0], [0, 0, 0], [0, 0, 9], [0, 0, 0], [7, 0, 0]])
    share = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])
    course = _Course(share, np.array([0, 6]), np.array([6, 1]), gained, np.array([0, 1]))
    assert course._lead_changes().tolist() == [2.0, 0.0]
    assert course.lead[:3].tolist() == [[0, 0, 0], [3, -3, -3], [0, 0, -3]]


def test_shared_wins_are_left_out_where_there_is_no_winner() -> None:
    games = pl.DataFrame({"game": [0, 1, 2, 3], "share_0": [0.5] * 4, "share_1": [0.5] * 4, "score_0": [5] * 4, "score_1": [5] * 4})
    deals = pl.DataFrame({"game": [0, 1, 2, 3], "deal": [1] * 4, "points_0": [5] * 4, "points_1": [5] * 4})
    found = experience(games.lazy(), deals.lazy(), 2)
    assert found is not None
    assert found["measures"]["drama"] is None and found["measures"]["comeback"] is None and found["measures"]["closeness"] is None
    assert found["measures"]["lead_changes"]["value"] == 0
    assert experience(games.head(3).lazy(), deals.head(3).lazy(), 2) is None
