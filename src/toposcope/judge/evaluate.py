"""How good a judge is on sentences with known labels."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from toposcope.data.readers import labelled
from toposcope.data.sentences import Sentences
from toposcope.judge.judge import Judge
from toposcope.judge.verdict import Verdict
from toposcope.stats.estimate import Estimate
from toposcope.stats.metrics import Reliability, reliability, scores


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Verdicts beside labels. ``overlap`` counts sentences that the judge learned from.

    ``ids`` are those of the sentences, where they have some.
    """

    name: str
    labels: np.ndarray = field(repr=False)
    verdicts: tuple[Verdict, ...] = field(repr=False)
    overlap: int
    ids: tuple[Any, ...] | None = field(default=None, repr=False)

    @property
    def probabilities(self) -> np.ndarray:
        """Of each sentence."""
        return np.array([verdict.probability for verdict in self.verdicts])

    def scores(self, threshold: float | None = None) -> dict[str, Estimate]:
        """Accuracy and MCC with intervals, at the judge's threshold or at another."""
        cut = self.verdicts[0].threshold if threshold is None else threshold
        return scores(self.labels, self.probabilities >= cut)

    def reliability(self) -> Reliability:
        """Whether the probabilities mean what they say."""
        return reliability(self.labels, self.probabilities)

    def rows(self) -> list[dict[str, Any]]:
        """Every sentence with its label, its verdict, and its id where there is one, for ``write_rows``."""
        rows = [
            {"text": v.text, "label": int(label), "acceptable": v.acceptable, "probability": v.probability}
            for v, label in zip(self.verdicts, self.labels, strict=True)
        ]
        if self.ids is None:
            return rows
        return [{"id": identity, **row} for identity, row in zip(self.ids, rows, strict=True)]

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        found = self.reliability()
        at = {"chosen threshold": self.scores(), "threshold 0.5": self.scores(0.5)}
        return {
            "data": self.name,
            "sentences": len(self.labels),
            "also in training": self.overlap,
            "threshold": self.verdicts[0].threshold,
            "calibration error": found.error,
            "reliability": found.to_list(),
            **{name: {m: e.to_dict() for m, e in scored.items()} for name, scored in at.items()},
        }


def evaluate_judge(
    judge: Judge | str | Path,
    data: Sentences | str | Path,
    *,
    device: str = "cpu",
    progress: bool | None = None,
) -> Evaluation:
    """Let a judge look at labelled sentences: what ``toposcope evaluate`` does.

    Parameters
    ----------
    judge : Judge, or the name or folder of one
    data : Sentences, or a file
        PATH:SPLIT takes one split of a file.
    device : str
        A torch device, for a judge given by name.
    progress : bool
        Show a bar; by default where somebody looks at the terminal.

    Examples
    --------
    >>> evaluate_judge("english", "out_of_domain_dev.tsv").scores()["mcc"]  # doctest: +SKIP
    """
    asked = judge if isinstance(judge, Judge) else Judge.load(judge, device)
    known = labelled(data)
    verdicts = asked.verdicts(known.texts, progress=progress)
    overlap = int(np.isin(known.hashes, asked.seen).sum())
    return Evaluation(known.name, np.asarray(known.labels, int), tuple(verdicts), overlap, known.ids)
