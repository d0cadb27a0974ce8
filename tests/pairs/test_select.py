"""Choosing heads: what is chosen, how good it is on other pairs, and what does not matter."""

import numpy as np
import pytest

import toposcope as ts
from tests.pairs.made import COLUMN, NAMES, readings, table
from toposcope.pairs.select import METHODS, choose, paradigm_folds, select_heads

every_method = pytest.mark.parametrize("method", METHODS)


def test_top_and_phenomenon_heads(chosen):
    (top,) = chosen["top"].chooser.voters
    assert (top.head, top.rule) == ((0, 1), 1)
    heads = chosen["phenomenon"].chooser
    assert {term: (v.head, v.rule) for term, v in heads.by_phenomenon.items()} == {
        "x": ((0, 1), 1),
        "y": ((0, 2), 2),
    }
    assert heads.otherwise == top


def test_all_heads_vote_by_rule_1(chosen):
    assert [(v.head, v.rule) for v in chosen["all"].chooser.voters] == [(h, 1) for h in readings().heads]


def test_paradigms_weigh_the_same_whatever_their_size():
    """Head 0 is right in the large paradigm, head 1 in both small ones."""
    names = ["large"] * 80 + ["small"] * 5 + ["tiny"] * 5
    signs = np.zeros((90, 2))
    signs[:80, 0] = signs[80:, 1] = -1
    chooser = select_heads(table(signs, names), "top", "h0m", "paper", validate=False).chooser
    assert [v.head for v in chooser.voters] == [(0, 1)]


@every_method
def test_accuracy_by_cross_validation_is_recorded(chosen, method):
    accuracy = chosen[method].about["accuracy by cross-validation"]
    assert accuracy > (0.5 if method == "all" else 0.65)
    assert chosen[method].about["chosen on"]["pairs"] == 90
    assert chosen[method].about["chosen on"]["sha256"] == readings().pairs.fingerprint


def noise(seed, count=400, heads=40):
    rng = np.random.default_rng(seed)
    return table(rng.standard_normal((count, heads)), ["p", "q"] * (count // 2))


@pytest.mark.parametrize("method", ["top", "phenomenon", "ensemble", "weighted"])
def test_cross_validation_sees_that_noise_is_noise(method):
    made = noise(0)
    found = select_heads(made, method, "h0m")
    assert found.about["accuracy by cross-validation"] == pytest.approx(0.5, abs=0.08)
    assert found.chooser.prefer(made).credits.mean() > (0.6 if method == "ensemble" else 0.55)


@pytest.mark.parametrize("method", ["top", "phenomenon", "ensemble", "all"])
def test_the_order_of_the_pairs_decides_nothing(method):
    made = readings()
    order = np.random.default_rng(5).permutation(len(made))
    one, other = (choose(t, method, (COLUMN,), "strict") for t in (made, made.take(order)))
    assert one == other


def test_folds_hold_a_share_of_every_paradigm():
    pairs = readings().pairs
    folds = paradigm_folds(pairs, 5)
    for name in np.unique(NAMES):
        assert np.bincount(folds[name == NAMES]).tolist() == [6] * 5
    assert (folds != paradigm_folds(pairs, 5, seed=1)).any()


@every_method
def test_few_pairs_of_many_paradigms(method):
    """One pair of each paradigm, as of a benchmark that names none: there are folds all the same."""
    rng = np.random.default_rng(0)
    made = table(rng.standard_normal((30, 4)), [f"p{k}" for k in range(30)])
    assert np.bincount(paradigm_folds(made.pairs, 5)).tolist() == [6] * 5
    assert 0 <= select_heads(made, method, "h0m").about["accuracy by cross-validation"] <= 1


def test_fewer_heads_are_those_that_tell():
    """Of 40 heads three know the answer: these are kept, and are nearly as good alone."""
    rng = np.random.default_rng(3)
    values = rng.normal(size=(400, 40))
    values[:, [4, 11, 30]] += 1.0
    made = table(values, ["a", "b"] * 200)
    whole, few = (select_heads(made, "weighted", "h0m", keep=keep) for keep in (0, 3))
    assert len(whole.chooser.heads()) == 40
    assert few.chooser.heads() == [made.heads[k] for k in (4, 11, 30)]
    reached = [one.about["accuracy by cross-validation"] for one in (whole, few)]
    assert reached[1] >= reached[0] - 0.03 > 0.85
    assert few.prefer(made).credits.mean() > 0.9
    for method, keep in (("weighted", 41), ("top", 2)):
        with pytest.raises(ts.InputError, match="weighted heads can be fewer, 1 to 40"):
            select_heads(made, method, "h0m", keep=keep)


def test_what_cannot_be_chosen():
    with pytest.raises(ts.InputError, match="method 'best': accepted are top, phenomenon, ensemble"):
        select_heads(readings(), "best", "h0m")
    with pytest.raises(ts.InputError, match=r"measure 'h0m\+h0s' with 'top': heads vote on one reading"):
        select_heads(readings(), "top", "h0m+h0s")
    with pytest.raises(ts.InputError, match="profile 'lax'"):
        select_heads(readings(), "top", "h0m", "lax")
    with pytest.raises(ts.InputError, match="4 pairs: to choose heads takes at least 5"):
        select_heads(readings().take(range(4)), "top", "h0m")
    with pytest.raises(ts.InputError, match="not read for 'rtd"):
        select_heads(readings(), "top", "rtd")
