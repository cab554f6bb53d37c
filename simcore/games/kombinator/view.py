"""The records of the kernel: what a strategy sees, what it may write, and what is hidden from it.

`VIEW` is the public state of the game itself, with the hand of the seat that is asked: everything of K-0, and there is no field for anything else.
`HIDDEN` holds the hands and the stock and is never given to a strategy.
"""

from __future__ import annotations

from typing import Final

import numba
import numpy as np

from simcore.games.kombinator.combinations import ITEMS, LONGEST_HAND, MAX_FOUND, MAX_PARTS
from simcore.recording import PROGRESS, cells

MAX_PLAYERS: Final = 9
STAGES: Final = 15
CARDS: Final = 36
SUBSETS: Final = 1 << LONGEST_HAND
ROLES: Final = 4
MEMORY: Final = 16

# Orders (K-50): what is declared with an attack.
NO_ORDER: Final = 0
INVULNERABLE: Final = 1
REINFORCED: Final = 2
ASSEMBLY_ORDER: Final = 3

# Roles of the tallies.
ATTACK: Final = 0
ATTACK_BEATEN: Final = 1
DEFENCE: Final = 2
PENALTY: Final = 3

# `move.n_parts` of a strategy that declares no split and leaves it to K-23.
UNDECLARED: Final = -1

_SEATS = (MAX_PLAYERS,)

VIEW: Final = np.dtype(
    [
        ("seat", "i8"),  # the seat that is asked
        ("hand", "i8"),  # its cards, a mask
        ("players", "i8"),
        ("trump", "i8"),  # suit 0-3, -1 without trump
        ("trump_cards", "i8"),  # mask of all cards of the trump suit, 0 without trump
        ("turned", "i8"),  # the card that was turned up or shown, -1 if none
        ("stock_size", "i8"),
        ("deal", "i8"),  # from 1
        ("bout", "i8"),  # from 1
        ("dealer", "i8"),
        ("leader", "i8"),  # who leads the first bout of the deal
        ("attacker", "i8"),
        ("defender", "i8"),
        ("passes", "i8"),  # bouts just before this one that were passes
        ("discard", "i8"),  # the discard pile, a mask
        ("attack", "i8"),  # the attacking cards, a mask; 0 while the attacker chooses
        ("attack_order", "i8"),  # the order declared with them
        ("unbeatable", "i8"),  # 1 where they may not be beaten (K-45, K-50 a)
        ("attack_parts", "i8"),  # number of combinations declared in the attack
        ("attack_kind", "i8", (MAX_PARTS,)),
        ("attack_cards", "i8", (MAX_PARTS,)),
        ("sizes", "i8", _SEATS),  # number of cards by seat
        ("scores", "i8", _SEATS),
        ("orders", "i8", _SEATS),
        ("credits", "i8", _SEATS),
        ("dumped", "i8", _SEATS),  # 1 when the dump of this deal is used up
        ("married", "i8", _SEATS),  # 1 when the marriage of this deal is used up
        ("stages", "i8", _SEATS),  # last stage passed (K-90)
        ("known", "i8", _SEATS),  # cards of a hand that all have seen: shown, taken, the turned card
    ],
    align=True,
)

RULES: Final = np.dtype(
    [
        ("start_score", "i8"),
        ("hand_size", "i8"),
        ("hand_limit", "i8"),
        ("trump_of_nine", "i8"),  # 1: nine_player_trump = last_dealt
        ("last_leader_leads", "i8"),  # 1: lead_after_passes = last_leader
        ("loose_cards", "i8"),  # loose_cards_in_attack
        ("repeat_marriage", "i8"),  # 1: a second marriage is worth zero, 0: it is illegal
        ("beaten_marriage_counts", "i8"),
        ("superblow_adds", "i8"),
        ("superblow_in_composite", "i8"),
        ("take_after_forced_pass", "i8"),
        ("credit_per_combination", "i8"),
        ("max_bouts", "i8"),
        ("max_deals", "i8"),
        ("millionaire", "i8"),
        ("superblow_counts_as_force", "i8"),
        ("weak_marriage_passes_stage", "i8"),
        ("points", "i8", (ITEMS,)),  # the point table
        ("value", "i8", (ITEMS,)),  # what a combination adds to the value of a split
        ("superblow_value", "i8", (ITEMS,)),  # the same for a force that is a superblow
        ("stage_attack", "i8", (STAGES + 1,)),  # kinds (bits) whose unbeaten attack passes the stage
        ("stage_defence", "i8", (STAGES + 1,)),  # kinds (bits) whose defence passes it
        ("prize", "f8", (STAGES + 1,)),  # what each loser pays a winner whose last stage passed it is (K-91)
    ],
    align=True,
)

