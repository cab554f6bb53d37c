"""The built-in players of Seven Card Combo.

`greedy`, `exact` and `reader` read what a loose card and the bonuses are worth from the point table they are given, so that they follow a designer who
changes it; `flush` and `pairs` collect what they are called after. A decision is a plain function of the view, the rules, the strategy's own parameters, its
work record and the move that it fills in; see `simcore.games.seven_card_combo.moves` for what moves are built with.
"""

from __future__ import annotations

from typing import Any, Final

from simcore.bits import popcount
from simcore.compiled import inner
from simcore.games.seven_card_combo.combinations import ALL_CARDS, LOOSE_CARD, ONE_SUIT, bonuses, counts_of, covered, points_of, ranks_of
from simcore.games.seven_card_combo.moves import at_random_discard, at_random_take, may_take_pile, offered, put_aside, take, take_all_of
from simcore.games.seven_card_combo.outlook import ONE, composed, outlook, share_of
from simcore.games.seven_card_combo.view import CIRCLES
from simcore.strategy import Param, Strategy

NO_VALUE: Final = 1 << 60  # larger than any number of expected points, which are counted in units of 1 / ONE

# --- what several of them use ---------------------------------------------------------------------------------------------------------------


@inner
def mean_points(hand: int, n: int, unseen: int, rules: Any) -> int:
    """Expected points of a hand when n unseen cards come to it: the exact mean where n is 1.

    For more than one card the exact means of one (loose cards that stay so, cards that come and are loose, the bonus) are composed as in `outlook`.
    """
    if n == 0:
        return points_of(hand, rules) * ONE
    count = max(popcount(unseen), 1)
    loose = popcount(hand & ~covered(hand, rules.wrap))
    stay, strangers, bonus = 0, 0, 0
    rest = unseen
    while rest:
        card = rest & -rest
        rest &= rest - 1
        left = (hand | card) & ~covered(hand | card, rules.wrap)
        stay += popcount(left & hand)
        strangers += left & card != 0
        bonus += rules.bonus_points[bonuses(hand | card, rules.wrap)]
    if n == 1:
        return ((stay + strangers) * rules.points[LOOSE_CARD] + bonus) * ONE // count
    return composed(loose, loose * count - stay, strangers, share_of(unseen), n, rules) + bonus * ONE // count


@inner
def worth(hand: int, n: int, unseen: int, share: int, rules: Any, depth: int) -> int:
    """What a hand is expected to cost when n unseen cards come to it: `outlook` with depth 0, `mean_points` with 1.

    ``share`` is `share_of` the unseen cards. With depth 2 it is the mean of `mean_points` over the first of the cards, which is exact for two of them.
    """
    if depth == 0:
        return outlook(hand, n, unseen, share, rules)
    if depth == 1 or n < 2:
        return mean_points(hand, n, unseen, rules)
    total = 0
    rest = unseen
    while rest:
        card = rest & -rest
        rest &= rest - 1
        total += mean_points(hand | card, n - 1, unseen & ~card, rules)
    return total // max(popcount(unseen), 1)


@inner
def keep_jointly(view: Any, rules: Any, unseen: int, depth: int, dear: int, price: int) -> int:
    """Of all sets of cards of the hand, with any number from the top of the pile to be taken to them, the one to keep that is worth most.

    To put a ``dear`` card (a mask) aside costs ``price`` more.
    """
    share = share_of(unseen)
    tops = view.pile_size if may_take_pile(view, rules) else 0
    best, least = view.hand, NO_VALUE
    kept = view.hand
    while True:
        wanted = view.sizes[view.seat] - popcount(kept) + 1
        cost = popcount(view.hand & ~kept & dear) * price
        hand = kept
        for of_pile in range(min(wanted, tops) + 1):
            if of_pile:
                hand |= 1 << view.pile[view.pile_size - of_pile]
            value = worth(hand, wanted - of_pile, unseen, share, rules, depth) + cost
            if value < least:
                best, least = kept, value
        if kept == 0:
            return best
        kept = (kept - 1) & view.hand


