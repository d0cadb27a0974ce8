"""``toposcope judge``: acceptable or not."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from toposcope.cli.output import (
    Device,
    Json,
    Threads,
    check_output,
    console,
    print_json,
    stdin_lines,
    write_rows,
)
from toposcope.errors import InputError

LOUDEST = 5
LANGUAGES = {"en": "english", "it": "italian", "sv": "swedish"}
DOUBTFUL = 0.2  # probability of being wrong from which on a word is named


def judge(
    texts: Annotated[list[str] | None, typer.Argument(help="Sentences; none reads stdin.")] = None,
    file: Annotated[
        Path | None, typer.Option("--file", "-f", help="A .txt, .tsv, .csv, .jsonl or .parquet file.")
    ] = None,
    column: Annotated[str | None, typer.Option(help="Column of the sentences in the file.")] = None,
    language: Annotated[
        str | None,
        typer.Option(
            "--language", "-l", help="english (en), italian (it) or swedish (sv); english by default."
        ),
    ] = None,
    by: Annotated[str | None, typer.Option("--judge", help="A judge's folder or name instead.")] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write a .tsv, .csv, .jsonl or .parquet file.")
    ] = None,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Say which heads spoke, and which words are to blame.")
    ] = False,
    device: Device = "cpu",
    threads: Threads = 0,
    as_json: Json = False,
) -> None:
    """Say of each sentence whether it is acceptable, and how probable that is."""
    from toposcope.data.readers import PLAIN, read_plain
    from toposcope.judge.judge import Judge
    from toposcope.models.threads import use_threads

    if texts and file is not None:
        raise InputError("sentences and --file: give one of them.")
    if column is not None and (file is None or file.suffix in PLAIN):
        raise InputError("--column is for a --file that is a table: .tsv, .csv, .jsonl or .parquet.")
    if by is not None and language is not None:
        raise InputError("--judge and --language: give one of them.")
    given = read_plain(file, column) if file is not None else texts or stdin_lines()
    if not given:
        raise InputError("there is no sentence: give some, or --file, or one a line on stdin.")
    check_output(output)
    judge = Judge.load(by or _judge_of(language or "english"), device)
    use_threads(threads)
    verdicts = judge.verdicts(given)
    rows = [{"text": v.text, "acceptable": v.acceptable, "probability": v.probability} for v in verdicts]
    if output is not None:
        write_rows(rows, output)
        if not (as_json or verbose):
            return
    if as_json:
        threshold, blames = verdicts[0].threshold, verbose and judge.reads_words
        print_json(
            [
                {**row, "threshold": threshold, "reasons": dict(v.loudest(LOUDEST))}
                | ({"to blame": _doubtful(judge.blame(v.text))} if blames else {})
                for row, v in zip(rows, verdicts, strict=True)
            ]
        )
        return
    out = Console(highlight=False, soft_wrap=True)
    for v in verdicts:
        word, style = ("acceptable    ", "green") if v.acceptable else ("not acceptable", "red")
        out.print(Text.assemble((word, style), f"  {v.probability:.2f}  ", v.text))
        if verbose:
            for name, weight in v.loudest(LOUDEST):
                side = "for it" if weight > 0 else "against it"
                out.print(Text(f"                {name:<15} {weight:+.2f} {side}", style="dim"))
            for word, wrong in _doubtful(judge.blame(v.text)) if judge.reads_words else []:
                out.print(Text(f"                {word:<15} {wrong:.2f} to blame", style="dim"))
    if verbose:
        console.print(f"Acceptable from probability {verdicts[0].threshold:.2f} on.", style="dim")


def _judge_of(language: str) -> str:
    """The shipped judge of a language, given by name or by its two letters."""
    name = LANGUAGES.get(language.lower(), language.lower())
    if name not in LANGUAGES.values():
        known = ", ".join(f"{name} ({code})" for code, name in LANGUAGES.items())
        raise InputError(
            f"no judge ships for {language!r}, only for {known}; --judge takes a folder or a name."
        )
    return name


def _doubtful(blame: list[tuple[str, float]]) -> list[tuple[str, float]]:
    """The words that are probably wrong, the worst first."""
    return sorted((one for one in blame if one[1] >= DOUBTFUL), key=lambda one: -one[1])
