"""The table that features end in: columns by name, rows, and one format that others can open."""

import json

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import toposcope as ts
from toposcope.features.column import Column, all_columns
from toposcope.features.spec import FeatureSpec
from toposcope.features.table import Table
from toposcope.topology.head import all_heads

SPEC = FeatureSpec(("h0m", "pattern"))
TEXTS = ("It rains.", "Es regnet.", "Piove.", "Det regnar.")


@pytest.fixture
def table():
    values = np.arange(4 * 2 * 3 * 7, dtype=np.float32).reshape(4, 2, 3, 7)
    return Table.from_measure(values, SPEC, {"model": "tiny"}, {"id": [5, 6, 7, 8], "text": TEXTS})


def test_columns_by_name(table):
    assert len(table) == 4
    np.testing.assert_array_equal(table["h0m.L0.H0"], [0, 42, 84, 126])
    np.testing.assert_array_equal(table["pattern_self.L1.H2"], table.values[:, 36])
    with pytest.raises(ts.InputError, match=r"no column 'h0m.L9.H9'"):
        table["h0m.L9.H9"]


@pytest.mark.parametrize(
    ("choice", "count"),
    [
        ({"feature": "h0m"}, 6),
        ({"block": "pattern"}, 36),
        ({"layer": 1}, 21),
        ({"head": [0, 2], "block": "h0m"}, 4),
        ({"feature": ["h0m", "pattern_dot"], "layer": 0, "head": 1}, 2),
    ],
)
def test_selection(table, choice, count):
    chosen = table.select(**choice)
    assert len(chosen.columns) == count
    for name in chosen.names:
        np.testing.assert_array_equal(chosen[name], table[name])


def test_a_selection_of_nothing_is_refused(table):
    with pytest.raises(ts.InputError, match=r"no column has block='spectral', layer=1: there are 42, such"):
        table.select(block="spectral", layer=1)
    with pytest.raises(ts.InputError, match="does not know its blocks"):
        Table(table.values, table.columns).select(block="h0m")


def test_rows_keep_what_they_carry(table):
    some = table.rows(np.array([False, True, False, True]))
    assert some.carried["text"].tolist() == ["Es regnet.", "Det regnar."]
    assert some.rows([1]).carried["id"].tolist() == [8]
    np.testing.assert_array_equal(some.values, table.values[[1, 3]])
    assert Table(table.values, table.columns).carried["id"].tolist() == [0, 1, 2, 3]
    with pytest.raises(ts.InputError, match="3 values of 'text' for 4 rows"):
        Table(table.values, table.columns, {}, {"text": TEXTS[:3]})
    with pytest.raises(ts.InputError, match="a column stands there twice"):
        Table(np.zeros((2, 2)), ("a", "a"))


def test_parquet_round_trip(table, tmp_path):
    path = tmp_path / "deep" / "features.parquet"
    table.to_parquet(path)
    again = Table.from_parquet(path)
    same(again, table)
    assert [p.name for p in path.parent.iterdir()] == ["features.parquet"]
    assert list(table.to_pandas().columns) == ["id", "text", *table.names]
    assert pq.read_schema(path).names == ["id", "text", "h0m", "pattern"]


def same(a, b):
    assert (a.columns, a.about, list(a.carried)) == (b.columns, b.about, list(b.carried))
    assert all(a.carried[name].tolist() == b.carried[name].tolist() for name in a.carried)
    assert a.values.dtype == b.values.dtype
    assert a.values.tobytes() == b.values.tobytes()


STATES = [Column(f"cls.L{layer}.{k}") for layer in (11, 12) for k in range(3)]


@pytest.mark.parametrize(
    "columns",
    [
        ("lm",),
        (*all_columns(SPEC.columns, all_heads(2, 2)), *STATES, Column("lm"), Column("length")),
        ("b.L0.H0", "a.L0.H0", "b.L3.H1", "a.L3.H1"),
        ("a.L0.H0", "b.L0.H0", "a.L0.H1", "cls.L2.7"),
        ("lm", "a.L0.H0"),
        ("cls.L1.1", "cls.L1.0", "pooler.0"),
        ("pooler.0", "lm", "pooler.1"),
    ],
)
@pytest.mark.parametrize("rows", [0, 3])
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_any_columns_come_back_in_their_order(columns, rows, dtype):
    values = np.random.default_rng(0).normal(size=(rows, len(columns))).astype(dtype)
    carried = {"hash": np.arange(rows) * 2**40, "note": [None, "", "a\tb"][:rows]}
    made = Table(values, columns, {"spec": SPEC.to_json(), "model": "tiny"}, carried)
    same(Table.from_arrow(made.to_arrow()), made)


