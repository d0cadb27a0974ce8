"""Arrays of .safetensors files where they lie: mapped into memory, read when they are used."""

from __future__ import annotations

import json
import mmap
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from toposcope.errors import ModelError

HALVES = {"F16": np.float16, "BF16": np.uint16}  # read as float32
KINDS = {"F32": np.float32, **HALVES, "F64": np.float64, "I64": np.int64, "I32": np.int32}


def read_tensors(folder: Path) -> dict[str, np.ndarray]:
    """The arrays of a model's folder by their names; half precision becomes float32.

    Matrices stay in their files, where they cannot be written; what is small is copied.
    """
    index = folder / "model.safetensors.index.json"
    files = [folder / "model.safetensors"]
    if index.is_file():
        shards = json.loads(index.read_bytes())["weight_map"].values()
        files = [folder / name for name in dict.fromkeys(shards)]
    found: dict[str, np.ndarray] = {}
    for file in files:
        try:
            found |= map_tensors(file)
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise ModelError(f"{file} cannot be read ({error}): copy the model again.") from error
    return found


def map_tensors(file: Path) -> dict[str, np.ndarray]:
    """The arrays of one file, without a copy wherever that can be had."""
    with file.open("rb") as stream:
        start = 8 + int.from_bytes(stream.read(8), "little")
        header: Mapping[str, dict] = json.loads(stream.read(start - 8))
        mapped = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
    return {
        name: _array(mapped, start, facts)
        for name, facts in header.items()
        if name != "__metadata__" and facts["dtype"] in KINDS
    }


def _array(mapped: mmap.mmap, start: int, facts: Mapping) -> np.ndarray:
    kind = np.dtype(KINDS[facts["dtype"]]).newbyteorder("<")
    begin, end = facts["data_offsets"]
    if not 0 <= begin <= end <= len(mapped) - start:
        raise ValueError("an array lies outside of the file")
    flat = np.frombuffer(mapped, kind, count=(end - begin) // kind.itemsize, offset=start + begin)
    array = flat.reshape(facts["shape"])
    if facts["dtype"] == "BF16":  # the upper half of a float32
        return (array.astype(np.uint32) << 16).view(np.float32)
    if facts["dtype"] in HALVES:
        return array.astype(np.float32)
    small = array.ndim < 2
    return np.require(array, requirements=["A", "W"] if small else ["A"])  # BLAS would copy it every time
