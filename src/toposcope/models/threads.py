"""How many threads the model may use."""

import os
import sys

from toposcope.topology.threads import checked_threads

_asked = 0


def use_threads(count: int) -> None:
    """Let both engines use so many threads, 0 for all cores."""
    global _asked  # for torch, once it is there
    threads, _asked = checked_threads(count), count
    if count:
        from threadpoolctl import threadpool_limits

        threadpool_limits(threads, "blas")
    if "torch" in sys.modules:
        let_torch()


def let_torch() -> None:
    """Tell torch, once it is wanted; by itself it takes one a physical core."""
    import torch

    if _asked or "OMP_NUM_THREADS" not in os.environ:
        torch.set_num_threads(checked_threads(_asked))
