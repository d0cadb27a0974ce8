"""A number and how sure we are of it: one value, one JSON form, one way to print it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass

import numpy as np

COVERAGE = 0.95


@dataclass(frozen=True)
class Estimate:
    """A number with the interval in which 95 % of its draws lie.

    It prints as ``0.412 [0.380, 0.441]``; a format counts for all three numbers, as in ``f"{e:+.3f}"``
    and ``f"{e.percent:.1f}"``.
    """

    value: float
    low: float
    high: float

    @classmethod
    def of_draws(cls, value: float, draws: np.ndarray) -> Estimate:
        """A number with the interval of its draws, which holds the number itself."""
        low, high = np.quantile(draws, [(1 - COVERAGE) / 2, (1 + COVERAGE) / 2])
        return cls(float(value), float(min(low, value)), float(max(high, value)))

    @classmethod
    def from_dict(cls, facts: Mapping[str, float]) -> Estimate:
        """The reverse of ``to_dict``."""
        return cls(facts["value"], facts["low"], facts["high"])

    def to_dict(self) -> dict[str, float]:
        """For JSON."""
        return asdict(self)

    @property
    def percent(self) -> Estimate:
        """The same of a share, in percent."""
        return Estimate(100 * self.value, 100 * self.low, 100 * self.high)

    def interval(self, spec: str = ".3f") -> str:
        """The interval alone, where something stands between it and the number."""
        return f"[{self.low:{spec}}, {self.high:{spec}}]"

    def __format__(self, spec: str) -> str:
        spec = spec or ".3f"
        return f"{self.value:{spec}} {self.interval(spec)}"

    def __str__(self) -> str:
        return format(self)

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high
