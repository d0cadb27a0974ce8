"""Choosers: fair to both sentences, ties as the profile says, each phenomenon by its own head."""

import json

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

import toposcope as ts
from tests.pairs.made import COLUMN, table, tied_differences
from toposcope.facts import Facts
from toposcope.pairs.choosers import CLIP, Committee, PhenomenonHeads, Voter, WeightedHeads, scaled
from toposcope.pairs.profile import credits_of
from toposcope.pairs.weighted import fit_weights, usual_size

HEADS = [(0, 0), (0, 1), (0, 2), (0, 3), (1, 0)]
VOTERS = tuple(Voter(head, rule) for head, rule in zip(HEADS, (1, 2, 1, 1, 2), strict=True))
NAMES = ["x", "y", "z"] * 20
STRICT = {
    "head": Committee(COLUMN, VOTERS[1:2]),
    "odd": Committee(COLUMN, VOTERS),
    "even": Committee(COLUMN, VOTERS[:4]),
    "phenomena": PhenomenonHeads(COLUMN, {"x": VOTERS[0], "y": VOTERS[1]}, VOTERS[2]),
    "weights": WeightedHeads(
        (COLUMN,), tuple(HEADS), np.ones((5, 1)), np.array([[-1], [2], [0.5], [1], [-3]])
    ),
}
every_chooser = pytest.mark.parametrize("name", STRICT)


def both_ways(seed=0):
    """A table with many ties, and the same with good and bad swapped."""
    differences = tied_differences(np.random.default_rng(seed), 60, 5, levels=1)
    return table(differences, NAMES), table(-differences, NAMES)


@every_chooser
def test_swapped_sentences_turn_every_vote(name):
    there, back = (STRICT[name].prefer(which) for which in both_ways())
    np.testing.assert_array_equal(there.credits, 1 - back.credits)
    np.testing.assert_array_equal(there.margins, -back.margins)
    np.testing.assert_array_equal(there.ties, back.ties)
    assert set(there.credits) == ({0, 1, 0.5} if there.ties.any() else {0, 1})
    assert there.credits.mean() == pytest.approx(1 - back.credits.mean())
    np.testing.assert_array_equal(np.sign(there.margins), np.sign(there.credits - 0.5))


@every_chooser
def test_equal_sentences_tie(name):
    found = STRICT[name].prefer(table(np.zeros((60, 5)), NAMES))
    assert found.credits.tolist() == [0.5] * 60
    assert found.ties.all()
    assert not found.margins.any()


@pytest.mark.parametrize(
    ("ties", "rule", "credit"),
    [
        ("half", 1, 0.5),
        ("half", 2, 0.5),
        ("lose", 1, 0),
        ("lose", 2, 0),
        ("second", 1, 0),
        ("second", 2, 1),
    ],
)
def test_what_a_constant_scorer_gets(ties, rule, credit):
    constant = table(np.zeros((9, 5)))
    for voters in ((Voter((0, 1), rule),), tuple(Voter(head, rule) for head in HEADS)):
        found = Committee(COLUMN, voters, ties).prefer(constant)
        assert found.credits.tolist() == [credit] * 9
        assert found.ties.all()
    by_phenomenon = PhenomenonHeads(COLUMN, {}, Voter((0, 0), rule), ties).prefer(constant)
    assert by_phenomenon.credits.tolist() == [credit] * 9


def test_credits_by_rule_and_sign():
    differences = np.array([-0.5, 0.5, -3])
    for ties in ("half", "lose", "second"):
        assert credits_of(differences, 1, ties).tolist() == [1, 0, 1]
        assert credits_of(differences, 2, ties).tolist() == [0, 1, 0]


def test_equal_numbers_of_votes_count_one_half():
    committee = Committee(COLUMN, tuple(Voter(head) for head in HEADS[:4]))
    found = committee.prefer(table([[-1, -1, 1, 1, 0], [-1, -1, -1, 1, 0], [1, 1, 0, -1, 0]]))
    assert found.credits.tolist() == [0.5, 1, 0]
    assert found.margins.tolist() == [0, 0.5, -0.25]
    assert found.ties.tolist() == [True, False, False]


