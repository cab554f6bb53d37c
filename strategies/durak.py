"""The built-in players of durak.

All of them hang epaulettes as soon as they may. They differ in what they spend: `greedy` covers whatever it can, `thrifty` saves its trumps and takes a few low
cards instead, `counter` knows where every card is that it has seen.

A decision is a plain function of the view, the rules, the strategy's own parameters, its work record and the move that it fills in; see
`simcore.games.durak.moves` for what moves are built with.
"""

from __future__ import annotations

from typing import Any

from simcore.bits import lowest, popcount
from simcore.compiled import inner
from simcore.games.durak.beating import beaters, cover_all
from simcore.games.durak.legal import of_rank
from simcore.games.durak.moves import (
    at_random_attack,
    at_random_defend,
    at_random_throw_in,
    attack_with,
    cheapest,
    cover_or_take,
    decline,
    fitting,
    lead,
    take,
    throw,
)
from simcore.strategy import Param, Strategy

# --- what several of them use ---------------------------------------------------------------------------------------------------------------


@inner
def lead_cheapest(view: Any, rules: Any, move: Any) -> bool:
    """Hang where that is allowed; else lead the cheapest card, trumps last, with the plain cards of its rank."""
    if view.may_hang:
        return lead(view.hand, move)
    return lead(attack_with(cheapest(view.allowed, view), view.hand & ~view.trumps, view, rules), move)


@inner
def throw_all(view: Any, move: Any) -> bool:
    """Throw in every plain card that fits, the cheapest first; trumps as well when the stock is empty and the defender does not take."""
    cards = view.allowed if view.stock_size == 0 and not view.taking else view.allowed & ~view.trumps
    return throw(fitting(cards, view.room, view), move)


