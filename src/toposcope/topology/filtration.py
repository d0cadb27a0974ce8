"""What makes the bars of an attention graph: edges, triangles and cycles with their vertices.

The edges of a graph enter from short to long, that is, from strong attention to weak. An edge joins two
groups of tokens (and ends a bar of H0), or closes a cycle (and begins a bar of H1), or completes triangles;
these fill cycles (and end bars of H1). Equal edges enter by their vertices.
"""

from collections import deque
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from toposcope.errors import InputError
from toposcope.kernels import run
from toposcope.topology.graphs import Kind, Symmetry, as_graphs


class Edge(NamedTuple):
    """An edge between vertices i < j, and its length: 1 - weight, or the distance."""

    i: int
    j: int
    length: float


class Bar(NamedTuple):
    """A bar [birth, death) and what makes it.

    In H0 ``edge`` ends the bar: it joins two groups. In H1 it begins the bar: it closes a cycle, which
    ``triangle`` fills; there is none where the cycle is never filled.
    """

    birth: float
    death: float
    edge: tuple[int, int]
    triangle: tuple[int, int, int] | None = None


@dataclass(frozen=True, eq=False)
class Filtration:
    """One graph as it grows, edge by edge.

    ``edges``, from short to long, are those that can matter: once one vertex is joined to all others,
    everything is filled. ``tree`` are the n - 1 edges of the spanning tree among them (fewer where
    distances are infinite), ``cycles`` the bars of H1 by birth, then death; infinity, if they never die.
    """

    edges: tuple[Edge, ...] = field(repr=False)
    tree: tuple[Edge, ...]
    cycles: tuple[Bar, ...]

    @property
    def components(self) -> tuple[Bar, ...]:
        """The bars of H0, each with the edge that joins two groups, by death."""
        return tuple(Bar(0.0, edge.length, edge[:2]) for edge in self.tree if edge.length > 0)

    def cycle(self, bar: Bar) -> tuple[int, ...]:
        """A shortest cycle that is there when a bar of H1 is born: its vertices, along the cycle.

        It begins and ends with the ends of the bar's edge, all other edges are older. None like it is
        filled while the bar lives: filled cycles of older edges alone cannot make up for the new edge.
        """
        place = next((e for e, edge in enumerate(self.edges) if edge[:2] == bar.edge), None)
        if place is None or bar not in self.cycles:
            raise InputError(f"{bar} is not a bar of H1 of this graph: accepted are those in ``cycles``.")
        return _shortest_path(self.edges[:place], *bar.edge)


def filtration(
    map: ArrayLike, symmetry: Symmetry = "max", floor: float = 0.0, *, kind: Kind = "attention"
) -> Filtration:
    """How one attention graph grows: spanning tree, and bars with their edges and triangles (section 3.1).

    The bars are those of ``barcode``; parameters as there.

    >>> import toposcope as ts
    >>> square = [[0, .9, 0, .6], [0, 0, .8, .1], [0, 0, 0, .7], [0, 0, 0, 0]]
    >>> grown = ts.filtration(square)
    >>> [(edge.i, edge.j) for edge in grown.tree]
    [(0, 1), (1, 2), (2, 3)]
    >>> bar, = grown.cycles
    >>> bar.edge, bar.triangle, grown.cycle(bar)
    ((0, 3), (1, 2, 3), (0, 1, 2, 3))
    """
    graphs = as_graphs(map, kind=kind, symmetry=symmetry, floor=floor, name="map")
    if graphs.leading:
        raise InputError(
            f"map has shape {graphs.leading + (graphs.n,) * 2}: filtration takes one map (n, n)."
        )
    trace = run.traced(graphs.patterns, graphs.coding)
    lengths = graphs.distances(trace.keys).tolist()
    ends = trace.ends.tolist()
    finite = int(np.isfinite(lengths).sum())
    edges = tuple(Edge(i, j, length) for (i, j), length in zip(ends[:finite], lengths, strict=False))
    bars = []
    classes = trace.births.tolist(), trace.deaths.tolist(), trace.thirds.tolist()
    for birth, death, third in zip(*classes, strict=True):
        triangle = None
        if death < finite:
            i, j, k = sorted([*ends[death], third])
            triangle = i, j, k
        if birth < finite:
            end = lengths[death] if death < finite else np.inf
            bars.append(Bar(lengths[birth], end, edges[birth][:2], triangle))
    tree = tuple(edges[e] for e in trace.tree.tolist() if e < finite)
    return Filtration(edges, tree, tuple(sorted(bar for bar in bars if bar.death > bar.birth)))


def _shortest_path(edges: tuple[Edge, ...], start: int, end: int) -> tuple[int, ...]:
    """A path of the fewest edges, by breadth-first search; where there are several, by older edges."""
    linked: dict[int, list[int]] = {}
    for i, j, _ in edges:
        linked.setdefault(i, []).append(j)
        linked.setdefault(j, []).append(i)
    before = {end: end}
    waiting = deque([end])
    while start not in before:
        here = waiting.popleft()
        for there in linked[here]:
            if there not in before:
                before[there] = here
                waiting.append(there)
    path = [start]
    while path[-1] != end:
        path.append(before[path[-1]])
    return tuple(path)
