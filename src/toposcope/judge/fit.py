"""The one way from labelled evidence to a linear judge, and what cross-validation tells to expect of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from toposcope.data.sentences import Sentences
from toposcope.features.table import Table
from toposcope.judge.evidence import Evidence
from toposcope.judge.folds import fold_numbers
from toposcope.judge.linear import Linear
from toposcope.judge.parts import FOLDS, ClassWeight, Kept, Parts, fit_parts
from toposcope.judge.ranking import Ranking, choose_heads
from toposcope.stats.metrics import accuracy, matthews, reliability
from toposcope.topology.head import Head


class Size(NamedTuple):
    """What tells the columns that evidence has in a model."""

    layers: int
    heads: int
    width: int


@dataclass(frozen=True, eq=False)
class Fitted:
    """A linear judge of all columns of a table, of which those at ``places``, of its ``evidence``, count.

    The evidence names its heads if these were chosen.
    """

    evidence: Evidence
    linear: Linear
    places: list[int] = field(repr=False)

    def probabilities(self, table: Table) -> np.ndarray:
        """Of being acceptable, as it says of the rows of a table with the same columns."""
        return self.linear.take(self.places).probabilities(table.values[:, self.places])

    def expected(self, labels: np.ndarray) -> dict[str, Any]:
        """What nested cross-validation tells to expect of it, with intervals, for JSON."""
        seen = self.linear.out_of_fold
        assert seen is not None
        found = reliability(labels, seen.probabilities)
        return {
            "acceptable": int(np.sum(labels)),
            "not acceptable": int(np.sum(1 - np.asarray(labels))),
            "finds something": self.linear.finds_something,
            "mcc": seen.estimate(matthews, labels).to_dict(),
            "accuracy": seen.estimate(accuracy, labels).to_dict(),
            "calibration error": found.error,
            "reliability": found.to_list(),
            "shares": list(self.linear.shares),
            "strengths": list(self.linear.strengths),
        }


def fit(
    table: Table,
    sentences: Sentences,
    evidence: Evidence,
    size: Size,
    folds: np.ndarray,
    *,
    seed: int = 0,
    count: int = 0,
    ranking: Ranking = "correlation",
    class_weight: ClassWeight = None,
    kept: Kept | None = None,
) -> Fitted:
    """Fit a judge that looks at some evidence in a table, chosen on these sentences alone.

    Parameters
    ----------
    table : Table
        What was seen of the sentences: the columns of the evidence, and maybe others.
    sentences : Sentences
        With their labels.
    evidence : Evidence
    size : Size
        Of the model.
    folds : numbers
        Which sentences are left out together, as in ``fit_parts``.
    seed : int
        Of the cut where only one fold is left to choose by.
    count : int
        Keep so many heads, chosen by ``ranking`` anew without each fold; 0 keeps all.
    class_weight : "balanced" gives both labels the same weight
    kept : dict
        What several fits on one table share; see ``fit_parts``.
    """
    labels = sentences.labels

    def parts_of(heads: list[Head]) -> Parts:
        places = np.array(table.places(evidence.columns(heads, size.width)))
        return [places[part] for part in evidence.parts(heads, size.width)]

    def choose(rows: np.ndarray) -> Parts:
        return parts_of(choose_heads(table.rows(rows), labels[rows], count, ranking))

    heads = evidence.heads_of(size.layers, size.heads)
    linear = fit_parts(
        table.values,
        labels,
        choose if count else parts_of(heads),
        groups=folds,
        within=fold_numbers(sentences, FOLDS, seed),
        class_weight=class_weight,
        kept=kept,
    )
    if count:
        heads = choose_heads(table, labels, count, ranking)
        evidence = evidence.with_heads(heads)
    return Fitted(evidence, linear, table.places(evidence.columns(heads, size.width)))
