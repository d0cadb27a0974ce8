"""A model that learns to tell acceptable sentences from others: a Transformer with a small head on top.

The head takes the state of the first token (the mean of all tokens in a causal model) through one tanh
layer to one number, the log-odds of being acceptable. That is BERT's own classifier, and its tanh layer
starts from BERT's pooler where the weights have one.

A head of ``words`` is one linear layer that says of every token how probably it is wrong; the sentence is
wrong if any is, so their odds are added up. It learns from labels of sentences, and from words wherever
a good version of a bad sentence shows which of them are to blame. For long sentences with one small
error this says far more than a label.

LoRA adds to a weight matrix W a product B A of low rank and learns A and B only; afterwards the
product is added into W, so that a tuned model runs exactly as fast as the one it came from. Usually that
is done to query, key and value of the upper layers only, since then the lower ones need no backward pass.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import nn

from toposcope.errors import ModelError
from toposcope.models.scope import Scope
from toposcope.models.torch_engine import TorchEngine
from toposcope.models.tuning.adapter import HEAD, Adapter, Pooled

if TYPE_CHECKING:
    from toposcope.models.tuning.tuning import Tuning

DROPOUT = 0.1
UNKNOWN = -1  # of a token: whether it is to blame


@dataclass(frozen=True, eq=False)
class Batch:
    """Token numbers (texts, n), a mask (none where all are equally long), labels (texts,), and for a head
    of words whom to blame (texts, n): 1, 0 or UNKNOWN.
    """

    ids: torch.Tensor
    mask: torch.Tensor | None
    labels: torch.Tensor
    blame: torch.Tensor | None


class Student(nn.Module):
    """A copy of a Transformer with a head on top, of which some weights learn."""

    def __init__(self, scope: Scope, tuning: Tuning, data: str = "", start: Adapter | None = None) -> None:
        """Copy the model and make ready what learns; ``data`` says from what, ``start`` what is known."""
        super().__init__()
        tuning, engine = tuning.settled(scope.device), _engine(scope)
        torch.manual_seed(tuning.seed)
        self.tuning, self.scope, self.data, self.start = tuning, scope, data, start
        self.body = copy.deepcopy(engine.transformer).requires_grad_(False)
        if tuning.method == "full":
            for name, weights in self.body.named_parameters():
                weights.requires_grad_(not name.startswith("pooler."))  # the head has a layer in its place
        width = scope.width
        self.dense = None if tuning.head == "words" else nn.Linear(width, width)
        self.out, self.dropout = nn.Linear(width, 1), nn.Dropout(DROPOUT)
        if self.dense is not None and scope.pooler is not None:
            for target, values in zip((self.dense.weight, self.dense.bias), scope.pooler, strict=True):
                target.data.copy_(torch.from_numpy(values))
        nn.init.normal_(self.out.weight, std=0.02)
        nn.init.zeros_(self.out.bias)
        self.places = engine.linears(tuning.maps, tuning.layers) if tuning.method == "lora" else []
        if self.places:
            _add_lora(self.body, self.places, tuning.rank)
        if start is not None:
            self._begin_at(start)
        self.to(scope.device)

    def forward(self, ids: torch.Tensor, mask: torch.Tensor | None) -> torch.Tensor:
        """Log-odds of being acceptable, (texts,)."""
        return self._log_odds(self._said(ids, mask))

    def loss(self, batch: Batch) -> torch.Tensor:
        """Cross-entropy of labels, and of all tokens of a text whose blame is known; mean over texts."""
        said = self._said(batch.ids, batch.mask)
        loss = nn.functional.binary_cross_entropy_with_logits(self._log_odds(said), batch.labels)
        if batch.blame is None:
            return loss
        known = batch.blame != UNKNOWN
        tokens = nn.functional.binary_cross_entropy_with_logits(
            said[known], batch.blame[known], reduction="sum"
        )
        return loss + tokens / len(said)

    def _log_odds(self, said: torch.Tensor) -> torch.Tensor:
        return said if said.ndim == 1 else -torch.logsumexp(said, 1)

    def _said(self, ids: torch.Tensor, mask: torch.Tensor | None) -> torch.Tensor:
        """Log-odds of the texts (texts,), or of each token that it is wrong (texts, n)."""
        half = self.training and self.tuning.precision == "bfloat16"
        with torch.autocast(ids.device.type, torch.bfloat16, enabled=half):
            states = self.body(input_ids=ids, attention_mask=mask).last_hidden_state
            if self.pooled == "first":
                states = states[:, 0]
            elif self.pooled == "mean":
                weight = torch.ones_like(ids) if mask is None else mask
                states = (states * weight[..., None]).sum(1) / weight.sum(1, keepdim=True)
            if self.dense is not None:
                states = torch.tanh(self.dense(states))
            said = self.out(self.dropout(states))[..., 0].float()
        if self.pooled == "words" and mask is not None:
            said = said.masked_fill(mask == 0, -torch.inf)
        return said

    @property
    def pooled(self) -> Pooled:
        """What the head reads."""
        if self.tuning.head == "words":
            return "words"
        return "mean" if self.scope.causal else "first"

    def learn(self) -> None:
        """Ready for training. Under LoRA the frozen network runs as it is, without dropout of its own."""
        self.train(True)
        if self.tuning.method == "lora":
            self.body.train(False)

    @cached_property
    def learned(self) -> dict[str, nn.Parameter]:
        """The weights that learn."""
        return {name: p for name, p in self.named_parameters() if p.requires_grad}

    def adapter(self) -> Adapter:
        """What was learned, to be put into another copy of the same weights."""
        tensors = {name: _array(weights) * scale for name, (weights, scale) in self._tensors().items()}
        return Adapter(tensors, self.scope.fingerprint, self.pooled, self.about)

    def _tensors(self) -> dict[str, tuple[torch.Tensor, float]]:
        """The tensors of an adapter by name: weights here, and what they are multiplied by there."""
        head = {"out.weight": self.out.weight, "out.bias": self.out.bias}
        if self.dense is not None:
            head = {"dense.weight": self.dense.weight, "dense.bias": self.dense.bias} | head
        found: dict[str, tuple[torch.Tensor, float]] = {f"{HEAD}.{k}": (w, 1.0) for k, w in head.items()}
        if self.tuning.method == "full":
            learned = self.body.named_parameters()
            found |= {name: (weights, 1.0) for name, weights in learned if weights.requires_grad}
        for place in self.places:
            layer = self.body.get_submodule(place)
            found[f"{place}.lora_A"] = layer.lora_A["default"].weight, 1.0
            found[f"{place}.lora_B"] = layer.lora_B["default"].weight, layer.scaling["default"]
        return found

    def _begin_at(self, start: Adapter) -> None:
        """Take over what another tuning learned."""
        tensors = self._tensors()
        here = {name: tuple(weights.shape) for name, (weights, _) in tensors.items()}
        if start.base != self.scope.fingerprint or here != {k: v.shape for k, v in start.tensors.items()}:
            raise ModelError(
                "Tuning can only go on from a model of the same weights, tuned in the same way."
            )
        for name, (weights, scale) in tensors.items():
            weights.data.copy_(torch.from_numpy(np.asarray(start.tensors[name], np.float32) / scale))

    @property
    def about(self) -> dict[str, Any]:
        """How and from what it learns, and what it learned before."""
        before = {} if self.start is None else {"after": dict(self.start.about)}
        return {**asdict(self.tuning), "data": self.data, **before}


def _engine(scope: Scope) -> TorchEngine:
    if not isinstance(scope.engine, TorchEngine):
        raise ModelError(
            f"{scope.name} is in the light engine, which cannot learn: load(..., engine='torch')."
        )
    return scope.engine


def _add_lora(body: nn.Module, places: Sequence[str], rank: int) -> None:
    """Put a trainable product of low rank beside each of the linear maps."""
    try:
        from peft import LoraConfig, inject_adapter_in_model
    except ModuleNotFoundError as error:
        raise ModelError("LoRA needs peft: pip install 'toposcope[lora]'.") from error
    transposed = not isinstance(body.get_submodule(places[0]), nn.Linear)  # GPT-2's Conv1D
    config = LoraConfig(r=rank, lora_alpha=2 * rank, target_modules=list(places), fan_in_fan_out=transposed)
    inject_adapter_in_model(config, body)


def _array(weights: Any) -> np.ndarray:
    return weights.detach().float().cpu().numpy().copy()
