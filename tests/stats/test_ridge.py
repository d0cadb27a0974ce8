"""Regressions solved together are scikit-learn's, and none knows of the others."""

import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression

from toposcope.stats.lasso import lasso
from toposcope.stats.ridge import ridge

STRENGTHS = np.array([1e-3, 1e-2, 0.1, 1.0])


def correlated(rows, columns, seed=0):
    """Standardised columns that mostly say the same three things, and labels that hang on some."""
    rng = np.random.default_rng(seed)
    values = rng.standard_normal((rows, 3)) @ rng.standard_normal((3, columns)) * 2
    values += rng.standard_normal((rows, columns))
    logits = values[:, : min(5, columns)].sum(1) * 0.4 + 0.5 + rng.logistic(size=rows)
    values = (values - values.mean(0)) / values.std(0)
    return values.astype(np.float32), (logits > 0).astype(int)


def samples(labels, balanced=False):
    """All rows, and two thirds of them."""
    kept = np.stack([np.ones(len(labels), bool), np.arange(len(labels)) % 3 != 0], 1)
    if not balanced:
        return kept.astype(float)
    counts = [[np.sum(labels[rows] == c) for c in (0, 1)] for rows in kept.T]
    shares = [sum(count) / (2 * np.array(count))[labels] for count in counts]
    return kept * np.stack(shares, 1)


def reference(values, labels, importance, strength, **options):
    rows = importance > 0
    options = {"tol": 1e-8, "max_iter": 20_000, **options}
    model = LogisticRegression(C=strength, **options)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # 1e-8 is sometimes below what lbfgs can do
        model.fit(values[rows].astype(np.float64), labels[rows], sample_weight=importance[rows])
    return np.append(model.coef_[0], model.intercept_)


def assert_close(ours, theirs, relative=2e-3):
    assert np.linalg.norm(ours - theirs) <= relative * np.linalg.norm(theirs)


def sparse_objective(values, labels, importance, strength, weights):
    weights = weights.astype(np.float64)
    logits = values.astype(np.float64) @ weights[:-1] + weights[-1]
    loss = np.logaddexp(0, logits) - labels * logits
    return np.abs(weights[:-1]).sum() + strength * importance @ loss


class TestRidge:
    @pytest.mark.parametrize(("rows", "columns"), [(200, 40), (50, 120), (100, 1)])
    @pytest.mark.parametrize("balanced", [False, True])
    def test_scikit_learns_weights(self, rows, columns, balanced):
        values, labels = correlated(rows, columns)
        importance = samples(labels, balanced)
        weights = ridge(values, labels, importance, STRENGTHS, tolerance=1e-6)
        assert weights.shape == (columns + 1, 2, len(STRENGTHS))
        for sample in range(2):
            for k, strength in enumerate(STRENGTHS):
                theirs = reference(values, labels, importance[:, sample], strength)
                assert_close(weights[:, sample, k], theirs)

    def test_the_usual_tolerance_is_good_enough_to_judge_by(self):
        values, labels = correlated(200, 80)
        importance = samples(labels)
        weights = ridge(values, labels, importance, STRENGTHS)
        for k, strength in enumerate(STRENGTHS):
            theirs = reference(values, labels, importance[:, 0], strength)
            logits = values @ weights[:-1, 0, k] + weights[-1, 0, k]
            np.testing.assert_allclose(logits, values @ theirs[:-1] + theirs[-1], atol=0.05)

    def test_separable_rows(self):
        values, _ = correlated(80, 30)
        labels = (values[:, 0] > 0).astype(int)
        importance, strengths = np.ones((80, 1)), np.array([1.0, 100.0])
        weights = ridge(values, labels, importance, strengths, tolerance=1e-7)
        for k, strength in enumerate(strengths):
            assert_close(weights[:, 0, k], reference(values, labels, importance[:, 0], strength), 1e-2)

    def test_a_constant_column_gets_nothing(self):
        values, labels = correlated(100, 10)
        values[:, 4] = 0
        weights = ridge(values, labels, samples(labels), STRENGTHS, tolerance=1e-6)
        assert not weights[4].any()
        assert_close(weights[:, 0, 1], reference(values, labels, np.ones(100), STRENGTHS[1]))

    def test_nothing_but_constant_columns(self):
        values, labels = np.zeros((30, 2), np.float32), np.arange(30) % 3 // 2
        weights = ridge(values, labels, np.ones((30, 1)), np.ones(1), tolerance=1e-6)
        np.testing.assert_allclose(weights[:, 0, 0], [0, 0, np.log(1 / 2)], atol=1e-4)

    def test_company_does_not_matter(self):
        values, labels = correlated(200, 60)
        importance = samples(labels)
        together = ridge(values, labels, importance, STRENGTHS, tolerance=1e-6)
        for sample in range(2):
            for k in range(len(STRENGTHS)):
                alone = ridge(values, labels, importance[:, [sample]], STRENGTHS[[k]], tolerance=1e-6)
                assert_close(together[:, sample, k], alone[:, 0, 0], 1e-3)

    def test_without_a_bias(self):
        values, labels = correlated(200, 40)
        importance = samples(labels)
        weights = ridge(values, labels, importance, STRENGTHS, tolerance=1e-6, bias=False)
        assert not weights[-1].any()
        for sample in range(2):
            for k, strength in enumerate(STRENGTHS):
                theirs = reference(values, labels, importance[:, sample], strength, fit_intercept=False)
                assert_close(weights[:, sample, k], theirs)
        with_bias = ridge(values, labels, importance, STRENGTHS, tolerance=1e-6)
        assert np.abs(with_bias[-1, 0, -1]) > 0.1  # so there was something to leave out

    def test_the_start_does_not_matter(self):
        values, labels = correlated(200, 60)
        importance = samples(labels)
        start = np.random.default_rng(1).standard_normal(61)
        there = ridge(values, labels, importance, STRENGTHS, start=start, tolerance=1e-6)
        assert_close(there, ridge(values, labels, importance, STRENGTHS, tolerance=1e-6), 1e-3)


