"""The cards of Kombinator, the 25 combinations (each as the plainest test that says what it is), the ladder.

Nothing here is fast and nothing here knows a value in points: values come from the point table of a game.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

# K-1: 36 cards, nine ranks in ascending order, four suits; the ace is only high.
RANKS = "6789TJQKA"
SUITS = "shdc"
PACK = tuple(rank + suit for rank in RANKS for suit in SUITS)
SIX_OF_SPADES = "6s"

Cards = frozenset[str]


def rank(card: str) -> int:
    """Place of the card's rank: 0 for a six, 8 for an ace."""
    return RANKS.index(card[0])


def suit(card: str) -> str:
    """Letter of the card's suit."""
    return card[1]


def one_rank(cards: Cards, ranks: str = RANKS) -> bool:
    """Whether all cards are of one rank, and that one of `ranks`."""
    return len({card[0] for card in cards}) == 1 and all(card[0] in ranks for card in cards)


def one_suit(cards: Cards) -> bool:
    """Whether all cards are of one suit."""
    return len({suit(card) for card in cards}) == 1


def consecutive(cards: Cards) -> bool:
    """Whether the ranks follow one another without a gap or a repetition (K-1: no wrap-around)."""
    ranks = sorted(rank(card) for card in cards)
    return ranks == list(range(ranks[0], ranks[0] + len(ranks)))


def optima(cards: Cards) -> bool:
    """Whether the cards are consecutive and of one suit."""
    return one_suit(cards) and consecutive(cards)


@dataclass(frozen=True)
class Kind:
    """One of the 25 combinations: `size` cards (None: any number) that pass `test`."""

    key: str
    category: str
    size: int | None
    test: Callable[[Cards], bool]


# The table of the rules page, in its order.
TABLE = (
    Kind("pair", "block", 2, one_rank),
    Kind("triple", "block", 3, one_rank),
    Kind("small_force", "block", 4, lambda cards: one_rank(cards, "6789T")),
    Kind("large_force", "block", 4, lambda cards: one_rank(cards, "JQK")),
    Kind("absolute_force", "block", 4, lambda cards: one_rank(cards, "A")),
    Kind("small_row", "row", 3, one_suit),
    Kind("medium_row", "row", 4, one_suit),
    Kind("large_row", "row", 5, one_suit),
    Kind("great_row", "row", 6, one_suit),
    Kind("legendary_row", "row", 7, one_suit),
    Kind("small_queue", "queue", 3, consecutive),
    Kind("medium_queue", "queue", 4, consecutive),
    Kind("large_queue", "queue", 5, consecutive),
    Kind("great_queue", "queue", 6, consecutive),
    Kind("legendary_queue", "queue", 7, consecutive),
    Kind("small_optima", "optima", 3, optima),
    Kind("medium_optima", "optima", 4, optima),
    Kind("large_optima", "optima", 5, optima),
    Kind("great_optima", "optima", 6, optima),
    Kind("legendary_optima", "optima", 7, optima),
    # Whether an artifact may be played is another question (K-30 to K-34); here only what it is made of.
    Kind("dump", "artifact", None, lambda cards: True),
    Kind("marriage", "artifact", 2, lambda cards: {card[0] for card in cards} == {"Q", "K"}),
    Kind("assembly", "artifact", 4, lambda cards: len({suit(card) for card in cards}) == 4),
    Kind("jackpot", "artifact", 1, lambda cards: cards == {SIX_OF_SPADES}),
    Kind("superblow", "artifact", 4, one_rank),
)
KINDS = {kind.key: kind for kind in TABLE}
FORCES = ("small_force", "large_force", "absolute_force")

# K-92: values with a key of their own, besides the 25.
OTHER_VALUES = (
    "small_force_beaten",
    "large_force_beaten",
    "absolute_force_beaten",
    "assembly_beaten",
    "court_card",
    "ace",
)
POINT_KEYS = (*KINDS, *OTHER_VALUES)


def is_combination(key: str, cards: Cards) -> bool:
    """Whether `cards` are what the combination `key` is made of."""
    kind = KINDS[key]
    return bool(cards) and kind.size in (None, len(cards)) and kind.test(cards)


def force_of(cards: Cards) -> str:
    """Which force four cards of one rank are."""
    return next(force for force in FORCES if is_combination(force, cards))


def or_better(key: str) -> tuple[str, ...]:
    """K-91: the combination `key` and those after it in its category."""
    category = [kind.key for kind in TABLE if kind.category == KINDS[key].category]
    return tuple(category[category.index(key) :])


@dataclass(frozen=True)
class Court:
    """J, Q, K (`court_cards`) and A (`aces`) among some cards, as K-42, K-50 (b) and K-70 count them."""

    court_cards: int
    aces: int

    @classmethod
    def among(cls, cards: Collection[str]) -> "Court":
        """Count them among `cards`."""
        return cls(sum(card[0] in "JQK" for card in cards), sum(card[0] == "A" for card in cards))

    def cost(self, points: Mapping[str, int]) -> int:
        """What they cost together by the point table."""
        return self.court_cards * points["court_card"] + self.aces * points["ace"]


@dataclass(frozen=True)
class Stage:
    """K-91: what passes one stage, as (combination, role), and its modifier."""

    accepts: frozenset[tuple[str, str]]
    modifier: float


def read_ladder(lines: Sequence[str]) -> list[Stage]:
    """Stages from lines like `triple small_force+ absolute_force@defence = 2`.

    `+` is "that or better in its category"; `@attack` and `@defence` leave only one role.
    """
    stages = []
    for line in lines:
        names, modifier = line.split("=")
        accepts = set()
        for name in names.split():
            key, _, role = name.partition("@")
            keys = or_better(key.removesuffix("+")) if key.endswith("+") else (key,)
            roles = (role,) if role else ("attack", "defence")
            accepts |= {(one, one_role) for one in keys for one_role in roles}
        stages.append(Stage(frozenset(accepts), float(modifier)))
    return stages
