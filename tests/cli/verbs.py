"""Running the verbs of ``toposcope`` in tests, and files for them."""

import csv
import json

from typer.testing import CliRunner

from toposcope.cli import app
from toposcope.data.rows import rows_of

FRESH = ["the old cat sleeps.", "a red dog is barking!", 'he said "the cat is very old", and sleeps.']
BAD = [
    {"text": FRESH[0], "label": 1}, {"text": "...", "label": 1}, {"text": FRESH[1], "label": "no"},
    {"text": FRESH[2], "label": 0},
]  # fmt: skip
FILES = ["card.md", "judge.json", "reliability.svg", "weights.safetensors"]
SUFFIXES = [".tsv", ".csv", ".jsonl", ".parquet"]
LORA = [
    "--tune",
    "lora",
    "--epochs",
    "8",
    "--batch",
    "16",
    "--rate",
    "0.01",
    "--rank",
    "4",
    "--layers",
    "2",
]


def run(*arguments, stdin=None):
    given = [*map(str, arguments), *(["--threads", "1"] if "--help" not in arguments else [])]
    result = CliRunner().invoke(app, given, input=stdin)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def fails(*arguments, stdin=None):
    """The message of a run that refuses its input."""
    result = run(*arguments, stdin=stdin)
    assert result.exit_code == 2, result.stderr
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    return result.stderr


def read_rows(path):
    """The rows of a file, all of which can be read."""
    rows = list(rows_of(path))
    assert not any(row.fault for row in rows)
    return [row.values for row in rows]


def write_table(path, rows):
    """A file of rows in the format of its suffix."""
    if path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    elif path.suffix == ".parquet":
        import pyarrow as pa
        import pyarrow.parquet as pq

        pq.write_table(pa.Table.from_pylist(rows), path)
    elif path.suffix == ".tsv":
        path.write_text(
            "".join("\t".join(map(str, row)) + "\n" for row in [rows[0], *map(dict.values, rows)])
        )
    else:
        with path.open("w", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
    return path
