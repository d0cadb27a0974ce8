"""The sweep of sweep.py without its limits: any number of vertices and of classes.

What changes is only how labels are kept. Few edges have a label, so each of those gets a *slot*,
and the labels are two bit matrices that mirror each other:

    rows[slot]  the classes in the label of the slot's edge
    cols[class] the slots whose label has the class

Killing the sum x with youngest class p then touches just the slots in cols[p]: each adds x to its
row, and each class of x adds cols[p] to its column. When slots or class numbers run out the sweep
starts again with twice the room; arrays are never replaced inside the loop (that would cost a
factor of four in reference counting).

One more saving: once vertex z of a triangle ijz has had its say, a further vertex k that is
linked to z says nothing new, since the four triangles of the tetrahedron ijkz add to nothing.

Invariant: as in sweep.py, with ``marked[i]`` exact (bit j set if and only if edge ij has a slot),
and ``age[class]`` ordering the living classes.
"""

import numpy as np

from toposcope.kernels.bits import (
    BIT,
    ONE,
    WORD,
    ZERO,
    U,
    allocating_kernel,
    clear,
    contains,
    extent,
    insert,
    is_empty,
    kernel,
    lowest,
    meets,
    remove,
)
from toposcope.kernels.keys import NO_EVENT, SHIFT_VERTEX, VERTEX, event_ends, event_key
from toposcope.kernels.sweep import emit, in_both, unite

NEEDS_CLASSES = -1
NEEDS_SLOTS = -2
FREE_SLOTS, NEW_SLOT, FREE_CLASSES, NEW_CLASS = 0, 1, 2, 3  # places in ``top``


@allocating_kernel
def sweep_wide(relative, keys_a, events_b, count_b, events_a, count_a, radius, parent, tree, bars, found):
    """Write bars and spanning tree as ``sweep`` does, in as much memory as it takes."""
    n = len(keys_a)
    words = (n + 63) >> 6
    linked = np.empty((n, words), np.uint64)
    marked = np.empty((n, words), np.uint64)
    slot_of = np.empty((n, n), np.uint32)
    vertices = linked, marked, np.empty(words, np.uint64), np.empty(words, np.uint64)
    class_words = 2 if n <= 256 else 8
    slot_words = 2 * class_words
    while True:
        labels = label_state(class_words, slot_words, slot_of)
        outcome = sweep_labelled(
            relative, keys_a, events_b, count_b, events_a, count_a, radius,
            vertices, labels, parent, tree, bars, found,
        )  # fmt: skip
        if outcome == NEEDS_CLASSES:
            class_words *= 2
        elif outcome == NEEDS_SLOTS:
            slot_words *= 2
        else:
            return outcome


@allocating_kernel
def label_state(class_words, slot_words, slot_of):
    """Empty label matrices for 64 * class_words classes and 64 * slot_words labelled edges."""
    classes = class_words * 64
    slots = slot_words * 64
    rows = np.empty((slots, class_words), np.uint64)
    cols = np.zeros((classes, slot_words), np.uint64)
    x = np.empty(class_words, np.uint64)
    column = np.empty(slot_words, np.uint64)
    birth = np.empty(classes, np.uint32)
    age = np.full(classes, -1, np.int64)
    edge_of = np.empty(slots, np.uint64)
    free_slots = np.empty(slots, np.uint64)
    free_classes = np.empty(classes, np.uint64)
    top = np.zeros(4, np.uint64)
    return rows, cols, x, column, birth, age, edge_of, slot_of, free_slots, free_classes, top


