"""Spectra of attention: against networkx and numpy, and what they must be on graphs one knows."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import toposcope as ts
from toposcope.topology.spectral import SMALLEST, SPECTRAL

CLOSE = {"abs": 2e-4, "rel": 2e-4}


def random_maps(seed, n, count=4):
    rng = np.random.default_rng(seed)
    return rng.dirichlet(np.full(n, 0.7), size=(count, n)).astype(np.float32)


def graph_of(a):
    links = (a + a.T) / 2
    np.fill_diagonal(links, 0)
    return nx.from_numpy_array(links.astype(float))


def entropy(numbers):
    shares = numbers / numbers.sum()
    return -(shares * np.log(shares)).sum()


@given(seed=st.integers(0, 10**6), n=st.integers(2, 14))
def test_the_laplacians_agree_with_networkx(seed, n):
    maps = random_maps(seed, n)
    found = ts.spectral_statistics(maps)
    for k, a in enumerate(maps):
        graph = graph_of(a)
        others = np.maximum(np.sort(nx.laplacian_spectrum(graph))[1:], SMALLEST)
        normals = np.sort(nx.normalized_laplacian_spectrum(graph))
        expected = {
            "laplacian_gap": others[0],
            "laplacian_max": others[-1],
            "laplacian_entropy": entropy(others),
            "normal_gap": normals[1],
            "normal_max": normals[-1],
            "normal_std": normals.std(),
        }
        for name, value in expected.items():
            assert found[name][k] == pytest.approx(value, **CLOSE), name


@given(seed=st.integers(0, 10**6), n=st.integers(3, 10))
def test_the_matrix_tree_theorem(seed, n):
    a = random_maps(seed, n, 1)[0] * 0.5 + 0.5 / n  # no link is nearly missing
    trees = nx.number_of_spanning_trees(graph_of(a), weight="weight")
    found = ts.spectral_statistics(a)["laplacian_log"]
    assert found == pytest.approx(np.log(n * trees) / (n - 1), **CLOSE)


@given(seed=st.integers(0, 10**6), n=st.integers(3, 10))
def test_resistance_between_tokens(seed, n):
    a = random_maps(seed, n, 1)[0] * 0.5 + 0.5 / n
    graph = graph_of(a)
    kirchhoff = nx.effective_graph_resistance(graph, weight="weight", invert_weight=False)
    found = ts.spectral_statistics(a)["laplacian_resistance"]
    assert found == pytest.approx(np.log(kirchhoff / n / (n - 1)), **CLOSE)


@given(seed=st.integers(0, 10**6), n=st.integers(2, 14))
def test_singular_values_agree_with_numpy(seed, n):
    maps = random_maps(seed, n)
    found = ts.spectral_statistics(maps)
    for k, a in enumerate(maps):
        values = np.maximum(np.linalg.svd(a.astype(float), compute_uv=False), SMALLEST)
        assert found["singular_max"][k] == pytest.approx(values[0], **CLOSE)
        assert found["singular_ratio"][k] == pytest.approx(values[1] / values[0], abs=2e-3)
        assert found["singular_entropy"][k] == pytest.approx(entropy(values), abs=5e-3)


def test_what_a_token_gets_is_the_diagonal_of_the_directed_laplacian():
    a = np.tril(random_maps(0, 6, 1)[0])
    a /= a.sum(1, keepdims=True)
    diagonal = np.diag(np.diag(a.sum(0)) - a) / 6
    found = ts.spectral_statistics(a)
    assert found["received_max"] == pytest.approx(diagonal.max(), abs=1e-6)
    assert found["received_std"] == pytest.approx(diagonal.std(), abs=1e-6)


def test_even_attention():
    n = 6
    found = ts.spectral_statistics(np.full((n, n), 1 / n))
    for name in ("laplacian_gap", "laplacian_max", "singular_max"):  # the complete graph: all eigenvalues 1
        assert found[name] == pytest.approx(1, abs=1e-5), name
    assert found["normal_gap"] == pytest.approx(n / (n - 1), abs=1e-5)
    assert found["laplacian_entropy"] == pytest.approx(np.log(n - 1), abs=1e-5)
    assert found["singular_ratio"] == pytest.approx(0, abs=1e-3)
    assert found["received_std"] == pytest.approx(0, abs=1e-6)


def test_a_graph_in_pieces_has_no_gap():
    piece = np.full((3, 3), 1 / 3)
    found = ts.spectral_statistics(np.block([[piece, np.zeros((3, 3))], [np.zeros((3, 3)), piece]]))
    assert found["laplacian_gap"] == pytest.approx(SMALLEST)
    assert found["normal_gap"] == pytest.approx(0, abs=1e-5)


def test_order_of_tokens_does_not_matter_and_shapes_are_kept():
    maps = random_maps(1, 7, 6).reshape(2, 3, 7, 7)
    order = np.random.default_rng(0).permutation(7)
    here, there = ts.spectral_statistics(maps), ts.spectral_statistics(maps[..., order, :][..., order])
    assert tuple(here) == SPECTRAL
    for name in SPECTRAL:
        assert here[name].shape == (2, 3)
        np.testing.assert_allclose(here[name], there[name], atol=5e-4, err_msg=name)
