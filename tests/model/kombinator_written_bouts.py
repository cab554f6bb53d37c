"""Correct transcripts written by hand, every number in them worked out from the rules page.

Most are games of one deal and a few bouts (`max_deals`, `max_bouts`). BOUTS at the end names them.
"""

from typing import Any

from .kombinator_events import Event
from .kombinator_writing import (
    attack,
    attacker_passes,
    beat,
    deal,
    deal_end,
    defender_passes,
    draw,
    game,
    game_end,
    score,
)

ONE_DEAL: dict[str, Any] = {"max_deals": 1}

# One single card, beaten: nobody scores. No trump in the hands, so the player after the dealer leads (K-10).
SINGLE = [
    game(2, max_bouts=1, **ONE_DEAL),
    deal(["6s 7h 8h 9h", "7s Jh Qh Kh"], leader=0, top="8s 9s", turned="6d"),
    attack(0, "6s"),
    beat(1, "6s<7s"),
    draw(0, "8s"),
    draw(1, "9s"),
    deal_end("max_bouts", [0, 3], [100, 97]),
    game_end("max_deals", [100, 97], [0]),
]


def beaten_pair(beating: str, declared: str, *changes: str, scores: list[int]) -> list[Event]:
    """Two nines beaten by two cards (the checks of K-42); the rest of the hands counts nothing."""
    first, second = beating.split()
    return [
        game(2, max_bouts=1, **ONE_DEAL),
        deal(["9s 9h 6c 7c", f"{beating} 8c 9c"], leader=0, top="6s 6h 7s 7h", turned="6d"),
        attack(0, "9s 9h", "pair 9s 9h = 3"),
        beat(1, f"9s<{first} 9h<{second}", declared),
        score(scores, *changes),
        draw(0, "6s 6h"),
        draw(1, "7s 7h"),
        deal_end("max_bouts", [0, 0], scores),
        game_end("max_deals", scores, [1]),
    ]


def beaten_triple(declared: str, *changes: str, scores: list[int]) -> list[Event]:
    """Three cards beaten by J, Q, K of mixed suits (the checks of K-42)."""
    return [
        game(2, max_bouts=1, **ONE_DEAL),
        deal(["9s 9h 9c 7c", "Js Qh Kc 8c"], leader=0, top="6s 6h 7d 7s 7h 8d", turned="6d"),
        attack(0, "9s 9h 9c", "triple 9s 9h 9c = 6"),
        beat(1, "9s<Js 9h<Qh 9c<Kc", declared),
        score(scores, *changes),
        draw(0, "6s 6h 7d"),
        draw(1, "7s 7h 8d"),
        deal_end("max_bouts", [0, 0], scores),
        game_end("max_deals", scores, [1]),
    ]


# A force beaten by a force while the stock lasts (K-25).
FORCE_BEATEN = [
    game(2, max_bouts=1, **ONE_DEAL),
    deal(["6s 6h 6d 6c", "7s 7h 7d 7c"], leader=0, top="8s 8h 8d Jc 9s 9h 9d Ac", turned="8c"),
    attack(0, "6s 6h 6d 6c", "small_force 6s 6h 6d 6c = 12"),
    beat(1, "6s<7s 6h<7h 6d<7d 6c<7c", "small_force 7s 7h 7d 7c = 12"),
    score([88, 96], "0 -12 small_force", "1 -4 small_force_beaten"),
    draw(0, "8s 8h 8d Jc"),
    draw(1, "9s 9h 9d Ac"),
    deal_end("max_bouts", [1, 2], [87, 94]),
    game_end("max_deals", [87, 94], [1]),
]

# Cards taken, credits gained and used, a marriage with force and one without (K-31, K-44, K-45).
TAKING = [
    game(2, max_bouts=4, **ONE_DEAL),
    deal(["6s 6h Qd Kd", "7c 8c 9c Tc"], leader=0, top="Js Ah Jh Jd Qs Ks 8d 9d", turned="As"),
    attack(0, "6s 6h", "pair 6s 6h = 3"),
    defender_passes(1, "6h"),
    score([100, 97], "1 -3 pair"),
    draw(0, "Js Ah"),
    attack(0, "Qd Kd", "marriage Qd Kd = 4", credit=True),
    defender_passes(1),
    score([100, 93], "1 -4 marriage"),
    draw(0, "Jh Jd"),
    attack(0, "Jh Jd", "pair Jh Jd = 3"),
    defender_passes(1, "Jd"),
    score([100, 90], "1 -3 pair"),
    draw(0, "Qs Ks"),
    attack(0, "Qs Ks", "marriage Qs Ks = 0", credit=True),
    defender_passes(1),
    draw(0, "8d 9d"),
    deal_end("max_bouts", [3, 1], [97, 89]),
    game_end("max_deals", [97, 89], [0]),
]


