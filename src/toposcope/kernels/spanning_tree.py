"""Minimum spanning trees of many small dense graphs.

Prim's algorithm: for every vertex outside the tree remember its cheapest edge into the tree,
take the cheapest of them all, n - 1 times. O(n^2) a graph, no sorting, no heap: for the graphs
of attention (n about 10, all edges present) nothing beats it.

Two forms of the same loop. Short rows keep a compact list of the vertices outside, so that the
work shrinks as the tree grows. Long rows pack (key, vertex) into one word, so that one vectorised
pass both lowers the keys and finds the nearest vertex.
"""

import numpy as np

from toposcope.kernels.bits import FULL, ONE, ZERO, U, kernel
from toposcope.kernels.keys import SHIFT_KEY

SHORT = 40
IN_TREE = FULL
NOT_REACHED = FULL - ONE


@kernel
def spanning_tree(keys, outside, cheapest, tree):
    """Write the n - 1 edge keys of the minimum spanning tree of one graph into ``tree``.

    Invariant: ``cheapest[t]`` is the smallest key of an edge from ``outside[t]`` into the tree.
    """
    n = len(keys)
    left = n - 1
    for t in range(left):
        outside[t] = np.uint32(t + 1)
        cheapest[t] = keys[0, t + 1]
    for step in range(n - 1):
        nearest = 0
        key = cheapest[0]
        for t in range(1, left):
            if cheapest[t] < key:
                key = cheapest[t]
                nearest = t
        tree[step] = key
        joined = outside[nearest]
        left -= 1
        outside[nearest] = outside[left]
        cheapest[nearest] = cheapest[left]
        for t in range(left):
            cheapest[t] = min(cheapest[t], keys[joined, outside[t]])


@kernel
def spanning_tree_packed(keys, nearest, tree):
    """The same for 32-bit keys and long rows.

    Invariant: ``nearest[v]`` is (smallest key of an edge from v into the tree, v), or IN_TREE.
    """
    n = len(keys)
    for v in range(n):
        nearest[v] = NOT_REACHED
    nearest[0] = IN_TREE
    joined = ZERO
    for step in range(n - 1):
        best = IN_TREE
        for v in range(n):
            candidate = (U(keys[joined, v]) << SHIFT_KEY) | U(v)
            known = nearest[v]
            lowered = min(candidate, known) if known != IN_TREE else IN_TREE
            nearest[v] = lowered
            best = min(best, lowered)
        tree[step] = np.uint32(best >> SHIFT_KEY)
        joined = best & U(0xFFFFFFFF)
        nearest[joined] = IN_TREE
