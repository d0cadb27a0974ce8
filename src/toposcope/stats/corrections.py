"""Many comparisons at once: what p-values are worth when there are several of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from toposcope.errors import InputError


def holm(p_values: ArrayLike) -> np.ndarray:
    """p-values corrected for their number: the smallest of m counts m times, the next m - 1 times, ...

    With Holm's step-down procedure the chance that even one of the comparisons in which nothing differs
    comes out below a level is at most that level, whatever the comparisons have to do with each other. A
    corrected value is never below that of a smaller p-value, and grows with each of the values that go in;
    so where only a bound of a p-value is known, what comes out is a bound, too.

    Parameters
    ----------
    p_values : array, shape (m,)
        From 0 to 1.

    Returns
    -------
    array, shape (m,)
        In the order of the values.

    References
    ----------
    Holm (1979), A simple sequentially rejective multiple test procedure. Scandinavian Journal of
    Statistics 6, 65-70.
    """
    given = np.asarray(p_values, np.float64)
    if given.ndim != 1 or not np.all((given >= 0) & (given <= 1)):
        raise InputError(f"p-values {given!r}: accepted is a list of numbers from 0 to 1.")
    order = np.argsort(given, kind="stable")
    steps = given[order] * np.arange(len(given), 0, -1)
    corrected = np.empty(len(given))
    corrected[order] = np.minimum(np.maximum.accumulate(steps), 1)
    return corrected
