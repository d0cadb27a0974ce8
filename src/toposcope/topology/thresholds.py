"""Counts on the threshold graphs of attention maps: the paper's topological features."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from toposcope.errors import InputError
from toposcope.kernels import run
from toposcope.topology.graphs import Graphs, Kind, as_graphs
from toposcope.topology.threads import checked_threads

THRESHOLDS = (0.025, 0.05, 0.1, 0.25, 0.5, 0.75)
STATISTICS = ("scc", "edges", "degree", "cycles", "betti0", "betti1")
OPTIONAL_STATISTICS = ("weak", "matching", "chordal")
CYCLE_CAP = 500


def threshold_counts(
    maps: ArrayLike,
    thresholds: Sequence[float] = THRESHOLDS,
    cycle_cap: int = CYCLE_CAP,
    *,
    statistics: Sequence[str] = STATISTICS,
    self_loops: bool = True,
    kind: Kind = "attention",
    threads: int | None = None,
) -> dict[str, np.ndarray]:
    """Counts of the graph with the edges i -> j where A_ij >= tau, for every tau (section 3.2).

    Parameters
    ----------
    maps : array, shape (..., n, n)
        Attention weights, rows = queries. With ``kind="distance"``, distances: then an edge is
        there where the distance is <= tau, and nothing is joined to itself.
    thresholds : sequence of k numbers
        Rounded to the precision of the maps before they are compared.
    cycle_cap : int
        Counting of cycles stops here (500 in the paper; its follow-up uses 50).
    statistics : names
        ``scc`` strongly connected components; ``edges`` directed edges, loops included; ``degree``
        mean of in- plus out-degree, 2 edges / n; ``cycles`` simple directed cycles, a loop being
        one of length 1 and a mutual pair one of length 2; ``betti0`` components of the undirected
        graph; ``betti1`` undirected edges - n + betti0, loops being edges. On request also
        ``weak`` (= betti0), ``matching`` (edges of a maximum matching) and ``chordal`` (the
        undirected graph without loops is chordal).
    self_loops : bool
        Whether attention of a token to itself counts as an edge.

    Returns
    -------
    dict from statistic to array, shape (..., k)
    """
    unknown = set(statistics) - set(STATISTICS) - set(OPTIONAL_STATISTICS)
    if unknown:
        accepted = ", ".join(STATISTICS + OPTIONAL_STATISTICS)
        raise InputError(f"statistics={sorted(unknown)}: accepted are {accepted}.")
    if cycle_cap < 0:
        raise InputError(f"cycle_cap={cycle_cap}: accepted is a number from 0 on.")
    graphs = as_graphs(maps, kind=kind)
    weights, levels = comparable(graphs, thresholds, self_loops)
    order = np.argsort(levels, kind="stable")
    back = np.argsort(order, kind="stable")
    columns: dict[str, np.ndarray] = {}
    threads = checked_threads(threads)
    if set(statistics) - {"matching", "chordal"}:
        cap = cycle_cap if "cycles" in statistics else 0
        counts = run.threshold_counts(weights, levels[order], cap, threads)[:, back]
        columns |= _from_counts(counts, graphs.n)
    if {"matching", "chordal"} & set(statistics):
        matching, chordal = run.threshold_extras(weights, levels[order], threads)
        columns |= {"matching": matching[:, back], "chordal": chordal[:, back]}
    return {name: graphs.shaped(columns[name]) for name in statistics}


def comparable(
    graphs: Graphs, thresholds: Sequence[float], self_loops: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Matrices and levels such that an edge is there exactly where matrix >= level.

    Thresholds are rounded to the precision the maps came in, so that a float16 weight of 0.1
    reaches the threshold 0.1. Distances and their thresholds change sign.
    """
    levels = np.asarray(thresholds, np.float64)
    if levels.ndim != 1 or np.isnan(levels).any():
        raise InputError(f"thresholds={thresholds!r}: accepted is a list of numbers.")
    if graphs.narrow.kind == "f":
        levels = levels.astype(graphs.narrow)
    levels = levels.astype(graphs.values.dtype)
    if graphs.kind == "distance":
        weights, levels = -graphs.values, -levels
    else:
        weights = graphs.values
    if graphs.kind == "distance" or not self_loops:
        weights = weights.copy()
        np.einsum("gii->gi", weights)[:] = -np.inf
    return weights, levels


def _from_counts(counts: np.ndarray, n: int) -> dict[str, np.ndarray]:
    from toposcope.kernels import digraph

    weak, edges = counts[..., digraph.WEAK], counts[..., digraph.EDGES]
    links = counts[..., digraph.LINKS] + counts[..., digraph.LOOPS]
    return {
        "scc": counts[..., digraph.STRONG],
        "edges": edges,
        "degree": 2 * edges / n,
        "cycles": counts[..., digraph.CYCLES],
        "betti0": weak,
        "betti1": links - n + weak,
        "weak": weak,
    }
