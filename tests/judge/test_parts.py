"""Linear judges: what they find, that noise gives nothing, and that no figure flatters."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

import toposcope as ts
from toposcope.judge import parts as module
from toposcope.judge.linear import Linear, moments, standardised
from toposcope.judge.parts import STRENGTHS, fit_parts
from toposcope.stats.metrics import confusion, matthews, reliability


def mcc(labels, verdicts):
    return float(matthews(confusion(labels, verdicts)))


def parts_of(seed, rows=600, good=0.5):
    """Three columns that tell much, eighty that tell little each."""
    rng = np.random.default_rng(seed)
    labels = (rng.random(rows) < good).astype(int)
    values = 0.15 * labels[:, None] + rng.standard_normal((rows, 83))
    values[:, [0, 2, 40]] = labels[:, None] + 1.5 * rng.standard_normal((rows, 3))
    parts = [np.array([0, 40, 2]), np.array([k for k in range(83) if k not in (0, 2, 40)])]
    return (10 * values + 5).astype(np.float32), labels, rng.integers(0, 5, rows), parts


def test_it_finds_what_is_there():
    values, labels, folds, parts = parts_of(0, 1600)
    found = fit_parts(values[:600], labels[:600], parts, groups=folds[:600])
    unseen = mcc(labels[600:], found.verdicts(values[600:]))
    assert unseen > 0.5
    assert found.finds_something
    announced = found.out_of_fold.estimate(matthews, labels[:600])
    assert announced.low < unseen < announced.high
    assert found.cv_mcc == announced.value


def test_the_whole_is_scikit_learns(monkeypatch):
    """With one strength: a regression for each part, and a share of each."""
    monkeypatch.setattr(module, "STRENGTHS", np.array([0.01]))
    values, labels, folds, parts = parts_of(1)
    found = fit_parts(values, labels, parts, groups=folds)
    said = []
    for part in parts:
        matrix = standardised(values[:, part], *moments(values[:, part]))
        said.append(LogisticRegression(C=0.01, max_iter=2000).fit(matrix, labels).decision_function(matrix))
    said = np.column_stack([*said, np.ones(600)])
    together = np.linalg.lstsq(said, found.logits(values), rcond=None)[0]
    np.testing.assert_allclose(said @ together, found.logits(values), atol=3e-3)
    np.testing.assert_allclose(together[:2], found.shares, rtol=0.01)
    assert found.strengths == (0.01, 0.01)
    assert min(found.shares) > 0


@pytest.mark.parametrize("rows", [60, 100, 400])
def test_noise_gives_nothing(rows):
    """Features of sentences with random labels: what is announced is 0, as far as one can tell."""
    announced, found, inside = [], [], []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        values = rng.standard_normal((rows, 200)).astype(np.float32)
        labels = rng.permutation(np.arange(rows) % 3 > 0).astype(int)
        parts = [np.arange(120), np.arange(120, 200)]
        fitted = fit_parts(values, labels, parts, groups=rng.permutation(rows) % 5)
        e = fitted.out_of_fold.estimate(matthews, labels)
        announced.append(fitted.cv_mcc)
        found.append(fitted.finds_something)
        inside.append(e.low <= 0 <= e.high)
        assert min(fitted.shares) >= 0
    assert abs(np.mean(announced)) < 0.05
    assert np.mean(inside) >= 0.9
    assert np.mean(found) < 0.4


def test_a_judge_that_found_nothing_says_the_same_of_all():
    rng = np.random.default_rng(3)
    labels = rng.permutation(np.arange(90) % 3 > 0).astype(int)
    values = np.ones((90, 4), np.float32)
    found = fit_parts(values, labels, [np.arange(4)], groups=np.arange(90) % 5)
    assert not found.finds_something
    assert (found.shares, found.cv_mcc, found.threshold) == ((0,), 0, 0.5)
    np.testing.assert_allclose(found.probabilities(rng.standard_normal((7, 4))), labels.mean(), atol=0.01)


def test_groups_are_left_out_together():
    """Rows of a group share a secret that tells their label; out of fold it must be of no use."""
    rng = np.random.default_rng(2)
    groups = np.arange(400) % 2
    labels = rng.integers(0, 2, 400)
    secret = np.where(groups == 0, labels, 1 - labels)[:, None] * 3.0
    values = np.hstack([secret, rng.standard_normal((400, 3))]).astype(np.float32)
    assert fit_parts(values, labels, [np.arange(4)], groups=groups).cv_mcc < 0.1
    within = Linear(*moments(values[:, :1]), np.ones(1), 0.0, 0.5, 0.0)
    for group in (0, 1):
        rows = groups == group
        assert abs(mcc(labels[rows], within.verdicts(values[rows, :1]))) > 0.9
    with pytest.raises(ts.InputError, match="all rows are of one group"):
        fit_parts(values, labels, [np.arange(4)], groups=np.zeros(400))


@pytest.mark.parametrize("groups", [2, 3, 5])
def test_what_is_announced_repeats_every_choice(groups):
    """A fold's labels turn round: nothing that judged the fold may change, strength and shares included."""
    values, labels, _, parts = parts_of(4, 240)
    folds = np.arange(240) % groups
    fold = folds == 1
    changed = np.where(fold, 1 - labels, labels)
    assert (changed[fold] != labels[fold]).all()
    before, after = (
        fit_parts(values, y, parts, groups=folds).out_of_fold.probabilities[fold] for y in (labels, changed)
    )
    np.testing.assert_allclose(before, after, atol=1e-3)


