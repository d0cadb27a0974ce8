"""Edges that make the barcodes of a graph."""

import numpy as np

from toposcope.topology.graphs import Symmetry


def spanning_edges(weights: np.ndarray, symmetry: Symmetry = "max") -> list[tuple[int, int, float]]:
    """Edges (i, j, weight), i < j, of the maximum spanning tree of one attention graph."""
    upper = {"max": np.maximum(weights, weights.T), "upper": weights, "lower": weights.T}[symmetry]
    n = len(weights)
    outside, found = set(range(1, n)), []
    while outside:
        links = [
            (upper[min(i, j), max(i, j)], min(i, j), max(i, j), j)
            for i in range(n)
            if i not in outside
            for j in outside
        ]
        weight, i, j, new = max(links, key=lambda link: (link[0], -link[1], -link[2]))
        outside.remove(new)
        found.append((i, j, float(weight)))
    return found
