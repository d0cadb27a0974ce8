"""What a picture of a tree shows is the tree that H0 measures."""

import io

import matplotlib.pyplot as plt
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import toposcope as ts
from toposcope.topology.drawing import draw_map, draw_tree, inches, spanning_edges


@pytest.mark.parametrize("symmetry", ["max", "upper", "lower"])
@given(n=st.integers(1, 9), seed=st.integers(0, 1000), levels=st.sampled_from([3, 10**6]))
def test_the_edges_are_those_of_the_spanning_tree(symmetry, n, seed, levels):
    weights = np.random.default_rng(seed).integers(0, levels, (n, n)) / levels
    edges = spanning_edges(weights, symmetry)
    assert len(edges) == n - 1
    assert all(i < j for i, j, _ in edges)
    assert sum(1 - weight for _, _, weight in edges) == pytest.approx(ts.h0_sum(weights, symmetry))


def test_every_edge_is_drawn():
    weights = np.random.default_rng(0).dirichlet(np.ones(5), 5)
    axes = draw_tree(weights, list("abcd$"), "upper", "a tree")
    assert len(axes.patches) == 4
    plt.close(axes.figure)


def test_long_tokens_are_cut_and_have_room():
    axes = draw_map(np.eye(2), ["x" * 50, "short"])
    assert [label.get_text() for label in axes.get_yticklabels()] == ["x" * 19 + "…", "short"]
    axes.figure.savefig(io.BytesIO())  # without room matplotlib warns
    plt.close(axes.figure)
    assert inches(["ab"]) < inches(["a" * 20]) < inches(["雨" * 20])
