"""Two sentences beside each other: each has its colour in margins, tree and heading."""

import numpy as np
import pytest
from matplotlib.colors import to_hex

from toposcope.figures.comparison import Tree, two_sentences
from toposcope.figures.palette import PALETTES


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_two_sentences(theme):
    margins = {"H0M": np.array([[0.5, -0.2, 0.0]]), "RTD": np.zeros((1, 3))}
    trees = [
        Tree("a tree", ["x", "y"], [(0, 1, 0.7)]),
        Tree("b tree", ["x", "y", "z"], [(0, 2, 0.7), (0, 1, 0.1)]),
    ]
    figure = two_sentences(["a (blue): 5 $", "b (orange): z"], margins, trees, theme)
    colours = PALETTES[theme]
    first, second, a, b = figure.axes[:4]
    image = first.images[0]
    assert image.get_clim() == (-0.5, 0.5)
    assert to_hex(image.cmap(image.norm(0.5))).upper() == colours.blue  # speaks for a
    assert to_hex(image.cmap(image.norm(-0.5))).upper() == colours.orange
    assert second.get_title() == "RTD"
    for axis, colour, arcs, labels in (
        (a, colours.blue, 1, ["x", "y"]),
        (b, colours.orange, 2, ["x", "y", "z"]),
    ):
        assert {to_hex(arc.get_edgecolor()).upper() for arc in axis.patches} == {colour}
        assert len(axis.patches) == arcs
        assert [label.get_text() for label in axis.get_xticklabels()] == labels
    assert figure.get_suptitle() == "a (blue): 5 \\$\nb (orange): z"
