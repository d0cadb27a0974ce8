import pytest

from tests.models import tiny
from toposcope.models.scope import Scope


@pytest.fixture(scope="session")
def encoder():
    """A tiny masked language model."""
    model = tiny.build(lambda: tiny.hf.BertForMaskedLM(tiny.hf.BertConfig(**tiny.SMALL)))
    return Scope(model, tiny.wordpieces(), name="tiny")


@pytest.fixture(scope="session")
def causal():
    """A tiny causal language model."""
    return Scope(tiny.build(tiny.CAUSAL["gpt2"]), tiny.characters(), name="tiny-causal")
