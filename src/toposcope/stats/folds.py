"""Cutting rows into folds: in every fold its share of each label, and no group in two of them."""

from __future__ import annotations

import numpy as np

from toposcope.errors import told_if_missing


def stratified_folds(labels: np.ndarray, groups: np.ndarray, folds: int, seed: int = 0) -> np.ndarray:
    """A fold for each row: shares of the labels as equal as whole groups allow."""
    with told_if_missing():
        from sklearn.model_selection import StratifiedGroupKFold
    splitter = StratifiedGroupKFold(folds, shuffle=True, random_state=seed)
    numbers = np.empty(len(labels), int)
    for number, (_, left_out) in enumerate(splitter.split(groups, labels, groups)):
        numbers[left_out] = number
    return numbers


def joined_groups(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Groups of rows that share a number in ``a`` or in ``b``, directly or through others."""
    with told_if_missing():
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components
    # A graph whose vertices are the numbers of a and, behind them, those of b; a row is an edge. Rows
    # belong together where their edges hang together.
    width = int(a.max()) + 1
    graph = coo_array((np.ones(len(a)), (a, width + b)), shape=(width + int(b.max()) + 1,) * 2)
    return connected_components(graph, directed=False)[1][a]
