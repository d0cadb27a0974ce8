"""Values as JSON and back: frozen dataclasses of numbers, words, tuples and dicts, checked by their types.

Names of fields get blanks in the file, ``cv_mcc`` is "cv mcc"; what is None is left out.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from toposcope.errors import InputError
from toposcope.files import whole

T = TypeVar("T")
WIDTH = 120  # of a line of a file


def write_record(path: Path, record: T) -> T:
    """Write a dataclass, or a list of them, whole or not at all, and give it back."""
    with whole(path) as place:
        place.write_text(_laid_out(plain(record)) + "\n", encoding="utf-8")
    return record


def read_record(path: Path, kind: type[T]) -> T:
    """Read what ``write_record`` wrote."""
    try:
        return parsed(json.loads(path.read_text("utf-8")), kind)
    except (OSError, ValueError) as error:
        raise InputError(f"{path} holds no results of this version: {error}") from error


def plain(value: Any) -> Any:
    """As JSON has it."""
    if is_dataclass(value):
        named = {field.name.replace("_", " "): getattr(value, field.name) for field in fields(value)}
        return {name: plain(part) for name, part in named.items() if part is not None}
    if isinstance(value, Mapping):
        return {key: plain(part) for key, part in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [plain(part) for part in value]
    return value


def _laid_out(value: Any, indent: int = 0) -> str:
    """JSON in which what fits into a line stands on one."""
    text = json.dumps(value, ensure_ascii=False)
    if indent + len(text) <= WIDTH or not isinstance(value, dict | list):
        return text
    if isinstance(value, dict):
        named = ((json.dumps(key, ensure_ascii=False), part) for key, part in value.items())
        parts = [f"{name}: {_laid_out(part, indent + 1)}" for name, part in named]
    else:
        parts = [_laid_out(part, indent + 1) for part in value]
    inner = ",\n".join(" " * (indent + 1) + part for part in parts)
    left, right = "{}" if isinstance(value, dict) else "[]"
    return f"{left}\n{inner}\n{' ' * indent}{right}"


def parsed(value: Any, kind: Any) -> Any:
    """A value of a type, from JSON."""
    origin, inner = get_origin(kind), get_args(kind)
    if is_dataclass(kind):
        return _parsed_fields(value, kind)
    if origin is UnionType:
        (some,) = (one for one in inner if one is not NoneType)
        return None if value is None else parsed(value, some)
    if origin is tuple:
        kinds = [inner[0]] * len(value) if inner[-1] is ... else inner
        return tuple(parsed(part, one) for part, one in zip(value, kinds, strict=True))
    if origin is dict:
        return {key: parsed(part, inner[1]) for key, part in value.items()}
    if kind is float and type(value) is int:
        return float(value)
    if type(value) is not kind:
        raise ValueError(f"{value!r} stands where a {kind.__name__} should.")
    return value


def _parsed_fields(value: Any, kind: Any) -> Any:
    if not isinstance(value, dict):
        raise ValueError(f"{value!r} stands where a {kind.__name__} should.")
    hints, known = get_type_hints(kind), {field.name.replace("_", " "): field for field in fields(kind)}
    needed = {name for name, field in known.items() if field.default is MISSING}
    if wrong := sorted((value.keys() - known.keys()) | (needed - value.keys())):
        raise ValueError(f"{kind.__name__}: {wrong[0]!r} is unknown or missing.")
    return kind(**{known[n].name: parsed(part, hints[known[n].name]) for n, part in value.items()})
