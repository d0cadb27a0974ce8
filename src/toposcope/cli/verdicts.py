"""Verdicts as they are printed and written; a text without words has none, and stops no other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.text import Text

from toposcope.cli.output import console, one_line, tables
from toposcope.data.words import NO_WORDS, has_words
from toposcope.errors import InputError
from toposcope.judge.blame import WORD_BY_WORD, find_blame

if TYPE_CHECKING:
    from toposcope.judge.judge import Judge
    from toposcope.judge.verdict import Verdict

ADDED = ("acceptable", "probability", "notes")  # columns that a file has of a verdict
LOUDEST = 5
INDENT = " " * 16


def need_words(texts: Sequence[str]) -> None:
    """Refuse texts of which none has words."""
    if not any(map(has_words, texts)):
        which = f"{texts[0]!r} has" if len(texts) == 1 else f"all {len(texts)} texts have"
        raise InputError(f"there is nothing to judge: {which} {NO_WORDS}.")


def verdicts_on(judge: Judge, texts: Sequence[str], words: bool) -> list[Verdict | None]:
    """Verdicts on those with words, from one pass, and None for the others."""
    said = iter(judge.decide(judge.read([text for text in texts if has_words(text)], words=words)))
    verdicts = [next(said) if has_words(text) else None for text in texts]
    from toposcope.judge.card import NOTHING

    if not judge.linear.finds_something:
        console.print(f"This judge is no use. {NOTHING.replace('**', '')}", style="yellow")
    return verdicts


def said_of(verdict: Verdict | None) -> dict[str, Any]:
    """The columns that a file has of a verdict."""
    if verdict is None:
        return dict(zip(ADDED, (None, None, NO_WORDS), strict=True))
    said = (verdict.acceptable, verdict.probability, "; ".join(verdict.notes))
    return dict(zip(ADDED, said, strict=True))


def told_of(text: str, verdict: Verdict | None, judge: Judge, verbose: bool) -> dict[str, Any]:
    """A verdict for machines."""
    notes = [NO_WORDS] if verdict is None else [*verdict.notes]
    told = {"text": text, **said_of(verdict), "notes": notes, "threshold": judge.linear.threshold}
    told["reasons"] = {} if verdict is None else dict(verdict.loudest(LOUDEST))
    if verdict is None or not verbose:
        return told
    if verdict.acceptable:
        return {**told, "to blame": []}
    blame = find_blame(judge, verdict)
    told |= {"to blame": [list(one) for one in blame.words], "blame found": blame.found}
    return {**told, "blame remark": blame.remark} if blame.remark else told


def show(texts: Sequence[str], verdicts: Sequence[Verdict | None], judge: Judge, verbose: bool) -> None:
    """Verdicts for people, one a line, and who spoke under each."""
    out = tables()
    for text, verdict in zip(texts, verdicts, strict=True):
        out.print(_line(text, verdict))
        for line in _reasons(verdict, judge) if verdict is not None and verbose else []:
            out.print(Text(f"{INDENT}{one_line(line)}", style="dim"))
    if verbose:
        console.print(f"Acceptable from probability {judge.linear.threshold:.2f} on.", style="dim")


def _line(text: str, verdict: Verdict | None) -> Text:
    if verdict is None:
        return Text.assemble(("no verdict    ", "yellow"), f"     -  {text!r}", (f"  ({NO_WORDS})", "dim"))
    notes = (f"  ({'; '.join(verdict.notes)})", "dim") if verdict.notes else ""
    word, style = ("acceptable    ", "green") if verdict.acceptable else ("not acceptable", "red")
    return Text.assemble((word, style), f"  {verdict.probability:.2f}  ", one_line(text), notes)


def _reasons(verdict: Verdict, judge: Judge) -> list[str]:
    """Who spoke, and which words are to blame if it is not acceptable."""
    lines = [
        f"{name:<15} {weight:+.2f} {'for it' if weight > 0 else 'against it'}"
        for name, weight in verdict.loudest(LOUDEST)
    ]
    if verdict.acceptable:
        return lines
    blame = find_blame(judge, verdict)
    sign, found = ("", "") if blame.found == WORD_BY_WORD else ("+", f", found {blame.found}")
    lines += [f"{word:<15} {much:{sign}.2f} to blame{found}" for word, much in blame.words]
    return [*lines, blame.remark] if blame.remark else lines
