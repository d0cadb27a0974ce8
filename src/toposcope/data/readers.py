"""Readers of labelled sentences: CoLA, ItaCoLA and DaLAJ as they are published, and any table."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from toposcope.data.sentences import Sentences
from toposcope.data.words import NO_WORDS, has_words
from toposcope.errors import InputError

LABELS = {"0": 0, "1": 1, "0.0": 0, "1.0": 1, "false": 0, "true": 1}
TEXT_NAMES = ("sentence", "text")
LABEL_NAMES = ("label", "acceptable", "acceptability")
SPLIT_NAMES = ("split",)
ITACOLA_ID = "UniqueIndexID"
PLAIN = ("", ".txt")  # suffixes of files with one sentence a line
DALAJ_COLUMNS = {"original sentence", "corrected sentence", "split"}


@dataclass(frozen=True)
class Columns:
    """Names of the columns of a table; None takes the usual ones."""

    text: str | None = None
    label: str | None = None
    split: str | None = None
    id: str | None = None


def read_sentences(path: str | Path, split: str | None = None, columns: Columns | None = None) -> Sentences:
    """Labelled sentences of a file.

    Parameters
    ----------
    path : .tsv, .csv, .jsonl or .parquet
        CoLA (four columns without a header), ItaCoLA and DaLAJ are known by their columns.
    split : str
        Only rows with this value in the column of splits, e.g. "train".
    columns : Columns
        Names of the columns where they are not ``sentence`` or ``text``, ``label`` or ``acceptable``,
        ``split``.
    """
    path = Path(path)
    rows = read_rows(path)
    if not rows:
        raise InputError(f"{path.name} holds no rows.")
    header, pairs = set(rows[0]), None
    if header >= DALAJ_COLUMNS and columns is None:
        texts, labels, notes = _dalaj(rows, split, path.name)
        pairs = np.arange(len(texts)) // 2
    else:
        texts, labels, notes = _table(rows, split, columns or Columns(), path.name)
    name = f"{path.stem}, {split}" if split else path.stem
    return Sentences(tuple(texts), np.array(labels, np.int8), name, tuple(notes), pairs)


def read_plain(path: str | Path, column: str | None = None) -> list[str]:
    """Sentences without labels: the lines of a .txt file, or a column of a table.

    Empty lines are left out. Every row gives a text, "" if its cell is empty, so that rows can be counted.
    """
    path = Path(path)
    if path.suffix in PLAIN:
        if not path.is_file():
            raise InputError(f"there is no file {path}.")
        return [line.strip() for line in _decoded(path).split("\n") if line.strip()]
    rows = read_rows(path)
    if not rows:
        raise InputError(f"{path.name} holds no rows.")
    name = column_name(rows[0], column, TEXT_NAMES, "sentences", path.name)
    return [_any_text(row.get(name), number, path.name) for number, row in enumerate(rows, start=1)]


def _table(
    rows: list[Mapping[str, Any]], split: str | None, columns: Columns, file: str
) -> tuple[list[str], list[int], list[str]]:
    """Texts and labels of a table with one sentence a row."""
    text = column_name(rows[0], columns.text, TEXT_NAMES, "sentences", file)
    label = column_name(rows[0], columns.label, LABEL_NAMES, "labels", file)
    identity = columns.id or (ITACOLA_ID if ITACOLA_ID in rows[0] else None)
    if identity is not None:
        column = column_name(rows[0], identity, (), "ids", file)
        _unique([row.get(column) for row in rows], column, file)
    numbered = list(enumerate(rows, start=1))
    if split is not None:
        where = column_name(rows[0], columns.split, SPLIT_NAMES, "splits", file)
        numbered = _of_split(numbered, where, split, file)
    texts = [_text(row.get(text), number, file) for number, row in numbered]
    return texts, [_label(row.get(label), number, file) for number, row in numbered], []


def _dalaj(
    rows: list[Mapping[str, Any]], split: str | None, file: str
) -> tuple[list[str], list[int], list[str]]:
    """A row of DaLAJ is two sentences: the learner's, not acceptable, and the corrected one."""
    numbered = list(enumerate(rows, start=1))
    if split is not None:
        numbered = _of_split(numbered, "split", split, file)
    texts, labels = [], []
    for number, row in numbered:
        texts += [_text(row[f"{kind} sentence"], number, file) for kind in ("original", "corrected")]
        labels += [0, 1]
    repeated = len(texts) - len(set(texts))
    return texts, labels, [f"{repeated} sentences stand there more than once."] if repeated else []


def read_rows(path: Path) -> list[Mapping[str, Any]]:
    """Rows of a file as mappings from column to value."""
    if path.suffix not in SUFFIXES:
        raise InputError(f"{path.name}: accepted are files that end in {', '.join(SUFFIXES)}.")
    if not path.is_file():
        raise InputError(f"there is no file {path}.")
    return list(SUFFIXES[path.suffix](path))


