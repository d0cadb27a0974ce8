"""Logistic regression whose strength and threshold are chosen on the training data alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from sklearn.model_selection import StratifiedKFold

from toposcope.errors import InputError
from toposcope.judge.metrics import best_threshold, confusion, matthews
from toposcope.judge.solver import ridge, sigmoid
from toposcope.judge.sparse import lasso

STRENGTHS = tuple(10.0**k for k in (-5, -4.5, -4, -3.5, -3, -2.5, -2, -1.5, -1))
WEIGHING = (1e-3, 1e-2, 1e-1, 1.0)  # for the few numbers that parts of the evidence say
FOLDS = 5
CLIP = 6.0  # standard deviations; what lies farther out says no more
SOLVERS = {"l2": ridge, "l1": lasso}


@dataclass(frozen=True, eq=False)
class Linear:
    """Standardised columns, a weight each, a bias, and the probability from which on to say yes.

    ``strength`` is the C that cross-validation chose, ``out_of_fold`` the probabilities of the
    training rows from folds that did not see them, ``cv_mcc`` what these reach at the threshold.
    """

    mean: np.ndarray = field(repr=False)
    scale: np.ndarray = field(repr=False)
    weights: np.ndarray = field(repr=False)
    bias: float
    threshold: float
    strength: float
    cv_mcc: float
    out_of_fold: np.ndarray = field(repr=False)

    def logits(self, values: np.ndarray) -> np.ndarray:
        """Log-odds of rows (rows, columns)."""
        return standardised(values, self.mean, self.scale) @ self.weights + self.bias

    def probabilities(self, values: np.ndarray) -> np.ndarray:
        """Probability of being acceptable."""
        return sigmoid(self.logits(values))

    def verdicts(self, values: np.ndarray) -> np.ndarray:
        """1 acceptable, 0 not, at the chosen threshold."""
        return (self.probabilities(values) >= self.threshold).astype(int)


def fit_linear(
    values: np.ndarray,
    labels: np.ndarray,
    *,
    strengths: Sequence[float] = STRENGTHS,
    penalty: Literal["l2", "l1"] = "l2",
    class_weight: Literal["balanced"] | None = None,
    seed: int = 0,
    groups: np.ndarray | None = None,
) -> Linear:
    """Choose C by cross-validation, fit on all rows, and choose the threshold on out-of-fold rows.

    Columns are standardised once, by the moments of all rows given. A fold therefore knows the mean
    and the spread of the columns in the rows it leaves out, but nothing of their labels.

    Parameters
    ----------
    values : array, (rows, columns)
    labels : 0 and 1
    groups : numbers
        Folds to use instead of random ones: the rows of a group are left out together. For features
        that come from models tuned on the other rows.
    """
    labels = np.asarray(labels, int)
    folds = _folds(labels, seed) if groups is None else [np.asarray(groups) == g for g in np.unique(groups)]
    solve = SOLVERS[penalty]
    mean, scale = moments(values)
    matrix = standardised(values, mean, scale)
    importance = np.stack([_importance(labels, ~left_out, class_weight) for left_out in folds], 1)
    weights = solve(matrix, labels, importance, np.array(strengths))
    out_of_fold = np.empty((len(strengths), len(labels)))
    for k, left_out in enumerate(folds):
        out_of_fold[:, left_out] = sigmoid(matrix[left_out] @ weights[:-1, k] + weights[-1, k]).T
    thresholds = [best_threshold(labels, p) for p in out_of_fold]
    scores = [
        float(matthews(confusion(labels, p >= t))) for p, t in zip(out_of_fold, thresholds, strict=True)
    ]
    best = int(np.argmax(scores))
    everything = _importance(labels, np.ones(len(labels), bool), class_weight)[:, None]
    near = weights[:, :, best].mean(1)  # the folds' weights are nearly those of all rows
    final = solve(matrix, labels, everything, np.array([strengths[best]]), start=near)[:, 0, 0]
    return Linear(
        mean,
        scale,
        final[:-1],
        float(final[-1]),
        thresholds[best],
        strengths[best],
        scores[best],
        out_of_fold[best],
    )


def fit_parts(
    values: np.ndarray,
    labels: np.ndarray,
    parts: Sequence[np.ndarray],
    *,
    class_weight: Literal["balanced"] | None = None,
    groups: np.ndarray,
) -> Linear:
    """A regression for each part of the columns, and one that weighs what they say.

    Blocks of features and hidden states differ in number and in noise, so each part, given by the places
    of its columns, gets a strength of its own. The last regression learns from what the parts say of
    rows they did not see. All of them are linear, so the whole is one ``Linear`` again; its strength is
    that of the last one.
    """
    fits = [fit_linear(values[:, part], labels, class_weight=class_weight, groups=groups) for part in parts]
    if len(fits) == 1:
        return fits[0]
    said = np.stack([_log_odds(fit.out_of_fold) for fit in fits], 1).astype(np.float32)
    top = fit_linear(said, labels, strengths=WEIGHING, class_weight=class_weight, groups=groups)
    mean, scale, weights = (np.empty(values.shape[1], np.float32) for _ in range(3))
    bias = top.bias
    for part, fit, share, usual in zip(parts, fits, top.weights / top.scale, top.mean, strict=True):
        mean[part], scale[part], weights[part] = fit.mean, fit.scale, share * fit.weights
        bias += float(share * (fit.bias - usual))
    return replace(top, mean=mean, scale=scale, weights=weights, bias=bias)


def trust(log_odds: np.ndarray, labels: np.ndarray) -> Linear:
    """Take one column of log-odds (rows, 1) for what it is; only the threshold is chosen."""
    p = sigmoid(log_odds[:, 0].astype(np.float64))
    threshold = best_threshold(labels, p)
    score = float(matthews(confusion(labels, p >= threshold)))
    zero, one = np.zeros(1, np.float32), np.ones(1, np.float32)
    return Linear(zero, one, one, 0.0, threshold, 0.0, score, p)


def moments(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean and standard deviation of the columns; a constant column gets 1, so that it stays 0."""
    mean = values.mean(0, dtype=np.float64)
    scale = values.std(0, dtype=np.float64)
    return mean.astype(np.float32), np.where(scale > 1e-7, scale, 1).astype(np.float32)


def standardised(values: np.ndarray, mean: np.ndarray, scale: np.ndarray) -> np.ndarray:
    """Columns in standard deviations from their mean, clipped."""
    return np.clip((np.asarray(values, np.float32) - mean) / scale, -CLIP, CLIP)


def _log_odds(probabilities: np.ndarray) -> np.ndarray:
    p = np.clip(probabilities, 1e-6, 1 - 1e-6)
    return np.log(p / (1 - p))


def _folds(labels: np.ndarray, seed: int) -> list[np.ndarray]:
    splitter = StratifiedKFold(FOLDS, shuffle=True, random_state=seed)
    return [np.isin(np.arange(len(labels)), test) for _, test in splitter.split(labels, labels)]


def _importance(labels: np.ndarray, rows: np.ndarray, class_weight: str | None) -> np.ndarray:
    """What each row counts: 0 outside ``rows``, inside 1 or, balanced, as much as its class is rare."""
    counts = np.bincount(labels[rows], minlength=2)
    if not counts.all():
        raise InputError(f"Rows to fit on have {counts.tolist()} labels 0 and 1; both are needed.")
    share = counts.sum() / (2 * counts) if class_weight == "balanced" else np.ones(2)
    return np.where(rows, share[labels], 0)
