"""Pictures of two sentences beside each other."""

from __future__ import annotations

import html
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from toposcope.topology.drawing import html_picture, printable

if TYPE_CHECKING:
    from toposcope.pairs.compare import Comparison

FIRST, SECOND = "#2166ac", "#b2182b"


def draw_comparison(comparison: Comparison, path: str | Path | None = None) -> Any:
    """Margins of all heads by H0M and by RTD: blue heads prefer the first sentence, red ones the second."""
    import matplotlib.pyplot as plt
    from matplotlib.colors import LinearSegmentedColormap

    colours = LinearSegmentedColormap.from_list("sides", [SECOND, "#f7f7f7", FIRST])
    layers, heads = comparison.h0m_margin.shape
    width = 2 * (1.2 + 0.3 * heads)
    figure, axes = plt.subplots(1, 2, figsize=(max(width, 9), 2.6 + 0.3 * layers), layout="constrained")
    titles = ("H0M(second) $-$ H0M(first)", "RTD(second, first) $-$ RTD(first, second)")
    margins = (comparison.h0m_margin, comparison.rtd_margin)
    for axis, title, values in zip(axes, titles, margins, strict=True):
        far = max(float(np.abs(values).max()), 1e-12)
        image = axis.imshow(values, cmap=colours, vmin=-far, vmax=far)
        axis.set(title=title, xlabel="head", ylabel="layer")
        axis.set_xticks(range(0, heads, max(1, heads // 12)))
        axis.set_yticks(range(0, layers, max(1, layers // 12)))
        axis.tick_params(length=0)
        axis.spines[:].set_visible(False)
        figure.colorbar(image, ax=axis, fraction=0.046, pad=0.03)
    first, second = printable([comparison.first, comparison.second])
    mark = {1: ("\N{CHECK MARK} ", ""), -1: ("", "\N{CHECK MARK} "), 0: ("", "")}[comparison.prefers]
    figure.suptitle(f"{mark[0]}first (blue): {first}\n{mark[1]}second (red): {second}", fontsize=11)
    if path is None:
        return axes[0]
    figure.savefig(path, metadata={"Date": None} if Path(path).suffix == ".svg" else None)
    plt.close(figure)
    return None


def comparison_html(comparison: Comparison) -> str:
    """The opinions as a list, and the picture."""
    words = {1: "first", -1: "second", 0: "neither"}
    rows = "".join(
        f"<tr><td>{html.escape(o.name)}</td><td>{words[o.prefers]}</td><td>{o.margin:+.2f}</td></tr>"
        for o in comparison.opinions
    )
    header = "<tr><th>asked</th><th>prefers</th><th>margin</th></tr>"
    return f"<table>{header}{rows}</table>" + html_picture(lambda: draw_comparison(comparison))
