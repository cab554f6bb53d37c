"""Correct transcripts written by hand: how deals and games end, and the millionaire's ladder.

Every number in them is worked out from the rules page. ENDS at the end names them.
"""

from .kombinator_combinations import RANKS, SUITS
from .kombinator_events import Event
from .kombinator_writing import (
    attack,
    attacker_passes,
    beat,
    deal,
    deal_end,
    defender_passes,
    game,
    game_end,
    score,
    stage,
)
from .kombinator_written_bouts import ONE_DEAL, SINGLE, TAKING

# Nine players hold four of a rank each, and nothing is left for the stock.
FOURS = [" ".join(rank + suit for suit in SUITS) for rank in RANKS]


def superblow(reading: str, points: int) -> list[Event]:
    """The first attack ends the deal (K-34); who went out leads the next (K-11), where all pass (K-71)."""
    lost = 100 - points
    return [
        game(9, superblow=reading, max_deals=2),
        deal(FOURS, leader=0, dealer=8, trump="c"),
        attack(0, FOURS[0], f"superblow {FOURS[0]} = {points}"),
        defender_passes(1),
        score([100, lost, *[100] * 7], f"1 -{points} superblow"),
        deal_end("out", [0, 0, 0, 0, 0, 4, 4, 4, 8], [100, lost, 100, 100, 100, 96, 96, 96, 92], out=[0]),
        deal([*FOURS[1:], FOURS[0]], leader=0, dealer=0, trump="c", number=2),
        *[attacker_passes(seat) for seat in range(9)],
        deal_end("passes", [0, 0, 0, 0, 4, 4, 4, 8, 0], [100, lost, 100, 100, 96, 92, 92, 88, 92]),
        game_end("max_deals", [100, lost, 100, 100, 96, 92, 92, 88, 92], [0, 2, 3]),
    ]


def superblow_defence(attacked: str) -> list[Event]:
    """A force beaten by a force with which both go out; then the lowest trump leads (K-10)."""
    return [
        game(9, max_deals=2),
        deal(FOURS, leader=0, dealer=8, trump="c"),
        attack(0, FOURS[0], f"{attacked.split()[0]} {FOURS[0]} = {attacked.split()[1]}"),
        beat(1, "6s<7s 6h<7h 6d<7d 6c<7c", f"superblow {FOURS[1]} = 40"),
        score([60, 96, *[100] * 7], "0 -40 superblow", "1 -4 small_force_beaten"),
        deal_end("out", [0, 0, 0, 0, 0, 4, 4, 4, 8], [60, 96, 100, 100, 100, 96, 96, 96, 92], out=[1, 0]),
        deal([*FOURS[1:], FOURS[0]], leader=8, dealer=0, trump="c", number=2),
        *[attacker_passes(seat % 9) for seat in range(8, 17)],
        deal_end("passes", [0, 0, 0, 0, 4, 4, 4, 8, 0], [60, 96, 100, 100, 96, 92, 92, 88, 92]),
        game_end("max_deals", [60, 96, 100, 100, 96, 92, 92, 88, 92], [2, 3]),
    ]


def superblow_beside_pair(counts: bool) -> list[Event]:
    """The last six cards: a force and a pair (`superblow_in_composite`)."""
    kind, points, lost = ("superblow", 40, 57) if counts else ("small_force", 12, 85)
    hands = [
        "6s 6h 6d 6c 7s 7h",
        "7d 7c 8s 8h 8d 8c",
        "9s 9h 9d 9c Ts Th",
        "Td Tc Js Jh Jd Jc",
        "Qs Qh Qd Qc Ks Kh",
        "Kd Kc As Ah Ad Ac",
    ]
    scores = [100, lost, 100, 96, 94, 90]
    return [
        game(6, hand_size=6, superblow_in_composite=counts, max_deals=1),
        deal(hands, leader=0, dealer=5, trump="c"),
        attack(0, hands[0], f"{kind} 6s 6h 6d 6c = {points}; pair 7s 7h = 3"),
        defender_passes(1),
        score([100, lost, 100, 100, 100, 100], f"1 -{points} {kind}", "1 -3 pair"),
        deal_end("out", [0, 0, 0, 4, 6, 10], scores, out=[0]),
        game_end("max_deals", scores, [0, 2]),
    ]


# Seat 1 keeps the six of spades to the end, and beats the last card of seat 0 with it (K-33).
JACKPOT = [
    game(9, **ONE_DEAL),
    deal(
        [
            "6h 6d 7h 6c",
            "6s 7c 8c 9c",
            "7s 7d 8s 8h",
            "8d 9s 9h 9d",
            *FOURS[4:],
        ],
        leader=0,
        dealer=8,
        trump="c",
    ),
    attack(0, "6h 6d 6c", "triple 6h 6d 6c = 6"),
    beat(1, "6h<8c 6d<9c 6c<7c", "small_optima 7c 8c 9c = 6"),
    score([94, *[100] * 8], "0 -6 small_optima"),
    *[attacker_passes(seat) for seat in range(1, 9)],
    attack(0, "7h"),
    beat(1, "7h<6s", "jackpot 6s = 25"),
    score([94, 125, *[100] * 7], "1 25 jackpot"),
    deal_end("out", [0, 0, 0, 0, 0, 4, 4, 4, 8], [94, 125, 100, 100, 100, 96, 96, 96, 92], out=[0, 1]),
    game_end("max_deals", [94, 125, 100, 100, 100, 96, 96, 96, 92], [1]),
]

