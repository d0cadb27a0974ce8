"""Trees, bars and cycles with their vertices, against networkx, scipy, ripser, gudhi and Z2 reduction."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import toposcope as ts
from tests import cases, naive, oracles
from toposcope.topology.filtration import Bar

SEEDS = [*range(40), *range(100, 112), 200, 201]


def grown(seed):
    """A graph of any kind with its filtration: small ones, more than a word of vertices, doubles."""
    rng = np.random.default_rng(seed)
    n = rng.integers(1, 15) if seed < 100 else rng.integers(16, 40) if seed < 200 else 70
    map = cases.weights(rng, n)
    if seed % 2:
        map = map.astype(np.float64)
    symmetry = ("max", "upper", "lower")[seed % 3]
    return naive.distances(map, symmetry), map, symmetry, ts.filtration(map, symmetry)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_tree_is_a_minimum_spanning_tree(seed):
    d, _, _, found = grown(seed)
    n = len(d)
    lengths = [edge.length for edge in found.tree]
    assert lengths == sorted(lengths)
    assert all(0 <= i < j < n and d[i, j] == length for i, j, length in found.tree)
    if n > 1:
        assert nx.is_tree(nx.Graph([edge[:2] for edge in found.tree]))
    assert len(lengths) == n - 1
    np.testing.assert_allclose(lengths, oracles.scipy_tree(d), atol=1e-12)
    assert lengths == oracles.networkx_tree(d)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_bars_are_those_of_other_tools(seed):
    d, map, symmetry, found = grown(seed)
    for dimension, bars in enumerate((found.components, found.cycles)):
        ends = np.array([bar[:2] for bar in bars]).reshape(-1, 2)
        known = ts.barcode(map, dimension, symmetry)
        np.testing.assert_array_equal(ends, np.stack([known.births, known.deaths], 1))
        if d.dtype == np.float32:
            mine = oracles.sorted_bars(*ends.T)
            np.testing.assert_array_equal(mine, oracles.ripser_bars(d, dimension))
            if len(d) > 1 and dimension:
                np.testing.assert_array_equal(mine, oracles.gudhi_bars(d)[1])


@pytest.mark.parametrize("seed", SEEDS)
def test_edges_and_triangles_are_those_of_the_reduction(seed):
    d, _, _, found = grown(seed)
    lengths = [edge.length for edge in found.edges]
    assert lengths == sorted(lengths)
    assert all(d[i, j] == length for i, j, length in found.edges)
    for bar in found.components:
        assert bar.death == d[bar.edge]
        assert bar.edge in {edge[:2] for edge in found.tree}
    expected = []
    for edge, triangle in naive.pairs_of_cells([edge[:2] for edge in found.edges]):
        death = max(d[a, b] for a in triangle for b in triangle)
        if death > d[edge]:
            expected.append(Bar(d[edge], death, edge, triangle))
    assert sorted(found.cycles) == sorted(expected)


@pytest.mark.parametrize("seed", SEEDS[:-2])
def test_cycles_are_there_at_birth_and_open_until_death(seed):
    _, _, _, found = grown(seed)
    edges = [edge[:2] for edge in found.edges]
    for bar in found.cycles:
        cycle = found.cycle(bar)
        born = edges.index(bar.edge)
        steps = {tuple(sorted(step)) for step in zip(cycle, (*cycle[1:], cycle[0]), strict=True)}
        assert len(set(cycle)) == len(cycle) == len(steps) >= 4
        assert (cycle[0], cycle[-1]) == bar.edge
        assert steps <= set(edges[: born + 1])
        i, j = bar.edge
        others = nx.Graph(edges[:born])
        assert len(cycle) == nx.shortest_path_length(others, i, j) + 1
        before = [edge[:2] for edge in found.edges if edge.length < bar.death]
        assert not naive.is_boundary(cycle, before)


def test_a_square_closes_and_is_filled():
    square = np.zeros((4, 4))
    square[[0, 1, 2, 0, 0], [1, 2, 3, 3, 2]] = 0.9, 0.8, 0.7, 0.6, 0.5
    found = ts.filtration(square)
    assert [edge[:2] for edge in found.tree] == [(0, 1), (1, 2), (2, 3)]
    (bar,) = found.cycles
    assert bar == Bar(pytest.approx(0.4), 0.5, (0, 3), (0, 2, 3))
    assert found.cycle(bar) == (0, 1, 2, 3)
    sides = [(0, 1), (1, 2), (2, 3), (0, 3)]
    assert not naive.is_boundary((0, 1, 2, 3), sides)
    assert naive.is_boundary((0, 1, 2, 3), [*sides, (0, 2)])


def test_what_never_dies():
    far = np.inf
    square = [[0, 1, far, 1], [1, 0, 1, far], [far, 1, 0, 1], [1, far, 1, 0]]
    found = ts.filtration(square, kind="distance")
    assert found.cycles == (Bar(1.0, far, (2, 3)),)
    assert found.cycle(found.cycles[0]) == (2, 1, 0, 3)
    apart = ts.filtration([[0, 2, far], [2, 0, far], [far, far, 0]], kind="distance")
    assert apart.tree == ((0, 1, 2.0),)
    assert apart.components == (Bar(0.0, 2.0, (0, 1)),)
    assert apart.cycles == ()


@given(st.integers(2, 9), st.integers(0, 1000))
def test_the_order_of_the_tokens_changes_names_only(n, seed):
    rng = np.random.default_rng(seed)
    weights, order = rng.random((n, n)), rng.permutation(n)
    plain, other = ts.filtration(weights), ts.filtration(weights[np.ix_(order, order)])
    renamed = {tuple(sorted((int(order[i]), int(order[j])))) for i, j, _ in other.tree}
    assert renamed == {edge[:2] for edge in plain.tree}
    assert [bar[:2] for bar in other.cycles] == [bar[:2] for bar in plain.cycles]


def test_one_token_and_bad_input():
    assert ts.filtration([[1.0]]).tree == ts.filtration([[1.0]]).cycles == ()
    with pytest.raises(ts.InputError, match="filtration takes one map"):
        ts.filtration(np.zeros((2, 3, 3)))
    found = ts.filtration(cases.weights(np.random.default_rng(0), 14, cases.iid))
    with pytest.raises(ts.InputError, match="not a bar of H1 of this graph"):
        found.cycle(found.components[0])
