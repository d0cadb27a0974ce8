"""Logistic regression: what it finds, and that it never looks where it must not."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from toposcope.judge.linear import Linear, fit_linear, fit_parts, moments, standardised, trust
from toposcope.judge.metrics import confusion, matthews


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 2, 600)
    values = rng.standard_normal((600, 20)).astype(np.float32)
    values[:, 3] += 1.5 * labels
    values[:, 7] -= labels
    return values * 10 + 5, labels


def test_it_finds_what_is_there(data):
    values, labels = data
    linear = fit_linear(values[:400], labels[:400])
    assert matthews(confusion(labels[400:], linear.verdicts(values[400:]))) > 0.5
    assert set(np.argsort(-np.abs(linear.weights))[:2]) == {3, 7}
    assert 0.4 < linear.cv_mcc < 0.9


def test_it_is_scikit_learns(data):
    values, labels = data
    linear = fit_linear(values, labels, strengths=(0.01,))
    mean, scale = moments(values)
    reference = LogisticRegression(C=0.01, max_iter=2000).fit(standardised(values, mean, scale), labels)
    np.testing.assert_allclose(linear.weights, reference.coef_[0], atol=1e-3)
    assert linear.strength == 0.01


def test_noise_gives_nothing(data):
    rng = np.random.default_rng(1)
    values = rng.standard_normal((600, 300)).astype(np.float32)
    labels = rng.integers(0, 2, 600)
    assert fit_linear(values, labels).cv_mcc < 0.2  # a fit on what it is judged by would reach 1


def test_groups_are_left_out_together():
    """Rows of a group share a secret that tells their label; out of fold it must be of no use."""
    rng = np.random.default_rng(2)
    groups = np.arange(400) % 2
    labels = rng.integers(0, 2, 400)
    secret = np.where(groups == 0, labels, 1 - labels)[:, None] * 3.0
    values = np.hstack([secret, rng.standard_normal((400, 3))]).astype(np.float32)
    assert fit_linear(values, labels, groups=groups).cv_mcc < 0.3
    within = Linear(*moments(values[:, :1]), np.ones(1), 0.0, 0.5, 1.0, 0.0, np.zeros(0))
    for group in (0, 1):
        rows = groups == group
        assert abs(matthews(confusion(labels[rows], within.verdicts(values[rows, :1])))) > 0.9


def test_sparse_weights(data):
    values, labels = data
    linear = fit_linear(values, labels, penalty="l1", strengths=(0.02, 0.05))
    assert np.count_nonzero(linear.weights) < 12


def test_constant_columns_do_no_harm(data):
    values, labels = data
    values = np.hstack([values, np.full((600, 1), 7, np.float32)])
    linear = fit_linear(values, labels, strengths=(0.01,))
    assert np.isfinite(linear.probabilities(values)).all()
    assert linear.weights[-1] == 0


def test_seeds_decide_the_folds(data):
    values, labels = data
    a, b, c = (fit_linear(values, labels, strengths=(0.01,), seed=s) for s in (0, 0, 1))
    np.testing.assert_array_equal(a.out_of_fold, b.out_of_fold)
    assert (a.out_of_fold != c.out_of_fold).any()


def parts_of(rng, rows=600):
    labels = rng.integers(0, 2, rows)
    values = 0.15 * labels[:, None] + rng.standard_normal((rows, 83))
    values[:, [0, 2, 40]] = labels[:, None] + 1.5 * rng.standard_normal((rows, 3))
    return values.astype(np.float32), labels, rng.integers(0, 5, rows)


def test_parts_together_are_linear_again():
    values, labels, folds = parts_of(np.random.default_rng(0))
    parts = [np.array([0, 40, 2]), np.array([k for k in range(83) if k not in (0, 2, 40)])]
    whole = fit_parts(values, labels, parts, groups=folds)
    fits = [fit_linear(values[:, part], labels, groups=folds) for part in parts]
    said = np.stack([fit.logits(values[:, part]) for fit, part in zip(fits, parts, strict=True)], 1)
    shares = np.linalg.lstsq(np.column_stack([said, np.ones(len(said))]), whole.logits(values), rcond=None)[
        0
    ]
    np.testing.assert_allclose(
        np.column_stack([said, np.ones(len(said))]) @ shares, whole.logits(values), atol=1e-4
    )
    assert (shares[:2] > 0).all()
    assert whole.cv_mcc > max(fit.cv_mcc for fit in fits)


def test_one_part_is_a_plain_regression():
    values, labels, folds = parts_of(np.random.default_rng(1))
    alone, plain = (
        fit_parts(values, labels, [np.arange(83)], groups=folds),
        fit_linear(values, labels, groups=folds),
    )
    np.testing.assert_allclose(alone.weights, plain.weights, atol=1e-4)
    assert alone.threshold == pytest.approx(plain.threshold, abs=1e-3)


def test_trusted_log_odds_keep_their_probabilities():
    log_odds = np.array([[-3.0], [-1.0], [0.5], [2.0]], np.float32)
    linear = trust(log_odds, np.array([0, 0, 0, 1]))
    np.testing.assert_allclose(linear.probabilities(log_odds), 1 / (1 + np.exp(-log_odds[:, 0])), atol=1e-6)
    assert linear.verdicts(log_odds).tolist() == [0, 0, 0, 1]
