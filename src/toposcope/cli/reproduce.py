"""``toposcope reproduce``: an experiment of the paper end to end, its numbers beside ours."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from toposcope.cli.checks import check_model
from toposcope.cli.output import Threads, say, tell
from toposcope.files import try_to_write

if TYPE_CHECKING:
    from toposcope.experiments.lab import Lab

app = typer.Typer(no_args_is_help=True, help="Experiments of the paper, end to end.")

Data = Annotated[Path, typer.Option(help="Folder in which the files of the corpora lie.")]
Work = Annotated[Path, typer.Option(help="Folder of what is kept between runs; start again to go on.")]
Limit = Annotated[
    int | None, typer.Option(help="The first N pairs of each paradigm of BLiMP; 0 takes all.", min=0)
]
Docs = Annotated[Path, typer.Option(help="Folder of the pages that are written.")]


def _lab(data: Path, work: Path, docs: Path, threads: int) -> Lab:
    """Try the folders, make those that are missing, and only then get torch."""
    from toposcope.experiments.lab import Lab

    for folder in (work, docs):
        folder.mkdir(parents=True, exist_ok=True)
        try_to_write(folder / "page.md")
    from toposcope.models.threads import use_threads

    use_threads(threads)
    return Lab(data, work, docs, tell)


def _write(docs: Path, name: str) -> None:
    """The page of results that were just written."""
    from toposcope.report.pages import write_page

    say(f"wrote {write_page(docs, name)}")


@app.command()
def pages(docs: Docs = Path("docs/results")) -> None:
    """Write all pages of results anew from the data beside them; no model is needed."""
    from toposcope.report.pages import write_pages

    for page in write_pages(docs):
        say(f"wrote {page}")


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
    from toposcope.experiments.table1 import check_table1, run_table1

    check_table1(data, only or [])
    run_table1(_lab(data, work, docs, threads), only or [], seed, add=add)
    _write(docs, "table1")


@app.command()
def heads(
    data: Data,
    work: Work = Path("out/table1"),
    docs: Docs = Path("docs/results"),
    threads: Threads = 0,
) -> None:
    """Number of heads against MCC."""
    from toposcope.experiments.heads import run_heads
    from toposcope.experiments.settings import SETTINGS
    from toposcope.experiments.table1 import check_table1

    check_table1(data, [SETTINGS[0].name])
    run_heads(_lab(data, work, docs, threads))
    _write(docs, "heads")


@app.command()
def small_data(
    data: Data,
    work: Work = Path("out/table1"),
    docs: Docs = Path("docs/results"),
    threads: Threads = 0,
) -> None:
    """Judges from few sentences: what they announce, and what comes true."""
    from toposcope.experiments.settings import SETTINGS
    from toposcope.experiments.small_data import run_small_data
    from toposcope.experiments.table1 import check_table1

    check_table1(data, [SETTINGS[0].name])
    run_small_data(_lab(data, work, docs, threads))
    _write(docs, "small-data")


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
    from toposcope.experiments.readings import check_benchmark
    from toposcope.experiments.table2 import run_table2

    check_benchmark(data)
    for name in model or []:
        check_model(name)
    for _ in run_table2(_lab(data, work, docs, threads), model or [], limit):
        _write(docs, "table2")


@app.command()
def aux_data(
    data: Annotated[Path, typer.Option(help="Folder with blimp/data and blimp_aux.")],
    work: Work = Path("out/table2"),
    docs: Docs = Path("docs/results"),
    limit: Limit = None,
    threads: Threads = 0,
) -> None:
    """How many auxiliary pairs it takes to choose heads."""
    from toposcope.experiments.aux_data import run_aux_data
    from toposcope.experiments.readings import check_benchmark

    check_benchmark(data)
    run_aux_data(_lab(data, work, docs, threads), limit)
    _write(docs, "aux-data")


@app.command()
def generator(
    work: Work = Path("out/generator"), docs: Docs = Path("docs/results"), threads: Threads = 0
) -> None:
    """How often the language model itself prefers the good sentence of generated pairs."""
    from toposcope.experiments.generator import run_generator

    run_generator(_lab(Path(), work, docs, threads))
    _write(docs, "generator")
