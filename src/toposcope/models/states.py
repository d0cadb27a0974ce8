"""Hidden states of whole texts, for the baselines that topology has to beat."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import torch


@dataclass(frozen=True, eq=False)
class States:
    """Two vectors a text and layer, (texts, layers + 1, width); the embeddings are layer 0.

    ``first`` is the state of the first token ([CLS] where there is one), ``mean`` the mean over all.
    """

    first: np.ndarray = field(repr=False)
    mean: np.ndarray = field(repr=False)


class StateCollector:
    """Keeps the states of each bucket: (pieces, layers + 1, width)."""

    def __init__(self, rows: int) -> None:
        """``rows`` is the number of pieces."""
        self.rows = rows
        self.first = self.mean = np.empty((0, 0, 0), np.float32)

    def __call__(self, places: list[int], states: Sequence[torch.Tensor]) -> None:
        """Pool the states (pieces, n, width) of all layers of a bucket."""
        if not self.first.size:
            shape = (self.rows, len(states), states[0].shape[-1])
            self.first, self.mean = np.empty(shape, np.float32), np.empty(shape, np.float32)
        for layer, state in enumerate(states):
            self.first[places, layer] = state[:, 0].float().cpu().numpy()
            self.mean[places, layer] = state.float().mean(1).cpu().numpy()