def test_chosen_columns_are_chosen_anew_without_each_fold():
    """The best of 300 columns of noise: chosen on all rows they look good in all folds, honestly not."""
    rng = np.random.default_rng(0)
    values = rng.standard_normal((120, 300)).astype(np.float32)
    labels, folds = rng.permutation(np.arange(120) % 2), np.arange(120) // 2 % 5
    asked = []

    def best(rows):
        asked.append(rows.sum())
        fits = np.abs(np.corrcoef(values[rows].T, labels[rows])[-1, :-1])
        return [np.sort(np.argsort(-fits)[:10])]

    flattered = fit_parts(values, labels, best(np.ones(120, bool)), groups=folds)
    asked.clear()
    honest = fit_parts(values, labels, best, groups=folds)
    assert flattered.cv_mcc > 0.3
    assert honest.cv_mcc < 0.15
    assert sorted(asked) == [96, 96, 96, 96, 96, 120, 120]
    kept = honest.take(best(np.ones(120, bool))[0].tolist())
    np.testing.assert_allclose(
        kept.logits(values[:, best(np.ones(120, bool))[0]]), honest.logits(values), atol=1e-5
    )


def test_the_threshold_is_one_half_unless_another_is_surely_better():
    values, labels, folds, parts = parts_of(5, 300)
    assert fit_parts(values, labels, parts, groups=folds).threshold == 0.5
    values, labels, folds, parts = parts_of(6, 4000, good=0.93)
    rare = fit_parts(values, labels, parts, groups=folds)
    assert rare.threshold > 0.6
    assert rare.cv_mcc > mcc(labels, rare.out_of_fold.probabilities >= 0.5) + 0.05


@pytest.mark.parametrize("good", [0.5, 0.85])
def test_probabilities_mean_what_they_say(good):
    values, labels, folds, parts = parts_of(7, 4000, good)
    found = fit_parts(values[:2000], labels[:2000], parts, groups=folds[:2000])
    assert reliability(labels[2000:], found.probabilities(values[2000:])).error < 0.05
    assert reliability(labels[:2000], found.out_of_fold.probabilities).error < 0.05


def test_balanced_labels_weigh_the_same():
    values, labels, folds, parts = parts_of(8, 1000, good=0.9)
    plain, even = (
        fit_parts(values, labels, parts, groups=folds, class_weight=weight) for weight in (None, "balanced")
    )
    assert plain.probabilities(values).mean() == pytest.approx(0.9, abs=0.03)
    by_label = [even.probabilities(values)[labels == label].mean() for label in (0, 1)]
    assert np.mean(by_label) == pytest.approx(0.5, abs=0.07)


def test_kept_regressions_give_the_same():
    values, labels, folds, parts = parts_of(9, 200)
    kept = {}
    fit_parts(values, labels, parts[:1], groups=folds, kept=kept)
    assert len(kept) == 1
    again = fit_parts(values, labels, parts, groups=folds, kept=kept)
    assert len(kept) == 2
    anew = fit_parts(values, labels, parts, groups=folds)
    np.testing.assert_array_equal(again.weights, anew.weights)
    assert again.bias == anew.bias


def test_constant_columns_do_no_harm():
    values, labels, folds, parts = parts_of(10)
    values = np.hstack([values, np.full((600, 1), 7, np.float32)])
    found = fit_parts(values, labels, [parts[0], np.append(parts[1], 83)], groups=folds)
    assert np.isfinite(found.probabilities(values)).all()
    assert found.weights[-1] == 0


def test_too_few_of_a_label():
    labels = np.zeros(20, int)
    labels[:2] = 1
    with pytest.raises(ts.InputError, match="both are needed, also where a part of the rows is left out"):
        fit_parts(np.ones((20, 1), np.float32), labels, [np.zeros(1, int)], groups=np.arange(20) % 5)


def test_strengths_are_in_order():
    assert (np.diff(STRENGTHS) > 0).all()
