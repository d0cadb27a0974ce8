"""A column of a table: which feature, and of which head."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from toposcope.topology.head import NAME, Head

OF_HEAD = re.compile(rf"(.+)\.({NAME.pattern})")


class Column(NamedTuple):
    """A ``feature`` of a ``head``, or of no head, as ``lm`` and the hidden state ``cls.L12.5`` are.

    >>> str(Column("h0_sum", Head(8, 0))), str(Column("lm"))
    ('h0_sum.L8.H0', 'lm')
    """

    feature: str
    head: Head | None = None

    def __str__(self) -> str:
        return self.feature if self.head is None else f"{self.feature}.{self.head}"

    @property
    def family(self) -> str:
        """The word before the first dot: ``cls`` of ``cls.L12.5``."""
        return self.feature.partition(".")[0]

    @classmethod
    def parse(cls, name: str) -> Column:
        """The column of a name.

        >>> Column.parse("h0m.upper.whole.L8.H0")
        Column(feature='h0m.upper.whole', head=Head(layer=8, index=0))
        """
        found = OF_HEAD.fullmatch(name)
        return cls(found[1], Head.parse(found[2])) if found else cls(name)


class Columns(tuple[Column, ...]):
    """The columns of a table in their order.

    There are thousands, and many tables share them, so what was found of them once is kept here.
    """

    @classmethod
    def of(cls, given: Iterable[Column | str]) -> Columns:
        """These columns, as values or by name; the very same if they are Columns already."""
        if isinstance(given, Columns):
            return given
        return cls(Column.parse(one) if isinstance(one, str) else one for one in given)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(map(str, self))

    @cached_property
    def places(self) -> Mapping[Column, int]:
        """Where each stands."""
        return {column: k for k, column in enumerate(self)}

    @cached_property
    def _grouped(self) -> dict[Callable[[Column], str], Mapping[str, np.ndarray]]:
        return {}

    def grouped(self, by: Callable[[Column], str]) -> Mapping[str, np.ndarray]:
        """Places of the columns of which a function says the same, by what it says."""
        if by not in self._grouped:
            found: dict[str, list[int]] = {}
            for k, column in enumerate(self):
                found.setdefault(by(column), []).append(k)
            self._grouped[by] = {name: np.array(places) for name, places in found.items()}
        return self._grouped[by]


def all_columns(features: Sequence[str], heads: Iterable[Head]) -> Columns:
    """The features of every head, head by head."""
    return Columns(Column(feature, head) for head in heads for feature in features)
