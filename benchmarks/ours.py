"""The package's jobs as functions of (pairs, threads), and their results as plain numbers.

``totals`` is what other tools can confirm: a sum per map, or the counts. ``values`` is all that a
result holds, to see that it is the same down to the last bit.
"""

from dataclasses import astuple
from typing import Any

import numpy as np

import toposcope as ts
from benchmarks.inputs import Pairs


def h0(pairs: Pairs, threads: int) -> np.ndarray:
    """Sums of H0 bars."""
    return ts.h0_sum(pairs.a, threads=threads)


def h1(pairs: Pairs, threads: int) -> ts.Barcodes:
    """H1 barcodes."""
    return ts.barcodes(pairs.a, 1, threads=threads)


def rtd(pairs: Pairs, threads: int) -> ts.Divergence:
    """RTD(a, b) and RTD(b, a)."""
    return ts.rtd_both(pairs.a, pairs.b, threads=threads)


def counts(pairs: Pairs, threads: int) -> dict[str, np.ndarray]:
    """Six statistics at six thresholds."""
    return ts.threshold_counts(pairs.a, threads=threads)


def totals(result: Any) -> np.ndarray:
    """What can be compared with another tool, map by map."""
    if isinstance(result, ts.Divergence):
        return np.asarray(result.ab_sum)
    if isinstance(result, ts.Barcodes):
        return np.asarray(result.sum())
    return values(result)


def values(result: Any) -> np.ndarray:
    """Everything in a result."""
    if isinstance(result, ts.Divergence):
        return np.stack(astuple(result), axis=-1)
    if isinstance(result, ts.Barcodes):
        return np.concatenate([result.counts, result.births, result.deaths])
    if isinstance(result, dict):
        return np.stack(list(result.values()), axis=-1)
    return np.asarray(result)
