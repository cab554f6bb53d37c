"""The kernel as Python calls it."""

import numpy as np
from simcore.games.high_card import play, rows, view
from simcore.games.high_card.rules import pack
from simcore.games.high_card.transcript import decode

from simcore.engine import KernelEngine

HELD = np.dtype([("game", "i8"), ("seat", "i8"), ("role", "u1"), ("hand", "i8")])


class HighCardEngine(KernelEngine):
    """Plays the games of a `Table`."""

    game_rows, deal_rows, event_width, faults = rows.GAME, rows.DEAL, rows.EVENT_WIDTH, play.FAULTS
    deals_a_game, tallies_a_deal, least_tallies = 10, 2, view.CELLS
    decode = staticmethod(decode)

    def __init__(self, table):
        """Compiles the strategies."""
        super().__init__(table)
        self.rules, self.told = pack(table.ruleset), pack(table.told)

    def run(self, first, count, games, deals, tallies, events):
        """Call the kernel: returns how many games were played whole, and the record HIDDEN."""
        views, works, moves = np.zeros(1, view.VIEW), np.zeros(2, view.WORK), np.zeros(1, view.MOVE)
        hidden = self.seated(view.HIDDEN, works)
        hidden["told"] = self.told.ctypes.data
        return play.play_games(first, count, views, self.rules, hidden, moves, works, games, deals, tallies, events), hidden[0]

    def held(self, events, game):
        """The hand (HELD) at each decision of one game."""
        asked = events[events[:, 0] == rows.EV_CHANGE]
        found = np.zeros(len(asked), HELD)
        found["game"], found["seat"], found["hand"] = game, asked[:, 1], asked[:, 3]
        return found
