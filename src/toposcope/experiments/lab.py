"""Where an experiment runs: its folders, how models and corpora are had, whom it tells how far it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toposcope.data.corpora import Corpus, read_corpus
from toposcope.store import Tell

if TYPE_CHECKING:
    from toposcope.models.scope import Scope


def load_model(name: str) -> Scope:
    """A model by name."""
    from toposcope.models.load import load

    return load(name)


@dataclass(frozen=True)
class Lab:
    """``data`` holds the corpora as published, ``work`` what is kept between runs, ``docs`` the results."""

    data: Path
    work: Path
    docs: Path
    tell: Tell = lambda _: None
    load: Callable[[str], Scope] = field(default=load_model, repr=False)

    @cached_property
    def _loaded(self) -> dict[str, Scope]:
        return {}

    @cached_property
    def _corpora(self) -> dict[str, Corpus]:
        return {}

    def model(self, name: str) -> Scope:
        """A model, loaded when it is first asked for; only the last one is kept."""
        if name not in self._loaded:
            self._loaded.clear()
            self._loaded[name] = self.load(name)
        return self._loaded[name]

    def corpus(self, name: str) -> Corpus:
        """A corpus, read when it is first asked for."""
        if name not in self._corpora:
            self._corpora[name] = read_corpus(name, self.data)
        return self._corpora[name]


def corpus_key(corpus: Corpus) -> dict[str, Any]:
    """What of a corpus stands in keys."""
    parts = zip(("train", "dev", "test"), corpus.splits, strict=True)
    return {"name": corpus.name, **{name: part.fingerprint for name, part in parts}}
