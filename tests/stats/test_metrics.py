"""Metrics against scikit-learn, scipy and slow sums."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta, binomtest
from sklearn.metrics import accuracy_score, matthews_corrcoef

import toposcope as ts
from toposcope.stats import metrics

bits = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=2, max_size=60)


@given(bits)
def test_accuracy_and_matthews(pairs):
    labels, verdicts = np.array(pairs).T
    cells = metrics.confusion(labels, verdicts)
    assert metrics.accuracy(cells) == pytest.approx(accuracy_score(labels, verdicts))
    if len(set(labels)) > 1:  # else scikit-learn warns
        assert metrics.matthews(cells) == pytest.approx(matthews_corrcoef(labels, verdicts), abs=1e-12)


@given(st.lists(st.tuples(st.integers(0, 1), st.sampled_from([0.1, 0.2, 0.35, 0.5, 0.9])), min_size=2))
def test_no_threshold_is_better(pairs):
    labels, probabilities = (np.array(x) for x in zip(*pairs, strict=True))

    def score(threshold):
        return float(metrics.matthews(metrics.confusion(labels, probabilities >= threshold)))

    chosen = metrics.best_threshold(labels, probabilities)
    assert 0 <= chosen <= 1
    assert score(chosen) >= max(map(score, np.linspace(0, 1, 41))) - 1e-12


@pytest.mark.parametrize(("good", "bad"), [(12, 12), (17, 7), (20, 3), (1, 9)])
def test_no_table_has_a_greater_matthews_than_its_accuracy_allows(good, bad):
    """All confusions of so many good and bad sentences are tried."""
    found: dict[int, float] = {}
    for hits in range(good + 1):
        for alarms in range(bad + 1):
            right = hits + bad - alarms
            value = float(metrics.matthews(np.array([[bad - alarms, alarms], [good - hits, hits]])))
            found[right] = max(value, found.get(right, -1))
    for right in range(min(good, bad), good + bad + 1):
        most = metrics.greatest_matthews(right / (good + bad), good / (good + bad))
        assert most == pytest.approx(found[right], abs=1e-7)
    with pytest.raises(ts.InputError, match="below always the same word"):
        metrics.greatest_matthews(0, good / (good + bad))


def test_intervals_cover_as_often_as_they_say():
    rng = np.random.default_rng(0)
    truth, covered = 0.8, 0
    for trial in range(300):
        labels = rng.integers(0, 2, 200)
        verdicts = np.where(rng.random(200) < truth, labels, 1 - labels)
        e = metrics.estimate(metrics.accuracy, labels, verdicts, seed=trial)
        assert e.low <= e.value <= e.high
        covered += e.low <= truth <= e.high
    assert 0.91 < covered / 300 < 0.985


def test_two_equal_judges_do_not_differ():
    rng = np.random.default_rng(1)
    labels = rng.integers(0, 2, 300)
    verdicts = np.where(rng.random(300) < 0.7, labels, 1 - labels)
    difference, p = metrics.paired_difference(metrics.matthews, labels, verdicts, verdicts)
    assert (difference.value, p) == (0, 1)
    assert metrics.disagreements(labels, verdicts, verdicts) == (0, 0)
    assert metrics.mcnemar(0, 0) == 1


def test_a_better_judge_is_seen_to_be_better():
    rng = np.random.default_rng(2)
    labels = rng.integers(0, 2, 1000)
    good = np.where(rng.random(1000) < 0.9, labels, 1 - labels)
    bad = np.where(rng.random(1000) < 0.6, labels, 1 - labels)
    difference, p = metrics.paired_difference(metrics.matthews, labels, good, bad)
    assert difference.low > 0.3
    assert p < 0.001
    reverse, _ = metrics.paired_difference(metrics.matthews, labels, bad, good)
    assert reverse.value == -difference.value


@pytest.mark.parametrize(("wins", "losses"), [(0, 0), (5, 0), (7, 3), (20, 22)])
def test_mcnemar_is_the_binomial_test(wins, losses):
    labels = np.ones(wins + losses + 4, int)
    ours, theirs = labels.copy(), labels.copy()
    theirs[:wins] = 0
    ours[wins : wins + losses] = 0
    expected = binomtest(wins, wins + losses).pvalue if wins + losses else 1.0
    assert metrics.disagreements(labels, ours, theirs) == (wins, losses)
    assert metrics.disagreements(labels, theirs, ours) == (losses, wins)
    assert metrics.mcnemar(wins, losses) == pytest.approx(expected)
    assert metrics.mcnemar(losses, wins) == pytest.approx(expected)


def test_lengths_must_agree():
    with pytest.raises(ts.InputError, match="labels for"):
        metrics.confusion(np.ones(3), np.ones(2))


def test_scores_in_words():
    found = metrics.scores(np.array([1, 0, 1, 0]), np.array([1, 0, 1, 1]))
    assert str(found["accuracy"]).startswith("0.750 [")


def test_several_runs_count_with_their_mean():
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 2, 200)
    runs = np.where(rng.random((3, 200)) < 0.8, labels, 1 - labels)
    e = metrics.estimate(metrics.matthews, labels, runs)
    single = [metrics.estimate(metrics.matthews, labels, run) for run in runs]
    assert e.value == pytest.approx(np.mean([one.value for one in single]))
    assert e.high - e.low < np.mean([one.high - one.low for one in single])
    other = 1 - labels
    difference, p = metrics.paired_difference(metrics.matthews, labels, runs, other)
    assert difference.value == pytest.approx(e.value + 1)
    assert p < 0.01
    same, p = metrics.paired_difference(metrics.matthews, labels, runs, runs[::-1])
    assert same.value == pytest.approx(0, abs=1e-12)
    assert p > 0.9


@pytest.mark.parametrize(("right", "of"), [(1, 1), (0, 1), (3, 4), (10, 10), (40, 50)])
def test_the_interval_of_an_accuracy_is_the_exact_one(right, of):
    """Half a sentence more of each label and verdict is one more right and one more wrong one."""
    labels = np.arange(of) % 2
    verdicts = np.where(np.arange(of) < right, labels, 1 - labels)
    e = metrics.estimate(metrics.accuracy, labels, verdicts)
    low, high = beta(right + 1, of - right + 1).ppf([0.025, 0.975])
    assert e.value == right / of
    assert e.low == pytest.approx(min(low, e.value), abs=0.02)
    assert e.high == pytest.approx(max(high, e.value), abs=0.02)


def test_few_sentences_are_never_certain():
    one = metrics.scores(np.array([1]), np.array([1]))
    assert one["accuracy"].low < 0.2
    assert one["mcc"].low < 0 < one["mcc"].high
    for n in (2, 6, 20):
        perfect = metrics.estimate(metrics.matthews, np.arange(n) % 2, np.arange(n) % 2)
        assert perfect.low < perfect.value == perfect.high == 1


@pytest.mark.parametrize("n", [12, 30, 100])
def test_intervals_of_matthews_cover_on_few_sentences(n):
    """The Matthews correlation of many sentences is in the interval from few of them."""
    rng = np.random.default_rng(n)
    truth = np.array([[0.2, 0.1], [0.15, 0.55]])
    known, covered = float(metrics.matthews(truth)), 0
    for trial in range(300):
        kinds = rng.choice(4, n, p=truth.reshape(-1))
        e = metrics.estimate(metrics.matthews, kinds // 2, kinds % 2, seed=trial)
        covered += e.low <= known <= e.high
    assert covered / 300 > 0.91


def test_reliability_by_hand():
    said = np.array([0.1, 0.2, 0.8, 0.9])
    found = metrics.reliability(np.array([0, 0, 1, 0]), said, bins=2)
    np.testing.assert_allclose(found.said, [0.15, 0.85])
    np.testing.assert_allclose(found.true, [0, 0.5])
    assert found.error == pytest.approx((0.15 + 0.35) / 2)
    assert found.to_list() == [[pytest.approx(0.15), 0, 2], [pytest.approx(0.85), 0.5, 2]]
    assert metrics.reliability(np.array([1]), np.array([0.75])).error == 0.25
    with pytest.raises(ts.InputError, match="labels for"):
        metrics.reliability(np.ones(3), np.ones(2))


def test_honest_probabilities_have_a_small_error():
    rng = np.random.default_rng(0)
    p = rng.random(20_000)
    labels = rng.random(20_000) < p
    assert metrics.reliability(labels, p).error < 0.02
    assert metrics.reliability(labels, np.sqrt(p)).error > 0.1


def test_sentences_judged_in_folds_count_less():
    """Their interval is as wide as that of 1 / (1 + K / (K - 1)) times as many others."""
    labels = np.arange(900) % 2
    verdicts = np.where(np.arange(900) % 5 > 0, labels, 1 - labels)

    def width(e):
        return e.high - e.low

    plain, out_of_five = (metrics.estimate(metrics.matthews, labels, verdicts, folds=k) for k in (0, 5))
    fewer = metrics.estimate(metrics.matthews, labels[:400], verdicts[:400])
    assert width(out_of_five) == pytest.approx(1.5 * width(plain), rel=0.05)
    assert width(out_of_five) == pytest.approx(width(fewer), rel=0.05)
    out_of_two = metrics.estimate(metrics.matthews, labels, verdicts, folds=2)
    assert width(out_of_two) == pytest.approx(np.sqrt(3) * width(plain), rel=0.05)