def two_credits(credit_per: str, fourth: bool) -> list[Event]:
    """Two credits, then two pairs at once that use up one or both (K-45): one left for the fourth attack?"""
    return [
        game(2, max_bouts=4, credit_per=credit_per, **ONE_DEAL),
        deal(["6s 7h 9h 9d", "7c 8c 9c Tc"], leader=0, top="Th Td Jh Jd 8h 8d 6d 7d", turned="As"),
        attack(0, "7h"),
        defender_passes(1, "7h"),
        draw(0, "Th"),
        attack(0, "6s"),
        defender_passes(1, "6s"),
        draw(0, "Td"),
        attack(0, "9h 9d Th Td", "pair 9h 9d = 3; pair Th Td = 3", credit=True),
        defender_passes(1),
        score([100, 94], "1 -3 pair", "1 -3 pair"),
        draw(0, "Jh Jd 8h 8d"),
        attack(0, "Jh Jd", "pair Jh Jd = 3", credit=fourth),
        defender_passes(1),
        score([100, 91], "1 -3 pair"),
        draw(0, "6d 7d"),
        deal_end("max_bouts", [0, 0], [100, 91]),
        game_end("max_deals", [100, 91], [0]),
    ]


def ordered(*second_bout: Event, hand: str = "Qs Ad 7c Th", drawn: str = "Js") -> list[Event]:
    """Seat 1 beats the queen with the trump queen, earns an order (K-50) and attacks with `second_bout`."""
    return [
        game(2, max_bouts=2, **ONE_DEAL),
        deal(["Qh 7s 8s 9s", hand], leader=0, top=f"Ks {drawn} 6c 7d 8d 9d 6h 7h 8h 9h", turned="As"),
        attack(0, "Qh"),
        beat(1, "Qh<Qs", earned=True),
        score([99, 100], "0 -1 court_cards"),
        draw(0, "Ks"),
        draw(1, drawn),
        *second_bout,
    ]


INVULNERABLE = ordered(
    attack(1, "7c", order="invulnerable"),
    defender_passes(0),
    draw(1, "6c"),
    deal_end("max_bouts", [1, 3], [98, 97]),
    game_end("max_deals", [98, 97], [0]),
)
REINFORCED = ordered(
    attack(1, "Js", order="reinforced"),
    defender_passes(0),
    score([98, 100], "0 -1 reinforced"),
    draw(1, "6c"),
    deal_end("max_bouts", [1, 2], [97, 98]),
    game_end("max_deals", [97, 98], [1]),
)
REINFORCED_PAIR = ordered(
    attack(1, "Ad Ah", "pair Ad Ah = 3", order="reinforced"),
    defender_passes(0),
    score([92, 100], "0 -3 pair", "0 -4 reinforced"),
    draw(1, "6c 7d"),
    deal_end("max_bouts", [1, 0], [91, 100]),
    game_end("max_deals", [91, 100], [1]),
    drawn="Ah",
)
ASSEMBLY = ordered(
    attack(1, "Ad 7c Th Js", "assembly Ad 7c Th Js = 6", order="assembly"),
    defender_passes(0, "Ad"),
    score([93, 100], "0 -6 assembly"),
    draw(1, "6c 7d 8d 9d"),
    deal_end("max_bouts", [3, 0], [90, 100]),
    game_end("max_deals", [90, 100], [1]),
)
ASSEMBLY_BEATEN = ordered(
    attack(1, "Ad 7c Th Js", "assembly Ad 7c Th Js = 6", order="assembly"),
    beat(0, "Ad<7s 7c<8s Th<9s Js<Ks", "small_optima 7s 8s 9s = 6"),
    score([93, 93], "1 -6 small_optima", "1 -1 court_cards", "0 -6 assembly_beaten"),
    draw(1, "6c 7d 8d 9d"),
    draw(0, "6h 7h 8h 9h"),
    deal_end("max_bouts", [0, 0], [93, 93]),
    game_end("max_deals", [93, 93], []),
)
ORDERED_DUMP = ordered(
    attack(1, "Ad 7c Th Js", "dump Ad 7c Th Js = 0", order="reinforced"),
    defender_passes(0),
    score([96, 100], "0 -3 reinforced"),
    draw(1, "6c 7d 8d 9d"),
    deal_end("max_bouts", [1, 0], [95, 100]),
    game_end("max_deals", [95, 100], [1]),
)