@kernel
def sweep_labelled(
    relative, keys_a, events_b, count_b, events_a, count_a, radius,
    vertices, labels, parent, tree, bars, found,
):  # fmt: skip
    """One attempt at the sweep; NEEDS_CLASSES or NEEDS_SLOTS where the room is too small."""
    linked, marked, doubtful, settled = vertices
    rows, cols, x, _, birth, age, _, slot_of, _, free_classes, top = labels
    n, words = linked.shape
    for v in range(n):
        parent[v] = np.uint32(v)
        clear(linked[v])
        clear(marked[v])
    alive = 0
    born = 0
    joined = 0
    next_a = 0
    next_b = 0
    while True:
        event = events_b[next_b] if next_b < count_b else NO_EVENT
        if relative and next_a < count_a:
            event_a = events_a[next_a]
            if event_key(event_a) < event_key(event):
                # an edge of b is now in a too: its label becomes nothing
                next_a += 1
                i, j = event_ends(event_a)
                if alive > 0 and contains(marked[i], j):
                    clear(x)
                    add_label(x, rows, slot_of, marked, i, j)
                    dead = kill_wide(x, labels, marked)
                    found = emit(bars, found, birth[dead], event_key(event_a))
                    alive -= 1
                continue
        if next_b == count_b:
            break
        next_b += 1
        t = event_key(event)
        i, j = event_ends(event)
        any_shared = ZERO
        any_doubtful = ZERO
        for a in range(words):
            shared = linked[i, a] & linked[j, a]
            any_shared |= shared
            any_doubtful |= shared & (marked[i, a] | marked[j, a])
        if any_shared == ZERO:
            joins = unite(parent, i, j)
            if joins:
                tree[joined] = t
                joined += 1
            if (relative or not joins) and not in_both(relative, keys_a, i, j, t):
                if top[FREE_CLASSES] == ZERO and top[NEW_CLASS] == U(len(cols)):
                    return NEEDS_CLASSES
                if top[FREE_SLOTS] == ZERO and top[NEW_SLOT] == U(len(rows)):
                    return NEEDS_SLOTS
                c = take(free_classes, top, FREE_CLASSES, NEW_CLASS)
                birth[c] = t
                age[c] = born
                born += 1
                alive += 1
                clear(x)
                x[c >> WORD] = ONE << (c & BIT)
                put_label(x, labels, marked, i, j)
        elif any_doubtful != ZERO:
            any_settled = ZERO
            for a in range(words):
                shared = linked[i, a] & linked[j, a]
                either = marked[i, a] | marked[j, a]
                doubtful[a] = shared & either
                settled[a] = shared & ~either
                any_settled |= settled[a]
            undecided = any_settled == ZERO and not in_both(relative, keys_a, i, j, t)
            for a in range(words):
                rest = doubtful[a]
                while rest != ZERO:
                    place = lowest(rest)
                    rest &= rest - ONE
                    k = (U(a) << WORD) + place
                    if undecided:
                        undecided = False
                        clear(x)
                        add_label(x, rows, slot_of, marked, i, k)
                        add_label(x, rows, slot_of, marked, j, k)
                        if not is_empty(x):
                            if top[FREE_SLOTS] == ZERO and top[NEW_SLOT] == U(len(rows)):
                                return NEEDS_SLOTS
                            put_label(x, labels, marked, i, j)
                    elif not meets(linked[k], settled):
                        clear(x)
                        add_label(x, rows, slot_of, marked, i, k)
                        add_label(x, rows, slot_of, marked, j, k)
                        add_label(x, rows, slot_of, marked, i, j)
                        if not is_empty(x):
                            dead = kill_wide(x, labels, marked)
                            found = emit(bars, found, birth[dead], t)
                            alive -= 1
                    settled[a] |= ONE << place
        insert(linked[i], j)
        insert(linked[j], i)
    for c in range(top[NEW_CLASS]):
        if age[c] >= 0:
            found = emit(bars, found, birth[c], radius)
    for rest_of_tree in range(joined, n - 1):
        tree[rest_of_tree] = radius
    return found


@kernel
def kill_wide(x, labels, marked):
    """Set the sum x to nothing; return its youngest class, which is dead now."""
    rows, cols, _, column, _, age, edge_of, _, free_slots, free_classes, top = labels
    youngest = ZERO
    youngest_age = -1
    x_from, x_to = extent(x)  # most words of a long row are empty
    for a in range(x_from, x_to):
        rest = x[a]
        while rest != ZERO:
            c = (a << WORD) + lowest(rest)
            rest &= rest - ONE
            if age[c] > youngest_age:
                youngest = c
                youngest_age = age[c]
    for b in range(len(column)):
        column[b] = cols[youngest, b]
        cols[youngest, b] = ZERO
    column_from, column_to = extent(column)
    for a in range(x_from, x_to):
        rest = x[a]
        while rest != ZERO:
            c = (a << WORD) + lowest(rest)
            rest &= rest - ONE
            if c != youngest:
                for b in range(column_from, column_to):
                    cols[c, b] ^= column[b]
    for b in range(column_from, column_to):
        rest = column[b]
        while rest != ZERO:
            slot = (b << WORD) + lowest(rest)
            rest &= rest - ONE
            left = ZERO
            for a in range(x_from, x_to):
                word = rows[slot, a] ^ x[a]
                rows[slot, a] = word
                left |= word
            if left == ZERO and is_empty(rows[slot]):
                i = edge_of[slot] >> SHIFT_VERTEX
                j = edge_of[slot] & VERTEX
                remove(marked[i], j)
                remove(marked[j], i)
                free_slots[top[FREE_SLOTS]] = slot
                top[FREE_SLOTS] += ONE
    age[youngest] = -1
    free_classes[top[FREE_CLASSES]] = youngest
    top[FREE_CLASSES] += ONE
    return youngest


@kernel
def put_label(x, labels, marked, i, j):
    """Give edge ij the non-empty label x, in a slot of its own."""
    rows, cols, _, _, _, _, edge_of, slot_of, free_slots, _, top = labels
    slot = take(free_slots, top, FREE_SLOTS, NEW_SLOT)
    edge_of[slot] = (i << SHIFT_VERTEX) | j
    slot_of[i, j] = np.uint32(slot)
    slot_of[j, i] = np.uint32(slot)
    insert(marked[i], j)
    insert(marked[j], i)
    for a in range(len(x)):
        rest = x[a]
        rows[slot, a] = rest
        while rest != ZERO:
            insert(cols[(U(a) << WORD) + lowest(rest)], slot)
            rest &= rest - ONE


@kernel
def add_label(x, rows, slot_of, marked, i, j):
    """Add the label of edge ij to x."""
    if contains(marked[i], j):
        slot = slot_of[i, j]
        for a in range(len(x)):
            x[a] ^= rows[slot, a]


@kernel
def take(free, top, used, fresh):
    """A number that was given back, or else the next new one."""
    if top[used] > ZERO:
        top[used] -= ONE
        return free[top[used]]
    top[fresh] += ONE
    return top[fresh] - ONE
