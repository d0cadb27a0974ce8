"""The light engine computes what transformers computes, for every kind of model it knows."""

import re

import numpy as np
import pytest
import torch

import toposcope as ts
from tests.models import tiny
from tests.models.tiny import SENTENCES, SMALL, build, hf
from toposcope.models.scope import Scope

DISTILLED = {
    "vocab_size": 64, "dim": 32, "n_layers": 3, "n_heads": 4, "hidden_dim": 48,
    "max_position_embeddings": 40, "attn_implementation": "eager",
}  # fmt: skip
KINDS = {
    "bert": lambda: hf.BertForMaskedLM(hf.BertConfig(**SMALL)),
    "bert without a head": lambda: hf.BertModel(hf.BertConfig(**SMALL)),
    "minilm": lambda: hf.BertModel(hf.BertConfig(**SMALL | {"num_hidden_layers": 6, "hidden_size": 24})),
    "roberta": lambda: hf.RobertaForMaskedLM(hf.RobertaConfig(**SMALL, type_vocab_size=1)),
    "xlm-roberta": lambda: hf.XLMRobertaForMaskedLM(hf.XLMRobertaConfig(**SMALL, layer_norm_eps=1e-5)),
    "camembert": lambda: hf.CamembertForMaskedLM(hf.CamembertConfig(**SMALL)),
    "electra": lambda: hf.ElectraForMaskedLM(hf.ElectraConfig(**SMALL, embedding_size=16)),
    "electra, one width": lambda: hf.ElectraModel(hf.ElectraConfig(**SMALL, embedding_size=32)),
    "distilbert": lambda: hf.DistilBertForMaskedLM(hf.DistilBertConfig(**DISTILLED)),
    "distilbert without a head": lambda: hf.DistilBertModel(hf.DistilBertConfig(**DISTILLED)),
}
TEXTS = [text for text in SENTENCES if text]


@pytest.fixture(scope="module", params=KINDS)
def both(request, tmp_path_factory):
    """The same model in the light engine and in transformers' hands."""
    folder = tmp_path_factory.mktemp("model")
    model = build(KINDS[request.param])
    with torch.no_grad():  # biases and norms begin as zeros and ones
        for weights in model.parameters():
            if weights.ndim == 1:
                weights.add_(torch.randn_like(weights) / 4)
    model.save_pretrained(folder)
    tiny.wordpieces().save_pretrained(folder)
    return ts.load(folder, engine="light"), ts.load(folder, engine="torch")


def test_attention_and_states_of_every_layer_and_head(both):
    light, heavy = both
    for ours, theirs in zip(light.attentions(TEXTS), heavy.attentions(TEXTS), strict=True):
        assert ours.tokens == theirs.tokens
        np.testing.assert_allclose(ours.array, theirs.array, atol=2e-5)
        assert ours.array.std() > 0.01  # not the uniform map that anything would match
    for name in ("first", "mean"):
        ours, theirs = (getattr(scope.states(TEXTS), name) for scope in both)
        np.testing.assert_allclose(ours, theirs, atol=2e-5)


def test_likelihoods(both):
    light, heavy = both
    assert light.engine.methods == heavy.engine.methods
    if not light.engine.methods:
        with pytest.raises(ts.ModelError, match="predicts no words"):
            light.score(TEXTS)
        return
    for method in light.engine.methods:
        ours, theirs = (scope.score(TEXTS, method).sum() for scope in both)
        np.testing.assert_allclose(ours, theirs, atol=1e-4)


def test_what_a_scope_tells_of_its_model(both):
    light, heavy = both
    for name in ("layers", "heads", "width", "causal", "limit", "dtype", "device", "fingerprint"):
        assert getattr(light, name) == getattr(heavy, name), name
    assert light.engine.vocabulary == heavy.engine.vocabulary
    assert light.engine.footprint(7) == heavy.engine.footprint(7)
    assert light.provenance["tokenizer"] == heavy.provenance["tokenizer"]
    if heavy.pooler is None:
        assert light.pooler is None
    else:
        for ours, theirs in zip(light.pooler, heavy.pooler, strict=True):
            np.testing.assert_array_equal(ours, theirs)


def test_packing_changes_nothing(both):
    light, _ = both
    together = light.attentions(TEXTS)
    for text, packed in zip(TEXTS, together, strict=True):
        np.testing.assert_allclose(light.attention(text).array, packed.array, atol=2e-6)