def test_each_phenomenon_asks_its_own_head():
    signs = np.array([[-1, 1, 1, 0, 0], [-1, 1, 1, 0, 0], [-1, 1, 1, 0, 0], [-1, 1, -1, 0, 0]])
    made = table(signs, ["p", "q", "r", "s"], ["x", "y", "new", "newer"])
    chooser = PhenomenonHeads(COLUMN, {"x": Voter((0, 0)), "y": Voter((0, 1), 2)}, Voter((0, 2)))
    assert chooser.prefer(made).credits.tolist() == [1, 1, 0, 1]
    assert chooser.heads() == [(0, 0), (0, 1), (0, 2)]


@every_chooser
def test_choosers_come_back_from_json(name):
    chooser = STRICT[name]
    again = type(chooser).of(Facts.parse(json.dumps(chooser.facts()).encode()))
    made = both_ways()[0]
    np.testing.assert_array_equal(again.prefer(made).margins, chooser.prefer(made).margins)
    assert again.heads() == chooser.heads()
    assert again.facts() == chooser.facts()


def test_what_was_not_read_is_not_judged():
    made = both_ways()[0]
    with pytest.raises(ts.InputError, match=r"not read for head L7\.H1"):
        Committee(COLUMN, (Voter((7, 1)),)).prefer(made)
    with pytest.raises(ts.InputError, match=r"not read for 'rtd\.upper\.align', but for h0m"):
        Committee("rtd.upper.align", VOTERS).prefer(made)
    with pytest.raises(ts.InputError, match="rule 3: accepted are 1 and 2"):
        Voter.of(Facts({"layer": 0, "head": 0, "rule": 3}))
    with pytest.raises(ts.InputError, match=r"scale is .* needed is an array of numbers, \(5, 2\)"):
        WeightedHeads.of(Facts({**STRICT["weights"].facts(), "columns": ["a", "b"]}))


def learnable(count=150, heads=6, columns=2, seed=0):
    """Differences of many sizes, some of which tell the good sentence, and weights of the pairs."""
    rng = np.random.default_rng(seed)
    values = rng.standard_normal((count, heads, columns)) * 10.0 ** rng.integers(-3, 2, (heads, columns))
    values[:, :2] += 0.4 * values[:, :2].std(0)
    return values.astype(np.float32), rng.random(count) + 0.5


@pytest.mark.parametrize("strength", [1e-3, 1e-1])
def test_weighted_heads_are_scikit_learns_on_both_directions(strength):
    values, importance = learnable()
    names = [(0, k) for k in range(6)]
    found, _ = fit_weights(values, np.arange(150) % 5, importance, ("a", "b"), names, [strength])
    flat = scaled(values, usual_size(values, importance)).reshape(150, -1)
    model = LogisticRegression(C=strength, fit_intercept=False, tol=1e-8, max_iter=5000)
    model.fit(np.vstack([flat, -flat]), np.repeat([1, 0], 150), np.tile(importance / 2, 2))
    np.testing.assert_allclose(found.weights.ravel(), model.coef_[0], atol=2e-3 * np.abs(model.coef_).max())
    assert found.strength == strength


def test_weights_do_not_depend_on_the_size_of_a_column():
    values, importance = learnable()
    names = [(0, k) for k in range(6)]
    larger = values * np.float32(1024)
    folds = np.arange(150) % 5
    (one, a), (other, b) = (fit_weights(v, folds, importance, ("a", "b"), names) for v in (values, larger))
    np.testing.assert_array_equal(one.weights, other.weights)
    assert a == b > 0.6


def test_a_difference_far_out_says_no_more_than_a_large_one():
    chooser = WeightedHeads((COLUMN,), ((0, 0),), np.ones((1, 1)), np.ones((1, 1)))
    found = chooser.prefer(table([[1.0], [CLIP], [1e6], [-1e6]]))
    assert found.margins.tolist() == [1, CLIP, CLIP, -CLIP]


def test_heads_that_never_differ_get_no_weight():
    values, importance = learnable()
    values[:, 3] = 0
    found, _ = fit_weights(values, np.arange(150) % 5, importance, ("a", "b"), [(0, k) for k in range(6)])
    assert not found.weights[3].any()
    assert np.isfinite(found.scale).all()
    assert found.weights[0].any()
