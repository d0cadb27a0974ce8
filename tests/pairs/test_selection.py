"""Selections: written down, read back, found by name, never reported on what they have seen."""

import json
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import toposcope as ts
from tests.pairs.made import NAMES, readings
from toposcope.features.spec import FeatureSpec
from toposcope.pairs.measures import pair_spec
from toposcope.pairs.profile import PROFILES
from toposcope.pairs.score import score_pairs, selections_named
from toposcope.pairs.select import METHODS
from toposcope.pairs.selection import Selection
from toposcope.pairs.table import PairTable, is_pair_table

every_method = pytest.mark.parametrize("method", METHODS)


@every_method
def test_a_file_holds_all_of_a_selection(chosen, tmp_path, method):
    made = chosen[method]
    made.save(tmp_path / "heads.json")
    again = Selection.load(tmp_path / "heads.json")
    there, back = (s.prefer(readings(1)) for s in (made, again))
    for part in ("credits", "margins", "ties"):
        np.testing.assert_array_equal(getattr(there, part), getattr(back, part))
    assert again.spec == made.spec
    np.testing.assert_array_equal(again.seen, made.seen)
    for part in ("method", "measure", "profile", "model", "fingerprint", "name"):
        assert getattr(again, part) == getattr(made, part)
    again.save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "heads.json").read_bytes()


def test_a_file_holds_features_with_their_options(chosen, tmp_path):
    spec = pair_spec("tda+rtd", PROFILES["strict"], False)
    chooser = replace(chosen["top"].chooser, column="rtd.upper.align")
    Selection("top", "tda+rtd", "strict", chooser, spec, "m", "f").save(tmp_path / "a.json")
    again = Selection.load(tmp_path / "a.json").spec
    assert again == spec
    assert isinstance(again.features, FeatureSpec)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: "[1, 2", "is no selection of heads: it is not JSON: Expecting"),
        (lambda text: "[1, 2]", "is no selection of heads"),
        (
            lambda text: text.replace("selection 1", "selection 9"),
            "is no selection of heads: its format is not 'toposcope selection 1'",
        ),
        (
            lambda text: text.replace('"votes"', '"dice"'),
            "heads: chooser.kind is 'dice': accepted are votes",
        ),
        (lambda text: text.replace('"strict"', '"lax"'), "heads: profile 'lax': accepted are"),
        (lambda text: text.replace('"rule": 1', '"rule": 3'), "heads: rule 3: accepted are 1 and 2"),
        (lambda text: text.replace("h0m.upper", "h0m.sideways"), "heads: reading 'h0m.sideways.whole'"),
        (lambda text: text.replace('"column": "h0m', '"column": "h0s'), "which is not read"),
        (lambda text: text.replace('"ties": "half"', '"ties": "all"'), "ties='all': accepted are half"),
        (lambda text: text.replace('"layer": 0', '"layer": -1'), "layer is -1: needed is a whole number"),
        (lambda text: text.replace('"seed": 0', '"seed": NaN'), "it holds NaN, which is no finite number"),
        (lambda text: "[" * 100_000, "it is nested too deeply"),
        (lambda text: text.replace('"seen": "', '"seen": "?'), "is no selection of heads"),
    ],
)
def test_files_that_are_no_selections(chosen, tmp_path, change, message):
    path = tmp_path / "heads.json"
    chosen["top"].save(path)
    path.write_text(change(path.read_text()))
    with pytest.raises(ts.InputError, match=message) as error:
        Selection.load(path)
    assert "InputError" not in str(error.value)  # said once, in words


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("scale", [[0.0]], "scale holds what is no number from 1e-15"),
        ("scale", [[1.0], [1.0]], r"chooser.scale is .* needed is an array of numbers, \(1, 1\)"),
        ("weights", [[1e300]], "chooser.weights holds what is no number"),
        ("weights", [["a"]], "chooser.weights is .* needed is an array"),
        ("weights", None, "chooser.weights is None: needed is an array"),
        ("heads", [[0]], "chooser.heads is .* needed is a list of pairs"),
        ("columns", "h0m", "chooser.columns is 'h0m': needed is a list of texts"),
        ("strength", True, "chooser.strength is True: needed is a number"),
    ],
)
def test_weights_that_are_no_numbers(chosen, tmp_path, name, value, message):
    path = tmp_path / "heads.json"
    one = {
        "columns": ["h0m.upper.whole"],
        "heads": [[0, 0]],
        "scale": [[1.0]],
        "weights": [[0.5]],
        "strength": 1,
    }
    chosen["top"].save(path)
    facts = json.loads(path.read_text())
    for chooser in (one, {**one, name: value}):
        path.write_text(json.dumps({**facts, "chooser": {"kind": "weights", **chooser}}))
        if chooser is one:
            assert Selection.load(path).chooser.strength == 1
    with pytest.raises(ts.InputError, match=message):
        Selection.load(path)


def test_names_that_are_no_selections(tmp_path):
    for name in ("bert-base-cased/nothing", str(tmp_path / "none.json"), "L99"):
        with pytest.raises(
            ts.InputError, match=r"there is no selection .*: accepted are a file, or one of"
        ):
            Selection.load(name)


