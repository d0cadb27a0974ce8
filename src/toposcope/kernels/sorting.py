"""Sorting the edges of one graph by key.

Edges are 64-bit words with the key in the upper half. Three ways, by length: insertion for a
handful, counting ranks for some dozens (the inner loop is one vector instruction after another),
and radix sort above. All orders agree on the key; among equal keys any order is a valid
refinement of the filtration.
"""

import numpy as np

from toposcope.kernels.bits import ONE, ZERO, U, kernel
from toposcope.kernels.keys import SHIFT_KEY

FEW = 16
SOME = 88
MANY = 3000
COUNTERS = 2048


@kernel
def sort_events(events, m, spare, counts):
    """Sort the first m events in place."""
    if m <= FEW:
        insertion_sort(events, m)
    elif m <= SOME:
        rank_sort(events, m, spare)
    else:
        passes, width = (4, U(8)) if m <= MANY else (3, U(11))
        radix_sort(events, m, spare, counts, passes, width)


@kernel
def insertion_sort(events, m):
    """Invariant: the events before i are in order."""
    for i in range(1, m):
        event = events[i]
        j = i - 1
        while j >= 0 and events[j] > event:
            events[j + 1] = events[j]
            j -= 1
        events[j + 1] = event


@kernel
def rank_sort(events, m, spare):
    """An event's place is the number of smaller events (all words differ)."""
    for i in range(m):
        spare[i] = events[i]
    for i in range(m):
        event = spare[i]
        rank = ZERO
        for j in range(m):
            rank += U(spare[j] < event)
        events[rank] = event


@kernel
def radix_sort(events, m, spare, counts, passes, width):
    """Invariant: after a pass the events are in order of the digits seen so far."""
    mask = (ONE << width) - ONE
    source, target, in_spare = events, spare, False
    for digit in range(passes):
        shift = SHIFT_KEY + U(digit) * width
        for d in range(mask + ONE):
            counts[d] = np.uint32(0)
        for i in range(m):
            counts[(source[i] >> shift) & mask] += np.uint32(1)
        if counts[(source[0] >> shift) & mask] == np.uint32(m):
            continue  # all events share this digit
        start = np.uint32(0)
        for d in range(mask + ONE):
            size = counts[d]
            counts[d] = start
            start = np.uint32(start + size)
        for i in range(m):
            event = source[i]
            d = (event >> shift) & mask
            target[counts[d]] = event
            counts[d] += np.uint32(1)
        source, target, in_spare = target, source, not in_spare
    if in_spare:
        for i in range(m):
            events[i] = spare[i]
