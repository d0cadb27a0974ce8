"""Distances to patterns against the definition."""

import numpy as np
import pytest

import toposcope as ts
from tests import cases, naive
from tests.cases import A

NAMES = ("self", "first", "previous", "next", "comma", "dot", "sep")


def template(name, tokens):
    n = len(tokens)
    if name in ("self", "previous", "next"):
        return np.eye(n, k={"self": 0, "previous": -1, "next": 1}[name])
    t = np.zeros((n, n))
    if name == "first":
        t[:, 0] = 1
        return t
    signs = {"comma": {","}, "dot": {"."}, "sep": {"[SEP]", "</s>"}}[name]
    columns = [k for k, token in enumerate(tokens) if token.strip("▁Ġ") in signs]
    if columns:
        t[:, columns] = 1 / len(columns)
    return t


@pytest.mark.parametrize("normalisation", ["root", "sum"])
@pytest.mark.parametrize(
    "tokens",
    [
        ["[CLS]", "well", ",", "yes", ",", "no", ".", "[SEP]"],
        ["<s>", "▁well", "▁,", "▁yes", "▁,", "▁no", "▁.", "</s>"],
        ["Well", "Ġ,", ",", "Ġyes", ".", "Ġno", "Ġ.", "."],
    ],
)
def test_definition(tokens, normalisation):
    rng = np.random.default_rng(0)
    maps = np.stack([cases.softmax(rng, 8), cases.identity(rng, 8), cases.one_hot_rows(rng, 8)])
    found = ts.pattern_distances(maps, tokens, patterns=NAMES, normalisation=normalisation)
    for name in NAMES:
        for g, attention in enumerate(maps):
            t = template(name, tokens)
            expected = naive.pattern_distance(attention, t, normalisation) if t.any() else 1.0
            assert found[name][g] == pytest.approx(expected, abs=1e-9), name


def test_the_pattern_itself_is_at_zero():
    n = 6
    for name, attention in (("self", np.eye(n)), ("first", np.eye(n)[[0] * n])):
        assert ts.pattern_distances(attention, patterns=(name,))[name] == 0


def test_absent_tokens_are_at_exactly_one():
    found = ts.pattern_distances(A.astype(np.float32), list("abcde"), patterns=("comma", "dot", "sep"))
    assert set(found.values()) == {1.0}


def test_one_token_list_a_sentence():
    maps = np.tile(A, (2, 3, 1, 1))
    lists = [list("ab,cd"), list("a.b,c")]
    found = ts.pattern_distances(maps, lists)
    assert found["comma"].shape == (2, 3)
    for s, tokens in enumerate(lists):
        assert (found["comma"][s] == ts.pattern_distances(A, tokens)["comma"]).all()
        assert (found["dot"][s] == ts.pattern_distances(A, tokens)["dot"]).all()


def test_single_token_map():
    found = ts.pattern_distances([[1.0]], ["."], patterns=NAMES)
    assert found["self"] == found["first"] == found["dot"] == 0
    assert found["next"] == found["previous"] == found["comma"] == 1


def test_errors():
    with pytest.raises(ts.InputError, match="pattern 'comma' needs the tokens"):
        ts.pattern_distances(A)
    with pytest.raises(ts.InputError, match="token list 0 has 2 tokens, its maps have 5"):
        ts.pattern_distances(A, ["a", "b"])
    with pytest.raises(ts.InputError, match="2 token lists for maps of leading shape"):
        ts.pattern_distances(np.tile(A, (3, 1, 1)), [list("abcde")] * 2)
    with pytest.raises(ts.InputError, match="normalisation='none'"):
        ts.pattern_distances(A, list("abcde"), normalisation="none")
    with pytest.raises(ts.InputError, match=r"patterns=\['colon'\]"):
        ts.pattern_distances(A, list("abcde"), patterns=("colon",))
