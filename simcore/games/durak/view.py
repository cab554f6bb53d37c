"""The records of the kernel: what a strategy sees, what it may write, and what is hidden from it.

`VIEW` is what a player at the table can know who forgets nothing: the own hand, the table, and where every card went that lay open. The discard pile may not
be looked at (T2), but all its cards were seen by everybody. There is no field for anything else. `HIDDEN` holds the hands and the stock and is never given to
a strategy.
"""

from __future__ import annotations

from typing import Final

import numba
import numpy as np

from simcore.games.durak.deck import MAX_CARDS
from simcore.recording import PROGRESS, cells

MAX_PLAYERS: Final = 8
DEALT: Final = 6  # cards dealt to each player, and to which hands are filled up
MAX_PAIRS: Final = MAX_CARDS // 2  # cards that can be covered in one bout
MEMORY: Final = 16

# Variants; the numbers are those of the choices in rules.toml.
PODKIDNOY, SIMPLE, POGONY = range(3)

# Decisions, in the order in which strategies give them.
ATTACK, DEFEND, THROW_IN = range(3)
DECISIONS: Final = 3

# Roles of the tallies: what the player was in the bout; and what it was dealt.
LEADER, THROWER, DEFENDER, DEALT_ROLE = range(4)
ROLES: Final = 4

ITEMS: Final = 19  # `names.ITEMS`, whose length a test holds to this
(
    FIRST_OUT,
    FOOL,
    HUNG,  # the first of nine, one a rank
    *_,
    BOUT_BEATEN,
    BOUT_TAKEN,
    THROWN_IN,
    TRUMP,
    TOP_TRUMP,
    TWO_OF_A_RANK,
    THREE_OF_A_RANK,
    FOUR_OF_A_RANK,
) = range(ITEMS)

_SEATS = (MAX_PLAYERS,)

VIEW: Final = np.dtype(
    [
        ("seat", "i8"),  # the seat that is asked
        ("hand", "i8"),  # its cards, a mask
        ("allowed", "i8"),  # attack: cards that may be led; throw_in: that may be thrown in; defend: that may be used to cover
        ("may_hang", "i8"),  # attack: 1 where the whole hand may be laid as epaulettes (R14)
        ("room", "i8"),  # attack and throw_in: how many cards may be laid at most (R7)
        ("must_cover_all", "i8"),  # defend: 1 where all open cards must be covered at once or none (R6, R16)
        ("may_take", "i8"),  # defend: 0 where the open cards must be covered, since they can be (R16)
        ("players", "i8"),
        ("deal", "i8"),  # from 1
        ("bout", "i8"),  # from 1
        ("dealer", "i8"),
        ("leader", "i8"),  # who opened the bout
        ("defender", "i8"),
        ("attacking", "i8"),  # attacking cards on the table, a mask
        ("open", "i8"),  # those of them that are not covered
        ("covering", "i8"),  # the cards that cover the others
        ("taking", "i8"),  # 1 when the defender has said that it takes
        ("trump", "i8"),  # number of the trump suit
        ("turned", "i8"),  # the card that was turned up
        ("trumps", "i8"),  # all trumps, a mask, with the trump joker
        ("plain_joker", "i8"),  # the joker that is no trump, a mask; 0 without jokers
        ("plain_beaters", "i8"),  # the cards that cover it (R18)
        ("plain_suits", "i8"),  # the cards that it covers, those of the two suits of its colour
        ("special", "i8"),  # own cards of the rank that the seat hangs, as far as they are special (P8, P11): of the whole pack, a mask
        ("stock_size", "i8"),
        ("discarded", "i8"),  # the cards that were beaten in this deal, a mask
        ("out", "i8"),  # seats that are out, a mask
        ("sizes", "i8", _SEATS),  # cards in each hand
        ("known", "i8", _SEATS),  # cards that everybody knows to be in a hand, a mask: taken from the table, or turned up and drawn
        ("scores", "i8", _SEATS),  # in epaulettes the rank that each seat hangs, 0 for sixes (P5)
    ],
    align=True,
)

