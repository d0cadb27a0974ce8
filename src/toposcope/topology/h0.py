"""Sum and mean of the H0 bars: the weight of the minimum spanning tree."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from toposcope.kernels import run
from toposcope.topology.graphs import Graphs, Kind, Symmetry, as_graphs
from toposcope.topology.threads import checked_threads

SHORT = 32


def h0_sum(
    maps: ArrayLike,
    symmetry: Symmetry = "max",
    floor: float = 0.0,
    *,
    kind: Kind = "attention",
    threads: int | None = None,
) -> Any:
    """Total length of the H0 bars of attention graphs, H0S (section 3.2).

    The weight of the minimum spanning tree of ``1 - S``.

    Parameters
    ----------
    maps : array, shape (..., n, n)
        Attention weights, rows = queries; or distances.
    symmetry : "max", "upper" or "lower"
        How the two directions of attention become one edge.
    floor : float
        Weights up to this count as zero (the paper's classifier uses 1e-3).
    kind : "attention" or "distance"
        What the entries are. Points at infinite distance add no bar.
    threads : int, optional
        All cores by default. The result does not depend on it.

    Returns
    -------
    array of float64, shape (...), or a scalar for a single map
    """
    graphs = as_graphs(maps, kind=kind, symmetry=symmetry, floor=floor)
    return graphs.shaped(finite_sums(tree_lengths(graphs, threads), kind))


def h0_mean(
    maps: ArrayLike,
    symmetry: Symmetry = "max",
    floor: float = 0.0,
    *,
    kind: Kind = "attention",
    threads: int | None = None,
) -> Any:
    """Average length of the H0 bars of attention graphs, H0M (section 3.2).

    One minus the mean edge weight of the maximum spanning tree of ``S``: small when every token
    hangs strongly on some other, the paper's sign of an acceptable sentence. Parameters as in
    ``h0_sum``.

    Notes
    -----
    The sum is divided by n - 1. The authors' classifier code divides by n, their notebook for
    pairs by the number of bars that are not zero.
    """
    graphs = as_graphs(maps, kind=kind, symmetry=symmetry, floor=floor)
    lengths = tree_lengths(graphs, threads)
    bars = np.isfinite(lengths).sum(-1) if kind == "distance" else lengths.shape[-1]
    return graphs.shaped(finite_sums(lengths, kind) / np.maximum(bars, 1))


def tree_lengths(graphs: Graphs, threads: int | None) -> np.ndarray:
    """Edge lengths of minimum spanning trees, (graph, n - 1), in no particular order."""
    threads = checked_threads(threads)
    return graphs.distances(run.spanning_trees(graphs.patterns, graphs.coding, threads))


def finite_sums(lengths: np.ndarray, kind: Kind) -> np.ndarray:
    """Sums over the last axis; infinite entries, which only distances have, are left out."""
    if kind == "distance":
        lengths = np.where(np.isinf(lengths), 0, lengths)
    if lengths.shape[-1] > SHORT:
        return lengths.sum(-1, dtype=np.float64)
    sums = np.zeros(lengths.shape[:-1])
    for column in np.moveaxis(lengths, -1, 0):  # numpy is slow at many short sums
        sums += column
    return sums
