"""Pictures of two sentences beside each other."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from toposcope.figures.canvas import html_picture, save
from toposcope.figures.comparison import Tree, two_sentences
from toposcope.figures.markup import table
from toposcope.figures.palette import Theme
from toposcope.topology.filtration import filtration
from toposcope.topology.head import Head

if TYPE_CHECKING:
    from toposcope.pairs.comparison import Comparison


def draw_comparison(comparison: Comparison, path: str | Path | None = None, theme: Theme = "light") -> Any:
    """Margins of all heads by H0M and by RTD, and the graphs of the head with the largest one.

    Blue heads prefer sentence a, orange ones b; so are the graphs of the two.
    """
    loudest = comparison.loudest(1)[0]
    trees = []
    for maps, side in zip(comparison.maps, ("a", "b"), strict=True):
        name = f"{Head(*loudest)}, {side}: H0M {comparison.heads[f'h0_mean_{side}'][loudest]:.2f}"
        tree = filtration(maps.array[loudest], comparison.symmetry).tree
        trees.append(Tree(name, maps.tokens, [(i, j, 1 - length) for i, j, length in tree]))
    margins = {"H0M(b) $-$ H0M(a)": comparison.h0m_margin, "RTD(b, a) $-$ RTD(a, b)": comparison.rtd_margin}
    ticks = ["\N{CHECK MARK} " if comparison.preferred == side else "" for side in ("a", "b")]
    headings = [f"{ticks[0]}a (blue): {comparison.a}", f"{ticks[1]}b (orange): {comparison.b}"]
    figure = two_sentences(headings, margins, trees, theme, shown=path is None)
    if path is None:
        return figure.axes[0]
    save(figure, path)
    return None


def comparison_html(comparison: Comparison) -> str:
    """The opinions as a list, and the picture."""
    opinions = [(o.name, o.preferred, f"{o.margin:+.2f}") for o in comparison.opinions]
    head = ("asked", "prefers", "margin")
    return table(opinions, head=head) + html_picture(lambda: draw_comparison(comparison))
