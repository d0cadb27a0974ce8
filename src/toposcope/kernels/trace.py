"""Which edges and triangles make the bars of one graph.

The idea is that of sweep.py, but every step is kept: the edges come in a strict order (equal ones by
their vertices), each with the triangles that it completes, by their third vertex. So each bar has one
edge that begins it and one triangle that ends it, and its length is looked up afterwards. One graph at
a time, on request; what measures thousands of graphs is sweep.py.

Classes are numbered by birth and never again. A class that dies does not touch the labels of edges: the
sum that became nothing is kept as its ``meaning``, and whoever reads a label replaces its dead classes
by what they mean, the youngest first, since a meaning names older classes only.

Invariant: read like this, the label of an edge is its class in the complex so far, as in sweep.py.
"""

import numpy as np

from toposcope.kernels.bits import (
    ONE,
    WORD,
    ZERO,
    U,
    allocating_kernel,
    batch_kernel,
    clear,
    highest,
    insert,
    is_empty,
    kernel,
    lowest,
)
from toposcope.kernels.keys import fill_keys
from toposcope.kernels.sweep import unite

NO_LABEL = np.uint32(0xFFFFFFFF)
FEW_LABELS = 256  # room at first


@batch_kernel
def keys_of(bits, fold, floor, ceiling, flip, keys):
    """Keys of all edges of one graph of 32-bit or 64-bit patterns."""
    fill_keys(bits, fold, floor, ceiling, flip, keys)


@batch_kernel
def trace(small, large, n):
    """What the edges ``small[e], large[e]`` do, in this order, on n vertices.

    Returns the edges that join two components; and for each class its birth (an edge), its death (an edge,
    or the number of edges if it lives on) and the third vertex of the triangle that it died of.
    """
    words = (n + 63) >> 6
    linked = np.zeros((n, words), np.uint64)
    parent = np.arange(n).astype(np.uint32)
    classes = count_births(small, large, linked, parent)
    linked[:] = ZERO
    parent[:] = np.arange(n)
    tree = np.empty(n - 1, np.uint32)
    birth = np.empty(classes, np.uint32)
    death = np.full(classes, np.uint32(len(small)), np.uint32)
    third = np.zeros(classes, np.uint32)
    width = (classes + 63) >> 6
    dead = np.zeros(width, np.uint64)
    meaning = np.empty((classes, width), np.uint64)
    row_of = np.full((n, n), NO_LABEL, np.uint32)
    rows = np.empty((FEW_LABELS, width), np.uint64)
    label = np.empty(width, np.uint64)
    x = np.empty(width, np.uint64)
    joined = 0
    born = 0
    died = 0
    labelled = 0
    for e in range(len(small)):
        i = U(small[e])
        j = U(large[e])
        clear(label)
        closes_triangle = False
        for a in range(words):
            rest = linked[i, a] & linked[j, a]
            while rest != ZERO and not (closes_triangle and born == died):
                k = (U(a) << WORD) + lowest(rest)
                rest &= rest - ONE
                for b in range(width):
                    x[b] = label[b]
                add_row(x, rows, row_of[i, k])
                add_row(x, rows, row_of[j, k])
                replace_dead(x, dead, meaning)
                if not closes_triangle:
                    closes_triangle = True
                    for b in range(width):
                        label[b] = x[b]
                elif not is_empty(x):
                    c = youngest(x)
                    death[c] = e
                    third[c] = k
                    meaning[c] = x
                    insert(dead, c)
                    died += 1
                    replace_dead(label, dead, meaning)
        if not closes_triangle:
            if unite(parent, i, j):
                tree[joined] = e
                joined += 1
            else:
                birth[born] = e
                insert(label, U(born))
                born += 1
        if not is_empty(label):
            if labelled == len(rows):
                rows = doubled(rows)
            rows[labelled] = label
            row_of[i, j] = labelled
            row_of[j, i] = labelled
            labelled += 1
        insert(linked[i], j)
        insert(linked[j], i)
    return tree[:joined], birth, death, third


@kernel
def count_births(small, large, linked, parent):
    """How many edges complete no triangle and join nothing: each of them begins a class."""
    births = 0
    for e in range(len(small)):
        i = U(small[e])
        j = U(large[e])
        shared = ZERO
        for a in range(linked.shape[1]):
            shared |= linked[i, a] & linked[j, a]
        if shared == ZERO and not unite(parent, i, j):
            births += 1
        insert(linked[i], j)
        insert(linked[j], i)
    return births


@kernel
def add_row(x, rows, row):
    """Add a label to x."""
    if row != NO_LABEL:
        for b in range(len(x)):
            x[b] ^= rows[row, b]


@kernel
def replace_dead(x, dead, meaning):
    """Replace the dead classes of x by what they mean, from the youngest down."""
    for b in range(len(x) - 1, -1, -1):
        gone = x[b] & dead[b]
        while gone != ZERO:
            c = (U(b) << WORD) + highest(gone)
            for d in range(b + 1):
                x[d] ^= meaning[c, d]
            gone = x[b] & dead[b]


@kernel
def youngest(x):
    """The largest member of a row that is not empty."""
    b = len(x) - 1
    while x[b] == ZERO:
        b -= 1
    return (U(b) << WORD) + highest(x[b])


@allocating_kernel
def doubled(rows):
    """The same rows with room for as many again."""
    more = np.empty((2 * len(rows), rows.shape[1]), np.uint64)
    more[: len(rows)] = rows
    return more