@inner
def take_one_by_one(view: Any, rules: Any, unseen: int, depth: int, wanted: int, move: Any) -> bool:
    """Take one ``wanted`` card (a mask) after the other from packet and pile, each time the best, as long as it helps more than an unseen card would."""
    hand = view.hand
    share = share_of(unseen)
    from_pile = from_packet = 0
    for left in range(view.wanted - 1, -1, -1):
        best, least = 0, worth(hand, left + 1, unseen, share, rules, depth)
        visible = (offered(view, rules, from_pile) | view.packet & ~from_packet) & wanted
        while visible:
            card = visible & -visible
            visible &= visible - 1
            value = worth(hand | card, left, unseen, share, rules, depth)
            if value < least:
                best, least = card, value
        if best == 0:
            break
        hand |= best
        from_pile |= best & view.pile_cards
        from_packet |= best & view.packet
    return take(from_pile, from_packet, move)


@inner
def take_jointly(view: Any, rules: Any, unseen: int, depth: int, move: Any) -> bool:
    """Of all sets of cards of the packet with any number from the top of the pile, take the best.

    Where any card of the pile may be taken these would be too many, and one card is taken after the other.
    """
    if rules.any_of_pile:
        return take_one_by_one(view, rules, unseen, depth, ALL_CARDS, move)
    share = share_of(unseen)
    best_pile, best_packet, least = 0, 0, NO_VALUE
    from_pile = 0
    while popcount(from_pile) <= view.wanted:
        part = view.packet
        while True:
            left = view.wanted - popcount(from_pile | part)
            if left >= 0:
                value = worth(view.hand | from_pile | part, left, unseen, share, rules, depth)
                if value < least:
                    best_pile, best_packet, least = from_pile, part, value
            if part == 0:
                break
            part = (part - 1) & view.packet
        top = offered(view, rules, from_pile)
        if top == 0:
            break
        from_pile |= top
    return take(best_pile, best_packet, move)


# --- random ---------------------------------------------------------------------------------------------------------------------------------


