"""What tuning changed, put into the weights again: against peft, and against the tuned model itself."""

import copy

import numpy as np
import pytest
import torch
from peft import LoraConfig, get_peft_model

import toposcope as ts
from tests.models import tiny
from tests.models.toy import LABELS, TEXTS
from toposcope.models.scope import Scope
from toposcope.models.tuning import tune as tuning
from toposcope.models.tuning.adapter import Adapter
from toposcope.models.tuning.tune import tune
from toposcope.models.tuning.tuning import Tuning

SOME = [*TEXTS[:6], "the old cat sleeps on the red sofa.", TEXTS[0]]
KINDS = ("bert", "albert", "deberta-v2", "modernbert", "t5 with decoder", "gpt2", "llama, grouped queries")


def make_scope(name):
    make = tiny.ENCODERS.get(name) or tiny.CAUSAL[name]
    tokenizer = tiny.characters() if name in tiny.CAUSAL else tiny.wordpieces()
    return Scope(tiny.build(make), tokenizer, name=name)


@pytest.fixture(scope="module")
def scope():
    return make_scope("bert")


@pytest.fixture(scope="module")
def lora(scope):
    return tune(scope, TEXTS, LABELS, Tuning("lora", epochs=2, rate=1e-2, rank=3, layers=2))


@pytest.fixture
def students(monkeypatch):
    """The models that were tuned."""
    made = []

    class Noted(tuning.Student):
        def __init__(self, *arguments, **options):
            super().__init__(*arguments, **options)
            made.append(self)

    monkeypatch.setattr(tuning, "Student", Noted)
    return made


@pytest.mark.parametrize("maps", ["attention", "all"])
@pytest.mark.parametrize("name", ["bert", "gpt2", "llama, grouped queries"])
def test_a_lora_adapter_is_merged_as_peft_does_it(name, maps):
    scope = make_scope(name)
    adapter = tune(scope, TEXTS, LABELS, Tuning("lora", epochs=2, rate=1e-2, rank=3, maps=maps))
    places = scope.engine.linears(maps)
    config = LoraConfig(r=3, lora_alpha=3, target_modules=places, fan_in_fan_out=name == "gpt2")
    theirs = get_peft_model(copy.deepcopy(scope.engine.transformer), config)
    for place in places:
        layer = theirs.base_model.model.get_submodule(place)
        layer.lora_A["default"].weight.data = torch.from_numpy(adapter.tensors[f"{place}.lora_A"])
        layer.lora_B["default"].weight.data = torch.from_numpy(adapter.tensors[f"{place}.lora_B"])
    merged = Scope(theirs.merge_and_unload(), scope.tokenizer)
    ours, plain = adapter.apply(scope).states(SOME), scope.states(SOME)
    np.testing.assert_allclose(ours.mean, merged.states(SOME).mean, atol=1e-5)
    np.testing.assert_allclose(ours.first, merged.states(SOME).first, atol=1e-5)
    assert np.abs(ours.mean - plain.mean).max() > 1e-3


@pytest.mark.parametrize("head", ["sentence", "words"])
@pytest.mark.parametrize("method", ["lora", "full"])
@pytest.mark.parametrize("name", KINDS)
def test_log_odds_are_those_of_the_tuned_model(name, method, head, students):
    scope = make_scope(name)
    adapter = tune(scope, TEXTS[:32], LABELS[:32], Tuning(method, epochs=2, rate=1e-3, rank=3, head=head))
    (student,) = students
    ids = [piece.ids for piece in scope.pieces(SOME)]
    batch = tuning._batch(range(len(SOME)), ids, np.ones(len(SOME), np.float32), None, scope.device)
    with torch.no_grad():
        expected = student.eval()(batch.ids, batch.mask).numpy()
    np.testing.assert_allclose(adapter.apply(scope).states(SOME).log_odds, expected, atol=1e-5)
    assert np.ptp(expected) > 1e-3


def test_the_tuned_scope_is_another_model(scope, lora):
    before = scope.states(SOME).mean
    tuned = lora.apply(scope)
    assert tuned.fingerprint != scope.fingerprint
    assert tuned.name == "bert, tuned"
    assert tuned.settings == scope.settings
    np.testing.assert_array_equal(scope.states(SOME).mean, before)
    assert Scope(scope.engine.model, scope.tokenizer).fingerprint == scope.fingerprint


def test_other_weights_are_refused(scope, lora):
    with pytest.raises(ts.ModelError, match="learned on other weights"):
        lora.apply(lora.apply(scope))


