"""Representation topology divergence (RTD): how the shapes of two graphs on the same vertices differ."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from toposcope.errors import InputError
from toposcope.topology.barcode import Barcode
from toposcope.topology.bars import relative_bars
from toposcope.topology.graphs import Kind, Symmetry, as_pair
from toposcope.topology.h0 import finite_sums


@dataclass(frozen=True)
class Divergence:
    """RTD(a, b) and RTD(b, a), each with the number of its bars and its two parts.

    RTD(a, b) = H0 part + cycle part. The H0 part, H0S of max(a, b) minus H0S of b, is how much
    later the tokens grow together in both graphs than in b alone; the cycle part is the rest,
    never negative. All arrays have the leading shape of the input. Where distances are infinite
    and max(a, b) falls into more pieces than b, the two parts have no finite value and are NaN.
    """

    ab_sum: Any
    ba_sum: Any
    ab_count: Any
    ba_count: Any
    ab_h0: Any
    ba_h0: Any
    h0_sum_a: Any
    h0_sum_b: Any

    @property
    def ab_cycles(self) -> Any:
        """Cycle part of RTD(a, b)."""
        return np.maximum(self.ab_sum - self.ab_h0, 0.0)

    @property
    def ba_cycles(self) -> Any:
        """Cycle part of RTD(b, a)."""
        return np.maximum(self.ba_sum - self.ba_h0, 0.0)


def rtd(
    a: ArrayLike,
    b: ArrayLike,
    symmetry: Symmetry = "max",
    floor: float = 0.0,
    *,
    kind: Kind = "attention",
    threads: int | None = None,
) -> Any:
    """Sum of the bars of RTD(a, b) (section 3.3): what graph b has beyond what both have.

    The H1 barcode of the graph on 2n vertices in which each vertex of a is glued to its twin
    in b. Zero if every edge of a is at least as short as in b.

    Parameters
    ----------
    a, b : arrays of equal shape (..., n, n)
        Attention weights, or distances; vertex i of a corresponds to vertex i of b.
    symmetry, floor, kind, threads
        As in ``h0_sum``.

    Returns
    -------
    array of float64, shape (...), or a scalar for a single pair

    Notes
    -----
    The authors' notebooks take the mean of the bars instead: ``ab_sum / ab_count`` of ``rtd_both``.

    References
    ----------
    Barannikov et al., Representation Topology Divergence, ICML 2022.
    """
    return rtd_both(a, b, symmetry, floor, kind=kind, threads=threads).ab_sum


def rtd_both(
    a: ArrayLike,
    b: ArrayLike,
    symmetry: Symmetry = "max",
    floor: float = 0.0,
    *,
    kind: Kind = "attention",
    threads: int | None = None,
) -> Divergence:
    """RTD(a, b) and RTD(b, a) in one go, with counts, H0 parts and cycle parts; see ``rtd``."""
    left, right = as_pair(a, b, symmetry=symmetry, floor=floor, kind=kind)
    bars, trees = relative_bars(left, right, threads)
    sums, numbers = bars.sum(), bars.count()
    h0_sums = finite_sums(trees, kind)  # of b, a and max(a, b)
    h0_parts = np.maximum(h0_sums[:, 2:] - h0_sums[:, :2], 0)
    if kind == "distance":
        pieces = np.isinf(trees).sum(-1)
        h0_parts[pieces[:, :2] != pieces[:, 2:]] = np.nan
    return Divergence(
        ab_sum=left.shaped(sums[:, 0]),
        ba_sum=left.shaped(sums[:, 1]),
        ab_count=left.shaped(numbers[:, 0]),
        ba_count=left.shaped(numbers[:, 1]),
        ab_h0=left.shaped(h0_parts[:, 0]),
        ba_h0=left.shaped(h0_parts[:, 1]),
        h0_sum_a=left.shaped(h0_sums[:, 1]),
        h0_sum_b=left.shaped(h0_sums[:, 0]),
    )


def rtd_barcode(
    a: ArrayLike,
    b: ArrayLike,
    symmetry: Symmetry = "max",
    floor: float = 0.0,
    *,
    kind: Kind = "attention",
    threads: int | None = None,
) -> Barcode:
    """Barcode of RTD(a, b) for one pair of maps; parameters as in ``rtd``."""
    left, right = as_pair(a, b, symmetry=symmetry, floor=floor, kind=kind)
    if left.leading:
        raise InputError(
            f"a has shape {left.leading + (left.n,) * 2}: rtd_barcode takes one pair of maps (n, n)."
        )
    return relative_bars(left, right, threads)[0][0, 0]
