"""What goes in: shapes, precisions, and errors that name the place."""

import numpy as np
import pytest

import toposcope as ts
from tests import cases, oracles
from tests.cases import A, B
from toposcope.kernels import threads

FUNCTIONS = {
    "h0_sum": ts.h0_sum,
    "h0_mean": ts.h0_mean,
    "barcodes": lambda maps, **options: ts.barcodes(maps, 1, **options).sum(),
    "rtd": lambda maps, **options: ts.rtd(maps, maps, **options),
    "threshold_counts": lambda maps, **options: ts.threshold_counts(maps, **options)["scc"],
}
ON_WEIGHTS = {**FUNCTIONS, "patterns": ts.pattern_distances, "words": ts.check_rows}
each = pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
each_on_weights = pytest.mark.parametrize("function", ON_WEIGHTS.values(), ids=ON_WEIGHTS)


def spoiled(value, dtype=np.float32):
    """Maps (2, 3, 5, 5) with one bad entry at [1, 2, 3, 4]."""
    maps = np.tile(A, (2, 3, 1, 1)).astype(dtype)
    maps[1, 2, 3, 4] = value
    return maps


@each_on_weights
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize(
    ("value", "what"),
    [
        (np.nan, "= nan is NaN"),
        (np.inf, "= inf is infinite"),
        (-np.inf, "= -inf is infinite"),
        (-0.25, "= -0.25 is negative"),
        (1.25, "= 1.25 is above 1"),
    ],
)
def test_bad_entries_are_named(function, value, what, dtype):
    with pytest.raises(ts.InputError, match=r"(maps|a)\[1, 2, 3, 4\] " + what):
        function(spoiled(value, dtype))


def test_bad_entries_are_found_in_the_unused_triangle():
    bad = A.copy()
    bad[3, 0] = np.nan
    with pytest.raises(ts.InputError, match=r"maps\[3, 0\] = nan"):
        ts.h0_sum(bad, "upper")


@each_on_weights
def test_not_square(function):
    with pytest.raises(ts.InputError, match=r"shape \(2, 3, 4\): accepted are square"):
        function(np.zeros((2, 3, 4)))
    with pytest.raises(ts.InputError, match=r"shape \(4,\): accepted are square"):
        function(np.zeros(4))


@each_on_weights
@pytest.mark.parametrize("dtype", [str, complex, object, "datetime64[s]"])
def test_not_numeric(function, dtype):
    with pytest.raises(ts.InputError, match=r"has dtype .*: accepted are float16"):
        function(np.zeros((2, 2)).astype(dtype) if dtype != "datetime64[s]" else np.zeros((2, 2), dtype))


def test_ragged():
    with pytest.raises(ts.InputError, match="is not a numeric array"):
        ts.h0_sum([[[1.0]], [[1.0, 0.0], [0.0, 1.0]]])


@each_on_weights
def test_no_tokens(function):
    with pytest.raises(ts.InputError, match="at least one token"):
        function(np.zeros((3, 0, 0)))


def test_too_many_tokens():
    huge = np.broadcast_to(np.float32(0), (70_000, 70_000))
    with pytest.raises(ts.InputError, match="70000 tokens a map: accepted are up to 65536"):
        ts.h0_sum(huge)


@pytest.mark.parametrize("function", [ts.rtd, ts.rtd_both, ts.rtd_barcode])
def test_mismatched_pair(function):
    with pytest.raises(ts.InputError, match=r"a has shape \(5, 5\), b has \(4, 4\)"):
        function(A, B[:4, :4])
    with pytest.raises(ts.InputError, match=r"a has shape \(1, 5, 5\), b has \(5, 5\)"):
        function(A[None], B)
    bad = B.copy()
    bad[1, 0] = np.nan
    with pytest.raises(ts.InputError, match=r"b\[1, 0\] = nan"):
        function(A, bad)


