"""How the weights of a graph become sortable keys: what callers say, and ``keys.fill_keys`` does."""

from typing import Any, NamedTuple

import numpy as np

MAX, UPPER, LOWER = 0, 1, 2  # how the two directions of a pair of vertices become one edge


class Coding(NamedTuple):
    """How patterns become keys, see ``keys.fill_keys``."""

    fold: int
    floor: np.unsignedinteger[Any]
    ceiling: np.unsignedinteger[Any]
    flip: np.unsignedinteger[Any]
