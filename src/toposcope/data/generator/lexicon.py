"""A lexicon: all our words, or one of two halves that share no noun, verb, adjective or name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from toposcope.data.generator import nouns, verbs
from toposcope.data.generator.words import Adjective, Name, Noun, Verb, noun, verb
from toposcope.errors import InputError

SPLITS = ("all", "train", "test")
Halves = tuple[tuple[str, ...], tuple[str, ...]]


@dataclass(frozen=True, eq=False)
class Lexicon:
    """Words by what they are good for: nouns by kind, names by gender, verbs by frame."""

    split: str
    nouns: dict[str, tuple[Noun, ...]]
    names: dict[str, tuple[Name, ...]]
    adjectives: tuple[Adjective, ...]
    verbs: dict[str, tuple[Verb, ...]]
    phrases: dict[str, tuple[str, ...]]


PHRASES: dict[str, Halves] = {
    "place": nouns.PLACES,
    "outdoors": nouns.OUTDOORS,
    "past": nouns.PAST_TIMES,
    "habit": nouns.HABITS,
    "future": nouns.FUTURE_TIMES,
    "oblique": verbs.OBLIQUE,
    "raising": verbs.RAISING_ADJECTIVES,
    "control": verbs.CONTROL_ADJECTIVES,
    "tough": verbs.TOUGH_ADJECTIVES,
    "claim": verbs.CLAIMS,
}


@cache
def lexicon(split: str = "all") -> Lexicon:
    """The words of a split."""
    if split not in SPLITS:
        raise InputError(f"split {split!r}: accepted are {', '.join(SPLITS)}.")
    chosen = _chooser(split)
    return Lexicon(
        split,
        {kind: tuple(noun(w, kind) for w in chosen(*halves)) for kind, halves in nouns.NOUNS.items()},
        {gender: tuple(Name(w, gender) for w in chosen(*halves)) for gender, halves in nouns.NAMES.items()},
        tuple(Adjective(w, kinds) for kinds, *halves in nouns.ADJECTIVES for w in chosen(*halves)),
        {frame: _frame(frame, chosen) for frame in verbs.VERBS},
        {
            use: (first if split != "test" else ()) + (second if split != "train" else ())
            for use, (first, second) in PHRASES.items()
        },
    )


def _chooser(split: str) -> Callable[[str, str], list[str]]:
    """Which words of a half for training and a half for testing belong to a split."""

    def chosen(train: str, test: str) -> list[str]:
        return {"train": train, "test": test, "all": f"{train} {test}"}[split].split()

    return chosen


def _frame(frame: str, chosen: Callable[[str, str], list[str]]) -> tuple[Verb, ...]:
    """All verbs of a frame, those of states last."""
    tables = ((verbs.VERBS, False), (verbs.STATIVE, True))
    return tuple(
        verb(word, objects, stative)
        for table, stative in tables
        for objects, *halves in table.get(frame, ())
        for word in chosen(*halves)
    )
