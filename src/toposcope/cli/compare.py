"""``toposcope compare``: which of two sentences is the acceptable one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from toposcope.cli.checks import check_match, check_model
from toposcope.cli.output import (
    PICTURES,
    Force,
    Json,
    Threads,
    check_output,
    one_line,
    print_json,
    say,
    tables,
)
from toposcope.files import whole

if TYPE_CHECKING:
    from toposcope.pairs.comparison import Comparison


def compare(
    a: Annotated[str, typer.Argument(help="A sentence.")],
    b: Annotated[str, typer.Argument(help="Another one, best a very similar one.")],
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
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Say which of two sentences is the acceptable one, and what each head says."""
    from toposcope.pairs.compare import compare_pair
    from toposcope.pairs.selection import Selection

    check_match(match)
    check_output(draw, PICTURES, inputs=(*(heads or []), model), force=force)
    selections = None if heads is None else [Selection.load(name) for name in heads]
    check_model(model)
    from toposcope.models.threads import use_threads

    use_threads(threads)
    found = compare_pair(a, b, model, match=match, selections=selections)
    if draw is not None:
        with whole(draw) as place:
            found.plot(place)
    if as_json:
        print_json(found.to_dict())
    else:
        _show(found)
    if draw is not None:
        say(f"wrote {draw}", "dim")


def _show(found: Comparison) -> None:
    from rich.table import Table
    from rich.text import Text

    from toposcope.pairs.comparison import side_of
    from toposcope.topology.head import Head

    out = tables()
    for side, text in (("a", found.a), ("b", found.b)):
        preferred = found.preferred == side
        style = "bold green" if preferred else ""
        out.print(Text(f"{side}  {one_line(text)}{'   preferred' if preferred else ''}", style))
    if found.preferred == "tie":
        out.print("A tie.", style="bold")
    out.print()
    opinions = Table("asked", "prefers", "margin", "votes a / b / ties", "accuracy by CV", box=None)
    for o in found.opinions:
        votes = "" if o.votes is None else " / ".join(map(str, o.votes))
        accuracy = "" if o.accuracy is None else f"{o.accuracy:.1%}"
        opinions.add_row(o.name, o.preferred, f"{o.margin:+.2f}", votes, accuracy)
    if found.likelihood is not None:
        a, b = found.likelihood
        opinions.add_row(
            f"language model ({found.likelihood_method})", side_of(a - b), f"{a - b:+.2f}", "", ""
        )
    out.print(opinions)
    n, m, matched = found.matched
    out.print(f"\n{n} and {m} tokens, {matched} matched for RTD; {found.symmetry} graph.", style="dim")
    table = Table(
        "head", "H0M a", "H0M b", "RTD(a,b)", "H0 + cycles", "RTD(b,a)", "H0 + cycles", box=None
    )  # fmt: skip
    for place in found.loudest():
        v = {name: values[place] for name, values in found.heads.items()}
        table.add_row(
            str(Head(*place)),
            f"{v['h0_mean_a']:.4f}",
            f"{v['h0_mean_b']:.4f}",
            f"{v['rtd_ab']:.4f}",
            f"{v['rtd_ab_h0']:.4f} + {v['rtd_ab_cycles']:.4f}",
            f"{v['rtd_ba']:.4f}",
            f"{v['rtd_ba_h0']:.4f} + {v['rtd_ba_cycles']:.4f}",
        )
    out.print(table)
