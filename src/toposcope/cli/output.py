"""What all verbs share: where words go, where results go, and which files may be written."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from toposcope.errors import InputError, told_if_missing
from toposcope.files import try_to_write

if TYPE_CHECKING:
    from rich.console import Console

PICTURES = (".svg", ".png", ".pdf")
DEVICES = re.compile(r"(cpu|cuda|mps|xpu|xla|hpu|npu|mtia|meta|privateuseone)(:\d+)?")
# line ends, other control characters, what turns the direction of writing, halves of characters
HIDDEN = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def _known_device(name: str) -> str:
    if not DEVICES.fullmatch(name):
        raise InputError(
            f"device={name!r} cannot be used here: accepted are those of torch, such as cpu, cuda:1 or mps."
        )
    return name


Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON on stdout.")]
Force = Annotated[bool, typer.Option("--force", help="Overwrite what is there already.")]
Device = Annotated[str, typer.Option(help="A torch device, e.g. cuda.", callback=_known_device)]
Threads = Annotated[int, typer.Option(help="Threads for the model; 0 takes all cores.", min=0)]


def say(message: str, style: str | None = None) -> None:
    """A line for people."""
    _stderr().print(message, style=style)


@cache
def _stderr() -> Console:
    from rich.console import Console

    return Console(stderr=True, highlight=False, soft_wrap=True, markup=False, emoji=False)


def tables() -> Console:
    """Where results go: stdout, in a pipe as wide as they are, so that no name is cut."""
    from rich.console import Console

    width = None if sys.stdout.isatty() else 1000
    return Console(highlight=False, soft_wrap=True, width=width, markup=False, emoji=False)


def tell(message: str) -> None:
    """How far long work is, for people."""
    say(message, "dim")


def one_line(text: str) -> str:
    r"""A text as people are shown it: line ends and whatever could command a terminal are spelled out.

    >>> print(one_line("red: \x1b[31m, then\na line"))
    red: \x1b[31m, then\na line
    """
    return HIDDEN.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def print_json(value: Any) -> None:
    """A result for machines, in ASCII where stdout is not UTF-8."""
    everything = (sys.stdout.encoding or "").lower() in ("utf-8", "utf8")
    print(json.dumps(value, indent=2, ensure_ascii=not everything))


def check_output(
    path: Path | None,
    endings: Sequence[str] = (),
    *,
    inputs: Iterable[str | Path | None] = (),
    force: bool = False,
) -> None:
    """Refuse, before the work is done, a file that is not to be written, or cannot be.

    That is one of another ending (by default those of tables), a folder, one of the ``inputs`` or in one
    of them, one that is there already (unless there is ``force``), one in a folder that is not there or is
    not ours to write to, and one that needs a library that is not there.
    """
    if path is None:
        return
    from toposcope.data.writers import WRITERS

    endings = endings or tuple(WRITERS)
    if path.is_dir():
        raise InputError(f"{path} is a folder: give the name of a file, such as one in it.")
    if path.suffix not in endings:
        raise InputError(f"{path.name}: accepted are names that end in {', '.join(endings)}.")
    if is_input := next((given for given in inputs if given and _holds(Path(given), path)), None):
        raise InputError(f"{path} would overwrite what is read, {is_input}: give another name.")
    _check_free([path], force)
    _check_folder_of(path)
    try_to_write(path)
    if path.suffix == ".parquet":
        with told_if_missing():
            import pyarrow  # noqa: F401, it will be needed
    if path.suffix in PICTURES:
        from toposcope.figures.canvas import check_drawing

        check_drawing()


def check_folder(folder: Path, files: Sequence[str] = (), *, force: bool = False) -> None:
    """Refuse, before the work is done, a folder that cannot be written to, or has ``files`` already."""
    if folder.is_dir():
        _check_free([folder / name for name in files], force)
        try_to_write(folder / "file")
        return
    if os.path.lexists(folder):
        raise InputError(f"{folder} is a file: give the name of a folder.")
    _check_folder_of(folder)
    try_to_write(folder)


def _check_free(paths: Iterable[Path], force: bool) -> None:
    there = [path for path in paths if os.path.lexists(path)]
    if there and not force:
        are = f" and {len(there) - 1} more are" if len(there) > 1 else " is"
        raise InputError(f"{there[0]}{are} there already: --force overwrites, or give another name.")
    if folder := next((path for path in there if path.is_dir()), None):
        raise InputError(f"{folder} is a folder, where a file is to be written: give another name.")


def _check_folder_of(path: Path) -> None:
    if not path.parent.is_dir():
        raise InputError(
            f"there is no folder {path.parent} for {path.name}: make it first, or mend the name."
        )


def _holds(given: Path, path: Path) -> bool:
    """Whether a file that is there already is an input, by whatever name, or lies in a folder that is."""
    if not (path.exists() and given.exists()):
        return False
    return path.samefile(given) or (given.is_dir() and path.resolve().parent.samefile(given))


def stdin_lines() -> list[str]:
    """Sentences from stdin, one a line."""
    if sys.stdin.isatty():
        say("One sentence a line; end with Ctrl-D.", "dim")
    try:
        return [line.strip() for line in sys.stdin if line.strip()]
    except UnicodeDecodeError as error:
        raise InputError(f"stdin is not {error.encoding}: {error.reason} at byte {error.start}.") from None
