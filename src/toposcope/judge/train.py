"""Making a judge from labelled sentences.

The trap is in tuning: a model that was tuned on a sentence knows its label, so features of that
sentence look nearly perfect and teach the judge nothing. Hence cross-fitting: the sentences are cut
into folds, each fold is looked at by a model that was tuned on the others only, and the judge learns
from that. At the end one more model is tuned on everything; this one goes into the judge.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from toposcope.data.sentences import Sentences
from toposcope.errors import InputError
from toposcope.features.table import FeatureTable
from toposcope.judge.evidence import Evidence, observe
from toposcope.judge.folds import fold_numbers
from toposcope.judge.judge import Judge
from toposcope.judge.linear import FOLDS, fit_parts
from toposcope.judge.ranking import Ranking, choose_heads

if TYPE_CHECKING:
    from toposcope.models.adapter import Adapter
    from toposcope.models.scope import Scope
    from toposcope.models.tuning import Tuning

CROSS_FOLDS = 2


@dataclass(frozen=True)
class Course:
    """How a judge is trained. ``tuning`` None leaves the model as it is; ``heads`` 0 keeps all."""

    evidence: Evidence
    tuning: Tuning | None = None
    heads: int = 0
    ranking: Ranking = "correlation"
    class_weight: Literal["balanced"] | None = None
    seed: int = 0


@dataclass(frozen=True, eq=False)
class Observed:
    """Training sentences as seen by models that do not know their labels.

    ``folds`` is the fold of each sentence, ``adapter`` what tuning on all of them learned.
    """

    table: FeatureTable
    folds: np.ndarray
    adapter: Adapter | None = None


def train_judge(
    scope: Scope,
    train: Sentences,
    course: Course,
    *,
    work: Path | None = None,
    progress: bool | None = None,
    about: dict[str, Any] | None = None,
) -> Judge:
    """Train a judge of ``train``; strength, heads and threshold are chosen on these sentences alone.

    With ``work``, a folder, tuning is saved there on the way and taken up again after a crash.
    """
    train.need_both_labels()
    evidence = course.evidence
    if course.heads and evidence.spec is None:
        raise InputError(f"heads={course.heads}: the features look at no heads. Add h0m, tda or topology.")
    seen = observe_training(
        scope, train, evidence, course.tuning, seed=course.seed, work=work, progress=progress
    )
    table, heads = seen.table, evidence.heads_of(scope.layers, scope.heads)
    if course.heads:
        heads = choose_heads(table, train.labels, course.heads, course.ranking)
        evidence = evidence.with_heads(heads)
        table = table.take(evidence.names(heads, scope.width))
    parts = evidence.parts(heads, scope.width)
    linear = fit_parts(
        table.values, train.labels, parts, class_weight=course.class_weight, groups=seen.folds
    )
    facts = {
        "trained on": {"name": train.name, "sentences": len(train), "sha256": train.fingerprint},
        "seed": course.seed,
        "class weight": course.class_weight,
        "tuning": _tuning_facts(course),
        "made": datetime.now(UTC).date().isoformat(),
        "versions": {name: version(name) for name in ("toposcope", "torch", "transformers", "numpy")},
        **(about or {}),
    }
    return Judge(
        scope.reference, scope.fingerprint, evidence, linear, seen.adapter, train.hashes, facts, base=scope
    )


def _tuning_facts(course: Course) -> dict[str, Any] | None:
    if course.tuning is None:
        return None
    return {**asdict(course.tuning), "rate": course.tuning.learning_rate, "seed": course.seed}


def halved_if_same(judge: Judge, texts: Sequence[str]) -> Judge:
    """The judge in half precision if it gives the same verdicts on ``texts``, else as it is."""
    half = judge.halved()
    if half is judge:
        return judge
    pairs = zip(judge.verdicts(texts), half.verdicts(texts), strict=True)
    return half if all(a.acceptable == b.acceptable for a, b in pairs) else judge


def observe_training(
    scope: Scope,
    train: Sentences,
    evidence: Evidence,
    tuning: Tuning | None,
    *,
    seed: int = 0,
    work: Path | None = None,
    progress: bool | None = None,
) -> Observed:
    """The evidence of training sentences, each from a model that never saw its label."""
    if tuning is None:
        folds = fold_numbers(train.texts, train.labels, FOLDS, seed)
        return Observed(observe(scope, train.texts, evidence, progress=progress), folds)
    from toposcope.models.tuning import tune

    tuning = replace(tuning, seed=seed)
    folds = fold_numbers(train.texts, train.labels, CROSS_FOLDS, seed)

    def tuned_on(rows: np.ndarray, what: str, file: str) -> Adapter:
        part = train.take(np.flatnonzero(rows))
        checkpoint = None if work is None else work / file
        return tune(
            scope, part.texts, part.labels, tuning, checkpoint=checkpoint, progress=progress, what=what
        )

    parts: list[FeatureTable] = []
    for fold in range(CROSS_FOLDS):
        left_out = folds == fold
        adapter = tuned_on(~left_out, f"tuning without fold {fold + 1}", f"fold-{fold}.safetensors")
        part = train.take(np.flatnonzero(left_out))
        parts.append(observe(adapter.apply(scope), part.texts, evidence, adapter, progress=progress))
    adapter = tuned_on(np.ones(len(train), bool), "tuning on everything", "all.safetensors")
    order = np.argsort(np.argsort(folds, kind="stable"))  # back to the order of the sentences
    values = np.concatenate([part.values for part in parts])[order]
    return Observed(FeatureTable(values, parts[0].columns, parts[0].about), folds, adapter)