class TestLasso:
    @pytest.mark.parametrize(("rows", "columns"), [(200, 40), (60, 100), (100, 1)])
    @pytest.mark.parametrize("balanced", [False, True])
    def test_scikit_learns_support_and_objective(self, rows, columns, balanced):
        values, labels = correlated(rows, columns)
        importance, strengths = samples(labels, balanced), np.array([0.03, 0.1, 0.5])
        weights = lasso(values, labels, importance, strengths, tolerance=1e-4)
        for sample in range(2):
            for k, strength in enumerate(strengths):
                problem = (values, labels, importance[:, sample], strength)
                theirs = reference(*problem, l1_ratio=1, solver="saga", random_state=0)
                ours = weights[:, sample, k]
                assert sparse_objective(*problem, ours) <= sparse_objective(*problem, theirs) + 1e-4
                np.testing.assert_array_equal(np.abs(ours[:-1]) > 1e-3, np.abs(theirs[:-1]) > 1e-3)
                # saga stops before its bias is right where all weights are zero: the objective tells
                np.testing.assert_allclose(ours[:-1], theirs[:-1], atol=5e-3)

    def test_too_weak_for_any_column(self):
        values, labels = correlated(100, 20)
        weights = lasso(values, labels, np.ones((100, 1)), np.array([1e-4]), tolerance=1e-6)
        assert not weights[:-1].any()
        odds = labels.mean() / (1 - labels.mean())
        assert weights[-1, 0, 0] == pytest.approx(np.log(odds), abs=1e-2)

    def test_columns_that_are_the_same(self):
        values, labels = correlated(150, 10)
        importance, strengths = samples(labels), np.array([0.1, 1.0])
        once = lasso(values, labels, importance, strengths, tolerance=1e-4)
        twice = lasso(np.hstack([values, values]), labels, importance, strengths, tolerance=1e-4)
        np.testing.assert_allclose(twice[:10] + twice[10:20], once[:-1], atol=5e-3)

    def test_company_order_and_start_do_not_matter(self):
        values, labels = correlated(200, 60)
        importance, strengths = samples(labels), np.array([0.5, 0.03, 0.1])
        start = np.random.default_rng(1).standard_normal(61)
        together = lasso(values, labels, importance, strengths, start=start, tolerance=1e-4)
        for sample in range(2):
            for k in range(3):
                alone = lasso(values, labels, importance[:, [sample]], strengths[[k]], tolerance=1e-4)
                np.testing.assert_allclose(together[:, sample, k], alone[:, 0, 0], atol=2e-3)