# The order is earned with two cards in the stock, and ends when they are drawn (K-51).
LAST_TWO = [
    game(2, max_bouts=2, hand_size=17, hand_limit=18, **ONE_DEAL),
    deal(
        [
            "6s 7s 8s 9s Ts Js Qh 6h 7h 8h 9h Th Jh 6d 7d 8d 9d",
            "Qs Ks Kh Td Jd Qd Kd Ad 6c 7c 8c 9c Tc Jc Qc Kc Ac",
        ],
        leader=0,
        top="Ah",
        turned="As",
    ),
    attack(0, "Qh"),
    beat(1, "Qh<Qs", earned=True),
    score([99, 100], "0 -1 court_cards"),
    draw(0, "Ah"),
    draw(1, "As"),
    attack(1, "6c"),
    defender_passes(0),
    deal_end("max_bouts", [4, 14], [95, 86]),
    game_end("max_deals", [95, 86], [0]),
]

# A dump is used up also when it is beaten (K-30).
DUMP = [
    game(2, max_bouts=2, **ONE_DEAL),
    deal(["6s 7h 8d 9c", "7s 8h 9d Tc"], leader=0, top="8s 9h Td Jc Qs Qh Qd Qc", turned="As"),
    attack(0, "6s 7h 8d 9c", "dump 6s 7h 8d 9c = 0"),
    beat(1, "6s<7s 7h<8h 8d<9d 9c<Tc", "medium_queue 7s 8h 9d Tc = 5"),
    score([95, 100], "0 -5 medium_queue"),
    draw(0, "8s 9h Td Jc"),
    draw(1, "Qs Qh Qd Qc"),
    attack(1, "Qs Qh Qd Qc", "large_force Qs Qh Qd Qc = 15"),
    defender_passes(0),
    score([80, 100], "0 -15 large_force"),
    draw(1, "6h 6d 6c 7d"),
    deal_end("max_bouts", [1, 0], [79, 100]),
    game_end("max_deals", [79, 100], [1]),
]


def marriage_again(counts: bool) -> list[Event]:
    """A marriage that was beaten, and another one later in the deal (K-31)."""
    value, changes = (0, []) if counts else (4, [score([100, 95], "1 -4 marriage")])
    last = [100, 99] if counts else [100, 95]
    return [
        game(2, max_bouts=3, beaten_marriage_counts=counts, **ONE_DEAL),
        deal(["6s Qh Kh Qd", "7s 8s 9c Tc"], leader=0, top="Kd Jc 6c 7c 8c 9d Th Td", turned="As"),
        attack(0, "Qh Kh", "marriage Qh Kh = 4"),
        beat(1, "Qh<7s Kh<8s"),
        draw(0, "Kd Jc"),
        draw(1, "6c 7c"),
        attack(1, "9c"),
        beat(0, "9c<Jc"),
        score([100, 99], "1 -1 court_cards"),
        draw(1, "8c"),
        draw(0, "9d"),
        attack(0, "Qd Kd", f"marriage Qd Kd = {value}"),
        defender_passes(1),
        *changes,
        draw(0, "Th Td"),
        deal_end("max_bouts", [0, 0], last),
        game_end("max_deals", last, [0]),
    ]


# Two marriages at once: one has force (K-31), whichever is written with points.
TWO_MARRIAGES = [
    game(2, max_bouts=1, **ONE_DEAL),
    deal(["Qs Kh Qd Kc", "6h 7h 8h 9h"], leader=0, top="6d 7d 8d 9d", turned="As"),
    attack(0, "Qs Kh Qd Kc", "marriage Qs Kh = 0; marriage Qd Kc = 4"),
    defender_passes(1, "Kh"),
    score([100, 96], "1 -4 marriage"),
    draw(0, "6d 7d 8d 9d"),
    deal_end("max_bouts", [0, 1], [100, 95]),
    game_end("max_deals", [100, 95], [0]),
]

# Passes: cards are drawn until all hands are full, here with five cards (K-24, K-72).
PASSES_FULL = [
    game(2, hand_limit=5, **ONE_DEAL),
    deal(["6s 7h 8h 9h", "7s Jh Qh Kh"], leader=0, top="8s 9s", turned="6d"),
    attacker_passes(0, "8s"),
    attacker_passes(1, "9s"),
    deal_end("passes_full", [0, 3], [100, 97]),
    game_end("max_deals", [100, 97], [0]),
]


