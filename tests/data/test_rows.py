"""Files as rows: their formats and line ends, and what is no file at all."""

from pathlib import Path

import pytest

import toposcope as ts
from tests.data.files import COLA, read_plain, write
from toposcope.data.readers import read_sentences
from toposcope.data.rows import rows_of


@pytest.mark.parametrize("suffix", ["", ".txt", ".tsv", ".csv", ".jsonl", ".parquet", ".other"])
def test_what_is_no_file(tmp_path, suffix):
    folder = tmp_path / f"folder{suffix}"
    folder.mkdir()
    for path, message in (
        (folder, f"folder{suffix} is a folder: give a file"),
        (tmp_path / f"nowhere{suffix}", "there is no file"),
        (tmp_path / ("long" * 99 + suffix), "is no name of a file: File name too long"),
    ):
        with pytest.raises(ts.InputError, match=message):
            read_plain(path)


def test_a_file_that_cannot_be_read(tmp_path, monkeypatch):
    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    path = write(tmp_path, "a.tsv", COLA)
    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(ts.InputError, match=r"a\.tsv cannot be read: Permission denied\."):
        read_sentences(path)


def test_columns_of_parquet_that_cannot_be_read(tmp_path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = tmp_path / "a.parquet"
    pq.write_table(pa.table([pa.array(["x"]), pa.array(["y"])], ["text", "text"]), path)
    with pytest.raises(ts.InputError, match="has the column 'text' more than once"):
        read_plain(path)
    far = pa.array([2**62], pa.timestamp("ms"))  # no date of Python's
    pq.write_table(pa.table({"text": ["x"], "when": far}), path)
    with pytest.raises(ts.InputError, match=r"a\.parquet has a column that cannot be read"):
        read_plain(path)


def test_lines_of_a_text_file(tmp_path):
    content = '\ufeffIt rains.\r\n\n  He said "no",\tand left. \nA\u2028b.\n'
    expected = ["It rains.", 'He said "no",\tand left.', "A\u2028b."]
    assert read_plain(write(tmp_path, "a.txt", content)) == expected
    assert read_plain(write(tmp_path, "a", content)) == expected
    assert read_plain(write(tmp_path, "old.txt", "It rains.\r\rHe left.\r")) == ["It rains.", "He left."]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_may_end_in_any_way(tmp_path, end):
    expected = ["It rains.", "He left."]
    for name, lines in (
        ("a.tsv", ["id\ttext", "1\tIt rains.", "2\tHe left."]),
        ("a.csv", ["id,text", "1,It rains.", '2,"He left."']),
        ("a.jsonl", ['{"text": "It rains."}', '{"text": "He left."}']),
        ("a.txt", expected),
    ):
        for last in ("", end):
            assert read_plain(write(tmp_path, name, end.join(lines) + last)) == expected, name


def test_line_ends_within_quotes_stay(tmp_path):
    for end in ("\r\n", "\r", "\n"):
        assert read_plain(write(tmp_path, "a.csv", f'text{end}"It{end}rains."{end}')) == [f"It{end}rains."]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.tsv", b"text\tlabel\nx\t1\n\xe9\t0\n"),
        ("a.csv", b'text,label\n"x\n",1\n\xe9,0\n'),
        ("a.jsonl", b'{"text": "x"}\n\xe9\n'),
    ],
)
def test_rows_are_read_one_after_the_other(tmp_path, name, content):
    rows = rows_of(write(tmp_path, name, content))
    assert next(rows).values["text"].strip() == "x"
    with pytest.raises(ts.InputError, match="is not UTF-8: byte 0xe9"):
        next(rows)


def test_parquet_is_read_in_batches(tmp_path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.table({"text": [f"It is {k}." for k in range(2500)]}), tmp_path / "a.parquet")
    rows = rows_of(tmp_path / "a.parquet")
    assert [next(rows).place for _ in range(2500)][::1200] == ["row 1", "row 1201", "row 2401"]
    assert read_plain(tmp_path / "a.parquet")[-1] == "It is 2499."
