"""Table 1 from end to end on a tiny model and a toy corpus; what is done is not done again."""

import json
import shutil
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, matthews_corrcoef
from typer.testing import CliRunner

import toposcope as ts
from tests.models import tiny
from tests.models.toy import LABELS, TEXTS
from toposcope.cli import app
from toposcope.data.corpora import Corpus
from toposcope.data.sentences import Sentences
from toposcope.experiments import experiment
from toposcope.experiments.experiment import Looked, _judge_row, run_setting
from toposcope.experiments.outcomes import Outcome, outcomes
from toposcope.experiments.published import TABLE1, impossible_cells
from toposcope.experiments.settings import (
    ENGLISH,
    FROZEN_ROWS,
    GENERATED,
    SETTINGS,
    TUNED_ROWS,
    WORDS,
    Setting,
)
from toposcope.features.table import Table
from toposcope.judge import crossfit
from toposcope.models.scope import Scope
from toposcope.models.tuning import tune as tuning
from toposcope.models.tuning.adapter import Adapter
from toposcope.models.tuning.tune import Tuning
from toposcope.report import reproduce, table1


@dataclass(frozen=True)
class Small(Setting):
    """A setting whose rows a tiny model has."""

    rows = ("length", "cls:3", "h0m", "topology+cls:3")
    baselines = ("length", "cls:3")
    evidence = "tda+shape+cls:3+length"


@dataclass(frozen=True)
class SmallTuned(Setting):
    """The same, tuned."""

    rows = ("length", "lm", "h0m", "topology+lm")
    baselines = ("length", "lm")
    evidence = "tda+shape+lm+length"


@pytest.fixture(scope="module")
def corpus():
    order = np.random.default_rng(0).permutation(len(TEXTS))
    every = Sentences(tuple(TEXTS), LABELS, "toy").take(order)
    return Corpus("cola", every.take(range(60)), every.take(range(60, 78)), every.take(range(78, 96)))


@pytest.fixture(scope="module")
def scope():
    return Scope(tiny.build(tiny.ENCODERS["bert"]), tiny.wordpieces(), name="tiny")


@pytest.fixture(autouse=True)
def words(monkeypatch):
    more = {"cls:3": "probe", "topology+cls:3": "TDA + probe"}
    monkeypatch.setattr(table1, "WORDS", WORDS | more)


FROZEN = Small("tiny", "cola", "none", (0, 1), published="En-BERT")
TUNED = SmallTuned("tiny", "cola", "lora", (0,), published="En-BERT")


@pytest.fixture(scope="module")
def work(tmp_path_factory, corpus, scope):
    folder = tmp_path_factory.mktemp("work")
    run_setting(FROZEN, corpus, folder, lambda: scope, lambda _: None)
    run_setting(TUNED, corpus, folder, lambda: scope, lambda _: None)
    return folder


def test_every_row_and_seed_is_there(work, corpus):
    found = outcomes(FROZEN, work)
    assert {(o.features, o.seed) for o in found} == {(row, seed) for row in FROZEN.rows for seed in (0, 1)}
    assert {o.features for o in outcomes(TUNED, work)} == set(TUNED.rows)
    for outcome in found:
        assert outcome.dev.shape == corpus.dev.labels.shape
        assert ((outcome.test >= 0) & (outcome.test <= 1)).all()


def test_only_what_is_missing_is_done(work, corpus):
    lost = work / FROZEN.name / "seed-1" / "rows" / "h0m.json"
    before = lost.read_text()
    lost.unlink()
    told = []

    def no_model():
        raise AssertionError("the evidence is there already")

    run_setting(FROZEN, corpus, work, no_model, told.append)
    assert told == ["tiny/cola/frozen, seed 1: h0m"]
    assert Outcome.load(lost).cv_mcc == pytest.approx(json.loads(before)["cv_mcc"])


def test_a_run_broken_off_while_tuning_goes_on(tmp_path, corpus, scope, work, monkeypatch):
    looked = []

    def broken(scope, texts, *rest, **options):
        looked.append(len(texts))
        if len(looked) == 2:
            raise KeyboardInterrupt
        return observe(scope, texts, *rest, **options)

    observe = crossfit.observe
    monkeypatch.setattr(crossfit, "observe", broken)
    with pytest.raises(KeyboardInterrupt):
        run_setting(TUNED, corpus, tmp_path, lambda: scope, lambda _: None)
    assert not outcomes(TUNED, tmp_path)
    monkeypatch.setattr(crossfit, "observe", observe)
    run_setting(TUNED, corpus, tmp_path, lambda: scope, lambda _: None)
    for ours, undisturbed in zip(outcomes(TUNED, tmp_path), outcomes(TUNED, work), strict=True):
        np.testing.assert_array_equal(ours.test, undisturbed.test)