RULES: Final = np.dtype(
    [
        ("variant", "i8"),
        ("cards", "i8"),  # deck
        ("deals", "i8"),
        ("score_fool", "i8"),  # 1: session_score = fool
        ("next_lead", "i8"),  # position in LEADS
        ("multi_attack", "i8"),
        ("attack_only", "i8"),  # 1: throw_ranks = attack_only
        ("max_attack", "i8"),
        ("six_after_stock", "i8"),  # 1: cap_after_stock = 6
        ("first_cap", "i8"),
        ("first_cap_take_extra", "i8"),
        ("first_bout_only", "i8"),  # 1: first_cap_scope = first_bout
        ("may_take_voluntarily", "i8"),
        ("partial_beat", "i8"),
        ("throw_after_leader_out", "i8"),
        ("adjudicate", "i8"),
        ("plain_joker_beaten_by", "i8"),  # position in its choices
        ("trump_exempt", "i8"),
        ("hang_if_beaten", "i8"),
        ("special_throw_in", "i8"),
        ("stuck", "i8"),  # position in its choices
        ("max_bouts", "i8"),
        ("max_deals", "i8"),
    ],
    align=True,
)

MOVE: Final = np.dtype(
    [
        ("cards", "i8"),  # attack: the opening cards; throw_in: the cards thrown in, none to decline
        ("n_pairs", "i8"),  # defend: how many open cards are covered, none to take
        ("attacking", "i8", (MAX_PAIRS,)),  # defend: numbers of the open cards that are covered
        ("covering", "i8", (MAX_PAIRS,)),  # defend: numbers of the cards that cover them
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
        ("decisions", "i8", (DECISIONS * MAX_PLAYERS,)),  # addresses of the compiled decisions by seat
        ("params", "i8", _SEATS),  # addresses of the strategies' parameters
        ("works", "i8", _SEATS),  # addresses of their work records
        ("seed", "u8"),
        ("game", "i8"),
        ("lead_shift", "i8"),  # seats by which the lead of a game's first deal is passed on (`Table.lead_shift`)
        ("stream", "u8", (2,)),
        ("scratch", "u8", (4,)),
        ("deck", "i8", (MAX_CARDS,)),  # the cards in dealing order; the turned one is moved to the end where there is a stock
        ("next_card", "i8"),  # position in the deck of the top card of the stock
        ("hands", "i8", _SEATS),
        ("stock_at_start", "i8"),  # cards in the stock when the bout began
        ("turn", "i8"),  # whose turn it is to throw in (R4)
        ("declined", "i8"),  # attackers who had that turn since the last card was thrown, and threw nothing
        ("hanging", "i8"),  # 1 while epaulettes lie as the attack of the bout
        ("beaten", "i8"),  # bouts of the deal that were beaten
        ("passes", "i8"),  # passes in a row of players that cannot lead (R14)
        ("n_emptied", "i8"),
        ("emptied", "i8", _SEATS),  # seats whose last card left the hand in this bout, in that order (R9)
        ("n_out", "i8"),
        ("out", "i8", _SEATS),  # seats in the order of going out
        ("first_out_role", "i8"),  # what the first of them was in the bout in which it went out
        ("winner", "i8"),  # of the deal before, -1 for none
        ("fool", "i8"),  # of the deal before, -1 for none
        ("hung_by", "i8"),  # seat that hung epaulettes in this deal, -1 for none
        ("hung_cards", "i8"),
        ("lead", "i8"),  # how the leader of the deal was found
        ("fools", "i8", _SEATS),  # deals of the game in which each seat was the fool
        ("deal_scores", "i8", _SEATS),  # scores at the start of the deal
        *cells(MAX_PLAYERS * ITEMS * ROLES),
        *PROGRESS,
    ],
    align=True,
)

VIEW_TYPE: Final = numba.from_dtype(VIEW)
RULES_TYPE: Final = numba.from_dtype(RULES)
MOVE_TYPE: Final = numba.from_dtype(MOVE)
WORK_TYPE: Final = numba.from_dtype(WORK)
