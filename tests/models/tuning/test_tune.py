"""Tuning of tiny models: what it learns, and what it leaves alone."""

from dataclasses import replace

import numpy as np
import pytest
import torch

import toposcope as ts
from tests.models import tiny
from tests.models.toy import LABELS, TEXTS
from tests.models.tuning.tunings import FULL, LORA, accuracy, assert_same
from toposcope.models.reader import Settings
from toposcope.models.scope import Scope
from toposcope.models.tuning import tune as tuning
from toposcope.models.tuning.tune import tune
from toposcope.models.tuning.tuning import Tuning

CAUSAL = ("gpt2", "llama, grouped queries")
TOY = list(zip(TEXTS, LABELS, strict=True))
RATES = {"lora": 1e-2, "full": 3e-3}


@pytest.mark.parametrize("how", [LORA, FULL], ids=["lora", "full"])
def test_it_learns_and_leaves_the_model_alone(scope, how):
    before = {name: weights.clone() for name, weights in scope.engine.model.state_dict().items()}
    adapter = tune(scope, TEXTS, LABELS, how)
    assert accuracy(scope, adapter) >= 0.95
    assert not scope.engine.model.training
    assert all(not p.requires_grad or p.grad is None for p in scope.engine.model.parameters())
    for name, weights in scope.engine.model.state_dict().items():
        assert torch.equal(weights, before[name]), name
    assert Scope(scope.engine.model, scope.tokenizer).fingerprint == scope.fingerprint == adapter.base
    assert adapter.pooled == "first"


@pytest.mark.parametrize("name", CAUSAL)
@pytest.mark.parametrize("method", ["lora", "full"])
def test_causal_models_are_read_by_their_mean(name, method):
    scope = Scope(tiny.build(tiny.CAUSAL[name]), tiny.characters(), name=name)
    adapter = tune(scope, TEXTS, LABELS, Tuning(method, epochs=8, batch=16, rate=RATES[method], rank=4))
    assert adapter.pooled == "mean"
    assert accuracy(scope, adapter) >= 0.85


def test_seeds_decide(scope):
    a, b, c = (tune(scope, TEXTS, LABELS, Tuning("lora", epochs=1, rank=2, seed=s)) for s in (3, 3, 4))
    assert_same(a, b)
    assert any((values != c.tensors[name]).any() for name, values in a.tensors.items())


@pytest.mark.parametrize(
    ("texts", "labels", "message"),
    [
        (TEXTS[:3], [1, 0], "3 texts with 2 labels"),
        ([], [], "0 texts with 0 labels"),
        (TEXTS[0], [1], "texts with 1 labels"),
    ],
)
def test_bad_data(scope, texts, labels, message):
    with pytest.raises(ts.InputError, match=message):
        tune(scope, texts, labels, LORA)


def test_a_head_of_words_finds_the_word_to_blame(scope):
    faults = [() if label else ((text.index("dog"), text.index("dog") + 3),) for text, label in TOY]
    adapter = tune(scope, TEXTS, LABELS, replace(LORA, head="words", epochs=10), faults=faults)
    assert adapter.pooled == "words"
    assert accuracy(scope, adapter) >= 0.95
    tuned = adapter.apply(scope)
    for text in [text for text, label in TOY if not label][:8]:
        (piece,) = tuned.pieces([text])
        with torch.no_grad():
            last = tuned.engine.transformer(torch.tensor([piece.ids])).last_hidden_state.numpy()
        assert piece.tokens()[int(adapter.blame(last)[0].argmax())] == "dog"


def test_a_head_of_words_learns_from_labels_alone(scope):
    adapter = tune(scope, TEXTS, LABELS, replace(LORA, head="words", epochs=10))
    assert accuracy(scope, adapter) >= 0.95


def test_tokens_to_blame(scope):
    text = "the dog barking on the sofa."
    (piece,) = scope.pieces([text])
    assert tuning._blame(piece, None) == [-1] * len(piece.ids)
    blamed = tuning._blame(piece, ((8, 15), (23, 28)))
    tokens = piece.tokens()
    touched = [text[a:b] for (a, b), blame in zip(tokens.offsets, blamed, strict=True) if blame == 1]
    assert touched == ["bark", "ing", "sofa", "."]
    assert [t for t, blame in zip(tokens, blamed, strict=True) if blame == -1] == ["[CLS]", "[SEP]"]


def test_windows_cannot_be_tuned_on(scope):
    cut = Scope(scope.engine.model, scope.tokenizer, settings=Settings(long="windows"))
    with pytest.raises(ts.InputError, match="long='truncate'"):
        tune(cut, ["the cat sleeps. " * 30, "he is old."], [1, 0], LORA)


def test_a_learning_rate_that_explodes_is_named(scope):
    with pytest.raises(ts.ModelError, match="smaller learning rate"):
        tune(scope, TEXTS, LABELS, Tuning("full", epochs=2, batch=16, rate=1e30))


def test_every_row_once_an_epoch_in_batches_of_like_lengths():
    lengths = np.random.default_rng(0).integers(4, 20, 103)
    batches = list(tuning._batches(lengths, Tuning(epochs=3, batch=10)))
    assert len(batches) == 3 * 11
    epochs = [batches[k : k + 11] for k in (0, 11, 22)]
    for epoch in epochs:
        assert sorted(np.concatenate(epoch)) == list(range(103))
        assert sorted(map(len, epoch)) == [3, *[10] * 10]
        assert sum(np.ptp(lengths[rows]) for rows in epoch) <= np.ptp(lengths)  # they do not overlap
    assert {tuple(rows) for rows in epochs[0]} != {tuple(rows) for rows in epochs[1]}
    first = [lengths[rows[0]] for rows in epochs[0]]
    assert first != sorted(first)


@pytest.mark.parametrize("steps", [1, 2, 9, 100])
def test_the_learning_rate_rises_and_falls(steps):
    shares = np.array([tuning._schedule(step, steps, 0.1) for step in range(steps)])
    top = int(shares.argmax())
    assert shares[top] == pytest.approx(1)
    assert (np.diff(shares[: top + 1]) > 0).all()
    assert (np.diff(shares[max(1, round(0.1 * steps)) :]) < 0).all()
    assert (shares > 0).all()
    if steps == 100:
        assert (top, shares[0], shares[-1]) == (9, pytest.approx(0.1), pytest.approx(1 / 90))