def test_rows_are_checked_on_request():
    maps = np.tile(A, (2, 3, 1, 1))
    assert ts.check_rows(maps) is maps
    maps[1, 0, 3] *= 0.5
    with pytest.raises(ts.InputError, match=r"maps\[1, 0, 3\] sums to 0.5"):
        ts.check_rows(maps)
    assert ts.h0_sum(maps).shape == (2, 3)  # not asked, not checked
    assert ts.check_rows(maps, tolerance=0.6) is maps


@pytest.mark.parametrize(
    ("value", "at", "what"),
    [
        (np.nan, (0, 1), r"maps\[0, 1\] = nan is NaN"),
        (-1, (0, 1), r"maps\[0, 1\] = -1.0 is negative"),
        (2, (1, 1), r"maps\[1, 1\] = 2.0 stands on the diagonal"),
        (9, (0, 2), r"maps\[0, 2\] = 9.0 differs from its mirror image"),
    ],
)
def test_bad_distances(value, at, what):
    d = np.ones((3, 3)) - np.eye(3)
    d[at] = value
    with pytest.raises(ts.InputError, match=what):
        ts.h0_sum(d, kind="distance")


def test_bad_options():
    with pytest.raises(ts.InputError, match="symmetry='both'"):
        ts.h0_sum(A, "both")
    with pytest.raises(ts.InputError, match="kind='weights'"):
        ts.h0_sum(A, kind="weights")
    with pytest.raises(ts.InputError, match=r"floor=1.5"):
        ts.h0_sum(A, floor=1.5)
    with pytest.raises(ts.InputError, match="dimension=2"):
        ts.barcode(A, 2)
    with pytest.raises(ts.InputError, match="barcode takes one map"):
        ts.barcode(A[None])
    with pytest.raises(ts.InputError, match="rtd_barcode takes one pair"):
        ts.rtd_barcode(A[None], B[None])


@each
def test_one_and_two_tokens(function):
    assert np.shape(function(np.ones((4, 1, 1))))[:1] == (4,)
    assert np.shape(function(np.full((4, 2, 2), 0.5)))[:1] == (4,)


def test_values_of_one_and_two_tokens():
    assert ts.h0_sum([[1.0]]) == ts.h0_mean([[1.0]]) == ts.rtd([[1.0]], [[0.0]]) == 0
    pair = [[0.3, 0.7], [0.1, 0.9]]
    assert ts.h0_sum(pair) == ts.h0_mean(pair) == pytest.approx(0.3)
    assert len(ts.barcode([[1.0]], 1)) == len(ts.barcode(pair, 1)) == 0
    assert ts.rtd([[0.9, 0.1], [0.1, 0.9]], pair) == pytest.approx(0.6)
    assert ts.threshold_counts([[1.0]], [0.5])["cycles"] == 1


@each
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_empty_batches(function, dtype):
    assert np.shape(function(np.zeros((0, 3, 5, 5), dtype)))[:2] == (0, 3)


@each
def test_leading_shapes(function):
    rng = np.random.default_rng(0)
    maps = np.stack([cases.weights(rng, 6) for _ in range(12)])
    flat = function(maps)
    shaped = function(maps.reshape(2, 3, 2, 6, 6))
    assert np.shape(shaped)[:3] == (2, 3, 2)
    assert (np.reshape(shaped, np.shape(flat)) == flat).all()
    single = function(maps[0])
    assert (np.asarray(single, object) == np.asarray(flat[0], object)).all()


@each
def test_any_memory_layout(function):
    rng = np.random.default_rng(1)
    maps = np.stack([cases.weights(rng, 6) for _ in range(4)])
    expected = function(maps)
    frozen = maps.copy()
    frozen.setflags(write=False)
    strided = np.repeat(maps, 2, axis=0)[::2]
    fortran = np.asfortranarray(maps)
    for same in (frozen, strided, fortran, maps.tolist()):
        found = function(same if not isinstance(same, list) else np.array(same, np.float32))
        assert (found == expected).all()
    np.testing.assert_array_equal(frozen, maps)