def cheapest_attack(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Leads its cheapest card, trumps last, with the plain cards of the same rank."""
    return lead_cheapest(view, rules, move)


def plain_throw_in(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Throws in every plain card that fits, the cheapest first; trumps only when the stock is empty and the defender does not take."""
    return throw_all(view, move)


# --- random ---------------------------------------------------------------------------------------------------------------------------------


def random_attack(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Leads any allowed card, each equally likely, and each further card of its rank by the toss of a coin."""
    return at_random_attack(view, rules, work, move)


def random_defend(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Takes, or covers one card by another, each legal choice equally likely."""
    return at_random_defend(view, work, move)


def random_throw_in(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Throws one of the allowed cards or none, each equally likely."""
    return at_random_throw_in(view, work, move)


random = Strategy(
    "Chooses by lot among what is legal, one card at a time.",
    {"attack": random_attack, "defend": random_defend, "throw_in": random_throw_in},
)


# --- greedy ---------------------------------------------------------------------------------------------------------------------------------


def greedy_attack(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Leads its cheapest card, trumps last, with the plain cards of the same rank."""
    if params.never_pair and not view.may_hang:
        return lead(1 << cheapest(view.allowed, view), move)
    return lead_cheapest(view, rules, move)


def greedy_defend(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Covers all that is open with the cheapest cards, and takes only where it cannot."""
    return cover_or_take(view.allowed, view, move)


def greedy_throw_in(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Throws in every plain card that fits, the cheapest first; trumps only when the stock is empty and the defender does not take."""
    return decline(move) if params.never_throw else throw_all(view, move)


greedy = Strategy(
    "Cheapest attack, cheapest cover: leads and throws in what is lowest, and covers whatever it can.",
    {"attack": greedy_attack, "defend": greedy_defend, "throw_in": greedy_throw_in},
    {
        "never_throw": Param(0, 0, 1, "1: never throws in", restriction=True),
        "never_pair": Param(0, 0, 1, "1: leads one card at a time", restriction=True),
    },
)


# --- thrifty --------------------------------------------------------------------------------------------------------------------------------


def thrifty_defend(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Covers without trumps where it can; else takes early, while no more than `few` cards lie on the table, all of them plain, and covers later."""
    table = view.attacking | view.covering
    if view.stock_size >= params.early and view.may_take and popcount(table) <= params.few and table & view.trumps == 0:
        return cover_or_take(view.allowed & ~view.trumps, view, move)
    return cover_or_take(view.allowed, view, move)


thrifty = Strategy(
    "Saves its trumps: early in a deal it rather takes one or two plain cards than covers with a trump.",
    {"attack": cheapest_attack, "defend": thrifty_defend, "throw_in": plain_throw_in},
    {
        "few": Param(2, 0, 6, "cards on the table up to which it takes rather than spend a trump"),
        "early": Param(12, 1, 54, "cards of the stock down to which it does so"),
    },
)


# --- counter --------------------------------------------------------------------------------------------------------------------------------


@inner
def unseen(view: Any, rules: Any) -> int:
    """The cards of which nobody can know where they are who has seen every card that lay open."""
    seen = view.hand | view.discarded | view.attacking | view.covering
    for seat in range(view.players):
        seen |= view.known[seat]
    if view.stock_size > 0:
        seen |= 1 << view.turned  # the last card of the stock
    return (1 << rules.cards) - 1 & ~seen


@inner
def may_hold(seat: int, view: Any, rules: Any) -> int:
    """The cards that another player may hold; exactly its hand where two are left without a stock."""
    return view.known[seat] if popcount(view.known[seat]) == view.sizes[seat] else view.known[seat] | unseen(view, rules)


@inner
def worth(cards: int, view: Any, rules: Any) -> int:
    """The sum of the ranks of some cards, 0 for the lowest; a trump counts as many more as there are ranks."""
    ranks = rules.cards >> 2
    total = popcount(cards & view.trumps) * ranks
    while cards:
        total += lowest(cards) >> 2
        cards &= cards - 1
    return total


@inner
def safe_cards(view: Any, rules: Any) -> int:
    """The allowed cards that the defender surely cannot cover."""
    theirs = may_hold(view.defender, view, rules)
    cards, safe = view.allowed, 0
    while cards:
        bit = cards & -cards
        cards &= cards - 1
        if beaters(lowest(bit), view) & theirs == 0:
            safe |= bit
    return safe


def counter_attack(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Leads its cheapest card; without a stock first what cannot be covered, where the cards that can be are of one rank, so that it goes out next."""
    if view.stock_size == 0 and not view.may_hang:
        safe = safe_cards(view, rules)
        rest = view.hand & ~safe
        if safe and (rest == 0 or rest & ~of_rank(lowest(rest) >> 2) == 0):
            return lead(attack_with(cheapest(safe, view), safe, view, rules), move)
    return lead_cheapest(view, rules, move)


def counter_defend(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Without a stock covers what it can; before, takes where covering spends more than taking costs, each card set against one that may come.

    What may come counts as the mean of the cards that it has not seen; to lose the lead costs `tempo`.
    """
    if view.stock_size == 0 or not view.may_take or view.open & view.special or not cover_all(view.open, view.allowed, view, move):
        return cover_or_take(view.allowed, view, move)
    spent = 0
    for i in range(move.n_pairs):
        spent |= 1 << move.covering[i]
    coming = unseen(view, rules)
    table = view.attacking | view.covering
    mean = 100 * worth(coming, view, rules) // max(1, popcount(coming))
    covering = 100 * worth(spent, view, rules) - popcount(spent) * mean
    taking = popcount(table) * mean - 100 * worth(table, view, rules) + params.tempo
    return take(move) if covering > taking else True


counter = Strategy(
    "Knows where every card is that it has seen, weighs covering against taking by the cards that may come, and finishes by what cannot be covered.",
    {"attack": counter_attack, "defend": counter_defend, "throw_in": plain_throw_in},
    {"tempo": Param(300, -5000, 5000, "hundredths of a rank that the lead is worth")},
)
