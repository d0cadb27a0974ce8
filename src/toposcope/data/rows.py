"""Tables as rows: .tsv, .csv, .jsonl and .parquet, one row after the other.

What is wrong with a file is an error; what is wrong with a row stands in the row, and the next one is read.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from toposcope.data.rejects import Rejects
from toposcope.errors import InputError, told_if_missing

LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n)|[^\r\n]+")  # of Unix, of Windows, of the old Mac
BOM, UTF16 = b"\xef\xbb\xbf", (b"\xff\xfe", b"\xfe\xff")
COLA = ["source", "label", "mark", "sentence"]
BATCH = 1000  # rows of a Parquet file that are in memory at once


class Row(NamedTuple):
    """Where a row stands, its values by column, and, if it could not be read, why."""

    place: str
    values: Mapping[str, Any]
    fault: str = ""


def rows_of(path: Path) -> Iterator[Row]:
    """The rows of a file."""
    if path.suffix not in SUFFIXES:
        need_file(path)
        raise InputError(f"{path.name}: accepted are files that end in {', '.join(SUFFIXES)}.")
    return iter(SUFFIXES[path.suffix](need_file(path)))


def open_rows(
    path: Path, rejects: Rejects, what: str, rows: Iterator[Row] | None = None
) -> tuple[Mapping[str, Any], Iterator[Row]]:
    """The first row of a file, which tells its columns, and all that can be read."""

    def readable() -> Iterator[Row]:
        for row in rows_of(path) if rows is None else rows:
            if row.fault:
                rejects.add(path.name, row.place, row.fault)
            else:
                yield row

    those = readable()
    first = next(those, None)
    if first is None:
        raise rejects.nothing_left(path.name, what)
    return first.values, chain([first], those)


def need_file(path: Path) -> Path:
    """The path, or an InputError if there is no such file."""
    try:
        if path.is_dir():
            raise InputError(f"{path} is a folder: give a file, such as one in it.")
        if path.exists():
            return path
    except OSError as error:
        raise InputError(f"{path} is no name of a file: {error.strerror}.") from None
    raise InputError(f"there is no file {path}.")


def _tsv(path: Path) -> Iterator[Row]:
    """Tab-separated, quotes are text. Without a header it is CoLA: source, label, mark, sentence."""
    lines = numbered_lines(path)
    first = next(lines, None)
    if first is None:
        return
    header = first[1].split("\t")
    if len(header) == len(COLA) and header[1] in ("0", "1"):
        header, lines = COLA, chain([first], lines)
    _check_header(header, path.name)
    for number, line in lines:
        yield _row(number, header, line.split("\t"))


def _csv(path: Path) -> Iterator[Row]:
    """Comma-separated; a text in quotes may hold commas, line ends, and quotes written twice."""
    reader = csv.reader(_ended_lines(path), strict=True)
    begun = 1  # line in which a row begins
    try:
        header = next(reader, [])
        _check_header(header, path.name)
        begun = reader.line_num + 1
        for cells in reader:
            if cells:
                yield _row(begun, header, cells)
            begun = reader.line_num + 1
    except csv.Error as error:
        raise InputError(
            f"{path.name}, the row that begins in line {begun}: {error}. Is a quote left open? Within "
            "quotes a quote is written twice."
        ) from None


def _row(number: int, header: Sequence[str], cells: Sequence[str]) -> Row:
    place, expected = f"line {number}", len(header)
    if len(cells) != expected:
        return Row(place, {}, f"it has {len(cells)} columns where {expected} are expected")
    return Row(place, dict(zip(header, cells, strict=True)))


def _check_header(names: Sequence[str], file: str) -> None:
    """The names of columns must each be there once."""
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError(f"{file} has the column {twice!r} more than once.")


def _jsonl(path: Path) -> Iterator[Row]:
    for number, line in numbered_lines(path):
        values, fault = {}, ""
        try:
            values = json.loads(line)
            if "\\u" in line:
                json.dumps(values, ensure_ascii=False).encode()
            fault = "" if isinstance(values, dict) else "it is no JSON object"
        except UnicodeEncodeError:
            fault = "it holds half of a character (a lone surrogate)"
        except (ValueError, RecursionError) as error:
            fault = f"it is not JSON: {error}"
        yield Row(f"line {number}", {} if fault else values, fault)


def _parquet(path: Path) -> Iterator[Row]:
    file = _parquet_file(path)
    import pyarrow as pa

    _check_header(file.schema_arrow.names, path.name)
    number = 0
    try:
        for batch in file.iter_batches(BATCH):
            for values in batch.to_pylist():
                number += 1
                yield Row(f"row {number}", values)
    except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
        raise InputError(f"{path.name} has a column that cannot be read: {error}") from None


def arrow_of(path: Path) -> Any:
    """A .parquet file that ``rows_of`` could read, as a table of Arrow, which keeps its types."""
    return _parquet_file(path).read()


def _parquet_file(path: Path) -> Any:
    """A .parquet file, opened."""
    with told_if_missing():
        import pyarrow as pa
        import pyarrow.parquet as pq
    try:
        return pq.ParquetFile(path)
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:  # of names that are no text
        raise InputError(f"{path.name} is no Parquet file: {error}") from None


def numbered_lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a text file that are not blank, with their numbers and without their ends."""
    for number, line in enumerate(_ended_lines(path), start=1):
        if line.strip():
            yield number, line.rstrip("\r\n")


def _ended_lines(path: Path) -> Iterator[str]:
    """The lines of a text file with their ends."""
    before, number = 0, 1  # bytes before this piece, and the line in which it begins
    try:
        with need_file(path).open("rb") as stream:
            for piece in stream:
                lines = LINE.findall(_decoded(piece, path.name, before, number))
                yield from lines
                before, number = before + len(piece), number + len(lines)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from None


def _decoded(piece: bytes, file: str, before: int, number: int) -> str:
    """Some bytes of a file as text."""
    if before == 0 and piece.startswith(UTF16):
        raise InputError(
            f"{file} is not UTF-8 but UTF-16: convert it first, e.g. with iconv -f utf-16 -t utf-8."
        )
    mark = len(BOM) if before == 0 and piece.startswith(BOM) else 0
    try:
        return piece[mark:].decode()
    except UnicodeDecodeError as error:
        good = piece[mark : mark + error.start].decode()
        line = number + len(LINE.findall(f"{good}.")) - 1
        place = before + mark + error.start
        raise InputError(
            f"{file} is not UTF-8: byte {piece[mark + error.start]:#04x} at {place}, line {line}. "
            "Convert it first, e.g. with iconv -f latin1 -t utf-8."
        ) from None


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


SUFFIXES: dict[str, Callable[[Path], Iterable[Row]]] = {
    ".tsv": _tsv, ".csv": _csv, ".jsonl": _jsonl, ".parquet": _parquet,
}  # fmt: skip
