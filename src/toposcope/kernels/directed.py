"""Statistics of one directed map in a single pass: what symmetrising throws away.

A row-stochastic matrix A (row = query, column = key): how far it is from its mirror image, how widely
its rows and its columns are spread, where its mass lies, and how strongly each token is held by its
strongest neighbour, before it, after it, and on either side.
"""

from math import log, sqrt

from toposcope.kernels.bits import kernel

(ASYMMETRY, ROW_ENTROPY, COLUMN_ENTROPY, BELOW, DIAGONAL, ROW_PEAK, COLUMN_PEAK, BACKWARD, FORWARD) = range(
    9
)
DIRECTED = 9


@kernel
def directed_statistics(a, sums, peaks, out):
    """Write the nine statistics of the map ``a``; ``sums`` and ``peaks`` are room for its columns."""
    n = len(a)
    for k in range(DIRECTED):
        out[k] = 0.0
    for j in range(n):
        sums[j] = 0.0
        peaks[j] = 0.0
    square = 0.0
    apart = 0.0
    for i in range(n):
        before = 0.0
        after = 0.0
        for j in range(n):
            weight = float(a[i, j])
            square += weight * weight
            sums[j] += weight
            if weight > 0.0:
                out[ROW_ENTROPY] -= weight * log(weight)
            if j == i:
                out[DIAGONAL] += weight
                continue
            peaks[j] = max(peaks[j], weight)
            if j < i:
                out[BELOW] += weight
                before = max(before, weight)
                difference = weight - float(a[j, i])
                apart += 2.0 * difference * difference
            else:
                after = max(after, weight)
        out[BACKWARD] += before
        out[FORWARD] += after
        out[ROW_PEAK] += max(before, after)
    for j in range(n):
        out[COLUMN_PEAK] += peaks[j]
        share = sums[j] / n
        if share > 0.0:
            out[COLUMN_ENTROPY] -= n * share * log(share)
    for k in range(DIRECTED):
        out[k] /= n
    out[ASYMMETRY] = sqrt(apart / square) if square > 0.0 else 0.0
