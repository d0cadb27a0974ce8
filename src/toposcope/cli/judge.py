"""``toposcope judge``: acceptable or not."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

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
from toposcope.data.words import NO_WORDS, has_words
from toposcope.errors import InputError
from toposcope.judge.blame import WORD_BY_WORD, find_blame

if TYPE_CHECKING:
    from toposcope.judge.judge import Judge, Verdict

LOUDEST = 5
LANGUAGES = {"en": "english", "it": "italian", "sv": "swedish"}


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
    texts_with_words = [text for text in given if has_words(text)]
    if not texts_with_words:
        which = f"{given[0]!r} has" if len(given) == 1 else f"all {len(given)} texts have"
        raise InputError(f"there is nothing to judge: {which} {NO_WORDS}.")
    judge = Judge.load(by or _judge_of(language or "english"), device)
    use_threads(threads)
    said = iter(judge.verdicts(texts_with_words))
    verdicts = [next(said) if has_words(text) else None for text in given]
    if without := verdicts.count(None):
        console.print(f"no verdict on {without} of {len(given)} texts: {NO_WORDS}.", style="yellow")
    rows = [_row(text, verdict) for text, verdict in zip(given, verdicts, strict=True)]
    if output is not None:
        write_rows([{**row, "notes": "; ".join(row["notes"])} for row in rows], output)
        if not (as_json or verbose):
            return
    threshold = next(v.threshold for v in verdicts if v is not None)
    if as_json:
        print_json(
            [
                {**row, "threshold": threshold, "reasons": dict(v.loudest(LOUDEST)) if v else {}}
                | (_blame(judge, v) if v and verbose else {})
                for row, v in zip(rows, verdicts, strict=True)
            ]
        )
        return
    out = Console(highlight=False, soft_wrap=True)
    for row, v in zip(rows, verdicts, strict=True):
        out.print(_line(row))
        if verbose and v is not None:
            out.print(Text("\n".join(f"{' ' * 16}{line}" for line in _reasons(judge, v)), style="dim"))
    if verbose:
        console.print(f"Acceptable from probability {threshold:.2f} on.", style="dim")


def _row(text: str, verdict: Verdict | None) -> dict[str, Any]:
    """What is told of a text; without words it has no verdict, and a note says why."""
    if verdict is None:
        return {"text": text, "acceptable": None, "probability": None, "notes": [NO_WORDS]}
    v = verdict
    return {"text": v.text, "acceptable": v.acceptable, "probability": v.probability, "notes": [*v.notes]}


def _line(row: Mapping[str, Any]) -> Text:
    """A verdict in words."""
    notes = (f"  ({'; '.join(row['notes'])})", "dim") if row["notes"] else ""
    if row["acceptable"] is None:
        return Text.assemble(("no verdict    ", "yellow"), "     -  ", repr(row["text"]), notes)
    word, style = ("acceptable    ", "green") if row["acceptable"] else ("not acceptable", "red")
    return Text.assemble((word, style), f"  {row['probability']:.2f}  ", row["text"], notes)


def _reasons(judge: Judge, verdict: Verdict) -> list[str]:
    """Who spoke, and which words are to blame if it is not acceptable."""
    lines = [
        f"{name:<15} {weight:+.2f} {'for it' if weight > 0 else 'against it'}"
        for name, weight in verdict.loudest(LOUDEST)
    ]
    if verdict.acceptable:
        return lines
    blame = find_blame(judge, verdict.text)
    sign, found = ("", "") if blame.found == WORD_BY_WORD else ("+", f", found {blame.found}")
    lines += [f"{word:<15} {much:{sign}.2f} to blame{found}" for word, much in blame.words]
    return [*lines, blame.remark] if blame.remark else lines


def _blame(judge: Judge, verdict: Verdict) -> dict[str, Any]:
    """The same for JSON."""
    if verdict.acceptable:
        return {"to blame": []}
    blame = find_blame(judge, verdict.text)
    found = {"to blame": [list(one) for one in blame.words], "blame found": blame.found}
    return found | ({"blame remark": blame.remark} if blame.remark else {})


def _judge_of(language: str) -> str:
    """The shipped judge of a language, given by name or by its two letters."""
    name = LANGUAGES.get(language.lower(), language.lower())
    if name not in LANGUAGES.values():
        known = ", ".join(f"{name} ({code})" for code, name in LANGUAGES.items())
        raise InputError(
            f"no judge ships for {language!r}, only for {known}; --judge takes a folder or a name."
        )
    return name
