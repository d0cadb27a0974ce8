"""How likely the language model itself finds a text: the baselines that people know.

Masked models have no probability of a text, so each token is masked in turn and predicted from all
others: pseudo-log-likelihood (Salazar et al. 2020). With ``pll-word`` the later pieces of the same
word are masked along with it, since they give it away (Kauf and Ivanova 2023). Causal models
predict each token from those before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from toposcope.errors import InputError, ModelError
from toposcope.figures.markup import table
from toposcope.models.buckets import make_buckets
from toposcope.models.engine import MASKED, Engine, Method
from toposcope.models.text import Piece, word_ids
from toposcope.progress import progress_bar

SHOWN = 10  # texts in a notebook
PENALTY = 0.8  # exponent of the length penalty (Lau et al. 2020)


@dataclass(frozen=True)
class TextScore:
    """Log-probability of each token of one text; NaN where nothing predicts it (a causal model's first)."""

    text: str
    tokens: tuple[str, ...]
    logprobs: np.ndarray = field(repr=False)
    word_ids: tuple[int | None, ...] = field(repr=False)
    offsets: tuple[tuple[int, int], ...] = field(repr=False)

    @property
    def total(self) -> float:
        """Log-probability of the text: the sum over its tokens."""
        return float(np.nansum(self.logprobs))

    @property
    def count(self) -> int:
        """Number of tokens that have a score."""
        return int(np.count_nonzero(~np.isnan(self.logprobs)))

    def words(self) -> list[tuple[str, float]]:
        """Each word with the log-probability of its pieces together."""
        spans: dict[Any, list[float]] = {}
        for k, (word, (begin, end)) in enumerate(zip(self.word_ids, self.offsets, strict=True)):
            first, _, sum_ = spans.get(word, [begin, end, 0.0])
            spans[word] = [first, end, sum_ + float(self.logprobs[k])]
        return [(self.text[int(a) : int(b)].strip(), score) for a, b, score in spans.values()]


@dataclass(frozen=True)
class Scores(Sequence[TextScore]):
    """Scores of many texts. The arrays below have one number per text; more is more acceptable."""

    method: Method
    texts: tuple[TextScore, ...] = field(repr=False)

    def __len__(self) -> int:
        return len(self.texts)

    def __getitem__(self, place: Any) -> Any:
        return self.texts[place]

    def sum(self) -> np.ndarray:
        """Log-probability (or pseudo-log-likelihood) of each text."""
        return np.array([t.total for t in self.texts])

    def mean(self) -> np.ndarray:
        """The same per token."""
        return self.sum() / self._counts

    def penlp(self, alpha: float = PENALTY) -> np.ndarray:
        """PenLP: the sum over ((5 + tokens) / 6)^alpha, a milder division by length (Lau et al. 2020)."""
        return self.sum() / ((5 + self._counts) / 6) ** alpha

    def slor(self, frequencies: Mapping[str, float]) -> np.ndarray:
        """SLOR: log-probability beyond what the frequency of the tokens explains, per token.

        ``frequencies`` are counts of tokens in some corpus, by their text as in ``tokens``. One is added to
        each, so that unseen tokens count as rare, not as impossible.
        """
        if not frequencies or min(frequencies.values()) < 0:
            raise InputError("frequencies: needed are counts of tokens, none below 0.")
        whole = sum(frequencies.values()) + len(frequencies) + 1
        unigram = [
            sum(
                np.log((frequencies.get(token, 0) + 1) / whole)
                for token, logprob in zip(t.tokens, t.logprobs, strict=True)
                if not np.isnan(logprob)
            )
            for t in self.texts
        ]
        return (self.sum() - np.array(unigram)) / self._counts

    def _repr_html_(self) -> str:
        """The first texts with their scores."""
        columns = (self.sum(), self.mean(), self.penlp())
        numbers = zip(*(column[:SHOWN].tolist() for column in columns), strict=True)
        shown = zip(self.texts, numbers, strict=False)
        rows = [(t.text, *(f"{number:.2f}" for number in values)) for t, values in shown]
        more = f", the first {SHOWN} shown" if len(self) > SHOWN else ""
        head = ("text", "sum", "per token", "PenLP")
        return table(rows, f"Scores: {self.method} of {len(self)} texts{more}", head)

    @property
    def _counts(self) -> np.ndarray:
        return np.array([max(t.count, 1) for t in self.texts])


class LanguageModel:
    """A model with a language-model head, and the sums it can do."""

    def __init__(self, engine: Engine, tokenizer: Any, memory: int) -> None:
        """``memory`` bounds what is computed at once, in bytes."""
        self.engine, self.tokenizer, self.memory = engine, tokenizer, memory
        self.methods = engine.methods
        if self.methods == MASKED and tokenizer.mask_token_id is None:
            self.methods = ()
        if not self.methods:
            raise ModelError(
                f"{engine.name} predicts no words, so it gives no language-model score. Load a model with "
                "such a head, e.g. bert-base-cased."
            )

    def score(self, pieces: Sequence[Piece], method: str | None, progress: bool | None) -> Scores:
        """Score pieces of texts; the windows of a long text are put together, each token counted once."""
        chosen = next((m for m in self.methods if m == (method or self.methods[0])), None)
        if chosen is None:
            accepted = " and ".join(map(repr, self.methods))
            raise InputError(f"method={method!r}: {self.engine.name} has {accepted}.")
        unique = {p.ids: p for p in pieces}
        run = self._masked if chosen in MASKED else self._causal
        logprobs = dict(zip(unique, run(list(unique.values()), chosen, progress), strict=True))
        texts: dict[int, list[tuple[Piece, np.ndarray]]] = {}
        for piece in pieces:
            texts.setdefault(piece.index, []).append((piece, logprobs[piece.ids]))
        return Scores(chosen, tuple(_joined(windows) for windows in texts.values()))

    def _masked(self, pieces: Sequence[Piece], method: Method, progress: bool | None) -> list[np.ndarray]:
        """Log-probability of each token of each piece when it is masked."""
        results = [np.full(len(p.ids), np.nan) for p in pieces]
        copies = [
            (k, position, hidden)
            for k, piece in enumerate(pieces)
            for position, hidden in _masks(piece, method == "pll-word")
        ]
        lengths = [len(pieces[k].ids) for k, _, _ in copies]
        for places in self._buckets("masking", lengths, 1, progress):
            batch = [copies[place] for place in places]
            ids = np.array([pieces[k].ids for k, _, _ in batch])
            positions = np.array([position for _, position, _ in batch])
            targets = ids[np.arange(len(batch)), positions]
            for row, (_, _, hidden) in enumerate(batch):
                ids[row, hidden] = self.tokenizer.mask_token_id
            values = self.engine.masked_logprobs(ids, positions, targets)
            for (k, position, _), value in zip(batch, values, strict=True):
                results[k][position] = value
        return results

    def _causal(self, pieces: Sequence[Piece], method: Method, progress: bool | None) -> list[np.ndarray]:
        """Log-probability of each token of each piece after those before it."""
        lead = self._lead() if method == "logprob-bos" else ()
        ids_of = [(*lead, *p.ids) if p.ids[:1] != lead else p.ids for p in pieces]
        results = [np.full(len(p.ids), np.nan) for p in pieces]
        for places in self._buckets("scoring", list(map(len, ids_of)), None, progress):
            values = self.engine.causal_logprobs(np.array([ids_of[place] for place in places]))
            for place, row in zip(places, values, strict=True):
                scored = min(len(row), len(results[place]))
                if scored:
                    results[place][-scored:] = row[-scored:]
        return results

    def _lead(self) -> tuple[int]:
        if self.tokenizer.bos_token_id is None:
            raise InputError("method='logprob-bos': the tokenizer has no token that begins a text.")
        return (self.tokenizer.bos_token_id,)

    def _buckets(
        self, what: str, lengths: Sequence[int], predicted: int | None, progress: bool | None
    ) -> Iterator[list[int]]:
        """Buckets of inputs; ``predicted`` tokens of each meet the whole vocabulary (None: all of them)."""

        def bytes_of(n: int) -> int:
            return self.engine.footprint(n) + 3 * 4 * self.engine.vocabulary * (predicted or n)

        with progress_bar(what, sum(lengths), progress) as advance:
            for places in make_buckets(lengths, bytes_of, self.memory):
                yield places
                advance(sum(lengths[place] for place in places))


def _masks(piece: Piece, whole_word: bool) -> Iterator[tuple[int, list[int]]]:
    """Each token that is scored, and the positions that are masked for it."""
    words = word_ids(piece.encoding, piece.text)
    for position, special in enumerate(piece.encoding.special_tokens_mask):
        if not special:
            later = range(position + 1, len(words)) if whole_word and words[position] is not None else ()
            yield position, [position, *(j for j in later if words[j] == words[position])]


def _joined(windows: Sequence[tuple[Piece, np.ndarray]]) -> TextScore:
    """One score of a text from its windows; what an earlier window has covered is not counted again."""
    tokens: list[str] = []
    logprobs: list[float] = []
    words: list[int | None] = []
    offsets: list[tuple[int, int]] = []
    covered = 0
    for piece, values in windows:
        e = piece.encoding
        told = word_ids(e, piece.text)
        for k, (special, (begin, end)) in enumerate(zip(e.special_tokens_mask, e.offsets, strict=True)):
            if not special and begin >= covered:
                tokens.append(e.tokens[k])
                logprobs.append(float(values[k]))
                words.append(told[k])
                offsets.append((begin, end))
        covered = max([covered, *(end for _, end in e.offsets)])
    text = windows[0][0].text
    return TextScore(text, tuple(tokens), np.array(logprobs), tuple(words), tuple(offsets))