def random_discard(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Any cards, each set equally likely, in any order."""
    return at_random_discard(view, work, move)


def random_take(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Any legal choice from pile and packet, each equally likely."""
    return at_random_take(view, rules, work, move)


random = Strategy("Chooses uniformly among everything legal.", {"discard": random_discard, "take": random_take})


# --- greedy ---------------------------------------------------------------------------------------------------------------------------------


def greedy_discard(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Keeps what is covered, and loose cards where they are nearly covered: the set of them that leaves the fewest points if unseen cards come to it."""
    if params.never_throw:
        return put_aside(0, move)
    unseen = ALL_CARDS & ~view.seen
    share = share_of(unseen)
    sure = covered(view.hand, rules.wrap)
    loose = view.hand & ~sure
    best, least = 0, NO_VALUE
    part = loose
    while True:
        value = outlook(sure | part, popcount(loose & ~part) + 1, unseen, share, rules)
        if value < least:
            best, least = part, value
        if part == 0:
            return put_aside(loose & ~best, move)
        part = (part - 1) & loose


def greedy_take(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Takes the visible card that helps most, again and again, as long as it helps more than an unseen one is expected to."""
    wanted = ALL_CARDS
    if params.never_pile:
        wanted &= ~view.pile_cards
    if params.never_packet:
        wanted &= ~view.packet
    return take_one_by_one(view, rules, ALL_CARDS & ~view.seen, 0, wanted, move)


greedy = Strategy(
    "Keeps what is covered or nearly so, by what one more card is expected to do.",
    {"discard": greedy_discard, "take": greedy_take},
    {
        "never_pile": Param(0, 0, 1, "1: never takes from the pile", restriction=True),
        "never_packet": Param(0, 0, 1, "1: never takes from the packet", restriction=True),
        "never_throw": Param(0, 0, 1, "1: keeps all its cards", restriction=True),
    },
)


# --- exact ----------------------------------------------------------------------------------------------------------------------------------


def exact_discard(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Looks at every set of cards to keep with every number from the top of the pile, and takes the lowest mean over the unknown cards that come besides."""
    return put_aside(view.hand & ~keep_jointly(view, rules, ALL_CARDS & ~view.seen, params.depth, 0, 0), move)


def exact_take(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Looks at every set of cards of the packet and every number from the top of the pile, the rest being unknown cards of the stock."""
    return take_jointly(view, rules, ALL_CARDS & ~view.seen, params.depth, move)


exact = Strategy(
    "Has the lowest mean points over the unknown cards, in what it throws and in where it draws.",
    {"discard": exact_discard, "take": exact_take},
    {"depth": Param(1, 1, 2, "unknown cards whose mean is taken together; further ones are judged by the last of them")},
)


# --- flush ----------------------------------------------------------------------------------------------------------------------------------


@inner
def longest_suit(hand: int, unseen: int) -> int:
    """The suit of which the hand holds most cards; of equal ones that of which most are unseen."""
    best, most = 0, -1
    for suit in range(4):
        cards = 16 * popcount(hand >> suit & ONE_SUIT) + popcount(unseen >> suit & ONE_SUIT)
        if cards > most:
            best, most = suit, cards
    return best


def flush_discard(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Chooses its longest suit in the first turn of a deal and stays with it: throws all other cards, in the last circle only those that are loose."""
    if view.circle == 1:
        work.memory[0] = longest_suit(view.hand, ALL_CARDS & ~view.seen)
    kept = view.hand & ONE_SUIT << work.memory[0]
    if view.circle == CIRCLES:
        kept |= covered(view.hand, rules.wrap)
    return put_aside(view.hand & ~kept, move)


def flush_take(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Takes every card of its suit that it can get, and for the rest the stock."""
    return take_all_of(ONE_SUIT << work.memory[0], view, rules, move)


flush = Strategy("Commits to one suit in the first turn, and collects nothing else.", {"discard": flush_discard, "take": flush_take})


# --- pairs ----------------------------------------------------------------------------------------------------------------------------------


def pairs_discard(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Keeps every rank of which it holds two or more, and of single cards the `singles` that most unseen cards would pair."""
    counts = counts_of(view.hand)
    kept = view.hand & ((counts >> 1 | counts >> 2) & ONE_SUIT) * 15
    unseen = ALL_CARDS & ~view.seen
    for _ in range(params.singles):
        rest = view.hand & ~kept
        best, most = 0, -1
        while rest:
            card = rest & -rest
            rest &= rest - 1
            mates = popcount(unseen & ranks_of(card) * 15)
            if mates > most:
                best, most = card, mates
        kept |= best
    return put_aside(view.hand & ~kept, move)


def pairs_take(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Takes every card of a rank that it holds, and for the rest the stock."""
    return take_all_of(ranks_of(view.hand) * 15, view, rules, move)


pairs = Strategy(
    "Collects cards of one rank, and nothing else.",
    {"discard": pairs_discard, "take": pairs_take},
    {"singles": Param(1, 0, 6, "single cards that it keeps")},
)


# --- reader ---------------------------------------------------------------------------------------------------------------------------------


@inner
def mates(cards: int) -> int:
    """The other cards of the same ranks."""
    return ranks_of(cards) * 15 & ~cards


@inner
def kept_of_packet(view: Any, work: Any) -> int:
    """The cards of the own last packet that the next player has taken: they have not come back face up."""
    return work.memory[0] & view.seen & ~view.shown


@inner
def gone(view: Any, work: Any) -> int:
    """Unseen cards that the player before is likely to hold: mates of what it took and kept, except of ranks that it has thrown."""
    before = view.seat - 1 if view.seat > 0 else view.players - 1
    held = view.taken[before]
    if view.players == 2:
        held |= kept_of_packet(view, work)
    return mates(held) & ~(ranks_of(work.memory[1]) * 15)


def reader_discard(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Looks at as many sets as `exact`, by the outlook of `greedy`, without counting on `gone` cards; mates of cards of the next player are dear to throw.

    The price, `caution` hundredths of a point, is shared among the opponents: what one of them gains counts less the more there are.
    """
    after = view.seat + 1 if view.seat + 1 < view.players else 0
    dear = mates(view.taken[after] | kept_of_packet(view, work))
    unseen = ALL_CARDS & ~view.seen & ~gone(view, work)
    aside = view.hand & ~keep_jointly(view, rules, unseen, 0, dear, params.caution * ONE // (100 * (view.players - 1)))
    work.memory[0] = aside
    return put_aside(aside, move)


def reader_take(view: Any, rules: Any, params: Any, work: Any, move: Any) -> bool:
    """Remembers what the player before has thrown, and takes the best set of cards as `exact` does, by the outlook of `greedy` without `gone` cards."""
    work.memory[1] |= view.packet
    return take_jointly(view, rules, ALL_CARDS & ~view.seen & ~gone(view, work), 0, move)


reader = Strategy(
    "Reads from what the player before took and threw which cards are gone, and feeds the next one less.",
    {"discard": reader_discard, "take": reader_take},
    {"caution": Param(20, 0, 400, "hundredths of a point that it costs to throw a mate of a card that the next player took")},
)