def test_other_weights_are_refused(chosen):
    other = readings(1, prefix="new ", fingerprint="e" * 64)
    with pytest.raises(ts.ModelError, match="weights ffffffffffff; those of tiny are eeeeeeeeeeee"):
        score_pairs(other, chosen["top"])
    with pytest.raises(ts.ModelError, match="Choose heads for them"):
        chosen["weighted"].prefer(other)


@every_method
def test_pairs_that_were_chosen_on_are_not_reported(chosen, method):
    with pytest.raises(ts.InputError, match="90 of the 90 pairs of made up are among those"):
        score_pairs(readings(), chosen[method])
    new = readings(1, prefix="new ")
    one = PairTable(new.pairs.take([*range(10)]), new.values[:10], new.heads, new.columns, new.about)
    assert score_pairs(one, chosen[method]).accuracy.pairs == 10
    mixed = readings().take([3]).pairs
    old = PairTable(mixed, new.values[:1], new.heads, new.columns, new.about)
    with pytest.raises(ts.InputError, match="1 of the 1 pairs"):
        score_pairs(old, chosen[method])


def test_scores_are_those_of_the_preferences(chosen):
    new = readings(1, prefix="new ")
    scored = score_pairs(new, chosen["phenomenon"])
    credits = scored.preference.credits
    assert scored.accuracy.paradigms["y1"].value == 1
    assert scored.accuracy.overall.value == pytest.approx(
        np.mean([credits[name == NAMES].mean() for name in ("x1", "x2", "y1")])
    )
    assert json.loads(json.dumps(scored.facts()))["selection"]["method"] == "phenomenon"


def test_selections_by_name(chosen, tmp_path):
    made = readings()
    chosen["top"].save(tmp_path / "top.json")
    names = ["all", "L0.H3", str(tmp_path / "top.json")]
    all_heads, one, top = selections_named(names, "h0m", "paper", made.heads, made.about)
    assert (len(all_heads.chooser.voters), all_heads.chooser.ties) == (6, "lose")
    assert [str(v) for v in one.chooser.voters] == ["L0.H3"]
    assert (top.method, top.profile) == ("top", "strict")
    (default,) = selections_named(None, "h0m", "strict", made.heads, made.about)
    assert default.name == "h0m, all"
    for name, message in (("L2.H0", r"its last is L1\.H1"), ("some", "there is no selection 'some'")):
        with pytest.raises(ts.InputError, match=message):
            selections_named([name], "h0m", "strict", made.heads, made.about)
    with pytest.raises(ts.InputError, match="heads vote on one reading"):
        selections_named(["all"], "topology", "strict", made.heads, made.about)
    with pytest.raises(ts.ModelError, match="Choose heads for them"):
        selections_named(names, "h0m", "strict", made.heads, {**made.about, "fingerprint": "e" * 64})


def test_a_table_comes_back_from_parquet(tmp_path):
    made = readings()
    made.to_parquet(tmp_path / "t.parquet", credit=np.ones(90))
    again = PairTable.from_parquet(tmp_path / "t.parquet")
    np.testing.assert_array_equal(again.values, made.values)
    assert (again.heads, again.columns, again.about) == (made.heads, made.columns, made.about)
    assert again.pairs.fingerprint == made.pairs.fingerprint
    assert again.pairs.phenomena.tolist() == made.pairs.phenomena.tolist()
    with pytest.raises(ts.InputError, match=r"expected are \(pairs, heads, columns\) \(90, 5, 2\)"):
        PairTable(made.pairs, made.values, made.heads[:5], made.columns)
    (tmp_path / "bad.parquet").write_text("nothing")
    with pytest.raises(ts.InputError, match="cannot be read as a table: "):
        PairTable.from_parquet(tmp_path / "bad.parquet")


def test_a_table_of_pairs_is_a_table(tmp_path):
    made = readings()
    table = made.table(credit=np.ones(90))
    assert list(table.carried) == ["id", "hash", "good", "bad", "paradigm", "phenomenon", "credit"]
    np.testing.assert_array_equal(table.carried["hash"], made.pairs.hashes)
    np.testing.assert_array_equal(table["h0s.upper.whole.L1.H0"], made.values[:, 4, 1])
    assert not is_pair_table(tmp_path / "none.parquet")
    ts.Table(table.values, table.columns).to_parquet(tmp_path / "t.parquet")
    assert not is_pair_table(tmp_path / "t.parquet")
    with pytest.raises(ts.InputError, match=r"t\.parquet cannot be read as .* pairs: it holds none"):
        PairTable.from_parquet(tmp_path / "t.parquet")
    with pytest.raises(ts.InputError, match="not read for the same of every head"):
        PairTable.from_table(table.take(table.columns[1:]))


def test_older_tables_of_pairs_are_refused(tmp_path):
    old = pa.table({name: ["x"] for name in ("good", "bad", "paradigm", "phenomenon")})
    pq.write_table(old.replace_schema_metadata({"toposcope.pairs": "{}"}), tmp_path / "t.parquet")
    assert is_pair_table(tmp_path / "t.parquet")
    with pytest.raises(ts.InputError, match="an older toposcope: make it anew with `toposcope pairs score"):
        PairTable.from_parquet(tmp_path / "t.parquet")