def test_a_table_without_columns_comes_back():
    made = Table(np.zeros((2, 0), np.float32), (), {}, {"text": TEXTS[:2]})
    same(Table.from_arrow(made.to_arrow()), made)


def test_parts_of_a_table_are_the_table(table):
    parts = pa.concat_tables([table.rows([0, 1]).to_arrow(), table.rows([2, 3]).to_arrow()])
    same(Table.from_arrow(parts), table)


def test_thousands_of_columns_have_a_small_footer(tmp_path):
    spec = FeatureSpec()
    values = np.zeros((2, 12, 12, len(spec.columns)), np.float32)
    Table.from_measure(values, spec).to_parquet(tmp_path / "t.parquet")
    footer = pq.read_metadata(tmp_path / "t.parquet")
    assert footer.num_columns == 1 + len(spec.blocks)
    assert footer.serialized_size < 16_000


@pytest.fixture
def file(table, tmp_path):
    table.to_parquet(tmp_path / "t.parquet")
    return tmp_path / "t.parquet"


def test_pandas_opens_it(table, file):
    frame = pd.read_parquet(file)
    assert frame["text"].tolist() == list(TEXTS)
    np.testing.assert_array_equal(np.stack(frame["h0m"]), table.select(block="h0m").values)


def test_polars_opens_it(table, file):
    frame = pl.read_parquet(file)
    assert frame["id"].to_list() == [5, 6, 7, 8]
    np.testing.assert_array_equal(frame["pattern"].to_list(), table.select(block="pattern").values)


def test_duckdb_opens_it(table, file):
    rows = duckdb.sql(f"select text, h0m[1] as first from '{file}' where id > 6").fetchall()
    assert rows == list(zip(TEXTS[2:], table["h0m.L0.H0"][2:].tolist(), strict=True))


def test_a_file_that_is_no_table(tmp_path):
    path = tmp_path / "features.parquet"
    path.write_text("nonsense")
    with pytest.raises(ts.InputError, match="cannot be read"):
        Table.from_parquet(path)
    with pytest.raises(ts.InputError, match="for 1 columns"):
        Table(np.zeros((2, 2)), ("a",))


def rewritten(file, change):
    """The file with other facts in its schema."""
    old = pq.read_table(file)
    facts = json.loads(old.schema.metadata[b"toposcope"])
    change(facts)
    pq.write_table(old.replace_schema_metadata({"toposcope": json.dumps(facts)}), file)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda facts: facts.update(format="toposcope table 9"), "its format is 'toposcope table 9'"),
        (lambda facts: facts.pop("format"), "format is missing"),
        (lambda facts: facts["blocks"][0].update(name="shape"), "it has no column 'shape', of which"),
        (lambda facts: facts["blocks"][0].update(name="text"), "'text' holds string: by its schema"),
        (lambda facts: facts["blocks"][0]["features"].append("h0s"), "numbers in every row"),
        (lambda facts: facts["heads"].append("L9"), "cannot be read as a table: .*L9"),
        (lambda facts: facts.update(blocks=None), "blocks is None: needed is a list of objects"),
        (lambda facts: facts.update(about=[1]), r"about is \[1\]: needed is an object"),
    ],
)
def test_a_schema_that_tells_lies_is_refused(file, change, message):
    rewritten(file, change)
    with pytest.raises(ts.InputError, match=message):
        Table.from_parquet(file)


def test_numbers_that_are_none_are_refused(table, tmp_path):
    table.values[2, 3] = np.nan
    table.to_parquet(tmp_path / "t.parquet")
    with pytest.raises(ts.InputError, match=r"no numbers, in the column pattern_previous\.L0\.H0"):
        Table.from_parquet(tmp_path / "t.parquet")


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("toposcope.spec", "written by an older toposcope: make it anew with `Table.to_parquet`"),
        ("toposcope.pairs", "make it anew with `toposcope pairs score -o`"),
        ("pandas", "not one that toposcope wrote"),
    ],
)
def test_files_of_others_are_refused(tmp_path, key, message):
    old = pa.table({"h0m.L0.H0": [0.5]}).replace_schema_metadata({key: "null"})
    pq.write_table(old, tmp_path / "t.parquet")
    with pytest.raises(ts.InputError, match=message):
        Table.from_parquet(tmp_path / "t.parquet")


def test_a_carried_column_cannot_have_the_name_of_a_block(table):
    with pytest.raises(ts.InputError, match="a column 'h0m' is carried"):
        Table(table.values, table.columns, table.about, {"h0m": TEXTS}).to_arrow()
