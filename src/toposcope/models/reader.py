"""A model and how texts run through it: in buckets of equal length, one layer's attention at a time."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from importlib.metadata import version
from threading import Lock
from typing import Any, Self

import numpy as np
import torch

from toposcope.errors import InputError, ModelError
from toposcope.models.buckets import Footprint, make_buckets
from toposcope.models.capture import find_tap
from toposcope.models.states import ModelHead, StateCollector
from toposcope.models.text import (
    LONG,
    Long,
    Piece,
    Pieces,
    Texts,
    make_pieces,
    token_limit,
    tokenizer_fingerprint,
)
from toposcope.models.tuning.tuning import Maps
from toposcope.progress import progress_bar
from toposcope.topology.attention import AttentionBucket, Tokens

DEFAULT_MEMORY = 500_000_000


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
    model : a transformers model
        Encoder, causal, or encoder-decoder (of which the encoder is used), loaded with
        ``attn_implementation="eager"``.
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
        implementation = getattr(model.config, "_attn_implementation", "eager")
        if implementation != "eager":
            raise ModelError(
                f"The model was loaded with attn_implementation={implementation!r}, which never computes "
                "attention weights. Load it with attn_implementation='eager'."
            )
        self.name = name or getattr(model, "name_or_path", "") or type(model).__name__
        self.note = note
        self.reference = reference or self.name
        self.settings, self.origin = settings, origin
        self.pooler, self.head = pooler, head
        self.model = model.train(False)
        self.model.config.use_cache = False
        self.tokenizer = tokenizer
        self._tap = find_tap(_transformer(model), self.device)
        self._running = Lock()  # hooks sit on the model itself: one run at a time
        self.limit = token_limit(tokenizer, model.config, model)
        self.overlap = self.limit // 8 if settings.overlap is None else settings.overlap
        if not 0 <= self.overlap < self.limit // 2:
            raise InputError(f"overlap={self.overlap}: accepted are 0 to {self.limit // 2 - 1} tokens.")

    @property
    def layers(self) -> int:
        """Number of layers."""
        return len(self._tap.places)

    @property
    def heads(self) -> int:
        """Number of heads a layer."""
        return self._tap.heads

    @property
    def width(self) -> int:
        """Length of the vector of a token."""
        return int(self.model.config.hidden_size)

    @property
    def device(self) -> torch.device:
        """Where the weights are."""
        return next(self.model.parameters()).device

    @property
    def dtype(self) -> str:
        """Precision of the weights, e.g. "float32"."""
        return str(next(self.model.parameters()).dtype).removeprefix("torch.")

    @property
    def transformer(self) -> Any:
        """The model without the head on top; of an encoder-decoder the encoder."""
        return self._tap.model

    @property
    def causal(self) -> bool:
        """Whether a token sees only those before it."""
        return self._tap.causal

    def linears(self, maps: Maps = "attention", upper: int = 0) -> list[str]:
        """Names, within the transformer, of linear maps, layer by layer.

        ``attention`` are those that make queries, keys and values, with an output map if the same module
        holds it; ``all`` are all of a layer. ``upper`` restricts them to as many of the upper layers; 0 is
        all.
        """
        names = {id(module): name for name, module in self.transformer.named_modules()}
        places = self._tap.places[-upper:] if upper else self._tap.places
        holders = [place.module for place in places]
        if maps == "all":
            holders = [self._layer_around(names[id(module)]) for module in holders]
        found = {
            names[id(part)]: None
            for holder in holders
            for part in holder.modules()
            if type(part).__name__ in ("Linear", "Conv1D")
        }
        if not found:
            raise ModelError(f"{self.name}: no linear maps found where attention is computed.")
        return list(found)

    def _layer_around(self, place: str) -> Any:
        """The layer that a module is in: what stands in the innermost list of modules around it."""
        above, below = place.rpartition(".")[0], place
        while above and not isinstance(self.transformer.get_submodule(above), torch.nn.ModuleList):
            above, below = above.rpartition(".")[0], above
        return self.transformer.get_submodule(below if above else place)

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of the Transformer's weights, whatever file they came from, without any head on top."""
        digest = hashlib.sha256()
        for name, weights in sorted(self._tap.model.named_parameters()):
            if not name.startswith("pooler."):
                digest.update(f"{name} {tuple(weights.shape)} {weights.dtype}\n".encode())
                digest.update(weights.detach().cpu().contiguous().view(torch.uint8).numpy().data)
        return digest.hexdigest()

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
            "versions": {name: version(name) for name in ("toposcope", "torch", "transformers", "numpy")},
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

    @cached_property
    def _bytes_of(self) -> Footprint:
        parameters = [p for p in self._tap.model.parameters() if p.ndim == 2]
        vocabulary = self.model.config.vocab_size
        widest = max(max(p.shape) for p in parameters if vocabulary not in p.shape)
        return Footprint(self.heads, self.width, widest)

    def _run(
        self,
        pieces: Sequence[Piece],
        layers: Iterable[int],
        receive: Callable[[list[int], AttentionBucket], None],
        states: StateCollector | None = None,
        progress: bool | None = None,
    ) -> None:
        """Run the pieces in buckets; give ``receive`` each wanted layer of each, with the places in it."""
        lengths = [len(piece.ids) for piece in pieces]
        wanted = list(layers)
        with progress_bar("reading attention", sum(lengths), progress) as advance:
            for places in make_buckets(lengths, self._bytes_of, self.settings.memory):
                pooled = partial(states, places) if states else None
                self._run_bucket(
                    [pieces[place] for place in places], wanted, partial(receive, places), pooled
                )
                advance(sum(lengths[place] for place in places))

    def _run_bucket(
        self,
        pieces: Sequence[Piece],
        layers: list[int],
        receive: Callable[[AttentionBucket], None],
        receive_states: Callable[[Sequence[torch.Tensor]], None] | None,
    ) -> None:
        @cache  # for all layers
        def make_tokens() -> list[Tokens]:
            return [piece.tokens() for piece in pieces]

        def take(layer: int, weights: torch.Tensor) -> None:
            if not torch.isfinite(weights.sum(dtype=torch.float32)):
                raise InputError(
                    f"{self.name}: the attention of layer {layer} holds what is no number. Its weights are "
                    f"damaged, or too large for {self.dtype}."
                )
            receive(AttentionBucket(weights.float().cpu().numpy(), layer, make_tokens))

        ids = torch.tensor([piece.ids for piece in pieces], device=self.device)
        with self._running:
            self._tap.read(ids, layers, take, receive_states)


def _transformer(model: Any) -> Any:
    """The model without the head on top; of an encoder-decoder the encoder."""
    base = getattr(model, "base_model", model)
    return base.get_encoder() if getattr(model.config, "is_encoder_decoder", False) else base
