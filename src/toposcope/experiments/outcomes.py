"""Outcomes of table 1: what every row says of every sentence, from which any number can be computed again.

All outcomes of a setting lie in one Parquet file beside the page, so that seeds may be added on another day
or another machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from toposcope.data.corpora import Corpus
from toposcope.data.sentences import Sentences
from toposcope.experiments.data import setting_place
from toposcope.experiments.evidence import CorpusEvidence, evidence_key, evidence_of, recipe_of
from toposcope.experiments.lab import Lab
from toposcope.experiments.settings import Setting
from toposcope.files import whole
from toposcope.judge.evidence import Evidence
from toposcope.judge.fit import fit
from toposcope.judge.parts import Kept
from toposcope.stats.metrics import reliability
from toposcope.store import Job, run

SCHEMA = pa.schema({
    "features": pa.string(), "seed": pa.int64(), "precision": pa.string(), "cv_mcc": pa.float64(),
    "threshold": pa.float64(), "dev": pa.list_(pa.float32()), "test": pa.list_(pa.float32()),
    "cv_error": pa.float64(),
})  # fmt: skip


@dataclass(frozen=True, eq=False)
class Outcome:
    """One row with one seed: what cross-validation chose, and probabilities of dev and test sentences.

    ``precision`` is the one that the model was tuned in, if it was. ``cv_error`` is the calibration error
    out of fold; outcomes of before probabilities were calibrated have none.
    """

    features: str
    seed: int
    cv_mcc: float
    threshold: float
    dev: np.ndarray = field(repr=False)
    test: np.ndarray = field(repr=False)
    precision: str = ""
    cv_error: float | None = None


def run_outcomes(
    setting: Setting, corpus: Corpus, seed: int, lab: Lab, pretrain_on: Sentences | None = None
) -> list[Outcome]:
    """All rows of a setting with one seed; those that are done are not done again."""
    scope = lab.model(setting.model)
    recipe = recipe_of(setting, scope, seed, pretrain_on)
    key = {
        "what": f"{setting.name}, seed {seed}", "evidence": evidence_key(corpus, scope, recipe),
        "seed": seed, "rows": setting.rows,
    }  # fmt: skip
    kept: Kept = {}
    seen = cache(lambda: evidence_of(setting, corpus, seed, lab, pretrain_on))

    def make(row: str) -> pa.Table:
        return to_table([judge_row(row, seed, corpus, seen(), kept)])

    folder = lab.work / setting.name / f"seed-{seed}" / "rows"
    return from_table(run(Job(key, setting.rows, make), folder, lab.tell))


def judge_row(row: str, seed: int, corpus: Corpus, seen: CorpusEvidence, kept: Kept) -> Outcome:
    """Fit a row and look at the other two sets; rows share the regressions of their parts."""
    evidence = Evidence.parse(row, seen.size.layers)
    fitted = fit(seen.train, corpus.train, evidence, seen.size, seen.folds, seed=seed, kept=kept)
    linear = fitted.linear
    assert linear.out_of_fold is not None
    error = reliability(corpus.train.labels, linear.out_of_fold.probabilities).error
    dev, test = (fitted.probabilities(table) for table in (seen.dev, seen.test))
    return Outcome(row, seed, linear.cv_mcc, linear.threshold, dev, test, seen.precision, error)


def to_table(found: Sequence[Outcome]) -> pa.Table:
    """A row for each outcome."""
    return pa.table([[asdict(one)[name] for one in found] for name in SCHEMA.names], SCHEMA)


def from_table(table: pa.Table) -> list[Outcome]:
    """The reverse of ``to_table``; what is no longer known, such as older columns, is left out."""
    there = table.select([name for name in SCHEMA.names if name in table.schema.names])
    return [
        Outcome(**{**row, "dev": np.array(row["dev"]), "test": np.array(row["test"])})
        for row in there.to_pylist()
    ]


def outcomes_place(docs: Path, setting: str) -> Path:
    """The file of outcomes beside the page."""
    return setting_place(docs, setting).with_suffix(".parquet")


def write_outcomes(docs: Path, setting: Setting, found: Sequence[Outcome]) -> Path:
    """Write the outcomes of a setting beside the page, seeds and rows in their order."""
    ordered = sorted(found, key=lambda one: (one.seed, setting.rows.index(one.features)))
    place = outcomes_place(docs, setting.name)
    with whole(place) as path:
        pq.write_table(to_table(ordered), path, compression="zstd")
    return place


def read_outcomes(docs: Path, setting: Setting) -> list[Outcome]:
    """The outcomes that lie beside the page."""
    place = outcomes_place(docs, setting.name)
    return from_table(pq.ParquetFile(place).read()) if place.exists() else []
