"""Real attention to measure on: the heads of bert-base-cased on minimal pairs."""

from collections import defaultdict
from collections.abc import Iterator
from functools import cache

import numpy as np

import toposcope as ts
from benchmarks.inputs import Pairs

MODEL = "bert-base-cased"
SENTENCES = 4  # pairs of texts at most for each length: 144 heads each


@cache
def peer() -> ts.Scope:
    """The model in the hands of transformers, for those who are compared with us."""
    return ts.load(MODEL, engine="torch")


class RealMaps:
    """A ``Source`` of real maps: all heads of pairs of texts of the asked length, in random order.

    A short text is a sentence; a long one is made of many, cut to length.
    """

    def __init__(self, pairs: list[tuple[str, str]]) -> None:
        """Load the model and sort the pairs by length."""
        self.scope = ts.load(MODEL, long="truncate")
        self.pairs = pairs
        self.by_length: dict[int, list[tuple[str, str]]] = defaultdict(list)
        good, bad = (self.scope.tokenizer(list(side))["input_ids"] for side in zip(*pairs, strict=True))
        for pair, a, b in zip(pairs, good, bad, strict=True):
            if len(a) == len(b):
                self.by_length[len(a)].append(pair)

    def __call__(self, count: int, n: int, rng: np.random.Generator) -> Pairs:
        """``count`` maps of n tokens of good sentences, and those of the bad ones beside them."""
        needed = max(SENTENCES, -(-count // (self.scope.layers * self.scope.heads)))
        texts = self._texts(n, needed)
        sides = [np.stack([self._cut(text, n) for text in side]) for side in zip(*texts, strict=True)]
        chosen = rng.choice(sides[0].reshape(-1, n, n).shape[0], count, replace=False)
        return Pairs(*(side.reshape(-1, n, n)[chosen] for side in sides))

    def _texts(self, n: int, needed: int) -> list[tuple[str, str]]:
        if len(self.by_length[n]) >= needed:
            return self.by_length[n][:needed]
        long = self._joined(n)
        return [next(long) for _ in range(needed)]

    def _joined(self, n: int) -> Iterator[tuple[str, str]]:
        """Texts of n tokens or more, made of consecutive sentences."""
        start = 0
        while True:
            step = n // 5  # a sentence has more than five tokens
            part = self.pairs[start : start + step]
            yield " ".join(good for good, _ in part), " ".join(bad for _, bad in part)
            start = (start + step) % (len(self.pairs) - step)

    def _cut(self, text: str, n: int) -> np.ndarray:
        """Attention on the first n tokens of a text, all heads; the model sees no more than these."""
        self.scope.limit = n
        maps = self.scope.attention(text).array
        if maps.shape[-1] != n:
            raise ValueError(f"A text of {maps.shape[-1]} tokens where {n} are needed.")
        return maps
