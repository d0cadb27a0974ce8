"""``toposcope judge``: acceptable or not."""

from pathlib import Path
from typing import Annotated

import typer

from toposcope.cli.output import Device, Json, Threads, check_output, print_json, stdin_lines, write_rows
from toposcope.cli.verdicts import need_words, said_of, show, told_of, verdicts_on
from toposcope.errors import InputError

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
    need_words(given)
    judge = Judge.load(by or _judge_of(language or "english"), device)
    use_threads(threads)
    verdicts = verdicts_on(judge, given)
    if output is not None:
        write_rows([{"text": text, **said_of(v)} for text, v in zip(given, verdicts, strict=True)], output)
    if as_json:
        print_json([told_of(text, v, judge, verbose) for text, v in zip(given, verdicts, strict=True)])
    elif verbose or output is None:
        show(given, verdicts, judge, verbose)


def _judge_of(language: str) -> str:
    """The shipped judge of a language, given by name or by its two letters."""
    name = LANGUAGES.get(language.lower(), language.lower())
    if name not in LANGUAGES.values():
        known = ", ".join(f"{name} ({code})" for code, name in LANGUAGES.items())
        raise InputError(
            f"no judge ships for {language!r}, only for {known}; --judge takes a folder or a name."
        )
    return name
