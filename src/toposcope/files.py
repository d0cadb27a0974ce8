"""Files that are whole or not there, also after a power cut; what keeps them from being written is told
in a line.
"""

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from toposcope.errors import OutputError

RUST = re.compile(r"\(os error (\d+)\)")  # how safetensors tells an error of the system


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """A place beside ``path`` to write to: at the end it takes the name, after an error it is gone."""
    temporary = _beside(path)
    with _told(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            yield temporary
            _synced(temporary)
            temporary.replace(path)
            _synced(path.parent)
        finally:
            temporary.unlink(missing_ok=True)


@contextmanager
def whole_folder(folder: Path) -> Iterator[Path]:
    """A folder to write files to: at the end all of them move into ``folder``, after an error none does."""
    made, temporary = not folder.exists(), folder / f".{os.getpid()}.part"
    with _told(folder):
        try:
            temporary.mkdir(parents=True, exist_ok=True)
            yield temporary
            for file in sorted(temporary.iterdir()):
                _synced(file)
                file.replace(folder / file.name)
            _synced(folder)
        except OutputError as error:  # of a file in it, by a name that nobody knows
            raise OutputError(str(error).replace(str(temporary), str(folder))) from error
        finally:
            shutil.rmtree(temporary, ignore_errors=True)
            if made and folder.is_dir() and not any(folder.iterdir()):
                folder.rmdir()


def try_to_write(path: Path) -> None:
    """Refuse a file that cannot be written, found out by writing a byte beside it."""
    temporary = _beside(path)
    with _told(path):
        try:
            temporary.write_bytes(b"\n")
        finally:
            temporary.unlink(missing_ok=True)


def to_disk(stream: IO[Any]) -> None:
    """What was written to an open file, on the disk itself."""
    stream.flush()
    os.fsync(stream.fileno())


def _synced(path: Path) -> None:
    """A file or the names in a folder, on the disk itself."""
    if path.is_dir() and os.name == "nt":  # Windows has no such call for folders
        return
    number = os.open(path, os.O_RDONLY if os.name != "nt" else os.O_RDWR)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def _beside(path: Path) -> Path:
    return path.with_name(f".{os.getpid()}.{path.name}")


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Errors of the disk as an OutputError that names the file and the reason."""
    try:
        yield
    except OutputError:
        raise
    except Exception as error:
        told = RUST.search(str(error))
        number = error.errno if isinstance(error, OSError) else int(told[1]) if told else None
        if number is None and not isinstance(error, OSError):
            raise
        why = os.strerror(number) if number else str(error)
        raise OutputError(f"{path} cannot be written: {why}.") from error
