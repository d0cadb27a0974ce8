"""The door of the kernels: threads, room for bars, warming, cold starts."""

import os
import subprocess
import sys
import time

import numpy as np
import pytest
from numba import njit

import toposcope as ts
from tests import cases
from toposcope.kernels import __main__ as warm_all
from toposcope.kernels import bits, compiling, run, sorting, threads


@njit
def sort(events, count, spare, counts):
    """The kernel with a door to Python, which kernels themselves do not have."""
    sorting.sort_events(events, count, spare, counts)


def test_pieces_cover_every_graph_once(monkeypatch):
    monkeypatch.setattr(threads, "usable_cores", lambda: 5)
    for count in (0, 1, 2, 7, 1000):
        for workers in (1, 2, 5):
            ranges = threads.pieces(count, 10_000, workers)
            assert [g for lo, hi in ranges for g in range(lo, hi)] == list(range(count))


def test_small_work_is_not_shared():
    assert threads.pieces(100, 10, 8) == [(0, 100)]


def test_thread_count(monkeypatch):
    monkeypatch.setattr(threads, "usable_cores", lambda: 4)
    monkeypatch.setenv("TOPOSCOPE_THREADS", "3")
    assert threads.thread_count(None) == 3
    assert threads.thread_count(2) == 2
    assert threads.thread_count(0) == 4
    for nothing in ("0", ""):
        monkeypatch.setenv("TOPOSCOPE_THREADS", nothing)
        assert threads.thread_count(None) == 4
    monkeypatch.delenv("TOPOSCOPE_THREADS")
    assert threads.thread_count(None) == 4
    for wrong in (-1, 2.5, "many"):
        with pytest.raises(ValueError, match=f"threads={wrong!r}: accepted are"):
            threads.thread_count(wrong)
    monkeypatch.setenv("TOPOSCOPE_THREADS", "-2")
    with pytest.raises(ValueError, match="TOPOSCOPE_THREADS='-2': accepted are"):
        threads.thread_count(None)


def test_cores_of_this_process(monkeypatch):
    if hasattr(os, "sched_getaffinity"):
        assert threads.usable_cores() == len(os.sched_getaffinity(0))
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    assert threads.usable_cores() == os.cpu_count()


def test_never_more_threads_than_cores_and_a_word_about_it(monkeypatch, capsys):
    monkeypatch.setattr(threads, "usable_cores", lambda: 4)
    threads._say_fewer.cache_clear()
    assert [threads.thread_count(99_999) for _ in range(3)] == [4, 4, 4]
    said = capsys.readouterr()
    assert said.err == "toposcope: 99999 threads were asked for, 4 are used: one a core\n"
    assert said.out == ""
    monkeypatch.setattr(sys, "stderr", None)
    assert threads.thread_count(1000) == 4
    assert capsys.readouterr().out == ""


def test_bars_get_more_room_when_they_need_it(monkeypatch):
    rng = np.random.default_rng(0)
    maps = np.stack([cases.weights(rng, 40, cases.iid) for _ in range(9)])
    expected = ts.barcodes(maps, 1)
    monkeypatch.setattr(run, "BARS_PER_VERTEX", 0)
    assert ts.barcodes(maps, 1) == expected
    assert (ts.rtd(maps[:4], maps[4:8]) > 0).all()


@pytest.mark.parametrize("count", [0, 1, 2, 39, 40, 41, 88, 89, 300, 3000, 3001, 20_000])
@pytest.mark.parametrize("spread", [1, 3, 1 << 9, 1 << 32])
def test_events_are_sorted_by_key(count, spread):
    rng = np.random.default_rng(count)
    keys = rng.integers(0, spread, count).astype(np.uint64)
    events = (keys << np.uint64(32)) | rng.permutation(count).astype(np.uint64)
    expected = np.sort(events >> np.uint64(32))
    before = set(events.tolist())
    room = np.empty(max(count, 1), np.uint64)
    sort(events, count, room, np.empty(sorting.COUNTERS, np.uint32))
    np.testing.assert_array_equal(events >> np.uint64(32), expected)
    assert set(events.tolist()) == before


def loop_of_ours():
    def loop(x):
        return x + 1

    loop.__module__ = "toposcope.kernels.batch"
    return njit(loop)


def test_compiling_is_said_when_it_begins(capsys):
    compiling._say_compiling.cache_clear()
    loop, said = loop_of_ours(), []
    with compiling.announced():
        assert capsys.readouterr().err == ""
        loop(1)
        said.append(capsys.readouterr().err)
        loop(1.5)  # again, for another kind of number
    assert said[0].count("compiling its kernels") == 1
    assert capsys.readouterr().err == ""


def test_what_compiles_nothing_of_ours_says_nothing(capsys):
    compiling._say_compiling.cache_clear()
    theirs = njit(lambda x: x + 1)
    with compiling.announced():
        theirs(1)
        time.sleep(2.1)  # slow is not compiling
    ours = loop_of_ours()
    ours(1)  # outside
    with compiling.announced():
        ours(1)  # compiled before
    assert capsys.readouterr().err == ""


COLD = """
import numpy as np
import toposcope as ts
ts.h0_mean(np.full((3, 3), 1 / 3, np.float32))
"""


def test_only_the_first_process_on_a_machine_compiles(tmp_path):
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    said = [
        subprocess.run(
            [sys.executable, "-c", COLD], capture_output=True, text=True, env=environment, check=True
        ).stderr
        for _ in range(2)
    ]
    assert [text.count("compiling its kernels") for text in said] == [1, 0]


def test_warming_everything(capsys):
    warm_all.main()
    out = capsys.readouterr().out
    assert "warming the compiled kernels" in out
    assert "kernels ready" in out


def test_import_is_light():
    """Neither numba nor matplotlib nor torch is loaded before it is needed."""
    code = (
        "import sys, toposcope; heavy = {'numba', 'numpy', 'matplotlib', 'torch'} & set(sys.modules);"
        "print(sorted(heavy)); assert 'h0_mean' in dir(toposcope)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


def test_works_without_a_place_for_the_cache(monkeypatch):
    """A read-only installation and no home: kernels compile for the process only."""

    def njit_without_disk(function, cache=False, **options):
        if cache:
            raise RuntimeError("cannot cache function: no locator available")
        return njit(function, **options)

    monkeypatch.setattr(bits, "njit", njit_without_disk)
    assert bits.batch_kernel(lambda x: x + 1)(1) == 2


def test_public_names_exist():
    for name in ts.__all__:
        assert getattr(ts, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'h0_median'"):
        _ = ts.h0_median


def test_long_map_in_bounded_memory():
    """2,048 tokens: H0, H1 and counts in one thread."""
    rng = np.random.default_rng(0)
    attention = cases.weights(rng, 2048, cases.sharp_heads)
    assert len(ts.barcode(attention, 0)) == 2047
    bars = ts.barcode(attention, 1)
    assert (bars.deaths > bars.births).all()
    assert ts.threshold_counts(attention, [0.5])["betti0"].shape == (1,)
    assert ts.rtd(attention, attention) == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_child_makes_threads_of_its_own():
    code = """
import os
import numpy as np
import toposcope as ts
maps = np.full((40, 200, 200), 1 / 200, np.float32)
before = ts.h0_mean(maps, threads=2)
child = os.fork()
if child == 0:
    os._exit(int((ts.h0_mean(maps, threads=2) != before).any()))
_, status = os.waitpid(child, 0)
raise SystemExit(os.waitstatus_to_exitcode(status))
"""
    assert subprocess.run([sys.executable, "-c", code], timeout=120, check=False).returncode == 0
