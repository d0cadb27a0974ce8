"""Training a judge: what is learned from, what is written down, and what goes into the judge."""

import inspect
from dataclasses import replace

import numpy as np
import pytest

import toposcope as ts
from tests.judge.recipes import LM, SHORT
from toposcope.data.sentences import Sentences
from toposcope.features.spec import FeatureSpec
from toposcope.judge.card import card
from toposcope.judge.evidence import Evidence
from toposcope.judge.judge import Judge
from toposcope.judge.recipe import Recipe
from toposcope.judge.train import halved_if_same, train_judge


def test_a_judge_of_the_average_of_folds(scope, toy, tmp_path):
    judge = train_judge(scope, toy, Recipe(LM, SHORT, average_folds=3), work=tmp_path)
    assert len(judge.adapter.about["mean of"]) == 3
    assert "tuned with lora, the average of 3 folds" in card(judge)
    assert not (tmp_path / "all.safetensors").exists()


def test_a_judge_of_several_runs(scope, toy, tmp_path):
    judge = train_judge(scope, toy, Recipe(LM, SHORT, soup=2), work=tmp_path)
    assert judge.about["tuning"]["soup"] == 2
    assert len(judge.adapter.about["mean of"]) == 2
    assert (tmp_path / "run-1" / "fold-0.safetensors").exists()
    assert "tuned with lora, a soup of 2 runs" in card(judge)


def test_a_judge_after_augmented_sentences(scope, toy, tmp_path):
    judge = train_judge(scope, toy, Recipe(LM, SHORT, augment=1), work=tmp_path)
    assert judge.about["tuning"]["augment"] == 1
    assert judge.adapter.about["after"]["epochs"] == 1
    assert (tmp_path / "augmented-all.safetensors").exists()
    assert "seed 0, after augmented ones" in card(judge)


def test_a_judge_that_goes_word_by_word(scope, toy, tmp_path):
    how = replace(SHORT, maps="all", head="words")
    judge = train_judge(scope, toy, Recipe(LM, how), work=tmp_path)
    assert judge.adapter.pooled == "words"
    assert "tuned with lora on all linear maps, word by word" in card(judge)
    again = Judge.load(judge.save(tmp_path / "judge")).on(scope)
    assert again.verdicts(toy.texts[:9]) == judge.verdicts(toy.texts[:9])
    blame = again.blame("the cat is barking.")
    assert [word for word, _ in blame] == ["the", "cat", "is", "barking", "."]
    assert all(0 < wrong < 1 for _, wrong in blame)
    states = again.scope.states(["the cat is barking."])
    odds = np.exp(states.blame[0])
    assert -np.log(odds.sum()) == pytest.approx(states.log_odds[0], abs=1e-4)
    assert max(wrong for _, wrong in blame) == pytest.approx((odds / (1 + odds))[1:-1].max())


def test_a_pretrained_judge(scope, toy, tmp_path):
    before = Sentences(("a dog runs", "dog a runs", "the cat sees"), np.array([1, 0, 1]), "before")
    known = Sentences((*before.texts, toy.texts[0]), np.array([1, 0, 1, 1]), "before")
    judge = train_judge(scope, toy, Recipe(LM, SHORT, pretrain_on=known), work=tmp_path)
    assert judge.about["pretrained on"] == {"name": "before", "sentences": 3, "sha256": before.fingerprint}
    assert np.isin(before.hashes, judge.seen).all()
    assert judge.adapter.about["after"]["epochs"] == SHORT.epochs
    assert "pretrained on 3 sentences of before" in card(judge)
    again = Judge.load(judge.save(tmp_path / "judge"))
    assert again.about == judge.about


def test_test_data_cannot_be_given():
    data = [
        p.name for p in inspect.signature(train_judge).parameters.values() if "Sentences" in p.annotation
    ]
    assert data == ["train"]