def test_several_runs_take_over_what_single_ones_learned(tmp_path, corpus, scope, monkeypatch):
    run_setting(replace(TUNED, seeds=(0, 1)), corpus, tmp_path, lambda: scope, lambda _: None)

    def no_more_tuning(*_):
        raise AssertionError("everything was tuned already")

    monkeypatch.setattr(tuning._Descent, "step", no_more_tuning)
    several = replace(TUNED, soup=2)
    assert several.name == "tiny/cola/lora-2"
    run_setting(several, corpus, tmp_path, lambda: scope, lambda _: None)
    assert {o.features for o in outcomes(several, tmp_path)} == set(TUNED.rows)
    folder = tmp_path / several.name / "seed-0" / "evidence"
    assert len(set(json.loads((folder / "facts.json").read_text())["folds"])) == 4
    precision = Tuning("lora").settled(scope.device).precision
    assert f"seed 0. Tuned in {precision}." in table1.section(several, corpus, tmp_path)
    assert "tuned with LoRA 2 times, the middle of these" in table1.title(several)


def test_pretraining_holds_nothing_that_is_reported(corpus, monkeypatch):
    texts = (*corpus.dev.texts, "a new one", *corpus.test.texts)
    pairs = SimpleNamespace(sentences=lambda: Sentences(texts, np.ones(len(texts), int)))
    monkeypatch.setattr(reproduce, "pairs_named", lambda names: pairs)
    taught = replace(TUNED, pretrain_on=GENERATED)
    assert reproduce._pretraining(taught, lambda name: corpus).texts == ("a new one",)
    assert reproduce._pretraining(TUNED, lambda name: corpus) is None
    assert taught.name == "tiny/cola/lora-lessons"
    assert "tuned with LoRA, after lessons" in table1.title(taught)


def test_pretraining_in_english(corpus):
    """For a corpus of another language: generated pairs and CoLA's train part."""
    other = Corpus("itacola", *(Sentences((f"uno {k}", "due"), np.array([1, 0])) for k in range(3)))
    taught = replace(TUNED, corpus="itacola", pretrain_on=ENGLISH)
    before = reproduce._pretraining(taught, {"cola": corpus, "itacola": other}.__getitem__)
    assert set(corpus.train.texts) < set(before.texts)
    assert len(before) > len(corpus.train) + 1000
    assert taught.name == "tiny/itacola/lora-english"
    assert table1.title(taught).endswith("tuned with LoRA, after lessons in English")


def test_lora_on_all_linear_maps(tmp_path, corpus, scope):
    widely = replace(TUNED, widely=True)
    run_setting(widely, corpus, tmp_path, lambda: scope, lambda _: None)
    adapter = Adapter.load(tmp_path / widely.name / "seed-0" / "evidence" / "all.safetensors")
    learned = {name.removesuffix(".lora_A") for name in adapter.tensors if name.endswith(".lora_A")}
    assert learned == set(scope.linears("all"))
    assert widely.name == "tiny/cola/lora-all"
    assert "tuned with LoRA on all linear maps" in table1.title(widely)


def test_pretraining_is_done_once(tmp_path, corpus, scope, monkeypatch):
    taught = replace(TUNED, seeds=(0, 1), pretrain_on=GENERATED)
    before = Sentences(("the cat is", "cat the is", "a cat is"), np.array([1, 0, 1]), "before")
    run_setting = partial(experiment.run_setting, pretrain_on=before)
    taken = []
    tune = tuning.tune

    def noted(*given, what, **options):
        with monkeypatch.context() as patch:
            step = tuning._Descent.step
            patch.setattr(tuning._Descent, "step", lambda *batch: (taken.append(what), step(*batch)))
            return tune(*given, what=what, **options)

    monkeypatch.setattr(tuning, "tune", noted)
    run_setting(replace(taught, seeds=(0,)), corpus, tmp_path, lambda: scope, lambda _: None)
    assert "pretraining" in taken
    taken.clear()
    run_setting(taught, corpus, tmp_path, lambda: scope, lambda _: None)
    assert set(taken) == {"tuning without fold 1", "tuning without fold 2", "tuning on everything"}
    taken.clear()
    run_setting(replace(taught, seeds=(0,), soup=2), corpus, tmp_path, lambda: scope, lambda _: None)
    assert taken == []


