"""How many auxiliary pairs does it take? Heads chosen on ever more of them (appendix of the paper)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from toposcope.data.minimal_pairs import places_in_group
from toposcope.experiments.blimp import Kept, Tell, joined_table
from toposcope.experiments.published import BLIMP_PHENOMENA
from toposcope.figures.canvas import save
from toposcope.figures.lines import Curve, curve_panels
from toposcope.files import whole
from toposcope.pairs.accuracy import pair_accuracy
from toposcope.pairs.measures import pair_spec
from toposcope.pairs.profile import profile_named
from toposcope.pairs.select import Method, choose
from toposcope.pairs.table import PairTable

COUNTS = (1, 5, *range(10, 101, 10))
DRAWS = 10
WAYS: tuple[tuple[str, Method], ...] = (("h0m", "ensemble"), ("rtd", "ensemble"), ("topology", "weighted"))
WORDS = {"h0m": "H0M, ensemble", "rtd": "RTD, ensemble", "topology": "ours, weighted"}


def run_aux_data(auxiliary: Kept, blimp: Kept, place: Path, tell: Tell) -> dict[str, Any]:
    """Accuracy by way, number of pairs a paradigm and draw; what is done is kept in a file."""
    done: dict[str, Any] = json.loads(place.read_text("utf-8")) if place.exists() else {}
    for measure, method in WAYS:
        columns = pair_spec(measure, profile_named("strict"), auxiliary.causal).columns
        missing = [
            (count, draw)
            for count in COUNTS
            for draw in range(DRAWS)
            if f"{measure} {count} {draw}" not in done
        ]
        if not missing:
            continue
        chosen_on = joined_table(part.only(columns) for part in auxiliary.heads())
        asked = joined_table(part.only(columns) for part in blimp.heads())
        for count, draw in missing:
            tell(f"{measure}, {method}: {count} pairs a paradigm, draw {draw + 1}")
            some = chosen_on.take(drawn(chosen_on, count, draw))
            credits = choose(some, method, columns, "strict", seed=draw).prefer(asked).credits
            found = pair_accuracy(credits, asked.pairs)
            done[f"{measure} {count} {draw}"] = {
                "overall": found.overall.value,
                **{term: found.phenomena[term].value for term in found.phenomena},
            }
            with whole(place) as where:
                where.write_text(json.dumps(done), encoding="utf-8")
    return done


def drawn(table: PairTable, count: int, draw: int) -> np.ndarray:
    """Places of ``count`` pairs of each paradigm, drawn at random; all of a paradigm that has fewer."""
    order = np.random.default_rng([count, draw]).permutation(len(table))
    return np.sort(order[places_in_group(table.pairs.paradigms[order]) < count])


def curve(done: Mapping[str, Any], measure: str, what: str) -> np.ndarray:
    """Mean and standard deviation over the draws in percent, (counts, 2)."""
    values = [[done[f"{measure} {count} {draw}"][what] for draw in range(DRAWS)] for count in COUNTS]
    return 100 * np.stack([np.mean(values, axis=1), np.std(values, axis=1, ddof=1)], axis=1)


def page(done: Mapping[str, Any], blimp: Kept, picture: str) -> str:
    """The numbers as Markdown: overall, then by phenomenon."""
    text = [
        "# How many auxiliary pairs does it take?\n",
        f"{blimp.facts['about']['model']} on {len(blimp):,} pairs of BLiMP, the first of each paradigm. "
        f"Heads are chosen on N auxiliary pairs of each paradigm, drawn {DRAWS} times (N = 100 is nearly "
        "all of them, so the draws hardly differ there); mean accuracy in percent ± standard deviation of "
        "the draws, profile `strict`. Written by `toposcope reproduce aux-data`.\n",
        f"![Accuracy against the number of auxiliary pairs]({picture})\n",
        "| N a paradigm | " + " | ".join(WORDS.values()) + " |",
        "|" + "---|" * (1 + len(WORDS)),
    ]
    curves = {measure: curve(done, measure, "overall") for measure in WORDS}
    for k, count in enumerate(COUNTS):
        cells = [_cell(curves[m][k]) for m in WORDS]
        text.append(f"| {count} | " + " | ".join(cells) + " |")
    text += ["", _says(curves)]
    for measure, words in WORDS.items():
        text += ["", f"## {words}, by phenomenon\n"]
        text += ["| phenomenon | " + " | ".join(f"N = {n}" for n in COUNTS) + " |"]
        text += ["|" + "---|" * (1 + len(COUNTS))]
        for term in BLIMP_PHENOMENA:
            cells = [_cell(at) for at in curve(done, measure, term)]
            text.append(f"| {term.replace('_', ' ')} | " + " | ".join(cells) + " |")
    return "\n".join(text) + "\n"


def _cell(at: np.ndarray) -> str:
    return f"{at[0]:.1f} ± {at[1]:.1f}"


def _says(curves: Mapping[str, np.ndarray]) -> str:
    """How soon each way is within a point of what all auxiliary pairs give."""
    said = []
    for measure, words in WORDS.items():
        means = curves[measure][:, 0]
        enough = COUNTS[int(np.argmax(means >= means[-1] - 1))]
        said.append(
            f"{words}: {means[0]:.1f} from a single pair of each paradigm, {means[-1]:.1f} from all; "
            f"within a point of that from N = {enough} on."
        )
    return " ".join(said)


def draw(done: Mapping[str, Any], path: Path) -> None:
    """One small picture a phenomenon, and one for all: accuracy against the number of pairs."""
    panels: dict[str, list[Curve]] = {}
    for name in ("overall", *BLIMP_PHENOMENA):
        curves = panels[name.replace("_", " ")] = []
        for hue, (measure, words) in enumerate(WORDS.items()):
            mean, spread = curve(done, measure, name).T
            curves.append(Curve(words, COUNTS, mean, mean - spread, mean + spread, hue))
    figure = curve_panels(
        panels, "auxiliary pairs a paradigm", "accuracy, %", columns=5, panel_inches=(2.2, 2.6)
    )
    save(figure, path)