@pytest.mark.parametrize("words", ["h0m+cls", "topology", "mean:3+length"])
def test_a_judge_on_the_model_as_it_is(scope, toy, words):
    judge = train_judge(scope, toy, Recipe(Evidence.parse(words, 3)), about={"language": "toy"})
    right = [v.acceptable == bool(label) for v, label in zip(judge(toy.texts), toy.labels, strict=True)]
    assert np.mean(right) > 0.75
    assert judge.adapter is None
    assert (judge.model, judge.fingerprint) == ("tiny", scope.fingerprint)
    assert judge.about["trained on"] == {"name": "toy", "sentences": 96, "sha256": toy.fingerprint}
    assert (judge.about["language"], judge.about["tuning"]) == ("toy", None)
    np.testing.assert_array_equal(judge.seen, toy.hashes)


def test_a_judge_on_a_tuned_model(scope, toy, tuned):
    right = [v.acceptable == bool(label) for v, label in zip(tuned(toy.texts), toy.labels, strict=True)]
    assert np.mean(right) > 0.9
    assert tuned.linear.cv_mcc > 0.6
    assert tuned.adapter.base == tuned.fingerprint == scope.fingerprint
    assert tuned.scope.fingerprint != scope.fingerprint


def test_the_seed_is_written_down_and_decides(scope, toy):
    recipe = Recipe(Evidence.parse("lm", 3), replace(SHORT, epochs=8, rate=1e-2), seed=7)
    judges = [train_judge(scope, toy, c) for c in (recipe, recipe, replace(recipe, seed=8))]
    assert (
        judges[0].about["tuning"]["seed"] == judges[0].about["seed"] == judges[0].adapter.about["seed"] == 7
    )
    numbers = [[v.probability for v in judge(toy.texts[:9])] for judge in judges]
    assert numbers[0] == numbers[1] != numbers[2]


def test_a_judge_of_few_heads_measures_only_these(scope, toy, monkeypatch):
    judge = train_judge(scope, toy, Recipe(Evidence.parse("h0m+pattern+length", 3), heads=3))
    assert len(judge.evidence.heads) == 3
    assert judge.linear.weights.shape == (3 * 7 + 1,)
    measured = []
    measure = FeatureSpec.__call__

    def noted(spec, bucket):
        measured.append([*bucket.heads])
        return measure(spec, bucket)

    monkeypatch.setattr(FeatureSpec, "__call__", noted)
    verdict = judge("the cat sleeps.")
    assert [sorted(heads) for heads in measured] == [sorted(judge.evidence.heads)]
    assert set(verdict.reasons) == {f"L{layer}.H{head}" for layer, head in judge.evidence.heads} | {
        "length"
    }


@pytest.mark.parametrize("count", [13, -1])
def test_more_heads_than_there_are(scope, toy, count):
    with pytest.raises(ts.InputError, match=f"heads={count}: accepted are 1 to 12"):
        train_judge(scope, toy, Recipe(Evidence.parse("h0m", 3), heads=count))


def test_balanced_labels_weigh_the_same(scope, toy):
    rows = np.concatenate([np.flatnonzero(toy.labels == 1), np.flatnonzero(toy.labels == 0)[::5]])
    uneven = toy.take(rows)
    means = []
    for weight in (None, "balanced"):
        judge = train_judge(scope, uneven, Recipe(Evidence.parse("length", 3), class_weight=weight))
        means.append(np.mean([v.probability for v in judge(uneven.texts)]))
    assert means[0] == pytest.approx(uneven.labels.mean(), abs=0.03)
    assert means[1] == pytest.approx(0.5, abs=0.06)


def test_one_kind_only_is_refused(scope, toy):
    with pytest.raises(ts.InputError, match="toy: all 48 sentences are acceptable; needed are both kinds"):
        train_judge(scope, toy.take(np.flatnonzero(toy.labels)), Recipe(LM))


def test_half_precision_only_where_no_verdict_changes(toy, frozen, tuned, monkeypatch):
    half = halved_if_same(tuned, toy.texts)
    assert {values.dtype for values in half.adapter.tensors.values()} == {np.dtype(np.float16)}
    assert [v.acceptable for v in half(toy.texts)] == [v.acceptable for v in tuned(toy.texts)]
    assert halved_if_same(frozen, toy.texts) is frozen
    other = replace(half, linear=replace(half.linear, bias=half.linear.bias + 100))
    monkeypatch.setattr(Judge, "halved", lambda judge: other)
    assert halved_if_same(tuned, toy.texts) is tuned
