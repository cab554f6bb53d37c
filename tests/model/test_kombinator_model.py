"""The referee of Kombinator tested on its own: correct transcripts are accepted, planted errors are found.

Where an error is planted, the rule that is broken and the event at which it shows are named: the referee must
say the first thing that is wrong, not a consequence of it.
"""

import json
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest

from .kombinator import RuleViolation, check_game, deck_order
from .kombinator_choices import Attack, AttackPosition, Beat, DefencePosition, Pass, Yield
from .kombinator_combinations import PACK
from .kombinator_events import Event
from .kombinator_games import POINTS, random_game, uniform
from .kombinator_planted import CORRECT, PLANTED


@pytest.mark.parametrize("name", CORRECT)
def test_correct_transcript(name: str) -> None:
    """Transcripts written by hand are accepted, also after a way through JSON."""
    check_game(CORRECT[name])
    check_game(json.loads(json.dumps(CORRECT[name])))


@pytest.mark.parametrize("name", PLANTED)
def test_planted_error(name: str) -> None:
    """Every planted error is found where it is."""
    transcript, edit, rule, index = PLANTED[name]
    events = deepcopy(CORRECT[transcript])
    edit(events)
    with pytest.raises(RuleViolation) as violation:
        check_game(events)
    assert violation.value.fault.startswith(rule), violation.value
    assert violation.value.index == index, violation.value


def test_what_may_be_written_in_two_ways() -> None:
    """Order of seats and of changes, `credit` left out when false, seats as a list, other rule numbers."""
    three = deepcopy(CORRECT["three"])
    three[0] = {**three[0], "seats": [0, 1, 2]}
    three[-1] = {**three[-1], "winners": [0, 2]}
    check_game(three)
    force = deepcopy(CORRECT["force beaten"])
    force[2] = {name: value for name, value in force[2].items() if name != "credit"}
    force[4] = {**force[4], "changes": [{**one, "rule": "K-25"} for one in reversed(force[4]["changes"])]}
    check_game(force)
    marriages = deepcopy(CORRECT["two marriages"])
    marriages[2] = {**marriages[2], "combinations": list(reversed(marriages[2]["combinations"]))}
    check_game(marriages)


def test_deck_order() -> None:
    """K-4, K-5: one card at a time from the player after the dealer on, the turned card, then the stock."""
    deck = deck_order(CORRECT["single"][1])
    assert deck[:11] == "6s 7s 7h Jh 8h Qh 9h Kh 6d 8s 9s".split()  # dealer 1, so seat 0 is first
    assert sorted(deck) == sorted(PACK)
    nine = deck_order(CORRECT["superblow"][1])
    assert nine[:10] == "6s 7s 8s 9s Ts Js Qs Ks As 6h".split()
    assert nine[-1] == "Ac"


# --------------------------------------------------------------------------------------- the summary


def test_summary_of_a_game() -> None:
    """Deals, leaders, endings and tallies of games written by hand."""
    game = check_game(CORRECT["force beaten"])
    (deal,) = game.deals
    assert (deal.dealer, deal.leader, deal.lead, deal.ending, deal.bouts) == (
        1,
        0,
        "lowest_trump",
        "max_bouts",
        1,
    )
    assert (deal.out, deal.points) == ((), (-13, -6))
    assert deal.tallies == {
        (0, "small_force", "attack_beaten"): (1, 0),
        (0, "small_force_beaten", "attack_beaten"): (1, 4),
        (1, "small_force", "defence"): (1, 12),
        (0, "court_card", "penalty"): (1, 1),
        (1, "ace", "penalty"): (1, 2),
    }
    assert (game.reason, game.scores, game.winners) == ("max_deals", (87, 94), (1,))
    assert game.stages is None and game.payout is None

    taking = check_game(CORRECT["taking"]).deals[0].tallies
    assert taking[0, "pair", "attack"] == (2, 6)
    assert taking[0, "marriage", "attack"] == (1, 4)
    assert taking[0, "weak_marriage", "attack"] == (1, 0)

    reinforced = check_game(CORRECT["reinforced pair"]).deals[0].tallies
    assert reinforced[1, "ace", "attack"] == (2, 4)
    assert reinforced[1, "court_card", "defence"] == (1, 1)
    jackpot = check_game(CORRECT["jackpot"]).deals[0]
    assert jackpot.tallies[1, "jackpot", "defence"] == (1, 25)
    assert (jackpot.out, jackpot.bouts) == ((0, 1), 10)


def test_summary_of_deals() -> None:
    """K-10 to K-12: why a player leads; the end of a deal that the end of the game cuts short."""
    leads = {name: [deal.lead for deal in check_game(events).deals] for name, events in CORRECT.items()}
    assert leads["superblow"] == ["lowest_trump", "went_out"]
    assert leads["superblow in defence"] == ["lowest_trump", "lowest_trump"]
    assert leads["last leader after passes"] == ["lowest_trump", "last_leader"]
    assert leads["no trump"] == ["after_dealer"]
    assert [deal.ending for deal in check_game(CORRECT["superblow"]).deals] == ["out", "passes"]
    over = check_game(CORRECT["game over"])
    assert (over.deals[0].ending, over.reason, over.winners) == ("game_over", "score", (0,))
    assert check_game(CORRECT["penalty ends"]).deals[0].ending == "max_bouts"
    three = check_game(CORRECT["three"])
    assert (three.stages, three.winners) == ((1, 0, 0), (0, 2))
    assert three.payout == pytest.approx((0.6, -0.6, 0))


