"""``toposcope judge``: acceptable or not."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from toposcope.cli.data import RejectsFile, Strict, check_rejects, say_rejected, write_rejects
from toposcope.cli.output import (
    Device,
    Force,
    Json,
    Threads,
    check_output,
    console,
    print_json,
    stdin_lines,
)
from toposcope.cli.verdicts import ADDED, need_words, said_of, show, told_of, verdicts_on
from toposcope.data.readers import PLAIN, Texts, read_texts
from toposcope.data.words import NO_WORDS, has_words
from toposcope.data.writers import writer_beside
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
    rejects: RejectsFile = None,
    strict: Strict = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Say which heads spoke, and which words are to blame.")
    ] = False,
    device: Device = "cpu",
    threads: Threads = 0,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Say of each sentence whether it is acceptable, and how probable that is."""
    _check_options(texts, file, column, by, language)
    if file is None and (rejects is not None or strict):
        raise InputError("--rejects and --strict are for the rows of a --file.")
    name = by or _judge_of(language or "english")
    check_output(output, inputs=(file, name), force=force)
    check_rejects(rejects, (file, name), output, force)
    given = _given(texts, file, column, strict, output is not None)
    write = None if output is None else writer_beside(output, given.rows, ADDED, file)
    write_rejects(given.rejects, rejects)
    need_words(given.texts)
    from toposcope.judge.judge import Judge

    judge = Judge.load(name, device)
    from toposcope.models.threads import use_threads

    use_threads(threads)
    verdicts = verdicts_on(judge, given.texts, verbose)
    if file is None and (without := verdicts.count(None)):
        console.print(f"no verdict on {without} of {len(verdicts)} texts: {NO_WORDS}.", style="yellow")
    if write is not None:
        write([said_of(verdict) for verdict in verdicts])
    if as_json:
        print_json([told_of(*both, judge, verbose) for both in zip(given.texts, verdicts, strict=True)])
    elif verbose or output is None:
        show(given.texts, verdicts, judge, verbose)


def _check_options(
    texts: list[str] | None, file: Path | None, column: str | None, by: str | None, language: str | None
) -> None:
    """Refuse options that contradict each other."""
    if texts and file is not None:
        raise InputError("sentences and --file: give one of them.")
    if column is not None and (file is None or file.suffix in PLAIN):
        raise InputError("--column is for a --file that is a table: .tsv, .csv, .jsonl or .parquet.")
    if by is not None and language is not None:
        raise InputError("--judge and --language: give one of them.")


def _given(
    texts: list[str] | None, file: Path | None, column: str | None, strict: bool, rows: bool
) -> Texts:
    """Everything that is read, with the rows it stands in if they are wanted."""
    if file is None:
        texts = texts or stdin_lines()
        found = Texts(texts, [{"text": text} for text in texts])
        _check_characters(texts)
    else:
        found = read_texts(file, column, with_rows=rows, strict=strict)
        say_rejected(found.rejects, sum(map(has_words, found.texts)), "sentences")
    if not found.texts:
        raise InputError("there is no sentence: give some, or --file, or one a line on stdin.")
    return found


def _check_characters(texts: Sequence[str]) -> None:
    """Refuse what is no text, such as bytes of the command line that are not UTF-8."""
    for text in texts:
        if "\0" in text or any("\ud800" <= letter <= "\udfff" for letter in text):
            raise InputError(f"{text!r} holds a NUL, or bytes that are not UTF-8: give a text in UTF-8.")


def _judge_of(language: str) -> str:
    """The shipped judge of a language, given by name or by its two letters."""
    name = LANGUAGES.get(language.lower(), language.lower())
    if name not in LANGUAGES.values():
        known = ", ".join(f"{name} ({code})" for code, name in LANGUAGES.items())
        raise InputError(
            f"no judge ships for {language!r}, only for {known}; --judge takes a folder or a name."
        )
    return name
