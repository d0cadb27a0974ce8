"""Head ensembles: votes counted all at once are votes counted one by one, and the search finds the best."""

from itertools import combinations, product

import numpy as np
import pytest

from tests.pairs.made import tied_differences
from toposcope.pairs.ensemble import Ensemble, _Votes, head_ensemble, single_accuracies

TIES = ("half", "lose", "second")
every_policy = pytest.mark.parametrize("ties", TIES)


def vote(difference, rule, ties):
    """What a head gives the good sentence, from the words of method.md."""
    if difference == 0:
        return {"half": 0.5, "lose": 0.0, "second": float(rule == 2)}[ties]
    return float((difference < 0) == (rule == 1))


def recount(differences, importance, members, ties):
    """Accuracy of an ensemble, vote by vote."""
    right = 0.0
    for row, weight in zip(differences, importance, strict=True):
        votes = sum(vote(row[head], rule, ties) for head, rule in members)
        half = len(members) / 2
        right += weight * (1.0 if votes > half else 0.5 if votes == half else 0.0)
    return right / sum(importance)


def extensions_of(members, heads):
    """All ensembles with two more heads."""
    free = [head for head in range(heads) if head not in {head for head, _ in members}]
    return [
        tuple(sorted((*members, (i, r), (j, q))))
        for i, j in combinations(free, 2)
        for r, q in product((1, 2), repeat=2)
    ]


def naive_search(differences, importance, ties, beam):
    """Beam search as method.md tells it."""

    def accuracy(members):
        return recount(differences, importance, members, ties)

    heads = differences.shape[1]
    singles = [((head, rule),) for head in range(heads) for rule in (1, 2)]
    kept = sorted(((accuracy(m), m) for m in singles), key=lambda found: -found[0])[:beam]
    best = kept[0]
    while True:
        better = {
            extended
            for before, members in kept
            for extended in extensions_of(members, heads)
            if accuracy(extended) > before + 1e-12
        }
        kept = sorted(((accuracy(m), m) for m in better), key=lambda found: -found[0])[:beam]
        if not kept:
            return best
        best = max(best, kept[0], key=lambda found: found[0])


def problem(seed, count=40, heads=7, levels=2):
    """Differences with many ties, and weights so uneven that no two ensembles are equally good."""
    rng = np.random.default_rng(seed)
    return tied_differences(rng, count, heads, levels), rng.random(count) + 0.1


