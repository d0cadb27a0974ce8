"""Cross-fitting: training sentences as seen by models that do not know their labels.

The trap is in tuning: a model that was tuned on a sentence knows its label, so features of that
sentence look nearly perfect and teach the judge nothing. Hence the sentences are cut into folds, each fold
is looked at by a model that was tuned on the others only, and the judge learns from that. At the end one
more model is tuned on everything; this one goes into the judge. All of it can be done several times over,
each time with other folds: then a sentence is looked at by the middle of the models that do not know it,
and the middle of the last ones goes into the judge. Or no last model is tuned, and the middle of those of
the folds goes into the judge: with three folds that takes as long, and every model has seen more.

Before all this the model may be given lessons: other labelled sentences, such as generated minimal pairs,
on which it is tuned once. All models start from there. And each may practise on exercises first, made from
the sentences that it is going to learn from, and from no others.

Models that were tuned apart agree about which sentences have more of a feature, less about how much
is usual: heads drift by half a standard deviation. So features are counted from the mean of the model
they come from, in its standard deviations. For the last model these come from training sentences: the
drift has little to do with labels. The model's own log-odds stay as they are, since on sentences that it
learned they say too much.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from toposcope.data.augment import spoiled_sentences
from toposcope.data.sentences import Sentences
from toposcope.features.table import FeatureTable
from toposcope.judge.course import Course
from toposcope.judge.evidence import observe
from toposcope.judge.folds import fold_numbers
from toposcope.judge.linear import FOLDS, Linear, moments

if TYPE_CHECKING:
    from toposcope.models.scope import Scope
    from toposcope.models.tuning.adapter import Adapter
    from toposcope.models.tuning.tune import Tuning

CROSS_FOLDS = 2
FEW, FOLDS_OF_FEW = 2000, 5  # half of few sentences teaches far less than all, and five folds cost little
AS_IS = ("lm", "length")
LESSONS_SEED = 0  # lessons are part of the model that all seeds start from
SOME = 2000  # training sentences that give the units of the last model


@dataclass(frozen=True, eq=False)
class Units:
    """Zero and one of every column, for a model: its mean and standard deviation."""

    mean: np.ndarray
    scale: np.ndarray

    @classmethod
    def of(cls, table: FeatureTable) -> Units:
        """The units of what a model shows; log-odds and length stay as they are."""
        mean, scale = moments(table.values)
        as_is = [k for k, column in enumerate(table.columns) if column.feature in AS_IS]
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
    table is in the units of each, ``adapter`` is what goes into the judge, and ``units`` are those of that
    last model. ``shown`` is what the model of the judge shows of the sentences at ``rows``, which it may
    have learned. ``lessons`` are those that all of them had before.
    """

    table: FeatureTable
    folds: np.ndarray
    shown: FeatureTable
    rows: np.ndarray
    adapter: Adapter | None = None
    units: Units | None = None
    lessons: Sentences | None = None


