"""The page on the quality of generated pairs."""

import numpy as np
import pytest
from typer.testing import CliRunner

from tests.models import tiny
from toposcope.cli import app
from toposcope.data.generator.generate import PARADIGMS
from toposcope.experiments.likelihoods import likelihood_differences
from toposcope.models.scope import Scope
from toposcope.pairs.score import generated_pairs
from toposcope.report import reproduce_pairs
from toposcope.report.generator import generator_page


def test_the_page_shows_every_paradigm_and_explains_the_weak_ones():
    pairs = generated_pairs(2)
    weak = next(name for name, paradigm in PARADIGMS.items() if paradigm.note)
    differences = np.where(pairs.paradigms == weak, -1.0, 1.0)
    page = generator_page(pairs, differences, "some model")
    expected = 100 * (len(PARADIGMS) - 1) / len(PARADIGMS)
    assert f"mean of paradigms: **{expected:.1f} [" in page
    assert all(f"| {name} | {0 if name == weak else 100} | " in page for name in PARADIGMS)
    assert page.endswith(f"- `{weak}`: {PARADIGMS[weak].note}\n")


def test_the_page_by_the_command(tmp_path, monkeypatch):
    model = Scope(tiny.build(tiny.CAUSAL["gpt2"]), tiny.wordpieces(), name="tiny causal")
    monkeypatch.setattr(reproduce_pairs, "model_loader", lambda name: lambda: model)
    monkeypatch.setattr(reproduce_pairs, "JUDGED", 1)
    options = ["--work", str(tmp_path / "work"), "--docs", str(tmp_path)]
    run = CliRunner().invoke(app, ["reproduce", "generator", *options])
    assert run.exit_code == 0, run.output
    assert "| island effects | " in (tmp_path / "generator.md").read_text()
    kept = len(list((tmp_path / "work").rglob("*.json")))
    assert kept == len(PARADIGMS)


def test_likelihoods_of_other_pairs_are_not_taken_for_these(tmp_path):
    model = Scope(tiny.build(tiny.CAUSAL["gpt2"]), tiny.wordpieces(), name="tiny causal")
    pairs = generated_pairs(2)
    one, other = pairs.take([0, 1]), pairs.take([1, 0])
    first = likelihood_differences(one, tmp_path, lambda: model, lambda _: None)
    again = likelihood_differences(other, tmp_path, lambda: model, lambda _: None)
    assert first.tolist() == pytest.approx(again[::-1].tolist())
    assert likelihood_differences(one, tmp_path, None, lambda _: None).tolist() == first.tolist()
