"""Tuning may be interrupted, taken up again, and go on from another one."""

from dataclasses import replace

import numpy as np
import pytest

import toposcope as ts
from tests.models import tiny
from tests.models.toy import LABELS, TEXTS
from tests.models.tuning.tunings import SHORT, assert_same
from toposcope.models.scope import Scope
from toposcope.models.tuning import tune as tuning
from toposcope.models.tuning.tune import Student, tune
from toposcope.models.tuning.tuning import Tuning


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


def test_whose_fault_is_part_of_what_is_learned_from(scope, tmp_path):
    how, file = replace(SHORT["lora"], head="words"), tmp_path / "all.safetensors"
    first = tune(scope, TEXTS, LABELS, how, checkpoint=file)
    other = tune(scope, TEXTS, LABELS, how, faults=[() for _ in TEXTS], checkpoint=file)
    assert first.about["data"] != other.about["data"]
