"""A model as an instrument: texts in, attention or measures of it out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from toposcope.errors import InputError
from toposcope.figures.markup import table
from toposcope.models.buckets import make_pair_buckets
from toposcope.models.collect import Collector, Measure, PairMeasure, Twins
from toposcope.models.distinct import Distinct
from toposcope.models.engine import Method
from toposcope.models.reader import Reader
from toposcope.models.scores import LanguageModel, Scores
from toposcope.models.states import StateCollector, States
from toposcope.models.text import Pieces, Texts
from toposcope.progress import progress_bar
from toposcope.topology.attention import AttentionBucket, AttentionMaps
from toposcope.topology.graphs import Symmetry
from toposcope.topology.h0 import h0_mean
from toposcope.topology.head import Head, all_heads

if TYPE_CHECKING:
    from toposcope.pairs.comparison import Comparison


class Scope(Reader):
    """A Transformer whose attention is looked at. Made by ``ts.load``, or from a model of your own.

    The parameters are those of ``Reader``.
    """

    def attention(self, text: str) -> AttentionMaps:
        """Attention of one text, all layers and heads: (layers, heads, n, n) with its tokens."""
        if not isinstance(text, str):
            raise InputError(
                f"text is a {type(text).__name__}: accepted is a string. Many: attentions(texts)."
            )
        maps = self.attentions([text])
        if len(maps) > 1:
            raise InputError(
                f"The text is cut into {len(maps)} windows: scope.attentions([text]) gives them all."
            )
        return maps[0]

    def attentions(self, texts: Texts) -> list[AttentionMaps]:
        """Attention of many texts in their order; a long text cut into windows gives one entry each.

        Everything is kept: 144 heads of an 11-token sentence take 70 kB, of a 512-token one 151 MB.
        To measure many texts use ``measure``, which keeps nothing.
        """
        pieces = self.pieces(texts)
        distinct = Distinct(pieces, len(pieces))  # so that equal texts have equal maps, to the last bit
        kept: dict[int, list[np.ndarray]] = {place: [] for place in range(len(distinct.pieces))}

        def keep(places: list[int], bucket: AttentionBucket) -> None:
            for row, place in enumerate(places):
                kept[place].append(bucket.array[row])

        self._run(distinct.pieces, range(self.layers), keep)
        return [
            AttentionMaps(np.stack(kept[row]), piece.tokens())
            for row, piece in zip(distinct.rows, pieces, strict=True)
        ]

    def measure(
        self,
        texts: Texts,
        measure: Measure,
        *,
        layers: Iterable[int] | None = None,
        heads: Iterable[Head] | None = None,
        progress: bool | None = None,
    ) -> np.ndarray:
        """A measure of every head, from one pass of the model over the texts.

        Parameters
        ----------
        texts : strings, or what ``pieces`` made of them
            Run in buckets of equal length, identical ones once; the result is in their order.
        measure : function of an AttentionBucket (texts, heads, n, n)
            Returns (texts, heads, ...). All functions of maps fit: ``ts.h0_mean``, for one. It gets a layer
            at a time, or several of a small bucket (``bucket.heads`` tells which heads they are); the maps
            are gone when it returns.
        layers : numbers from 0
            Those to measure, all by default. Layers above the last one are not run.
        heads : pairs (layer, head)
            Single heads instead of whole layers.
        progress : bool
            Show a bar. By default where somebody looks at the terminal.

        Returns
        -------
        array, shape (texts, layers, heads, ...); (texts, heads, ...) where single heads are asked for
            A text cut into windows gets the mean of its windows.
        """
        wanted = self._wanted_layers(layers)
        places = self._wanted_heads(heads) or [Head(i, k) for i in wanted for k in range(self.heads)]
        values, _ = self._collect(texts, measure, places, False, progress)
        by_layer = (len(wanted), self.heads) if heads is None else (len(places),)
        return values.reshape(len(values), *by_layer, *values.shape[2:])

    def states(self, texts: Texts, *, progress: bool | None = None) -> States:
        """Hidden states of each text: of its first token, and their mean, in every layer."""
        return self._collect(texts, h0_mean, [], True, progress)[1]

    def measure_with_states(
        self,
        texts: Texts,
        measure: Measure | None,
        *,
        heads: Iterable[Head],
        progress: bool | None = None,
    ) -> tuple[np.ndarray, States]:
        """A measure of single heads (texts, heads, ...), maybe of none, and the states, from one pass."""
        places = list(heads)
        wanted = self._wanted_heads(places) if places else []
        return self._collect(texts, measure or h0_mean, wanted, True, progress)

    def _collect(
        self,
        texts: Texts,
        measure: Measure,
        heads: Sequence[Head],
        with_states: bool,
        progress: bool | None,
    ) -> tuple[np.ndarray, States]:
        """A measure of some heads (texts, heads, ...) and the states, empty unless they are asked for."""
        pieces = self.pieces(texts)
        distinct = Distinct(pieces, pieces.rows)
        rows = len(distinct.pieces)
        collector, states = Collector(measure, rows, heads), StateCollector(rows, self.head)
        self._run(distinct.pieces, collector.layers, collector, states if with_states else None, progress)
        values, found = distinct.spread(collector.values), states.states()
        return values, found.of_texts(distinct) if with_states else found

    def measure_pairs(
        self,
        first: Texts,
        second: Texts,
        measure: PairMeasure,
        *,
        heads: Iterable[Head] | None = None,
        states: bool = False,
        progress: bool | None = None,
    ) -> tuple[np.ndarray, tuple[States, States] | None]:
        """A measure of every head of every pair of texts, from one pass of the model over each text.

        Parameters
        ----------
        first, second : strings
            Text i of ``first`` is compared with text i of ``second``.
        measure : function of two AttentionBuckets (pairs, heads, n, n) and (pairs, heads, m, m)
            Returns (pairs, heads, ...).
        heads : pairs (layer, head)
            All by default. Layers above the last one are not run.
        states : bool
            Give the hidden states of both sides, too.

        Returns
        -------
        array (pairs, heads, ...), and the states of both sides or None
        """
        places = self._wanted_heads(heads) or all_heads(self.layers, self.heads)
        sides = [self._single_pieces(texts) for texts in (first, second)]
        if len(sides[0]) != len(sides[1]):
            counts = " texts beside ".join(str(len(side)) for side in sides)
            raise InputError(f"{counts}: a pair needs one of each.")
        twins = Twins(measure, len(sides[0]), places)
        pooled = [StateCollector(len(side), self.head) for side in sides] if states else []
        lengths = [(len(a.ids), len(b.ids)) for a, b in zip(*sides, strict=True)]
        extra = 4 * len(places)  # the maps of the first text wait for those of the second
        with progress_bar("reading pairs", sum(map(sum, lengths)), progress) as advance:
            bytes_of, memory = self.engine.footprint, self.settings.memory
            for rows in make_pair_buckets(lengths, bytes_of, extra, memory):
                # one side after the other, in packs of one shape: equal texts then have equal maps, and tie
                for k, receive in enumerate((twins.keep, twins.compare)):
                    bucket = [sides[k][row] for row in rows]
                    pool = [partial(pooled[k], rows)] if states else None
                    self._run_pack([bucket], twins.layers, [partial(receive, rows)], pool)
                advance(sum(sum(lengths[row]) for row in rows))
        found = tuple(pool.states() for pool in pooled)
        return twins.values, (found[0], found[1]) if states else None

    def _single_pieces(self, texts: Texts) -> Pieces:
        pieces = self.pieces(texts)
        if len(pieces) != pieces.rows:
            raise InputError("Texts of pairs cannot be cut into windows: load(..., long='truncate').")
        return pieces

    def h0_mean(
        self,
        texts: Texts,
        symmetry: Symmetry = "upper",
        *,
        layers: Iterable[int] | None = None,
        progress: bool | None = None,
    ) -> np.ndarray:
        """H0M of every head of every text: (texts, layers, heads). One pass (section 3.2).

        The default symmetry is ``upper``, with which the paper's numbers on minimal pairs come out;
        ``ts.h0_mean`` on maps has ``max``.
        """
        return self.measure(texts, partial(h0_mean, symmetry=symmetry), layers=layers, progress=progress)

    @cached_property
    def learner(self) -> Scope:
        """The same model in the torch engine, the only one that learns; loaded when it is first needed."""
        from toposcope.models.load import scope_of

        return scope_of(self, engine="torch")

    @cached_property
    def language_model(self) -> LanguageModel:
        """The model's own scores of sentences, where it has a language-model head."""
        return LanguageModel(self.engine, self.tokenizer, self.settings.memory)

    def score(self, texts: Texts, method: Method | None = None, *, progress: bool | None = None) -> Scores:
        """How likely the language model itself finds each text; see ``Scores``.

        ``method``: "pll" (default) or "pll-word", within-word left-to-right, for masked models; "logprob"
        (default) or "logprob-bos", with the tokenizer's first token put before the text, for causal ones.
        """
        with self._running:
            return self.language_model.score(self.pieces(texts), method, progress)

    def compare(self, a: str, b: str, **options: Any) -> Comparison:
        """Which of two sentences is the acceptable one, head by head; options as in ``ts.compare_pair``."""
        from toposcope.pairs.compare import compare

        return compare(self, a, b, **options)

    def __repr__(self) -> str:
        where = f"{self.dtype} on {self.device}, {self.engine.kind} engine"
        return f"Scope({self.name}: {self.layers} layers x {self.heads} heads, {where})"

    def _repr_html_(self) -> str:
        kind = "causal" if self.causal else "looks both ways"
        rows = [
            ("model", self.reference),
            ("attention", f"{self.layers} layers x {self.heads} heads, {kind}"),
            ("states", f"{self.width} numbers a token"),
            ("texts", f"up to {self.limit} tokens; longer ones: {self.settings.long}"),
            ("runs", f"{self.dtype} on {self.device}, {self.engine.kind} engine"),
        ]
        return table([*rows, *([("from", self.note)] if self.note else [])], f"Scope: {self.name}")

    def _wanted_layers(self, layers: Iterable[int] | None) -> list[int]:
        if layers is None:
            return list(range(self.layers))
        wanted = list(layers)
        bad = [i for i in wanted if not 0 <= i < self.layers]
        if bad or not wanted or len(set(wanted)) < len(wanted):
            raise InputError(
                f"layers={wanted}: accepted are different numbers from 0 to {self.layers - 1}."
            )
        return wanted

    def _wanted_heads(self, heads: Iterable[Head] | None) -> list[Head]:
        wanted = [] if heads is None else [Head(int(layer), int(index)) for layer, index in heads]
        bad = [h for h in wanted if not (0 <= h[0] < self.layers and 0 <= h[1] < self.heads)]
        if bad or len(set(wanted)) < len(wanted) or (heads is not None and not wanted):
            raise InputError(
                f"heads={bad or wanted}: accepted are different pairs (layer, head) of the {self.layers} "
                f"layers and {self.heads} heads."
            )
        return wanted
