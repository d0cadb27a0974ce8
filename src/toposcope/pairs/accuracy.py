"""How often the good sentence is preferred: by paradigm, by phenomenon, overall, with intervals.

A paradigm's accuracy is the mean over its pairs, a phenomenon's the mean over its paradigms. Overall is
the mean over paradigms, as in the published table, and the mean over phenomena beside it. Intervals are
95 % of draws: of the shares of right pairs that a paradigm's counts leave possible (stats/metrics.py); for
a phenomenon of its paradigms again, too; for the mean of phenomena of these.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from toposcope.data.minimal_pairs import Pairs
from toposcope.stats.estimate import Estimate
from toposcope.stats.metrics import PRIOR

ROUNDS = 2000


@dataclass(frozen=True)
class Accuracy:
    """Accuracies as shares; ``ties`` is the share of pairs in which neither sentence was preferred."""

    pairs: int
    overall: Estimate
    mean_of_phenomena: Estimate
    phenomena: Mapping[str, Estimate]
    paradigms: Mapping[str, Estimate]
    ties: float

    def facts(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "pairs": self.pairs,
            "overall": self.overall.to_dict(),
            "mean of phenomena": self.mean_of_phenomena.to_dict(),
            "ties": self.ties,
            "phenomena": {name: found.to_dict() for name, found in self.phenomena.items()},
            "paradigms": {name: found.to_dict() for name, found in self.paradigms.items()},
        }


def pair_accuracy(
    credits: np.ndarray, pairs: Pairs, ties: np.ndarray | None = None, seed: int = 0
) -> Accuracy:
    """Accuracy of ``credits`` (pairs,): 1 where the good sentence is preferred, 0 the bad, 1/2 a tie."""
    names, owner = np.unique(pairs.paradigms, return_inverse=True)
    rng = np.random.default_rng(seed)
    means, draws = _by_paradigm(credits, owner, (0.0, 1.0), rng)
    phenomenon_of = dict(zip(pairs.paradigms.tolist(), pairs.phenomena.tolist(), strict=True))
    phenomena = sorted(set(phenomenon_of.values()))
    owners = np.array([phenomenon_of[name] for name in names.tolist()])
    by_term = np.array([means[owners == term].mean() for term in phenomena])
    term_draws = np.stack([_drawn_again(draws[:, owners == t], rng).mean(1) for t in phenomena], axis=1)
    return Accuracy(
        len(credits),
        Estimate.of_draws(means.mean(), _drawn_again(draws, rng).mean(1)),
        Estimate.of_draws(by_term.mean(), _drawn_again(term_draws, rng).mean(1)),
        {t: Estimate.of_draws(v, d) for t, v, d in zip(phenomena, by_term, term_draws.T, strict=True)},
        {n: Estimate.of_draws(v, d) for n, v, d in zip(names.tolist(), means, draws.T, strict=True)},
        float(np.mean(credits == 0.5 if ties is None else ties)),
    )


def pair_difference(
    ours: np.ndarray, theirs: np.ndarray, pairs: Pairs, seed: int = 0
) -> tuple[Estimate, float]:
    """Accuracy of one way minus that of another on the same pairs, and its two-sided p-value.

    Drawn are paradigms and the shares of pairs in which one is right, the other, or both agree; what is
    added before drawing belongs to agreement, so that it says nothing about who is better. The p-value is
    twice the share of draws in which the difference has the other sign.
    """
    _, owner = np.unique(pairs.paradigms, return_inverse=True)
    rng = np.random.default_rng(seed)
    means, draws = _by_paradigm(ours - theirs, owner, (0.0, 0.0), rng)
    value, seen = float(means.mean()), _drawn_again(draws, rng).mean(1)
    other = float(np.mean(seen <= 0 if value > 0 else seen >= 0))
    return Estimate.of_draws(value, seen), min(1.0, 2 * max(other, 1 / ROUNDS))


def _by_paradigm(
    credits: np.ndarray, owner: np.ndarray, prior: tuple[float, ...], rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """The mean of each paradigm, and draws of it: (paradigms,) and (rounds, paradigms).

    Each value of ``prior`` is half a pair more.
    """
    count = int(owner.max()) + 1
    means, draws = np.empty(count), np.empty((ROUNDS, count))
    for k in range(count):
        own = credits[owner == k]
        means[k] = own.mean()
        values, place = np.unique(np.append(own, prior), return_inverse=True)
        worth = np.append(np.ones(len(own)), np.full(len(prior), PRIOR))
        draws[:, k] = rng.dirichlet(np.bincount(place, worth), ROUNDS) @ values
    return means, draws


def _drawn_again(draws: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """In each round, as many columns as there are, drawn with replacement."""
    return np.take_along_axis(draws, rng.integers(0, draws.shape[1], draws.shape), axis=1)


def balanced(pairs: Pairs) -> np.ndarray:
    """A weight for each pair, so that all paradigms weigh the same; their mean is 1."""
    _, owner, counts = np.unique(pairs.paradigms, return_inverse=True, return_counts=True)
    return len(pairs) / (len(counts) * counts[owner])


def calibration_error(margins: np.ndarray, bins: int = 10) -> float:
    """How far confidence and accuracy are apart, for log-odds of the good sentence.

    Pairs are sorted into bins by their confidence, 1/2 to 1; the mean distance over all pairs.
    """
    confidence = 1 / (1 + np.exp(-np.abs(margins)))
    right = 0.5 * (margins > 0) + 0.5 * (margins >= 0)
    places = np.minimum((confidence - 0.5) * 2 * bins, bins - 1).astype(int)
    apart = np.bincount(places, right - confidence, minlength=bins)
    return float(np.abs(apart).sum() / len(margins))
