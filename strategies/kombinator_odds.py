"""What a player of Kombinator who counts cards can know, and what an attack is worth to it: the reckoning of `counter`."""

from __future__ import annotations

from typing import Any, Final

from simcore.bits import lowest, popcount
from simcore.compiled import inner
from simcore.games.kombinator.combinations import ALL_CARDS, JACKPOT, PAIR, SIX_OF_SPADES
from simcore.games.kombinator.legal import beaters
from simcore.games.kombinator.moves import court_points
from strategies.kombinator_tactics import card_cost

SURE: Final = 1024
"""Certainty: chances, and the values that they weigh, are whole numbers of 1024ths."""


@inner
def unseen(view: Any) -> int:
    """Cards that may be in any hand whose cards are not known: not seen here, on the table, in the pile, in a known hand, or under the stock."""
    cards = ALL_CARDS & ~(view.hand | view.discard | view.attack)
    for seat in range(view.players):
        cards &= ~view.known[seat]
    if view.stock_size > 0 and view.turned >= 0:
        cards &= ~(1 << view.turned)
    return cards


@inner
def could_beat(cards: int, holder: int, view: Any) -> bool:
    """Whether somebody who held all of ``holder`` could beat ``cards``, each with its own card (K-40).

    In one suit whatever beats a card beats all lower ones, so cards are served from the highest down by any beater; those left need a trump each.
    """
    left_over = 0
    for i in range(4):
        # The trump suit first: what it needs for itself is not there for other suits.
        suit = (view.trump + i) & 3
        rest = cards & (0x111111111 << suit)
        while rest:
            card = _highest(rest)
            rest &= ~(1 << card)
            higher = holder & (0x111111111 << suit) & (-2 << card)
            if higher:
                holder &= ~(higher & -higher)
            elif suit == view.trump:
                return False
            else:
                left_over += 1
    return popcount(holder & view.trump_cards) >= left_over


@inner
def _highest(cards: int) -> int:
    while cards & (cards - 1):
        cards &= cards - 1
    return lowest(cards)


@inner
def chance(cards: int, pool: int, view: Any) -> int:
    """Chance (in 1024ths) that the defender cannot beat ``cards``, when the cards of it that nobody has seen are any of ``pool``.

    Exact where it is certain either way; between, as if each attacking card met a hand of its own.
    """
    known = view.known[view.defender]
    if not could_beat(cards, pool | known, view):
        return SURE
    hidden = view.sizes[view.defender] - popcount(known)
    size = popcount(pool)
    if hidden >= size or could_beat(cards, known, view):
        return 0
    beaten = SURE
    rest = cards
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        if beaters(card, known, view.trump, view.trump_cards) == 0:
            others = size - popcount(beaters(card, pool, view.trump, view.trump_cards))
            none = SURE
            for i in range(hidden):
                none = none * max(0, others - i) // (size - i)
            beaten = beaten * (SURE - none) // SURE
    return SURE - beaten


@inner
def given_away(cards: int, view: Any, rules: Any) -> int:
    """What playing ``cards`` costs `counter` later (1024ths of a point).

    While the stock lasts high cards and trumps beat. After that court cards that stay behind cost points, the six of spades may become a jackpot, and
    an empty hand ends the deal.
    """
    cost = card_cost(cards, view.trump_cards) * 16 * rules.points[PAIR]
    if view.stock_size > 0:
        return cost
    cost -= 512 * court_points(cards, rules)
    if cards == view.hand:
        return cost - 2048 * rules.points[PAIR]
    return cost + 256 * rules.points[JACKPOT] * (cards >> SIX_OF_SPADES & 1)


@inner
def order_price(view: Any, rules: Any) -> int:
    """What an order is worth when it is kept (1024ths): nothing when the stock, and the order with it, is about to run out."""
    return SURE * rules.points[PAIR] if view.stock_size > rules.hand_size else 0


@inner
def prospect(points: int, sure: int, cards: int, view: Any, rules: Any) -> int:
    """What an attack is worth (1024ths): its points and the lead (a pair's worth) where it holds, the lead lost where it does not."""
    lead = rules.points[PAIR]
    return sure * (points + lead) - (SURE - sure) * lead - given_away(cards, view, rules)
