"""What a measure says of many texts and heads, put together bucket by bucket."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from toposcope.errors import InputError
from toposcope.topology.attention import AttentionBucket

Measure = Callable[[AttentionBucket], np.ndarray]
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

    def __call__(self, places: list[int], bucket: AttentionBucket) -> None:
        """Measure one layer of the texts at some places."""
        heads = self.heads[bucket.layer]
        if heads != list(range(bucket.shape[1])):
            bucket = replace(bucket, array=bucket.array[:, heads])
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
