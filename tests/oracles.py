"""The libraries of today, asked for the same thing."""

import networkx as nx
import numpy as np
from gudhi import RipsComplex
from ripser import ripser
from scipy.sparse import csr_array
from scipy.sparse.csgraph import minimum_spanning_tree


def sorted_bars(births, deaths):
    """Finite bars of positive length as sorted rows (birth, death), float32."""
    bars = np.stack([np.asarray(births), np.asarray(deaths)], 1).astype(np.float32)
    bars = bars[np.isfinite(bars[:, 1]) & (bars[:, 1] > bars[:, 0])]
    return bars[np.lexsort((bars[:, 1], bars[:, 0]))]


def ripser_bars(d, dimension=1):
    """Bars of a float32 distance matrix by ripser.py, which computes in float32."""
    if len(d) == 1:
        return np.zeros((0, 2), np.float32)
    return sorted_bars(*ripser(d, maxdim=dimension, distance_matrix=True)["dgms"][dimension].T)


def gudhi_bars(d):
    """Bars in dimensions 0 and 1 by gudhi, from float32 distances that it keeps as float64."""
    tree = RipsComplex(distance_matrix=np.asarray(d, float)).create_simplex_tree(max_dimension=2)
    tree.compute_persistence(homology_coeff_field=2, min_persistence=0)
    found = (tree.persistence_intervals_in_dimension(dimension).reshape(-1, 2) for dimension in (0, 1))
    return [sorted_bars(*bars.T) for bars in found]


def scipy_tree(d):
    """Sorted edge lengths of a minimum spanning tree by scipy.

    A zero is "no edge" for scipy, so lengths are raised by one and lowered again, in float64.
    """
    raised = csr_array(np.triu(np.asarray(d, float) + 1, 1))
    return np.sort(minimum_spanning_tree(raised).data - 1)


def networkx_tree(d):
    """Sorted edge lengths of a minimum spanning tree by networkx."""
    i, j = np.triu_indices(len(d), 1)
    graph = nx.Graph()
    graph.add_weighted_edges_from(zip(i, j, d[i, j], strict=True))
    return sorted(data["weight"] for _, _, data in nx.minimum_spanning_edges(graph))


def networkx_counts(weights, tau, cap):
    """The authors' way: one graph object per threshold."""
    edges = weights >= tau
    n = len(weights)
    directed = nx.from_numpy_array(edges, create_using=nx.DiGraph)
    undirected = nx.from_numpy_array(edges | edges.T)
    plain = undirected.copy()
    plain.remove_edges_from(nx.selfloop_edges(plain))
    cycles = 0
    for _ in nx.simple_cycles(directed):
        cycles += 1
        if cycles >= cap:
            break
    betti0 = nx.number_connected_components(undirected)
    return {
        "scc": nx.number_strongly_connected_components(directed),
        "edges": directed.number_of_edges(),
        "degree": sum(degree for _, degree in directed.degree()) / n,
        "cycles": min(cycles, cap),
        "betti0": betti0,
        "betti1": undirected.number_of_edges() - n + betti0,
        "weak": nx.number_weakly_connected_components(directed),
        "matching": len(nx.max_weight_matching(plain, maxcardinality=True)),
        "chordal": nx.is_chordal(plain),
    }
