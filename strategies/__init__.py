"""Scripted players, one module per game. A strategy sees a view of what its seat may know, never the state of the game."""
