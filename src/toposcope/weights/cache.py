"""The models on this machine: a folder each, whole or not there at all.

A model is built in a staging folder beside its final place and published by one rename. A lock per
model lets one process build it while others wait. Each folder carries a record with the SHA-256 of
every file, and is compared with it whenever it is found (``seal``).
"""

import errno
import json
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toposcope.errors import InputError, SourceError
from toposcope.progress import Progress, silent
from toposcope.weights import seal
from toposcope.weights.seal import RECORD, sha256

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*(/[A-Za-z0-9][A-Za-z0-9._-]*)?")
FULL = (errno.ENOSPC, errno.EDQUOT)


@dataclass(frozen=True)
class Verification:
    """How the files of a model compare with its record."""

    name: str
    folder: Path
    altered: tuple[str, ...]
    missing: tuple[str, ...]
    additional: tuple[str, ...]

    @property
    def intact(self) -> bool:
        """Whether every file is as it was published, and nothing else is there."""
        return not (self.altered or self.missing or self.additional)


def home() -> Path:
    """$TOPOSCOPE_HOME, else $XDG_CACHE_HOME/toposcope, else ~/.cache/toposcope."""
    if own := os.environ.get("TOPOSCOPE_HOME"):
        return Path(own).expanduser().absolute()
    caches = os.environ.get("XDG_CACHE_HOME")
    return (Path(caches) if caches else Path.home() / ".cache").absolute() / "toposcope"


def place(name: str) -> Path:
    """Where a model is, or would be: ``org/model`` lives in ``models/org--model``."""
    if not NAME.fullmatch(name) or ".." in name or "--" in name:
        raise InputError(
            f"model name {name!r}: accepted are letters, digits, '.', '_' and '-', as in "
            "bert-base-cased or org/model; a folder is given as a path to it."
        )
    return home() / "models" / name.replace("/", "--")


def find(name: str) -> Path | None:
    """The folder of a model that has been pulled, or None; refused if it is not what was published."""
    folder = place(name)
    if not (folder / RECORD).is_file():
        return None
    try:
        fault = seal.broken(folder, record(name))
    except OSError as error:
        raise SourceError(f"{folder} cannot be read ({error}): {_anew(name)}") from error
    if fault:
        raise SourceError(f"{folder} {fault}: {_anew(name)}")
    return folder


def name_of(folder: Path) -> str | None:
    """The name of the model whose place in the cache a folder is, or None."""
    folder = folder.resolve()
    name = folder.name.replace("--", "/")
    inside = folder.parent == (home() / "models").resolve() and NAME.fullmatch(name)
    return name if inside and (folder / RECORD).is_file() else None


def names() -> list[str]:
    """Names of the models that have been pulled."""
    return sorted(file.parent.name.replace("--", "/") for file in home().glob(f"models/[!.]*/{RECORD}"))


def record(name: str) -> dict[str, Any]:
    """What was written down when a model was published."""
    file = place(name) / RECORD
    try:
        facts = json.loads(file.read_bytes())
        return facts | {"files": dict(facts["files"])}
    except FileNotFoundError:
        raise SourceError(f"{name} is not in {home()}: `toposcope models pull {name}` gets it.") from None
    except (ValueError, KeyError, TypeError) as error:
        raise SourceError(f"{file} cannot be read ({error}): {_anew(name)}") from error


def verify(name: str) -> Verification:
    """Hash every file again and compare with the record."""
    expected = record(name)["files"]
    folder = place(name)
    present = seal.content(folder)
    altered = [file for file in expected if file in present and sha256(present[file]) != expected[file]]
    return Verification(
        name=name,
        folder=folder,
        altered=tuple(sorted(altered)),
        missing=tuple(sorted(expected.keys() - present.keys())),
        additional=tuple(sorted(present.keys() - expected.keys())),
    )


