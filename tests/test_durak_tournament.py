"""T4 and R19: tournaments by elimination."""

from __future__ import annotations

from collections import Counter

import pytest
from model.durak import check_game

from simcore.api import rules
from simcore.errors import InputError
from simcore.games.durak.tournament import MODES, Tournament, table_sizes
from simcore.transcript import to_text

PLAYERS = ["greedy", "random", "counter", "random", "thrifty", "greedy", "random", "counter", "random", "greedy", "random"]


def test_r19_tables_are_few_and_their_sizes_differ_by_one_at_most() -> None:
    assert table_sizes(11, 4) == [4, 4, 3] and table_sizes(7, 6) == [4, 3] and table_sizes(3, 2) == [2, 1] and table_sizes(6, 6) == [6]
    for left in range(2, 40):
        for table in range(2, 7):
            sizes = table_sizes(left, table)
            assert sum(sizes) == left and max(sizes) <= table and max(sizes) - min(sizes) <= 1 and len(sizes) == -(-left // table)


@pytest.mark.parametrize("deals", [1, 3])
@pytest.mark.parametrize("mode", MODES)
def test_r19_a_whole_tournament_from_its_transcript(mode: str, deals: int) -> None:
    """Followed event by event: every game passes the referee, and who goes follows from its deals."""
    tournament = Tournament(rules("durak", deals=deals), PLAYERS, table=3, mode=mode, entry=5, seed=2)
    replayed = 0
    for number in range(4):
        start, *events, end = tournament.transcript(number)
        assert start == {"event": "tournament", "players": 11, "mode": mode, "table": 3, "entry": 5}
        left, stage = list(range(11)), 0
        while events:
            drawn = events.pop(0)
            stage += 1
            assert (drawn["event"], drawn["stage"]) == ("tables", stage)
            assert sorted(sum(drawn["tables"], [])) == left and [len(table) for table in drawn["tables"]] == table_sizes(len(left), 3)
            gone: list[int] = []
            for table in drawn["tables"]:
                while len(table) > 1:
                    length = next(place for place, event in enumerate(events) if event["event"] == "game_end") + 1
                    game, events = events[:length], events[length:]
                    assert game[0]["players"] == table and game[0]["strategies"] == [PLAYERS[player] for player in table]
                    found = [deal.fool if mode == "knockout" else deal.winner for deal in check_game(game).deals]
                    times = Counter(seat for seat in found if seat is not None).most_common()
                    if times and (len(times) == 1 or times[0][1] > times[1][1]):
                        chosen = table[times[0][0]]
                        gone += [chosen] if mode == "knockout" else [player for player in table if player != chosen]
                        break
                    replayed += 1
            left = [player for player in left if player not in gone]
            assert events.pop(0) == {"event": "stage_end", "stage": stage, "eliminated": sorted(gone), "left": left}
        assert end == {"event": "tournament_end", "winner": left[0], "prize": 55} and len(left) == 1
        assert tournament.winner(number) == left[0]
    assert replayed


def test_the_better_player_wins_more_tournaments() -> None:
    """Of two `greedy` and two `random` players: fewer than 60 of 100 for the former two would happen by chance less than once in a million."""
    tournament = Tournament(rules("simple"), ["greedy", "random", "greedy", "random"], table=2)
    wins = Counter(tournament.winner(number) for number in range(100))
    assert wins[0] + wins[2] > 90 and wins[0] > 20 and wins[2] > 20


def test_tournaments_differ_and_each_is_the_same_again() -> None:
    one, other = (Tournament(rules("durak"), PLAYERS) for _ in range(2))
    assert one.transcript(3) == other.transcript(3) != one.transcript(4)
    games = [[event["game"] for event in one.transcript(number) if event["event"] == "game"] for number in range(3)]
    assert len(set(sum(games, []))) == len(sum(games, []))


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_a_tournament_is_told(lang: str) -> None:
    ruleset = rules("durak")
    text = to_text(Tournament(ruleset, PLAYERS[:4], table=3).transcript(), ruleset, lang)
    assert "{" not in text and "None" not in text
    assert ("Tournament" if lang == "en" else "Турнир") in text


@pytest.mark.parametrize("mode", MODES)
def test_a_table_that_nobody_leaves_is_given_up(mode: str) -> None:
    """After one bout there is neither a fool nor a winner."""
    with pytest.raises(InputError, match="1,000 times without one player"):
        Tournament(rules("durak", max_bouts=1), ["greedy"] * 4, mode=mode).winner()


@pytest.mark.parametrize(
    ("ruleset", "given", "told"),
    [
        ("pogony", {}, "epaulettes"),
        ("durak", {"mode": "knokout"}, "Did you mean 'knockout'"),
        ("durak", {"table": 7}, "2 to 6 players, got 7"),
        ("durak", {"strategies": ["greedy"]}, "2 to 1024 players, got 1"),
        ("durak", {"entry": -1}, "0 or more, got -1"),
    ],
)
def test_what_is_no_tournament(ruleset: str, given: dict, told: str) -> None:
    with pytest.raises(InputError, match=told):
        Tournament(rules(ruleset), **({"strategies": PLAYERS} | given))
