"""``toposcope data``: data of our own making."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from toposcope.cli.output import Json, console, print_json

app = typer.Typer(no_args_is_help=True, help="Data of our own making.")
generate = typer.Typer(no_args_is_help=True, help="Make data.")
app.add_typer(generate, name="generate")

Split = Annotated[
    str, typer.Option(help="Words to use: all, or the train or test half, which share no open-class word.")
]


@generate.command()
def pairs(
    per_paradigm: Annotated[int, typer.Option(help="Pairs of each paradigm.", min=1)] = 100,
    seed: Annotated[int, typer.Option(help="The same seed gives the same pairs, everywhere.")] = 0,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="A folder, one file a paradigm, or a .jsonl file for all."),
    ] = None,
    split: Split = "all",
    only: Annotated[
        list[str] | None, typer.Option(help="Paradigms or phenomena to make, instead of all.")
    ] = None,
) -> None:
    """Minimal pairs of English sentences in BLiMP's format, to a file, a folder or stdout."""
    from toposcope.data.pairs.generate import check_target, generate_pairs, line, named, write_pairs

    if output is not None:
        check_target(output)
    made = [p for name in named(only) for p in generate_pairs(name, per_paradigm, seed, split)]
    if output is None:
        sys.stdout.writelines(map(line, made))
        return
    files = write_pairs(made, output)
    where = files[0] if files == [output] else f"{len(files)} files in {output}"
    console.print(f"{len(made)} pairs of {len({p.paradigm.name for p in made})} paradigms: {where}")


@app.command("list")
def list_paradigms(as_json: Json = False) -> None:
    """The paradigms by phenomenon, each with an example."""
    from toposcope.data.pairs.generate import PHENOMENA

    if as_json:
        print_json(
            [
                {
                    "phenomenon": p.phenomenon,
                    "paradigm": p.name,
                    "example": p.summary,
                    "contrast": p.contrast,
                }
                for phenomenon in PHENOMENA
                for p in phenomenon.paradigms
            ]
        )
        return
    for phenomenon in PHENOMENA:
        console.print(f"{phenomenon.name}, {len(phenomenon.paradigms)} paradigms", style="bold")
        for paradigm in phenomenon.paradigms:
            console.print(f"  {paradigm.name}: [dim]{paradigm.summary}[/]")
