"""Pictures of barcodes."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from toposcope.figures.canvas import axes, dress, legend
from toposcope.figures.palette import ANYWHERE, Theme

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROW_INCHES = 0.22
FEW_ROWS = 6  # fewer bars are not drawn thicker
PIXELS, ROW_PIXELS, MOST_ROWS = 420, 7, 60  # of the small picture


class Bars(NamedTuple):
    """Bars [birth, death) under a name such as H0."""

    name: str
    births: np.ndarray
    deaths: np.ndarray


def barcode_rows(groups: Sequence[Bars], ax: Axes | None = None, theme: Theme = "light") -> Axes:
    """Barcodes one above the other, each sorted by length, in the paper's colours."""
    ax = ax or axes(5, 0.9 + ROW_INCHES * max(FEW_ROWS, sum(len(group.births) for group in groups)), theme)
    from matplotlib.patches import Patch

    colours = dress(ax, theme, spines=("bottom",))
    base, end = 0, 1.0
    for name, births, deaths in groups:
        lengths = deaths.astype(np.float64) - births
        order = np.argsort(lengths, kind="stable")
        rows = base + np.arange(len(births))
        ax.barh(rows, lengths[order], left=births[order], height=0.7, color=colours.bar(name))
        base += len(births)
        end = max([end, *map(float, deaths)])
    most = max(base, FEW_ROWS)
    top = most + max(1.2, 0.1 * most)  # room for the legend
    ax.set(xlim=(0, end), ylim=(-0.6, top), yticks=[], xlabel="distance (1 - attention)")
    keys = [Patch(color=colours.bar(name), label=f"{name} ({len(births)})") for name, births, _ in groups]
    legend(ax, theme, handles=keys, ncols=max(1, len(keys)), loc="upper left", borderaxespad=0)
    return ax


def barcode_html(bars: Bars, total: float) -> str:
    """The bars as a small picture for notebooks, on light pages and dark ones."""
    name, births, deaths = bars
    shown = min(len(births), MOST_ROWS)
    end = max([1.0, *map(float, deaths)])
    colour = ANYWHERE.bar(name)
    drawn = "".join(
        f'<rect x="{PIXELS * float(b) / end:.1f}" y="{ROW_PIXELS * k}" height="{ROW_PIXELS - 2}" '
        f'width="{max(PIXELS * float(d - b) / end, 1):.1f}" fill="{colour}"/>'
        for k, (b, d) in enumerate(zip(births[:shown], deaths[:shown], strict=True))
    )
    caption = f"{html.escape(name)}: {len(births)} bars, sum {total:.4g}"
    if shown < len(births):
        caption += f", the first {shown} drawn"
    return (
        f"<figure><figcaption>{caption}</figcaption>"
        f'<svg role="img" aria-label="{caption}" width="{PIXELS}" height="{ROW_PIXELS * max(shown, 1)}">'
        f"{drawn}</svg></figure>"
    )
