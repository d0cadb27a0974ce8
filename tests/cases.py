"""Matrices to test on: random and structured, with ties, zeros, ones, and pairs of every relation."""

import numpy as np


def iid(rng, n):
    return rng.random((n, n))


def levels(rng, n):
    return rng.integers(0, rng.integers(1, 13), (n, n), endpoint=True) / 12


def constant(rng, n):
    return np.full((n, n), rng.choice([0.0, 0.5, 1.0]))


def blocks(rng, n):
    group = rng.integers(0, 4, n)
    return np.where(group[:, None] == group, rng.random((n, n)), 0.0)


def softmax(rng, n):
    logits = rng.normal(size=(n, n)) * rng.choice([0.1, 1.0, 3.0, 6.0])
    weights = np.exp(logits - logits.max(1, keepdims=True))
    return weights / weights.sum(1, keepdims=True)


def halved(rng, n):
    return softmax(rng, n).astype(np.float16)


def sharp_heads(rng, n):
    """Attention to the next token and to a sink, as real heads have it."""
    i = np.arange(n)
    logits = rng.normal(size=(n, n)) - 2.0 * np.abs(i[:, None] + rng.integers(-1, 2) - i)
    logits[:, rng.integers(n)] += rng.choice([0.0, 4.0, 8.0])
    weights = np.exp(logits - logits.max(1, keepdims=True))
    return weights / weights.sum(1, keepdims=True)


def one_hot_rows(rng, n):
    return np.eye(n)[rng.integers(0, n, n)]


def one_hot_column(rng, n):
    weights = np.zeros((n, n))
    weights[:, rng.integers(n)] = 1
    return weights


def identity(rng, n):
    return np.eye(n)


def metric(rng, n):
    points = rng.random((n, rng.integers(1, 4)))
    gaps = np.linalg.norm(points[:, None] - points, axis=-1)
    return 1 - gaps / max(gaps.max(), 1e-9)


def circle(rng, n):
    """Points on a circle: one long cycle."""
    angle = np.sort(rng.random(n)) * 2 * np.pi
    points = np.stack([np.cos(angle), np.sin(angle)], 1)
    return 1 - np.linalg.norm(points[:, None] - points, axis=-1) / 2


FAMILIES = (
    iid,
    levels,
    constant,
    blocks,
    softmax,
    halved,
    sharp_heads,
    one_hot_rows,
    one_hot_column,
    identity,
    metric,
    circle,
)


def weights(rng, n, family=None):
    """A float32 matrix of weights in [0, 1]."""
    family = family or FAMILIES[rng.integers(len(FAMILIES))]
    return np.clip(family(rng, n), 0, 1).astype(np.float32)


def independent(rng, a):
    return weights(rng, len(a))


def perturbed(rng, a):
    mixed = 0.9 * a + 0.1 * rng.random(a.shape)
    return mixed.astype(np.float32)


def few_changed(rng, a):
    b = a.copy()
    b[rng.integers(len(a))] = rng.random(len(a))
    return b


def identical(rng, a):
    return a.copy()


def dominated(rng, a):
    return (a * rng.random(a.shape)).astype(np.float32)


def dominating(rng, a):
    return np.maximum(a, rng.random(a.shape)).astype(np.float32)


RELATIONS = (independent, perturbed, few_changed, identical, dominated, dominating)


def pair(rng, n):
    """Two float32 matrices of weights in a random relation."""
    a = weights(rng, n)
    b = RELATIONS[rng.integers(len(RELATIONS))](rng, a)
    return (a, b) if rng.random() < 0.5 else (b, a)


# method.md, section 7
A = np.array(
    [
        [0.50, 0.20, 0.10, 0.10, 0.10],
        [0.30, 0.10, 0.40, 0.10, 0.10],
        [0.05, 0.60, 0.05, 0.20, 0.10],
        [0.10, 0.10, 0.30, 0.20, 0.30],
        [0.02, 0.03, 0.05, 0.80, 0.10],
    ]
)
B = np.array(
    [
        [0.40, 0.30, 0.10, 0.10, 0.10],
        [0.20, 0.20, 0.35, 0.15, 0.10],
        [0.10, 0.20, 0.20, 0.30, 0.20],
        [0.25, 0.05, 0.30, 0.10, 0.30],
        [0.10, 0.10, 0.10, 0.60, 0.10],
    ]
)
# their features where the fourth token is a full stop and the last [SEP]; at a threshold: scc, edges,
# degree, cycles, betti0, betti1
GOLDEN = {
    "A": {
        "threshold": {
            0.025: (1, 24, 9.6, 73, 1, 11), 0.05: (1, 23, 9.2, 57, 1, 11), 0.1: (1, 20, 8.0, 32, 1, 10),
            0.25: (3, 7, 2.8, 3, 1, 1), 0.5: (5, 3, 1.2, 1, 3, 1), 0.75: (5, 1, 0.4, 0, 4, 0),
        },
        "barcode": (2.0, 1.287022, 0.7, 0, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0),
        "pattern": (0.851463, 0.848056, 0.568369, 0.792259, 1, 0.771181),
        "h0m": 0.5, "h0m_upper": 0.725, "sep": 0.892950,
    },
    "B": {
        "threshold": {
            0.025: (1, 25, 10, 89, 1, 11), 0.05: (1, 25, 10, 89, 1, 11), 0.1: (1, 24, 9.6, 73, 1, 11),
            0.25: (1, 8, 3.2, 4, 1, 2), 0.5: (5, 1, 0.4, 0, 4, 0), 0.75: (5, 0, 0, 0, 5, 0),
        },
        "barcode": (2.45, 1.363790, 0.7, 0, 3, 0, 0.75, 1, 1, 0, 0.1, 0, 0, 1),
        "pattern": (0.828861, 0.819367, 0.719462, 0.732242, 1, 0.780233),
        "h0m": 0.6125, "h0m_upper": 0.6875, "sep": 0.865799,
    },
}  # fmt: skip
TOY = np.array([[0, 0.7, 0.2, 0.1], [0.7, 0, 0.6, 0.3], [0.2, 0.6, 0, 0.5], [0.1, 0.3, 0.5, 0]])
