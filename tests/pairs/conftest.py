import pytest

from tests.models import tiny
from tests.pairs.made import readings
from toposcope.models.scope import Scope
from toposcope.pairs.select import METHODS, select_heads


@pytest.fixture(scope="session")
def scopes():
    """Tiny models: a masked one, a causal one, and one without a language-model head."""
    masked = tiny.build(lambda: tiny.hf.BertForMaskedLM(tiny.hf.BertConfig(**tiny.SMALL)))
    return {
        "encoder": Scope(masked, tiny.wordpieces(), name="tiny"),
        "causal": Scope(tiny.build(tiny.CAUSAL["gpt2"]), tiny.characters(), name="tiny-causal"),
        "headless": Scope(tiny.build(tiny.ENCODERS["bert"]), tiny.wordpieces(), name="headless"),
    }


@pytest.fixture(scope="session")
def chosen():
    """A selection of each method on ``readings``."""
    return {
        method: select_heads(readings(), method, "h0m+h0s" if method == "weighted" else "h0m")
        for method in METHODS
    }
