"""How a judge is trained."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from toposcope.data.sentences import Sentences
from toposcope.errors import InputError
from toposcope.judge.evidence import Evidence
from toposcope.judge.ranking import Ranking

if TYPE_CHECKING:
    from toposcope.models.tuning.tune import Tuning

LEAST_FOLDS = 2


@dataclass(frozen=True)
class Course:
    """How a judge is trained. ``tuning`` None leaves the model as it is; ``heads`` 0 keeps all.

    ``runs`` is how often the model is tuned; the middle of what was learned is taken. ``lessons`` are
    sentences that it is tuned on before, ``exercises`` how many spoiled versions of every acceptable
    sentence. ``middle`` cuts the sentences into so many folds and takes the middle of their models; 0 tunes
    a last model on everything.
    """

    evidence: Evidence
    tuning: Tuning | None = None
    heads: int = 0
    ranking: Ranking = "correlation"
    class_weight: Literal["balanced"] | None = None
    seed: int = 0
    runs: int = 1
    lessons: Sentences | None = None
    exercises: int = 0
    middle: int = 0

    def __post_init__(self) -> None:
        if self.middle and self.middle < LEAST_FOLDS:
            raise InputError(f"middle={self.middle}: accepted are 0 and numbers from {LEAST_FOLDS}.")
