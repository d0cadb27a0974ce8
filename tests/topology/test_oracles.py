"""Bars, trees and divergences against ripser.py, gudhi, scipy and brute force, bit for bit.

How many graphs each of them sees, and of how many tokens, is counted at the end; the README says the same.
"""

from pathlib import Path

import numpy as np
import pytest

import toposcope as ts
from tests import cases, naive, oracles
from toposcope.topology.bars import cycle_bars, relative_bars
from toposcope.topology.graphs import as_graphs, as_pair

README = Path(__file__).parents[2] / "README.md"
SMALL, MEDIUM, LARGE = (2, 20), (21, 64), (65, 130)
MAPS = [  # seed, sizes, draws, maps a draw
    *((seed, SMALL, 40, 15) for seed in range(10)),
    *((seed, MEDIUM, 12, 5) for seed in range(10, 16)),
    *((seed, LARGE, 6, 3) for seed in range(16, 24)),
]
PAIRS = [
    *((seed, (2, 16), 40, 12) for seed in range(30, 40)),
    *((seed, (17, 48), 10, 4) for seed in range(40, 46)),
    *((seed, (49, 75), 2, 2) for seed in range(46, 50)),
]
BY_GUDHI = [(seed, (2, 30), 500) for seed in range(90, 94)]
PAIRED = 15  # tokens of a pair for gudhi, whose graph has twice as many
SYMMETRIES, FLOORS, FORCED = ("max", "upper", "lower"), (0.0, 1e-3, 0.3), 40
BY_FORCE = [(seed, (2, 9), 500) for seed in range(100, 104)]


def drawn(seed, sizes, draws):
    """A random generator and the sizes to test."""
    rng = np.random.default_rng(seed)
    return rng, rng.integers(sizes[0], sizes[1], draws, endpoint=True)


def bars_of(barcode):
    return oracles.sorted_bars(barcode.births, barcode.deaths)


@pytest.mark.parametrize(("seed", "sizes", "draws", "batch"), MAPS)
def test_h0_and_h1_equal_ripser(seed, sizes, draws, batch):
    rng, ns = drawn(seed, sizes, draws)
    for n in ns:
        maps = np.stack([cases.weights(rng, n) for _ in range(batch)])
        graphs = as_graphs(maps)
        h0, h1 = ts.barcodes(maps, 0), ts.barcodes(maps, 1)
        wide = cycle_bars(graphs, wide=True)[0].reshape(batch)
        sums = ts.h0_sum(maps)
        for g, attention in enumerate(maps):
            d = naive.distances(attention)
            expected = oracles.ripser_bars(d)
            np.testing.assert_array_equal(bars_of(h1[g]), expected)
            np.testing.assert_array_equal(bars_of(wide[g]), expected)
            np.testing.assert_array_equal(bars_of(h0[g]), oracles.ripser_bars(d, 0))
            tree = oracles.scipy_tree(d)
            assert sums[g] == pytest.approx(tree.sum(), abs=1e-9 * n)


@pytest.mark.parametrize(("seed", "sizes", "draws", "batch"), PAIRS)
def test_rtd_equals_ripser_on_the_doubled_graph(seed, sizes, draws, batch):
    rng, ns = drawn(seed, sizes, draws)
    for n in ns:
        pairs = [cases.pair(rng, n) for _ in range(batch)]
        a, b = (np.stack(side) for side in zip(*pairs, strict=True))
        both = ts.rtd_both(a, b)
        narrow, _ = relative_bars(*as_pair(a, b))
        wide, _ = relative_bars(*as_pair(a, b), wide=True)
        for g in range(batch):
            da, db = naive.distances(a[g]), naive.distances(b[g])
            for turn, (left, right) in enumerate(((da, db), (db, da))):
                expected = oracles.ripser_bars(naive.doubled(left, right))
                np.testing.assert_array_equal(bars_of(narrow[g, turn]), expected)
                np.testing.assert_array_equal(bars_of(wide[g, turn]), expected)
                total = (expected[:, 1].astype(float) - expected[:, 0]).sum()
                assert (both.ab_sum, both.ba_sum)[turn][g] == pytest.approx(total, abs=1e-9)
                assert (both.ab_count, both.ba_count)[turn][g] == len(expected)
                tree = oracles.scipy_tree(np.maximum(da, db)).sum() - oracles.scipy_tree(right).sum()
                assert (both.ab_h0, both.ba_h0)[turn][g] == pytest.approx(tree, abs=1e-9 * n)


