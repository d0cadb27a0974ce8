"""How many threads the model may use."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from toposcope.topology.threads import checked_threads

FEW = 64  # tokens
_asked = 0


def use_threads(count: int) -> None:
    """Let both engines use so many threads, 0 for all cores."""
    global _asked  # for torch, once it is there
    threads, before, _asked = checked_threads(count), _asked, count
    if count or before:
        _blas().limit(limits=threads)
    if "torch" in sys.modules:
        let_torch()


def let_torch() -> None:
    """Tell torch, once it is wanted; by itself it takes one a physical core."""
    import torch

    if _asked or "OMP_NUM_THREADS" not in os.environ:
        torch.set_num_threads(checked_threads(_asked))


@contextmanager
def threads_for(tokens: int) -> Iterator[None]:
    """One thread for few tokens: a second one gains little, and where others work it spins and waits."""
    if tokens > FEW:
        yield
        return
    with _blas().limit(limits=1):
        yield


@cache
def _blas() -> Any:
    """The libraries that multiply for numpy."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController().select(user_api="blas")
