"""What parts count: Platt's calibration of one, nothing below zero, nothing of noise."""

import numpy as np
import pytest
from sklearn.calibration import _sigmoid_calibration
from sklearn.linear_model import LogisticRegression

import toposcope as ts
from toposcope.stats.ridge import sigmoid
from toposcope.stats.weighing import importance_of, log_loss, platt_targets, weigh


def drawn(seed, rows=300):
    rng = np.random.default_rng(seed)
    labels = (rng.random(rows) < 0.7).astype(int)
    return rng, labels, np.ones(rows)


@pytest.mark.parametrize("bold", [0.2, 1, 5])
@pytest.mark.parametrize("rows", [20, 300])
def test_one_part_is_platts_calibration(bold, rows):
    rng, labels, ones = drawn(0, rows)
    said = bold * (2 * labels - 1 + rng.standard_normal(rows))
    shares, bias = weigh(said[:, None], labels, ones)
    a, b = _sigmoid_calibration(said, labels)
    assert shares[0] == pytest.approx(-a, rel=1e-3)
    assert bias == pytest.approx(-b, abs=1e-3)


def test_several_parts_are_a_logistic_regression():
    rng, labels, ones = drawn(1, 5000)
    said = labels[:, None] * [1.0, 0.5, 0.7] + rng.standard_normal((5000, 3))
    shares, bias = weigh(said, labels, ones)
    reference = LogisticRegression(C=np.inf, tol=1e-8).fit(said, labels)
    np.testing.assert_allclose(shares, reference.coef_[0], rtol=0.01)
    assert bias == pytest.approx(reference.intercept_[0], abs=0.01)


def test_no_share_is_below_zero():
    """A part that is always wrong says nothing; its reverse was not asked for."""
    rng, labels, ones = drawn(2)
    wrong = -(2.0 * labels - 1) + 0.3 * rng.standard_normal(300)
    shares, bias = weigh(wrong[:, None], labels, ones)
    assert shares.tolist() == [0]
    assert sigmoid(bias) == pytest.approx(labels.mean(), abs=0.01)
    right = -wrong + rng.standard_normal(300)
    both, _ = weigh(np.stack([wrong, right], 1), labels, ones)
    assert both[0] == 0 < both[1]


def test_parts_that_say_nothing_are_left_out():
    kept = []
    for seed in range(200):
        rng, labels, ones = drawn(seed, 100)
        shares, _ = weigh(rng.standard_normal((100, 2)), labels, ones)
        kept.append(shares > 0)
    assert np.mean(kept) < 0.15  # Akaike lets one of 13 in
    rng, labels, ones = drawn(3, 2000)
    useful = labels + rng.standard_normal(2000)
    shares, _ = weigh(np.stack([useful, rng.standard_normal(2000), 2 * useful], 1), labels, ones)
    assert shares[1] == 0
    assert np.count_nonzero(shares) == 1  # the third repeats the first


def test_perfect_parts_do_not_make_certain():
    labels = np.arange(20) % 2
    said = (2.0 * labels - 1)[:, None]
    shares, bias = weigh(said, labels, np.ones(20))
    probabilities = sigmoid(said @ shares + bias)
    np.testing.assert_allclose(probabilities, platt_targets(labels), atol=1e-3)
    assert set(np.round(platt_targets(labels), 6)) == {round(1 / 12, 6), round(11 / 12, 6)}


def test_importance():
    labels = np.array([1, 1, 1, 0, 0, 1])
    rows = np.array([1, 1, 1, 1, 0, 0], bool)
    np.testing.assert_allclose(importance_of(labels, rows, None), rows)
    np.testing.assert_allclose(importance_of(labels, rows, "balanced"), [2 / 3, 2 / 3, 2 / 3, 2, 0, 0])
    with pytest.raises(ts.InputError, match=r"\[0, 3\] labels 0 and 1; both are needed"):
        importance_of(labels, np.array([1, 1, 1, 0, 0, 0], bool), None)


def test_log_loss_counts_by_importance():
    odds, labels = np.array([0.0, 2.0, -1.0]), np.array([1, 0, 1])
    expected = -np.log([0.5, 1 - sigmoid(2.0), sigmoid(-1.0)])
    assert log_loss(odds, labels, np.array([1, 0, 3])) == pytest.approx(expected @ [1, 0, 3] / 4)