# how long a map of each kind may be for ripser to end within seconds
LONG = (
    (cases.sharp_heads, 400),
    (cases.blocks, 300),
    (cases.one_hot_rows, 240),
    (cases.levels, 600),
    (cases.metric, 600),
    (cases.identity, 600),
)


@pytest.mark.parametrize("seed", range(60, 72))
def test_long_maps_equal_ripser(seed):
    """200 to 600 tokens: the general sweep, with many words a row."""
    rng = np.random.default_rng(seed)
    for family, longest in LONG * 4:
        n = rng.integers(200, longest, endpoint=True)
        attention = cases.weights(rng, n, family)
        d = naive.distances(attention)
        tree = oracles.scipy_tree(d)
        np.testing.assert_allclose(ts.barcode(attention, 0).deaths, tree[tree > 0], atol=1e-9)
        np.testing.assert_array_equal(bars_of(ts.barcode(attention, 1)), oracles.ripser_bars(d))


@pytest.mark.parametrize("seed", range(80, 84))
def test_long_pairs_equal_ripser(seed):
    rng, ns = drawn(seed, (76, 300), 5)
    for n in ns:
        a = cases.weights(rng, n, cases.sharp_heads)
        b = (0.8 * a + 0.2 * cases.weights(rng, n, cases.sharp_heads)).astype(np.float32)
        doubled = naive.doubled(naive.distances(a), naive.distances(b))
        np.testing.assert_array_equal(bars_of(ts.rtd_barcode(a, b)), oracles.ripser_bars(doubled))


@pytest.mark.parametrize(("seed", "sizes", "draws"), BY_GUDHI)
def test_maps_and_pairs_equal_gudhi(seed, sizes, draws):
    """Every second map is one of levels, so that there are ties; half of them have a partner."""
    rng, ns = drawn(seed, sizes, draws)
    for k, n in enumerate(ns):
        attention = cases.weights(rng, n, cases.levels if k % 2 else None)
        d = naive.distances(attention)
        h0, h1 = oracles.gudhi_bars(d)
        np.testing.assert_array_equal(bars_of(ts.barcode(attention, 0)), h0)
        np.testing.assert_array_equal(bars_of(ts.barcode(attention, 1)), h1)
        if k % 4 < 2:
            continue
        few = min(n, PAIRED)
        other = cases.weights(rng, few, cases.levels if k % 2 else None)
        _, expected = oracles.gudhi_bars(naive.doubled(d[:few, :few], naive.distances(other)))
        np.testing.assert_array_equal(bars_of(ts.rtd_barcode(attention[:few, :few], other)), expected)


@pytest.mark.parametrize(("seed", "sizes", "draws"), BY_FORCE)
def test_maps_equal_brute_force(seed, sizes, draws):
    rng, ns = drawn(seed, sizes, draws)
    for k, n in enumerate(ns):
        attention = cases.weights(rng, n, cases.levels if k % 2 else None)
        d = naive.distances(attention)
        bars = ts.barcode(attention, 1)
        assert list(zip(bars.births, bars.deaths, strict=True)) == naive.reduction_bars(d)
        tree = [length for length in naive.kruskal(d) if length > 0]
        assert list(ts.barcode(attention, 0).deaths) == tree


@pytest.mark.parametrize("symmetry", SYMMETRIES)
@pytest.mark.parametrize("floor", FLOORS)
def test_brute_force(symmetry, floor):
    """The reduction of all simplices, on every symmetrisation and floor, in both precisions."""
    rng = np.random.default_rng(100)
    for _ in range(FORCED):
        a, b = cases.pair(rng, rng.integers(1, 8))
        for dtype in (np.float32, np.float64):
            x, y = a.astype(dtype), b.astype(dtype)
            dx, dy = (naive.distances(w, symmetry, dtype(floor)) for w in (x, y))
            bars = ts.barcode(x, 1, symmetry, floor)
            assert list(zip(bars.births, bars.deaths, strict=True)) == naive.reduction_bars(dx)
            tree = [length for length in naive.kruskal(dx) if length > 0]
            assert list(ts.barcode(x, 0, symmetry, floor).deaths) == tree
            bars = ts.rtd_barcode(x, y, symmetry, floor)
            expected = naive.reduction_bars(naive.doubled(dx, dy))
            assert list(zip(bars.births, bars.deaths, strict=True)) == expected