def test_the_middle_of_adapters(scope, lora):
    """Its weights are the average, as far as the rank allows; of two of rank 3, exactly."""
    other, third = (
        tune(scope, TEXTS, LABELS, Tuning("lora", epochs=2, rate=1e-2, rank=3, layers=2, seed=seed))
        for seed in (1, 2)
    )
    place = scope.engine.linears(upper=2)[0]

    def weights(adapter):
        return adapter.apply(scope).engine.transformer.get_submodule(place).weight.detach().numpy()

    soup = Adapter.mean([lora, other], 6)
    assert soup.tensors[f"{place}.lora_A"].shape[0] == 6
    np.testing.assert_allclose(weights(soup), (weights(lora) + weights(other)) / 2, atol=1e-6)
    heads = [a.tensors["head.out.weight"] for a in (lora, other, soup)]
    np.testing.assert_allclose(heads[2], (heads[0] + heads[1]) / 2, rtol=1e-6)
    assert Adapter.mean([lora], 6) is lora
    cut = Adapter.mean([lora, other, third], 6)
    assert cut.tensors[f"{place}.lora_A"].shape[0] == 6
    exact = (
        sum(map(weights, (lora, other, third))) / 3
        - scope.engine.transformer.get_submodule(place).weight.detach().numpy()
    )
    sizes = np.linalg.svd(exact, compute_uv=False)
    missing = np.linalg.norm(weights(cut) - sum(map(weights, (lora, other, third))) / 3)
    assert missing == pytest.approx(np.linalg.norm(sizes[6:]), rel=1e-3)  # none of rank 6 is nearer
    with pytest.raises(ts.ModelError, match="the same weights"):
        Adapter.mean([lora, Adapter(lora.tensors, "other", lora.pooled)], 6)


def test_the_pooler_was_tuned_too(scope):
    pooler = np.eye(32, dtype=np.float32), np.zeros(32, np.float32)
    with_pooler = Scope(scope.engine.model, scope.tokenizer, pooler=pooler)
    adapter = tune(with_pooler, TEXTS, LABELS, Tuning("lora", epochs=1, rate=1e-2, rank=3))
    tuned = adapter.apply(with_pooler)
    np.testing.assert_array_equal(tuned.pooler[0], adapter.tensors["head.dense.weight"])
    assert (tuned.pooler[0] != pooler[0]).any()
    assert adapter.apply(scope).pooler is None


def test_a_file_and_back(lora, tmp_path):
    path = tmp_path / "lora.safetensors"
    lora.save(path)
    again = Adapter.load(path)
    assert (again.base, again.pooled, again.about) == (lora.base, lora.pooled, lora.about)
    assert set(again.tensors) == set(lora.tensors)
    for name, values in lora.tensors.items():
        assert again.tensors[name].tobytes() == values.tobytes()
    assert [file.name for file in tmp_path.iterdir()] == ["lora.safetensors"]


def test_half_precision_is_near(scope, lora):
    half = lora.halved()
    assert {values.dtype for values in half.tensors.values()} == {np.dtype(np.float16)}
    exact = lora.apply(scope).states(SOME).log_odds
    found = half.apply(scope).states(SOME).log_odds
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, exact, atol=0.02)
    assert (found != exact).any()


def test_half_of_a_head_that_started_from_a_pooler(scope):
    rng = np.random.default_rng(0)
    pooler = rng.normal(0, 0.1, (32, 32)).astype(np.float32), rng.normal(0, 0.1, 32).astype(np.float32)
    pooled = Scope(scope.engine.model, scope.tokenizer, pooler=pooler)
    adapter = tune(pooled, TEXTS, LABELS, Tuning("lora", epochs=3, rate=1e-3, rank=3))
    half = adapter.halved(pooler)
    assert set(adapter.tensors) - set(half.tensors) == {"head.dense.weight"}
    assert half.tensors["head.dense.lora_A"].shape == (16, 32)
    tuned = half.apply(pooled)
    exact = adapter.tensors["head.dense.weight"]
    assert np.abs(tuned.pooler[0] - exact).max() < 0.2 * np.abs(pooler[0] - exact).max()
    np.testing.assert_allclose(
        tuned.states(SOME).log_odds, adapter.apply(pooled).states(SOME).log_odds, atol=0.02
    )
    with pytest.raises(ts.ModelError, match="loaded without one"):
        half.apply(scope)


def test_half_of_a_head_of_words(scope):
    adapter = tune(scope, TEXTS, LABELS, Tuning("lora", epochs=2, rate=1e-2, rank=3, head="words"))
    assert not [name for name in adapter.tensors if "dense" in name]
    half = adapter.halved((np.eye(32), np.zeros(32)))
    assert set(half.tensors) == set(adapter.tensors)
    exact = adapter.apply(scope).states(SOME).log_odds
    np.testing.assert_allclose(half.apply(scope).states(SOME).log_odds, exact, atol=0.02)
