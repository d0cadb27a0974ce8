"""The evidence of a setting of table 1, read from the model once and kept."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from toposcope.data.corpora import Corpus
from toposcope.data.sentences import Sentences
from toposcope.experiments.lab import Lab, corpus_key
from toposcope.experiments.settings import Setting
from toposcope.features.arrow import fixed_lists, vectors
from toposcope.features.table import Table
from toposcope.judge.crossfit import observe_training
from toposcope.judge.evidence import Evidence
from toposcope.judge.fit import Size
from toposcope.judge.folds import fold_numbers
from toposcope.judge.parts import FOLDS
from toposcope.judge.read import observe
from toposcope.judge.recipe import Recipe
from toposcope.store import Job, cut_up, run, scratch_of

if TYPE_CHECKING:
    from toposcope.models.scope import Scope

CUT = 1000  # sentences that are read at once
WHOLE = "all sentences"  # the one part of a setting with tuning: it is done where the tuned models are
PRETRAINED = "pretrained.safetensors"


@dataclass(frozen=True, eq=False)
class CorpusEvidence:
    """Evidence of the three splits of a corpus, with the folds in which the train part may be cut.

    ``size`` is that of the model; ``key`` says what all of it was made from.
    """

    train: Table
    dev: Table
    test: Table
    folds: np.ndarray
    size: Size
    precision: str = ""
    key: Mapping[str, Any] | None = None


def recipe_of(setting: Setting, scope: Scope, seed: int, pretrain_on: Sentences | None) -> Recipe:
    """The recipe of a setting for a seed, on this machine."""
    tuning = setting.recipe.tuning and setting.recipe.tuning.settled(scope.device)
    return replace(setting.recipe, tuning=tuning, seed=seed, pretrain_on=pretrain_on)


def evidence_key(corpus: Corpus, scope: Scope, recipe: Recipe, cut: int = CUT) -> dict[str, Any]:
    """Everything that evidence depends on; as long as nothing is tuned, seeds do not matter."""
    tuned: dict[str, Any] = {"cut": cut}
    if recipe.tuning is not None:
        tuned = {
            "tuning": asdict(recipe.tuning), "seed": recipe.seed, "augment": recipe.augment,
            "pretrained on": recipe.pretrain_on and recipe.pretrain_on.fingerprint,
            "average folds": recipe.average_folds, "soup": recipe.soup,
        }  # fmt: skip
    evidence = recipe.evidence.to_dict()
    return {
        "what": "evidence", "from": scope.provenance, "corpus": corpus_key(corpus), "evidence": evidence,
        **tuned,
    }  # fmt: skip


def evidence_of(
    setting: Setting,
    corpus: Corpus,
    seed: int,
    lab: Lab,
    pretrain_on: Sentences | None = None,
    cut: int = CUT,
) -> CorpusEvidence:
    """The evidence of a setting; parts of it that are missing are read from the model."""
    scope = lab.model(setting.model)
    recipe = recipe_of(setting, scope, seed, pretrain_on)
    key = evidence_key(corpus, scope, recipe, cut)
    size = Size(scope.layers, scope.heads, scope.width)
    columns = recipe.evidence.columns(recipe.evidence.heads_of(scope.layers, scope.heads), scope.width)
    if recipe.tuning is None:
        folder = lab.work / setting.name / "evidence"
        rows = run(_frozen_job(key, corpus, scope, recipe.evidence, cut), folder, lab.tell)
        folds, precision = fold_numbers(corpus.train, FOLDS, seed), ""
    else:
        folder = lab.work / setting.name / f"seed-{seed}" / "evidence"
        rows = run(_tuned_job(key, corpus, scope, recipe, folder), folder, lab.tell)
        folds = rows.column("fold").to_numpy()[: len(corpus.train)]
        precision = recipe.tuning.precision
    values, ends = vectors(rows.column("values")), np.cumsum([len(part) for part in corpus.splits])
    train, dev, test = (Table(part, columns) for part in np.split(values, ends[:-1]))
    return CorpusEvidence(train, dev, test, folds, size, precision, key)


def _frozen_job(key: Mapping[str, Any], corpus: Corpus, scope: Scope, evidence: Evidence, cut: int) -> Job:
    """A part for every thousand sentences."""
    parts = {
        part: split.texts[rows.start : rows.stop]
        for name, split in zip(("train", "dev", "test"), corpus.splits, strict=True)
        for part, rows in cut_up(name, len(split), cut).items()
    }

    def make(name: str) -> pa.Table:
        return pa.table({"values": fixed_lists(observe(scope, parts[name], evidence).values)})

    return Job(key, tuple(parts), make)


def _tuned_job(key: Mapping[str, Any], corpus: Corpus, scope: Scope, recipe: Recipe, folder: Path) -> Job:
    """One part; tuning that is broken off goes on from its checkpoints."""

    def make(name: str) -> pa.Table:
        scratch = scratch_of(folder)
        _take_pretrained(folder, scratch)
        seen = observe_training(scope, corpus.train, recipe, work=scratch)
        assert seen.adapter is not None
        assert seen.units is not None
        tuned = seen.adapter.apply(scope)
        others = [observe(tuned, split.texts, recipe.evidence) for split in (corpus.dev, corpus.test)]
        values = [seen.table.values, *(seen.units.counted(table).values for table in others)]
        folds = np.concatenate([seen.folds, np.full(sum(map(len, others)), -1)])
        columns = {"fold": pa.array(folds, pa.int32()), "values": fixed_lists(np.concatenate(values))}
        return pa.table(columns)

    return Job(key, (WHOLE,), make)


def _take_pretrained(folder: Path, scratch: Path) -> None:
    """What another seed was pretrained to need not be done again; tuning looks whether it is the same."""
    for known in sorted(folder.parents[1].glob(f"seed-*/evidence/scratch/{PRETRAINED}")):
        if not (scratch / PRETRAINED).exists():
            shutil.copyfile(known, scratch / PRETRAINED)
