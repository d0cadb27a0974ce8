"""How far a judge from few sentences can be believed: what it announces against what comes true.

Draws of a few sentences of CoLA's train part make a judge each, on the model as it is. The judge announces
an MCC from nested cross-validation on its own few sentences; what comes true is its MCC on all the others.
With labels drawn at random there is nothing to find, and every judge should say so.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from toposcope.data.corpora import Corpus
from toposcope.experiments.experiment import Looked, Tell, look
from toposcope.experiments.settings import Setting
from toposcope.figures.canvas import save
from toposcope.figures.lines import Draws, announced_and_true
from toposcope.files import whole
from toposcope.judge.evidence import Evidence
from toposcope.judge.folds import fold_numbers
from toposcope.judge.parts import FOLDS, fit_parts
from toposcope.stats.estimate import Estimate
from toposcope.stats.metrics import confusion, matthews, reliability

if TYPE_CHECKING:
    from toposcope.models.scope import Scope

FEATURES = "topology+cls:10-12"  # what ``toposcope train`` looks at if nothing is said
REAL = (50, 100, 200, 400, 800)
NOISE = (60, 100, 400)
PROMISED = (50, 100, 200, 400)  # sizes at which 19 of 20 draws have to be inside
DRAWS = 20
SEED = 1  # the draws of seed 0 were looked at while intervals were mended
NEAR_ZERO = 0.05  # of the mean MCC that noise announces
USEFUL = 0.3


def run_small_data(
    setting: Setting, corpus: Corpus, work: Path, load: Callable[[], Scope], tell: Tell
) -> list[dict[str, Any]]:
    """One row for each draw; what is done already is kept."""
    place = work / "small-data.json"
    done: list[dict[str, Any]] = json.loads(place.read_text("utf-8")) if place.exists() else []
    there = {(row["labels"], row["sentences"], row["draw"]) for row in done}
    looked = look(setting, corpus, 0, work, load, tell)
    for labels, sizes in (("true", REAL), ("random", NOISE)):
        for size in sizes:
            missing = [draw for draw in range(DRAWS) if (labels, size, draw) not in there]
            if missing and size < len(corpus.train) // 2:
                tell(f"{size} sentences, {labels} labels")
                done += [_draw(looked, corpus, size, labels, draw) for draw in missing]
                with whole(place) as file:
                    file.write_text(json.dumps(done), encoding="utf-8")
    return done


def _draw(looked: Looked, corpus: Corpus, size: int, labels: str, draw: int) -> dict[str, Any]:
    """A judge from some sentences: what it announces, and what comes true on the others."""
    rng = np.random.default_rng([SEED, size, draw, labels == "random"])
    order = rng.permutation(len(corpus.train))
    chosen, others = np.sort(order[:size]), np.sort(order[size:])
    sentences = corpus.train.take(chosen)
    if labels == "random":
        sentences = replace(sentences, labels=rng.permutation(sentences.labels))
    known = sentences.labels
    size_of = looked.size
    evidence = Evidence.parse(FEATURES, size_of["layers"])
    heads = evidence.heads_of(size_of["layers"], size_of["heads"])
    places = looked.train.places(evidence.columns(heads, size_of["width"]))
    values = looked.train.values[chosen][:, places]
    groups = fold_numbers(sentences, FOLDS, draw)
    linear = fit_parts(values, known, evidence.parts(heads, size_of["width"]), groups=groups)
    assert linear.out_of_fold is not None
    announced = linear.out_of_fold.estimate(matthews, known)
    found = {
        "labels": labels, "sentences": size, "draw": draw, "announced": announced.to_dict(),
        "finds something": linear.finds_something,
    }  # fmt: skip
    if labels == "random":
        return {**found, "came true": 0.0}
    unseen = linear.probabilities(looked.train.values[others][:, places])
    right = corpus.train.labels[others]
    return {
        **found,
        "came true": float(matthews(confusion(right, unseen >= linear.threshold))),
        "calibration error": reliability(right, unseen).error,
    }


def page(done: Sequence[Mapping[str, Any]], setting: Setting, picture: str) -> str:
    """The numbers as Markdown, with what they say."""
    text = [
        "# Judges from few sentences\n",
        f"{setting.model} as it is, `{FEATURES}`, the default of `toposcope train`. Of CoLA's train part "
        f"so many sentences are drawn, {DRAWS} times each, and make a judge. It announces an MCC with a "
        "95 % interval, from nested cross-validation on its own sentences. What comes true is its MCC on "
        "all other sentences of the train part; with random labels that is 0. Written by "
        "`toposcope reproduce small-data`.\n",
        f"![Announced and true MCC against the number of sentences]({picture})\n",
        "| labels | sentences | announced MCC, mean | came true, mean (least to most) | interval holds it "
        "| found something | calibration error |",
        "|---|---|---|---|---|---|---|",
        *(_line(rows) for rows in _groups(done)),
        "",
        needed(done),
        "",
        kept_promise(done),
        "",
        noise(done),
    ]
    return "\n".join(text) + "\n"


def _groups(done: Sequence[Mapping[str, Any]]) -> list[list[Mapping[str, Any]]]:
    kinds = sorted({(row["labels"] == "random", row["sentences"]) for row in done})
    return [
        [row for row in done if (row["labels"] == "random", row["sentences"]) == kind] for kind in kinds
    ]


def _line(rows: Sequence[Mapping[str, Any]]) -> str:
    true = [row["came true"] for row in rows]
    random = rows[0]["labels"] == "random"
    cells = [
        rows[0]["labels"],
        f"{rows[0]['sentences']:,}",
        f"{np.mean([row['announced']['value'] for row in rows]):.3f}",
        "0" if random else f"{np.mean(true):.3f} ({min(true):.3f} to {max(true):.3f})",
        f"{_inside(rows)} of {len(rows)}",
        f"{sum(row['finds something'] for row in rows)} of {len(rows)}",
        "" if random else f"{np.mean([row['calibration error'] for row in rows]):.3f}",
    ]
    return "| " + " | ".join(cells) + " |"


def _inside(rows: Sequence[Mapping[str, Any]]) -> int:
    return sum(row["came true"] in Estimate.from_dict(row["announced"]) for row in rows)


def needed(done: Sequence[Mapping[str, Any]]) -> str:
    """How many sentences it takes until a judge is of use, as a sentence."""
    real = [rows for rows in _groups(done) if rows[0]["labels"] == "true"]
    means = {rows[0]["sentences"]: float(np.mean([row["came true"] for row in rows])) for rows in real}
    enough = [size for size, mean in means.items() if mean >= USEFUL]
    least, most = min(means), max(means)
    first = (
        f"From {least:,} sentences a judge comes to MCC {means[least]:.3f} on average, from {most:,} to "
        f"{means[most]:.3f}."
    )
    if not enough:
        return f"{first} None of these numbers is enough for {USEFUL} on average."
    return f"{first} For {USEFUL} on average it takes {min(enough):,} of those that were tried."


def kept_promise(done: Sequence[Mapping[str, Any]]) -> str:
    """Whether the announced intervals hold what comes true in 19 of 20 draws, as a sentence."""
    held = {
        rows[0]["sentences"]: (_inside(rows), len(rows))
        for rows in _groups(done)
        if rows[0]["labels"] == "true" and rows[0]["sentences"] in PROMISED
    }
    missed = [f"{inside} of {of} at {size:,}" for size, (inside, of) in held.items() if inside < 0.95 * of]
    asked = f"Asked at {', '.join(f'{size:,}' for size in held)} sentences: 19 of 20 intervals hold it."
    verdict = f"Missed ({'; '.join(missed)})." if missed else "Reached at all of them."
    return f"{asked} {verdict}"


def noise(done: Sequence[Mapping[str, Any]]) -> str:
    """What noise announces, as a sentence."""
    means = {
        rows[0]["sentences"]: float(np.mean([row["announced"]["value"] for row in rows]))
        for rows in _groups(done)
        if rows[0]["labels"] == "random"
    }
    told = ", ".join(f"{mean:+.3f} from {size:,}" for size, mean in means.items())
    worst = max(means.values(), key=abs)
    verdict = "reached" if abs(worst) < NEAR_ZERO else "missed"
    return f"Random labels announce on average {told} sentences. Asked is less than {NEAR_ZERO}: {verdict}."


def draw(done: Sequence[Mapping[str, Any]], path: Path) -> None:
    """Announced intervals and what came true, against the number of sentences."""
    panels = {}
    for labels, title in (("true", "labels as they are"), ("random", "labels drawn at random")):
        groups = [rows for rows in _groups(done) if rows[0]["labels"] == labels]
        panels[title] = [_draws(rows) for rows in groups]
    save(announced_and_true(panels, "sentences", "MCC"), path)


def _draws(rows: Sequence[Mapping[str, Any]]) -> Draws:
    announced = [Estimate.from_dict(row["announced"]) for row in rows]
    ends = [e.value for e in announced], [e.low for e in announced], [e.high for e in announced]
    return Draws(f"{rows[0]['sentences']:,}", *ends, [row["came true"] for row in rows])
