"""Pictures of two sentences beside each other."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from toposcope.markup import table
from toposcope.topology.drawing import draw_tree, html_picture, inches, token_labels
from toposcope.topology.head import Head
from toposcope.topology.lettering import lettering

if TYPE_CHECKING:
    from toposcope.pairs.compare import Comparison

A, B = "#2166ac", "#b2182b"


def draw_comparison(comparison: Comparison, path: str | Path | None = None) -> Any:
    """Margins of all heads by H0M and by RTD, and the graphs of the head with the largest one.

    Blue heads prefer sentence a, red ones b; so are the graphs of the two.
    """
    import matplotlib.pyplot as plt

    layers, heads = comparison.h0m_margin.shape
    above, below = (
        2.2 + 0.17 * layers,
        1.0 + max(inches(token_labels(m.tokens).texts) for m in comparison.maps),
    )
    sizes = {"figsize": (max(2.4 + 0.6 * heads, 9), above + below), "height_ratios": (above, below)}
    figure, axes = plt.subplots(2, 2, layout="constrained", **sizes)
    titles = ("H0M(b) $-$ H0M(a)", "RTD(b, a) $-$ RTD(a, b)")
    margins = (comparison.h0m_margin, comparison.rtd_margin)
    for axis, title, values in zip(axes[0], titles, margins, strict=True):
        _draw_margins(axis, title, values)
    loudest = comparison.loudest(1)[0]
    for axis, maps, side, colour in zip(axes[1], comparison.maps, ("a", "b"), (A, B), strict=True):
        title = f"{Head(*loudest)}, {side}: H0M {comparison.heads[f'h0_mean_{side}'][loudest]:.2f}"
        draw_tree(maps.array[loudest], maps.tokens, comparison.symmetry, title, axis, colour)
    (a, b), family = lettering([comparison.a, comparison.b])
    ticks = ["\N{CHECK MARK} " if comparison.preferred == side else "" for side in ("a", "b")]
    figure.suptitle(f"{ticks[0]}a (blue): {a}\n{ticks[1]}b (red): {b}", fontsize=11, family=family)
    if path is None:
        return axes[0, 0]
    figure.savefig(path, metadata={"Date": None} if Path(path).suffix == ".svg" else None)
    plt.close(figure)
    return None


def _draw_margins(axis: Any, title: str, values: np.ndarray) -> None:
    """One square a head."""
    from matplotlib.colors import LinearSegmentedColormap

    layers, heads = values.shape
    far = max(float(np.abs(values).max()), 1e-12)
    colours = LinearSegmentedColormap.from_list("sides", [B, "#f7f7f7", A])
    image = axis.imshow(values, cmap=colours, vmin=-far, vmax=far)
    axis.set(title=title, xlabel="head", ylabel="layer")
    axis.set_xticks(range(0, heads, max(1, heads // 12)))
    axis.set_yticks(range(0, layers, max(1, layers // 12)))
    axis.tick_params(length=0)
    axis.spines[:].set_visible(False)
    axis.figure.colorbar(image, ax=axis, fraction=0.046, pad=0.03)


def comparison_html(comparison: Comparison) -> str:
    """The opinions as a list, and the picture."""
    opinions = [(o.name, o.preferred, f"{o.margin:+.2f}") for o in comparison.opinions]
    head = ("asked", "prefers", "margin")
    return table(opinions, head=head) + html_picture(lambda: draw_comparison(comparison))
