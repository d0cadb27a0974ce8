"""Table 2: which sentence of a minimal pair is the good one, with the published rows beside ours."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from toposcope.data.minimal_pairs import Pairs, places_in_group
from toposcope.experiments.blimp import Kept, Tell, joined_table
from toposcope.experiments.likelihoods import likelihood_differences
from toposcope.experiments.published import BLIMP_PHENOMENA, TABLE2
from toposcope.files import whole
from toposcope.pairs.accuracy import calibration_error, pair_accuracy
from toposcope.pairs.choosers import (
    Chooser,
    Committee,
    PhenomenonHeads,
    Preference,
    Voter,
    WeightedHeads,
    together,
    weighed,
)
from toposcope.pairs.measures import pair_spec
from toposcope.pairs.profile import profile_named
from toposcope.pairs.select import Method, choose
from toposcope.pairs.transfer import LeaveOut, choosers_without, prefer_all
from toposcope.stats.estimate import Estimate
from toposcope.topology.head import Head

if TYPE_CHECKING:
    from toposcope.models.scope import Scope

VOTING: tuple[Method, ...] = ("top", "phenomenon", "ensemble", "all")
SYMMETRIES = "h0m.upper.whole+h0s.upper.whole+rtd.upper.align+h0m.max.whole+h0s.max.whole+rtd.max.align"
WEIGHTED = ("h0m", SYMMETRIES, "pattern", "topology", f"topology+{SYMMETRIES}")
STATES = "states"
AND = " & "  # opinions that are formed apart and then added up
WITH_STATES = f"topology{AND}{STATES}"
FEW = (1, 2, 3, 5, 10, 20, 40, 80)
LAYERS = (2, 4, 6, 8, 10)
SHORT = {
    "anaphor_agreement": "anaph.", "argument_structure": "arg.", "binding": "bind.",
    "control_raising": "contr.", "determiner_noun_agreement": "det-n.", "ellipsis": "ell.",
    "filler_gap_dependency": "gap", "irregular_forms": "irreg.", "island_effects": "isl.",
    "npi_licensing": "NPI", "quantifiers": "quant.", "subject_verb_agreement": "s-v",
}  # fmt: skip
SAID = {
    "h0m": "H0M", "rtd": "RTD", "pattern": "patterns (6 a head)", "topology": "ours (19 a head)",
    SYMMETRIES: "H0M, H0S, RTD (6 a head)", f"topology+{SYMMETRIES}": "ours, H0S and RTD (25 a head)",
    STATES: "mean hidden states, no topology", WITH_STATES: "ours + mean hidden states",
}  # fmt: skip
METHODS = {
    "top": "top head", "phenomenon": "phenomenon heads", "ensemble": "head ensemble", "all": "all heads",
    "weighted": "weighted", "L8.H0": "head [8;0]",
}  # fmt: skip


@dataclass(frozen=True)
class PairRow:
    """A row of ours. ``left_out`` is what the auxiliary pairs lack; ``source`` is where they come from.

    ``keep`` is the number of heads, ``layers`` that of the layers from the first on; 0 is all.
    """

    measure: str
    method: Method | str
    profile: str = "strict"
    left_out: LeaveOut = ""
    source: str = "auxiliary"
    keep: int = 0
    layers: int = 0

    @property
    def section(self) -> str:
        """Where on the page the row stands."""
        if self.keep or self.layers:
            return "fewer"
        parts = (self.source, "" if self.profile == "strict" else self.profile, self.left_out)
        return " ".join(part for part in parts if part)

    @property
    def name(self) -> str:
        """What the row is called in the working folder."""
        measure = "h0-rtd" if self.measure == SYMMETRIES else self.measure.replace(SYMMETRIES, "h0-rtd")
        parts = (
            self.source,
            self.profile,
            measure,
            self.method,
            self.left_out and f"without {self.left_out}",
            self.keep and f"{self.keep} heads",
            self.layers and f"{self.layers} layers",
        )
        return " ".join(str(part) for part in parts if part)

    @property
    def words(self) -> str:
        """What the row is called on the page."""
        if self.keep:
            return f"{self.keep} heads" if self.keep > 1 else "1 head"
        if self.layers:
            return f"all heads of layers 1 to {self.layers}"
        return f"{METHODS[self.method]}: {SAID[self.measure]}"


def rows_of(brief: bool, causal: bool = False) -> list[PairRow]:
    """All rows, or, for the other models, those that compare them.

    The profiles of the paper and its notebook look at the upper triangle, of which causal models have none.
    """
    votes = [PairRow(m, method) for m in ("h0m", "rtd") for method in VOTING]
    weighted = [PairRow(measure, "weighted") for measure in (*WEIGHTED, STATES, WITH_STATES)]
    rows = [*votes, *weighted]
    new = [replace(row, left_out="phenomenon") for row in rows if row.method not in ("all", "phenomenon")]
    profiles = [replace(row, profile=profile) for profile in ("paper", "notebook") for row in votes]
    paradigms = [replace(row, left_out="paradigm") for row in new]
    if brief:
        return [*rows, *new, *(() if causal else profiles), *paradigms]
    single = [PairRow(m, "L8.H0", p) for p in ("strict", "paper", "notebook") for m in ("h0m", "rtd")]
    ours = PairRow("topology", "weighted")
    generated = [
        PairRow(m, method, source="generated")
        for m, method in (("h0m", "ensemble"), ("rtd", "ensemble"), ("topology", "weighted"))
    ]
    both = [PairRow(m, "weighted", source="both") for m in ("topology", STATES, WITH_STATES)]
    both_new = [replace(row, left_out="phenomenon") for row in both]
    fewer = [replace(ours, keep=keep) for keep in FEW] + [replace(ours, layers=n) for n in LAYERS]
    return [*single, *rows, *new, *generated, *both, *both_new, *fewer, *profiles, *paradigms]


def run_row(
    row: PairRow, sources: Mapping[str, Sequence[Kept]], blimp: Kept, work: Path
) -> tuple[dict[str, Any], Preference]:
    """Choose on auxiliary pairs, ask about BLiMP: facts for JSON, and what is preferred in each pair.

    Opinions that are added up come from rows that were run before.
    """
    began = time.perf_counter()
    if AND in row.measure:
        parts = [replace(row, measure=measure) for measure in row.measure.split(AND)]
        told, preference = "", together([weighed(done_row(part, work)[1]) for part in parts])
    else:
        told, preference = _heard(row, sources[row.source], blimp)
    accuracy = pair_accuracy(preference.credits, blimp.pairs, preference.ties)
    facts = {"row": row.name, **accuracy.facts(), "chosen": told}
    if row.method == "weighted" and AND not in row.measure:
        facts["calibration error"] = calibration_error(preference.margins)
    return facts | {"seconds": round(time.perf_counter() - began, 1)}, preference


def _heard(row: PairRow, source: Sequence[Kept], blimp: Kept) -> tuple[str, Preference]:
    """Who was chosen, in short, and what they prefer."""
    chosen = _chosen(row, source)
    parts = blimp.states() if row.measure == STATES else blimp.heads()
    return _told(chosen), prefer_all(parts, chosen, row.left_out)


def _chosen(row: PairRow, source: Sequence[Kept]) -> dict[str, Chooser]:
    if row.measure == STATES:
        table = joined_table(chain.from_iterable(kept.states() for kept in source))
        return choosers_without(table, "weighted", table.columns, row.profile, row.left_out)
    profile = profile_named(row.profile)
    columns = pair_spec(row.measure, profile, source[0].causal).columns
    if row.method == "L8.H0":
        return {"": Committee(columns[0], (Voter(Head(8, 0)),), profile.ties)}
    parts = chain.from_iterable(kept.heads() for kept in source)
    table = joined_table(part.only(columns) for part in parts)
    method: Method = row.method  # type: ignore[assignment]
    if row.layers:
        table = table.only_heads([k for k, head in enumerate(table.heads) if head[0] < row.layers])
    if row.keep:
        return {"": choose(table, method, columns, row.profile, keep=row.keep)}
    return choosers_without(table, method, columns, row.profile, row.left_out)


def _told(chosen: Mapping[str, Chooser]) -> str:
    """In short, who was chosen."""
    if len(chosen) > 1:
        return ""
    (chooser,) = chosen.values()
    if isinstance(chooser, Committee):
        return str(chooser.voters[0]) if len(chooser.voters) == 1 else f"{len(chooser.voters)} heads"
    if isinstance(chooser, PhenomenonHeads):
        return ", ".join(
            str(chooser.by_phenomenon[t]) for t in BLIMP_PHENOMENA if t in chooser.by_phenomenon
        )
    assert isinstance(chooser, WeightedHeads)
    return f"C = {chooser.strength:.0e}"


def run_rows(
    rows: Sequence[PairRow], sources: Mapping[str, Sequence[Kept]], blimp: Kept, work: Path, tell: Tell
) -> list[dict[str, Any]]:
    """Do what is missing of the rows; everything that is done is kept."""
    found = []
    for row in rows:
        place = work / "rows" / f"{row.name}.json"
        if not place.exists():
            tell(f"{blimp.facts['about']['model']}: {row.name}")
            facts, preference = run_row(row, sources, blimp, work)
            with whole(place.with_suffix(".npy")) as where, where.open("wb") as stream:
                both = np.stack([preference.credits, preference.margins])
                np.save(stream, both.astype(np.float32), allow_pickle=False)
            _keep(place, facts)
        found.append(json.loads(place.read_text("utf-8")))
    return found


def done_row(row: PairRow, work: Path) -> tuple[np.ndarray, np.ndarray]:
    """Credits and margins of a row that was run."""
    credits, margins = np.load(work / "rows" / f"{row.name}.npy").astype(np.float64)
    return credits, margins


def difference(a: PairRow, b: PairRow, pairs: Pairs, work: Path) -> Estimate:
    """Accuracy of one row minus that of another, with the interval of a paired bootstrap."""
    return pair_accuracy(done_row(a, work)[0] - done_row(b, work)[0], pairs).overall


def run_likelihood(
    pairs: Pairs, count: int, work: Path, load: Callable[[], Scope], tell: Tell
) -> list[tuple[str, dict[str, Any]]]:
    """The language model's own choice in the first pairs of each paradigm, and together with ours."""
    places = np.flatnonzero(places_in_group(pairs.paradigms) < count)
    some = pairs.take(places)
    own = weighed(likelihood_differences(some, work, load, tell))
    found = [("its own likelihood", own)]
    for row in (PairRow("topology", "weighted"), PairRow("topology", "weighted", left_out="phenomenon")):
        ours = weighed(done_row(row, work)[1][places])
        words = row.words + (", phenomenon left out" if row.left_out else "")
        found += [(words, ours), (f"{words}, + likelihood", together([ours, own]))]
    return [(words, {**pair_accuracy(p.credits, some, p.ties).facts(), "chosen": ""}) for words, p in found]