def test_the_tuned_model_itself_is_calibrated(corpus):
    """What a bold model says comes out as a line of its log-odds, as probabilities that can be believed."""
    rng = np.random.default_rng(0)

    def said(sentences):
        bold = 5 * (2.0 * sentences.labels - 1 + 2 * rng.standard_normal(len(sentences)))
        return Table(bold[:, None].astype(np.float32), ("lm",))

    many = corpus.train.take(np.tile(np.arange(len(corpus.train)), 10))
    corpus = replace(corpus, train=many)
    looked = Looked(
        said(corpus.train), said(corpus.dev), said(corpus.test), np.arange(len(many)) % 3,
        {"layers": 3, "heads": 4, "width": 8}, "float32",
    )  # fmt: skip
    found = _judge_row("lm", 0, corpus, looked, {})
    log_odds = np.log(found.dev / (1 - found.dev))
    bold = looked.dev.values[:, 0]
    assert np.corrcoef(bold, log_odds)[0, 1] > 0.999
    assert 0.05 < np.polyfit(bold, log_odds, 1)[0] < 0.2  # the log-odds of such numbers are a tenth of them
    assert found.calibrated
    assert found.cv_error < 0.1


def test_the_page_says_what_the_outcomes_say(work, corpus):
    text = table1.section(FROZEN, corpus, work)
    assert text.startswith("## tiny on CoLA, frozen")
    assert "60 / 18 / 18 sentences; seeds 0, 1." in text
    assert "*published: En-BERT + TDA* |  |  | 77.2 | 0.420 | 76.7 | 0.420" in text
    runs = [o for o in outcomes(FROZEN, work) if o.features == "h0m"]
    single = [matthews_corrcoef(corpus.dev.labels, o.dev >= o.threshold) for o in runs]
    (row,) = (line for line in text.splitlines() if line.startswith("| H0M |"))
    assert f"| {np.mean(single):.3f} ±{np.std(single, ddof=1):.3f} [" in row
    header, cells = ([c.strip() for c in line.split("|")] for line in (text.splitlines()[4], row))
    half = [accuracy_score(corpus.test.labels, o.test >= 0.5) for o in runs]
    assert cells[header.index("at .5, out of domain: accuracy")].startswith(f"{100 * np.mean(half):.1f} [")
    assert len({line.count("|") for line in text.splitlines() if line.startswith("|")}) == 1
    assert text.count("(is it)") == 1
    assert "**What topology adds.**" in text


def test_the_strongest_baseline_is_chosen_on_train(work):
    rows = table1.lines(FROZEN, outcomes(FROZEN, work))
    assert table1.strongest_baseline(FROZEN, rows).features in FROZEN.baselines
    best = max(row.cv_mcc for row in rows if row.features in FROZEN.baselines)
    assert table1.strongest_baseline(FROZEN, rows).cv_mcc == best
    assert table1.strongest_topology(FROZEN, rows).features not in FROZEN.baselines


def test_settings_that_were_not_run_say_so():
    for setting in SETTINGS:
        text = table1.not_run(setting)
        assert f"`toposcope reproduce table1 --data DIR --only {setting.name}`" in text
        assert "no hub was reached" in text if not setting.at_hand else "Not run yet" in text


@pytest.fixture
def small(monkeypatch, scope):
    """The settings above instead of those of the paper."""
    monkeypatch.setattr(reproduce, "SETTINGS", (FROZEN, TUNED))
    monkeypatch.setattr(reproduce, "model_loader", lambda model: lambda: scope)


def test_the_page_by_the_command(tmp_path, corpus, work, small):
    names = ("in_domain_train", "in_domain_dev", "out_of_domain_dev")
    for name, part in zip(names, corpus.splits, strict=True):
        rows = [f"x\t{y}\t\t{text}" for text, y in zip(part.texts, part.labels, strict=True)]
        (tmp_path / f"{name}.tsv").write_text("\n".join(rows))
    options = ["--data", str(tmp_path), "--work", str(work), "--docs", str(tmp_path)]
    run = CliRunner().invoke(app, ["reproduce", "table1", *options, "--only", FROZEN.name])
    assert run.exit_code == 0, run.output
    page = (tmp_path / "table1.md").read_text()
    assert page.startswith(reproduce.INTRODUCTION)
    assert list(table1.results(page)) == [table1.title(FROZEN), table1.title(TUNED)]
    assert table1.section(TUNED, corpus, work) in page


