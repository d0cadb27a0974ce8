"""Options that say where data are, and what becomes of rows that cannot be used."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from toposcope.cli.output import check_output, one_line, say
from toposcope.errors import InputError

if TYPE_CHECKING:
    from toposcope.data.minimal_pairs import Pairs
    from toposcope.data.rejects import Reject
    from toposcope.data.sentences import Sentences

Data = Annotated[
    str, typer.Argument(help="A .tsv, .csv, .jsonl or .parquet file; PATH:SPLIT takes one split of it.")
]
TextColumn = Annotated[str | None, typer.Option(help="Column of the sentences.")]
LabelColumn = Annotated[str | None, typer.Option(help="Column of the labels, 1 acceptable and 0 not.")]
SplitColumn = Annotated[str | None, typer.Option(help="Column of the splits.")]
Strict = Annotated[bool, typer.Option("--strict", help="Stop at the first row that cannot be used.")]
RejectsFile = Annotated[
    Path | None,
    typer.Option("--rejects", help="Write what cannot be used, with reasons: a .jsonl file."),
]
IdColumn = Annotated[str | None, typer.Option(help="Column whose values must all be different.")]


def sentences(
    given: str,
    text: str | None = None,
    label: str | None = None,
    split: str | None = None,
    identity: str | None = None,
    strict: bool = False,
) -> Sentences:
    """Labelled sentences of PATH or PATH:SPLIT; what cannot be used is told."""
    from toposcope.data.readers import Columns, path_and_split, read_sentences

    path, part = path_and_split(given)
    named = (text, label, split, identity)
    columns = Columns(*named) if any(named) else None
    found = read_sentences(path, part or None, columns, strict=strict)
    _say_how_read(found)
    return found


def pretraining_sentences(names: Sequence[str], strict: bool = False) -> Sentences:
    """Sentences to tune on before the data; what cannot be used is told."""
    from toposcope.data.named import labelled_sentences, pairs_or_sentences
    from toposcope.data.sentences import joined_sentences

    found = [pairs_or_sentences(name, strict=strict) for name in names]
    for one in found:
        _say_how_read(one)
    return joined_sentences([labelled_sentences(one) for one in found])


def _say_how_read(found: Pairs | Sentences) -> None:
    """Say what is odd about data, and what was left out."""
    from toposcope.data.sentences import Sentences

    for note in found.notes if isinstance(found, Sentences) else ():
        say(f"{found.name}: {note}", "dim")
    say_rejected(found.rejects, len(found), "sentences" if isinstance(found, Sentences) else "pairs")


def say_rejected(rejects: Sequence[Reject], kept: int, what: str) -> None:
    """Say how much was left out, and what was the first."""
    if rejects:
        from toposcope.data.rejects import summary

        say(one_line(f"{summary(rejects, kept, what)}."), "yellow")


def check_rejects(
    file: Path | None, inputs: Iterable[str | Path | None], output: Path | None, force: bool
) -> None:
    """Refuse, before the work is done, a file of rejects that is not to be written."""
    check_output(file, (".jsonl",), inputs=inputs, force=force)
    if file is not None and output is not None and file.resolve() == output.resolve():
        raise InputError(f"{file} is both --output and --rejects: give one of them another name.")


def write_rejects(rejects: Sequence[Reject], file: Path | None) -> None:
    """Write what was left out, if somebody wants it."""
    if file is not None:
        from toposcope.data.writers import write_rows

        write_rows([vars(reject) for reject in rejects], file)
