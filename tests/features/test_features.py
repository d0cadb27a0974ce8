"""Features of the test vectors, and their names."""

import json

import numpy as np
import pytest

import toposcope as ts
from tests import cases, naive
from toposcope.features.blocks import BLOCKS, PAPER, SMALL
from toposcope.features.column import Column, all_columns
from toposcope.features.spec import FeatureSpec
from toposcope.topology.attention import AttentionBucket, Tokens
from toposcope.topology.head import Head, all_heads

A, B = cases.A.astype(np.float32), cases.B.astype(np.float32)
PIECES = ("[CLS]", "it", "rains", ".", "[SEP]")


def tokens_of(pieces):
    n = len(pieces)
    special = np.array([p.startswith("[") for p in pieces])
    ids = tuple(range(n))
    return Tokens(" ".join(pieces), tuple(pieces), ids, np.zeros((n, 2), int), (None,) * n, special)


def bucket_of(maps, pieces=PIECES):
    return AttentionBucket(np.asarray(maps), lambda: [tokens_of(pieces)] * len(maps))


@pytest.mark.parametrize(("name", "head"), [("A", 0), ("B", 1)])
def test_golden_features(name, head):
    spec = FeatureSpec((*PAPER, "shape"))
    values = dict(zip(spec.columns, spec(bucket_of([[A, B]]))[0, head], strict=True))
    expected = cases.GOLDEN[name]
    for tau, counts in expected["threshold"].items():
        found = [values[f"{s}_{tau:g}"] for s in ("scc", "edges", "degree", "cycles", "betti0", "betti1")]
        np.testing.assert_allclose(found, counts, rtol=1e-6, err_msg=str(tau))
    barcode = [values[c] for c in BLOCKS["barcode"].columns(spec)]
    np.testing.assert_allclose(barcode, expected["barcode"], atol=2e-6)
    pattern = [values[c] for c in BLOCKS["pattern"].columns(spec)]
    np.testing.assert_allclose(pattern, expected["pattern"], atol=2e-6)
    assert values["h0m"] == pytest.approx(expected["h0m"])
    assert values["h0m_upper"] == pytest.approx(expected["h0m_upper"])
    assert values["pattern_sep"] == pytest.approx(expected["sep"], abs=2e-6)


def test_the_papers_set_has_57_columns_a_head():
    spec = FeatureSpec()
    assert len(spec.columns) == 57
    columns = all_columns(spec.columns, all_heads(12, 12))
    assert len(set(columns)) == len(columns) == 8208
    assert "h0_sum.L8.H0" in map(str, columns)
    assert len(FeatureSpec(SMALL).columns) == 19


@pytest.mark.parametrize(
    ("name", "column"),
    [
        ("h0_sum.L8.H0", Column("h0_sum", Head(8, 0))),
        ("scc_0.05.L11.H10", Column("scc_0.05", Head(11, 10))),
        ("rtd.upper.align.L0.H1", Column("rtd.upper.align", Head(0, 1))),
        ("cls.L12.5", Column("cls.L12.5")),
        ("L8.H0", Column("L8.H0")),
        ("lm", Column("lm")),
    ],
)
def test_the_name_of_a_column_says_which_head(name, column):
    assert Column.parse(name) == column
    assert str(column) == name


def test_shape_statistics_the_slow_way():
    rng = np.random.default_rng(0)
    maps = rng.dirichlet(np.ones(5), size=(3, 2, 5)).astype(np.float32)
    spec = FeatureSpec(("shape",))
    found = spec(bucket_of(maps))
    for place in np.ndindex(3, 2):
        expected = naive.shape_statistics(maps[place])
        values = dict(zip(spec.columns, found[place], strict=True))
        for name, value in expected.items():
            assert values[name] == pytest.approx(value, abs=1e-5), name


def test_features_of_awkward_maps_are_finite():
    spec = FeatureSpec(tuple(block for block in BLOCKS if block != "sides"))  # these are in shape too
    for n in (1, 2, 5):
        pieces = ("[CLS]", "a", ",", ".", "[SEP]")[:n]
        for maps in (np.eye(n), np.full((n, n), 1 / n), np.tri(n) / np.arange(1, n + 1)[:, None]):
            values = spec(bucket_of(maps[None, None].astype(np.float32), pieces))
            assert np.isfinite(values).all()


def test_a_spec_round_trips_and_names_what_is_wrong():
    spec = FeatureSpec(("h0m", "threshold"), thresholds=(0.1, 0.2), cycle_cap=50, normalisation="sum")
    assert FeatureSpec.from_json(spec.to_json()) == spec
    assert hash(FeatureSpec.from_json(spec.to_json())) == hash(spec)
    assert spec.columns[:3] == ("h0m", "scc_0.1", "scc_0.2")
    with pytest.raises(ts.InputError, match="Did you mean 'thresholds'"):
        FeatureSpec.from_json(json.dumps({"treshholds": [0.1]}))
    for blocks in ((), ("h0m", "h0m"), ("nonsense",)):
        with pytest.raises(ts.InputError, match="accepted are, each once"):
            FeatureSpec(blocks)
    with pytest.raises(ts.InputError, match="not a feature spec"):
        FeatureSpec.from_json("[1]")
    with pytest.raises(ts.InputError, match="shape holds the columns of sides"):
        FeatureSpec(("sides", "h0m", "shape"))
    for thresholds in ((), (0.1, 0.1)):
        with pytest.raises(ts.InputError, match="needed are some, each once"):
            FeatureSpec(thresholds=thresholds)
    with pytest.raises(ts.InputError, match="normalisation='max': accepted are 'root' and 'sum'"):
        FeatureSpec(normalisation="max")


def test_the_sides_are_those_of_shape():
    maps = np.random.default_rng(2).dirichlet(np.ones(5), size=(2, 3, 5)).astype(np.float32)
    sides, shape = (FeatureSpec((block,)) for block in ("sides", "shape"))
    assert sides.columns == shape.columns[:2]
    np.testing.assert_array_equal(sides(bucket_of(maps)), shape(bucket_of(maps))[..., :2])
    assert sides(bucket_of([[A]]))[0, 0, 0] == pytest.approx(cases.GOLDEN["A"]["h0m_upper"])


def test_features_do_not_depend_on_the_company():
    rng = np.random.default_rng(1)
    maps = rng.dirichlet(np.ones(7), size=(3, 2, 7)).astype(np.float32)
    pieces = ("[CLS]", "a", ",", "b", "c", ".", "[SEP]")
    spec = FeatureSpec((*PAPER, "shape"))
    together = spec(bucket_of(maps, pieces))
    alone = np.concatenate([spec(bucket_of(maps[k : k + 1], pieces)) for k in range(3)])
    np.testing.assert_array_equal(together, alone)
