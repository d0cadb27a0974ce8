"""Whether the files of a model are still the ones that were published: asked at every load.

A record names the SHA-256 of every file and, beside it, how the file looked: its size, the times of its
last write and of its last change of any kind, and the SHA-256 of a sample of its bytes. A file that looks
as it did is believed, which takes milliseconds; any other is hashed in full, and if its bytes are the
published ones, its new looks go into the record. (bert-base-cased, 436 MB, on two cores: 0.01 s for the
looks, 0.7 s in full, and several times that where the processor has no instructions for SHA-256.)

Caught is whatever writes into a file, one byte with its time set back included: programs can set the time
of the last write, not that of the last change. Not caught is who turns back the clock of the machine,
writes to the disk beneath the file system, or a fault of the disk, unless it meets the sample; nor who
rewrites the record itself. ``toposcope models verify`` hashes everything, always.
"""

import contextlib
import hashlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any, TypeAlias

RECORD = "toposcope.json"
BLOCK = 1 << 16  # bytes
BLOCKS = 64  # of a file larger than so many blocks, as many are hashed, evenly spread from head to tail

Looks: TypeAlias = dict[str, int | str]


def sha256(file: Path) -> str:
    """SHA-256 of a file, in hexadecimal."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def content(folder: Path) -> dict[str, Path]:
    """The files of a model by their names in the record; the record, or a new one on its way, is none."""
    files = sorted(path for path in folder.rglob("*") if not path.is_dir())
    named = {file.relative_to(folder).as_posix(): file for file in files}
    return {n: file for n, file in named.items() if n != RECORD and not n.startswith(f".{RECORD}")}


def seal(folder: Path) -> dict[str, Any]:
    """What a record says of the files of a folder: their hashes, and how they look."""
    files = content(folder)
    looks = {name: look(file) for name, file in files.items()}  # before: a later change is then seen
    return {"files": {name: sha256(file) for name, file in files.items()}, "looks": looks}


def look(file: Path) -> Looks:
    """How a file looks without reading it all."""
    with file.open("rb") as stream:
        facts = os.fstat(stream.fileno())
        digest = hashlib.sha256()
        if facts.st_size <= BLOCKS * BLOCK:
            digest.update(stream.read())
        else:
            for k in range(BLOCKS):
                stream.seek((facts.st_size - BLOCK) * k // (BLOCKS - 1))
                digest.update(stream.read(BLOCK))
    return {
        "size": facts.st_size,
        "written_ns": facts.st_mtime_ns,
        "changed_ns": facts.st_ctime_ns,
        "sample": digest.hexdigest(),
    }


def broken(folder: Path, record: dict[str, Any]) -> str | None:
    """What is not as it was published, to stand after the folder's name; None if all is.

    Records of older versions have no looks: their files are hashed once.
    """
    hashes = record["files"]
    if lost := [name for name in hashes if not (folder / name).is_file()]:
        return f"lacks {', '.join(lost)}"
    more = [name for name in content(folder) if name not in hashes and "/." not in f"/{name}"]
    if more:
        return f"has {', '.join(more)}, which nobody published there"
    known = record.get("looks")
    looks = {name: look(folder / name) for name in hashes}
    if looks != known:
        known = known if isinstance(known, dict) else {}
        changed = [name for name in hashes if looks[name] != known.get(name)]
        if altered := [name for name in changed if sha256(folder / name) != hashes[name]]:
            return f"has {', '.join(altered)} altered since it was published"
        with contextlib.suppress(OSError):  # a cache that is only read is hashed again next time
            _replace(folder / RECORD, record | {"looks": looks})
    return None


def write(folder: Path, record: dict[str, Any]) -> None:
    """Write the record of a folder that nobody sees yet."""
    (folder / RECORD).write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")


def _replace(file: Path, record: dict[str, Any]) -> None:
    """Put a new record in the place of the old one; readers find either of them whole."""
    handle, name = tempfile.mkstemp(prefix=f".{RECORD}", dir=file.parent)  # never makes the folder anew
    try:
        with open(handle, "w", encoding="utf-8") as stream:
            stream.write(json.dumps(record, indent=2) + "\n")
        os.chmod(name, 0o644)
        os.replace(name, file)
    except BaseException:
        os.unlink(name)
        raise
