"""Threads of the model: no more than there are cores."""

import pytest
import torch

import toposcope as ts
from toposcope.kernels import threads
from toposcope.models.threads import use_threads


def test_no_more_than_cores(monkeypatch, capsys):
    threads._say_fewer.cache_clear()
    use_threads(99_999)
    assert torch.get_num_threads() == threads.usable_cores()
    assert "toposcope: 99999 threads were asked for, " in capsys.readouterr().err
    use_threads(1)
    assert torch.get_num_threads() == 1
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    use_threads(0)
    assert torch.get_num_threads() == threads.usable_cores()
    assert capsys.readouterr().err == ""


def test_what_the_environment_says_stays_where_nobody_asks(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    torch.set_num_threads(1)
    use_threads(0)
    assert torch.get_num_threads() == 1


def test_less_than_none():
    with pytest.raises(ts.InputError, match="threads=-1: accepted are whole numbers from 0"):
        use_threads(-1)
