"""Tournaments: seats swapped on the same decks, ratings whose intervals cover, cycles, the contract of the command."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from scipy import stats

import cli
import simcore
from experiments import estimates
from experiments.tournament import ELO, _beaten, _covariance, _cycles, _matches, _ratings, _seatings, tournament
from simcore.errors import InputError

RISK = 1e-6
NAMES = ["greedy", "counter", "random"]


@pytest.fixture(scope="module")
def found() -> dict:
    return tournament(simcore.rules("kombinator"), NAMES, 300, seed=4)


def test_the_matrix_is_the_mean_of_both_seatings(found) -> None:
    rules = simcore.rules("kombinator")
    here = simcore.play(rules, ["greedy", "counter"], games=300, seed=4).games["share_0"].to_numpy()
    there = simcore.play(rules, ["counter", "greedy"], games=300, seed=4).games["share_1"].to_numpy()
    blocks = (here + there) / 2
    assert found["win_share"][0][1] == pytest.approx(blocks.mean())
    wanted = stats.ttest_1samp(blocks, 0).confidence_interval()
    assert found["interval"][0][1] == pytest.approx([wanted.low, wanted.high])


def test_the_matrix_mirrors(found) -> None:
    for i in range(3):
        assert found["win_share"][i][i] == 0.5
        for j in range(3):
            assert found["win_share"][i][j] + found["win_share"][j][i] == pytest.approx(1)
            assert found["interval"][i][j] == pytest.approx([1 - end for end in found["interval"][j][i][::-1]])


def test_a_strategy_against_itself_is_even_deck_by_deck() -> None:
    """Why the diagonal needs no games: on one deck the two seatings of a strategy against itself are one game, and its shares add up to 1."""
    games = simcore.play(simcore.rules("kombinator"), ["greedy", "greedy"], games=50, seed=4).games
    assert (games["share_0"] + games["share_1"] == 1).all()


def test_ratings_order_and_sum(found) -> None:
    rating = dict(zip(NAMES, found["rating"], strict=True))
    assert rating["counter"] > rating["greedy"] > rating["random"]
    assert sum(found["rating"]) == pytest.approx(0, abs=1e-6)
    assert all(low < value < high for value, (low, high) in zip(found["rating"], found["rating_interval"], strict=True))
    assert [step["strategy"] for step in found["ladder"]] == ["counter", "greedy"] and found["ladder"][1]["over"] == "random"
    assert found["depth"] == sum(step["win_share"] >= 0.6 for step in found["ladder"])


def test_threads_change_nothing(found) -> None:
    again = tournament(simcore.rules("kombinator"), NAMES, 300, seed=4, threads=1)
    assert {key: value for key, value in again.items() if key != "seconds"} == {key: value for key, value in found.items() if key != "seconds"}


def test_one_against_a_field_of_two() -> None:
    rules = simcore.rules("kombinator")
    found = tournament(rules, ["greedy", "counter"], 60, field=["random"], players=3, seed=2)
    shares = [
        simcore.play(rules, ["greedy" if seat == own else "random" for seat in range(3)], games=60, seed=2).games[f"share_{own}"].to_numpy() for own in range(3)
    ]
    assert found["win_share"][0][0] == pytest.approx(np.mean(shares))
    assert found["even"] == pytest.approx(1 / 3) and found["field"] == ["random"] and len(found["field_rating"]) == 1
    assert found["rating"][0] > found["field_rating"][0]


def test_who_plays_is_checked() -> None:
    rules = simcore.rules("kombinator")
    with pytest.raises(InputError, match="two different"):
        tournament(rules, ["greedy"], 10)
    with pytest.raises(InputError, match="named twice"):
        tournament(rules, ["builder", "builder(patience=2)"], 10)
    with pytest.raises(InputError, match="at least 2 decks"):
        tournament(rules, NAMES, 1)


def test_matches_and_seatings() -> None:
    assert _matches([0, 1, 2], [0, 1, 2], 2) == [(0, 1), (0, 2), (1, 2)]
    assert _matches([0, 1], [0, 1], 3) == [(0, 1), (1, 0)]
    assert _seatings((7, 9), 3) == [(7, 9, 9), (9, 7, 9), (9, 9, 7)]


def blocks(rng: np.random.Generator, theta: np.ndarray, matches, games: int, seats: int = 2) -> np.ndarray:
    """Wins of each match in `seats` games on each deck; the decks' luck is shared by all matches, so that they depend on each other."""
    luck = rng.normal(0, 1, (games, 1))
    own = rng.normal(0, 1, (games, len(matches) * seats))
    uniform = stats.norm.cdf(math.sqrt(0.5) * luck + math.sqrt(0.5) * own).reshape(games, len(matches), seats)
    chance = np.array([1 / (1 + (seats - 1) * math.exp(theta[j] - theta[i])) for i, j in matches])
    return (uniform < chance[None, :, None]).sum(axis=2)


