"""Rows into files: exact in JSON lines and Parquet, harmless in spreadsheets."""

import csv
import json
from datetime import datetime
from decimal import Decimal

import pytest

import toposcope as ts
from tests.cli.verbs import SUFFIXES, read_rows
from toposcope.data.writers import arrow_table, cell, write_rows, writer_beside

FORMULAS = ["=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "  =1", "-", "+49 30 1"]
HARMLESS = ["-5", "+3.5", "-1,000.5", "-.5e-3", " -7 ", "+12 %", "a=b", "(-)", "'=1", ""]


def test_what_a_spreadsheet_would_run_gets_an_apostrophe():
    assert [cell(text) for text in FORMULAS] == [f"'{text}" for text in FORMULAS]
    assert [cell(text) for text in HARMLESS] == HARMLESS
    values = (-5, -0.5, Decimal("-1.5"), True, None, ["=1"], {"a": "ü"})
    assert [*map(cell, values)] == ["-5", "-0.5", "-1.5", "True", "", '["=1"]', '{"a": "ü"}']


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_rows_are_written_with_what_is_added(tmp_path, suffix):
    rows = [{"no": 7, "text": "x"}, {"no": 8, "text": "y", "more": "z"}]
    write = writer_beside(tmp_path / f"out{suffix}", rows, ["label"])
    assert not (tmp_path / f"out{suffix}").exists()
    write([{"label": True}, {"label": None}])
    first, second = read_rows(tmp_path / f"out{suffix}")
    assert list(first) == ["no", "text", "more", "label"] or suffix == ".jsonl"
    assert (str(first["no"]), second["more"], str(first["label"])) == ("7", "z", "True")
    assert second["label"] in (None, "")


def test_what_the_file_could_not_hold_is_refused_before_the_work(tmp_path):
    with pytest.raises(
        ts.InputError, match=r"in\.csv has a column 'label', and one of this name is to be added"
    ):
        writer_beside(tmp_path / "out.csv", [{"label": 1}], ["label"], tmp_path / "in.csv")
    with pytest.raises(ts.InputError, match=r"in\.jsonl has a column that Parquet cannot hold"):
        writer_beside(tmp_path / "out.parquet", [{"n": 1}, {"n": "x"}], ["label"], tmp_path / "in.jsonl")


def test_cells_of_csv_and_tsv(tmp_path):
    rows = [{"=id": text, "n": -1} for text in FORMULAS]
    write_rows(rows, tmp_path / "a.csv")
    with (tmp_path / "a.csv").open(encoding="utf-8", newline="") as file:
        assert list(csv.reader(file)) == [["'=id", "n"], *([f"'{text}", "-1"] for text in FORMULAS)]
    write_rows([{"a": "\t=1"}, {"a": "x\r\ny\0"}, {"a": None}], tmp_path / "a.tsv")
    assert (tmp_path / "a.tsv").read_bytes() == b"a\n' =1\nx  y \n\n"


@pytest.mark.parametrize("suffix", [".jsonl", ".parquet"])
def test_json_lines_and_parquet_are_exact(tmp_path, suffix):
    path = tmp_path / f"a{suffix}"
    rows = [{"text": text} for text in [*FORMULAS, *HARMLESS, "a\0b\r\nc\x1b[31m"]]
    write_rows(rows, path)
    assert read_rows(path) == rows


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_rows_of_different_columns(tmp_path, suffix):
    path = tmp_path / f"a{suffix}"
    write_rows([{"b": "1", "z": "v"}, {"a": "2", "b": "3", "z": "v"}], path, ["b", "a", "z"])
    first, second = read_rows(path)
    assert second == {"b": "3", "a": "2", "z": "v"}
    empty = {".jsonl": {}, ".parquet": {"a": None}}.get(suffix, {"a": ""})
    assert first == {"b": "1", **empty, "z": "v"}
    if suffix != ".jsonl":
        assert list(first) == ["b", "a", "z"]


def test_types_that_json_does_not_know(tmp_path):
    write_rows([{"when": datetime(2024, 1, 2), "much": Decimal("1.50")}], tmp_path / "a.jsonl")
    assert json.loads((tmp_path / "a.jsonl").read_text()) == {"when": "2024-01-02 00:00:00", "much": "1.50"}


@pytest.mark.parametrize("rows", [[{"a": 1}, {"a": "x"}], [{"a": {}}], [{"a": 2**70}]])
def test_what_parquet_cannot_hold_is_refused(rows):
    with pytest.raises(
        ts.InputError, match=r"mine\.jsonl has a column that Parquet cannot hold \(.*\.jsonl"
    ):
        arrow_table(rows, "mine.jsonl")
