"""What all verbs share: where words go, where results go."""

import csv
import json
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from toposcope.errors import InputError
from toposcope.files import whole

console = Console(stderr=True, highlight=False, soft_wrap=True)
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON on stdout.")]
Device = Annotated[str, typer.Option(help="A torch device, e.g. cuda.")]
Threads = Annotated[int, typer.Option(help="Threads for the model; 0 takes all cores.", min=0)]


def tables() -> Console:
    """Where tables go: stdout, in a pipe as wide as they are, so that no name is cut."""
    width = None if sys.stdout.isatty() else 1000
    return Console(highlight=False, soft_wrap=True, width=width)


def print_json(value: Any) -> None:
    """A result for machines."""
    print(json.dumps(value, indent=2, ensure_ascii=False))


def check_output(path: Path | None) -> None:
    """Refuse a name that ``write_rows`` cannot write to; to be called before the work is done."""
    if path is not None and path.suffix not in WRITERS:
        raise InputError(f"{path.name}: accepted are names that end in {', '.join(WRITERS)}.")


def write_rows(rows: Sequence[Mapping[str, Any]], path: Path) -> None:
    """Rows into a .tsv, .csv, .jsonl or .parquet file, which is whole or not there."""
    check_output(path)
    with whole(path) as place:
        WRITERS[path.suffix](rows, place)


def _write_tsv(rows: Sequence[Mapping[str, Any]], path: Path) -> None:
    """As we read it: quotes are text, so tabs and line ends within a text become blanks."""
    table = [list(rows[0]) if rows else [], *(row.values() for row in rows)]
    table = [["" if value is None else str(value) for value in row] for row in table]
    lines = ["\t".join(re.sub(r"[\t\r\n]", " ", value) for value in row) + "\n" for row in table]
    path.write_text("".join(lines), encoding="utf-8", newline="")


def _write_csv(rows: Sequence[Mapping[str, Any]], path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]) if rows else [])
        writer.writeheader()
        writer.writerows(rows)


def _write_jsonl(rows: Sequence[Mapping[str, Any]], path: Path) -> None:
    lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in rows]
    path.write_text("".join(lines), encoding="utf-8")


def _write_parquet(rows: Sequence[Mapping[str, Any]], path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.Table.from_pylist([dict(row) for row in rows]), path)


WRITERS = {".tsv": _write_tsv, ".csv": _write_csv, ".jsonl": _write_jsonl, ".parquet": _write_parquet}


def stdin_lines() -> list[str]:
    """Sentences from stdin, one a line."""
    if sys.stdin.isatty():
        console.print("One sentence a line; end with Ctrl-D.", style="dim")
    try:
        return [line.strip() for line in sys.stdin if line.strip()]
    except UnicodeDecodeError as error:
        raise InputError(f"stdin is not {error.encoding}: {error.reason} at byte {error.start}.") from None