def observe_training(
    scope: Scope,
    train: Sentences,
    course: Course,
    *,
    work: Path | None = None,
    progress: bool | None = None,
) -> Observed:
    """The evidence of training sentences, each from a model that never saw its label.

    Run k has the seed ``course.seed + k`` and, in ``work``, the files that ``run_folder`` names. All models
    of all seeds start from what the lessons taught; training sentences among these are left out.
    """
    evidence, seed, runs = course.evidence, course.seed, course.runs
    if course.tuning is None:
        folds = fold_numbers(train, FOLDS, seed)
        table = observe(scope, train.texts, evidence, progress=progress)
        return Observed(table, folds, table, np.arange(len(train)))
    from toposcope.models.tuning.adapter import Adapter

    # Models of one run begin alike and learn alike, so their middle may be as small as one of them: on CoLA
    # 99 % of what changed is kept.
    rank = course.tuning.rank * (1 if runs == 1 else 2)
    tutor = _Tutor(scope, train, course, course.tuning, work, progress)
    folds_of_each = course.middle or (FOLDS_OF_FEW if len(train) < FEW and runs == 1 else CROSS_FOLDS)
    cuts = np.stack([fold_numbers(train, folds_of_each, seed + run) for run in range(runs)], axis=1)
    # All tuning first: it is kept on the way, what is seen afterwards is not.
    without = {
        (run, fold): tutor.tuned(
            run, cuts[:, run] != fold, f"tuning without fold {fold + 1}", f"fold-{fold}.safetensors"
        )
        for run in range(runs)
        for fold in range(folds_of_each)
    }
    last = list(without.values())
    if not course.middle:
        everything = np.ones(len(train), bool)
        last = [
            tutor.tuned(run, everything, "tuning on everything", "all.safetensors") for run in range(runs)
        ]
    adapter = Adapter.mean(last, rank)
    groups, numbers = np.unique(cuts, axis=0, return_inverse=True)
    numbers = numbers.reshape(-1)
    parts: list[FeatureTable] = []
    for number, group in enumerate(groups.tolist()):
        unknowing = Adapter.mean([without[run, fold] for run, fold in enumerate(group)], rank)
        part = train.take(np.flatnonzero(numbers == number))
        shown = observe(unknowing.apply(scope), part.texts, evidence, progress=progress)
        parts.append(Units.of(shown).counted(shown))
    order = np.argsort(np.argsort(numbers, kind="stable"))  # back to the order of the sentences
    values = np.concatenate([part.values for part in parts])[order]
    some = np.sort(np.random.default_rng(seed).permutation(len(train))[:SOME])
    shown = observe(adapter.apply(scope), train.take(some).texts, evidence, progress=progress)
    table = FeatureTable(values, parts[0].columns, parts[0].about)
    return Observed(table, numbers, shown, some, adapter, Units.of(shown), tutor.lessons)


class _Tutor:
    """Tunes models on parts of the training sentences, all from what the lessons taught."""

    def __init__(
        self,
        scope: Scope,
        train: Sentences,
        course: Course,
        tuning: Tuning,
        work: Path | None,
        progress: bool | None,
    ) -> None:
        self.scope, self.train, self.course, self.tuning = scope, train, course, tuning
        self.work, self.progress = work, progress
        self.lessons: Sentences | None = None
        self.taught: Adapter | None = None
        if course.lessons is not None:
            self.lessons, how = course.lessons.without(train.texts), replace(tuning, seed=LESSONS_SEED)
            self.taught = self._tune(
                self.lessons, how, None, "tuning on lessons", Path("lessons.safetensors")
            )

    def tuned(self, run: int, rows: np.ndarray, what: str, file: str) -> Adapter:
        """What a run learns from some of the training sentences, after exercises made from these."""
        part, runs, folder = self.train.take(np.flatnonzero(rows)), self.course.runs, run_folder(run)
        how, start = replace(self.tuning, seed=self.course.seed + run), self.taught
        what = what if runs == 1 else f"{what}, run {run + 1} of {runs}"
        if self.course.exercises:
            made = spoiled_sentences(part, self.course.exercises, how.seed)
            once = replace(how, epochs=1)
            start = self._tune(made, once, start, f"{what}: exercises", folder / f"exercises-{file}")
        return self._tune(part, how, start, what, folder / file)

    def _tune(self, part: Sentences, how: Tuning, start: Adapter | None, what: str, file: Path) -> Adapter:
        from toposcope.models.tuning.tune import tune

        return tune(
            self.scope,
            part.texts,
            part.labels,
            how,
            faults=part.faults() if how.head == "words" else None,
            start=start,
            checkpoint=None if self.work is None else self.work / file,
            progress=self.progress,
            what=what,
        )


def run_folder(run: int) -> Path:
    """Where in the working folder a run keeps what it learns."""
    return Path(f"run-{run}" if run else ".")
