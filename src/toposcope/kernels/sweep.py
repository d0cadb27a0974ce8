"""One-dimensional bars of a graph, and of one graph relative to another, in one pass over edges.

The idea. Edges enter from short to long; at every moment the edges that are there span a complex
with a triangle wherever three of them meet. A cycle that no triangles fill is a *class*; it is
born with an edge and dies with the triangle that fills it, and this interval is its bar. Instead
of reducing a matrix of all triangles, keep for every edge its *label*: the set of living classes
that it is part of (an element of a vector space over two numbers, so sets add by xor). Around a
triangle the three labels must add to nothing. So, when edge ij enters at time t, and N is the set
of vertices joined to both i and j already:

- N empty: no triangle appears. Either the edge joins two components (a spanning-tree edge, label
  nothing), or it closes a new cycle: a class is born at t and is the edge's label.
- N not empty: the first triangle ijk decides the label of ij, the sum of the labels of ik and jk.
  Every further triangle demands the same sum; where it is not the same, the difference x must be
  nothing from now on: its youngest class dies at t and is replaced by the rest of x in all labels.

Hardly any edge has a label (6 classes at 11 tokens), so almost every step is a few bit operations.

Relative bars (``relative``) measure what graph b has beyond m = max(a, b), the edges that both have
at time t: every edge of b is born as a class of its own unless it is in m at the same time, and
when its longer copy in a arrives at last (events_a), its label must become nothing. These are the
bars of the graph on 2n vertices by which the divergence of two graphs is defined, without the
graph on 2n vertices (proof: docs/topology.md).

Here a set of vertices and a set of classes are one word each, for graphs of up to 64 vertices and
64 classes alive at a time; sweep_wide.py has no such limits.

Invariant: ``label[i, j]`` is the class of edge ij in the complex at time t, for all edges in
``linked``; bit j of ``marked[i]`` is set where that label is not empty, and only there is
``label[i, j]`` valid; ``alive`` are the classes not yet dead, a younger class at a higher bit.
"""

import numpy as np

from toposcope.kernels.bits import (
    ONE,
    ZERO,
    U,
    above,
    allocating_kernel,
    highest,
    kernel,
    lowest,
    population,
)
from toposcope.kernels.keys import NO_EVENT, event_ends, event_key

WORD_SIZE = 64
TOO_MANY_CLASSES = -1


@allocating_kernel
def sweep_state(n):
    """Memory for ``sweep``: labels, linked, marked, births."""
    n = min(n, WORD_SIZE)
    label = np.zeros((n, n), np.uint64)
    linked = np.empty(n, np.uint64)
    marked = np.empty(n, np.uint64)
    birth = np.empty(WORD_SIZE, np.uint32)
    return label, linked, marked, birth


