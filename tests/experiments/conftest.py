"""A tiny model for experiments, and what it gives in the settings of the toy corpus."""

import pytest

from tests.experiments.toys import FROZEN, TUNED, lab_in, toy_corpus, write_corpus
from tests.models import tiny
from toposcope.experiments.table1 import run_table1
from toposcope.models.scope import Scope


@pytest.fixture(scope="session")
def corpus():
    return toy_corpus()


@pytest.fixture(scope="session")
def scope():
    return Scope(tiny.build(tiny.ENCODERS["bert"]), tiny.wordpieces(), name="tiny")


@pytest.fixture(scope="session")
def causal():
    return Scope(tiny.build(tiny.CAUSAL["gpt2"]), tiny.wordpieces(), name="tiny causal")


@pytest.fixture(scope="session")
def done(tmp_path_factory, scope):
    """A lab in which both toy settings were run."""
    folder = tmp_path_factory.mktemp("lab")
    write_corpus(folder / "data")
    lab = lab_in(folder, scope)
    run_table1(lab, settings=(FROZEN, TUNED))
    return lab
