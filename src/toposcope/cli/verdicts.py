"""Verdicts as they are printed and written; a text without words has none, and stops no other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from toposcope.cli.output import one_line, say, tables
from toposcope.data.words import NO_WORDS, has_words
from toposcope.errors import InputError
from toposcope.judge.blame import WORD_BY_WORD

if TYPE_CHECKING:
    from rich.text import Text

    from toposcope.judge.answer import Answer
    from toposcope.judge.verdict import Verdict

ADDED = ("acceptable", "probability", "notes")  # columns that a file has of a verdict
INDENT = " " * 16


def need_words(texts: Sequence[str]) -> None:
    """Refuse texts of which none has words."""
    if not any(map(has_words, texts)):
        which = f"{texts[0]!r} has" if len(texts) == 1 else f"all {len(texts)} texts have"
        raise InputError(f"there is nothing to judge: {which} {NO_WORDS}.")


def said_of(answer: Answer) -> dict[str, Any]:
    """The columns that a file has of a verdict."""
    verdict, notes = answer.verdict, "; ".join(answer.notes)
    said = (None, None, notes) if verdict is None else (verdict.acceptable, verdict.probability, notes)
    return dict(zip(ADDED, said, strict=True))


def show(answers: Sequence[Answer], verbose: bool) -> None:
    """Verdicts for people, one a line, and who spoke under each."""
    from rich.text import Text

    out = tables()
    for answer in answers:
        out.print(_line(answer.text, answer.verdict))
        for line in _reasons(answer) if verbose else []:
            out.print(Text(f"{INDENT}{one_line(line)}", style="dim"))
    if verbose:
        say(f"Acceptable from probability {answers[0].threshold:.2f} on.", "dim")


def _line(text: str, verdict: Verdict | None) -> Text:
    from rich.text import Text

    if verdict is None:
        return Text.assemble(("no verdict    ", "yellow"), f"     -  {text!r}", (f"  ({NO_WORDS})", "dim"))
    notes = (f"  ({'; '.join(verdict.notes)})", "dim") if verdict.notes else ""
    word, style = ("acceptable    ", "green") if verdict.acceptable else ("not acceptable", "red")
    return Text.assemble((word, style), f"  {verdict.probability:.2f}  ", one_line(text), notes)


def _reasons(answer: Answer) -> list[str]:
    """Who spoke, and which words are to blame if it is not acceptable."""
    if answer.verdict is None:
        return []
    lines = [
        f"{name:<15} {weight:+.2f} {'for it' if weight > 0 else 'against it'}"
        for name, weight in answer.verdict.loudest()
    ]
    blame = answer.blame
    if blame is None:
        return lines
    sign, found = ("", "") if blame.found == WORD_BY_WORD else ("+", f", found {blame.found}")
    lines += [f"{word:<15} {much:{sign}.2f} to blame{found}" for word, much in blame.words]
    return [*lines, blame.remark] if blame.remark else lines
