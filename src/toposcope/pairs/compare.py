"""Which of two sentences is the acceptable one: every head's word, and what they say together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from toposcope.data.minimal_pairs import Pairs
from toposcope.data.words import check_words
from toposcope.errors import InputError, ModelError
from toposcope.figures.palette import Theme
from toposcope.models.text import check_texts
from toposcope.pairs.choosers import Committee
from toposcope.pairs.profile import PROFILES
from toposcope.pairs.readings import Match, Reading, joined, matched_maps
from toposcope.pairs.selection import Selection, shipped_selections
from toposcope.pairs.table import PairTable, read_heads
from toposcope.topology.attention import AttentionBucket, AttentionMaps, Tokens
from toposcope.topology.divergence import rtd_both
from toposcope.topology.graphs import Symmetry
from toposcope.topology.h0 import h0_mean
from toposcope.topology.head import all_heads

if TYPE_CHECKING:
    import pandas

    from toposcope.models.scope import Scope
    from toposcope.models.scores import Scores

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


def compare(
    scope: Scope,
    a: str,
    b: str,
    *,
    match: str = "align",
    selections: Sequence[Selection] | None = None,
    language_model: bool = True,
) -> Comparison:
    """Compare two sentences head by head, and ask the selections of heads.

    Parameters
    ----------
    scope : Scope
    a, b : str
    match : "align", "head" or "tail"
        How sentences of unequal length are made equal for RTD, as in ``align_tokens``.
    selections : Selections
        Those that ship for these weights by default, the best first; without any, all heads vote.
    language_model : bool
        Ask for the language model's own score too, which takes a pass for each token of a masked model.
    """
    for text in check_texts([a, b]):
        check_words([text])
    chosen = _shipped(scope) if selections is None else list(selections)
    for selection in chosen:
        selection.check_model(scope.name, scope.fingerprint)
    maps = scope.attentions([a, b])
    if len(maps) != 2:
        raise InputError("Texts of pairs cannot be cut into windows: load(..., long='truncate').")
    symmetry = PROFILES["strict"].reading("rtd", scope.causal).symmetry
    reading = Reading.parse(f"rtd.{symmetry}.{match}")
    heads, matched = _numbers(maps[0], maps[1], reading)
    likelihood, method = _likelihood(scope, a, b) if language_model else (None, "")
    return Comparison(
        a,
        b,
        symmetry,
        reading.match,
        (len(maps[0].tokens), len(maps[1].tokens), matched),
        heads,
        (maps[0], maps[1]),
        (*_asked(scope, a, b, chosen), *_all_heads(heads)),
        likelihood,
        method,
    )


def _numbers(a: AttentionMaps, b: AttentionMaps, reading: Reading) -> tuple[dict[str, np.ndarray], int]:
    """H0M of both and RTD both ways with its parts, and the number of tokens that RTD compares."""
    symmetry = reading.symmetry
    ((_, left, right),) = matched_maps(_bucket(a), _bucket(b), reading.match)
    found = rtd_both(left[0], right[0], symmetry)
    values = (
        h0_mean(a.array, symmetry).ravel(), h0_mean(b.array, symmetry).ravel(), found.ab_sum, found.ba_sum,
        found.ab_h0, found.ba_h0, found.ab_cycles, found.ba_cycles,
    )  # fmt: skip
    shape = a.array.shape[:2]
    return {n: v.reshape(shape) for n, v in zip(COLUMNS, values, strict=True)}, left.shape[-1]


def _bucket(maps: AttentionMaps) -> AttentionBucket:
    """All heads of a text as one bucket of one text."""
    n = maps.array.shape[-1]

    def tokens() -> list[Tokens]:
        return [maps.tokens]

    return AttentionBucket(maps.array.reshape(1, -1, n, n), 0, tokens)


def _shipped(scope: Scope) -> list[Selection]:
    """The selections that ship for these weights, the most accurate first."""
    found = [Selection.load(name) for name in shipped_selections(scope.reference + "/")]
    fitting = [s for s in found if s.fingerprint == scope.fingerprint and s.method != "phenomenon"]
    return sorted(fitting, key=lambda s: -(s.about.get("accuracy by cross-validation") or 0))


def _asked(scope: Scope, a: str, b: str, selections: Sequence[Selection]) -> list[Opinion]:
    if not selections:
        return []
    pair = Pairs((a,), (b,), np.array(["pair"]), np.array(["pair"]), "a pair")
    table = read_heads(scope, pair, joined(selection.spec for selection in selections))
    return [_opinion(selection, table) for selection in selections]


def _opinion(selection: Selection, table: PairTable) -> Opinion:
    found = selection.prefer(table)
    margin = float(found.margins[0])
    votes = None
    if isinstance(selection.chooser, Committee):
        column = selection.chooser.column
        differences = table.column(column)[0, [table.heads.index(h) for h in selection.chooser.heads()]]
        sides = np.sign(differences) * [-1 if v.rule == 1 else 1 for v in selection.chooser.voters]
        votes = (int((sides > 0).sum()), int((sides < 0).sum()), int((sides == 0).sum()))
    accuracy = selection.about.get("accuracy by cross-validation")
    return Opinion(selection.name, margin, votes, accuracy)


def _all_heads(heads: Mapping[str, np.ndarray]) -> list[Opinion]:
    """The vote of all heads under rule 1."""
    opinions = []
    sides = (("h0m", "h0_mean_a", "h0_mean_b"), ("rtd", "rtd_ab", "rtd_ba"))
    for measure, ours, theirs in sides:
        difference = heads[ours] - heads[theirs]
        votes = (int((difference < 0).sum()), int((difference > 0).sum()), int((difference == 0).sum()))
        margin = (votes[0] - votes[1]) / difference.size
        opinions.append(Opinion(f"{measure}, all heads", margin, votes))
    return opinions


def _likelihood(scope: Scope, a: str, b: str) -> tuple[tuple[float, float] | None, str]:
    """The language model's own score of both, where it has one."""
    try:
        scores: Scores = scope.score([a, b], progress=False)
    except ModelError:
        return None, ""
    of_a, of_b = scores.sum()
    return (float(of_a), float(of_b)), scores.method
