"""Saying so when the compiler sets to work on a loop of ours; that of others is their affair."""

import functools
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba.core import event

OURS = __name__.rpartition(".")[0]


@contextmanager
def announced() -> Iterator[None]:
    """Print a line when something inside is compiled; code that is on the disk is not."""
    with event.install_listener("numba:compile", _Listener()):
        yield


class _Listener(event.Listener):
    """Waits for the compiler to begin with a kernel of ours."""

    def on_start(self, event: Any) -> None:
        """Say so, unless the code is somebody else's, compiled in another thread just now."""
        if event.data["dispatcher"].py_func.__module__.startswith(OURS):
            _say_compiling()

    def on_end(self, event: Any) -> None:
        """Nothing to say."""


@functools.cache
def _say_compiling() -> None:
    """Say it once a process."""
    if sys.stderr is not None:
        print(
            "toposcope: compiling its kernels for this machine, once (about half a minute in all)",
            file=sys.stderr,
            flush=True,
        )
