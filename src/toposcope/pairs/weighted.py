"""Weighted heads: a logistic regression without intercept on the differences between two sentences.

Every head says how much the sentences differ; a weight for each makes these numbers one. Learned from
pairs of which the good sentence is known, all paradigms weighing the same. The strength is chosen by
cross-validation: on other pairs of the same paradigms, or, for what is to come, on phenomena that
were left out.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from toposcope.pairs.choosers import WeightedHeads, scaled
from toposcope.stats.ridge import ridge
from toposcope.topology.head import Head

STRENGTHS = tuple(10.0**k for k in (-5, -4.5, -4, -3.5, -3, -2.5, -2, -1.5, -1, -0.5, 0))


def fit_weights(
    values: np.ndarray,
    folds: np.ndarray,
    importance: np.ndarray,
    columns: Sequence[str],
    heads: Sequence[Head],
    strengths: Sequence[float] = STRENGTHS,
) -> tuple[WeightedHeads, float]:
    """Weights for differences (pairs, heads, columns), and the accuracy by cross-validation.

    ``folds`` are left out in turn to choose the strength, unless there is only one; ``importance`` is the
    weight of each pair.
    """
    scale = usual_size(values, importance)
    flat = scaled(values, scale).reshape(len(values), -1).astype(np.float32)
    labels = np.ones(len(flat))
    best, accuracy = 0, np.nan
    if len(strengths) > 1:
        best, accuracy = _best_strength(flat, folds, importance, strengths)
    final = ridge(flat, labels, importance[:, None], np.array([strengths[best]]), bias=False)[:-1, 0, 0]
    weights = final.reshape(scale.shape).astype(np.float64)
    fitted = WeightedHeads(tuple(columns), tuple(heads), scale, weights, float(strengths[best]))
    return fitted.rounded(), accuracy


def fit_few(
    values: np.ndarray,
    folds: np.ndarray,
    importance: np.ndarray,
    columns: Sequence[str],
    heads: Sequence[Head],
    count: int,
) -> tuple[WeightedHeads, float]:
    """As ``fit_weights``, with ``count`` heads: the weaker half is dropped until only these are left.

    Which heads are kept is decided on all pairs, so the accuracy by cross-validation flatters a little.
    """
    fitted, accuracy = fit_weights(values, folds, importance, columns, heads)
    places = np.arange(len(heads))
    while len(places) > count:
        strength = np.linalg.norm(fitted.weights, axis=1)
        strongest = np.argsort(-strength, kind="stable")[: max(count, len(places) // 2)]
        places = places[np.sort(strongest)]
        kept = [heads[place] for place in places.tolist()]
        fitted, accuracy = fit_weights(values[:, places], folds, importance, columns, kept)
    return fitted, accuracy


def _best_strength(
    flat: np.ndarray, folds: np.ndarray, importance: np.ndarray, strengths: Sequence[float]
) -> tuple[int, float]:
    """The strength that does best on folds that are left out in turn, the least of equally good ones."""
    left_out = folds[:, None] == np.unique(folds)
    taught = importance[:, None] * ~left_out
    trained = ridge(flat, np.ones(len(flat)), taught, np.array(strengths), bias=False)
    margins = np.einsum("pfs,pf->ps", _margins(flat, trained), left_out, optimize=True)
    right = importance @ (0.5 * (margins > 0) + 0.5 * (margins >= 0)) / importance.sum()
    best = int(np.argmax(right))
    return best, float(right[best])


def _margins(flat: np.ndarray, trained: np.ndarray) -> np.ndarray:
    """Log-odds of all pairs under all problems, (pairs, folds, strengths)."""
    weights = trained[:-1]
    return (flat @ weights.reshape(len(weights), -1)).reshape(len(flat), *weights.shape[1:])


def usual_size(values: np.ndarray, importance: np.ndarray) -> np.ndarray:
    """Root mean square of the differences, (heads, columns); 1 where there is none."""
    square = np.einsum("p,phc->hc", importance, values.astype(np.float64) ** 2, optimize=True)
    size = np.sqrt(square / importance.sum())
    return np.where(size > 1e-12, size, 1.0)
