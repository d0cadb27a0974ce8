"""Table 1: acceptable or not, in numbers, with the published rows beside ours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from toposcope.data.corpora import Corpus
from toposcope.data.sentences import shared_texts
from toposcope.experiments.outcomes import Outcome, outcomes
from toposcope.experiments.published import ACCEPTABLE, BASELINE, TABLE1, impossible_cells
from toposcope.experiments.settings import ENGLISH, WORDS, Setting
from toposcope.report.pages import sections_with
from toposcope.stats.estimate import Estimate
from toposcope.stats.metrics import accuracy, estimate, matthews, mcnemar, paired_difference

NAMES = {"cola": "CoLA", "itacola": "ItaCoLA", "dalaj": "DaLAJ"}
PARTS = ("dev", "test")
HOW = {"none": "frozen", "lora": "tuned with LoRA", "full": "fully fine-tuned"}
ALONE = ("h0m", "h0m+sides", "tda", "topology", "topology+spectral")
SAYS = "**What topology adds.**"
SURE = 0.05  # p-value from which on a difference counts


@dataclass(frozen=True, eq=False)
class Line:
    """A row of ours: all seeds of one kind of evidence."""

    features: str
    runs: Sequence[Outcome]

    @property
    def cv_mcc(self) -> float:
        """Mean over the seeds of what cross-validation on train gave."""
        return float(np.mean([run.cv_mcc for run in self.runs]))

    @property
    def cv_error(self) -> str:
        """Mean calibration error out of fold, if the probabilities are calibrated."""
        errors = [run.cv_error for run in self.runs if run.cv_error is not None]
        return f"{np.mean(errors):.3f}" if errors else ""

    def verdicts(self, part: str, threshold: float | None = None) -> np.ndarray:
        """(seeds, sentences), at each seed's own threshold or at a given one."""
        cuts = [run.threshold if threshold is None else threshold for run in self.runs]
        return np.array([getattr(r, part) >= cut for r, cut in zip(self.runs, cuts, strict=True)], int)


def lines(setting: Setting, found: Sequence[Outcome]) -> list[Line]:
    """The rows of a setting for which there are results."""
    groups = {row: [o for o in found if o.features == row] for row in setting.rows}
    return [Line(row, runs) for row, runs in groups.items() if runs]


def strongest_baseline(setting: Setting, rows: Sequence[Line]) -> Line:
    """The row without topology that cross-validation on train likes best."""
    return max((row for row in rows if row.features in setting.baselines), key=lambda row: row.cv_mcc)


def strongest_topology(setting: Setting, rows: Sequence[Line]) -> Line:
    """The row with topology that cross-validation on train likes best."""
    return max((row for row in rows if row.features not in setting.baselines), key=lambda row: row.cv_mcc)


def title(setting: Setting) -> str:
    """The heading of a setting."""
    how = HOW[setting.tune] + (" on all linear maps" if setting.widely else "")
    how += ", word by word" if setting.words else ""
    how += f" {setting.soup} times, the middle of these" if setting.soup > 1 else ""
    how += f", the middle of {setting.average_folds} folds" if setting.average_folds else ""
    lessons = {(): "", ENGLISH: "lessons in English"}.get(setting.pretrain_on, "lessons")
    before = [word for word in (lessons, "exercises" if setting.augment else "") if word]
    how += f", after {' and '.join(before)}" if before else ""
    return f"## {setting.model} on {NAMES[setting.corpus]}, {how}"


def results(page: str) -> dict[str, str]:
    """The sections with results of a page that was written before, by their headings."""
    return sections_with(SAYS, page)


def section(setting: Setting, corpus: Corpus, work: Path) -> str:
    """One setting as Markdown: the published rows, ours, and what they say."""
    found = outcomes(setting, work)
    rows = lines(setting, found)
    baseline = strongest_baseline(setting, rows)
    ours = [_cells(row, baseline, corpus) for row in rows]
    table = _table(corpus.name, [*_published_rows(setting), *ours])
    return "\n\n".join([title(setting), _facts(corpus, found), table, _says(setting, rows, corpus)])


def impossible() -> str:
    """Which published cells cannot be, as a sentence."""
    cells = [
        f"{cell.model} + {cell.method} on {NAMES[cell.corpus]}, {cell.column.replace('_', ', ')} "
        f"(accuracy {cell.score.accuracy:.1f} and MCC {cell.score.mcc:.3f}; where "
        f"{100 * ACCEPTABLE[cell.corpus]:.0f} % are acceptable, that accuracy allows {cell.most:.3f} "
        "at most)"
        for cell in impossible_cells()
    ]
    return f"Of the published cells {len(cells)} cannot be right: {'; '.join(cells)}."


def not_run(setting: Setting) -> str:
    """A setting without results as Markdown: the published rows, and how to run it."""
    command = f"toposcope reproduce table1 --data DIR --only {setting.name}"
    why = f"Not run yet: `{command}`."
    if not setting.at_hand:
        why = f"Not run: no registry has these weights and no hub was reached. Where one is: `{command}`."
    return "\n\n".join([title(setting), why, _table(setting.corpus, _published_rows(setting))])


