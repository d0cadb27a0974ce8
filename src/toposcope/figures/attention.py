"""Pictures of attention maps: one map, all heads of a text, and the spanning tree over its tokens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING
from unicodedata import east_asian_width

import numpy as np

from toposcope.figures.canvas import axes, check_drawing, dress, scale, title
from toposcope.figures.lettering import Lettering, lettering
from toposcope.figures.palette import Theme

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CELL_INCHES = 0.36  # side of one token pair
TILE_INCHES = 0.62  # side of one head in the grid
LETTER_INCHES = 0.1
LONGEST = 20  # letters of a token that are drawn
GAP = 0.12  # between heads, as a share of a head
FAINTEST = 0.45  # opacity of a link of no weight


def attention_map(
    weights: np.ndarray,
    tokens: Sequence[str],
    name: str = "",
    ax: Axes | None = None,
    theme: Theme = "light",
) -> Axes:
    """One attention map: rows look at columns; the more a cell stands out, the stronger it is."""
    n = len(tokens)
    labels, family = token_labels(tokens)
    room = inches(labels)
    ax = ax or axes(1.7 + room + CELL_INCHES * n, 1.3 + room + CELL_INCHES * n, theme)
    colours = dress(ax, theme, spines=("left", "right", "top", "bottom"))
    image = ax.imshow(weights, cmap=colours.strength, vmin=0, vmax=1)
    ax.set_xticks(range(n), labels, rotation=90, family=family)
    ax.set_yticks(range(n), labels, family=family)
    title(ax, name)
    ax.set(xlabel="is looked at (key)", ylabel="looks (query)")
    scale(image, theme, pad=0.04, label="attention weight")
    return ax


def attention_grid(
    maps: np.ndarray, name: str = "", ax: Axes | None = None, theme: Theme = "light"
) -> Axes:
    """All heads at once: one small map per head, layers downwards, heads to the right."""
    layers, heads, n = (1, *maps.shape)[-4:-1] if maps.ndim == 3 else maps.shape[:3]
    gap = max(1, round(GAP * n))
    step = n + gap
    sheet = np.full((layers * step - gap, heads * step - gap), np.nan)
    for (layer, head), weights in zip(np.ndindex(layers, heads), maps.reshape(-1, n, n), strict=True):
        sheet[layer * step : layer * step + n, head * step : head * step + n] = weights
    ax = ax or axes(1.4 + TILE_INCHES * heads, 1.2 + TILE_INCHES * layers, theme)
    colours = dress(ax, theme, spines=())
    ax.set_facecolor(colours.faint)  # seen between the heads
    ax.imshow(sheet, cmap=colours.strength, vmin=0, vmax=1, interpolation="nearest")
    middle = (n - 1) / 2
    ax.set_xticks(middle + step * np.arange(heads), [str(h) for h in range(heads)])
    ax.set_yticks(middle + step * np.arange(layers), [str(i) for i in range(layers)])
    title(ax, name)
    ax.set(xlabel="head", ylabel="layer")
    ax.tick_params(length=0)
    return ax


def arcs(
    edges: Iterable[tuple[int, int, float]],
    tokens: Sequence[str],
    name: str = "",
    ax: Axes | None = None,
    theme: Theme = "light",
    colour: str | None = None,
) -> Axes:
    """Edges (i, j, weight) as arcs over the tokens; stronger links are thicker and stand out more."""
    check_drawing()
    from matplotlib.patches import Arc

    n = len(tokens)
    labels, family = token_labels(tokens)
    ax = ax or axes(1.2 + 0.7 * n, 2.1 + inches(labels), theme)
    colours = dress(ax, theme, spines=())
    colour = colour or colours.blue
    highest = n / 3  # low arcs are not stretched
    for i, j, weight in edges:
        width = abs(i - j)
        highest = max(highest, width)
        arc = Arc(
            ((i + j) / 2, 0),
            width,
            width,
            theta1=0,
            theta2=180,
            color=colour,
            alpha=FAINTEST + (1 - FAINTEST) * weight,
            lw=0.8 + 3 * weight,
        )
        ax.add_patch(arc)
    ax.plot(range(n), np.zeros(n), "o", color=colour, markersize=3)
    ax.set_xticks(range(n), labels, rotation=60, ha="right", rotation_mode="anchor", family=family)
    ax.set(xlim=(-0.6, n - 0.4), ylim=(-0.06 * highest, 0.56 * highest), yticks=[])
    title(ax, name)
    ax.tick_params(length=0)
    return ax


def token_labels(tokens: Sequence[str]) -> Lettering:
    """Tokens as labels of an axis, long ones cut."""
    labels, family = lettering(tokens)
    return Lettering(
        [t if len(t) <= LONGEST else f"{t[: LONGEST - 1]}\N{HORIZONTAL ELLIPSIS}" for t in labels], family
    )


def inches(labels: Sequence[str]) -> float:
    """Room for the longest label, half an inch at least."""
    widths = (sum(2 if east_asian_width(c) in "WF" else 1 for c in label) for label in labels)
    return max(0.5, LETTER_INCHES * max(widths, default=0))
