"""Long work in parts, each done once: a folder that knows what it holds and where that comes from.

In the folder lie ``key.json``, which says what the work is, ``manifest.jsonl`` with a line for each part
that is done (name, rows, sha256, size), and the parts as Arrow files. A part counts when its line stands
and its file has the hash of the line; the line is written last, so work that is broken off at any moment
goes on where it was, and what comes out is the same to the byte. A folder with another key is refused.

Parts that are made at once depend on each other down to the last bits (sentences share batches), so how
the work is cut belongs into the key.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from toposcope.errors import InputError, told_if_missing
from toposcope.facts import Facts, shortened
from toposcope.files import to_disk, whole

if TYPE_CHECKING:
    import pyarrow as pa

FORMAT = 1  # of the folder; it stands in every key
KEY, MANIFEST, SCRATCH, LOCK = "key.json", "manifest.jsonl", "scratch", ".lock"
NAME = re.compile(r"[\w+&:-][\w.,+&: -]*")

Tell: TypeAlias = Callable[[str], None]
"""Called with a sentence about what is being done."""


@dataclass(frozen=True)
class Line:
    """A line of the manifest: what is known of a part that is done."""

    name: str
    rows: int
    sha256: str
    size: int


@dataclass(frozen=True)
class Job:
    """Work in parts: what it is, the names of its parts, and a plain function from a name to a table."""

    key: Mapping[str, Any]
    names: tuple[str, ...]
    make: Callable[[str], pa.Table]


def run(job: Job, folder: Path, tell: Tell = lambda _: None) -> pa.Table:
    """Make the parts of a job that are missing in a folder, one after the other; all of them, joined."""
    with told_if_missing():
        import pyarrow as pa

    if not job.names:
        raise InputError(f"{job.key.get('what', folder.name)}: there is nothing to do.")

    def make(number: int, name: str) -> pa.Table:
        tell(f"{job.key.get('what', folder.name)}: {name}, part {number} of {len(job.names)}")
        return job.make(name)

    with open_store(folder, job.key, tell) as store:
        numbered = enumerate(job.names, 1)
        return pa.concat_tables([store.part(name, partial(make, k, name)) for k, name in numbered])


@contextmanager
def open_store(folder: Path, key: Mapping[str, Any], tell: Tell = lambda _: None) -> Iterator[Store]:
    """The store in a folder, for this process alone. A folder made with another key is refused."""
    folder = Path(folder)
    _check_folder(folder)
    folder.mkdir(parents=True, exist_ok=True)
    with _locked(folder):
        for half in folder.glob(".*.arrow"):  # of a process that was killed
            half.unlink()
        _check_key(folder, json.loads(canonical({"format": FORMAT, **key})))
        yield Store(folder, _read_manifest(folder / MANIFEST), tell)


@dataclass(frozen=True)
class Store:
    """The parts in a folder. Made by ``open_store``."""

    folder: Path
    lines: dict[str, Line]
    tell: Tell

    def part(self, name: str, make: Callable[[], pa.Table]) -> pa.Table:
        """The table of a part: read if it is done and still as it was written, else made and kept."""
        if not self.holds(name):
            self.add(write_part(self.folder, name, make()))
        return _read_table(_place(self.folder, name))

    def holds(self, name: str) -> bool:
        """Whether a part is done; of a file that is not the one that was written something is said."""
        line, place = self.lines.get(name), _place(self.folder, name)
        if line is None:
            return False
        if place.exists() and _line_of(name, line.rows, place) == line:
            return True
        self.tell(f"{place} is not what was written there: it is made again.")
        return False

    def add(self, line: Line) -> None:
        """Write down that a part is done, after its file is on the disk."""
        with (self.folder / MANIFEST).open("a", encoding="utf-8") as stream:
            stream.write(canonical(asdict(line)) + "\n")
            to_disk(stream)
        self.lines[line.name] = line


def cut_up(name: str, count: int, size: int) -> dict[str, range]:
    """Names of parts of so many rows each, such as ``pairs 003``, with the places of their rows."""
    starts = enumerate(range(0, count, size))
    return {f"{name} {k:03}": range(start, min(start + size, count)) for k, start in starts}


def write_part(folder: Path, name: str, table: pa.Table) -> Line:
    """Write the file of a part, whole, and say what its line in the manifest is."""
    import pyarrow as pa

    place = _place(folder, name)
    table = table.combine_chunks()  # the same rows give the same bytes, however they came together
    with whole(place) as path, pa.ipc.new_file(path, table.schema) as writer:
        writer.write_table(table)
    return _line_of(name, table.num_rows, place)


def scratch_of(folder: Path) -> Path:
    """A folder for what a part needs while it is made, such as checkpoints; it may be thrown away."""
    place = folder / SCRATCH
    place.mkdir(exist_ok=True)
    return place


def canonical(value: Any) -> str:
    """JSON with one way to write a value: sorted keys, no blanks."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def differences(there: Any, asked: Any, name: str = "") -> list[str]:
    """The fields in which two keys differ, such as ``model.weights``, with both values."""
    if isinstance(there, Mapping) and isinstance(asked, Mapping):
        found = []
        for field in sorted({*there, *asked}):
            path = f"{name}.{field}" if name else field
            found += differences(there.get(field), asked.get(field), path)
        return found
    return [] if there == asked else [f"{name} ({_short(there)} there, {_short(asked)} now)"]


