"""Pictures of attention maps."""

from __future__ import annotations

import base64
import io
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CELL_INCHES = 0.36  # side of one token pair
TILE_INCHES = 0.62  # side of one head in the grid
GAP = 0.12  # between heads, as a share of a head


def draw_map(weights: np.ndarray, tokens: Sequence[str], title: str = "", ax: Axes | None = None) -> Axes:
    """One attention map: rows look at columns, darker is stronger."""
    n = len(tokens)
    ax = ax or _axes(2.2 + CELL_INCHES * n, 1.8 + CELL_INCHES * n)
    image = ax.imshow(weights, cmap="Blues", vmin=0, vmax=1)
    labels = printable(tokens)
    ax.set_xticks(range(n), labels, rotation=90)
    ax.set_yticks(range(n), labels)
    ax.set(title=title, xlabel="is looked at (key)", ylabel="looks (query)")
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
    ax.set(title=printable([title])[0], xlabel="head", ylabel="layer")
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    return ax


def html_picture(draw: Callable[[], Axes]) -> str:
    """What ``draw`` draws as an HTML image, without leaving a figure open."""
    import matplotlib.pyplot as plt

    figure = draw().get_figure(root=True)
    assert figure is not None
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=90)
    plt.close(figure)
    return f'<img src="data:image/png;base64,{base64.b64encode(buffer.getvalue()).decode()}"/>'


def _axes(width: float, height: float) -> Axes:
    import matplotlib.pyplot as plt

    return plt.subplots(figsize=(width, height), layout="constrained")[1]


def printable(texts: Sequence[str]) -> list[str]:
    """Texts without what matplotlib would read as markup or could not draw as one line."""
    shown = ("".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text) for text in texts)
    return [text.replace("$", r"\$") for text in shown]
