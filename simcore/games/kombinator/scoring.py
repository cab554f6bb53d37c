"""What a bout costs whom: combinations, court cards, consolations, penalties, and the stages of the ladder."""

from __future__ import annotations

from typing import Any

from simcore.bits import popcount
from simcore.compiled import inlined, inner
from simcore.games.kombinator.combinations import (
    ACE,
    ACES,
    ASSEMBLY,
    ASSEMBLY_BEATEN,
    COURT,
    COURT_CARD,
    DUMP,
    JACKPOT,
    MARRIAGE,
    SMALL_FORCE,
    SMALL_FORCE_BEATEN,
    SUPERBLOW,
    WEAK_MARRIAGE,
    is_force,
)
from simcore.games.kombinator.rows import EV_CHANGE, EV_STAGE, tally
from simcore.games.kombinator.view import ATTACK, ATTACK_BEATEN, DEFENCE, PENALTY, REINFORCED, STAGES
from simcore.recording import emit


@inlined
def change(hidden: Any, events: Any, seat: int, delta: int, item: int, role: int) -> None:
    """A score changes in this bout; all changes of a bout are taken at once (K-80)."""
    hidden.loss[seat] -= delta
    if events is not None and delta != 0:
        at = emit(events, hidden, EV_CHANGE, seat)
        events[at, 2] = delta
        events[at, 3] = item
        events[at, 4] = role


@inlined
def name_superblow(view: Any, rules: Any, move: Any, cards: int) -> None:
    """K-34: a force that takes the player out with the stock empty *is* a superblow: its part gets that kind."""
    if view.stock_size > 0 or cards != view.hand:
        return
    for i in range(move.n_parts):
        if is_force(move.kind[i]) and (rules.superblow_in_composite or move.part[i] == cards):
            move.base_force = move.kind[i]
            move.kind[i] = SUPERBLOW


@inlined
def superblow_points(rules: Any, force: int) -> int:
    """What a superblow made of ``force`` is worth (K-34)."""
    return rules.points[SUPERBLOW] + (rules.points[force] if rules.superblow_adds else 0)


@inlined
def weaken_marriages(view: Any, seat: int, move: Any) -> None:
    """K-31: only the first marriage of a deal has force; the others get the kind of a weak one."""
    used = view.married[seat]
    for i in range(move.n_parts):
        if move.kind[i] == MARRIAGE:
            if used:
                move.kind[i] = WEAK_MARRIAGE
            used = 1


@inlined
def marry(view: Any, seat: int, move: Any) -> None:
    """``seat`` has used up its marriage if one with force is among the parts of its move (K-31)."""
    for i in range(move.n_parts):
        if move.kind[i] == MARRIAGE:
            view.married[seat] = 1


@inner
def score_parts(rules: Any, hidden: Any, events: Any, move: Any, winner: int, loser: int, role: int) -> None:
    """``loser`` pays for the combinations in the move of ``winner`` (K-42, K-43)."""
    for i in range(move.n_parts):
        kind = move.kind[i]
        if kind == SUPERBLOW:
            points = superblow_points(rules, move.base_force)
            if rules.superblow_counts_as_force:
                hidden.used_kinds |= 1 << move.base_force
        else:
            points = rules.points[kind]
        if kind != WEAK_MARRIAGE:
            hidden.used_kinds |= 1 << kind
        elif rules.weak_marriage_passes_stage:
            hidden.used_kinds |= 1 << MARRIAGE
        tally(hidden, winner, kind, role, 1, points)
        change(hidden, events, loser, -points, kind, role)


@inner
def score_court(rules: Any, hidden: Any, events: Any, cards: int, winner: int, loser: int, role: int) -> None:
    """``loser`` pays for each J, Q, K and each A among ``cards`` (K-42, K-50 b)."""
    court = popcount(cards & COURT)
    aces = popcount(cards & ACES)
    if court:
        tally(hidden, winner, COURT_CARD, role, court, court * rules.points[COURT_CARD])
    if aces:
        tally(hidden, winner, ACE, role, aces, aces * rules.points[ACE])
    total = court * rules.points[COURT_CARD] + aces * rules.points[ACE]
    change(hidden, events, loser, -total, COURT_CARD, role)


