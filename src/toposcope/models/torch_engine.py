"""The torch engine: any model of transformers that computes its attention in the open."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Collection, Mapping
from functools import cached_property
from importlib.metadata import version
from typing import Any

import numpy as np
import torch

from toposcope.errors import ModelError
from toposcope.models.buckets import Footprint
from toposcope.models.capture import find_tap
from toposcope.models.engine import (
    CAUSAL,
    MASKED,
    A,
    B,
    Engine,
    Method,
    Pack,
    ReceiveMaps,
    ReceiveStates,
)
from toposcope.models.tuning.tuning import Maps


class TorchEngine(Engine):
    """A transformers model, encoder, causal, or encoder-decoder (of which the encoder is used)."""

    kind = "torch"

    def __init__(self, model: Any) -> None:
        """Look where the model computes its attention; it was loaded with attn_implementation="eager"."""
        implementation = getattr(model.config, "_attn_implementation", "eager")
        if implementation != "eager":
            raise ModelError(
                f"The model was loaded with attn_implementation={implementation!r}, which never computes "
                "attention weights. Load it with attn_implementation='eager'."
            )
        self.model, self.name = model.train(False), type(model).__name__
        self.model.config.use_cache = False
        self._tap = find_tap(_transformer(model), next(model.parameters()).device)
        self.layers, self.heads, self.causal = len(self._tap.places), self._tap.heads, self._tap.causal
        self.width, self.vocabulary = int(model.config.hidden_size), int(model.config.vocab_size)
        self.positions = _positions(model)
        self.methods = _methods(self.name)

    @property
    def device(self) -> str:
        """Where the weights are."""
        return str(next(self.model.parameters()).device)

    @property
    def dtype(self) -> str:
        """Precision of the weights, e.g. "float32"."""
        return str(next(self.model.parameters()).dtype).removeprefix("torch.")

    @property
    def versions(self) -> Mapping[str, str]:
        """Versions of the packages that compute."""
        return {name: version(name) for name in ("torch", "transformers", "numpy")}

    @property
    def transformer(self) -> Any:
        """The model without the head on top; of an encoder-decoder the encoder."""
        return self._tap.model

    @cached_property
    def footprint(self) -> Footprint:  # type: ignore[override]
        """Memory that a text takes."""
        matrices = [p for p in self.transformer.parameters() if p.ndim == 2]
        widest = max(max(p.shape) for p in matrices if self.vocabulary not in p.shape)
        return Footprint(self.heads, self.width, widest)

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of the Transformer's weights, whatever file they came from, without any head on top."""
        digest = hashlib.sha256()
        for name, weights in sorted(self.transformer.named_parameters()):
            if not name.startswith("pooler."):
                digest.update(f"{name} {tuple(weights.shape)} {weights.dtype}\n".encode())
                digest.update(weights.detach().cpu().contiguous().view(torch.uint8).numpy().data)
        return digest.hexdigest()

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
            raise ModelError(f"{self.name}: no linear maps where attention is computed.")
        return list(found)

    def _layer_around(self, place: str) -> Any:
        """The layer that a module is in: what stands in the innermost list of modules around it."""
        above, below = place.rpartition(".")[0], place
        while above and not isinstance(self.transformer.get_submodule(above), torch.nn.ModuleList):
            above, below = above.rpartition(".")[0], above
        return self.transformer.get_submodule(below if above else place)

    def read(
        self,
        pack: Pack,
        layers: Collection[int],
        receive: ReceiveMaps,
        receive_states: ReceiveStates | None = None,
    ) -> None:
        """Run the model bucket by bucket; see ``Engine.read``."""
        for k, ids in enumerate(pack):

            def take(layer: int, weights: torch.Tensor, k: int = k) -> None:
                receive(k, layer, np.array(weights.float().cpu().numpy()))

            def take_states(states: Any, k: int = k) -> None:
                assert receive_states is not None
                receive_states(k, [state.float().cpu().numpy() for state in states])

            wants_states = receive_states is not None
            self._tap.read(self._tensor(ids), layers, take, take_states if wants_states else None)

    def masked_logprobs(self, ids: np.ndarray, positions: np.ndarray, targets: np.ndarray) -> np.ndarray:
        """Log-probability of a target token at one position of each text (texts, n)."""
        where, wanted = self._tensor(positions), self._tensor(targets)
        with torch.inference_mode():
            if self._narrows:
                logits = self._narrow_logits(self._tensor(ids), where)
            else:
                logits = self.model(input_ids=self._tensor(ids)).logits[torch.arange(len(ids)), where]
        return _logprobs(logits, wanted)

    def causal_logprobs(self, ids: np.ndarray) -> np.ndarray:
        """Log-probability (texts, n - 1) of each token but the first after those before it."""
        given = self._tensor(ids)
        with torch.inference_mode():
            logits = self.model(input_ids=given).logits[:, :-1]
        return _logprobs(logits.flatten(0, 1), given[:, 1:].flatten()).reshape(len(ids), -1)

    def changed(self, changes: Mapping[str, np.ndarray], *, in_place: bool = False) -> TorchEngine:
        """A changed copy of the model, or the model itself, changed."""
        model = self.model if in_place else copy.deepcopy(self.model)
        transformer = _transformer(model)
        weights = dict(transformer.named_parameters())
        fitting: dict[str, torch.Tensor] = {}
        for name, values in changes.items():
            if name.endswith(A):
                place = name.removesuffix(A)
                change = changes[place + B].astype(np.float32) @ values.astype(np.float32)
                if not isinstance(transformer.get_submodule(place), torch.nn.Linear):
                    change = change.T  # GPT-2 keeps its matrices the other way round
                fitting[name] = _fitting(change, weights[f"{place}.weight"], place)
            elif not name.endswith(B):
                fitting[name] = _fitting(values, weights[name], name)
        engine = TorchEngine(model)  # before: where attention is read does not depend on the weights
        with torch.no_grad():  # all of them fit
            for name, change in fitting.items():
                if name.endswith(A):
                    weights[f"{name.removesuffix(A)}.weight"] += change
                else:
                    weights[name].copy_(change)
        return engine

    def _tensor(self, numbers: np.ndarray) -> torch.Tensor:
        return torch.from_numpy(np.ascontiguousarray(numbers, np.int64)).to(self.device)

    def _narrow_logits(self, ids: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        """Logits (texts, vocabulary) with the head run on one position alone: the vocabulary is costly."""

        def narrow(_: Any, __: Any, output: Any) -> Any:
            states = output[0]
            output.last_hidden_state = states[torch.arange(len(states)), positions][:, None]
            return output

        hook = self.model.base_model.register_forward_hook(narrow)
        try:
            return self.model(input_ids=ids).logits[:, 0]
        finally:
            hook.remove()

    @cached_property
    def _narrows(self) -> bool:
        """Whether the head of this model works position by position: tried once."""
        ids = torch.arange(1, 6, device=self.device)[None] % self.vocabulary
        whole = self.model(input_ids=ids).logits[:, 2]
        try:
            narrow = self._narrow_logits(ids, torch.tensor([2], device=self.device))
        except (RuntimeError, IndexError, AttributeError, TypeError):
            return False
        return narrow.shape == whole.shape and torch.allclose(narrow, whole, rtol=1e-2, atol=1e-3)


def _transformer(model: Any) -> Any:
    """The model without the head on top; of an encoder-decoder the encoder."""
    base = getattr(model, "base_model", model)
    return base.get_encoder() if getattr(model.config, "is_encoder_decoder", False) else base


def _methods(kind: str) -> tuple[Method, ...]:
    from transformers.models.auto import modeling_auto as auto

    if kind in auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES.values():
        return CAUSAL
    return MASKED if kind in auto.MODEL_FOR_MASKED_LM_MAPPING_NAMES.values() else ()


def _positions(model: Any) -> int | None:
    """The longest input in tokens that a model has positions for.

    Models with a table of positions stop at its end; those of RoBERTa's kind start counting after
    the number of the padding token, so they lose a few places.
    """
    positions = getattr(model.config, "max_position_embeddings", None)
    if not positions or positions < 0:
        return None
    for name, module in model.named_modules():
        if name.endswith("position_embeddings") and getattr(module, "num_embeddings", None) == positions:
            return int(positions - (0 if module.padding_idx is None else module.padding_idx + 1))
    return int(positions)


def _logprobs(logits: torch.Tensor, targets: torch.Tensor) -> np.ndarray:
    """Log-probability of each row's target."""
    logits = logits.float()
    chosen = logits.gather(-1, targets.to(logits.device)[:, None])[:, 0]
    return (chosen - logits.logsumexp(-1)).cpu().numpy().astype(np.float64)


def _fitting(values: np.ndarray, weights: torch.Tensor, name: str) -> torch.Tensor:
    """Values as a tensor for weights of the same shape, on their device."""
    if values.shape != tuple(weights.shape):
        raise ValueError(f"{name} has the shape {values.shape} for {tuple(weights.shape)}.")
    return torch.from_numpy(values).to(weights.device)
