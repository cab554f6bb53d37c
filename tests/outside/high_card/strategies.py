"""The players of high card."""

from simcore import Param, Strategy
from simcore.chance import below


def random_change(view, rules, params, work, move):
    """Change the card or not, equally likely."""
    move.change = below(work.stream, 2)
    return True


def keen_change(view, rules, params, work, move):
    """Change every card of the lowest ranks."""
    move.change = 1 if view.hand >> 4 * params.ranks == 0 else 0
    return True


random = Strategy("Changes its card or keeps it, equally likely.", {"change": random_change})
keen = Strategy("Changes low cards.", {"change": keen_change}, {"ranks": Param(1, 0, 3, "ranks, from the lowest, that it changes")})
