"""Blocks of features: each a list of column names and a function from maps to those columns.

The first four are the paper's (section 3.2), 57 columns a head together; the others are ours.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from toposcope.features.shape import SHAPE_COLUMNS, SIDES, shape_statistics, side_means
from toposcope.topology.attention import AttentionBucket
from toposcope.topology.h0 import h0_mean
from toposcope.topology.patterns import PATTERNS, pattern_distances
from toposcope.topology.persistence import barcodes
from toposcope.topology.spectral import SPECTRAL, spectral_statistics
from toposcope.topology.thresholds import STATISTICS, threshold_counts

if TYPE_CHECKING:
    from toposcope.features.spec import FeatureSpec

H0_COLUMNS = (
    "h0_sum",
    "h0_entropy",
    "h0_max_death",
    "h0_deaths_ge_0.75",
    "h0_deaths_ge_0.5",
    "h0_deaths_le_0.25",
)
H1_COLUMNS = (
    "h1_birth_of_longest", "h1_births_ge_0.25", "h1_births_le_0.95", "h1_births_le_0.70", "h1_sum",
    "h1_entropy", "h1_std", "h1_count",
)  # fmt: skip


@dataclass(frozen=True)
class Block:
    """``compute`` turns maps (texts, heads, n, n) into (texts, heads, k), ``columns`` names these k."""

    columns: Callable[[FeatureSpec], tuple[str, ...]]
    compute: Callable[[AttentionBucket, FeatureSpec], np.ndarray]


def threshold_columns(spec: FeatureSpec) -> tuple[str, ...]:
    """Statistic by statistic, each for all thresholds."""
    return tuple(f"{statistic}_{tau:g}" for statistic in STATISTICS for tau in spec.thresholds)


def threshold_block(bucket: AttentionBucket, spec: FeatureSpec) -> np.ndarray:
    """Counts on the graphs of attention above each threshold."""
    counts = threshold_counts(bucket, spec.thresholds, spec.cycle_cap, statistics=STATISTICS)
    return np.concatenate([counts[statistic] for statistic in STATISTICS], axis=-1)


def barcode_block(bucket: AttentionBucket, spec: FeatureSpec) -> np.ndarray:
    """Statistics of the bars in dimensions 0 and 1, of ``max`` with the floor."""
    h0 = barcodes(bucket, 0, floor=spec.floor)
    h1 = barcodes(bucket, 1, floor=spec.floor)
    columns = (
        h0.sum(), h0.entropy(), h0.max_death(), h0.deaths_ge(0.75), h0.deaths_ge(0.5), h0.deaths_le(0.25),
        h1.birth_of_longest(), h1.births_ge(0.25), h1.births_le(0.95), h1.births_le(0.70), h1.sum(),
        h1.entropy(), h1.std(), h1.count(),
    )  # fmt: skip
    return np.stack(columns, axis=-1)


def pattern_block(bucket: AttentionBucket, spec: FeatureSpec) -> np.ndarray:
    """Distances to the patterns of attention."""
    tokens = [tokens.pieces for tokens in bucket.tokens]
    found = pattern_distances(bucket, tokens, patterns=PATTERNS, normalisation=spec.normalisation)
    return np.stack([found[pattern] for pattern in PATTERNS], axis=-1)


def h0m_block(bucket: AttentionBucket, spec: FeatureSpec) -> np.ndarray:
    """H0M of ``max``, without the floor."""
    return h0_mean(bucket)[..., None]


def sides_block(bucket: AttentionBucket, spec: FeatureSpec) -> np.ndarray:
    """H0M of the two halves of attention, which ``shape`` has too."""
    return np.stack(side_means(bucket), axis=-1)


def shape_block(bucket: AttentionBucket, spec: FeatureSpec) -> np.ndarray:
    """Twelve cheap statistics of the directed map."""
    return shape_statistics(bucket, spec.normalisation)


def spectral_block(bucket: AttentionBucket, spec: FeatureSpec) -> np.ndarray:
    """Statistics of the eigenvalues of the map's Laplacians, and of its singular values."""
    return np.stack(list(spectral_statistics(bucket).values()), axis=-1)


BLOCKS = {
    "threshold": Block(threshold_columns, threshold_block),
    "barcode": Block(lambda spec: H0_COLUMNS + H1_COLUMNS, barcode_block),
    "pattern": Block(lambda spec: tuple(f"pattern_{p}" for p in PATTERNS), pattern_block),
    "h0m": Block(lambda spec: ("h0m",), h0m_block),
    "sides": Block(lambda spec: SIDES, sides_block),
    "shape": Block(lambda spec: SHAPE_COLUMNS, shape_block),
    "spectral": Block(lambda spec: SPECTRAL, spectral_block),
}
PAPER = ("threshold", "barcode", "pattern", "h0m")
SMALL = ("pattern", "h0m", "shape")