@inlined
def score_unbeaten(view: Any, rules: Any, hidden: Any, events: Any, move: Any) -> None:
    """K-43, and K-50 b; the dump is a combination of its own (K-30)."""
    attacker, defender = view.attacker, view.defender
    if move.dump:
        tally(hidden, attacker, DUMP, ATTACK, 1, rules.points[DUMP])
        hidden.used_kinds |= 1 << DUMP
        change(hidden, events, defender, -rules.points[DUMP], DUMP, ATTACK)
    score_parts(rules, hidden, events, move, attacker, defender, ATTACK)
    if move.order == REINFORCED:
        score_court(rules, hidden, events, move.cards, attacker, defender, ATTACK)


@inlined
def score_beaten(view: Any, rules: Any, hidden: Any, events: Any, attack: Any) -> None:
    """What beaten combinations are still worth: forces (K-25) and the assembly (K-32) take points from the defender."""
    attacker, defender = view.attacker, view.defender
    if attack.dump:
        tally(hidden, attacker, DUMP, ATTACK_BEATEN, 1, 0)
    for i in range(attack.n_parts):
        kind = attack.kind[i]
        tally(hidden, attacker, kind, ATTACK_BEATEN, 1, 0)
        force = attack.base_force if kind == SUPERBLOW else kind
        item = -1
        if is_force(force):
            item = SMALL_FORCE_BEATEN + force - SMALL_FORCE
        elif kind == ASSEMBLY:
            item = ASSEMBLY_BEATEN
        if item >= 0:
            tally(hidden, attacker, item, ATTACK_BEATEN, 1, rules.points[item])
            change(hidden, events, defender, -rules.points[item], item, ATTACK_BEATEN)


@inlined
def score_defence(view: Any, rules: Any, hidden: Any, events: Any, move: Any, cards: int, jackpot: bool) -> None:
    """K-42: the attacker pays for the defender's combinations and court cards; a jackpot is added to the defender's score (K-33)."""
    attacker, defender = view.attacker, view.defender
    if jackpot:
        tally(hidden, defender, JACKPOT, DEFENCE, 1, rules.points[JACKPOT])
        hidden.used_kinds |= 1 << JACKPOT
        change(hidden, events, defender, rules.points[JACKPOT], JACKPOT, DEFENCE)
    score_parts(rules, hidden, events, move, defender, attacker, DEFENCE)
    score_court(rules, hidden, events, cards, defender, attacker, DEFENCE)


@inner
def climb(view: Any, rules: Any, hidden: Any, events: Any, seat: int, defends: bool) -> None:
    """K-90: at most one stage for a player and bout, by the combinations in ``hidden.used_kinds``."""
    stage = view.stages[seat] + 1
    if stage > STAGES:
        return
    passing = rules.stage_defence[stage] if defends else rules.stage_attack[stage]
    if hidden.used_kinds & passing:
        view.stages[seat] = stage
        if events is not None:
            at = emit(events, hidden, EV_STAGE, seat)
            events[at, 2] = stage


@inlined
def settle(view: Any, hidden: Any) -> bool:
    """Take the losses of the bout from all scores at once (K-80); True if that ends the game."""
    over = False
    for seat in range(view.players):
        view.scores[seat] -= hidden.loss[seat]
        hidden.loss[seat] = 0
        over |= view.scores[seat] <= 0
    return over


@inner
def penalise(view: Any, rules: Any, hidden: Any, seat: int) -> None:
    """K-70: a hand that is left costs 1 for each J, Q, K and 2 for each A (by the point table)."""
    court = popcount(hidden.hands[seat] & COURT)
    aces = popcount(hidden.hands[seat] & ACES)
    if court:
        tally(hidden, seat, COURT_CARD, PENALTY, court, court * rules.points[COURT_CARD])
    if aces:
        tally(hidden, seat, ACE, PENALTY, aces, aces * rules.points[ACE])
    hidden.loss[seat] += court * rules.points[COURT_CARD] + aces * rules.points[ACE]
