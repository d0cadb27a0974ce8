"""Logistic regression whose strength and threshold are chosen on the training data alone."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold

from toposcope.judge.metrics import best_threshold, confusion, matthews

STRENGTHS = tuple(10.0**k for k in (-5, -4.5, -4, -3.5, -3, -2.5, -2, -1.5, -1))
FOLDS = 5
STEPS = 400
CLIP = 6.0  # standard deviations; what lies farther out says no more


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
    out_of_fold = np.empty((len(strengths), len(labels)))
    for left_out in folds:
        mean, scale = moments(values[~left_out])
        train, test = (standardised(values[rows], mean, scale) for rows in (~left_out, left_out))
        path = _path(train, labels[~left_out], strengths, penalty, class_weight)
        for k, (weights, bias) in enumerate(path):
            out_of_fold[k, left_out] = sigmoid(test @ weights + bias)
    thresholds = [best_threshold(labels, p) for p in out_of_fold]
    scores = [
        float(matthews(confusion(labels, p >= t))) for p, t in zip(out_of_fold, thresholds, strict=True)
    ]
    best = int(np.argmax(scores))
    mean, scale = moments(values)
    path = _path(standardised(values, mean, scale), labels, strengths[: best + 1], penalty, class_weight)
    weights, bias = path[-1]
    return Linear(
        mean, scale, weights, bias, thresholds[best], strengths[best], scores[best], out_of_fold[best]
    )


def moments(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean and standard deviation of the columns; a constant column gets 1, so that it stays 0."""
    mean = values.mean(0, dtype=np.float64)
    scale = values.std(0, dtype=np.float64)
    return mean.astype(np.float32), np.where(scale > 1e-7, scale, 1).astype(np.float32)


def standardised(values: np.ndarray, mean: np.ndarray, scale: np.ndarray) -> np.ndarray:
    """Columns in standard deviations from their mean, clipped."""
    return np.clip((np.asarray(values, np.float32) - mean) / scale, -CLIP, CLIP)


def sigmoid(logits: np.ndarray) -> np.ndarray:
    """Probabilities of log-odds."""
    return 1 / (1 + np.exp(-np.clip(logits, -60, 60)))


def _folds(labels: np.ndarray, seed: int) -> list[np.ndarray]:
    splitter = StratifiedKFold(FOLDS, shuffle=True, random_state=seed)
    return [np.isin(np.arange(len(labels)), test) for _, test in splitter.split(labels, labels)]


def _path(
    values: np.ndarray,
    labels: np.ndarray,
    strengths: Sequence[float],
    penalty: str,
    class_weight: str | None,
) -> list[tuple[np.ndarray, float]]:
    """Weights and bias for each strength, each fit starting from the one before."""
    solver = "lbfgs" if penalty == "l2" else "liblinear"
    model = LogisticRegression(
        l1_ratio=float(penalty == "l1"),
        solver=solver,
        class_weight=class_weight,
        max_iter=STEPS,
        warm_start=True,
    )
    path = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        for strength in strengths:
            model.set_params(C=strength).fit(values, labels)
            path.append((model.coef_[0].astype(np.float32), float(model.intercept_[0])))
    return path