def test_watch_sees_every_decision() -> None:
    """`watch` gets the position before and the choice, in the order of the game."""
    seen: list[Any] = []
    check_game(CORRECT["invulnerable"], watch=lambda position, choice: seen.append((position, choice)))
    assert [type(choice) for _, choice in seen] == [Attack, Beat, Attack, Yield]
    first, answer, second, forced = (position for position, _ in seen)
    assert isinstance(first, AttackPosition) and isinstance(answer, DefencePosition)
    assert (len(first.hand), first.defender, first.stock, first.orders) == (4, 4, 28, 0)
    assert (answer.attack, answer.stock, answer.forced) == (frozenset({"Qh"}), 28, False)
    assert (second.stock, second.orders, forced.forced) == (26, 1, True)
    seen.clear()
    check_game(CORRECT["passes full"], watch=lambda position, choice: seen.append(choice))
    assert seen == [Pass(), Pass()]


# -------------------------------------------------------------------------------------- random games

# Every option away from its default, alone and together with others, for some number of players.
VARIANTS: list[tuple[int, dict[str, Any]]] = [
    *[(players, {}) for players in range(2, 10)],
    (2, {"start_score": 30, "millionaire": True, "stake": 5}),
    (3, {"hand_size": 3, "hand_limit": 5}),
    (2, {"hand_size": 1, "hand_limit": 4}),
    (9, {"nine_player_trump": "none", "millionaire": True}),
    (9, {"hand_size": 4, "lead_after_passes": "last_leader"}),
    (9, {"superblow": "adds", "superblow_in_composite": False}),
    (2, {"lead_after_passes": "last_leader", "hand_limit": 4}),
    (2, {"loose_cards_in_attack": True, "start_score": 40}),
    (2, {"repeat_marriage": "illegal"}),
    (2, {"beaten_marriage_counts": True, "superblow": "adds"}),
    (2, {"take_after_forced_pass": False}),
    (3, {"credit_per": "combination"}),
    (4, {"max_bouts": 5, "max_deals": 4}),
    (4, {"millionaire": True, "superblow_counts_as_force": False, "weak_marriage_passes_stage": False}),
    (6, {"hand_size": 6, "superblow_in_composite": False}),
]


@pytest.mark.parametrize(("players", "options"), VARIANTS)
def test_random_games_are_accepted(players: int, options: dict[str, Any]) -> None:
    """Referee and choices agree, and the summary adds up to the scores."""
    for seed in range(2):
        events = random_game(seed, players, **{"start_score": 40, **options})
        summary = check_game(json.loads(json.dumps(events)))
        start = events[0]["scores"]
        for seat in range(players):
            assert start[seat] + sum(deal.points[seat] for deal in summary.deals) == summary.scores[seat]
        tallied = sum(points for deal in summary.deals for _, points in deal.tallies.values())
        changed = sum(abs(one["delta"]) for event in events for one in event.get("changes", []))
        assert tallied == changed + sum(sum(event.get("penalties", [])) for event in events)


def test_other_point_tables() -> None:
    """Nothing depends on the default values: a table of distinct numbers, and one of noughts."""
    distinct = {key: 2 + place for place, key in enumerate(POINTS)}
    noughts = {**dict.fromkeys(POINTS, 0), "dump": 3}
    for seed in range(3):
        check_game(random_game(seed, 2, points=distinct))
        check_game(random_game(seed, 2, points=noughts, max_deals=3))
        check_game(random_game(seed, 4, points=distinct, superblow="adds"))
        check_game(random_game(seed, 3, points=distinct, choose=uniform))


def test_nothing_may_be_missing_or_twice() -> None:
    """Every single event of a game is needed, once and where it stands."""
    events = random_game(3, 2, start_score=25, millionaire=True)
    check_game(events)
    for index in range(len(events)):
        for broken in (
            events[:index] + events[index + 1 :],
            [*events[: index + 1], *events[index:]],
        ):
            with pytest.raises(RuleViolation):
                check_game(broken)


def test_nothing_that_follows_may_differ() -> None:
    """Every number, card and word in events that the rules determine is checked, except `rule`."""
    events = random_game(3, 2, start_score=25, millionaire=True)
    determined = ("score", "stage", "draw", "deal_end", "game_end")
    names = set()
    for index, event in enumerate(events):
        if event["event"] in determined:
            for other in variations(event):
                with pytest.raises(RuleViolation) as violation:
                    check_game([*events[:index], other, *events[index + 1 :]])
                assert violation.value.index == index
                names.add(event["event"])
    assert names == set(determined)


def variations(value: Any) -> Iterator[Any]:
    """The value with one thing in it changed, every way in turn."""
    if isinstance(value, dict):
        for name, part in value.items():
            if name != "rule":
                yield from ({**value, name: other} for other in variations(part))
    elif isinstance(value, list):
        for place, part in enumerate(value):
            yield value[:place] + value[place + 1 :]
            yield from (value[:place] + [other] + value[place + 1 :] for other in variations(part))
        yield [*value, 0]
    elif isinstance(value, str):
        yield "6s" if value != "6s" else "7s"
        yield None
    else:
        yield value + 1
        yield None


def test_rubbish_is_refused() -> None:
    """Whatever stands in a field, the referee answers with a violation and never breaks down."""
    events: list[Event] = CORRECT["taking"]
    rubbish: list[Any] = [None, True, -1, 99, 1.5, "x", [], [[]], {}, [{}], [None], [["6s"]], [["6s", 1]]]
    neutral = ("ruleset", "seed", "game", "strategies")
    for index, event in enumerate(events):
        for name in event:
            for value in rubbish:
                if name in neutral or value == event[name] or (name, value) == ("took", None):
                    continue
                with pytest.raises(RuleViolation):
                    check_game([*events[:index], {**event, name: value}, *events[index + 1 :]])