# No card is left to turn up and `nine_player_trump` is none: the player after the dealer leads (K-5).
NO_TRUMP = [
    game(9, nine_player_trump="none", **ONE_DEAL),
    deal(FOURS, leader=3, dealer=2),
    *[attacker_passes(seat % 9) for seat in range(3, 12)],
    deal_end("passes", [0, 0, 0, 0, 0, 4, 4, 4, 8], [100, 100, 100, 100, 100, 96, 96, 96, 92]),
    game_end("max_deals", [100, 100, 100, 100, 100, 96, 96, 96, 92], [0, 1, 2, 3, 4]),
]

# The game ends in the middle of a deal: nobody draws, nobody is penalised (K-80, K-81).
GAME_OVER = [
    game(2, start_score=3),
    deal(["6s 6h Qd Kd", "7c 8c 9c Ac"], leader=0, turned="As"),
    attack(0, "6s 6h", "pair 6s 6h = 3"),
    defender_passes(1, "6h"),
    score([3, 0], "1 -3 pair"),
    game_end("score", [3, 0], [0]),
]

# Both at once (K-81).
DRAW_OF_TWO = [
    game(2, start_score=4),
    deal(["6s 6h 6d 6c", "7s 7h 7d 7c"], leader=0, turned="8c"),
    attack(0, "6s 6h 6d 6c", "small_force 6s 6h 6d 6c = 12"),
    beat(1, "6s<7s 6h<7h 6d<7d 6c<7c", "small_force 7s 7h 7d 7c = 12"),
    score([-8, 0], "0 -12 small_force", "1 -4 small_force_beaten"),
    game_end("score", [-8, 0], []),
]

# The penalties end the game, in what would have been the last deal anyway (K-80).
PENALTY_ENDS = [
    game(2, max_bouts=1, start_score=3, **ONE_DEAL),
    *SINGLE[1:6],
    deal_end("max_bouts", [0, 3], [3, 0]),
    game_end("score", [3, 0], [0]),
]

# Three players: the highest scores share the win, and every loser pays every winner (K-82, K-91).
THREE = [
    game(3, start_score=3, stake=2, millionaire=True),
    deal(["6s 6h Qd Kd", "7c 8c 9c Ac", "7d 8d 9d Ad"], leader=0, dealer=2, turned="As"),
    attacker_passes(0, "6d"),
    attacker_passes(1, "6c"),
    attacker_passes(2, "7s"),
    attack(0, "6s 6h", "pair 6s 6h = 3"),
    defender_passes(1),
    score([3, 0, 3], "1 -3 pair"),
    stage(0, 1),
    game_end("score", [3, 0, 3], [2, 0], stages=[1, 0, 0], payout=[0.6, -0.6, 0]),
]


def two_marriages_on_ladder(passes: bool) -> list[Event]:
    """TAKING on a ladder of two marriages; the second has no force (`weak_marriage_passes_stage`)."""
    events = list(TAKING)
    events[0] = game(
        2,
        max_bouts=4,
        millionaire=True,
        weak_marriage_passes_stage=passes,
        ladder=["marriage = 1", "marriage = 2.5"],
        **ONE_DEAL,
    )
    prize = 250 if passes else 100
    events[-1] = game_end("max_deals", [97, 89], [0], stages=[1 + passes, 0], payout=[prize, -prize])
    weak = events.index(attack(0, "Qs Ks", "marriage Qs Ks = 0", credit=True)) + 2
    if passes:
        events.insert(weak, stage(0, 2))
    events.insert(events.index(score([100, 93], "1 -4 marriage")) + 1, stage(0, 1))
    return events


def superblow_on_ladder(counts: bool) -> list[Event]:
    """A superblow of sixes on a ladder that asks for a force first (`superblow_counts_as_force`)."""
    events = superblow("replaces", 40)
    events[0] = game(
        9,
        max_deals=2,
        millionaire=True,
        superblow_counts_as_force=counts,
        ladder=["small_force+ = 1", "superblow = 2"],
    )
    if counts:
        events.insert(5, stage(0, 1))
    # Seats 0, 2 and 3 win; only seat 0 has passed a stage, and the six losers pay for it.
    net = [600, -100, 0, 0, *[-100] * 5] if counts else [0] * 9
    events[-1] = {**events[-1], "stages": [int(counts), *[0] * 8], "payout": net}
    return events


ENDS: dict[str, list[Event]] = {
    "superblow": superblow("replaces", 40),
    "superblow adds": superblow("adds", 52),
    "superblow in defence": superblow_defence("small_force 12"),
    "superblow beaten": superblow_defence("superblow 40"),
    "superblow and pair": superblow_beside_pair(counts=True),
    "force and pair": superblow_beside_pair(counts=False),
    "jackpot": JACKPOT,
    "no trump": NO_TRUMP,
    "game over": GAME_OVER,
    "draw of two": DRAW_OF_TWO,
    "penalty ends": PENALTY_ENDS,
    "three": THREE,
    "weak marriage passes": two_marriages_on_ladder(passes=True),
    "weak marriage does not": two_marriages_on_ladder(passes=False),
    "superblow is a force": superblow_on_ladder(counts=True),
    "superblow is no force": superblow_on_ladder(counts=False),
}
