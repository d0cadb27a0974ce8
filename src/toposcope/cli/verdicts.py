"""Verdicts as they are printed and written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.text import Text

from toposcope.cli.output import console, one_line, tables

if TYPE_CHECKING:
    from toposcope.judge.judge import Judge, Verdict

ADDED = ("acceptable", "probability")  # columns that a file has of a verdict
LOUDEST = 5
DOUBTFUL = 0.2  # probability of being wrong from which on a word is named
INDENT = " " * 16


def said_of(verdict: Verdict) -> dict[str, Any]:
    """The columns that a file has of a verdict."""
    return {name: getattr(verdict, name) for name in ADDED}


def told_of(text: str, verdict: Verdict, judge: Judge, verbose: bool) -> dict[str, Any]:
    """A verdict for machines."""
    told = {"text": text, **said_of(verdict), "threshold": judge.linear.threshold}
    told["reasons"] = dict(verdict.loudest(LOUDEST))
    if verbose and judge.reads_words:
        told["to blame"] = _doubtful(judge.blame(text))
    return told


def show(texts: Sequence[str], verdicts: Sequence[Verdict], judge: Judge, verbose: bool) -> None:
    """Verdicts for people, one a line, and who spoke under each."""
    out = tables()
    for text, verdict in zip(texts, verdicts, strict=True):
        out.print(_line(text, verdict))
        for line in _reasons(verdict, judge) if verbose else []:
            out.print(Text(f"{INDENT}{one_line(line)}", style="dim"))
    if verbose:
        console.print(f"Acceptable from probability {judge.linear.threshold:.2f} on.", style="dim")


def _line(text: str, verdict: Verdict) -> Text:
    word, style = ("acceptable    ", "green") if verdict.acceptable else ("not acceptable", "red")
    return Text.assemble((word, style), f"  {verdict.probability:.2f}  ", one_line(text))


def _reasons(verdict: Verdict, judge: Judge) -> list[str]:
    """Who spoke, and which words are to blame."""
    lines = [
        f"{name:<15} {weight:+.2f} {'for it' if weight > 0 else 'against it'}"
        for name, weight in verdict.loudest(LOUDEST)
    ]
    blamed = _doubtful(judge.blame(verdict.text)) if judge.reads_words else []
    return [*lines, *(f"{word:<15} {wrong:.2f} to blame" for word, wrong in blamed)]


def _doubtful(blame: list[tuple[str, float]]) -> list[tuple[str, float]]:
    """The words that are probably wrong, the worst first."""
    return sorted((one for one in blame if one[1] >= DOUBTFUL), key=lambda one: -one[1])
