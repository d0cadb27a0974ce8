"""Kernels over many graphs: compiled loops over a range of graphs, one call each.

A loop takes ``lo, hi`` and writes only to its own places in the output, so that threads can share
the work without ever changing a result.
"""

import numpy as np

from toposcope.kernels.bits import batch_kernel, kernel
from toposcope.kernels.chordal import is_chordal
from toposcope.kernels.digraph import MOST_VERTICES, count_thresholds, digraph_state
from toposcope.kernels.digraph_wide import count_thresholds_wide, wide_state
from toposcope.kernels.directed import directed_statistics
from toposcope.kernels.keys import enclosing_radius, fill_events, fill_keys
from toposcope.kernels.matching import matching_size
from toposcope.kernels.sorting import COUNTERS, sort_events
from toposcope.kernels.spanning_tree import SHORT, spanning_tree, spanning_tree_in_place
from toposcope.kernels.sweep import TOO_MANY_CLASSES, WORD_SIZE, sweep, sweep_state
from toposcope.kernels.sweep_wide import sweep_wide

BLOCK = 4096


@batch_kernel
def trees_of(bits, fold, floor, ceiling, flip, trees, lo, hi):
    """Spanning trees of graphs lo..hi of 32-bit patterns."""
    n = bits.shape[1]
    keys = np.empty((n, n), np.uint32)
    spare = np.empty(n, np.uint32)
    cheapest = np.empty(n, np.uint32)
    for g in range(lo, hi):
        fill_keys(bits[g], fold, floor, ceiling, flip, keys)
        spanning_tree_any(keys, spare, cheapest, trees[g])


@batch_kernel
def trees_of_64(bits, fold, floor, ceiling, flip, trees, lo, hi):
    """Spanning trees of graphs lo..hi of 64-bit patterns."""
    n = bits.shape[1]
    keys = np.empty((n, n), np.uint64)
    outside = np.empty(n, np.uint32)
    cheapest = np.empty(n, np.uint64)
    for g in range(lo, hi):
        fill_keys(bits[g], fold, floor, ceiling, flip, keys)
        spanning_tree(keys, outside, cheapest, trees[g])


@batch_kernel
def bars_of(
    relative, bits_a, bits_b, fold, floor, ceiling, flip, wide, trees, counts, bars, lo, hi,
):  # fmt: skip
    """Bars of graphs lo..hi, until ``bars`` may be too short for the next; return the first graph not done.

    Not relative: bars of b, counts[g, 0]; its tree in trees[g, 0]. Relative: first the bars of b
    relative to a, counts[g, 0], then those of a relative to b, counts[g, 1]; the trees of b, a and
    max(a, b) in trees[g, 0..2]. ``wide`` forces the general sweep, for tests.
    """
    n = bits_b.shape[1]
    edges = n * (n - 1) // 2
    keys_a = np.empty((n, n), np.uint32)
    keys_b = np.empty((n, n), np.uint32)
    keys_max = np.empty((n, n), np.uint32) if relative else keys_b
    events_a = np.empty(edges + 1 if relative else 1, np.uint64)
    events_b = np.empty(edges + 1, np.uint64)
    spare = np.empty(edges + 1, np.uint64)
    sort_counts = np.empty(COUNTERS, np.uint32)
    state = sweep_state(n)
    parent = np.empty(n, np.uint32)
    cheapest = np.empty(n, np.uint32)
    most = 2 * edges if relative else edges
    found = np.int64(0)  # typed: a literal would have the sweep compiled twice
    for g in range(lo, hi):
        if found + most > len(bars):
            return g  # before any work, not to do it twice
        fill_keys(bits_b[g], fold, floor, ceiling, flip, keys_b)
        if relative:
            fill_keys(bits_a[g], fold, floor, ceiling, flip, keys_a)
            for i in range(n):
                for j in range(n):
                    keys_max[i, j] = max(keys_a[i, j], keys_b[i, j])
        radius = enclosing_radius(keys_max)
        count_b = fill_events(keys_b, radius, events_b)
        sort_events(events_b, count_b, spare, sort_counts)
        count_a = 0
        if relative:
            count_a = fill_events(keys_a, radius, events_a)
            sort_events(events_a, count_a, spare, sort_counts)
            spanning_tree_any(keys_max, parent, cheapest, trees[g, 2])
        for turn in range(2 if relative else 1):
            before = found
            if turn == 0:
                found = sweep_any(
                    relative, keys_a, events_b, count_b, events_a, count_a, radius, wide,
                    state, parent, trees[g, turn], bars, before,
                )  # fmt: skip
            else:
                found = sweep_any(
                    relative, keys_b, events_a, count_a, events_b, count_b, radius, wide,
                    state, parent, trees[g, turn], bars, before,
                )  # fmt: skip
            counts[g, turn] = found - before
    return hi


