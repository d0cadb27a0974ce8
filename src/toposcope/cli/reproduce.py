"""``toposcope reproduce``: an experiment of the paper end to end, its numbers beside ours."""

from pathlib import Path
from typing import Annotated

import typer

from toposcope.cli.checks import check_model
from toposcope.cli.output import Threads, console
from toposcope.files import try_to_write

app = typer.Typer(no_args_is_help=True, help="Experiments of the paper, end to end.")

Data = Annotated[Path, typer.Option(help="Folder in which the files of the corpora lie.")]
Work = Annotated[Path, typer.Option(help="Folder of what is kept between runs; start again to go on.")]
Limit = Annotated[
    int | None, typer.Option(help="The first N pairs of each paradigm of BLiMP; 0 takes all.", min=0)
]
Docs = Annotated[Path, typer.Option(help="Folder of the pages that are written.")]


def _tell(message: str) -> None:
    console.print(message, style="dim")


def _begin(work: Path, docs: Path, threads: int) -> None:
    """Try the folders, make those that are missing, and only then get torch."""
    for folder in (work, docs):
        folder.mkdir(parents=True, exist_ok=True)
        try_to_write(folder / "page.md")
    from toposcope.models.threads import use_threads

    use_threads(threads)


@app.command()
def table1(
    data: Data,
    work: Work = Path("out/table1"),
    docs: Docs = Path("docs/results"),
    only: Annotated[
        list[str] | None, typer.Option(help="Settings, e.g. bert-base-cased/cola/lora, or how they begin.")
    ] = None,
    seed: Annotated[list[int] | None, typer.Option(help="Seeds to run, instead of all.")] = None,
    add: Annotated[
        bool, typer.Option("--add", help="Add to the outcomes in DOCS/table1 instead of starting anew.")
    ] = False,
    threads: Threads = 0,
) -> None:
    """CoLA, ItaCoLA and DaLAJ: baselines and topology, frozen and tuned."""
    from toposcope.report.reproduce import check_table1, reproduce_table1

    check_table1(data, only or [])
    _begin(work, docs, threads)
    console.print(f"wrote {reproduce_table1(data, work, docs, only or [], seed, _tell, add=add)}")


@app.command()
def heads(
    data: Data,
    work: Work = Path("out/table1"),
    docs: Docs = Path("docs/results"),
    threads: Threads = 0,
) -> None:
    """Number of heads against MCC."""
    from toposcope.experiments.settings import SETTINGS
    from toposcope.report.reproduce import check_table1, reproduce_heads

    check_table1(data, [SETTINGS[0].name])
    _begin(work, docs, threads)
    console.print(f"wrote {reproduce_heads(data, work, docs, _tell)}")


@app.command()
def small_data(
    data: Data,
    work: Work = Path("out/table1"),
    docs: Docs = Path("docs/results"),
    threads: Threads = 0,
) -> None:
    """Judges from few sentences: what they announce, and what comes true."""
    from toposcope.models.threads import use_threads
    from toposcope.report.reproduce import reproduce_small_data

    use_threads(threads)
    console.print(f"wrote {reproduce_small_data(data, work, docs, _tell)}")


@app.command()
def table2(
    data: Annotated[Path, typer.Option(help="Folder with blimp/data and blimp_aux.")],
    work: Work = Path("out/table2"),
    docs: Docs = Path("docs/results"),
    model: Annotated[
        list[str] | None, typer.Option("--model", "-m", help="Models; by default all.")
    ] = None,
    limit: Limit = None,
    threads: Threads = 0,
) -> None:
    """BLiMP: single heads, ensembles, weighted heads, and the language model itself."""
    from toposcope.experiments.blimp import check_benchmark
    from toposcope.report.reproduce_pairs import reproduce_table2

    check_benchmark(data)
    for name in model or []:
        check_model(name)
    _begin(work, docs, threads)
    console.print(f"wrote {reproduce_table2(data, work, docs, model or [], limit, _tell)}")


@app.command()
def aux_data(
    data: Annotated[Path, typer.Option(help="Folder with blimp/data and blimp_aux.")],
    work: Work = Path("out/table2"),
    docs: Docs = Path("docs/results"),
    limit: Limit = None,
    threads: Threads = 0,
) -> None:
    """How many auxiliary pairs it takes to choose heads."""
    from toposcope.experiments.blimp import check_benchmark
    from toposcope.report.reproduce_pairs import reproduce_aux_data

    check_benchmark(data)
    _begin(work, docs, threads)
    console.print(f"wrote {reproduce_aux_data(data, work, docs, limit, _tell)}")


@app.command()
def generator(
    work: Work = Path("out/generator"), docs: Docs = Path("docs/results"), threads: Threads = 0
) -> None:
    """How often the language model itself prefers the good sentence of generated pairs."""
    from toposcope.report.reproduce_pairs import reproduce_generator

    _begin(work, docs, threads)
    console.print(f"wrote {reproduce_generator(work, docs, _tell)}")
