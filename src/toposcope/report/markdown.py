"""How numbers and tables stand on the pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from toposcope.experiments.results import Score


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def decimal(score: Score) -> str:
    """E.g. ``0.587 ±0.002 [0.510, 0.661]``."""
    spread = "" if score.spread is None else f" ±{score.spread:.3f}"
    return f"{score.value:.3f}{spread}" + (f" {score.estimate.interval()}" if score.estimate else "")


def percent(score: Score) -> str:
    """A share, e.g. ``82.6 [79.4, 85.8]``."""
    return f"{score.estimate.percent:.1f}" if score.estimate else f"{100 * score.value:.1f}"


def p_value(p: float | None) -> str:
    """E.g. ``= 0.277``; None was printed as ``< .001``."""
    return f"= {p:.3f}" if p is not None and p >= 0.001 else "< .001"


def words(name: str) -> str:
    """A name as words."""
    return name.replace("_", " ")
