"""What tuning changed in a model: small arrays that are put into the weights they were learned on."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch

from toposcope.errors import ModelError
from toposcope.files import whole
from toposcope.models.scope import Scope
from toposcope.models.states import States

HEAD = "head"
A, B = ".lora_A", ".lora_B"


@dataclass(frozen=True, eq=False)
class Adapter:
    """Changes of the weights with fingerprint ``base``, and a head that gives log-odds.

    ``tensors`` holds for each changed matrix W either the new W, or A and B of W + B A; and
    ``head.dense``, ``head.out``. ``pooled`` says which state the head reads; ``about`` how it was made.
    """

    tensors: Mapping[str, np.ndarray] = field(repr=False)
    base: str
    pooled: Literal["first", "mean"] = "first"
    about: Mapping[str, Any] = field(default_factory=dict)

    def apply(self, scope: Scope) -> Scope:
        """A scope on a changed copy of the model."""
        if scope.fingerprint != self.base:
            raise ModelError(
                f"The adapter was learned on other weights ({self.base[:12]}) than those of {scope.name} "
                f"({scope.fingerprint[:12]})."
            )
        model = copy.deepcopy(scope.model)
        tuned = Scope(
            model,
            scope.tokenizer,
            name=f"{scope.name}, tuned",
            settings=scope.settings,
            pooler=scope.pooler and (self._head("dense.weight"), self._head("dense.bias")),
        )
        weights = dict(tuned.transformer.named_parameters())
        with torch.no_grad():
            for name, values in self.tensors.items():
                if name.endswith(A):
                    place = name.removesuffix(A)
                    change = self.tensors[place + B].astype(np.float32) @ values.astype(np.float32)
                    if not isinstance(tuned.transformer.get_submodule(place), torch.nn.Linear):
                        change = change.T  # GPT-2 keeps its matrices the other way round
                    weights[f"{place}.weight"] += torch.from_numpy(change).to(tuned.device)
                elif not name.endswith(B) and not name.startswith(f"{HEAD}."):
                    weights[name].copy_(torch.from_numpy(values))
        return tuned

    def save(self, path: Path) -> None:
        """Write it into a .safetensors file."""
        from safetensors.numpy import save_file

        about = {"base": self.base, "pooled": self.pooled, "about": json.dumps(dict(self.about))}
        with whole(path) as place:
            save_file({name: np.ascontiguousarray(v) for name, v in self.tensors.items()}, place, about)

    @classmethod
    def load(cls, path: Path) -> Adapter | None:
        """Read what ``save`` wrote; None if the file holds something else."""
        from safetensors import safe_open

        with safe_open(path, "np") as file:
            about = file.metadata() or {}
            if "pooled" not in about:
                return None
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        return cls(tensors, about["base"], about["pooled"], json.loads(about["about"]))

    def logits(self, states: States) -> np.ndarray:
        """Log-odds of being acceptable, from the states of the tuned model."""
        last = getattr(states, self.pooled)[:, -1]
        pooled = np.tanh(last @ self._head("dense.weight").T + self._head("dense.bias"))
        return (pooled @ self._head("out.weight").T + self._head("out.bias"))[:, 0]

    def _head(self, name: str) -> np.ndarray:
        return np.asarray(self.tensors[f"{HEAD}.{name}"], np.float32)
