"""The counts of digraph.py for any number of vertices: a set is a row of words.

The algorithms are the same; only the sets are wider.
"""

import numpy as np

from toposcope.kernels.bits import (
    BIT,
    FULL,
    ONE,
    WORD,
    ZERO,
    U,
    above,
    allocating_kernel,
    clear,
    contains,
    first,
    insert,
    is_empty,
    kernel,
    lowest,
    meets,
    population,
    remove,
)
from toposcope.kernels.digraph import CYCLES, EDGES, LINKS, LOOPS, STRONG, WEAK


@allocating_kernel
def wide_state(n, thresholds):
    """Memory for ``count_thresholds_wide``: edges per level, rows, sets, the path of the search."""
    words = (n + 63) >> 6
    at_level = np.empty((thresholds + 1, n, words), np.uint64)
    graph = (
        np.empty((n, words), np.uint64),
        np.empty((n, words), np.uint64),
        np.empty((n, words), np.uint64),
    )
    sets = np.empty((6, words), np.uint64)
    candidates = np.empty((n + 1, words), np.uint64)
    path = np.empty(n + 1, np.uint64)
    return at_level, graph, sets, candidates, path


@kernel
def count_thresholds_wide(levels, thresholds, cap, state, counts):
    """Counts of the graphs k = 0, 1, ... with the edges of a level above k.

    Invariant: going down from the sparsest graph, ``out`` holds the edges of the current one.
    """
    at_level, graph, sets, candidates, path = state
    out, into, links = graph
    n, words = out.shape
    fill_levels(levels, thresholds, at_level)
    loops = 0
    for v in range(n):
        clear(out[v])
        clear(into[v])
    for k in range(thresholds - 1, -1, -1):
        arrows = ZERO
        twice_links = ZERO
        loops += add_edges(at_level[k + 1], out, into)
        for v in range(n):
            for a in range(words):
                links[v, a] = out[v, a] | into[v, a]
                arrows += population(out[v, a])
                twice_links += population(links[v, a])
        counts[k, LOOPS] = loops
        counts[k, EDGES] = np.int64(arrows) + loops
        counts[k, LINKS] = np.int64(twice_links >> ONE)
        counts[k, WEAK] = components_wide(links, links, n, sets) if arrows != ZERO else n
        counts[k, STRONG] = components_wide(out, into, n, sets) if arrows != ZERO else n
        cycles = loops
        if counts[k, STRONG] < n and cycles < cap:
            cycles += count_cycles_wide(out, into, n, cap, sets, candidates, path)
        counts[k, CYCLES] = min(cycles, cap)


@kernel
def fill_levels(levels, thresholds, at_level):
    """Write the edges of every level from 1 on as rows; most entries of long maps have none."""
    n, words = at_level.shape[1], at_level.shape[2]
    for level in range(1, thresholds + 1):
        for i in range(n):
            clear(at_level[level, i])
    for i in range(n):
        for a in range(words):
            rest = ZERO
            for b in range(min(64, n - a * 64)):
                rest |= U(levels[i, a * 64 + b] > 0) << U(b)
            while rest != ZERO:
                j = (U(a) << WORD) + lowest(rest)
                rest &= rest - ONE
                insert(at_level[levels[i, j], i], j)


@kernel
def add_edges(fresh, out, into):
    """Add the edges in the rows ``fresh`` to the graph; loops are not added but counted."""
    n, words = out.shape
    loops = 0
    for i in range(n):
        me = U(i)
        if contains(fresh[i], me):
            loops += 1
            remove(fresh[i], me)
        for a in range(words):
            rest = fresh[i, a]
            out[i, a] |= rest
            while rest != ZERO:
                insert(into[(U(a) << WORD) + lowest(rest)], me)
                rest &= rest - ONE
    return loops


