import pytest

from tests.models import tiny
from tests.models.toy import LABELS, TEXTS
from toposcope.data.sentences import Sentences
from toposcope.judge.evidence import Evidence
from toposcope.judge.recipe import Recipe
from toposcope.judge.train import train_judge
from toposcope.models.scope import Scope
from toposcope.models.tuning.tuning import Tuning


@pytest.fixture(scope="session")
def scope():
    """A tiny encoder with a pooler."""
    model = tiny.build(tiny.ENCODERS["bert"])
    dense = model.pooler.dense
    pooler = dense.weight.detach().numpy(), dense.bias.detach().numpy()
    return Scope(model, tiny.wordpieces(), name="tiny", pooler=pooler)


@pytest.fixture(scope="session")
def toy():
    """Sentences about cats, acceptable, and about dogs, not."""
    return Sentences(tuple(TEXTS), LABELS, "toy")


@pytest.fixture(scope="session")
def frozen(scope, toy):
    """A judge on the model as it is."""
    return train_judge(scope, toy, Recipe(Evidence.parse("h0m+cls+length", scope.layers)))


@pytest.fixture(scope="session")
def tuned(scope, toy):
    """A judge on a model tuned with LoRA."""
    tuning = Tuning("lora", epochs=8, batch=16, rate=1e-2, rank=4, layers=2)
    return train_judge(scope, toy, Recipe(Evidence.parse("h0m+lm", scope.layers), tuning))
