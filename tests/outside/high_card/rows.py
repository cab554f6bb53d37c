"""The rows that the kernel writes."""

import numpy as np

GAME = np.dtype([("game", "i8"), ("deals", "i4"), ("dealer", "u1"), ("leader", "u1"), ("reason", "u1"), ("score", "i4", (2,)), ("share", "f8", (2,))])
DEAL = np.dtype([("game", "i8"), ("deal", "i4"), ("dealer", "u1"), ("leader", "u1"), ("reason", "u1"), ("changes", "u1"), ("points", "i4", (2,))])
EV_DEAL, EV_CHANGE, EV_SCORE, EV_DEAL_END, EV_GAME_END = range(5)
EVENT_WIDTH = 15
