"""What a player may do, and why a move is refused."""

from __future__ import annotations

from typing import Any, Final

from simcore.bits import lowest, popcount
from simcore.compiled import inlined, inner
from simcore.games.durak.beating import beaters
from simcore.games.durak.deck import MAX_CARDS
from simcore.games.durak.view import MAX_PAIRS, POGONY, SIMPLE

FAULTS: Final = (
    "",
    "gave no answer (a decision must return True)",
    "leads no card, or cards that it does not hold or may not lead (T2, P8)",
    "leads cards of different ranks (D4)",
    "leads more cards than there is room for: view.room, or one where multi_attack is false (R7, D4)",
    "throws in cards that it does not hold, or whose rank is not on the table (D5, P13)",
    "throws in more cards than there is room for, which is view.room (R7)",
    "covers a card that is not open, or one twice (T2)",
    "covers with a card that it does not hold or may not use, or with one twice (T2, P8)",
    "covers with a card that does not beat the other (T2)",
    "covers some of the open cards only, where all or none must be covered (R6, R16)",
    "takes, where it could cover all open cards and must (D10)",
)
(
    NO_ANSWER,
    CANNOT_LEAD,
    MIXED_RANKS,
    NO_ROOM_TO_LEAD,
    CANNOT_THROW,
    NO_ROOM_TO_THROW,
    NOT_OPEN,
    CANNOT_USE,
    NOT_BEATEN,
    NOT_ALL,
    MUST_COVER,
) = range(1, len(FAULTS))

NO_LIMIT: Final = MAX_CARDS
FEWEST_TO_HANG: Final = 2  # of the four cards of a rank (R14)


@inlined
def of_rank(rank: int) -> int:
    """All cards of a rank, a mask."""
    return 15 << 4 * rank


@inner
def special_cards(view: Any, rules: Any, seat: int) -> int:
    """The cards that a player may neither lead nor beat nor use in defence: of the rank that it hangs (P8), without the trump where that is exempt (P11)."""
    if rules.variant != POGONY:
        return 0
    cards = of_rank(view.scores[seat])
    return cards & ~view.trumps if rules.trump_exempt else cards


@inner
def cap(view: Any, rules: Any, hidden: Any) -> int:
    """Most attacking cards of the bout, whatever the defender holds (R7)."""
    if rules.variant == SIMPLE:
        return NO_LIMIT
    if hidden.stock_at_start > 0:
        most = rules.max_attack
    else:
        most = 6 if rules.six_after_stock else NO_LIMIT
    first = view.bout == 1 if rules.first_bout_only else hidden.beaten == 0
    if first and rules.first_cap < 6:
        most = min(most, rules.first_cap + (1 if view.taking and rules.first_cap_take_extra else 0))
    return most


@inner
def room_for(view: Any, rules: Any, hidden: Any) -> int:
    """How many more attacking cards may be laid (R7)."""
    return min(cap(view, rules, hidden) - popcount(view.attacking), view.sizes[view.defender] - popcount(view.open))


@inner
def can_hang(hand: int, view: Any, rules: Any, seat: int) -> bool:
    """Whether the whole hand may be laid as epaulettes (P2, R14)."""
    if rules.variant != POGONY or view.stock_size > 0 or hand & ~of_rank(view.scores[seat]):
        return False
    return FEWEST_TO_HANG <= popcount(hand) <= view.sizes[view.defender]


@inner
def throwable(hand: int, view: Any, rules: Any, seat: int) -> int:
    """The cards of a hand whose rank is on the table (D5), without special ones (P13)."""
    table = view.attacking if rules.attack_only else view.attacking | view.covering
    ranks = 0
    while table:
        rank = of_rank(lowest(table) >> 2)
        ranks |= rank
        table &= ~rank
    cards = hand & ranks
    return cards if rules.special_throw_in else cards & ~special_cards(view, rules, seat)


@inner
def check_attack(view: Any, rules: Any, move: Any) -> int:
    """0, or the fault of an opening attack (position in FAULTS)."""
    cards = move.cards
    if view.may_hang and cards == view.hand:
        return 0
    if cards == 0 or cards & ~view.allowed:
        return CANNOT_LEAD
    if cards & ~of_rank(lowest(cards) >> 2):
        return MIXED_RANKS
    return 0 if popcount(cards) <= (view.room if rules.multi_attack else 1) else NO_ROOM_TO_LEAD


@inner
def check_throw_in(view: Any, move: Any) -> int:
    """0, or the fault of a throw-in (position in FAULTS)."""
    if move.cards & ~view.allowed:
        return CANNOT_THROW
    return 0 if popcount(move.cards) <= view.room else NO_ROOM_TO_THROW


@inner
def check_defence(view: Any, move: Any) -> int:
    """0, or the fault of a defence (position in FAULTS)."""
    n = move.n_pairs
    if n == 0:
        return 0 if view.may_take else MUST_COVER
    if not 0 < n <= MAX_PAIRS:
        return NOT_OPEN
    still_open, usable = view.open, view.allowed
    for i in range(n):
        card, other = move.attacking[i], move.covering[i]
        if not 0 <= card < MAX_CARDS or still_open >> card & 1 == 0:
            return NOT_OPEN
        if not 0 <= other < MAX_CARDS or usable >> other & 1 == 0:
            return CANNOT_USE
        if 1 << card & view.special or beaters(card, view) >> other & 1 == 0:
            return NOT_BEATEN
        still_open &= ~(1 << card)
        usable &= ~(1 << other)
    return NOT_ALL if view.must_cover_all and still_open else 0
