"""Running a setting of table 1. Everything that takes long is kept, and not done twice.

In the working folder lie the tables of evidence, the adapters, and the outcomes (outcomes.py).
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from toposcope.data.corpora import Corpus
from toposcope.data.sentences import Sentences
from toposcope.experiments.outcomes import Outcome, place_of
from toposcope.experiments.settings import Setting
from toposcope.features.table import Table
from toposcope.judge.crossfit import observe_training, run_folder
from toposcope.judge.evidence import Evidence
from toposcope.judge.folds import fold_numbers
from toposcope.judge.parts import FOLDS, Kept, fit_parts
from toposcope.judge.read import observe
from toposcope.judge.recipe import Recipe
from toposcope.stats.metrics import reliability

if TYPE_CHECKING:
    from toposcope.models.scope import Scope

Tell = Callable[[str], None]


@dataclass(frozen=True, eq=False)
class Looked:
    """Evidence of the three splits of a corpus, with the folds in which the train part may be cut."""

    train: Table
    dev: Table
    test: Table
    folds: np.ndarray
    size: dict[str, int]
    precision: str


def run_setting(
    setting: Setting,
    corpus: Corpus,
    work: Path,
    load: Callable[[], Scope],
    tell: Tell,
    seeds: Sequence[int] | None = None,
    pretrain_on: Sentences | None = None,
) -> None:
    """Do what is missing of a setting. ``pretrain_on`` are sentences that it is tuned on before."""
    for seed in setting.seeds if seeds is None else seeds:
        folder = work / setting.name / f"seed-{seed}"
        missing = [row for row in setting.rows if not place_of(folder, row).exists()]
        if not missing:
            continue
        looked = look(setting, corpus, seed, work, load, tell, pretrain_on)
        kept: Kept = {}
        for row in missing:
            tell(f"{setting.name}, seed {seed}: {row}")
            _judge_row(row, seed, corpus, looked, kept).save(place_of(folder, row))


def _judge_row(row: str, seed: int, corpus: Corpus, looked: Looked, kept: Kept) -> Outcome:
    """Fit a row and look at the other two sets; rows share the regressions of their parts."""
    evidence = Evidence.parse(row, looked.size["layers"])
    heads = evidence.heads_of(looked.size["layers"], looked.size["heads"])
    names = evidence.columns(heads, looked.size["width"])
    places = np.array(looked.train.places(names))
    parts = [places[part] for part in evidence.parts(heads, looked.size["width"])]
    linear = fit_parts(
        looked.train.values,
        corpus.train.labels,
        parts,
        groups=looked.folds,
        within=fold_numbers(corpus.train, FOLDS, seed),
        kept=kept,
    )
    assert linear.out_of_fold is not None
    error = reliability(corpus.train.labels, linear.out_of_fold.probabilities).error
    few = linear.take(places.tolist())
    dev, test = (few.probabilities(t.values[:, places]) for t in (looked.dev, looked.test))
    return Outcome(row, seed, linear.cv_mcc, linear.threshold, dev, test, looked.precision, error)


def look(
    setting: Setting,
    corpus: Corpus,
    seed: int,
    work: Path,
    load: Callable[[], Scope],
    tell: Tell,
    pretrain_on: Sentences | None = None,
) -> Looked:
    """The evidence of a setting, read from the model once and kept."""
    frozen = setting.tune == "none"
    folder = work / setting.name / ("evidence" if frozen else f"seed-{seed}/evidence")
    if not folder.is_dir():
        tell(f"{setting.name}: reading {'' if frozen else f'and tuning, seed {seed}, '}{corpus.name}")
        building = folder.with_name("evidence.part")
        _take_over(setting, seed, work, building)
        _read(setting, corpus, seed, load(), building, pretrain_on)
        building.rename(folder)
    facts = json.loads((folder / "facts.json").read_text("utf-8"))
    train, dev, test = (
        Table(np.load(folder / f"{part}.npy", mmap_mode="r"), tuple(facts["columns"]))
        for part in ("train", "dev", "test")
    )
    folds = np.array(facts["folds"])
    if frozen:
        folds = fold_numbers(corpus.train, FOLDS, seed)
    return Looked(train, dev, test, folds, facts["size"], facts["precision"])


def _take_over(setting: Setting, seed: int, work: Path, folder: Path) -> None:
    """What was tuned for the setting with a single run, or pretrained for any seed, is not tuned again."""
    single = work / replace(setting, soup=1).name
    for run in range(setting.soup):
        done = single / f"seed-{seed + run}" / "evidence"
        _copy_new(
            [*done.glob("fold-*.safetensors"), *done.glob("all.safetensors")], folder / run_folder(run)
        )
    _copy_new(sorted(single.glob("seed-*/evidence*/pretrained.safetensors"))[:1], folder)


def _copy_new(files: Sequence[Path], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for file in files:
        if not (folder / file.name).exists():
            shutil.copyfile(file, folder / file.name)


def _read(
    setting: Setting, corpus: Corpus, seed: int, scope: Scope, folder: Path, pretrain_on: Sentences | None
) -> None:
    """Look at all sentences and write the tables into a folder; tuning goes on where it was broken off."""
    from toposcope.models.tuning.tune import Tuning

    folder.mkdir(parents=True, exist_ok=True)
    evidence = Evidence.parse(setting.evidence, scope.layers)
    tuning = None
    if setting.tune != "none":
        tuning = Tuning(setting.tune, head="words" if setting.words else "sentence")
        tuning = replace(tuning, maps="all", layers=0) if setting.widely else tuning
    recipe = Recipe(
        evidence,
        tuning,
        seed=seed,
        pretrain_on=pretrain_on,
        augment=setting.augment,
        average_folds=setting.average_folds,
        soup=setting.soup,
    )
    seen = observe_training(scope, corpus.train, recipe, work=folder)
    looking = scope if seen.adapter is None else seen.adapter.apply(scope)
    _keep(folder / "train.npy", seen.table.values)
    for part, sentences in (("dev", corpus.dev), ("test", corpus.test)):
        table = observe(looking, sentences.texts, evidence)
        _keep(folder / f"{part}.npy", (seen.units.counted(table) if seen.units else table).values)
    if seen.adapter is not None:
        seen.adapter.save(folder / "adapter.safetensors")
    size = {"layers": scope.layers, "heads": scope.heads, "width": scope.width}
    facts: dict[str, Any] = {
        "columns": seen.table.names,
        "folds": seen.folds.tolist(),
        "size": size,
        "fingerprint": scope.fingerprint,
        "precision": "" if seen.adapter is None else seen.adapter.about["precision"],
    }
    (folder / "facts.json").write_text(json.dumps(facts), encoding="utf-8")


def _keep(path: Path, values: np.ndarray) -> None:
    np.save(path, np.asarray(values, np.float32), allow_pickle=False)
