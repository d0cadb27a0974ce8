"""The page on how many auxiliary pairs it takes: accuracy against their number."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from toposcope.experiments.published_pairs import BLIMP_PHENOMENA
from toposcope.experiments.results import AuxiliaryResult, Score
from toposcope.figures.canvas import save
from toposcope.figures.lines import Curve, curve_panels
from toposcope.report.markdown import table, words

NEAR = 1.0  # points
NAMES = {"h0m": "H0M, ensemble", "rtd": "RTD, ensemble", "topology": "ours, weighted"}


def page(found: AuxiliaryResult, picture: str) -> str:
    """The numbers: overall, then by phenomenon."""
    overall = {measure: curves["overall"] for measure, curves in found.curves.items()}
    rows = [
        [str(count), *(_cell(curve[k]) for curve in overall.values())]
        for k, count in enumerate(found.counts)
    ]
    text = [
        "# How many auxiliary pairs does it take?",
        f"{found.model} on {found.pairs:,} pairs of BLiMP, the first of each paradigm. "
        f"Heads are chosen on N auxiliary pairs of each paradigm, drawn {found.draws} times (N = 100 is "
        "nearly all of them, so the draws hardly differ there); mean accuracy in percent ± standard "
        "deviation of the draws, profile `strict`. Written by `toposcope reproduce aux-data`.",
        f"![Accuracy against the number of auxiliary pairs]({picture})",
        table(["N a paradigm", *(NAMES[measure] for measure in overall)], rows),
        _says(found),
    ]
    for measure, curves in found.curves.items():
        lines = [[words(term), *map(_cell, curves[term])] for term in BLIMP_PHENOMENA]
        header = ["phenomenon", *(f"N = {count}" for count in found.counts)]
        text += [f"## {NAMES[measure]}, by phenomenon", table(header, lines)]
    return "\n\n".join(text) + "\n"


def _cell(score: Score) -> str:
    return f"{score.value:.1f} ± {score.spread:.1f}"


def _says(found: AuxiliaryResult) -> str:
    said = []
    for measure, curves in found.curves.items():
        means = [score.value for score in curves["overall"]]
        said.append(enough(NAMES[measure], dict(zip(found.counts, means, strict=True))))
    return " ".join(said)


def enough(name: str, means: Mapping[int, float]) -> str:
    """How soon a way is within a point of what most pairs give, from its accuracy by their number."""
    least, most = min(means), max(means)
    short = [n for n, mean in means.items() if mean < means[most] - NEAR]
    near = min(n for n in means if n > max(short, default=0))
    first = "a single pair" if least == 1 else f"{least} pairs"
    return (
        f"{name}: {means[least]:.1f} from {first} of each paradigm, {means[most]:.1f} from {most}; not "
        f"more than a point below that from N = {near} on."
    )


def draw(found: AuxiliaryResult, path: Path) -> None:
    """One small picture a phenomenon, and one for all: accuracy against the number of pairs."""
    panels: dict[str, list[Curve]] = {}
    for name in ("overall", *BLIMP_PHENOMENA):
        curves = panels[words(name)] = []
        for hue, (measure, of) in enumerate(found.curves.items()):
            mean, spread = np.array([(score.value, score.spread) for score in of[name]], float).T
            curves.append(Curve(NAMES[measure], found.counts, mean, mean - spread, mean + spread, hue))
    figure = curve_panels(
        panels, "auxiliary pairs a paradigm", "accuracy, %", columns=5, panel_inches=(2.2, 2.6)
    )
    save(figure, path)
