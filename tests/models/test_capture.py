"""Attention as it is captured, against transformers' own output_attentions, on every kind of model."""

import gc
import weakref

import numpy as np
import pytest
import torch
import transformers as hf

import toposcope as ts
from tests.models import tiny
from tests.models.tiny import SENTENCES
from toposcope.errors import ModelError
from toposcope.models.scope import Scope


def reported(model, ids):
    """Attention of one text as transformers reports it: (layers, heads, n, n)."""
    with torch.no_grad():
        inner = model.get_encoder() if model.config.is_encoder_decoder else model
        output = inner(input_ids=torch.tensor([ids]), output_attentions=True)
    return np.stack([layer[0].numpy() for layer in output.attentions])


@pytest.mark.parametrize("name", tiny.ENCODERS)
def test_encoder_attention_is_what_transformers_reports(name):
    model = tiny.build(tiny.ENCODERS[name])
    scope = Scope(model, tiny.wordpieces(limit=30))
    check_against_transformers(scope, model, SENTENCES)


@pytest.mark.parametrize("name", tiny.CAUSAL)
def test_causal_attention_is_what_transformers_reports(name):
    model = tiny.build(tiny.CAUSAL[name])
    scope = Scope(model, tiny.characters())
    maps = check_against_transformers(scope, model, [s for s in SENTENCES if s])
    assert all(not np.triu(m.array, 1).any() for m in maps)


def check_against_transformers(scope, model, texts):
    assert (scope.layers, scope.heads) == (3, 4)
    maps = scope.attentions(texts)
    for text, one in zip(texts, maps, strict=True):
        expected = reported(model, list(one.tokens.ids))
        assert expected.std() > 1e-3 or len(one.tokens) < 3  # else nothing is compared
        np.testing.assert_allclose(one.array, expected, atol=2e-6, err_msg=text)
    measured = scope.measure(texts, ts.h0_mean)
    np.testing.assert_allclose(measured, [ts.h0_mean(m) for m in maps], atol=2e-6)
    return maps


def test_layers_above_the_last_wanted_one_are_not_run():
    model = tiny.build(tiny.ENCODERS["bert"])
    scope = Scope(model, tiny.wordpieces())
    ran = []
    for number, layer in enumerate(model.encoder.layer):
        layer.register_forward_hook(lambda *_, number=number: ran.append(number))
    some = scope.h0_mean(SENTENCES, layers=[1, 0])
    assert set(ran) == {0}  # layer 1 is left as soon as its attention is known
    np.testing.assert_array_equal(some, scope.h0_mean(SENTENCES)[:, [1, 0]])


@pytest.mark.parametrize("name", ["bert", "deberta-v2", "mpnet", "albert"])
def test_no_more_than_one_layer_is_held(name):
    scope = Scope(tiny.build(tiny.ENCODERS[name]), tiny.wordpieces(limit=30))
    alive, held = [], []

    def count(layer, weights):
        gc.collect()
        held.append(sum(ref() is not None for ref in alive))
        alive.append(weakref.ref(weights))

    scope.engine._tap.read(torch.arange(1, 21).reshape(2, 10), range(3), count)
    assert max(held) <= 1, "weights of earlier layers are still alive"


class TestModelsThatCannotBeRead:
    def test_fused_attention(self):
        config = hf.BertConfig(**{**tiny.SMALL, "attn_implementation": "sdpa"})
        with pytest.raises(ModelError, match="attn_implementation='eager'"):
            Scope(hf.BertModel(config), tiny.wordpieces())

    def test_no_attention_at_all(self):
        config = hf.FNetConfig(vocab_size=64, hidden_size=32, num_hidden_layers=2, intermediate_size=48)
        with pytest.raises(ModelError, match=r"FNetModel .*attention"):
            Scope(hf.FNetModel(config), tiny.wordpieces())

    def test_state_space(self):
        config = hf.MambaConfig(vocab_size=64, hidden_size=32, num_hidden_layers=2, state_size=4)
        with pytest.raises(ModelError, match=r"MambaModel .*attention"):
            Scope(hf.MambaModel(config), tiny.wordpieces())

    def test_windowed_attention(self):
        config = hf.LongformerConfig(**tiny.SMALL, attention_window=4)
        with pytest.raises(ModelError, match="LongformerModel"):
            Scope(hf.LongformerModel(config), tiny.wordpieces())

    def test_slow_tokenizer(self, encoder):
        class Slow:
            is_fast = False

        with pytest.raises(ModelError, match="tokenizer"):
            Scope(encoder.engine.model, Slow())
