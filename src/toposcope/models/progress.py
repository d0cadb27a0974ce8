"""How long work tells how far it is: bars on the terminal's error stream."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

Progress: TypeAlias = Callable[[str, int, int], None]
"""Called with what is being done, how many bytes of it are done, and of how many (0: not known)."""


def silent(what: str, done: int, total: int) -> None:
    """Tell nobody."""


@contextmanager
def progress_bar(what: str, total: int, show: bool | None = None) -> Iterator[Callable[[int], None]]:
    """A function that moves a bar on by an amount; it does nothing where no bar is shown.

    Shown if ``show``; by default if somebody looks at the terminal.
    """
    if not (sys.stderr.isatty() if show is None else show):
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

    Nothing is shown where nobody looks at the terminal.
    """
    if not sys.stderr.isatty():
        yield silent
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
