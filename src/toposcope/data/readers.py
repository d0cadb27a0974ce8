"""Readers of sentences: CoLA, ItaCoLA and DaLAJ as they are published, and any table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from toposcope.data.rejects import Reject, Rejects, why_not
from toposcope.data.rows import Row, column_name, numbered_lines, open_rows
from toposcope.data.sentences import ALONE, Sentences
from toposcope.data.words import has_words
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


class _Found(NamedTuple):
    """What stands somewhere, not checked yet; ``pair`` is the number of the row of both its versions."""

    place: str
    text: Any
    label: Any
    id: Any = None
    pair: int = ALONE


def read_sentences(
    path: str | Path, split: str | None = None, columns: Columns | None = None, *, strict: bool = False
) -> Sentences:
    """Labelled sentences of a file; those that cannot be used are its ``rejects``.

    Parameters
    ----------
    path : .tsv, .csv, .jsonl or .parquet
        CoLA (four columns without a header), ItaCoLA and DaLAJ are known by their columns.
    split : str
        Only rows with this value in the column of splits, e.g. "train".
    columns : Columns
        Names of the columns where they are not ``sentence`` or ``text``, ``label`` or ``acceptable``,
        ``split``.
    strict : bool
        The first sentence that cannot be used is an InputError.
    """
    path, rejects = Path(path), Rejects(strict)
    file, known = path.name, columns or Columns()
    header, rows = open_rows(path, rejects, "sentence")
    identity = _id_column(header, known, file)
    if identity is not None:
        rows = _with_different_ids(rows, identity, file)
    if split is not None:
        rows = _of_split(rows, column_name(header, known.split, SPLIT_NAMES, "splits", file), split, file)
    is_dalaj = columns is None and set(header) >= DALAJ_COLUMNS
    everything = _dalaj(rows) if is_dalaj else _table(rows, header, known, identity, file)
    kept = [found for found in everything if _is_good(found, rejects, file)]
    if not kept:
        raise rejects.nothing_left(file, "sentence")
    texts = tuple(found.text for found in kept)
    repeated = len(texts) - len(set(texts)) if is_dalaj else 0
    return Sentences(
        texts,
        np.array([_label(found.label) for found in kept], np.int8),
        f"{path.stem}, {split}" if split else path.stem,
        (f"{repeated} sentences stand there more than once.",) if repeated else (),
        _pairs(kept) if is_dalaj else None,
        None if identity is None else tuple(found.id for found in kept),
        tuple(rejects.found),
    )


def labelled(given: Sentences | str | Path) -> Sentences:
    """Labelled sentences as they are, or those of PATH or PATH:SPLIT."""
    if isinstance(given, Sentences):
        return given
    path, split = path_and_split(str(given))
    return read_sentences(path, split or None)


def path_and_split(given: str) -> tuple[str, str]:
    """PATH:SPLIT in two parts; the second is empty where there is none."""
    path, _, split = given.rpartition(":")
    return (given, "") if Path(given).exists() or not path else (path, split)


@dataclass(frozen=True, eq=False)
class Unlabelled:
    """Sentences without labels, and the rows they stand in if these are wanted.

    A row whose sentence cannot be judged stays where it is, so that rows can be counted; what is no text
    at all is "". ``rejects`` tells of them, and of rows that could not be read.
    """

    texts: list[str]
    rows: list[Mapping[str, Any]]
    rejects: tuple[Reject, ...] = ()


def read_texts(
    path: str | Path, column: str | None = None, *, with_rows: bool = True, strict: bool = False
) -> Unlabelled:
    """Sentences without labels: the lines of a .txt file that are not blank, or a column of a table."""
    path, rejects = Path(path), Rejects(strict)
    texts: list[str] = []
    whole_rows: list[Mapping[str, Any]] = []
    plain = path.suffix in PLAIN
    header, rows = open_rows(path, rejects, "sentence", _lines(path) if plain else None)
    name = column_name(header, column, TEXT_NAMES, "sentences", path.name)
    for row in rows:
        text = row.values.get(name)
        if why := why_not(text):
            rejects.add(path.name, row.place, why, text)
        texts.append(text if isinstance(text, str) and "\0" not in text else "")
        if with_rows:
            whole_rows.append(row.values)
    if not any(map(has_words, texts)):
        raise rejects.nothing_left(path.name, "sentence")
    return Unlabelled(texts, whole_rows, tuple(rejects.found))


def _lines(path: Path) -> Iterator[Row]:
    for number, line in numbered_lines(path):
        yield Row(f"line {number}", {"text": line.strip()})


def _table(
    rows: Iterator[Row], header: Mapping[str, Any], columns: Columns, identity: str | None, file: str
) -> Iterator[_Found]:
    """A table with one sentence a row."""
    text = column_name(header, columns.text, TEXT_NAMES, "sentences", file)
    label = column_name(header, columns.label, LABEL_NAMES, "labels", file)
    for place, values, _ in rows:
        yield _Found(place, values.get(text), values.get(label), identity and values.get(identity))


def _dalaj(rows: Iterator[Row]) -> Iterator[_Found]:
    """A row of DaLAJ is two sentences: the learner's, not acceptable, and the corrected one."""
    for number, (place, values, _) in enumerate(rows):
        yield _Found(place, values.get("original sentence"), 0, None, number)
        yield _Found(place, values.get("corrected sentence"), 1, None, number)


def _is_good(found: _Found, rejects: Rejects, file: str) -> bool:
    why = why_not(found.text)
    if not why and _label(found.label) is None:
        why = f"the label is {found.label!r}; accepted are 1 (acceptable) and 0"
    if why:
        rejects.add(file, found.place, why, found.text)
    return not why


def _label(value: Any) -> int | None:
    return LABELS.get(str(value).strip().lower())


def _pairs(kept: list[_Found]) -> np.ndarray:
    """The pair of each sentence; one whose other version cannot be used is alone."""
    versions = Counter(found.pair for found in kept)
    return np.array([found.pair if versions[found.pair] > 1 else ALONE for found in kept])


def _of_split(rows: Iterator[Row], column: str, split: str, file: str) -> Iterator[Row]:
    known: dict[str, None] = {}
    for row in rows:
        value = row.values.get(column)
        known[repr(value)] = None
        if value == split:
            yield row
    if repr(split) not in known:
        raise InputError(f"{file} has no rows of the split {split!r}: it has {', '.join(sorted(known))}.")


def _id_column(header: Mapping[str, Any], columns: Columns, file: str) -> str | None:
    wanted = columns.id or (ITACOLA_ID if ITACOLA_ID in header else None)
    return None if wanted is None else column_name(header, wanted, (), "ids", file)


def _with_different_ids(rows: Iterator[Row], column: str, file: str) -> Iterator[Row]:
    """The rows; an InputError where an id comes again."""
    seen: dict[str, str] = {}
    for row in rows:
        value = repr(row.values.get(column))
        if value in seen:
            raise InputError(f"{file}: the {column} {value} stands in {seen[value]} and in {row.place}.")
        seen[value] = row.place
        yield row
