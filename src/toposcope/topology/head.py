"""A head: where in a model an attention map comes from."""

from __future__ import annotations

import re
from typing import NamedTuple

from toposcope.errors import InputError

NAME = re.compile(r"L(\d+)\.H(\d+)")


class Head(NamedTuple):
    """The head ``index`` of a ``layer``, both counted from 0, written L8.H0 ([8;0] in the paper).

    It is a pair, so ``maps[head]`` is the map of a head; where heads are asked for, plain pairs will do.

    >>> str(Head(8, 0))
    'L8.H0'
    """

    layer: int
    index: int  # type: ignore[assignment]  # tuples have a method of this name, heads need none

    def __str__(self) -> str:
        return f"L{self.layer}.H{self.index}"

    @classmethod
    def parse(cls, name: str) -> Head:
        """The head of a name such as L8.H0."""
        found = NAME.fullmatch(name)
        if found is None:
            raise InputError(f"head {name!r}: accepted are names such as L8.H0.")
        return cls(int(found[1]), int(found[2]))


def all_heads(layers: int, heads: int) -> list[Head]:
    """All heads of a model with so many layers of so many heads."""
    return [Head(layer, index) for layer in range(layers) for index in range(heads)]