@every_policy
@pytest.mark.parametrize("members", [((2, 1),), ((0, 2), (3, 1), (5, 2))])
def test_all_extensions_are_counted_as_one_by_one(ties, members):
    differences, importance = problem(0, levels=1)
    votes = _Votes(differences, importance / importance.sum(), ties)
    assert (votes.ahead(members) > 2).any() or len(members) == 1
    found = votes.extended(members)
    for u, v in product(range(14), repeat=2):
        both = [(u // 2, u % 2 + 1), (v // 2, v % 2 + 1)]
        expected = recount(differences, importance, [*members, *both], ties)
        assert found[u, v] == pytest.approx(expected, abs=1e-9), (u, v)


@every_policy
def test_extensions_are_the_best_ones_that_improve(ties):
    differences, importance = problem(1)
    votes = _Votes(differences, importance / importance.sum(), ties)
    members = ((1, 1), (3, 2), (4, 1))
    ensemble = Ensemble(members, recount(differences, importance, members, ties))
    expected = {
        extended: recount(differences, importance, extended, ties) for extended in extensions_of(members, 7)
    }
    better = sorted((m for m, a in expected.items() if a > ensemble.accuracy), key=lambda m: -expected[m])
    found = votes.extensions(ensemble, 1000)
    assert {extended.members for extended in found} == set(better)
    for extended in found:
        assert extended.accuracy == pytest.approx(expected[extended.members], abs=1e-9)
    few = [extended.members for extended in votes.extensions(ensemble, 2)]
    assert set(few) == set(better[:2])


@every_policy
def test_single_heads(ties):
    differences, importance = problem(2)
    found = single_accuracies(differences, importance, ties)
    assert found.shape == (7, 2)
    for head, rule in product(range(7), (1, 2)):
        expected = recount(differences, importance, [(head, rule)], ties)
        assert found[head, rule - 1] == pytest.approx(expected)


@every_policy
@pytest.mark.parametrize("seed", range(6))
def test_what_an_ensemble_is(ties, seed):
    differences, importance = problem(seed, count=60, heads=9)
    found = head_ensemble(differences, importance, ties=ties)
    heads = [head for head, _ in found.members]
    assert len(heads) % 2 == 1
    assert len(set(heads)) == len(heads)
    assert found.accuracy == pytest.approx(recount(differences, importance, found.members, ties))
    assert found.accuracy >= single_accuracies(differences, importance, ties).max() - 1e-12


@every_policy
@pytest.mark.parametrize("beam", [1, 3])
@pytest.mark.parametrize("seed", range(4))
def test_the_search_is_the_naive_one(ties, beam, seed):
    differences, importance = problem(seed)
    accuracy, members = naive_search(differences, importance, ties, beam)
    found = head_ensemble(differences, importance, ties=ties, beam=beam)
    assert found.accuracy == pytest.approx(accuracy)
    assert found.members == members


@every_policy
@pytest.mark.parametrize("seed", range(3))
def test_three_heads_are_the_best_three_where_all_are_tried(ties, seed):
    differences, importance = problem(seed, heads=6)
    trios = [
        tuple(zip(heads, rules, strict=True))
        for heads in combinations(range(6), 3)
        for rules in product((1, 2), repeat=3)
    ]
    singles = [((head, rule),) for head in range(6) for rule in (1, 2)]
    best = max(trios + singles, key=lambda members: recount(differences, importance, members, ties))
    found = head_ensemble(differences, importance, ties=ties, beam=1000, largest=3)
    assert found.members == best
    assert len(best) == 3


@pytest.mark.parametrize("seed", range(4))
def test_the_order_of_the_pairs_decides_nothing(seed):
    """Not even between equally good ensembles, of which there are many here."""
    rng = np.random.default_rng(seed)
    differences = tied_differences(rng, 30, 30, levels=1)
    importance = rng.choice([0.3, 1.1, 1.6], 30)
    order = rng.permutation(30)
    assert head_ensemble(differences, importance, beam=5) == head_ensemble(
        differences[order], importance[order], beam=5
    )


def test_nothing_is_added_where_nothing_improves():
    rng = np.random.default_rng(0)
    right = np.ones((20, 5), np.float32)
    right[:, 1:] = rng.choice([-1, 1], (20, 4))
    assert head_ensemble(-right).members == ((0, 1),)
    for count in range(20, 60):  # of any number of pairs: sums of shares are never quite exact
        same = np.repeat(tied_differences(rng, count, 1), 5, axis=1)
        assert len(head_ensemble(same).members) == 1, count


def test_equally_good_is_no_better():
    """Three heads that are right as often as one of them, but in other pairs."""
    for count in range(11, 60):
        signs = np.ones((count, 3), np.float32)
        signs[:8, 0] = signs[3:11, 1] = signs[3:8, 2] = -1
        signs[:3, 2] = -1  # heads 0 and 2 agree
        assert len(head_ensemble(signs, beam=2).members) == 1, count


@pytest.mark.parametrize(("heads", "largest", "most"), [(1, 59, 1), (2, 59, 1), (9, 3, 3), (9, 4, 3)])
def test_no_more_members_than_allowed(heads, largest, most):
    differences, importance = problem(3, heads=heads)
    steps = []
    found = head_ensemble(differences, importance, largest=largest, step=lambda *step: steps.append(step))
    assert len(found.members) == most
    assert steps == ([(3, found.accuracy)] if most == 3 else [])


def test_weights_count_like_copies():
    differences, _ = problem(5)
    copies = np.arange(40) % 3 + 1
    once = head_ensemble(differences, copies.astype(float), beam=3)
    repeated = head_ensemble(np.repeat(differences, copies, axis=0), beam=3)
    assert once.accuracy == pytest.approx(repeated.accuracy)
