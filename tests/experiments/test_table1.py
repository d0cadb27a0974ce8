"""Table 1 from end to end on a tiny model and a toy corpus; what is done is not done again."""

import os
import shutil
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binomtest
from sklearn.metrics import accuracy_score, matthews_corrcoef

import toposcope as ts
from tests.experiments.toys import FROZEN, LORA, TUNED, BrokenOff, broken_off_at, lab_in, no_model
from tests.models.watch import each_pass
from toposcope.data.sentences import Sentences
from toposcope.errors import InputError
from toposcope.experiments.evidence import CorpusEvidence, evidence_of
from toposcope.experiments.outcomes import judge_row, outcomes_place, read_outcomes, write_outcomes
from toposcope.experiments.records import read_record
from toposcope.experiments.results import SettingResult
from toposcope.experiments.settings import ENGLISH, GENERATED, SETTINGS
from toposcope.experiments.table1 import chosen, pretraining, run_table1
from toposcope.features.table import Table
from toposcope.judge.crossfit import FOLDS_OF_FEW
from toposcope.judge.fit import Size
from toposcope.models.tuning.adapter import Adapter
from toposcope.models.tuning.tuning import Tuning

BOTH = (FROZEN, TUNED)


def result_of(lab, setting):
    return read_record(lab.docs / "table1" / f"{setting.name}.json", SettingResult)


def test_every_row_and_seed_is_there(done, corpus):
    found = read_outcomes(done.docs, FROZEN)
    assert [(o.features, o.seed) for o in found] == [(row, seed) for seed in (0, 1) for row in FROZEN.rows]
    assert {o.features for o in read_outcomes(done.docs, TUNED)} == set(TUNED.rows)
    for outcome in found:
        assert outcome.dev.shape == corpus.dev.labels.shape
        assert ((outcome.test >= 0) & (outcome.test <= 1)).all()


def test_the_result_says_what_the_outcomes_say(done, corpus):
    found = result_of(done, FROZEN)
    assert (found.sizes, found.seeds, found.precisions) == ((60, 18, 18), (0, 1), ())
    runs = [o for o in read_outcomes(done.docs, FROZEN) if o.features == "h0m"]
    row = found.row("h0m")
    single = [matthews_corrcoef(corpus.dev.labels, o.dev >= o.threshold) for o in runs]
    assert row.dev.mcc.value == pytest.approx(np.mean(single))
    assert row.dev.mcc.spread == pytest.approx(np.std(single, ddof=1))
    assert row.dev.mcc.low <= row.dev.mcc.value <= row.dev.mcc.high
    half = [accuracy_score(corpus.test.labels, o.test >= 0.5) for o in runs]
    assert row.test.half_accuracy.value == pytest.approx(np.mean(half))
    assert row.cv_error == pytest.approx(np.mean([o.cv_error for o in runs]))
    assert found.outcomes == outcomes_place(done.docs, FROZEN.name).name


def test_the_strongest_rows_are_chosen_on_train(done):
    found = result_of(done, FROZEN)
    cv = {row.features: row.cv_mcc for row in found.rows}
    assert cv[found.baseline] == max(cv[row] for row in FROZEN.baselines)
    assert cv[found.best] == max(cv[row] for row in FROZEN.rows if row not in FROZEN.baselines)
    assert found.alone == "h0m"
    assert [row.features for row in found.rows if row.dev.gain is None] == [found.baseline]
    assert [row.features for row in found.rows if row.dev.gain and row.dev.gain.wins is not None] == [
        found.best
    ]


def test_mcnemar_is_that_of_the_first_seed_and_has_a_direction(done, corpus):
    found = result_of(done, FROZEN)
    for on, labels in (("dev", corpus.dev.labels), ("test", corpus.test.labels)):
        right = {
            one.features: (getattr(one, on) >= one.threshold) == labels
            for one in read_outcomes(done.docs, FROZEN)
            if one.seed == 0
        }
        ours, theirs = right[found.best], right[found.baseline]
        gain = getattr(found.row(found.best), on).gain
        assert (gain.wins, gain.losses) == (sum(ours & ~theirs), sum(theirs & ~ours))
        p = binomtest(gain.wins, gain.wins + gain.losses).pvalue if gain.wins + gain.losses else 1.0
        assert gain.mcnemar == pytest.approx(p)
        assert gain.score.value == pytest.approx(
            getattr(found.row(found.best), on).mcc.value - getattr(found.row(found.baseline), on).mcc.value
        )


def test_only_what_is_missing_is_done(done, scope, tmp_path):
    shutil.copytree(done.work, tmp_path / "work")
    lost = tmp_path / "work" / FROZEN.name / "seed-1" / "rows" / "h0m.arrow"
    before = lost.read_bytes()
    lost.unlink()
    told = []
    lab = lab_in(tmp_path, scope, told.append, done.data)
    run_table1(lab, [FROZEN.name], settings=BOTH)
    assert told == [
        f"{lost} is not what was written there: it is made again.",
        "tiny/cola/frozen, seed 1: h0m, part 3 of 4",
    ]
    assert lost.read_bytes() == before
    assert result_of(lab, FROZEN) == result_of(done, FROZEN)


