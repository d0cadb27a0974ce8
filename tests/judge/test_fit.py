"""The one way to a linear judge: columns among others, heads that are chosen, what it tells to expect."""

import numpy as np
import pytest

from toposcope.data.sentences import Sentences
from toposcope.features.table import Table
from toposcope.judge.evidence import Evidence
from toposcope.judge.fit import Size, fit
from toposcope.judge.folds import fold_numbers
from toposcope.judge.parts import FOLDS, fit_parts
from toposcope.topology.head import Head

SIZE, ROWS = Size(2, 3, 4), 120
EVERYTHING = Evidence.parse("h0m+sides+cls:2+length", SIZE.layers)
SOME = Evidence.parse("h0m+length", SIZE.layers)


@pytest.fixture(scope="module")
def data():
    """Head L1.H2 tells the labels, the others tell nothing."""
    rng = np.random.default_rng(3)
    labels = np.arange(ROWS) % 2
    sentences = Sentences(tuple(f"sentence {k}" for k in range(ROWS)), labels, "numbers")
    columns = EVERYTHING.columns(EVERYTHING.heads_of(SIZE.layers, SIZE.heads), SIZE.width)
    values = rng.standard_normal((ROWS, len(columns))).astype(np.float32)
    table = Table(values, tuple(columns))
    values[:, table.places(["h0m.L1.H2"])[0]] += 2 * labels
    return table, sentences, fold_numbers(sentences, FOLDS)


def test_other_columns_count_nothing(data):
    table, sentences, folds = data
    found = fit(table, sentences, SOME, SIZE, folds)
    names = [table.names[place] for place in found.places]
    assert names == [str(c) for c in SOME.columns(SOME.heads_of(SIZE.layers, SIZE.heads), SIZE.width)]
    assert set(np.flatnonzero(found.linear.weights)) <= set(found.places)
    alone = table.take(names)
    again = fit(alone, sentences, SOME, SIZE, folds)
    np.testing.assert_array_equal(again.probabilities(alone), found.probabilities(table))
    assert again.expected(sentences.labels) == found.expected(sentences.labels)


def test_heads_are_chosen_without_the_fold_that_is_judged(data):
    table, sentences, folds = data
    found = fit(table, sentences, SOME, SIZE, folds, count=1)
    assert found.evidence.heads == (Head(1, 2),)
    assert [table.names[place] for place in found.places] == ["h0m.L1.H2", "length"]
    told = found.expected(sentences.labels)
    assert told["mcc"]["low"] > 0.2
    noise = Sentences(sentences.texts, np.random.default_rng(5).permutation(sentences.labels), "noise")
    best = fit(table, noise, EVERYTHING, SIZE, fold_numbers(noise, FOLDS), count=1)
    assert best.expected(noise.labels)["mcc"]["low"] < 0


def test_it_is_a_fit_of_its_parts(data):
    table, sentences, folds = data
    found = fit(table, sentences, SOME, SIZE, folds, class_weight="balanced")
    heads = SOME.heads_of(SIZE.layers, SIZE.heads)
    values = table.take(SOME.columns(heads, SIZE.width)).values
    parts = SOME.parts(heads, SIZE.width)
    plain = fit_parts(values, sentences.labels, parts, groups=folds, class_weight="balanced")
    np.testing.assert_array_equal(found.probabilities(table), plain.probabilities(values))
    assert (found.linear.threshold, found.linear.cv_mcc) == (plain.threshold, plain.cv_mcc)