def test_more_than_64_classes_alive():
    """A bipartite graph bears a class with almost every edge: one word a label is not enough."""
    n = 40
    side = np.arange(n) % 2
    rng = np.random.default_rng(5)
    closeness = np.where(side[:, None] != side, 0.9, 0.1) - 0.05 * rng.random((n, n))
    attention = np.maximum(closeness, closeness.T).astype(np.float32)
    d = naive.distances(attention)
    expected = oracles.ripser_bars(d)
    assert len(expected) > 300
    np.testing.assert_array_equal(bars_of(ts.barcode(attention, 1)), expected)


@pytest.mark.parametrize("n", [17, 33, 64])
def test_classes_are_renumbered(n):
    """More than 64 classes over time but never 64 at once: small groups, one after the other."""
    rng = np.random.default_rng(n)
    for _ in range(30):
        attention = cases.weights(rng, n, cases.iid)
        np.testing.assert_array_equal(
            bars_of(ts.barcode(attention, 1)), oracles.ripser_bars(naive.distances(attention))
        )


def test_double_precision_equals_single_on_single_precision_numbers():
    rng = np.random.default_rng(7)
    for n in (1, 2, 3, 11, 40, 70):
        a, b = (np.stack([cases.weights(rng, n) for _ in range(6)]) for _ in range(2))
        wide_a, wide_b = a.astype(np.float64), b.astype(np.float64)
        assert ts.h0_sum(wide_a) == pytest.approx(ts.h0_sum(a), abs=1e-6 * n)
        assert ts.rtd(wide_a, wide_b) == pytest.approx(ts.rtd(a, b), abs=1e-5 * n)
        for single, double in zip(ts.barcodes(a, 1), ts.barcodes(wide_a, 1), strict=True):
            assert double.sum() == pytest.approx(single.sum(), abs=1e-5 * n)


def test_double_precision_tells_apart_what_single_does_not():
    attention = np.full((3, 3), 1 / 3)
    attention[0, 1] += 1e-12
    assert len(set(ts.barcode(attention).deaths)) == 2
    assert len(set(ts.barcode(attention.astype(np.float32)).deaths)) == 1


def test_ranks_in_pieces(monkeypatch):
    """Double precision in several portions gives what one portion gives."""
    rng = np.random.default_rng(8)
    a, b = (np.stack([cases.iid(rng, 9) for _ in range(7)]) for _ in range(2))
    whole = ts.rtd_both(a, b)
    monkeypatch.setattr("toposcope.topology.bars.RANKED_AT_ONCE", 150)
    parts = ts.rtd_both(a, b)
    np.testing.assert_array_equal(whole.ab_sum, parts.ab_sum)
    np.testing.assert_array_equal(whole.ba_h0, parts.ba_h0)


def test_the_readme_says_how_many_graphs_each_oracle_saw():
    """Maps and pairs; a pair is a graph for each direction that is looked at."""
    ripser = sum(draws * batch for _, _, draws, batch in MAPS)
    ripser += 2 * sum(draws * batch for _, _, draws, batch in PAIRS)
    gudhi = sum(draws + draws // 2 for _, _, draws in BY_GUDHI)
    force = sum(draws for _, _, draws in BY_FORCE)
    force += 2 * 2 * len(SYMMETRIES) * len(FLOORS) * FORCED  # maps and pairs, in two precisions
    said = (
        f"ripser.py on {ripser:,} graphs of up to {LARGE[1]} tokens (and some hundred of up to 600), gudhi "
        f"on {gudhi:,} of up to {BY_GUDHI[0][1][1]}, and a brute-force reduction on {force:,} of up to "
        f"{BY_FORCE[0][1][1]};"
    )
    assert min(gudhi, force) >= 3000
    assert said in " ".join(README.read_text(encoding="utf-8").split()), said
