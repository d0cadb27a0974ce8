"""Readings of pairs: the numbers of method.md, signs that turn with the sentences, tokens that stay."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import toposcope as ts
from tests import naive
from tests.cases import A, B, weights
from tests.pairs.made import bucket
from toposcope.features.blocks import SMALL
from toposcope.features.spec import FeatureSpec
from toposcope.pairs.measures import pair_spec
from toposcope.pairs.profile import PROFILES, credits_of, profile_named
from toposcope.pairs.readings import H0, MATCHES, RTD, PairSpec, Reading, joined, matched_maps
from toposcope.topology.graphs import SYMMETRIES

EVERY = tuple(
    Reading(quantity, symmetry, match)
    for quantity in (*H0, *RTD)
    for symmetry in SYMMETRIES
    for match in MATCHES
    if quantity in H0 or match != "whole"
)
WORDS = ("the", "cat", "sleeps", "on", "sofas", ".", ",")
seeds = st.integers(0, 2**32 - 1)


def made_up(rng, n, texts, heads=2):
    maps = np.stack([[weights(rng, n) for _ in range(heads)] for _ in range(texts)])
    return bucket(maps, [rng.choice(WORDS, n).tolist() for _ in range(texts)])


def read(name, a=A, b=B):
    return PairSpec((Reading.parse(name),))(bucket(a[None, None]), bucket(b[None, None])).item()


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("h0m.upper.whole", 0.725 - 0.6875),
        ("h0s.upper.whole", 2.9 - 2.75),
        ("rtd.upper.align", 0.2 - 0.05),
        ("rtd_mean.upper.align", 0.1 - 0.05),
        ("h0m.max.whole", 0.5 - 0.6125),
        ("rtd.max.head", 0.1 - 0.45),
        ("rtd_h0.max.head", 0 - 0.45),
        ("rtd_cycles.max.head", 0.1),
        ("rtd_mean.max.tail", 0.1 - 0.225),
        ("h0m_bars.max.tail", 0.5 - 0.6125),
    ],
)
def test_golden_values(name, expected):
    assert read(name) == pytest.approx(expected, abs=1e-6)


@settings(max_examples=60)
@given(seeds, st.integers(1, 7), st.integers(1, 7))
def test_swapped_sentences_turn_every_sign(seed, n, m):
    rng = np.random.default_rng(seed)
    a, b = made_up(rng, n, 2), made_up(rng, m, 2)
    spec = PairSpec(EVERY, FeatureSpec(SMALL))
    found = spec(a, b)
    assert found.shape == (2, 2, len(spec.columns))
    assert found.dtype == np.float32
    np.testing.assert_array_equal(found, -spec(b, a))


@settings(max_examples=40)
@given(seeds, st.integers(1, 7))
def test_equal_sentences_differ_in_nothing(seed, n):
    a = made_up(np.random.default_rng(seed), n, 2)
    assert not PairSpec(EVERY, FeatureSpec(SMALL))(a, a).any()


@given(seeds, st.integers(2, 7), st.integers(2, 7), st.sampled_from(list(SYMMETRIES)))
def test_rtd_is_its_two_parts_and_one_of_them_is_h0s(seed, n, m, symmetry):
    rng = np.random.default_rng(seed)
    names = ("rtd", "rtd_h0", "rtd_cycles", "h0s")
    spec = PairSpec(tuple(Reading(name, symmetry, "align") for name in names))
    rtd, h0, cycles, h0s = np.moveaxis(spec(made_up(rng, n, 2), made_up(rng, m, 2)), -1, 0)
    np.testing.assert_allclose(rtd, h0 + cycles, atol=1e-5)
    np.testing.assert_allclose(h0, h0s, atol=1e-5)


@given(seeds, st.integers(1, 7), st.integers(1, 7), st.sampled_from(list(SYMMETRIES)))
def test_the_mean_of_bars_leaves_out_those_that_are_zero(seed, n, m, symmetry):
    def slow(maps):
        bars = [x for x in naive.kruskal(naive.distances(maps, symmetry)) if x > 0]
        return np.sum(bars, dtype=np.float64) / max(len(bars), 1)

    rng = np.random.default_rng(seed)
    a, b = weights(rng, n), weights(rng, m)
    assert read(f"h0m_bars.{symmetry}.whole", a, b) == pytest.approx(slow(a) - slow(b), abs=1e-5)


@pytest.mark.parametrize(
    ("match", "left", "right"),
    [
        ("whole", [0, 1, 2, 3, 4], [0, 1, 2]),
        ("head", [0, 1, 2], [0, 1, 2]),
        ("tail", [2, 3, 4], [0, 1, 2]),
        ("align", [0, 2, 4], [0, 1, 2]),
    ],
)
def test_which_tokens_stay(match, left, right):
    rng = np.random.default_rng(0)
    first, second = ["the", "old", "cats", "here", "."], ["the", "cats", "."]
    a, b = bucket([[weights(rng, 5)]], [first]), bucket([[weights(rng, 3)]], [second])
    ((rows, x, y),) = matched_maps(a, b, match)
    assert rows.tolist() == [0]
    np.testing.assert_array_equal(x[0, 0], a.array[0, 0][np.ix_(left, left)])
    np.testing.assert_array_equal(y[0, 0], b.array[0, 0][np.ix_(right, right)])


def test_the_published_profile_crops_both_scores_to_the_last_tokens_and_loses_ties():
    """By hand: five tokens against three; head 0 tells them apart, head 1 only by what is cut off."""
    rng = np.random.default_rng(2)
    long, short = rng.random((2, 5, 5), np.float32), rng.random((2, 3, 3), np.float32)
    long[1, 2:, 2:] = short[1]
    spec = pair_spec("h0m+rtd", PROFILES["published"], False)
    h0m, rtd = spec(bucket(long[None]), bucket(short[None]))[0].T
    x, y = long[0, 2:, 2:], short[0]

    def slow_h0m(weights):
        return np.mean(naive.kruskal(naive.distances(weights, "upper")))

    def slow_rtd(a, b):
        bars = naive.reduction_bars(naive.doubled(naive.distances(a, "upper"), naive.distances(b, "upper")))
        return sum(death - birth for birth, death in bars)

    assert h0m[0] == pytest.approx(slow_h0m(x) - slow_h0m(y), abs=1e-5)
    assert rtd[0] == pytest.approx(slow_rtd(x, y) - slow_rtd(y, x), abs=1e-5)
    assert rtd[0] != 0 != h0m[0]
    assert (h0m[1], rtd[1]) == (0, 0)
    ties = PROFILES["published"].ties
    assert [credits_of(np.array([-1, 0, 1]), rule, ties).tolist() for rule in (1, 2)] == [
        [1, 0, 0],
        [0, 0, 1],
    ]


def test_pairs_of_a_bucket_are_aligned_one_by_one():
    """Three pairs of the same lengths that keep one token, two, and again one, each as if alone."""
    rng = np.random.default_rng(1)
    firsts = [["a", "b", "b", "x"], ["a", "x", "b", "c"], ["c", "a", "b", "a"]]
    seconds = [["x", "a", "c"], ["a", "b", "c"], ["b", "c", "c"]]
    maps = [rng.random((3, 2, n, n), np.float32) for n in (4, 3)]
    spec = PairSpec((Reading("rtd", "max", "align"), Reading("h0m", "max", "align")))
    together = spec(bucket(maps[0], firsts), bucket(maps[1], seconds))
    sizes = [
        len(rows) for rows, *_ in matched_maps(bucket(maps[0], firsts), bucket(maps[1], seconds), "align")
    ]
    assert len(sizes) > 1
    for k in range(3):
        one = slice(k, k + 1)
        alone = spec(bucket(maps[0][one], firsts[one]), bucket(maps[1][one], seconds[one]))
        np.testing.assert_array_equal(together[one], alone)


@pytest.mark.parametrize(
    "name", ["h0m", "h0m.upper", "h1.upper.whole", "h0m.both.whole", "h0m.upper.middle", "rtd.upper.whole"]
)
def test_what_is_no_reading(name):
    with pytest.raises(ts.InputError, match=f"reading '{name}': accepted"):
        Reading.parse(name)


def test_a_name_says_it_all():
    assert [Reading.parse(reading.name) for reading in EVERY] == list(EVERY)


def test_joined_specs_read_what_any_of_them_reads():
    h0m, rtd = Reading("h0m"), Reading("rtd", "max", "align")
    specs = [
        PairSpec((h0m,), FeatureSpec(("pattern",))),
        PairSpec((rtd, h0m), FeatureSpec(("h0m", "pattern"))),
        PairSpec(),
    ]
    together = joined(specs)
    assert together == PairSpec((h0m, rtd), FeatureSpec(("pattern", "h0m")))
    rng = np.random.default_rng(2)
    a, b = made_up(rng, 5, 3), made_up(rng, 4, 3)
    found = dict(zip(together.columns, np.moveaxis(together(a, b), -1, 0), strict=True))
    for spec in specs[:2]:
        for name, values in zip(spec.columns, np.moveaxis(spec(a, b), -1, 0), strict=True):
            np.testing.assert_array_equal(found[name], values)


def test_features_with_different_options_are_not_joined():
    one, other = (PairSpec((), FeatureSpec(SMALL, normalisation=way)) for way in ("root", "sum"))
    with pytest.raises(ts.InputError, match="one by one"):
        joined([one, other])


@pytest.mark.parametrize(
    ("profile", "causal", "h0m", "rtd", "ties"),
    [
        ("strict", False, "h0m.upper.whole", "rtd.upper.align", "half"),
        ("strict", True, "h0m.max.whole", "rtd.max.align", "half"),
        ("paper", False, "h0m.upper.whole", "rtd.upper.head", "lose"),
        ("paper", True, "h0m.upper.whole", "rtd.upper.head", "lose"),
        ("published", False, "h0m.upper.tail", "rtd.upper.tail", "lose"),
        ("notebook", False, "h0m_bars.upper.tail", "rtd_mean.upper.tail", "second"),
    ],
)
def test_profiles_as_method_md_has_them(profile, causal, h0m, rtd, ties):
    assert pair_spec("h0m+rtd", PROFILES[profile], causal).columns == (h0m, rtd)
    assert PROFILES[profile].ties == ties


def test_names_of_measures():
    strict = PROFILES["strict"]
    assert len(pair_spec("topology", strict, False).columns) == 19
    assert len(pair_spec("tda + rtd", strict, False).columns) == 57 + 1
    assert pair_spec("h0m.max.tail+h0m", strict, False).columns == ("h0m.max.tail", "h0m.upper.whole")
    with pytest.raises(ts.InputError, match=r"measure 'topologie'.*Did you mean 'topology'"):
        pair_spec("h0m+topologie", strict, False)
    with pytest.raises(
        ts.InputError, match="profile 'lax': accepted are strict, published, paper, notebook"
    ):
        profile_named("lax")
