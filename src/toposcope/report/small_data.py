"""The page on judges from few sentences: what they announce against what comes true."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from toposcope.experiments.results import SmallJudge
from toposcope.figures.canvas import save
from toposcope.figures.lines import Draws, announced_and_true
from toposcope.report.markdown import table

PROMISED = (50, 100, 200, 400)  # sizes at which 19 of 20 draws have to be inside
NEAR_ZERO = 0.05  # of the mean MCC that noise announces
USEFUL = 0.3
HEADER = (
    "labels", "sentences", "announced MCC, mean", "came true, mean (least to most)", "interval holds it",
    "found something", "calibration error",
)  # fmt: skip


def page(found: Sequence[SmallJudge], model: str, features: str, picture: str) -> str:
    """The numbers, with what they say."""
    draws = max(len(group) for group in _groups(found))
    text = [
        "# Judges from few sentences",
        f"{model} as it is, `{features}`, the default of `toposcope train`. Of CoLA's train part "
        f"so many sentences are drawn, {draws} times each, and make a judge. It announces an MCC with a "
        "95 % interval, from nested cross-validation on its own sentences. What comes true is its MCC on "
        "all other sentences of the train part; with random labels that is 0. Written by "
        "`toposcope reproduce small-data`.",
        f"![Announced and true MCC against the number of sentences]({picture})",
        table(HEADER, [_line(group) for group in _groups(found)]),
        needed(found),
        kept_promise(found),
        noise(found),
    ]
    return "\n\n".join(text) + "\n"


def _groups(found: Sequence[SmallJudge]) -> list[list[SmallJudge]]:
    """Judges with the same kind of labels and as many sentences: first the true labels."""
    kinds = sorted({(one.labels == "random", one.sentences) for one in found})
    return [[one for one in found if (one.labels == "random", one.sentences) == kind] for kind in kinds]


def _of(found: Sequence[SmallJudge], labels: str) -> dict[int, list[SmallJudge]]:
    return {group[0].sentences: group for group in _groups(found) if group[0].labels == labels}


def _line(group: Sequence[SmallJudge]) -> list[str]:
    true = [one.came_true for one in group]
    random = group[0].labels == "random"
    errors = [one.calibration_error for one in group if one.calibration_error is not None]
    return [
        group[0].labels,
        f"{group[0].sentences:,}",
        f"{np.mean([one.announced.value for one in group]):.3f}",
        "0" if random else f"{np.mean(true):.3f} ({min(true):.3f} to {max(true):.3f})",
        f"{_inside(group)} of {len(group)}",
        f"{sum(one.finds_something for one in group)} of {len(group)}",
        "" if random else f"{np.mean(errors):.3f}",
    ]


def _inside(group: Sequence[SmallJudge]) -> int:
    return sum(one.came_true in one.announced for one in group)


def needed(found: Sequence[SmallJudge]) -> str:
    """How many sentences it takes until a judge is of use, as a sentence."""
    means = {
        size: float(np.mean([o.came_true for o in group])) for size, group in _of(found, "true").items()
    }
    enough = [size for size, mean in means.items() if mean >= USEFUL]
    least, most = min(means), max(means)
    first = (
        f"From {least:,} sentences a judge comes to MCC {means[least]:.3f} on average, from {most:,} to "
        f"{means[most]:.3f}."
    )
    if not enough:
        return f"{first} None of these numbers is enough for {USEFUL} on average."
    return f"{first} For {USEFUL} on average it takes {min(enough):,} of those that were tried."


def kept_promise(found: Sequence[SmallJudge]) -> str:
    """Whether the announced intervals hold what comes true in 19 of 20 draws, as a sentence."""
    held = {
        size: (_inside(group), len(group)) for size, group in _of(found, "true").items() if size in PROMISED
    }
    missed = [f"{inside} of {of} at {size:,}" for size, (inside, of) in held.items() if inside < 0.95 * of]
    asked = f"Asked at {', '.join(f'{size:,}' for size in held)} sentences: 19 of 20 intervals hold it."
    verdict = f"Missed ({'; '.join(missed)})." if missed else "Reached at all of them."
    return f"{asked} {verdict}"


def noise(found: Sequence[SmallJudge]) -> str:
    """What noise announces, as a sentence."""
    means = {
        size: float(np.mean([o.announced.value for o in group]))
        for size, group in _of(found, "random").items()
    }
    told = ", ".join(f"{mean:+.3f} from {size:,}" for size, mean in means.items())
    worst = max(means.values(), key=abs)
    verdict = "reached" if abs(worst) < NEAR_ZERO else "missed"
    return f"Random labels announce on average {told} sentences. Asked is less than {NEAR_ZERO}: {verdict}."


def draw(found: Sequence[SmallJudge], path: Path) -> None:
    """Announced intervals and what came true, against the number of sentences."""
    panels = {
        title: [
            Draws(
                f"{size:,}",
                [one.announced.value for one in group],
                [one.announced.low for one in group],
                [one.announced.high for one in group],
                [one.came_true for one in group],
            )
            for size, group in _of(found, labels).items()
        ]
        for labels, title in (("true", "labels as they are"), ("random", "labels drawn at random"))
    }
    save(announced_and_true(panels, "sentences", "MCC"), path)
