"""Head ensembles by beam search, all extensions of an ensemble scored at once (section 4.2).

An ensemble is a set of heads, each with a rule; the sentence with more than half of the votes is
preferred. Votes are counted in halves: a vote is 2, a tie 1. Extended by two voters that say u and v, an
ensemble gains a pair of sentences or not, depending on u + v and on how many half votes are still missing;
only where 0 to 4 are missing can anything change. As a function of u and v this is a sum of products
of [u >= p] and [v >= q], p and q up to 2: so one product of two matrices, with a row for each such pair of
sentences and p, scores all pairs of voters.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from toposcope.pairs.profile import CREDITS, Ties

BEAM = 40
LARGEST = 59
ROUNDING = 1e-6  # of accuracies in single precision
DIGITS = 12  # of accuracies: sums of shares are not exact, and equally good is no improvement
MISSING = 5  # an extension adds up to 4 half votes
Member = tuple[int, int]  # head (by its place), rule
Step = Callable[[int, float], None]


@dataclass(frozen=True)
class Ensemble:
    """Members and what they reach on the pairs they were chosen on."""

    members: tuple[Member, ...]
    accuracy: float


def single_accuracies(differences: np.ndarray, importance: np.ndarray, ties: Ties) -> np.ndarray:
    """Accuracy of every head under both rules, (heads, 2). Differences are (pairs, heads)."""
    signs = np.sign(differences)
    share = importance / importance.sum()
    counts = np.stack([share @ (signs == sign) for sign in (-1, 0, 1)], axis=1)
    return np.round(counts @ CREDITS[ties].T, DIGITS)


def head_ensemble(
    differences: np.ndarray,
    importance: np.ndarray | None = None,
    *,
    ties: Ties = "half",
    beam: int = BEAM,
    largest: int = LARGEST,
    step: Step = lambda size, accuracy: None,
) -> Ensemble:
    """The best ensemble that beam search finds.

    Parameters
    ----------
    differences : (pairs, heads)
        Score of the good sentence minus that of the bad one.
    importance : (pairs,)
        Weight of each pair; all equal by default.
    ties : what a tie counts, see ``Profile``
    beam : how many ensembles are kept at every size
    largest : number of members at which the search ends
    step : called with the size and the best accuracy of each round
    """
    count, heads = differences.shape
    weight = np.ones(count) if importance is None else np.asarray(importance, np.float64)
    rows = np.lexsort((*np.sign(differences).T, weight))  # the order of the pairs decides nothing
    differences, weight = differences[rows], weight[rows]
    votes = _Votes(differences, weight / weight.sum(), ties)
    singles = single_accuracies(differences, weight, ties)
    order = np.argsort(-singles, axis=None, kind="stable")[:beam]
    kept = [Ensemble(((int(k) // 2, int(k) % 2 + 1),), float(singles.flat[k])) for k in order]
    best = kept[0]
    while len(kept[0].members) + 2 <= min(largest, heads):
        found = [extension for ensemble in kept for extension in votes.extensions(ensemble, beam)]
        kept = _best_of(found, votes, beam)
        if not kept:
            break
        best = max(best, kept[0], key=lambda ensemble: ensemble.accuracy)
        step(len(kept[0].members), best.accuracy)
    return best


def _best_of(found: Sequence[tuple[Ensemble, Ensemble]], votes: _Votes, beam: int) -> list[Ensemble]:
    """The best different sets among extensions, each of which comes with what it extends.

    Extensions are counted in single precision; those in question are counted again, exactly.
    """
    distinct = {extended.members: (extended, before) for extended, before in found}
    likely = sorted(distinct.values(), key=lambda both: -both[0].accuracy)[: 2 * beam]
    exact = [(votes.accuracy(extended.members), extended, before) for extended, before in likely]
    better = [Ensemble(e.members, accuracy) for accuracy, e, before in exact if accuracy > before.accuracy]
    return sorted(better, key=lambda e: (-e.accuracy, e.members))[:beam]


class _Votes:
    """What each voter, a head with a rule, says of each pair, ready for counting."""

    def __init__(self, differences: np.ndarray, share: np.ndarray, ties: Ties) -> None:
        self.share = share
        halves = np.rint(2 * CREDITS[ties]).astype(np.int8)  # (rule, sign)
        said = np.stack([each[np.sign(differences).astype(int) + 1] for each in halves], axis=2)
        self.said = said.reshape(len(share), -1)  # (pairs, voters); head k has the voters 2k and 2k + 1
        self.reached = np.stack([self.said >= 1, self.said >= 2], axis=1).astype(np.float32)
        votes = np.arange(3)
        both = votes[:, None] + votes
        missing = np.arange(MISSING)[:, None, None]
        table = 0.5 * (both > missing) + 0.5 * (both >= missing)  # by votes missing, u, v
        self.steps = np.diff(np.diff(table, axis=1, prepend=0), axis=2, prepend=0)

    def ahead(self, members: Sequence[Member]) -> np.ndarray:
        """By how many half votes the good sentence of each pair is ahead."""
        return self.said[:, [_voter(member) for member in members]].sum(1, dtype=int) - len(members)

    def accuracy(self, members: Sequence[Member]) -> float:
        """Share of the pairs in which the good sentence has most votes; half of the votes count half."""
        ahead = self.ahead(members)
        return round(float(self.share @ (0.5 * (ahead > 0) + 0.5 * (ahead >= 0))), DIGITS)

    def extensions(self, ensemble: Ensemble, most: int) -> list[tuple[Ensemble, Ensemble]]:
        """The best extensions by two voters, each with the ensemble that it extends."""
        missing = 2 - self.ahead(ensemble.members)
        accuracy = self._counted(missing) + self.share[missing < 0].sum()
        heads = np.arange(len(accuracy)) // 2
        free = ~np.isin(heads, [head for head, _ in ensemble.members])
        allowed = (heads[:, None] < heads) & free & free[:, None]  # each pair once, each head once
        flat = np.where(allowed, accuracy, -1).ravel()
        some = np.argpartition(-flat, min(most, len(flat) - 1))[:most]
        found = []
        for k in some[flat[some] > ensemble.accuracy - ROUNDING].tolist():
            new = [(voter // 2, voter % 2 + 1) for voter in divmod(k, len(accuracy))]
            found.append((Ensemble(tuple(sorted((*ensemble.members, *new))), float(flat[k])), ensemble))
        return found

    def _counted(self, missing: np.ndarray) -> np.ndarray:
        """Accuracy that two more voters reach where it depends on them, (voters, voters)."""
        rows = np.flatnonzero((missing >= 0) & (missing < MISSING))
        reached = self.reached[rows]
        steps = (self.steps[missing[rows]] * self.share[rows, None, None]).astype(np.float32)
        other = np.matmul(steps[:, :, 1:], reached) + steps[:, :, :1]  # (rows, 3, voters)
        voters = reached.shape[-1]
        together = reached.reshape(-1, voters).T @ other[:, 1:].reshape(-1, voters)
        return together + other[:, 0].sum(0)


def _voter(member: Member) -> int:
    head, rule = member
    return 2 * head + rule - 1
