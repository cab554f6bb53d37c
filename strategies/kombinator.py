"""The built-in players of Kombinator.

All of them read what things are worth from the point table they are given (``rules.points``), so that they follow a designer who changes it. They
differ in what they want: points now, good cards later, big combinations, the lead, certainty, or the next stage of the ladder.

A decision is a plain function of the view, the rules, the strategy's own parameters, its work record and the move that it fills in; see
`simcore.games.kombinator.moves` for what moves are built with.
"""

from __future__ import annotations

from typing import Any, Final

from simcore.bits import lowest, popcount
from simcore.compiled import inner
from simcore.games.kombinator.choices import attack_at_random, defend_at_random
from simcore.games.kombinator.combinations import (
    ACES,
    ASSEMBLY,
    COURT,
    DUMP,
    JACKPOT,
    MARRIAGE,
    ONE_SUIT,
    PAIR,
    SMALL_ROW,
    SUPERBLOW,
    is_force,
    points_of,
)
from simcore.games.kombinator.legal import is_jackpot, may_dump, may_order, may_take
from simcore.games.kombinator.moves import (
    beat_with,
    best_assembly,
    cheapest,
    court_points,
    defence_points,
    give_up,
    pass_turn,
    play_assembly,
    play_cover,
    play_dump,
    play_single,
    study_attack,
    study_defence,
)
from simcore.games.kombinator.splits import best_within, declare, declare_part
from simcore.games.kombinator.view import INVULNERABLE, NO_ORDER, REINFORCED, STAGES
from simcore.strategy import Param, Strategy
from strategies.kombinator_odds import SURE, chance, given_away, order_price, prospect, unseen
from strategies.kombinator_tactics import (
    attack_for_points,
    best_cover,
    best_defence,
    best_in_hand,
    card_cost,
    cheapest_defence,
    cheapest_single,
    defend_for_points,
    may_pass,
    most_points_without_order,
    stake,
)

# --- random ---------------------------------------------------------------------------------------------------------------------------------


