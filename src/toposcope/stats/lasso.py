"""Logistic regressions with few weights that are not zero.

The absolute value has a kink at zero, and the kink is what makes weights exactly zero; but no gradient
passes it. So the loss is replaced by the parabola that touches it, and the parabola with the kinks is
solved one weight at a time, each in closed form (Friedman, Hastie, Tibshirani 2010,
doi:10.18637/jss.v033.i01). The parabola needs only the columns at work: those with a weight, and those
that pull harder than the kink holds. Their curvature is a small square matrix, so a weight costs no
look at the rows. Few columns are at work where the penalty is strong, hence the first sample starts at
the smallest strength and goes on from there; the others start where the first one ended.

Columns that say nearly the same are why this is not a gradient method in one batch like the ridge:
steps would have to be as short as the steepest direction wants, and thousands of them.

Invariant of the loop: weights outside the columns at work are zero, and the objective only falls.
"""

from __future__ import annotations

import numpy as np

from toposcope.kernels.run import coordinate_descent
from toposcope.stats.ridge import sigmoid

STEPS = 100
ROUNDS = 100
SWEEPS = 30
TOLERANCE = 1e-2  # of the kink, that is, of the pull that a weight of zero withstands
LEAST_AT_WORK = 64
SHARE = 0.2  # of the excess that a parabola leaves over: it is only a parabola
STIFFER = 1 + 1e-6  # for columns that are all but the same


def lasso(
    values: np.ndarray,
    labels: np.ndarray,
    importance: np.ndarray,
    strengths: np.ndarray,
    *,
    start: np.ndarray | None = None,
    tolerance: float = TOLERANCE,
) -> np.ndarray:
    """Minimise |w|_1 + C sum_i s_i log(1 + exp(-y_i (x_i w + b))) for all s and all C.

    Parameters and result as in ``ridge``; ``tolerance`` is how far an entry of the gradient may be
    from what the kink allows.
    """
    start = np.zeros(values.shape[1] + 1) if start is None else start
    answer = np.empty((len(start), importance.shape[1], len(strengths)), np.float32)
    for sample in range(importance.shape[1]):
        weights = start
        for k in np.argsort(strengths):
            near = answer[:, 0, k] if sample else weights
            costs = importance[:, sample] * strengths[k]
            weights = _solve(values, labels, costs, near.astype(np.float64), tolerance)
            answer[:, sample, k] = weights
    return answer


def _solve(
    values: np.ndarray, labels: np.ndarray, costs: np.ndarray, weights: np.ndarray, tolerance: float
) -> np.ndarray:
    """Weights of one problem: parabola after parabola, until none has anything left to do."""
    at_work = np.flatnonzero(weights[:-1])
    columns, logits = _columns(values, at_work), np.zeros(len(values))
    logits += columns @ weights[np.append(at_work, -1)]
    for _ in range(STEPS):
        p = sigmoid(logits)
        residuals = costs * (p - labels)
        gradient = np.append(residuals.astype(np.float32) @ values, residuals.sum()).astype(np.float64)
        excess = _excess(weights, gradient)
        if excess.max() <= tolerance:
            break
        at_work = np.append(_at_work(weights, excess), len(weights) - 1)
        columns = _columns(values, at_work[:-1])
        bent = columns * np.sqrt(costs * np.maximum(p * (1 - p), 1e-5)).astype(np.float32)[:, None]
        curvature = (bent.T @ bent).astype(np.float64)
        aim = weights[at_work].copy()
        _settle(aim, gradient[at_work].copy(), curvature, SHARE * excess.max())
        move = aim - weights[at_work]
        shift = (columns @ move.astype(np.float32)).astype(np.float64)
        far = _how_far(weights[at_work], move, gradient[at_work] @ move, logits, shift, labels, costs)
        if far == 0:  # as low as numbers of this precision go
            break
        weights = weights.copy()
        weights[at_work] = aim if far == 1 else weights[at_work] + far * move
        logits = logits + far * shift
    return weights


def _columns(values: np.ndarray, which: np.ndarray) -> np.ndarray:
    """Some columns and a last one of ones, for the bias."""
    return np.column_stack([values[:, which], np.ones(len(values), np.float32)])


def _excess(weights: np.ndarray, gradient: np.ndarray) -> np.ndarray:
    """How far each entry of the gradient is from what the kinks allow; the bias has none."""
    kinked = np.where(
        weights == 0, np.maximum(np.abs(gradient) - 1, 0), np.abs(gradient + np.sign(weights))
    )
    kinked[-1] = abs(gradient[-1])
    return kinked


def _at_work(weights: np.ndarray, excess: np.ndarray) -> np.ndarray:
    """Columns with a weight, and those without that pull hardest: at most a quarter as many again."""
    used = weights[:-1] != 0
    pulling = np.where(used, 0, excess[:-1])
    strongest = np.argsort(-pulling, kind="stable")[: max(LEAST_AT_WORK, int(used.sum()) // 4)]
    used[strongest[pulling[strongest] > 0]] = True
    return np.flatnonzero(used)


def _how_far(
    weights: np.ndarray,
    move: np.ndarray,
    slope: float,
    logits: np.ndarray,
    shift: np.ndarray,
    labels: np.ndarray,
    costs: np.ndarray,
) -> float:
    """The largest of 1, 1/2, 1/4, ... that lowers the objective as much as the slope promises."""

    def objective(far: float) -> float:
        z = logits + far * shift
        kinks = np.abs(weights[:-1] + far * move[:-1]).sum()
        return float(kinks + costs @ (np.logaddexp(0, z) - labels * z))

    now, promise = objective(0), slope + np.abs((weights + move)[:-1]).sum() - np.abs(weights[:-1]).sum()
    halvings = (0.5**k for k in range(30))
    return next((far for far in halvings if objective(far) <= now + 1e-4 * far * promise), 0.0)


def _settle(weights: np.ndarray, slope: np.ndarray, curvature: np.ndarray, tolerance: float) -> None:
    """Lowest point of a parabola plus the absolute values of all weights but the last, in place.

    Sweeps find out which weights are zero and the signs of the others, but crawl where columns agree.
    With zeros and signs fixed the rest is a linear system; its solution is followed as far as it
    goes down, and weights that would change their sign on the way stay at zero.

    Invariant: ``slope`` is the gradient of the parabola at ``weights``.
    """
    allowed = np.append(np.ones(len(weights) - 1), 0)  # the bias has no kink
    for _ in range(ROUNDS):
        weights[:], slope[:] = coordinate_descent(weights, slope, curvature, allowed, STIFFER, SWEEPS)
        if _excess(weights, slope).max() <= tolerance:
            return
        kinks = np.sign(weights)
        kinks[-1] = 0
        free = np.flatnonzero(np.append(kinks[:-1], 1))
        system = curvature[np.ix_(free, free)]
        system.flat[:: len(free) + 1] *= STIFFER
        move = np.linalg.solve(system, -(slope + kinks)[free])
        for far in 0.5 ** np.arange(20):
            aim = weights[free] + far * move
            aim[aim * kinks[free] < 0] = 0
            change = aim - weights[free]
            bent = change @ curvature[free]
            if (slope + kinks + bent / 2)[free] @ change <= 0:
                weights[free] = aim
                slope += bent
                break
