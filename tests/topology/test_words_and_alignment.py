"""Pooling pieces to words, dropping tokens, and pairing the tokens of two sentences."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import toposcope as ts
from tests import cases
from tests.cases import A

WORDS = [None, 0, 0, 1, None]  # [CLS] play ##ing . [SEP]


@pytest.mark.parametrize("keys", ["max", "mean", "sum"])
@pytest.mark.parametrize("queries", ["sum", "mean"])
def test_pooling_by_hand(keys, queries):
    def pooled(block):
        to_word = getattr(block, keys)(1)
        return getattr(to_word, queries)(0)

    groups = [[0], [1, 2], [3], [4]]
    expected = np.array([[pooled(A[np.ix_(q, k)]) for k in groups] for q in groups])
    expected /= expected.sum(1, keepdims=True)
    found = ts.pool_words(np.tile(A, (2, 3, 1, 1)), WORDS, keys=keys, queries=queries)
    assert found.shape == (2, 3, 4, 4)
    np.testing.assert_allclose(found[1, 2], expected, atol=1e-12)
    ts.check_rows(found)


def test_whole_words_stay_as_they_are():
    np.testing.assert_allclose(ts.pool_words(A, [0, 1, 2, 3, 4]), A, atol=1e-12)
    np.testing.assert_allclose(ts.pool_words(A, [None] * 5), A, atol=1e-12)


def test_dropping_tokens():
    maps = np.stack([A, A.T / A.sum(0)[:, None]])
    np.testing.assert_array_equal(ts.drop_tokens(maps, [0, -1]), maps[:, 1:4, 1:4])
    kept = ts.drop_tokens(maps, [0, -1], renormalise=True)
    np.testing.assert_allclose(kept.sum(-1), 1)
    np.testing.assert_allclose(kept[0, 0], A[1, 1:4] / A[1, 1:4].sum())
    everything = ts.drop_tokens(cases.one_hot_column(np.random.default_rng(0), 4), [], renormalise=True)
    ts.check_rows(everything)


def test_a_row_without_weight_becomes_uniform():
    to_first = np.zeros((3, 3))
    to_first[:, 0] = 1
    np.testing.assert_array_equal(ts.drop_tokens(to_first, [0], renormalise=True), 0.5)


def test_errors():
    with pytest.raises(ts.InputError, match="3 word ids for maps of 5 tokens"):
        ts.pool_words(A, [0, 1, 2])
    with pytest.raises(ts.InputError, match="keys='min'"):
        ts.pool_words(A, WORDS, keys="min")
    with pytest.raises(ts.InputError, match="queries='max'"):
        ts.pool_words(A, WORDS, queries="max")
    with pytest.raises(ts.InputError, match="drop holds 5: the maps have 5 tokens"):
        ts.drop_tokens(A, [5])
    with pytest.raises(ts.InputError, match="every token"):
        ts.drop_tokens(A, range(5))
    with pytest.raises(ts.InputError, match="method='middle'"):
        ts.align_tokens("ab", "a", "middle")


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("Who has left ?", "Who left ?", ([0, 2, 3], [0, 1, 2])),
        ("the cat sleeps .", "the dog sleeps .", ([0, 1, 2, 3], [0, 1, 2, 3])),
        ("the cat sleeps .", "the big dog sleeps .", ([0, 1, 2, 3], [0, 1, 3, 4])),
        ("a x y b", "a z b", ([0, 1, 3], [0, 1, 2])),
        ("", "a b", ([], [])),
    ],
)
def test_alignment(a, b, expected):
    left, right = ts.align_tokens(a.split(), b.split())
    assert (list(left), list(right)) == expected


def test_cropping():
    a, b = list("abcde"), list("xyz")
    assert [list(side) for side in ts.align_tokens(a, b, "head")] == [[0, 1, 2], [0, 1, 2]]
    assert [list(side) for side in ts.align_tokens(a, b, "tail")] == [[2, 3, 4], [0, 1, 2]]


def longest_common(a, b):
    table = np.zeros((len(a) + 1, len(b) + 1), int)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            table[i + 1, j + 1] = table[i, j] + 1 if x == y else max(table[i, j + 1], table[i + 1, j])
    return table[-1, -1]


@given(st.text("abc", max_size=9), st.text("abc", max_size=9), st.sampled_from(["align", "head", "tail"]))
def test_alignment_laws(a, b, method):
    left, right = ts.align_tokens(list(a), list(b), method)
    assert len(left) == len(right)
    assert (np.diff(left) > 0).all()
    assert (np.diff(right) > 0).all()
    swapped = ts.align_tokens(list(b), list(a), method)
    np.testing.assert_array_equal(swapped[0], right)
    np.testing.assert_array_equal(swapped[1], left)
    if method == "align":
        equal = sum(a[i] == b[j] for i, j in zip(left, right, strict=True))
        assert equal == longest_common(a, b)
    if a == b:
        np.testing.assert_array_equal(left, np.arange(len(a)))
