"""What a player may do, and why a move is refused."""

from __future__ import annotations

from typing import Any, Final

from simcore.bits import lowest, popcount
from simcore.compiled import inlined, inner
from simcore.games.chinese_bezique.combinations import (
    BEZIQUE,
    DECLARED,
    FOUR_JACKS,
    FOUR_TENS,
    FOUR_TRUMP_JACKS,
    HAND,
    JACK,
    KING,
    MARRIAGE,
    MARRIED,
    NO_CARD,
    NO_SUIT,
    NOTHING,
    QUARTETTED,
    QUEEN,
    SEQUENCE,
    SEQUENCED,
    TRUMP_MARRIAGE,
    TRUMP_QUARTETTED,
    TRUMP_SEQUENCE,
    TYPES,
    bezique_jack,
    bezique_queen,
    is_suited,
    kind_of,
    quartet_rank,
    rank_of,
    suit_of,
    takes,
    type_of,
)

FAULTS: Final = (
    "",
    "gave no answer (a decision must return True)",
    "played from a place where no card is (place is 0 to 11)",
    "did not follow suit or trump in the last twelve tricks, as it can (B24)",
    "did not beat the led card in the last twelve tricks, as it can (B25)",
    "declared what there is not (item is a row of the scoring table, or -1 for nothing)",
    "declared cards that are not what it said they are",
    "declared a marriage or sequence at the wrong price: the first one fixes the trump, and only that suit is trump (B6)",
    "declared a card that stands in an own declaration of the same kind or a higher one, which is still whole (B17, B20)",
    "neither claimed the points (claim = 1) nor left them (claim = 0)",
)
NO_ANSWER, NO_CARD_THERE, NOT_FOLLOWED, NOT_HEADED, NO_ITEM, WRONG_CARDS, WRONG_TRUMP, BLOCKED, BAD_CLAIM = range(1, len(FAULTS))

COMBINED_RANKS: Final = 0b11111 << JACK
"""The five ranks of a sequence, a mask."""


# --- the play of cards ----------------------------------------------------------------------------------------------------------------------


@inner
def may_follow(hand: Any, led: int, trump: int, must_head: bool) -> int:
    """Places of the cards (``hand``: int64[12]) that may follow in the last twelve tricks (B24, B25): the suit, else a trump, else any card."""
    every = same = trumps = higher = 0
    for place in range(HAND):
        card = hand[place]
        if card != NO_CARD:
            bit = 1 << place
            every |= bit
            if suit_of(card) == suit_of(led):
                same |= bit
                if takes(led, card, trump):
                    higher |= bit
            elif suit_of(card) == trump:
                trumps |= bit
    if same:
        return higher if must_head and higher else same
    return trumps if trumps else every


@inner
def check_play(view: Any, rules: Any, move: Any) -> int:
    """0, or the fault of a played card (position in FAULTS)."""
    place = move.place
    if place < 0 or place >= HAND or view.hand[place] == NO_CARD:
        return NO_CARD_THERE
    if view.allowed >> place & 1:
        return 0
    return NOT_HEADED if may_follow(view.hand, view.led, view.trump, False) >> place & 1 else NOT_FOLLOWED


# --- declarations ---------------------------------------------------------------------------------------------------------------------------


@inlined
def is_of_trumps(view: Any, suit: int) -> bool:
    """Whether a marriage or sequence of a suit scores as of trumps, being so or becoming so (B6, B8)."""
    return suit == view.trump or (view.trump == NO_SUIT and suit != view.barred)


@inlined
def suited_item(view: Any, item: int, suit: int) -> int:
    """What a marriage (MARRIAGE) or sequence (SEQUENCE) of a suit is in the scoring table: the row of trumps stands before the plain one."""
    return item - 1 if is_of_trumps(view, suit) else item


