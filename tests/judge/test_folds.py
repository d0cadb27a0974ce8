"""Folds: equal shares of the labels, and a sentence in one of them only."""

import numpy as np
import pytest

import toposcope as ts
from toposcope.data.sentences import ALONE, Sentences
from toposcope.judge.folds import fold_numbers


def words(count):
    return [f"sentence {k}" for k in range(count)]


@pytest.mark.parametrize("folds", [2, 5])
def test_folds_have_equal_shares(folds):
    labels = np.random.default_rng(0).permutation([1] * 140 + [0] * 60)
    numbers = fold_numbers(Sentences(tuple(words(200)), labels), folds)
    assert np.bincount(numbers, minlength=folds).tolist() == [200 // folds] * folds
    assert np.bincount(numbers[labels == 1]).tolist() == [140 // folds] * folds


@pytest.mark.parametrize("seed", range(5))
def test_repeated_sentences_stay_together(seed):
    rng = np.random.default_rng(seed)
    which = rng.integers(0, 60, 200)
    blanks = rng.integers(1, 3, 200)
    texts = [f"sentence{' ' * b}{k} " for k, b in zip(which, blanks, strict=True)]
    numbers = fold_numbers(Sentences(tuple(texts), rng.integers(0, 2, 200)), 2, seed)
    for k in set(which):
        assert len(set(numbers[which == k])) == 1
    assert 60 < (numbers == 0).sum() < 140


def test_seeds_decide():
    labels = np.arange(40) % 2
    a, b, c = (fold_numbers(Sentences(tuple(words(40)), labels), 2, seed) for seed in (0, 0, 1))
    np.testing.assert_array_equal(a, b)
    assert (a != c).any()


@pytest.mark.parametrize(
    ("texts", "labels"),
    [
        (words(20), [1] * 17 + [0] * 3),
        (words(20), [1] * 20),
        ((words(3) * 10)[:20] + words(20)[10:], [0] * 20 + [1] * 10),  # three different ones, many times
    ],
)
def test_too_few_sentences(texts, labels):
    with pytest.raises(ts.InputError, match="5 folds need at least 5 different sentences of each kind"):
        fold_numbers(Sentences(tuple(texts), np.array(labels)), 5)


def test_pairs_stay_together_also_through_others():
    """Wrong 1 and wrong 2 have the same correction, which stands there twice."""
    texts = [t for k in range(40) for t in (f"wrong {k}", f"right {k // 2}")]
    sentences = Sentences(tuple(texts), np.tile([0, 1], 40), pairs=np.arange(80) // 2)
    numbers = fold_numbers(sentences, 4)
    for k in range(20):
        assert len(set(numbers[4 * k : 4 * k + 4])) == 1
    assert len(set(numbers)) == 4
    assert len({fold_numbers(Sentences(tuple(texts), sentences.labels), 4)[k] for k in (0, 1, 2)}) > 1


def test_sentences_without_another_version_are_not_kept_together():
    lone = Sentences(tuple(words(60)), np.arange(60) % 2, pairs=np.array([ALONE] * 40 + [5] * 20))
    numbers = fold_numbers(lone, 2)
    assert len(set(numbers[40:])) == 1
    assert 0 < numbers[:40].mean() < 1
