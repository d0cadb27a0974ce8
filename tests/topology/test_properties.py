"""Laws that hold for every map (end of kernels.md), searched for exceptions by hypothesis."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import toposcope as ts
from tests import naive

SYMMETRIES = st.sampled_from(["max", "upper", "lower"])
LEVELS = st.sampled_from([0.0, 0.25, 0.5, 1.0])  # many ties
EXACT = st.integers(0, 1 << 16).map(lambda k: k / (1 << 16))  # 1 - w and sums are exact


@st.composite
def matrices(draw, count=1, sizes=(1, 9)):
    n = draw(st.integers(*sizes))
    elements = draw(st.sampled_from([LEVELS, EXACT]))
    return [draw(arrays(np.float32, (n, n), elements=elements)) for _ in range(count)]


@given(matrices(), SYMMETRIES)
def test_a_graph_does_not_diverge_from_itself(maps, symmetry):
    assert ts.rtd(maps[0], maps[0], symmetry) == 0


@given(matrices(2), SYMMETRIES)
def test_nothing_is_beyond_a_closer_graph(maps, symmetry):
    closer = np.maximum(*maps)  # larger weights, smaller distances
    assert ts.rtd(closer, maps[0], symmetry) == 0


@given(matrices(2), SYMMETRIES)
def test_two_parts(maps, symmetry):
    a, b = maps
    both = ts.rtd_both(a, b, symmetry)
    smaller = np.minimum(naive.symmetric(a, symmetry), naive.symmetric(b, symmetry))
    h0_max = ts.h0_sum(smaller)
    assert both.ab_h0 == h0_max - ts.h0_sum(b, symmetry) >= 0
    assert both.ba_h0 == h0_max - ts.h0_sum(a, symmetry) >= 0
    assert both.ab_cycles >= 0
    assert both.ba_cycles >= 0
    assert both.ab_sum == both.ab_h0 + both.ab_cycles
    difference = (both.h0_sum_a - both.h0_sum_b) + (both.ab_cycles - both.ba_cycles)
    assert both.ab_sum - both.ba_sum == pytest.approx(difference, abs=1e-12)
    assert both.ab_sum == ts.rtd_both(b, a, symmetry).ba_sum


@given(matrices(2), st.randoms(use_true_random=False))
def test_renaming_tokens_changes_nothing(maps, random):
    order = list(range(len(maps[0])))
    random.shuffle(order)
    a, b = (w[np.ix_(order, order)] for w in maps)
    assert ts.barcode(a, 0) == ts.barcode(maps[0], 0)
    assert ts.barcode(a, 1) == ts.barcode(maps[0], 1)
    assert ts.rtd_barcode(a, b) == ts.rtd_barcode(*maps)
    statistics = ("scc", "edges", "cycles", "betti0", "betti1", "matching", "chordal")
    for name, counts in ts.threshold_counts(a, (0.2, 0.5), statistics=statistics).items():
        expected = ts.threshold_counts(maps[0], (0.2, 0.5), statistics=statistics)[name]
        np.testing.assert_array_equal(counts, expected, err_msg=name)


@given(matrices(2))
def test_number_of_bars(maps):
    n = len(maps[0])
    assert len(ts.barcode(maps[0], 0)) <= n - 1 or n == 1
    assert len(ts.barcode(maps[0], 1)) <= n * (n - 1) // 2
    assert ts.rtd_both(*maps).ab_count <= n * (n - 1) // 2


@given(matrices(2, sizes=(1, 6)))
def test_rtd_is_the_doubled_graph(maps):
    a, b = map(naive.distances, maps)
    bars = ts.rtd_barcode(*maps)
    expected = naive.reduction_bars(naive.doubled(a, b))
    assert list(zip(bars.births, bars.deaths, strict=True)) == expected
    glued = ts.barcode(naive.doubled(a, b), 1, kind="distance")
    assert list(zip(glued.births, glued.deaths, strict=True)) == expected


@given(matrices())
def test_h0_is_a_spanning_tree(maps):
    tree = naive.kruskal(naive.distances(maps[0]))
    assert ts.h0_sum(maps[0]) == sum(map(float, tree))
    assert ts.h0_mean(maps[0]) == sum(map(float, tree)) / max(len(tree), 1)


@given(matrices(), st.floats(0, 1, width=32))
def test_euler_characteristic(maps, tau):
    counts = ts.threshold_counts(maps[0], [tau])
    n = len(maps[0])
    links = np.tril(np.maximum(maps[0], maps[0].T) >= np.float32(tau)).sum()
    assert counts["betti1"] == links - n + counts["betti0"]
    assert counts["degree"] == 2 * counts["edges"] / n
    assert counts["betti0"] <= counts["scc"] <= n


@given(matrices(), SYMMETRIES)
def test_distances_and_weights_agree(maps, symmetry):
    d = naive.distances(maps[0], symmetry)
    for dimension in (0, 1):
        assert ts.barcode(d, dimension, kind="distance") == ts.barcode(maps[0], dimension, symmetry)


@given(matrices(), st.sampled_from([np.float32, np.float64]))
def test_barcodes_scale_with_distances(maps, dtype):
    d = naive.distances(maps[0]).astype(dtype)
    for dimension in (0, 1):
        bars = ts.barcode(d, dimension, kind="distance")
        scaled = ts.barcode(8 * d, dimension, kind="distance")
        np.testing.assert_array_equal(scaled.deaths, 8 * bars.deaths)
        np.testing.assert_array_equal(scaled.births, 8 * bars.births)


@given(matrices())
def test_betti_curve_is_the_barcode(maps):
    """Components at threshold tau are the H0 bars not yet dead at 1 - tau, plus the endless one."""
    bars = ts.barcode(maps[0])
    for tau in (0.1, 0.3, 0.6, 0.9):
        alive = int((bars.deaths > np.float32(1) - np.float32(tau)).sum())
        assert ts.threshold_curves(maps[0]).at(tau)["betti0"] == alive + 1
