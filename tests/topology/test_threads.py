"""Threads are asked for at the door: no more than cores, and only numbers."""

import re

import numpy as np
import pytest

import toposcope as ts
from tests import cases
from toposcope.kernels import run, threads

FUNCTIONS = {
    "h0_sum": ts.h0_sum,
    "h0_mean": ts.h0_mean,
    "barcodes": lambda maps, **options: ts.barcodes(maps, 1, **options).sum(),
    "components": lambda maps, **options: ts.barcodes(maps, 0, **options).sum(),
    "rtd": lambda maps, **options: ts.rtd(maps, maps, **options),
    "counts": lambda maps, **options: ts.threshold_counts(maps, **options)["scc"],
    "extras": lambda maps, **options: ts.threshold_counts(maps, statistics=["matching"], **options)[
        "matching"
    ],
    "directed": lambda maps, **options: ts.directed_statistics(maps, **options)["asymmetry"],
}
each = pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)


@each
def test_more_threads_than_cores_are_as_many_as_cores(function, monkeypatch, capsys):
    rng = np.random.default_rng(0)
    maps = np.stack([cases.weights(rng, 40) for _ in range(70)])
    monkeypatch.setattr(threads, "usable_cores", lambda: 2)
    threads._say_fewer.cache_clear()
    monkeypatch.setattr(run, "TREES_WORTH_A_THREAD", 0)
    pools, pool = [], threads._pool
    monkeypatch.setattr(threads, "_pool", lambda workers: pools.append(workers) or pool(workers))
    expected = function(maps, threads=1)
    assert (function(maps, threads=99_999) == expected).all()
    assert (function(maps, threads=0) == expected).all()
    assert set(pools) == {2}
    said = capsys.readouterr()
    assert said.err == "toposcope: 99999 threads were asked for, 2 are used: one a core\n"
    assert said.out == ""


@each
@pytest.mark.parametrize("count", [-1, 2.5, "many"])
def test_what_is_no_number_of_threads(function, count):
    message = re.escape(f"threads={count!r}: accepted are whole numbers from 0")
    with pytest.raises(ts.InputError, match=message):
        function(np.full((2, 3, 3), 1 / 3), threads=count)


@each
def test_what_is_no_number_of_threads_in_the_environment(function, monkeypatch):
    monkeypatch.setenv("TOPOSCOPE_THREADS", "many")
    with pytest.raises(ts.InputError, match="TOPOSCOPE_THREADS='many': accepted are whole numbers"):
        function(np.full((2, 3, 3), 1 / 3))
