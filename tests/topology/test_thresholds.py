"""Counts and curves against networkx and brute force."""

import numpy as np
import pytest

import toposcope as ts
from tests import cases, naive, oracles

TAUS = (0.025, 0.05, 0.1, 0.25, 0.5, 0.75)
EVERYTHING = ("scc", "edges", "degree", "cycles", "betti0", "betti1", "weak", "matching", "chordal")


def check(maps, taus, cap, oracle, names):
    counts = ts.threshold_counts(maps, taus, cap, statistics=names)
    for g, attention in enumerate(maps):
        for k, tau in enumerate(taus):
            expected = oracle(attention, np.float32(tau), cap)
            for name in names:
                assert counts[name][g, k] == pytest.approx(expected[name]), (name, tau, attention)


@pytest.mark.parametrize("seed", range(8))
def test_equal_networkx(seed):
    rng = np.random.default_rng(seed)
    for n in rng.integers(1, 24, 12):
        maps = np.stack([cases.weights(rng, n) for _ in range(6)])
        check(maps, TAUS, int(rng.choice([1, 50, 500])), oracles.networkx_counts, EVERYTHING)


@pytest.mark.parametrize("n", [63, 64, 65, 100, 130, 200])
def test_equal_networkx_around_the_word_size(n):
    rng = np.random.default_rng(n)
    families = (cases.sharp_heads, cases.softmax, cases.blocks)
    maps = np.stack([cases.weights(rng, n, family) for family in families])
    check(maps, TAUS, 500, oracles.networkx_counts, EVERYTHING)


@pytest.mark.parametrize("n", [70, 129])
def test_sparse_long_graphs_count_all_cycles(n):
    """Few enough cycles that the depth-first search, not the quick bounds, decides."""
    rng = np.random.default_rng(n)
    for _ in range(10):
        sparse = (rng.random((n, n)) < 1.1 / n) * rng.random((n, n))
        check(sparse[None].astype(np.float32), (0.05, 0.4), 400, oracles.networkx_counts, EVERYTHING)


def test_equal_brute_force():
    rng = np.random.default_rng(3)
    for _ in range(150):
        n = rng.integers(1, 7)
        maps = cases.weights(rng, n)[None]
        names = EVERYTHING[:6]
        check(maps, TAUS, 10**6, naive.threshold_counts, names)
        linked = np.maximum(maps[0], maps[0].T) >= np.float32(0.25)
        found = ts.threshold_counts(maps[0], [0.25], statistics=("matching",))
        assert found["matching"] == naive.matching_size(linked & ~np.eye(n, dtype=bool))


def test_shapes_and_order_of_thresholds():
    rng = np.random.default_rng(4)
    maps = np.stack([cases.weights(rng, 7) for _ in range(6)]).reshape(2, 3, 7, 7)
    counts = ts.threshold_counts(maps, (0.5, 0.1, 0.5))
    assert counts["edges"].shape == (2, 3, 3)
    for name, values in counts.items():
        np.testing.assert_array_equal(values[..., 0], values[..., 2], err_msg=name)
        upper = ts.threshold_counts(maps, (0.1,))[name]
        np.testing.assert_array_equal(values[..., 1], upper[..., 0], err_msg=name)
    assert ts.threshold_counts(maps, ())["scc"].shape == (2, 3, 0)
    assert ts.threshold_counts(maps[0, 0], (0.1,))["scc"].shape == (1,)


def test_cap_stops_counting():
    full = np.full((30, 30), 1 / 30)
    assert ts.threshold_counts(full, [0.01])["cycles"] == 500
    assert ts.threshold_counts(full, [0.01], cycle_cap=7)["cycles"] == 7
    assert ts.threshold_counts(full, [0.01], cycle_cap=0)["cycles"] == 0


def test_half_precision_weights_reach_their_own_threshold():
    tenth = np.full((2, 2), 0.1, np.float16)
    assert ts.threshold_counts(tenth, [0.1])["edges"] == 4
    assert ts.threshold_curves(tenth).at(0.1)["edges"] == 4


def test_distances_have_no_loops():
    d = np.array([[0, 1, 5], [1, 0, np.inf], [5, np.inf, 0]])
    counts = ts.threshold_counts(d, (0.5, 1, 5, 100), kind="distance")
    assert list(counts["edges"]) == [0, 2, 4, 4]
    assert list(counts["betti0"]) == [3, 2, 1, 1]
    assert list(counts["cycles"]) == [0, 1, 2, 2]


@pytest.mark.parametrize("self_loops", [True, False])
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_curves_equal_counts_everywhere(self_loops, dtype):
    rng = np.random.default_rng(5)
    for _ in range(60):
        attention = cases.weights(rng, rng.integers(1, 20)).astype(dtype)
        curves = ts.threshold_curves(attention, self_loops=self_loops)
        taus = np.concatenate([[-0.5, 0, 1, 2], rng.choice(attention.ravel(), 5), rng.random(5)])
        counts = ts.threshold_counts(attention, taus, self_loops=self_loops)
        for name, values in curves.at(taus).items():
            np.testing.assert_array_equal(values, counts[name], err_msg=name)


def test_curves_of_distances():
    rng = np.random.default_rng(6)
    for _ in range(40):
        n = rng.integers(1, 15)
        d = np.triu(rng.choice([0.5, 1.0, 2.0, 7.0, np.inf], (n, n)), 1)
        d = d + d.T
        curves = ts.threshold_curves(d, kind="distance")
        taus = [0, 0.4, 0.5, 1, 1.5, 2, 7, 9]
        counts = ts.threshold_counts(d, taus, kind="distance")
        for name, values in curves.at(taus).items():
            np.testing.assert_array_equal(values, counts[name], err_msg=name)


def test_curves_draw():
    ax = ts.threshold_curves(cases.A).plot()
    assert [line.get_label() for line in ax.get_lines()] == ["edges", "betti0", "betti1"]
    ax = ts.threshold_curves(np.array([[0, 3.0], [3.0, 0]]), kind="distance").plot()
    assert ax.get_xlim()[1] == 3


def test_bad_options():
    with pytest.raises(ts.InputError, match=r"statistics=.*accepted are scc"):
        ts.threshold_counts(cases.A, statistics=("circles",))
    with pytest.raises(ts.InputError, match="cycle_cap=-1"):
        ts.threshold_counts(cases.A, cycle_cap=-1)
    with pytest.raises(ts.InputError, match="accepted is a list of numbers"):
        ts.threshold_counts(cases.A, [np.nan])
    with pytest.raises(ts.InputError, match="takes one map"):
        ts.threshold_curves(cases.A[None])
