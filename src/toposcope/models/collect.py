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
    """Calls a measure on the wanted heads of each bucket and keeps the values: (texts, heads, ...).

    Buckets are often small, so their layers wait until they are worth a call.
    """

    def __init__(self, measure: Callable[..., np.ndarray], texts: int, heads: Sequence[Head]) -> None:
        """``heads`` are in the order of the result."""
        self.measure, self.texts, self.count = measure, texts, len(heads)
        self.values = np.empty((texts, len(heads)))
        self.started = False
        self.heads: dict[int, list[int]] = defaultdict(list)  # of each layer
        self.columns = {head: column for column, head in enumerate(heads)}  # where they stand in the result
        for layer, index in heads:
            self.heads[layer].append(index)
        self.waiting: dict[int, list[Sequence[AttentionBucket]]] = defaultdict(list)

    @property
    def layers(self) -> list[int]:
        """Layers with wanted heads."""
        return sorted(self.heads)

    def __call__(self, places: Sequence[int], bucket: AttentionBucket) -> None:
        """Take one layer of the texts at some places."""
        self.gather(places, self.wanted(bucket))

    def wanted(self, bucket: AttentionBucket) -> AttentionBucket:
        """The wanted heads of a layer."""
        chosen = self.heads[bucket.heads[0].layer]
        if chosen == list(range(bucket.shape[1])):
            return bucket
        return replace(bucket, array=bucket.array[:, chosen], heads=[bucket.heads[k] for k in chosen])

    def gather(self, places: Sequence[int], *buckets: AttentionBucket) -> None:
        """Keep a layer of some texts, or measure all that waits of them. A pair has two buckets."""
        waiting = self.waiting[places[0]]
        waiting.append(buckets)
        last = buckets[0].heads[0].layer == self.layers[-1]
        if last or sum(bucket.array.nbytes for bucket, *_ in waiting) >= WORTH_A_CALL:
            del self.waiting[places[0]]
            self.collect(places, *(_side_by_side(layers) for layers in zip(*waiting, strict=True)))

    def collect(self, places: Sequence[int], *buckets: AttentionBucket) -> None:
        """Measure these maps, and put the values where they belong."""
        values, shape = np.asarray(self.measure(*buckets)), buckets[0].shape
        if values.shape[:2] != shape[:2]:
            raise InputError(
                f"The measure returned shape {values.shape} for maps {shape}: its first two axes "
                f"must be texts and heads, {shape[:2]}."
            )
        if not self.started:
            self.values = np.empty((self.texts, self.count, *values.shape[2:]), values.dtype)
            self.started = True
        self.values[np.ix_(places, [self.columns[head] for head in buckets[0].heads])] = values


class Twins(Collector):
    """A measure of two texts at a time: the first ones' maps wait until those of the second come."""

    def __init__(self, measure: PairMeasure, pairs: int, heads: Sequence[Head]) -> None:
        """``heads`` are in the order of the result."""
        super().__init__(measure, pairs, heads)
        self.first: dict[tuple[int, int], AttentionBucket] = {}

    def keep(self, places: Sequence[int], bucket: AttentionBucket) -> None:
        """One layer of the first texts of some pairs."""
        self.first[places[0], bucket.heads[0].layer] = self.wanted(bucket)

    def compare(self, places: Sequence[int], bucket: AttentionBucket) -> None:
        """The same layer of their second texts."""
        first = self.first.pop((places[0], bucket.heads[0].layer))
        self.gather(places, first, self.wanted(bucket))


def _side_by_side(layers: Sequence[AttentionBucket]) -> AttentionBucket:
    """Heads of several layers as if they were one."""
    if len(layers) == 1:
        return layers[0]
    return replace(
        layers[0],
        array=np.concatenate([layer.array for layer in layers], axis=1),
        heads=[head for layer in layers for head in layer.heads],
    )
