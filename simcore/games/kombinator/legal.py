"""What a strategy may do: every move is checked before it is carried out, so that no strategy can leave the rules."""

from __future__ import annotations

from typing import Any, Final

from simcore.bits import lowest, popcount
from simcore.compiled import inlined, inner
from simcore.games.kombinator.combinations import (
    ASSEMBLY,
    MARRIAGE,
    MAX_PARTS,
    SIX_OF_SPADES,
    is_combination,
)
from simcore.games.kombinator.view import ASSEMBLY_ORDER, CARDS, INVULNERABLE, NO_ORDER

NO_ANSWER: Final = 1
NOT_IN_HAND: Final = 2
TOO_MANY: Final = 3
NOT_COVERED: Final = 4
NOT_A_COMBINATION: Final = 5
NO_SUCH_ORDER: Final = 6
WRONG_ASSEMBLY: Final = 7
NO_DUMP: Final = 8
NO_MARRIAGE: Final = 9
UNBEATABLE: Final = 10
NOT_BEATEN: Final = 11
NO_TAKING: Final = 12

# What the run says when it stops for a move of that kind.
FAULTS: Final = {
    NO_ANSWER: "did not return True (an exception inside it is printed above)",
    NOT_IN_HAND: "uses cards that are not in the hand, or one card twice",
    TOO_MANY: "attacks with more cards than the defender holds (K-22)",
    NOT_COVERED: "attacks with several cards that are not all in declared combinations (K-21)",
    NOT_A_COMBINATION: "declares a combination that the cards are not, or cards of two combinations at once (K-21)",
    NO_SUCH_ORDER: "declares an order that it does not have or that the empty stock forbids (K-50, K-51)",
    WRONG_ASSEMBLY: "plays an assembly without its order, or the order without an assembly (K-32)",
    NO_DUMP: "plays a dump that is not allowed here (K-30)",
    NO_MARRIAGE: "repeats a marriage where that is illegal (K-31)",
    UNBEATABLE: "beats an attack that may not be beaten (K-45, K-50)",
    NOT_BEATEN: "lays a card on one that it does not beat (K-40)",
    NO_TAKING: "takes a card that it may not take (K-44)",
}


@inlined
def beats(attacking: int, beating: int, trump_cards: int) -> bool:
    """K-40: a higher card of the same suit, or a trump on a card that is no trump."""
    if (attacking ^ beating) & 3 == 0:
        return beating > attacking
    return trump_cards >> beating & 1 != 0


@inlined
def beaters(attacking: int, hand: int, trump: int, trump_cards: int) -> int:
    """The cards (mask) of ``hand`` that beat one card (K-40)."""
    suit = attacking & 3
    higher = hand & (0x111111111 << suit) & (-2 << attacking)
    return higher if suit == trump else higher | hand & trump_cards


@inlined
def is_jackpot(view: Any, hand: int) -> bool:
    """K-33: the last card of the deal, the six of spades, against a single card."""
    return hand == 1 << SIX_OF_SPADES and view.stock_size == 0 and popcount(view.attack) == 1


@inlined
def may_order(view: Any) -> bool:
    """Whether the seat that is asked may declare an order (K-50, K-51)."""
    return view.orders[view.seat] > 0 and view.stock_size > 0


@inlined
def may_dump(view: Any) -> bool:
    """Whether the seat that is asked may play a dump (K-30, K-22)."""
    allowed = view.players == 2 and view.stock_size > 0 and view.dumped[view.seat] == 0
    return allowed and popcount(view.hand) <= view.sizes[view.defender]


@inner
def may_take(view: Any, rules: Any) -> bool:
    """Whether the defender may take a card when it yields (K-44)."""
    if view.unbeatable and not rules.take_after_forced_pass:
        return False
    return view.sizes[view.seat] < rules.hand_limit


@inlined
def check_attack(view: Any, rules: Any, move: Any) -> int:
    """0 if the attack or pass in ``move`` is legal, else the fault."""
    cards = move.cards
    if cards == 0:
        return 0
    if cards & ~view.hand:
        return NOT_IN_HAND
    if popcount(cards) > view.sizes[view.defender]:
        return TOO_MANY
    if move.order != NO_ORDER and not (may_order(view) and INVULNERABLE <= move.order <= ASSEMBLY_ORDER):
        return NO_SUCH_ORDER
    if move.dump:
        move.n_parts = 0
        legal = may_dump(view) and cards == view.hand and move.order != ASSEMBLY_ORDER
        return 0 if legal else NO_DUMP
    fault = _check_parts(view, rules, move, cards, move.order == ASSEMBLY_ORDER)
    if fault:
        return fault
    return 0 if rules.loose_cards or popcount(cards) == 1 or _declared(move) == cards else NOT_COVERED


@inlined
def _declared(move: Any) -> int:
    cards = 0
    for i in range(move.n_parts):
        cards |= move.part[i]
    return cards


@inner
def _check_parts(view: Any, rules: Any, move: Any, cards: int, assembly: bool) -> int:
    """The declared combinations are what they are called, do not overlap, and are allowed here (K-21, K-31, K-32)."""
    if not 0 <= move.n_parts <= MAX_PARTS:
        return NOT_A_COMBINATION
    left = cards
    marriages = view.married[view.seat]
    assemblies = 0
    for i in range(move.n_parts):
        part = move.part[i]
        if part == 0 or part & ~left or not is_combination(move.kind[i], part):
            return NOT_A_COMBINATION
        left &= ~part
        if move.kind[i] == MARRIAGE:
            if marriages and not rules.repeat_marriage:
                return NO_MARRIAGE
            marriages += 1
        elif move.kind[i] == ASSEMBLY:
            assemblies += 1
    return 0 if assemblies == (1 if assembly else 0) else WRONG_ASSEMBLY


@inlined
def check_defence(view: Any, rules: Any, move: Any) -> int:
    """0 if the defence in ``move`` is legal, else the fault."""
    if not move.beats:
        if move.take < 0:
            return 0
        on_table = move.take < CARDS and view.attack >> move.take & 1
        return 0 if on_table and may_take(view, rules) else NO_TAKING
    if view.unbeatable:
        return UNBEATABLE
    used = 0
    rest = view.attack
    i = 0
    while rest:
        beater = move.beater[i]
        if not 0 <= beater < CARDS or (view.hand & ~used) >> beater & 1 == 0:
            return NOT_IN_HAND
        if not beats(lowest(rest), beater, view.trump_cards) and not is_jackpot(view, view.hand):
            return NOT_BEATEN
        used |= 1 << beater
        rest &= rest - 1
        i += 1
    return _check_parts(view, rules, move, used, False)
