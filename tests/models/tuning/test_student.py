"""The model that learns: what of it learns, in which precision, and where it starts from."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
import torch

from tests.models.toy import LABELS, TEXTS
from tests.models.tuning.tunings import FULL, LORA, SHORT, accuracy
from toposcope.models.scope import Scope
from toposcope.models.tuning import tune as tuning
from toposcope.models.tuning.tune import Student, tune
from toposcope.models.tuning.tuning import Tuning


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


def test_lora_of_the_last_layer_only(scope):
    adapter = tune(scope, TEXTS[:8], LABELS[:8], Tuning("lora", epochs=1, rank=2, layers=1))
    changed = {name for name in adapter.tensors if not name.startswith("head.")}
    maps = [f"encoder.layer.2.attention.self.{part}" for part in ("query", "key", "value")]
    assert changed == {f"{name}.lora_{side}" for name in maps for side in "AB"}
    assert adapter.tensors[f"{maps[0]}.lora_A"].shape == (2, 32)


def test_lora_of_all_linear_maps_of_a_layer(scope):
    adapter = tune(scope, TEXTS[:8], LABELS[:8], Tuning("lora", epochs=1, rank=2, layers=1, maps="all"))
    changed = {name.rpartition(".lora_")[0] for name in adapter.tensors if not name.startswith("head.")}
    layer = scope.engine.transformer.get_submodule("encoder.layer.2")
    linear = [name for name, part in layer.named_modules() if isinstance(part, torch.nn.Linear)]
    assert changed == {f"encoder.layer.2.{name}" for name in linear}
    assert len(changed) == 6


@pytest.mark.parametrize("method", ["lora", "full"])
def test_the_head_starts_from_the_pooler(scope, method):
    rng = np.random.default_rng(0)
    pooler = rng.normal(size=(32, 32)).astype(np.float32), rng.normal(size=32).astype(np.float32)
    student = Student(Scope(scope.engine.model, scope.tokenizer, pooler=pooler), SHORT[method])
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
