"""Experiments of the paper end to end: run what is missing, write the page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from toposcope.data.corpora import FILES, Corpus, read_corpus
from toposcope.data.sentences import Sentences, joined_sentences
from toposcope.errors import InputError
from toposcope.experiments import heads, small_data
from toposcope.experiments.experiment import Tell, run_setting
from toposcope.experiments.outcomes import is_complete, outcomes, pack_outcomes, unpack_outcomes
from toposcope.experiments.settings import SETTINGS, Setting
from toposcope.pairs.score import pairs_named
from toposcope.report import table1
from toposcope.report.pages import write_page

if TYPE_CHECKING:
    from toposcope.models.scope import Scope

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
Differences below the width of the intervals are noise. "After lessons": before the train part the model was
tuned once on minimal pairs of our own generator, none of whose sentences is in the corpus; all folds and
all seeds start from there. "After lessons in English": on these and on the train part of CoLA. "After
exercises": each model first practised on the acceptable sentences that it was going to learn from and on
spoiled versions of these. "Word by word": the model says of every word how probably it is wrong; where a
sentence has a correction (DaLAJ, generated pairs, exercises), it was taught which ones are. "The middle of
3 folds": what judges is the middle of the models that were tuned without one of the folds, not a model
tuned on everything. Models were tuned in float32 where a section does not say otherwise.

The published rows are those of the paper (Cherniavskii et al. 2022). Its tuned numbers in domain were
very probably tuned on that very set: the out-of-domain or test column is the one to compare with. Its
frozen probe is undertrained: a proper one is far better.
"""


def reproduce_table1(
    data: Path,
    work: Path,
    docs: Path,
    only: Sequence[str],
    seeds: Sequence[int] | None,
    tell: Tell,
    *,
    add: bool = False,
) -> Path:
    """Run what is missing of the chosen settings, then write the page of all.

    Settings may be run on different days and machines: one that is not complete in the working folder
    keeps the results that the page already has. With ``add`` the outcomes that lie beside the page count
    as done.
    """
    corpora = _corpora(data)
    added = _chosen(only) if add else []
    for setting in _chosen(only):
        scope = model_loader(setting.model)
        pretrain_on = _pretraining(setting, corpora)
        if add:
            unpack_outcomes(setting, docs, work)
        run_setting(setting, corpora(setting.corpus), work, scope, tell, seeds, pretrain_on)
        if add or is_complete(setting, work):
            pack_outcomes(setting, work, docs)
    place = docs / "table1.md"
    kept = table1.results(place.read_text("utf-8")) if place.exists() else {}
    kept = {heading: text for heading, text in kept.items() if heading not in map(table1.title, added)}
    sections = [_section(setting, corpora, work, kept) for setting in SETTINGS]
    return write_page(place, "\n\n".join([INTRODUCTION, table1.impossible(), *sections]) + "\n")


def check_table1(data: Path, only: Sequence[str]) -> None:
    """Refuse settings that are not known, and a folder without the files of their corpora."""
    corpora = _corpora(data)
    for setting in _chosen(only):
        corpora(setting.corpus)


def _pretraining(setting: Setting, corpora: Callable[[str], Corpus]) -> Sentences | None:
    """Sentences to be tuned on before, none of which is reported on."""
    if not setting.pretrain_on:
        return None
    parts = [
        corpora(name).train if name in FILES else pairs_named([name]).sentences()
        for name in setting.pretrain_on
    ]
    corpus = corpora(setting.corpus)
    return joined_sentences(parts).without([*corpus.dev.texts, *corpus.test.texts])


def _section(
    setting: Setting, corpora: Callable[[str], Corpus], work: Path, kept: Mapping[str, str]
) -> str:
    """New results if they are complete, else those of the page, else what there is."""
    title = table1.title(setting)
    if title in kept and not is_complete(setting, work):
        return kept[title]
    if not outcomes(setting, work):
        return table1.not_run(setting)
    return table1.section(setting, corpora(setting.corpus), work)


def reproduce_heads(data: Path, work: Path, docs: Path, tell: Tell) -> Path:
    """Number of heads against MCC, with its figure."""
    setting = SETTINGS[0]
    done = heads.run_heads(setting, _corpora(data)(setting.corpus), work, model_loader(setting.model), tell)
    docs.mkdir(parents=True, exist_ok=True)
    heads.draw(done, docs / "heads.svg")
    return write_page(docs / "heads.md", heads.page(done, setting, "heads.svg"))


def reproduce_small_data(data: Path, work: Path, docs: Path, tell: Tell) -> Path:
    """Judges from few sentences: what they announce and what comes true, with its figure."""
    setting = SETTINGS[0]
    loader = model_loader(setting.model)
    done = small_data.run_small_data(setting, _corpora(data)(setting.corpus), work, loader, tell)
    docs.mkdir(parents=True, exist_ok=True)
    small_data.draw(done, docs / "small-data.svg")
    return write_page(docs / "small-data.md", small_data.page(done, setting, "small-data.svg"))


def _chosen(only: Sequence[str]) -> list[Setting]:
    """The settings that were asked for, by name or by how their names begin.

    Without a wish those whose weights can be had without a hub.
    """
    unknown = [name for name in only if not any(s.name.startswith(name) for s in SETTINGS)]
    if unknown:
        raise InputError(f"setting {unknown[0]!r}: accepted are {', '.join(s.name for s in SETTINGS)}.")
    if not only:
        return [s for s in SETTINGS if s.at_hand]
    names = {s.name for s in SETTINGS}
    return [
        s for s in SETTINGS
        if any(s.name == name if name in names else s.name.startswith(name) for name in only)
    ]  # fmt: skip


def _corpora(folder: Path) -> Callable[[str], Corpus]:
    return cache(lambda name: read_corpus(name, folder))


def model_loader(model: str) -> Callable[[], Scope]:
    """A function that loads a model when it is first asked for."""

    def load() -> Scope:
        from toposcope.models.load import load

        return load(model)

    return cache(load)
