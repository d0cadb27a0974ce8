"""The light engine: a model of BERT's family, run with numpy."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np

from toposcope.errors import ModelError
from toposcope.kernels.run import gelu
from toposcope.models.buckets import Footprint
from toposcope.models.engine import MASKED, A, B, Engine, Pack, ReceiveMaps, ReceiveStates
from toposcope.models.light import encoder
from toposcope.models.light.encoder import Encoder, Linear, Norm
from toposcope.models.light.layout import (
    Layout,
    Shape,
    Sizes,
    head_shapes,
    layout_of,
    linear_shapes,
    shapes_of,
    sizes_of,
)
from toposcope.models.light.tensors import read_tensors
from toposcope.models.light.tokenizer import Known, LightTokenizer, load_tokenizer
from toposcope.models.threads import threads_for

OLD_NAMES = {"LayerNorm.gamma": "LayerNorm.weight", "LayerNorm.beta": "LayerNorm.bias"}
Pooler = tuple[np.ndarray, np.ndarray]


class LightEngine(Engine):
    """BERT, RoBERTa, XLM-R, CamemBERT, ELECTRA, DistilBERT or MiniLM: attention, states, masked words.

    ``arrays`` are the Transformer's weights by their names in it, ``head`` those of what predicts words.
    """

    kind = "light"
    causal = False
    device, dtype = "cpu", "float32"

    def __init__(
        self,
        arrays: Mapping[str, np.ndarray],
        layout: Layout,
        sizes: Sizes,
        head: Mapping[str, np.ndarray] | None = None,
        known: Known | None = None,
    ) -> None:
        """``known`` gives the fingerprint, computed only if it has to be."""
        self.layout, self.sizes, self.head = layout, sizes, head or {}
        self.encoder = Encoder(arrays, layout, sizes)
        self.name = layout.head.architecture.removesuffix("ForMaskedLM")
        self.layers, self.heads, self.width = sizes.layers, sizes.heads, sizes.width
        self.vocabulary = sizes.vocabulary
        self.positions = sizes.positions - (sizes.padding + 1 if layout.counts_on else 0)
        self.footprint = Footprint(sizes.heads, sizes.width, max(sizes.inner, sizes.width, sizes.positions))
        self.methods = MASKED if self.head else ()
        self._known = known

    @property
    def versions(self) -> Mapping[str, str]:
        """Versions of the packages that compute."""
        import tokenizers

        return {"numpy": np.__version__, "tokenizers": tokenizers.__version__}

    @cached_property
    def fingerprint(self) -> str:
        """As the torch engine computes it."""
        compute = partial(fingerprint_of, self.encoder.arrays)
        return self._known(compute) if self._known else compute()

    def read(
        self,
        pack: Pack,
        layers: Collection[int],
        receive: ReceiveMaps,
        receive_states: ReceiveStates | None = None,
    ) -> None:
        """Run the model; see ``Engine.read``."""
        packed = encoder.Pack(pack)
        kept = self._run(packed, set(layers), receive, receive_states is not None)
        if receive_states is not None:
            split = [packed.split(states) for states in kept]
            for k in range(len(pack)):
                receive_states(k, [one[k] for one in split])

    def masked_logprobs(self, ids: np.ndarray, positions: np.ndarray, targets: np.ndarray) -> np.ndarray:
        """Log-probability of a target token at one position of each text (texts, n)."""
        packed = encoder.Pack([ids])
        last = packed.split(self._run(packed, (), _nobody, True)[-1])[0]
        words, head = self.layout.head, self.head
        states = Linear.of(head, words.dense).product(last[np.arange(len(ids)), positions])
        gelu(states, head[f"{words.dense}.bias"])
        states = Norm.of(head, words.norm, self.sizes.epsilon).alone(states)
        logits = states @ head[words.decoder].T
        logits += head[words.bias]
        chosen = logits[np.arange(len(ids)), targets]
        highest = logits.max(1)
        np.exp(np.subtract(logits, highest[:, None], out=logits), out=logits)
        return (chosen - highest - np.log(logits.sum(1))).astype(np.float64)

    def changed(self, changes: Mapping[str, np.ndarray], *, in_place: bool = False) -> LightEngine:
        """The model with changed weights; those that stay are shared."""
        arrays = dict(self.encoder.arrays)
        shapes = shapes_of(self.layout, self.sizes)
        for name, given in changes.items():
            values, wanted = np.asarray(given, np.float32), shapes.get(name)
            if name.endswith((A, B)):
                place = name.removesuffix(A).removesuffix(B)
                (out,), into = shapes[f"{place}.bias"], shapes[f"{place}.weight"][1]
                rank = min(len(changes[place + A]), changes[place + B].shape[-1])
                wanted = (rank, into) if name.endswith(A) else (out, rank)
            if values.shape != wanted:
                raise ValueError(f"{name} has the shape {values.shape} for {wanted}.")
            arrays[name] = np.ascontiguousarray(values)
        return LightEngine(arrays, self.layout, self.sizes, self.head)

    def _run(
        self, pack: encoder.Pack, wanted: Collection[int], receive: ReceiveMaps, through: bool
    ) -> list[np.ndarray]:
        with threads_for(len(pack.ids)):
            return self.encoder.run(pack, wanted, receive, through=through)


def load_light(
    folder: Path, known: Known | None = None, known_tokenizer: Known | None = None
) -> tuple[LightEngine, LightTokenizer, Pooler | None]:
    """Engine, tokenizer and pooler of a model's folder, or a NotLightError that says what it lacks.

    What is ``known`` of fingerprints is not computed.
    """
    try:
        config = json.loads((folder / "config.json").read_bytes())
        layout = layout_of(config)
        sizes = sizes_of(config)
    except (OSError, ValueError, AttributeError, TypeError) as error:
        raise ModelError(f"{folder}: config.json cannot be read: {error}") from error
    tokenizer = load_tokenizer(folder, layout.counts_on, known_tokenizer)
    stored = {_name(name, layout): array for name, array in read_tensors(folder).items()}
    arrays = _chosen(stored, shapes_of(layout, sizes), folder)
    head: dict[str, np.ndarray] = {}
    if sizes.predicts_words:
        head = _chosen(stored, head_shapes(layout, sizes), folder)
        words = arrays["embeddings.word_embeddings.weight"]
        tied = config.get("tie_word_embeddings", True)
        head[layout.head.decoder] = words if tied else stored.get(layout.head.decoder, words)
    pooler = None
    if "pooler.dense.weight" in stored and "pooler.dense.bias" in stored:
        found = _chosen(stored, linear_shapes("pooler.dense", sizes.width, sizes.width), folder)
        pooler = (found["pooler.dense.weight"], found["pooler.dense.bias"])
    return LightEngine(arrays, layout, sizes, head, known), tokenizer, pooler


def fingerprint_of(arrays: Mapping[str, np.ndarray]) -> str:
    """SHA-256 of a Transformer's weights by their names, as if they were torch's."""
    digest = hashlib.sha256()
    for name, array in sorted(arrays.items()):
        digest.update(f"{name} {tuple(array.shape)} torch.float32\n".encode())
        digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()


def _name(stored: str, layout: Layout) -> str:
    """The name of an array within the Transformer; old files call weights and shifts of norms otherwise."""
    name = stored.removeprefix(layout.prefix)
    for old, new in OLD_NAMES.items():
        name = name.removesuffix(old) + new if name.endswith(old) else name
    return name


def _chosen(
    stored: Mapping[str, np.ndarray], shapes: Mapping[str, Shape], folder: Path
) -> dict[str, np.ndarray]:
    """The arrays of some names, or a ModelError if one is missing or has another shape."""
    missing = [name for name in shapes if name not in stored]
    if missing:
        raise ModelError(
            f"{folder} lacks {len(missing)} weights of its model, {missing[0]} first. "
            "The files are incomplete or belong to another model."
        )
    for name, shape in shapes.items():
        if stored[name].shape != shape:
            raise ModelError(
                f"{folder}: {name} has the shape {stored[name].shape}, config.json asks for {shape}. "
                "The files do not belong together: copy the model again."
            )
    return {name: stored[name] for name in shapes}


def _nobody(_bucket: int, _layer: int, _maps: Any) -> None:
    """Nobody wants maps."""
