"""Rows into files: exact in JSON lines and Parquet, harmless in spreadsheets."""

import csv
import json
from datetime import datetime
from decimal import Decimal

import pytest

import toposcope as ts
from tests.cli.verbs import SUFFIXES, read_rows
from toposcope.data.writers import arrow_table, cell, write_rows

FORMULAS = ["=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "  =1", "-", "+49 30 1"]
HARMLESS = ["-5", "+3.5", "-1,000.5", "-.5e-3", " -7 ", "+12 %", "a=b", "(-)", "'=1", ""]


def test_what_a_spreadsheet_would_run_gets_an_apostrophe():
    assert [cell(text) for text in FORMULAS] == [f"'{text}" for text in FORMULAS]
    assert [cell(text) for text in HARMLESS] == HARMLESS
    values = (-5, -0.5, Decimal("-1.5"), True, None, ["=1"], {"a": "ü"})
    assert [*map(cell, values)] == ["-5", "-0.5", "-1.5", "True", "", '["=1"]', '{"a": "ü"}']


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
