"""Edges of the spanning tree are those that H0 measures."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import toposcope as ts
from toposcope.topology.filtration import spanning_edges


@pytest.mark.parametrize("symmetry", ["max", "upper", "lower"])
@given(n=st.integers(1, 9), seed=st.integers(0, 1000), levels=st.sampled_from([3, 10**6]))
def test_the_edges_are_those_of_the_spanning_tree(symmetry, n, seed, levels):
    weights = np.random.default_rng(seed).integers(0, levels, (n, n)) / levels
    edges = spanning_edges(weights, symmetry)
    assert len(edges) == n - 1
    assert all(i < j for i, j, _ in edges)
    assert sum(1 - weight for _, _, weight in edges) == pytest.approx(ts.h0_sum(weights, symmetry))
