"""``toposcope compare``: which of two sentences is the acceptable one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from toposcope.cli.output import Json, Threads, console, print_json, tables
from toposcope.errors import InputError

if TYPE_CHECKING:
    from toposcope.pairs.compare import Comparison

PICTURES = (".svg", ".png", ".pdf")
LOUDEST = 8


def compare(
    first: Annotated[str, typer.Argument(help="A sentence.")],
    second: Annotated[str, typer.Argument(help="Another one, best a very similar one.")],
    model: Annotated[
        str, typer.Option("--model", "-m", help="A model's name or folder.")
    ] = "bert-base-cased",
    heads: Annotated[
        list[str] | None,
        typer.Option(help="Selections of heads, files or names; by default those that ship for the model."),
    ] = None,
    match: Annotated[
        str, typer.Option(help="How unequal lengths are made equal for RTD: align, head or tail.")
    ] = "align",
    draw: Annotated[Path | None, typer.Option(help="Write the picture: a .svg, .png or .pdf file.")] = None,
    threads: Threads = 0,
    as_json: Json = False,
) -> None:
    """Say which of two sentences is the acceptable one, and what each head says."""
    from toposcope.models.load import load
    from toposcope.models.threads import use_threads
    from toposcope.pairs.compare import compare as compare_sentences
    from toposcope.pairs.selection import Selection

    if draw is not None and draw.suffix not in PICTURES:
        raise InputError(f"{draw.name}: accepted are names that end in {', '.join(PICTURES)}.")
    selections = None if heads is None else [Selection.load(name) for name in heads]
    use_threads(threads)
    found = compare_sentences(load(model), first, second, match=match, selections=selections)
    if draw is not None:
        found.plot(draw)
    if as_json:
        print_json(found.to_dict())
    else:
        _show(found)
    if draw is not None:
        console.print(f"wrote {draw}", style="dim")


def _show(found: Comparison) -> None:
    from toposcope.pairs.compare import WORDS
    from toposcope.topology.attention import head_name

    out = tables()
    out.print(
        {1: "The first is preferred.", -1: "The second is preferred.", 0: "A tie."}[found.prefers],
        style="bold",
    )
    opinions = Table(
        "asked", "prefers", "margin", "votes first / second / ties", "accuracy by CV", box=None
    )
    for o in found.opinions:
        votes = "" if o.votes is None else " / ".join(map(str, o.votes))
        accuracy = "" if o.accuracy is None else f"{o.accuracy:.1%}"
        opinions.add_row(o.name, WORDS[o.prefers], f"{o.margin:+.2f}", votes, accuracy)
    if found.likelihood is not None:
        a, b = found.likelihood
        word = WORDS[(a > b) - (a < b)]
        opinions.add_row(f"language model ({found.likelihood_method})", word, f"{a - b:+.2f}", "", "")
    out.print(opinions)
    n, m, matched = found.matched
    out.print(f"\n{n} and {m} tokens, {matched} matched for RTD; {found.symmetry} graph.", style="dim")
    table = Table(
        "head", "H0M first", "H0M second", "RTD(1,2)", "H0 + cycles", "RTD(2,1)", "H0 + cycles", box=None
    )  # fmt: skip
    for place in found.loudest(LOUDEST):
        v = {name: values[place] for name, values in found.heads.items()}
        table.add_row(
            head_name(*place),
            f"{v['h0m_first']:.4f}",
            f"{v['h0m_second']:.4f}",
            f"{v['rtd_first_second']:.4f}",
            f"{v['rtd_h0_first_second']:.4f} + {v['rtd_cycles_first_second']:.4f}",
            f"{v['rtd_second_first']:.4f}",
            f"{v['rtd_h0_second_first']:.4f} + {v['rtd_cycles_second_first']:.4f}",
        )
    out.print(table)
