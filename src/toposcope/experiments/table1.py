"""Table 1: which sentences are acceptable, in numbers, from the outcomes of every row and seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from toposcope.data.corpora import FILES, Corpus, read_corpus
from toposcope.data.named import labelled_sentences
from toposcope.data.sentences import Sentences, joined_sentences, shared_texts
from toposcope.errors import InputError
from toposcope.experiments.data import setting_place
from toposcope.experiments.lab import Lab
from toposcope.experiments.outcomes import Outcome, read_outcomes, run_outcomes, write_outcomes
from toposcope.experiments.records import write_record
from toposcope.experiments.results import EvidenceRow, Gain, OnSet, Score, SettingResult
from toposcope.experiments.settings import SETTINGS, Setting
from toposcope.stats.metrics import (
    accuracy,
    disagreements,
    estimate,
    matthews,
    mcnemar,
    paired_difference,
)

ALONE = ("h0m", "h0m+sides", "tda", "topology", "topology+spectral")


def run_table1(
    lab: Lab,
    only: Sequence[str] = (),
    seeds: Sequence[int] | None = None,
    *,
    add: bool = False,
    settings: Sequence[Setting] = SETTINGS,
) -> list[SettingResult]:
    """Run what is missing of the chosen settings and write their results beside the page.

    With ``add`` the outcomes that lie beside the page count as done, and stay; else the results are those
    of the seeds that were asked for. Where nothing is missing no model is needed.
    """
    asked = chosen(only, settings)
    kept = {setting.name: read_outcomes(lab.docs, setting) if add else [] for setting in asked}
    missing = {s.name: _missing(s, kept[s.name], s.seeds if seeds is None else seeds) for s in asked}
    for setting in asked:
        _check_one_fit(setting, kept[setting.name], missing[setting.name])
    written = []
    for setting in asked:
        corpus, again = lab.corpus(setting.corpus), missing[setting.name]
        found = [one for one in kept[setting.name] if one.seed not in again]
        for seed in again:
            found += run_outcomes(setting, corpus, seed, lab, pretraining(setting, lab))
        write_outcomes(lab.docs, setting, found)
        place = setting_place(lab.docs, setting.name)
        written.append(write_record(place, setting_result(setting, corpus, found)))
    return written


def _missing(setting: Setting, kept: Sequence[Outcome], seeds: Sequence[int]) -> list[int]:
    """The seeds of which not all rows are there."""
    return [s for s in seeds if {one.features for one in kept if one.seed == s} < {*setting.rows}]


def _check_one_fit(setting: Setting, kept: Sequence[Outcome], missing: Sequence[int]) -> None:
    """Refuse to add seeds to outcomes of the fit before calibration: a mean of both says nothing."""
    if missing and any(one.cv_error is None for one in kept if one.seed not in missing):
        raise InputError(
            f"{setting.name}: the outcomes beside the page are of an older fit, without calibration; no "
            "seed can be added to them. Without --add all are made anew."
        )


def check_table1(data: Path, only: Sequence[str]) -> None:
    """Refuse settings that are not known, and a folder without the files of their corpora."""
    for corpus in {setting.corpus for setting in chosen(only)}:
        read_corpus(corpus, data)


def chosen(only: Sequence[str], settings: Sequence[Setting] = SETTINGS) -> list[Setting]:
    """The settings that were asked for, by name or by how their names begin.

    Without a wish those whose weights can be had without a hub.
    """
    unknown = [name for name in only if not any(s.name.startswith(name) for s in settings)]
    if unknown:
        raise InputError(f"setting {unknown[0]!r}: accepted are {', '.join(s.name for s in settings)}.")
    if not only:
        return [s for s in settings if s.at_hand]
    names = {s.name for s in settings}
    return [
        s for s in settings
        if any(s.name == name if name in names else s.name.startswith(name) for name in only)
    ]  # fmt: skip


def pretraining(setting: Setting, lab: Lab) -> Sentences | None:
    """Sentences to be tuned on before, none of which is reported on."""
    if not setting.pretrain_on:
        return None
    parts = [
        lab.corpus(name).train if name in FILES else labelled_sentences(name)
        for name in setting.pretrain_on
    ]
    corpus = lab.corpus(setting.corpus)
    return joined_sentences(parts).without([*corpus.dev.texts, *corpus.test.texts])


@dataclass(frozen=True, eq=False)
class Runs:
    """A row: the outcomes of all seeds with one kind of evidence."""

    features: str
    outcomes: Sequence[Outcome]

    @property
    def cv_mcc(self) -> float:
        """Mean over the seeds of what cross-validation on train gave."""
        return float(np.mean([one.cv_mcc for one in self.outcomes]))

    @property
    def cv_error(self) -> float | None:
        """Mean calibration error out of fold, if the probabilities are calibrated."""
        errors = [one.cv_error for one in self.outcomes if one.cv_error is not None]
        return float(np.mean(errors)) if errors else None

    def verdicts(self, split: str, threshold: float | None = None) -> np.ndarray:
        """(seeds, sentences), at each seed's own threshold or at a given one."""
        cuts = [one.threshold if threshold is None else threshold for one in self.outcomes]
        return np.array(
            [getattr(one, split) >= cut for one, cut in zip(self.outcomes, cuts, strict=True)], int
        )


