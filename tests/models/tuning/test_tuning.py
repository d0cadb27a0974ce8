"""How a model is tuned: settings that are refused, and what the machine decides."""

import pytest
import torch

import toposcope as ts
from toposcope.models.tuning.tuning import Tuning


@pytest.mark.parametrize(
    ("capabilities", "precision"),
    [({"avx512_bf16": True}, "bfloat16"), ({"amx_bf16": True}, "bfloat16"), ({"avx2": True}, "float32")],
)
def test_the_machine_decides_the_precision(capabilities, precision, monkeypatch):
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: capabilities, raising=False)
    assert Tuning("full").settled("cpu") == Tuning("full", rate=3e-5, precision=precision)
    assert Tuning(rate=1e-3, precision="float32").settled("cpu") == Tuning(rate=1e-3, precision="float32")


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
