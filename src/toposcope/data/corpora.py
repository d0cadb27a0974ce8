"""The corpora of the paper: CoLA, ItaCoLA and DaLAJ, found by the names of their published files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from toposcope.data.readers import read_sentences
from toposcope.data.sentences import Sentences
from toposcope.errors import InputError


@dataclass(frozen=True)
class Corpus:
    """Sentences to learn from and two sets to report on.

    For CoLA ``dev`` is in domain and ``test`` out of domain, as in the paper.
    """

    name: str
    train: Sentences
    dev: Sentences
    test: Sentences

    @property
    def splits(self) -> tuple[Sentences, Sentences, Sentences]:
        """All three."""
        return self.train, self.dev, self.test


FILES = {
    "cola": (("in_domain_train.tsv", None), ("in_domain_dev.tsv", None), ("out_of_domain_dev.tsv", None)),
    "itacola": tuple(("ItaCoLA_dataset.tsv", split) for split in ("train", "dev", "test")),
    "dalaj": tuple(("datasetDaLAJsplit.csv", split) for split in ("train", "valid", "test")),
}


def read_corpus(name: str, folder: str | Path) -> Corpus:
    """One of the corpora, from a folder in which its files lie at any depth."""
    if name not in FILES:
        raise InputError(f"corpus {name!r}: accepted are {', '.join(FILES)}.")
    return Corpus(
        name,
        *(read_sentences(_find(file, Path(folder)), split, strict=True) for file, split in FILES[name]),
    )


def _find(file: str, folder: Path) -> Path:
    found = sorted(folder.rglob(file))
    if not found:
        raise InputError(f"{folder} holds no {file}: get the corpus first, docs/judges.md says where.")
    return found[0]