def test_evidence_broken_off_goes_on_to_the_same_bytes(tmp_path, scope, corpus):
    """Whenever it is broken off; that a killed process leaves the same is a test of the store."""

    def read(folder, tell):
        evidence_of(FROZEN, corpus, 0, lab_in(tmp_path / folder, scope, tell), cut=20)
        place = tmp_path / folder / "work" / FROZEN.name / "evidence"
        return {file.name: file.read_bytes() for file in place.iterdir() if not file.name.startswith(".")}

    for part in ("train 000", "train 002", "test 000"):
        told, tell = broken_off_at(part)
        with pytest.raises(BrokenOff):
            read("broken", tell)
        assert f": {part}, part " in told[-1]
    assert "test 000.arrow" not in os.listdir(tmp_path / "broken" / "work" / FROZEN.name / "evidence")
    assert read("broken", lambda _: None) == read("undisturbed", lambda _: None)


def test_evidence_of_other_texts_or_weights_is_refused(done, scope, causal, corpus):
    other = replace(corpus, dev=corpus.dev.take(range(10)))
    with pytest.raises(ts.InputError, match=r"evidence holds other work, it differs in corpus\.dev"):
        evidence_of(FROZEN, other, 0, done)
    lab = replace(done, load=lambda name: causal)
    with pytest.raises(ts.InputError, match=r"differs in from\.causal .*; from\.fingerprint"):
        evidence_of(FROZEN, corpus, 0, lab)


def test_a_working_folder_of_before_is_refused(tmp_path, scope, corpus):
    old = tmp_path / "work" / FROZEN.name / "evidence"
    old.mkdir(parents=True)
    (old / "facts.json").write_text("{}")
    with pytest.raises(ts.InputError, match=r"evidence holds facts.json but no key.json, so nobody knows"):
        evidence_of(FROZEN, corpus, 0, lab_in(tmp_path, scope))


def test_a_run_broken_off_while_tuning_goes_on(tmp_path, scope, done):
    """What was tuned is kept as scratch, and what is seen afterwards is the same."""
    lab = lab_in(tmp_path, scope, data=done.data)

    def in_reading(_, learning):
        if not learning:
            raise BrokenOff

    def in_learning(_, learning):
        if learning:
            raise BrokenOff

    with each_pass(scope, in_reading), pytest.raises(BrokenOff):  # all tuning is done, nothing is seen yet
        run_table1(lab, settings=(TUNED,))
    scratch = lab.work / TUNED.name / "seed-0" / "evidence" / "scratch"
    assert (scratch / "all.safetensors").exists()
    with each_pass(scope, in_learning):  # nothing is tuned again
        run_table1(lab, settings=(TUNED,))
    for ours, undisturbed in zip(
        read_outcomes(lab.docs, TUNED), read_outcomes(done.docs, TUNED), strict=True
    ):
        np.testing.assert_array_equal(ours.test, undisturbed.test)


def test_pretraining_is_done_once(tmp_path, scope, corpus):
    taught = replace(TUNED, seeds=(0, 1), pretrain_on=GENERATED)
    before = Sentences(("the cat is", "cat the is", "a cat is"), np.array([1, 0, 1]), "before")
    lab, learned = lab_in(tmp_path, scope), Counter()

    def note(ids, learning):
        if learning:
            learned.update(tuple(k for k in row if k) for row in ids)  # without the padding

    def times(texts):
        return {learned[tuple(piece.ids)] for piece in scope.pieces(texts)}

    epochs = taught.recipe.tuning.epochs
    for seed, pretrained in ((0, epochs), (1, 0)):
        learned.clear()
        with each_pass(scope, note):
            evidence_of(taught, corpus, seed, lab, before)
        assert times(before.texts) == {pretrained}
        assert times(corpus.train.texts) == {FOLDS_OF_FEW * epochs}  # all folds but one, and everything


def test_pretraining_holds_nothing_that_is_reported(done, corpus):
    taught = replace(TUNED, pretrain_on=("cola",))  # its dev and test sentences are not in its train part
    assert set(pretraining(taught, done).texts) == set(corpus.train.texts) - {
        *corpus.dev.texts,
        *corpus.test.texts,
    }
    assert pretraining(TUNED, done) is None
    assert replace(TUNED, pretrain_on=GENERATED).name == "tiny/cola/lora-pretrained"
    english = replace(TUNED, pretrain_on=ENGLISH)
    assert len(pretraining(english, done)) > len(corpus.train) + 1000
    assert english.name == "tiny/cola/lora-pretrained-english"


