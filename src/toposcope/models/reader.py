"""A model and how texts run through it: in buckets of equal length, one layer's attention at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from importlib.metadata import version
from threading import Lock
from typing import Any, Self

import numpy as np

from toposcope.errors import InputError, ModelError
from toposcope.models.buckets import make_buckets, make_packs
from toposcope.models.engine import Engine
from toposcope.models.states import ModelHead, StateCollector
from toposcope.models.text import LONG, Long, Piece, Pieces, Texts, make_pieces, tokenizer_fingerprint
from toposcope.progress import progress_bar
from toposcope.topology.attention import AttentionBucket, Tokens
from toposcope.topology.head import Head

DEFAULT_MEMORY = 500_000_000
UNLIMITED = 10**9  # tokens


@dataclass(frozen=True)
class Settings:
    """How texts are run: working memory in bytes, and what happens to long ones.

    ``overlap`` is the number of tokens that windows share, an eighth of the model's limit by default.
    """

    memory: int = DEFAULT_MEMORY
    long: Long = "error"
    overlap: int | None = None


class Reader:
    """A Transformer, its tokenizer, and how texts run through it.

    Parameters
    ----------
    model : an engine, or a transformers model
        Encoder, causal, or encoder-decoder (of which the encoder is used), loaded with
        ``attn_implementation="eager"``; it gets the torch engine.
    tokenizer : its fast tokenizer
    name, note : str
        What to call it, and where it came from.
    settings : Settings
    pooler : weights (width, width) and biases (width,)
        Of the tanh layer over the first token that BERT was trained with, where they are known.
    head : ModelHead
        What sits on top of a tuned model.
    reference : str
        What ``ts.load`` finds it by; the name unless given.
    origin : mapping
        The provenance of a model that was made from another one.
    """

    def __init__(
        self,
        model: Any,
        tokenizer: Any,
        *,
        name: str = "",
        note: str = "",
        settings: Settings | None = None,
        pooler: tuple[np.ndarray, np.ndarray] | None = None,
        head: ModelHead | None = None,
        reference: str = "",
        origin: Mapping[str, Any] | None = None,
    ) -> None:
        """Look where the model computes its attention; see the class."""
        settings = settings or Settings()
        if settings.long not in LONG:
            raise InputError(f"long={settings.long!r}: accepted are {', '.join(map(repr, LONG))}.")
        if not getattr(tokenizer, "is_fast", False):
            raise ModelError(
                f"{type(tokenizer).__name__} does not tell which characters a token covers. Needed is a "
                "fast tokenizer (a tokenizer.json beside the weights)."
            )
        self.engine = engine_of(model)
        self.name = name or getattr(model, "name_or_path", "") or self.engine.name
        self.note = note
        self.reference = reference or self.name
        self.settings, self.origin = settings, origin
        self.pooler, self.head = pooler, head
        self.tokenizer = tokenizer
        self._running = Lock()  # the torch engine puts hooks on the model: one run at a time
        self.limit = min(
            int(min(tokenizer.model_max_length, UNLIMITED)), self.engine.positions or UNLIMITED
        )
        self.overlap = self.limit // 8 if settings.overlap is None else settings.overlap
        if not 0 <= self.overlap < self.limit // 2:
            raise InputError(f"overlap={self.overlap}: accepted are 0 to {self.limit // 2 - 1} tokens.")

    @property
    def layers(self) -> int:
        """Number of layers."""
        return self.engine.layers

    @property
    def heads(self) -> int:
        """Number of heads a layer."""
        return self.engine.heads

    @property
    def width(self) -> int:
        """Length of the vector of a token."""
        return self.engine.width

    @property
    def device(self) -> str:
        """Where the weights are, as torch names it."""
        return self.engine.device

    @property
    def dtype(self) -> str:
        """Precision of the weights, e.g. "float32"."""
        return self.engine.dtype

    @property
    def causal(self) -> bool:
        """Whether a token sees only those before it."""
        return self.engine.causal

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the Transformer's weights, whatever file they came from, without any head on top."""
        return self.engine.fingerprint

    @cached_property
    def provenance(self) -> dict[str, Any]:
        """What a result says of the model it comes from."""
        if self.origin is not None:
            return dict(self.origin)
        return {
            "model": self.reference,
            "fingerprint": self.fingerprint,
            "tokenizer": tokenizer_fingerprint(self.tokenizer),
            "precision": self.dtype,
            "causal": self.causal,
            "engine": self.engine.kind,
            "versions": {"toposcope": version("toposcope"), **self.engine.versions},
        }

    def __deepcopy__(self, memo: Any) -> Self:
        """Itself: nothing changes it. scikit-learn copies whatever its estimators were made with."""
        return self

    def pieces(self, texts: Texts) -> Pieces:
        """The texts as tokens, checked; long ones as the settings say. What is made already stays."""
        if isinstance(texts, Pieces):
            return texts
        long = self.settings.long
        return make_pieces(self.tokenizer, texts, limit=self.limit, long=long, overlap=self.overlap)

    def token_counts(self, texts: Texts) -> np.ndarray:
        """Number of tokens of each text, special ones included; a text in windows counts them all."""
        pieces = self.pieces(texts)
        counts = np.zeros(pieces.rows)
        for piece in pieces:
            counts[piece.index] += len(piece.ids)
        return counts

    def _run(
        self,
        pieces: Sequence[Piece],
        layers: Iterable[int],
        receive: Callable[[list[int], AttentionBucket], None],
        states: StateCollector | None = None,
        progress: bool | None = None,
    ) -> None:
        """Run the pieces in packs of buckets; give ``receive`` each wanted layer of each bucket, with the
        places of its texts.
        """
        lengths = [len(piece.ids) for piece in pieces]
        wanted, memory = list(layers), self.settings.memory
        bytes_of = self.engine.footprint
        with progress_bar("reading attention", sum(lengths), progress) as advance:
            for pack in make_packs(make_buckets(lengths, bytes_of, memory), lengths, bytes_of, memory):
                self._run_pack(
                    [[pieces[place] for place in places] for places in pack],
                    wanted,
                    [partial(receive, places) for places in pack],
                    [partial(states, places) for places in pack] if states else None,
                )
                advance(sum(lengths[place] for places in pack for place in places))

    def _run_pack(
        self,
        buckets: Sequence[Sequence[Piece]],
        layers: Sequence[int],
        receive: Sequence[Callable[[AttentionBucket], None]],
        receive_states: Sequence[Callable[[Sequence[np.ndarray]], None]] | None,
    ) -> None:
        """Run some buckets, each of texts of one length; each has its own receivers."""

        @cache  # for all layers
        def make_tokens(bucket: int) -> list[Tokens]:
            return [piece.tokens() for piece in buckets[bucket]]

        def take(bucket: int, layer: int, maps: np.ndarray) -> None:
            if not np.isfinite(maps.sum()):
                raise InputError(
                    f"{self.name}: the attention of layer {layer} holds what is no number. Its weights are "
                    f"damaged, or too large for {self.dtype}."
                )
            heads = [Head(layer, k) for k in range(self.heads)]
            receive[bucket](AttentionBucket(maps, partial(make_tokens, bucket), heads))

        def take_states(bucket: int, states: Sequence[np.ndarray]) -> None:
            assert receive_states is not None
            receive_states[bucket](states)

        ids = [np.array([piece.ids for piece in pieces]) for pieces in buckets]
        with self._running:
            self.engine.read(ids, layers, take, None if receive_states is None else take_states)


def engine_of(model: Any) -> Engine:
    """The engine itself, or the torch engine for a transformers model."""
    if isinstance(model, Engine):
        return model
    from toposcope.models.torch_engine import TorchEngine

    return TorchEngine(model)
