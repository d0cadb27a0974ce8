"""Sentences with labels: 1 acceptable, 0 not."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from toposcope.data.faults import Spans, blamed_words
from toposcope.data.rejects import Reject
from toposcope.errors import InputError

ALONE = -1  # among pairs


@dataclass(frozen=True, eq=False)
class Sentences:
    """``texts`` and their ``labels`` (1 acceptable, 0 not), in the order of the file.

    ``notes`` says what a user should know of how they were read. ``pairs`` numbers sentences that are
    versions of each other, such as a learner's and its correction: these must stay in one fold. One that
    has no other version gets ALONE. ``ids`` are those of the file, where it has some; ``rejects`` are what
    could not be used.
    """

    texts: tuple[str, ...] = field(repr=False)
    labels: np.ndarray = field(repr=False)
    name: str = ""
    notes: tuple[str, ...] = ()
    pairs: np.ndarray | None = field(default=None, repr=False)
    ids: tuple[Any, ...] | None = field(default=None, repr=False)
    rejects: tuple[Reject, ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        if len(self.texts) != len(self.labels):
            raise InputError(f"{len(self.texts)} texts with {len(self.labels)} labels.")

    def __len__(self) -> int:
        return len(self.texts)

    def __repr__(self) -> str:
        return f"Sentences({self.name}: {len(self)}, {self.labels.mean():.1%} acceptable)"

    def take(self, places: Sequence[int] | np.ndarray) -> Sentences:
        """Those at some places."""
        chosen = np.asarray(places, int)
        pairs = None if self.pairs is None else self.pairs[chosen]
        texts = tuple(self.texts[k] for k in chosen)
        ids = None if self.ids is None else tuple(self.ids[k] for k in chosen)
        return Sentences(texts, self.labels[chosen], self.name, self.notes, pairs, ids, self.rejects)

    def without(self, texts: Collection[str]) -> Sentences:
        """Those that are not among ``texts``; blanks and case at the ends do not matter."""
        seen = {_plain(text) for text in texts}
        return self.take([k for k, text in enumerate(self.texts) if _plain(text) not in seen])

    def faults(self) -> list[Spans | None]:
        """Where the words of each text are that are to blame, told by ``pairs``: nowhere in a good version.

        None where nobody knows: without pairs, or in a bad one without a good version.
        """
        pairs = [ALONE] * len(self) if self.pairs is None else self.pairs.tolist()
        rows = list(zip(self.texts, self.labels.tolist(), pairs, strict=True))
        right = {pair: text for text, label, pair in rows if label and pair != ALONE}

        def fault(text: str, label: int, pair: int) -> Spans | None:
            if label:
                return None if pair == ALONE else ()
            return blamed_words(text, right[pair]) if pair in right else None

        return [fault(*row) for row in rows]

    @property
    def fingerprint(self) -> str:
        """SHA-256 of texts and labels, to say what something was trained on."""
        digest = hashlib.sha256()
        for text, label in zip(self.texts, self.labels.tolist(), strict=True):
            digest.update(f"{label}\t{text}\n".encode())
        return digest.hexdigest()

    @property
    def hashes(self) -> np.ndarray:
        """A number for each text, to find it again without keeping it; see ``text_hashes``."""
        return text_hashes(self.texts)

    def need_both_labels(self) -> Sentences:
        """Itself, or an InputError if there is nothing to tell apart."""
        if len(np.unique(self.labels)) < 2:
            only = "acceptable" if self.labels[0] else "not acceptable"
            raise InputError(f"{self.name}: all {len(self)} sentences are {only}; needed are both kinds.")
        return self


def joined_sentences(parts: Sequence[Sentences]) -> Sentences:
    """Several as one; pairs stay pairs."""
    if len(parts) == 1:
        return parts[0]
    pairs: list[np.ndarray] = []
    for part in parts:
        own = np.full(len(part), ALONE) if part.pairs is None else part.pairs
        taken = max((int(known.max(initial=ALONE)) for known in pairs), default=ALONE) + 1
        pairs.append(np.where(own == ALONE, ALONE, own + taken))
    return Sentences(
        sum((part.texts for part in parts), ()),
        np.concatenate([part.labels for part in parts]),
        " + ".join(part.name for part in parts),
        sum((part.notes for part in parts), ()),
        np.concatenate(pairs),
        rejects=sum((part.rejects for part in parts), ()),
    )


def shared_texts(a: Sentences, b: Sentences) -> list[str]:
    """Texts of ``b`` that are in ``a`` too, blanks at the ends and runs of them not counted."""
    seen = {_plain(text) for text in a.texts}
    return [text for text in b.texts if _plain(text) in seen]


def text_hashes(texts: Sequence[str]) -> np.ndarray:
    """The first 8 bytes of each text's SHA-256, blanks as in ``shared_texts``."""
    digests = [hashlib.sha256(_plain(text).encode()).digest()[:8] for text in texts]
    return np.frombuffer(b"".join(digests), np.int64)


def _plain(text: str) -> str:
    return " ".join(text.split())
