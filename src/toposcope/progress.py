"""How long work tells how far it is: bars on a terminal, a line now and then in a file or a pipe.

Both go to the error stream. Of work that is soon done nothing is said, and lines come at most every ten
seconds or once a step.
"""

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

Progress: TypeAlias = Callable[[str, int, int], None]
"""Called with what is being done, how many bytes of it are done, and of how many (0: not known)."""


SOON = 5.0  # seconds after which work is worth a line
PAUSE = 10.0  # seconds between two lines of a download
LONGEST_PAUSE = 60.0  # between two of anything else: it begins with PAUSE and doubles
SMALL = 20_000_000  # bytes; a step with fewer is no news


def silent(what: str, done: int, total: int) -> None:
    """Tell nobody."""


@contextmanager
def progress_bar(what: str, total: int, show: bool | None = None) -> Iterator[Callable[[int], None]]:
    """A function that moves a bar on by an amount.

    Shown if ``show``, hidden if not; by default a bar where somebody looks at the terminal, else lines.
    """
    if show is None and not _somebody_looks():
        yield _Share(what, total)
        return
    if show is False:
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=show is None) as bar:
        task = bar.add_task(what, total=total)
        yield lambda amount: bar.advance(task, amount)


@contextmanager
def download_bar() -> Iterator[Progress]:
    """Progress of work in several steps: what is being done, how far, how fast and how long still.

    Where nobody looks at the terminal it is a line a step, and more of what takes long.
    """
    if not _somebody_looks():
        yield _Steps()
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        TextColumn,
        TimeRemainingColumn,
        TransferSpeedColumn,
    )
    from rich.progress import Progress as Bars

    columns = (
        TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn(),
        TimeRemainingColumn(),
    )  # fmt: skip
    with Bars(*columns, console=Console(stderr=True), transient=True) as bars:
        steps: dict[str, Any] = {}

        def show(what: str, done: int, total: int) -> None:
            if what not in steps:
                for earlier in steps.values():
                    bars.update(earlier, visible=False)
                steps[what] = bars.add_task(what, total=total or None)
            bars.update(steps[what], completed=done, visible=True)

        yield show


@contextmanager
def slow(what: str) -> Iterator[None]:
    """Say what is being done if it is not soon done: of work that cannot tell how far it is."""
    told = threading.Timer(SOON, _say, [f"{what} ..."])
    told.daemon = True
    told.start()
    try:
        yield
    finally:
        told.cancel()


class _Share:
    """Lines that say how much of one thing is done, as long as it takes."""

    def __init__(self, what: str, total: int) -> None:
        self.what, self.total, self.done = what, max(total, 1), 0
        self.next, self.pause = time.monotonic() + SOON, PAUSE

    def __call__(self, amount: int) -> None:
        """So much more is done."""
        self.done += amount
        if time.monotonic() >= self.next and self.done < self.total:
            _say(f"{self.what}: {100 * self.done // self.total} %")
            self.next = time.monotonic() + self.pause
            self.pause = min(2 * self.pause, LONGEST_PAUSE)


class _Steps:
    """Lines that say what is being done, one a step, and how far long steps are."""

    def __init__(self) -> None:
        self.what, self.next = "", 0.0

    def __call__(self, what: str, done: int, total: int) -> None:
        """``done`` of ``total`` bytes of a step."""
        if what != self.what:
            if not self.what or not 0 < total < SMALL:
                _say(f"{what}{f' ({megabytes(total)} MB)' if total else ''} ...")
            self.what, self.next = what, time.monotonic() + PAUSE
        elif time.monotonic() >= self.next:
            _say(f"{what}: {megabytes(done)} of {megabytes(total)} MB")
            self.next = time.monotonic() + PAUSE


def megabytes(size: int) -> str:
    """Bytes in millions, as people say them."""
    return f"{size / 1e6:.0f}" if size >= 1e7 else f"{size / 1e6:.1f}"


def _somebody_looks() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


def _say(text: str) -> None:
    if sys.stderr is not None:  # as it is in a program without a console
        print(f"toposcope: {text}", file=sys.stderr, flush=True)
