"""Which of two sentences is the acceptable one: every head's word, and what they say together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from toposcope.data.minimal_pairs import Pairs
from toposcope.data.words import check_words
from toposcope.errors import InputError, ModelError
from toposcope.models.text import Pieces, check_texts
from toposcope.pairs.choosers import Committee
from toposcope.pairs.comparison import COLUMNS, Comparison, Opinion
from toposcope.pairs.profile import PROFILES
from toposcope.pairs.readings import Reading, joined, matched_maps
from toposcope.pairs.selection import Selection, shipped_selections
from toposcope.pairs.table import PairTable
from toposcope.topology.attention import AttentionBucket, AttentionMaps, Tokens
from toposcope.topology.divergence import rtd_both
from toposcope.topology.h0 import h0_mean
from toposcope.topology.head import all_heads

if TYPE_CHECKING:
    from toposcope.models.scope import Scope
    from toposcope.models.scores import Scores


def compare_pair(
    a: str,
    b: str,
    model: str | Path | Scope = "bert-base-cased",
    *,
    match: str = "align",
    selections: Sequence[str | Path | Selection] | None = None,
    language_model: bool = True,
) -> Comparison:
    """Which of two sentences is the acceptable one: what ``toposcope compare`` does.

    Parameters
    ----------
    a, b : str
    model : str or Scope
        What ``ts.load`` takes, or what it gave.
    match : "align", "head" or "tail"
        How sentences of unequal length are made equal for RTD, as in ``align_tokens``.
    selections : Selections, or names of files or of selections that ship
        Those that ship for these weights by default, the best first; without any, all heads vote.
    language_model : bool
        Ask for the language model's own score too, which takes a pass for each token of a masked model.

    Examples
    --------
    >>> compare_pair("Cheryl had trained Tara.", "Cheryl had murmured Tara.").preferred  # doctest: +SKIP
    """
    from toposcope.models.load import scope_of

    chosen = None
    if selections is not None:
        chosen = [one if isinstance(one, Selection) else Selection.load(one) for one in selections]
    scope = scope_of(model)
    return compare(scope, a, b, match=match, selections=chosen, language_model=language_model)


def compare(
    scope: Scope,
    a: str,
    b: str,
    *,
    match: str = "align",
    selections: Sequence[Selection] | None = None,
    language_model: bool = True,
) -> Comparison:
    """Compare two sentences head by head, and ask the selections of heads; see ``compare_pair``."""
    for text in check_texts([a, b]):
        check_words([text])
    chosen = _shipped(scope) if selections is None else list(selections)
    for selection in chosen:
        selection.check_model(scope.name, scope.fingerprint)
    pieces = scope.pieces([a, b])
    if len(pieces) != 2:
        raise InputError("Texts of pairs cannot be cut into windows: load(..., long='truncate').")
    maps = scope.attentions(pieces)
    symmetry = PROFILES["strict"].reading("rtd", scope.causal).symmetry
    reading = Reading.parse(f"rtd.{symmetry}.{match}")
    heads, matched = _numbers(maps[0], maps[1], reading)
    likelihood, method = _likelihood(scope, pieces) if language_model else (None, "")
    return Comparison(
        a,
        b,
        symmetry,
        reading.match,
        (len(maps[0].tokens), len(maps[1].tokens), matched),
        heads,
        (maps[0], maps[1]),
        (*_asked(scope, maps[0], maps[1], chosen), *_all_heads(heads)),
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

    return AttentionBucket(maps.array.reshape(1, -1, n, n), tokens)


def _shipped(scope: Scope) -> list[Selection]:
    """The selections that ship for these weights, the most accurate first."""
    found = [Selection.load(name) for name in shipped_selections(scope.reference + "/")]
    fitting = [s for s in found if s.fingerprint == scope.fingerprint and s.method != "phenomenon"]
    return sorted(fitting, key=lambda s: -(s.cv_accuracy or 0))


def _asked(
    scope: Scope, a: AttentionMaps, b: AttentionMaps, selections: Sequence[Selection]
) -> list[Opinion]:
    """What selections of heads say, of maps that were read already."""
    if not selections:
        return []
    pair = Pairs((a.tokens.text,), (b.tokens.text,), np.array(["pair"]), np.array(["pair"]), "a pair")
    spec = joined(selection.spec for selection in selections)
    heads = tuple(all_heads(scope.layers, scope.heads))
    table = PairTable(pair, spec(_bucket(a), _bucket(b)), heads, spec.columns, scope.provenance)
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
    return Opinion(selection.name, margin, votes, selection.cv_accuracy)


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


def _likelihood(scope: Scope, pieces: Pieces) -> tuple[tuple[float, float] | None, str]:
    """The language model's own score of both, where it has one."""
    try:
        scores: Scores = scope.score(pieces, progress=False)
    except ModelError:
        return None, ""
    of_a, of_b = scores.sum()
    return (float(of_a), float(of_b)), scores.method
