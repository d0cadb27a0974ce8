"""Minimum spanning trees of many small dense graphs.

Prim's algorithm: for every vertex outside the tree remember its cheapest edge into the tree,
take the cheapest of them all, n - 1 times. O(n^2) a graph, no sorting, no heap: for the graphs
of attention (n about 10, all edges present) nothing beats it.

Two forms of the same loop. Short rows keep a compact list of the vertices outside, so that the
work shrinks as the tree grows. Long rows stay in place, so that every pass over them is vector
instructions; vertices inside the tree are masked by the largest key.
"""

import numpy as np

from toposcope.kernels.bits import kernel

SHORT = 100
LARGEST = np.uint32(0xFFFFFFFF)


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
def spanning_tree_in_place(keys, mask, cheapest, tree):
    """The same for 32-bit keys and long rows.

    Invariant: ``cheapest[v]`` is the smallest key of an edge from v into the tree, or LARGEST if v
    is in it (``mask[v]`` is all ones then). LARGEST is a possible key too, that of weight zero, so the
    vertex to join is looked for outside the mask.
    """
    n = len(keys)
    for v in range(n):
        mask[v] = np.uint32(0)
        cheapest[v] = LARGEST
    joined = 0
    for step in range(n - 1):
        mask[joined] = LARGEST
        cheapest[joined] = LARGEST
        key = LARGEST
        for v in range(n):
            lowered = min(cheapest[v], keys[joined, v] | mask[v])
            cheapest[v] = lowered
            key = min(key, lowered)
        tree[step] = key
        joined = 0
        while cheapest[joined] != key or mask[joined] != 0:
            joined += 1
