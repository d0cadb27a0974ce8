"""Hidden states of texts against transformers' own."""

import numpy as np
import pytest
import torch

import toposcope as ts
from tests.models import tiny
from toposcope.models.reader import Settings
from toposcope.models.scope import Scope

TEXTS = ["the cat sleeps on the sofa.", "dogs bark!", "he is old.", "dogs bark!"]
KINDS = ("bert", "albert", "deberta-v2", "mpnet", "modernbert", "t5 with decoder")


@pytest.mark.parametrize("name", [*KINDS, "gpt2"])
def test_states_are_what_transformers_reports(name):
    make = tiny.ENCODERS.get(name) or tiny.CAUSAL[name]
    model = tiny.build(make)
    scope = Scope(model, tiny.characters() if name == "gpt2" else tiny.wordpieces(limit=30))
    states = scope.states(TEXTS)
    inner = model.get_encoder() if model.config.is_encoder_decoder else model.base_model
    for k, text in enumerate(TEXTS):
        with torch.no_grad():
            ids = torch.tensor([scope.tokenizer(text)["input_ids"]])
            expected = inner(input_ids=ids, output_hidden_states=True).hidden_states
        assert states.first.shape == (4, len(expected), 32)
        np.testing.assert_allclose(
            states.first[k], [s[0, 0].numpy() for s in expected], rtol=1e-3, atol=1e-4
        )
        np.testing.assert_allclose(
            states.mean[k], [s[0].mean(0).numpy() for s in expected], rtol=1e-3, atol=1e-4
        )


@pytest.mark.parametrize("name", ["bert", "deberta-v2"])
def test_one_pass_gives_both(name):
    scope = Scope(tiny.build(tiny.ENCODERS[name]), tiny.wordpieces(limit=30))
    heads = [(layer, head) for layer in range(scope.layers) for head in range(scope.heads)]
    values, states = scope.measure_with_states(TEXTS, ts.h0_mean, heads=heads)
    expected = scope.measure(TEXTS, ts.h0_mean).reshape(values.shape)
    np.testing.assert_allclose(values, expected, atol=1e-6)
    np.testing.assert_allclose(states.mean, scope.states(TEXTS).mean, atol=1e-5)


def test_windows_are_averaged(encoder):
    scope = Scope(encoder.engine.model, encoder.tokenizer, settings=Settings(long="windows"))
    long = "the cat sleeps. " * 30
    states = scope.states(["dogs bark!", long])
    assert states.first.shape[0] == 2
    np.testing.assert_allclose(states.first[0], encoder.states(["dogs bark!"]).first[0], atol=1e-5)


def test_no_texts_no_states(encoder):
    assert len(encoder.states([]).first) == 0