MOVE: Final = np.dtype(
    [
        ("cards", "i8"),  # attack: the cards played, 0 to pass
        ("order", "i8"),
        ("dump", "i8"),  # 1: the attack is a dump
        ("beats", "i8"),  # defence: 1 beats all, 0 yields
        ("beater", "i8", (LONGEST_HAND,)),  # the card that beats the lowest attacking card, the next one, ...
        ("take", "i8"),  # yielding: the card taken, -1 for none
        ("n_parts", "i8"),  # combinations declared, UNDECLARED leaves the split to K-23
        ("kind", "i8", (MAX_PARTS,)),
        ("part", "i8", (MAX_PARTS,)),  # their cards, masks
        ("base_force", "i8"),  # filled in by the game: the force that a superblow is made of
    ],
    align=True,
)

WORK: Final = np.dtype(
    [
        # what a strategy keeps for itself: its random numbers, and notes that are wiped before each deal
        ("stream", "u8", (2,)),
        ("memory", "i8", (MEMORY,)),
        # the combinations found in a hand
        ("n_plain", "i8"),
        ("n_found", "i8"),
        ("n_with_assemblies", "i8"),
        ("found_kind", "i8", (MAX_FOUND,)),
        ("found_cards", "i8", (MAX_FOUND,)),
        ("found_local", "i8", (MAX_FOUND,)),
        ("chain", "i8", (64,)),
        # the covers: sets of cards that split into combinations, with the best split of each
        ("n_covers", "i8"),
        ("cover", "i8", (SUBSETS,)),
        ("cards", "i8", (SUBSETS,)),
        ("value", "i8", (SUBSETS,)),
        ("top", "i8", (SUBSETS,)),
        ("layered", "i8"),
        ("plain_value", "i8", (SUBSETS,)),
        ("plain_top", "i8", (SUBSETS,)),
        ("ending", "i8"),
        # the sets of cards that beat an attack
        ("n_defences", "i8"),
        ("defence", "i8", (SUBSETS,)),
        ("defence_cards", "i8", (SUBSETS,)),
        ("matching", "i8", (SUBSETS,)),
        ("earning", "i8", (SUBSETS,)),
        ("reached", "i8", (SUBSETS,)),
        # counts of choices, for a uniform one
        ("ways", "i8", (SUBSETS,)),
        ("ways_with", "i8", (SUBSETS,)),
    ],
    align=True,
)

HIDDEN: Final = np.dtype(
    [
        ("decisions", "i8", (2 * MAX_PLAYERS,)),  # addresses of the compiled decisions, attack and defend by seat
        ("params", "i8", _SEATS),  # addresses of the strategies' parameters
        ("told", "i8"),  # address of the rules as strategies are told them (`Table.told`)
        ("works", "i8", _SEATS),  # addresses of their work records
        ("splitter", "i8"),  # address of `splits.default_split`
        ("split_work", "i8"),  # address of its work record
        ("seed", "u8"),
        ("game", "i8"),
        ("stream", "u8", (2,)),
        ("scratch", "u8", (4,)),
        ("deck", "i8", (CARDS,)),
        ("next_card", "i8"),  # position in the deck of the top card of the stock
        ("hands", "i8", _SEATS),
        ("out", "i8"),  # seats that went out together in the deal before, a mask; 0 if none
        ("lead", "i8"),  # why the leader leads
        ("lead_shift", "i8"),  # seats by which the lead of a game's first deal is passed on (`Table.lead_shift`)
        ("loss", "i8", _SEATS),  # points lost in this bout
        ("used_kinds", "i8"),  # kinds (bits) that count for the ladder in this bout
        *cells(MAX_PLAYERS * ITEMS * ROLES),
        *PROGRESS,
        ("deal_scores", "i8", _SEATS),  # scores at the start of the deal
    ],
    align=True,
)

VIEW_TYPE: Final = numba.from_dtype(VIEW)
RULES_TYPE: Final = numba.from_dtype(RULES)
MOVE_TYPE: Final = numba.from_dtype(MOVE)
WORK_TYPE: Final = numba.from_dtype(WORK)
