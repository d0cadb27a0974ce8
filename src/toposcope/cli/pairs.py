"""``toposcope pairs``: choose heads on auxiliary pairs, score a benchmark of minimal pairs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from toposcope.cli.checks import (
    check_heads,
    check_measure,
    check_model,
    given_on_the_command_line,
    reference_of,
)
from toposcope.cli.data import RejectsFile, Strict, check_rejects, say_rejected, write_rejects
from toposcope.cli.output import (
    Force,
    Json,
    Threads,
    check_output,
    one_line,
    print_json,
    say,
    tables,
    tell,
)
from toposcope.errors import InputError

if TYPE_CHECKING:
    from toposcope.data.minimal_pairs import Pairs
    from toposcope.pairs.score import Scored
    from toposcope.pairs.table import PairTable

SCORED = "it is among the pairs that will be scored"
FOR_READING = ("good", "bad", "paradigm", "phenomenon", "work")
BESIDE = ("BERT-base, H0M, ensemble", "BERT-base, RTD, ensemble", "BERT-base, PLL", "Human")

app = typer.Typer(no_args_is_help=True, help="Minimal pairs: choose heads, score a benchmark.")

Paths = Annotated[
    list[str],
    typer.Argument(
        help=".jsonl, .tsv, .csv, .parquet files, folders of such, `generated[:N]`, or what score -o wrote."
    ),
]
Model = Annotated[str, typer.Option("--model", "-m", help="A model's name or folder.")]
Good = Annotated[str | None, typer.Option(help="Column of the good sentences.")]
Bad = Annotated[str | None, typer.Option(help="Column of the bad sentences.")]
ParadigmColumn = Annotated[str | None, typer.Option(help="Column of the paradigms.")]
PhenomenonColumn = Annotated[str | None, typer.Option(help="Column of the phenomena.")]
ProfileName = Annotated[str, typer.Option(help="strict, published, paper or notebook.")]
Work = Annotated[
    Path | None, typer.Option(help="Folder in which readings are kept; start again with it to go on.")
]
Limit = Annotated[int, typer.Option(help="Only the first N pairs of each paradigm; 0 takes all.", min=0)]


@app.command()
def score(
    ctx: typer.Context,
    paths: Paths,
    model: Model = "bert-base-cased",
    heads: Annotated[
        list[str] | None,
        typer.Option(
            help="Selections: files, names that ship, `all`, or a head such as L8.H0; else what ships."
        ),
    ] = None,
    measure: Annotated[str, typer.Option(help="For `all` and single heads: h0m, h0s or rtd.")] = "h0m",
    profile: ProfileName = "strict",
    limit: Limit = 0,
    drop_seen: Annotated[
        bool, typer.Option("--drop-seen", help="Leave out the pairs that the heads were chosen on.")
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Write every pair with all readings: a .parquet file."),
    ] = None,
    work: Work = None,
    rejects: RejectsFile = None,
    strict: Strict = False,
    paradigms: Annotated[bool, typer.Option("--paradigms", help="Show every paradigm, too.")] = False,
    good: Good = None,
    bad: Bad = None,
    paradigm: ParadigmColumn = None,
    phenomenon: PhenomenonColumn = None,
    threads: Threads = 0,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """How often the heads prefer the good sentence, by phenomenon, with intervals."""
    from toposcope.data.minimal_pairs import PairColumns
    from toposcope.pairs.score import SCORED_SEED, given_pairs, score_benchmark

    inputs = (*paths, *(heads or []), model)
    check_output(output, (".parquet",), inputs=inputs, force=force)
    check_rejects(rejects, inputs, output, force)
    check_heads(ctx, heads, measure, profile)
    columns = PairColumns(good, bad, paradigm, phenomenon)
    data = given_pairs(paths, columns, SCORED_SEED, strict=strict)
    data = data.first(limit) if limit else data
    _get_ready(ctx, data, model, threads)
    everything = output is not None
    found = score_benchmark(
        data,
        model,
        heads=heads,
        measure=measure,
        profile=profile,
        drop_seen=drop_seen,
        everything=everything,
        work=work,
        tell=tell,
    )
    _report_rejects(found.table.pairs, rejects)
    if output is not None:
        found.to_parquet(output)
        say(f"wrote {output}", "dim")
    if as_json:
        print_json(found.facts())
    else:
        _show(found.scored, found.table.pairs, paradigms)


@app.command()
def select(
    ctx: typer.Context,
    paths: Paths,
    output: Annotated[Path, typer.Option("--output", "-o", help="The selection: a .json file.")],
    method: Annotated[str, typer.Option(help="top, phenomenon, ensemble, all or weighted.")] = "weighted",
    measure: Annotated[
        str,
        typer.Option(
            help="h0m, h0s, rtd; for weighted heads also topology, tda, and sums such as h0m+rtd."
        ),
    ] = "",
    model: Model = "bert-base-cased",
    profile: ProfileName = "strict",
    limit: Limit = 0,
    without: Annotated[
        list[str] | None,
        typer.Option(
            help="Files or folders of the pairs that will be scored: what is in them is left out."
        ),
    ] = None,
    keep: Annotated[int, typer.Option(help="How many heads are weighted; 0 takes all.", min=0)] = 0,
    seed: Annotated[int, typer.Option(help="Of the folds of cross-validation.", min=0)] = 0,
    work: Work = None,
    rejects: RejectsFile = None,
    strict: Strict = False,
    good: Good = None,
    bad: Bad = None,
    paradigm: ParadigmColumn = None,
    phenomenon: PhenomenonColumn = None,
    threads: Threads = 0,
    force: Force = False,
) -> None:
    """Choose heads on auxiliary pairs and write the selection."""
    from toposcope.data.minimal_pairs import PairColumns, Pairs, read_pairs
    from toposcope.pairs.score import given_pairs
    from toposcope.pairs.select import METHODS, select_heads, usual_measure

    if method not in METHODS:
        raise InputError(f"method {method!r}: accepted are {', '.join(METHODS)}.")
    if keep and method != "weighted":
        raise InputError(f"--keep {keep} is for weighted heads: add --method weighted, or leave it.")
    inputs = (*paths, *(without or []), model)
    check_output(output, (".json",), inputs=inputs, force=force)
    check_rejects(rejects, inputs, output, force)
    wanted = measure or usual_measure(method)
    check_measure(wanted, profile, votes=method != "weighted")
    taken = None if without is None else read_pairs(without).hashes
    data = given_pairs(paths, PairColumns(good, bad, paradigm, phenomenon), strict=strict)
    data = data.first(limit) if limit else data
    data = data if taken is None else data.without(taken, SCORED)
    _get_ready(ctx, data, model, threads)
    pairs = data if isinstance(data, Pairs) else data.pairs
    _report_rejects(pairs, rejects)
    chosen = select_heads(
        data, method, wanted, profile, model=model, keep=keep, seed=seed, work=work, tell=tell
    )
    chosen.save(output)
    accuracy = chosen.cv_accuracy
    say(
        f"{len(chosen.chooser.heads())} heads, {accuracy:.1%} by cross-validation on {len(pairs)} pairs; "
        f"wrote {output}"
    )


def _get_ready(ctx: typer.Context, data: Pairs | PairTable, model: str, threads: int) -> None:
    """Before a model is asked: refuse names that none can have, and options that a table has no use for."""
    from toposcope.data.minimal_pairs import Pairs

    if isinstance(data, Pairs):
        check_model(model)
        from toposcope.models.threads import use_threads

        use_threads(threads)
    elif idle := given_on_the_command_line(ctx, FOR_READING):
        raise InputError(f"{idle} is for pairs that are still to be read: these were. Leave it.")
    elif given_on_the_command_line(ctx, ("model",)) and reference_of(model) != data.about["model"]:
        raise InputError(
            f"the table was read from {data.about['model']}, not from {model}: leave out --model, or give "
            "the pairs themselves."
        )


def _report_rejects(pairs: Pairs, file: Path | None) -> None:
    """Say what was left out; nothing is skipped in silence."""
    write_rejects(pairs.rejects, file)
    say_rejected(pairs.rejects, len(pairs), "pairs")


def _show(scored: Sequence[Scored], pairs: Pairs, paradigms: bool) -> None:
    from rich.table import Table

    from toposcope.experiments.published_pairs import TABLE2, is_blimp

    table = Table(box=None)
    table.add_column("")
    for one in scored:
        table.add_column(f"{one.selection.name} ({one.selection.profile})", justify="right")
    first = scored[0].accuracy
    beside = BESIDE if is_blimp(pairs) else ()
    for name in beside:
        table.add_column(f"published: {name}", justify="right", style="dim")

    def line(name: str, ours: list[Any], theirs: list[str], style: str = "") -> None:
        cells = [f"{e.percent:.1f}" for e in ours]
        table.add_row(one_line(name), *cells, *theirs, style=style)

    overall = [f"{TABLE2[name].overall:.1f}" for name in beside]
    line("overall, mean of paradigms", [s.accuracy.overall for s in scored], overall, "bold")
    line("mean of phenomena", [s.accuracy.mean_of_phenomena for s in scored], [""] * len(beside))
    for term in first.phenomena:
        theirs = [f"{TABLE2[name].phenomena[term]:.1f}" for name in beside]
        line(term, [s.accuracy.phenomena[term] for s in scored], theirs)
    if paradigms:
        for name in first.paradigms:
            line(f"  {name}", [s.accuracy.paradigms[name] for s in scored], [""] * len(beside))
    table.add_row("ties", *(f"{100 * s.accuracy.ties:.2f} %" for s in scored))
    tables().print(table)
    say(f"{first.pairs:,} pairs; accuracy in %, 95 % intervals.", "dim")
