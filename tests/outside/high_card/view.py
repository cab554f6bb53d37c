"""The records of the kernel."""

import numba
import numpy as np

CARDS = 12
ITEMS = 2
CELLS = 2 * ITEMS

# What the seat that is asked may know: its own card as a mask, and whether the other has changed his.
VIEW = np.dtype([("seat", "i8"), ("hand", "i8"), ("changed", "i8"), ("dealer", "i8"), ("deal", "i8"), ("scores", "i8", (2,))], align=True)
RULES = np.dtype([("target", "i8"), ("max_deals", "i8"), ("points", "i8", (ITEMS,))], align=True)
MOVE = np.dtype([("change", "i8")], align=True)
WORK = np.dtype([("stream", "u8", (2,))], align=True)
HIDDEN = np.dtype(
    [
        ("decisions", "i8", (2,)),
        ("params", "i8", (2,)),
        ("told", "i8"),  # address of the rules as strategies are told them (`Table.told`)
        ("works", "i8", (2,)),
        ("seed", "u8"),
        ("game", "i8"),
        ("stream", "u8", (2,)),
        ("scratch", "u8", (4,)),
        ("deck", "i8", (CARDS,)),
        ("hands", "i8", (2,)),
        ("n_touched", "i8"),
        ("touched", "i8", (CELLS,)),
        ("count", "i8", (CELLS,)),
        ("points", "i8", (CELLS,)),
        ("n_events", "i8"),
        ("n_deals", "i8"),
        ("n_tallies", "i8"),
        ("full", "i8"),
        ("fault", "i8"),
        ("fault_seat", "i8"),
    ],
    align=True,
)
VIEW_TYPE, RULES_TYPE, MOVE_TYPE, WORK_TYPE = (numba.from_dtype(record) for record in (VIEW, RULES, MOVE, WORK))