@kernel
def reach_wide(rows, reached, frontier, allowed):
    """Grow ``reached`` to all that can be reached from it inside ``allowed``."""
    words = len(reached)
    for a in range(words):
        frontier[a] = reached[a]
    a = 0
    while a < words:
        if frontier[a] == ZERO:
            a += 1
            continue
        v = (U(a) << WORD) + lowest(frontier[a])
        frontier[a] &= frontier[a] - ONE
        lowest_fresh = a
        for b in range(words):
            fresh = rows[v, b] & allowed[b] & ~reached[b]
            reached[b] |= fresh
            frontier[b] |= fresh
            if fresh != ZERO and b < lowest_fresh:
                lowest_fresh = b
        a = lowest_fresh


@kernel
def components_wide(out, into, n, sets):
    """Strong components; weak ones where ``out`` and ``into`` are the same symmetric rows."""
    rest, forward, component, frontier = sets[0], sets[1], sets[2], sets[3]
    words = len(rest)
    for a in range(words):
        rest[a] = FULL
    rest[words - 1] = first(n - 64 * (words - 1))
    components = 0
    for vertex in range(n):
        v = U(vertex)
        if not contains(rest, v):
            continue
        components += 1
        if not meets(out[v], rest) or not meets(into[v], rest):
            remove(rest, v)
            continue
        clear(forward)
        insert(forward, v)
        reach_wide(out, forward, frontier, rest)
        clear(component)
        insert(component, v)
        reach_wide(into, component, frontier, forward)
        for a in range(words):
            rest[a] &= ~component[a]
    return components


@kernel
def count_cycles_wide(out, into, n, cap, sets, candidates, path):
    """Simple cycles of length two or more, or ``cap`` if there are at least so many."""
    if count_short_cycles_wide(out, into, n, cap) >= cap:
        return cap
    later, around, on_path, free, home, frontier = (
        sets[0], sets[1], sets[2], sets[3], sets[4], sets[5],
    )  # fmt: skip
    words = len(later)
    total = 0
    for root in range(n):
        s = U(root)
        for a in range(words):
            later[a] = FULL if a > root >> 6 else ZERO
        later[s >> WORD] = above(s & BIT)
        for a in range(words):
            home[a] = out[s, a] & later[a]
        reach_wide(out, home, frontier, later)
        for a in range(words):
            around[a] = into[s, a] & home[a]
        reach_wide(into, around, frontier, home)
        for a in range(words):
            on_path[a] = ZERO
            candidates[0, a] = out[s, a] & around[a]
            total += np.int64(population(candidates[0, a] & into[s, a]))
        depth = 0
        while depth >= 0 and total < cap:
            a = 0
            while a < words and candidates[depth, a] == ZERO:
                a += 1
            if a == words:
                depth -= 1
                if depth >= 0:
                    remove(on_path, path[depth])
                continue
            v = (U(a) << WORD) + lowest(candidates[depth, a])
            candidates[depth, a] &= candidates[depth, a] - ONE
            insert(on_path, v)
            onward = candidates[depth + 1]
            closing = 0
            for a in range(words):
                free[a] = around[a] & ~on_path[a]
                home[a] = into[s, a] & free[a]
                onward[a] = out[v, a] & free[a]
                closing += np.int64(population(onward[a] & home[a]))
            total += closing
            if closing == 0 and not is_empty(onward):
                reach_wide(into, home, frontier, free)
                for a in range(words):
                    onward[a] &= home[a]
            if is_empty(onward):
                remove(on_path, v)
            else:
                path[depth] = v
                depth += 1
        if total >= cap:
            return cap
    return total


@kernel
def count_short_cycles_wide(out, into, n, cap):
    """Cycles of length 2, then of 3, until they reach the cap."""
    total = ZERO
    limit = U(cap)
    words = out.shape[1]
    for v in range(n):
        for a in range(words):
            total += population(out[v, a] & into[v, a])
    total >>= ONE
    for root in range(n):
        if total >= limit:
            return cap
        s = U(root)
        for a in range(s >> WORD, words):
            ahead = out[s, a] & above(s & BIT) if a == s >> WORD else out[s, a]
            while ahead != ZERO:
                v = (U(a) << WORD) + lowest(ahead)
                ahead &= ahead - ONE
                for b in range(s >> WORD, words):
                    closing = out[v, b] & into[s, b]
                    if b == s >> WORD:
                        closing &= above(s & BIT)
                    total += population(closing)
    return np.int64(min(total, limit))
