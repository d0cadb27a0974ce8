"""Whether a graph is chordal: every cycle of four or more vertices has a shortcut.

Maximum cardinality search visits, again and again, the vertex with the most visited neighbours.
The graph is chordal exactly if, for every vertex v, all its neighbours visited before it are also
neighbours of the last visited one of them (Tarjan and Yannakakis 1984).
"""

import numpy as np

from toposcope.kernels.bits import allocating_kernel


@allocating_kernel
def is_chordal(adjacent):
    """True for chordal graphs; ``adjacent`` is symmetric with a false diagonal."""
    n = len(adjacent)
    visited_neighbours = np.zeros(n, np.int64)
    position = np.full(n, -1, np.int64)
    for step in range(n):
        v = -1
        for w in range(n):
            if position[w] < 0 and (v < 0 or visited_neighbours[w] > visited_neighbours[v]):
                v = w
        last = -1
        for w in range(n):
            if adjacent[v, w]:
                visited_neighbours[w] += 1
                if position[w] >= 0 and (last < 0 or position[w] > position[last]):
                    last = w
        for w in range(n):
            if adjacent[v, w] and position[w] >= 0 and w != last and not adjacent[w, last]:
                return False
        position[v] = step
    return True
