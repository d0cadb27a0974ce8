"""How many threads the model may use."""

import os

from toposcope.progress import slow
from toposcope.topology.threads import checked_threads


def use_threads(count: int) -> None:
    """Let torch use so many threads, 0 for all cores; by itself it takes one a physical core."""
    with slow("loading torch"):
        import torch
    threads = checked_threads(count)
    if count or "OMP_NUM_THREADS" not in os.environ:
        torch.set_num_threads(threads)