def remove(name: str) -> Path:
    """Delete a model; it is out of sight before its first file goes."""
    folder = place(name)
    with locked(name):
        if not folder.is_dir():
            raise SourceError(f"{name} is not in {home()}: nothing was removed.")
        doomed = Path(tempfile.mkdtemp(prefix=_staging_prefix(folder), dir=folder.parent))
        os.rename(folder, doomed / folder.name)
        shutil.rmtree(doomed)
    return folder


def store(
    name: str,
    fill: Callable[[Path, Path], None],
    facts: dict[str, str],
    room: int,
    progress: Progress = silent,
) -> Path:
    """Build a model and publish it, or wait for the process that does.

    Parameters
    ----------
    name : name of the model
    fill : function of (folder, work)
        Writes the files of the model into ``folder``; ``work`` is for what is not kept.
    facts : what the record says besides the files: source, package_sha256, licence
    room : bytes of disk that this takes at its peak

    Returns
    -------
    Path, the published folder
    """
    from importlib.metadata import version

    folder = place(name)
    with locked(name, progress):
        if found := find(name):
            return found
        for stale in folder.parent.glob(f"{_staging_prefix(folder)}*"):  # of pulls that were killed
            shutil.rmtree(stale, ignore_errors=True)
        check_room(folder.parent, room)
        staging = Path(tempfile.mkdtemp(prefix=_staging_prefix(folder), dir=folder.parent))
        try:
            (staging / "model").mkdir()
            (staging / "work").mkdir()
            fill(staging / "model", staging / "work")
            progress("checking", 0, 0)
            _publish(staging / "model", folder, {"name": name, **facts, "toposcope": version("toposcope")})
        except OSError as error:
            if error.errno in FULL:
                raise full(folder.parent, room) from error
            raise
        finally:
            shutil.rmtree(staging, ignore_errors=True)
    return folder


@contextmanager
def locked(name: str, progress: Progress = silent) -> Iterator[None]:
    """Hold the lock of a model; it goes with the process, even if that is killed."""
    from filelock import FileLock, Timeout

    folder = place(name)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        lock = FileLock(folder.parent / f".{folder.name}.lock")
        try:
            lock.acquire(timeout=0)
        except Timeout:
            progress("waiting for another process that pulls it", 0, 0)
            lock.acquire()
    except OSError as error:
        raise SourceError(
            f"{folder.parent} cannot be written ({error}): set TOPOSCOPE_HOME to a folder of yours."
        ) from error
    try:
        yield
    finally:
        lock.release()


def check_room(folder: Path, needed: int) -> None:
    """Refuse to start what the disk cannot hold."""
    if shutil.disk_usage(folder).free < needed:
        raise full(folder, needed)


def full(folder: Path, needed: int) -> SourceError:
    """The error of a disk without room."""
    free = shutil.disk_usage(folder).free
    return SourceError(
        f"no room on the disk of {home()}: {needed / 1e6:.0f} MB are needed, {free / 1e6:.0f} MB are free. "
        "Make room, or set TOPOSCOPE_HOME to a folder on a larger disk."
    )


def _anew(name: str) -> str:
    """What to do about a folder that cannot be trusted."""
    return f"`toposcope models remove {name}`, then `toposcope models pull {name}`."


def _publish(built: Path, folder: Path, facts: dict[str, str]) -> None:
    """Write the record, bring everything to the disk, then one rename."""
    for file in seal.content(built).values():
        file.chmod(0o644)
        _sync(file)
    seal.write(built, facts | seal.seal(built))
    (built / RECORD).chmod(0o644)
    _sync(built / RECORD)
    _sync(built)
    if folder.exists():  # a folder without a record was not published by us, or was cut by hand
        shutil.rmtree(folder)
    os.rename(built, folder)
    _sync(folder.parent)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _staging_prefix(folder: Path) -> str:
    """No name has a plus, so that one model's staging is never taken for another's."""
    return f".{folder.name}+"
