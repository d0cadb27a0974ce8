"""What a measure says of many texts and heads, put together bucket by bucket."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from toposcope.errors import InputError
from toposcope.topology.attention import AttentionBucket
from toposcope.topology.head import Head

Measure = Callable[[AttentionBucket], np.ndarray]
PairMeasure = Callable[[AttentionBucket, AttentionBucket], np.ndarray]
WORTH_A_CALL = 8_000_000  # bytes of maps


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

    def wanted(self, bucket: AttentionBucket) -> AttentionBucket:
        """The wanted heads of a bucket."""
        heads = self.heads[bucket.layer]
        if heads == list(range(bucket.shape[1])):
            return bucket
        return replace(bucket, array=bucket.array[:, heads])

    def __call__(self, places: list[int], bucket: AttentionBucket) -> None:
        """Measure one layer of the texts at some places."""
        self.collect(places, self.columns[bucket.layer], self.wanted(bucket))

    def collect(self, places: list[int], columns: list[int], *buckets: AttentionBucket) -> None:
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
    """A measure of two texts at a time: the first ones' maps are kept until those of the second come.

    Layers are gathered until they are worth a call of the measure: buckets of pairs are often small.
    """

    def __init__(self, measure: PairMeasure, pairs: int, heads: Sequence[Head]) -> None:
        """``heads`` are pairs (layer, head), in the order of the result."""
        super().__init__(measure, pairs, heads)
        self.first: dict[int, AttentionBucket] = {}
        self.second: list[AttentionBucket] = []

    def keep(self, places: list[int], bucket: AttentionBucket) -> None:
        """One layer of the first texts of some pairs."""
        self.first[bucket.layer] = self._kept(bucket)

    def compare(self, places: list[int], bucket: AttentionBucket) -> None:
        """The same layer of their second texts."""
        self.second.append(self._kept(bucket))
        if bucket.layer != self.layers[-1] and sum(b.array.nbytes for b in self.second) < WORTH_A_CALL:
            return
        layers = [b.layer for b in self.second]
        columns = [column for layer in layers for column in self.columns[layer]]
        first = _side_by_side([self.first.pop(layer) for layer in layers])
        self.collect(places, columns, first, _side_by_side(self.second))
        self.second.clear()

    def _kept(self, bucket: AttentionBucket) -> AttentionBucket:
        bucket = self.wanted(bucket)
        return replace(bucket, array=bucket.array.copy())


def _side_by_side(layers: Sequence[AttentionBucket]) -> AttentionBucket:
    """Heads of several layers as if they were one."""
    if len(layers) == 1:
        return layers[0]
    return replace(layers[0], array=np.concatenate([layer.array for layer in layers], axis=1))
