"""What a measure says of many texts and heads, put together bucket by bucket."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from toposcope.errors import InputError
from toposcope.topology.attention import AttentionBucket

Measure = Callable[[AttentionBucket], np.ndarray]
PairMeasure = Callable[[AttentionBucket, AttentionBucket], np.ndarray]
Head = tuple[int, int]


class Collector:
    """Calls a measure on the wanted heads of each bucket and keeps the values: (texts, heads, ...)."""

    def __init__(self, measure: Measure, texts: int, heads: Sequence[Head]) -> None:
        """``heads`` are pairs (layer, head), in the order of the result."""
        self.measure, self.texts, self.count = measure, texts, len(heads)
        self.values = np.empty((texts, len(heads)))
        self.started = False
        self.heads: dict[int, list[int]] = defaultdict(list)  # of each layer
        self.columns: dict[int, list[int]] = defaultdict(list)  # where they stand in the result
        for column, (layer, head) in enumerate(heads):
            self.heads[layer].append(head)
            self.columns[layer].append(column)

    @property
    def layers(self) -> list[int]:
        """Layers with wanted heads."""
        return sorted(self.heads)

    def wanted(self, bucket: AttentionBucket) -> AttentionBucket:
        """The wanted heads of a bucket."""
        heads = self.heads[bucket.layer]
        if heads == list(range(bucket.shape[1])):
            return bucket
        return replace(bucket, array=bucket.array[:, heads])

    def __call__(self, places: list[int], bucket: AttentionBucket) -> None:
        """Measure one layer of the texts at some places."""
        bucket = self.wanted(bucket)
        values = np.asarray(self.measure(bucket))
        if values.shape[:2] != bucket.shape[:2]:
            raise InputError(
                f"The measure returned shape {values.shape} for maps {bucket.shape}: its first two axes "
                f"must be texts and heads, {bucket.shape[:2]}."
            )
        if not self.started:
            self.values = np.empty((self.texts, self.count, *values.shape[2:]), values.dtype)
            self.started = True
        self.values[np.ix_(places, self.columns[bucket.layer])] = values


class Twins:
    """A measure of two texts at a time: the first ones' maps are kept until those of the second come."""

    def __init__(self, measure: PairMeasure, pairs: int, heads: Sequence[Head]) -> None:
        """``heads`` are pairs (layer, head), in the order of the result."""
        self.measure = measure
        self.kept: dict[int, AttentionBucket] = {}
        self.collector = Collector(self._beside, pairs, heads)

    @property
    def layers(self) -> list[int]:
        """Layers with wanted heads."""
        return self.collector.layers

    @property
    def values(self) -> np.ndarray:
        """What was measured, (pairs, heads, ...)."""
        return self.collector.values

    def keep(self, places: list[int], bucket: AttentionBucket) -> None:
        """One layer of the first texts of some pairs."""
        bucket = self.collector.wanted(bucket)
        self.kept[bucket.layer] = replace(bucket, array=bucket.array.copy())

    def compare(self, places: list[int], bucket: AttentionBucket) -> None:
        """The same layer of their second texts."""
        self.collector(places, bucket)

    def _beside(self, bucket: AttentionBucket) -> np.ndarray:
        return self.measure(self.kept.pop(bucket.layer), bucket)
