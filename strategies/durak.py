"""The built-in players of durak.

All of them hang epaulettes as soon as they may. They differ in what they spend: `greedy` covers whatever it can, `thrifty` saves its trumps and takes a few low
cards instead, `counter` knows where every card is that it has seen.

A decision is a plain function of the view, the rules, the strategy's own parameters, its work record and the move that it fills in; see
`simcore.games.durak.moves` for what moves are built with.
"""

from __future__ import annotations

from typing import Any

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
    throw,
)
from simcore.strategy import Param, Strategy

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
    if view.may_hang:
        return lead(view.hand, move)
    card = cheapest(view.allowed, view)
    return lead(1 << card if params.never_pair else attack_with(card, view.hand & ~view.trumps, view, rules), move)


def greedy_defend(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Covers all that is open with the cheapest cards, and takes only where it cannot."""
    return cover_or_take(view.allowed, view, move)


def greedy_throw_in(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Throws in every plain card that fits, the cheapest first; trumps only when the stock is empty and the defender does not take."""
    if params.never_throw:
        return decline(move)
    cards = view.allowed if view.stock_size == 0 and not view.taking else view.allowed & ~view.trumps
    return throw(fitting(cards, view.room, view), move)


greedy = Strategy(
    "Cheapest attack, cheapest cover: leads and throws in what is lowest, and covers whatever it can.",
    {"attack": greedy_attack, "defend": greedy_defend, "throw_in": greedy_throw_in},
    {
        "never_throw": Param(0, 0, 1, "1: never throws in", restriction=True),
        "never_pair": Param(0, 0, 1, "1: leads one card at a time", restriction=True),
    },
)
