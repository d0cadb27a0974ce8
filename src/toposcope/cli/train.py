"""``toposcope train``: a judge from labelled sentences."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from toposcope.cli.checks import check_features, check_model, given_on_the_command_line
from toposcope.cli.data import (
    Data,
    IdColumn,
    LabelColumn,
    RejectsFile,
    SplitColumn,
    Strict,
    TextColumn,
    check_rejects,
    pretraining_sentences,
    sentences,
    write_rejects,
)
from toposcope.cli.evaluate import show_scores
from toposcope.cli.output import (
    Device,
    Force,
    Json,
    Threads,
    check_folder,
    print_json,
    say,
    tables,
)
from toposcope.errors import InputError
from toposcope.files import whole_folder

if TYPE_CHECKING:
    from toposcope.data.sentences import Sentences
    from toposcope.judge.judge import Judge

UNDER_WAY = "tuning.part"  # folder in the judge's while it is made
FOR_TUNING = (
    "epochs", "rank", "layers", "maps", "head", "rate", "batch", "precision", "pretrain_on", "augment",
    "average_folds", "soup", "work",
)  # fmt: skip
FOR_LORA = ("rank", "layers", "maps")
Tests = Annotated[
    list[str] | None, typer.Option("--test", help="Labelled sentences to report on; may be repeated.")
]


def train(
    ctx: typer.Context,
    data: Data,
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder of the judge.")],
    model: Annotated[str, typer.Option(help="A folder, a catalogue name or a hub id.")] = "bert-base-cased",
    features: Annotated[
        str,
        typer.Option(
            help="h0m, sides, tda, topology, spectral, cls, mean, pooler, lm, length, joined by '+'; "
            "topology+cls by default, topology+lm of a model that learns."
        ),
    ] = "",
    tune: Annotated[
        Literal["none", "lora", "full"], typer.Option(help="What of the model learns.")
    ] = "none",
    test: Tests = None,
    heads: Annotated[int, typer.Option(help="Keep so many heads; 0 keeps all.", min=0)] = 0,
    rank_heads: Annotated[Literal["correlation", "l1"], typer.Option(help="How they are chosen.")] = (
        "correlation"
    ),
    balanced: Annotated[bool, typer.Option("--balanced", help="Give both labels the same weight.")] = False,
    epochs: Annotated[int, typer.Option(help="Of tuning.", min=1)] = 3,
    rank: Annotated[int, typer.Option(help="Of LoRA.", min=1)] = 8,
    layers: Annotated[int, typer.Option(help="Upper layers that LoRA tunes; 0 is all.", min=0)] = 8,
    maps: Annotated[
        Literal["attention", "all"],
        typer.Option(help="What LoRA tunes in a layer: query, key and value, or all linear maps."),
    ] = "attention",
    head: Annotated[
        Literal["sentence", "words"],
        typer.Option(help="What judges in a tuned model: one number for the sentence, or word by word."),
    ] = "sentence",
    rate: Annotated[float, typer.Option(help="Learning rate; 0 takes the usual one.", min=0)] = 0.0,
    batch: Annotated[int, typer.Option(help="Sentences a step of tuning.", min=1)] = 32,
    precision: Annotated[
        Literal["auto", "float32", "bfloat16"],
        typer.Option(help="Of tuning; auto takes bfloat16 where the machine has instructions for it."),
    ] = "auto",
    pretrain_on: Annotated[
        list[str] | None,
        typer.Option(
            help="What to tune on before DATA: minimal pairs or labelled sentences, files or generated:N; "
            "may be repeated."
        ),
    ] = None,
    augment: Annotated[
        int,
        typer.Option(
            help="Before DATA, tune on its acceptable sentences and so many spoiled versions of each.",
            min=0,
        ),
    ] = 0,
    average_folds: Annotated[
        int,
        typer.Option(
            help="Cut DATA into so many folds and average the models tuned without one of them; "
            "0 tunes on two halves, or five folds of few sentences, and then on everything.",
            min=0,
        ),
    ] = 0,
    soup: Annotated[
        int, typer.Option(help="Tune so often, and take a soup: the average of the weights.", min=1)
    ] = 1,
    seed: Annotated[int, typer.Option(help="Of folds and tuning.", min=0)] = 0,
    work: Annotated[
        Path | None,
        typer.Option(help=f"Folder where tuning is saved on the way; OUTPUT/{UNDER_WAY} by default."),
    ] = None,
    language: Annotated[str, typer.Option(help="Written into the judge.")] = "",
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
    """Train a judge. Everything is chosen on DATA alone; --test is only looked at."""
    from toposcope.data.readers import path_and_split
    from toposcope.judge.make import make_judge, usual_features

    tuned = tune != "none"
    _refuse_idle_options(ctx, tune, heads)
    wanted = features or usual_features(tuned=tuned)
    evidence = check_features(wanted, tuned=tuned, heads=heads)
    _check_folders(output, work, model, force)
    inputs = [path_and_split(name)[0] for name in (data, *(test or []), *(pretrain_on or []))]
    check_rejects(rejects, inputs, None, force)
    columns = (text_column, label_column, split_column, id_column, strict)
    learned = sentences(data, *columns)
    tests = [sentences(name, *columns) for name in test or []]
    _check_sentences(learned, tests)
    before = pretraining_sentences(pretrain_on, strict) if pretrain_on else None
    given = [learned, *tests, *([before] if before else [])]
    write_rejects([reject for one in given for reject in one.rejects], rejects)
    from toposcope.judge.recipe import Recipe

    Recipe(evidence, average_folds=average_folds)  # refused now, not after the model is loaded
    check_model(model)
    from toposcope.models.threads import use_threads
    from toposcope.models.tuning.tuning import Tuning

    use_threads(threads)
    judge = make_judge(
        learned,
        model=model,
        features=wanted,
        tuning=None
        if tune == "none"
        else Tuning(
            tune, epochs, batch, rate, rank=rank, layers=layers, maps=maps, head=head, precision=precision
        ),
        heads=heads,
        ranking=rank_heads,
        balanced=balanced,
        pretrain_on=before or (),
        augment=augment,
        average_folds=average_folds,
        soup=soup,
        seed=seed,
        tests=tests,
        language=language,
        work=work or output / UNDER_WAY,
        device=device,
    )
    _write(judge, output)
    if as_json:
        print_json({"judge": str(output), **judge.figures})
    else:
        _show(judge, output, wanted, learned.name)
    _warn(judge)


def _check_sentences(learned: Sentences, tests: Sequence[Sentences]) -> None:
    """Refuse, now and not after minutes of looking at them, too few sentences; say what is in two sets."""
    from toposcope.data.sentences import shared_texts
    from toposcope.judge.folds import groups_for
    from toposcope.judge.parts import FOLDS

    for one in tests:
        if shared := len(shared_texts(learned, one)):
            message = f"{one.name}: {shared} of its sentences are also in {learned.name}."
            say(message, "yellow")
    groups_for(learned.need_both_labels(), FOLDS)


def _write(judge: Judge, output: Path) -> None:
    """The judge and its card; what was kept on the way goes."""
    from toposcope.judge.card import write_card

    with whole_folder(output) as place:
        judge.save(place)
        write_card(judge, place)
    shutil.rmtree(output / UNDER_WAY, ignore_errors=True)


def _show(judge: Judge, output: Path, wanted: str, name: str) -> None:
    """What to expect of the judge, and what came true, for people."""
    from toposcope.stats.estimate import Estimate

    told = judge.about["cross-validation"]
    mcc, good, bad = Estimate.from_dict(told["mcc"]), told["acceptable"], told["not acceptable"]
    tables().print(
        f"{output}: {wanted}, MCC {mcc} by nested cross-validation on {name}, "
        f"{good:,} acceptable sentences and {bad:,} others."
    )
    for scores in judge.about["scores"]:
        show_scores(scores)


def _warn(judge: Judge) -> None:
    """Say so where the judge found nothing, or nothing that is sure."""
    from toposcope.judge.card import doubt

    if warning := doubt(judge.about["cross-validation"]):
        say(warning.replace("**", ""), "yellow")


def _refuse_idle_options(ctx: typer.Context, tune: str, heads: int) -> None:
    """Say so where an option would change nothing."""
    if tune == "none" and (name := given_on_the_command_line(ctx, FOR_TUNING)):
        raise InputError(f"{name} is for a model that learns: add --tune lora or --tune full.")
    if tune == "full" and (name := given_on_the_command_line(ctx, FOR_LORA)):
        raise InputError(
            f"{name} is for LoRA: --tune full learns all weights. Take --tune lora, or leave it."
        )
    if not heads and (name := given_on_the_command_line(ctx, ("rank_heads",))):
        raise InputError(f"{name} says how heads are chosen: add --heads N.")


def _check_folders(output: Path, work: Path | None, model: str, force: bool) -> None:
    """Refuse folders that cannot be written to, and a judge's that is there, unless it is being made."""
    from toposcope.judge.card import CARD, FIGURE
    from toposcope.judge.judge import JSON, WEIGHTS

    if output.exists() and Path(model).exists() and output.samefile(model):
        raise InputError(f"{output} is the folder of the model: give another --output.")
    under_way = (output / UNDER_WAY).is_dir()
    check_folder(output, (JSON, WEIGHTS, CARD, FIGURE), force=force or under_way)
    if work is not None:
        check_folder(work)
