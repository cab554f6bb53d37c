"""The records of the kernel: what a strategy sees, what it may write, and what is hidden from it.

`VIEW` is what a player may know: the own hand, the top of the open pile and all that was taken from it and thrown on it in sight of both (GA18), the size of
the stock, scores and boxes. There is no field for anything else. `HIDDEN` holds the hands and the stock and is never given to a strategy.
"""

from __future__ import annotations

from typing import Final

import numba
import numpy as np

from simcore.games.gin_rummy.combinations import CARDS, ITEMS
from simcore.recording import PROGRESS, cells

PLAYERS: Final = 2
ROLES: Final = 3
MEMORY: Final = 16

# What is asked: an ordinary turn, the offer of the up-card to the non-dealer, then to the dealer (G4), and the last discard (GA4, `fiftieth_card`).
TURN, FIRST_OFFER, SECOND_OFFER, LAST_DISCARD = range(4)

# Roles of the tallies.
KNOCKER, OPPONENT, ACCOUNT = range(3)

_SEATS = (PLAYERS,)

VIEW: Final = np.dtype(
    [
        ("seat", "i8"),  # the seat that is asked
        ("hand", "i8"),  # its cards, a mask: ten, eleven when a discard is chosen
        ("phase", "i8"),  # TURN, FIRST_OFFER, SECOND_OFFER or LAST_DISCARD
        ("top", "i8"),  # the top card of the open pile, -1 when it is empty
        ("drawn", "i8"),  # choosing a discard: the card that was drawn
        ("taken", "i8"),  # choosing a discard: the card that was taken from the pile, -1 if it came from the stock
        ("stock_size", "i8"),
        ("turn", "i8"),  # turns begun in this deal, refusals not counted
        ("deal", "i8"),  # from 1
        ("dealer", "i8"),
        ("pile", "i8"),  # the cards of the open pile, a mask
        ("refused", "i8"),  # the card of the first offer if somebody refused it, -1 if not
        ("scores", "i8", _SEATS),
        ("boxes", "i8", _SEATS),  # rounds won, and the boxes of gin_boxes
        ("took", "i8", _SEATS),  # cards that a seat took from the pile and still holds
        ("threw", "i8", _SEATS),  # cards that a seat threw in this deal
    ],
    align=True,
)

RULES: Final = np.dtype(
    [
        ("target", "i8"),
        ("knock_limit", "i8"),
        ("tie_is_undercut", "i8"),
        ("forbid_discard_taken", "i8"),
        ("fiftieth_card", "i8"),
        ("same_redealer", "i8"),  # 1: redealer = same
        ("net_boxes", "i8"),
        ("gin_boxes", "i8"),
        ("shutout_multiplier", "i8"),
        ("max_turns_per_deal", "i8"),
        ("max_deals", "i8"),
        ("points", "i8", (ITEMS,)),  # the point table; what has no price is 0
    ],
    align=True,
)

MOVE: Final = np.dtype(
    [
        ("take", "i8"),  # draw: 1 takes the top of the pile, 0 leaves it
        ("discard", "i8"),  # discard: the card thrown, -1 for none with big gin
        ("knock", "i8"),  # discard: 1 knocks
    ],
    align=True,
)

WORK: Final = np.dtype(
    [
        # what a strategy keeps for itself: its random numbers, and notes that are wiped before each deal
        ("stream", "u8", (2,)),
        ("memory", "i8", (MEMORY,)),
        ("choices", "i8", (CARDS,)),  # moves to choose from
    ],
    align=True,
)

HIDDEN: Final = np.dtype(
    [
        ("decisions", "i8", (2 * PLAYERS,)),  # addresses of the compiled decisions, draw and discard by seat
        ("params", "i8", _SEATS),  # addresses of the strategies' parameters
        ("told", "i8"),  # address of the rules as strategies are told them (`Table.told`)
        ("works", "i8", _SEATS),  # addresses of their work records
        ("seed", "u8"),
        ("game", "i8"),
        ("stream", "u8", (2,)),
        ("scratch", "u8", (4,)),
        ("deck", "i8", (CARDS,)),
        ("next_card", "i8"),  # position in the deck of the top card of the stock
        ("hands", "i8", _SEATS),
        ("under", "i8", (CARDS,)),  # the open pile from the bottom
        ("pile_size", "i8"),
        ("lead_shift", "i8"),  # 1: in a game's first deal the dealer leads, both keeping their cards (`Table.lead_shift`)
        ("first", "i8"),  # the seat that is dealt the first card
        ("winner", "i8"),  # of the round before, -1 if nobody won it
        *cells(PLAYERS * ITEMS * ROLES),
        *PROGRESS,
        ("deal_scores", "i8", _SEATS),  # scores at the start of the deal
    ],
    align=True,
)

VIEW_TYPE: Final = numba.from_dtype(VIEW)
RULES_TYPE: Final = numba.from_dtype(RULES)
MOVE_TYPE: Final = numba.from_dtype(MOVE)
WORK_TYPE: Final = numba.from_dtype(WORK)
