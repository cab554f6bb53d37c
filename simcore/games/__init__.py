"""The games, one package each: its rules as data (``rules.toml``), its kernels, and a `GAME` object that names them.

A folder here is a game; no list is edited when one is added.
"""
