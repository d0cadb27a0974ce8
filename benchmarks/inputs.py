"""Attention maps to measure on.

A ``Source`` gives pairs of maps of a length. Real ones (real.py) are used where there are sentences
and a model takes the length. The others are drawn here so that they look like the heads of a trained
encoder: random matrices would flatter us, because without the structure of attention there are far
more cycles, and the general tools drown in them.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

KINDS = 4  # kinds of heads: positional, sink, broad, content
WINDOW = 8  # tokens beyond which a positional head no longer tells distances apart
RANK = 3  # dimension of the queries and keys of a head
LEVELS = 32  # of an awkward map
OTHER_SENTENCE = 0.2  # how much of a map changes from one sentence of a minimal pair to the other


class Pairs(NamedTuple):
    """Maps of the two sentences of minimal pairs, each (count, n, n)."""

    a: np.ndarray
    b: np.ndarray


Source = Callable[[int, int, np.random.Generator], Pairs]  # (count, n, rng) -> two arrays (count, n, n)


def attention_like(count: int, n: int, rng: np.random.Generator) -> np.ndarray:
    """Row-stochastic maps (count, n, n), float32, of four kinds of heads in turn.

    In turn and not at random, so that the first few maps are the same mixture as all of them:
    a slow tool that gets only those is measured on the same kind of work.
    """
    logits = np.empty((count, n, n), np.float32)
    for kind, bias in enumerate((_positional, _sink, _broad, _content)):
        heads = len(logits[kind::KINDS])
        logits[kind::KINDS] = _agreement(heads, n, rng) + bias(heads, n, rng)
    logits -= logits.max(-1, keepdims=True)
    weights = np.exp(logits, out=logits)
    weights /= weights.sum(-1, keepdims=True)
    return weights


def drawn(count: int, n: int, rng: np.random.Generator) -> Pairs:
    """Pairs of maps that differ as the two sentences of a minimal pair do: in a few tokens."""
    a, other = attention_like(count, n, rng), attention_like(count, n, rng)
    share = np.float32(OTHER_SENTENCE)
    return Pairs(a, (1 - share) * a + share * other)


def awkward(pairs: Pairs) -> Pairs:
    """The same maps in a few levels and with no weight between their halves, for checks only.

    Ties and graphs in two pieces: kernels that are right on smooth maps have gone wrong here.
    """
    half = np.arange(pairs.a.shape[-1]) * 2 < pairs.a.shape[-1]
    together = half[:, None] == half
    return Pairs(*(np.round(maps * LEVELS) * together / np.float32(LEVELS) for maps in pairs))


def distance_matrices(maps: np.ndarray) -> list[np.ndarray]:
    """The distances 1 - max(A, A^T) with a zero diagonal, as the other tools want them."""
    distances = 1 - np.maximum(maps, maps.swapaxes(-1, -2))
    np.einsum("gii->gi", distances)[:] = 0
    return list(distances)


def joint_matrices(pairs: Pairs) -> list[np.ndarray]:
    """The graphs on 2n vertices whose H1 bars are RTD(a, b), as distance matrices.

    Vertices v come first, then u: w(v, v) = 0, w(v_i, u_i) = 0, w(u, u) = b, w(v, u) = max(a, b).
    """
    joint = []
    for a, b in zip(distance_matrices(pairs.a), distance_matrices(pairs.b), strict=True):
        later = np.maximum(a, b)
        joint.append(np.block([[np.zeros_like(b), later], [later, b]]))
    return joint


def _agreement(heads: int, n: int, rng: np.random.Generator) -> np.ndarray:
    """Queries times keys of low rank: which token asks for which."""
    queries, keys = rng.standard_normal((2, heads, n, RANK), np.float32)
    sharpness = rng.choice([0.5, 1.0, 2.0], (heads, 1, 1)).astype(np.float32)
    return sharpness * (queries @ keys.swapaxes(-1, -2)) / np.float32(np.sqrt(RANK))


def _positional(heads: int, n: int, rng: np.random.Generator) -> np.ndarray:
    """Heads that look at the previous, the next or a near token, and rest on the last."""
    return _nearness(heads, n, rng, 0.5, 1.5) + _resting(heads, n, rng, 0, 2, places=[-1])


def _sink(heads: int, n: int, rng: np.random.Generator) -> np.ndarray:
    """Heads that do nothing most of the time: all tokens look at the first and the last."""
    return _resting(heads, n, rng, 2, 8, places=[0, -1])


def _broad(heads: int, n: int, rng: np.random.Generator) -> np.ndarray:
    """Heads that look around widely, with some weight at rest on the last token."""
    return _nearness(heads, n, rng, 0.05, 0.25) + _resting(heads, n, rng, 1, 4, places=[-1])


def _content(heads: int, n: int, rng: np.random.Generator) -> np.ndarray:
    """Heads in which a few keys attract everybody."""
    return 1.5 * rng.standard_normal((heads, 1, n), np.float32)


def _nearness(heads: int, n: int, rng: np.random.Generator, low: float, high: float) -> np.ndarray:
    """Falls with the distance from a place next to the query, up to the window."""
    position = np.arange(n)
    shift = rng.integers(-2, 3, (heads, 1, 1))
    away = np.minimum(np.abs(position[:, None] - position - shift), WINDOW)
    return -rng.uniform(low, high, (heads, 1, 1)).astype(np.float32) * away.astype(np.float32)


def _resting(
    heads: int, n: int, rng: np.random.Generator, low: float, high: float, places: list[int]
) -> np.ndarray:
    """Extra weight of resting places; grows with log n, so that long texts leave them their share."""
    extra = np.zeros((heads, 1, n), np.float32)
    extra[:, 0, places] = rng.uniform(low, high, (heads, 1)) + np.log(n / 8)
    return extra