def test_results_of_the_page_stay_until_new_ones_are_complete(tmp_path, corpus, work, small, monkeypatch):
    monkeypatch.setattr(reproduce, "_corpora", lambda data: lambda name: corpus)

    def page(folder):
        place = reproduce.reproduce_table1(Path("nowhere"), folder, tmp_path, [], [], lambda _: None)
        return table1.results(place.read_text())

    (tmp_path / "table1.md").write_text(f"{table1.title(FROZEN)}\n\n{table1.SAYS} Once upon a time.\n")
    empty = tmp_path / "work"
    assert page(empty) == {
        table1.title(FROZEN): f"{table1.title(FROZEN)}\n\n{table1.SAYS} Once upon a time."
    }
    shutil.copytree(work / FROZEN.name / "seed-0", empty / FROZEN.name / "seed-0")
    assert "Once upon a time" in page(empty)[table1.title(FROZEN)]
    shutil.copytree(work / FROZEN.name / "seed-1", empty / FROZEN.name / "seed-1")
    assert page(empty)[table1.title(FROZEN)] == table1.section(FROZEN, corpus, work)


def test_seeds_may_be_added_on_another_machine(tmp_path, corpus, work, small, monkeypatch):
    """One seed here, the other there: the page is the one of both, and only new ones are run."""
    monkeypatch.setattr(reproduce, "_corpora", lambda data: lambda name: corpus)
    told = []

    def page(machine, seeds, **options):
        shutil.copytree(work / FROZEN.name / "evidence", tmp_path / machine / FROZEN.name / "evidence")
        place = reproduce.reproduce_table1(
            Path("nowhere"), tmp_path / machine, tmp_path, [FROZEN.name], seeds, told.append, **options
        )
        return table1.results(place.read_text())[table1.title(FROZEN)]

    assert "; seed 0." in page("here", [0], add=True)
    here = len(told)
    assert page("there", None, add=True) == table1.section(FROZEN, corpus, work)
    assert here == len(told[here:]) == len(FROZEN.rows)
    assert "; seeds 0, 1." in page("elsewhere", [1])  # not complete, and not added: all stays
    two = (tmp_path / "table1" / f"{FROZEN.name}.parquet").read_bytes()
    page("at last", None)
    assert len(told) == 2 * here + len(FROZEN.rows) * 3
    assert (tmp_path / "table1" / f"{FROZEN.name}.parquet").read_bytes() == two


def test_every_setting_has_published_rows_and_every_row_a_name():
    assert {(s.corpus, s.published) for s in SETTINGS} <= set(TABLE1)
    assert set(WORDS) == {*FROZEN_ROWS, *TUNED_ROWS}
    assert len({s.name for s in SETTINGS}) == len(SETTINGS)


def test_published_cells_that_cannot_be():
    """Half of DaLAJ is acceptable: at accuracy 51.1 % an MCC of .227 is out of reach."""
    found = [(c.corpus, c.model, c.method, c.column, round(c.most, 3)) for c in impossible_cells()]
    assert found == [
        ("dalaj", "XLM-R", "TDA", "frozen_dev", 0.108),
        ("dalaj", "XLM-R", "TDA", "frozen_test", 0.208),
    ]
    assert "2 cannot be right: XLM-R + TDA on DaLAJ, frozen, dev (accuracy 51.1 and MCC 0.227" in (
        table1.impossible()
    )


def test_settings_by_how_they_begin():
    assert {s.name for s in reproduce._chosen(["bert-base-cased/cola"])} == {
        "bert-base-cased/cola/frozen", "bert-base-cased/cola/lora", "bert-base-cased/cola/lora-3",
        "bert-base-cased/cola/lora-lessons", "bert-base-cased/cola/lora-3-lessons",
        "bert-base-cased/cola/lora-all-lessons", "bert-base-cased/cola/lora-all-3-lessons",
        "bert-base-cased/cola/lora-all-lessons-middle3",
        "bert-base-cased/cola/full",
    }  # fmt: skip
    assert [s.name for s in reproduce._chosen(["bert-base-cased/cola/lora"])] == [
        "bert-base-cased/cola/lora"
    ]
    assert all(s.at_hand for s in reproduce._chosen([]))
    with pytest.raises(ts.InputError, match="setting 'nonsense': accepted are bert-base-cased/cola/frozen"):
        reproduce._chosen(["nonsense"])


def test_frozen_seeds_share_the_evidence(work):
    assert (work / FROZEN.name / "evidence").is_dir()
    assert not (work / FROZEN.name / "seed-0" / "evidence").exists()
    assert not list(work.rglob("*.part"))
