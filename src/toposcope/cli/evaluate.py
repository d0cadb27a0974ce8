"""``toposcope evaluate``: how good a judge is on labelled sentences."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from toposcope.cli.data import (
    Data,
    IdColumn,
    LabelColumn,
    RejectsFile,
    SplitColumn,
    Strict,
    TextColumn,
    check_rejects,
    sentences,
    write_rejects,
)
from toposcope.cli.output import (
    Device,
    Force,
    Json,
    Threads,
    check_output,
    one_line,
    print_json,
    say,
    tables,
)


def evaluate(
    judge: Annotated[str, typer.Argument(help="A judge's folder, or the name of one that ships.")],
    data: Data,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Write all verdicts: a .tsv, .csv, .jsonl or .parquet file.",
        ),
    ] = None,
    text_column: TextColumn = None,
    label_column: LabelColumn = None,
    split_column: SplitColumn = None,
    id_column: IdColumn = None,
    rejects: RejectsFile = None,
    strict: Strict = False,
    device: Device = "cpu",
    threads: Threads = 0,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Accuracy and Matthews correlation of a judge, with intervals."""
    from toposcope.data.readers import path_and_split
    from toposcope.data.writers import write_rows
    from toposcope.judge.evaluate import evaluate_judge
    from toposcope.judge.judge import Judge

    inputs = (path_and_split(data)[0], judge)
    check_output(output, inputs=inputs, force=force)
    check_rejects(rejects, inputs, output, force)
    known = sentences(data, text_column, label_column, split_column, id_column, strict)
    write_rejects(known.rejects, rejects)
    if len(set(known.labels.tolist())) < 2:
        say(f"{known.name}: all have the same label, so MCC is 0 and says nothing.", "yellow")
    asked = Judge.load(judge, device)
    from toposcope.models.threads import use_threads

    use_threads(threads)
    found = evaluate_judge(asked, known)
    if output is not None:
        write_rows(found.rows(), output)
    if as_json:
        print_json(found.to_dict())
    else:
        show_scores(found.to_dict())


def show_scores(found: Mapping[str, Any]) -> None:
    """A small table for people."""
    from rich.table import Table

    from toposcope.stats.estimate import Estimate

    title = f"{one_line(found['data'])}, {found['sentences']} sentences"
    table = Table(title=title, box=None, title_justify="left")
    for column in ("", "accuracy", "MCC"):
        table.add_column(column, no_wrap=True)
    for name in ("chosen threshold", "threshold 0.5"):
        cells = [str(Estimate.from_dict(found[name][m])) for m in ("accuracy", "mcc")]
        label = f"{name} ({found['threshold']:.2f})" if name.startswith("chosen") else name
        table.add_row(label, *cells)
    tables().print(table)
    if found["also in training"]:
        say(f"{found['also in training']} of them were in the training data.", "yellow")
