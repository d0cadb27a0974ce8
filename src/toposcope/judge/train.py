"""Making a judge from labelled sentences.

The trap is in tuning: a model that was tuned on a sentence knows its label, so features of that
sentence look nearly perfect and teach the judge nothing. Hence cross-fitting: the sentences are cut
into folds, each fold is looked at by a model that was tuned on the others only, and the judge learns
from that. At the end one more model is tuned on everything; this one goes into the judge. All of it can
be done several times over, each time with other folds: then a sentence is looked at by the middle of the
models that do not know it, and the middle of the last ones goes into the judge.

Before all this the model may be given lessons: other labelled sentences, such as generated minimal pairs,
on which it is tuned once. All models start from there.

Models that were tuned apart agree about which sentences have more of a feature, less about how much
is usual: heads drift by half a standard deviation. So features are counted from the mean of the model
they come from, in its standard deviations. For the last model these come from training sentences: the
drift has little to do with labels. The model's own log-odds stay as they are, since on sentences that it
learned they say too much.
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
from toposcope.judge.linear import FOLDS, Linear, fit_parts, moments
from toposcope.judge.ranking import Ranking, choose_heads

if TYPE_CHECKING:
    from toposcope.models.adapter import Adapter
    from toposcope.models.scope import Scope
    from toposcope.models.tuning import Tuning

CROSS_FOLDS = 2
AS_IS = ("lm", "length")
LESSONS_SEED = 0  # lessons are part of the model that all seeds start from
SOME = 2000  # training sentences that give the units of the last model


@dataclass(frozen=True)
class Course:
    """How a judge is trained. ``tuning`` None leaves the model as it is; ``heads`` 0 keeps all.

    ``runs`` is how often the model is tuned; the middle of what was learned is taken. ``lessons`` are
    sentences that it is tuned on before.
    """

    evidence: Evidence
    tuning: Tuning | None = None
    heads: int = 0
    ranking: Ranking = "correlation"
    class_weight: Literal["balanced"] | None = None
    seed: int = 0
    runs: int = 1
    lessons: Sentences | None = None


@dataclass(frozen=True, eq=False)
class Units:
    """Zero and one of every column, for a model: its mean and standard deviation."""

    mean: np.ndarray
    scale: np.ndarray

    @classmethod
    def of(cls, table: FeatureTable) -> Units:
        """The units of what a model shows; log-odds and length stay as they are."""
        mean, scale = moments(table.values)
        as_is = [k for k, name in enumerate(table.columns) if name in AS_IS]
        mean[as_is], scale[as_is] = 0, 1
        return cls(mean, scale)

    def take(self, places: Sequence[int]) -> Units:
        """Those of some columns."""
        return Units(self.mean[places], self.scale[places])

    def counted(self, table: FeatureTable) -> FeatureTable:
        """The table in these units."""
        return replace(table, values=(table.values - self.mean) / self.scale)

    def undone(self, linear: Linear) -> Linear:
        """A judge of what is counted in these units as a judge of what the model shows."""
        return replace(linear, mean=self.mean + self.scale * linear.mean, scale=self.scale * linear.scale)


@dataclass(frozen=True, eq=False)
class Observed:
    """Training sentences as seen by models that do not know their labels.

    ``folds`` tells apart the sentences that were seen by different models. Where models were tuned, the
    table is in the units of each, ``adapter`` is what tuning on all sentences learned, and ``units`` are
    those of that last model. ``lessons`` are those that all of them had before.
    """

    table: FeatureTable
    folds: np.ndarray
    adapter: Adapter | None = None
    units: Units | None = None
    lessons: Sentences | None = None


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
        scope,
        train,
        evidence,
        course.tuning,
        seed=course.seed,
        runs=course.runs,
        lessons=course.lessons,
        work=work,
        progress=progress,
    )
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
    return {**asdict(course.tuning.settled(scope.device)), "seed": course.seed, "runs": course.runs}


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
    runs: int = 1,
    lessons: Sentences | None = None,
    work: Path | None = None,
    progress: bool | None = None,
) -> Observed:
    """The evidence of training sentences, each from a model that never saw its label.

    Run k has the seed ``seed + k`` and, in ``work``, the files that ``run_folder`` names. All models of
    all seeds start from what ``lessons`` taught; training sentences among these are left out.
    """
    if tuning is None:
        folds = fold_numbers(train, FOLDS, seed)
        return Observed(observe(scope, train.texts, evidence, progress=progress), folds)
    from toposcope.models.adapter import Adapter
    from toposcope.models.tuning import tune

    start: Adapter | None = None

    def tuned(part: Sentences, what: str, file: str, seed: int, run: int = 0) -> Adapter:
        checkpoint = None if work is None else run_folder(work, run) / file
        return tune(
            scope,
            part.texts,
            part.labels,
            replace(tuning, seed=seed),
            faults=part.faults() if tuning.head == "words" else None,
            start=start,
            checkpoint=checkpoint,
            progress=progress,
            what=what,
        )

    def tuned_on(run: int, rows: np.ndarray, what: str, file: str) -> Adapter:
        what = what if runs == 1 else f"{what}, run {run + 1} of {runs}"
        return tuned(train.take(np.flatnonzero(rows)), what, file, seed + run, run)

    if lessons is not None:
        lessons = lessons.without(train.texts)
        start = tuned(lessons, "tuning on lessons", "lessons.safetensors", LESSONS_SEED)

    cuts = np.stack([fold_numbers(train, CROSS_FOLDS, seed + run) for run in range(runs)], axis=1)
    without = {
        (run, fold): tuned_on(
            run, cuts[:, run] != fold, f"tuning without fold {fold + 1}", f"fold-{fold}.safetensors"
        )
        for run in range(runs)
        for fold in range(CROSS_FOLDS)
    }
    groups, numbers = np.unique(cuts, axis=0, return_inverse=True)
    numbers = numbers.reshape(-1)
    parts: list[FeatureTable] = []
    for number, group in enumerate(groups.tolist()):
        unknowing = Adapter.mean([without[run, fold] for run, fold in enumerate(group)])
        part = train.take(np.flatnonzero(numbers == number))
        shown = observe(unknowing.apply(scope), part.texts, evidence, progress=progress)
        parts.append(Units.of(shown).counted(shown))
    everything = np.ones(len(train), bool)
    adapter = Adapter.mean(
        [tuned_on(run, everything, "tuning on everything", "all.safetensors") for run in range(runs)]
    )
    order = np.argsort(np.argsort(numbers, kind="stable"))  # back to the order of the sentences
    values = np.concatenate([part.values for part in parts])[order]
    some = np.sort(np.random.default_rng(seed).permutation(len(train))[:SOME])
    shown = observe(adapter.apply(scope), train.take(some).texts, evidence, progress=progress)
    table = FeatureTable(values, parts[0].columns, parts[0].about)
    return Observed(table, numbers, adapter, Units.of(shown), lessons)


def run_folder(work: Path, run: int) -> Path:
    """Where a run keeps what it learns."""
    return work / f"run-{run}" if run else work
