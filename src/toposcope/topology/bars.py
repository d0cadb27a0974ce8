"""From the keys of bars, as the kernels give them, to barcodes.

Double precision goes through the same kernels by rank. The kernels compare edges and never add
them, so the bars of a graph stay the same when every length is replaced by its place among all
lengths; afterwards the ranks in births and deaths are replaced by the lengths again.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from toposcope.kernels import run
from toposcope.kernels.coding import LOWER, Coding
from toposcope.topology.barcode import Barcodes
from toposcope.topology.graphs import Graphs
from toposcope.topology.threads import checked_threads

RANKED_AT_ONCE = 2_000_000  # edges; bounds the memory of the detour by ranks
BY_RANK = Coding(LOWER, np.uint32(0), np.uint32(0xFFFFFFFF), np.uint32(0))


def cycle_bars(
    graphs: Graphs, threads: int | None = None, wide: bool = False
) -> tuple[Barcodes, np.ndarray]:
    """H1 barcodes of graphs, (graph, 1), and edge lengths of their spanning trees, (graph, 1, n - 1)."""
    return _decoded(run.cycle_bars, (graphs,), threads, wide)


def relative_bars(
    a: Graphs, b: Graphs, threads: int | None = None, wide: bool = False
) -> tuple[Barcodes, np.ndarray]:
    """Bars of b relative to a and of a relative to b, (pair, 2); trees of b, a and max(a, b)."""
    return _decoded(run.relative_bars, (a, b), threads, wide)


def _decoded(
    kernel: Callable[..., Any], sides: tuple[Graphs, ...], threads: int | None, wide: bool
) -> tuple[Barcodes, np.ndarray]:
    threads = checked_threads(threads)
    graphs = sides[0]
    name = "H1" if len(sides) == 1 else "RTD"
    if graphs.values.dtype == np.float64:
        births, deaths, counts, trees = _by_rank(kernel, sides, threads, wide)
    else:
        patterns = (side.patterns for side in sides)
        bars, counts, trees = kernel(*patterns, graphs.coding, threads=threads, wide=wide)
        births, deaths = graphs.distances(bars).T
        trees = graphs.distances(trees)
    return _sifted(births, deaths, counts, name), trees


def _sifted(births: np.ndarray, deaths: np.ndarray, counts: np.ndarray, name: str) -> Barcodes:
    """Barcodes without the bars that have no length after rounding; endless ones apart."""
    owners = np.repeat(np.arange(counts.size), counts.ravel())
    never = np.zeros(0, births.dtype), np.zeros_like(counts)
    endless = deaths == np.inf
    if endless.any():
        never = births[endless], _counted(owners[endless], counts)
    kept = (deaths > births) & ~endless
    if not kept.all():
        births, deaths, counts = births[kept], deaths[kept], _counted(owners[kept], counts)
    return Barcodes(births, deaths, counts, 1, *never, name)


def _counted(owners: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """How many bars each owner has, in the shape of ``counts``."""
    return np.bincount(owners, minlength=counts.size).reshape(counts.shape)


def _by_rank(
    kernel: Callable[..., Any], sides: tuple[Graphs, ...], threads: int | None, wide: bool
) -> tuple[np.ndarray, ...]:
    """Births, deaths, counts and trees for double precision, a few graphs at a time."""
    count, n = len(sides[0].values), sides[0].n
    below = np.tril_indices(n, -1)
    edges = len(below[0])
    step = max(1, RANKED_AT_ONCE // max(1, edges * len(sides)))
    parts = []
    for start in range(0, max(count, 1), step):
        lengths = np.concatenate(
            [_edge_lengths(side, below, slice(start, start + step)) for side in sides], axis=1
        )
        ranks, lengths_by_rank = _ranked(lengths)
        patterns = []
        for k in range(len(sides)):
            matrices = np.zeros((len(ranks), n, n), np.uint32)
            matrices[:, below[0], below[1]] = ranks[:, k * edges : (k + 1) * edges]
            patterns.append(matrices)
        bars, counts, trees = kernel(*patterns, BY_RANK, threads=threads, wide=wide)
        owners = np.repeat(np.arange(len(counts)), counts.sum(1))
        births, deaths = (lengths_by_rank[owners, bars[:, end]] for end in (0, 1))
        graph = np.arange(len(trees))[:, None, None]
        parts.append((births, deaths, counts, lengths_by_rank[graph, trees]))
    return tuple(np.concatenate(part) for part in zip(*parts, strict=True))


def _edge_lengths(graphs: Graphs, below: tuple[np.ndarray, ...], part: slice) -> np.ndarray:
    """Lengths (graph, edge) of the edges i > j."""
    rows, columns = below
    weights = graphs.values[part, rows, columns]
    if graphs.kind == "distance":
        return weights
    mirrored = graphs.values[part, columns, rows]
    if graphs.symmetry == "max":
        weights = np.maximum(weights, mirrored)
    elif graphs.symmetry == "upper":
        weights = mirrored
    return 1.0 - np.where(weights <= graphs.floor, 0.0, np.minimum(weights, 1.0))


def _ranked(lengths: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rank of every length in its row, equal ones sharing theirs, and lengths by rank."""
    order = np.argsort(lengths, axis=1, kind="stable")
    ascending = np.take_along_axis(lengths, order, axis=1)
    steps = np.zeros(lengths.shape, np.uint32)
    steps[:, 1:] = ascending[:, 1:] != ascending[:, :-1]
    ranks_ascending = np.cumsum(steps, axis=1, dtype=np.uint32)
    ranks, by_rank = np.empty_like(ranks_ascending), np.zeros_like(lengths)
    np.put_along_axis(ranks, order, ranks_ascending, axis=1)
    np.put_along_axis(by_rank, ranks_ascending, ascending, axis=1)
    return ranks, by_rank
