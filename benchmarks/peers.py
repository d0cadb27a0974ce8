"""The tools people use today, each as a plain function of a list of matrices.

They get ready distance matrices (the counts: raw maps) and return bars, nothing more: making the
distances, which is part of our time, and adding up bars are not held against them.
"""

import warnings
from collections.abc import Callable
from importlib.util import find_spec
from itertools import islice
from typing import Any

import numpy as np

from toposcope.topology.thresholds import CYCLE_CAP, THRESHOLDS

Matrices = list[np.ndarray]
Peer = Callable[[Matrices], list[Any]]

MODULES = {
    "ripser.py": "ripser",
    "giotto-ph": "gph",
    "gudhi": "gudhi",
    "scipy linkage": "scipy",
    "scipy MST": "scipy",
    "networkx": "networkx",
    "networkx lean": "networkx",
}
SHIFT = 1.0  # to scipy's and networkx' sparse graphs a distance of zero is no edge


def installed(peers: dict[str, Peer]) -> dict[str, Peer]:
    """Those of the peers that can be imported here."""
    return {tool: peer for tool, peer in peers.items() if find_spec(MODULES[tool])}


def missing() -> list[str]:
    """Peers that cannot be imported here."""
    return [tool for tool, module in MODULES.items() if not find_spec(module)]


def bar_total(bars: np.ndarray) -> float:
    """Total length of finite bars, given as (bar, birth/death) or as lengths."""
    bars = np.asarray(bars, np.float64)
    lengths = bars[:, 1] - bars[:, 0] if bars.ndim == 2 else bars
    return float(lengths[np.isfinite(lengths)].sum())


def ripser_h0(distances: Matrices) -> list[Any]:
    from ripser import ripser

    return [ripser(d, maxdim=0, distance_matrix=True)["dgms"][0] for d in distances]


def ripser_h1(distances: Matrices) -> list[Any]:
    from ripser import ripser

    return [ripser(d, maxdim=1, distance_matrix=True)["dgms"][1] for d in distances]


def giotto_h0(distances: Matrices) -> list[Any]:
    return _giotto(distances, 0)


def giotto_h1(distances: Matrices) -> list[Any]:
    return _giotto(distances, 1)


def _giotto(distances: Matrices, dimension: int) -> list[Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # importing it warns of things only its makers can change
        from gph import ripser_parallel

    return [
        ripser_parallel(d, maxdim=dimension, metric="precomputed", n_threads=1)["dgms"][dimension]
        for d in distances
    ]


def gudhi_h0(distances: Matrices) -> list[Any]:
    from gudhi import RipsComplex

    found = []
    for d in distances:
        tree = RipsComplex(distance_matrix=d).create_simplex_tree(max_dimension=1)
        tree.compute_persistence()
        found.append(tree.persistence_intervals_in_dimension(0))
    return found


def gudhi_h1(distances: Matrices) -> list[Any]:
    """With edge collapse, which its manual advises: without it the triangles do not fit long texts."""
    from gudhi import RipsComplex

    found = []
    for d in distances:
        tree = RipsComplex(distance_matrix=d).create_simplex_tree(max_dimension=1)
        tree.collapse_edges()
        tree.expansion(2)
        tree.compute_persistence()
        found.append(tree.persistence_intervals_in_dimension(1))
    return found


def scipy_linkage(distances: Matrices) -> list[Any]:
    """Single linkage: the heights at which clusters merge are the H0 deaths."""
    from scipy.cluster.hierarchy import linkage
    from scipy.spatial.distance import squareform

    return [linkage(squareform(d, checks=False), "single")[:, 2] for d in distances]


def scipy_tree(distances: Matrices) -> list[Any]:
    from scipy.sparse.csgraph import minimum_spanning_tree

    return [minimum_spanning_tree(np.triu(d + SHIFT, 1)).data - SHIFT for d in distances]


def networkx_tree(distances: Matrices) -> list[Any]:
    import networkx as nx

    found = []
    for d in distances:
        edges = nx.minimum_spanning_edges(nx.from_numpy_array(d + SHIFT), data=True)
        found.append(np.array([edge["weight"] - SHIFT for _, _, edge in edges]))
    return found


def networkx_counts(maps: Matrices) -> list[Any]:
    """The six statistics at every threshold the way the paper's authors computed them.

    One multigraph per threshold, degrees from its vertices, and an undirected copy of it.
    """
    import networkx as nx

    def count(adjacent: np.ndarray) -> tuple[float, ...]:
        directed = nx.from_numpy_array(adjacent.astype(float), create_using=nx.MultiDiGraph)
        undirected = nx.Graph(directed.to_undirected())
        degree = sum(degree for _, degree in directed.degree()) / len(adjacent)
        return _statistics(directed, undirected, degree)

    return [np.array([count(a >= threshold) for threshold in THRESHOLDS]) for a in maps]


def networkx_lean_counts(maps: Matrices) -> list[Any]:
    """The same in as few steps as networkx allows, for a reader who would write it better."""
    import networkx as nx

    def count(adjacent: np.ndarray) -> tuple[float, ...]:
        directed = nx.from_numpy_array(adjacent.astype(int), create_using=nx.DiGraph)
        degree = 2 * directed.number_of_edges() / len(adjacent)
        return _statistics(directed, nx.Graph(directed), degree)

    return [np.array([count(a >= threshold) for threshold in THRESHOLDS]) for a in maps]


def _statistics(directed: Any, undirected: Any, degree: float) -> tuple[float, ...]:
    import networkx as nx

    betti0 = nx.number_connected_components(undirected)
    return (
        sum(1 for _ in nx.strongly_connected_components(directed)),
        directed.number_of_edges(),
        degree,
        sum(1 for _ in islice(nx.simple_cycles(directed), CYCLE_CAP)),
        betti0,
        undirected.number_of_edges() - len(undirected) + betti0,
    )
