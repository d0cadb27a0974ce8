"""A judge on real weights."""

import numpy as np
import pytest

import toposcope as ts
from tests.judge.sight import EVERYDAY
from toposcope.data.sentences import Sentences
from toposcope.judge.evidence import Evidence
from toposcope.judge.judge import Judge
from toposcope.judge.recipe import Recipe
from toposcope.judge.train import train_judge

pytestmark = pytest.mark.real


def test_a_judge_of_bert_comes_back_from_its_folder(tmp_path):
    texts = (*EVERYDAY[:15], *(" ".join(EVERYDAY[k : k + 3]) for k in range(15)))  # H0M surely tells these
    scope = ts.load("bert-base-cased")
    labels = np.array([1] * 15 + [0] * 15)
    judge = train_judge(scope, Sentences(texts, labels, "one or three"), Recipe(Evidence.parse("h0m", 12)))
    assert judge.linear.weights.shape == (144,)
    verdicts = judge(texts)
    assert sum(v.acceptable == bool(label) for v, label in zip(verdicts, labels, strict=True)) > 27
    again = Judge.load(judge.save(tmp_path))
    assert again.model == "bert-base-cased"
    assert again(texts) == verdicts
