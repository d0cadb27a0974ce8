"""``toposcope judge``: acceptable or not."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from toposcope.cli.data import RejectsFile, Strict, check_rejects, say_rejected, write_rejects
from toposcope.cli.output import (
    Device,
    Force,
    Json,
    Threads,
    check_output,
    print_json,
    say,
    stdin_lines,
)
from toposcope.cli.verdicts import ADDED, need_words, said_of, show
from toposcope.data.words import NO_WORDS, has_words
from toposcope.errors import InputError

if TYPE_CHECKING:
    from toposcope.data.readers import Unlabelled
    from toposcope.judge.answer import Answer
    from toposcope.judge.judge import Judge

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
    from toposcope.data.writers import writer_beside

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
    from toposcope.judge.answer import judge_texts
    from toposcope.judge.judge import Judge

    asked = Judge.load(name, device)
    from toposcope.models.threads import use_threads

    use_threads(threads)
    answers = judge_texts(given.texts, asked, blame=verbose)
    _warn(asked, answers, file)
    if write is not None:
        write([said_of(answer) for answer in answers])
    if as_json:
        print_json([answer.to_dict(blame=verbose) for answer in answers])
    elif verbose or output is None:
        show(answers, verbose)


def _warn(judge: Judge, answers: Sequence[Answer], file: Path | None) -> None:
    """Say that a judge is none, and what got no verdict."""
    from toposcope.judge.card import NOTHING

    if not judge.linear.finds_something:
        say(f"This judge is no use. {NOTHING.replace('**', '')}", "yellow")
    without = sum(answer.verdict is None for answer in answers)
    if file is None and without:  # those of a file were told when it was read
        say(f"no verdict on {without} of {len(answers)} texts: {NO_WORDS}.", "yellow")


def _check_options(
    texts: list[str] | None, file: Path | None, column: str | None, by: str | None, language: str | None
) -> None:
    """Refuse options that contradict each other."""
    from toposcope.data.readers import PLAIN

    if texts and file is not None:
        raise InputError("sentences and --file: give one of them.")
    if column is not None and (file is None or file.suffix in PLAIN):
        raise InputError("--column is for a --file that is a table: .tsv, .csv, .jsonl or .parquet.")
    if by is not None and language is not None:
        raise InputError("--judge and --language: give one of them.")


def _given(
    texts: list[str] | None, file: Path | None, column: str | None, strict: bool, rows: bool
) -> Unlabelled:
    """Everything that is read, with the rows it stands in if they are wanted."""
    from toposcope.data.readers import Unlabelled, read_texts

    if file is None:
        texts = texts or stdin_lines()
        found = Unlabelled(texts, [{"text": text} for text in texts])
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
