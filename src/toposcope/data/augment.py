"""Augmentation: acceptable sentences spoiled on purpose, for a model to learn from before it sees the data.

Corpora hold few unacceptable sentences, but right ones are easily made wrong, in any language: take another
form of a word (one that begins alike), another common word, exchange two words, leave out a common word or
put one in. Now and then the result is still acceptable, so these come before the data, not among it.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from random import Random

import numpy as np

from toposcope.data.sentences import Sentences
from toposcope.errors import InputError

PIECE = re.compile(r"\w+['’]?|[^\w\s]|\s+")
COMMON = 60  # so many of the commonest words are taken for those that hold sentences together
ENDING = 3  # letters in which the forms of a word may differ at most
STEM, SHARE = 3, 0.6  # letters in which they agree at least, and of how much of the word
TRIES = 20  # before a sentence is given up

Spoil = Callable[[list[str], list[int], "Vocabulary", Random], bool]


@dataclass(frozen=True)
class Vocabulary:
    """``common`` words, each as often as it stands in a text, and the other ``forms`` of all words.

    Only words that are written small somewhere are known: a name for a name would change nothing.
    """

    known: frozenset[str]
    common: tuple[str, ...]
    often: tuple[int, ...]
    forms: Mapping[str, tuple[str, ...]]

    @classmethod
    def of(cls, texts: Iterable[str]) -> Vocabulary:
        """Learn the words of texts."""
        counts = Counter(piece for text in texts for piece in PIECE.findall(text) if piece.islower())
        counts = Counter({word: n for word, n in counts.items() if word.isalpha()})
        common = sorted(counts, key=lambda word: (-counts[word], word))[:COMMON]
        begin_alike: dict[str, set[str]] = defaultdict(set)
        for word in counts:
            for stem in _stems(word):
                begin_alike[stem].add(word)
        forms = {
            word: tuple(sorted(set().union(*(begin_alike[stem] for stem in _stems(word))) - {word}))
            for word in counts
        }
        return cls(frozenset(counts), tuple(common), tuple(counts[word] for word in common), forms)

    def any_common(self, rng: Random) -> str:
        """One of the common words, each as probable as it is common."""
        return rng.choices(self.common, self.often)[0]


def spoiled_sentences(sentences: Sentences, versions: int = 2, seed: int = 0) -> Sentences:
    """Acceptable sentences, each ``versions`` times, and as many spoiled ones, in pairs.

    A spoiled one never is one of ``sentences``. What is changed depends on ``seed`` alone.

    >>> made = spoiled_sentences(Sentences(("the cat is here", "is the dog here"), np.array([1, 1])), 1)
    >>> made.labels.tolist(), made.pairs.tolist()
    ([1, 0, 1, 0], [0, 0, 1, 1])
    """
    rng, vocabulary = Random(seed), Vocabulary.of(sentences.texts)
    given = set(sentences.texts)
    right = dict.fromkeys(t for t, label in zip(sentences.texts, sentences.labels, strict=True) if label)
    pairs = [
        (text, wrong)
        for _ in range(versions)
        for text in right
        if (wrong := _spoiled(text, vocabulary, rng)) is not None and wrong not in given
    ]
    if not pairs:
        raise InputError(
            f"{sentences.name}: no sentence can be spoiled; augmentation needs acceptable ones."
        )
    return Sentences(
        tuple(text for pair in pairs for text in pair),
        np.tile([1, 0], len(pairs)),
        f"{sentences.name}, spoiled",
        pairs=np.repeat(np.arange(len(pairs)), 2),
    )


def _spoiled(text: str, vocabulary: Vocabulary, rng: Random) -> str | None:
    """The text with one thing wrong, None where no way was found."""
    for _ in range(TRIES):
        pieces = PIECE.findall(text)
        words = [k for k, piece in enumerate(pieces) if piece[0].isalpha()]
        if len(words) < 2:
            return None
        if rng.choices(list(WAYS), list(WAYS.values()))[0](pieces, words, vocabulary, rng):
            spoiled = " ".join("".join(pieces).split())
            return spoiled[:1].upper() + spoiled[1:] if text[0].isupper() else spoiled
    return None


def _another_form(pieces: list[str], words: list[int], vocabulary: Vocabulary, rng: Random) -> bool:
    """The cats sleep: the cats sleeping."""
    return _replace(
        pieces, [k for k in words if vocabulary.forms.get(pieces[k].lower())], rng,
        lambda word: rng.choice(vocabulary.forms[word]),
    )  # fmt: skip


def _another_word(pieces: list[str], words: list[int], vocabulary: Vocabulary, rng: Random) -> bool:
    """The book on the table: the book what the table."""
    return _replace(
        pieces, _common_places(pieces, words, vocabulary), rng, lambda word: vocabulary.any_common(rng)
    )


def _exchange(pieces: list[str], words: list[int], vocabulary: Vocabulary, rng: Random) -> bool:
    """She has seen him: she seen has him. Neighbours, now and then the next but one."""
    first = rng.randrange(len(words) - 1)
    a, b = words[first], words[min(first + rng.choice((1, 1, 2)), len(words) - 1)]
    if pieces[a].lower() == pieces[b].lower():
        return False
    begins = pieces[a].lower() if pieces[a].lower() in vocabulary.known else pieces[a]
    pieces[a], pieces[b] = pieces[b], begins
    return True


def _leave_out(pieces: list[str], words: list[int], vocabulary: Vocabulary, rng: Random) -> bool:
    """She looked at him: she looked him."""
    places = _common_places(pieces, words, vocabulary)
    if places:
        pieces[rng.choice(places)] = ""
    return bool(places)


def _put_in(pieces: list[str], words: list[int], vocabulary: Vocabulary, rng: Random) -> bool:
    """She saw him: she saw of him."""
    if not vocabulary.common:
        return False
    place = rng.choice(words[1:])
    pieces[place] = f"{vocabulary.any_common(rng)} {pieces[place]}"
    return True


WAYS: dict[Spoil, int] = {_another_form: 3, _another_word: 3, _exchange: 2, _leave_out: 2, _put_in: 1}


def _replace(pieces: list[str], places: list[int], rng: Random, other: Callable[[str], str]) -> bool:
    """Another word at one of the places, written as big as the one before; False if it is the same."""
    if not places:
        return False
    place = rng.choice(places)
    old = pieces[place].lower()
    new = other(old)
    pieces[place] = new.capitalize() if pieces[place][0].isupper() else new
    return new != old


def _common_places(pieces: list[str], words: list[int], vocabulary: Vocabulary) -> list[int]:
    return [k for k in words if pieces[k].lower() in vocabulary.common]


def _stems(word: str) -> list[str]:
    """What a word may share with its other forms."""
    least = max(STEM, math.ceil(SHARE * len(word)), len(word) - ENDING)
    return [word[:length] for length in range(least, len(word) + 1)]
