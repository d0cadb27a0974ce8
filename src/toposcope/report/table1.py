"""The page of table 1: a section for each setting, the published rows beside ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from toposcope.experiments.published import BASELINE, TABLE1
from toposcope.experiments.results import EvidenceRow, OnSet, SettingResult
from toposcope.experiments.settings import ENGLISH, SETTINGS, Setting
from toposcope.report.markdown import decimal, p_value, percent, table
from toposcope.report.table1_sentences import (
    NAMES,
    Claims,
    beside_published,
    claims_of,
    follows_code,
    how_many_claims,
    impossible,
    splits,
    what_topology_adds,
    words_of,
)

INTRODUCTION = """# Table 1: acceptable or not

Written by `toposcope reproduce table1`. Everything is chosen on the train part alone: the strengths of the
regressions, what each part of the evidence counts (never less than nothing) and the decision threshold by
cross-validation (of a tuned model by cross-fitting, so that no sentence is looked at by a model that saw
its label). MCC by CV is nested: each fold is judged by a fit that repeats all of these choices without it.
The probabilities are calibrated, and the threshold is one half unless another one is surely better on
train. Sections without a column of calibration errors were run before that: there the threshold was always
the best one, and MCC by CV is that of the folds that chose; they are not made anew yet. Nothing is chosen
on the other two sets; but while this was built their figures were seen many times, also for variants that
are not here. MCC is the mean over the seeds, ± its standard deviation over seeds where there are several,
with the 95 % interval over sentences (a bootstrap with half a sentence more of every label and verdict);
the last column is the difference of MCC to the strongest baseline (the one that cross-validation on train
likes best), with the p-value of a paired bootstrap. Accuracy and MCC are at the chosen threshold, and at .5
beside; sections of which no outcomes were kept (`table1` beside this page holds those of the others) have
only MCC at .5, and no intervals of accuracy. For a frozen model the seeds only change the folds.
Differences below the width of the intervals are noise. "After pretraining":
before the train part the model was tuned once on minimal pairs of our own generator, none of whose
sentences is in the corpus; all folds and all seeds start from there. "After pretraining in English": on
these and on the train part of CoLA. "After augmentation": each model was first tuned on the acceptable
sentences that it was going to learn from and on spoiled versions of these. "Word by word": the model says
of every word how probably it is wrong; where a sentence has a correction (DaLAJ, generated pairs, spoiled
sentences), it was taught which ones are. "Average of 3 folds": what judges is the average of the weights of
the models that were tuned without one of the folds, not a model tuned on everything. "Soup of 3 runs": the
average of the weights of three models. Models were tuned in float32 where a section does not say otherwise.

