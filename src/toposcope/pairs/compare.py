"""Which of two sentences is the acceptable one: every head's word, and what they say together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from toposcope.data.minimal_pairs import Pairs
from toposcope.errors import InputError, ModelError
from toposcope.pairs.choosers import Committee
from toposcope.pairs.profile import PROFILES
from toposcope.pairs.readings import Match, Reading, joined, matched_maps
from toposcope.pairs.selection import Selection, shipped_selections
from toposcope.pairs.table import PairTable, read_heads
from toposcope.topology.attention import AttentionBucket, AttentionMaps, Tokens, head_name
from toposcope.topology.divergence import rtd_both
from toposcope.topology.graphs import Symmetry
from toposcope.topology.h0 import h0_mean

if TYPE_CHECKING:
    import pandas

    from toposcope.models.scope import Scope
    from toposcope.models.scores import Scores

WORDS = {1: "first", -1: "second", 0: "neither"}
COLUMNS = (
    "h0m_first", "h0m_second", "rtd_first_second", "rtd_second_first", "rtd_h0_first_second",
    "rtd_h0_second_first", "rtd_cycles_first_second", "rtd_cycles_second_first",
)  # fmt: skip


@dataclass(frozen=True)
class Opinion:
    """What one way of asking the heads says: 1 the first sentence, -1 the second, 0 neither.

    ``margin`` is positive for the first: log-odds of weighted heads, else the share of votes above one
    half, twice. ``votes`` counts those for the first, for the second, and ties. ``accuracy`` is by
    cross-validation on the pairs that the heads were chosen on.
    """

    name: str
    prefers: int
    margin: float
    votes: tuple[int, int, int] | None = None
    accuracy: float | None = None


@dataclass(frozen=True, eq=False)
class Comparison:
    """Two sentences beside each other, with their attention ``maps``.

    ``heads`` maps the names in ``COLUMNS`` to arrays (layers, heads). RTD(first, second) is what the graph
    of the second has beyond what both have; the sentence with the smaller H0M, or with the smaller RTD
    towards the other, is a head's choice. ``likelihood`` is the language model's own score of both.
    """

    first: str
    second: str
    symmetry: Symmetry
    match: Match
    matched: tuple[int, int, int]
    heads: Mapping[str, np.ndarray] = field(repr=False)
    maps: tuple[AttentionMaps, AttentionMaps] = field(repr=False)
    opinions: tuple[Opinion, ...] = ()
    likelihood: tuple[float, float] | None = None
    likelihood_method: str = ""

    @property
    def prefers(self) -> int:
        """The first opinion's choice: 1 the first sentence, -1 the second, 0 neither."""
        return self.opinions[0].prefers

    @property
    def preferred(self) -> str | None:
        """The sentence that is preferred, if one is."""
        return {1: self.first, -1: self.second, 0: None}[self.prefers]

    @property
    def h0m_margin(self) -> np.ndarray:
        """H0M of the second minus H0M of the first, (layers, heads): positive speaks for the first."""
        return self.heads["h0m_second"] - self.heads["h0m_first"]

    @property
    def rtd_margin(self) -> np.ndarray:
        """RTD(second, first) minus RTD(first, second), (layers, heads): positive speaks for the first."""
        return self.heads["rtd_second_first"] - self.heads["rtd_first_second"]

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
            "first": self.first,
            "second": self.second,
            "prefers": WORDS[self.prefers],
            "symmetry": self.symmetry,
            "match": self.match,
            "tokens": dict(zip(("first", "second", "matched"), self.matched, strict=True)),
            "opinions": [
                {
                    "name": o.name,
                    "prefers": WORDS[o.prefers],
                    "margin": o.margin,
                    "votes": None
                    if o.votes is None
                    else dict(zip(("first", "second", "ties"), o.votes, strict=True)),
                    "accuracy": o.accuracy,
                }
                for o in self.opinions
            ],
            "language model": None
            if self.likelihood is None
            else {
                "method": self.likelihood_method,
                "first": self.likelihood[0],
                "second": self.likelihood[1],
            },
            "heads": rows,
        }

    def to_pandas(self) -> pandas.DataFrame:
        """A row a head."""
        import pandas

        layers, heads = self.h0m_margin.shape
        names = [head_name(i, k) for i in range(layers) for k in range(heads)]
        return pandas.DataFrame({name: v.ravel() for name, v in self.heads.items()}, index=names)

    def plot(self, path: str | Path | None = None) -> Any:
        """Draw the margins of all heads; into a file if there is a path."""
        from toposcope.pairs.drawing import draw_comparison

        return draw_comparison(self, path)

    def _repr_html_(self) -> str:
        from toposcope.pairs.drawing import comparison_html

        return comparison_html(self)


def compare(
    scope: Scope,
    first: str,
    second: str,
    *,
    match: str = "align",
    selections: Sequence[Selection] | None = None,
    language_model: bool = True,
) -> Comparison:
    """Compare two sentences head by head, and ask the selections of heads.

    Parameters
    ----------
    scope : Scope
    first, second : str
    match : "align", "head" or "tail"
        How sentences of unequal length are made equal for RTD, as in ``align_tokens``.
    selections : Selections
        Those that ship for these weights by default, the best first; without any, all heads vote.
    language_model : bool
        Ask for the language model's own score too, which takes a pass for each token of a masked model.
    """
    chosen = _shipped(scope) if selections is None else list(selections)
    for selection in chosen:
        selection.check_model(scope.name, scope.fingerprint)
    maps = scope.attentions([first, second])
    if len(maps) != 2:
        raise InputError("Texts of pairs cannot be cut into windows: load(..., long='truncate').")
    symmetry = PROFILES["strict"].reading("rtd", scope.causal).symmetry
    reading = Reading.parse(f"rtd.{symmetry}.{match}")
    heads, matched = _numbers(maps[0], maps[1], reading)
    likelihood, method = _likelihood(scope, first, second) if language_model else (None, "")
    return Comparison(
        first,
        second,
        symmetry,
        reading.match,
        (len(maps[0].tokens), len(maps[1].tokens), matched),
        heads,
        (maps[0], maps[1]),
        (*_asked(scope, first, second, chosen), *_all_heads(heads)),
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


def _asked(scope: Scope, first: str, second: str, selections: Sequence[Selection]) -> list[Opinion]:
    if not selections:
        return []
    pair = Pairs((first,), (second,), np.array(["pair"]), np.array(["pair"]), "a pair")
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
    return Opinion(selection.name, int(np.sign(margin)), margin, votes, accuracy)


def _all_heads(heads: Mapping[str, np.ndarray]) -> list[Opinion]:
    """The vote of all heads under rule 1."""
    opinions = []
    sides = (("h0m", "h0m_first", "h0m_second"), ("rtd", "rtd_first_second", "rtd_second_first"))
    for measure, ours, theirs in sides:
        difference = heads[ours] - heads[theirs]
        votes = (int((difference < 0).sum()), int((difference > 0).sum()), int((difference == 0).sum()))
        margin = (votes[0] - votes[1]) / difference.size
        opinions.append(Opinion(f"{measure}, all heads", int(np.sign(margin)), margin, votes))
    return opinions


def _likelihood(scope: Scope, first: str, second: str) -> tuple[tuple[float, float] | None, str]:
    """The language model's own score of both, where it has one."""
    try:
        scores: Scores = scope.score([first, second], progress=False)
    except ModelError:
        return None, ""
    a, b = scores.sum()
    return (float(a), float(b)), scores.method
