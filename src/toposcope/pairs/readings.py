"""What is read off a head for a pair of sentences: differences, first sentence minus second.

All of them change their sign when the sentences are swapped, and are 0 for equal sentences. Small H0M
and small RTD are the paper's sign of the acceptable sentence (sections 3.2 and 3.3), so there a negative
difference speaks for the first one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Literal

import numpy as np

from toposcope.errors import InputError
from toposcope.features.spec import FeatureSpec
from toposcope.topology.alignment import align_tokens
from toposcope.topology.attention import AttentionBucket
from toposcope.topology.divergence import Divergence, rtd_both
from toposcope.topology.graphs import SYMMETRIES, Symmetry
from toposcope.topology.h0 import h0_mean, h0_sum
from toposcope.topology.persistence import barcodes

Match = Literal["whole", "align", "head", "tail"]
MATCHES: tuple[Match, ...] = ("whole", "align", "head", "tail")
H0 = ("h0m", "h0s", "h0m_bars")
RTD = ("rtd", "rtd_mean", "rtd_h0", "rtd_cycles")


@dataclass(frozen=True)
class Reading:
    """A quantity of the graphs of a head, e.g. ``rtd.upper.align``.

    ``quantity``: ``h0m``, ``h0s``, ``h0m_bars`` (H0S over the number of bars that are not zero, as in the
    authors' notebook); ``rtd`` is RTD(a, b) - RTD(b, a), ``rtd_mean`` the same with the mean of the bars,
    ``rtd_h0`` and ``rtd_cycles`` its two parts. ``match`` says which tokens stay: all of both sentences
    (``whole``, not for RTD), or as in ``align_tokens``.
    """

    quantity: str
    symmetry: Symmetry = "upper"
    match: Match = "whole"

    def __post_init__(self) -> None:
        accepted: tuple[Match, ...] = MATCHES if self.quantity in H0 else MATCHES[1:]
        if (
            self.quantity not in (*H0, *RTD)
            or self.symmetry not in SYMMETRIES
            or self.match not in accepted
        ):
            raise InputError(
                f"reading {self.name!r}: accepted is QUANTITY.SYMMETRY.MATCH of {', '.join((*H0, *RTD))}; "
                f"{', '.join(SYMMETRIES)}; {', '.join(MATCHES)} (whole not with rtd)."
            )

    @property
    def name(self) -> str:
        """What the column is called."""
        return f"{self.quantity}.{self.symmetry}.{self.match}"

    @classmethod
    def parse(cls, name: str) -> Reading:
        """From a name."""
        parts = name.split(".")
        if len(parts) != 3:
            raise InputError(f"reading {name!r}: accepted are names such as 'h0m.upper.whole'.")
        return cls(*parts)  # type: ignore[arg-type]


@dataclass(frozen=True)
class PairSpec:
    """Readings of a head, and features of which the differences are taken: a measure of pairs.

    ``scope.measure_pairs(first, second, spec)`` gives (pairs, heads, columns), float32.
    """

    readings: tuple[Reading, ...] = ()
    features: FeatureSpec | None = None

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns."""
        return (*(r.name for r in self.readings), *(self.features.columns if self.features else ()))

    def __call__(self, a: AttentionBucket, b: AttentionBucket) -> np.ndarray:
        """Differences between the sentences of two buckets, (pairs, heads, columns)."""
        columns = [self._read(a, b)]
        if self.features is not None:
            columns.append(self.features(a).astype(np.float64) - self.features(b))
        return np.concatenate(columns, axis=-1, dtype=np.float32)

    def _read(self, a: AttentionBucket, b: AttentionBucket) -> np.ndarray:
        found = np.empty((*a.shape[:2], len(self.readings)))
        for match in dict.fromkeys(r.match for r in self.readings):
            some = [(k, r) for k, r in enumerate(self.readings) if r.match == match]
            for rows, left, right in matched_maps(a, b, match):
                for k, difference in _differences(left, right, some):
                    found[rows, :, k] = difference
        return found


def joined(specs: Iterable[PairSpec]) -> PairSpec:
    """One spec that reads what any of several reads."""
    readings: dict[Reading, None] = {}
    features: FeatureSpec | None = None
    for spec in specs:
        readings |= dict.fromkeys(spec.readings)
        if spec.features is None:
            continue
        blocks = dict.fromkeys((*(features.blocks if features else ()), *spec.features.blocks))
        if features is not None and replace(features, blocks=spec.features.blocks) != spec.features:
            raise InputError(
                "features with different options cannot be read at once: ask for them one by one."
            )
        features = replace(spec.features, blocks=tuple(blocks))
    return PairSpec(tuple(readings), features)


def _differences(
    a: np.ndarray, b: np.ndarray, readings: Sequence[tuple[int, Reading]]
) -> Iterator[tuple[int, np.ndarray]]:
    """The readings of maps (pairs, heads, n, n) and (pairs, heads, m, m)."""
    divergences: dict[Symmetry, Divergence] = {}
    for k, reading in readings:
        symmetry = reading.symmetry
        if reading.quantity == "h0m":
            yield k, h0_mean(a, symmetry) - h0_mean(b, symmetry)
        elif reading.quantity == "h0s":
            yield k, h0_sum(a, symmetry) - h0_sum(b, symmetry)
        elif reading.quantity == "h0m_bars":
            yield k, _mean_of_bars(a, symmetry) - _mean_of_bars(b, symmetry)
        else:
            if symmetry not in divergences:
                divergences[symmetry] = rtd_both(a, b, symmetry)
            yield k, _rtd_difference(divergences[symmetry], reading.quantity)


def _rtd_difference(found: Divergence, quantity: str) -> np.ndarray:
    if quantity == "rtd":
        return found.ab_sum - found.ba_sum
    if quantity == "rtd_h0":
        return found.ab_h0 - found.ba_h0
    if quantity == "rtd_cycles":
        return found.ab_cycles - found.ba_cycles
    return found.ab_sum / np.maximum(found.ab_count, 1) - found.ba_sum / np.maximum(found.ba_count, 1)


def _mean_of_bars(maps: np.ndarray, symmetry: Symmetry) -> np.ndarray:
    """Mean length of the H0 bars that are not zero."""
    bars = barcodes(maps, 0, symmetry=symmetry)
    return bars.sum() / np.maximum(bars.count(), 1)


def matched_maps(
    a: AttentionBucket, b: AttentionBucket, match: Match
) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Maps of the tokens that are compared: rows of the buckets, and their maps on both sides.

    Except for ``whole`` the maps of both sides have one size; pairs of the same size come together.
    """
    rows = np.arange(len(a.array))
    if match == "whole":
        yield rows, a.array, b.array
        return
    if match in ("head", "tail"):
        n, m = a.shape[-1], b.shape[-1]
        left, right = align_tokens(range(n), range(m), match)  # type: ignore[arg-type]
        yield rows, _cut(a.array, left[None], rows), _cut(b.array, right[None], rows)
        return
    places = [_aligned(x.pieces, y.pieces) for x, y in zip(a.tokens, b.tokens, strict=True)]
    sizes = np.array([len(left) for left, _ in places])
    for size in np.unique(sizes):
        some = np.flatnonzero(sizes == size)
        left, right = (np.stack([places[row][side] for row in some]) for side in (0, 1))
        yield some, _cut(a.array, left, some), _cut(b.array, right, some)


@lru_cache(maxsize=4096)
def _aligned(a: tuple[str, ...], b: tuple[str, ...]) -> tuple[np.ndarray, np.ndarray]:
    return align_tokens(a, b)


def _cut(maps: np.ndarray, places: np.ndarray, some: np.ndarray) -> np.ndarray:
    """Rows and columns at ``places`` (pairs or 1, size) of some of the maps (pairs, heads, n, n)."""
    if places.shape[-1] == maps.shape[-1]:
        return maps if len(some) == len(maps) else maps[some]
    places = np.broadcast_to(places, (len(some), places.shape[-1]))
    return np.stack([maps[row][:, kept[:, None], kept] for row, kept in zip(some, places, strict=True)])
