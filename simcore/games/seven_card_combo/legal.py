"""What a strategy may do: every move is checked before it is carried out, so that no strategy can leave the rules."""

from __future__ import annotations

from typing import Any, Final

from simcore.bits import popcount
from simcore.compiled import inner
from simcore.games.seven_card_combo.combinations import CARDS, LONGEST_HAND

NO_ANSWER: Final = 1
NOT_IN_HAND: Final = 2
NOT_IN_PILE: Final = 3
NOT_FROM_TOP: Final = 4
PILE_CLOSED: Final = 5
NOT_IN_PACKET: Final = 6
TOO_MANY: Final = 7
RESHUFFLED: Final = 8

# What the run says when it stops for a move of that kind.
FAULTS: Final = {
    NO_ANSWER: "did not return True (an exception inside it is printed above)",
    NOT_IN_HAND: "puts aside cards that are not in the hand, or one card twice (S7)",
    NOT_IN_PILE: "takes cards from the open pile that are not in it (S8)",
    NOT_FROM_TOP: "takes cards from the open pile that are not the top ones (SA9)",
    PILE_CLOSED: "takes from the open pile, which is closed to it (SA10)",
    NOT_IN_PACKET: "takes cards from the packet that are not in it (S8)",
    TOO_MANY: "takes more cards than it put aside and one (S7)",
    RESHUFFLED: "takes several cards of the open pile in a turn that needs more cards than the stock has; all but the top card go back to the stock (SA13)",
}


@inner
def may_take_pile(view: Any, rules: Any) -> bool:
    """Whether the pile is open to the player whose turn it is (SA10)."""
    return rules.later_pile != 0 or view.turn == 0


@inner
def needs_reshuffle(view: Any, taken: int) -> bool:
    """Whether the turn needs more cards than the stock has, when ``taken`` cards are taken from pile and packet (SA13)."""
    return view.wanted - taken > view.stock_size


@inner
def top_of_pile(view: Any, count: int) -> int:
    """The top ``count`` cards of the open pile, a mask."""
    cards = 0
    for i in range(view.pile_size - count, view.pile_size):
        cards |= 1 << view.pile[i]
    return cards


@inner
def offered(view: Any, rules: Any, taken: int) -> int:
    """The cards of the open pile that may be taken next when ``taken`` of them (a mask) are taken already, whatever else is taken, within ``wanted``.

    Where the stock may not be enough this is the top card only: a turn that needs a reshuffle leaves no other in the pile (SA13).
    """
    depth = popcount(taken)
    if not may_take_pile(view, rules) or depth == view.pile_size or (depth and needs_reshuffle(view, 0)):
        return 0
    if rules.any_of_pile and not needs_reshuffle(view, 0):
        return view.pile_cards & ~taken
    return 1 << view.pile[view.pile_size - 1 - depth]


@inner
def check_discards(view: Any, move: Any) -> int:
    """0 if the discards in ``move`` are legal, else the fault."""
    if not 0 <= move.n_discards < LONGEST_HAND:
        return NOT_IN_HAND
    left = view.hand
    for i in range(move.n_discards):
        card = move.discards[i]
        if not 0 <= card < CARDS or left >> card & 1 == 0:
            return NOT_IN_HAND
        left &= ~(1 << card)
    return 0


@inner
def check_taking(view: Any, rules: Any, move: Any) -> int:
    """0 if the cards that ``move`` takes from pile and packet are legal, else the fault."""
    if move.from_pile & ~view.pile_cards:
        return NOT_IN_PILE
    if move.from_packet & ~view.packet:
        return NOT_IN_PACKET
    of_pile = popcount(move.from_pile)
    taken = of_pile + popcount(move.from_packet)
    if taken > view.wanted:
        return TOO_MANY
    if of_pile == 0:
        return 0
    if not may_take_pile(view, rules):
        return PILE_CLOSED
    if needs_reshuffle(view, taken) and move.from_pile != top_of_pile(view, 1):
        return RESHUFFLED
    if not rules.any_of_pile and move.from_pile != top_of_pile(view, of_pile):
        return NOT_FROM_TOP
    return 0
