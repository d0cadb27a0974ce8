"""Many logistic regressions on one matrix, solved at once.

Cross-validation asks for the same regression again and again: other rows left out, another strength,
but always the same matrix. Solved one by one, each step of each problem reads the whole matrix for a
single column of numbers. Here a step is taken by all problems together, and reads it twice: once for
the gradients, once for what the directions change in the logits. Because the logits are kept and
moved along with the weights, searching along a line needs no matrix at all.

Directions are conjugate gradients, preconditioned. Columns that say nearly the same make a few
directions thousands of times steeper than the rest, and these are what plain gradients waste their
steps on. A sketch of the matrix finds them once for all problems, and every gradient is divided by the
curvature there.

Invariant of the loop: ``logits`` are ``values @ weights + bias`` of the open problems. A problem is
closed once no column pulls at it any more; no problem ever sees another one.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

DIRECTIONS = 128
STEPS = 400
TOLERANCE = 1e-4  # of the pull of all rows together, as in scikit-learn
BEND = 0.2  # p (1 - p) of a row that is still somewhat open


def ridge(
    values: np.ndarray,
    labels: np.ndarray,
    importance: np.ndarray,
    strengths: np.ndarray,
    *,
    start: np.ndarray | None = None,
    tolerance: float = TOLERANCE,
    bias: bool = True,
) -> np.ndarray:
    """Minimise |w|^2 / 2 + C sum_i s_i log(1 + exp(-y_i (x_i w + b))) for all s and all C.

    Parameters
    ----------
    values : float32, (rows, columns)
        Standardised columns.
    labels : 0 and 1, (rows,)
    importance : (rows, samples)
        The s of each row in each sample of the rows, 0 where it is left out.
    strengths : (strengths,)
        The C, all of them tried on every sample.
    start : (columns + 1,)
        Weights and bias to start from instead of zeros.
    tolerance : number
        A problem is solved when no entry of its gradient exceeds this share of C sum_i s_i.
    bias : bool
        False keeps the bias at its start.

    Returns
    -------
    weights, (columns + 1, samples, strengths)
        The last row is the bias.
    """
    columns, problems = values.shape[1], importance.shape[1] * len(strengths)
    # Samples and strengths become one axis, the problems: to a step they are all the same.
    costs = np.multiply.outer(importance, strengths).reshape(len(values), problems).astype(np.float32)
    weights = np.zeros((columns + 1, problems), np.float32)
    if start is not None:
        weights += start[:, None].astype(np.float32)
    steep = _steep_directions(values)
    todo = _Problems.start(values, weights, costs)
    for _ in range(STEPS):
        _turn(todo, values, labels, steep, bias)
        unsolved = np.abs(todo.gradient).max(0) > tolerance * todo.pull
        # Solved problems leave at once, so that the two products get narrower with every step.
        if not unsolved.all():
            weights[:, todo.place] = todo.weights
            todo = todo.only(unsolved)
        if not len(todo.place):
            break
        _walk(todo, values, labels)
    weights[:, todo.place] = todo.weights
    return weights.reshape(columns + 1, importance.shape[1], len(strengths))


def sigmoid(logits: np.ndarray) -> np.ndarray:
    """Probabilities of log-odds."""
    return 1 / (1 + np.exp(-np.clip(logits, -60, 60)))


@dataclass
class _Problems:
    """Where the unsolved problems stand; the last axis of every array is the problem."""

    place: np.ndarray  # among all problems
    costs: np.ndarray  # C s, (rows, problems)
    pull: np.ndarray  # C sum s
    weights: np.ndarray  # (columns + 1, problems), bias last
    logits: np.ndarray  # (rows, problems)
    gradient: np.ndarray
    direction: np.ndarray
    descent: np.ndarray  # squared length of the gradient in the metric of the preconditioner

    @classmethod
    def start(cls, values: np.ndarray, weights: np.ndarray, costs: np.ndarray) -> _Problems:
        logits = _logits(values, weights) if weights.any() else np.zeros_like(costs)
        zeros, count = np.zeros_like(weights), weights.shape[1]
        pull = costs.sum(0, dtype=np.float64)
        return cls(
            np.arange(count), costs, pull, weights.copy(), logits, zeros, zeros, np.full(count, np.inf)
        )

    def only(self, chosen: np.ndarray) -> _Problems:
        return _Problems(*(np.compress(chosen, getattr(self, f.name), axis=-1) for f in fields(self)))


@dataclass(frozen=True)
class _Steep:
    """Directions in which the columns agree, and the squared length of the values along them."""

    directions: np.ndarray  # (columns, k), orthonormal
    lengths: np.ndarray  # (k,), rising

    def divided(self, gradient: np.ndarray, pull: np.ndarray, rows: int) -> np.ndarray:
        """Gradients over the curvature of their problem, as if every row were equally open.

        Directions that are not known are taken to be as steep as the flattest known one.
        """
        # One curvature for all rows, where p (1 - p) would be another for each problem and step: the
        # directions are then the same for all, and a wrong curvature costs steps, not the answer.
        bend = BEND * pull / rows
        known, rest = 1 + self.lengths[:, None] * bend, 1 + self.lengths[0] * bend
        along = self.directions.T @ gradient[:-1]
        along *= 1 / known - 1 / rest
        result = np.empty_like(gradient)
        np.matmul(self.directions, along, out=result[:-1])
        result[:-1] += gradient[:-1] / rest.astype(np.float32)
        result[-1] = gradient[-1] / (BEND * pull)
        return result


def _steep_directions(values: np.ndarray) -> _Steep:
    """The longest directions of a matrix, from a random sketch of it.

    Eigenvectors of small Gram matrices do the work of a QR decomposition, which crawls when other
    processes want the same cores.
    """
    rng = np.random.default_rng(0)
    sketch = rng.standard_normal((values.shape[1], min(DIRECTIONS, *values.shape)), np.float32)
    rows, _ = _orthonormal(values @ sketch)
    return _Steep(*_orthonormal(values.T @ rows))


def _orthonormal(vectors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """An orthonormal basis of columns, and their squared lengths along it, rising."""
    lengths, turn = np.linalg.eigh((vectors.T @ vectors).astype(np.float64))
    real = lengths > 1e-6 * lengths[-1]
    if not real.any():  # nothing but zeros
        return np.zeros((len(vectors), 1), np.float32), np.zeros(1)
    return vectors @ (turn[:, real] / np.sqrt(lengths[real])).astype(np.float32), lengths[real]


def _turn(todo: _Problems, values: np.ndarray, labels: np.ndarray, steep: _Steep, bias: bool) -> None:
    """New gradients and directions (Polak and Ribiere, never back)."""
    # The bias's gradient and the lengths below are summed in double: near the solution residuals of
    # thousands of rows cancel, and what is left of them says whether it is one.
    residuals = todo.costs * (sigmoid(todo.logits) - labels[:, None].astype(np.float32))
    gradient = np.empty_like(todo.weights)
    np.matmul(values.T, residuals, out=gradient[:-1])
    gradient[:-1] += todo.weights[:-1]
    gradient[-1] = residuals.sum(0, dtype=np.float64) if bias else 0
    downhill = steep.divided(gradient, todo.pull, len(values))
    descent = _dot(gradient, downhill)
    share = np.maximum(0, (descent - _dot(todo.gradient, downhill)) / todo.descent)
    share[share * _dot(todo.direction, gradient) > descent / 2] = 0  # the old direction has had its day
    todo.direction = todo.direction * share.astype(np.float32) - downhill
    todo.gradient, todo.descent = gradient, descent


def _walk(todo: _Problems, values: np.ndarray, labels: np.ndarray) -> None:
    """Go along the directions as far as it is downhill."""
    change = _logits(values, todo.direction)
    far = _lowest(todo, change, labels[:, None].astype(np.float32)).astype(np.float32)
    todo.weights += far * todo.direction
    todo.logits += far * change


def _lowest(todo: _Problems, change: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """How far along its direction each problem is lowest: Newton's steps, kept between two bounds.

    The objective is convex, so a slope that still falls bounds the place from below, one that rises
    from above. A step that leaves the bounds is replaced by their middle.
    """
    along = _dot(todo.weights[:-1], todo.direction[:-1])
    square = _dot(todo.direction[:-1], todo.direction[:-1])
    # What stays the same along the line is multiplied once; what is left is a look at numbers, not columns.
    first = todo.costs * change
    second = first * change
    far, low, high = np.zeros(len(along)), np.zeros(len(along)), np.full(len(along), np.inf)
    for _ in range(20):
        p = sigmoid(todo.logits + far.astype(np.float32) * change)
        slope = _dot(first, p - labels) + along + far * square
        bend = _dot(second, p * (1 - p)) + square
        low, high = np.where(slope < 0, far, low), np.where(slope < 0, high, far)
        newton = far - slope / np.maximum(bend, 1e-300)
        before, far = far, np.where((newton >= low) & (newton <= high), newton, (low + high) / 2)
        if (np.abs(far - before) <= 1e-2 * far).all():
            break
    return far


def _logits(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    result = values @ weights[:-1]
    result += weights[-1]
    return result


def _dot(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.einsum("ij,ij->j", a, b, dtype=np.float64)
