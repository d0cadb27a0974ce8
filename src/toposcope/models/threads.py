"""How many threads the model may use."""

import os

import torch


def use_threads(count: int) -> None:
    """Let torch use so many threads, 0 for all cores; by itself it takes one a physical core."""
    if count or "OMP_NUM_THREADS" not in os.environ:
        torch.set_num_threads(count or _cores())


def _cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):  # Linux
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
