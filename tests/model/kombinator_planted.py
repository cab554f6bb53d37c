"""Errors planted in the correct transcripts: what is changed, the rule that is broken, and where it shows."""

from collections.abc import Callable
from typing import Any

from .kombinator_events import Event
from .kombinator_writing import (
    attack,
    attacker_passes,
    beat,
    combinations,
    deal_end,
    defender_passes,
    draw,
    score,
    stage,
)
from .kombinator_written_bouts import BOUTS
from .kombinator_written_ends import ENDS

CORRECT = {**BOUTS, **ENDS}
Edit = Callable[[list[Any]], None]


def at(index: int, **fields: Any) -> Edit:
    """Other values in one event."""

    def edit(events: list[Any]) -> None:
        events[index] = {**events[index], **fields}

    return edit


def without(index: int, field: str) -> Edit:
    """A field missing from one event."""

    def edit(events: list[Any]) -> None:
        del events[index][field]

    return edit


def gone(index: int) -> Edit:
    """One event missing."""

    def edit(events: list[Any]) -> None:
        del events[index]

    return edit


def added(index: int, event: Event) -> Edit:
    """One event too many, before `index`."""

    def edit(events: list[Any]) -> None:
        events.insert(index, event)

    return edit


def instead(index: int, *others: Event) -> Edit:
    """From `index` on another course of the game."""

    def edit(events: list[Any]) -> None:
        events[index:] = others

    return edit


def swapped(index: int) -> Edit:
    """Two neighbouring events the other way round."""

    def edit(events: list[Any]) -> None:
        events[index : index + 2] = reversed(events[index : index + 2])

    return edit


def option(**options: Any) -> Edit:
    """The same course of the game under other options."""

    def edit(events: list[Any]) -> None:
        events[0]["options"].update(options)

    return edit


def point(**points: int) -> Edit:
    """The same course of the game under another point table."""

    def edit(events: list[Any]) -> None:
        events[0]["points"].update(points)

    return edit


def both(*edits: Edit) -> Edit:
    """Several edits."""

    def edit(events: list[Any]) -> None:
        for one in edits:
            one(events)

    return edit


def laid(index: int, cards: str, declared: str = "", **fields: Any) -> Edit:
    """Other cards in an attack."""
    return at(index, cards=cards.split(), combinations=combinations(declared), **fields)


def declared(index: int, text: str) -> Edit:
    """Other combinations declared."""
    return at(index, combinations=combinations(text))


def changes(index: int, *texts: str) -> Edit:
    """Other changes of the score."""
    return at(index, changes=score([], *texts)["changes"])


ALL_THE_HAND = "Ks Kh Td Jd Qd Kd Ad 6c 7c 8c 9c Tc Jc Qc Kc Ac As"  # of seat 1 in "last two"
SIXES, SEVENS = "6s 6h 6d 6c", "7s 7h 7d 7c"

