"""Counts on directed graphs of up to 64 vertices: components, strong components, cycles.

The vertices that v points to are one word, ``out[v]``; those that point to v are another,
``into[v]``. Loops are kept apart. What can be reached from a vertex is found by adding such words
until nothing new comes, so a component costs a handful of instructions per vertex.

Simple cycles are counted up to a cap. Dense graphs have far more than any cap, so the cycles of
length 2 to 5 are counted first, which needs no search. Then, for one vertex s after the other, all
cycles through s are walked depth first, and s is taken out of the graph. The steps that close a
cycle are counted all at once. Where none does, only those ways on are kept from which s can still be
reached without touching the path: so no step is more than one vertex away from a cycle, and the
whole search takes at most about cap x n^2 steps.
"""

import numpy as np

from toposcope.kernels.bits import ONE, ZERO, U, above, allocating_kernel, first, kernel, lowest, population

# columns of the counts
EDGES, LOOPS, LINKS, WEAK, STRONG, CYCLES = 0, 1, 2, 3, 4, 5
COLUMNS = 6
MOST_VERTICES = 64
NOBODY = U(MOST_VERTICES)


@allocating_kernel
def digraph_state(thresholds):
    """Memory for ``count_thresholds``: new edges per level, rows of the graph, the search's path."""
    return (
        np.empty((thresholds + 1, MOST_VERTICES), np.uint64),
        np.empty(MOST_VERTICES, np.uint64),
        np.empty(MOST_VERTICES, np.uint64),
        np.empty(MOST_VERTICES, np.uint64),
        np.empty(MOST_VERTICES + 1, np.uint64),
        np.empty(MOST_VERTICES + 1, np.uint64),
    )


@kernel
def count_thresholds(levels, thresholds, cap, state, counts):
    """Counts of the graphs k = 0, 1, ... with the edges of a level above k.

    Invariant: going down from the sparsest graph, ``out`` holds the edges of the current one.
    """
    at_level, out, into, links, candidates, path = state
    n = len(levels)
    for level in range(thresholds + 1):
        for i in range(n):
            at_level[level, i] = ZERO
    for j in range(n):  # columns outside, so that no step waits for the word of the step before
        for i in range(n):
            at_level[levels[i, j], i] |= ONE << U(j)
    loops = ZERO
    for i in range(n):
        out[i] = ZERO
        into[i] = ZERO
    for k in range(thresholds - 1, -1, -1):
        fresh = ZERO
        for i in range(n):
            fresh |= at_level[k + 1, i]
        if fresh == ZERO and k < thresholds - 1:
            for column in range(COLUMNS):
                counts[k, column] = counts[k + 1, column]
            continue
        for i in range(n):
            me = ONE << U(i)
            loops |= at_level[k + 1, i] & me
            rest = at_level[k + 1, i] & ~me
            out[i] |= rest
            while rest != ZERO:
                into[lowest(rest)] |= me
                rest &= rest - ONE
        count_digraph(out, into, loops, n, cap, links, candidates, path, counts[k])


@kernel
def count_digraph(out, into, loops, n, cap, links, candidates, path, counts):
    """All counts of one graph."""
    arrows = ZERO
    twice_links = ZERO
    for v in range(n):
        links[v] = out[v] | into[v]
        arrows += population(out[v])
        twice_links += population(links[v])
    counts[LOOPS] = np.int64(population(loops))
    counts[EDGES] = np.int64(arrows) + counts[LOOPS]
    counts[LINKS] = np.int64(twice_links >> ONE)
    counts[WEAK] = weak_components(links, n) if arrows != ZERO else n
    counts[STRONG] = strong_components(out, into, n) if arrows != ZERO else n
    cycles = counts[LOOPS]
    if counts[STRONG] < n and cycles < cap:
        cycles += count_cycles(out, into, n, cap, candidates, path)
    counts[CYCLES] = min(cycles, cap)


@kernel
def reach(rows, start, allowed):
    """All vertices of ``allowed`` that can be reached from ``start`` inside ``allowed``."""
    reached = start & allowed
    frontier = reached
    while frontier != ZERO:
        v = lowest(frontier)
        frontier &= frontier - ONE
        fresh = rows[v] & allowed & ~reached
        reached |= fresh
        frontier |= fresh
    return reached


