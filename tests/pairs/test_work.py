"""Readings that are kept in a folder: broken off they go on; they are those of their model and pairs."""

import numpy as np
import pytest

import toposcope as ts
from tests.experiments.toys import BrokenOff, broken_off_at, pairs_of
from tests.models import tiny
from toposcope.models.scope import Scope
from toposcope.pairs.measures import pair_spec
from toposcope.pairs.profile import profile_named
from toposcope.pairs.score import score_benchmark
from toposcope.pairs.select import select_heads
from toposcope.pairs.table import read_and_keep, read_heads

SPEC = pair_spec("topology+h0m", profile_named("strict"), causal=False)
PAIRS = pairs_of(2)


@pytest.fixture(scope="module")
def scope():
    return Scope(tiny.build(tiny.ENCODERS["bert"]), tiny.wordpieces(), name="tiny")


def test_readings_broken_off_go_on(tmp_path, scope):
    told, tell = broken_off_at("pairs 001")
    with pytest.raises(BrokenOff):
        read_and_keep(scope, PAIRS, SPEC, work=tmp_path, tell=tell, cut=10)
    rest = []
    found = read_and_keep(scope, PAIRS, SPEC, work=tmp_path, tell=rest.append, cut=10)
    assert [message.partition("part ")[2] for message in told + rest[1:]] == ["1 of 3", "2 of 3", "3 of 3"]
    once = read_heads(scope, PAIRS, SPEC)
    np.testing.assert_allclose(found.values, once.values, atol=1e-5)
    assert (found.heads, found.columns, found.about) == (once.heads, once.columns, once.about)
    assert found.pairs is PAIRS


def test_other_heads_pairs_and_readings_are_refused(tmp_path, scope):
    read_and_keep(scope, PAIRS, SPEC, [(0, 1), (2, 3)], work=tmp_path)
    with pytest.raises(ts.InputError, match=r'differs in heads \(\["L0.H1","L2.H3"\] there, nothing now\)'):
        read_and_keep(scope, PAIRS, SPEC, work=tmp_path)
    other = pair_spec("h0m", profile_named("strict"), causal=False)
    with pytest.raises(ts.InputError, match=r"differs in columns .* features .*; pairs \("):
        read_and_keep(scope, PAIRS.take(range(5)), other, [(0, 1), (2, 3)], work=tmp_path)


def test_choosing_and_scoring_keep_what_they_read(tmp_path, scope):
    told = []
    chosen = select_heads(PAIRS, "top", model=scope, validate=False, work=tmp_path / "a", tell=told.append)
    again = select_heads(PAIRS, "top", model=scope, validate=False, work=tmp_path / "a", tell=pytest.fail)
    assert chosen.chooser.facts() == again.chooser.facts()
    asked = pairs_of(1, "a")
    first = score_benchmark(asked, scope, heads=[chosen], work=tmp_path / "b", tell=told.append)
    then = score_benchmark(asked, scope, heads=[chosen], work=tmp_path / "b", tell=pytest.fail)
    assert first.facts() == then.facts() == score_benchmark(asked, scope, heads=[chosen]).facts()
    assert len(told) == 2