def passed_then(option: str, leader: int) -> list[Event]:
    """A deal that ended by passes, and who leads the next one (K-12); seat 1 holds the lowest trump there."""
    return [
        game(2, hand_limit=4, lead_after_passes=option, max_deals=2),
        deal(["6d 7h 8h 9h", "7s Th 9s 8s"], leader=0, dealer=0, turned="7d"),
        attacker_passes(0),
        attacker_passes(1),
        deal_end("passes_full", [0, 0], [100, 100]),
        deal(["8d 7h 8h 9h", "6d Th 9s Js"], leader=leader, dealer=1, turned="7d", number=2),
        attacker_passes(leader),
        attacker_passes(1 - leader),
        deal_end("passes_full", [0, 1], [100, 99]),
        game_end("max_deals", [100, 99], [0]),
    ]


# Cards of any kind may be laid together (K-21 with `loose_cards_in_attack`).
LOOSE = [
    game(2, max_bouts=1, loose_cards_in_attack=True, **ONE_DEAL),
    deal(["6s 6h 8d Tc", "7s 8h 9d Jc"], leader=0, top="8s 9h Td", turned="As"),
    attack(0, "6s 6h 8d", "pair 6s 6h = 3"),
    defender_passes(1, "8d"),
    score([100, 97], "1 -3 pair"),
    draw(0, "8s 9h Td"),
    deal_end("max_bouts", [0, 1], [100, 96]),
    game_end("max_deals", [100, 96], [0]),
]

# Without the right to take a card where beating was not allowed (K-44).
FORCED = [
    game(2, max_bouts=2, take_after_forced_pass=False, **ONE_DEAL),
    deal(["6s 7h 7d 9d", "7c 8c 9c Tc"], leader=0, top="Th Td Jh", turned="As"),
    attack(0, "6s"),
    defender_passes(1, "6s"),
    draw(0, "Th"),
    attack(0, "7h 7d", "pair 7h 7d = 3", credit=True),
    defender_passes(1),
    score([100, 97], "1 -3 pair"),
    draw(0, "Td Jh"),
    deal_end("max_bouts", [1, 0], [99, 97]),
    game_end("max_deals", [99, 97], [0]),
]


BOUTS: dict[str, list[Event]] = {
    "single": SINGLE,
    "pair of jacks": beaten_pair("Js Jh", "pair Js Jh = 3", "0 -3 pair", "0 -2 court_cards", scores=[95, 100]),
    "pair of queens": beaten_pair("Qs Qh", "pair Qs Qh = 3", "0 -3 pair", "0 -2 court_cards", scores=[95, 100]),
    "pair of kings": beaten_pair("Ks Kh", "pair Ks Kh = 3", "0 -3 pair", "0 -2 court_cards", scores=[95, 100]),
    "pair of aces": beaten_pair("As Ah", "pair As Ah = 3", "0 -3 pair", "0 -4 court_cards", scores=[93, 100]),
    "nothing declared": beaten_pair("As Ah", "", "0 -4 court_cards", scores=[96, 100]),
    "queue of court cards": beaten_triple("small_queue Js Qh Kc = 3", "0 -3 small_queue", "0 -3 court_cards", scores=[94, 100]),
    "marriage and jack": beaten_triple("marriage Qh Kc = 4", "0 -4 marriage", "0 -3 court_cards", scores=[93, 100]),
    "force beaten": FORCE_BEATEN,
    "taking": TAKING,
    "one credit an attack": two_credits("attack", True),
    "one credit a combination": two_credits("combination", False),
    "invulnerable": INVULNERABLE,
    "reinforced": REINFORCED,
    "reinforced pair": REINFORCED_PAIR,
    "assembly": ASSEMBLY,
    "assembly beaten": ASSEMBLY_BEATEN,
    "ordered dump": ORDERED_DUMP,
    "last two": LAST_TWO,
    "dump": DUMP,
    "beaten marriage": marriage_again(counts=False),
    "beaten marriage counts": marriage_again(counts=True),
    "two marriages": TWO_MARRIAGES,
    "passes full": PASSES_FULL,
    "lowest trump after passes": passed_then("lowest_trump", leader=1),
    "last leader after passes": passed_then("last_leader", leader=0),
    "loose cards": LOOSE,
    "forced pass": FORCED,
}
