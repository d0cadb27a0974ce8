"""The block ``shape``: twelve cheap statistics of a directed attention map; ours, not the paper's."""

from typing import Literal

import numpy as np

from toposcope.topology.attention import AttentionBucket
from toposcope.topology.directed import DIRECTED, directed_statistics
from toposcope.topology.h0 import h0_mean
from toposcope.topology.patterns import pattern_distances

SIDES = ("h0m_upper", "h0m_lower")
SHAPE_COLUMNS = (*SIDES, "pattern_sep", *DIRECTED)


def side_means(bucket: AttentionBucket) -> tuple[np.ndarray, np.ndarray]:
    """H0M of the forward-looking and of the backward-looking half of attention."""
    return h0_mean(bucket, "upper"), h0_mean(bucket, "lower")


def shape_statistics(bucket: AttentionBucket, normalisation: Literal["root", "sum"] = "root") -> np.ndarray:
    """H0M of each triangle, the distance to the pattern of separators, and the directed statistics.

    Returns
    -------
    array, shape (texts, heads, 12)
    """
    tokens = [tokens.pieces for tokens in bucket.tokens]
    sep = pattern_distances(bucket, tokens, patterns=("sep",), normalisation=normalisation)["sep"]
    return np.stack([*side_means(bucket), sep, *directed_statistics(bucket).values()], axis=-1)
