"""Rows that cannot be used: where they stand, and why. Nothing is left out in silence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from toposcope.data.words import NO_WORDS, has_words
from toposcope.errors import InputError

NUL = "\0"


@dataclass(frozen=True)
class Reject:
    """What cannot be used: its ``file``, the ``place`` there, the reason, and the ``texts`` themselves."""

    file: str
    place: str
    reason: str
    texts: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.file}, {self.place}: {self.reason}"


class Rejects:
    """Collects what a reader cannot use; if it is ``strict``, the first one is an InputError."""

    def __init__(self, strict: bool = False) -> None:
        """See the class."""
        self.strict = strict
        self.found: list[Reject] = []

    def add(self, file: str, place: str, reason: str, *texts: Any) -> None:
        """Leave something out."""
        reject = Reject(file, place, reason, tuple("" if text is None else str(text) for text in texts))
        if self.strict:
            raise InputError(f"{reject}.")
        self.found.append(reject)

    def nothing_left(self, names: str, what: str) -> InputError:
        """What to say where nothing can be used."""
        if not self.found:
            return InputError(f"{names} holds no rows.")
        told = _and_first(f"{len(self.found)}", self.found)
        return InputError(f"{names}: no {what} can be used, {told}.")


def summary(rejects: Sequence[Reject], kept: int, what: str) -> str:
    """How many of what there is were left out, and what was the first.

    >>> summary([Reject("a.tsv", "line 17", "the label is 'x'")], 999, "sentences")
    "1 of 1,000 sentences rejected (first: a.tsv, line 17: the label is 'x')"
    """
    return _and_first(f"{len(rejects):,} of {len(rejects) + kept:,} {what}", rejects)


def _and_first(count: str, rejects: Sequence[Reject]) -> str:
    return f"{count} rejected (first: {rejects[0]})"


def why_not(value: Any, what: str = "sentence") -> str:
    """Why a value is no sentence that anybody could judge; nothing if it is one."""
    if not isinstance(value, str) or not value.strip():
        return f"the {what} is {value!r}"
    if NUL in value:
        return f"the {what} holds a NUL"
    return "" if has_words(value) else f"the {what} is {value!r}: {NO_WORDS}"
