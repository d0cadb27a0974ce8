"""Tunings that a tiny model learns by, and what came of them."""

from tests.models.toy import LABELS, TEXTS
from toposcope.models.tuning.tuning import Tuning

LORA = Tuning("lora", epochs=6, batch=16, rate=1e-2, rank=4, layers=2)
FULL = Tuning("full", epochs=8, batch=16, rate=1e-3)
SHORT = {"lora": Tuning("lora", epochs=2, batch=32, rank=2), "full": Tuning("full", epochs=2, batch=32)}


def accuracy(scope, adapter, texts=TEXTS, labels=LABELS):
    found = adapter.apply(scope).states(texts).log_odds > 0
    return (found == labels).mean()


def assert_same(a, b):
    assert set(a.tensors) == set(b.tensors)
    for name, values in a.tensors.items():
        assert values.tobytes() == b.tensors[name].tobytes(), name
