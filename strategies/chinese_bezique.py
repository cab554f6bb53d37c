"""The built-in players of Chinese bezique.

All of them read prices from the scoring table (``rules.points``). `greedy` sees only what it can declare at once; `builder` keeps cards for combinations that
lack some, as the books advise (Foster, "Foster's Complete Hoyle", on bezique: keep the parts of beziques and sequences, throw low cards and those that are
spare); `counter` does so by how many of the missing cards can still come.

A decision is a plain function of the view, the rules, the strategy's own parameters, its work record and the move that it fills in; see
`simcore.games.chinese_bezique.moves` for what moves are built with.
"""

from __future__ import annotations

from typing import Any

from simcore.bits import lowest, popcount
from simcore.chance import below
from simcore.compiled import inlined, inner
from simcore.games.chinese_bezique.combinations import (
    HAND,
    ITEMS,
    JACK,
    KINDS,
    LAST_TRICK,
    NO_CARD,
    NO_SUIT,
    is_suited,
    rank_of,
    suit_of,
    takes,
    type_of,
)
from simcore.games.chinese_bezique.moves import (
    ITEM_SHIFT,
    PRICE_SHIFT,
    SURE,
    after_playing,
    answer,
    as_it_is,
    dearest,
    declarations,
    declare_it,
    play_from,
    prospect,
    say_nothing,
    trump_prospect,
    unseen,
)
from simcore.games.chinese_bezique.scoring import has_crossed
from simcore.games.chinese_bezique.view import FINAL_TRICK
from simcore.strategy import Param, Strategy

ALL_PLACES = (1 << HAND) - 1


# --- what several of them use ---------------------------------------------------------------------------------------------------------------


@inlined
def strength(card: int, trump: int) -> int:
    """How much a card takes: its rank, trumps above all."""
    return rank_of(card) + 8 * (suit_of(card) == trump)


@inner
def weakest(view: Any, places: int) -> int:
    """The place of the weakest card."""
    best = -1
    least = 0
    while places:
        place = lowest(places)
        places &= places - 1
        power = strength(view.hand[place], view.trump)
        if best < 0 or power < least:
            best, least = place, power
    return best


@inner
def takers(view: Any) -> int:
    """Places of the cards that take the trick from the led one."""
    found = 0
    for place in range(HAND):
        if view.allowed >> place & 1 and takes(view.led, view.hand[place], view.trump):
            found |= 1 << place
    return found


@inner
def last_tricks(view: Any, move: Any) -> bool:
    """Keep the strong cards for the last trick: the weakest card that is allowed."""
    return play_from(weakest(view, view.allowed), move)


@inner
def points_of(seat: int, view: Any, rules: Any) -> int:
    """Points of a player in this deal, at the prices that are told."""
    points = 0
    for item in range(ITEMS):
        points += view.declared[seat, item] * rules.points[item]
    return points