def setting_result(setting: Setting, corpus: Corpus, found: Sequence[Outcome]) -> SettingResult:
    """All numbers of a section."""
    rows = [Runs(row, [one for one in found if one.features == row]) for row in setting.rows]
    baseline = _best([row for row in rows if row.features in setting.baselines])
    best = _best([row for row in rows if row.features not in setting.baselines])
    return SettingResult(
        setting.name,
        tuple(len(split) for split in corpus.splits),
        tuple(len(shared_texts(corpus.train, split)) for split in (corpus.dev, corpus.test)),
        tuple(sorted({one.seed for one in found})),
        tuple(sorted({one.precision for one in found if one.precision})),
        tuple(_row(row, baseline, row is best, corpus) for row in rows),
        baseline.features,
        best.features,
        _best([row for row in rows if row.features in ALONE]).features,
        f"{setting.name.rsplit('/', 1)[-1]}.parquet",
    )


def _best(rows: Sequence[Runs]) -> Runs:
    """The row that cross-validation on train likes best."""
    return max(rows, key=lambda row: row.cv_mcc)


def _row(row: Runs, baseline: Runs, best: bool, corpus: Corpus) -> EvidenceRow:
    dev, test = (_on_set(row, baseline, best, split, corpus) for split in ("dev", "test"))
    return EvidenceRow(row.features, row.cv_mcc, dev, test, row.cv_error)


def _on_set(row: Runs, baseline: Runs, best: bool, split: str, corpus: Corpus) -> OnSet:
    labels = getattr(corpus, split).labels
    verdicts, half = row.verdicts(split), row.verdicts(split, 0.5)
    gain = None
    if row is not baseline:
        difference, p = paired_difference(matthews, labels, verdicts, baseline.verdicts(split))
        gain = Gain(Score.of(difference), p)
        if best:  # the one that a sentence speaks of
            wins, losses = disagreements(labels, verdicts[0], baseline.verdicts(split)[0])
            gain = replace(gain, mcnemar=mcnemar(wins, losses), wins=wins, losses=losses)
    return OnSet(
        Score.of(estimate(accuracy, labels, verdicts)),
        _mcc(labels, verdicts),
        _mcc(labels, half),
        Score.of(estimate(accuracy, labels, half)),
        gain,
    )


def _mcc(labels: np.ndarray, verdicts: np.ndarray) -> Score:
    """Mean over the seeds, with its standard deviation over them where there are several."""
    single = [estimate(matthews, labels, run).value for run in verdicts]
    spread = float(np.std(single, ddof=1)) if len(single) > 1 else None
    return Score.of(estimate(matthews, labels, verdicts), spread)
