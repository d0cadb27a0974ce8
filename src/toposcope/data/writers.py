"""Rows into files: .tsv, .csv, .jsonl, .parquet.

JSON lines and Parquet are exact. CSV and TSV are what people open in spreadsheets, which run a cell that
begins with ``=``, ``+``, ``-`` or ``@`` as a formula, even one that starts programs. Such a text gets an
apostrophe before it, as spreadsheets themselves write it; numbers stay, and so do texts that are numbers.
"""

import csv
import io
import json
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from toposcope.data.rows import arrow_of
from toposcope.errors import InputError, told_if_missing
from toposcope.files import whole

Rows = Sequence[Mapping[str, Any]]
NUMBER = re.compile(r"\s*[+-]?(\d[\d.,]*|[.,]\d+)(e[+-]?\d+)?\s*%?\s*", re.IGNORECASE)


def columns_of(rows: Rows) -> list[str]:
    """All columns of rows, in the order in which they come."""
    return list(dict.fromkeys(name for row in rows for name in row))


def write_rows(rows: Rows, path: Path, columns: Sequence[str] | None = None, kept: Any = None) -> None:
    """Rows into a file of a known ending, which is whole or not there.

    ``columns`` tells their order. ``kept`` is a table of Arrow that has some of the columns, with the types
    that they keep in Parquet.
    """
    with whole(path) as place:
        WRITERS[path.suffix](rows, place, columns or columns_of(rows), kept)


def writer_beside(
    path: Path, rows: Rows, added: Sequence[str], source: Path | None = None
) -> Callable[[Rows], None]:
    """What writes rows as they were given, with columns ``added`` to each when these are known.

    What the file could not hold is refused now, before the work. ``source`` is where the rows come from: if
    that is a Parquet file, its columns keep their types in another.
    """
    there = columns_of(rows)
    if taken := next((name for name in added if name in there), None):
        raise InputError(
            f"{source} has a column {taken!r}, and one of this name is to be added: rename it, or leave "
            "out --output and take --json."
        )
    kept: Any = None
    if path.suffix == ".parquet":
        name = source.name if source else "the input"
        kept = arrow_of(source) if source and source.suffix == path.suffix else arrow_table(rows, name)

    def write(said: Rows) -> None:
        both = [{**row, **more} for row, more in zip(rows, said, strict=True)]
        write_rows(both, path, [*there, *added], kept)

    return write


def arrow_table(rows: Rows, name: str) -> Any:
    """Rows as a table of Arrow; an InputError if Parquet cannot hold them."""
    with told_if_missing():
        import pyarrow as pa
        import pyarrow.parquet as pq

    try:
        table = pa.table({column: [row.get(column) for row in rows] for column in columns_of(rows)})
        pq.write_table(table.slice(0, 0), io.BytesIO())
    except (pa.ArrowException, OverflowError) as error:
        raise InputError(
            f"{name} has a column that Parquet cannot hold ({error}): write a .jsonl file instead."
        ) from None
    return table


def cell(value: Any) -> str:
    """A value as a cell of CSV or TSV; a text that a spreadsheet would run gets an apostrophe.

    >>> cell("=1+1"), cell("-5"), cell(-5), cell(None), cell("- No."), cell([1])
    ("'=1+1", '-5', '-5', '', "'- No.", '[1]')
    """
    if value is None:
        return ""
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False, default=str)
    text = str(value).replace("\0", " ")
    runs = text.startswith(("\t", "\r")) or text.lstrip().startswith(("=", "+", "-", "@"))
    return f"'{text}" if isinstance(value, str) and runs and not NUMBER.fullmatch(text) else text


def _write_tsv(rows: Rows, path: Path, columns: Sequence[str], _: Any) -> None:
    """As we read it: quotes are text, so tabs and line ends within a text become blanks."""
    with path.open("w", encoding="utf-8", newline="") as file:
        for row in chain([columns], ([row.get(name) for name in columns] for row in rows)):
            file.write("\t".join(re.sub(r"[\t\r\n]", " ", cell(value)) for value in row) + "\n")


def _write_csv(rows: Rows, path: Path, columns: Sequence[str], _: Any) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(map(cell, columns))
        writer.writerows([cell(row.get(name)) for name in columns] for row in rows)


def _write_jsonl(rows: Rows, path: Path, *_: Any) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        file.writelines(json.dumps(row, ensure_ascii=False, default=str) + "\n" for row in rows)


def _write_parquet(rows: Rows, path: Path, columns: Sequence[str], kept: Any) -> None:
    with told_if_missing():
        import pyarrow as pa
        import pyarrow.parquet as pq

    there = [] if kept is None else kept.column_names
    made = {name: pa.array([row.get(name) for row in rows]) for name in columns if name not in there}
    if there:
        for name, values in made.items():
            kept = kept.append_column(name, values)
    pq.write_table(kept if there else pa.table(made), path)


WRITERS: dict[str, Callable[[Rows, Path, Sequence[str], Any], None]] = {
    ".tsv": _write_tsv, ".csv": _write_csv, ".jsonl": _write_jsonl, ".parquet": _write_parquet,
}  # fmt: skip
