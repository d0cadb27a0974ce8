"""What the parts of the evidence count together, and what their log-odds are worth as probabilities.

A part says log-odds of sentences it did not see. They may be too bold or too timid, and parts repeat each
other. So one more logistic regression weighs them: of a single part this is Platt's calibration, with his
targets, which are a little inside of 0 and 1 so that few sentences never make it certain. Two rules keep it
from believing noise. No share is below zero: a part whose word runs against the labels in sentences that it
did not see has learned nothing that the reverse would say better. And a part stays only if the rest without
it is worse by more than a parameter is worth (Akaike's criterion). It may be that none stays.
"""

from __future__ import annotations

import numpy as np

from toposcope.errors import InputError
from toposcope.stats.ridge import sigmoid

PARAMETER = 2.0  # of deviance, what a parameter has to bring (Akaike 1974, doi:10.1109/TAC.1974.1100705)
TOLERANCE = 1e-9


def weigh(said: np.ndarray, labels: np.ndarray, importance: np.ndarray) -> tuple[np.ndarray, float]:
    """Shares of the parts and a bias, from their log-odds of unseen rows (rows, parts)."""
    targets = platt_targets(labels)
    kept = list(range(said.shape[1]))
    deviance, shares, bias = _non_negative(said[:, kept], targets, importance)
    while kept:
        without = [
            _non_negative(said[:, kept[:k] + kept[k + 1 :]], targets, importance) for k in range(len(kept))
        ]
        least = min(range(len(kept)), key=lambda k: without[k][0])
        if without[least][0] - deviance >= PARAMETER:
            break
        deviance, shares, bias = without[least]
        del kept[least]
    result = np.zeros(said.shape[1])
    result[kept] = shares
    return result, bias


def platt_targets(labels: np.ndarray) -> np.ndarray:
    """The probabilities to aim at: (n1 + 1) / (n1 + 2) and 1 / (n0 + 2) (Platt 1999)."""
    bad, good = np.bincount(labels, minlength=2)
    return np.where(labels == 1, (good + 1) / (good + 2), 1 / (bad + 2))


def log_loss(log_odds: np.ndarray, labels: np.ndarray, importance: np.ndarray) -> float:
    """Mean of -log of the probability that was given to what is true."""
    return float(importance @ (np.logaddexp(0, log_odds) - labels * log_odds) / importance.sum())


def importance_of(labels: np.ndarray, rows: np.ndarray, class_weight: str | None) -> np.ndarray:
    """What each row counts: 0 outside ``rows``, inside 1 or, balanced, as much as its class is rare."""
    counts = np.bincount(labels[rows], minlength=2)
    if not counts.all():
        raise InputError(
            f"Rows to fit on have {counts.tolist()} labels 0 and 1; both are needed, also where a part of "
            "the rows is left out. Give more sentences."
        )
    share = counts.sum() / (2 * counts) if class_weight == "balanced" else np.ones(2)
    return np.where(rows, share[labels], 0)


def _non_negative(
    said: np.ndarray, targets: np.ndarray, importance: np.ndarray
) -> tuple[float, np.ndarray, float]:
    """Deviance, shares >= 0 and bias of a logistic regression without a penalty."""
    from scipy.optimize import minimize

    usual = np.sqrt(np.mean(said**2, axis=0, dtype=np.float64))
    usual[usual == 0] = 1
    columns = np.column_stack([said / usual, np.ones(len(said))])

    def objective(weights: np.ndarray) -> tuple[float, np.ndarray]:
        logits = columns @ weights
        loss = importance @ (np.logaddexp(0, logits) - targets * logits)
        return loss / len(said), columns.T @ (importance * (sigmoid(logits) - targets)) / len(said)

    rate = importance @ targets / importance.sum()
    start = np.append(np.zeros(said.shape[1]), np.log(rate / (1 - rate)))
    bounds = [(0, None)] * said.shape[1] + [(None, None)]
    options = {"ftol": TOLERANCE**1.5, "gtol": TOLERANCE, "maxiter": 1000}
    found = minimize(objective, start, jac=True, method="L-BFGS-B", bounds=bounds, options=options)
    return 2 * len(said) * float(found.fun), found.x[:-1] / usual, float(found.x[-1])
