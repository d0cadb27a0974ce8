"""How good a judge is, against scikit-learn."""

import json
from dataclasses import replace

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, matthews_corrcoef

from toposcope.data.sentences import Sentences
from toposcope.judge.evaluate import evaluate_judge


@pytest.fixture(scope="module")
def fresh():
    """Sentences of which three are in the training data too, one with other blanks."""
    texts = (
        "the cat sleeps.", "a  cat is old. ", "the dog is barking!", "the dog sleeps?", "a cat, a cat.",
        "she is very old.", "cats are old!", "the house is red.", "old dogs bark.", "the house and a dog!",
    )  # fmt: skip
    return Sentences(texts, np.array([1, 1, 0, 1, 0, 1, 1, 0, 0, 1]), "fresh")


def test_scores_are_scikit_learns(frozen, fresh):
    found = evaluate_judge(frozen, fresh)
    verdicts = frozen(fresh.texts)
    assert list(found.verdicts) == verdicts
    for threshold in (None, 0.5, 0.3, 0.7):
        cut = frozen.linear.threshold if threshold is None else threshold
        said = [v.probability >= cut for v in verdicts]
        scores = found.scores(threshold)
        assert scores["accuracy"].value == pytest.approx(accuracy_score(fresh.labels, said))
        assert scores["mcc"].value == pytest.approx(matthews_corrcoef(fresh.labels, said))
        assert scores["mcc"].low <= scores["mcc"].value <= scores["mcc"].high
    np.testing.assert_array_equal(found.probabilities, [v.probability for v in verdicts])


def test_sentences_that_it_learned_from_are_counted(frozen, fresh, toy):
    assert evaluate_judge(frozen, fresh).overlap == 3
    assert evaluate_judge(frozen, toy).overlap == len(toy)


def test_plain_values(frozen, fresh):
    found = evaluate_judge(frozen, fresh)
    plain = json.loads(json.dumps(found.to_dict()))
    assert (plain["data"], plain["sentences"], plain["also in training"]) == ("fresh", 10, 3)
    assert plain["threshold"] == frozen.linear.threshold
    assert plain["chosen threshold"]["mcc"]["value"] == found.scores()["mcc"].value
    assert plain["threshold 0.5"]["accuracy"]["low"] == found.scores(0.5)["accuracy"].low


def test_a_row_for_each_sentence(frozen, fresh):
    rows = evaluate_judge(frozen, fresh).rows()
    assert [list(row) for row in rows] == [["text", "label", "acceptable", "probability"]] * len(fresh)
    assert [(row["text"], row["label"]) for row in rows] == list(
        zip(fresh.texts, fresh.labels.tolist(), strict=True)
    )
    named = evaluate_judge(frozen, replace(fresh, ids=tuple("abcdefghij"))).rows()
    assert named == [{"id": name, **row} for name, row in zip("abcdefghij", rows, strict=True)]