def _words(corpus: str) -> tuple[str, str]:
    """What the two sets are called."""
    return ("in domain", "out of domain") if corpus == "cola" else PARTS


def _facts(corpus: Corpus, found: Sequence[Outcome]) -> str:
    seeds = sorted({outcome.seed for outcome in found})
    sizes = " / ".join(f"{len(part):,}" for part in corpus.splits)
    facts = f"{sizes} sentences; seed{'s' if len(seeds) > 1 else ''} {', '.join(map(str, seeds))}."
    if tuned_in := sorted({outcome.precision for outcome in found if outcome.precision}):
        facts += f" Tuned in {' and '.join(tuned_in)}."
    shared = [len(shared_texts(corpus.train, part)) for part in (corpus.dev, corpus.test)]
    if any(shared):
        facts += " Also in train: " + ", ".join(
            f"{n} sentences {word}" for n, word in zip(shared, _words(corpus.name), strict=True)
        )
        facts += "."
    return facts


def _table(corpus: str, rows: Sequence[Sequence[str]]) -> str:
    dev, test = _words(corpus)
    header = ["method", "MCC by CV on train", "calibration error by CV"]
    for at in ("", "at .5, "):
        header += [f"{at}{word}: {number}" for word in (dev, test) for number in ("accuracy", "MCC")]
    header += [f"MCC against the strongest baseline, {dev} / {test}"]
    table = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in table)


def _published_rows(setting: Setting) -> list[list[str]]:
    rows = []
    for name, row in TABLE1[setting.corpus, setting.published].items():
        scores = row[:2] if setting.tune == "none" else row[2:]
        baseline = "probe" if setting.tune == "none" else "tuned"
        method = f"{setting.published}, {baseline}" if name == BASELINE else f"{setting.published} + {name}"
        cells = [cell for s in scores for cell in (f"{s.accuracy:.1f}", f"{s.mcc:.3f}")]
        rows.append([f"*published: {method}*", "", "", *cells, *[""] * (len(cells) + 1)])
    return rows


def _cells(row: Line, baseline: Line, corpus: Corpus) -> list[str]:
    cells = [WORDS[row.features], f"{row.cv_mcc:.3f}", row.cv_error]
    for threshold in (None, 0.5):
        for part in PARTS:
            labels, verdicts = getattr(corpus, part).labels, row.verdicts(part, threshold)
            cells += [_accuracy(labels, verdicts), _mcc(labels, verdicts)]
    differences = [_difference(row, baseline, corpus, part) for part in PARTS]
    against = [f"{difference.value:+.3f} (p {_p(p)})" for difference, p in differences]
    return [*cells, "(is it)" if row is baseline else " / ".join(against)]


def _accuracy(labels: np.ndarray, verdicts: np.ndarray) -> str:
    return f"{estimate(accuracy, labels, verdicts).percent:.1f}"


def _mcc(labels: np.ndarray, verdicts: np.ndarray) -> str:
    """Mean, its standard deviation over seeds where there are several, and the interval."""
    mean = estimate(matthews, labels, verdicts)
    single = [estimate(matthews, labels, run).value for run in verdicts]
    spread = f" ±{np.std(single, ddof=1):.3f}" if len(single) > 1 else ""
    return f"{mean.value:.3f}{spread} {mean.interval()}"


def _difference(row: Line, baseline: Line, corpus: Corpus, part: str) -> tuple[Estimate, float]:
    labels = getattr(corpus, part).labels
    return paired_difference(matthews, labels, row.verdicts(part), baseline.verdicts(part))


def _p(p: float) -> str:
    return f"= {p:.3f}" if p >= 0.001 else "< .001"


def _says(setting: Setting, rows: Sequence[Line], corpus: Corpus) -> str:
    """A plain sentence: what topology adds to the strongest baseline, and what it does not."""
    baseline, best = strongest_baseline(setting, rows), strongest_topology(setting, rows)
    alone = max((row for row in rows if row.features in ALONE), key=lambda row: row.cv_mcc)
    gains, sure, lone = [], [], []
    for part, word in zip(PARTS, _words(corpus.name), strict=True):
        difference, p = _difference(best, baseline, corpus, part)
        exact = mcnemar(getattr(corpus, part).labels, best.verdicts(part)[0], baseline.verdicts(part)[0])
        sure.append(p < SURE and difference.value > 0)
        tests = f"paired bootstrap p {_p(p)}, McNemar on the first seed p {_p(exact)}"
        gains.append(f"{difference:+.3f} {word} ({tests})")
        lone.append(f"{_difference(alone, baseline, corpus, part)[0].value:+.3f} {word}")
    if all(sure):
        verdict = "topology adds to it on both sets"
    elif any(sure):
        verdict = "topology surely adds to it on one of the two sets only"
    else:
        verdict = "no gain of topology over it is sure; what it gives here is the explanation"
    return (
        f"{SAYS} By cross-validation on train the strongest baseline is "
        f"*{WORDS[baseline.features]}* and the strongest row with topology *{WORDS[best.features]}*. The "
        f"difference of MCC is {gains[0]} and {gains[1]}: {verdict}. Topology by itself "
        f"(*{WORDS[alone.features]}*) is {lone[0]} and {lone[1]} from the baseline."
    )
