"""Cross-fitting: training sentences as seen by models that do not know their labels.

The trap is in tuning: a model that was tuned on a sentence knows its label, so features of that
sentence look nearly perfect and teach the judge nothing. Hence the sentences are cut into folds, each fold
is looked at by a model that was tuned on the others only, and the judge learns from that. At the end one
more model is tuned on everything; this one goes into the judge. All of it can be done several times over,
each time with other folds: then a sentence is looked at by a soup of the models that do not know it, the
average of their weights, and a soup of the last ones goes into the judge. Or no last model is tuned, and
the average of those of the folds goes into the judge: with three folds that takes as long, and every model
has seen more.

Before all this the model may be pretrained on other labelled sentences, such as generated minimal pairs.
All models start from there. And each may first be tuned on augmented sentences, made from those that it is
going to learn from, and from no others.

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
from toposcope.features.table import Table
from toposcope.judge.folds import fold_numbers
from toposcope.judge.linear import Linear, moments
from toposcope.judge.parts import FOLDS
from toposcope.judge.read import observe
from toposcope.judge.recipe import Recipe

if TYPE_CHECKING:
    from toposcope.models.scope import Scope
    from toposcope.models.tuning.adapter import Adapter
    from toposcope.models.tuning.tuning import Tuning

CROSS_FOLDS = 2
FEW, FOLDS_OF_FEW = 2000, 5  # half of few sentences teaches far less than all, and five folds cost little
AS_IS = ("lm", "length")
PRETRAINING_SEED = 0  # what was learned before is part of the model that all seeds start from
SOME = 2000  # training sentences that give the units of the last model


@dataclass(frozen=True, eq=False)
class Units:
    """Zero and one of every column, for a model: its mean and standard deviation."""

    mean: np.ndarray
    scale: np.ndarray

    @classmethod
    def of(cls, table: Table) -> Units:
        """The units of what a model shows; log-odds and length stay as they are."""
        mean, scale = moments(table.values)
        as_is = [k for k, column in enumerate(table.columns) if column.feature in AS_IS]
        mean[as_is], scale[as_is] = 0, 1
        return cls(mean, scale)

    def take(self, places: Sequence[int]) -> Units:
        """Those of some columns."""
        return Units(self.mean[places], self.scale[places])

    def counted(self, table: Table) -> Table:
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
    have learned. ``pretrained_on`` are the sentences that all of them learned before.
    """

    table: Table
    folds: np.ndarray
    shown: Table
    rows: np.ndarray
    adapter: Adapter | None = None
    units: Units | None = None
    pretrained_on: Sentences | None = None


def observe_training(
    scope: Scope,
    train: Sentences,
    recipe: Recipe,
    *,
    work: Path | None = None,
    progress: bool | None = None,
) -> Observed:
    """The evidence of training sentences, each from a model that never saw its label.

    Run k has the seed ``recipe.seed + k`` and, in ``work``, the files that ``run_folder`` names. All models
    of all seeds start from the pretrained one; training sentences are left out of what it learns.
    """
    evidence, seed, runs = recipe.evidence, recipe.seed, recipe.soup
    if recipe.tuning is None:
        folds = fold_numbers(train, FOLDS, seed)
        table = observe(scope, train.texts, evidence, progress=progress)
        return Observed(table, folds, table, np.arange(len(train)))
    from toposcope.models.tuning.adapter import Adapter

    # Models of one run begin alike and learn alike, so their average may be as small as one of them:
    # on CoLA 99 % of what changed is kept.
    rank = recipe.tuning.rank * (1 if runs == 1 else 2)
    tutor = _Tutor(scope, train, recipe, recipe.tuning, work, progress)
    few = len(train) < FEW and runs == 1
    folds_of_each = recipe.average_folds or (FOLDS_OF_FEW if few else CROSS_FOLDS)
    # A column a run. Sentences with the same row of folds were left out by the same models.
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
    if not recipe.average_folds:
        everything = np.ones(len(train), bool)
        last = [
            tutor.tuned(run, everything, "tuning on everything", "all.safetensors") for run in range(runs)
        ]
    adapter = Adapter.mean(last, rank)
    # Each group is looked at once, by the average of the models that do not know it, and counted in units
    # of its own: another average of models is another model, which drifts in its own way.
    groups, numbers = np.unique(cuts, axis=0, return_inverse=True)
    numbers = numbers.reshape(-1)
    parts: list[Table] = []
    for number, group in enumerate(groups.tolist()):
        unknowing = Adapter.mean([without[run, fold] for run, fold in enumerate(group)], rank)
        part = train.take(np.flatnonzero(numbers == number))
        shown = observe(unknowing.apply(scope), part.texts, evidence, progress=progress)
        parts.append(Units.of(shown).counted(shown))
    order = np.argsort(np.argsort(numbers, kind="stable"))  # back to the order of the sentences
    values = np.concatenate([part.values for part in parts])[order]
    # For the units of the last model some sentences are enough: a mean and a standard deviation.
    some = np.sort(np.random.default_rng(seed).permutation(len(train))[:SOME])
    shown = observe(adapter.apply(scope), train.take(some).texts, evidence, progress=progress)
    table = Table(values, parts[0].columns, parts[0].about, {"hash": train.hashes})
    return Observed(table, numbers, shown, some, adapter, Units.of(shown), tutor.pretrained_on)


class _Tutor:
    """Tunes models on parts of the training sentences, all from the pretrained one."""

    def __init__(
        self,
        scope: Scope,
        train: Sentences,
        recipe: Recipe,
        tuning: Tuning,
        work: Path | None,
        progress: bool | None,
    ) -> None:
        self.scope, self.train, self.recipe, self.tuning = scope, train, recipe, tuning
        self.work, self.progress = work, progress
        self.pretrained_on: Sentences | None = None
        self.pretrained: Adapter | None = None
        if recipe.pretrain_on is not None:
            self.pretrained_on = recipe.pretrain_on.without(train.texts)
            how, file = replace(tuning, seed=PRETRAINING_SEED), Path("pretrained.safetensors")
            self.pretrained = self._tune(self.pretrained_on, how, None, "pretraining", file)

    def tuned(self, run: int, rows: np.ndarray, what: str, file: str) -> Adapter:
        """What a run learns from some of the training sentences, after versions made from these."""
        part, runs, folder = self.train.take(np.flatnonzero(rows)), self.recipe.soup, run_folder(run)
        how, start = replace(self.tuning, seed=self.recipe.seed + run), self.pretrained
        what = what if runs == 1 else f"{what}, run {run + 1} of {runs}"
        if self.recipe.augment:
            made = spoiled_sentences(part, self.recipe.augment, how.seed)
            once = replace(how, epochs=1)
            start = self._tune(made, once, start, f"{what}, augmented", folder / f"augmented-{file}")
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
