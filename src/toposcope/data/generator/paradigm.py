"""Minimal pairs and what they are about: a paradigm is one contrast, a phenomenon several paradigms."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from toposcope.data.generator.speaker import Speaker

Contrast = Literal["form", "word", "length", "order", "phrase"]
Make = Callable[[Speaker], tuple[str, str]]


@dataclass(frozen=True)
class Paradigm:
    """One way to make minimal pairs.

    ``contrast`` says how the two sentences differ: in the form of one word, in one word, by words that only
    one of them has, in the order of the same words, or in a phrase. ``decisive``: after what they share at
    the beginning, the first word that differs already tells the good from the bad.
    """

    name: str
    phenomenon: str
    field: str
    contrast: Contrast
    decisive: bool
    make: Make

    @property
    def summary(self) -> str:
        """The first line of what is written about it."""
        return self._written[0]

    @property
    def note(self) -> str:
        """What is written about it below the first line, on one line."""
        return " ".join(" ".join(self._written[1:]).split())

    @property
    def _written(self) -> list[str]:
        return (self.make.__doc__ or "").strip().split("\n")


@dataclass(frozen=True)
class Phenomenon:
    """A phenomenon of grammar under BLiMP's name, and its paradigms in the order they were written."""

    name: str
    field: str
    paradigms: list[Paradigm] = dataclasses.field(default_factory=list)

    def paradigm(self, contrast: Contrast, decisive: bool = False) -> Callable[[Make], Make]:
        """Enter the function below as a paradigm of its name."""

        def enter(make: Make) -> Make:
            name = make.__name__
            self.paradigms.append(Paradigm(name, self.name, self.field, contrast, decisive, make))
            return make

        return enter


@dataclass(frozen=True)
class Pair:
    """An acceptable sentence and one that is not, as alike as can be."""

    good: str
    bad: str
    paradigm: Paradigm
    number: int

    def row(self) -> dict[str, str | bool]:
        """The pair in BLiMP's format."""
        row: dict[str, str | bool] = {"sentence_good": self.good, "sentence_bad": self.bad}
        if self.paradigm.decisive:
            row |= self._prefix()
        return row | {
            "field": self.paradigm.field,
            "linguistics_term": self.paradigm.phenomenon,
            "UID": self.paradigm.name,
            "simple_LM_method": True,
            "one_prefix_method": self.paradigm.decisive,
            "two_prefix_method": False,
            "lexically_identical": self.paradigm.contrast in ("form", "order"),
            "pairID": str(self.number),
        }

    def _prefix(self) -> dict[str, str]:
        """What the sentences share at their beginning and the words that follow."""
        good, bad = self.good[:-1].split(), self.bad[:-1].split()
        same = next(k for k, (a, b) in enumerate(zip(good, bad, strict=False)) if a != b)
        return {
            "one_prefix_prefix": " ".join(good[:same]),
            "one_prefix_word_good": good[same],
            "one_prefix_word_bad": bad[same],
        }
