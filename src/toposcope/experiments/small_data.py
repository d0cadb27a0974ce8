"""How far a judge from few sentences can be believed: what it announces against what comes true.

Draws of a few sentences of CoLA's train part make a judge each, on the model as it is. The judge announces
an MCC from nested cross-validation on its own few sentences; what comes true is its MCC on all the others.
With labels drawn at random there is nothing to find, and every judge should say so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import pyarrow as pa

from toposcope.data.corpora import Corpus
from toposcope.data.sentences import Sentences
from toposcope.experiments.evidence import evidence_of
from toposcope.experiments.lab import Lab
from toposcope.experiments.records import parsed, plain, write_record
from toposcope.experiments.results import SmallJudge
from toposcope.experiments.settings import SETTINGS, SMALL_FEATURES, Setting
from toposcope.features.table import Table
from toposcope.judge.evidence import Evidence
from toposcope.judge.fit import Size, fit
from toposcope.judge.folds import fold_numbers
from toposcope.judge.parts import FOLDS
from toposcope.stats.metrics import confusion, matthews, reliability
from toposcope.store import Job, run

REAL = (50, 100, 200, 400, 800)
NOISE = (60, 100, 400)
DRAWS = 20
SEED = 1  # the draws of seed 0 were looked at while intervals were mended


def run_small_data(
    lab: Lab,
    setting: Setting = SETTINGS[0],
    corpus: Corpus | None = None,
    features: str = SMALL_FEATURES,
    real: Sequence[int] = REAL,
    noise: Sequence[int] = NOISE,
    draws: int = DRAWS,
) -> tuple[SmallJudge, ...]:
    """One judge for each draw; what is done already is kept."""
    corpus = corpus or lab.corpus(setting.corpus)
    seen = evidence_of(setting, corpus, 0, lab)
    parts = {
        f"{size} sentences, {labels} labels": (size, labels)
        for labels, sizes in (("true", real), ("random", noise))
        for size in sizes
        if size < len(corpus.train) // 2
    }

    evidence = Evidence.parse(features, seen.size.layers)
    heads = evidence.heads_of(seen.size.layers, seen.size.heads)
    columns = evidence.columns(heads, seen.size.width)
    table = cache(lambda: seen.train.take(columns))

    def make(name: str) -> pa.Table:
        size, labels = parts[name]
        found = [
            draw_judge(table(), corpus.train, evidence, seen.size, size, labels, draw)
            for draw in range(draws)
        ]
        return pa.Table.from_pylist(plain(found), SCHEMA)

    key = {
        "what": "judges from few sentences", "evidence": seen.key, "features": features,
        "parts": sorted(parts), "draws": draws, "seed": SEED,
    }  # fmt: skip
    rows = run(Job(key, tuple(parts), make), lab.work / setting.name / "small-data", lab.tell)
    found: tuple[SmallJudge, ...] = parsed(rows.to_pylist(), tuple[SmallJudge, ...])
    return write_record(lab.docs / "small-data.json", found)


SCHEMA = pa.schema({
    "labels": pa.string(), "sentences": pa.int64(), "draw": pa.int64(),
    "announced": pa.struct({"value": pa.float64(), "low": pa.float64(), "high": pa.float64()}),
    "finds something": pa.bool_(), "came true": pa.float64(), "calibration error": pa.float64(),
})  # fmt: skip


def draw_judge(
    table: Table, train: Sentences, evidence: Evidence, of: Size, size: int, labels: str, draw: int
) -> SmallJudge:
    """A judge from some sentences: what it announces, and what comes true on the others."""
    rng = np.random.default_rng([SEED, size, draw, labels == "random"])
    order = rng.permutation(len(train))
    chosen, others = np.sort(order[:size]), np.sort(order[size:])
    sentences = train.take(chosen)
    if labels == "random":
        sentences = replace(sentences, labels=rng.permutation(sentences.labels))
    folds = fold_numbers(sentences, FOLDS, draw)
    fitted = fit(table.rows(chosen), sentences, evidence, of, folds)
    out_of_fold = fitted.linear.out_of_fold
    assert out_of_fold is not None
    announced = out_of_fold.estimate(matthews, sentences.labels)
    known = SmallJudge(labels, size, draw, announced, fitted.linear.finds_something, 0.0)
    if labels == "random":
        return known
    unseen, right = fitted.probabilities(table.rows(others)), train.labels[others]
    came_true = float(matthews(confusion(right, unseen >= fitted.linear.threshold)))
    return replace(known, came_true=came_true, calibration_error=reliability(right, unseen).error)
