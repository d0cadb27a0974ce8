"""Folds of rows: equal shares of the labels, whole groups."""

import numpy as np
import pytest

from toposcope.stats.folds import joined_groups, stratified_folds


@pytest.mark.parametrize("seed", range(3))
def test_groups_stay_whole_and_shares_are_equal(seed):
    rng = np.random.default_rng(seed)
    labels, groups = rng.permutation(np.repeat([0, 1], [90, 210])), rng.integers(0, 150, 300)
    numbers = stratified_folds(labels, groups, 3, seed)
    assert set(numbers) == {0, 1, 2}
    for group in set(groups):
        assert len(set(numbers[groups == group])) == 1
    for fold in range(3):
        assert labels[numbers == fold].mean() == pytest.approx(0.7, abs=0.03)
    assert (numbers != stratified_folds(labels, groups, 3, seed + 1)).any()


def test_rows_hang_together_through_others():
    a, b = np.array([0, 0, 1, 2, 3, 3]), np.array([5, 6, 6, 7, 8, 0])
    groups = joined_groups(a, b)
    assert len(set(groups[:3])) == 1
    assert groups[4] == groups[5]
    assert len(set(groups)) == 3
