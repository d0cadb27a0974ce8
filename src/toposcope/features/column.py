"""A column of a table: which feature, and of which head."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

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


def all_columns(features: Sequence[str], heads: Iterable[Head]) -> tuple[Column, ...]:
    """The features of every head, head by head."""
    return tuple(Column(feature, head) for head in heads for feature in features)
