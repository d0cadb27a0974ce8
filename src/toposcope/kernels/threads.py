"""Sharing a loop over graphs among threads.

The compiled loops release Python's lock and write to disjoint places, so the number of threads
changes how long a result takes and nothing else.
"""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import Any

WORTH_A_THREAD = 100_000  # matrix entries; below this, waking threads costs more than it gives
PIECES_PER_THREAD = 4  # so that a thread with easy graphs can take over some of another's


def thread_count(threads: int | None) -> int:
    """Threads to use: as asked, else TOPOSCOPE_THREADS, else the cores this process may use."""
    if threads is None:
        threads = int(os.environ.get("TOPOSCOPE_THREADS", "0")) or _usable_cores()
    return max(1, threads)


def _usable_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


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
