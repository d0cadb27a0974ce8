"""What comparing two sentences gives: the numbers of every head, and what they say together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from toposcope.figures.palette import Theme
from toposcope.pairs.readings import Match
from toposcope.topology.attention import AttentionMaps
from toposcope.topology.graphs import Symmetry
from toposcope.topology.head import all_heads

if TYPE_CHECKING:
    import pandas

Side = Literal["a", "b", "tie"]
COLUMNS = (
    "h0_mean_a", "h0_mean_b", "rtd_ab", "rtd_ba",
    "rtd_ab_h0", "rtd_ba_h0", "rtd_ab_cycles", "rtd_ba_cycles",
)  # fmt: skip


def side_of(margin: float) -> Side:
    """A positive margin speaks for sentence a, a negative one for b."""
    return "a" if margin > 0 else "b" if margin < 0 else "tie"


@dataclass(frozen=True)
class Opinion:
    """What one way of asking the heads says of sentences a and b.

    ``margin`` is positive for a: log-odds of weighted heads, else the share of votes above one half,
    twice. ``votes`` counts those for a, for b, and ties. ``accuracy`` is by cross-validation on the pairs
    that the heads were chosen on.
    """

    name: str
    margin: float
    votes: tuple[int, int, int] | None = None
    accuracy: float | None = None

    @property
    def preferred(self) -> Side:
        """The sentence that it prefers."""
        return side_of(self.margin)


@dataclass(frozen=True, eq=False)
class Comparison:
    """Two sentences beside each other, with their attention ``maps``.

    ``heads`` maps the names in ``COLUMNS`` to arrays (layers, heads). RTD(a, b) is what the graph of b has
    beyond what both have; the sentence with the smaller H0M, or with the smaller RTD towards the other, is
    a head's choice. ``likelihood`` is the language model's own score of both.
    """

    a: str
    b: str
    symmetry: Symmetry
    match: Match
    matched: tuple[int, int, int]
    heads: Mapping[str, np.ndarray] = field(repr=False)
    maps: tuple[AttentionMaps, AttentionMaps] = field(repr=False)
    opinions: tuple[Opinion, ...] = ()
    likelihood: tuple[float, float] | None = None
    likelihood_method: str = ""

    @property
    def preferred(self) -> Side:
        """The choice of the first, most accurate opinion."""
        return self.opinions[0].preferred

    @property
    def h0_mean_a(self) -> np.ndarray:
        """H0M of sentence a, (layers, heads)."""
        return self.heads["h0_mean_a"]

    @property
    def h0_mean_b(self) -> np.ndarray:
        """H0M of sentence b, (layers, heads)."""
        return self.heads["h0_mean_b"]

    @property
    def rtd_ab(self) -> np.ndarray:
        """RTD(a, b), (layers, heads)."""
        return self.heads["rtd_ab"]

    @property
    def rtd_ba(self) -> np.ndarray:
        """RTD(b, a), (layers, heads)."""
        return self.heads["rtd_ba"]

    @property
    def h0m_margin(self) -> np.ndarray:
        """H0M of b minus H0M of a, (layers, heads): positive speaks for a."""
        return self.h0_mean_b - self.h0_mean_a

    @property
    def rtd_margin(self) -> np.ndarray:
        """RTD(b, a) minus RTD(a, b), (layers, heads): positive speaks for a."""
        return self.rtd_ba - self.rtd_ab

    def loudest(self, count: int = 8) -> list[tuple[int, int]]:
        """The heads with the largest margins of RTD."""
        order = np.argsort(-np.abs(self.rtd_margin), axis=None, kind="stable")[:count]
        layers, heads = np.unravel_index(order, self.rtd_margin.shape)
        return list(zip(layers.tolist(), heads.tolist(), strict=True))

    def to_dict(self) -> dict[str, Any]:
        """Everything, for JSON."""
        layers, heads = self.h0m_margin.shape
        rows = [
            {"layer": i, "head": k, **{name: float(values[i, k]) for name, values in self.heads.items()}}
            for i in range(layers)
            for k in range(heads)
        ]
        return {
            "a": self.a,
            "b": self.b,
            "preferred": self.preferred,
            "symmetry": self.symmetry,
            "match": self.match,
            "tokens": dict(zip(("a", "b", "matched"), self.matched, strict=True)),
            "opinions": [
                {
                    "name": o.name,
                    "preferred": o.preferred,
                    "margin": o.margin,
                    "votes": None
                    if o.votes is None
                    else dict(zip(("a", "b", "ties"), o.votes, strict=True)),
                    "accuracy": o.accuracy,
                }
                for o in self.opinions
            ],
            "language model": None
            if self.likelihood is None
            else {
                "method": self.likelihood_method,
                "a": self.likelihood[0],
                "b": self.likelihood[1],
            },
            "heads": rows,
        }

    def to_pandas(self) -> pandas.DataFrame:
        """A row a head."""
        import pandas

        layers, heads = self.h0m_margin.shape
        names = [str(head) for head in all_heads(layers, heads)]
        return pandas.DataFrame({name: v.ravel() for name, v in self.heads.items()}, index=names)

    def plot(self, path: str | Path | None = None, theme: Theme = "light") -> Any:
        """Draw the margins of all heads; into a file if there is a path."""
        from toposcope.pairs.drawing import draw_comparison

        return draw_comparison(self, path, theme)

    def _repr_html_(self) -> str:
        from toposcope.pairs.drawing import comparison_html

        return comparison_html(self)
