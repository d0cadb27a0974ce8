"""Spectra of attention: how a graph vibrates tells how well it hangs together.

A spanning tree joins all tokens by their strongest links; the eigenvalues of the graph's Laplacian look at
all links at once. S is the part of (A + A^T) / 2 off the diagonal, D the diagonal matrix of its row sums
(degrees), L = D - S the Laplacian and N = D^-1/2 L D^-1/2 the normalised one. All eigenvalues are at least
0, the smallest is 0, and as many are 0 as the graph has pieces. By the matrix-tree theorem the product of
the others is n times the weight of all spanning trees together.
"""

import numpy as np
from numpy.typing import ArrayLike

from toposcope.topology.graphs import as_graphs

SPECTRAL = (
    "laplacian_gap", "laplacian_max", "laplacian_log", "laplacian_resistance", "laplacian_entropy",
    "normal_gap", "normal_max", "normal_std", "singular_max", "singular_ratio", "singular_entropy",
    "received_max", "received_std",
)  # fmt: skip
SMALLEST = 1e-5  # eigenvalues of float32 maps are no better than this


def spectral_statistics(maps: ArrayLike) -> dict[str, np.ndarray]:
    """Thirteen statistics of the spectra of attention maps A; ours, not the paper's.

    Parameters
    ----------
    maps : array, shape (..., n, n)
        Attention weights, rows = queries.

    Returns
    -------
    dict from name to array, shape (...)
        Of the eigenvalues of L, the smallest left out: ``laplacian_gap`` the smallest (algebraic
        connectivity), ``laplacian_max`` the largest, ``laplacian_log`` the mean logarithm (of spanning
        trees), ``laplacian_resistance`` the logarithm of the mean inverse (of the resistance between two
        tokens), ``laplacian_entropy`` the entropy of their shares. ``normal_gap``, ``normal_max`` and
        ``normal_std`` (over all eigenvalues) are those of N. ``singular_max``, ``singular_ratio`` (second
        over first) and ``singular_entropy`` are of the singular values of A itself. ``received_max`` and
        ``received_std`` are of the mean weight that each token gets from the others: the diagonal of the
        directed Laplacian, which in a causal model holds its eigenvalues.
    """
    graphs = as_graphs(maps)
    values = graphs.values.astype(np.float32, copy=False)
    columns = np.stack([*_laplacians(values), *_singular(values), *_received(values)], axis=-1)
    return {name: graphs.shaped(columns[:, k]) for k, name in enumerate(SPECTRAL)}


def _laplacians(a: np.ndarray) -> tuple[np.ndarray, ...]:
    """Statistics of the eigenvalues of L and N."""
    n = a.shape[-1]
    if n == 1:
        return (np.zeros(len(a), np.float32),) * 8
    links = (a + a.swapaxes(-1, -2)) / 2
    links[:, range(n), range(n)] = 0
    degrees = links.sum(-1)
    laplacian = -links
    laplacian[:, range(n), range(n)] = degrees
    roots = np.divide(1, np.sqrt(degrees), out=np.zeros_like(degrees), where=degrees > 0)
    normal = laplacian * roots[:, :, None] * roots[:, None, :]
    others = np.maximum(np.linalg.eigvalsh(laplacian)[:, 1:], SMALLEST)
    normals = np.linalg.eigvalsh(normal)
    resistance = np.log((1 / others).mean(-1))
    return (
        others[:, 0], others[:, -1], np.log(others).mean(-1), resistance, _entropy(others),
        normals[:, 1], normals[:, -1], normals.std(-1),
    )  # fmt: skip


def _singular(a: np.ndarray) -> tuple[np.ndarray, ...]:
    """Statistics of the singular values, which are the roots of the eigenvalues of A A^T."""
    squares = np.linalg.eigvalsh(a @ a.swapaxes(-1, -2))
    values = np.sqrt(np.maximum(squares, SMALLEST**2))
    second = values[:, -2] if a.shape[-1] > 1 else np.zeros(len(a), np.float32)
    return values[:, -1], second / values[:, -1], _entropy(values)


def _received(a: np.ndarray) -> tuple[np.ndarray, ...]:
    """Statistics of what each token gets from the others."""
    received = (a.sum(1) - a.diagonal(axis1=1, axis2=2)) / a.shape[-1]
    return received.max(-1), received.std(-1)


def _entropy(positive: np.ndarray) -> np.ndarray:
    """Entropy of the shares of positive numbers in their sum."""
    shares = positive / positive.sum(-1, keepdims=True)
    return -(shares * np.log(shares)).sum(-1)
