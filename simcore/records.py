import numpy as np
TALLY = np.dtype([("game","i8"),("deal","i4"),("seat","u1"),("item","u1"),("role","u1"),("count","u2"),("points","i4")])
