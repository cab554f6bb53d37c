"""From a ruleset to the numbers that the kernel is given."""


def check(ruleset):
    """Nothing in these rules contradicts anything else."""


def pack(ruleset):
    """The ruleset as one record (RULES[1])."""
    import numpy as np
    from simcore.games.high_card.view import RULES

    rules = np.zeros(1, RULES)
    rules["target"], rules["max_deals"] = ruleset.options["target"], ruleset.options["max_deals"]
    rules["points"] = list(ruleset.points.values())
    return rules