@kernel
def sweep_any(
    relative, keys_a, events_b, count_b, events_a, count_a, radius, wide,
    state, parent, tree, bars, found,
):  # fmt: skip
    """The one-word sweep where it fits, else the wide one."""
    if len(keys_a) <= WORD_SIZE and not wide:
        outcome = sweep(
            relative, keys_a, events_b, count_b, events_a, count_a, radius,
            state, parent, tree, bars, found,
        )  # fmt: skip
        if outcome != TOO_MANY_CLASSES:
            return outcome
    return sweep_wide(
        relative, keys_a, events_b, count_b, events_a, count_a, radius, parent, tree, bars, found
    )


@kernel
def spanning_tree_any(keys, spare, cheapest, tree):
    """The form of Prim's loop that suits the length of the rows."""
    if len(keys) < SHORT:
        spanning_tree(keys, spare, cheapest, tree)
    else:
        spanning_tree_in_place(keys, spare, cheapest, tree)


@batch_kernel
def levels_of(weights, thresholds, levels):
    """How many of the thresholds each weight of a flat array reaches, in blocks that stay in cache."""
    for start in range(0, len(weights), BLOCK):
        block = weights[start : start + BLOCK]
        reached = levels[start : start + BLOCK]
        for j in range(len(block)):
            reached[j] = 0
        for k in range(len(thresholds)):
            threshold = thresholds[k]
            for j in range(len(block)):
                reached[j] += np.uint16(block[j] >= threshold)


@batch_kernel
def counts_of(levels, thresholds, cap, counts):
    """Counts of graphs (graph, n, n) at every threshold; an edge's level says how many it reaches."""
    n = levels.shape[1]
    if n <= MOST_VERTICES:
        state = digraph_state(thresholds)
        for g in range(len(levels)):
            count_thresholds(levels[g], thresholds, cap, state, counts[g])
    else:
        wide = wide_state(n, thresholds)
        for g in range(len(levels)):
            count_thresholds_wide(levels[g], thresholds, cap, wide, counts[g])


@batch_kernel
def extras_of(levels, thresholds, matchings, chordal):
    """Maximum matching and chordality of the undirected graphs at every threshold."""
    n = levels.shape[1]
    adjacent = np.zeros((n, n), np.bool_)
    for g in range(len(levels)):
        for k in range(thresholds):
            for i in range(n):
                for j in range(i):
                    linked = max(levels[g, i, j], levels[g, j, i]) > k
                    adjacent[i, j] = linked
                    adjacent[j, i] = linked
            matchings[g, k] = matching_size(adjacent)
            chordal[g, k] = is_chordal(adjacent)


@batch_kernel
def directed_of(maps, statistics):
    """Statistics of directed maps (graph, n, n)."""
    sums = np.empty(maps.shape[1], np.float64)
    peaks = np.empty(maps.shape[1], np.float64)
    for g in range(len(maps)):
        directed_statistics(maps[g], sums, peaks, statistics[g])
