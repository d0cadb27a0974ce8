"""How a judge is trained."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from toposcope.data.sentences import Sentences
from toposcope.errors import InputError
from toposcope.judge.evidence import Evidence
from toposcope.judge.ranking import Ranking

if TYPE_CHECKING:
    from toposcope.models.tuning.tuning import Tuning

LEAST_FOLDS = 2


@dataclass(frozen=True)
class Recipe:
    """How a judge is trained. ``tuning`` None leaves the model as it is; ``heads`` 0 keeps all.

    ``pretrain_on`` are labelled sentences that the model is tuned on before, ``augment`` how many spoiled
    versions of every acceptable sentence it sees first. ``average_folds`` cuts the sentences into so many
    folds and averages the weights of their models; 0 tunes a last model on everything. ``soup`` is how
    often all of it is done; the judge gets a soup of these models, the average of their weights.
    """

    evidence: Evidence
    tuning: Tuning | None = None
    heads: int = 0
    ranking: Ranking = "correlation"
    class_weight: Literal["balanced"] | None = None
    seed: int = 0
    pretrain_on: Sentences | None = None
    augment: int = 0
    average_folds: int = 0
    soup: int = 1

    def __post_init__(self) -> None:
        if self.average_folds and self.average_folds < LEAST_FOLDS:
            raise InputError(
                f"average_folds={self.average_folds}: accepted are 0 and numbers from {LEAST_FOLDS}."
            )