The published rows are those of the paper (Cherniavskii et al. 2022). Its tuned numbers in domain were
very probably tuned on that very set: the out-of-domain or test column is the one to compare with, and the
sentences below compare with no other. Its frozen probe is undertrained: a proper one is far better.
"""
SETS = ("dev", "test")
HOW = {"none": "frozen", "lora": "tuned with LoRA", "full": "fully fine-tuned"}


def page(found: Mapping[str, SettingResult], settings: Sequence[Setting] = SETTINGS) -> str:
    """The whole page, from the results that there are by the names of their settings."""
    shown = [found[setting.name] for setting in settings if setting.name in found]
    claims = claims_of(shown)
    sizes = {setting.corpus: found[setting.name].sizes for setting in settings if setting.name in found}
    sections = [
        section(setting, found[setting.name], claims) if setting.name in found else not_run(setting)
        for setting in settings
    ]
    said = [how_many_claims(shown, claims), impossible(), splits(sizes), follows_code()]
    return "\n\n".join([INTRODUCTION.rstrip(), *said, *sections]) + "\n"


def title(setting: Setting) -> str:
    """The heading of a setting."""
    recipe, tuning = setting.recipe, setting.recipe.tuning
    how = HOW[tuning.method if tuning else "none"]
    how += " on all linear maps" if tuning and tuning.maps == "all" else ""
    how += ", word by word" if tuning and tuning.head == "words" else ""
    how += f", soup of {recipe.soup} runs" if recipe.soup > 1 else ""
    how += f", average of {recipe.average_folds} folds" if recipe.average_folds else ""
    pretrained = {(): "", ENGLISH: "pretraining in English"}.get(setting.pretrain_on, "pretraining")
    before = [word for word in (pretrained, "augmentation" if recipe.augment else "") if word]
    how += f", after {' and '.join(before)}" if before else ""
    return f"## {setting.model} on {NAMES[setting.corpus]}, {how}"


def section(setting: Setting, found: SettingResult, claims: Claims) -> str:
    """One setting: the published rows, ours, and what they say; ``claims`` are those of the whole page."""
    says = (beside_published(setting, found), what_topology_adds(found, claims))
    parts = [title(setting), _facts(setting, found), _table(setting, found.rows), *filter(None, says)]
    return "\n\n".join(parts)


def not_run(setting: Setting) -> str:
    """A setting without results: the published rows, and how to run it."""
    command = f"toposcope reproduce table1 --data DIR --only {setting.name}"
    why = f"Not run yet: `{command}`."
    if not setting.at_hand:
        why = f"Not run: no registry has these weights and no hub was reached. Where one is: `{command}`."
    return "\n\n".join([title(setting), why, _table(setting, ())])


def _sets(corpus: str) -> tuple[str, str]:
    """What the two sets are called."""
    return ("in domain", "out of domain") if corpus == "cola" else SETS


def _facts(setting: Setting, found: SettingResult) -> str:
    sizes = " / ".join(f"{size:,}" for size in found.sizes)
    several = "s" if len(found.seeds) > 1 else ""
    facts = f"{sizes} sentences; seed{several} {', '.join(map(str, found.seeds))}."
    if found.precisions:
        facts += f" Tuned in {' and '.join(found.precisions)}."
    if any(found.shared):
        both = zip(found.shared, _sets(setting.corpus), strict=True)
        facts += f" Also in train: {', '.join(f'{n} sentences {word}' for n, word in both)}."
    return facts


def _table(setting: Setting, rows: Sequence[EvidenceRow]) -> str:
    """Columns are those of which anything is known."""
    dev, test = _sets(setting.corpus)
    calibrated = any(row.cv_error is not None for row in rows)
    halves = all(row.dev.half_accuracy is not None for row in rows)
    header = ["method", "MCC by CV on train"]
    header += ["calibration error by CV"] if calibrated else []
    header += [f"{word}: {number}" for word in (dev, test) for number in ("accuracy", "MCC")]
    if halves:
        header += [f"at .5, {word}: {number}" for word in (dev, test) for number in ("accuracy", "MCC")]
    else:
        header += [f"MCC at .5, {dev} / {test}"]
    header += [f"MCC against the strongest baseline, {dev} / {test}"]
    before = [""] * (2 if calibrated else 1)
    published = [
        [method, *before, *cells, *[""] * (len(header) - 1 - len(before) - len(cells))]
        for method, cells in _published(setting)
    ]
    return table(header, [*published, *(_cells(row, calibrated, halves) for row in rows)])


def _published(setting: Setting) -> list[tuple[str, list[str]]]:
    rows = []
    for name, row in TABLE1[setting.corpus, setting.published].items():
        scores = row[2:] if setting.tuned else row[:2]
        baseline = "tuned" if setting.tuned else "probe"
        method = f"{setting.published}, {baseline}" if name == BASELINE else f"{setting.published} + {name}"
        cells = [cell for s in scores for cell in (f"{s.accuracy:.1f}", f"{s.mcc:.3f}")]
        rows.append((f"*published: {method}*", cells))
    return rows


def _cells(row: EvidenceRow, calibrated: bool, halves: bool) -> list[str]:
    both = (row.dev, row.test)
    cells = [words_of(row.features), f"{row.cv_mcc:.3f}"]
    cells += [f"{row.cv_error:.3f}" if row.cv_error is not None else ""] if calibrated else []
    cells += [cell for on in both for cell in (percent(on.accuracy), decimal(on.mcc))]
    if halves:
        cells += [cell for on in both for cell in _half(on)]
    else:
        cells += [" / ".join(decimal(on.half_mcc) for on in both)]
    gains = [f"{on.gain.score.value:+.3f} (p {p_value(on.gain.p)})" for on in both if on.gain]
    return [*cells, " / ".join(gains) or "(is it)"]


def _half(on: OnSet) -> tuple[str, str]:
    assert on.half_accuracy is not None
    return percent(on.half_accuracy), decimal(on.half_mcc)