@inner
def blocked(intact: Any, kind: int, rules: Any) -> int:
    """Places of the cards that a new declaration of a type may not use (B17, B20); intact: int64[types], as in `VIEW`. Sole monarchs apart (B20a)."""
    if kind == MARRIED:
        return intact[MARRIED] | intact[SEQUENCED]
    if kind == SEQUENCED:
        return intact[SEQUENCED] if rules.marriage_then_sequence else intact[SEQUENCED] | intact[MARRIED]
    if kind == QUARTETTED:
        return intact[QUARTETTED] | intact[TRUMP_QUARTETTED]
    if kind == TRUMP_QUARTETTED:
        return intact[TRUMP_QUARTETTED]
    found = 0
    for higher in range(kind, TYPES):
        found |= intact[higher]
    return found


@inlined
def may_swap(places: int, intact: Any, widowed: int, rules: Any) -> bool:
    """Whether a king and a queen may marry though one of them is married: the other is a sole monarch, and neither is in a sequence (B20a)."""
    sole = places & widowed & ~intact[MARRIED]
    return rules.marriage_partner_swap and places & intact[SEQUENCED] == 0 and popcount(sole) == 1 and places & intact[MARRIED] == places & ~sole


@inlined
def is_played(item: int, view: Any, rules: Any) -> bool:
    """Whether an item that is of no suit of its own can be declared at all by now: four tens have a price, trump quartets and such beziques a trump."""
    if item == FOUR_TENS:
        return rules.points[FOUR_TENS] > 0
    if item <= FOUR_JACKS:
        return True
    if item <= FOUR_TRUMP_JACKS:
        return view.trump != NO_SUIT
    return bezique_queen(view.trump, rules) >= 0


@inner
def are_cards_of(item: int, view: Any, rules: Any, places: int) -> bool:
    """Whether the cards of some places, all of them held, are those of an item; whether of trumps is not looked at where that is a matter of the price."""
    first = view.hand[lowest(places)]
    ranks = suits = queens = jacks = n = 0
    queen, jack = bezique_queen(view.trump, rules), bezique_jack(view.trump, rules)
    while places:
        card = view.hand[lowest(places)]
        places &= places - 1
        n += 1
        ranks |= 1 << rank_of(card)
        suits |= 1 << suit_of(card)
        queens += kind_of(card) == queen
        jacks += kind_of(card) == jack
    one_suit = suits & suits - 1 == 0
    if item <= SEQUENCE:
        return n == 5 and one_suit and ranks == COMBINED_RANKS
    if item <= MARRIAGE:
        return n == 2 and one_suit and ranks == 1 << KING | 1 << QUEEN
    if item < BEZIQUE:
        of_rank = n == 4 and ranks == 1 << quartet_rank(item)
        return of_rank and (item <= FOUR_JACKS or (one_suit and suit_of(first) == view.trump))
    each = item - BEZIQUE + 1
    return queens == each and jacks == each and n == 2 * each


@inner
def check_declare(view: Any, rules: Any, move: Any) -> int:
    """0, or the fault of a declaration (position in FAULTS)."""
    item, places = move.item, move.places
    if item == NOTHING:
        return 0 if places == 0 else NO_ITEM
    if item < 0 or item >= DECLARED:
        return NO_ITEM
    if places <= 0 or places >> HAND:
        return WRONG_CARDS
    for place in range(HAND):
        if places >> place & 1 and view.hand[place] == NO_CARD:
            return WRONG_CARDS
    if not are_cards_of(item, view, rules, places):
        return WRONG_CARDS
    if is_suited(item):
        if is_of_trumps(view, suit_of(view.hand[lowest(places)])) != (item == TRUMP_SEQUENCE or item == TRUMP_MARRIAGE):
            return WRONG_TRUMP
    elif not is_played(item, view, rules):
        return NO_ITEM
    kind = type_of(item)
    if places & blocked(view.intact, kind, rules) == 0:
        return 0
    return 0 if kind == MARRIED and may_swap(places, view.intact, view.widowed, rules) else BLOCKED


@inner
def check_claim(view: Any, rules: Any, move: Any) -> int:
    """0, or the fault of an answer whether points are claimed (position in FAULTS)."""
    return 0 if move.claim == 0 or move.claim == 1 else BAD_CLAIM