@kernel
def weak_components(links, n):
    """Connected components when directions are forgotten."""
    everything = first(n)
    rest = everything
    components = 0
    while rest != ZERO:
        rest &= ~reach(links, rest & (ZERO - rest), everything)
        components += 1
    return components


@kernel
def strong_components(out, into, n):
    """Strongly connected components: what a vertex reaches and is reached from."""
    rest = first(n)
    components = 0
    while rest != ZERO:
        v = lowest(rest)
        me = ONE << v
        components += 1
        if out[v] & rest == ZERO or into[v] & rest == ZERO:
            rest &= ~me
        else:
            rest &= ~reach(into, me, reach(out, me, rest))
    return components


@kernel
def count_cycles(out, into, n, cap, candidates, path):
    """Simple cycles of length two or more, or ``cap`` if there are at least so many."""
    if count_short_cycles(out, into, n, cap) >= cap:
        return cap
    total = 0
    later = first(n)
    while True:
        s = busiest(out, into, later)
        if s == NOBODY:
            return total
        later &= ~(ONE << s)
        around = reach(into, into[s] & later, reach(out, out[s] & later, later))
        if around == ZERO:
            continue
        home = into[s]
        total += np.int64(population(out[s] & home & around))
        depth = 0
        free = around
        rest = out[s] & around
        while total < cap:
            if rest == ZERO:
                if depth == 0:
                    break
                depth -= 1
                rest = candidates[depth]
                free |= ONE << path[depth]
                continue
            v = lowest(rest)
            rest &= rest - ONE
            beyond = free & ~(ONE << v)
            onward = out[v] & beyond
            closing = onward & home
            if closing != ZERO:
                total += np.int64(population(closing))
            elif onward != ZERO:
                onward &= reach(into, home & beyond, beyond)
            if onward != ZERO:
                path[depth] = v
                candidates[depth] = rest
                depth += 1
                free = beyond
                rest = onward
        if total >= cap:
            return cap


@kernel
def busiest(out, into, candidates):
    """The candidate that most others point to: around it, most walks close at once.

    NOBODY if no candidate is both pointed to and pointing: then there is no cycle among them.
    """
    best = NOBODY
    most = ZERO
    rest = candidates
    while rest != ZERO:
        v = lowest(rest)
        rest &= rest - ONE
        pointing = population(into[v] & candidates)
        if pointing > most and out[v] & candidates != ZERO:
            most = pointing
            best = v
    return best


@kernel
def count_short_cycles(out, into, n, cap):
    """Cycles of lengths 2, 3, 4 and 5, in this order, as long as they promise to reach the cap."""
    limit = U(cap)
    total = ZERO
    for v in range(n):
        total += population(out[v] & into[v])
    total >>= ONE
    for root in range(n):
        later = above(U(root))
        ahead = out[root] & later
        behind = into[root] & later
        while ahead != ZERO:
            total += population(out[lowest(ahead)] & behind)
            ahead &= ahead - ONE
    if total << U(4) >= limit and total < limit:
        total += count_middles(out, into, n, False)
    if total << ONE >= limit and total < limit:
        total += count_middles(out, into, n, True)
    return np.int64(min(total, limit))


@kernel
def count_middles(out, into, n, of_five):
    """Cycles root, v, .., w of length 4, or 5, by what fits between v and w."""
    total = ZERO
    for root in range(n):
        later = above(U(root))
        ahead = out[root] & later
        while ahead != ZERO:
            v = lowest(ahead)
            ahead &= ahead - ONE
            last = into[root] & later & ~(ONE << v)
            while last != ZERO:
                w = lowest(last)
                last &= last - ONE
                after_v = out[v] & later & ~(ONE << w)
                before_w = into[w] & later & ~(ONE << v)
                if not of_five:
                    total += population(after_v & before_w)
                    continue
                while after_v != ZERO:
                    total += population(out[lowest(after_v)] & before_w)
                    after_v &= after_v - ONE
    return total
