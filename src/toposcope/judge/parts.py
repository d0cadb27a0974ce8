"""How a linear judge is fitted: everything it chooses is chosen on the training sentences alone.

A regression for each part of the columns, at the strength that cross-validation likes; then one more over
what the parts say of sentences they did not see (stats/weighing.py), which makes probabilities of it. What
the whole is worth is told by nested cross-validation: each fold is judged by a fit that repeats all of
these choices without it. A score from the folds that chose would flatter, and of few sentences it flatters
much.

All regressions of a part, whatever rows they do without, are solved at once (stats/ridge.py), so that
nesting costs three times a plain cross-validation and not five.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from toposcope.errors import InputError
from toposcope.judge.linear import Linear, OutOfFold, moments, standardised
from toposcope.stats.metrics import best_threshold, confusion, matthews, paired_difference
from toposcope.stats.ridge import ridge, sigmoid
from toposcope.stats.weighing import importance_of, log_loss, weigh

STRENGTHS = np.array([10.0**k for k in (-5, -4.5, -4, -3.5, -3, -2.5, -2, -1.5, -1)])
FOLDS = 5
SURE = 0.05  # p-value below which another threshold than one half is surely better
Parts = Sequence[np.ndarray]
ClassWeight = Literal["balanced"] | None
Kept = dict[bytes, np.ndarray]


def fit_parts(
    values: np.ndarray,
    labels: np.ndarray,
    parts: Parts | Callable[[np.ndarray], Parts],
    *,
    groups: np.ndarray,
    within: np.ndarray | None = None,
    class_weight: ClassWeight = None,
    kept: Kept | None = None,
) -> Linear:
    """A regression for each part of the columns, and one that weighs what they say.

    Blocks of features and hidden states differ in number and in noise, so each part gets a strength of its
    own. All regressions are linear, so the whole is one ``Linear`` again. Columns are standardised by the
    moments of all rows given: a fold knows the mean and the spread of what it leaves out, but no label.

    Parameters
    ----------
    values : array, (rows, columns)
    labels : 0 and 1
    parts : places of the columns of each part
        Or a function that chooses them, from the rows (a mask) whose labels it may look at.
    groups : numbers
        The rows of a group are left out together: they are a fold, or were seen by the same tuned model.
    within : numbers
        How the rows of a group are cut where only one group is left to choose by.
    class_weight : "balanced" gives both labels the same weight
    kept : dict
        What the regressions of parts say is put in here, and taken from here. For several fits with the
        same values, labels, groups and weight, some of whose parts are the same.
    """
    labels, groups = np.asarray(labels, int), np.asarray(groups)
    choose = parts if callable(parts) else lambda _: parts
    folds = [groups == group for group in np.unique(groups)]
    if len(folds) < 2:
        raise InputError("all rows are of one group: two at least are needed, so that one can be left out.")
    whole = _Task(np.ones(len(labels), bool), folds)
    nested = [_Task(~fold, _others(fold, folds, labels, within)) for fold in folds]
    tasks, kept = [whole, *nested], None if callable(parts) else {} if kept is None else kept
    said = _said(values, labels, choose, tasks, class_weight, kept)
    fits = [_settled(*both, labels, class_weight) for both in zip(tasks, said, strict=True)]
    log_odds = np.empty(len(labels))
    for fold, fit, parts_say in zip(folds, fits[1:], said[1:], strict=True):
        log_odds[fold] = fit.log_odds([part[-1] for part in parts_say])[fold]
    cuts = np.select(folds, [fit.threshold for fit in fits[1:]])
    out_of_fold, at_half = _judged(labels, sigmoid(log_odds), cuts, len(folds))
    return replace(
        _joined(values, labels, choose(whole.rows), fits[0], class_weight),
        threshold=0.5 if at_half else fits[0].threshold,
        cv_mcc=float(matthews(confusion(labels, out_of_fold.verdicts))),
        out_of_fold=out_of_fold,
    )


@dataclass(frozen=True, eq=False)
class _Task:
    """Rows to fit on, and the folds of them by which strengths and shares are chosen, as masks."""

    rows: np.ndarray
    folds: Sequence[np.ndarray]

    def taught(self) -> list[np.ndarray]:
        """What the regressions of this task learn from: all its rows but a fold; last, all its rows."""
        return [*(self.rows & ~fold for fold in self.folds), self.rows]


@dataclass(frozen=True, eq=False)
class _Fit:
    """What a task chose: the place of each part's strength, shares, a bias, a threshold."""

    strengths: np.ndarray
    shares: np.ndarray
    bias: float
    threshold: float

    def log_odds(self, said: Sequence[np.ndarray]) -> np.ndarray:
        """What the parts say together; of each (strengths, rows)."""
        chosen = [part[k] for part, k in zip(said, self.strengths, strict=True)]
        return self.shares @ np.stack(chosen) + self.bias


