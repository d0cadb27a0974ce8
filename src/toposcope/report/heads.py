"""The page on how many heads it takes: MCC against the number of heads, by two ways of ranking them."""

from __future__ import annotations

from pathlib import Path

from toposcope.experiments.results import EnoughHeads, HeadCount, HeadsResult
from toposcope.experiments.settings import ENOUGH
from toposcope.figures.canvas import save
from toposcope.figures.lines import Curve, curve_panels
from toposcope.report.markdown import table

TICKS = (1, 3, 12, 48, 144)


def page(found: HeadsResult, picture: str) -> str:
    """The numbers, and how few heads keep most of what all give."""
    columns = list(dict.fromkeys((point.features, point.ranking) for point in found.points))
    at = {(point.features, point.ranking, point.count): point for point in found.points}
    rows = [
        [str(count), *(_cell(at.get((*column, count))) for column in columns)]
        for count in dict.fromkeys(point.count for point in found.points)
    ]
    text = [
        "# How many heads does it take?",
        f"{found.model}, frozen, on CoLA. Heads are ranked on the train part only: by the largest "
        "|correlation| of any of their features with the label, as in the paper, or by the order in which "
        "a sparse (l1) regression lets them in. For each number of heads C and threshold are chosen anew "
        "by cross-validation on train. MCC in domain / out of domain; written by "
        "`toposcope reproduce heads`.",
        f"![MCC against the number of heads]({picture})",
        table(["heads", *(f"{features}, by {ranking}" for features, ranking in columns)], rows),
        " ".join(map(enough_words, found.enough)),
    ]
    return "\n\n".join(text) + "\n"


def _cell(point: HeadCount | None) -> str:
    return f"{point.dev.value:.3f} / {point.test.value:.3f}" if point else ""


def enough_words(one: EnoughHeads) -> str:
    """How few heads keep most of what the best number of them gives, by both rankings."""
    ways = ", ".join(
        f"{count} {'head' if count == 1 else 'heads'} by {ranking}" for ranking, count in one.counts.items()
    )
    most = f"{100 * ENOUGH:.0f} % of the best cross-validated MCC ({one.best:.3f})"
    return f"{one.features}: {most} with {ways}."


def draw(found: HeadsResult, path: Path) -> None:
    """MCC against the number of heads, one panel a set, intervals of the first ranking as bands."""
    columns = dict.fromkeys((point.features, point.ranking) for point in found.points)
    hues = list(dict.fromkeys(features for features, _ in columns))
    styles = dict(zip(dict.fromkeys(ranking for _, ranking in columns), ("-", "--"), strict=True))
    panels: dict[str, list[Curve]] = {"in domain": [], "out of domain": []}
    for features, ranking in columns:
        some = [point for point in found.points if (point.features, point.ranking) == (features, ranking)]
        counts = [point.count for point in some]
        for curves, scores in zip(
            panels.values(), ([p.dev for p in some], [p.test for p in some]), strict=True
        ):
            low, high = [s.low for s in scores], [s.high for s in scores]
            sure = styles[ranking] == "-" and None not in low
            curves.append(
                Curve(
                    f"{features}, {ranking}", counts, [s.value for s in scores],
                    low if sure else None,  # type: ignore[arg-type]
                    high if sure else None,  # type: ignore[arg-type]
                    hues.index(features), styles[ranking],
                )
            )  # fmt: skip
    save(curve_panels(panels, "number of heads", "MCC", columns=2, ticks=TICKS), path)
