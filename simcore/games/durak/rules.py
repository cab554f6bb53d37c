"""From a ruleset to the numbers that the kernel is given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from simcore.errors import InputError

if TYPE_CHECKING:
    import numpy as np

    from simcore.ruleset import Ruleset

SAME_NAME: Final = (
    "deals",
    "multi_attack",
    "max_attack",
    "first_cap",
    "first_cap_take_extra",
    "may_take_voluntarily",
    "partial_beat",
    "throw_after_leader_out",
    "adjudicate",
    "trump_exempt",
    "hang_if_beaten",
    "special_throw_in",
    "max_bouts",
    "max_deals",
)
CHOICES: Final = ("variant", "next_lead", "plain_joker_beaten_by", "stuck")
SWITCHES: Final = {
    "score_fool": ("session_score", "fool"),
    "attack_only": ("throw_ranks", "attack_only"),
    "six_after_stock": ("cap_after_stock", "6"),
    "first_bout_only": ("first_cap_scope", "first_bout"),
}
MOST_PLAYERS: Final = {"36": 6, "52": 8, "54": 8}
"""Players whom a pack serves with six cards each (D3)."""


def check(ruleset: Ruleset) -> None:
    """Raises InputError where an option does not go with epaulettes (P1, R17)."""
    if ruleset.options["variant"] != "pogony":
        return
    deck = ruleset.options["deck"]
    if deck != "36":
        raise InputError(f"epaulettes (variant = pogony) are played with 36 cards (P1), but deck is {deck}", key="deck")
    if ruleset.options["adjudicate"]:
        raise InputError("adjudicate is true, but in epaulettes (variant = pogony) no deal is adjudicated (R17)", key="adjudicate")


def check_players(ruleset: Ruleset, players: int) -> None:
    """Raises InputError where there are too many players for the variant or the pack (P1, D3)."""
    deck = str(ruleset.options["deck"])
    if ruleset.options["variant"] == "pogony" and players != 2:
        raise InputError(f"epaulettes (variant = pogony) are for 2 players (P1), got {players}")
    if players > MOST_PLAYERS[deck]:
        raise InputError(f"a pack of {deck} cards is for up to {MOST_PLAYERS[deck]} players (D3), got {players}; a larger one is set by deck")


def impossible(ruleset: Ruleset) -> dict[str, set[str]]:
    """What the variant, and the options of sessions, leave no way for (see `simcore.game.Game`)."""
    options = ruleset.options
    pogony = options["variant"] == "pogony"
    later = {str(options["next_lead"])} if pogony or options["deals"] != 1 else set()  # how the leader of a later deal is found
    hung = {key for key, item in ruleset.schema.counted.items() if item.category == "epaulettes"}
    return {
        "item": (set() if pogony else hung) | ({"thrown_in"} if options["variant"] == "simple" else set()),
        "ending": set() if pogony and options["stuck"] != "lead" else {"void"},
        "game_ending": {"complete"} if pogony else {"aces", "max_deals"},
        "lead": {"prev_winner", "to_fool", "from_fool"} - later,
    }


def pack(ruleset: Ruleset) -> np.ndarray:
    """The ruleset as one record (RULES[1]) for the kernel."""
    import numpy as np

    from simcore.games.durak.deck import size_of
    from simcore.games.durak.view import RULES

    rules = np.zeros(1, RULES)
    rules["cards"] = size_of(ruleset)
    for name in SAME_NAME:
        rules[name] = ruleset.options[name]
    for name in CHOICES:
        rules[name] = ruleset.schema.options[name].choices.index(str(ruleset.options[name]))
    for name, (option, value) in SWITCHES.items():
        rules[name] = ruleset.options[option] == value
    return rules
