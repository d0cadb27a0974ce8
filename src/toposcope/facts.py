"""Facts of a file that anybody may have made: each is looked at before it is believed.

What is missing, of another kind, out of range or no finite number ends in an InputError that names it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from toposcope.errors import InputError

LARGEST = 1e15  # of what is computed with: two such numbers multiplied and added up are still float32
SHOWN = 60  # characters of a value that a message shows


@dataclass(frozen=True)
class Facts:
    """An object of JSON, and where it stands in its file, such as ``model.``."""

    given: Mapping[str, Any]
    place: str = ""

    @classmethod
    def parse(cls, content: bytes) -> Facts:
        """An object written in JSON."""
        try:
            given = json.loads(content, parse_constant=_finite, parse_float=_finite)
        except RecursionError:
            raise InputError("it is nested too deeply.") from None
        except InputError:
            raise
        except ValueError as error:
            raise InputError(f"it is not JSON: {error}.") from None
        if not isinstance(given, dict):
            raise InputError("it is no JSON object.")
        return cls(given)

    def __getitem__(self, name: str) -> Any:
        """A fact of any kind."""
        if name not in self.given:
            raise InputError(f"{self.place}{name} is missing.")
        return self.given[name]

    def text(self, name: str) -> str:
        """A text."""
        return self._a(str, name, "a text")

    def flag(self, name: str) -> bool:
        """Yes or no."""
        return self._a(bool, name, "true or false")

    def number(self, name: str, least: float = -LARGEST, most: float = LARGEST) -> float:
        """A finite number between two others."""
        value = self[name]
        if not _is_number(value) or not least <= value <= most:
            raise self._wrong(name, f"a number from {least:g} to {most:g}")
        return float(value)

    def count(self, name: str) -> int:
        """A whole number from 0 on."""
        if not _is_count(self[name]):
            raise self._wrong(name, "a whole number from 0 on")
        return int(self[name])

    def counts(self, name: str) -> tuple[int, ...]:
        """Different whole numbers from 0 on."""
        values = self[name]
        if not _is_list(values) or not all(map(_is_count, values)) or len(set(values)) < len(values):
            raise self._wrong(name, "a list of different whole numbers from 0 on")
        return tuple(values)

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of texts."""
        values = self[name]
        if not _is_list(values) or not all(isinstance(value, str) for value in values):
            raise self._wrong(name, "a list of texts")
        return tuple(values)

    def places(self, name: str) -> tuple[tuple[int, int], ...]:
        """Different pairs of whole numbers from 0 on."""
        values = self[name]
        if not _is_list(values) or not all(
            _is_list(one) and len(one) == 2 and all(map(_is_count, one)) for one in values
        ):
            raise self._wrong(name, "a list of pairs of whole numbers from 0 on")
        if len({tuple(one) for one in values}) < len(values):
            raise self._wrong(name, "a list in which each pair stands once")
        return tuple((one[0], one[1]) for one in values)

    def array(self, name: str, shape: tuple[int, ...]) -> np.ndarray:
        """Numbers of this shape."""
        try:
            values = np.array(self[name])
        except (ValueError, OverflowError):  # of lists of unequal length, for one
            values = np.empty(0, object)
        if values.dtype.kind not in "iuf" or values.shape != shape:
            raise self._wrong(name, f"an array of numbers, {shape}")
        return checked_numbers(values.astype(np.float64), f"{self.place}{name}")

    def part(self, name: str) -> Facts:
        """An object of its own."""
        return Facts(self._a(Mapping, name, "an object"), f"{self.place}{name}.")

    def maybe(self, name: str) -> Facts | None:
        """An object of its own, or null."""
        return None if self[name] is None else self.part(name)

    def parts(self, name: str) -> list[Facts]:
        """A list of objects."""
        values = self._a(list, name, "a list of objects")
        numbered = Facts({str(k): value for k, value in enumerate(values)}, f"{self.place}{name}.")
        return [numbered.part(k) for k in numbered.given]

    def _a(self, kind: type, name: str, accepted: str) -> Any:
        if not isinstance(self[name], kind):
            raise self._wrong(name, accepted)
        return self[name]

    def _wrong(self, name: str, accepted: str) -> InputError:
        return InputError(f"{self.place}{name} is {shortened(repr(self[name]))}: needed is {accepted}.")


def checked_numbers(values: np.ndarray, name: str, *, least: float = -LARGEST) -> np.ndarray:
    """Floating-point numbers as they are, or an InputError if one is out of range or no number."""
    if values.dtype.kind != "f":
        raise InputError(f"{name} holds {values.dtype}: accepted are floating-point numbers.")
    low, high = (float(values.min()), float(values.max())) if values.size else (least, LARGEST)
    if not least <= low <= high <= LARGEST:  # NaN is not, either
        raise InputError(f"{name} holds what is no number from {least:g} to {LARGEST:g}.")
    return values


def shortened(text: str) -> str:
    """A text as a message shows it: its beginning, if it is long."""
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)


def _is_count(value: Any) -> bool:
    return (
        isinstance(value, int | np.integer) and not isinstance(value, bool) and 0 <= int(value) <= LARGEST
    )


def _is_list(value: Any) -> bool:
    return isinstance(value, list | tuple)


def _finite(written: str) -> float:
    """A number; JSON has none that is not finite, but Python reads NaN, Infinity and 1e999."""
    value = float(written)
    if not math.isfinite(value):
        raise InputError(f"it holds {written[:SHOWN]}, which is no finite number.")
    return value
