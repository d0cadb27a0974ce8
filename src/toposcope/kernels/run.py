"""What the kernels offer to the rest of the package: a few functions on plain arrays.

Arrays are C-contiguous and writable (``aligned``), because the compiler makes a new version of a
loop for every other kind of array it meets. A graph is an (n, n) matrix of *patterns*: the bits of
its float weights, see keys.py. Values of a ``Coding`` go to the loops as they are. The compiler takes
half a second to come, so the loops are imported by the first call of a function that has one.
"""

from functools import cache
from types import ModuleType
from typing import NamedTuple

import numpy as np

from toposcope.kernels.coding import Coding
from toposcope.kernels.threads import pieces, share
from toposcope.kernels.warm import warmed

MOST_VERTICES = 1 << 16  # an edge is a 32-bit key and two 16-bit vertices
BARS_PER_VERTEX = 4  # guess of how much room bars need; more is made when it is not enough
TREES_WORTH_A_THREAD = 1_000_000  # matrix entries; trees are quick, so threads pay later than elsewhere


def aligned(array: np.ndarray) -> np.ndarray:
    """The array itself, or a copy the compiled loops can take."""
    return np.require(array, requirements=["C", "W"])


@warmed
def spanning_trees(patterns: np.ndarray, coding: Coding, threads: int | None = None) -> np.ndarray:
    """Keys of the n - 1 tree edges of each graph."""
    from toposcope.kernels import batch

    count, n, _ = patterns.shape
    trees = np.empty((count, n - 1), patterns.dtype)
    loop = batch.trees_of if patterns.dtype == np.uint32 else batch.trees_of_64
    share(
        lambda lo, hi: loop(patterns, *coding, trees, lo, hi),
        pieces(count, n * n, threads, TREES_WORTH_A_THREAD),
        threads,
    )
    return trees


