"""Tables as rows: .tsv, .csv, .jsonl and .parquet. What is wrong in a file is told with its place."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from toposcope.errors import InputError

LINE_ENDS = re.compile(r"\r\n?")  # of Windows and of the old Mac
NUL = "\0"


def read_rows(path: Path) -> list[Mapping[str, Any]]:
    """Rows of a file as mappings from column to value."""
    if path.suffix not in SUFFIXES:
        need_file(path)
        raise InputError(f"{path.name}: accepted are files that end in {', '.join(SUFFIXES)}.")
    return list(SUFFIXES[path.suffix](need_file(path)))


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


def _tsv(path: Path) -> Iterator[Mapping[str, Any]]:
    """Tab-separated, quotes are text. Without a header it is CoLA: source, label, mark, sentence."""
    lines = [line.split("\t") for line in lines_of(path) if line.strip()]
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
    """Comma-separated; a text in quotes may hold commas, line ends, and quotes written twice."""
    reader = csv.reader(io.StringIO(_decoded(path), newline=""), strict=True)
    begun = 1  # line in which a row begins
    try:
        header, number = _header(next(reader, []), path.name), 0
        begun = reader.line_num + 1
        for row in reader:
            if row:
                number += 1
                if len(row) != len(header):
                    raise InputError(
                        f"{path.name}, row {number}: not as many columns as the header has, {len(row)} "
                        f"where {len(header)} are expected."
                    )
                yield dict(zip(header, row, strict=True))
            begun = reader.line_num + 1
    except csv.Error as error:
        raise InputError(
            f"{path.name}, the row that begins in line {begun}: {error}. Is a quote left open? Within "
            "quotes a quote is written twice."
        ) from None


def _header(names: list[str], file: str) -> list[str]:
    """The names of columns, each of which must be there once."""
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError(f"{file} has the column {twice!r} more than once.")
    return names


def _jsonl(path: Path) -> Iterator[Mapping[str, Any]]:
    for number, line in enumerate(lines_of(path), start=1):
        if line.strip():
            try:
                row = json.loads(line)
                if "\\u" in line:
                    json.dumps(row, ensure_ascii=False).encode()
            except UnicodeEncodeError:
                raise InputError(
                    f"{path.name}, line {number} holds half of a character (a lone surrogate): write the "
                    "whole one."
                ) from None
            except (ValueError, RecursionError) as error:
                raise InputError(f"{path.name}, line {number} is not JSON: {error}") from None
            if not isinstance(row, dict):
                raise InputError(f"{path.name}, line {number} is no JSON object.")
            yield row


def _parquet(path: Path) -> Iterator[Mapping[str, Any]]:
    import pyarrow as pa

    table = arrow_of(path)
    _header(table.column_names, path.name)
    try:
        yield from table.to_pylist()
    except (pa.ArrowException, ValueError, OverflowError) as error:
        raise InputError(f"{path.name} has a column that cannot be read: {error}") from None


def arrow_of(path: Path) -> Any:
    """A .parquet file as a table of Arrow, which keeps its types."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return pq.ParquetFile(path).read()
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"{path.name} is no Parquet file: {error}") from None


def lines_of(path: Path) -> list[str]:
    """The lines of a text file, whichever way they end."""
    return LINE_ENDS.sub("\n", _decoded(path)).split("\n")


def _decoded(path: Path) -> str:
    """The text of a file."""
    try:
        content = need_file(path).read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from None
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise InputError(
            f"{path.name} is not UTF-8 but UTF-16: convert it first, e.g. with iconv -f utf-16 -t utf-8."
        )
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        place = error.start + len(content) - len(error.object)  # a byte order mark is not in the object
        before = content[:place].decode("utf-8")
        raise InputError(
            f"{path.name} is not UTF-8: byte {content[place]:#04x} at {place}, line {_line_of(before)}. "
            "Convert it first, e.g. with iconv -f latin1 -t utf-8."
        ) from None
    if NUL in text:
        raise InputError(
            f"{path.name}, line {_line_of(text.partition(NUL)[0])}: a NUL byte, which no text has. Is it a "
            "text file? tr -d '\\000' takes them out."
        )
    return text


def _line_of(before: str) -> int:
    """The line in which a text goes on."""
    return LINE_ENDS.sub("\n", before).count("\n") + 1


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


SUFFIXES: dict[str, Callable[[Path], Iterable[Mapping[str, Any]]]] = {
    ".tsv": _tsv, ".csv": _csv, ".jsonl": _jsonl, ".parquet": _parquet,
}  # fmt: skip