def _keep(place: Path, facts: Mapping[str, Any]) -> None:
    with whole(place) as where:
        where.write_text(json.dumps(facts), encoding="utf-8")


def header() -> list[str]:
    """The first two lines of a table."""
    names = ["", "overall", "mean of phenomena", *SHORT.values(), "ties %", "chosen"]
    return [_line(names), _line(["---"] * len(names))]


def our_line(words: str, facts: Mapping[str, Any]) -> str:
    """A row of ours: overall and mean of phenomena with intervals, the twelve phenomena."""
    cells = [f"{Estimate.from_dict(facts[of]).percent:.1f}" for of in ("overall", "mean of phenomena")]
    cells += [f"{100 * facts['phenomena'][term]['value']:.1f}" for term in BLIMP_PHENOMENA]
    return _line([words, *cells, f"{100 * facts['ties']:.2f}", facts["chosen"]])


def published_line(name: str) -> str:
    """A published row."""
    row = TABLE2[name]
    mean = sum(row.phenomena.values()) / len(row.phenomena)
    cells = [f"{row.phenomena[term]:.1f}" for term in BLIMP_PHENOMENA]
    return _line([f"*published: {name}*", f"*{row.overall:.1f}*", f"*{mean:.1f}*", *cells, "", ""])


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"
