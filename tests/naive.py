"""Slow and obvious versions of everything, straight from the definitions."""

import math
from itertools import combinations

import numpy as np


def symmetric(weights, symmetry):
    """S of method.md section 1."""
    if symmetry == "max":
        return np.maximum(weights, weights.T)
    half = np.triu(weights, 1) if symmetry == "upper" else np.tril(weights, -1)
    return half + half.T


def distances(weights, symmetry="max", floor=0.0):
    """1 - S with a zero diagonal, in the precision of the weights."""
    s = symmetric(weights, symmetry)
    s = np.where(s <= floor, s.dtype.type(0), s)
    d = s.dtype.type(1) - s
    np.fill_diagonal(d, 0)
    return d


def doubled(a, b):
    """The graph on 2n vertices whose H1 barcode is RTD(a, b) (method.md section 3)."""
    n = len(a)
    both = np.maximum(a, b)
    w = np.zeros((2 * n, 2 * n), np.result_type(a, b))
    w[n:, n:] = b
    w[:n, n:] = both
    w[n:, :n] = both.T
    return w


def reduction_bars(d):
    """Finite bars in dimension 1 by reducing the boundary matrix of all simplices over Z2."""
    n = len(d)
    simplices = [
        (max((d[i, j] for i, j in combinations(s, 2)), default=0.0), len(s), s)
        for size in (1, 2, 3)
        for s in combinations(range(n), size)
    ]
    simplices.sort()
    place = {s: k for k, (_, _, s) in enumerate(simplices)}
    pivots = {}
    bars = []
    for death, size, simplex in simplices:
        column = {place[face] for face in combinations(simplex, size - 1)} if size > 1 else set()
        while column and max(column) in pivots:
            column ^= pivots[max(column)]
        if column:
            low = max(column)
            pivots[low] = column
            birth = simplices[low][0]
            if size == 3 and np.isfinite(death) and death > birth:
                bars.append((birth, death))
    return sorted(bars)


def pairs_of_cells(edges):
    """Which triangle kills which edge's cycle, by reducing boundaries over Z2; edges (i, j) in their order.

    A triangle comes with its last edge, those of the same edge by their third vertex; each edge's cycle
    that dies at once, of a triangle on that edge, is left out.
    """
    place = {edge: e for e, edge in enumerate(edges)}
    triangles = []
    for triangle in combinations(sorted({v for edge in edges for v in edge}), 3):
        faces = list(combinations(triangle, 2))
        if all(face in place for face in faces):
            last = max(faces, key=place.get)
            third = next(v for v in triangle if v not in last)
            triangles.append((place[last], third, triangle, {place[face] for face in faces}))
    pivots, pairs = {}, []
    for last, _, triangle, faces in sorted(triangles, key=lambda found: found[:2]):
        column = faces
        while column and max(column) in pivots:
            column = column ^ pivots[max(column)]
        if column:
            pivots[max(column)] = column
            if max(column) != last:
                pairs.append((edges[max(column)], triangle))
    return pairs


def is_boundary(cycle, edges):
    """Whether a closed walk is a sum of triangles of the graph over Z2, by the ranks of two matrices."""
    place = {edge: e for e, edge in enumerate(edges)}

    def chain(pairs):
        return sum(1 << place[tuple(sorted(pair))] for pair in pairs)

    faces = [list(combinations(t, 2)) for t in combinations(sorted({v for e in edges for v in e}), 3)]
    boundaries = [chain(pairs) for pairs in faces if all(pair in place for pair in pairs)]
    walk = chain(zip(cycle, (*cycle[1:], cycle[0]), strict=True))
    return rank([*boundaries, walk]) == rank(boundaries)


def rank(rows):
    """Rank over Z2 of rows given as the bits of integers."""
    basis = {}
    for row in rows:
        rest = row
        while rest and rest.bit_length() in basis:
            rest ^= basis[rest.bit_length()]
        if rest:
            basis[rest.bit_length()] = rest
    return len(basis)


def kruskal(d):
    """Edge lengths of a minimum spanning forest, ascending; infinite edges join nothing."""
    n = len(d)
    component = list(range(n))
    tree = []
    for length, i, j in sorted((d[i, j], i, j) for i, j in combinations(range(n), 2)):
        if component[i] != component[j] and np.isfinite(length):
            tree.append(length)
            old, new = component[i], component[j]
            component = [new if c == old else c for c in component]
    return tree


