"""Hidden states of whole texts, for the baselines that topology has to beat."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from toposcope.models.distinct import Distinct

FromStates = Callable[[np.ndarray], np.ndarray]  # of the last layer, (texts, n, width)


@dataclass(frozen=True)
class ModelHead:
    """What sits on top of a tuned model: ``log_odds`` of texts, (texts,), of being acceptable.

    One that goes word by word also gives ``blame``: log-odds of each token, (texts, n), of being wrong.
    """

    log_odds: FromStates
    blame: FromStates | None = None


@dataclass(frozen=True, eq=False)
class States:
    """Two vectors a text and layer, (texts, layers + 1, width); the embeddings are layer 0.

    ``first`` is the state of the first token ([CLS] where there is one), ``mean`` the mean over all.
    ``log_odds`` (texts,) of being acceptable are the word of a tuned model; others have none. ``blame`` is
    that of each piece: log-odds of its tokens of being wrong, where the model goes word by word.
    """

    first: np.ndarray = field(repr=False)
    mean: np.ndarray = field(repr=False)
    log_odds: np.ndarray | None = field(default=None, repr=False)
    blame: Sequence[np.ndarray] | None = field(default=None, repr=False)

    def of_texts(self, distinct: Distinct) -> States:
        """The states of texts from those of their different pieces."""
        spread = distinct.spread
        log_odds = None if self.log_odds is None else spread(self.log_odds)
        blame = None if self.blame is None else [self.blame[row] for row in distinct.rows]
        return States(spread(self.first), spread(self.mean), log_odds, blame)


class StateCollector:
    """Keeps the states of each bucket: (pieces, layers + 1, width)."""

    def __init__(self, rows: int, head: ModelHead | None = None) -> None:
        """``rows`` is the number of pieces; ``head`` that of a tuned model."""
        self.rows, self.head = rows, head
        self.log_odds = None if head is None else np.empty(rows, np.float32)
        self.blame: dict[int, np.ndarray] = {}
        self.first = self.mean = np.empty((0, 0, 0), np.float32)

    def __call__(self, places: Sequence[int], states: Sequence[np.ndarray]) -> None:
        """Pool the states (pieces, n, width) of all layers of a bucket."""
        if not self.first.size:
            shape = (self.rows, len(states), states[0].shape[-1])
            self.first, self.mean = np.empty(shape, np.float32), np.empty(shape, np.float32)
        for layer, state in enumerate(states):
            self.first[places, layer] = state[:, 0]
            self.mean[places, layer] = state.mean(1)
        if self.head is not None and self.log_odds is not None:
            last = states[-1]
            self.log_odds[places] = self.head.log_odds(last)
            if self.head.blame is not None:
                self.blame |= zip(places, self.head.blame(last), strict=True)

    def states(self) -> States:
        """What was kept."""
        blame = [self.blame[row] for row in range(self.rows)] if self.blame else None
        return States(self.first, self.mean, self.log_odds, blame)