@kernel
def sweep(
    relative, keys_a, events_b, count_b, events_a, count_a, radius,
    state, parent, tree, bars, found,
):  # fmt: skip
    """Write the bars of one graph b (relative to a) and its spanning tree.

    Bars are appended to the ``found`` ones that are there already; returns how many there are now.

    ``keys_a``, ``events_a`` and ``count_a`` are read for relative bars only. Classes alive at the
    end die at ``radius``. Returns TOO_MANY_CLASSES where one word is not enough.
    """
    label, linked, marked, birth = state
    n = len(keys_a)
    for v in range(n):
        linked[v] = ZERO
        marked[v] = ZERO
        parent[v] = np.uint32(v)
    alive = ZERO
    labelled = ZERO  # vertices whose edges to larger vertices may have a label
    free = ZERO  # the next class gets this bit
    joined = 0
    next_a = 0
    next_b = 0
    while True:
        event = events_b[next_b] if next_b < count_b else NO_EVENT
        if relative and alive != ZERO and next_a < count_a:
            event_a = events_a[next_a]
            if event_key(event_a) < event_key(event):
                # an edge of b is now in a too: its label becomes nothing
                next_a += 1
                i, j = event_ends(event_a)
                if (marked[i] >> j) & ONE:
                    x = label[i, j]
                    youngest = highest(x)
                    found = emit(bars, found, birth[youngest], event_key(event_a))
                    alive &= ~(ONE << youngest)
                    kill(label, marked, labelled, x, youngest)
                continue
        if next_b == count_b:
            break
        next_b += 1
        t = event_key(event)
        i, j = event_ends(event)
        shared = linked[i] & linked[j]
        new = ZERO
        if shared == ZERO:
            joins = unite(parent, i, j)
            if joins:
                tree[joined] = t
                joined += 1
            if (relative or not joins) and not in_both(relative, keys_a, i, j, t):
                if alive == ZERO:
                    labelled = ZERO
                    free = ZERO
                    while next_a < count_a and event_key(events_a[next_a]) <= t:
                        next_a += 1  # nothing was alive to be killed by these
                elif free == U(WORD_SIZE):
                    if population(alive) == U(WORD_SIZE):
                        return TOO_MANY_CLASSES
                    compact(label, marked, birth, n, alive)
                    free = population(alive)
                    alive = (ONE << free) - ONE
                birth[free] = t
                new = ONE << free
                alive |= new
                free += ONE
        elif alive != ZERO:
            either = marked[i] | marked[j]
            doubtful = shared & either
            if doubtful != ZERO:
                if (shared & ~either) == ZERO and not in_both(relative, keys_a, i, j, t):
                    k = lowest(doubtful)
                    doubtful &= doubtful - ONE
                    new = detour(label, marked, i, j, k)
                while doubtful != ZERO:
                    k = lowest(doubtful)
                    doubtful &= doubtful - ONE
                    x = new ^ detour(label, marked, i, j, k)
                    if x != ZERO:
                        youngest = highest(x)
                        if (new >> youngest) & ONE:
                            new ^= x
                        found = emit(bars, found, birth[youngest], t)
                        alive &= ~(ONE << youngest)
                        kill(label, marked, labelled, x, youngest)
                        if alive == ZERO:
                            break
        if new != ZERO:
            label[i, j] = new
            label[j, i] = new
            marked[i] |= ONE << j
            marked[j] |= ONE << i
            labelled |= ONE << j  # the smaller end
        linked[i] |= ONE << j
        linked[j] |= ONE << i
    while alive != ZERO:
        found = emit(bars, found, birth[lowest(alive)], radius)
        alive &= alive - ONE
    for rest in range(joined, n - 1):
        tree[rest] = radius
    return found


@kernel
def in_both(relative, keys_a, i, j, t):
    """Whether an edge of b at time t is in a too; looked up late, since a long text's keys are far away."""
    return relative and keys_a[i, j] <= t


@kernel
def detour(label, marked, i, j, k):
    """Sum of the labels of ik and kj."""
    x = ZERO
    if (marked[i] >> k) & ONE:
        x ^= label[i, k]
    if (marked[j] >> k) & ONE:
        x ^= label[j, k]
    return x


@kernel
def kill(label, marked, labelled, x, youngest):
    """Set the sum x to nothing: to every label with the youngest class of x, add x."""
    while labelled != ZERO:
        v = lowest(labelled)
        labelled &= labelled - ONE
        rest = marked[v] & above(v)
        while rest != ZERO:
            k = lowest(rest)
            rest &= rest - ONE
            y = label[v, k]
            y ^= x & (ZERO - ((y >> youngest) & ONE))
            label[v, k] = y
            label[k, v] = y
            if y == ZERO:
                marked[v] &= ~(ONE << k)
                marked[k] &= ~(ONE << v)


@kernel
def compact(label, marked, birth, n, alive):
    """Renumber the living classes from 0, keeping their order by age."""
    for v in range(n):
        rest = marked[v]
        while rest != ZERO:
            k = lowest(rest)
            rest &= rest - ONE
            label[v, k] = gather(label[v, k], alive)
    place = ZERO
    while alive != ZERO:
        birth[place] = birth[lowest(alive)]
        alive &= alive - ONE
        place += ONE


@kernel
def gather(word, places):
    """The bits of ``word`` at ``places``, packed together from below."""
    packed = ZERO
    place = ZERO
    while places != ZERO:
        packed |= ((word >> lowest(places)) & ONE) << place
        places &= places - ONE
        place += ONE
    return packed


@kernel
def emit(bars, found, birth, death):
    """Append a bar unless it has no length; return the number of bars."""
    if death > birth:
        bars[found, 0] = birth
        bars[found, 1] = death
        found += 1
    return found


@kernel
def unite(parent, i, j):
    """Join the components of i and j; return whether they were two."""
    i = root(parent, i)
    j = root(parent, j)
    parent[i] = np.uint32(j)
    return i != j


@kernel
def root(parent, v):
    """Representative of v's component, halving the path on the way."""
    while U(parent[v]) != v:
        parent[v] = parent[parent[v]]
        v = U(parent[v])
    return v
