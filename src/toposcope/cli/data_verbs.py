"""``toposcope data``: data of our own making."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from toposcope.cli.output import Force, Json, check_folder, check_output, print_json, say, tables
from toposcope.files import whole_folder

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
    force: Force = False,
) -> None:
    """Minimal pairs of English sentences in BLiMP's format, to a file, a folder or stdout."""
    from toposcope.data.generator.generate import check_target, generate_pairs, line, named, write_pairs

    names, where = named(only), str(output)
    if output is not None:
        check_target(output)
        if output.suffix and not output.is_dir():
            check_output(output, (".jsonl",), force=force)
        else:
            check_folder(output, [f"{name}.jsonl" for name in names], force=force)
            where = f"{len(names)} files in {output}"
    made = [p for name in names for p in generate_pairs(name, per_paradigm, seed, split)]
    if output is None:
        sys.stdout.writelines(map(line, made))
        return
    if output.suffix and not output.is_dir():
        write_pairs(made, output)
    else:
        with whole_folder(output) as place:
            write_pairs(made, place)
    say(f"{len(made)} pairs of {len(names)} paradigms: {where}")


@app.command("list")
def list_paradigms(as_json: Json = False) -> None:
    """The paradigms by phenomenon, each with an example."""
    from toposcope.data.generator.generate import PHENOMENA

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
    from rich.text import Text

    out = tables()
    for phenomenon in PHENOMENA:
        out.print(f"{phenomenon.name}, {len(phenomenon.paradigms)} paradigms", style="bold")
        for paradigm in phenomenon.paradigms:
            out.print(Text.assemble(f"  {paradigm.name}: ", (paradigm.summary, "dim")))
