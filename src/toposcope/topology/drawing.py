"""Pictures of attention maps."""

from __future__ import annotations

import base64
import io
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING
from unicodedata import east_asian_width

import numpy as np

from toposcope.topology.lettering import Lettering, lettering

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from toposcope.topology.graphs import Symmetry

CELL_INCHES = 0.36  # side of one token pair
TILE_INCHES = 0.62  # side of one head in the grid
ARC = "#2166ac"
LETTER_INCHES = 0.1
LONGEST = 20  # letters of a token that are drawn
GAP = 0.12  # between heads, as a share of a head


def draw_map(weights: np.ndarray, tokens: Sequence[str], title: str = "", ax: Axes | None = None) -> Axes:
    """One attention map: rows look at columns, darker is stronger."""
    n = len(tokens)
    labels, family = token_labels(tokens)
    room = inches(labels)
    ax = ax or _axes(1.7 + room + CELL_INCHES * n, 1.3 + room + CELL_INCHES * n)
    image = ax.imshow(weights, cmap="Blues", vmin=0, vmax=1)
    ax.set_xticks(range(n), labels, rotation=90, family=family)
    ax.set_yticks(range(n), labels, family=family)
    _set_title(ax, title)
    ax.set(xlabel="is looked at (key)", ylabel="looks (query)")
    ax.figure.colorbar(image, ax=ax, fraction=0.046, pad=0.04, label="attention weight")
    return ax


def draw_grid(maps: np.ndarray, title: str = "", ax: Axes | None = None) -> Axes:
    """All heads at once: one small map per head, layers downwards, heads to the right."""
    layers, heads, n = (1, *maps.shape)[-4:-1] if maps.ndim == 3 else maps.shape[:3]
    gap = max(1, round(GAP * n))
    step = n + gap
    sheet = np.full((layers * step - gap, heads * step - gap), np.nan)
    for (layer, head), weights in zip(np.ndindex(layers, heads), maps.reshape(-1, n, n), strict=True):
        sheet[layer * step : layer * step + n, head * step : head * step + n] = weights
    ax = ax or _axes(1.4 + TILE_INCHES * heads, 1.2 + TILE_INCHES * layers)
    ax.imshow(sheet, cmap="Blues", vmin=0, vmax=1, interpolation="nearest")
    middle = (n - 1) / 2
    ax.set_xticks(middle + step * np.arange(heads), [str(h) for h in range(heads)])
    ax.set_yticks(middle + step * np.arange(layers), [str(i) for i in range(layers)])
    _set_title(ax, title)
    ax.set(xlabel="head", ylabel="layer")
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    return ax


def draw_tree(
    weights: np.ndarray,
    tokens: Sequence[str],
    symmetry: Symmetry = "max",
    title: str = "",
    ax: Axes | None = None,
    colour: str = ARC,
) -> Axes:
    """The spanning tree of one attention graph as arcs over the sentence; stronger links are darker."""
    from matplotlib.patches import Arc

    n = len(tokens)
    labels, family = token_labels(tokens)
    ax = ax or _axes(1.2 + 0.7 * n, 2.1 + inches(labels))
    edges = spanning_edges(weights, symmetry)
    highest = max((abs(i - j) for i, j, _ in edges), default=1)
    for i, j, weight in edges:
        width = abs(i - j)
        shade = 0.25 + 0.75 * weight
        arc = Arc(
            ((i + j) / 2, 0),
            width,
            width,
            theta1=0,
            theta2=180,
            color=colour,
            alpha=shade,
            lw=0.8 + 3 * weight,
        )
        ax.add_patch(arc)
    ax.plot(range(n), np.zeros(n), "o", color=colour, markersize=3)
    ax.set_xticks(range(n), labels, rotation=60, ha="right", rotation_mode="anchor", family=family)
    ax.set(xlim=(-0.6, n - 0.4), ylim=(-0.1 * highest, 0.56 * highest), yticks=[])
    _set_title(ax, title)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    return ax


def spanning_edges(weights: np.ndarray, symmetry: Symmetry = "max") -> list[tuple[int, int, float]]:
    """Edges (i, j, weight), i < j, of the maximum spanning tree of one attention graph."""
    upper = {"max": np.maximum(weights, weights.T), "upper": weights, "lower": weights.T}[symmetry]
    n = len(weights)
    outside, found = set(range(1, n)), []
    while outside:
        links = [
            (upper[min(i, j), max(i, j)], min(i, j), max(i, j), j)
            for i in range(n)
            if i not in outside
            for j in outside
        ]
        weight, i, j, new = max(links, key=lambda link: (link[0], -link[1], -link[2]))
        outside.remove(new)
        found.append((i, j, float(weight)))
    return found


def html_picture(draw: Callable[[], Axes]) -> str:
    """What ``draw`` draws as an HTML image, without leaving a figure open."""
    import matplotlib.pyplot as plt

    figure = draw().get_figure(root=True)
    assert figure is not None
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=90)
    plt.close(figure)
    return f'<img src="data:image/png;base64,{base64.b64encode(buffer.getvalue()).decode()}"/>'


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


def _set_title(ax: Axes, title: str) -> None:
    (text,), family = lettering([title])
    ax.set_title(text, family=family)


def _axes(width: float, height: float) -> Axes:
    import matplotlib.pyplot as plt

    return plt.subplots(figsize=(width, height), layout="constrained")[1]
