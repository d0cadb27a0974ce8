"""Barcodes of attention graphs in dimensions 0 and 1."""

import numpy as np
from numpy.typing import ArrayLike

from toposcope.errors import InputError
from toposcope.topology.barcode import Barcode
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
    return _barcodes(graphs, dimension, threads)[0]


def barcodes(
    maps: ArrayLike,
    dimension: int = 0,
    symmetry: Symmetry = "max",
    floor: float = 0.0,
    *,
    kind: Kind = "attention",
    threads: int | None = None,
) -> np.ndarray:
    """Barcodes of many attention graphs, an object array of the leading shape of ``maps``.

    Parameters as in ``barcode``, with maps of shape (..., n, n).
    """
    graphs = as_graphs(maps, kind=kind, symmetry=symmetry, floor=floor)
    found = np.empty(len(graphs.values), object)
    found[:] = _barcodes(graphs, dimension, threads)
    return found.reshape(graphs.leading)


def _barcodes(graphs: Graphs, dimension: int, threads: int | None) -> list[Barcode]:
    if dimension == 1:
        return cycle_bars(graphs, threads).barcodes(1)
    if dimension == 0:
        deaths = tree_lengths(graphs, threads)
        return [Barcode(np.zeros_like(d), d, 0, endless=np.zeros(1)) for d in deaths]
    raise InputError(f"dimension={dimension!r}: accepted are 0 (components) and 1 (cycles).")
