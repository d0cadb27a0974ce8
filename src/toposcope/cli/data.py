"""Options that say where labelled sentences are."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from toposcope.cli.output import console
from toposcope.data.minimal_pairs import holds_pairs
from toposcope.data.readers import Columns, read_sentences
from toposcope.data.sentences import Sentences, joined_sentences

Data = Annotated[
    str, typer.Argument(help="A .tsv, .csv, .jsonl or .parquet file; PATH:SPLIT takes one split of it.")
]
TextColumn = Annotated[str | None, typer.Option(help="Column of the sentences.")]
LabelColumn = Annotated[str | None, typer.Option(help="Column of the labels, 1 acceptable and 0 not.")]
SplitColumn = Annotated[str | None, typer.Option(help="Column of the splits.")]
IdColumn = Annotated[str | None, typer.Option(help="Column whose values must all be different.")]


def sentences(
    given: str,
    text: str | None = None,
    label: str | None = None,
    split: str | None = None,
    identity: str | None = None,
) -> Sentences:
    """Labelled sentences of PATH or PATH:SPLIT."""
    path, part = path_and_split(given)
    named = (text, label, split, identity)
    columns = Columns(*named) if any(named) else None
    found = read_sentences(path, part or None, columns)
    for note in found.notes:
        console.print(f"{found.name}: {note}", style="dim")
    return found


def pretraining_sentences(names: Sequence[str]) -> Sentences:
    """Sentences to learn from before the data: those of minimal pairs, or labelled ones."""
    return joined_sentences([_pretraining(name) for name in names])


def _pretraining(name: str) -> Sentences:
    from toposcope.pairs.score import pairs_named

    path = Path(path_and_split(name)[0])
    if path.is_file() and not holds_pairs(path):
        return sentences(name)
    return pairs_named([name]).sentences()


def path_and_split(given: str) -> tuple[str, str]:
    """PATH:SPLIT in two parts; the second is empty where there is none."""
    path, _, split = given.rpartition(":")
    return (given, "") if Path(given).exists() or not path else (path, split)
