"""How good verdicts are, how sure we are of it, and whether two judges really differ.

A sentence counts only through its label and verdicts, so all that is not known is how large the share of
each kind of sentence is. These shares are drawn from what the counts leave possible: a Dirichlet
distribution with Jeffreys' prior, half a sentence more of every label and verdict. Of many sentences
that is the bootstrap. Of few it is not fooled: one right verdict out of one is an accuracy from .16 to 1,
where the bootstrap, which draws the same sentence again and again, would be sure of 1.

Verdicts out of folds are not so many independent ones: judges that share most of their training sentences
err together, and another draw of these would have made other judges. So sentences judged in K folds count
1 / (1 + K / (K - 1)) each (Nadeau and Bengio 2003, doi:10.1023/A:1024068626366).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import comb

import numpy as np

from toposcope.errors import InputError
from toposcope.stats.estimate import Estimate

ROUNDS = 10_000
PRIOR = 0.5  # sentences of each label and verdict that are added before drawing (Jeffreys)
BINS = 10
Statistic = Callable[[np.ndarray], np.ndarray]


def confusion(labels: np.ndarray, verdicts: np.ndarray) -> np.ndarray:
    """Number of sentences by label and verdict, (2, 2)."""
    labels, verdicts = np.asarray(labels, int), np.asarray(verdicts, int)
    if labels.shape != verdicts.shape or labels.ndim != 1:
        raise InputError(f"{labels.shape} labels for {verdicts.shape} verdicts.")
    return np.bincount(2 * labels + verdicts, minlength=4).reshape(2, 2)


def accuracy(cells: np.ndarray) -> np.ndarray:
    """Share of sentences with the right verdict; ``cells`` (..., 2, 2) as from ``confusion``."""
    right, all_of_them = cells[..., 0, 0] + cells[..., 1, 1], cells.sum((-1, -2))
    return np.divide(right, all_of_them, out=np.zeros(np.shape(right)), where=all_of_them > 0)


def matthews(cells: np.ndarray) -> np.ndarray:
    """Matthews correlation of labels and verdicts, 0 where one of them never changes."""
    cells = np.asarray(cells, np.float64)
    # Cells to the front, so that a whole batch of draws is four plain arrays.
    (tn, fp), (fn, tp) = np.moveaxis(cells[..., 0, :], -1, 0), np.moveaxis(cells[..., 1, :], -1, 0)
    product = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
    return np.divide(tp * tn - fp * fn, np.sqrt(product), out=np.zeros_like(product), where=product > 0)


def greatest_matthews(accuracy: float, acceptable: float) -> float:
    """The largest Matthews correlation that an accuracy allows: that of errors of one kind only.

    ``acceptable`` is the share of the sentences that are.
    """
    wrong, others = 1 - accuracy, 1 - acceptable
    only_misses = [[others, 0], [wrong, acceptable - wrong]]
    only_alarms = [[others - wrong, wrong], [0, acceptable]]
    possible = [cells for cells in np.array([only_misses, only_alarms]) if cells.min() >= 0]
    if not possible:
        raise InputError(
            f"accuracy {accuracy:.3f} where {acceptable:.3f} are acceptable: below always the same word."
        )
    return float(max(map(matthews, possible)))


def estimate(
    statistic: Statistic, labels: np.ndarray, verdicts: np.ndarray, seed: int = 0, folds: int = 0
) -> Estimate:
    """A statistic of verdicts with its interval over sentences.

    Verdicts (runs, sentences) of several runs give the mean over the runs, with the interval of the mean.
    ``folds`` is in how many the sentences were cut, if each was judged by a fit to the others.
    """
    cells, draws = _resampled(labels, [verdicts], seed, folds)
    return Estimate.of_draws(statistic(cells).mean(), statistic(draws).mean(-1))


def paired_difference(
    statistic: Statistic,
    labels: np.ndarray,
    ours: np.ndarray,
    theirs: np.ndarray,
    seed: int = 0,
    folds: int = 0,
) -> tuple[Estimate, float]:
    """Difference of a statistic between two judges of the same sentences, and its two-sided p-value.

    The p-value is twice the share of draws in which the difference has the other sign. Several
    runs of a judge, (runs, sentences), count with their mean; ``folds`` as in ``estimate``.
    """
    runs = len(np.atleast_2d(ours))
    cells, draws = _resampled(labels, [ours, theirs], seed, folds)

    def difference(counts: np.ndarray) -> np.ndarray:
        found = statistic(counts)
        return found[..., :runs].mean(-1) - found[..., runs:].mean(-1)

    value, seen = float(difference(cells)), difference(draws)
    other = float(np.mean(seen <= 0 if value > 0 else seen >= 0))
    return Estimate.of_draws(value, seen), min(1.0, 2 * max(other, 1 / ROUNDS))


def _resampled(
    labels: np.ndarray, judges: Sequence[np.ndarray], seed: int, folds: int
) -> tuple[np.ndarray, np.ndarray]:
    """Confusions of all runs of all judges (runs, 2, 2), and as many draws of shares in front.

    Sentences with the same label and the same verdicts of all are one kind. The prior belongs to the four
    kinds on which all agree, so that it says nothing about who is better.
    """
    labels = np.asarray(labels, int)
    verdicts = np.concatenate([np.atleast_2d(np.asarray(v, int)) for v in judges])
    if labels.ndim != 1 or verdicts.shape[1:] != labels.shape or not labels.size:
        raise InputError(f"{labels.shape} labels for {verdicts.shape[1:]} verdicts: needed is one each.")
    # Kinds are columns of labels and verdicts. Those that the prior is for are put behind the sentences,
    # so that they are kinds even where no sentence is; the two are counted apart.
    agreed = np.vstack([[0, 0, 1, 1], np.tile([0, 1, 0, 1], (len(verdicts), 1))])
    seen = np.hstack([np.vstack([labels, verdicts]), agreed])
    kinds, owner = np.unique(seen, axis=1, return_inverse=True)
    owner = owner.reshape(-1)
    counts = np.bincount(owner[: len(labels)], minlength=kinds.shape[1]).astype(np.float64)
    prior = PRIOR * np.bincount(owner[len(labels) :], minlength=kinds.shape[1])
    # Drawing is done once, of kinds. What a run's confusion gets of each draw is a product with ones and
    # zeros; so runs and judges stay paired: the same draw of sentences goes to all of them.
    cell_of = 2 * kinds[0] + kinds[1:]  # (runs, kinds)
    member = (cell_of[..., None] == np.arange(4)).astype(np.float64)  # (runs, kinds, 4)
    worth = 1 / (1 + folds / (folds - 1)) if folds else 1.0
    drawn = np.random.default_rng(seed).dirichlet(worth * counts + prior, ROUNDS)
    cells, draws = (np.einsum("...k,rkc->...rc", c, member, optimize=True) for c in (counts, drawn))
    return cells.reshape(-1, 2, 2), draws.reshape(ROUNDS, -1, 2, 2)


def disagreements(labels: np.ndarray, ours: np.ndarray, theirs: np.ndarray) -> tuple[int, int]:
    """Sentences that only one of two judges gets right: how many only we do, how many only they do."""
    a = np.asarray(ours) == np.asarray(labels)
    b = np.asarray(theirs) == np.asarray(labels)
    return int(np.sum(a & ~b)), int(np.sum(b & ~a))


def mcnemar(wins: int, losses: int) -> float:
    """Exact p-value of McNemar's test: whether one judge is right where the other is wrong more often.

    Which of the two it is, ``wins`` and ``losses`` (of ``disagreements``) say themselves.
    """
    n, least = wins + losses, min(wins, losses)
    return min(1.0, 2 * sum(comb(n, k) for k in range(least + 1)) / 2**n)


def best_threshold(labels: np.ndarray, probabilities: np.ndarray) -> float:
    """The probability from which on to say acceptable, so that Matthews correlation is largest.

    All cuts between neighbouring probabilities are tried at once; of equally good ones the one
    nearest to one half is taken.
    """
    order = np.argsort(probabilities, kind="stable")
    p, y = np.asarray(probabilities, np.float64)[order], np.asarray(labels, int)[order]
    # Row k is the confusion where the k least probable are refused: running sums instead of counting anew.
    below1 = np.concatenate([[0], np.cumsum(y)])  # acceptable ones below each cut
    below = np.arange(len(y) + 1)
    cells = np.empty((len(y) + 1, 2, 2))
    cells[:, 0, 0], cells[:, 1, 0] = below - below1, below1
    cells[:, 0, 1], cells[:, 1, 1] = (len(y) - y.sum()) - cells[:, 0, 0], y.sum() - below1
    cuts = np.concatenate([[0.0], (p[1:] + p[:-1]) / 2, [1.0]])
    real = np.concatenate([[True], p[1:] > p[:-1], [True]])  # no cut between equal probabilities
    scores = np.where(real, matthews(cells), -2)
    best = np.flatnonzero(scores >= scores.max() - 1e-12)
    return float(cuts[best[np.argmin(np.abs(cuts[best] - 0.5))]])


@dataclass(frozen=True, eq=False)
class Reliability:
    """How often sentences of about the same probability are acceptable, in bins of equally many."""

    said: np.ndarray  # mean probability, (bins,)
    true: np.ndarray  # share of acceptable ones
    counts: np.ndarray

    @property
    def error(self) -> float:
        """Expected calibration error: the mean distance between what was said and what was true."""
        return float(self.counts @ np.abs(self.said - self.true) / self.counts.sum())

    def to_list(self) -> list[list[float]]:
        """What was said, what was true, and of how many, for JSON."""
        return [
            list(row)
            for row in zip(*(v.tolist() for v in (self.said, self.true, self.counts)), strict=True)
        ]


def reliability(labels: np.ndarray, probabilities: np.ndarray, bins: int = BINS) -> Reliability:
    """Sentences in the order of their probabilities, cut into bins of the same size."""
    labels, probabilities = np.asarray(labels, np.float64), np.asarray(probabilities, np.float64)
    if labels.shape != probabilities.shape or labels.ndim != 1 or not labels.size:
        raise InputError(f"{labels.shape} labels for {probabilities.shape} probabilities.")
    parts = [p for p in np.array_split(np.argsort(probabilities, kind="stable"), bins) if len(p)]
    said, true = (np.array([values[p].mean() for p in parts]) for values in (probabilities, labels))
    return Reliability(said, true, np.array([len(p) for p in parts]))


def scores(labels: np.ndarray, verdicts: np.ndarray) -> dict[str, Estimate]:
    """Accuracy and Matthews correlation with intervals."""
    return {
        "accuracy": estimate(accuracy, labels, verdicts),
        "mcc": estimate(matthews, labels, verdicts),
    }