def test_input_stays_as_it_was():
    maps = np.tile(A, (3, 1, 1)).astype(np.float32)
    before = maps.copy()
    for function in FUNCTIONS.values():
        function(maps)
    np.testing.assert_array_equal(maps, before)


def test_negative_zero_is_zero():
    maps = np.zeros((2, 4, 4), np.float32)
    signed = -maps
    assert (ts.h0_sum(signed) == ts.h0_sum(maps)).all()
    assert (ts.rtd(signed, maps) == 0).all()
    d = np.zeros((3, 3))
    assert ts.h0_sum(-d, kind="distance") == 0


def test_a_weight_of_one_plus_rounding_is_one():
    nearly = np.array([[0, 1.0000001], [1.0000001, 0]], np.float32)
    assert ts.h0_sum(nearly) == 0
    assert ts.barcode(nearly.astype(np.float64)).sum() == 0


def test_integers_and_booleans():
    assert ts.h0_sum(np.eye(3, dtype=int)) == ts.h0_sum(np.eye(3, dtype=bool)) == 2
    assert ts.h0_sum(np.array([[0, 7], [7, 0]]), kind="distance") == 7


def test_mixed_precision_pairs():
    assert ts.rtd(A.astype(np.float32), B) == pytest.approx(ts.rtd(A, B), abs=1e-6)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_infinite_distances(dtype):
    """Two triangles far apart, and a square that is never filled."""
    apart = np.full((6, 6), np.inf)
    apart[:3, :3] = apart[3:, 3:] = 1
    np.fill_diagonal(apart, 0)
    bars = ts.barcode(apart.astype(dtype), kind="distance")
    assert list(bars.deaths) == [1] * 4
    assert list(bars.endless) == [0, 0]
    assert ts.h0_sum(apart.astype(dtype), kind="distance") == 4
    assert ts.h0_mean(apart.astype(dtype), kind="distance") == 1
    square = np.full((4, 4), np.inf)
    for i in range(4):
        square[i, (i + 1) % 4] = square[(i + 1) % 4, i] = 2
    np.fill_diagonal(square, 0)
    bars = ts.barcode(square.astype(dtype), 1, kind="distance")
    assert len(bars) == 0
    assert list(bars.endless) == [2]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_divergence_with_infinite_distances(dtype):
    near = (np.ones((4, 4)) - np.eye(4)).astype(dtype)
    apart = near.copy()
    apart[:2, 2:] = apart[2:, :2] = np.inf
    both = ts.rtd_both(apart, near, kind="distance")
    assert np.isnan(both.ab_h0)  # near is connected, max(apart, near) is not
    assert both.ba_h0 == both.ba_sum == 0
    assert list(ts.rtd_barcode(apart, near, kind="distance").endless) == [1]
    both = ts.rtd_both(apart, apart, kind="distance")
    assert both.ab_sum == both.ab_h0 == both.ab_cycles == 0


def test_infinite_distances_equal_ripser():
    rng = np.random.default_rng(2)
    for _ in range(200):
        n = rng.integers(2, 25)
        d = np.triu(rng.random((n, n)), 1).astype(np.float32)
        d[rng.random((n, n)) < rng.choice([0.3, 0.6, 0.9])] = np.inf
        d = np.triu(d, 1) + np.triu(d, 1).T
        for dimension in (0, 1):
            bars = ts.barcode(d, dimension, kind="distance")
            expected = oracles.ripser_bars(d, dimension)
            np.testing.assert_array_equal(oracles.sorted_bars(bars.births, bars.deaths), expected)


@each
@pytest.mark.parametrize("n", [9, 40, 80])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_any_number_of_threads_gives_the_same(function, n, dtype, monkeypatch):
    monkeypatch.setattr(threads, "usable_cores", lambda: 7)
    rng = np.random.default_rng(n)
    maps = np.stack([cases.weights(rng, n) for _ in range(2_000 if n == 9 else 70)]).astype(dtype)
    expected = function(maps, threads=1)
    for count in (2, 3, 7):
        assert (function(maps, threads=count) == expected).all()
