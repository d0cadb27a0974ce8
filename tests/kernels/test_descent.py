"""Coordinate descent on a parabola with kinks."""

import numpy as np
import pytest

from tests import naive
from toposcope.kernels.run import coordinate_descent


def problem(columns, seed):
    """Columns that mostly say the same two things; the last has no kink."""
    rng = np.random.default_rng(seed)
    values = rng.standard_normal((50, 2)) @ rng.standard_normal((2, columns)) + rng.standard_normal(
        (50, columns)
    )
    curvature = values.T @ values
    weights = np.where(rng.random(columns) < 0.5, rng.standard_normal(columns), 0)
    kinks = np.append(np.full(columns - 1, 20.0), 0)
    return weights, curvature @ weights - values.T @ rng.standard_normal(50) * 5, curvature, kinks


@pytest.mark.parametrize("columns", [1, 2, 30])
@pytest.mark.parametrize("seed", range(3))
def test_the_naive_version_to_the_last_bit(columns, seed):
    given = problem(columns, seed)
    for sweeps in (0, 1, 5):
        ours = coordinate_descent(*given, 1.01, sweeps)
        for one, other in zip(ours, naive.coordinate_descent(*given, 1.01, sweeps), strict=True):
            np.testing.assert_array_equal(one, other)


def test_where_it_ends_no_weight_is_pulled():
    weights, slope, curvature, kinks = problem(20, 0)
    aim = slope - curvature @ weights
    weights, slope = coordinate_descent(weights, slope, curvature, kinks, 1.0, 2000)
    np.testing.assert_allclose(slope, curvature @ weights + aim, atol=1e-6)
    used = weights != 0
    assert 1 < used.sum() < 20
    np.testing.assert_allclose(slope[used], -(kinks * np.sign(weights))[used], atol=1e-6)
    assert (np.abs(slope) <= kinks + 1e-6).all()


def test_what_is_given_stays_as_it_is():
    given = problem(5, 1)
    before = [array.copy() for array in given]
    coordinate_descent(*given, 1.0, 3)
    for one, other in zip(given, before, strict=True):
        np.testing.assert_array_equal(one, other)
