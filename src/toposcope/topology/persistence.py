"""Barcodes of attention graphs in dimensions 0 and 1."""

import numpy as np
from numpy.typing import ArrayLike

from toposcope.errors import InputError
from toposcope.topology.barcode import Barcode, Barcodes
from toposcope.topology.bars import cycle_bars
from toposcope.topology.graphs import Graphs, Kind, Symmetry, as_graphs
from toposcope.topology.h0 import tree_lengths


def barcode(
    map: ArrayLike,
    dimension: int = 0,
    symmetry: Symmetry = "max",
    floor: float = 0.0,
    *,
    kind: Kind = "attention",
    threads: int | None = None,
) -> Barcode:
    """Barcode of one attention graph (section 3.2).

    Dimension 0: one bar for each edge of the minimum spanning tree, from 0 to its length, the
    distance at which two groups of tokens become one. Dimension 1: one bar for each cycle, from
    the edge that closes it to the triangle that fills it.

    Parameters
    ----------
    map : array, shape (n, n)
        Attention weights, or distances.
    dimension : 0 or 1
    symmetry, floor, kind, threads
        As in ``h0_sum``.

    Returns
    -------
    Barcode
    """
    graphs = as_graphs(map, kind=kind, symmetry=symmetry, floor=floor, name="map")
    if graphs.leading:
        raise InputError(
            f"map has shape {graphs.leading + (graphs.n,) * 2}: barcode takes one map (n, n), "
            "barcodes takes many."
        )
    return _barcodes(graphs, dimension, threads)[()]


def barcodes(
    maps: ArrayLike,
    dimension: int = 0,
    symmetry: Symmetry = "max",
    floor: float = 0.0,
    *,
    kind: Kind = "attention",
    threads: int | None = None,
) -> Barcodes:
    """Barcodes of many attention graphs, to be indexed like the maps, with statistics of all.

    Parameters as in ``barcode``, with maps of shape (..., n, n).
    """
    graphs = as_graphs(maps, kind=kind, symmetry=symmetry, floor=floor)
    return _barcodes(graphs, dimension, threads)


def _barcodes(graphs: Graphs, dimension: int, threads: int | None) -> Barcodes:
    if dimension == 1:
        return cycle_bars(graphs, threads)[0].reshape(*graphs.leading)
    if dimension == 0:
        return _component_bars(graphs, threads)
    raise InputError(f"dimension={dimension!r}: accepted are 0 (components) and 1 (cycles).")


def _component_bars(graphs: Graphs, threads: int | None) -> Barcodes:
    """H0: a bar for every tree edge; infinite ones leave a component, as does the whole graph."""
    lengths = tree_lengths(graphs, threads)
    endless = np.isinf(lengths)
    bars = (lengths > 0) & ~endless
    deaths = lengths[bars]
    components = endless.sum(-1) + 1
    return Barcodes(
        np.zeros_like(deaths),
        deaths,
        bars.sum(-1).reshape(graphs.leading),
        0,
        np.zeros(components.sum(), lengths.dtype),
        components.reshape(graphs.leading),
    )
