"""Numbers of method.md section 7 and of the paper's toy example."""

import numpy as np
import pytest

import toposcope as ts
from tests.cases import TOY, A, B

TAUS = (0.025, 0.05, 0.1, 0.25, 0.5, 0.75)
COUNTS_A = {
    "scc": (1, 1, 1, 3, 5, 5),
    "edges": (24, 23, 20, 7, 3, 1),
    "degree": (9.6, 9.2, 8.0, 2.8, 1.2, 0.4),
    "cycles": (73, 57, 32, 3, 1, 0),
    "betti0": (1, 1, 1, 1, 3, 4),
    "betti1": (11, 11, 10, 1, 1, 0),
}
COUNTS_B = {
    "scc": (1, 1, 1, 1, 5, 5),
    "edges": (25, 25, 24, 8, 1, 0),
    "degree": (10, 10, 9.6, 3.2, 0.4, 0),
    "cycles": (89, 89, 73, 4, 0, 0),
    "betti0": (1, 1, 1, 1, 4, 5),
    "betti1": (11, 11, 11, 2, 0, 0),
}
PATTERNS_A = {
    "self": (0.851463, 0.618641),
    "first": (0.848056, 0.616166),
    "previous": (0.568369, 0.408563),
    "next": (0.792259, 0.569502),
    "comma": (1, 1),
    "dot": (0.771181, 0.560312),
    "sep": (0.892950, 0.648785),
}
PATTERNS_B = {
    "self": (0.828861, 0.613529),
    "first": (0.819367, 0.606501),
    "previous": (0.719462, 0.525429),
    "next": (0.732242, 0.534762),
    "comma": (1, 1),
    "dot": (0.780233, 0.577534),
    "sep": (0.865799, 0.640871),
}
PRECISIONS = [(np.float64, 1e-12), (np.float32, 1e-6), (np.float16, 2e-3)]


@pytest.mark.parametrize(("dtype", "within"), PRECISIONS)
@pytest.mark.parametrize(("attention", "expected"), [(A, COUNTS_A), (B, COUNTS_B)])
def test_threshold_counts(attention, expected, dtype, within):
    counts = ts.threshold_counts(attention.astype(dtype), TAUS)
    assert list(counts) == list(expected)
    for name, values in expected.items():
        np.testing.assert_allclose(counts[name], values, atol=within, err_msg=name)


@pytest.mark.parametrize(("dtype", "within"), PRECISIONS)
@pytest.mark.parametrize(
    ("attention", "symmetry", "deaths"),
    [
        (A, "max", (0.2, 0.4, 0.7, 0.7)),
        (B, "max", (0.4, 0.65, 0.7, 0.7)),
        (A, "upper", (0.6, 0.7, 0.8, 0.8)),
        (B, "upper", (0.65, 0.7, 0.7, 0.7)),
    ],
)
def test_h0(attention, symmetry, deaths, dtype, within):
    bars = ts.barcode(attention.astype(dtype), 0, symmetry)
    np.testing.assert_allclose(bars.deaths, deaths, atol=within)
    np.testing.assert_array_equal(bars.births, 0)
    assert ts.h0_sum(attention.astype(dtype), symmetry) == pytest.approx(sum(deaths), abs=4 * within)
    assert ts.h0_mean(attention.astype(dtype), symmetry) == pytest.approx(sum(deaths) / 4, abs=within)


def test_entropy_and_h1():
    assert ts.barcode(A).entropy() == pytest.approx(1.287022, abs=1e-6)
    assert ts.barcode(B).entropy() == pytest.approx(1.363790, abs=1e-6)
    assert len(ts.barcode(A, 1)) == 0
    bars = ts.barcode(B, 1)
    assert (bars.births, bars.deaths) == (pytest.approx([0.75]), pytest.approx([0.85]))


@pytest.mark.parametrize(("dtype", "within"), PRECISIONS)
def test_rtd(dtype, within):
    a, b = A.astype(dtype), B.astype(dtype)
    expected = {
        "max": ([(0.75, 0.85)], [(0.2, 0.4), (0.4, 0.65)], 0.0, 0.45),
        "upper": ([(0.7, 0.8), (0.7, 0.8)], [(0.6, 0.65)], 0.2, 0.05),
    }
    for symmetry, (ab, ba, ab_h0, ba_h0) in expected.items():
        for left, right, bars in ((a, b, ab), (b, a, ba)):
            found = ts.rtd_barcode(left, right, symmetry)
            np.testing.assert_allclose(np.stack([found.births, found.deaths], 1), bars, atol=within)
            total = sum(death - birth for birth, death in bars)
            assert ts.rtd(left, right, symmetry) == pytest.approx(total, abs=2 * within)
        both = ts.rtd_both(a, b, symmetry)
        assert (both.ab_count, both.ba_count) == (len(ab), len(ba))
        assert (both.ab_h0, both.ba_h0) == pytest.approx((ab_h0, ba_h0), abs=4 * within)


def test_symmetrisations_reverse_the_decision():
    assert ts.h0_mean(A, "max") < ts.h0_mean(B, "max")
    assert ts.h0_mean(A, "upper") > ts.h0_mean(B, "upper")


@pytest.mark.parametrize(("attention", "expected"), [(A, PATTERNS_A), (B, PATTERNS_B)])
def test_patterns(attention, expected):
    tokens = ["[CLS]", "It", "rains", ".", "[SEP]"]
    for column, normalisation in enumerate(("root", "sum")):
        found = ts.pattern_distances(
            attention, tokens, patterns=tuple(expected), normalisation=normalisation
        )
        for name, values in expected.items():
            assert found[name] == pytest.approx(values[column], abs=1e-6), name


def test_toy_graph():
    assert ts.barcode(TOY).deaths == pytest.approx([0.3, 0.4, 0.5])
    assert ts.h0_sum(TOY) == pytest.approx(1.2)
    assert ts.h0_mean(TOY) == pytest.approx(0.4)
    counts = ts.threshold_counts(TOY, (0, 0.4, 1), self_loops=False)
    assert list(counts["edges"]) == [12, 6, 0]  # each of the paper's 6, 3, 0 edges in both directions
    assert list(counts["betti0"]) == [1, 1, 4]
    assert list(counts["betti1"]) == [3, 0, 0]
