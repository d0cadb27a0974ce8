"""What tuning changed in a model: small arrays that are put into the weights they were learned on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np

from toposcope.errors import InputError, ModelError
from toposcope.facts import checked_numbers
from toposcope.files import whole
from toposcope.models.engine import A, B
from toposcope.models.scope import Scope
from toposcope.models.states import ModelHead

Pooled = Literal["first", "mean", "words"]
Layer = tuple[np.ndarray, np.ndarray]  # weights and biases
UNFIT = (KeyError, ValueError, RuntimeError, AttributeError)  # a matrix the model lacks, of another shape
HEAD = "head"
DENSE, CHANGE, CHANGE_RANK = f"{HEAD}.dense.weight", f"{HEAD}.dense", 16


@dataclass(frozen=True, eq=False)
class Adapter:
    """Changes of the weights with fingerprint ``base``, and a head that gives log-odds.

    ``tensors`` holds for each changed matrix W either the new W, or A and B of W + B A; and ``head.out``,
    before it ``head.dense`` (or its change against the pooler) unless words are read. ``pooled`` says what
    the head reads: the state of the first token, the mean of all, or the words one by one. ``about`` says
    how it was made.
    """

    tensors: Mapping[str, np.ndarray] = field(repr=False)
    base: str
    pooled: Pooled = "first"
    about: Mapping[str, Any] = field(default_factory=dict)

    def checked(self) -> Adapter:
        """Itself, or an InputError if it holds what is no number, or reads what nobody knows."""
        if self.pooled not in get_args(Pooled):
            raise InputError(f"pooled={self.pooled!r}: accepted are {', '.join(get_args(Pooled))}.")
        for name, values in self.tensors.items():
            checked_numbers(values, name)
        return self

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of all that it changes."""
        digest = hashlib.sha256(self.base.encode())
        for name, values in sorted(self.tensors.items()):
            digest.update(f"{name} {values.shape} {values.dtype}\n".encode())
            digest.update(np.ascontiguousarray(values).data)
        return digest.hexdigest()

    def apply(self, scope: Scope, *, in_place: bool = False) -> Scope:
        """A scope on a changed copy of the model; ``in_place`` if nobody else needs that any more."""
        if scope.fingerprint != self.base:
            raise ModelError(
                f"The adapter was learned on other weights ({self.base[:12]}) than those of {scope.name} "
                f"({scope.fingerprint[:12]})."
            )
        try:
            dense = None if self.pooled == "words" else self._dense(scope.pooler)
            self._check_head(scope.width, dense)
            changes = {k: v for k, v in self.tensors.items() if not k.startswith(f"{HEAD}.")}
            origin = scope.provenance | {"adapter": self.fingerprint}
            engine = scope.engine.changed(changes, in_place=in_place)
        except UNFIT as error:
            raise InputError(f"The adapter does not fit {scope.name}: {error}") from error
        return Scope(
            engine,
            scope.tokenizer,
            name=f"{scope.name}, tuned",
            settings=scope.settings,
            origin=origin,
            pooler=scope.pooler and (dense or scope.pooler),
            head=ModelHead(
                partial(self.log_odds, dense=dense), self.blame if self.pooled == "words" else None
            ),
        )

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

    @classmethod
    def mean(cls, adapters: Sequence[Adapter], rank: int) -> Adapter:
        """A soup: the average of several that were learned on the same weights.

        Models that were tuned apart make different mistakes; the average of their weights makes fewer, in
        a single pass. Means of products are cut back to ``rank``.
        """
        first = adapters[0]
        if len(adapters) == 1:
            return first
        if {(a.base, a.pooled, tuple(sorted(a.tensors))) for a in adapters} != {
            (first.base, first.pooled, tuple(sorted(first.tensors)))
        }:
            raise ModelError("Only adapters of the same weights, learned in the same way, have a mean.")
        tensors = {}
        for name in first.tensors:
            each = [np.asarray(a.tensors[name], np.float64) for a in adapters]
            if name.endswith(A):
                others = [np.asarray(a.tensors[name.removesuffix(A) + B], np.float64) for a in adapters]
                b, a = _cut(np.hstack(others) / len(adapters), np.vstack(each), rank)
                tensors[name.removesuffix(A) + B], tensors[name] = b, a
            elif not name.endswith(B):
                tensors[name] = np.mean(each, axis=0)
        about = {**first.about, "mean of": [dict(a.about) for a in adapters]}
        return cls({k: v.astype(np.float32) for k, v in tensors.items()}, first.base, first.pooled, about)

    def halved(self, pooler: Layer | None = None) -> Adapter:
        """The same in half precision.

        The dense layer of a head that started from a pooler is kept as its change, of low rank: what it
        learned is simple beside what it was, and takes a twentieth of the place.
        """
        tensors = dict(self.tensors)
        if pooler is not None and DENSE in tensors:
            change = np.asarray(tensors.pop(DENSE), np.float64) - pooler[0]
            tensors[CHANGE + B], tensors[CHANGE + A] = _cut(change, np.eye(len(change)), CHANGE_RANK)
        return replace(self, tensors={name: values.astype(np.float16) for name, values in tensors.items()})

    def _check_head(self, width: int, dense: Layer | None) -> None:
        """Refuse a head for states of another width."""
        layers = [(self._head("out.weight"), (1, width)), (self._head("out.bias"), (1,))]
        layers += [] if dense is None else [(dense[0], (width, width)), (dense[1], (width,))]
        for values, shape in layers:
            if values.shape != shape:
                raise ValueError(f"its head has the shape {values.shape} for {shape}.")

    def log_odds(self, last: np.ndarray, dense: Layer | None) -> np.ndarray:
        """Log-odds of being acceptable, (texts,), from the tuned model's last layer (texts, n, width).

        A sentence is as bad as its words together: their odds of being wrong are added up. ``dense`` is the
        layer in a head of the sentence.
        """
        if dense is None:
            return -np.logaddexp.reduce(self.blame(last), axis=1)
        weights, bias = dense
        pooled = last[:, 0] if self.pooled == "first" else last.mean(1)
        return self._said(np.tanh(pooled @ weights.T + bias))

    def blame(self, last: np.ndarray) -> np.ndarray:
        """Log-odds of each token of being wrong, (texts, n), from a head of words."""
        return self._said(last)

    def _said(self, states: np.ndarray) -> np.ndarray:
        return (states @ self._head("out.weight").T + self._head("out.bias"))[..., 0]

    def _dense(self, pooler: Layer | None) -> Layer:
        if DENSE in self.tensors:
            weights = self._head("dense.weight")
        elif pooler is not None:
            weights = pooler[0] + self._head(f"dense{B}") @ self._head(f"dense{A}")
        else:
            raise ModelError("The adapter changes a pooler, and this model was loaded without one.")
        return weights, self._head("dense.bias")

    def _head(self, name: str) -> np.ndarray:
        return np.asarray(self.tensors[f"{HEAD}.{name}"], np.float32)


def _cut(b: np.ndarray, a: np.ndarray, rank: int) -> tuple[np.ndarray, np.ndarray]:
    """B and A of the nearest product to ``b @ a`` with this rank, at most that of ``b @ a``."""
    left, inner = np.linalg.qr(b)
    right, other = np.linalg.qr(a.T)
    u, sizes, v = np.linalg.svd(inner @ other.T)
    roots = np.sqrt(sizes[:rank])
    return left @ u[:, :rank] * roots, (roots[:, None] * v[:rank]) @ right.T
