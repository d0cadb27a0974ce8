"""Tuning of tiny models: what it learns, what it leaves alone, and that it can be interrupted."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
import torch

import toposcope as ts
from tests.models import tiny
from tests.models.toy import LABELS, TEXTS
from toposcope.models.reader import Settings
from toposcope.models.scope import Scope
from toposcope.models.tuning import tune as tuning
from toposcope.models.tuning.tune import Student, tune
from toposcope.models.tuning.tuning import Tuning

LORA = Tuning("lora", epochs=6, batch=16, rate=1e-2, rank=4, layers=2)
FULL = Tuning("full", epochs=8, batch=16, rate=1e-3)
SHORT = {"lora": Tuning("lora", epochs=2, batch=32, rank=2), "full": Tuning("full", epochs=2, batch=32)}
CAUSAL = ("gpt2", "llama, grouped queries")
TOY = list(zip(TEXTS, LABELS, strict=True))
RATES = {"lora": 1e-2, "full": 3e-3}


@pytest.fixture(scope="module")
def scope():
    """With a pooler of its own, which nothing we read depends on."""
    return Scope(tiny.build(tiny.ENCODERS["bert"]), tiny.wordpieces(), name="tiny")


def accuracy(scope, adapter, texts=TEXTS, labels=LABELS):
    found = adapter.apply(scope).states(texts).log_odds > 0
    return (found == labels).mean()


def assert_same(a, b):
    assert set(a.tensors) == set(b.tensors)
    for name, values in a.tensors.items():
        assert values.tobytes() == b.tensors[name].tobytes(), name


@pytest.mark.parametrize("how", [LORA, FULL], ids=["lora", "full"])
def test_it_learns_and_leaves_the_model_alone(scope, how):
    before = {name: weights.clone() for name, weights in scope.model.state_dict().items()}
    adapter = tune(scope, TEXTS, LABELS, how)
    assert accuracy(scope, adapter) >= 0.95
    assert not scope.model.training
    assert all(not p.requires_grad or p.grad is None for p in scope.model.parameters())
    for name, weights in scope.model.state_dict().items():
        assert torch.equal(weights, before[name]), name
    assert Scope(scope.model, scope.tokenizer).fingerprint == scope.fingerprint == adapter.base
    assert adapter.pooled == "first"


def products(student, monkeypatch):
    """The precisions of what the linear maps give in one pass."""
    seen = set()
    plain = torch.nn.functional.linear

    def noted(x, *rest):
        found = plain(x, *rest)
        seen.add(found.dtype)
        return found

    with monkeypatch.context() as patch:
        patch.setattr(torch.nn.functional, "linear", noted)
        out = student(torch.tensor([[2, 5, 6, 3]]), None)
    assert out.dtype == torch.float32
    return seen


@pytest.mark.parametrize("how", [LORA, FULL], ids=["lora", "full"])
def test_half_precision_learns_as_well_and_is_written_down(scope, how, monkeypatch):
    half, single = (replace(how, precision=p) for p in ("bfloat16", "float32"))
    assert products(Student(scope, half), monkeypatch) == {torch.bfloat16}
    assert products(Student(scope, half).eval(), monkeypatch) == {torch.float32}
    assert products(Student(scope, single), monkeypatch) == {torch.float32}
    adapter = tune(scope, TEXTS, LABELS, half)
    assert accuracy(scope, adapter) >= 0.95
    assert {values.dtype for values in adapter.tensors.values()} == {np.dtype(np.float32)}
    assert adapter.about["precision"] == "bfloat16"
    other = tune(scope, TEXTS, LABELS, single)
    assert any((values != other.tensors[name]).any() for name, values in adapter.tensors.items())


@pytest.mark.parametrize(
    ("capabilities", "precision"),
    [({"avx512_bf16": True}, "bfloat16"), ({"amx_bf16": True}, "bfloat16"), ({"avx2": True}, "float32")],
)
def test_the_machine_decides_the_precision(capabilities, precision, monkeypatch):
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: capabilities, raising=False)
    cpu = torch.device("cpu")
    assert Tuning("full").settled(cpu) == Tuning("full", rate=3e-5, precision=precision)
    assert Tuning(rate=1e-3, precision="float32").settled(cpu) == Tuning(rate=1e-3, precision="float32")


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


class CrashError(Exception):
    """The machine goes down."""


@pytest.fixture
def steps(monkeypatch):
    """Numbers of the steps that were taken; everything is saved at once."""
    taken = []
    take = tuning._Descent.step

    def noted(descent, step, *batch):
        taken.append(step)
        take(descent, step, *batch)

    monkeypatch.setattr(tuning._Descent, "step", noted)
    monkeypatch.setattr(tuning, "SAVE_EVERY", -1.0)
    return taken


def crash(scope, how, checkpoint, monkeypatch, after=3, labels=LABELS):
    """Tune, and fail after some steps."""
    with monkeypatch.context() as patch:
        take = tuning._Descent.step

        def failing(descent, step, *batch):
            if step == after:
                raise CrashError
            take(descent, step, *batch)

        patch.setattr(tuning._Descent, "step", failing)
        with pytest.raises(CrashError):
            tune(scope, TEXTS, labels, how, checkpoint=checkpoint)
    assert checkpoint.exists()


@pytest.mark.parametrize("method", ["lora", "full"])
def test_an_interrupted_run_ends_as_an_undisturbed_one(scope, method, steps, tmp_path, monkeypatch):
    how, checkpoint = SHORT[method], tmp_path / "work" / "all.safetensors"
    undisturbed = tune(scope, TEXTS, LABELS, how)
    total = len(steps)
    assert total == 6
    crash(scope, how, checkpoint, monkeypatch)
    steps.clear()
    resumed = tune(scope, TEXTS, LABELS, how, checkpoint=checkpoint)
    assert steps == [3, 4, 5]
    assert_same(resumed, undisturbed)


def test_a_finished_run_is_not_done_again(scope, steps, tmp_path):
    checkpoint = tmp_path / "all.safetensors"
    first = tune(scope, TEXTS, LABELS, SHORT["lora"], checkpoint=checkpoint)
    steps.clear()
    again = tune(scope, TEXTS, LABELS, SHORT["lora"], checkpoint=checkpoint)
    assert steps == []
    assert_same(first, again)
    assert (again.base, again.pooled, again.about) == (first.base, first.pooled, first.about)
    assert [path.name for path in tmp_path.iterdir()] == ["all.safetensors"]


@pytest.mark.parametrize("method", ["lora", "full"])
def test_it_goes_on_from_another_tuning(scope, method, steps, tmp_path):
    how, checkpoint = SHORT[method], tmp_path / "all.safetensors"
    first = tune(scope, TEXTS[:40], LABELS[:40], how)
    taken_over = Student(scope, how, start=first).adapter()
    for name, values in first.tensors.items():
        np.testing.assert_allclose(taken_over.tensors[name], values, rtol=1e-6, atol=0, err_msg=name)
    plain = tune(scope, TEXTS, LABELS, how, checkpoint=checkpoint)
    after = tune(scope, TEXTS, LABELS, how, start=first, checkpoint=checkpoint)  # another tuning
    assert any((values != plain.tensors[name]).any() for name, values in after.tensors.items())
    assert after.about["after"] == first.about
    steps.clear()
    assert_same(tune(scope, TEXTS, LABELS, how, start=first, checkpoint=checkpoint), after)
    assert steps == []


def test_it_goes_on_from_nothing_else(scope):
    first = tune(scope, TEXTS, LABELS, SHORT["lora"])
    model = tiny.build(lambda: tiny.hf.BertModel(tiny.hf.BertConfig(**tiny.SMALL | {"type_vocab_size": 3})))
    other = Scope(model, scope.tokenizer)
    for where, how in ((scope, SHORT["full"]), (scope, Tuning("lora", rank=3)), (other, SHORT["lora"])):
        with pytest.raises(ts.ModelError, match="go on from a model of the same weights"):
            tune(where, TEXTS, LABELS, how, start=first)


@pytest.mark.parametrize("finished", [True, False])
@pytest.mark.parametrize("other", ["labels", "seed", "precision", "weights"])
def test_the_checkpoint_of_another_course_is_left_alone(
    scope, other, finished, steps, tmp_path, monkeypatch
):
    how, checkpoint = replace(SHORT["lora"], precision="float32"), tmp_path / "all.safetensors"
    labels = 1 - LABELS if other == "labels" else LABELS
    theirs = replace(how, **{"seed": {"seed": 1}, "precision": {"precision": "bfloat16"}}.get(other, {}))
    model = tiny.build(lambda: tiny.hf.BertModel(tiny.hf.BertConfig(**tiny.SMALL | {"type_vocab_size": 3})))
    one = Scope(model, scope.tokenizer) if other == "weights" else scope
    if finished:
        tune(one, TEXTS, labels, theirs, checkpoint=checkpoint)
    else:
        crash(one, theirs, checkpoint, monkeypatch, labels=labels)
    steps.clear()
    adapter = tune(scope, TEXTS, LABELS, how, checkpoint=checkpoint)
    assert steps == [0, 1, 2, 3, 4, 5]
    assert_same(adapter, tune(scope, TEXTS, LABELS, how))


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
            last = tuned.transformer(torch.tensor([piece.ids])).last_hidden_state.numpy()
        assert piece.tokens()[int(adapter.blame(last)[0].argmax())] == "dog"


def test_a_head_of_words_learns_from_labels_alone(scope):
    adapter = tune(scope, TEXTS, LABELS, replace(LORA, head="words", epochs=10))
    assert accuracy(scope, adapter) >= 0.95


def test_whose_fault_is_part_of_what_is_learned_from(scope, tmp_path):
    how, file = replace(SHORT["lora"], head="words"), tmp_path / "all.safetensors"
    first = tune(scope, TEXTS, LABELS, how, checkpoint=file)
    other = tune(scope, TEXTS, LABELS, how, faults=[() for _ in TEXTS], checkpoint=file)
    assert first.about["data"] != other.about["data"]


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
    cut = Scope(scope.model, scope.tokenizer, settings=Settings(long="windows"))
    with pytest.raises(ts.InputError, match="long='truncate'"):
        tune(cut, ["the cat sleeps. " * 30, "he is old."], [1, 0], LORA)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "prompt"}, "method='prompt': accepted are 'lora', 'full'"),
        ({"epochs": 0}, "epochs=0: accepted are numbers from 1"),
        ({"batch": 0}, "batch=0"),
        ({"rank": -1}, "rank=-1"),
        ({"precision": "float8"}, "precision='float8': accepted are 'auto', 'float32', 'bfloat16'"),
        ({"maps": "values"}, "maps='values': accepted are 'attention', 'all'"),
        ({"head": "letters"}, "head='letters': accepted are 'sentence', 'words'"),
    ],
)
def test_bad_settings(options, message):
    with pytest.raises(ts.InputError, match=message):
        Tuning(**options)


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


def test_lora_of_the_last_layer_only(scope):
    adapter = tune(scope, TEXTS[:8], LABELS[:8], Tuning("lora", epochs=1, rank=2, layers=1))
    changed = {name for name in adapter.tensors if not name.startswith("head.")}
    maps = [f"encoder.layer.2.attention.self.{part}" for part in ("query", "key", "value")]
    assert changed == {f"{name}.lora_{side}" for name in maps for side in "AB"}
    assert adapter.tensors[f"{maps[0]}.lora_A"].shape == (2, 32)


def test_lora_of_all_linear_maps_of_a_layer(scope):
    adapter = tune(scope, TEXTS[:8], LABELS[:8], Tuning("lora", epochs=1, rank=2, layers=1, maps="all"))
    changed = {name.rpartition(".lora_")[0] for name in adapter.tensors if not name.startswith("head.")}
    layer = scope.transformer.get_submodule("encoder.layer.2")
    linear = [name for name, part in layer.named_modules() if isinstance(part, torch.nn.Linear)]
    assert changed == {f"encoder.layer.2.{name}" for name in linear}
    assert len(changed) == 6


@pytest.mark.parametrize("method", ["lora", "full"])
def test_the_head_starts_from_the_pooler(scope, method):
    rng = np.random.default_rng(0)
    pooler = rng.normal(size=(32, 32)).astype(np.float32), rng.normal(size=32).astype(np.float32)
    student = Student(Scope(scope.model, scope.tokenizer, pooler=pooler), SHORT[method])
    np.testing.assert_array_equal(student.dense.weight.detach(), pooler[0])
    np.testing.assert_array_equal(student.dense.bias.detach(), pooler[1])
    assert not any(name.startswith("body.pooler") for name in student.learned)


@pytest.mark.parametrize("head", ["sentence", "words"])
def test_padding_changes_nothing(scope, head):
    student = Student(scope, replace(SHORT["lora"], head=head)).eval()
    ids = [piece.ids for piece in scope.pieces(["he is old.", "the cat sleeps on the sofa."])]
    batch = partial(tuning._batch, ids=ids, labels=np.ones(2, np.float32), blame=None, device=scope.device)
    both = batch([0, 1])
    with torch.no_grad():
        together = student(both.ids, both.mask)
        alone = [student(one.ids, one.mask)[0] for one in (batch([0]), batch([1]))]
    np.testing.assert_allclose(together, alone, atol=1e-5)
    assert both.mask.sum(1).tolist() == [len(i) for i in ids]
    assert batch([0]).mask is None