# (transcript, the error, the rule that is broken, the event at which it shows)
PLANTED: dict[str, tuple[str, Edit, str, int]] = {
    # the game and the deal
    "another first score": ("single", at(0, scores=[100, 99]), "K-3", 0),
    "an option missing": ("single", at(0, options={}), "transcript", 0),
    "an unknown reading": ("single", option(superblow="doubles"), "transcript", 0),
    "a value missing": ("single", at(0, points={}), "transcript", 0),
    "other number of seats": ("single", at(0, seats=3), "transcript", 0),
    "one player": ("single", at(0, scores=[100], seats=1), "K-2", 0),
    "hands over the limit": ("single", option(hand_limit=3), "K-6", 0),
    "hands of more than the pack": ("single", option(hand_size=20, hand_limit=20), "K-4", 0),
    "no deal": ("single", gone(1), "transcript", 1),
    "second deal first": ("single", at(1, deal=2), "transcript", 1),
    "no such dealer": ("single", at(1, dealer=2), "K-7", 1),
    "other size of hands": ("single", option(hand_size=5), "K-4", 1),
    "a card in two hands": (
        "single",
        at(1, hands=[["6s", "7s", "8h", "9h"], ["7s", "Jh", "Qh", "Kh"]]),
        "K-1",
        1,
    ),
    "turned card from the top": ("single", at(1, turned="8s"), "K-4", 1),
    "other trump": ("single", at(1, trump="s"), "K-4", 1),
    "trump of another player with nine": ("superblow", at(1, dealer=7, trump="s"), "K-4", 1),
    "no trump with nine": ("superblow", at(1, trump=None), "K-4", 1),
    "not the player after the dealer leads": ("single", at(1, leader=1), "K-10", 1),
    "not the lowest trump leads": ("taking", at(1, leader=1), "K-10", 1),
    "deal does not pass": ("superblow", at(6, dealer=8), "K-7", 6),
    "not who went out leads": ("superblow", at(6, leader=8), "K-10", 6),
    "one who went out with another leads": ("superblow in defence", at(6, leader=0), "K-10", 6),
    "last leader leads": ("last leader after passes", option(lead_after_passes="lowest_trump"), "K-10", 5),
    "lowest trump leads": ("lowest trump after passes", option(lead_after_passes="last_leader"), "K-10", 5),
    # the attack
    "attack out of turn": ("single", at(2, seat=1), "K-13", 2),
    "attack out of turn after beating": ("invulnerable", at(7, seat=0), "K-13", 7),
    "defender attacks after passing": ("taking", at(6, seat=1), "K-13", 6),
    "attack with no card": ("single", laid(2, ""), "K-20", 2),
    "card of another hand": ("single", laid(2, "Jh"), "K-20", 2),
    "card played before": ("taking", laid(10, "6s"), "K-20", 10),
    "card that the defender took": ("taking", laid(10, "6h"), "K-20", 10),
    "unknown card": ("single", laid(2, "1s"), "transcript", 2),
    "card twice": ("single", laid(2, "6s 6s"), "transcript", 2),
    "no such combination": ("single", declared(2, "trio 6s = 1"), "K-20", 2),
    "no pair": ("single", laid(2, "6s 7h", "pair 6s 7h = 3"), "K-20", 2),
    "combination of other cards": ("taking", declared(2, "pair 6s 6c = 3"), "K-21", 2),
    "two loose cards": ("single", laid(2, "6s 7h"), "K-21", 2),
    "loose card beside a pair": ("taking", laid(2, "6s 6h Qd", "pair 6s 6h = 3"), "K-21", 2),
    "loose cards not allowed": ("loose cards", option(loose_cards_in_attack=False), "K-21", 2),
    "card in two combinations": ("taking", declared(2, "pair 6s 6h = 3; pair 6h 6s = 3"), "K-21", 2),
    "more cards than the defender has": (
        "jackpot",
        instead(12, attack(8, "As Ah", "pair As Ah = 3")),
        "K-22",
        12,
    ),
    "points of a pair": ("taking", declared(2, "pair 6s 6h = 4"), "K-23", 2),
    "points of the default table": ("taking", point(pair=4), "K-23", 2),
    "jackpot in attack": ("single", declared(2, "jackpot 6s = 25"), "K-33", 2),
    "dump of three players": ("three", laid(5, "6s 6h Qd Kd 6d", "dump 6s 6h Qd Kd 6d = 0"), "K-30", 5),
    "dump of some cards": ("dump", laid(2, "6s 7h 8d", "dump 6s 7h 8d = 0"), "K-30", 2),
    "dump with an empty stock": (
        "last two",
        laid(7, ALL_THE_HAND, f"dump {ALL_THE_HAND} = 0"),
        "K-30",
        7,
    ),
    "second dump": (
        "dump",
        both(
            option(max_bouts=9),
            instead(7, attacker_passes(1, "6h"), attack(0, "8s 9h Td Jc", "dump 8s 9h Td Jc = 0")),
        ),
        "K-30",
        8,
    ),
    "second marriage with points": ("taking", declared(14, "marriage Qs Ks = 4"), "K-23", 14),
    "first marriage without points": ("taking", declared(6, "marriage Qd Kd = 0"), "K-23", 6),
    "second marriage not allowed": ("taking", option(repeat_marriage="illegal"), "K-31", 14),
    "two marriages not allowed": ("two marriages", option(repeat_marriage="illegal"), "K-31", 2),
    "two marriages with points": (
        "two marriages",
        declared(2, "marriage Qs Kh = 4; marriage Qd Kc = 4"),
        "K-23",
        2,
    ),
    "beaten marriage used up": ("beaten marriage", option(beaten_marriage_counts=True), "K-23", 11),
    "beaten marriage not used up": (
        "beaten marriage counts",
        option(beaten_marriage_counts=False),
        "K-23",
        11,
    ),
    "assembly without order": ("assembly", at(7, order=None), "K-32", 7),
    "assembly with another order": ("assembly", at(7, order="reinforced"), "K-32", 7),
    "order for an assembly without one": ("invulnerable", at(7, order="assembly"), "K-32", 7),
    "order for an assembly, dump": ("ordered dump", at(7, order="assembly"), "K-32", 7),
    "order never earned": ("single", at(2, order="reinforced"), "K-50", 2),
    "no such order": ("invulnerable", at(7, order="free"), "K-50", 7),
    "order missing": ("single", without(2, "order"), "transcript", 2),
    "order used twice": (
        "invulnerable",
        both(option(max_bouts=9), instead(10, attack(1, "6c", order="reinforced"))),
        "K-50",
        10,
    ),
    "order after the stock ran out": ("last two", at(7, order="reinforced"), "K-50", 7),
    "superblow with a stock": ("force beaten", declared(2, f"superblow {SIXES} = 40"), "K-34", 2),
    "force that ends the deal": ("superblow", declared(2, f"small_force {SIXES} = 12"), "K-34", 2),
    "superblow of the other reading": ("superblow", option(superblow="adds"), "K-23", 2),
    "superblow of the first reading": ("superblow adds", option(superblow="replaces"), "K-23", 2),
    "superblow beside a pair": ("superblow and pair", option(superblow_in_composite=False), "K-34", 2),
    "force beside a pair": ("force and pair", option(superblow_in_composite=True), "K-34", 2),
    "credit not used": ("taking", at(6, credit=False), "K-45", 6),
    "credit used and not said": ("taking", without(6, "credit"), "K-45", 6),
    "credit nobody has": ("taking", at(2, credit=True), "K-45", 2),
    "credit for a single card": ("one credit an attack", at(5, credit=True), "K-45", 5),
    "credit left": ("one credit a combination", option(credit_per="attack"), "K-45", 12),
    "credit used up": ("one credit an attack", option(credit_per="combination"), "K-45", 12),
    # the defence
    "defended by the attacker": ("single", at(3, seat=0), "K-13", 3),
    "no defence": ("single", gone(3), "transcript", 3),
    "not higher": ("single", at(3, pairs=[["6s", "Jh"]]), "K-40", 3),
    "trump beaten by a plain card": (
        "force beaten",
        at(3, pairs=[["6s", "7c"], ["6h", "7h"], ["6d", "7d"], ["6c", "7s"]]),
        "K-40",
        3,
    ),
    "beaten with a card of the stock": ("single", at(3, pairs=[["6s", "9s"]]), "K-40", 3),
    "another card beaten": ("single", at(3, pairs=[["6c", "7s"]]), "K-40", 3),
    "not all beaten": ("pair of jacks", at(3, pairs=[["9s", "Js"]], combinations=[]), "K-40", 3),
    "one card beats two": (
        "pair of jacks",
        at(3, pairs=[["9s", "Js"], ["9h", "Js"]], combinations=[]),
        "transcript",
        3,
    ),
    "invulnerable beaten": ("invulnerable", instead(8, beat(0, "7c<7s")), "K-45", 8),
    "credit beaten": ("taking", instead(7, beat(1, "Qd<7c Kd<8c")), "K-45", 7),
    "combination of cards that beat nothing": ("single", declared(3, "small_row Jh Qh Kh = 3"), "K-41", 3),
    "card in two combinations of a defence": (
        "marriage and jack",
        declared(3, "marriage Qh Kc = 4; small_queue Js Qh Kc = 3"),
        "K-21",
        3,
    ),
    "no pairs": ("single", at(3, pairs=[["6s"]]), "transcript", 3),
    "combination twice in a defence": (
        "pair of jacks",
        declared(3, "pair Js Jh = 3; pair Jh Js = 3"),
        "K-21",
        3,
    ),
    "dump in defence": ("single", declared(3, "dump 7s = 0"), "K-30", 3),
    "assembly in defence": ("force beaten", declared(3, f"assembly {SEVENS} = 6"), "K-32", 3),
    "points in defence": ("pair of jacks", declared(3, "pair Js Jh = 5"), "K-23", 3),
    "force that ends the deal in defence": (
        "superblow in defence",
        declared(3, f"small_force {SEVENS} = 12"),
        "K-34",
        3,
    ),
    "superblow in defence with a stock": ("force beaten", declared(3, f"superblow {SEVENS} = 40"), "K-34", 3),
    "jackpot not said": ("jackpot", declared(14, ""), "K-33", 14),
    "six of spades without jackpot": (
        "jackpot",
        instead(3, beat(1, "6h<8c 6d<9c 6c<6s")),
        "K-40",
        3,
    ),
    "order earned not said": ("invulnerable", at(3, order_earned=False), "K-50", 3),
    "order not earned": ("single", at(3, order_earned=True), "K-50", 3),
    "order earned missing": ("single", without(3, "order_earned"), "transcript", 3),
    "order earned with an empty stock": ("last two", instead(8, beat(0, "6c<6s", earned=True)), "K-50", 8),
    "took a card of the attacker's hand": ("single", instead(3, defender_passes(1, "7h")), "K-44", 3),
    "took into a full hand": (
        "lowest trump after passes",
        instead(2, attack(0, "7h"), defender_passes(1, "7h")),
        "K-44",
        3,
    ),
    "took where beating was not allowed": ("forced pass", at(6, took="7h"), "K-44", 6),
    "took missing": ("taking", without(7, "took"), "transcript", 7),
    # passes and draws
    "pass without drawing": ("passes full", at(2, drew=[]), "K-24", 2),
    "pass with another card": ("passes full", at(2, drew=["9s"]), "K-24", 2),
    "pass with two cards": ("passes full", at(2, drew=["8s", "9s"]), "K-24", 2),
    "pass and draw into a full hand": ("lowest trump after passes", at(2, drew=["6s"]), "K-24", 2),
    "pass out of turn": ("passes full", at(3, seat=0), "K-13", 3),
    "no draw": ("single", gone(4), "K-60", 4),
    "draw of the turned card": ("single", at(4, cards=["6d"]), "K-60", 4),
    "draw of too many": ("single", at(4, cards=["8s", "9s"]), "K-60", 4),
    "draw of none": ("taking", added(6, draw(1, "")), "transcript", 6),
    "draw in another order": ("force beaten", at(5, cards=["8h", "8s", "8d", "Jc"]), "K-60", 5),
    "defender draws first": ("single", swapped(4), "K-60", 4),
    "draw before the score": ("taking", swapped(4), "K-43", 4),
    "draw over the hand size": ("taking", added(6, draw(1, "Jh")), "transcript", 6),
    # scores
    "no score": ("taking", gone(4), "K-43", 4),
    "no score of a defence": ("pair of jacks", gone(4), "K-42", 4),
    "score of nothing": ("single", added(4, score([100, 100])), "K-60", 4),
    "attack beaten scores": ("single", added(4, score([100, 97], "1 -3 pair")), "K-60", 4),
    "other delta": ("taking", changes(4, "1 -2 pair"), "K-43", 4),
    "other reason": ("taking", changes(4, "1 -3 triple"), "K-43", 4),
    "other seat": ("taking", changes(4, "0 -3 pair"), "K-43", 4),
    "change of nothing": ("taking", changes(4, "1 -3 pair", "0 0 dump"), "K-43", 4),
    "change twice": ("taking", changes(4, "1 -3 pair", "1 -3 pair"), "K-43", 4),
    "changes added up": ("one credit an attack", changes(10, "1 -6 pair"), "K-43", 10),
    "other scores after": ("taking", at(4, scores=[100, 96]), "K-43", 4),
    "change without rule": (
        "taking",
        at(4, changes=[{"seat": 1, "delta": -3, "reason": "pair", "rule": ""}]),
        "transcript",
        4,
    ),
    "court cards not counted": ("pair of jacks", changes(4, "0 -3 pair"), "K-42", 4),
    "aces as court cards": ("pair of aces", changes(4, "0 -3 pair", "0 -2 court_cards"), "K-42", 4),
    "beaten force costs nothing": ("force beaten", changes(4, "0 -12 small_force"), "K-42", 4),
    "beaten force costs its attacker": (
        "force beaten",
        changes(4, "0 -12 small_force", "0 -4 small_force_beaten"),
        "K-42",
        4,
    ),
    "beaten assembly costs nothing": (
        "assembly beaten",
        changes(9, "1 -6 small_optima", "1 -1 court_cards"),
        "K-42",
        9,
    ),
    "jackpot taken from the attacker": ("jackpot", changes(15, "0 -25 jackpot"), "K-42", 15),
    "reinforced not counted": ("reinforced pair", changes(9, "0 -3 pair"), "K-43", 9),
    "reinforced without order": ("reinforced pair", at(7, order="invulnerable"), "K-43", 9),
    # the millionaire's ladder
    "no stage": ("three", gone(8), "K-90", 8),
    "stage of another": ("three", at(8, seat=2), "K-90", 8),
    "two stages": ("three", at(8, stage=2), "K-90", 8),
    "stage twice": ("three", added(9, stage(0, 2)), "K-80", 9),
    "stage before the score": ("three", swapped(7), "K-43", 7),
    "stage in the plain game": ("game over", added(5, stage(0, 1)), "K-80", 5),
    "weak marriage passes": ("weak marriage passes", option(weak_marriage_passes_stage=False), "K-60", 17),
    "weak marriage does not pass": (
        "weak marriage does not",
        option(weak_marriage_passes_stage=True),
        "K-90",
        17,
    ),
    "superblow is a force": ("superblow is a force", option(superblow_counts_as_force=False), "K-70", 5),
    "superblow is no force": ("superblow is no force", option(superblow_counts_as_force=True), "K-90", 5),
    "other payout": ("three", at(9, payout=[0.6, 0, -0.6]), "K-80", 9),
    "loser pays once": ("superblow is a force", at(-1, payout=[100, -100, *[0] * 7]), "K-80", 18),
    "other stages": ("three", at(9, stages=[1, 1, 0]), "K-80", 9),
    "no payout": ("three", without(9, "payout"), "K-80", 9),
    "other stake": ("three", option(stake=3), "K-80", 9),
    # endings
    "no end of the deal": ("single", gone(6), "K-70", 6),
    "deal goes on": ("passes full", added(4, attacker_passes(0)), "K-70", 4),
    "deal ends too early": ("passes full", gone(3), "transcript", 3),
    "deal ends before a guard": ("single", option(max_bouts=2), "transcript", 6),
    "other reason of the end": ("passes full", at(4, reason="passes"), "K-70", 4),
    "guard instead of passes": ("passes full", at(4, reason="max_bouts"), "K-70", 4),
    "nobody out": ("superblow", at(5, out=[]), "K-70", 5),
    "both out": ("superblow", at(5, out=[0, 1]), "K-70", 5),
    "no penalties": ("single", at(6, penalties=[0, 0], scores=[100, 100]), "K-70", 6),
    "penalties below zero": ("single", at(6, penalties=[0, -3]), "K-70", 6),
    "other scores after penalties": ("single", at(6, scores=[100, 100]), "K-70", 6),
    "other value of an ace": ("force beaten", point(ace=3), "K-70", 7),
    "deal ends after the game": ("game over", added(5, deal_end("out", [3, 2], [0, -2])), "K-80", 5),
    "draw after the game": ("game over", added(5, draw(0, "6d")), "K-80", 5),
    "game goes on": ("game over", instead(5, *CORRECT["single"][1:]), "K-80", 5),
    "game ends too early": ("superblow", instead(6, CORRECT["superblow"][-1]), "transcript", 6),
    "game ends without end": ("single", gone(7), "transcript", 7),
    "game ends twice": ("single", added(8, CORRECT["single"][7]), "transcript", 8),
    "other last scores": ("single", at(7, scores=[100, 98]), "K-80", 7),
    "other reason of the game's end": ("penalty ends", at(-1, reason="max_deals"), "K-80", 7),
    "other winner": ("single", at(7, winners=[1]), "K-80", 7),
    "draw of two has winners": ("draw of two", at(-1, winners=[1]), "K-80", 5),
    "win not shared": ("three", at(9, winners=[0]), "K-80", 9),
    "equal scores of two win": ("assembly beaten", at(-1, winners=[0, 1]), "K-80", 13),
    "another event": ("single", added(2, {"event": "knock"}), "transcript", 2),
    "no event": ("single", added(2, {}), "transcript", 2),
}
