"""Making a judge from labelled sentences: what is seen of them (crossfit.py), and a regression over it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from toposcope.data.sentences import Sentences
from toposcope.errors import InputError
from toposcope.judge.course import Course
from toposcope.judge.crossfit import observe_training
from toposcope.judge.evidence import check_pooler
from toposcope.judge.judge import Judge
from toposcope.judge.linear import fit_parts
from toposcope.judge.ranking import check_count, choose_heads

if TYPE_CHECKING:
    from toposcope.models.scope import Scope


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
    check_pooler(scope, evidence)  # now, not after hours of tuning
    if course.heads and evidence.spec is None:
        raise InputError(f"heads={course.heads}: the features look at no heads. Add h0m, tda or topology.")
    if course.heads:
        check_count(course.heads, scope.layers * scope.heads)
    seen = observe_training(scope, train, course, work=work, progress=progress)
    table, heads = seen.table, evidence.heads_of(scope.layers, scope.heads)
    units = seen.units
    if course.heads:
        heads = choose_heads(table, train.labels, course.heads, course.ranking)
        evidence = evidence.with_heads(heads)
        names = evidence.names(heads, scope.width)
        units = units and units.take(table.places(names))
        table = table.take(names)
    parts = evidence.parts(heads, scope.width)
    linear = fit_parts(
        table.values, train.labels, parts, class_weight=course.class_weight, groups=seen.folds
    )
    if units is not None:
        linear = units.undone(linear)
    lessons = seen.lessons
    known = [train] if lessons is None else [train, lessons]
    facts = {
        "trained on": _data_facts(train),
        "lessons": None if lessons is None else _data_facts(lessons),
        "seed": course.seed,
        "class weight": course.class_weight,
        "tuning": _tuning_facts(course, scope),
        "made": datetime.now(UTC).date().isoformat(),
        "versions": {name: version(name) for name in ("toposcope", "torch", "transformers", "numpy")},
        **(about or {}),
    }
    hashes = np.concatenate([sentences.hashes for sentences in known])
    return Judge(
        scope.reference, scope.fingerprint, evidence, linear, seen.adapter, hashes, facts, base=scope
    )


def _data_facts(sentences: Sentences) -> dict[str, Any]:
    return {"name": sentences.name, "sentences": len(sentences), "sha256": sentences.fingerprint}


def _tuning_facts(course: Course, scope: Scope) -> dict[str, Any] | None:
    if course.tuning is None:
        return None
    settled = asdict(course.tuning.settled(scope.device))
    names = ("seed", "runs", "exercises", "middle")
    return {**settled, **{name: getattr(course, name) for name in names}}


def halved_if_same(judge: Judge, texts: Sequence[str]) -> Judge:
    """The judge in half precision if it gives the same verdicts on ``texts``, else as it is."""
    half = judge.halved()
    if half is judge:
        return judge
    pairs = zip(judge.verdicts(texts), half.verdicts(texts), strict=True)
    return half if all(a.acceptable == b.acceptable for a, b in pairs) else judge