def random_attack(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Any legal attack or the pass, each equally likely."""
    return attack_at_random(view, rules, work, move)


def random_defend(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Any legal defence, each equally likely."""
    return defend_at_random(view, rules, work, move)


random = Strategy(
    "Chooses uniformly among everything legal: cards, split, order, matching, taking.",
    {"attack": random_attack, "defend": random_defend},
)


# --- greedy ---------------------------------------------------------------------------------------------------------------------------------


def greedy_attack(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Most points now, as if nothing could be beaten; of equal attacks the one with the cheapest cards.

    It is the plain measure of a point table: what does the game reward somebody who simply takes what is there? It uses an order at once, for what
    gives most (reinforced, or an assembly), plays superblows where they arise, never passes, and dumps only where the table pays for it.
    """
    if params.never_combine:
        return cheapest_single(view, move)
    if params.never_order:
        return most_points_without_order(view, rules, work, move, study_attack(view, rules, work))
    return attack_for_points(view, rules, work, move)


def greedy_defend(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Beats whenever it can, with the cards that cost the attacker most; an order decides between equals. Never takes a card."""
    return give_up(-1, move) if params.never_beat else defend_for_points(view, rules, work, move)


greedy = Strategy(
    "Takes the most points it can get now.",
    {"attack": greedy_attack, "defend": greedy_defend},
    {
        "never_order": Param(0, 0, 1, "1: never uses an order", restriction=True),
        "never_combine": Param(0, 0, 1, "1: attacks with single cards only, without an order", restriction=True),
        "never_beat": Param(0, 0, 1, "1: always yields", restriction=True),
    },
)


# --- thrifty --------------------------------------------------------------------------------------------------------------------------------


@inner
def kept(cards: int, view: Any) -> int:
    """How many trumps and court cards (aces too) there are among ``cards``."""
    return popcount(cards & (view.trump_cards | COURT | ACES))


def thrifty_attack(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Sheds low singles and keeps trumps and court cards for as long as the stock lasts, because these beat and cost the attacker points.

    A combination is played when its points are more than `reserve` for each such card in it. Holding nothing else it passes and draws. With an empty
    stock nothing is worth keeping (what is left costs points), and it attacks as `greedy` does.
    """
    if view.stock_size == 0:
        return attack_for_points(view, rules, work, move)
    best, most = 0, 0
    for i in range(1, study_attack(view, rules, work)):
        cover = work.cover[i]
        gain = points_of(work.value[cover]) - params.reserve * kept(work.cards[cover], view)
        if gain > most:
            best, most = cover, gain
    if best:
        return play_cover(best, NO_ORDER, work, move)
    low = view.hand & ~(view.trump_cards | COURT | ACES)
    if low == 0 and may_pass(view, rules):
        return pass_turn(move)
    return play_single(lowest(low) if low else cheapest(view.hand, view.trump_cards), NO_ORDER, move)


def thrifty_defend(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Beats where what it gains and saves is worth the trumps and court cards it takes (`reserve` each); yielding, it takes a trump."""
    n = study_defence(view, rules, work)
    if view.stock_size == 0:
        best = best_defence(view, rules, work, n)
        return beat_with(best, work, move) if best >= 0 else give_up(-1, move)
    saved = stake(view, rules)
    best, most = -1, 0
    for i in range(n):
        cards = work.defence_cards[i]
        gain = saved + defence_points(i, rules, work) - params.reserve * kept(cards, view)
        key = (gain << 10) - card_cost(cards, view.trump_cards)
        if gain >= 0 and (best < 0 or key > most):
            best, most = i, key
    if best >= 0:
        return beat_with(best, work, move)
    trumps = view.attack & view.trump_cards
    return give_up(lowest(trumps) if trumps and may_take(view, rules) else -1, move)


thrifty = Strategy(
    "Keeps trumps and court cards and sheds low singles.",
    {"attack": thrifty_attack, "defend": thrifty_defend},
    {"reserve": Param(1, 0, 100, "points for which one trump or court card is given up")},
)


# --- builder --------------------------------------------------------------------------------------------------------------------------------


@inner
def longest_suit(hand: int) -> int:
    """The cards of the suit of which a hand holds most, the lowest such suit."""
    best = 0
    for suit in range(4):
        cards = hand & (ONE_SUIT << suit)
        if popcount(cards) > popcount(best):
            best = cards
    return best


def builder_attack(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Passes and draws, up to seven cards, and waits for a big combination: one worth as much as a row of `cards` cards in the point table.

    At most `patience` passes come between two of its attacks; then it plays the best it has, with the cheapest card if that is nothing. A full hand
    that holds nothing big yet sheds a single card that is not of its longest suit; one that holds it waits until the defender has as many cards.
    """
    big = rules.points[SMALL_ROW + params.cards - 3]
    holds = best_in_hand(view.hand, view, rules, work) >= big
    best = best_cover(view, rules, work, study_attack(view, rules, work), False)
    patient = work.memory[0] < params.patience and view.stock_size > 0
    if patient and points_of(work.value[best]) < big:
        if may_pass(view, rules) or (holds and view.passes + 1 < view.players):
            work.memory[0] += 1
            return pass_turn(move)
        spare = view.hand & ~longest_suit(view.hand)
        if spare:
            return play_single(cheapest(spare, view.trump_cards), NO_ORDER, move)
    work.memory[0] = 0
    if best:
        return play_cover(best, NO_ORDER, work, move)
    return cheapest_single(view, move)


@inner
def most_useful(view: Any, rules: Any, work: Any) -> int:
    """The attacking card that adds most to the hand, packed as gain * 64 + card; -1 if none adds anything.

    What a card adds is what it adds to the best split of the hand, and half a point if it lengthens the longest suit; the gain is in half points.
    """
    without = best_in_hand(view.hand, view, rules, work)
    suit = longest_suit(view.hand)
    best = -1
    rest = view.attack
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        gain = 2 * (best_in_hand(view.hand | 1 << card, view, rules, work) - without)
        gain += popcount(suit) >= 3 and suit & (ONE_SUIT << (card & 3)) != 0
        if gain > 0:
            best = max(best, gain << 6 | card)
    return best


def builder_defend(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Takes a card when that adds more to its hand than beating gives and saves; otherwise it beats for most points where it can."""
    useful = most_useful(view, rules, work) if view.stock_size > 0 and may_take(view, rules) else -1
    best = best_defence(view, rules, work, study_defence(view, rules, work))
    if best >= 0 and (useful < 0 or useful >> 6 <= 2 * (defence_points(best, rules, work) + stake(view, rules))):
        return beat_with(best, work, move)
    return give_up(useful & 63 if useful >= 0 else -1, move)


builder = Strategy(
    "Passes, draws and takes cards to build big combinations.",
    {"attack": builder_attack, "defend": builder_defend},
    {
        "patience": Param(2, 0, 100, "passes between two of its attacks"),
        "cards": Param(6, 3, 7, "it waits for what is worth as much as a row of so many cards"),
    },
)


# --- blocker --------------------------------------------------------------------------------------------------------------------------------


def blocker_attack(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Most points now, and an order makes the attack invulnerable, because a beaten attack loses the lead.

    An order is spent on a combination that no credit covers already, or on a dump where the hand holds none: that keeps the lead and draws new cards.
    """
    best = best_cover(view, rules, work, study_attack(view, rules, work), False)
    ordered = may_order(view) and view.credits[view.seat] == 0
    if best:
        return play_cover(best, INVULNERABLE if ordered else NO_ORDER, work, move)
    if ordered and may_dump(view):
        return play_dump(view, INVULNERABLE, move)
    return cheapest_single(view, move)


def blocker_defend(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Beats whenever it can, to lead, and with the cheapest cards that do, to be able to do it again. Never takes a card."""
    best = cheapest_defence(view, work, study_defence(view, rules, work))
    return beat_with(best, work, move) if best >= 0 else give_up(-1, move)


blocker = Strategy("Beats whenever it can, to lead.", {"attack": blocker_attack, "defend": blocker_defend})


# --- counter --------------------------------------------------------------------------------------------------------------------------------


@inner
def _weigh(option: int, points: int, cards: int, covered: bool, orders: bool, pool: int, view: Any, rules: Any, work: Any) -> None:
    """Enter an attack, with the order that suits it (where ``orders``), as the best so far in ``work.memory`` (1 value, 2 option, 3 order) if it is."""
    if prospect(points + court_points(cards, rules), SURE, cards, view, rules) <= work.memory[1]:
        return
    sure = SURE if covered else chance(cards, pool, view)
    _enter(prospect(points, sure, cards, view, rules), option, NO_ORDER, work)
    if orders:
        price = order_price(view, rules)
        _enter(prospect(points, SURE, cards, view, rules) - price, option, INVULNERABLE, work)
        _enter(prospect(points + court_points(cards, rules), sure, cards, view, rules) - price, option, REINFORCED, work)


@inner
def _enter(value: int, option: int, order: int, work: Any) -> None:
    if value > work.memory[1]:
        work.memory[1] = value
        work.memory[2] = option
        work.memory[3] = order


# Options of `counter` below the numbers of covers: single cards are -1 - card.
_DUMPS: Final = -100
_ASSEMBLES: Final = -101


def counter_attack(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Plays what cannot, or will hardly, be beaten, by all that it has seen: its hand, the discard pile, known cards, the turned card.

    What is left is what the defender can hold; with two players and an empty stock it is the defender's hand. Each attack is worth its points and
    the lead by the chance that it holds, less the cards it gives away. An order is used where the chance is worth it, or before the stock runs out; a
    poor hand is dumped where the defender will hardly beat all of it, since new cards are worth a pair.
    """
    pool = unseen(view)
    covered = view.credits[view.seat] > 0
    orders = may_order(view) and not params.never_order
    n = study_attack(view, rules, work)
    work.memory[1] = -(1 << 40)
    for i in range(1, n):
        cover = work.cover[i]
        _weigh(cover, points_of(work.value[cover]), work.cards[cover], covered, orders, pool, view, rules, work)
    rest = view.hand
    while rest:
        _weigh(-1 - lowest(rest), 0, rest & -rest, False, orders, pool, view, rules, work)
        rest &= rest - 1
    if may_dump(view) and not params.never_dump:
        _weigh(_DUMPS, rules.points[DUMP] + rules.points[PAIR], view.hand, covered, orders, pool, view, rules, work)
    if orders:
        points = best_assembly(view, rules, work)
        if points >= 0:  # there is one; where a price of pairs below 0 makes orders a burden, even none would look good
            _enter(SURE * points - order_price(view, rules), _ASSEMBLES, NO_ORDER, work)
    return _play(work.memory[2], work.memory[3], view, work, move)


@inner
def _play(option: int, order: int, view: Any, work: Any, move: Any) -> bool:
    if option > 0:
        return play_cover(option, order, work, move)
    if option == _DUMPS:
        return play_dump(view, order, move)
    if option == _ASSEMBLES:
        return play_assembly(work, move)
    return play_single(-1 - option, order, move)


def counter_defend(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Beats where points, the loss it is spared, the lead and an order that can still be used are worth more than the cards given away."""
    if params.never_beat:
        return give_up(-1, move)
    lead = rules.points[PAIR]
    best, most = -1, 0
    for i in range(study_defence(view, rules, work)):
        value = SURE * (defence_points(i, rules, work) + stake(view, rules) + lead) - given_away(work.defence_cards[i], view, rules)
        if not params.never_order and work.earning[work.defence[i]] >= 0:
            value += order_price(view, rules)
        if is_jackpot(view, view.hand):
            value += SURE * rules.points[JACKPOT]
        if value >= most:
            best, most = i, value
    return beat_with(best, work, move) if best >= 0 else give_up(-1, move)


counter = Strategy(
    "Counts cards and plays what will hardly be beaten.",
    {"attack": counter_attack, "defend": counter_defend},
    {
        "never_dump": Param(0, 0, 1, "1: never dumps its hand", restriction=True),
        "never_order": Param(0, 0, 1, "1: never uses an order", restriction=True),
        "never_beat": Param(0, 0, 1, "1: always yields", restriction=True),
    },
)


# --- climber --------------------------------------------------------------------------------------------------------------------------------


@inner
def helps(found: int, wanted: int, cards: int, view: Any, rules: Any, work: Any) -> bool:
    """Whether combination ``found``, played among ``cards``, is of one of the ``wanted`` kinds (bits) and may be used for it."""
    kind = work.found_kind[found]
    if kind == MARRIAGE and view.married[view.seat] and not (rules.repeat_marriage and rules.weak_marriage_passes_stage):
        return False
    if is_force(kind) and view.stock_size == 0 and cards == view.hand:
        return (wanted >> SUPERBLOW | (wanted >> kind & rules.superblow_counts_as_force)) & 1 != 0
    return wanted >> kind & 1 != 0


@inner
def wanted_kinds(view: Any, rules: Any, defends: bool) -> int:
    """Kinds (bits) that pass the next stage of the ladder, 0 when there is nothing to climb."""
    stage = view.stages[view.seat] + 1
    if not rules.millionaire or stage > STAGES:
        return 0
    return rules.stage_defence[stage] if defends else rules.stage_attack[stage]


def climber_attack(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Plays a combination that passes its next stage whenever it has one, invulnerable if it can; otherwise, and outside the mode, as `greedy` does.

    The payment of Kombinator-millionaire grows faster than the points that are lost on the way. Of several combinations that would do it plays the
    one worth most. While an assembly would pass its next stage it keeps its orders for one.
    """
    wanted = wanted_kinds(view, rules, False)
    if wanted == 0:
        return attack_for_points(view, rules, work, move)
    n = study_attack(view, rules, work)
    assembles = wanted >> ASSEMBLY & 1 and may_order(view)
    if assembles and best_assembly(view, rules, work) >= 0:
        return play_assembly(work, move)
    best, most = -1, -1
    for found in range(work.n_found):
        cards = work.found_cards[found]
        worth = rules.points[work.found_kind[found]]
        if worth > most and popcount(cards) <= view.sizes[view.defender] and helps(found, wanted, cards, view, rules, work):
            best, most = found, worth
    if best >= 0:
        move.cards = work.found_cards[best]
        move.order = INVULNERABLE if may_order(view) and view.credits[view.seat] == 0 else NO_ORDER
        declare_part(work.found_kind[best], work.found_cards[best], move)
        return True
    if assembles:
        cover = best_cover(view, rules, work, n, False)
        return play_cover(cover, NO_ORDER, work, move) if cover else cheapest_single(view, move)
    return attack_for_points(view, rules, work, move)


@inner
def climb_by_beating(wanted: int, view: Any, rules: Any, work: Any, move: Any, n: int) -> bool:
    """Beat with a set that holds one of the ``wanted`` kinds, declared as that kind; False if there is none."""
    for i in range(n):
        cards = work.defence_cards[i]
        if popcount(cards) == 1:
            return False
        for found in range(work.n_found):
            if work.found_cards[found] & ~cards == 0 and helps(found, wanted, cards, view, rules, work):
                beat_with(i, work, move)
                move.n_parts = 0
                declare_part(work.found_kind[found], work.found_cards[found], move)
                if work.found_kind[found] != MARRIAGE:
                    declare(best_within(work.defence[i] & ~work.found_local[found], work), work, move)
                return True
    return False


@inner
def earning_defence(work: Any, n: int) -> int:
    """The first set of `study_defence` that earns an order, -1 if there is none."""
    for i in range(n):
        if work.earning[work.defence[i]] >= 0:
            return i
    return -1


def climber_defend(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Beats with a combination that passes its next stage where it can, declared as what the stage asks for; otherwise as `greedy` does.

    Where an assembly would pass the stage it rather beats with a set that earns an order.
    """
    n = study_defence(view, rules, work)
    wanted = wanted_kinds(view, rules, True)
    if wanted and climb_by_beating(wanted, view, rules, work, move, n):
        return True
    best = earning_defence(work, n) if wanted_kinds(view, rules, False) >> ASSEMBLY & 1 else -1
    if best < 0:
        best = best_defence(view, rules, work, n)
    return beat_with(best, work, move) if best >= 0 else give_up(-1, move)


climber = Strategy("Climbs the ladder of Kombinator-millionaire; otherwise as greedy.", {"attack": climber_attack, "defend": climber_defend})
