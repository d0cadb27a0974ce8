"""Readers of labelled sentences: CoLA, ItaCoLA and DaLAJ as they are published, and any table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from toposcope.data.sentences import Sentences
from toposcope.data.tables import NUL, column_name, lines_of, read_rows
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
    header, pairs, ids = set(rows[0]), None, None
    if header >= DALAJ_COLUMNS and columns is None:
        texts, labels, notes = _dalaj(rows, split, path.name)
        pairs = np.arange(len(texts)) // 2
    else:
        texts, labels, ids = _table(rows, split, columns or Columns(), path.name)
        notes = []
    name = f"{path.stem}, {split}" if split else path.stem
    return Sentences(tuple(texts), np.array(labels, np.int8), name, tuple(notes), pairs, ids)


def read_plain(path: str | Path, column: str | None = None) -> list[str]:
    """Sentences without labels: the lines of a .txt file, or a column of a table."""
    return read_texts(path, column)[0]


def read_texts(path: str | Path, column: str | None = None) -> tuple[list[str], list[Mapping[str, Any]]]:
    """Sentences without labels and the rows they stand in; a line of a .txt file is a row ``text``.

    Empty lines are left out. Every row gives a text, "" if its cell is empty, so that rows can be counted.
    """
    path = Path(path)
    if path.suffix in PLAIN:
        texts = [line.strip() for line in lines_of(path) if line.strip()]
        if not texts:
            raise InputError(f"{path.name} holds no sentence: needed is one a line.")
        return texts, [{"text": text} for text in texts]
    rows = read_rows(path)
    if not rows:
        raise InputError(f"{path.name} holds no rows.")
    name = column_name(rows[0], column, TEXT_NAMES, "sentences", path.name)
    return [_any_text(row.get(name), number, path.name) for number, row in enumerate(rows, start=1)], rows


def _table(
    rows: list[Mapping[str, Any]], split: str | None, columns: Columns, file: str
) -> tuple[list[str], list[int], tuple[Any, ...] | None]:
    """Texts, labels and, where they are known, ids of a table with one sentence a row."""
    text = column_name(rows[0], columns.text, TEXT_NAMES, "sentences", file)
    label = column_name(rows[0], columns.label, LABEL_NAMES, "labels", file)
    identity = columns.id or (ITACOLA_ID if ITACOLA_ID in rows[0] else None)
    if identity is not None:
        identity = column_name(rows[0], identity, (), "ids", file)
        _unique([row.get(identity) for row in rows], identity, file)
    numbered = list(enumerate(rows, start=1))
    if split is not None:
        where = column_name(rows[0], columns.split, SPLIT_NAMES, "splits", file)
        numbered = _of_split(numbered, where, split, file)
    texts = [_text(row.get(text), number, file) for number, row in numbered]
    labels = [_label(row.get(label), number, file) for number, row in numbered]
    return texts, labels, None if identity is None else tuple(row.get(identity) for _, row in numbered)


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
    if NUL in value:
        raise InputError(f"{file}, row {number}: the sentence holds a NUL, which no text has. Take it out.")
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
    seen: dict[str, int] = {}
    for number, value in enumerate(map(repr, values), start=1):
        if value in seen:
            raise InputError(f"{file}: the {column} {value} stands in rows {seen[value]} and {number}.")
        seen[value] = number