def _tsv(path: Path) -> Iterator[Mapping[str, Any]]:
    """Tab-separated, quotes are text. Without a header it is CoLA: source, label, mark, sentence."""
    lines = [line.split("\t") for line in _decoded(path).split("\n") if line.strip()]
    if not lines:
        return
    first = lines[0]
    if len(first) == 4 and first[1] in ("0", "1"):
        header = ["source", "label", "mark", "sentence"]
    else:
        header, lines = _header(first, path.name), lines[1:]
    for number, line in enumerate(lines, start=1):
        if len(line) != len(header):
            raise InputError(
                f"{path.name}, row {number}: {len(line)} columns where {len(header)} are expected."
            )
        yield dict(zip(header, line, strict=True))


def _csv(path: Path) -> Iterator[Mapping[str, Any]]:
    reader = csv.DictReader(io.StringIO(_decoded(path), newline=""))
    try:
        _header(list(reader.fieldnames or []), path.name)
        for number, row in enumerate(reader, start=1):
            if None in row or None in row.values():
                raise InputError(f"{path.name}, row {number}: not as many columns as the header has.")
            yield row
    except csv.Error as error:
        raise InputError(f"{path.name}, line {reader.line_num}: {error}. Is a quote left open?") from None


def _header(names: list[str], file: str) -> list[str]:
    """The names of columns, each of which must be there once."""
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError(f"{file} has the column {twice!r} more than once.")
    return names


def _jsonl(path: Path) -> Iterator[Mapping[str, Any]]:
    for number, line in enumerate(_decoded(path).split("\n"), start=1):
        if line.strip():
            try:
                row = json.loads(line)
            except ValueError as error:
                raise InputError(f"{path.name}, line {number} is not JSON: {error}") from None
            if not isinstance(row, dict):
                raise InputError(f"{path.name}, line {number} is no JSON object.")
            yield row


def _parquet(path: Path) -> Iterator[Mapping[str, Any]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        yield from pq.read_table(path).to_pylist()
    except pa.ArrowInvalid as error:
        raise InputError(f"{path.name} is no Parquet file: {error}") from None


def _decoded(path: Path) -> str:
    """The text of a file, line ends made plain."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{path.name} is not UTF-8: byte {error.object[error.start]:#04x} at {error.start}. Convert it "
            "first, e.g. with iconv."
        ) from None
    return text.replace("\r\n", "\n")


def column_name(
    row: Mapping[str, Any], asked: str | None, usual: tuple[str, ...], what: str, file: str
) -> str:
    """Name of a column: as asked, else the first of the usual ones, case not counted."""
    if asked is not None:
        if asked not in row:
            raise InputError(f"{file} has no column {asked!r}: it has {', '.join(map(repr, row))}.")
        return asked
    found = next((name for wish in usual for name in row if name.lower() == wish), None)
    if found is None:
        raise InputError(
            f"{file} has no column of {what}: it has {', '.join(map(repr, row))}. Name the column to use."
        )
    return found


def _of_split(
    numbered: list[tuple[int, Mapping[str, Any]]], column: str, split: str, file: str
) -> list[tuple[int, Mapping[str, Any]]]:
    chosen = [(number, row) for number, row in numbered if row.get(column) == split]
    if not chosen:
        known = ", ".join(sorted({repr(row.get(column)) for _, row in numbered}))
        raise InputError(f"{file} has no rows of the split {split!r}: it has {known}.")
    return chosen


def _any_text(value: Any, number: int, file: str) -> str:
    """What stands in a cell of a table without labels, maybe nothing."""
    if value is not None and not isinstance(value, str):
        raise InputError(f"{file}, row {number}: the sentence is {value!r}, not text.")
    return value or ""


def _text(value: Any, number: int, file: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise InputError(f"{file}, row {number}: the sentence is {value!r}.")
    if not has_words(value):
        raise InputError(f"{file}, row {number}: the sentence is {value!r}: {NO_WORDS}. Leave the row out.")
    return value


def _label(value: Any, number: int, file: str) -> int:
    label = LABELS.get(str(value).strip().lower())
    if label is None:
        raise InputError(
            f"{file}, row {number}: the label is {value!r}; accepted are 1 (acceptable) and 0."
        )
    return label


def _unique(values: list[Any], column: str, file: str) -> None:
    seen: dict[Any, int] = {}
    for number, value in enumerate(values, start=1):
        if value in seen:
            raise InputError(f"{file}: the {column} {value!r} stands in rows {seen[value]} and {number}.")
        seen[value] = number


SUFFIXES: dict[str, Callable[[Path], Iterable[Mapping[str, Any]]]] = {
    ".tsv": _tsv, ".csv": _csv, ".jsonl": _jsonl, ".parquet": _parquet,
}  # fmt: skip