@pytest.mark.parametrize("seats", [2, 3])
def test_intervals_of_ratings_cover(seats: int) -> None:
    rng = np.random.default_rng(3)
    theta = np.array([0.5, 0.1, -0.2, -0.4])
    matches = _matches(range(4), range(4), seats)
    repeats, held = 500, np.zeros(4)
    for _ in range(repeats):
        won = blocks(rng, theta, matches, 200, seats)
        total, product = won.sum(axis=0), won.T @ won
        rating, error = _ratings(matches, 4, total / seats / 200, _covariance(total, product, 200, seats), 200, seats)
        held += np.abs(rating - theta * ELO) <= 1.96 * error
    assert (held >= stats.binom.ppf(RISK, repeats, 0.93)).all() and (held <= stats.binom.isf(RISK, repeats, 0.975)).all()


def test_ratings_are_the_maximum_of_bradley_and_terrys_likelihood() -> None:
    matches, games = [(0, 1), (0, 2), (1, 2)], 10**6
    shares = np.array([0.6, 0.8, 0.7])
    rating, _ = _ratings(matches, 3, shares, np.eye(3) * 1e-6, games, 2)
    expected = [1 / (1 + 10 ** ((rating[j] - rating[i]) / 400)) for i, j in matches]
    # At the maximum every player has as many wins as the model expects (Zermelo 1929).
    for player in range(3):
        signs = [(player == i) - (player == j) for i, j in matches]
        assert sum(sign * (share - each) for sign, share, each in zip(signs, shares, expected, strict=True)) == pytest.approx(0, abs=1e-5)


def test_who_never_loses_has_a_rating_and_an_honest_interval() -> None:
    rating, error = _ratings([(0, 1)], 2, np.array([1.0]), np.zeros((1, 1)), 100, 2)
    assert math.isfinite(rating[0]) and rating[0] > 300 and error[0] > 100


def test_cycles_are_found_once_and_only_beyond_chance() -> None:
    cells = {(0, 1): (700, 1000), (1, 2): (700, 1000), (0, 2): (300, 1000), (0, 3): (510, 1000), (1, 3): (500, 1000), (2, 3): (490, 1000)}
    beats = _beaten({match: estimates.proportion(*count) for match, count in cells.items()}, 0.5, 0.95)
    assert beats == {(0, 1), (1, 2), (2, 0)}
    assert _cycles(beats, 4) == [[0, 1, 2]]
    assert _cycles({(0, 1), (1, 2), (0, 2)}, 3) == []
    assert _cycles({(0, 1), (1, 2), (2, 3), (3, 0)}, 4) == [[0, 1, 2, 3]]


def test_the_contract_of_the_command(capsys) -> None:
    words = ["tournament", "kombinator", "--strategy", "greedy", "--strategy", "random", "--games", "50"]
    assert cli.main([*words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["strategies"] == ["greedy", "random"]
    assert np.shape(found["win_share"]) == (2, 2) and np.shape(found["interval"]) == (2, 2, 2) and np.shape(found["rating"]) == (2,)
    assert found["win_share"][0][1] > 0.9
    assert cli.main([*words, "--lang", "ru"]) == 0
    assert "Рейтинг" in capsys.readouterr().out
