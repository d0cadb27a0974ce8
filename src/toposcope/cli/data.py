"""Options that say where labelled sentences are."""

from pathlib import Path
from typing import Annotated

import typer

from toposcope.cli.output import console
from toposcope.data.readers import Columns, read_sentences
from toposcope.data.sentences import Sentences

Data = Annotated[
    str, typer.Argument(help="A .tsv, .csv, .jsonl or .parquet file; PATH:SPLIT takes one split of it.")
]
TextColumn = Annotated[str | None, typer.Option(help="Column of the sentences.")]
LabelColumn = Annotated[str | None, typer.Option(help="Column of the labels, 1 acceptable and 0 not.")]
SplitColumn = Annotated[str | None, typer.Option(help="Column of the splits.")]


def sentences(
    given: str, text: str | None = None, label: str | None = None, split: str | None = None
) -> Sentences:
    """Labelled sentences of PATH or PATH:SPLIT."""
    path, _, part = given.rpartition(":") if not Path(given).exists() else (given, "", "")
    if not path:
        path, part = given, ""
    columns = Columns(text, label, split) if any((text, label, split)) else None
    found = read_sentences(path, part or None, columns)
    for note in found.notes:
        console.print(f"{found.name}: {note}", style="dim")
    return found
