"""Pictures of two sentences beside each other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from toposcope.figures.attention import arcs, inches, token_labels
from toposcope.figures.canvas import dress, scale, sheet
from toposcope.figures.lettering import lettering
from toposcope.figures.palette import Theme, palette

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_TICKS = 12


class Tree(NamedTuple):
    """A spanning tree under a name: its tokens and its edges (i, j, weight)."""

    name: str
    tokens: Sequence[str]
    edges: Iterable[tuple[int, int, float]]


def two_sentences(
    headings: Sequence[str],
    margins: Mapping[str, np.ndarray],
    trees: Sequence[Tree],
    theme: Theme = "light",
    shown: bool = False,
) -> Figure:
    """Margins (layer, head) of all heads, and a tree of each sentence: a is blue, b is orange."""
    layers, heads = next(iter(margins.values())).shape
    above = 2.2 + 0.17 * layers
    below = 1.0 + max(inches(token_labels(tree.tokens).texts) for tree in trees)
    figure = sheet(max(2.4 + 0.6 * heads, 9), above + below, theme, shown)
    grid = figure.subplots(2, 2, height_ratios=(above, below))
    for axis, (name, values) in zip(grid[0], margins.items(), strict=True):
        _margins(axis, name, values, theme)
    colours = palette(theme)
    for axis, tree, colour in zip(grid[1], trees, (colours.blue, colours.orange), strict=True):
        arcs(tree.edges, tree.tokens, tree.name, axis, theme, colour)
    lines, family = lettering(headings)
    figure.suptitle("\n".join(lines), fontsize=11, family=family, color=colours.ink)
    return figure


def _margins(axis: Axes, name: str, values: np.ndarray, theme: Theme) -> None:
    """One square a head."""
    layers, heads = values.shape
    colours = dress(axis, theme, spines=())
    far = max(float(np.abs(values).max()), 1e-12)
    image = axis.imshow(values, cmap=colours.sides, vmin=-far, vmax=far)
    axis.set(title=name, xlabel="head", ylabel="layer")
    axis.set_xticks(range(0, heads, max(1, heads // MOST_TICKS)))
    axis.set_yticks(range(0, layers, max(1, layers // MOST_TICKS)))
    axis.tick_params(length=0)
    scale(image, theme, pad=0.03)
