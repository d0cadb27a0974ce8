"""``toposcope pairs``: choose heads on auxiliary pairs, score a benchmark of minimal pairs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from toposcope.cli.checks import check_heads, check_measure, check_model
from toposcope.cli.data import RejectsFile, Strict, check_rejects, say_rejected, write_rejects
from toposcope.cli.output import (
    Force,
    Json,
    Threads,
    check_output,
    console,
    one_line,
    print_json,
    tables,
)
from toposcope.errors import InputError

if TYPE_CHECKING:
    from toposcope.data.minimal_pairs import Pairs
    from toposcope.pairs.score import Scored
    from toposcope.pairs.selection import Selection
    from toposcope.pairs.table import PairTable

SCORED = "it is among the pairs that will be scored"
BESIDE = ("BERT-base, H0M, ensemble", "BERT-base, RTD, ensemble", "BERT-base, PLL", "Human")

app = typer.Typer(no_args_is_help=True, help="Minimal pairs: choose heads, score a benchmark.")

Paths = Annotated[
    list[str],
    typer.Argument(help=".jsonl, .tsv, .csv or .parquet files, folders of such, or `generated[:N]`."),
]
Model = Annotated[str, typer.Option("--model", "-m", help="A model's name or folder.")]
Good = Annotated[str | None, typer.Option(help="Column of the good sentences.")]
Bad = Annotated[str | None, typer.Option(help="Column of the bad sentences.")]
ParadigmColumn = Annotated[str | None, typer.Option(help="Column of the paradigms.")]
PhenomenonColumn = Annotated[str | None, typer.Option(help="Column of the phenomena.")]
ProfileName = Annotated[str, typer.Option(help="strict, paper or notebook.")]
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
    from toposcope.pairs.score import SCORED_SEED, pairs_named, score_pairs, selections_named
    from toposcope.pairs.table import PairTable, is_pair_table

    inputs = (*paths, *(heads or []), model)
    check_output(output, (".parquet",), inputs=inputs, force=force)
    check_rejects(rejects, inputs, output, force)
    check_heads(ctx, heads, measure, profile)
    if len(paths) == 1 and is_pair_table(paths[0]):
        table = _limited(PairTable.from_parquet(paths[0]), limit)
        selections = selections_named(heads, measure, profile, table.heads, table.about)
    else:
        pairs = pairs_named(paths, PairColumns(good, bad, paradigm, phenomenon), SCORED_SEED, strict=strict)
        pairs = pairs.first(limit) if limit else pairs
        check_model(model)
        from toposcope.models.threads import use_threads

        use_threads(threads)
        table, selections = _read(pairs, model, heads, measure, profile, output is not None)
    if drop_seen:
        for selection in selections:
            table = table.without(selection.seen, "the heads were chosen on it")
    _report_rejects(table.pairs, rejects)
    scored = [score_pairs(table, selection) for selection in selections]
    if output is not None:
        more = {
            f"{what}: {k}. {one.selection.name}": getattr(one.preference, f"{what}s")
            for k, one in enumerate(scored, start=1)
            for what in ("credit", "margin")
        }
        table.to_parquet(output, **more)
        console.print(f"wrote {output}", style="dim")
    if as_json:
        print_json([one.facts() for one in scored])
    else:
        _show(scored, table.pairs, paradigms)


@app.command()
def select(
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
    from toposcope.data.minimal_pairs import PairColumns, read_pairs
    from toposcope.pairs.measures import pair_spec
    from toposcope.pairs.profile import profile_named
    from toposcope.pairs.score import pairs_named
    from toposcope.pairs.select import METHODS, select_heads
    from toposcope.pairs.table import PairTable, is_pair_table, read_heads

    if method not in METHODS:
        raise InputError(f"method {method!r}: accepted are {', '.join(METHODS)}.")
    if keep and method != "weighted":
        raise InputError(f"--keep {keep} is for weighted heads: add --method weighted, or leave it.")
    inputs = (*paths, *(without or []), model)
    check_output(output, (".json",), inputs=inputs, force=force)
    check_rejects(rejects, inputs, output, force)
    wanted = measure or ("topology" if method == "weighted" else "h0m")
    check_measure(wanted, profile, votes=method != "weighted")
    taken = None if without is None else read_pairs(without).hashes
    if len(paths) == 1 and is_pair_table(paths[0]):
        table = _limited(PairTable.from_parquet(paths[0]), limit)
        if taken is not None:
            table = table.without(taken, SCORED)
    else:
        pairs = pairs_named(paths, PairColumns(good, bad, paradigm, phenomenon), strict=strict)
        pairs = pairs.first(limit) if limit else pairs
        if taken is not None:
            pairs = pairs.without(taken, SCORED)
        check_model(model)
        from toposcope.models.load import load
        from toposcope.models.threads import use_threads

        use_threads(threads)
        scope = load(model)
        spec = pair_spec(wanted, profile_named(profile), scope.causal)
        table = read_heads(scope, pairs, spec)
    _report_rejects(table.pairs, rejects)
    chosen = select_heads(table, method, wanted, profile, keep=keep, seed=seed, tell=_tell)
    chosen.save(output)
    accuracy = chosen.about["accuracy by cross-validation"]
    console.print(
        f"{len(chosen.chooser.heads())} heads, {accuracy:.1%} by cross-validation on {len(table)} pairs; "
        f"wrote {output}"
    )


def _tell(message: str) -> None:
    console.print(message, style="dim")


def _read(
    pairs: Pairs, model: str, heads: Sequence[str] | None, measure: str, profile: str, everything: bool
) -> tuple[PairTable, list[Selection]]:
    """The selections, and what they need read from the model, or everything."""
    from toposcope.models.load import load
    from toposcope.pairs.readings import joined
    from toposcope.pairs.score import selections_named
    from toposcope.pairs.table import read_heads
    from toposcope.topology.head import all_heads

    scope = load(model)
    selections = selections_named(
        heads, measure, profile, all_heads(scope.layers, scope.heads), scope.provenance
    )
    needed = None if everything else sorted({head for s in selections for head in s.chooser.heads()})
    return read_heads(scope, pairs, joined(s.spec for s in selections), needed), selections


def _limited(table: PairTable, limit: int) -> PairTable:
    """The first pairs of each paradigm; 0 takes all."""
    from toposcope.data.minimal_pairs import places_in_group

    return table.take(places_in_group(table.pairs.paradigms) < limit) if limit else table


def _report_rejects(pairs: Pairs, file: Path | None) -> None:
    """Say what was left out; nothing is skipped in silence."""
    write_rejects(pairs.rejects, file)
    say_rejected(pairs.rejects, len(pairs), "pairs")


def _show(scored: Sequence[Scored], pairs: Pairs, paradigms: bool) -> None:
    from toposcope.experiments.published import TABLE2, is_blimp

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
    console.print(f"{first.pairs:,} pairs; accuracy in %, 95 % intervals.", style="dim")
