"""What a judge says of itself: what to expect of it, and that it found nothing where nothing is."""

from dataclasses import replace

import numpy as np
import pytest

import toposcope as ts
from toposcope.data.sentences import Sentences
from toposcope.judge.card import CHANCE, NOTHING, card, doubt, write_card
from toposcope.judge.crossfit import observe_training
from toposcope.judge.evaluate import evaluate_judge
from toposcope.judge.evidence import Evidence
from toposcope.judge.recipe import Recipe
from toposcope.judge.train import check_on_training, train_judge


def test_a_judge_tells_what_to_expect(frozen, toy):
    told = frozen.about["cross-validation"]
    assert (told["acceptable"], told["not acceptable"]) == (48, 48)
    assert told["mcc"]["low"] <= told["mcc"]["value"] == frozen.linear.cv_mcc <= told["mcc"]["high"]
    assert sum(count for _, _, count in told["reliability"]) == 96
    assert min(told["shares"]) >= 0
    text = card(frozen)
    assert "(48 acceptable, 48 not). Nested cross-validation" in text
    assert f"tells to expect MCC {frozen.linear.cv_mcc:.3f} [{told['mcc']['low']:.3f}" in text
    assert f"calibration error {told['calibration error']:.3f}" in text


@pytest.mark.parametrize(
    ("finds", "low", "said"),
    [(False, -0.1, NOTHING), (True, -0.01, CHANCE), (True, 0, CHANCE), (True, 0.1, "")],
)
def test_doubts_are_told(frozen, finds, low, said):
    told = frozen.about["cross-validation"]
    told = {**told, "finds something": finds, "mcc": {**told["mcc"], "low": low}}
    assert doubt(told) == said
    text = card(replace(frozen, about={**frozen.about, "cross-validation": told}))
    assert (NOTHING in text, CHANCE in text) == (said == NOTHING, said == CHANCE)


def test_the_figure_shows_every_set(frozen, tmp_path):
    scores = [
        evaluate_judge(frozen, Sentences(("the cat is.", "a dog is."), np.array([1, 0]), "two")).to_dict()
    ]
    judge = replace(frozen, about={**frozen.about, "scores": scores})
    write_card(judge, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["card.md", "reliability.svg"]
    drawn = (tmp_path / "reliability.svg").read_text()
    assert "two: error" in drawn
    assert "training sentences, out of fold: error" in drawn
    assert f"| {scores[0]['calibration error']:.3f} |" in (tmp_path / "card.md").read_text()
    write_card(judge, tmp_path / "again")
    assert (tmp_path / "again" / "reliability.svg").read_text() == drawn


def test_a_judge_of_noise_says_that_it_found_nothing(scope, toy):
    """Labels have nothing to do with the sentences: every verdict is the same, and the card says why."""
    found = []
    for seed in range(6):
        labels = np.random.default_rng(seed).permutation(np.arange(96) % 3 > 0).astype(int)
        judge = train_judge(scope, replace(toy, labels=labels), Recipe(Evidence.parse("h0m+cls", 3)))
        found.append(judge.linear.finds_something)
        if not found[-1]:
            (always,) = {v.probability for v in judge(toy.texts)}
            assert always == pytest.approx(labels.mean(), abs=0.01)
            assert NOTHING in card(judge)
    assert sum(found) <= 2


def test_heads_are_chosen_anew_in_every_fold(scope, toy, monkeypatch):
    """The announced figure must not come from folds whose labels helped to choose the heads."""
    from toposcope.judge import fit

    known = []

    def noted(table, labels, *rest):
        known.append(len(labels))
        return choose_heads(table, labels, *rest)

    choose_heads = fit.choose_heads
    monkeypatch.setattr(fit, "choose_heads", noted)
    train_judge(scope, toy, Recipe(Evidence.parse("h0m", 3), heads=2))
    assert max(known[1:-2]) < 96
    assert len([n for n in known if n < 96]) == 5


def test_a_judge_that_unlearns_is_not_saved(frozen, scope, toy):
    """Out of fold all was right, but the last model shows the opposite."""
    evidence = frozen.evidence
    seen = observe_training(scope, toy, Recipe(evidence))
    check_on_training(frozen.linear, seen, toy.labels)
    other = replace(frozen.linear, weights=-frozen.linear.weights, bias=-frozen.linear.bias)
    with pytest.raises(ts.ModelError, match="worse on sentences that it learned from"):
        check_on_training(other, seen, toy.labels)
