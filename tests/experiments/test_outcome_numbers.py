"""Numbers of the tables from hand-made outcomes, without any model."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, matthews_corrcoef

from tests.experiments.toys import Small
from tests.pairs.made import pairs
from toposcope.data.corpora import Corpus
from toposcope.data.rejects import Reject
from toposcope.data.sentences import Sentences
from toposcope.errors import InputError
from toposcope.experiments.outcomes import Outcome
from toposcope.experiments.published_pairs import BLIMP_PHENOMENA
from toposcope.experiments.results import Score
from toposcope.experiments.settings import FROZEN_ROWS, SETTINGS
from toposcope.experiments.table1 import ALONE, Runs, chosen, setting_result
from toposcope.experiments.table2 import left_out, pair_scores, who
from toposcope.experiments.ways import LENGTH
from toposcope.judge.evidence import Evidence
from toposcope.judge.recipe import Recipe
from toposcope.pairs.choosers import Committee, PhenomenonHeads, Preference, Voter
from toposcope.topology.head import Head

LABELS = np.tile([1, 1, 0, 1, 0], 40)
SETTING = Small("tiny", "cola", Recipe(Evidence.parse("h0m+cls:3", 3)), (0, 1), "En-BERT")


def sentences(prefix, count=200):
    return Sentences(tuple(f"{prefix} {k} is here" for k in range(count)), LABELS[:count], prefix)


CORPUS = Corpus("cola", sentences("train"), sentences("dev"), sentences("test", 100))


def said(error, labels, seed):
    """Probabilities that are wrong about a share of the sentences; right ones are .9 or .3."""
    wrong = np.random.default_rng(seed).random(len(labels)) < error
    return np.where((labels == 1) ^ wrong, 0.9, 0.3)


def outcome(features, seed, cv, error, threshold=0.5, cv_error=0.01, precision=""):
    dev, test = (said(error, part.labels, seed) for part in (CORPUS.dev, CORPUS.test))
    return Outcome(features, seed, cv, threshold, dev, test, precision, cv_error)


@pytest.fixture(scope="module")
def outcomes():
    return [
        outcome(features, seed, cv + seed / 100, error)
        for seed in (1, 0)
        for features, cv, error in (
            ("length", 0.1, 0.45), ("cls:3", 0.5, 0.2), ("h0m", 0.3, 0.4), ("topology+cls:3", 0.4, 0.05)
        )
    ]  # fmt: skip


@pytest.fixture(scope="module")
def found(outcomes):
    return setting_result(SETTING, CORPUS, outcomes)


def test_which_rows_are_the_strongest(found):
    assert (found.baseline, found.best, found.alone) == ("cls:3", "topology+cls:3", "h0m")
    assert found.seeds == (0, 1)
    assert found.sizes == (200, 200, 100)
    assert found.shared == (0, 0)
    assert (found.setting, found.outcomes) == ("tiny/cola/frozen", "frozen.parquet")
    assert [row.features for row in found.rows] == list(SETTING.rows)
    assert set(ALONE) < set(FROZEN_ROWS)


@pytest.mark.parametrize("features", ["length", "cls:3", "h0m", "topology+cls:3"])
def test_scores_are_means_over_the_seeds(found, outcomes, features):
    runs, row = [one for one in outcomes if one.features == features], found.row(features)
    assert row.cv_mcc == pytest.approx(np.mean([one.cv_mcc for one in runs]))
    assert row.cv_error == pytest.approx(0.01)
    for on, part in (("dev", CORPUS.dev), ("test", CORPUS.test)):
        verdicts = [getattr(one, on) >= 0.5 for one in runs]
        mcc = [matthews_corrcoef(part.labels, v) for v in verdicts]
        seen = getattr(row, on)
        assert seen.mcc.value == pytest.approx(np.mean(mcc))
        assert seen.mcc.spread == pytest.approx(np.std(mcc, ddof=1))
        assert seen.half_mcc.value == pytest.approx(np.mean(mcc))
        right = np.mean([accuracy_score(part.labels, v) for v in verdicts])
        assert seen.accuracy.value == seen.half_accuracy.value == pytest.approx(right)
        assert seen.mcc.low < seen.mcc.value < seen.mcc.high


def test_gains_have_both_signs_and_belong_to_their_set(found):
    base = found.row("cls:3")
    assert base.dev.gain is None
    assert base.test.gain is None
    for features, sign in (("length", -1), ("h0m", -1), ("topology+cls:3", 1)):
        row = found.row(features)
        for on in ("dev", "test"):
            gain = getattr(row, on).gain
            apart = getattr(row, on).mcc.value - getattr(base, on).mcc.value
            assert gain.score.value == pytest.approx(apart)
            assert np.sign(gain.score.value) == sign
            assert gain.p < 0.05
            assert (gain.mcnemar is None) is (features != "topology+cls:3")


def test_mcnemar_is_of_the_first_outcome(found, outcomes):
    first = {one.features: one for one in outcomes if one.seed == 1}  # the order is that of the outcomes
    for on, part in (("dev", CORPUS.dev), ("test", CORPUS.test)):
        ours, theirs = (
            (getattr(first[name], on) >= 0.5) == (part.labels == 1) for name in ("topology+cls:3", "cls:3")
        )
        gain = getattr(found.row("topology+cls:3"), on).gain
        assert (gain.wins, gain.losses) == (sum(ours & ~theirs), sum(theirs & ~ours))


def test_a_threshold_of_its_own_and_one_half():
    runs = Runs("h0m", [outcome("h0m", 0, 0.3, 0.0, threshold=0.2), outcome("h0m", 1, 0.3, 0.0)])
    assert runs.verdicts("dev").tolist() == [[1] * 200, LABELS.tolist()]
    assert runs.verdicts("test", 0.5).tolist() == [LABELS[:100].tolist()] * 2
    assert runs.verdicts("test", 0.9).tolist() == [LABELS[:100].tolist()] * 2  # from there on
    assert runs.cv_error == pytest.approx(0.01)
    older = Runs("h0m", [replace(one, cv_error=None) for one in runs.outcomes])
    assert older.cv_error is None


def test_a_single_seed_has_no_spread_and_shared_sentences_are_counted(outcomes):
    dev = Sentences((*CORPUS.train.texts[:3], *CORPUS.dev.texts[3:]), CORPUS.dev.labels, "dev")
    one_seed = [replace(one, precision="bfloat16") for one in outcomes if one.seed == 0]
    found = setting_result(SETTING, replace(CORPUS, dev=dev), one_seed)
    assert found.shared == (3, 0)
    assert found.precisions == ("bfloat16",)
    assert found.row("h0m").dev.mcc.spread is None


def test_settings_are_chosen_by_name():
    assert [one.name for one in chosen([])] == [one.name for one in SETTINGS if one.at_hand]
    assert [one.name for one in chosen([SETTINGS[0].name])] == [SETTINGS[0].name]
    assert len(chosen(["bert-base-cased/cola/lora"])) == 1  # a name, though others begin with it
    assert {one.model for one in chosen(["bert-base-m"])} == {"bert-base-multilingual-cased"}
    with pytest.raises(InputError, match=r"setting 'nonsense': accepted are bert-base-cased/cola/frozen, "):
        chosen(["bert-base-cased", "nonsense"])


def test_pairs_have_their_scores():
    """Four pairs of each of two paradigms, one of each of ten others, all in a phenomenon of their own."""
    terms = np.concatenate([np.repeat(BLIMP_PHENOMENA[:2], 4), BLIMP_PHENOMENA[2:]])
    credits = np.concatenate([[1, 1, 1, 0], [0.5, 0, 0, 0.5], np.ones(10)])
    opinions = Preference(credits, credits - 0.5, credits == 0.5)
    found = pair_scores(opinions, pairs(terms), np.arange(18) % 4 == 0)
    assert found.pairs == 18
    assert found.phenomena == {
        **dict.fromkeys(BLIMP_PHENOMENA, 1.0),
        BLIMP_PHENOMENA[0]: 0.75,
        BLIMP_PHENOMENA[1]: 0.25,
    }
    assert found.overall.value == found.mean_of_phenomena.value == pytest.approx((0.75 + 0.25 + 10) / 12)
    assert found.ties == pytest.approx(2 / 18)
    assert found.equal.value == pytest.approx((1 + 0.5 + 3) / 5)


def test_who_was_chosen_in_short():
    one = Committee("rtd.upper.align", (Voter(Head(8, 0), 2),))
    assert who({"": one}) == "L8.H0 (larger)"
    assert who({"": replace(one, voters=(Voter(Head(8, 0)),) * 3)}) == "3 heads"
    assert who({"": replace(one, column=LENGTH)}) == "more tokens"
    assert who({"": replace(one, column=LENGTH, voters=(Voter(Head(1, 0)),))}) == "fewer tokens"
    assert who({"a": one, "b": one}) == ""
    own = {BLIMP_PHENOMENA[1]: Voter(Head(7, 0)), BLIMP_PHENOMENA[0]: Voter(Head(8, 8))}
    heads = PhenomenonHeads("h0m.upper.whole", own, Voter(Head(1, 1)))
    assert who({"": heads}) == "L8.H8, L7.H0"


def test_what_was_left_out():
    some = replace(
        pairs(["a"] * 3),
        rejects=(Reject("x", "line 1", "it is in BLiMP"), Reject("x", "line 2", "it is in BLiMP")),
    )
    assert left_out(pairs(["a"]), some) == (
        "Left out of BLiMP: none; of the auxiliary pairs: 2 (it is in BLiMP); 3 auxiliary pairs remain."
    )


def test_scores_of_an_estimate():
    assert Score(0.5, 0.4, 0.6).estimate.low == 0.4
    assert Score(0.5).estimate is None
    assert Score(0.5, low=0.1).estimate is None
