"""``toposcope reproduce``: an experiment of the paper end to end, its numbers beside ours."""

from pathlib import Path
from typing import Annotated

import typer

from toposcope.cli.output import Threads, console

app = typer.Typer(no_args_is_help=True, help="Experiments of the paper, end to end.")

Data = Annotated[Path, typer.Option(help="Folder in which the files of the corpora lie.")]
Work = Annotated[Path, typer.Option(help="Folder of what is kept between runs; start again to go on.")]
Docs = Annotated[Path, typer.Option(help="Folder of the pages that are written.")]


def _tell(message: str) -> None:
    console.print(message, style="dim")


@app.command()
def table1(
    data: Data,
    work: Work = Path("out/table1"),
    docs: Docs = Path("docs/results"),
    only: Annotated[
        list[str] | None, typer.Option(help="Settings, e.g. bert-base-cased/cola/lora, or how they begin.")
    ] = None,
    seed: Annotated[list[int] | None, typer.Option(help="Seeds to run, instead of all.")] = None,
    threads: Threads = 0,
) -> None:
    """CoLA, ItaCoLA and DaLAJ: baselines and topology, frozen and tuned."""
    from toposcope.models.threads import use_threads
    from toposcope.report.reproduce import reproduce_table1

    use_threads(threads)
    console.print(f"wrote {reproduce_table1(data, work, docs, only or [], seed, _tell)}")


@app.command()
def heads(
    data: Data,
    work: Work = Path("out/table1"),
    docs: Docs = Path("docs/results"),
    threads: Threads = 0,
) -> None:
    """Number of heads against MCC."""
    from toposcope.models.threads import use_threads
    from toposcope.report.reproduce import reproduce_heads

    use_threads(threads)
    console.print(f"wrote {reproduce_heads(data, work, docs, _tell)}")