def _others(
    fold: np.ndarray, folds: Sequence[np.ndarray], labels: np.ndarray, within: np.ndarray | None
) -> list[np.ndarray]:
    """The folds but one. A single one that is left is cut as ``within`` has it, or each label dealt out."""
    others = [one for one in folds if one is not fold]
    if len(others) > 1:
        return others
    places = np.flatnonzero(others[0])
    if within is None:
        dealt = np.empty(len(places), int)
        dealt[np.argsort(labels[places], kind="stable")] = np.arange(len(places)) % FOLDS
    else:
        dealt = np.asarray(within)[places]
    cells = []
    for number in np.unique(dealt):
        cells.append(np.zeros(len(labels), bool))
        cells[-1][places[dealt == number]] = True
    return cells


def _said(
    values: np.ndarray,
    labels: np.ndarray,
    choose: Callable[[np.ndarray], Parts],
    tasks: Sequence[_Task],
    class_weight: ClassWeight,
    kept: Kept | None,
) -> list[list[np.ndarray]]:
    """Log-odds of all rows, (regressions of the task, strengths, rows), for each task and each part.

    If the parts are the same for all tasks, regressions that learn from the same rows are the same: they
    are solved once, and ``kept``.
    """
    if kept is None:
        return [
            [
                _regressions(values[:, part], labels, task.taught(), class_weight)
                for part in choose(task.rows)
            ]
            for task in tasks
        ]
    masks = {rows.tobytes(): rows for task in tasks for rows in task.taught()}
    del masks[tasks[0].rows.tobytes()]  # nobody is left out of it, so nobody asks what it says
    place = {key: k for k, key in enumerate(masks)}
    every = []
    for part in choose(tasks[0].rows):
        key = part.tobytes()
        if key not in kept:
            kept[key] = _regressions(values[:, part], labels, list(masks.values()), class_weight)
        every.append(kept[key])
    asked = [[place[r.tobytes()] for r in task.taught() if r.tobytes() in place] for task in tasks]
    return [[part[places] for part in every] for places in asked]


def _regressions(
    values: np.ndarray, labels: np.ndarray, masks: Sequence[np.ndarray], class_weight: ClassWeight
) -> np.ndarray:
    """What regressions that learn from some rows say of all, (masks, strengths, rows)."""
    matrix = standardised(values, *moments(values))
    importance = np.stack([importance_of(labels, rows, class_weight) for rows in masks], 1)
    weights = ridge(matrix, labels, importance, STRENGTHS)
    flat = matrix @ weights[:-1].reshape(len(weights) - 1, -1) + weights[-1].reshape(-1)
    return flat.T.reshape(len(masks), len(STRENGTHS), len(labels))


def _settled(
    task: _Task, said: Sequence[np.ndarray], labels: np.ndarray, class_weight: ClassWeight
) -> _Fit:
    """Strengths, shares and threshold of a task, from what is said of folds that were left out."""
    importance, rows = importance_of(labels, task.rows, class_weight), task.rows
    strengths, unseen = np.empty(len(said), int), np.empty((len(labels), len(said)))
    for k, part in enumerate(said):
        odds = np.zeros((len(STRENGTHS), len(labels)))
        for without, fold in zip(part, task.folds, strict=False):
            odds[:, fold] = without[:, fold]
        strengths[k] = int(np.argmin([log_loss(one, labels, importance) for one in odds]))
        unseen[:, k] = odds[strengths[k]]
    shares, bias = weigh(unseen[rows], labels[rows], importance[rows])
    threshold = best_threshold(labels[rows], sigmoid(unseen[rows] @ shares + bias))
    return _Fit(strengths, shares, bias, threshold)


def _judged(
    labels: np.ndarray, probabilities: np.ndarray, cuts: np.ndarray, folds: int
) -> tuple[OutOfFold, bool]:
    """Verdicts out of fold, and whether they are at one half, as where nothing else is surely better."""
    at_half, at_cut = (probabilities >= 0.5).astype(int), (probabilities >= cuts).astype(int)
    gain, p = paired_difference(matthews, labels, at_cut, at_half, folds=folds)
    better = gain.value > 0 and p < SURE
    return OutOfFold(probabilities, at_cut if better else at_half, folds), not better


def _joined(
    values: np.ndarray, labels: np.ndarray, parts: Parts, fit: _Fit, class_weight: ClassWeight
) -> Linear:
    """The regressions of the parts on all rows, weighed: one linear judge of all columns."""
    width, importance = values.shape[1], importance_of(labels, np.ones(len(labels), bool), class_weight)
    mean, scale, weights = (
        np.zeros(width, np.float32),
        np.ones(width, np.float32),
        np.zeros(width, np.float32),
    )
    bias = fit.bias
    for part, strength, share in zip(parts, STRENGTHS[fit.strengths], fit.shares, strict=True):
        mean[part], scale[part] = moments(values[:, part])
        if share > 0:
            matrix = standardised(values[:, part], mean[part], scale[part])
            own = ridge(matrix, labels, importance[:, None], np.array([strength]))[:, 0, 0]
            weights[part] = share * own[:-1]
            bias += float(share * own[-1])
    shares, strengths = tuple(fit.shares.tolist()), tuple(STRENGTHS[fit.strengths].tolist())
    return Linear(mean, scale, weights, bias, fit.threshold, 0.0, shares, strengths)
