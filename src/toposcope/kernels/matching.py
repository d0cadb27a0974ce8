"""Size of a maximum matching of an undirected graph: the most edges that share no vertex.

Edmonds' blossom algorithm. A matching is maximum when no *augmenting path* exists: one that
alternates between edges outside and inside the matching and begins and ends at unmatched vertices.
From each unmatched vertex a breadth-first search looks for one. Where the search meets an odd cycle
(a blossom) it treats the whole cycle as one vertex, its *base*, which is what makes the search right
on graphs that are not bipartite.

Invariant of the search: ``came_from[v]`` is the vertex before v on an alternating path from the root,
for every v at odd distance; ``base[v]`` is the blossom that v belongs to.
"""

import numpy as np

from toposcope.kernels.bits import allocating_kernel, kernel

NOBODY = -1


@allocating_kernel
def matching_size(adjacent):
    """Number of edges of a maximum matching; ``adjacent`` is symmetric with a false diagonal."""
    n = len(adjacent)
    mate = np.full(n, NOBODY, np.int64)
    size = match_greedily(adjacent, mate)
    for root in range(n):
        if mate[root] == NOBODY:
            size += augment(adjacent, mate, root)
    return size


@kernel
def match_greedily(adjacent, mate):
    """A first matching; most of its edges stay."""
    size = 0
    for v in range(len(mate)):
        w = v + 1
        while mate[v] == NOBODY and w < len(mate):
            if adjacent[v, w] and mate[w] == NOBODY:
                mate[v] = w
                mate[w] = v
                size += 1
            w += 1
    return size


@allocating_kernel
def augment(adjacent, mate, root):
    """Search an augmenting path from ``root`` and flip it; return by how much the matching grew."""
    n = len(mate)
    came_from = np.full(n, NOBODY, np.int64)
    base = np.arange(n)
    reached = np.zeros(n, np.bool_)
    queue = np.empty(n, np.int64)
    queue[0] = root
    reached[root] = True
    tail = 1
    head = 0
    while head < tail:
        v = queue[head]
        head += 1
        for w in range(n):
            if not adjacent[v, w] or base[v] == base[w] or mate[v] == w:
                continue
            if w == root or (mate[w] != NOBODY and came_from[mate[w]] != NOBODY):
                tail = shrink_blossom(v, w, mate, came_from, base, reached, queue, tail)
            elif came_from[w] == NOBODY:
                came_from[w] = v
                if mate[w] == NOBODY:
                    flip_path(w, mate, came_from)
                    return 1
                reached[mate[w]] = True
                queue[tail] = mate[w]
                tail += 1
    return 0


@allocating_kernel
def shrink_blossom(v, w, mate, came_from, base, reached, queue, tail):
    """Make the odd cycle through edge vw one vertex; its new outer vertices join the queue."""
    n = len(mate)
    stem = common_base(v, w, mate, came_from, base)
    in_blossom = np.zeros(n, np.bool_)
    mark_path(v, stem, w, mate, came_from, base, in_blossom)
    mark_path(w, stem, v, mate, came_from, base, in_blossom)
    for u in range(n):
        if in_blossom[base[u]]:
            base[u] = stem
            if not reached[u]:
                reached[u] = True
                queue[tail] = u
                tail += 1
    return tail


@allocating_kernel
def common_base(v, w, mate, came_from, base):
    """Where the paths from v and from w to the root meet first."""
    on_path = np.zeros(len(mate), np.bool_)
    while True:
        v = base[v]
        on_path[v] = True
        if mate[v] == NOBODY:
            break
        v = came_from[mate[v]]
    while not on_path[base[w]]:
        w = came_from[mate[base[w]]]
    return base[w]


@kernel
def mark_path(v, stem, child, mate, came_from, base, in_blossom):
    """Mark the bases from v down to the stem, and give each a way round the other side."""
    while base[v] != stem:
        in_blossom[base[v]] = True
        in_blossom[base[mate[v]]] = True
        came_from[v] = child
        child = mate[v]
        v = came_from[mate[v]]


@kernel
def flip_path(w, mate, came_from):
    """Swap matched and unmatched edges from w back to the root."""
    while w != NOBODY:
        v = came_from[w]
        following = mate[v]
        mate[w] = v
        mate[v] = w
        w = following
