"""Matrices of weights as matrices of sortable integers, and the edges of a graph in order.

The bit pattern of a non-negative float, read as an unsigned integer, sorts like the float. So a
distance is its own bit pattern, and a weight w, whose distance is 1 - w, is the complement of
its bit pattern: the larger the weight, the smaller the key. ``1 - w`` itself is only taken when
results leave the kernels, hence no rounding ever decides which edge comes first, and every
kernel breaks ties in the same way.

``flip`` is all ones for weights and zero for distances: key = bits ^ flip, and back again.
"""

import numpy as np

from toposcope.kernels.bits import ZERO, U, kernel
from toposcope.kernels.coding import MAX, UPPER
from toposcope.kernels.tiles import SIDE, turn_tile

SHIFT_KEY = U(32)
SHIFT_VERTEX = U(16)
VERTEX = U(0xFFFF)
NO_EVENT = U(0xFFFFFFFFFFFFFFFF)
NOTHING = np.uint32(0)
TILE = U(SIDE)


@kernel
def fill_keys(bits, fold, floor, ceiling, flip, keys):
    """Write the symmetric key matrix of one graph; patterns up to ``floor`` count as zero.

    Patterns above ``ceiling`` count as ``ceiling`` (a weight of 1 + rounding is a weight of 1).
    Long rows go in strips of tiles: the entries above the diagonal are turned beside those below it,
    whole rows become keys, and these are turned back above the diagonal.
    """
    n = U(len(bits))
    tiled = n - n % TILE if n >= U(3) * TILE else ZERO
    for top in range(ZERO, tiled, TILE):
        for left in range(ZERO, top, TILE):
            turn_tile(bits, left, top, keys, top, left)
        for i in range(top, top + TILE):
            for j in range(top):
                keys[i, j] = edge_key(bits[i, j], keys[i, j], fold, floor, ceiling, flip)
        for left in range(ZERO, top, TILE):
            turn_tile(keys, top, left, keys, left, top)
    for i in range(n):
        for j in range(i - i % TILE if i < tiled else ZERO, i):
            keys[i, j] = edge_key(bits[i, j], bits[j, i], fold, floor, ceiling, flip)
            keys[j, i] = keys[i, j]
        keys[i, i] = NOTHING


@kernel
def edge_key(below, above, fold, floor, ceiling, flip):
    """Key of an edge from its two patterns, below and above the diagonal."""
    if fold == MAX:
        pattern = max(below, above)
    elif fold == UPPER:
        pattern = above
    else:
        pattern = below
    return (NOTHING if pattern <= floor else min(pattern, ceiling)) ^ flip


@kernel
def enclosing_radius(keys):
    """Smallest key at which one vertex is joined to all others.

    From there on the complex is a cone over that vertex: nothing is born, all has died.
    """
    radius = np.uint32(0xFFFFFFFF)
    for i in range(len(keys)):
        farthest = np.uint32(0)
        for j in range(len(keys)):
            farthest = max(farthest, keys[i, j])
        radius = min(radius, farthest)
    return radius


@kernel
def fill_events(keys, radius, events):
    """Write the edges below ``radius`` as words (key, smaller vertex, larger vertex); count them."""
    m = ZERO
    for i in range(1, len(keys)):
        for j in range(i):
            key = keys[i, j]
            events[m] = (U(key) << SHIFT_KEY) | U((j << 16) | i)
            m += U(key < radius)
    return np.int64(m)


@kernel
def event_key(event):
    """Key of an edge."""
    return np.uint32(event >> SHIFT_KEY)


@kernel
def event_ends(event):
    """The two vertices of an edge."""
    return event & VERTEX, (event >> SHIFT_VERTEX) & VERTEX
