"""Which differences of a page are sure: its p-values corrected for their number, and what to call them."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeVar

from toposcope.report.markdown import p_value
from toposcope.stats.corrections import holm

SURE = 0.05  # a difference is sure if its corrected p-value is below
PRINTED = 0.001  # of a p-value that was carried over as "< .001" only this bound is known
Standing = Literal["better", "worse", "open"]
CALLED: dict[Standing, str] = {
    "better": "surely better",
    "worse": "surely worse",
    "open": "not surely different",
}
Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True)
class Corrected:
    """A p-value as it is (None was printed as "< .001") and corrected for their number on the page."""

    p: float | None
    corrected: float

    def __str__(self) -> str:
        """E.g. ``p = 0.020, corrected 0.240``; from a bound comes a bound."""
        bound = "at most " if self.p is None else ""
        return f"p {p_value(self.p)}, corrected {bound}{self.corrected:.3f}"


def corrected(p_values: Mapping[Key, float | None]) -> dict[Key, Corrected]:
    """All p-values of a page, corrected for their number (Holm)."""
    found = holm([PRINTED if p is None else p for p in p_values.values()])
    return {
        key: Corrected(p, value) for (key, p), value in zip(p_values.items(), found.tolist(), strict=True)
    }


def standing(difference: float, p: Corrected) -> Standing:
    """Whether something is surely better than something else, surely worse, or neither."""
    if p.corrected >= SURE or difference == 0:
        return "open"
    return "better" if difference > 0 else "worse"


def verdict(standings: Mapping[str, Standing]) -> str:
    """Standings by the name of the set, in words: ``surely better in domain, surely worse on test``."""
    kinds = set(standings.values())
    if len(kinds) == 1:
        (kind,) = kinds
        return f"{CALLED[kind]} on both sets" if kind != "open" else "no difference is sure"
    return ", ".join(f"{CALLED[kind]} {name}" for name, kind in standings.items())
