"""What runs a model: two engines behind one face.

``light`` computes the forward pass of BERT and its relatives with numpy, without torch: it is there in half
a second, and on a CPU it is at least as fast. ``torch`` runs whatever transformers can load, on any device,
and learns. Which one a scope has stands in its provenance.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import ClassVar, Literal, TypeAlias

import numpy as np

from toposcope.errors import ModelError
from toposcope.models.buckets import Footprint

EngineKind = Literal["light", "torch"]
Method = Literal["pll", "pll-word", "logprob", "logprob-bos"]
MASKED: tuple[Method, ...] = ("pll", "pll-word")
CAUSAL: tuple[Method, ...] = ("logprob", "logprob-bos")
A, B = ".lora_A", ".lora_B"  # endings of the names of a change of low rank: W + B A

Pack: TypeAlias = Sequence[np.ndarray]
"""Token numbers of several buckets, each (texts, n) of its own n, that run together."""
ReceiveMaps: TypeAlias = Callable[[int, int, np.ndarray], None]
"""Called with the number of a bucket in the pack, a layer, and maps (texts, heads, n, n) to keep."""
ReceiveStates: TypeAlias = Callable[[int, Sequence[np.ndarray]], None]
"""Called with the number of a bucket and its states (texts, n, width), the embeddings first."""


class Engine(ABC):
    """A Transformer that can be run.

    ``name`` says what kind of model it is; there are ``heads`` in a layer, ``width`` numbers in a state;
    ``positions`` is the longest text in tokens (None: no limit), ``footprint`` the memory of a text,
    ``methods`` are the scores of the language model, none without one.
    """

    kind: ClassVar[EngineKind]
    name: str
    layers: int
    heads: int
    width: int
    vocabulary: int
    causal: bool
    positions: int | None
    footprint: Footprint
    methods: tuple[Method, ...]

    @property
    @abstractmethod
    def device(self) -> str:
        """Where the weights are, as torch names it."""

    @property
    @abstractmethod
    def dtype(self) -> str:
        """Precision of the weights, e.g. "float32"."""

    @property
    @abstractmethod
    def fingerprint(self) -> str:
        """SHA-256 of the Transformer's weights, whatever file they came from, without any head on top."""

    @property
    @abstractmethod
    def versions(self) -> Mapping[str, str]:
        """Versions of the packages that compute."""

    @abstractmethod
    def read(
        self,
        pack: Pack,
        layers: Collection[int],
        receive: ReceiveMaps,
        receive_states: ReceiveStates | None = None,
    ) -> None:
        """Run the model; each wanted layer of each bucket goes to ``receive`` as soon as it is there.

        With ``receive_states`` the run goes to its end, and the hidden states of all layers go there.
        """

    @abstractmethod
    def masked_logprobs(self, ids: np.ndarray, positions: np.ndarray, targets: np.ndarray) -> np.ndarray:
        """Log-probability of a target token at one position of each text (texts, n)."""

    def causal_logprobs(self, ids: np.ndarray) -> np.ndarray:
        """Log-probability (texts, n - 1) of each token but the first after those before it."""
        raise ModelError(f"The {self.kind} engine runs no causal models.")

    @abstractmethod
    def changed(self, changes: Mapping[str, np.ndarray], *, in_place: bool = False) -> Engine:
        """The model with changed weights: a new matrix W by its name, or A and B of W + B A.

        A change that does not fit is a ValueError or KeyError. ``in_place`` allows to change this one.
        """
