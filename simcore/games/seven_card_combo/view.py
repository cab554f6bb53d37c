"""The records of the kernel: what a strategy sees, what it may write, and what is hidden from it.

`VIEW` is the public state of the game itself, with what the seat that is asked knows besides: its hand, its packet, and the packet of the player before it
once its own discards are fixed (S11). There is no field for anything else. `HIDDEN` holds the hands, the packets and the stock and is never given to a
strategy.
"""

from __future__ import annotations

from typing import Final

import numba
import numpy as np

from simcore.games.seven_card_combo.combinations import BONUS_SETS, CARDS, LONGEST_HAND, PRICES
from simcore.recording import PROGRESS

MAX_PLAYERS: Final = 4
DEALT: Final = 4  # cards dealt to each player (S5)
CIRCLES: Final = 3
LONGEST_PACKET: Final = LONGEST_HAND - 1
MEMORY: Final = 16

_SEATS = (MAX_PLAYERS,)

VIEW: Final = np.dtype(
    [
        ("seat", "i8"),  # the seat that is asked
        ("hand", "i8"),  # its cards, a mask; without the discards once they are fixed
        ("discarded", "i8"),  # its own packet once it is fixed, a mask; 0 before
        ("wanted", "i8"),  # how many cards it must take once its discards are fixed (S7)
        ("packet_size", "i8"),  # cards in the packet of the player before, 0 if there is none
        ("packet", "i8"),  # the cards of that packet, a mask; 0 until the own discards are fixed (S11)
        ("seen", "i8"),  # cards of which it knows that they are not in the stock: held, thrown, looked at, or seen face up since the last reshuffle
        ("players", "i8"),
        ("deal", "i8"),  # from 1
        ("dealer", "i8"),
        ("leader", "i8"),  # who begins each circle (S6)
        ("circle", "i8"),  # 1 to 3
        ("turn", "i8"),  # turns of the deal before this one
        ("stock_size", "i8"),
        ("pile_size", "i8"),
        ("pile_cards", "i8"),  # the open pile, a mask
        ("pile", "i8", (CARDS,)),  # the same as numbers of cards from the bottom to the top, pile_size of them
        ("shown", "i8"),  # cards seen face up by all since the last reshuffle, wherever they are now
        ("sizes", "i8", _SEATS),  # cards in each hand
        ("taken", "i8", _SEATS),  # cards that each seat took from the open pile and that have not come back to it
        ("scores", "i8", _SEATS),
    ],
    align=True,
)

RULES: Final = np.dtype(
    [
        ("wrap", "i8"),  # 1: ace = wrap
        ("any_of_pile", "i8"),  # 1: pile = any
        ("later_pile", "i8"),
        ("deals", "i8"),
        ("points", "i8", (PRICES,)),  # the point table
        ("best_bonus", "i8", (BONUS_SETS,)),  # the bonus that counts of each set of them, -1 of the empty set (S17)
        ("bonus_points", "i8", (BONUS_SETS,)),  # its points, 0 of the empty set
    ],
    align=True,
)

MOVE: Final = np.dtype(
    [
        ("n_discards", "i8"),
        ("discards", "i8", (LONGEST_PACKET,)),  # numbers of the cards that are put aside, in order
        ("from_pile", "i8"),  # cards taken from the open pile, a mask
        ("from_packet", "i8"),  # cards taken from the packet, a mask; the rest of `wanted` comes from the stock
    ],
    align=True,
)

WORK: Final = np.dtype(
    [
        ("stream", "u8", (2,)),  # random numbers of the strategy
        ("memory", "i8", (MEMORY,)),  # notes that are wiped before each deal
    ],
    align=True,
)

HIDDEN: Final = np.dtype(
    [
        ("decisions", "i8", (2 * MAX_PLAYERS,)),  # addresses of the compiled decisions, discard and take by seat
        ("params", "i8", _SEATS),  # addresses of the strategies' parameters
        ("told", "i8"),  # address of the rules as strategies are told them (`Table.told`)
        ("works", "i8", _SEATS),  # addresses of their work records
        ("seed", "u8"),
        ("game", "i8"),
        ("lead_shift", "i8"),  # seats by which the lead of a game's first deal is passed on (`Table.lead_shift`)
        ("first", "i8"),  # the seat that is dealt the first card: the leader, unless the lead was passed on
        ("stream", "u8", (2,)),
        ("scratch", "u8", (4,)),
        ("reshuffle_stream", "u8", (2,)),
        ("deck", "i8", (CARDS,)),  # the cards in dealing order, later the stock
        ("next_card", "i8"),  # position in the deck of the top card of the stock
        ("stock_end", "i8"),  # position after its last card
        ("hands", "i8", _SEATS),
        ("own", "i8", _SEATS),  # cards that a seat has seen and others may not have, as `seen` of the view
        ("packet_size", "i8"),
        ("packet", "i8", (LONGEST_PACKET,)),  # the packet of the player before, in the order put aside
        ("discards", "i8"),  # cards put aside in this deal
        ("reshuffles", "i8"),
        *PROGRESS,
    ],
    align=True,
)

VIEW_TYPE: Final = numba.from_dtype(VIEW)
RULES_TYPE: Final = numba.from_dtype(RULES)
MOVE_TYPE: Final = numba.from_dtype(MOVE)
WORK_TYPE: Final = numba.from_dtype(WORK)