def _short(value: Any) -> str:
    return "nothing" if value is None else shortened(canonical(value))


def _check_folder(folder: Path) -> None:
    """Refuse a folder with anything in it that no store wrote."""
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file: needed is a folder.")
    if (folder / KEY).exists() or not folder.exists():
        return
    if found := sorted(file.name for file in folder.iterdir() if not file.name.startswith(".")):
        raise InputError(
            f"{folder} holds {found[0]} but no {KEY}, so nobody knows what that was made from (older "
            "versions kept their work so): give another folder, or remove this one to start anew."
        )


def _check_key(folder: Path, asked: Any) -> None:
    """Write the key into a new folder; refuse one that holds something else."""
    place = folder / KEY
    if not place.exists():
        with whole(place) as path:
            path.write_text(canonical(asked) + "\n", encoding="utf-8")
        return
    try:
        there = Facts.parse(place.read_bytes()).given
    except InputError as error:
        raise InputError(f"{place} cannot be read: remove {folder} to start anew.") from error
    if other := differences(there, asked):
        raise InputError(
            f"{folder} holds other work, it differs in {'; '.join(other)}: give another folder, or remove "
            "this one to start anew."
        )


def _read_manifest(place: Path) -> dict[str, Line]:
    """The lines of parts that are done, the last one of each part; half a line at the end goes."""
    if not place.exists():
        return {}
    text = place.read_bytes()
    *complete, torn = text.split(b"\n")
    if torn:
        os.truncate(place, len(text) - len(torn))
    try:
        lines = [_line(Facts.parse(line)) for line in complete]
    except InputError as error:
        raise InputError(
            f"{place} has a line that no store wrote: remove {place.parent} to start anew."
        ) from error
    return {line.name: line for line in lines}


def _line(facts: Facts) -> Line:
    return Line(facts.text("name"), facts.count("rows"), facts.text("sha256"), facts.count("size"))


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Only one process at a time works in a folder; the system frees it when that process ends."""
    with (folder / LOCK).open("a") as stream:
        try:
            _lock(stream.fileno())
        except OSError as error:
            raise InputError(
                f"{folder}: another process works here. Wait for it, or give another folder."
            ) from error
        yield


def _lock(number: int) -> None:
    """Lock an open file, or an OSError if somebody else has done so."""
    try:
        import fcntl
    except ImportError:  # Windows
        import msvcrt

        msvcrt.locking(number, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
    else:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _place(folder: Path, name: str) -> Path:
    if not NAME.fullmatch(name):
        raise InputError(f"part {name!r}: accepted are letters, digits and any of '_.,+&:- '.")
    return folder / f"{name.replace(':', '_')}.arrow"


def _line_of(name: str, rows: int, place: Path) -> Line:
    with place.open("rb") as stream:
        return Line(name, rows, hashlib.file_digest(stream, "sha256").hexdigest(), place.stat().st_size)


def _read_table(place: Path) -> pa.Table:
    """The table of a file, mapped into memory: only what is looked at is read."""
    import pyarrow as pa

    return pa.ipc.open_file(pa.memory_map(str(place))).read_all()