@warmed
def cycle_bars(
    patterns: np.ndarray, coding: Coding, threads: int | None = None, wide: bool = False
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Keys (bar, birth/death) in dimension one, bars per graph (graph, 1), trees (graph, 1, n - 1)."""
    return _bars(False, patterns, patterns, coding, threads, wide)


@warmed
def relative_bars(
    patterns_a: np.ndarray,
    patterns_b: np.ndarray,
    coding: Coding,
    threads: int | None = None,
    wide: bool = False,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Bars of b relative to a, then of a relative to b, for each pair in turn.

    Keys (bar, birth/death), bars per pair and direction (pair, 2), and keys of the spanning trees
    of b, a and max(a, b) (pair, 3, n - 1).
    """
    return _bars(True, patterns_a, patterns_b, coding, threads, wide)


def _bars(
    relative: bool,
    patterns_a: np.ndarray,
    patterns_b: np.ndarray,
    coding: Coding,
    threads: int | None,
    wide: bool,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    from toposcope.kernels import batch

    count, n, _ = patterns_b.shape
    trees = np.empty((count, 3 if relative else 1, n - 1), np.uint32)
    counts = np.empty((count, 2 if relative else 1), np.int64)

    def bars_between(lo: int, hi: int) -> np.ndarray:
        collected = []
        room = (hi - lo) * BARS_PER_VERTEX * n + n * n  # no graph has more, and unused room is free
        while True:
            bars = np.empty((room, 2), np.uint32)
            done = batch.bars_of(
                relative, patterns_a, patterns_b, *coding, wide, trees, counts, bars, lo, hi
            )  # fmt: skip
            collected.append(bars[: counts[lo:done].sum()])
            if done == hi:
                return np.concatenate(collected)
            lo = done

    bars = share(bars_between, pieces(count, n * n, threads), threads)
    return np.concatenate(bars), counts, trees


class Trace(NamedTuple):
    """Edges of one graph from short to long, and what comes of them, as places in this order.

    ``keys`` and ``ends`` (edge, 2) of the edges up to the length from where on all is filled; ``tree``, the
    n - 1 that join two components; of every class of cycles its ``births``, its ``deaths`` (the number of
    edges where it lives on) and the third vertex of the triangle that it dies of.
    """

    keys: np.ndarray
    ends: np.ndarray
    tree: np.ndarray
    births: np.ndarray
    deaths: np.ndarray
    thirds: np.ndarray


@warmed
def traced(patterns: np.ndarray, coding: Coding) -> Trace:
    """The edges of the only graph of ``patterns`` (1, n, n); equal ones by their vertices."""
    from toposcope.kernels import trace

    n = patterns.shape[1]
    matrix = np.empty((n, n), patterns.dtype)
    trace.keys_of(patterns[0], *coding, matrix)
    pairs = np.triu_indices(n, 1)
    order = np.argsort(matrix[pairs], kind="stable")
    keys = matrix[pairs][order]
    filled = np.searchsorted(keys, matrix.max(1).min(), "right")  # once a vertex is joined to all others
    ends = np.stack(pairs, 1)[order[:filled]].astype(np.uint32)
    small, large = aligned(ends[:, 0]), aligned(ends[:, 1])
    return Trace(keys[:filled], ends, *trace.trace(small, large, n))


@warmed
def threshold_counts(
    weights: np.ndarray, thresholds: np.ndarray, cap: int, threads: int | None = None
) -> np.ndarray:
    """Counts of the directed graphs with the weights >= threshold.

    Thresholds ascending; result (graph, threshold, column of digraph.py).
    """
    from toposcope.kernels import batch, digraph

    count, n, _ = weights.shape
    counts = np.empty((count, len(thresholds), digraph.COLUMNS), np.int64)
    share(
        lambda lo, hi: batch.counts_of(
            _levels(weights[lo:hi], thresholds), len(thresholds), cap, counts[lo:hi]
        ),
        pieces(count, n * n, threads),
        threads,
    )
    return counts


@warmed
def threshold_extras(
    weights: np.ndarray, thresholds: np.ndarray, threads: int | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Maximum matching and chordality of the undirected threshold graphs, (graph, threshold)."""
    from toposcope.kernels import batch

    count, n, _ = weights.shape
    matchings = np.empty((count, len(thresholds)), np.int64)
    chordal = np.empty((count, len(thresholds)), bool)
    share(
        lambda lo, hi: batch.extras_of(
            _levels(weights[lo:hi], thresholds), len(thresholds), matchings[lo:hi], chordal[lo:hi]
        ),
        pieces(count, n * n, threads),
        threads,
    )
    return matchings, chordal


@warmed
def directed_statistics(weights: np.ndarray, threads: int | None = None) -> np.ndarray:
    """Statistics of directed maps, (graph, column of directed.py)."""
    from toposcope.kernels import batch, directed

    count, n, _ = weights.shape
    statistics = np.empty((count, directed.DIRECTED), np.float64)
    share(
        lambda lo, hi: batch.directed_of(weights[lo:hi], statistics[lo:hi]),
        pieces(count, n * n, threads),
        threads,
    )
    return statistics


@warmed
def coordinate_descent(
    weights: np.ndarray,
    slope: np.ndarray,
    curvature: np.ndarray,
    kinks: np.ndarray,
    stiffer: float,
    sweeps: int,
) -> tuple[np.ndarray, np.ndarray]:
    """Weights nearer to the lowest point of a parabola plus ``kinks @ abs(weights)``; its slope there."""
    from toposcope.kernels.descent import descend

    weights, slope = weights.copy(), slope.copy()
    descend(weights, slope, aligned(curvature), aligned(kinks), stiffer, sweeps)
    return weights, slope


def _levels(weights: np.ndarray, thresholds: np.ndarray) -> np.ndarray:
    """How many of the ascending thresholds each weight reaches."""
    from toposcope.kernels import batch

    levels = np.empty(weights.shape, np.uint16)
    batch.levels_of(weights.reshape(-1), thresholds, levels.reshape(-1))
    return levels


def gelu(values: np.ndarray, bias: np.ndarray, threads: int | None = None) -> None:
    """Rows of values become the activation GELU of value + bias, in place."""
    dense = _dense()
    rows = pieces(len(values), values.shape[1], threads)
    share(lambda lo, hi: dense.gelu_of(values, bias, lo, hi), rows, threads)


def add_and_norm(
    values: np.ndarray,
    bias: np.ndarray,
    states: np.ndarray,
    weight: np.ndarray,
    shift: np.ndarray,
    epsilon: float,
    threads: int | None = None,
) -> None:
    """Rows of states become the layer norm of state + value + bias, in place."""
    dense = _dense()
    least, rows = np.float32(epsilon), pieces(len(values), values.shape[1], threads)
    share(lambda lo, hi: dense.norm_of(values, bias, states, weight, shift, least, lo, hi), rows, threads)


@cache
def _dense() -> ModuleType:
    """The loops over rows; says so if they have to be compiled first."""
    from toposcope.kernels import dense
    from toposcope.kernels.compiling import announced

    row, one = np.zeros((1, 1), np.float32), np.ones(1, np.float32)
    with announced():
        dense.gelu_of(row, one, 0, 1)
        dense.norm_of(row, one, row.copy(), one, one, np.float32(1), 0, 1)
    return dense
