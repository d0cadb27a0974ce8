"""A linear judge: standardised columns, a weight each, and the probability from which on to say yes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from toposcope.stats.estimate import Estimate
from toposcope.stats.metrics import Statistic, estimate
from toposcope.stats.ridge import sigmoid

CLIP = 6.0  # standard deviations; what lies farther out says no more


@dataclass(frozen=True, eq=False)
class OutOfFold:
    """What fits that never saw a row, or its fold, say of it: a probability, and a verdict."""

    probabilities: np.ndarray
    verdicts: np.ndarray
    folds: int

    def estimate(self, statistic: Statistic, labels: np.ndarray) -> Estimate:
        """What to expect of the judge, with an interval."""
        return estimate(statistic, labels, self.verdicts, folds=self.folds)


@dataclass(frozen=True, eq=False)
class Linear:
    """Standardised columns, a weight each, a bias, and the probability from which on to say yes.

    ``shares`` is what each part counts, ``strengths`` the C that cross-validation chose for it,
    ``cv_mcc`` what nested cross-validation gives, from what stands in ``out_of_fold``.
    """

    mean: np.ndarray = field(repr=False)
    scale: np.ndarray = field(repr=False)
    weights: np.ndarray = field(repr=False)
    bias: float
    threshold: float
    cv_mcc: float
    shares: tuple[float, ...] = ()
    strengths: tuple[float, ...] = ()
    out_of_fold: OutOfFold | None = field(default=None, repr=False)

    @property
    def finds_something(self) -> bool:
        """Whether any column counts; else the verdict is the same for every sentence."""
        return bool(np.any(self.weights))

    def logits(self, values: np.ndarray) -> np.ndarray:
        """Log-odds of rows (rows, columns)."""
        return standardised(values, self.mean, self.scale) @ self.weights + self.bias

    def probabilities(self, values: np.ndarray) -> np.ndarray:
        """Probability of being acceptable."""
        return sigmoid(self.logits(values))

    def verdicts(self, values: np.ndarray) -> np.ndarray:
        """1 acceptable, 0 not, at the chosen threshold."""
        return (self.probabilities(values) >= self.threshold).astype(int)

    def take(self, places: Sequence[int]) -> Linear:
        """The same of some columns, where the others count nothing."""
        return replace(self, mean=self.mean[places], scale=self.scale[places], weights=self.weights[places])


def moments(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean and standard deviation of the columns; a constant column gets 1, so that it stays 0."""
    mean = values.mean(0, dtype=np.float64)
    scale = values.std(0, dtype=np.float64)
    return mean.astype(np.float32), np.where(scale > 1e-7, scale, 1).astype(np.float32)


def standardised(values: np.ndarray, mean: np.ndarray, scale: np.ndarray) -> np.ndarray:
    """Columns in standard deviations from their mean, clipped."""
    with np.errstate(over="ignore"):  # what is infinitely far out is clipped, too
        return np.clip((np.asarray(values, np.float32) - mean) / scale, -CLIP, CLIP)
