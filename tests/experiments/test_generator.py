"""What a language model prefers in generated pairs, and the page on it."""

from dataclasses import replace

import numpy as np
import pytest

import toposcope as ts
from tests.experiments.toys import lab_in
from toposcope.data.generator.generate import PARADIGMS
from toposcope.data.named import generated_pairs
from toposcope.experiments.generator import generator_result, run_generator
from toposcope.experiments.likelihoods import likelihood_differences
from toposcope.experiments.records import read_record
from toposcope.experiments.results import GeneratorResult
from toposcope.report import generator as page


def test_the_page_shows_every_paradigm_and_explains_the_weak_ones():
    pairs = generated_pairs(2)
    weak = next(name for name, paradigm in PARADIGMS.items() if paradigm.note)
    differences = np.where(pairs.paradigms == weak, -1.0, 1.0)
    text = page.page(generator_result("some model", pairs, differences))
    expected = 100 * (len(PARADIGMS) - 1) / len(PARADIGMS)
    assert f"mean of paradigms: **{expected:.1f} [" in text
    assert all(f"| {name} | {0 if name == weak else 100} | " in text for name in PARADIGMS)
    assert text.endswith(f"- `{weak}`: {PARADIGMS[weak].note}\n")


def test_every_paradigm_is_a_part(tmp_path, causal):
    lab = lab_in(tmp_path, causal)
    found = run_generator(lab, "tiny causal", 1)
    assert read_record(lab.docs / "generator.json", GeneratorResult) == found
    assert [one.name for one in found.paradigms] == list(PARADIGMS)
    assert len(list(lab.work.rglob("*.arrow"))) == len(PARADIGMS)


def test_likelihoods_are_those_of_their_pairs(tmp_path, causal):
    pairs, lab = generated_pairs(1).take(range(12)), lab_in(tmp_path, causal)
    found = likelihood_differences("tiny causal", pairs, tmp_path / "one", lab)
    expected = causal.score(pairs.good).sum() - causal.score(pairs.bad).sum()
    np.testing.assert_allclose(found, expected, atol=1e-3)
    again = likelihood_differences("tiny causal", pairs, tmp_path / "one", lab)
    assert again.tolist() == found.tolist()
    turned = replace(pairs, good=pairs.bad, bad=pairs.good)
    with pytest.raises(ts.InputError, match="one holds other work, it differs in pairs"):
        likelihood_differences("tiny causal", turned, tmp_path / "one", lab)
