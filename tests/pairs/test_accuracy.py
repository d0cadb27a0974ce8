"""Accuracy by paradigm, by phenomenon and overall, with intervals."""

import json

import numpy as np
import pytest

from tests.pairs.made import pairs
from toposcope.pairs.accuracy import ROUNDS, balanced, calibration_error, pair_accuracy, pair_difference

# paradigms of four, two and one pairs; the first two are one phenomenon
NAMES = ["a", "b", "a", "c", "a", "b", "a"]
TERMS = ["x", "x", "x", "y", "x", "x", "x"]
CREDITS = np.array([1, 0.5, 1, 0, 1, 0.5, 0])


@pytest.fixture(scope="module")
def found():
    return pair_accuracy(CREDITS, pairs(NAMES, TERMS))


def test_means_by_hand(found):
    assert {name: e.value for name, e in found.paradigms.items()} == {"a": 0.75, "b": 0.5, "c": 0}
    assert {name: e.value for name, e in found.phenomena.items()} == {"x": 0.625, "y": 0}
    assert found.overall.value == pytest.approx((0.75 + 0.5 + 0) / 3)
    assert found.mean_of_phenomena.value == pytest.approx((0.625 + 0) / 2)
    assert found.pairs == 7


def test_ties_have_their_share(found):
    assert found.ties == pytest.approx(2 / 7)
    told = pair_accuracy(CREDITS, pairs(NAMES, TERMS), np.arange(7) == 0)
    assert told.ties == pytest.approx(1 / 7)
    assert told.overall == found.overall


def test_intervals_hold_the_value(found):
    for e in (found.overall, found.mean_of_phenomena, *found.phenomena.values(), *found.paradigms.values()):
        assert 0 <= e.low <= e.value <= e.high <= 1
    assert found.paradigms["b"].low < 0.3  # two ties tell little
    assert found.paradigms["c"].high > 0.5  # one wrong pair tells less
    assert found.paradigms["a"].low < 0.75 < found.paradigms["a"].high


@pytest.mark.parametrize("of", ["overall", "mean_of_phenomena"])
def test_intervals_shrink_with_more_pairs(of):
    def widths(copies):
        found = pair_accuracy(np.tile([1.0, 1, 1, 0], copies), pairs(["a"] * (4 * copies)))
        estimates = (getattr(found, of), found.paradigms["a"], found.phenomena["a"])
        return np.array([e.high - e.low for e in estimates])

    few, many = widths(10), widths(1000)
    assert few[0] == pytest.approx(2 * 1.96 * np.sqrt(0.75 * 0.25 / 40), rel=0.15)
    np.testing.assert_allclose(many, few / 10, rtol=0.15)


def test_overall_intervals_know_that_paradigms_differ():
    """Many pairs make each paradigm certain, not what another choice of paradigms would give."""
    names = np.repeat(["a", "b", "c", "d"], 500)
    found = pair_accuracy(np.repeat([1.0, 1, 0, 0], 500), pairs(names))
    assert all(e.high - e.low < 0.01 for e in found.paradigms.values())
    assert found.overall.low <= 0.25
    assert found.overall.high >= 0.75


def test_intervals_are_the_same_in_any_order_of_pairs(found):
    order = np.random.default_rng(0).permutation(7)
    assert pair_accuracy(CREDITS[order], pairs(NAMES, TERMS).take(order)) == found


def test_differences_of_both_signs():
    names = np.repeat(["a", "b", "c", "d"], 200)
    rng = np.random.default_rng(0)
    good, bad = (1.0 * (rng.random(800) < share) for share in (0.9, 0.6))
    found, p = pair_difference(good, bad, pairs(names))
    assert found.value == pytest.approx(np.mean([(good - bad)[names == n].mean() for n in "abcd"]))
    assert 0.2 < found.low < found.value < found.high < 0.4
    turned, same_p = pair_difference(bad, good, pairs(names))
    assert turned.value == -found.value
    assert -0.4 < turned.low < turned.value < turned.high < -0.2
    assert p == same_p == 2 / ROUNDS
    ordered = np.argsort(rng.random(800))
    again, _ = pair_difference(good[ordered], bad[ordered], pairs(names[ordered]))
    assert again == found


def test_equal_ways_do_not_differ_however_few_the_pairs_are():
    """Before drawing, agreement is added and nothing else: it is for neither."""
    found, p = pair_difference(CREDITS, CREDITS, pairs(NAMES, TERMS))
    assert (found.value, found.low, found.high, p) == (0, 0, 0, 1)


def test_a_difference_that_paradigms_do_not_share_is_not_sure():
    names = np.repeat(["a", "b", "c", "d"], 500)
    apart = np.repeat([1.0, 0.2, -0.3, -0.2], 500)
    found, p = pair_difference(apart, np.zeros(2000), pairs(names))
    assert found.value == pytest.approx(0.175)
    assert found.low < 0 < found.high
    assert p > 0.2


def test_all_paradigms_weigh_the_same():
    weights = balanced(pairs(NAMES, TERMS))
    assert weights.mean() == pytest.approx(1)
    for name in "abc":
        assert weights[np.array(NAMES) == name].sum() == pytest.approx(7 / 3)
    assert weights @ CREDITS / 7 == pytest.approx(pair_accuracy(CREDITS, pairs(NAMES, TERMS)).overall.value)


def test_facts_are_json(found):
    facts = json.loads(json.dumps(found.facts()))
    assert facts["paradigms"]["a"]["value"] == 0.75
    assert facts["phenomena"]["x"]["low"] == found.phenomena["x"].low
    assert (facts["pairs"], facts["overall"]["value"]) == (7, found.overall.value)


def test_calibration_by_hand():
    """Log-odds of 3 to 1: right three times in four is honest; always right is off by a quarter."""
    sure = np.full(4, np.log(3))
    assert calibration_error(sure * [1, 1, 1, -1]) == pytest.approx(0)
    assert calibration_error(sure) == pytest.approx(0.25)
    assert calibration_error(np.zeros(4)) == pytest.approx(0)
    far = np.array([1000.0, 1000.0, -1000.0, -1000.0])
    assert calibration_error(far) == pytest.approx(0.5)
