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

    def __init__(self, measure: Callable[..., np.ndarray], texts: int, heads: Sequence[Head]) -> None:
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

    def __call__(self, places: list[int], bucket: AttentionBucket) -> None:
        """Measure one layer of the texts at some places."""
        heads = self.heads[bucket.layer]
        if heads != list(range(bucket.shape[1])):
            bucket = replace(bucket, array=bucket.array[:, heads])
        self.collect(places, self.columns[bucket.layer], bucket)

    def collect(self, places: list[int], columns: Sequence[int], *buckets: AttentionBucket) -> None:
        """Measure these maps; the values belong to some texts and to some columns of the result."""
        values, shape = np.asarray(self.measure(*buckets)), buckets[0].shape
        if values.shape[:2] != shape[:2]:
            raise InputError(
                f"The measure returned shape {values.shape} for maps {shape}: its first two axes "
                f"must be texts and heads, {shape[:2]}."
            )
        if not self.started:
            self.values = np.empty((self.texts, self.count, *values.shape[2:]), values.dtype)
            self.started = True
        self.values[np.ix_(places, columns)] = values


class Twins(Collector):
    """A measure of two texts at a time, of all wanted heads at once: maps wait until both texts are read.

    A bucket of pairs is often small, so calls are few and large rather than one a layer.
    """

    def __init__(self, measure: PairMeasure, pairs: int, heads: Sequence[Head]) -> None:
        """``heads`` are pairs (layer, head), in the order of the result."""
        super().__init__(measure, pairs, heads)
        self.waiting: list[AttentionBucket] = []

    def keep(self, bucket: AttentionBucket) -> None:
        """One layer of one side; layers come in their order, and the first side before the second."""
        heads, columns = self.heads[bucket.layer], self.columns[bucket.layer]
        if bucket.layer == self.layers[0]:
            maps = np.empty((bucket.shape[0], self.count, *bucket.shape[2:]), bucket.array.dtype)
            self.waiting.append(replace(bucket, array=maps))
        self.waiting[-1].array[:, columns] = bucket.array[:, heads]

    def compare(self, places: list[int]) -> None:
        """Measure the pairs at some places, of which both sides are there."""
        self.collect(places, range(self.count), *self.waiting)
        self.waiting.clear()