def test_texts_may_hold_the_padding_token():
    """RoBERTa's kind passes over it when it counts positions."""
    config = hf.RobertaConfig(**SMALL, pad_token_id=1)
    model = build(lambda: hf.RobertaModel(config))
    from toposcope.models.light.engine import LightEngine
    from toposcope.models.light.layout import layout_of, sizes_of

    facts = {**config.to_dict(), "architectures": ["RobertaModel"]}
    arrays = {name: weights.detach().numpy() for name, weights in model.named_parameters()}
    engine = LightEngine(arrays, layout_of(facts), sizes_of(facts))
    ids = np.array([[5, 1, 7, 1, 9], [1, 8, 8, 9, 3]])
    found = {}
    engine.read([ids], range(3), lambda _, layer, maps: found.__setitem__(layer, maps))
    with torch.no_grad():
        expected = model(input_ids=torch.from_numpy(ids), attention_mask=torch.ones(2, 5),
                         output_attentions=True).attentions  # fmt: skip
    for layer, maps in found.items():
        np.testing.assert_allclose(maps, expected[layer].numpy(), atol=2e-5)


def test_layers_above_the_last_wanted_one_are_not_run(both, monkeypatch):
    from toposcope.models.light.encoder import Linear

    light, _ = both
    ran = []
    product = Linear.product
    monkeypatch.setattr(Linear, "product", lambda self, *rows: ran.append(self) or product(self, *rows))
    light.measure(TEXTS[:1], ts.h0_mean, layers=[1])
    layers = light.engine.encoder.layers
    assert layers[1].key in ran
    assert layers[0].outer in ran
    assert layers[1].attended not in ran
    assert layers[2].query not in ran


def test_damaged_weights_are_told(tmp_path):
    model = build(KINDS["bert"])
    with torch.no_grad():
        model.bert.encoder.layer[1].attention.self.query.bias[0] = torch.nan
    model.save_pretrained(tmp_path)
    tiny.wordpieces().save_pretrained(tmp_path)
    with pytest.raises(ts.InputError, match="attention of layer 1 holds what is no number"):
        ts.load(tmp_path).attention("the cat")


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_weights_in_half_precision_are_read_as_float32(tmp_path, dtype):
    build(KINDS["bert"]).to(dtype).save_pretrained(tmp_path)
    tiny.wordpieces().save_pretrained(tmp_path)
    light, heavy = (ts.load(tmp_path, engine=engine) for engine in ("light", "torch"))
    assert light.fingerprint == heavy.fingerprint
    np.testing.assert_allclose(light.attention(TEXTS[0]).array, heavy.attention(TEXTS[0]).array, atol=2e-5)


def test_weights_in_several_files_and_under_old_names(tmp_path):
    from safetensors.torch import load_file, save_file

    model = build(KINDS["bert"])
    model.save_pretrained(tmp_path, max_shard_size="20KB")
    tiny.wordpieces().save_pretrained(tmp_path)
    assert (tmp_path / "model.safetensors.index.json").is_file()
    expected = Scope(model, tiny.wordpieces())
    assert ts.load(tmp_path).fingerprint == expected.fingerprint
    one = {}
    for file in sorted(tmp_path.glob("model*.safetensors")):
        one |= load_file(file)
        file.unlink()
    (tmp_path / "model.safetensors.index.json").unlink()
    old = {"LayerNorm.weight": "LayerNorm.gamma", "LayerNorm.bias": "LayerNorm.beta"}
    renamed = {re.sub("LayerNorm.(weight|bias)$", lambda m: old[m[0]], k): v for k, v in one.items()}
    assert any(name.endswith("gamma") for name in renamed)
    save_file(renamed, tmp_path / "model.safetensors", {"format": "pt"})
    assert ts.load(tmp_path).fingerprint == expected.fingerprint


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ({"model_type": "bert", "hidden_act": "relu"}, "its activation is 'relu'"),
        ({"model_type": "bert", "position_embedding_type": "relative_key"}, "positions are 'relative_key'"),
        ({"model_type": "bert", "is_decoder": True}, "used as a causal model"),
        ({"model_type": "roberta", "architectures": ["RobertaForCausalLM"]}, "used as a causal model"),
        ({"model_type": "gpt2"}, "knows no models of the kind 'gpt2'"),
        ({}, "knows no models of the kind 'None'"),
    ],
)
def test_what_it_cannot_run_is_told(config, said):
    from toposcope.models.light.layout import NotLightError, layout_of

    with pytest.raises(NotLightError, match=said):
        layout_of(config)
