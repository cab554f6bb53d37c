"""The games, one package each: its rules as data (``rules.toml``), its kernels, and a `GAME` object that names them.

A folder here is a game; no list is edited when one is added. Games from elsewhere stand in the folders that the environment variable ``SIMCORE_GAMES`` names
(as ``PATH`` names folders); such a game has its players in a module ``strategies`` of its own folder.
"""

import os

__path__ += [os.path.abspath(folder) for folder in os.environ.get("SIMCORE_GAMES", "").split(os.pathsep) if folder]
