"""Files as an enemy, or a bad disk, leaves them: a fact, a number, a shape or a byte is another one.

``Choices`` is where chance comes from: hypothesis in the tests, random numbers or atheris by hand.
"""

import json
from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Any, Protocol

import numpy as np


class Choices(Protocol):
    """What decides."""

    def number(self, most: int) -> int:
        """A whole number from 0 to ``most``."""


class Dice:
    """Chance of numpy."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def number(self, most: int) -> int:
        return int(self.rng.integers(most + 1))


class Drawn:
    """Chance of hypothesis."""

    def __init__(self, data: Any) -> None:
        self.data = data

    def number(self, most: int) -> int:
        from hypothesis import strategies as st

        return self.data.draw(st.integers(0, most))


DEEP = json.loads("[" * 200 + "]" * 200)
STRANGE: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 3, 7, 12, 0.5, -0.5, 1.5, 1e-320, 1e14, 1e16, 1e308, -1e308, 10**18,
    2**63, 2**64, 10**400, float("nan"), float("inf"), -float("inf"), "", "nan", "h0m", "L0.H0", "strict",
    "\x00", "é\u202e", "x" * 10_000, [], {}, [[]], [None], [0], [0, 0], [[0, 0]], [[0, 0], [0, 0]],
    [[9, 9]], [1e308] * 3, {"a": 1}, DEEP,
)  # fmt: skip
NUMBERS = np.array(
    [0, 1, -1, 0.5, 2, 1e-45, 1e-20, 6e4, 1e10, 1e14, -1e14, 1e16, 1e38, -1e38, np.nan, np.inf, -np.inf]
)
DTYPES = ("<f4", "<f2", "<f8", "<i8", "<i4", "u1", "?")


def pick(choices: Choices, values: Sequence[Any]) -> Any:
    return values[choices.number(len(values) - 1)]


def other_json(choices: Choices, facts: Any) -> Any:
    """The same object with one to three facts changed, lost, doubled or swapped."""
    facts = json.loads(json.dumps(facts))
    for _ in range(1 + choices.number(2)):
        places = list(_places(facts))
        if not places:
            break
        owner, key = pick(choices, places)
        pick(choices, CHANGES)(choices, owner, key, places)
    return facts


def _places(value: Any) -> Any:
    """Each place in an object: what it is in, and under which key."""
    keys = list(value) if isinstance(value, dict) else range(min(len(value), 20))
    for key in keys if isinstance(value, dict | list) else ():
        yield value, key
        if isinstance(value[key], dict | list):
            yield from _places(value[key])


def _strange(choices: Choices, owner: Any, key: Any, _: Any) -> None:
    owner[key] = deepcopy(pick(choices, STRANGE))  # else the next change would be one of STRANGE's


def _gone(_: Choices, owner: Any, key: Any, __: Any) -> None:
    del owner[key]


def _swapped(choices: Choices, owner: Any, key: Any, places: Any) -> None:
    other, place = pick(choices, places)
    owner[key] = json.loads(json.dumps(other[place]))


def _near(choices: Choices, owner: Any, key: Any, _: Any) -> None:
    """Something of the same kind."""
    value = owner[key]
    if isinstance(value, bool):
        owner[key] = not value
    elif isinstance(value, int | float) and abs(value) < 1e300:
        owner[key] = pick(choices, (value + 1, value - 1, -value, value * 1e6, value * 1e-6, value / 3))
    elif isinstance(value, str):
        place = choices.number(len(value))
        owner[key] = value[:place] + pick(choices, ("", "x", ".", "9")) + value[place + 1 :]
    elif isinstance(value, list):
        owner[key] = pick(choices, (value * 2, value[1:], value[:1], [value], value[::-1]))
    elif isinstance(value, dict):
        owner[key] = pick(choices, (list(value), {**value, "more": 1}, list(value.items())))


CHANGES: tuple[Callable[..., None], ...] = (_strange, _strange, _near, _near, _gone, _swapped)


def other_array(choices: Choices, values: np.ndarray) -> np.ndarray:
    """The same numbers with some others among them, another shape or another type."""
    kind = choices.number(5)
    with np.errstate(all="ignore"):
        if kind == 0:
            return values.astype(pick(choices, DTYPES))
        if kind == 1:
            return pick(
                choices, (values[None], values.ravel(), values[:1], values[:0], values[..., :-1], values.T)
            )
        if kind == 2:
            return np.full_like(values, pick(choices, NUMBERS).astype(values.dtype))
        changed = values.copy()
        if changed.size:
            for _ in range(1 + choices.number(2)):
                changed.flat[choices.number(changed.size - 1)] = pick(choices, NUMBERS).astype(values.dtype)
        return changed


def other_bytes(choices: Choices, content: bytes) -> bytes:
    """The same bytes with some changed, lost or put in."""
    changed = bytearray(content)
    for _ in range(1 + choices.number(3)):
        place = choices.number(max(len(changed) - 1, 0))
        kind = choices.number(4)
        if kind == 0:
            changed[place : place + 1] = bytes([choices.number(255)])
        elif kind == 1:
            changed[place : place + 1 + choices.number(50)] = b""
        elif kind == 2:
            changed[place:place] = pick(choices, PIECES)
        elif kind == 3:
            del changed[place:]
        else:
            changed[place:place] = changed[max(place - 1 - choices.number(50), 0) : place]
    return bytes(changed)


PIECES = (
    b"\0", b"\r", b"\n", b"\t", b",", b'"', b"\xff", b"\xef\xbb\xbf", b"\xff\xfe", b"{", b"[" * 3000,
    b"NaN", b"1e999", b"\\ud800", b"\xe2\x80\x8b", b"=1+1", b"\x1a", b";", b"-1", b"9" * 5000,
)  # fmt: skip
