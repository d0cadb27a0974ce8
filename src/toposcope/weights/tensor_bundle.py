"""TensorFlow's tensor bundles, read without TensorFlow.

A bundle is two files. ``variables.index`` is a LevelDB table: blocks of entries sorted by key,
each key stored as what differs from the key before; the last 48 bytes say where the block is that
lists the blocks. Each value is a protocol buffer with the type, the shape, and where the numbers
are in ``variables.data-00000-of-00001``, which is raw little-endian memory.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from toposcope.errors import SourceError

MAGIC = 0xDB4775248B80FB57
FOOTER = 48
FLOAT32 = 1
VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5


@dataclass(frozen=True)
class Entry:
    """Where a tensor is in the data file."""

    dtype: int
    shape: tuple[int, ...]
    offset: int
    size: int


def read_bundle(index: Path, data: Path) -> dict[str, np.ndarray]:
    """Every tensor of a bundle by name, as float32 arrays that stay on disk until they are used."""
    table = index.read_bytes()
    try:
        entries = dict(_entries(table))
    except (IndexError, struct.error, UnicodeDecodeError) as error:
        raise SourceError(f"{index.name} is damaged or cut short ({error}).") from error
    numbers = np.memmap(data, np.uint8, "r") if data.stat().st_size else np.zeros(0, np.uint8)
    return {name: _tensor(name, entry, numbers, data.name) for name, entry in entries.items()}


def _tensor(name: str, entry: Entry, numbers: np.ndarray, where: str) -> np.ndarray:
    """The array an entry points at."""
    if entry.dtype != FLOAT32:
        raise SourceError(f"tensor {name!r} has TensorFlow type {entry.dtype}: accepted is 1, float32.")
    end = entry.offset + entry.size
    if end > len(numbers):
        raise SourceError(f"tensor {name!r} ends at byte {end} of {where}, which has {len(numbers)}.")
    count = int(np.prod(entry.shape, dtype=np.int64))
    if entry.size != 4 * count:
        raise SourceError(f"tensor {name!r} has shape {entry.shape} but {entry.size} bytes.")
    return numbers[entry.offset : end].view("<f4").reshape(entry.shape)


def _entries(table: bytes) -> Iterator[tuple[str, Entry]]:
    """Names and entries of all blocks. The empty key is the bundle's own header."""
    if len(table) < FOOTER or struct.unpack("<Q", table[-8:])[0] != MAGIC:
        raise SourceError("this is no index of a tensor bundle: its last bytes are not LevelDB's.")
    footer = table[-FOOTER:]
    _, at = _handle(footer, 0)  # of the block of statistics, which nobody writes
    directory, _ = _handle(footer, at)
    for _, handle in _block(table, directory):
        for key, value in _block(table, _handle(handle, 0)[0]):
            if key:
                yield key.decode(), _entry(value)


def _block(table: bytes, handle: tuple[int, int]) -> Iterator[tuple[bytes, bytes]]:
    """Keys and values of one block; its tail is the list of places where a key is stored whole."""
    offset, size = handle
    if offset + size >= len(table):
        raise SourceError("the index of the tensor bundle points outside itself: it is damaged.")
    if table[offset + size]:
        raise SourceError("the index of the tensor bundle is compressed: accepted is plain.")
    block = table[offset : offset + size]
    (restarts,) = struct.unpack("<I", block[-4:])
    end = size - 4 - 4 * restarts
    at, key = 0, b""
    while at < end:
        shared, at = _varint(block, at)
        fresh, at = _varint(block, at)
        length, at = _varint(block, at)
        if at + fresh + length > end:
            raise SourceError("an entry of the tensor bundle's index is cut short: it is damaged.")
        key = key[:shared] + block[at : at + fresh]
        at += fresh + length
        yield key, block[at - length : at]


def _entry(message: bytes) -> Entry:
    """BundleEntryProto: 1 type, 2 shape, 3 shard, 4 offset, 5 size."""
    numbers = {field: number for field, number, _ in _fields(message)}
    shape = b"".join(content for field, _, content in _fields(message) if field == 2)
    axes = [content for field, _, content in _fields(shape) if field == 2]
    sizes = [sum(number for field, number, _ in _fields(axis) if field == 1) for axis in axes]
    if numbers.get(3, 0):
        raise SourceError("the tensor bundle has several data files: accepted is one.")
    return Entry(numbers.get(1, 0), tuple(sizes), numbers.get(4, 0), numbers.get(5, 0))


def _fields(message: bytes) -> Iterator[tuple[int, int, bytes]]:
    """The fields of a protocol buffer: which, its value if that is a number, its bytes if not."""
    at = 0
    while at < len(message):
        tag, at = _varint(message, at)
        field, wire = tag >> 3, tag & 7
        if wire == VARINT:
            number, at = _varint(message, at)
            yield field, number, b""
            continue
        if wire == BYTES:
            length, at = _varint(message, at)
        elif wire in (FIXED32, FIXED64):
            length = 4 if wire == FIXED32 else 8
        else:
            raise SourceError(f"the tensor bundle's index has a field of kind {wire}: it is damaged.")
        yield field, 0, message[at : at + length]
        at += length


def _handle(data: bytes, at: int) -> tuple[tuple[int, int], int]:
    """Offset and size of a block, and where the next thing starts."""
    offset, at = _varint(data, at)
    size, at = _varint(data, at)
    return (offset, size), at


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """A number in groups of seven bits, lowest first; the top bit says that more follow."""
    number = shift = 0
    while True:
        byte = data[at]
        number |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return number, at
        if shift > 63:
            raise SourceError("the tensor bundle's index has a number of more than 64 bits: it is damaged.")
