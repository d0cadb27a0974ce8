"""Threshold curves: components, cycles and edges of an attention graph for every threshold at once.

Between two neighbouring weights of a map nothing changes, so the curves are step functions. They
follow from three sorted lists: all directed weights, all undirected weights, and the weights of
the maximum spanning tree. No graph is ever built.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from toposcope.errors import InputError
from toposcope.figures.lines import steps
from toposcope.figures.palette import Theme
from toposcope.kernels import run
from toposcope.topology.graphs import Kind, as_graphs
from toposcope.topology.thresholds import comparable

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False)
class ThresholdCurves:
    """Betti numbers and edges of one map as functions of the threshold tau.

    ``steps`` are the m thresholds at which something changes, ascending. The arrays have m + 1
    entries: entry 0 is for tau <= steps[0], entry k for steps[k - 1] < tau <= steps[k], the last
    one for tau above all steps. With distances the roles of <= and < are swapped.
    """

    steps: np.ndarray
    edges: np.ndarray
    betti0: np.ndarray
    betti1: np.ndarray
    kind: Kind
    narrow: np.dtype[Any]

    def at(self, thresholds: ArrayLike) -> dict[str, np.ndarray]:
        """The three counts at given thresholds, as ``threshold_counts`` would give them."""
        tau = np.asarray(thresholds, np.float64)
        if self.narrow.kind == "f":
            tau = tau.astype(self.narrow)
        tau = tau.astype(self.steps.dtype)
        if self.kind == "attention":
            place = np.searchsorted(self.steps, tau, "left")
        else:
            place = np.searchsorted(self.steps, tau, "right")
        return {name: getattr(self, name)[place] for name in ("edges", "betti0", "betti1")}

    def plot(self, ax: "Axes | None" = None, theme: Theme = "light") -> "Axes":
        """Draw the three curves."""
        at = np.concatenate([[0.0], self.steps, [max([1.0, *self.steps[-1:]])]])
        attention = self.kind == "attention"
        return steps(at, self.at(at), "threshold" if attention else "distance", attention, ax, theme)


def threshold_curves(
    map: ArrayLike, *, self_loops: bool = True, kind: Kind = "attention"
) -> ThresholdCurves:
    """Curves of edges, betti0 and betti1 of one map over all thresholds, exact.

    Parameters
    ----------
    map : array, shape (n, n)
        Attention weights, or distances (``kind="distance"``).
    self_loops : bool
        Whether attention of a token to itself counts as an edge.
    """
    graphs = as_graphs(map, kind=kind, name="map")
    if graphs.leading:
        raise InputError(
            f"map has shape {graphs.leading + (graphs.n,) * 2}: threshold_curves takes one map "
            "(n, n); threshold_counts takes many."
        )
    weights = comparable(graphs, [], self_loops)[0][0]
    tree = graphs.decode(run.spanning_trees(graphs.patterns, graphs.coding, threads=1)[0])
    if kind == "distance":
        tree = -tree
    else:
        weights = np.minimum(weights, 1)  # as the tree's are
    links = np.maximum(weights, weights.T)[np.tril_indices(graphs.n)]
    steps = np.unique(weights[np.isfinite(weights)])

    def reaching(values: np.ndarray) -> np.ndarray:
        """How many values are at or above each step, and above all of them."""
        values = np.sort(values[np.isfinite(values)])
        return len(values) - np.searchsorted(values, np.append(steps, np.inf), "left")

    joined = reaching(tree)
    edges, betti0, betti1 = reaching(weights.ravel()), graphs.n - joined, reaching(links) - joined
    if kind == "distance":
        steps, edges, betti0, betti1 = -steps[::-1], edges[::-1], betti0[::-1], betti1[::-1]
    return ThresholdCurves(steps, edges, betti0, betti1, kind, graphs.narrow)