def simple_cycles(edges):
    """Number of simple directed cycles, loops included, by walking from each smallest vertex."""
    n = len(edges)

    def walk(start, at, seen):
        total = 0
        for to in range(start, n):
            if edges[at][to]:
                if to == start:
                    total += 1
                elif to not in seen:
                    total += walk(start, to, seen | {to})
        return total

    return sum(walk(v, v, {v}) for v in range(n))


def components(linked):
    """Number of connected components of a symmetric boolean matrix."""
    return len(np.unique(closure(linked), axis=0))


def strong_components(edges):
    """Number of strongly connected components of a boolean matrix."""
    reach = closure(edges)
    return len(np.unique(reach & reach.T, axis=0))


def closure(edges):
    """Which vertex reaches which."""
    reach = np.array(edges, bool) | np.eye(len(edges), dtype=bool)
    for k in range(len(reach)):
        reach |= reach[:, k : k + 1] & reach[k]
    return reach


def matching_size(linked):
    """Edges of a maximum matching, by trying everything."""
    pairs = [(i, j) for i, j in combinations(range(len(linked)), 2) if linked[i, j]]

    def best(k, used):
        if k == len(pairs):
            return 0
        i, j = pairs[k]
        skipped = best(k + 1, used)
        if i in used or j in used:
            return skipped
        return max(skipped, 1 + best(k + 1, used | {i, j}))

    return best(0, frozenset())


def threshold_counts(weights, tau, cap=500):
    """The six statistics of method.md section 2."""
    edges = weights >= tau
    n = len(weights)
    links = edges | edges.T
    undirected = int(np.tril(links).sum())
    betti0 = components(links)
    return {
        "scc": strong_components(edges),
        "edges": int(edges.sum()),
        "degree": 2 * int(edges.sum()) / n,
        "cycles": min(simple_cycles(edges), cap),
        "betti0": betti0,
        "betti1": undirected - n + betti0,
    }


def pattern_distance(attention, template, normalisation):
    """|A - T| over sqrt(|A|^2 + |T|^2) or |A| + |T|."""
    a, t = np.linalg.norm(attention), np.linalg.norm(template)
    whole = np.hypot(a, t) if normalisation == "root" else a + t
    return np.linalg.norm(attention - template) / whole


def shape_statistics(a):
    """Statistics of one directed map, entry by entry (the block ``shape`` without H0M and sep)."""
    n = len(a)
    rows = range(n)

    def entropy(shares):
        return -sum(p * math.log(p) for p in shares if p > 0)

    def best(candidates):
        return max([0.0, *candidates])

    square = sum(a[i][j] ** 2 for i in rows for j in rows)
    apart = sum((a[i][j] - a[j][i]) ** 2 for i in rows for j in rows)
    return {
        "asymmetry": math.sqrt(apart / square),
        "row_entropy": sum(entropy(a[i]) for i in rows) / n,
        "column_entropy": entropy([sum(a[i][j] for i in rows) / n for j in rows]),
        "mass_below": sum(a[i][j] for i in rows for j in range(i)) / n,
        "mass_diagonal": sum(a[i][i] for i in rows) / n,
        "row_peak": sum(best(a[i][j] for j in rows if j != i) for i in rows) / n,
        "column_peak": sum(best(a[i][j] for i in rows if i != j) for j in rows) / n,
        "best_backward": sum(best(a[i][j] for j in range(i)) for i in rows) / n,
        "best_forward": sum(best(a[i][j] for j in range(i + 1, n)) for i in rows) / n,
    }


def coordinate_descent(weights, slope, curvature, kinks, stiffer, sweeps):
    """Every weight at its own lowest point of a parabola with kinks, one after the other."""
    weights, slope = weights.copy(), slope.copy()
    for _ in range(sweeps):
        for j, kink in enumerate(kinks):
            bend = curvature[j, j] * stiffer
            lowest = bend * weights[j] - slope[j]
            value = np.sign(lowest) * max(abs(lowest) - kink, 0) / bend
            slope += (value - weights[j]) * curvature[j]
            weights[j] = value
    return weights, slope


def holm_rejected(p_values, level):
    """Holm's procedure, step by step: strike the smallest while it is at most level / how many are left."""
    left = dict(enumerate(p_values))
    rejected = np.zeros(len(p_values), bool)
    while left:
        smallest = min(left, key=left.get)
        if left[smallest] > level / len(left):
            break
        rejected[smallest] = True
        del left[smallest]
    return rejected
