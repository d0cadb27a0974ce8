"""Pairs of texts through a model: as if one by one, in any batches, in any order, with any threads."""

import numpy as np
import pytest

import toposcope as ts
from tests.models import tiny
from tests.pairs.made import FIRST, SECOND, bucket
from toposcope.features.blocks import SMALL
from toposcope.features.spec import FeatureSpec
from toposcope.kernels import threads
from toposcope.models.reader import Settings
from toposcope.models.scope import Scope
from toposcope.pairs.readings import PairSpec, Reading

SPEC = PairSpec(
    (Reading("h0m"), Reading("rtd", "max", "align"), Reading("rtd_mean", "upper", "tail")),
    FeatureSpec(SMALL),
)
models = pytest.mark.parametrize("kind", ["encoder", "causal"])


@pytest.fixture(scope="module")
def measured(scopes):
    """Values, and the states of both sides, of the two kinds of models."""
    return {
        kind: scopes[kind].measure_pairs(FIRST, SECOND, SPEC, states=True) for kind in ("encoder", "causal")
    }


@models
def test_pairs_are_measured_as_if_one_by_one(scopes, measured, kind):
    for k, texts in enumerate(zip(FIRST, SECOND, strict=True)):
        a, b = (
            bucket(m.array.reshape(1, 12, *m.array.shape[2:]), [list(m.tokens)])
            for m in scopes[kind].attentions(texts)
        )
        np.testing.assert_allclose(measured[kind][0][k], SPEC(a, b)[0], atol=2e-5)


@models
def test_swapped_lists_turn_every_sign(scopes, measured, kind):
    back, none = scopes[kind].measure_pairs(SECOND, FIRST, SPEC)
    np.testing.assert_array_equal(back, -measured[kind][0])
    assert none is None
    same, _ = scopes[kind].measure_pairs(FIRST, FIRST, SPEC)
    assert not same.any()


def test_neither_batches_nor_order_matter(scopes, measured):
    scope = scopes["encoder"]
    longest = max(len(piece.ids) for piece in scope.pieces([*FIRST, *SECOND]))
    least = scope.engine.footprint(longest) + 4 * 12 * longest**2
    narrow = Scope(scope.engine.model, scope.tokenizer, settings=Settings(memory=least))
    order = np.random.default_rng(0).permutation(len(FIRST))
    first, second = ([side[k] for k in order] for side in (FIRST, SECOND))
    values, (a, b) = narrow.measure_pairs(first, second, SPEC, states=True)
    expected, (left, right) = measured["encoder"]
    np.testing.assert_allclose(values, expected[order], atol=2e-5)
    np.testing.assert_allclose(a.mean, left.mean[order], atol=1e-5)
    np.testing.assert_allclose(b.first, right.first[order], atol=1e-5)
    with pytest.raises(ts.InputError, match=f"A text of {longest} tokens needs about"):
        Scope(scope.engine.model, scope.tokenizer, settings=Settings(memory=least - 1)).measure_pairs(
            FIRST, SECOND, SPEC
        )


def test_threads_do_not_matter(scopes, measured, monkeypatch):
    shared = []

    def pieces(count, entries, asked, worth=0):
        shared.append(count)
        return [(k, k + 1) for k in range(count)]

    monkeypatch.setenv("TOPOSCOPE_THREADS", "3")
    monkeypatch.setattr(threads, "usable_cores", lambda: 3)
    monkeypatch.setattr("toposcope.kernels.run.pieces", pieces)
    values, _ = scopes["encoder"].measure_pairs(FIRST, SECOND, SPEC)
    np.testing.assert_array_equal(values, measured["encoder"][0])
    assert max(shared) > 1
    assert threads.thread_count(None) == 3


def test_some_heads_are_the_slice_of_all(scopes, measured):
    heads = [(1, 3), (0, 2), (1, 0)]
    values, _ = scopes["encoder"].measure_pairs(FIRST, SECOND, SPEC, heads=heads)
    np.testing.assert_array_equal(values, measured["encoder"][0][:, [7, 2, 4]])
    with pytest.raises(ts.InputError, match="accepted are different pairs"):
        scopes["encoder"].measure_pairs(FIRST, SECOND, SPEC, heads=[(3, 0)])


@models
def test_states_are_those_of_the_texts(scopes, measured, kind):
    for texts, found in zip((FIRST, SECOND), measured[kind][1], strict=True):
        expected = scopes[kind].states(texts)
        np.testing.assert_allclose(found.first, expected.first, atol=1e-5)
        np.testing.assert_allclose(found.mean, expected.mean, atol=1e-5)


def test_what_are_no_pairs(scopes):
    with pytest.raises(ts.InputError, match="8 texts beside 7: a pair needs one of each"):
        scopes["encoder"].measure_pairs(FIRST, SECOND[:7], SPEC)
    windows = Scope(scopes["encoder"].engine.model, tiny.wordpieces(), settings=Settings(long="windows"))
    long = "the cat sleeps. " * 30
    with pytest.raises(ts.InputError, match="cannot be cut into windows"):
        windows.measure_pairs([FIRST[0]], [long], SPEC)
    with pytest.raises(ts.ToposcopeError, match="cannot be cut into windows"):
        windows.compare(FIRST[0], long)
