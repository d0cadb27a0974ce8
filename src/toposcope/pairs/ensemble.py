"""Head ensembles by beam search, all extensions of an ensemble scored at once (section 4.2).

An ensemble is a set of heads, each with a rule; the sentence with more than half of the votes is
preferred. Votes are counted in halves: a vote is 2, a tie 1. Extended by two voters, an ensemble gains a
pair of sentences or not, depending on what both say and on how many half votes are still missing; only
where 0 to 4 are missing can anything change. What a voter says depends on its rule and on the sign of its
head's difference. So it is enough to know, for the pairs of sentences with so many votes missing and for
any two heads, how often each combination of their signs occurs: one product of a matrix with itself, and
subtractions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from toposcope.pairs.profile import CREDITS, Ties

BEAM = 40
LARGEST = 59
DIGITS = 9  # of accuracies: sums of shares are not exact, and equally good is no improvement
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
    votes = _Votes(differences, weight / weight.sum(), ties)
    singles = single_accuracies(differences, weight, ties)
    order = np.argsort(-singles, axis=None, kind="stable")[:beam]
    kept = [Ensemble(((int(k) // 2, int(k) % 2 + 1),), float(singles.flat[k])) for k in order]
    best = kept[0]
    while len(kept[0].members) + 2 <= min(largest, heads):
        found = {extension for ensemble in kept for extension in votes.extensions(ensemble, beam)}
        kept = sorted(found, key=lambda ensemble: (-ensemble.accuracy, ensemble.members))[:beam]
        if not kept:
            break
        best = max(best, kept[0], key=lambda ensemble: ensemble.accuracy)
        step(len(kept[0].members), best.accuracy)
    return best


class _Votes:
    """What each voter, a head with a rule, says of each pair, ready for counting."""

    def __init__(self, differences: np.ndarray, share: np.ndarray, ties: Ties) -> None:
        signs = np.sign(differences).astype(np.int8)
        # In whole half votes: whether exactly half of the votes are there is no question of rounding.
        halves = np.rint(2 * CREDITS[ties]).astype(np.int8)  # (rule, sign)
        said = np.stack([each[signs + 1] for each in halves], axis=2)
        self.share = share
        self.said = said.reshape(len(share), -1)  # (pairs, voters); head k has the voters 2k and 2k + 1
        self.heads = signs.shape[1]
        # Few heads ever tie, so only these get a second mark; who is neither below nor tied is above.
        self.tied = np.flatnonzero((signs == 0).any(0))
        self.marks = np.concatenate([signs < 0, signs[:, self.tied] == 0], axis=1).astype(np.float64)
        # What two voters gain where so many half votes are missing: all if they say more, half if as many.
        both = halves[:, None, :, None] + halves[None, :, None, :]  # (rule, rule, sign, sign)
        missing = np.arange(MISSING)[:, None, None, None, None]
        self.gains = (0.5 * (both > missing) + 0.5 * (both >= missing)).reshape(MISSING, 4, 9)

    def ahead(self, members: Sequence[Member]) -> np.ndarray:
        """By how many half votes the good sentence of each pair is ahead."""
        return self.said[:, [_voter(member) for member in members]].sum(1, dtype=int) - len(members)

    def extensions(self, ensemble: Ensemble, most: int) -> list[Ensemble]:
        """The best extensions by two voters that improve; of equally good ones those of earlier heads."""
        accuracy = self.extended(ensemble.members)
        heads = np.arange(len(accuracy)) // 2
        free = ~np.isin(heads, [head for head, _ in ensemble.members])
        allowed = (heads[:, None] < heads) & free & free[:, None]  # each pair once, each head once
        places = np.flatnonzero(allowed & (accuracy > ensemble.accuracy))
        reached = accuracy.ravel()[places]
        if len(places) > most:
            # Where the last rank lies is found without sorting. Places ascend, so of those that tie for it
            # the ones of earlier heads stay.
            least = np.partition(reached, -most)[-most]
            places = np.concatenate([places[reached > least], places[reached == least]])[:most]
            reached = accuracy.ravel()[places]
        found = []
        for place, value in zip(places.tolist(), reached.tolist(), strict=True):
            new = [(voter // 2, voter % 2 + 1) for voter in divmod(place, len(accuracy))]
            found.append(Ensemble(tuple(sorted((*ensemble.members, *new))), value))
        return found

    def extended(self, members: Sequence[Member]) -> np.ndarray:
        """Accuracy of an ensemble with any two more voters, (voters, voters)."""
        # With two more voters half of all votes is two half votes more; below zero the pair is won already.
        missing = 2 - self.ahead(members)
        found = np.full((4, self.heads**2), self.share[missing < 0].sum())
        for votes, gain in enumerate(self.gains):
            rows = np.flatnonzero(missing == votes)
            if len(rows):
                found += gain @ self._shares(rows).reshape(9, -1)
        # Rules came first, for one product over all heads; a voter is a head and then its rule.
        by_rule = found.reshape(2, 2, self.heads, self.heads).transpose(2, 0, 3, 1)
        return np.round(by_rule.reshape(2 * self.heads, -1), DIGITS)

    def _shares(self, rows: np.ndarray) -> np.ndarray:
        """Share of some pairs in which two heads have these signs, (3, 3, heads, heads)."""
        share, marks, n = self.share[rows], self.marks[rows], self.heads
        # Each factor carries the root of a pair's share: then it is a matrix with itself, half the work.
        roots = marks * np.sqrt(share)[:, None]
        together = roots.T @ roots
        alone = np.zeros((2, n))
        alone[0], alone[1, self.tied] = np.split(share @ marks, [n])
        table = np.zeros((3, 3, n, n))
        table[0, 0] = together[:n, :n]
        table[0, 1][:, self.tied] = together[:n, n:]
        table[1, 0] = table[0, 1].T
        table[1, 1][np.ix_(self.tied, self.tied)] = together[n:, n:]
        # Only the marked signs are counted; what goes with the third is what they leave over.
        table[:2, 2] = alone[:, :, None] - table[:2, :2].sum(1)
        table[2, :2] = table[:2, 2].transpose(0, 2, 1)
        table[2, 2] = share.sum() - alone.sum(0) - table[:2, 2].sum(0)
        return table


def _voter(member: Member) -> int:
    head, rule = member
    return 2 * head + rule - 1
