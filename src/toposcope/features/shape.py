"""Twelve cheap statistics of a directed attention map; ours, not the paper's.

What symmetrising throws away: which way attention points, how it is spread, and how strongly each
token is held by one before it and by one after it.
"""

from typing import Literal

import numpy as np

from toposcope.topology.attention import AttentionBucket
from toposcope.topology.h0 import h0_mean
from toposcope.topology.patterns import pattern_distances

SHAPE_COLUMNS = (
    "h0m_upper", "h0m_lower", "pattern_sep", "asymmetry", "row_entropy", "column_entropy", "mass_below",
    "mass_diagonal", "row_peak", "column_peak", "best_backward", "best_forward",
)  # fmt: skip


def shape_statistics(bucket: AttentionBucket, normalisation: Literal["root", "sum"] = "root") -> np.ndarray:
    """Statistics of the maps A of a bucket: (texts, heads, 12).

    H0M of the upper and of the lower triangle; distance to the pattern of separators; |A - A^T| / |A|;
    mean entropy of the rows; entropy of the column sums; mean mass below and on the diagonal; mean
    largest weight of a row and of a column off the diagonal; mean largest weight of a row before and
    after the diagonal.
    """
    maps = bucket.array
    n = maps.shape[-1]
    tokens = [tokens.pieces for tokens in bucket.tokens]
    sep = pattern_distances(bucket, tokens, patterns=("sep",), normalisation=normalisation)["sep"]
    below, above, off = np.tri(n, k=-1, dtype=bool), ~np.tri(n, dtype=bool), ~np.eye(n, dtype=bool)
    columns = maps.sum(-2) / n
    norm = np.sqrt(np.einsum("...ij,...ij->...", maps, maps))
    inner = np.einsum("...ij,...ji->...", maps, maps)
    statistics = (
        h0_mean(bucket, "upper"),
        h0_mean(bucket, "lower"),
        sep,
        np.sqrt(np.maximum(2 - 2 * inner / norm**2, 0)),
        _entropy(maps).mean(-1),
        _entropy(columns),
        np.einsum("...ij,ij->...", maps, below.astype(maps.dtype)) / n,
        np.einsum("...ii->...", maps) / n,
        np.where(off, maps, 0).max(-1).mean(-1),
        np.where(off, maps, 0).max(-2).mean(-1),
        np.where(below, maps, 0).max(-1).mean(-1),
        np.where(above, maps, 0).max(-1).mean(-1),
    )
    return np.stack(statistics, axis=-1)


def _entropy(shares: np.ndarray) -> np.ndarray:
    """-sum p ln p over the last axis; nothing where p is 0."""
    return -(shares * np.log(np.where(shares > 0, shares, 1))).sum(-1)
