"""The ways of choosing heads that table 2 compares."""

from __future__ import annotations

from dataclasses import replace

from toposcope.experiments.results import Way

VOTING = ("top", "phenomenon", "ensemble", "all")
SYMMETRIES = "h0m.upper.whole+h0s.upper.whole+rtd.upper.align+h0m.max.whole+h0s.max.whole+rtd.max.align"
WEIGHTED = ("h0m", SYMMETRIES, "pattern", "topology", f"topology+{SYMMETRIES}")
STATES = "states"
LENGTH = "length"  # fewer or more tokens, and nothing else
AND = " & "  # opinions that are formed apart and then added up
WITH_STATES = f"topology{AND}{STATES}"
SINGLE = "L8.H0"
THEIRS = ("published", "paper", "notebook")  # profiles
FEW = (1, 2, 3, 5, 10, 20, 40, 80)
LAYERS = (2, 4, 6, 8, 10)
OURS, ENSEMBLE = Way("topology", "weighted"), Way("rtd", "ensemble")


def ways_of(brief: bool, causal: bool = False) -> list[Way]:
    """All ways, or, for the other models, those that compare them.

    Profiles other than ours look at the upper triangle, of which causal models have none.
    """
    votes = [Way(m, method) for m in ("h0m", "rtd") for method in VOTING]
    weighted = [Way(measure, "weighted") for measure in (*WEIGHTED, STATES, WITH_STATES)]
    ways = [Way(LENGTH, "top"), *votes, *weighted]
    new = [replace(way, left_out="phenomenon") for way in ways if way.method not in ("all", "phenomenon")]
    profiles = [replace(way, profile=profile) for profile in THEIRS for way in votes]
    paradigms = [replace(way, left_out="paradigm") for way in new]
    if brief:
        return [*ways, *new, *(() if causal else profiles), *paradigms]
    single = [Way(m, SINGLE, p) for p in ("strict", *THEIRS) for m in ("h0m", "rtd")]
    generated = [
        Way(m, method, source="generated")
        for m, method in (("h0m", "ensemble"), ("rtd", "ensemble"), ("topology", "weighted"))
    ]
    both = [Way(m, "weighted", source="both") for m in ("topology", STATES, WITH_STATES)]
    both_new = [replace(way, left_out="phenomenon") for way in both]
    fewer = [replace(OURS, keep=keep) for keep in FEW] + [replace(OURS, layers=n) for n in LAYERS]
    return [*single, *ways, *new, *generated, *both, *both_new, *fewer, *profiles, *paradigms]


def name_of(way: Way) -> str:
    """What a way is called in the working folder."""
    parts = (
        way.source,
        way.profile,
        way.measure.replace(SYMMETRIES, "h0-rtd"),
        way.method,
        way.left_out and f"without {way.left_out}",
        way.keep and f"{way.keep} heads",
        way.layers and f"{way.layers} layers",
    )
    return " ".join(str(part) for part in parts if part)
