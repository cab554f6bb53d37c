"""The records of the kernel: what a strategy sees, what it may write, and what is hidden from it.

`VIEW` is what a player may know who forgets nothing: the own hand and the own declarations that are still whole, what was played, and which cards of the other
hand were seen, because they were declared (B13) or shown (B21) and not yet played. There is no field for anything else. `HIDDEN` holds both hands and the
stock and is never given to a strategy.

A hand has twelve places. A card stays in its place until it is played, and the card that is drawn takes that place, so a declaration is a mask of places.
"""

from __future__ import annotations

from typing import Final

import numba
import numpy as np

from simcore.games.chinese_bezique.combinations import CARDS, HAND, ITEMS, KINDS, RECORDS, TYPES
from simcore.recording import PROGRESS, cells

PLAYERS: Final = 2
ROLES: Final = 3
MEMORY: Final = 16

# Decisions, in the order in which strategies give them.
PLAY, DECLARE, CLAIM = range(3)
DECISIONS: Final = 3

# What can be claimed or not: carte blanche with the hand that was dealt, with the card just drawn (B21), and the last trick (B27).
DEALT_HAND, DRAWN_CARD, FINAL_TRICK = range(3)

# Roles of the tallies.
FIRST, AGAIN, SETTLEMENT = range(3)

_SEATS = (PLAYERS,)

VIEW: Final = np.dtype(
    [
        ("seat", "i8"),  # the seat that is asked
        ("hand", "i8", (HAND,)),  # its cards by place, -1 where there is none
        ("held", "i8", (KINDS,)),  # by kind of card the places where it stands, a mask
        ("intact", "i8", (TYPES,)),  # by type of record the places of cards in an own declaration that is still whole, a mask (B20)
        ("n_records", "i8"),
        ("record_type", "i8", (RECORDS,)),  # these declarations one by one: type and places
        ("record_places", "i8", (RECORDS,)),
        ("widowed", "i8"),  # places of own kings and queens whose mate in a scored marriage was played (B20a), a mask
        ("face_up", "i8"),  # places of own cards that the other player has seen, a mask
        ("allowed", "i8"),  # play: places of cards that may be played, a mask
        ("led", "i8"),  # play: the card that was led, -1 for the leader
        ("claim", "i8"),  # claim: DEALT_HAND, DRAWN_CARD or FINAL_TRICK
        ("deal", "i8"),  # from 1
        ("trick", "i8"),  # from 1
        ("dealer", "i8"),
        ("leader", "i8"),  # of the trick
        ("trump", "i8"),  # number of the suit, -1 as long as it is not fixed (B6)
        ("barred", "i8"),  # the suit that cannot become the trump, -1 for none (B8)
        ("stock_size", "i8"),
        ("points", "i8", _SEATS),  # of the deal
        ("scores", "i8", _SEATS),  # big points of the game
        ("played", "i8", (KINDS,)),  # by kind how many cards were played in this deal
        ("known", "i8", (PLAYERS, KINDS)),  # by kind how many cards everybody knows to be in a hand
        ("declared", "i8", (PLAYERS, ITEMS)),  # how often a seat scored each item in this deal
    ],
    align=True,
)

RULES: Final = np.dtype(
    [
        ("deals", "i8"),
        ("trump_queen", "i8"),  # 1: bezique_cards = trump_queen
        ("no_repeat_trump", "i8"),
        ("marriage_partner_swap", "i8"),
        ("marriage_then_sequence", "i8"),
        ("carte_blanche_repeat", "i8"),
        ("endplay_must_head", "i8"),
        ("rubicon_inclusive", "i8"),
        ("points", "i8", (ITEMS,)),  # the scoring table
    ],
    align=True,
)

MOVE: Final = np.dtype(
    [
        ("place", "i8"),  # play: where the card stands
        ("item", "i8"),  # declare: what is declared, -1 for nothing
        ("places", "i8"),  # declare: its cards, a mask of places
        ("claim", "i8"),  # claim: 1 scores, 0 does not
    ],
    align=True,
)

WORK: Final = np.dtype(
    [
        ("stream", "u8", (2,)),  # random numbers of the strategy
        ("memory", "i8", (MEMORY,)),  # notes that are wiped before each deal
        ("intact", "i8", (TYPES,)),  # what would be intact after a card is played (`moves.after_playing`)
        ("widowed", "i8"),
        ("chances", "i8", (KINDS,)),  # in 1024ths, that a card of a kind comes
        ("choices", "i8", (64,)),  # moves to choose from
    ],
    align=True,
)

HIDDEN: Final = np.dtype(
    [
        ("decisions", "i8", (DECISIONS * PLAYERS,)),  # addresses of the compiled decisions by seat
        ("params", "i8", _SEATS),  # addresses of the strategies' parameters
        ("told", "i8"),  # address of the rules as strategies are told them (`Table.told`)
        ("works", "i8", _SEATS),  # addresses of their work records
        ("seed", "u8"),
        ("game", "i8"),
        ("lead_shift", "i8"),  # 1: in a game's first deal the dealer leads, both keeping their cards (`Table.lead_shift`)
        ("stream", "u8", (2,)),
        ("scratch", "u8", (4,)),
        ("deck", "i8", (CARDS,)),
        ("next_card", "i8"),  # position in the deck of the top card of the stock
        ("first", "i8"),  # the seat that is dealt the first card
        ("last_trump", "i8"),  # of the deal before, -1 for none
        ("hand", "i8", (PLAYERS, HAND)),  # these are what `VIEW` shows of the own hand
        ("held", "i8", (PLAYERS, KINDS)),
        ("intact", "i8", (PLAYERS, TYPES)),
        ("n_records", "i8", _SEATS),
        ("record_type", "i8", (PLAYERS, RECORDS)),
        ("record_places", "i8", (PLAYERS, RECORDS)),
        ("widowed", "i8", _SEATS),
        ("face_up", "i8", _SEATS),
        ("blank", "i8", _SEATS),  # 1 while a seat may score cards that it draws for carte blanche (B21)
        ("declarations", "i8"),  # in this deal
        ("trump_trick", "i8"),  # after which the trump was fixed, 0 for none
        ("winner", "i8"),  # of the deal, -1 for none
        ("rubicon", "i8"),  # 1 when the loser was below the rubicon and the winner was not (S2)
        ("big_points", "i8"),  # of the winner
        ("deal_scores", "i8", _SEATS),  # scores at the start of the deal
        *cells(PLAYERS * ITEMS * ROLES),
        *PROGRESS,
    ],
    align=True,
)

VIEW_TYPE: Final = numba.from_dtype(VIEW)
RULES_TYPE: Final = numba.from_dtype(RULES)
MOVE_TYPE: Final = numba.from_dtype(MOVE)
WORK_TYPE: Final = numba.from_dtype(WORK)
