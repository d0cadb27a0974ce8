"""Compiling without surprise: say so when a first call has to wait for the compiler.

The machine code of the loops is kept on disk, so only the very first use on a machine compiles.
Before the first call of each loop in a process a tiny graph is sent through it, and if the compiler sets to
work on one of ours (compiling.py), a line on standard error says so. A machine that is merely slow says
nothing.
"""

import functools
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

_lock = threading.RLock()
_warm: set[tuple[str, np.dtype[Any]]] = set()


def warmed(function: Callable[..., Any]) -> Callable[..., Any]:
    """Make the first call of ``function`` per dtype announce that it compiles, if it does."""

    @functools.wraps(function)
    def call(*args: Any, **options: Any) -> Any:
        key = (function.__name__, args[0].dtype)
        if key not in _warm:
            from toposcope.kernels.compiling import announced

            with _lock:
                if key not in _warm:
                    with announced():
                        function(*(_tiny(a) for a in args), **options)
                    _warm.add(key)
        return function(*args, **options)

    return call


def _tiny(argument: Any) -> Any:
    """The argument, cut to one graph of at most two vertices if it is an array of graphs."""
    if isinstance(argument, np.ndarray) and argument.ndim == 3:
        return np.zeros((1, 2, 2), argument.dtype)
    return argument