def claim(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Claim all but a last trick that only feeds the winner: who is behind and stays below a rubicon that the other has crossed adds to his score."""
    own, other = points_of(view.seat, view, rules) + rules.points[LAST_TRICK], points_of(1 - view.seat, view, rules)
    feeds = view.claim == FINAL_TRICK and own < other and has_crossed(other, rules) and not has_crossed(own, rules)
    return answer(not feeds, move)


# --- random ---------------------------------------------------------------------------------------------------------------------------------


def random_play(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Any card that may be played, each equally likely."""
    places = view.allowed
    for _ in range(below(work.stream, popcount(places))):
        places &= places - 1
    return play_from(lowest(places), move)


def random_declare(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Any combination or nothing, each equally likely, of any like cards."""
    as_it_is(view, work)
    n = declarations(view, rules, work, 0, below(work.stream, 1 << HAND))
    choice = below(work.stream, n + 1)
    return say_nothing(move) if choice == n else declare_it(work.choices[choice], move)


def random_claim(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Claim or not, equally likely."""
    return answer(below(work.stream, 2) == 1, move)


random = Strategy(
    "Every card, every combination or none, and every answer with the same probability.",
    {"play": random_play, "declare": random_declare, "claim": random_claim},
)


# --- greedy ---------------------------------------------------------------------------------------------------------------------------------


def greedy_play(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Lead and throw the weakest card; take with the weakest one that does, if there is something to declare."""
    if view.led != NO_CARD and view.stock_size > 0:
        places = takers(view)
        if places:
            place = weakest(view, places)
            after_playing(view, place, work)
            if dearest(view, rules, work, 1 << place) >= 0:
                return play_from(place, move)
    return play_from(weakest(view, view.allowed), move)


def greedy_declare(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Declare the dearest combination."""
    as_it_is(view, work)
    best = dearest(view, rules, work, 0)
    return say_nothing(move) if best < 0 else declare_it(best, move)


greedy = Strategy(
    "Declares the dearest combination, leads and throws the weakest card, and takes a trick only with something to declare.",
    {"play": greedy_play, "declare": greedy_declare, "claim": claim},
)


# --- builder and counter ----------------------------------------------------------------------------------------------------------------------


@inner
def plan_play(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """The card after which the hand may bring most, with what taking the trick is worth: the dearest declaration is made now and not later."""
    if view.stock_size == 0:
        return last_tricks(view, move)
    tempo = 100 if view.stock_size <= 2 * params.rush else params.tempo
    as_it_is(view, work)
    whole = prospect(view, rules, work, 0)  # also without a card of which no combination is made
    best = place_of_best = -1
    places = view.allowed
    while places:
        place = lowest(places)
        places &= places - 1
        card = view.hand[place]
        after_playing(view, place, work)
        combines = rank_of(card) >= JACK
        value = 100 * (prospect(view, rules, work, 1 << place) if combines else whole) - strength(card, view.trump)
        likely = 0  # in hundredths, to take the trick
        if view.led == NO_CARD:
            likely = 5 * strength(card, view.trump)
        elif takes(view.led, card, view.trump):
            likely = 100
        if likely:
            gain = dearest(view, rules, work, 1 << place)
            value += likely * (params.initiative + (tempo * (gain >> PRICE_SHIFT) // 100 if gain >= 0 else 0))
        if place_of_best < 0 or value > best:
            best, place_of_best = value, place
    return play_from(place_of_best, move)


@inner
def plan_declare(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """The combination whose price and what the hand may bring after it are most together, so that a marriage comes before the sequence above it."""
    as_it_is(view, work)
    patience = 0 if view.stock_size <= 2 * params.rush else params.patience
    best = declaration = -1
    for i in range(declarations(view, rules, work, 0, view.face_up)):
        item, places = work.choices[i] >> ITEM_SHIFT & 31, work.choices[i] & ALL_PLACES
        kind = type_of(item)
        before = work.intact[kind]
        work.intact[kind] |= places
        after = prospect(view, rules, work, 0)
        if is_suited(item) and view.trump == NO_SUIT:
            suit = suit_of(view.hand[lowest(places)])
            if suit != view.barred:
                after += trump_prospect(view, rules, work, 0, suit)
        work.intact[kind] = before
        value = 100 * rules.points[item] + patience * after
        if value > best:
            best, declaration = value, work.choices[i]
    return say_nothing(move) if declaration < 0 else declare_it(declaration, move)


@inlined
def hope_alike(params: Any, work: Any) -> None:
    """Every card that is missing comes with the same chance."""
    for kind in range(KINDS):
        work.chances[kind] = SURE * params.hope // 100


@inner
def count_chances(view: Any, params: Any, work: Any) -> None:
    """The chance of each kind of card to come in the next draws: where in the stock or unknown in the other hand it is is equally likely for all unseen."""
    pool = 0
    for kind in range(KINDS):
        pool += unseen(view, kind)
    draws = min(view.stock_size // 2, params.horizon)
    for kind in range(KINDS):
        stays_away = SURE
        for _ in range(unseen(view, kind)):
            stays_away = stays_away * (pool - draws) // pool
        work.chances[kind] = SURE - stays_away


def builder_play(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Keep the cards that most is hoped for."""
    hope_alike(params, work)
    return plan_play(view, rules, params, work, move)


def builder_declare(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Declare what leaves most to be hoped for."""
    hope_alike(params, work)
    return plan_declare(view, rules, params, work, move)


_PLAN = {
    "tempo": Param(10, 0, 100, "how much of a declaration's price taking the trick for it is worth, in hundredths"),
    "initiative": Param(5, 0, 1000, "points that taking a trick is worth by itself"),
    "patience": Param(80, 0, 100, "what may come later against what is scored now, in hundredths"),
    "rush": Param(6, 0, 84, "so many tricks before the stock is empty it scores what it can"),
}

builder = Strategy(
    "Keeps cards for combinations by what they are worth and how many cards they lack, and declares lower ones before higher ones.",
    {"play": builder_play, "declare": builder_declare, "claim": claim},
    {"hope": Param(45, 0, 99, "chance of each missing card, in hundredths"), **_PLAN},
)


def counter_play(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Keep the cards that most is to be expected for."""
    count_chances(view, params, work)
    return plan_play(view, rules, params, work, move)


def counter_declare(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Declare what leaves most to be expected."""
    count_chances(view, params, work)
    return plan_declare(view, rules, params, work, move)


counter = Strategy(
    "As builder, but the chance of a missing card is counted: from the cards that were played or shown, and the draws of a while.",
    {"play": counter_play, "declare": counter_declare, "claim": claim},
    {"horizon": Param(20, 1, 84, "draws that it reckons with"), **_PLAN},
)