def test_lora_on_all_linear_maps(tmp_path, corpus, scope):
    widely, lab = (
        replace(TUNED, recipe=replace(LORA, tuning=Tuning("lora", layers=0, maps="all"))),
        lab_in(tmp_path, scope),
    )
    found = evidence_of(widely, corpus, 0, lab)
    place = lab.work / widely.name / "seed-0" / "evidence" / "scratch" / "all.safetensors"
    learned = {
        name.removesuffix(".lora_A") for name in Adapter.load(place).tensors if name.endswith(".lora_A")
    }
    assert learned == set(scope.engine.linears("all"))
    assert widely.name == "tiny/cola/lora-all"
    assert found.precision == Tuning("lora").settled(scope.device).precision
    assert len(set(found.folds)) == 5


def test_the_tuned_model_itself_is_calibrated(corpus):
    """What a bold model says comes out as a line of its log-odds, as probabilities that can be believed."""
    rng = np.random.default_rng(0)

    def said(sentences):
        bold = 5 * (2.0 * sentences.labels - 1 + 2 * rng.standard_normal(len(sentences)))
        return Table(bold[:, None].astype(np.float32), ("lm",))

    many = corpus.train.take(np.tile(np.arange(len(corpus.train)), 10))
    corpus = replace(corpus, train=many)
    seen = CorpusEvidence(
        said(corpus.train), said(corpus.dev), said(corpus.test), np.arange(len(many)) % 3,
        Size(3, 4, 8), "float32",
    )  # fmt: skip
    found = judge_row("lm", 0, corpus, seen, {})
    log_odds = np.log(found.dev / (1 - found.dev))
    bold = seen.dev.values[:, 0]
    assert np.corrcoef(bold, log_odds)[0, 1] > 0.999
    assert 0.05 < np.polyfit(bold, log_odds, 1)[0] < 0.2  # the log-odds of such numbers are a tenth of them
    assert found.cv_error < 0.1


def test_seeds_may_be_added_on_another_machine(done, tmp_path, scope):
    """One seed here, the other there: the results are those of both, and only new ones are run."""

    def run_on(machine, seeds, **options):
        lab = lab_in(tmp_path / machine, scope, told.append, done.data)
        (tmp_path / machine / "work" / FROZEN.name).mkdir(parents=True)
        evidence = done.work / FROZEN.name / "evidence"
        shutil.copytree(evidence, lab.work / FROZEN.name / "evidence")
        run_table1(replace(lab, docs=tmp_path / "docs"), [FROZEN.name], seeds, settings=BOTH, **options)
        return read_record(tmp_path / "docs" / "table1" / f"{FROZEN.name}.json", SettingResult)

    told = []
    assert run_on("here", [0], add=True).seeds == (0,)
    assert len(told) == len(FROZEN.rows)
    assert run_on("there", None, add=True) == result_of(done, FROZEN)
    assert len(told) == 2 * len(FROZEN.rows)
    assert run_on("elsewhere", [1]).seeds == (1,)


def test_outcomes_beside_the_page_need_no_model(done, tmp_path, corpus):
    """Outcomes that were made elsewhere, also by older versions with more columns and fewer."""
    place = outcomes_place(tmp_path / "docs", FROZEN.name)
    place.parent.mkdir(parents=True)
    shutil.copyfile(outcomes_place(done.docs, FROZEN.name), place)
    lab = replace(lab_in(tmp_path, None, data=done.data), load=no_model)
    run_table1(lab, [FROZEN.name], add=True, settings=BOTH)
    assert result_of(lab, FROZEN) == result_of(done, FROZEN)
    assert place.read_bytes() == outcomes_place(done.docs, FROZEN.name).read_bytes()


def test_no_seed_is_added_to_outcomes_of_an_older_fit(done, tmp_path):
    lab = replace(lab_in(tmp_path, None, data=done.data), load=no_model)
    old = [replace(one, cv_error=None) for one in read_outcomes(done.docs, FROZEN) if one.seed == 0]
    write_outcomes(lab.docs, FROZEN, old)
    with pytest.raises(InputError, match="older fit"):
        run_table1(lab, [FROZEN.name], [0, 1], add=True, settings=BOTH)
    assert run_table1(lab, [FROZEN.name], [0], add=True, settings=BOTH)[0].seeds == (0,)  # nothing is mixed


def test_settings_by_how_they_begin():
    names = (
        "frozen", "lora", "lora-soup3", "lora-pretrained", "lora-pretrained-soup3", "lora-all-pretrained",
        "lora-all-pretrained-soup3", "lora-all-pretrained-average3", "full",
    )  # fmt: skip
    begin = "bert-base-cased/cola"
    assert [s.name for s in chosen([begin])] == [f"{begin}/{name}" for name in names]
    assert [s.name for s in chosen(["bert-base-cased/cola/lora"])] == ["bert-base-cased/cola/lora"]
    assert all(s.at_hand for s in chosen([]))
    with pytest.raises(ts.InputError, match="setting 'nonsense': accepted are bert-base-cased/cola/frozen"):
        chosen(["nonsense"])
    assert len({s.name for s in SETTINGS}) == len(SETTINGS)


def test_frozen_seeds_share_the_evidence(done):
    assert (done.work / FROZEN.name / "evidence").is_dir()
    assert not (done.work / FROZEN.name / "seed-0" / "evidence").exists()
