"""Sharing a loop over graphs among threads.

The compiled loops release Python's lock and write to disjoint places, so the number of threads
changes how long a result takes and nothing else.
"""

import operator
import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, lru_cache
from typing import Any

WORTH_A_THREAD = 100_000  # matrix entries; below this, waking threads costs more than it gives
PIECES_PER_THREAD = 4  # so that a thread with easy graphs can take over some of another's


def thread_count(threads: int | None) -> int:
    """Threads to use: as asked, else TOPOSCOPE_THREADS, else (or for 0) the cores this process may use.

    Never more than these: they would only wait for each other, and thousands of them end the process.
    """
    name: str = "threads"
    asked: Any = threads
    if threads is None:
        name, asked = "TOPOSCOPE_THREADS", os.environ.get("TOPOSCOPE_THREADS") or 0
    try:
        number = int(asked) if isinstance(asked, str) else operator.index(asked)
    except (ValueError, TypeError):
        number = -1
    if number < 0:
        raise ValueError(f"{name}={asked!r}: accepted are whole numbers from 0; 0 takes all cores.")
    cores = usable_cores()
    if number > cores:
        _say_fewer(number, cores)
    return min(number, cores) or cores


def usable_cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):  # Linux
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@cache
def _say_fewer(asked: int, cores: int) -> None:
    """Say it once a process."""
    if sys.stderr is not None:
        print(f"toposcope: {asked} threads were asked for, {cores} are used: one a core", file=sys.stderr)


def pieces(
    count: int, entries: int, threads: int | None, worth: int = WORTH_A_THREAD
) -> list[tuple[int, int]]:
    """Ranges (lo, hi) that cover ``count`` graphs of ``entries`` entries each; a single one if they have
    fewer than ``worth`` entries together.
    """
    workers = thread_count(threads)
    if workers == 1 or count < 2 or count * entries < worth:
        return [(0, count)]
    parts = min(count, workers * PIECES_PER_THREAD)
    return [(count * k // parts, count * (k + 1) // parts) for k in range(parts)]


def share(work: Callable[[int, int], Any], ranges: list[tuple[int, int]], threads: int | None) -> list[Any]:
    """Call ``work(lo, hi)`` on every range; results in the order of the ranges."""
    if len(ranges) == 1:
        return [work(*ranges[0])]
    return list(_pool(thread_count(threads)).map(lambda piece: work(*piece), ranges))


@lru_cache
def _pool(workers: int) -> ThreadPoolExecutor:
    """Threads that stay for the next call: starting them costs more than a bucket of short texts."""
    return ThreadPoolExecutor(workers, thread_name_prefix="toposcope")


if hasattr(os, "register_at_fork"):  # a child process has none of its parent's threads
    os.register_at_fork(after_in_child=_pool.cache_clear)
